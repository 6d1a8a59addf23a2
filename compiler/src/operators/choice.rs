//! Choices.
//!
//! - `P |~| Q` τ→ P, τ→ Q.
//! - `P [] Q`: P a→ P' gives a→ P'; P ✓→ gives ✓→ Ω; P τ→ P' gives τ→ `P' [] Q`; the same for Q.
//! - `P [> Q`: as `[]` for P alone; always τ→ Q.
//! - `P [+A+] Q`: a in A needs both and gives a→ `P' [+A+] Q'`; everything else as `[]`.

use std::sync::Arc;

use csp_lts::EventSet;

use super::{Firing, Kind, Outcome, kind};
use crate::process::{Process, ProcessId};

impl Firing<'_> {
    pub(super) fn internal(&mut self, operands: &[ProcessId]) -> Outcome<()> {
        for operand in operands {
            self.silent(*operand);
        }
        Ok(())
    }

    pub(super) fn external(&mut self, operands: &[ProcessId]) -> Outcome<()> {
        for (i, operand) in operands.iter().enumerate() {
            for (label, target) in self.steps(*operand)?.iter() {
                match kind(label) {
                    Kind::Visible => self.visible(label, *target),
                    Kind::Tick => self.terminate(),
                    Kind::Silent => {
                        let next = Process::External(replaced(operands, i, *target));
                        let next = self.processes.intern(next);
                        self.silent(next);
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn sliding(&mut self, left: ProcessId, right: ProcessId) -> Outcome<()> {
        for (label, target) in self.steps(left)?.iter() {
            match kind(label) {
                Kind::Visible => self.visible(label, *target),
                Kind::Tick => self.terminate(),
                Kind::Silent => {
                    let next = self.processes.intern(Process::Sliding(*target, right));
                    self.silent(next);
                }
            }
        }
        self.silent(right);
        Ok(())
    }

    pub(super) fn sync_external(
        &mut self,
        set: &Arc<EventSet>,
        operands: &[ProcessId],
    ) -> Outcome<()> {
        for (i, operand) in operands.iter().enumerate() {
            for (label, target) in self.steps(*operand)?.iter() {
                match kind(label) {
                    Kind::Visible => self.restricted(label.difference(set), *target),
                    Kind::Tick => self.terminate(),
                    Kind::Silent => {
                        let next = replaced(operands, i, *target);
                        let next = Process::SyncExternal(Arc::clone(set), next);
                        let next = self.processes.intern(next);
                        self.silent(next);
                    }
                }
            }
        }
        for (label, targets) in self.together(set, operands)? {
            let next = Process::SyncExternal(Arc::clone(set), targets.into());
            let next = self.processes.intern(next);
            self.restricted(label, next);
        }
        Ok(())
    }
}

/// The operands with one exchanged.
pub(super) fn replaced(operands: &[ProcessId], place: usize, new: ProcessId) -> Box<[ProcessId]> {
    let mut operands: Box<[ProcessId]> = operands.into();
    operands[place] = new;
    operands
}
