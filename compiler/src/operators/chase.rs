//! Functions from machines to machines, where they stand inside a recursion.
//!
//! - `chase(P)`: follow the first τ of P until there is none, to P'; then what P' does, chased.
//! - `deter(P)`: as `chase`, and of several steps on one event only the first.
//! - All others keep the meaning of P. They do what the machine does that P has become, or what P
//!   does: see `splice.rs`.

use ahash::AHashSet;
use csp_lts::EventSet;

use super::{Firing, Kind, Outcome, kind};
use crate::assemble::messages;
use crate::process::{Compression, Process, ProcessId};

impl Firing<'_> {
    pub(super) fn compress(&mut self, function: Compression, operand: ProcessId) -> Outcome<()> {
        if !matches!(function, Compression::Chase | Compression::Deter) {
            if function.shrinks() && self.splice()? {
                return Ok(());
            }
            self.out = self.steps(operand)?.to_vec();
            return Ok(());
        }
        let stable = self.chased(function, operand)?;
        let mut taken = EventSet::empty();
        for (label, target) in self.steps(stable)?.iter() {
            if kind(label) == Kind::Tick {
                self.terminate();
                continue;
            }
            let mut label = EventSet::clone(label);
            if function == Compression::Deter {
                label = label.difference(&taken);
                taken = taken.union(&label);
            }
            let next = self.processes.intern(Process::Compress(function, *target));
            self.restricted(label, next);
        }
        Ok(())
    }

    fn chased(&mut self, function: Compression, operand: ProcessId) -> Outcome<ProcessId> {
        let mut seen = AHashSet::new();
        let mut at = operand;
        while let Some((_, next)) = self
            .steps(at)?
            .iter()
            .find(|(label, _)| kind(label) == Kind::Silent)
        {
            if !seen.insert(at) {
                let chase = self.process;
                let message = messages::endless_chase(self.processes, chase, function, operand);
                return Err(message.into());
            }
            at = *next;
        }
        Ok(at)
    }
}
