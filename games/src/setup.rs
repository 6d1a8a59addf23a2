//! Starts of games as text, for every game of cards: what `csp deal` prints, boards of fc-solve and
//! `PySol`, Solvitaire's JSON, and the digits of Klondike-Solver.
//!
//! A start has every card exactly once. Games other than FreeCell start from a deal: nothing is home yet
//! and only the last card of a column of Klondike is face up.

use crate::board::Board;
use crate::card::{Card, Suit, new_pack};
use crate::referee::Game;
use crate::table::{Pile, PileKind, Position};

/// A position to start from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// Columns, deepest card first.
    pub columns: Vec<Vec<Card>>,
    /// Cards in cells, or the reserve.
    pub held: Vec<Card>,
    /// The stock, the card that is drawn first at the front.
    pub stock: Vec<Card>,
    /// The card in the hole of Golf.
    pub hole: Option<Card>,
    /// The highest rank at home, for each suit.
    pub home: [u8; 4],
    /// The places of Montana, row by row.
    pub places: Vec<Option<Card>>,
}

impl Setup {
    /// Reads the start of a game; the error is a sentence.
    pub fn parse(game: Game, text: &str, ranks: u8) -> Result<Self, String> {
        let trimmed = text.trim();
        let digits = trimmed.chars().filter(|c| !c.is_whitespace());
        let setup = if trimmed.starts_with('{') {
            json(trimmed)?
        } else if trimmed.len() >= 100 && digits.clone().all(|c| c.is_ascii_digit()) {
            klondike_solver(&digits.collect::<String>())?
        } else if game == Game::Montana {
            montana(trimmed, ranks)?
        } else {
            lines(trimmed)?
        };
        setup.complete(game, ranks)?;
        Ok(setup)
    }

    /// What lies on the table at the start of a game.
    #[must_use]
    pub fn of_position(position: &Position) -> Self {
        let mut setup = Self::default();
        let cards =
            |pile: &Pile| -> Vec<Card> { pile.places.iter().filter_map(|p| p.card).collect() };
        for pile in position.piles() {
            match pile.kind {
                PileKind::Column => setup.columns.push(cards(pile)),
                PileKind::Cell | PileKind::Reserve => setup.held.extend(cards(pile)),
                PileKind::Foundation if pile.suit.is_none() => setup.hole = pile.top(),
                PileKind::Foundation => {
                    if let Some(suit) = pile.suit {
                        setup.home[suit as usize] =
                            u8::try_from(pile.places.len()).expect("at most 13 cards");
                    }
                }
                PileKind::Stock => setup.stock = cards(pile).into_iter().rev().collect(),
                PileKind::Waste => {}
                PileKind::Row => setup.places.extend(pile.places.iter().map(|p| p.card)),
            }
        }
        setup
    }

    /// Every card exactly once, and only in places that the game has.
    fn complete(&self, game: Game, ranks: u8) -> Result<(), String> {
        if game != Game::FreeCell && self.home != [0; 4] {
            return Err(format!("a deal of {} has no cards at home", game.name()));
        }
        if !self.stock.is_empty() && !matches!(game, Game::Klondike | Game::Golf) {
            return Err(format!("{} has no stock", game.name()));
        }
        if !self.held.is_empty() && game == Game::Klondike {
            return Err("klondike has no cells and no reserve".to_owned());
        }
        if self.columns.iter().any(Vec::is_empty) && game == Game::Klondike {
            return Err("no column of klondike is empty at the start".to_owned());
        }
        if self.hole.is_some() != (game == Game::Golf) {
            return Err(match self.hole {
                Some(_) => format!("{} has no hole", game.name()),
                None => "a card starts the hole of golf".to_owned(),
            });
        }
        if game == Game::Golf
            && self
                .columns
                .iter()
                .any(|c| c.len() != self.columns[0].len())
        {
            return Err("the columns of golf have the same number of cards".to_owned());
        }
        let dealt: usize = self.columns.iter().map(Vec::len).sum();
        let triangle = self.columns.len() * (self.columns.len() + 1) / 2;
        if game == Game::Klondike && dealt != triangle {
            let columns = self.columns.len();
            return Err(format!(
                "{columns} columns of klondike are dealt {triangle} cards, not {dealt}"
            ));
        }
        let home = Suit::ALL.into_iter().zip(self.home);
        let mut seen: Vec<Card> = home
            .flat_map(|(suit, n)| (1..=n).map(move |rank| Card::new(rank, suit)))
            .collect();
        seen.extend(self.columns.iter().flatten());
        seen.extend(&self.held);
        seen.extend(&self.stock);
        seen.extend(self.hole);
        seen.extend(self.places.iter().flatten());
        seen.sort_unstable();
        if let Some(pair) = seen.windows(2).find(|w| w[0] == w[1]) {
            return Err(format!("{} is there twice", pair[0]));
        }
        if let Some(card) = seen.iter().find(|c| c.rank > ranks) {
            return Err(format!("{card} is not in a pack of {ranks} ranks"));
        }
        let wanted = |card: &&Card| game != Game::Montana || card.rank > 1;
        let missing: Vec<String> = new_pack(ranks)
            .iter()
            .filter(wanted)
            .filter(|c| !seen.contains(c))
            .map(Card::to_string)
            .collect();
        if missing.is_empty() {
            Ok(())
        } else {
            Err(format!("missing: {}", missing.join(" ")))
        }
    }

    /// The definitions by which the bundled model of a game starts from here.
    #[must_use]
    pub fn definitions(&self, game: Game) -> Vec<String> {
        let list = |cards: &[Card]| {
            let cards: Vec<String> = cards.iter().map(|c| c.in_model()).collect();
            cards.join(", ")
        };
        let columns: Vec<String> = self
            .columns
            .iter()
            .map(|c| format!("<{}>", list(c)))
            .collect();
        let board = format!("BOARD=<{}>", columns.join(", "));
        let count = format!("COLUMNS={}", self.columns.len());
        match game {
            Game::FreeCell => {
                let home = self.home.map(|n| n.to_string());
                let mut defines = vec![
                    board,
                    format!("IN_CELLS={{{}}}", list(&self.held)),
                    format!("AT_HOME=<{}>", home.join(", ")),
                ];
                // Columns that are not written are empty, up to the usual eight.
                if self.columns.len() > 8 {
                    defines.push(count);
                }
                defines
            }
            Game::Golf => vec![
                board,
                format!("STOCK=<{}>", list(&self.stock)),
                format!("START=<{}>", list(&Vec::from_iter(self.hole))),
                format!("DEPTH={}", self.columns.first().map_or(0, Vec::len)),
                count,
            ],
            Game::KingAlbert => vec![board, format!("RESERVE=<{}>", list(&self.held)), count],
            Game::Klondike => vec![board, format!("STOCK=<{}>", list(&self.stock)), count],
            Game::Montana => {
                let places = self.places.iter().map(|place| match place {
                    Some(card) => format!("Holds.{}", card.in_model()),
                    None => "Gap".to_owned(),
                });
                let places: Vec<String> = places.collect();
                vec![format!("BOARD=<{}>", places.join(", "))]
            }
            Game::Peg | Game::Sudoku => Vec::new(),
        }
    }
}

fn card(word: &str) -> Result<Card, String> {
    // PySol writes face-down cards as <9S>, Klondike-Solver's listing as -9S.
    let bare = word.trim_start_matches(['<', '-']).trim_end_matches('>');
    Card::parse(bare).ok_or_else(|| format!("'{word}' is not a card"))
}

fn cards(text: &str) -> Result<Vec<Card>, String> {
    let words = text.split_whitespace().filter(|word| *word != "-");
    words.map(card).collect()
}

/// One line for each column, and lines with a name for the rest.
fn lines(text: &str) -> Result<Setup, String> {
    let mut setup = Setup::default();
    for (i, line) in text.lines().enumerate() {
        let line = line.trim();
        let failed = |why: String| format!("line {}: {why}", i + 1);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let Some((key, rest)) = line.split_once(':') else {
            setup.columns.push(cards(line).map_err(failed)?);
            continue;
        };
        match key.trim().to_ascii_lowercase().as_str() {
            "" => setup.columns.push(cards(rest).map_err(failed)?),
            "foundations" | "founds" => {
                let board = Board::foundations(rest).map_err(failed)?;
                setup.home = board;
            }
            "freecells" | "fc" | "reserve" => setup.held = cards(rest).map_err(failed)?,
            // How many cards lie there may be said, too.
            "hole" => {
                let first = rest.split_whitespace().next().unwrap_or_default();
                setup.hole = Some(card(first).map_err(failed)?);
            }
            "talon" | "stock" => setup.stock = cards(rest).map_err(failed)?,
            "waste" if rest.trim().is_empty() => {}
            "waste" => return Err(failed("a deal has no cards on the waste".to_owned())),
            other => return Err(failed(format!("'{other}:' is not a part of a board"))),
        }
    }
    Ok(setup)
}

fn montana(text: &str, ranks: u8) -> Result<Setup, String> {
    let rows = text
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty() && !l.starts_with('#'));
    let mut places = Vec::new();
    for (i, row) in rows.enumerate() {
        let before = places.len();
        for word in row.split_whitespace() {
            let gap = word.chars().all(|c| c == '-' || c == '.');
            let held = if gap { None } else { Some(card(word)?) };
            // Aces are taken out: their places are gaps.
            places.push(held.filter(|c| c.rank > 1));
        }
        if places.len() - before != usize::from(ranks) {
            let found = places.len() - before;
            return Err(format!("row {} has {found} places, not {ranks}", i + 1));
        }
    }
    if places.len() != 4 * usize::from(ranks) {
        return Err("the layout has not four rows".to_owned());
    }
    Ok(Setup {
        places,
        ..Setup::default()
    })
}

/// Three digits for each card: rank 01 to 13, suit 1 to 4 for clubs, diamonds, hearts and spades. The
/// columns are dealt row by row, and the rest is drawn in this order.
fn klondike_solver(digits: &str) -> Result<Setup, String> {
    if digits.len() != 156 {
        return Err(format!("the string has {} digits, not 156", digits.len()));
    }
    let mut deck = Vec::new();
    for at in (0..digits.len()).step_by(3) {
        let (rank, suit) = digits[at..at + 3].split_at(2);
        let suit = suit
            .parse::<usize>()
            .ok()
            .and_then(|s| Suit::ALL.get(s.checked_sub(1)?));
        let rank = rank.parse::<u8>().ok().filter(|r| (1..=13).contains(r));
        match (rank, suit) {
            (Some(rank), Some(suit)) => deck.push(Card::new(rank, *suit)),
            _ => return Err(format!("'{}' is not a card", &digits[at..at + 3])),
        }
    }
    let mut deck = deck.into_iter();
    let mut columns = vec![Vec::new(); 7];
    for row in 0..7 {
        for column in columns.iter_mut().skip(row) {
            column.extend(deck.next());
        }
    }
    Ok(Setup {
        columns,
        stock: deck.collect(),
        ..Setup::default()
    })
}

/// Solvitaire's JSON: `tableau piles`, `stock` and `reserve`, lists of cards, bottom card first.
fn json(text: &str) -> Result<Setup, String> {
    let mut setup = Setup::default();
    for (key, lists) in sections(text)? {
        let piles: Result<Vec<Vec<Card>>, String> = lists
            .iter()
            .map(|list| list.iter().map(|word| card(word)).collect())
            .collect();
        let piles = piles?;
        match key.as_str() {
            "tableau piles" => setup.columns = piles,
            "stock" => setup.stock = piles.concat().into_iter().rev().collect(),
            "reserve" | "cells" => setup.held = piles.concat(),
            "foundations" | "waste" if piles.concat().is_empty() => {}
            other => return Err(format!("'{other}' is not read in a deal")),
        }
    }
    Ok(setup)
}

type Section = (String, Vec<Vec<String>>);

/// The lists of strings under each key of an object; a list of lists, or one list.
fn sections(text: &str) -> Result<Vec<Section>, String> {
    let mut sections: Vec<Section> = Vec::new();
    let (mut depth, mut rest) = (0_usize, text);
    while let Some(at) = rest.find(['"', '[', ']']) {
        let sign = rest.as_bytes()[at];
        rest = &rest[at + 1..];
        match sign {
            b'[' => {
                depth += 1;
                if let Some((_, lists)) = sections.last_mut() {
                    lists.push(Vec::new());
                }
            }
            b']' => {
                depth = depth
                    .checked_sub(1)
                    .ok_or("a list ends that did not begin")?
            }
            _ => {
                let end = rest.find('"').ok_or("a string has no end")?;
                let word = rest[..end].to_owned();
                rest = &rest[end + 1..];
                match (depth, sections.last_mut()) {
                    (0, _) => sections.push((word, Vec::new())),
                    (_, Some((_, lists))) => {
                        lists.last_mut().ok_or("a card is in no list")?.push(word);
                    }
                    (_, None) => return Err("a card is under no name".to_owned()),
                }
            }
        }
    }
    // The outer list of a list of lists holds nothing itself.
    for (_, lists) in &mut sections {
        if lists.len() > 1 && lists[0].is_empty() {
            lists.remove(0);
        }
    }
    Ok(sections)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::layout::{Numbering, start};

    #[test]
    fn a_board_of_golf_has_a_hole() {
        let text = "Hole: AC (1 cards)\nTalon: 2C\n: AD 2D AH\n: 2H AS 2S\n";
        let setup = Setup::parse(Game::Golf, text, 2).expect("a board");
        assert_eq!(setup.definitions(Game::Golf)[2], "START=<card.Clubs.1>");
        let wrong = |text: &str| Setup::parse(Game::Golf, text, 2).expect_err("wrong");
        assert_eq!(wrong("Talon: 2C\n"), "a card starts the hole of golf");
        assert_eq!(
            wrong("Hole: AC\n: AD 2D\n: AS\n"),
            "the columns of golf have the same number of cards"
        );
    }

    #[test]
    fn what_is_drawn_is_read_again() {
        for (game, numbering) in [
            (Game::FreeCell, Numbering::Microsoft),
            (Game::KingAlbert, Numbering::Ours),
            (Game::Klondike, Numbering::Ours),
            (Game::Montana, Numbering::Ours),
        ] {
            let referee = start(game, numbering, 7).expect("a deal");
            let setup = Setup::of_position(&referee.position());
            let drawn = Setup::parse(game, &referee.draw(), 13);
            assert_eq!(drawn.as_ref(), Ok(&setup), "{}", game.name());
        }
    }

    #[test]
    fn solvers_strings_and_json_are_read() {
        let referee = start(Game::Klondike, Numbering::Ours, 3).expect("a deal");
        let setup = Setup::of_position(&referee.position());
        let mut order = Vec::new();
        for row in 0..7 {
            order.extend(setup.columns[row..].iter().map(|column| column[row]));
        }
        order.extend(&setup.stock);
        let digits: String = order
            .iter()
            .map(|c| format!("{:02}{}", c.rank, c.suit as usize + 1))
            .collect();
        assert_eq!(
            Setup::parse(Game::Klondike, &digits, 13).as_ref(),
            Ok(&setup)
        );
        let short = Setup::parse(Game::Klondike, &digits[..153], 13);
        assert_eq!(short, Err("the string has 153 digits, not 156".to_owned()));
        let list = |cards: &[Card]| {
            let words: Vec<String> = cards.iter().map(|c| format!("\"{c}\"")).collect();
            format!("[{}]", words.join(", "))
        };
        let piles: Vec<String> = setup.columns.iter().map(|c| list(c)).collect();
        let stock: Vec<Card> = setup.stock.iter().rev().copied().collect();
        let json = format!(
            "{{\"tableau piles\": [{}], \"stock\": {}}}",
            piles.join(", "),
            list(&stock)
        );
        assert_eq!(Setup::parse(Game::Klondike, &json, 13), Ok(setup));
    }

    #[test]
    fn illegal_starts_are_refused_with_a_sentence() {
        let text = "KS\n: 2C AC\nTalon: AS";
        let wrong = |text: &str| Setup::parse(Game::Klondike, text, 2).expect_err("wrong");
        assert_eq!(wrong(text), "KS is not in a pack of 2 ranks");
        assert_eq!(wrong("2S\n2S AC"), "2S is there twice");
        assert_eq!(
            wrong("2S AC\n2D AD"),
            "2 columns of klondike are dealt 3 cards, not 4"
        );
        assert_eq!(
            wrong("Waste: 2S"),
            "line 1: a deal has no cards on the waste"
        );
        assert_eq!(
            wrong("Foundations: C-A"),
            "a deal of klondike has no cards at home"
        );
        assert!(wrong("2S").starts_with("missing: AC"));
    }
}
