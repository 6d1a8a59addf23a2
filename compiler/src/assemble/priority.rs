//! Priority as probes: a rule of low priority is blocked while a rule of higher priority of the
//! same subtree could fire, whatever happens to that rule further up.

use csp_lts::{EventId, Probe};

use super::Outcome;
use super::node::{Fragment, Node};
use super::tree::Builder;
use crate::process::{Priority, ProcessId};

impl Builder<'_> {
    pub(super) fn prioritise(&mut self, operand: ProcessId, priority: &Priority) -> Outcome<Node> {
        let mut node = self.inside("prioritise", operand)?;
        let urgent = node.silent.iter().chain(&node.ticks);
        let urgent: Vec<u32> = urgent.map(|f| probe(&mut self.probes, f)).collect();
        let urgent = self.blocker(urgent);
        let mut blockers = Vec::with_capacity(priority.classes.len());
        for (_, above) in &priority.classes {
            let blocking = |event: EventId| {
                let mut classes = above.iter().map(|&i| &priority.classes[i as usize].0);
                classes.any(|class| class.contains(event))
            };
            let probes: Vec<u32> = node
                .visible
                .iter()
                .filter(|(event, _)| !above.is_empty() && blocking(*event))
                .map(|(_, fragment)| probe(&mut self.probes, fragment))
                .collect();
            blockers.push(self.blocker(probes));
        }
        for (event, fragment) in &mut node.visible {
            for ((class, _), blocker) in priority.classes.iter().zip(&blockers) {
                if class.contains(*event) {
                    fragment.blocked_by = self.either(fragment.blocked_by, *blocker);
                }
            }
            if priority.below_tau.contains(*event) {
                fragment.blocked_by = self.either(fragment.blocked_by, urgent);
            }
        }
        Ok(node)
    }

    /// The index of a set of probes; none if it is empty.
    fn blocker(&mut self, mut probes: Vec<u32>) -> Option<u32> {
        if probes.is_empty() {
            return None;
        }
        probes.sort_unstable();
        probes.dedup();
        let (index, _) = self.blockers.insert_full(probes.into());
        Some(u32::try_from(index).expect("there are no more of them than rules"))
    }

    /// What is blocked by either.
    pub(super) fn either(&mut self, a: Option<u32>, b: Option<u32>) -> Option<u32> {
        match (a, b) {
            (Some(a), Some(b)) if a != b => {
                let (a, b) = (&self.blockers[a as usize], &self.blockers[b as usize]);
                let both = a.iter().chain(b.iter()).copied().collect();
                self.blocker(both)
            }
            (a, b) => a.or(b),
        }
    }
}

fn probe(probes: &mut indexmap::IndexSet<Probe, ahash::RandomState>, fragment: &Fragment) -> u32 {
    let mut offers = fragment.participants.to_vec();
    offers.sort_unstable();
    let (index, _) = probes.insert_full(Probe {
        offers: offers.into(),
        blocked_by: fragment.blocked_by,
    });
    u32::try_from(index).expect("there are no more probes than rules")
}
