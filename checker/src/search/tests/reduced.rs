//! Reduced searches against whole ones: the same verdict, on random networks.

use super::*;
use crate::check::check;
use crate::claim::{Claim, FailuresModel, Model};
use crate::options::Reductions;
use crate::outcome::Verdict;
use crate::reduction::{DROPPED, Demand, refusal};

/// A specification that allows most of what a random network does.
fn specification(dice: &mut Dice) -> Network {
    let states = 1 + dice.below(3);
    let generous = [60, 85, 97][dice.below(3)];
    let mut builder = LtsBuilder::new();
    for _ in 0..states {
        let mut edges = Vec::new();
        for event in [1, 3, 4, 5, 6] {
            if dice.chance(generous) {
                let label = Arc::new(EventSet::single(EventId(event)));
                edges.push((label, StateId(dice.below(states) as u32)));
            }
        }
        if dice.chance(20) {
            let label = Arc::new(EventSet::single(EventId::TAU));
            edges.push((label, StateId(dice.below(states) as u32)));
        }
        builder.state(edges);
    }
    Network::of_lts("Specification", Arc::new(builder.finish(StateId(0))))
}

/// Components in two halves that hardly meet, with many silent rules.
fn loose_network(dice: &mut Dice) -> Network {
    let mut network = random_network(dice);
    let count = network.components.len();
    for rule in &mut network.rules {
        rule.blocked_by = None;
        if dice.chance(70) {
            let half = dice.below(2);
            let mut kept = rule.participants.to_vec();
            kept.retain(|(c, _)| (c.0 as usize * 2 >= count) == (half == 1));
            if !kept.is_empty() {
                rule.participants = kept.into();
                rule.resets = Box::default();
            }
        }
        if dice.chance(30) {
            rule.result = EventId::TAU;
        }
    }
    network.probes.clear();
    network.blockers.clear();
    network.chases.clear();
    network
}

fn random_claim(dice: &mut Dice) -> Claim {
    let process = loose_network(dice);
    let models = [FailuresModel::Failures, FailuresModel::FailuresDivergences];
    match dice.below(7) {
        0 => Claim::DeadlockFree {
            process,
            model: models[0],
        },
        1 => Claim::DeadlockFree {
            process,
            model: models[1],
        },
        2 => Claim::DivergenceFree { process },
        at => Claim::Refines {
            specification: specification(dice),
            implementation: process,
            model: [Model::Traces, Model::Failures, Model::FailuresDivergences][at % 3],
        },
    }
}

/// One component and copies of another, with rules that treat all copies alike; where the results of rules
/// tell the copies apart, all of them do.
fn symmetric_network(dice: &mut Dice) -> Network {
    let copies = 2 + dice.below(3);
    let (shared, copied) = (random_component(dice, 0), random_component(dice, 1));
    let mut network = Network::default();
    network.components.push(shared);
    network.components.extend(vec![copied; copies]);
    for _ in 0..2 + dice.below(6) {
        let with_shared = dice.chance(40);
        let roles = 1 + dice.below(2);
        let own = dice.chance(30);
        let event = if dice.chance(40) {
            EventId::TAU
        } else {
            EventId([1, 3, 4, 5][dice.below(4)])
        };
        let mut local = || EventId(dice.below(LOCAL_EVENTS as usize) as u32);
        let (of_shared, of_roles) = (local(), [local(), local()]);
        for first in 0..copies {
            for second in (0..copies).filter(|s| if roles == 1 { *s == first } else { *s != first })
            {
                let mut participants = vec![(ComponentId(1 + first as u32), of_roles[0])];
                if roles == 2 {
                    participants.push((ComponentId(1 + second as u32), of_roles[1]));
                }
                if with_shared {
                    participants.push((ComponentId(0), of_shared));
                }
                participants.sort_unstable();
                network.rules.push(Rule {
                    result: if own {
                        EventId(10 + first as u32)
                    } else {
                        event
                    },
                    revealed: event,
                    participants: participants.into(),
                    resets: Box::default(),
                    blocked_by: None,
                });
            }
        }
    }
    network
}

/// A specification that may or may not tell copies apart.
fn about_copies(dice: &mut Dice) -> Network {
    let mut builder = LtsBuilder::new();
    let states = 1 + dice.below(2);
    let blind = dice.chance(60);
    for state in 0..states {
        let mut edges = Vec::new();
        let next = StateId((state as u32 + 1) % states as u32);
        for event in [1, 3, 4, 5, 10, 11, 12, 13] {
            let alike = event >= 10 && blind;
            if alike || dice.chance(90) {
                let to = if alike {
                    next
                } else {
                    StateId(dice.below(states) as u32)
                };
                edges.push((Arc::new(EventSet::single(EventId(event))), to));
            }
        }
        builder.state(edges);
    }
    Network::of_lts("Specification", Arc::new(builder.finish(StateId(0))))
}

fn symmetric_claim(dice: &mut Dice) -> Claim {
    let process = symmetric_network(dice);
    let model = match dice.below(4) {
        0 => {
            let model = FailuresModel::Failures;
            return Claim::DeadlockFree { process, model };
        }
        1 => {
            let model = FailuresModel::FailuresDivergences;
            return Claim::DeadlockFree { process, model };
        }
        2 => Model::Traces,
        _ => [
            Model::Failures,
            Model::FailuresDivergences,
            Model::Revivals,
            Model::RevivalsDivergences,
        ][dice.below(4)],
    };
    Claim::Refines {
        specification: about_copies(dice),
        implementation: process,
        model,
    }
}

/// Whether a claim fails, after how many steps, and what was covered.
fn fails(
    claim: &Claim,
    reductions: Reductions,
    threads: usize,
) -> (Option<Option<usize>>, Statistics) {
    let options = Options {
        reductions,
        threads,
        ..Options::default()
    };
    let outcome = check(claim, &options, &NoObserver);
    let fails = match outcome.verdict {
        Verdict::Holds => Some(None),
        Verdict::Fails(found) => Some(Some(found[0].steps.len())),
        Verdict::Inconclusive(_) => None,
    };
    (fails, outcome.statistics)
}

fn agree(
    seeds: std::ops::Range<u64>,
    random_claim: impl Fn(&mut Dice) -> Claim,
    reductions: Reductions,
) {
    let (mut failing, mut smaller, mut all) = (0, 0, 0);
    for seed in seeds {
        let claim = random_claim(&mut Dice(seed));
        let (expected, whole) = fails(&claim, Reductions::default(), 1);
        let (found, reduced) = fails(&claim, reductions, 1);
        assert!(expected.is_some(), "seed {seed}");
        let verdict = |found: Option<Option<usize>>| found.map(|steps| steps.is_some());
        assert_eq!(verdict(found), verdict(expected), "seed {seed}: {claim:?}");
        let (again, counts) = fails(&claim, reductions, 3);
        assert_eq!(again, found, "seed {seed}, three threads");
        assert_eq!(
            counts.ply_sizes, reduced.ply_sizes,
            "seed {seed}, three threads"
        );
        // Without symmetry, steps to come to rest are not counted when the shortest way is chosen.
        if !reductions.partial_order {
            assert!(
                found.flatten() <= expected.flatten(),
                "seed {seed}: {claim:?}"
            );
        }
        all += 1;
        failing += usize::from(verdict(expected) == Some(true));
        smaller += usize::from(reduced.states < whole.states);
    }
    assert!(
        failing * 5 > all && failing * 5 < all * 4,
        "{failing} of {all} fail"
    );
    assert!(smaller * 20 > all, "{smaller} of {all} are smaller");
}

#[test]
fn partial_order_reduction_changes_no_verdict() {
    let reductions = Reductions {
        partial_order: true,
        symmetry: false,
    };
    agree(0..1_500, random_claim, reductions);
}

#[test]
fn symmetry_reduction_changes_neither_verdicts_nor_depths() {
    let reductions = Reductions {
        partial_order: false,
        symmetry: true,
    };
    agree(0..1_000, symmetric_claim, reductions);
}

#[test]
fn both_reductions_together_change_no_verdict() {
    let reductions = Reductions {
        partial_order: true,
        symmetry: true,
    };
    let options = Options {
        reductions,
        ..Options::default()
    };
    let covered = |dice: &mut Dice| {
        let mut claims = std::iter::repeat_with(|| symmetric_claim(dice));
        let covered = claims.find(|claim| refusal(claim, &options).is_none());
        covered.expect("most are covered")
    };
    agree(0..1_000, covered, reductions);
}

#[test]
fn what_partial_order_reduction_is_not_proved_for_is_refused() {
    let process = loose_network(&mut Dice(1));
    let claim = Claim::Refines {
        specification: process.clone(),
        implementation: process,
        model: Model::RefusalTesting,
    };
    let options = Options {
        reductions: Reductions {
            partial_order: true,
            symmetry: false,
        },
        ..Options::default()
    };
    let outcome = check(&claim, &options, &NoObserver);
    let Verdict::Inconclusive(Limit::Irreducible(why)) = outcome.verdict else {
        panic!("nothing is decided");
    };
    assert!(
        why.ends_with("sound for the refusal-testing models"),
        "{why}"
    );
}

/// A transition system, by the transitions of each state.
fn system(states: &[&[(EventId, u32)]]) -> Arc<csp_lts::Lts> {
    let mut builder = LtsBuilder::new();
    for edges in states {
        let edges = edges.iter();
        builder.state(edges.map(|(e, to)| (Arc::new(EventSet::single(*e)), StateId(*to))));
    }
    Arc::new(builder.finish(StateId(0)))
}

/// Systems side by side, that have nothing to do with one another.
fn side_by_side(systems: Vec<Arc<csp_lts::Lts>>) -> Network {
    let mut network = Network::default();
    for (at, lts) in (0..).zip(systems) {
        for mut rule in Network::of_lts("", Arc::clone(&lts)).rules {
            rule.participants[0].0 = ComponentId(at);
            network.rules.push(rule);
        }
        let name = format!("C{at}");
        let initial = StateId(0);
        network.components.push(Component { name, lts, initial });
    }
    network
}

/// Systems that move together by rules: the event of each, and who takes part on the same event.
fn together(systems: Vec<Arc<csp_lts::Lts>>, rules: &[(EventId, &[u32])]) -> Network {
    let rules = rules.iter().map(|(event, components)| Rule {
        result: *event,
        revealed: *event,
        participants: components
            .iter()
            .map(|c| (ComponentId(*c), *event))
            .collect(),
        resets: Box::default(),
        blocked_by: None,
    });
    Network {
        rules: rules.collect(),
        ..side_by_side(systems)
    }
}

/// A claim that fails, and that does not seem to if a demand is dropped.
fn needing(demand: Demand) -> Claim {
    let (tau, a, b, c) = (EventId::TAU, EventId(3), EventId(4), EventId(5));
    let claim = |specification, model, implementation| Claim::Refines {
        specification: Network::of_lts("Specification", specification),
        implementation: side_by_side(implementation),
        model,
    };
    let deadlock = |process| Claim::DeadlockFree {
        process,
        model: FailuresModel::Failures,
    };
    match demand {
        // `b`, which the first component only admits, before `a`, after which it does not.
        Demand::Readers => deadlock(together(
            vec![
                system(&[&[(a, 1), (b, 0)], &[(c, 1)]]),
                system(&[&[(b, 1), (c, 0)], &[]]),
            ],
            &[(a, &[0]), (b, &[0, 1]), (c, &[0, 1])],
        )),
        // `b` in place of `a`.
        Demand::Movers => deadlock(together(
            vec![system(&[&[(a, 1), (b, 2)], &[(a, 1)], &[]])],
            &[(a, &[0]), (b, &[0])],
        )),
        // `b` in place of `a`, once `c` has enabled it.
        Demand::Help => deadlock(together(
            vec![
                system(&[&[(a, 1), (b, 2)], &[(a, 1)], &[]]),
                system(&[&[(c, 1)], &[(b, 1)]]),
            ],
            &[(a, &[0]), (b, &[0, 1]), (c, &[1])],
        )),
        // `b` comes before `a`.
        Demand::Events => claim(
            system(&[&[(a, 1), (b, 3)], &[(b, 2)], &[], &[]]),
            Model::Traces,
            vec![
                system(&[&[(tau, 1), (a, 2)], &[], &[]]),
                system(&[&[(b, 1)], &[]]),
            ],
        ),
        // `a` comes at all, beside something that goes round for ever.
        Demand::Returns => claim(
            system(&[&[]]),
            Model::Traces,
            vec![
                system(&[&[(tau, 1)], &[(tau, 0)]]),
                system(&[&[(tau, 1)], &[(a, 2)], &[]]),
            ],
        ),
        // After τ, `b` is refused.
        Demand::Silence => claim(
            system(&[&[(a, 1), (b, 1)], &[]]),
            Model::Failures,
            vec![system(&[&[(a, 1)], &[]]), system(&[&[(tau, 1)], &[]])],
        ),
        Demand::Images => unreachable!("no claim is known that needs it"),
    }
}

/// Whether a verdict differs if a demand is dropped.
fn is_missed(demand: Demand, claim: &Claim) -> bool {
    let reductions = Reductions {
        partial_order: true,
        symmetry: false,
    };
    let verdict = |found: Option<Option<usize>>| found.map(|steps| steps.is_some());
    let (expected, _) = fails(claim, Reductions::default(), 1);
    let (whole, _) = fails(claim, reductions, 1);
    assert_eq!(verdict(whole), verdict(expected), "{claim:?}");
    DROPPED.set(Some(demand));
    let found = std::panic::catch_unwind(|| fails(claim, reductions, 1).0);
    DROPPED.set(None);
    found.map_or(true, |found| verdict(found) != verdict(expected))
}

#[test]
fn every_demand_on_stubborn_sets_is_needed() {
    for demand in [
        Demand::Readers,
        Demand::Movers,
        Demand::Help,
        Demand::Events,
        Demand::Returns,
        Demand::Silence,
    ] {
        assert!(is_missed(demand, &needing(demand)), "{demand:?}");
    }
}
