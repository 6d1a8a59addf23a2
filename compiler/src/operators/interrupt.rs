//! Processes that a second one interrupts.
//!
//! - `P /\ Q`: P a→ P' gives a→ `P' /\ Q`; Q a→ Q' gives a→ Q'; τ of either goes on inside; ✓ of
//!   either gives ✓→ Ω.
//! - `P /+A+\ Q`: a in A needs both and gives a→ `P' /+A+\ Q'`; everything else as `/\`.

use std::sync::Arc;

use csp_lts::EventSet;

use super::{Firing, Kind, Outcome, kind};
use crate::process::{Process, ProcessId};

impl Firing<'_> {
    pub(super) fn interrupt(&mut self, left: ProcessId, right: ProcessId) -> Outcome<()> {
        let next = |left, right| Process::Interrupt(left, right);
        self.interrupted(left, &EventSet::empty(), right, &next)
    }

    pub(super) fn sync_interrupt(
        &mut self,
        left: ProcessId,
        set: &Arc<EventSet>,
        right: ProcessId,
    ) -> Outcome<()> {
        let next = |left, right| Process::SyncInterrupt(left, Arc::clone(set), right);
        self.interrupted(left, set, right, &next)?;
        for (label, targets) in self.together(set, &[left, right])? {
            let target = self.processes.intern(next(targets[0], targets[1]));
            self.restricted(label, target);
        }
        Ok(())
    }

    /// The steps of either side alone; events of `set` are none.
    fn interrupted(
        &mut self,
        left: ProcessId,
        set: &EventSet,
        right: ProcessId,
        next: &dyn Fn(ProcessId, ProcessId) -> Process,
    ) -> Outcome<()> {
        for (label, target) in self.steps(left)?.iter() {
            if kind(label) == Kind::Tick {
                self.terminate();
            } else {
                let target = self.processes.intern(next(*target, right));
                self.restricted(label.difference(set), target);
            }
        }
        for (label, target) in self.steps(right)?.iter() {
            match kind(label) {
                Kind::Tick => self.terminate(),
                Kind::Visible => self.restricted(label.difference(set), *target),
                Kind::Silent => {
                    let target = self.processes.intern(next(left, *target));
                    self.silent(target);
                }
            }
        }
        Ok(())
    }
}
