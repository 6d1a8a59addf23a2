//! `prioritise(P)`: the steps of P without those that something of higher priority forbids.
//!
//! - Events of a class are dropped if P can do an event of a class that blocks it.
//! - Events below τ are dropped if P can do τ or ✓.
//! - τ and ✓ always stay.

use std::sync::Arc;

use csp_lts::EventSet;

use super::{Firing, Kind, Outcome, Step, kind};
use crate::process::{Priority, Process, ProcessId};

impl Firing<'_> {
    pub(super) fn prioritise(
        &mut self,
        operand: ProcessId,
        priority: &Arc<Priority>,
    ) -> Outcome<()> {
        let steps = self.steps(operand)?;
        let blocked = blocked(&steps, priority);
        for (label, target) in steps.iter() {
            if kind(label) == Kind::Tick {
                self.terminate();
                continue;
            }
            let next = Process::Prioritise(*target, Arc::clone(priority));
            let next = self.processes.intern(next);
            self.restricted(label.difference(&blocked), next);
        }
        Ok(())
    }
}

fn blocked(steps: &[Step], priority: &Priority) -> EventSet {
    let offered: Vec<bool> = priority
        .classes
        .iter()
        .map(|(class, _)| {
            let offers = |step: &Step| !step.0.intersection(class).is_empty();
            steps.iter().any(offers)
        })
        .collect();
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for (class, blockers) in &priority.classes {
        if blockers.iter().any(|&i| offered[i as usize]) {
            ranges.extend(class.ranges());
        }
    }
    if steps.iter().any(|step| kind(&step.0) != Kind::Visible) {
        ranges.extend(priority.below_tau.ranges());
    }
    EventSet::from_ranges(ranges)
}
