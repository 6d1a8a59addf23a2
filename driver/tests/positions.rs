//! The card models have exactly the positions of their games: every position that a plain explorer
//! reaches by the referee's rules, columns and cells without names, is one state of the model.

use std::collections::{BTreeSet, HashSet};
use std::hash::Hash;

use csp_checker::options::NoObserver;
use csp_driver::{CheckSettings, Inspection, Script, on_deep_stack};
use csp_games::Card;
use csp_games::board::Board;
use csp_games::card::Suit;
use csp_games::deal::layout::triangle;
use csp_games::deal::{microsoft, park_miller, rounds};
use csp_games::referee::freecell::{self, Move, Target};
use csp_games::referee::{Referee as _, klondike, montana};

/// The states of a process of a model.
fn states(model: &str, process: &str, defines: &[String]) -> usize {
    on_deep_stack(|| {
        let file = format!("{}/../models/{model}", env!("CARGO_MANIFEST_DIR"));
        let mut script = Script::load(&file, defines).expect("readable");
        assert!(!script.has_errors(), "{:?}", script.diagnostics());
        let graph = script.explicit(process, 10_000_000, &Inspection::default(), &NoObserver);
        let graph = graph.map_err(|p| format!("{:?} {:?}", p.limit, p.diagnostics));
        graph.expect("small").lts.state_count()
    })
}

fn defines(pairs: &[(&str, u64)]) -> Vec<String> {
    pairs
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect()
}

/// How many positions there are, and how many of them are won.
fn positions<P: Clone + Eq + Hash>(
    start: P,
    next: impl Fn(&P) -> Vec<P>,
    won: impl Fn(&P) -> bool,
) -> (usize, usize) {
    let mut seen = HashSet::from([start.clone()]);
    let mut waiting = vec![start];
    let mut count_won = 0;
    while let Some(position) = waiting.pop() {
        count_won += usize::from(won(&position));
        for child in next(&position) {
            if seen.insert(child.clone()) {
                waiting.push(child);
            }
        }
    }
    (seen.len(), count_won)
}

/// The least rank at home of the suits that a condition picks.
fn least(home: [u8; 4], picks: impl Fn(Suit) -> bool) -> u8 {
    let suits = Suit::ALL.into_iter().filter(|s| picks(*s));
    suits.map(|s| home[s as usize]).min().unwrap_or(0)
}

/// Whether no card is left that could need this one in a column.
fn harmless(home: [u8; 4], card: Card, cards_come_back: bool) -> bool {
    let opposite = least(home, |s| s.is_red() != card.suit.is_red());
    let partner = least(home, |s| s.is_red() == card.suit.is_red() && s != card.suit);
    let near = opposite + 2 >= card.rank && partner + 3 >= card.rank;
    near || (!cards_come_back && opposite + 1 >= card.rank)
}

fn settle_freecell(game: &mut freecell::Referee) {
    loop {
        let board = game.board();
        let free = board
            .columns
            .iter()
            .filter_map(|c| c.last())
            .chain(&board.cells);
        let forced = free.copied().find(|card| {
            board.home[card.suit as usize] + 1 == card.rank && harmless(board.home, *card, false)
        });
        let Some(card) = forced else { return };
        let target = Target::Home;
        game.play(Move { card, target })
            .expect("the next of its suit");
    }
}

fn freecell_positions(board: Board, cells: usize, ranks: u8) -> (usize, usize) {
    let canonical = |game: &freecell::Referee| {
        let mut board = game.board().clone();
        board.columns.sort();
        board.cells.sort();
        (board.columns, board.cells, board.home)
    };
    let game = |(columns, cards, home): &(Vec<Vec<Card>>, Vec<Card>, [u8; 4])| {
        let board = Board {
            columns: columns.clone(),
            cells: cards.clone(),
            home: *home,
        };
        freecell::Referee::new(board, cells, ranks)
    };
    let mut start = freecell::Referee::new(board, cells, ranks);
    settle_freecell(&mut start);
    positions(
        canonical(&start),
        |position| {
            let before = game(position);
            let free = position
                .0
                .iter()
                .filter_map(|c| c.last())
                .chain(&position.1);
            let mut children = Vec::new();
            for card in free {
                let hosts = position.0.iter().filter_map(|c| c.last());
                let mut targets = vec![Target::Home, Target::Cell, Target::EmptyColumn];
                targets.extend(hosts.map(|host| Target::Card(*host)));
                for target in targets {
                    let mut after = before.clone();
                    if after
                        .play(Move {
                            card: *card,
                            target,
                        })
                        .is_ok()
                    {
                        settle_freecell(&mut after);
                        children.push(canonical(&after));
                    }
                }
            }
            children
        },
        |position| position.2 == [ranks; 4],
    )
}

/// A game that is won goes on to one more state, by `done`.
fn expected((count, won): (usize, usize)) -> usize {
    count + won
}

#[test]
fn freecell() {
    for (deal, ranks, columns, cells) in [(1, 3, 3, 1), (2, 4, 4, 1), (3, 4, 3, 2), (5, 4, 4, 0)] {
        let pack = microsoft::deal(deal, u8::try_from(ranks).expect("few")).expect("in range");
        let board = Board {
            columns: rounds(&pack, usize::try_from(columns).expect("few")),
            ..Board::default()
        };
        let found = freecell_positions(
            board,
            usize::try_from(cells).expect("few"),
            pack.len() as u8 / 4,
        );
        let pairs = [
            ("DEAL", deal),
            ("RANKS", ranks),
            ("COLUMNS", columns),
            ("CELLS", cells),
        ];
        assert_eq!(
            states("freecell.csp", "Game", &defines(&pairs)),
            expected(found),
            "{pairs:?}"
        );
    }
}

#[test]
fn king_albert() {
    for (deal, ranks, columns) in [(1u64, 3u64, 3usize), (2, 4, 4), (3, 4, 5)] {
        let pack = park_miller::deal(deal, u8::try_from(ranks).expect("few"));
        let (dealt, held) = triangle(&pack, columns);
        let board = Board {
            columns: dealt,
            cells: held,
            home: [0; 4],
        };
        let found = freecell_positions(board, 0, u8::try_from(ranks).expect("few"));
        let pairs = [
            ("DEAL", deal),
            ("RANKS", ranks),
            ("COLUMNS", columns as u64),
        ];
        assert_eq!(
            states("king-albert.csp", "Game", &defines(&pairs)),
            expected(found),
            "{pairs:?}"
        );
    }
}

fn settle_klondike(game: &mut klondike::Referee, from_waste: bool) {
    loop {
        let home = game.home();
        let waste = game.waste().filter(|_| from_waste);
        let forced = game
            .last_cards()
            .chain(waste)
            .find(|card| home[card.suit as usize] + 1 == card.rank && harmless(home, *card, true));
        let Some(card) = forced else { return };
        game.play(klondike::Move::Home(card))
            .expect("the next of its suit");
    }
}

#[test]
fn klondike() {
    let cases = [
        (1u64, 3u64, 3usize, 1usize, 0usize),
        (2, 3, 3, 3, 0),
        (3, 3, 2, 1, 2),
        (4, 3, 4, 3, 2),
        (5, 4, 4, 1, 0),
    ];
    for (deal, ranks, columns, draw, passes) in cases {
        let ranks_of_pack = u8::try_from(ranks).expect("few");
        let (dealt, stock) = triangle(&park_miller::deal(deal, ranks_of_pack), columns);
        let rules = klondike::Rules {
            ranks: ranks_of_pack,
            draw,
            passes,
        };
        let from_waste = draw == 1 && passes == 0;
        let mut start = klondike::Referee::new(dealt, stock, rules);
        settle_klondike(&mut start, from_waste);
        let found = positions(
            start.canonical().unscored(),
            |position| {
                let child = |m: klondike::Move| {
                    let mut after = position.clone();
                    after.play(m).expect("legal moves are legal");
                    settle_klondike(&mut after, from_waste);
                    after.canonical().unscored()
                };
                position.moves().into_iter().map(child).collect()
            },
            klondike::Referee::is_won,
        );
        let pairs = [
            ("DEAL", deal),
            ("RANKS", ranks),
            ("COLUMNS", columns as u64),
            ("DRAW", draw as u64),
            ("PASSES", passes as u64),
        ];
        assert_eq!(
            states("klondike.csp", "Game", &defines(&pairs)),
            expected(found),
            "{pairs:?}"
        );
    }
}

#[test]
fn montana() {
    for (deal, ranks, fixed) in [
        (1u64, 3u64, false),
        (2, 4, false),
        (3, 4, true),
        (4, 5, true),
    ] {
        let pack = park_miller::deal(deal, u8::try_from(ranks).expect("few"));
        let places: Vec<_> = pack
            .into_iter()
            .map(|c| Some(c).filter(|c| c.rank > 1))
            .collect();
        let ranks_of_pack = u8::try_from(ranks).expect("few");
        let start = montana::Referee::new(&places, ranks_of_pack, fixed).expect("four rows");
        let found = positions(
            start,
            |position| {
                let child = |(card, row, column)| {
                    let mut after = position.clone();
                    after
                        .play(card, row, column)
                        .expect("legal moves are legal");
                    after
                };
                position.moves().into_iter().map(child).collect()
            },
            montana::Referee::is_won,
        );
        let mut pairs = defines(&[("DEAL", deal), ("RANKS", ranks)]);
        pairs.push(format!("FIXED_SUITS={fixed}"));
        // No place remembers how the game was won.
        let found = (found.0, found.1.min(1));
        assert_eq!(
            states("montana.csp", "Layout", &pairs),
            expected(found),
            "{pairs:?}"
        );
    }
}

#[test]
fn klondike_scores() {
    for (deal, ranks, columns, passes) in [(1u64, 2u8, 2usize, 2usize), (2, 2, 3, 3), (4, 3, 4, 1)]
    {
        let (dealt, stock) = triangle(&park_miller::deal(deal, ranks), columns);
        let rules = klondike::Rules {
            ranks,
            draw: 1,
            passes,
        };
        let start = klondike::Referee::new(dealt, stock, rules).canonical();
        let scores = std::cell::RefCell::new(BTreeSet::from([0]));
        positions(
            start,
            |position| {
                scores.borrow_mut().insert(position.score());
                let child = |m: klondike::Move| {
                    let mut after = position.clone();
                    after.play(m).expect("legal moves are legal");
                    after.canonical()
                };
                position.moves().into_iter().map(child).collect()
            },
            klondike::Referee::is_won,
        );
        let pairs = defines(&[
            ("DEAL", deal),
            ("RANKS", u64::from(ranks)),
            ("COLUMNS", columns as u64),
            ("PASSES", passes as u64),
        ]);
        assert_eq!(announced(&pairs), scores.into_inner(), "{pairs:?}");
    }
}

/// The scores that the model announces, each in a counterexample of its own.
fn announced(defines: &[String]) -> BTreeSet<i32> {
    on_deep_stack(|| {
        let file = format!(
            "{}/../models/klondike-score.csp",
            env!("CARGO_MANIFEST_DIR")
        );
        let mut script = Script::load(&file, defines).expect("readable");
        let settings = CheckSettings {
            counterexamples: 1000,
            ..CheckSettings::default()
        };
        let (report, _) = script.check(0, &settings, &NoObserver);
        let last = report
            .counterexamples
            .iter()
            .map(|c| c.trace.last().expect("a score"));
        let score = |event: &String| event.strip_prefix("score.").and_then(|n| n.parse().ok());
        last.map(|event| score(event).expect("a number")).collect()
    })
}
