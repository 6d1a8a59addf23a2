//! The specification beside the implementation: what it accepts after each event.

use std::collections::BTreeSet;

use csp_lts::{EventId, EventSet, Lts, StateId};

/// What a specification can do along a trace, as plain sets of its states.
pub(crate) struct Beside<'a> {
    lts: &'a Lts,
    states: BTreeSet<StateId>,
}

impl<'a> Beside<'a> {
    /// Before anything has happened.
    pub(crate) fn new(lts: &'a Lts) -> Self {
        let mut beside = Self {
            lts,
            states: BTreeSet::new(),
        };
        beside.enter(vec![lts.initial()]);
        beside
    }

    fn enter(&mut self, mut stack: Vec<StateId>) {
        self.states.clear();
        while let Some(state) = stack.pop() {
            if self.states.insert(state) {
                stack.extend(self.targets(state, EventId::TAU));
            }
        }
    }

    fn targets(&self, state: StateId, event: EventId) -> Vec<StateId> {
        let edges = self.lts.edges(state).iter();
        edges
            .filter(|edge| self.lts.label(edge).contains(event))
            .map(|edge| edge.target)
            .collect()
    }

    /// The events that it accepts now.
    pub(crate) fn accepts(&self) -> Vec<EventId> {
        let mut events = EventSet::empty();
        for &state in &self.states {
            for edge in self.lts.edges(state) {
                events = events.union(self.lts.label(edge));
            }
        }
        let hidden = [EventId::TAU, EventId::OMEGA];
        events.iter().filter(|e| !hidden.contains(e)).collect()
    }

    /// Goes on by an event that is seen.
    pub(crate) fn step(&mut self, event: EventId) {
        let states: Vec<StateId> = self.states.iter().copied().collect();
        let next = states.into_iter().flat_map(|s| self.targets(s, event));
        let next = next.collect();
        self.enter(next);
    }
}
