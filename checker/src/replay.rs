//! Replays what a search reports on the network itself, by the plain simulator.
//!
//! No counterexample is returned before it has been replayed: a step that the simulator cannot make
//! is a broken promise of ours, and ends the program rather than misleading anybody.

use csp_lts::{EventId, Network, StateId};

use crate::judge::Offers;
use crate::outcome::Step;
use crate::reference::{Simulator, State};

/// What one state offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Offering {
    /// The visible events and ✓, ascending.
    pub(crate) events: Vec<EventId>,
    /// τ is possible.
    pub(crate) tau: bool,
}

impl Offering {
    /// The same as a judge sees it.
    pub(crate) fn offers(&self) -> Offers<'_> {
        Offers {
            events: &self.events,
            tau: self.tau,
        }
    }
}

/// What was seen along the steps.
pub(crate) struct Replayed {
    /// The visible events and ✓, each with what was offered by the state in which it was done.
    pub(crate) trace: Vec<(EventId, Offering)>,
    /// Where the steps end.
    pub(crate) state: State,
}

impl Replayed {
    /// The events alone.
    pub(crate) fn events(&self) -> Vec<EventId> {
        self.trace.iter().map(|(event, _)| *event).collect()
    }
}

/// Replays paths of one network.
pub(crate) struct Replay<'a> {
    simulator: Simulator<'a>,
}

impl<'a> Replay<'a> {
    /// Prepares to replay paths of the network.
    pub(crate) fn new(network: &'a Network) -> Self {
        Self {
            simulator: Simulator::new(network),
        }
    }

    /// Replays steps from the initial state to the state they lead to, everything chased.
    pub(crate) fn path(&self, steps: &[Step]) -> Replayed {
        let (state, steps) = self.opening(steps);
        self.walk(state, steps)
    }

    /// Replays steps of which the last is an event at fault. What would be chased after it is not
    /// part of them, and might have no end.
    pub(crate) fn path_to_event(&self, steps: &[Step]) -> Replayed {
        let (state, steps) = self.opening(steps);
        let (last, before) = steps.split_last().expect("an event at fault is a step");
        let mut replayed = self.walk(state, before);
        let offering = self.offering(&replayed.state);
        replayed.trace.push((last.event, offering));
        replayed.state = self.fire(&replayed.state, last);
        replayed
    }

    fn opening<'s>(&self, steps: &'s [Step]) -> (State, &'s [Step]) {
        let (state, opening) = self
            .simulator
            .initial()
            .expect("the search chased it to an end");
        assert!(
            steps.starts_with(&opening),
            "a counterexample starts with what is chased at the start"
        );
        (state, &steps[opening.len()..])
    }

    /// Replays a τ cycle, which must come back to where it starts.
    pub(crate) fn cycle(&self, state: &State, cycle: &[Step]) {
        let end = self.walk(state.clone(), cycle);
        assert!(
            !cycle.is_empty() && end.trace.is_empty() && end.state == *state,
            "a divergence is a cycle of silent steps"
        );
    }

    fn walk(&self, mut state: State, mut steps: &[Step]) -> Replayed {
        let mut trace = Vec::new();
        while let Some((step, rest)) = steps.split_first() {
            if step.event != EventId::TAU {
                trace.push((step.event, self.offering(&state)));
            }
            state = self.fire(&state, step);
            let chased = self
                .simulator
                .chase(&mut state)
                .expect("the search chased it to an end");
            assert!(
                rest.starts_with(&chased),
                "what is chased after a step of a counterexample follows it"
            );
            steps = &rest[chased.len()..];
        }
        Replayed { trace, state }
    }

    fn fire(&self, state: &State, step: &Step) -> State {
        assert!(
            !step.chased && self.simulator.can_fire(state, step.rule),
            "every step of a counterexample can be made"
        );
        let results = self.simulator.fire(state, step.rule).into_iter();
        let mut matching = results.filter(|(fired, _)| fired == step);
        let (_, next) = matching
            .next()
            .expect("every step of a counterexample is a transition of the network");
        next
    }

    /// What a state offers.
    pub(crate) fn offering(&self, state: &[StateId]) -> Offering {
        let rules = &self.simulator.network().rules;
        let enabled = self.simulator.enabled(state).into_iter();
        let mut events: Vec<EventId> = enabled.map(|r| rules[r.0 as usize].result).collect();
        events.sort_unstable();
        events.dedup();
        let tau = events.first() == Some(&EventId::TAU);
        events.retain(|e| *e != EventId::TAU);
        Offering { events, tau }
    }

    /// What is chased before anything else happens.
    pub(crate) fn first_steps(&self) -> Vec<Step> {
        let initial = self.simulator.initial();
        initial.expect("the search chased it to an end").1
    }
}
