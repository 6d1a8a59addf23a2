//! The player of hidden cards: it does not peek, and how good it is beside the best that can be done.

use csp_driver::hidden::{Guess, Hidden, HiddenTable, Stepper, open};
use csp_driver::redeal::{Dealer, Redeal};
use csp_driver::{CancelToken, on_deep_stack};
use csp_lts::EventId;
use csp_player::{
    Effort, End, Line, Method, Random, Settings, Table, View, audit, hint, optimum, play,
};

fn short(name: &str, pairs: &[&str]) -> (Redeal, Hidden) {
    let file = format!("{}/../models/{name}.csp", env!("CARGO_MANIFEST_DIR"));
    let defines: Vec<String> = pairs.iter().map(|p| (*p).to_owned()).collect();
    open(file.as_ref(), &defines, 1, &CancelToken::new()).expect("it hides something")
}

const KLONDIKE: &[&str] = &["RANKS=3", "COLUMNS=4", "DRAW=3"];

fn settings(method: Method) -> Settings {
    Settings {
        method,
        initial_vote_count: 4,
        max_vote_count: 8,
        vote_increase_step: 4,
        run_node_limit: 300,
        runs_per_decision: 24,
        ..Settings::default()
    }
}

/// A player that looks at what is hidden.
struct Peeker<'a, 'n>(HiddenTable<'a, 'n>);

impl View for Peeker<'_, '_> {
    type Move = EventId;
    type Guess = Guess;

    fn guess(&self, _: &mut Random) -> Option<Guess> {
        Some(self.0.truth().clone())
    }

    fn unknown(&self) -> usize {
        self.0.view().unknown()
    }

    fn moves(&self, guess: &Guess) -> Vec<EventId> {
        self.0.view().moves(guess)
    }

    fn after(&self, guess: &Guess, chosen: &EventId) -> Option<(Guess, usize)> {
        self.0.view().after(guess, chosen)
    }

    fn is_won(&self, guess: &Guess) -> bool {
        self.0.view().is_won(guess)
    }

    fn solve(&self, guess: &Guess, effort: Effort) -> Line<EventId> {
        self.0.view().solve(guess, effort)
    }
}

impl Table for Peeker<'_, '_> {
    type View = Self;

    fn view(&self) -> &Self {
        self
    }

    fn play(&mut self, chosen: &EventId) -> bool {
        self.0.play(chosen)
    }

    fn is_won(&self) -> bool {
        Table::is_won(&self.0)
    }

    fn is_lost(&self, effort: Effort) -> bool {
        self.0.is_lost(effort)
    }
}

/// Audits deals; how many were found to differ.
fn audited(peek: bool, method: Method) -> usize {
    on_deep_stack(|| {
        let (redeal, hidden) = short("klondike", KLONDIKE);
        let mut dealer = Dealer::new(&redeal, &CancelToken::new()).expect("it has an opening");
        let stepper = Stepper::new(&redeal);
        let table = |facts: &[String]| {
            HiddenTable::new(&redeal, &hidden, &stepper, facts).expect("it can be dealt")
        };
        let mut random = Random::new(7, &[]);
        let differs = |deal: &i64| {
            let facts = dealer.events(*deal).expect("a deal");
            let mut one = table(&facts);
            let mut other = table(&one.permuted(&mut random).expect("nothing is known yet"));
            let settings = settings(method);
            if peek {
                audit((&mut Peeker(one), &mut Peeker(other)), &settings).is_some()
            } else {
                audit((&mut one, &mut other), &settings).is_some()
            }
        };
        (1..=25).filter(differs).count()
    })
}

#[test]
fn the_player_does_not_peek_and_one_that_does_is_caught() {
    for method in [Method::Vote, Method::Best] {
        assert_eq!(audited(false, method), 0, "{method:?}");
        assert!(audited(true, method) > 0, "{method:?}");
    }
}

/// How many of the deals that look like one of these are won: by voting, by values, by the best
/// strategy there is, and by one who sees everything.
fn won(name: &str, pairs: &[&str], deals: &[i64]) -> [usize; 4] {
    let (redeal, hidden) = short(name, pairs);
    let mut dealer = Dealer::new(&redeal, &CancelToken::new()).expect("it has an opening");
    let stepper = Stepper::new(&redeal);
    let mut sums = [0; 4];
    for deal in deals {
        let facts = dealer.events(*deal).expect("a deal");
        let start = HiddenTable::new(&redeal, &hidden, &stepper, &facts).expect("dealt");
        let guesses = start.view().all_guesses();
        assert_eq!(guesses.len(), start.all_deals().len());
        let seen = |guess: &Guess| format!("{:?}", start.view().seen(guess));
        let optimum = optimum(start.view(), &guesses, &seen, Effort::nodes(100_000));
        sums[2] += optimum.hidden;
        sums[3] += optimum.thoughtful;
        for other in start.all_deals() {
            for (sum, method) in sums.iter_mut().zip([Method::Vote, Method::Best]) {
                let table = HiddenTable::new(&redeal, &hidden, &stepper, &other);
                let mut table = table.expect("dealt");
                let played = play(&mut table, &settings(method), &mut |_| true);
                *sum += usize::from(played.end == End::Won);
            }
        }
    }
    sums
}

#[test]
fn voting_is_no_better_than_ours_than_the_optimum_than_seeing_everything() {
    on_deep_stack(|| {
        let hard = ["RANKS=5", "COLUMNS=3", "DEPTH=5", "WRAP=false"];
        let easy = ["RANKS=4", "COLUMNS=3", "DEPTH=4"];
        let one = won("golf", &hard, &[12]);
        let all = won("golf", &easy, &[1, 2, 3, 4, 5, 6]);
        assert!(one.is_sorted() && all.is_sorted(), "{one:?} {all:?}");
        // Seeing helps in the one, choosing by values in the other.
        assert_eq!(one[2..], [18, 20], "{one:?}");
        assert!(all[0] < all[1], "{all:?}");
    });
}

#[test]
fn hints_are_shares_of_what_looks_alike() {
    on_deep_stack(|| {
        let (redeal, hidden) = short("golf", &["RANKS=4", "COLUMNS=3", "DEPTH=3"]);
        let mut dealer = Dealer::new(&redeal, &CancelToken::new()).expect("it has an opening");
        let stepper = Stepper::new(&redeal);
        let facts = dealer.events(2).expect("a deal");
        let table = HiddenTable::new(&redeal, &hidden, &stepper, &facts).expect("dealt");
        let values = hint(table.view(), &settings(Method::Best));
        assert!(!values.is_empty());
        assert!(
            values
                .iter()
                .all(|(_, share, _)| (0.0..=1.0).contains(share))
        );
    });
}

#[test]
fn models_that_hide_nothing_are_refused() {
    on_deep_stack(|| {
        let file = format!("{}/../models/freecell.csp", env!("CARGO_MANIFEST_DIR"));
        let defines = ["RANKS=2".to_owned(), "COLUMNS=2".to_owned()];
        let why = open(file.as_ref(), &defines, 1, &CancelToken::new()).err();
        assert_eq!(
            why.as_deref(),
            Some("the assertion has no `--@ hidden:` line")
        );
        assert!(Hidden::parse("{}").is_err());
        assert!(Hidden::parse("{(a, b.c, d)}").is_err());
        assert!(Hidden::parse("3").is_err());
    });
}
