//! The inner loops of the engine, each on a network made to be mostly that, on one thread.
//!
//!     cargo bench -p csp-checker --bench kernels
//!
//! Networks of rings that turn by themselves. How many and how long they are decides how rules are
//! found (by tables of chunks of the state, or by lists of driven rules), how states become keys
//! (names, packed words, trees) and where the keys are kept. Throughput counts transitions.

use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, SamplingMode, Throughput};
use csp_checker::Options;
use csp_checker::judge::Avoids;
use csp_checker::options::NoObserver;
use csp_checker::search::search;
use csp_lts::{
    Chase, Component, ComponentId, EventId, EventSet, LtsBuilder, Network, Rule, RuleId, StateId,
};

const TURN: EventId = EventId(3);

/// A ring of so many states, with an event of its own at each.
fn ring(name: u32, length: u32) -> Component {
    let mut builder = LtsBuilder::new();
    for state in 0..length {
        let label = Arc::new(EventSet::single(EventId(TURN.0 + state)));
        builder.state([(label, StateId((state + 1) % length))]);
    }
    Component {
        name: format!("R{name}"),
        lts: Arc::new(builder.finish(StateId(0))),
        initial: StateId(0),
    }
}

fn rule(result: EventId, participants: &[(u32, u32)]) -> Rule {
    Rule {
        result,
        revealed: result,
        participants: participants
            .iter()
            .map(|(ring, state)| (ComponentId(*ring), EventId(TURN.0 + state)))
            .collect(),
        resets: Box::default(),
        blocked_by: None,
    }
}

/// Rings that turn one at a time.
fn rings(count: u32, length: u32) -> Network {
    let turns = (0..count).flat_map(|ring| (0..length).map(move |state| (ring, state)));
    Network {
        components: (0..count).map(|name| ring(name, length)).collect(),
        rules: turns
            .map(|(ring, state)| rule(EventId(TURN.0 + ring), &[(ring, state)]))
            .collect(),
        ..Network::default()
    }
}

/// Rings in pairs: when one has turned, both are chased one further.
fn chased(pairs: u32) -> Network {
    let mut network = rings(2 * pairs, 4);
    network.rules.clear();
    let mut chased = Vec::new();
    for pair in 0..pairs {
        let (first, second) = (2 * pair, 2 * pair + 1);
        for state in [0, 2] {
            network
                .rules
                .push(rule(EventId(TURN.0 + pair), &[(first, state)]));
            for other in 0..4 {
                chased.push(RuleId(
                    u32::try_from(network.rules.len()).expect("few rules"),
                ));
                let both = [(first, state + 1), (second, other)];
                network.rules.push(rule(EventId::TAU, &both));
            }
        }
    }
    network.chases.push(Chase {
        name: "pairs".to_owned(),
        rules: chased.into(),
    });
    network
}

fn main() {
    let kernels = [
        ("chunks, names in a bitmap", rings(22, 2), None),
        ("chunks, compact entries", rings(18, 3), Some(4_000_000)),
        ("chunks, whole words", rings(16, 16), Some(4_000_000)),
        ("tables, whole words", rings(6, 200), Some(4_000_000)),
        ("chunks, a tree of two words", rings(40, 4), Some(4_000_000)),
        (
            "drivers, a tree of many words",
            rings(300, 4),
            Some(400_000),
        ),
        ("chase, a tree of two words", chased(20), Some(1_000_000)),
    ];
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("kernels");
    group
        .sample_size(10)
        .sampling_mode(SamplingMode::Flat)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_secs(8));
    for (name, network, max_states) in kernels {
        let options = Options {
            threads: 1,
            max_states,
            ..Options::default()
        };
        let run = || search(&network, &Avoids::default(), &options, &NoObserver).statistics;
        group.throughput(Throughput::Elements(run().transitions));
        group.bench_function(name, |bencher| bencher.iter(run));
    }
    group.finish();
    criterion.final_summary();
}
