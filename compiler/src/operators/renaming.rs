//! Renaming, which keeps τ and ✓.
//!
//! - `P [[R]]`: a becomes every event that R relates it to, or stays if there is none.

use std::sync::Arc;

use csp_lts::EventSet;

use super::parallel::partners;
use super::{Firing, Kind, Outcome, kind};
use crate::process::{Process, ProcessId, Relation};

impl Firing<'_> {
    pub(super) fn rename(&mut self, operand: ProcessId, relation: &Relation) -> Outcome<()> {
        let domain = self.domain(relation);
        for (label, target) in self.steps(operand)?.iter() {
            if kind(label) == Kind::Tick {
                self.terminate();
                continue;
            }
            let next = self
                .processes
                .intern(Process::Rename(*target, Arc::clone(relation)));
            if label.intersection(&domain).is_empty() {
                self.visible(label, next);
            } else {
                let images: EventSet = partners(relation, label).collect();
                self.restricted(label.difference(&domain).union(&images), next);
            }
        }
        Ok(())
    }

    /// The events that a relation relates to something. Kept by the address of the relation, which
    /// stays in use because the relation is kept too.
    fn domain(&mut self, relation: &Relation) -> Arc<EventSet> {
        let (_, domain) = self
            .known
            .domains
            .entry(relation.as_ptr())
            .or_insert_with(|| {
                let domain: EventSet = relation.iter().map(|pair| pair.0).collect();
                (Arc::clone(relation), Arc::new(domain))
            });
        Arc::clone(domain)
    }
}
