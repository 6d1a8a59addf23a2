//! Further threads that evaluate the processes of an assertion, so that leaves are listed at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use csp_compiler::assemble::EvaluatorPool;
use csp_compiler::evaluate::{Evaluator, Limits};
use csp_compiler::hir::{Assertion, Program};
use csp_compiler::process::{ProcessId, Processes};

use crate::claim;

/// Stack of a further thread. Recursion that needs more is left to the thread that has it.
const STACK: usize = 256 << 20;

/// Part of it that is left for what runs above and below evaluation.
const RESERVE: usize = 16 << 20;

/// Evaluates one process of an assertion again.
pub(crate) struct Again<'a> {
    pub(crate) program: &'a Program,
    pub(crate) assertion: &'a Assertion,
    /// Which of its processes.
    pub(crate) place: usize,
    /// On how many further threads.
    pub(crate) threads: usize,
}

impl EvaluatorPool for Again<'_> {
    fn count(&self) -> usize {
        self.threads
    }

    fn stack_bytes(&self) -> usize {
        STACK
    }

    fn with_table(
        &self,
        stop: &Arc<AtomicBool>,
        work: &mut dyn FnMut(&mut dyn Processes, ProcessId),
    ) {
        let stop = Arc::clone(stop);
        let limits = Limits {
            stack_bytes: STACK - RESERVE,
            interrupt: Box::new(move || stop.load(Ordering::Relaxed)),
            ..Limits::default()
        };
        let mut evaluator = Evaluator::new(self.program, limits);
        if !evaluator.declare().is_empty() {
            return;
        }
        let Ok(evaluated) = claim::evaluate(self.assertion, &mut evaluator) else {
            return;
        };
        work(&mut evaluator, evaluated.processes()[self.place]);
    }
}
