//! Small explicit transition systems, and verdicts on them by subsets of states.
//!
//! A second judge, for processes that are given as systems: it follows the definitions on states and
//! transitions, so it can count τ, which denotations cannot. It shares nothing with the first.

use std::collections::VecDeque;

use crate::claim::{Claim, Model};
use crate::events::{Event, Events, MOST_EVENTS};
use crate::hash;

/// What a transition is labelled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Label {
    /// Nothing to be seen.
    Tau,
    /// A visible event or ✓.
    Event(Event),
}

/// States numbered from 0, which is where it starts; at most 16 of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct System {
    /// For each state, its transitions. ✓ leads to a state without transitions.
    pub transitions: Vec<Vec<(Label, usize)>>,
}

/// A set of states.
type Set = u16;

/// What the definitions say, with the number of steps that are needed to see a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Steps {
    /// The claim is true.
    Holds,
    /// A shortest way to the violation has at least and at most this many steps, τ included. The two
    /// differ only for divergences, which are seen where a cycle of τ is entered: a product that
    /// takes two states for one, because they do the same, may find itself on one earlier.
    Fails(usize, usize),
    /// The claim is not true; steps have not been counted.
    Uncounted,
}

impl System {
    fn offers(&self, state: usize) -> Events {
        let own = self.transitions[state].iter();
        own.filter_map(|(label, _)| match label {
            Label::Event(event) => Some(*event),
            Label::Tau => None,
        })
        .collect()
    }

    fn is_stable(&self, state: usize) -> bool {
        self.transitions[state].iter().all(|t| t.0 != Label::Tau)
    }

    fn closure(&self, mut set: Set) -> Set {
        loop {
            let next = self.step(set, Label::Tau) | set;
            if next == set {
                return set;
            }
            set = next;
        }
    }

    fn step(&self, set: Set, label: Label) -> Set {
        let mut next = 0;
        for state in members(set) {
            for (own, target) in &self.transitions[state] {
                if *own == label {
                    next |= 1 << target;
                }
            }
        }
        next
    }

    /// The states that can do τ for ever: those are taken away that cannot do so once more.
    fn diverging(&self) -> Set {
        let mut alive: Set = ((1u32 << self.transitions.len()) - 1) as Set;
        loop {
            let next: Set = members(alive)
                .filter(|&s| self.step(1 << s, Label::Tau) & alive != 0)
                .fold(0, |set, s| set | 1 << s);
            if next == alive {
                return alive;
            }
            alive = next;
        }
    }

    /// The states that lie on a cycle of τ.
    fn looping(&self) -> Set {
        (0..self.transitions.len())
            .filter(|&s| self.closure(self.step(1 << s, Label::Tau)) & 1 << s != 0)
            .fold(0, |set, s| set | 1 << s)
    }

    /// Decides a claim about this system, and for refinement about a specification too.
    #[must_use]
    pub fn judge(&self, claim: &Claim, specification: Option<&Self>) -> Steps {
        match claim {
            Claim::Refines { model, .. } => {
                let specification = specification.expect("a refinement has a specification");
                self.bounded(|divergent| self.refines(specification, *model, divergent))
            }
            Claim::DeadlockFree { strict, .. } => self.bounded(|divergent| {
                self.search(|s| {
                    (*strict && divergent & 1 << s != 0) || self.transitions[s].is_empty()
                })
            }),
            Claim::DivergenceFree { .. } => {
                self.bounded(|divergent| self.search(|s| divergent & 1 << s != 0))
            }
            Claim::Deterministic { strict, .. } => self.deterministic(*strict),
            Claim::HasTrace { model, trace, .. } => self.has_trace(*model, trace),
        }
    }

    /// Counts steps twice: to where the system can diverge, and to where it is on a cycle.
    fn bounded(&self, steps: impl Fn(Set) -> Option<usize>) -> Steps {
        match (steps(self.diverging()), steps(self.looping())) {
            (Some(least), Some(most)) => Steps::Fails(least, most),
            (None, None) => Steps::Holds,
            _ => unreachable!("what can diverge can get onto a cycle"),
        }
    }

    /// The steps to the first state with a fault.
    fn search(&self, fault: impl Fn(usize) -> bool) -> Option<usize> {
        let mut seen: Set = 1;
        let mut queue = VecDeque::from([(0, 0)]);
        while let Some((state, steps)) = queue.pop_front() {
            if fault(state) {
                return Some(steps);
            }
            for &(_, target) in &self.transitions[state] {
                if seen & 1 << target == 0 {
                    seen |= 1 << target;
                    queue.push_back((target, steps + 1));
                }
            }
        }
        None
    }

    /// The steps to the first violation, given the states at which a divergence is seen.
    fn refines(&self, specification: &Self, model: Model, divergent: Set) -> Option<usize> {
        let forgiving = specification.diverging();
        let start = (specification.closure(1), 0usize);
        let mut seen = hash::Set::from_iter([start]);
        let mut queue = VecDeque::from([(start, 0)]);
        let mut event_at_fault = None;
        while let Some(((set, state), steps)) = queue.pop_front() {
            if event_at_fault.is_some_and(|at| steps >= at) {
                break;
            }
            if model.is_strict() {
                if set & forgiving != 0 {
                    continue;
                }
                if divergent & 1 << state != 0 {
                    return Some(steps);
                }
            }
            if self.is_stable(state) && !specification.allows(set, self.offers(state), model) {
                return Some(steps);
            }
            let tests = matches!(model, Model::R | Model::RD) && self.is_stable(state);
            let following = if tests {
                specification.no_more_than(set, self.offers(state))
            } else {
                set
            };
            for &(label, target) in &self.transitions[state] {
                let next = match label {
                    Label::Tau => set,
                    label => specification.closure(specification.step(following, label)),
                };
                if next == 0 {
                    event_at_fault.get_or_insert(steps + 1);
                } else if seen.insert((next, target)) {
                    queue.push_back(((next, target), steps + 1));
                }
            }
        }
        event_at_fault
    }

    /// The stable states of a set that offer nothing else than these events.
    fn no_more_than(&self, set: Set, offer: Events) -> Set {
        members(set)
            .filter(|&s| self.is_stable(s) && self.offers(s).is_within(offer))
            .fold(0, |set, s| set | 1 << s)
    }

    fn allows(&self, set: Set, offer: Events, model: Model) -> bool {
        let inside = self.no_more_than(set, offer);
        match model {
            Model::T => true,
            Model::F | Model::FD | Model::R | Model::RD => inside != 0,
            Model::V | Model::VD => {
                let covered = members(inside).fold(Events::NONE, |all, s| all.or(self.offers(s)));
                inside != 0 && covered == offer
            }
        }
    }

    fn deterministic(&self, strict: bool) -> Steps {
        let diverging = self.diverging();
        let start = self.closure(1);
        let mut seen = hash::Set::from_iter([start]);
        let mut queue = vec![start];
        while let Some(set) = queue.pop() {
            if strict && set & diverging != 0 {
                return Steps::Uncounted;
            }
            for event in (0..=MOST_EVENTS).map(Event) {
                let next = self.closure(self.step(set, Label::Event(event)));
                if next == 0 {
                    continue;
                }
                if members(set).any(|s| self.is_stable(s) && !self.offers(s).has(event)) {
                    return Steps::Uncounted;
                }
                if seen.insert(next) {
                    queue.push(next);
                }
            }
        }
        Steps::Holds
    }

    fn has_trace(&self, model: Model, trace: &[Event]) -> Steps {
        let mut set = self.closure(1);
        for &event in trace {
            let refused = members(set).any(|s| self.is_stable(s) && !self.offers(s).has(event));
            let diverges = set & self.diverging() != 0;
            set = self.closure(self.step(set, Label::Event(event)));
            if set == 0 || (model != Model::T && refused) || (model == Model::FD && diverges) {
                return Steps::Uncounted;
            }
        }
        Steps::Holds
    }
}

fn members(set: Set) -> impl Iterator<Item = usize> {
    (0..16).filter(move |s| set & 1 << s != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(model: Model) -> Claim {
        Claim::Refines {
            specification: crate::term::Term::STOP,
            implementation: crate::term::Term::STOP,
            model,
        }
    }

    #[test]
    fn an_internal_choice_refuses_more_than_an_external_one() {
        let a = Label::Event(Event(0));
        let b = Label::Event(Event(1));
        let external = System {
            transitions: vec![vec![(a, 1), (b, 1)], vec![]],
        };
        let internal = System {
            transitions: vec![
                vec![(Label::Tau, 1), (Label::Tau, 2)],
                vec![(a, 3)],
                vec![(b, 3)],
                vec![],
            ],
        };
        assert_eq!(
            internal.judge(&claim(Model::T), Some(&external)),
            Steps::Holds
        );
        assert_eq!(
            internal.judge(&claim(Model::F), Some(&external)),
            Steps::Fails(1, 1)
        );
        assert_eq!(
            external.judge(&claim(Model::FD), Some(&internal)),
            Steps::Holds
        );
        assert_eq!(
            external.judge(&claim(Model::V), Some(&internal)),
            Steps::Holds
        );
    }
}
