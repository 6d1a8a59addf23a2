//! Compression functions: from an explicit machine to a smaller one that means the same.
//!
//! Every function is pure and its result is the same for the same argument: states that cannot be
//! reached are left out and the others numbered breadth-first. [`preserves`] is the table of what
//! means the same in which model.
//!
//! Departs: minimal acceptances and divergence, which FDR keeps as marks of nodes, are τ transitions
//! here: acceptance steps to stable states that offer just the acceptance, while the node itself offers
//! everything, and from a divergent state to itself. So the result is a machine like any other, can be
//! composed and compressed again, and no format has to know about marks. That is as good as marks
//! wherever only the meaning counts, which is under every operator of CSP, since traces, failures and
//! divergences of a composition follow from those of its parts. It would not be where single steps
//! count, inside `prioritise` and `chase`: there nothing that would be marked is used (see
//! [`preserves_steps`]). Nor does it cost states: a search recognises acceptance steps in any machine
//! and judges where they lead without storing it (`machine/acceptance.rs`), so a network of k
//! compressed machines has a state for each combination of nodes, as with marks. The machine itself
//! has a state for each acceptance of a node with several, shared between nodes that do the same after
//! it: a normal form of n nodes with k such acceptances has at least n and at most n + k states. Only
//! `normal` and `lazynorm` pay that; `diamond` and `model_compress` use states that were there before,
//! and never have more. Refusal testing and machines that are made explicit follow every step.

mod acceptance;
mod atoms;
mod chase;
mod correspond;
mod dbisim;
mod deter;
mod diamond;
mod explicate;
mod graph;
mod lazynorm;
mod machine;
mod model_compress;
mod normal;
mod normal_form;
mod partition;
mod rows;
mod sbisim;
mod signature;
mod tau_loop_factor;
mod watchdog;
mod wbisim;
mod weak;

use csp_lts::{Compression, Lts};

use crate::budget::Budget;
use crate::claim::Model;
use crate::outcome::Limit;

pub use chase::{chase, endless};
pub use correspond::correspondence;
pub use dbisim::dbisim;
pub use deter::deter;
pub use diamond::diamond;
pub use explicate::explicate;
pub use lazynorm::lazynorm;
pub use model_compress::model_compress;
pub use normal::normal;
pub(crate) use sbisim::refined;
pub use sbisim::sbisim;
pub use tau_loop_factor::tau_loop_factor;
pub use watchdog::{failure_watchdog, trace_watchdog};
pub use wbisim::wbisim;

/// How many states the nodes of a normal form may have together in any case.
pub const ROOM: usize = 1 << 25;

/// Bytes of a state in a node.
const STATE_BYTES: u64 = 4;

/// How many states the nodes of a normal form may have together before something else is done: half of the memory that
/// is left.
fn room(budget: &Budget<'_>) -> usize {
    let left = budget.remaining().memory.unwrap_or(0);
    let states = usize::try_from(left / 2 / STATE_BYTES);
    states.unwrap_or(usize::MAX).max(ROOM)
}

/// Whether a compression, as FDR defines it, leaves the meaning in a model as it is for every machine.
///
/// Where this is false [`compress`] does not do harm: it does [`wbisim`] instead. The exceptions are
/// `deter` and `chase`, which are asked for because they change meanings.
#[must_use]
pub fn preserves(kind: Compression, model: Model) -> bool {
    match kind {
        Compression::Explicate
        | Compression::LazyEnumerate
        | Compression::Sbisim
        | Compression::Dbisim
        | Compression::Wbisim
        | Compression::TauLoopFactor => true,
        Compression::Diamond
        | Compression::Normal
        | Compression::LazyNorm
        | Compression::ModelCompress => matches!(
            model,
            Model::Traces | Model::Failures | Model::FailuresDivergences
        ),
        Compression::Deter | Compression::Chase => false,
    }
}

/// Whether a compression may be used inside functions that look at single steps and so see more
/// than any model does: `prioritise` and `chase`.
///
/// The bisimulations may, as they respect divergence: events below τ happen only in stable states,
/// and a stable state is matched, after some τ, by one with the same offers; other events and τ are
/// not held back by τ, so their matching survives. What writes acceptances as τ transitions may
/// not: priority would let those τ pre-empt events, and a chase would follow just one of them.
#[must_use]
pub fn preserves_steps(kind: Compression) -> bool {
    match kind {
        Compression::Explicate
        | Compression::LazyEnumerate
        | Compression::Sbisim
        | Compression::Dbisim
        | Compression::Wbisim
        | Compression::TauLoopFactor => true,
        Compression::Diamond
        | Compression::Normal
        | Compression::LazyNorm
        | Compression::ModelCompress
        | Compression::Deter
        | Compression::Chase => false,
    }
}

/// What a compressed machine is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Purpose {
    /// The model in which it has to mean the same.
    pub model: Model,
    /// It stands inside a function that looks at single steps: see [`preserves_steps`].
    pub stepwise: bool,
}

/// Why [`wbisim`], which preserves everything, was done in the place of what was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaced {
    /// The function does not preserve the model.
    Model,
    /// The function does not preserve what `prioritise` or `chase` see.
    Stepwise,
    /// The result would have been too large.
    Size,
}

/// A compressed machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compressed {
    /// The machine.
    pub lts: Lts,
    /// Whether it is not what was asked for, and why.
    pub replaced: Option<Replaced>,
}

/// The machine compressed for one purpose, within the limits.
pub fn compress(
    kind: Compression,
    purpose: Purpose,
    lts: &Lts,
    budget: &Budget<'_>,
) -> Result<Compressed, Limit> {
    let model = purpose.model;
    let replaced = if matches!(kind, Compression::Deter | Compression::Chase) {
        None
    } else if !preserves(kind, model) {
        Some(Replaced::Model)
    } else if purpose.stepwise && !preserves_steps(kind) {
        Some(Replaced::Stepwise)
    } else {
        None
    };
    if replaced.is_some() {
        let lts = wbisim(lts, budget)?;
        return Ok(Compressed { lts, replaced });
    }
    let compressed = match kind {
        Compression::Explicate | Compression::LazyEnumerate => Some(explicate(lts)),
        Compression::Sbisim => Some(sbisim(lts, budget)?),
        Compression::Dbisim => Some(dbisim(lts, budget)?),
        Compression::Wbisim => Some(wbisim(lts, budget)?),
        Compression::TauLoopFactor => Some(tau_loop_factor(lts)),
        Compression::Diamond => Some(diamond(lts, budget)?),
        Compression::Normal => normal(lts, model, room(budget), budget)?,
        Compression::LazyNorm => lazynorm(lts, model, room(budget), budget)?,
        Compression::ModelCompress => model_compress(lts, model, room(budget), budget)?,
        Compression::Deter => Some(deter(lts)),
        Compression::Chase => Some(chase(lts)),
    };
    Ok(match compressed {
        Some(lts) => Compressed {
            lts,
            replaced: None,
        },
        None => Compressed {
            lts: wbisim(lts, budget)?,
            replaced: Some(Replaced::Size),
        },
    })
}
