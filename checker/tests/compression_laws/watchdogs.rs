//! Watchdogs against the definition of refinement.

use std::collections::BTreeSet;

use csp_checker::claim::Model;
use csp_checker::compress;
use csp_lts::{EventId, EventSet, Lts, StateId};

use crate::judge::refines;
use crate::random::{Random, Shape, machine};
use crate::unlimited::unlimited;

const BAD: EventId = EventId(9);

const WATCHED: Shape = Shape {
    most_states: 5,
    most_edges: 3,
    events: &[0, 0, 3, 4, 5],
};

fn trace_watchdog(specification: &Lts, alphabet: &EventSet) -> Lts {
    unlimited(|budget| compress::trace_watchdog(specification, alphabet, BAD, budget))
}

fn failure_watchdog(specification: &Lts, alphabet: &EventSet) -> Lts {
    unlimited(|budget| compress::failure_watchdog(specification, alphabet, BAD, budget))
}

/// Of `I [|A|] W`: whether `bad` can be performed, and whether there is a state without transitions.
fn composed(implementation: &Lts, watchdog: &Lts) -> (bool, bool) {
    let mut met: BTreeSet<(StateId, StateId)> = BTreeSet::new();
    let mut waiting = vec![(implementation.initial(), watchdog.initial())];
    let (mut bad, mut stuck) = (false, false);
    while let Some((i, w)) = waiting.pop() {
        if !met.insert((i, w)) {
            continue;
        }
        let before = waiting.len();
        for (event, j) in implementation.transitions(i) {
            if event == EventId::TAU {
                waiting.push((j, w));
            } else {
                let both = watchdog.transitions(w).filter(|t| t.0 == event);
                waiting.extend(both.map(|t| (j, t.1)));
            }
        }
        for (event, v) in watchdog.transitions(w) {
            if event == EventId::TAU || event == BAD {
                waiting.push((i, v));
                bad |= event == BAD;
            }
        }
        stuck |= waiting.len() == before;
    }
    (bad, stuck)
}

#[test]
fn watchdogs_decide_refinement() {
    let mut random = Random(11);
    let alphabet = EventSet::range(3, 6);
    let mut verdicts = [0; 4];
    for _ in 0..1500 {
        let specification = machine(&mut random, WATCHED);
        let implementation = machine(&mut random, WATCHED);
        let traces = trace_watchdog(&specification, &alphabet);
        let (bad, _) = composed(&implementation, &traces);
        let refines_traces = refines(&specification, &implementation, Model::Traces);
        assert_eq!(!bad, refines_traces);
        let failures = failure_watchdog(&specification, &alphabet);
        let (bad, stuck) = composed(&implementation, &failures);
        let refines_failures = refines(&specification, &implementation, Model::Failures);
        assert_eq!(
            !bad && !stuck,
            refines_failures,
            "{specification:?}\n{implementation:?}\n{failures:?}"
        );
        verdicts[usize::from(refines_traces) * 2 + usize::from(refines_failures)] += 1;
    }
    assert!(verdicts[0] > 100 && verdicts[2] > 100 && verdicts[3] > 100);
}

#[test]
fn a_watchdog_never_refuses_what_it_watches() {
    let mut random = Random(12);
    for _ in 0..300 {
        let specification = machine(&mut random, WATCHED);
        let watchdog = trace_watchdog(&specification, &EventSet::range(3, 6));
        for state in watchdog.states() {
            let offered: EventSet = watchdog.transitions(state).map(|t| t.0).collect();
            let over = offered.is_empty() || offered == EventSet::single(BAD);
            assert!(over || EventSet::range(3, 6).is_subset(&offered));
        }
    }
}
