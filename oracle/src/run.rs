//! Runs over numbered seeds, on any number of threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use csp_checker::Reductions;

use crate::trial::reducible::is_reducible;
use csp_compiler::assemble::LeafCompression;

use crate::generate::dress::Dress;
use crate::generate::{Case, alike, networks, priorities, systems, terms, timed};
use crate::trial::compare::{Compared, Skipped, compare};
use crate::trial::product::Setup;
use crate::trial::shrink::shrink;
use crate::trial::tally::{GIVEN_UP, Tally};

/// Where random programs come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Closed terms over all operators.
    Terms,
    /// Pairs of explicit transition systems.
    Systems,
    /// Networks of components.
    Networks,
    /// Terms and networks with priorities.
    Priorities,
    /// Terms in Timed sections.
    Timed,
    /// Networks of several components that are alike, or that hardly meet.
    Alike,
}

impl Source {
    /// Those that a run without reductions takes by turns.
    pub const ALL: [Self; 5] = [
        Self::Terms,
        Self::Systems,
        Self::Networks,
        Self::Priorities,
        Self::Timed,
    ];

    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Terms => "terms",
            Self::Systems => "systems",
            Self::Networks => "networks",
            Self::Priorities => "priorities",
            Self::Timed => "timed",
            Self::Alike => "alike",
        }
    }

    /// The program of a seed.
    #[must_use]
    pub fn case(self, seed: u64) -> Case {
        match self {
            Self::Terms => terms::case(seed, 0),
            Self::Systems => systems::case(seed),
            Self::Networks => networks::case(seed, 0),
            Self::Priorities => priorities::case(seed),
            Self::Timed => timed::case(seed),
            Self::Alike => alike::case(seed),
        }
    }
}

/// How the product is set up for a seed: mostly as users have it, sometimes otherwise.
#[must_use]
pub fn setup(source: Source, seed: u64) -> Setup {
    let usual = Setup::default();
    if source == Source::Systems {
        return usual;
    }
    // Every fourth program is read as in the books, in each of the ways below.
    let usual = Setup {
        textbook: seed / 8 % 4 == 3,
        ..usual
    };
    match seed % 8 {
        1 | 2 => Setup {
            small_leaf: Some(0),
            ..usual
        },
        3 => Setup {
            small_leaf: Some(0),
            leaves: LeafCompression::Sbisim,
            ..usual
        },
        4 => Setup {
            leaves: LeafCompression::Wbisim,
            ..usual
        },
        5 => Setup {
            small_leaf: Some(0),
            leaves: LeafCompression::Wbisim,
            ..usual
        },
        6 => Setup {
            reduced: false,
            ..usual
        },
        7 => Setup {
            counterexamples: 3,
            ..usual
        },
        _ => usual,
    }
}

/// What is compared, and what is done about disagreements.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// The first seed.
    pub first_seed: u64,
    /// How many claims are tried, at least.
    pub checks: u64,
    /// On how many threads.
    pub threads: usize,
    /// Programs of one source alone, or of all by turns.
    pub only: Option<Source>,
    /// Disagreements after which it stops looking for more.
    pub enough: usize,
    /// Whether a script with a disagreement is cut down.
    pub shrunk: bool,
    /// What may be left out of searches; if anything, every second program is one of alike components.
    pub reductions: Reductions,
}

impl Default for Run {
    fn default() -> Self {
        Self {
            first_seed: 0,
            checks: 100_000,
            threads: 1,
            only: None,
            enough: 5,
            shrunk: true,
            reductions: Reductions::default(),
        }
    }
}

impl Run {
    /// Compares the claims of all seeds from the first on until enough have been tried; what was found,
    /// and the seed that would have been next.
    #[must_use]
    pub fn run(&self) -> (Tally, u64) {
        let next = AtomicU64::new(self.first_seed);
        let tried = AtomicU64::new(0);
        let all = Mutex::new(Tally::default());
        let work = || {
            while tried.load(Ordering::Relaxed) < self.checks {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                let tally = self.one(seed);
                tried.fetch_add(tally.checks(), Ordering::Relaxed);
                let mut all = all.lock().expect("no thread panics while it counts");
                all.add(tally);
                if all.disagreements.len() >= self.enough {
                    break;
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.threads {
                std::thread::Builder::new()
                    .stack_size(64 << 20)
                    .spawn_scoped(scope, work)
                    .expect("a thread can be made");
            }
        });
        let tally = all.into_inner().expect("no thread panics while it counts");
        (tally, next.into_inner())
    }

    /// Compares the claims of one seed.
    #[must_use]
    pub fn one(&self, seed: u64) -> Tally {
        let sources = u64::try_from(Source::ALL.len()).expect("a small number");
        let turn = usize::try_from(seed % sources).expect("a small number");
        let reduces = self.reductions != Reductions::default();
        let (source, seed_of_source) = match self.only {
            Some(source) => (source, seed),
            None if reduces && seed % 2 == 1 => (Source::Alike, seed / 2),
            None => (Source::ALL[turn], seed / sources),
        };
        let mut case = source.case(seed_of_source);
        let mut setup = Setup {
            reductions: self.reductions,
            ..setup(source, seed_of_source)
        };
        if reduces {
            case = case.with_claims(|claim| is_reducible(claim, self.reductions));
            // A leaf by itself has next to nothing to leave out.
            setup.small_leaf = (seed_of_source % 8 > 0).then_some(0).or(setup.small_leaf);
        }
        let mut tally = Tally::default();
        let dress = Dress::of_case(&case, seed_of_source);
        let results = compare(&case, dress, setup);
        for (i, compared) in results.iter().enumerate() {
            tally.count(source.name(), case.claims[i].kind(), compared);
            if let Compared::Disagree(why) = compared
                && tally.disagreements.is_empty()
            {
                let (small, why) = self.smallest(case.only(i), dress, setup, why.clone());
                tally.disagreements.push(format!(
                    "-- seed {seed} ({}), {setup:?}\n-- {why}\n{}",
                    source.name(),
                    dress.dress(&small.expecting_script())
                ));
            }
        }
        let late = |c: &&Compared| **c == Compared::Skipped(Skipped::GivenUp);
        let late = results.iter().filter(late).count();
        if late > 0 {
            let name = source.name();
            let line = format!("{GIVEN_UP}seed {seed} ({name}), {late} claims");
            tally.given_up.push(line);
        }
        tally
    }

    /// The case with a disagreement cut down, and what is wrong with it then.
    fn smallest(&self, case: Case, dress: Dress, setup: Setup, why: String) -> (Case, String) {
        if !self.shrunk {
            return (case, why);
        }
        let small = shrink(&case, dress, setup).without_idle_names();
        match compare(&small, dress, setup).into_iter().next() {
            Some(Compared::Disagree(now)) => (small, now),
            _ => (small, why),
        }
    }
}
