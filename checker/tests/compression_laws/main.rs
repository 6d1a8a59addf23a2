//! Laws of the compressions on random machines, judged by definitions written out here.

mod judge;
mod naive;
mod priority;
mod random;
mod size;
mod unlimited;
mod watchdogs;

use std::sync::Arc;

use csp_checker::claim::Model;
use csp_checker::compress::{
    self, Purpose, Replaced, chase, deter, endless, preserves, preserves_steps, tau_loop_factor,
};
use csp_lts::{Compression, EventId, EventSet, Lts, LtsBuilder, StateId};
use naive::Matching;
use random::{Random, SILENT, SMALL, STABLE, Shape, machine};
use unlimited::{compress, dbisim, diamond, sbisim, unlimited, wbisim};

const MODELS: [Model; 7] = [
    Model::Traces,
    Model::Failures,
    Model::FailuresDivergences,
    Model::Revivals,
    Model::RevivalsDivergences,
    Model::RefusalTesting,
    Model::RefusalTestingDivergences,
];

/// Machines of every shape, from one seed.
fn machines(seed: u64, each: usize) -> impl Iterator<Item = Lts> {
    let mut random = Random(seed);
    let shapes: Vec<Shape> = [SMALL, SILENT, STABLE].repeat(each);
    shapes
        .into_iter()
        .map(move |shape| machine(&mut random, shape))
}

/// A machine from (from, event, to); state 0 is the initial one.
fn explicit(states: u32, transitions: &[(u32, u32, u32)]) -> Lts {
    let mut builder = LtsBuilder::new();
    for state in 0..states {
        let of_state = transitions.iter().filter(|t| t.0 == state);
        builder.state(of_state.map(|&(_, event, target)| {
            (Arc::new(EventSet::single(EventId(event))), StateId(target))
        }));
    }
    builder.finish(StateId(0))
}

#[test]
fn meaning_is_preserved_where_it_is_promised() {
    for (i, lts) in machines(1, 25).enumerate() {
        for kind in Compression::ALL {
            for model in MODELS {
                if matches!(kind, Compression::Deter | Compression::Chase) {
                    assert!(!preserves(kind, model));
                    continue;
                }
                let compressed = compress(kind, model, &lts);
                assert!(
                    judge::equal(&lts, &compressed, model),
                    "{} in {model:?} of machine {i}:\n{lts:?}\n{compressed:?}",
                    kind.name()
                );
            }
        }
    }
}

#[test]
fn traces_failures_and_divergences_are_preserved_on_many_machines() {
    for (i, lts) in machines(2, 250).enumerate() {
        for model in [Model::Traces, Model::Failures, Model::FailuresDivergences] {
            for kind in [
                Compression::Diamond,
                Compression::Normal,
                Compression::ModelCompress,
                Compression::Wbisim,
            ] {
                let compressed = compress(kind, model, &lts);
                assert!(
                    judge::equal(&lts, &compressed, model),
                    "{} in {model:?} of machine {i}:\n{lts:?}\n{compressed:?}",
                    kind.name()
                );
            }
        }
    }
}

#[test]
fn compressing_twice_changes_nothing() {
    for (i, lts) in machines(3, 300).enumerate() {
        for kind in Compression::ALL {
            for model in &MODELS[..3] {
                let once = compress(kind, *model, &lts);
                let twice = compress(kind, *model, &once);
                assert_eq!(
                    once.state_count(),
                    twice.state_count(),
                    "{} in {model:?} of machine {i}:\n{lts:?}\n{once:?}\n{twice:?}",
                    kind.name()
                );
            }
        }
    }
}

#[test]
fn only_normal_forms_may_have_more_states() {
    for lts in machines(4, 300) {
        for kind in Compression::ALL {
            for model in MODELS {
                let compressed = compress(kind, model, &lts);
                let may_grow = matches!(kind, Compression::Normal | Compression::LazyNorm);
                assert!(may_grow || compressed.state_count() <= lts.state_count());
            }
        }
    }
}

#[test]
fn bisimulations_have_as_many_states_as_there_are_classes() {
    for (i, lts) in machines(5, 1500).enumerate() {
        for (matching, compressed) in [
            (Matching::Strong, sbisim(&lts)),
            (Matching::Delay, dbisim(&lts)),
            (Matching::Weak, wbisim(&lts)),
        ] {
            let classes = naive::classes(&lts, matching);
            assert_eq!(compressed.state_count(), classes, "machine {i}:\n{lts:?}");
        }
    }
}

#[test]
fn strong_classes_agree_on_larger_machines() {
    let wide = Shape {
        most_states: 60,
        most_edges: 3,
        events: &[0, 3, 4],
    };
    let narrow = Shape {
        most_states: 60,
        most_edges: 2,
        events: &[3],
    };
    let mut random = Random(6);
    for _ in 0..600 {
        for shape in [wide, narrow] {
            let lts = machine(&mut random, shape);
            let classes = naive::classes(&lts, Matching::Strong);
            assert_eq!(sbisim(&lts).state_count(), classes);
        }
    }
}

#[test]
fn the_numbering_of_the_argument_leaves_the_size_alone() {
    let mut random = Random(7);
    for lts in machines(8, 300) {
        let count = lts.state_count();
        let mut order: Vec<usize> = (0..count).collect();
        for i in (1..count).rev() {
            order.swap(
                i,
                usize::try_from(random.below(i as u64 + 1)).expect("small"),
            );
        }
        let mut place = vec![StateId(0); count];
        for (at, &state) in order.iter().enumerate() {
            place[state] = StateId(u32::try_from(at).expect("small"));
        }
        let mut builder = LtsBuilder::new();
        for &state in &order {
            let state = StateId(u32::try_from(state).expect("small"));
            let moved =
                |(e, t): (EventId, StateId)| (Arc::new(EventSet::single(e)), place[t.0 as usize]);
            builder.state(lts.transitions(state).map(moved).collect::<Vec<_>>());
        }
        let shuffled = builder.finish(place[lts.initial().0 as usize]);
        for kind in Compression::ALL {
            if matches!(kind, Compression::Chase | Compression::Deter) {
                continue;
            }
            let model = Model::FailuresDivergences;
            let (one, other) = (
                compress(kind, model, &lts),
                compress(kind, model, &shuffled),
            );
            let sizes = (one.state_count(), other.state_count());
            if kind == Compression::Diamond {
                // Which of several equivalent stable states stays is a matter of numbering.
                assert!(judge::equal(&one, &other, model));
            } else {
                assert_eq!(sizes.0, sizes.1, "{}", kind.name());
            }
        }
    }
}

#[test]
fn diamond_does_not_lose_divergence() {
    // τ loop behind a τ, beside a stable state: FDR once took this for convergent.
    let lts = explicit(4, &[(0, 0, 1), (0, 0, 2), (1, 0, 1), (2, 3, 3)]);
    let compressed = diamond(&lts);
    assert!(judge::diverges(&compressed, &judge::initial(&compressed)));
    assert!(judge::equal(&lts, &compressed, Model::Failures));
    // The loop is at the state that would be merged into its successor.
    let lts = explicit(3, &[(0, 0, 0), (0, 0, 1), (1, 3, 2)]);
    let compressed = diamond(&lts);
    assert!(judge::diverges(&compressed, &judge::initial(&compressed)));
    assert_eq!(compressed.state_count(), 3);
}

#[test]
fn diamonds_collapse() {
    // Two independent τ before a visible event: four states around a diamond become one.
    let lts = explicit(5, &[(0, 0, 1), (0, 0, 2), (1, 0, 3), (2, 0, 3), (3, 3, 4)]);
    let compressed = diamond(&lts);
    assert_eq!(compressed, explicit(2, &[(0, 3, 1)]));
    assert_eq!(wbisim(&lts), compressed);
}

#[test]
fn loops_of_tau_leave_their_mark() {
    let lts = explicit(4, &[(0, 0, 1), (1, 0, 0), (1, 3, 2), (0, 4, 3)]);
    let factored = tau_loop_factor(&lts);
    assert_eq!(factored.state_count(), 3);
    let expected = [(0, 0, 0), (0, 3, 1), (0, 4, 2)];
    assert!(judge::equal(
        &factored,
        &explicit(3, &expected),
        Model::Failures
    ));
    assert_eq!(factored.transition_count(), 3);
}

#[test]
fn labels_are_compared_event_by_event() {
    let ab = Arc::new(EventSet::range(3, 5));
    let (a, b) = (
        Arc::new(EventSet::single(EventId(3))),
        Arc::new(EventSet::single(EventId(4))),
    );
    let mut builder = LtsBuilder::new();
    let c = Arc::new(EventSet::single(EventId(5)));
    builder.state([(Arc::clone(&c), StateId(1)), (Arc::clone(&c), StateId(2))]);
    builder.state([(ab, StateId(3))]);
    builder.state([(a, StateId(3)), (b, StateId(4))]);
    builder.state([]);
    builder.state([]);
    let reduced = sbisim(&builder.finish(StateId(0)));
    assert_eq!((reduced.state_count(), reduced.edge_count()), (3, 2));
}

#[test]
fn one_resolution_is_deterministic_and_refines() {
    for lts in machines(9, 500) {
        let resolved = deter(&lts);
        assert!(judge::refines(&lts, &resolved, Model::Failures), "{lts:?}");
        for state in resolved.states() {
            let events: Vec<EventId> = resolved.transitions(state).map(|t| t.0).collect();
            let distinct: std::collections::BTreeSet<_> = events.iter().collect();
            assert_eq!(events.len(), distinct.len());
        }
    }
}

#[test]
fn one_resolution_settles_wherever_that_is_possible() {
    let mut settling = 0;
    for lts in machines(15, 500) {
        let settles = |state: StateId| {
            let reached = judge::closure(&lts, &[state].into());
            reached.iter().any(|&s| judge::stable(&lts, s))
        };
        if lts.states().all(settles) {
            let resolved = deter(&lts);
            let reached = naive::reachable(&resolved);
            assert!(reached.iter().all(|&s| judge::stable(&resolved, s)));
            settling += 1;
        }
    }
    assert!(settling > 100, "{settling}");
}

#[test]
fn chase_ends_in_stable_states_unless_it_is_endless() {
    let mut endless_ones = 0;
    for lts in machines(10, 500) {
        let chased = chase(&lts);
        assert!(judge::refines(&lts, &chased, Model::Failures), "{lts:?}");
        let stable = chased.states().all(|s| judge::stable(&chased, s));
        assert!(stable || endless(&lts).is_some());
        endless_ones += usize::from(!stable);
    }
    assert!(endless_ones > 50);
}

#[test]
fn any_compression_may_be_asked_for_under_priority_and_chase() {
    let mut replaced = 0;
    for lts in machines(14, 400) {
        let original = priority::prioritised(&lts);
        for kind in Compression::ALL {
            if matches!(kind, Compression::Deter | Compression::Chase) {
                continue;
            }
            let purpose = Purpose {
                model: Model::Failures,
                stepwise: true,
            };
            let compressed = unlimited(|b| compress::compress(kind, purpose, &lts, b));
            let expected = (!preserves_steps(kind)).then_some(Replaced::Stepwise);
            assert_eq!(compressed.replaced, expected);
            replaced += usize::from(expected.is_some());
            let prioritised = priority::prioritised(&compressed.lts);
            for model in &MODELS[..3] {
                assert!(
                    judge::equal(&original, &prioritised, *model),
                    "{} of {lts:?}",
                    kind.name()
                );
            }
        }
    }
    assert!(replaced > 0);
}

#[test]
fn acceptances_written_as_silent_steps_must_not_meet_priority_or_chase() {
    // a -> b -> STOP [] a -> c -> STOP: after a it is not determined whether b or c is refused.
    let lts = explicit(5, &[(0, 3, 1), (0, 3, 2), (1, 4, 3), (2, 5, 4)]);
    let normal = compress(Compression::Normal, Model::Failures, &lts);
    assert!(judge::equal(&lts, &normal, Model::Failures));
    // Nothing is to be chased in the one, but in the other a choice would be made.
    assert_eq!(chase(&lts).state_count(), 5);
    assert!(!judge::equal(&lts, &chase(&normal), Model::Failures));
    let purpose = Purpose {
        model: Model::Failures,
        stepwise: true,
    };
    let instead = unlimited(|b| compress::compress(Compression::Normal, purpose, &lts, b));
    assert!(judge::equal(&lts, &chase(&instead.lts), Model::Failures));
}

#[test]
fn hubs_and_long_chains_are_reduced() {
    // Two hubs with an edge to every state of a chain of which nothing can be merged.
    let length = 3000;
    let mut transitions = vec![(0, 3, 1), (0, 4, 2)];
    for state in 3..length {
        transitions.push((1, 5, state));
        transitions.push((2, 5, state));
        if state + 1 < length {
            transitions.push((state, 3, state + 1));
        }
    }
    let mut builder = LtsBuilder::new();
    let mut rows: Vec<Vec<_>> = vec![Vec::new(); length as usize];
    for (from, event, to) in transitions {
        let label = Arc::new(EventSet::single(EventId(event)));
        rows[from as usize].push((label, StateId(to)));
    }
    rows.into_iter().for_each(|row| {
        builder.state(row);
    });
    let lts = builder.finish(StateId(0));
    assert_eq!(sbisim(&lts).state_count(), length as usize - 1);
    assert_eq!(dbisim(&lts).state_count(), length as usize - 1);
}
