//! What a check may use and which assertions it is about.

use std::time::Duration;

use csp_checker::{Options, Reductions, Store};
use csp_compiler::assemble::{LEAF_STATES, LeafCompression};
use csp_compiler::operators::Termination;

use crate::memory;

/// How processes are listed: how they are reduced, how many states they may have, and how the members
/// of a parallel composition terminate.
pub(crate) type Leaves = (LeafCompression, usize, Termination);

/// What a check may use and which assertions it is about.
#[derive(Clone, Debug)]
pub struct CheckSettings {
    /// Worker threads.
    pub threads: usize,
    /// States after which to give up.
    pub max_states: Option<u64>,
    /// Seconds after which to give up.
    pub timeout: Option<f64>,
    /// Bytes that may be taken; what the machine has free if nothing is said.
    pub memory: Option<u64>,
    /// How many distinct counterexamples to look for.
    pub counterexamples: usize,
    /// The store to use where states fit it; by size if nothing is said.
    pub store: Option<Store>,
    /// The books' reading of termination: ✓ is a signal, members of a parallel composition terminate
    /// apart by a τ each, and termination is no deadlock.
    pub textbook_termination: bool,
    /// What may be left out of searches.
    pub reductions: Reductions,
    /// How components are reduced.
    pub leaf_compression: LeafCompression,
    /// How many states a sequential process may have.
    pub max_leaf_states: usize,
    /// Whether compressed parts of counterexamples are opened.
    pub open_compressed: bool,
    /// Numbers or parts of the text of assertions; all if empty.
    pub select: Vec<String>,
}

impl Default for CheckSettings {
    /// Every assertion on one thread, without limits but what the machine has free.
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
            leaf_compression: LeafCompression::Sbisim,
            max_leaf_states: LEAF_STATES,
            open_compressed: false,
            select: Vec::new(),
        }
    }
}

impl CheckSettings {
    pub(crate) fn leaves(&self) -> Leaves {
        let termination = if self.textbook_termination {
            Termination::Apart
        } else {
            Termination::Together
        };
        (self.leaf_compression, self.max_leaf_states, termination)
    }

    pub(crate) fn options(&self) -> Options {
        Options {
            threads: self.threads,
            max_states: self.max_states,
            timeout: self
                .timeout
                .map(|s| Duration::try_from_secs_f64(s).unwrap_or_default()),
            memory: self.memory.or_else(memory::available),
            counterexamples: self.counterexamples,
            store: self.store,
            textbook_termination: self.textbook_termination,
            reductions: self.reductions,
            exchanges: Vec::new(),
        }
    }
}
