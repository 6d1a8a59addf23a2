//! Limits end a check without a verdict, and say what was reached.

use std::sync::Arc;
use std::time::Duration;

use csp_checker::options::NoObserver;
use csp_checker::{FailuresModel, Limit, Model, Observer, Options, Progress, Verdict, check};
use csp_lts::{EventId, EventSet, LtsBuilder, Network, StateId};

use crate::process::{deadlock_free, deterministic, from_transitions, process, refines};

/// The process whose normal form has 2^n nodes: the n-th event from the end was a.
fn explosive(n: u32) -> Network {
    let (a, b) = (EventSet::single(EventId(3)), EventSet::single(EventId(4)));
    let (a, both) = (Arc::new(a.clone()), Arc::new(a.union(&b)));
    let mut builder = LtsBuilder::new();
    builder.state([(Arc::clone(&both), StateId(0)), (a, StateId(1))]);
    for i in 1..n {
        builder.state([(Arc::clone(&both), StateId(i + 1))]);
    }
    builder.state([]);
    Network::of_lts("Explosive", Arc::new(builder.finish(StateId(0))))
}

fn limit(claim: &csp_checker::Claim, options: &Options, observer: &dyn Observer) -> Limit {
    match check(claim, options, observer).verdict {
        Verdict::Inconclusive(limit) => limit,
        other => panic!("expected a limit, not {other:?}"),
    }
}

#[test]
fn an_exploding_normal_form_reports_its_size() {
    let claim = refines(&explosive(24), &process("0a0"), Model::Failures);
    let options = Options {
        max_states: Some(1000),
        ..Options::default()
    };
    assert_eq!(
        check(&claim, &options, &NoObserver).statistics.states,
        1,
        "of the nodes only the first is reached"
    );
    // Here the implementation goes wherever the specification does.
    let claim = refines(&explosive(24), &process("0a0 0b0"), Model::Traces);
    for threads in [1, 2, 3] {
        let options = Options {
            max_states: Some(1000),
            threads,
            ..Options::default()
        };
        let limit = limit(&claim, &options, &NoObserver);
        assert!(
            matches!(limit, Limit::NormalForm(made) if made >= 1000),
            "{limit:?}"
        );
    }
    let options = Options {
        memory: Some(4_000_000),
        ..Options::default()
    };
    let reached = limit(&claim, &options, &NoObserver);
    // Nodes may take half of the memory, and each takes more than 100 bytes.
    assert!(
        matches!(reached, Limit::NormalForm(made) if made > 1000 && made * 100 < 2_000_000),
        "{reached:?}"
    );
    // Two states for each node: it is still the normal form that grows. At 1000 states the nodes
    // remember nine events.
    let claim = refines(&explosive(24), &process("0a1 0b1 1_0"), Model::Traces);
    let options = Options {
        max_states: Some(1000),
        ..Options::default()
    };
    assert_eq!(limit(&claim, &options, &NoObserver), Limit::NormalForm(512));
    // Sixteen for each: now it is the implementation.
    let silent = (0..15).map(|i| (i, EventId::TAU, i + 1));
    let again = [EventId(3), EventId(4)].map(|event| (15, event, 0));
    let slow = from_transitions(16, &silent.chain(again).collect::<Vec<_>>());
    let claim = refines(&explosive(24), &slow, Model::Traces);
    assert_eq!(limit(&claim, &options, &NoObserver), Limit::States(1000));
}

/// The same process, with a few transitions more.
fn explosive_and(n: u32, more: &[(u32, EventId, u32)]) -> Network {
    let (a, b) = (EventId(3), EventId(4));
    let mut all = vec![(0, a, 0), (0, b, 0), (0, a, 1)];
    all.extend((1..n).flat_map(|i| [(i, a, i + 1), (i, b, i + 1)]));
    all.extend_from_slice(more);
    let states = all.iter().map(|t| t.0.max(t.2) + 1).max();
    from_transitions(states.expect("there are some"), &all)
}

#[test]
fn what_is_observed_needs_room_too() {
    // Every event may lead to a state that is not stable, which is ruled out when a refusal is seen.
    let (a, b) = (EventId(3), EventId(4));
    let specification = explosive_and(24, &[(0, a, 25), (0, b, 25), (25, EventId::TAU, 0)]);
    let claim = refines(&specification, &process("0a0 0b0"), Model::RefusalTesting);
    let options = Options {
        memory: Some(4_000_000),
        ..Options::default()
    };
    let reached = limit(&claim, &options, &NoObserver);
    assert!(matches!(reached, Limit::NormalForm(_)), "{reached:?}");
}

#[test]
fn a_process_that_is_normalised_as_a_whole_reports_its_size() {
    // In F a process that can diverge is compared with its own normal form.
    let process = explosive_and(24, &[(0, EventId(5), 25), (25, EventId::TAU, 25)]);
    let claim = deterministic(&process, FailuresModel::Failures);
    let options = Options {
        max_states: Some(1000),
        ..Options::default()
    };
    assert_eq!(
        limit(&claim, &options, &NoObserver),
        Limit::NormalForm(1000)
    );
}

#[test]
fn any_memory_is_too_little_or_enough() {
    let (torn, settled) = (process("0_1 0_2 1a0 2b3 3c0"), process("0a1 1b0 0c2 2_0"));
    let models = [
        Model::Traces,
        Model::Failures,
        Model::FailuresDivergences,
        Model::RevivalsDivergences,
        Model::RefusalTestingDivergences,
    ];
    let mut claims = models.map(|m| refines(&torn, &torn, m)).to_vec();
    for model in [FailuresModel::Failures, FailuresModel::FailuresDivergences] {
        claims.push(deterministic(&settled, model));
        claims.push(deadlock_free(&settled, model));
    }
    for claim in claims {
        for memory in (0..4000).step_by(20).chain([1 << 30]) {
            let options = Options {
                memory: Some(memory),
                ..Options::default()
            };
            match check(&claim, &options, &NoObserver).verdict {
                Verdict::Holds => {}
                Verdict::Inconclusive(Limit::Memory(_) | Limit::NormalForm(_))
                    if memory < 1 << 30 => {}
                other => panic!("{claim:?} in {memory} bytes: {other:?}"),
            }
        }
    }
}

#[test]
fn a_limit_after_the_first_counterexamples_is_told() {
    // One violation after one step, another after many.
    let mut transitions: Vec<_> = (0..200).map(|i| (i, EventId(3), i + 1)).collect();
    transitions.extend([(0, EventId(5), 0), (200, EventId(6), 200)]);
    let implementation = from_transitions(201, &transitions);
    let claim = refines(&process("0a0"), &implementation, Model::Traces);
    let told = |counterexamples, max_states| {
        let options = Options {
            counterexamples,
            max_states,
            ..Options::default()
        };
        let outcome = check(&claim, &options, &NoObserver);
        let Verdict::Fails(found) = outcome.verdict else {
            panic!("it fails");
        };
        (found.len(), outcome.limit)
    };
    assert_eq!(told(1, Some(100)), (1, None));
    assert_eq!(told(2, None), (2, None));
    assert_eq!(told(2, Some(100)), (1, Some(Limit::States(100))));
}

#[test]
fn an_exploding_specification_can_be_followed_to_few_nodes() {
    // There are 2^40 nodes.
    for (implementation, states) in [("0a0", 41), ("0b0", 1), ("0a1 1b0", 41)] {
        let claim = refines(&explosive(40), &process(implementation), Model::Traces);
        for threads in [1, 2, 8] {
            let options = Options {
                threads,
                ..Options::default()
            };
            let outcome = check(&claim, &options, &NoObserver);
            assert!(matches!(outcome.verdict, Verdict::Holds));
            assert_eq!(outcome.statistics.states, states, "{implementation}");
        }
    }
    // Many violations of one length: the same is shown for any number of threads.
    let (a, b, c) = (EventId(3), EventId(4), EventId(5));
    let both = |i| [(i, a, i + 1), (i, b, i + 1)];
    let mut transitions: Vec<_> = (0..12).flat_map(both).collect();
    transitions.push((12, c, 0));
    let implementation = from_transitions(13, &transitions);
    let claim = refines(&explosive(40), &implementation, Model::Traces);
    let trace = |threads| {
        let options = Options {
            threads,
            ..Options::default()
        };
        match check(&claim, &options, &NoObserver).verdict {
            Verdict::Fails(found) => found[0].clone(),
            other => panic!("{other:?}"),
        }
    };
    let alone = trace(1);
    assert_eq!(alone.steps.len(), 13);
    assert!([2, 3, 8].into_iter().all(|threads| trace(threads) == alone));
}

#[test]
fn states_are_limited_while_the_specification_is_explored() {
    let options = Options {
        max_states: Some(10),
        ..Options::default()
    };
    for model in [Model::Traces, Model::RefusalTesting] {
        let claim = refines(&explosive(24), &process("0a0"), model);
        assert_eq!(limit(&claim, &options, &NoObserver), Limit::States(10));
    }
    let claim = refines(&process("0a0 0b0"), &explosive(24), Model::RefusalTesting);
    assert_eq!(limit(&claim, &options, &NoObserver), Limit::States(10));
}

/// What can be reached silently may be far more than what is visible.
#[test]
fn limits_hold_while_a_stable_state_is_looked_for() {
    let tau = Arc::new(EventSet::single(EventId::TAU));
    let mut builder = LtsBuilder::new();
    for i in 0..20_000 {
        builder.state([(Arc::clone(&tau), StateId(i + 1))]);
    }
    builder.state([]);
    let chain = Network::of_lts("Chain", Arc::new(builder.finish(StateId(0))));
    let claim = csp_checker::Claim::Deterministic {
        process: chain,
        model: FailuresModel::Failures,
    };
    let options = Options {
        max_states: Some(1000),
        ..Options::default()
    };
    assert_eq!(limit(&claim, &options, &NoObserver), Limit::States(1000));
    let options = Options {
        memory: Some(1_000_000),
        ..Options::default()
    };
    assert_eq!(
        limit(&claim, &options, &NoObserver),
        Limit::Memory(1_000_000)
    );
    let outcome = check(&claim, &Options::default(), &NoObserver);
    assert!(matches!(outcome.verdict, Verdict::Holds));
}

#[test]
fn time_and_the_user_stop_a_normalisation() {
    struct Impatient;
    impl Observer for Impatient {
        fn progress(&self, _: &Progress) {}
        fn interrupted(&self) -> bool {
            true
        }
    }
    let claim = refines(&explosive(24), &process("0a0"), Model::Traces);
    let options = Options {
        timeout: Some(Duration::ZERO),
        ..Options::default()
    };
    assert_eq!(limit(&claim, &options, &NoObserver), Limit::Time);
    assert_eq!(
        limit(&claim, &Options::default(), &Impatient),
        Limit::Interrupted
    );
}

#[test]
fn a_bisimulation_keeps_an_unfolded_specification_small() {
    // a^2000, looping: one state up to bisimulation, so a limit of 2000 states is enough.
    let a = Arc::new(EventSet::single(EventId(3)));
    let mut builder = LtsBuilder::new();
    for i in 0..2000 {
        builder.state([(Arc::clone(&a), StateId((i + 1) % 2000))]);
    }
    let cycle = Network::of_lts("Cycle", Arc::new(builder.finish(StateId(0))));
    let options = Options {
        max_states: Some(2000),
        ..Options::default()
    };
    let outcome = check(
        &refines(&cycle, &process("0a0"), Model::FailuresDivergences),
        &options,
        &NoObserver,
    );
    assert!(matches!(outcome.verdict, Verdict::Holds));
    assert_eq!(outcome.statistics.states, 1);
}
