//! What a search may leave out without changing its verdict.
//!
//! [`stubborn`] leaves out rules: orders of independent steps that lead to the same end. Which order is
//! kept is a function of the state alone, so nothing depends on threads or on what has been stored.
//! [`symmetry`] stores one of all states that symmetries of the network and the property map to one
//! another. `ARCHITECTURE.md` has the conditions, why they suffice, and where they come from.

mod asymmetry;
mod automorphism;
mod colours;
mod images;
mod interference;
mod proviso;
mod shape;
mod stubborn;
mod symmetry;

use csp_lts::Network;

use crate::claim::{Claim, Model};
use crate::options::{Options, Reductions};

pub(crate) use images::Images;
#[cfg(test)]
pub(crate) use stubborn::{DROPPED, Demand};
pub(crate) use stubborn::{Scratch, Stubborn};
pub(crate) use symmetry::{Representatives, Symmetries};

/// What a reduced search has to keep, as a property asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// The states without transitions.
    Deadlocks,
    /// The states without transitions, and whether τ can go on for ever.
    Divergences,
    /// The traces.
    Traces,
    /// The traces, what stable states offer after them, and whether τ can go on for ever.
    Failures,
}

impl Keeps {
    /// No event is put off for ever.
    pub(crate) fn ignores_none(self) -> bool {
        matches!(self, Self::Traces | Self::Failures)
    }
}

/// Says why a claim cannot be decided with the reductions that are asked for.
#[must_use]
pub fn refusal(claim: &Claim, options: &Options) -> Option<String> {
    let Reductions { partial_order, .. } = options.reductions;
    let symmetry = options.uses_symmetry();
    if !partial_order && !symmetry {
        return None;
    }
    let ordered = |why: Option<&'static str>| why.filter(|_| partial_order);
    let why = match claim {
        Claim::Refines {
            model,
            implementation,
            ..
        } => match model {
            Model::RefusalTesting | Model::RefusalTestingDivergences => {
                Some("the refusal-testing models")
            }
            _ => {
                ordered(order_refusal(*model, options)).or_else(|| network_refusal(implementation))
            }
        },
        Claim::DeadlockFree { process, .. } | Claim::DivergenceFree { process } => {
            network_refusal(process)
        }
        Claim::Deterministic { .. } => Some("determinism"),
        Claim::HasTrace { .. } => Some("whether a process has a trace"),
    };
    let what = match (partial_order, symmetry) {
        (true, true) => "partial-order and symmetry reduction are",
        (true, false) => "partial-order reduction is",
        _ => "symmetry reduction is",
    };
    why.map(|where_| format!("{what} not known to be sound for {where_}"))
}

/// What partial-order reduction does not cover.
fn order_refusal(model: Model, options: &Options) -> Option<&'static str> {
    match model {
        Model::Failures | Model::FailuresDivergences => options
            .textbook_termination
            .then_some("failures where ✓ is a signal (--termination textbook)"),
        Model::Revivals | Model::RevivalsDivergences => Some("the revivals models"),
        _ => None,
    }
}

fn network_refusal(network: &Network) -> Option<&'static str> {
    if !network.chases.is_empty() {
        return Some("processes that use `chase`");
    }
    let blocked = network.rules.iter().any(|rule| rule.blocked_by.is_some());
    blocked.then_some("processes that use `prioritise`")
}
