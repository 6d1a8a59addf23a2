//! Confirms from the definitions that what was found is a violation.
//!
//! The implementation's side has been replayed. Here the specification's explicit system is walked
//! along the same trace, by plain sets of states, without normal forms, bisimulation or the search;
//! what a model forbids is then read off those sets word for word.

use std::collections::BTreeSet;

use csp_lts::{EventId, EventSet, Lts, StateId};

use crate::outcome::Evidence;
use crate::replay::Replayed;
use crate::termination::Termination;

/// The states of a specification after what was observed so far.
pub(crate) struct After<'a> {
    lts: &'a Lts,
    termination: Termination,
    states: BTreeSet<StateId>,
}

impl<'a> After<'a> {
    /// The states after nothing.
    pub(crate) fn start(lts: &'a Lts, termination: Termination) -> Self {
        let mut after = Self {
            lts,
            termination,
            states: BTreeSet::new(),
        };
        after.enter([lts.initial()]);
        after
    }

    fn enter(&mut self, states: impl IntoIterator<Item = StateId>) {
        self.states.clear();
        let mut stack: Vec<StateId> = states.into_iter().collect();
        while let Some(state) = stack.pop() {
            if self.states.insert(state) {
                stack.extend(targets(self.lts, state, EventId::TAU));
            }
        }
    }

    /// Goes on by an event; with `observed`, by an event that was done from a stable state which
    /// offered no more than that.
    fn step(&mut self, event: EventId, observed: Option<&EventSet>) {
        let from: Vec<StateId> = self.states.iter().copied().collect();
        let able = from.into_iter().filter(|&state| match observed {
            None => true,
            Some(offered) => self
                .acceptance(state)
                .is_some_and(|a| a.contains(event) && a.is_subset(offered)),
        });
        let next: Vec<StateId> = able.flat_map(|s| targets(self.lts, s, event)).collect();
        self.enter(next);
    }

    fn acceptance(&self, state: StateId) -> Option<EventSet> {
        let events: EventSet = self
            .lts
            .transitions(state)
            .map(|(event, _)| event)
            .filter(|e| *e != EventId::TAU && *e != EventId::OMEGA)
            .collect();
        let tau = !targets(self.lts, state, EventId::TAU).is_empty();
        self.termination.acceptance_set(&events, tau)
    }

    fn acceptances(&self) -> Vec<EventSet> {
        self.states
            .iter()
            .filter_map(|&s| self.acceptance(s))
            .collect()
    }

    /// Whether some state can do τ for ever: take away, again and again, the states without a τ to
    /// one that is left.
    fn diverges(&self) -> bool {
        let mut left = self.states.clone();
        loop {
            let before = left.len();
            let kept = left.iter().copied().filter(|&s| {
                targets(self.lts, s, EventId::TAU)
                    .iter()
                    .any(|t| left.contains(t))
            });
            left = kept.collect();
            if left.len() == before {
                return before > 0;
            }
        }
    }
}

fn targets(lts: &Lts, state: StateId, event: EventId) -> Vec<StateId> {
    lts.edges(state)
        .iter()
        .filter(|e| lts.label(e).contains(event))
        .map(|e| e.target)
        .collect()
}

/// Walks the specification along the replayed trace and panics unless the evidence is a violation
/// there. `observed` has an offer for each event that refusal testing saw done from a stable state,
/// and is empty for the other models. `strict`: the model forgives everything once the specification
/// can diverge.
pub(crate) fn confirm(
    specification: After<'_>,
    replayed: &Replayed,
    observed: &[Option<Vec<EventId>>],
    strict: bool,
    evidence: &Evidence,
) {
    let mut after = specification;
    let refused = |after: &After<'_>, offered: &[EventId]| {
        let offered: EventSet = offered.iter().copied().collect();
        !after.acceptances().iter().any(|a| a.is_subset(&offered))
    };
    for (at, (event, _)) in replayed.trace.iter().enumerate() {
        assert!(
            !(strict && after.diverges()),
            "a counterexample does not follow a divergence of the specification"
        );
        let offered = observed.get(at).and_then(Option::as_ref);
        let offered: Option<EventSet> = offered.map(|o| o.iter().copied().collect());
        after.step(*event, offered.as_ref());
    }
    let violated = match evidence {
        Evidence::Trace { .. } => after.states.is_empty(),
        Evidence::RefusalTrace { .. } if observed.len() == replayed.trace.len() => {
            after.states.is_empty()
        }
        Evidence::RefusalTrace { observed, .. } => {
            let last = observed.last().and_then(Option::as_ref);
            !after.states.is_empty() && last.is_some_and(|offered| refused(&after, offered))
        }
        Evidence::Refusal { offered, .. } => !after.states.is_empty() && refused(&after, offered),
        Evidence::Revival { event, offered, .. } => {
            let offered: EventSet = offered.iter().copied().collect();
            let revived = |a: &EventSet| a.contains(*event) && a.is_subset(&offered);
            offered.contains(*event) && !after.acceptances().iter().any(revived)
        }
        Evidence::Divergence { .. } => !after.states.is_empty(),
        _ => false,
    };
    assert!(
        violated && !(strict && after.diverges()),
        "the specification forbids what a counterexample shows"
    );
}
