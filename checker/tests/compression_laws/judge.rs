//! What machines mean, straight from the definitions, by walking through all that can be observed.
//! Shares nothing with the compressions: sets of states are ordered sets, and nothing is normalised.

use std::collections::{BTreeSet, HashSet};

use csp_checker::claim::Model;
use csp_lts::{EventId, Lts, StateId};

pub(crate) type States = BTreeSet<StateId>;

/// The states that τ leads to.
pub(crate) fn closure(lts: &Lts, states: &States) -> States {
    let mut closure = states.clone();
    loop {
        let more: States = (closure.iter())
            .flat_map(|&s| lts.transitions(s).filter(|t| t.0 == EventId::TAU))
            .map(|(_, target)| target)
            .collect();
        let before = closure.len();
        closure.extend(more);
        if closure.len() == before {
            return closure;
        }
    }
}

/// The states that an event leads to, with τ afterwards.
pub(crate) fn after(lts: &Lts, states: &States, event: EventId) -> States {
    let targets = (states.iter())
        .flat_map(|&s| lts.transitions(s).filter(move |t| t.0 == event))
        .map(|(_, target)| target)
        .collect();
    closure(lts, &targets)
}

pub(crate) fn initial(lts: &Lts) -> States {
    closure(lts, &States::from([lts.initial()]))
}

pub(crate) fn offers(lts: &Lts, state: StateId) -> BTreeSet<EventId> {
    lts.transitions(state).map(|t| t.0).collect()
}

pub(crate) fn stable(lts: &Lts, state: StateId) -> bool {
    !offers(lts, state).contains(&EventId::TAU)
}

/// Some state can do as many τ as there are states, so some come round again.
pub(crate) fn diverges(lts: &Lts, states: &States) -> bool {
    let mut states = states.clone();
    for _ in 0..=lts.state_count() {
        states = (states.iter())
            .flat_map(|&s| lts.transitions(s).filter(|t| t.0 == EventId::TAU))
            .map(|(_, target)| target)
            .collect();
    }
    !states.is_empty()
}

/// All sets of the events.
pub(crate) fn subsets(events: &[EventId]) -> Vec<BTreeSet<EventId>> {
    (0..1u32 << events.len())
        .map(|bits| {
            let chosen = (0..events.len()).filter(|i| bits >> i & 1 == 1);
            chosen.map(|i| events[i]).collect()
        })
        .collect()
}

/// The stable states that refuse all of a set.
pub(crate) fn refusing(lts: &Lts, states: &States, refused: &BTreeSet<EventId>) -> States {
    (states.iter().copied())
        .filter(|&s| stable(lts, s) && offers(lts, s).is_disjoint(refused))
        .collect()
}

/// Which of two machines can do something the other cannot, by model.
pub(crate) struct Comparison<'a> {
    specification: &'a Lts,
    implementation: &'a Lts,
    model: Model,
    events: Vec<EventId>,
    refusals: Vec<BTreeSet<EventId>>,
    compared: HashSet<(States, States)>,
}

/// Whether everything the implementation can be observed to do the specification can too.
pub(crate) fn refines(specification: &Lts, implementation: &Lts, model: Model) -> bool {
    let alphabet = specification.alphabet().union(&implementation.alphabet());
    let events: Vec<EventId> = alphabet.iter().filter(|e| *e != EventId::TAU).collect();
    let mut comparison = Comparison {
        specification,
        implementation,
        model,
        refusals: subsets(&events),
        events,
        compared: HashSet::new(),
    };
    comparison.from(initial(specification), initial(implementation))
}

/// Whether two machines mean the same.
pub(crate) fn equal(one: &Lts, other: &Lts, model: Model) -> bool {
    refines(one, other, model) && refines(other, one, model)
}

impl Comparison<'_> {
    fn strict(&self) -> bool {
        matches!(
            self.model,
            Model::FailuresDivergences
                | Model::RevivalsDivergences
                | Model::RefusalTestingDivergences
        )
    }

    /// Compares what follows one and the same observation.
    fn from(&mut self, s: States, i: States) -> bool {
        if i.is_empty() || !self.compared.insert((s.clone(), i.clone())) {
            return true;
        }
        if s.is_empty() {
            return false;
        }
        if self.strict() {
            if diverges(self.specification, &s) {
                return true;
            }
            if diverges(self.implementation, &i) {
                return false;
            }
        }
        self.here(&s, &i) && self.later(&s, &i)
    }

    fn here(&self, s: &States, i: &States) -> bool {
        let can = |lts: &Lts, states: &States, x: &BTreeSet<EventId>| refusing(lts, states, x);
        self.refusals.iter().all(|x| {
            let (by_s, by_i) = (
                can(self.specification, s, x),
                can(self.implementation, i, x),
            );
            match self.model {
                Model::Traces => true,
                Model::Failures | Model::FailuresDivergences => by_i.is_empty() || !by_s.is_empty(),
                // Revivals: refuse x and then do a; deadlock: refuse everything.
                Model::Revivals | Model::RevivalsDivergences => {
                    let everything = x.len() == self.events.len();
                    (!everything || by_i.is_empty() || !by_s.is_empty())
                        && self.events.iter().all(|&a| {
                            after(self.implementation, &by_i, a).is_empty()
                                || !after(self.specification, &by_s, a).is_empty()
                        })
                }
                Model::RefusalTesting | Model::RefusalTestingDivergences => {
                    by_i.is_empty() || !by_s.is_empty()
                }
            }
        })
    }

    fn later(&mut self, s: &States, i: &States) -> bool {
        let (specification, implementation) = (self.specification, self.implementation);
        for event in self.events.clone() {
            let next = (
                after(specification, s, event),
                after(implementation, i, event),
            );
            if !self.from(next.0, next.1) {
                return false;
            }
            if !matches!(
                self.model,
                Model::RefusalTesting | Model::RefusalTestingDivergences
            ) {
                continue;
            }
            for x in self.refusals.clone() {
                let by_s = refusing(specification, s, &x);
                let by_i = refusing(implementation, i, &x);
                let next = (
                    after(specification, &by_s, event),
                    after(implementation, &by_i, event),
                );
                if !self.from(next.0, next.1) {
                    return false;
                }
            }
        }
        true
    }
}
