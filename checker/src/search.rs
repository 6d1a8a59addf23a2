//! Breadth-first search of a network against a judge.
//!
//! States of a ply are expanded in any order on any number of threads; what is found does not
//! depend on it. A ply in which something is found is finished before the search stops.

use csp_lts::Network;

use crate::judge::{Judge, Node};
use crate::options::{Observer, Options};
use crate::outcome::{Limit, Statistics, Step};

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Violations with a shortest way to each, ordered; distinct in their last event (or, for
    /// states, in what is offered); at most [`Options::counterexamples`].
    pub violations: Vec<Violation>,
    /// Set if the search ended before it was complete.
    pub limit: Option<Limit>,
    /// What was covered.
    pub statistics: Statistics,
}

/// One way to violate the property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// From the initial state; for [`Fault::Event`] the last step is the event at fault.
    pub steps: Vec<Step>,
    /// The node at the state at fault (for an event: before it).
    pub node: Node,
    /// What is at fault.
    pub fault: Fault,
}

/// What is at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The last step.
    Event,
    /// The state that the steps lead to.
    State,
    /// That state diverges: a τ cycle that can be reached by τ (the way to it is part of the steps).
    Divergence {
        /// The cycle.
        cycle: Vec<Step>,
    },
}

/// Searches the network.
pub fn search<J: Judge>(
    network: &Network,
    judge: &J,
    options: &Options,
    observer: &dyn Observer,
) -> Found {
    let _ = observer;
    crate::reference::explore(network, judge, options)
}

/// Says that a chase has no end.
pub(crate) fn chase_never_ends(name: &str) -> String {
    format!("chasing {name} never ends: it can do τ for ever")
}
