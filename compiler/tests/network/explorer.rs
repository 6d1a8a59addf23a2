//! A naive explorer of networks and a naive strong bisimulation, written for clarity.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use csp_compiler::compress::{Compressed, Compressor, Request};
use csp_compiler::process::Watchdog;
use csp_lts::{ComponentId, EventId, EventSet, Lts, LtsBuilder, Network, RuleId, StateId};
use std::sync::Arc;

type Vector = Vec<StateId>;

fn targets(
    network: &Network,
    state: &Vector,
    component: ComponentId,
    event: EventId,
) -> Vec<StateId> {
    let lts = &network.components[component.0 as usize].lts;
    let targets: BTreeSet<StateId> = lts
        .transitions(state[component.0 as usize])
        .filter(|t| t.0 == event)
        .map(|t| t.1)
        .collect();
    targets.into_iter().collect()
}

fn blocked(network: &Network, state: &Vector, blocker: Option<u32>) -> bool {
    let Some(blocker) = blocker else {
        return false;
    };
    network.blockers[blocker as usize].iter().any(|&probe| {
        let probe = &network.probes[probe as usize];
        let offered = |o: &(ComponentId, EventId)| !targets(network, state, o.0, o.1).is_empty();
        probe.offers.iter().all(offered) && !blocked(network, state, probe.blocked_by)
    })
}

fn fire(network: &Network, state: &Vector, rule: RuleId) -> Vec<Vector> {
    let rule = &network.rules[rule.0 as usize];
    if blocked(network, state, rule.blocked_by) {
        return Vec::new();
    }
    let mut next = vec![state.clone()];
    for &(component, event) in &rule.participants {
        let targets = targets(network, state, component, event);
        next = next
            .into_iter()
            .flat_map(|vector| {
                targets.iter().map(move |&target| {
                    let mut vector = vector.clone();
                    vector[component.0 as usize] = target;
                    vector
                })
            })
            .collect();
    }
    for vector in &mut next {
        for &(component, state) in &rule.resets {
            vector[component.0 as usize] = state;
        }
    }
    next
}

fn chased(network: &Network, mut state: Vector) -> Vector {
    let mut steps = 0;
    'again: loop {
        for chase in &network.chases {
            for &rule in &chase.rules {
                if let Some(next) = fire(network, &state, rule).into_iter().next() {
                    state = next;
                    steps += 1;
                    assert!(steps < 100_000, "the chase of {} ends", chase.name);
                    continue 'again;
                }
            }
        }
        return state;
    }
}

/// All states of a network; none if there are more than the limit.
pub(crate) fn explore(network: &Network, limit: usize) -> Option<Lts> {
    check(network);
    let silent: HashSet<RuleId> = network
        .chases
        .iter()
        .flat_map(|c| c.rules.iter().copied())
        .collect();
    let initial = chased(
        network,
        network.components.iter().map(|c| c.initial).collect(),
    );
    let mut index: HashMap<Vector, StateId> = HashMap::from([(initial.clone(), StateId(0))]);
    let mut order = vec![initial];
    let mut builder = LtsBuilder::new();
    let mut done = 0;
    while done < order.len() {
        let mut edges: BTreeMap<StateId, BTreeSet<EventId>> = BTreeMap::new();
        for rule in (0..network.rules.len() as u32).map(RuleId) {
            if silent.contains(&rule) {
                continue;
            }
            for next in fire(network, &order[done].clone(), rule) {
                let next = chased(network, next);
                let target = *index.entry(next.clone()).or_insert_with(|| {
                    order.push(next);
                    StateId(order.len() as u32 - 1)
                });
                edges
                    .entry(target)
                    .or_default()
                    .insert(network.rules[rule.0 as usize].result);
            }
        }
        if order.len() > limit {
            return None;
        }
        builder.state(
            edges.into_iter().map(|(target, events)| {
                (Arc::new(events.into_iter().collect::<EventSet>()), target)
            }),
        );
        done += 1;
    }
    Some(builder.finish(StateId(0)))
}

/// The promises that the types of `lts::network` make.
fn check(network: &Network) {
    for rule in &network.rules {
        assert!(!rule.participants.is_empty());
        assert!(rule.participants.windows(2).all(|w| w[0].0 < w[1].0));
        assert!(rule.resets.windows(2).all(|w| w[0].0 < w[1].0));
        assert_ne!(rule.result, EventId::OMEGA);
        for (component, state) in &rule.resets {
            assert!(rule.participants.iter().all(|p| p.0 != *component));
            let lts = &network.components[component.0 as usize].lts;
            assert!((state.0 as usize) < lts.state_count());
        }
    }
}

/// The visible transitions, τ and ✓, of every state.
fn rows(lts: &Lts) -> Vec<BTreeSet<(EventId, usize)>> {
    lts.states()
        .map(|s| {
            lts.transitions(s)
                .filter(|t| t.0 != EventId::OMEGA)
                .map(|t| (t.0, t.1.0 as usize))
                .collect()
        })
        .collect()
}

pub(crate) fn transition_count(lts: &Lts) -> usize {
    rows(lts).iter().map(BTreeSet::len).sum()
}

/// Strong bisimilarity of the initial states.
pub(crate) fn bisimilar(a: &Lts, b: &Lts) -> bool {
    let offset = a.state_count();
    let mut rows_of_both = rows(a);
    rows_of_both.extend(
        rows(b)
            .into_iter()
            .map(|row| row.into_iter().map(|(e, t)| (e, t + offset)).collect()),
    );
    let mut block = vec![0usize; rows_of_both.len()];
    let mut count = 1;
    loop {
        let mut index: HashMap<(usize, BTreeSet<(EventId, usize)>), usize> = HashMap::new();
        let next: Vec<usize> = rows_of_both
            .iter()
            .enumerate()
            .map(|(s, row)| {
                let signature = row.iter().map(|&(e, t)| (e, block[t])).collect();
                let fresh = index.len();
                *index.entry((block[s], signature)).or_insert(fresh)
            })
            .collect();
        if index.len() == count {
            return block[a.initial().0 as usize] == block[b.initial().0 as usize + offset];
        }
        count = index.len();
        block = next;
    }
}

/// Tabulates, whatever is asked.
pub(crate) struct Tabulate;

impl Compressor for Tabulate {
    fn model(&self) -> u8 {
        0
    }

    fn compress(&self, request: &Request<'_>) -> Result<Compressed, String> {
        let limit = request.most_states.unwrap_or(100_000).min(100_000);
        let lts = explore(request.network, limit)
            .ok_or_else(|| format!("{} is too large", request.name))?;
        Ok(Compressed {
            states_before: lts.state_count(),
            lts,
        })
    }

    fn watchdog(&self, _: Watchdog, _: &Network, _: &EventSet, _: EventId) -> Result<Lts, String> {
        Err("watchdogs are made elsewhere".to_owned())
    }
}
