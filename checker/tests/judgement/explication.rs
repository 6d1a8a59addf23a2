//! Explication of random networks agrees with the plain simulator, state by state.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use csp_checker::options::NoObserver;
use csp_checker::reference::Simulator;
use csp_checker::{FailuresModel, Limit, Model, Options, TraceModel, check, explicate};
use csp_lts::{
    Chase, Component, ComponentId, EventId, EventSet, Lts, LtsBuilder, Network, Probe, Rule,
    RuleId, StateId,
};

use crate::process::{deadlock_free, deterministic, divergence_free, has_trace, holds, refines};
use crate::random::Random;

fn component(random: &mut Random) -> Component {
    let states = 1 + random.below(4) as u32;
    let mut builder = LtsBuilder::new();
    for _ in 0..states {
        let edges: Vec<_> = (0..random.below(4))
            .map(|_| {
                let from = random.below(6) as u32;
                let label = EventSet::range(from, from + 1 + random.below(2) as u32);
                (
                    Arc::new(label),
                    StateId(random.below(states as usize) as u32),
                )
            })
            .collect();
        builder.state(edges);
    }
    Component {
        name: "C".to_owned(),
        lts: Arc::new(builder.finish(StateId(0))),
        initial: StateId(random.below(states as usize) as u32),
    }
}

fn some_events(random: &mut Random, components: usize) -> Box<[(ComponentId, EventId)]> {
    let mut all = Vec::new();
    for c in 0..components {
        if random.below(2) == 0 {
            all.push((ComponentId(c as u32), EventId(random.below(7) as u32)));
        }
    }
    if all.is_empty() {
        all.push((ComponentId(0), EventId(random.below(7) as u32)));
    }
    all.into()
}

fn rule(random: &mut Random, components: &[Component], blockers: usize) -> Rule {
    let participants = some_events(random, components.len());
    let mut resets = Vec::new();
    for (c, component) in (0..).map(ComponentId).zip(components) {
        if random.below(8) == 0 && participants.iter().all(|p| p.0 != c) {
            resets.push((c, StateId(random.below(component.lts.state_count()) as u32)));
        }
    }
    let result = [
        EventId::TAU,
        EventId::TICK,
        EventId(3),
        EventId(4),
        EventId(5),
    ][random.below(5)];
    Rule {
        result,
        revealed: result,
        participants,
        resets: resets.into(),
        blocked_by: (blockers > 0 && random.below(3) == 0).then(|| random.below(blockers) as u32),
    }
}

/// Up to four components, a dozen rules, some with priority, sometimes a chase.
pub(crate) fn random_network(random: &mut Random) -> Network {
    let components: Vec<Component> = (0..1 + random.below(4))
        .map(|_| component(random))
        .collect();
    let probes = (0..2)
        .map(|_| Probe {
            offers: some_events(random, components.len()),
            blocked_by: None,
        })
        .collect();
    let blockers: Vec<Box<[u32]>> = vec![Box::new([0]), Box::new([0, 1])];
    let count = 2 + random.below(12);
    let rules: Vec<Rule> = (0..count)
        .map(|_| rule(random, &components, blockers.len()))
        .collect();
    let silent: Box<[RuleId]> = (0..)
        .map(RuleId)
        .zip(&rules)
        .filter(|(_, r)| r.result == EventId::TAU)
        .map(|(id, _)| id)
        .take(2)
        .collect();
    let chases = if random.below(4) == 0 && !silent.is_empty() {
        vec![Chase {
            name: "C".to_owned(),
            rules: silent,
        }]
    } else {
        Vec::new()
    };
    Network {
        components,
        rules,
        probes,
        blockers,
        chases,
    }
}

/// The explicit system by the simulator, or the name of a process that is chased without end.
fn plainly(network: &Network) -> Result<Vec<BTreeSet<(EventId, usize)>>, String> {
    let simulator = Simulator::new(network);
    let (initial, _) = simulator.initial().map_err(|e| e.0)?;
    let mut numbers = HashMap::from([(initial.clone(), 0)]);
    let mut states = vec![initial];
    let mut transitions = Vec::new();
    while transitions.len() < states.len() {
        let mut own = BTreeSet::new();
        let state = states[transitions.len()].clone();
        for successor in simulator.successors(&state).map_err(|e| e.0)? {
            let number = *numbers
                .entry(successor.state.clone())
                .or_insert(states.len());
            if number == states.len() {
                states.push(successor.state);
            }
            own.insert((network.rules[successor.rule.0 as usize].result, number));
        }
        transitions.push(own);
    }
    Ok(transitions)
}

fn table(lts: &Lts) -> Vec<BTreeSet<(EventId, usize)>> {
    lts.states()
        .map(|s| lts.transitions(s).map(|(e, t)| (e, t.0 as usize)).collect())
        .collect()
}

#[test]
fn random_networks_are_tabulated_as_the_simulator_steps_them() {
    let mut random = Random::new(21);
    let (mut states, mut endless) = (0, 0);
    for _ in 0..3000 {
        let network = random_network(&mut random);
        let found = explicate(&network, &Options::default(), &NoObserver);
        match plainly(&network) {
            Ok(expected) => {
                let lts = found.unwrap();
                assert_eq!(lts.state_count(), expected.len(), "{network:?}");
                if network.components.len() > 1 {
                    assert_eq!(table(&lts), expected, "{network:?}");
                } else {
                    assert_eq!(
                        transition_counts(&table(&lts)),
                        transition_counts(&expected)
                    );
                }
                states += expected.len();
            }
            Err(_) => {
                assert!(matches!(found, Err(Limit::Unsupported(_))), "{network:?}");
                endless += 1;
            }
        }
    }
    assert!(
        states > 5000 && endless > 50,
        "{states} states, {endless} endless"
    );
}

/// A relabelled component numbers its states by its own edges, so only the shape is compared.
fn transition_counts(table: &[BTreeSet<(EventId, usize)>]) -> Vec<Vec<EventId>> {
    let mut all: Vec<Vec<EventId>> = table
        .iter()
        .map(|s| s.iter().map(|(e, _)| *e).collect())
        .collect();
    all.sort();
    all
}

/// A network and its explicit system have the same meaning; counterexamples replay through chases,
/// priorities and resets, or the check would panic.
#[test]
fn a_network_is_equivalent_to_its_explicit_system() {
    let mut random = Random::new(22);
    for _ in 0..400 {
        let network = random_network(&mut random);
        let Ok(lts) = explicate(&network, &Options::default(), &NoObserver) else {
            continue;
        };
        let explicit = Network::of_lts("P", Arc::new(lts));
        let other = random_network(&mut random);
        for model in [Model::FailuresDivergences, Model::RefusalTestingDivergences] {
            let ask = |s: &Network, i: &Network| {
                check(&refines(s, i, model), &Options::default(), &NoObserver)
            };
            assert!(holds(&ask(&network, &explicit)));
            assert!(holds(&ask(&explicit, &network)));
            if explicate(&other, &Options::default(), &NoObserver).is_ok() {
                let (one, two) = (ask(&other, &network), ask(&other, &explicit));
                assert_eq!(holds(&one), holds(&two));
            }
        }
    }
}

/// Properties of networks, chased without end or not: decided the same way as on the explicit
/// system, for any number of threads, and never a panic.
#[test]
fn every_property_of_a_random_network_is_decided() {
    let mut random = Random::new(23);
    let mut failures = 0;
    for _ in 0..250 {
        let network = random_network(&mut random);
        let explicit = explicate(&network, &Options::default(), &NoObserver);
        let explicit = explicit.map(|lts| Network::of_lts("P", Arc::new(lts)));
        let claims = |p: &Network| {
            [
                deadlock_free(p, FailuresModel::FailuresDivergences),
                divergence_free(p),
                deterministic(p, FailuresModel::Failures),
                deterministic(p, FailuresModel::FailuresDivergences),
                has_trace(p, TraceModel::Traces, "ab"),
                has_trace(p, TraceModel::Failures, "a"),
                has_trace(p, TraceModel::FailuresDivergences, "bc"),
            ]
        };
        for (at, claim) in claims(&network).iter().enumerate() {
            let outcome = check(claim, &Options::default(), &NoObserver);
            if let Ok(explicit) = &explicit {
                let other = check(&claims(explicit)[at], &Options::default(), &NoObserver);
                assert_eq!(holds(&outcome), holds(&other), "{claim:?}");
                failures += usize::from(!holds(&outcome));
            }
            let threads = Options {
                threads: 3,
                ..Options::default()
            };
            let parallel = check(claim, &threads, &NoObserver);
            assert_eq!(
                format!("{:?}", outcome.verdict),
                format!("{:?}", parallel.verdict)
            );
        }
    }
    assert!(failures > 300, "{failures}");
}
