//! One process after another.
//!
//! - `P ; Q`: P a→ P' gives a→ `P' ; Q`, τ likewise; P ✓→ gives τ→ Q.
//! - `loop(P)` does what `P ; loop(P)` does.

use super::{Firing, Kind, Outcome, kind};
use crate::assemble::messages;
use crate::process::{Process, ProcessId};

impl Firing<'_> {
    pub(super) fn sequence(&mut self, left: ProcessId, right: ProcessId) -> Outcome<()> {
        if self.known.canonical.is_endless(right) {
            return Err(messages::too_deep(self.processes, right).into());
        }
        for (label, target) in self.steps(left)?.iter() {
            if kind(label) == Kind::Tick {
                self.silent(right);
            } else {
                let next = self.processes.intern(Process::Sequence(*target, right));
                self.visible(label, next);
            }
        }
        Ok(())
    }

    pub(super) fn repeat(&mut self, body: ProcessId) -> Outcome<()> {
        let again = self.process;
        self.sequence(body, again)
    }
}
