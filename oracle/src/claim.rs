//! What a script asserts, in the oracle's own words.

use std::fmt::{self, Display, Formatter};

use crate::events::Event;
use crate::term::Term;

/// A semantic model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are those of the language")]
pub enum Model {
    T,
    F,
    FD,
    V,
    VD,
    R,
    RD,
}

impl Model {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::T,
        Self::F,
        Self::FD,
        Self::V,
        Self::VD,
        Self::R,
        Self::RD,
    ];

    /// Whether everything is allowed once the specification can diverge, and no divergence before.
    #[must_use]
    pub fn is_strict(self) -> bool {
        matches!(self, Self::FD | Self::VD | Self::RD)
    }
}

impl Display for Model {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// An assertion about terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(
    missing_docs,
    reason = "the sentence above a variant says what its fields are"
)]
pub enum Claim {
    /// `S [M= I`.
    Refines {
        specification: Term,
        implementation: Term,
        model: Model,
    },
    /// `P :[deadlock free [F]]`, or `[FD]` if strict.
    DeadlockFree { process: Term, strict: bool },
    /// `P :[divergence free]`.
    DivergenceFree { process: Term },
    /// `P :[deterministic [F]]`, or `[FD]` if strict.
    Deterministic { process: Term, strict: bool },
    /// `P :[has trace [M]]: <…>`, in T, F or FD.
    HasTrace {
        process: Term,
        model: Model,
        trace: Vec<Event>,
    },
}

impl Claim {
    /// The kind, as reports count it.
    #[must_use]
    pub fn kind(&self) -> String {
        let strictness = |strict: &bool| if *strict { "FD" } else { "F" };
        match self {
            Self::Refines { model, .. } => format!("[{model}="),
            Self::DeadlockFree { strict, .. } => format!("deadlock free [{}]", strictness(strict)),
            Self::DivergenceFree { .. } => "divergence free".to_owned(),
            Self::Deterministic { strict, .. } => {
                format!("deterministic [{}]", strictness(strict))
            }
            Self::HasTrace { model, .. } => format!("has trace [{model}]"),
        }
    }

    /// The same claim about other terms.
    #[must_use]
    pub fn with_terms(&self, to: &dyn Fn(&Term) -> Term) -> Self {
        match self.clone() {
            Self::Refines {
                specification,
                implementation,
                model,
            } => Self::Refines {
                specification: to(&specification),
                implementation: to(&implementation),
                model,
            },
            Self::DeadlockFree { process, strict } => Self::DeadlockFree {
                process: to(&process),
                strict,
            },
            Self::DivergenceFree { process } => Self::DivergenceFree {
                process: to(&process),
            },
            Self::Deterministic { process, strict } => Self::Deterministic {
                process: to(&process),
                strict,
            },
            Self::HasTrace {
                process,
                model,
                trace,
            } => Self::HasTrace {
                process: to(&process),
                model,
                trace,
            },
        }
    }

    /// The specification of a refinement.
    #[must_use]
    pub fn specification(&self) -> Option<&Term> {
        match self {
            Self::Refines { specification, .. } => Some(specification),
            _ => None,
        }
    }

    /// The process whose behaviour is in question, which counterexamples are of.
    #[must_use]
    pub fn process(&self) -> &Term {
        match self {
            Self::Refines { implementation, .. } => implementation,
            Self::DeadlockFree { process, .. }
            | Self::DivergenceFree { process }
            | Self::Deterministic { process, .. }
            | Self::HasTrace { process, .. } => process,
        }
    }
}

impl Display for Claim {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refines {
                specification,
                implementation,
                model,
            } => write!(f, "{specification} [{model}= {implementation}"),
            Self::HasTrace {
                process,
                model,
                trace,
            } => {
                let events: Vec<&str> = trace.iter().map(|e| e.name()).collect();
                write!(
                    f,
                    "{process} :[has trace [{model}]]: <{}>",
                    events.join(",")
                )
            }
            other => write!(f, "{} :[{}]", other.process(), other.kind()),
        }
    }
}

/// A behaviour that the product shows as the reason for a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The visible events.
    pub trace: Vec<Event>,
    /// How many steps it takes, τ included.
    pub steps: usize,
    /// What is wrong with it.
    pub evidence: Evidence,
}

/// What is wrong at the end of a counterexample.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(
    missing_docs,
    reason = "the sentence above a variant says what its fields are"
)]
pub enum Evidence {
    /// The last event: only these are allowed.
    Trace { allowed: Vec<Event> },
    /// Only `offered` is offered, and one of the sets is required.
    Refusal {
        offered: Vec<Event>,
        acceptances: Vec<Vec<Event>>,
    },
    /// It diverges.
    Divergence,
    /// Nothing is offered.
    Deadlock,
    /// The last event can be refused after the same events before, where only `offered` is offered.
    Nondeterminism {
        event: Event,
        other: Vec<Event>,
        offered: Vec<Event>,
    },
    /// `event` is offered together with no more than `offered`.
    Revival { event: Event, offered: Vec<Event> },
    /// What was offered where, and what is then allowed.
    RefusalTrace {
        observed: Vec<Option<Vec<Event>>>,
        allowed: Vec<Event>,
    },
    /// Only this many events of the trace can be done.
    MissingTrace { done: usize },
}
