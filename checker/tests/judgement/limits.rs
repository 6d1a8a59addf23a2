//! Limits end a check without a verdict, and say what was reached.

use std::sync::Arc;
use std::time::Duration;

use csp_checker::options::NoObserver;
use csp_checker::{Limit, Model, Observer, Options, Progress, Verdict, check};
use csp_lts::{EventId, EventSet, LtsBuilder, Network, StateId};

use crate::process::{process, refines};

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
        limit(&claim, &options, &NoObserver),
        Limit::NormalForm(1000)
    );
    let options = Options {
        memory: Some(100_000),
        ..Options::default()
    };
    assert_eq!(limit(&claim, &options, &NoObserver), Limit::Memory(100_000));
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
