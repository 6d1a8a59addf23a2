//! How large normal forms are as plain machines, and what limits do.
//!
//! Marks of nodes cost states: a node with several minimal acceptances needs a stable state for
//! each. The number of nodes is counted here by definition.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use csp_checker::budget::Budget;
use csp_checker::claim::Model;
use csp_checker::compress::{diamond, model_compress, normal, wbisim};
use csp_checker::{Limit, NoObserver, Observer, Options, Progress};
use csp_lts::{Compression, EventId, Lts};

use crate::judge::{self, States};
use crate::unlimited::{compress, unlimited};
use crate::{explicit, machines};

type Acceptances = BTreeSet<BTreeSet<EventId>>;

/// What a model sees of a node: its minimal acceptances, or that it diverges.
fn mark(lts: &Lts, node: &States, model: Model) -> Option<Acceptances> {
    if model == Model::Traces {
        return Some(Acceptances::new());
    }
    if model == Model::FailuresDivergences && judge::diverges(lts, node) {
        return None;
    }
    let stable = node.iter().filter(|&&s| judge::stable(lts, s));
    let all: Acceptances = stable.map(|&s| judge::offers(lts, s)).collect();
    let minimal = |a: &&BTreeSet<EventId>| !all.iter().any(|b| b != *a && b.is_subset(a));
    Some(all.iter().filter(minimal).cloned().collect())
}

/// The nodes of the normal form after merging equivalent ones, and for how many acceptances a
/// plain machine may need states of their own.
fn nodes(lts: &Lts, model: Model) -> (usize, usize) {
    let mut found = vec![judge::initial(lts)];
    let mut marks = Vec::new();
    let mut steps: Vec<BTreeMap<EventId, usize>> = Vec::new();
    while steps.len() < found.len() {
        let node = found[steps.len()].clone();
        let mark = mark(lts, &node, model);
        let mut row = BTreeMap::new();
        let offered: BTreeSet<EventId> = (node.iter())
            .flat_map(|&s| judge::offers(lts, s))
            .filter(|&e| e != EventId::TAU && mark.is_some())
            .collect();
        for event in offered {
            let next = judge::after(lts, &node, event);
            let place = found.iter().position(|n| *n == next).unwrap_or_else(|| {
                found.push(next);
                found.len() - 1
            });
            row.insert(event, place);
        }
        marks.push(mark);
        steps.push(row);
    }
    let mut class: Vec<usize> = vec![0; found.len()];
    loop {
        let mut index = BTreeMap::new();
        let next: Vec<usize> = (0..found.len())
            .map(|i| {
                let row: Vec<_> = steps[i].iter().map(|(e, &n)| (*e, class[n])).collect();
                let fresh = index.len();
                *index.entry((&marks[i], row)).or_insert(fresh)
            })
            .collect();
        if next == class {
            let first = |c: usize| {
                class
                    .iter()
                    .position(|&d| d == c)
                    .expect("no class is empty")
            };
            let extra = |c: usize| {
                let several = marks[first(c)].iter().flatten().count();
                let all: BTreeSet<EventId> = steps[first(c)].keys().copied().collect();
                let only = marks[first(c)].iter().flatten().next() == Some(&all);
                if several == 1 && only { 0 } else { several }
            };
            return (index.len(), (0..index.len()).map(extra).sum());
        }
        class = next;
    }
}

#[test]
fn a_normal_form_has_a_state_for_each_node_and_at_most_one_for_each_acceptance() {
    for model in [Model::Traces, Model::Failures, Model::FailuresDivergences] {
        for (i, lts) in machines(21, 400).enumerate() {
            let states = compress(Compression::Normal, model, &lts).state_count();
            let (nodes, acceptances) = nodes(&lts, model);
            assert!(
                nodes <= states && states <= nodes + acceptances,
                "machine {i} in {model:?}: {states} states for {nodes} nodes and {acceptances} acceptances"
            );
            assert!(model != Model::Traces || states == nodes);
        }
    }
}

/// Which of the last sixteen events was an `a` is all that its normal form has to remember.
fn memory() -> Lts {
    let mut transitions = vec![(0, 3, 0), (0, 4, 0), (0, 3, 1)];
    for state in 1..16 {
        transitions.extend([(state, 3, state + 1), (state, 4, state + 1)]);
    }
    explicit(17, &transitions)
}

/// A cube of τ, whose corners all have events of their own.
fn cube(dimension: u32) -> Lts {
    let mut transitions = Vec::new();
    for corner in 0..1u32 << dimension {
        transitions.push((corner, 3 + corner, (corner + 1) % (1 << dimension)));
        for side in 0..dimension {
            if corner >> side & 1 == 0 {
                transitions.push((corner, 0, corner | 1 << side));
            }
        }
    }
    explicit(1 << dimension, &transitions)
}

#[test]
fn what_grows_too_large_is_given_up() {
    let lts = memory();
    for model in [Model::Traces, Model::Failures, Model::FailuresDivergences] {
        assert_eq!(unlimited(|b| normal(&lts, model, 1000, b)), None);
        assert!(unlimited(|b| normal(&lts, model, 1 << 25, b)).is_some());
    }
    assert_eq!(unlimited(|b| normal(&lts, Model::Revivals, 1000, b)), None);
    let all = unlimited(|b| model_compress(&lts, Model::Failures, 1000, b));
    assert_eq!(all, None);
}

struct Impatient;

impl Observer for Impatient {
    fn progress(&self, _: &Progress) {}

    fn interrupted(&self) -> bool {
        true
    }
}

#[test]
fn limits_hold_while_compressing() {
    let (memory, cube) = (memory(), cube(11));
    let late = Options {
        timeout: Some(Duration::ZERO),
        ..Options::default()
    };
    let few = Options {
        max_states: Some(500),
        ..Options::default()
    };
    let tight = Options {
        memory: Some(100_000),
        ..Options::default()
    };
    let free = Options::default();
    let room = 1 << 25;
    for (options, observer, limit) in [
        (&late, &NoObserver as &dyn Observer, Limit::Time),
        (&few, &NoObserver, Limit::States(500)),
        (&tight, &NoObserver, Limit::Memory(100_000)),
        (&free, &Impatient, Limit::Interrupted),
    ] {
        let budget = Budget::new(options, observer);
        let form = normal(&memory, Model::Failures, room, &budget);
        assert_eq!(form, Err(limit.clone()));
        let classes = model_compress(&memory, Model::Failures, room, &budget);
        assert_eq!(classes, Err(limit));
    }
    for options in [&late, &free] {
        let observer: &dyn Observer = if options == &free {
            &Impatient
        } else {
            &NoObserver
        };
        let budget = Budget::new(options, observer);
        assert!(diamond(&cube, &budget).is_err());
        assert!(wbisim(&cube, &budget).is_err());
    }
}
