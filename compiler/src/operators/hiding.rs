//! Operators that make events silent. Both keep τ and ✓.
//!
//! - `P \ A`: a in A becomes τ.
//! - `P |\ A`: a outside A becomes τ.

use std::sync::Arc;

use csp_lts::EventSet;

use super::{Firing, Kind, Outcome, kind};
use crate::process::{Process, ProcessId};

impl Firing<'_> {
    pub(super) fn hide(&mut self, operand: ProcessId, set: &Arc<EventSet>) -> Outcome<()> {
        let split = |label: &EventSet| (label.intersection(set), label.difference(set));
        let rebuild = |operand| Process::Hide(operand, Arc::clone(set));
        self.hidden(operand, &split, &rebuild)
    }

    pub(super) fn project(&mut self, operand: ProcessId, set: &Arc<EventSet>) -> Outcome<()> {
        let split = |label: &EventSet| (label.difference(set), label.intersection(set));
        let rebuild = |operand| Process::Project(operand, Arc::clone(set));
        self.hidden(operand, &split, &rebuild)
    }

    fn hidden(
        &mut self,
        operand: ProcessId,
        split: &dyn Fn(&EventSet) -> (EventSet, EventSet),
        rebuild: &dyn Fn(ProcessId) -> Process,
    ) -> Outcome<()> {
        for (label, target) in self.steps(operand)?.iter() {
            if kind(label) == Kind::Tick {
                self.terminate();
                continue;
            }
            let next = self.processes.intern(rebuild(*target));
            if kind(label) == Kind::Silent {
                self.silent(next);
                continue;
            }
            let (hidden, seen) = split(label);
            if !hidden.is_empty() {
                self.silent(next);
            }
            self.restricted(seen, next);
        }
        Ok(())
    }
}
