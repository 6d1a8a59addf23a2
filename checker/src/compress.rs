//! Compression functions: from an explicit machine to a smaller one that means the same.
//!
//! Every function is pure and its result is the same for the same argument: states that cannot be
//! reached are left out and the others numbered breadth-first. [`preserves`] is the table of what
//! means the same in which model. Minimal acceptances and divergence, which FDR keeps as marks of
//! nodes, are τ transitions here: to stable states that offer just the acceptance, and from a
//! divergent state to itself. So the result is a machine like any other, can be composed and
//! compressed again, and no engine needs to know about marks.

mod acceptance;
mod atoms;
mod chase;
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

use crate::claim::Model;

pub use chase::{chase, endless};
pub use dbisim::dbisim;
pub use deter::deter;
pub use diamond::diamond;
pub use explicate::explicate;
pub use lazynorm::lazynorm;
pub use model_compress::model_compress;
pub use normal::normal;
pub use sbisim::sbisim;
pub use tau_loop_factor::tau_loop_factor;
pub use watchdog::{TooLarge, failure_watchdog, trace_watchdog};
pub use wbisim::wbisim;

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

/// Whether a compression may be used inside `prioritise`, which sees more than any model does.
///
/// The bisimulations may, as they respect divergence: events below τ happen only in stable states,
/// and a stable state is matched, after some τ, by one with the same offers; other events and τ are
/// not held back by τ, so their matching survives.
#[must_use]
pub fn preserves_priority(kind: Compression) -> bool {
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

/// The machine compressed for use in one model.
#[must_use]
pub fn compress(kind: Compression, model: Model, lts: &Lts) -> Lts {
    let changes_meaning = matches!(kind, Compression::Deter | Compression::Chase);
    if !changes_meaning && !preserves(kind, model) {
        return wbisim(lts);
    }
    match kind {
        Compression::Explicate | Compression::LazyEnumerate => explicate(lts),
        Compression::Sbisim => sbisim(lts),
        Compression::Dbisim => dbisim(lts),
        Compression::Wbisim => wbisim(lts),
        Compression::TauLoopFactor => tau_loop_factor(lts),
        Compression::Diamond => diamond(lts),
        Compression::Normal => normal(lts, model),
        Compression::LazyNorm => lazynorm(lts, model),
        Compression::ModelCompress => model_compress(lts, model),
        Compression::Deter => deter(lts),
        Compression::Chase => chase(lts),
    }
}

/// What a compression did, for `--stats`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// Which compression.
    pub kind: Compression,
    /// Before.
    pub before: Size,
    /// After.
    pub after: Size,
}

/// How large a machine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// States.
    pub states: usize,
    /// Transitions, one for each event.
    pub transitions: usize,
}

impl Size {
    /// The size of a machine.
    #[must_use]
    pub fn of(lts: &Lts) -> Self {
        Self {
            states: lts.state_count(),
            transitions: lts.transition_count(),
        }
    }
}

/// As [`compress`], with a report.
#[must_use]
pub fn compress_reported(kind: Compression, model: Model, lts: &Lts) -> (Lts, Report) {
    let compressed = compress(kind, model, lts);
    let report = Report {
        kind,
        before: Size::of(lts),
        after: Size::of(&compressed),
    };
    (compressed, report)
}
