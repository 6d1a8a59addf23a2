//! From an assertion of a script to a claim the checker can decide.

use std::sync::Arc;

use csp_checker::{Claim, FailuresModel, Model, TraceModel};
use csp_compiler::evaluate::Evaluator;
use csp_compiler::hir;
use csp_compiler::process::{Priority, Process, ProcessId, Processes};
use csp_grammar::Diagnostic;
use csp_lts::{EventId, EventSet, Network};

/// An assertion with its expressions evaluated.
pub(crate) enum Evaluated {
    Refines {
        specification: ProcessId,
        implementation: ProcessId,
        model: Model,
    },
    DeadlockFree {
        process: ProcessId,
        model: FailuresModel,
    },
    DivergenceFree {
        process: ProcessId,
    },
    Deterministic {
        process: ProcessId,
        model: FailuresModel,
    },
    HasTrace {
        process: ProcessId,
        model: TraceModel,
        trace: Vec<EventId>,
    },
}

/// Evaluates the expressions of an assertion.
pub(crate) fn evaluate(
    assertion: &hir::Assertion,
    evaluator: &mut Evaluator,
) -> Result<Evaluated, Box<Diagnostic>> {
    let over = assertion
        .tau_priority
        .as_ref()
        .map(|set| evaluator.event_set(set))
        .transpose()?;
    let mut process = |expr: &hir::Expr| -> Result<ProcessId, Box<Diagnostic>> {
        let process = evaluator.process(expr)?;
        Ok(match &over {
            Some(set) => evaluator.intern(tau_first(process, set)),
            None => process,
        })
    };
    Ok(match &assertion.claim {
        hir::Claim::Refines {
            specification,
            model,
            implementation,
        } => Evaluated::Refines {
            specification: process(specification)?,
            implementation: process(implementation)?,
            model: refinement_model(*model),
        },
        hir::Claim::Property {
            process: expr,
            property,
            model,
        } => {
            let process = process(expr)?;
            let model = failures_model(*model, assertion)?;
            match property {
                hir::Property::DeadlockFree => Evaluated::DeadlockFree { process, model },
                hir::Property::DivergenceFree => Evaluated::DivergenceFree { process },
                hir::Property::Deterministic => Evaluated::Deterministic { process, model },
            }
        }
        hir::Claim::HasTrace {
            process: expr,
            model,
            trace,
        } => {
            let process = process(expr)?;
            let trace = evaluator.trace(trace)?;
            Evaluated::HasTrace {
                process,
                model: trace_model(*model),
                trace,
            }
        }
    })
}

/// The process in which τ and ✓ go before the events of a set.
fn tau_first(process: ProcessId, set: &EventSet) -> Process {
    let priority = Priority {
        classes: vec![(set.clone(), Vec::new())],
        below_tau: set.clone(),
    };
    Process::Prioritise(process, Arc::new(priority))
}

fn refinement_model(model: hir::Model) -> Model {
    match model {
        hir::Model::T => Model::Traces,
        hir::Model::F => Model::Failures,
        hir::Model::FD => Model::FailuresDivergences,
        hir::Model::V => Model::Revivals,
        hir::Model::VD => Model::RevivalsDivergences,
        hir::Model::R => Model::RefusalTesting,
        hir::Model::RD => Model::RefusalTestingDivergences,
    }
}

/// Properties are asked in F or FD (the default); the finer models see no more of them.
fn failures_model(
    model: Option<hir::Model>,
    assertion: &hir::Assertion,
) -> Result<FailuresModel, Box<Diagnostic>> {
    match model {
        None | Some(hir::Model::FD | hir::Model::VD | hir::Model::RD) => Ok(FailuresModel::FailuresDivergences),
        Some(hir::Model::F | hir::Model::V | hir::Model::R) => Ok(FailuresModel::Failures),
        Some(hir::Model::T) => Err(Box::new(
            Diagnostic::error("E0601", assertion.span, "this property cannot be asked in the traces model")
                .help("traces do not show what a process can refuse; write [F] or [FD], or leave the model out"),
        )),
    }
}

fn trace_model(model: Option<hir::Model>) -> TraceModel {
    match model {
        None | Some(hir::Model::T) => TraceModel::Traces,
        Some(hir::Model::F | hir::Model::V | hir::Model::R) => TraceModel::Failures,
        Some(hir::Model::FD | hir::Model::VD | hir::Model::RD) => TraceModel::FailuresDivergences,
    }
}

impl Evaluated {
    /// The model that compressions inside it have to preserve.
    pub(crate) fn compression_model(&self) -> Model {
        let of_failures = |model: &FailuresModel| match model {
            FailuresModel::Failures => Model::Failures,
            FailuresModel::FailuresDivergences => Model::FailuresDivergences,
        };
        match self {
            Self::Refines { model, .. } => *model,
            Self::DeadlockFree { model, .. } | Self::Deterministic { model, .. } => {
                of_failures(model)
            }
            Self::DivergenceFree { .. } => Model::FailuresDivergences,
            Self::HasTrace { model, .. } => match model {
                TraceModel::Traces => Model::Traces,
                TraceModel::Failures => Model::Failures,
                TraceModel::FailuresDivergences => Model::FailuresDivergences,
            },
        }
    }

    /// The processes it is about, in the order in which they are compiled.
    pub(crate) fn processes(&self) -> Vec<ProcessId> {
        match self {
            Self::Refines {
                specification,
                implementation,
                ..
            } => vec![*specification, *implementation],
            Self::DeadlockFree { process, .. }
            | Self::DivergenceFree { process }
            | Self::Deterministic { process, .. }
            | Self::HasTrace { process, .. } => vec![*process],
        }
    }

    /// The claim, with every process compiled. Processes are given with their places in
    /// [`Self::processes`].
    pub(crate) fn compile<E>(
        self,
        mut network: impl FnMut(usize, ProcessId) -> Result<Network, E>,
    ) -> Result<Claim, E> {
        Ok(match self {
            Self::Refines {
                specification,
                implementation,
                model,
            } => Claim::Refines {
                specification: network(0, specification)?,
                implementation: network(1, implementation)?,
                model,
            },
            Self::DeadlockFree { process, model } => Claim::DeadlockFree {
                process: network(0, process)?,
                model,
            },
            Self::DivergenceFree { process } => Claim::DivergenceFree {
                process: network(0, process)?,
            },
            Self::Deterministic { process, model } => Claim::Deterministic {
                process: network(0, process)?,
                model,
            },
            Self::HasTrace {
                process,
                model,
                trace,
            } => Claim::HasTrace {
                process: network(0, process)?,
                model,
                trace,
            },
        })
    }
}

/// The network that counterexamples to a claim are behaviours of.
pub(crate) fn implementation(claim: &Claim) -> &Network {
    match claim {
        Claim::Refines { implementation, .. } => implementation,
        Claim::DeadlockFree { process, .. }
        | Claim::DivergenceFree { process }
        | Claim::Deterministic { process, .. }
        | Claim::HasTrace { process, .. } => process,
    }
}
