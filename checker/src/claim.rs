//! What can be claimed of a process.
//!
//! A claim owns the networks it is about; nothing in it depends on how it will be decided. The
//! negation of a claim is the business of whoever asks.

#![allow(
    missing_docs,
    reason = "the sentence above a variant says what its fields are"
)]

use csp_lts::{EventId, Network};

/// A semantic model in which processes are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Model {
    /// Finite traces.
    Traces,
    /// Traces and stable failures.
    Failures,
    /// Failures and divergences, divergence-strict.
    FailuresDivergences,
    /// Stable revivals.
    Revivals,
    /// Revivals and divergences, divergence-strict.
    RevivalsDivergences,
    /// Stable refusal testing.
    RefusalTesting,
    /// Refusal testing and divergences, divergence-strict.
    RefusalTestingDivergences,
}

impl Model {
    /// The model that a script writes as `T`, `F`, `FD`, `V`, `VD`, `R` or `RD`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "T" => Self::Traces,
            "F" => Self::Failures,
            "FD" => Self::FailuresDivergences,
            "V" => Self::Revivals,
            "VD" => Self::RevivalsDivergences,
            "R" => Self::RefusalTesting,
            "RD" => Self::RefusalTestingDivergences,
            _ => return None,
        })
    }

    /// Whether everything is allowed once the specification can diverge, and no divergence before.
    #[must_use]
    pub fn is_divergence_strict(self) -> bool {
        matches!(
            self,
            Self::FailuresDivergences | Self::RevivalsDivergences | Self::RefusalTestingDivergences
        )
    }
}

/// Whether a property of stable states is also spoilt by a divergence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailuresModel {
    /// `[F]`: divergence is not looked at.
    Failures,
    /// `[FD]`: a reachable divergence is a violation.
    FailuresDivergences,
}

/// How firmly a process is said to have a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TraceModel {
    /// `[T]`: it can do the events.
    Traces,
    /// `[F]`: and after no proper prefix can it stably refuse the next one.
    Failures,
    /// `[FD]`: and after no proper prefix can it diverge.
    FailuresDivergences,
}

/// Something that can be decided about processes.
#[derive(Clone, Debug)]
pub enum Claim {
    /// Every behaviour of the implementation, as the model sees it, is one of the specification.
    Refines {
        specification: Network,
        implementation: Network,
        model: Model,
    },
    /// No reachable stable state has no transitions.
    DeadlockFree {
        process: Network,
        model: FailuresModel,
    },
    /// No reachable state can do τ for ever.
    DivergenceFree { process: Network },
    /// After no trace can the process both do and refuse the same event.
    Deterministic {
        process: Network,
        model: FailuresModel,
    },
    /// The process can do, or cannot but do, these events in this order.
    HasTrace {
        process: Network,
        model: TraceModel,
        trace: Vec<EventId>,
    },
}
