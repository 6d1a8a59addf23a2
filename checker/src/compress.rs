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

use csp_lts::Lts;

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

/// Which compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Tabulate.
    Explicate,
    /// Tabulate (the same machine; FDR does it on demand).
    LazyEnumerate,
    /// Strong bisimulation.
    Sbisim,
    /// Divergence-respecting delay bisimulation.
    Dbisim,
    /// Divergence-respecting weak bisimulation.
    Wbisim,
    /// Collapse τ loops.
    TauLoopFactor,
    /// Diamond elimination.
    Diamond,
    /// Normal form.
    Normal,
    /// Normal form, on demand.
    LazyNorm,
    /// Quotient by equivalence in the model at hand.
    ModelCompress,
    /// One resolution of all nondeterminism.
    Deter,
    /// Follow τ until stable.
    Chase,
}

impl Kind {
    /// Every compression.
    pub const ALL: [Self; 12] = [
        Self::Explicate,
        Self::LazyEnumerate,
        Self::Sbisim,
        Self::Dbisim,
        Self::Wbisim,
        Self::TauLoopFactor,
        Self::Diamond,
        Self::Normal,
        Self::LazyNorm,
        Self::ModelCompress,
        Self::Deter,
        Self::Chase,
    ];

    /// What scripts call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Explicate => "explicate",
            Self::LazyEnumerate => "lazyenumerate",
            Self::Sbisim => "sbisim",
            Self::Dbisim => "dbisim",
            Self::Wbisim => "wbisim",
            Self::TauLoopFactor => "tau_loop_factor",
            Self::Diamond => "diamond",
            Self::Normal => "normal",
            Self::LazyNorm => "lazynorm",
            Self::ModelCompress => "model_compress",
            Self::Deter => "deter",
            Self::Chase => "chase",
        }
    }

    /// Whether the result depends on the model, so that a cache must not share it between models.
    #[must_use]
    pub fn depends_on_model(self) -> bool {
        matches!(
            self,
            Self::Diamond | Self::Normal | Self::LazyNorm | Self::ModelCompress
        )
    }
}

/// Whether a compression, as FDR defines it, leaves the meaning in a model as it is for every machine.
///
/// Where this is false [`compress`] does not do harm: it does [`wbisim`] instead. The exceptions are
/// `deter` and `chase`, which are asked for because they change meanings.
#[must_use]
pub fn preserves(kind: Kind, model: Model) -> bool {
    match kind {
        Kind::Explicate
        | Kind::LazyEnumerate
        | Kind::Sbisim
        | Kind::Dbisim
        | Kind::Wbisim
        | Kind::TauLoopFactor => true,
        Kind::Diamond | Kind::Normal | Kind::LazyNorm | Kind::ModelCompress => matches!(
            model,
            Model::Traces | Model::Failures | Model::FailuresDivergences
        ),
        Kind::Deter | Kind::Chase => false,
    }
}

/// Whether a compression may be used inside `prioritise`, which sees more than any model does.
///
/// The bisimulations may, as they respect divergence: events below τ happen only in stable states,
/// and a stable state is matched, after some τ, by one with the same offers; other events and τ are
/// not held back by τ, so their matching survives.
#[must_use]
pub fn preserves_priority(kind: Kind) -> bool {
    match kind {
        Kind::Explicate
        | Kind::LazyEnumerate
        | Kind::Sbisim
        | Kind::Dbisim
        | Kind::Wbisim
        | Kind::TauLoopFactor => true,
        Kind::Diamond
        | Kind::Normal
        | Kind::LazyNorm
        | Kind::ModelCompress
        | Kind::Deter
        | Kind::Chase => false,
    }
}

/// The machine compressed for use in one model.
#[must_use]
pub fn compress(kind: Kind, model: Model, lts: &Lts) -> Lts {
    let changes_meaning = matches!(kind, Kind::Deter | Kind::Chase);
    if !changes_meaning && !preserves(kind, model) {
        return wbisim(lts);
    }
    match kind {
        Kind::Explicate | Kind::LazyEnumerate => explicate(lts),
        Kind::Sbisim => sbisim(lts),
        Kind::Dbisim => dbisim(lts),
        Kind::Wbisim => wbisim(lts),
        Kind::TauLoopFactor => tau_loop_factor(lts),
        Kind::Diamond => diamond(lts),
        Kind::Normal => normal(lts, model),
        Kind::LazyNorm => lazynorm(lts, model),
        Kind::ModelCompress => model_compress(lts, model),
        Kind::Deter => deter(lts),
        Kind::Chase => chase(lts),
    }
}

/// What a compression did, for `--stats`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// Which compression.
    pub kind: Kind,
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
pub fn compress_reported(kind: Kind, model: Model, lts: &Lts) -> (Lts, Report) {
    let compressed = compress(kind, model, lts);
    let report = Report {
        kind,
        before: Size::of(lts),
        after: Size::of(&compressed),
    };
    (compressed, report)
}
