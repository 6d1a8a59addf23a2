//! Small processes written as lists of transitions, and short ways to ask about them.

use std::sync::Arc;

use csp_checker::options::NoObserver;
use csp_checker::{
    Claim, Counterexample, FailuresModel, Model, Options, Outcome, Step, TraceModel, Verdict, check,
};
use csp_lts::{EventId, EventSet, LtsBuilder, Network, StateId};

/// `a` to `z` are visible events, `_` is τ and `!` is ✓.
pub(crate) fn event(name: char) -> EventId {
    match name {
        '_' => EventId::TAU,
        '!' => EventId::TICK,
        letter => EventId(EventId::FIRST.0 + u32::from(letter) - u32::from('a')),
    }
}

/// The character of an event.
pub(crate) fn name(event: EventId) -> char {
    match event {
        EventId::TAU => '_',
        EventId::TICK => '!',
        other => char::from_u32(other.0 - EventId::FIRST.0 + u32::from('a')).unwrap(),
    }
}

/// The events of a string.
pub(crate) fn events(names: &str) -> Vec<EventId> {
    names.chars().map(event).collect()
}

/// Each word `0a1` is a transition; states are single digits and 0 is the initial one.
pub(crate) fn process(transitions: &str) -> Network {
    let digit = |c: char| c.to_digit(10).unwrap();
    let all: Vec<(u32, EventId, u32)> = transitions
        .split_whitespace()
        .map(|word| {
            let parts: Vec<char> = word.chars().collect();
            (digit(parts[0]), event(parts[1]), digit(parts[2]))
        })
        .collect();
    let states = all.iter().map(|t| t.0.max(t.2) + 1).max().unwrap_or(1);
    from_transitions(states, &all)
}

/// A process of that many states.
pub(crate) fn from_transitions(states: u32, all: &[(u32, EventId, u32)]) -> Network {
    let mut builder = LtsBuilder::new();
    for state in 0..states {
        let own = all.iter().filter(|t| t.0 == state);
        builder.state(own.map(|t| (Arc::new(EventSet::single(t.1)), StateId(t.2))));
    }
    Network::of_lts("P", Arc::new(builder.finish(StateId(0))))
}

/// Checks with default options.
pub(crate) fn decide(claim: &Claim) -> Outcome {
    check(claim, &Options::default(), &NoObserver)
}

/// Whether ✓ is an event or a signal.
pub(crate) fn options(textbook_termination: bool) -> Options {
    Options {
        textbook_termination,
        ..Options::default()
    }
}

pub(crate) fn refines(specification: &Network, implementation: &Network, model: Model) -> Claim {
    Claim::Refines {
        specification: specification.clone(),
        implementation: implementation.clone(),
        model,
    }
}

pub(crate) fn deadlock_free(process: &Network, model: FailuresModel) -> Claim {
    Claim::DeadlockFree {
        process: process.clone(),
        model,
    }
}

pub(crate) fn divergence_free(process: &Network) -> Claim {
    Claim::DivergenceFree {
        process: process.clone(),
    }
}

pub(crate) fn deterministic(process: &Network, model: FailuresModel) -> Claim {
    Claim::Deterministic {
        process: process.clone(),
        model,
    }
}

pub(crate) fn has_trace(process: &Network, model: TraceModel, trace: &str) -> Claim {
    Claim::HasTrace {
        process: process.clone(),
        model,
        trace: events(trace),
    }
}

/// Whether the outcome is that the claim holds; inconclusive outcomes are failures of the test.
pub(crate) fn holds(outcome: &Outcome) -> bool {
    match &outcome.verdict {
        Verdict::Holds => true,
        Verdict::Fails(_) => false,
        Verdict::Inconclusive(limit) => panic!("stopped by {limit:?}"),
    }
}

/// The first counterexample of a claim that must fail.
pub(crate) fn first(outcome: &Outcome) -> &Counterexample {
    match &outcome.verdict {
        Verdict::Fails(counterexamples) => &counterexamples[0],
        other => panic!("expected a counterexample, not {other:?}"),
    }
}

/// The events of steps as one string, τ included.
pub(crate) fn spelt(steps: &[Step]) -> String {
    steps.iter().map(|s| name(s.event)).collect()
}

/// States, transitions and plys.
pub(crate) fn counts(outcome: &Outcome) -> (u64, u64, u64) {
    let s = &outcome.statistics;
    (s.states, s.transitions, s.plys)
}

pub(crate) const MODELS: [Model; 7] = [
    Model::Traces,
    Model::Failures,
    Model::FailuresDivergences,
    Model::Revivals,
    Model::RevivalsDivergences,
    Model::RefusalTesting,
    Model::RefusalTestingDivergences,
];
