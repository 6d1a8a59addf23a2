//! A process that takes over when an event of a set happens.
//!
//! - `P [|A|> Q`: P a→ P' gives a→ Q if a is in A and a→ `P' [|A|> Q` if not; τ goes on inside;
//!   ✓ gives ✓→ Ω. Q is inactive.

use std::sync::Arc;

use csp_lts::EventSet;

use super::{Firing, Kind, Outcome, kind};
use crate::process::{Process, ProcessId};

impl Firing<'_> {
    pub(super) fn exception(
        &mut self,
        left: ProcessId,
        set: &Arc<EventSet>,
        right: ProcessId,
    ) -> Outcome<()> {
        for (label, target) in self.steps(left)?.iter() {
            if kind(label) == Kind::Tick {
                self.terminate();
                continue;
            }
            let handled = label.intersection(set);
            let rest = label.difference(set);
            if !rest.is_empty() {
                let next = Process::Exception(*target, Arc::clone(set), right);
                let next = self.processes.intern(next);
                self.restricted(rest, next);
            }
            self.restricted(handled, right);
        }
        Ok(())
    }
}
