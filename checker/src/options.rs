//! What a check may use, and who is told how it goes.

use std::time::Duration;

use csp_lts::EventId;

/// Limits and choices of one check. None of them changes a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Worker threads; at least 1.
    pub threads: usize,
    /// Stop as inconclusive when this many states are stored.
    pub max_states: Option<u64>,
    /// Stop as inconclusive after this long.
    pub timeout: Option<Duration>,
    /// Stop as inconclusive before taking more bytes than this.
    pub memory: Option<u64>,
    /// How many distinct counterexamples to look for.
    pub counterexamples: usize,
    /// Keep states in this store where they fit it, from the first ply on; by size if nothing is said.
    pub store: Option<Store>,
    /// The books' reading of termination: ✓ is a signal, a terminated process is not deadlocked. (How
    /// parallel processes terminate is settled when networks are made.)
    pub textbook_termination: bool,
    /// What may be left out of searches. It changes what is counted, and which counterexample is found.
    pub reductions: Reductions,
    /// Exchanges of values that are declared to change nothing. Each is checked on the network, and then used
    /// as `reductions.symmetry` uses those that it finds.
    pub exchanges: Vec<Exchange>,
}

impl Options {
    /// Whether states that are alike are stored once.
    #[must_use]
    pub fn uses_symmetry(&self) -> bool {
        self.reductions.symmetry || !self.exchanges.is_empty()
    }
}

/// An exchange of two values of a type, by what it does to events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// What is exchanged, for messages.
    pub what: String,
    /// The events that it moves and where they go, ascending.
    pub events: Vec<(EventId, EventId)>,
}

impl Exchange {
    /// Where an event goes.
    pub(crate) fn image(&self, event: EventId) -> EventId {
        let at = self.events.binary_search_by_key(&event, |pair| pair.0);
        at.map_or(event, |at| self.events[at].1)
    }
}

/// What may be left out of a search; see [`crate::reduction`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reductions {
    /// Orders of independent steps.
    pub partial_order: bool,
    /// All but one of the states that symmetries map to one another.
    pub symmetry: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            threads: 1,
            max_states: None,
            timeout: None,
            memory: None,
            counterexamples: 1,
            store: None,
            textbook_termination: false,
            reductions: Reductions::default(),
            exchanges: Vec::new(),
        }
    }
}

/// The stores of the engine. All are exact; they differ in the memory that a state takes. Measured with
/// 8 million states of peg solitaire, 1.5 million of eight philosophers, and 112 million of FreeCell:
///
/// | store | for | bytes per state: pegs | philosophers | FreeCell |
/// |---|---|---|---|---|
/// | seed | the first 65,536 states of every search | | | |
/// | bitmap | states that a linear code numbers with few bits | 11.9 | 10.4 | |
/// | compact | states whose bits, names or ranks are few: some are told by the place in the table | 9.7 | | |
/// | words | states of one word, and of two if their ranks fit one | 19.3 | 10.6 | |
/// | tree | states of several words, which share their parts | 24.1 | 11.4 | 15.7 |
///
/// Tables grow part by part, so there is less slack in large ones: all 187,636,299 states of peg
/// solitaire take 4.4 bytes each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Store {
    /// A bit for each name.
    Bitmap,
    /// A table of 32-bit entries.
    Compact,
    /// A table of 64-bit entries.
    Words,
    /// A table of pairs of numbers for the halves of states.
    Tree,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The ply being expanded.
    pub ply: u64,
    /// States stored.
    pub states: u64,
    /// Transitions seen.
    pub transitions: u64,
    /// States of the ply being expanded.
    pub frontier: u64,
    /// Bytes taken.
    pub memory: u64,
}

/// What a check is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Working out the expressions of the claim.
    Evaluate,
    /// Listing components and composing their rules.
    Compile,
    /// Removing what never matters from a network.
    Reduce,
    /// Exploring a specification and bringing it to normal form.
    Normalise,
    /// Exploring the states of the claim.
    Search,
    /// Replaying what was found, and putting it into words.
    Explain,
}

/// A ply that has been expanded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ply {
    /// Its number; 0 begins another search.
    pub number: u64,
    /// States of the ply.
    pub size: u64,
    /// States stored, without its children.
    pub states: u64,
    /// Transitions seen.
    pub transitions: u64,
}

/// How far a compression that the script asks for has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compressing {
    /// It begins.
    Begins,
    /// It has ended.
    Ends {
        /// States before.
        before: usize,
        /// States after.
        after: usize,
    },
    /// It was done before, and came to this.
    Kept {
        /// States before.
        before: usize,
        /// States after.
        after: usize,
    },
}

/// Watches a check. Progress is told at most about ten times a second.
pub trait Observer: Sync {
    /// Told how far it has come.
    fn progress(&self, progress: &Progress);

    /// Told what begins now, and of which process.
    fn phase(&self, _phase: Phase, _of: &str) {}

    /// Told that a ply has been expanded.
    fn ply(&self, _ply: &Ply) {}

    /// Told about a compression: the function and the process it is applied to.
    fn compression(&self, _function: &str, _process: &str, _now: Compressing) {}

    /// Asked whether to stop.
    fn interrupted(&self) -> bool;
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    fn progress(&self, _: &Progress) {}

    fn interrupted(&self) -> bool {
        false
    }
}
