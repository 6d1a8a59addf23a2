//! Processes that need no operand's steps.
//!
//! - `SKIP` ✓→ Ω; `STOP` and Ω do nothing.
//! - `DIV` τ→ `DIV`.
//! - `RUN(A)` a→ `RUN(A)` for a in A.
//! - `CHAOS(A)` τ→ `STOP`, τ→ `[] a:A @ a -> CHAOS(A)`.
//! - `a -> P` a→ P for every branch that has a.

use std::sync::Arc;

use csp_lts::EventSet;

use super::{Firing, Outcome};
use crate::process::{Process, ProcessId};

impl Firing<'_> {
    pub(super) fn skip(&mut self) -> Outcome<()> {
        self.terminate();
        Ok(())
    }

    pub(super) fn div(&mut self) -> Outcome<()> {
        self.silent(self.process);
        Ok(())
    }

    pub(super) fn run(&mut self, set: &Arc<EventSet>) -> Outcome<()> {
        if !set.is_empty() {
            self.visible(set, self.process);
        }
        Ok(())
    }

    pub(super) fn chaos(&mut self, set: &Arc<EventSet>) -> Outcome<()> {
        let stop = self.processes.intern(Process::Stop);
        self.silent(stop);
        if !set.is_empty() {
            let offer = Process::Prefix(Box::new([(Arc::clone(set), self.process)]));
            let offer = self.processes.intern(offer);
            self.silent(offer);
        }
        Ok(())
    }

    pub(super) fn prefix(&mut self, branches: &[(Arc<EventSet>, ProcessId)]) -> Outcome<()> {
        for (label, target) in branches {
            self.visible(label, *target);
        }
        Ok(())
    }
}
