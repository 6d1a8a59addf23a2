//! The semantic models as judges of implementation states and transitions.
//!
//! With `after(s)` the states that a process can be in after trace `s`, τ included, and `A` the
//! acceptance of a stable state (what it offers), an implementation refines a specification
//!
//! * in **T** if every trace of the implementation is one of the specification;
//! * in **F** if moreover for every stable implementation state after `s` there is a stable
//!   specification state after `s` that offers no more: some acceptance of the normal node is inside
//!   `A`. Hence a node without a stable state accepts no stable implementation state, and an
//!   implementation that only diverges refines everything that has its traces;
//! * in **V** (Roscoe 2009, "Revivals, stuckness and the hierarchy of CSP models"; Roscoe 2010,
//!   ch. 11–12), where a *revival* (s, X, a) is a trace, a set refused by a stable state after it, and
//!   an event that the same state then does, and where deadlocks are recorded apart: if moreover for
//!   every `a` in `A` there is a stable specification state after `s` that offers `a` and nothing
//!   outside `A`; and if `A` is empty, one that offers nothing;
//! * in **R**, refusal testing: see [`refusal_testing`].
//!
//! **FD**, **VD** and **RD** are strict: once the specification can diverge everything is allowed, and
//! as long as it cannot, the implementation must not diverge.
//!
//! All are decided by searching the product of the normalised specification with the network of the
//! implementation. How ✓ is offered and refused is said in [`crate::termination`].

pub mod refusal_testing;

use csp_lts::{EventId, EventSet};

use crate::judge::{Judge, Judged, Node, Offers, Sight, Stepped};
use crate::normal::{Detail, Form, View};
use crate::reduction::Keeps;

/// Judges an implementation against a normalised specification.
pub struct Refinement<'a, F> {
    form: &'a F,
    view: View,
    judges_states: bool,
    followed: EventSet,
}

impl<'a, F: Form> Refinement<'a, F> {
    /// The form must have been made for this view.
    #[must_use]
    pub fn new(form: &'a F, view: View) -> Self {
        Self {
            form,
            view,
            judges_states: form.refuses(view.detail),
            followed: form.followed(),
        }
    }

    /// Whether the node allows a stable state with this acceptance.
    #[must_use]
    pub fn allows(&self, node: Node, acceptance: &[EventId]) -> bool {
        let mut inside = self
            .form
            .acceptances(node)
            .iter()
            .filter(|a| is_inside(a, acceptance));
        match self.view.detail {
            Detail::Traces => true,
            Detail::Failures => inside.next().is_some(),
            Detail::Revivals => {
                let mut any = false;
                let mut covered = Vec::new();
                for set in inside {
                    any = true;
                    covered.extend_from_slice(set.ranges());
                }
                any && EventSet::from_ranges(covered).len() == acceptance.len()
            }
        }
    }
}

/// What an event means at a node: once the specification can diverge, nothing is wrong any more.
fn stepped(form: &impl Form, node: Node, event: EventId) -> Stepped {
    match form.step(node, event) {
        None => Stepped::Violation,
        Some(next) if form.divergent(next) => Stepped::Done,
        Some(next) => Stepped::To(next),
    }
}

/// Walks a form and its mirror image side by side; the node that stands for each node, if the two are
/// alike in all that is judged.
fn mirrored(
    form: &impl Form,
    events: &[EventId],
    image: &dyn Fn(EventId) -> EventId,
) -> Option<Vec<Node>> {
    let mut images: Vec<Option<Node>> = vec![None; form.nodes() as usize];
    images[0] = Some(0);
    let mut open: Vec<(Node, Node)> = vec![(0, 0)];
    while let Some((node, other)) = open.pop() {
        let reflected = |set: &EventSet| -> EventSet { set.iter().map(image).collect() };
        let (own, others) = (form.acceptances(node), form.acceptances(other));
        if form.divergent(node) != form.divergent(other)
            || own.len() != others.len()
            || own.iter().any(|set| !others.contains(&reflected(set)))
        {
            return None;
        }
        for event in events.iter().filter(|event| **event != EventId::TAU) {
            match (form.step(node, *event), form.step(other, image(*event))) {
                (None, None) => {}
                (Some(next), Some(there)) => match images[next as usize] {
                    Some(known) if known != there => return None,
                    Some(_) => {}
                    None => {
                        images[next as usize] = Some(there);
                        open.push((next, there));
                    }
                },
                _ => return None,
            }
        }
    }
    // Nodes that no event of the implementation leads to do not occur.
    let images = (0..).zip(images).map(|(node, image)| image.unwrap_or(node));
    Some(images.collect())
}

/// Whether every event of the set is among the events, which ascend.
fn is_inside(set: &EventSet, events: &[EventId]) -> bool {
    set.ranges().iter().all(|&(from, to)| {
        let start = events.partition_point(|e| e.0 < from);
        let last = start + (to - from - 1) as usize;
        // The events ascend without duplicates, so a run has no gaps if its ends fit.
        events.get(last).is_some_and(|e| e.0 == to - 1)
    })
}

impl<F: Form> Judge for Refinement<'_, F> {
    fn initial(&self) -> Node {
        0
    }

    fn nodes(&self) -> u32 {
        self.form.nodes()
    }

    fn judges_states(&self) -> bool {
        self.judges_states
    }

    fn forbids_divergence(&self, node: Node) -> bool {
        self.view.strict && !self.form.divergent(node)
    }

    fn state(&self, node: Node, offers: Offers<'_>) -> Judged {
        if self.form.divergent(node) {
            return Judged::Done;
        }
        match self.view.termination.acceptance(offers) {
            Some(acceptance) if !self.allows(node, acceptance) => Judged::Violation,
            _ => Judged::Fine,
        }
    }

    fn sees(&self) -> Sight {
        match self.view.detail {
            Detail::Traces | Detail::Failures => Sight::Refusals,
            Detail::Revivals => Sight::Acceptances,
        }
    }

    fn mirrored(
        &self,
        events: &[EventId],
        image: &dyn Fn(EventId) -> EventId,
    ) -> Option<Vec<Node>> {
        self.is_whole()
            .then(|| mirrored(self.form, events, image))?
    }

    fn keeps(&self) -> Option<Keeps> {
        match self.view.detail {
            Detail::Traces => Some(Keeps::Traces),
            Detail::Failures => Some(Keeps::Failures),
            Detail::Revivals => None,
        }
    }

    fn step(&self, node: Node, event: EventId) -> Stepped {
        stepped(self.form, node, event)
    }

    fn is_whole(&self) -> bool {
        self.form.is_whole()
    }

    fn minds_divergence(&self) -> bool {
        self.view.strict
    }

    fn ends(&self, event: EventId) -> bool {
        self.is_whole() && !self.followed.contains(event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal::{NormalForm, NormalNode};
    use crate::termination::Termination;

    #[test]
    fn events_end_that_lead_on_from_no_node() {
        let node = |steps: &[(u32, u32, Node)], divergent: bool| NormalNode {
            steps: steps.into(),
            acceptances: Box::default(),
            divergent,
        };
        let nodes = vec![
            node(&[(3, 5, 1), (5, 6, 2), (9, 10, 1)], false),
            node(&[(4, 7, 2), (7, 8, 0), (8, 9, 1)], false),
            node(&[], true),
        ];
        let form = NormalForm { nodes };
        let view = View {
            detail: Detail::Traces,
            strict: true,
            termination: Termination::Event,
        };
        let judge = Refinement::new(&form, view);
        for event in (0..12).map(EventId) {
            let leads_on = |node| matches!(judge.step(node, event), Stepped::To(_));
            assert_eq!(judge.ends(event), !(0..3).any(leads_on));
        }
        let ends: Vec<u32> = (0..12).filter(|e| judge.ends(EventId(*e))).collect();
        assert_eq!(ends, [0, 1, 2, 5, 6, 10, 11]);
    }

    #[test]
    fn sets_are_compared_with_sorted_events() {
        let events: Vec<EventId> = [3, 5, 6, 9].map(EventId).to_vec();
        assert!(is_inside(&EventSet::empty(), &events));
        assert!(is_inside(&EventSet::range(5, 7), &events));
        assert!(!is_inside(&EventSet::range(5, 8), &events));
        assert!(!is_inside(&EventSet::range(3, 6), &events));
        assert!(!is_inside(&EventSet::single(EventId(10)), &events));
        assert!(is_inside(
            &EventSet::from_ranges(vec![(3, 4), (9, 10)]),
            &events
        ));
    }
}
