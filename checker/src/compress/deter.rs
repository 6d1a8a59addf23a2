//! One resolution of all nondeterminism, the same for the same machine.
//!
//! From every state τ is followed on a shortest way to a stable state, where there is a choice by
//! the target with the smallest number breadth-first; there, for every event, the target with the
//! smallest number is kept. A state without a stable state in reach does τ for ever.

use csp_lts::Lts;

use super::graph::{Graph, Step};
use super::rows::number;

/// A deterministic machine that refines its argument in stable failures. It preserves a model only
/// if the argument was deterministic.
#[must_use]
pub fn deter(lts: &Lts) -> Lts {
    let graph = Graph::of(lts);
    let settled = settled(&graph);
    let mut result = graph.empty_like();
    result.initial = settled[graph.initial as usize];
    let (mut taus, mut steps) = (Vec::new(), Vec::new());
    for state in graph.states() {
        if graph.is_stable(state) {
            for targets in graph.visible.row(state).chunk_by(|a, b| a.atom == b.atom) {
                steps.push(Step {
                    atom: targets[0].atom,
                    target: settled[targets[0].target as usize],
                });
            }
        }
        result.end_state(&mut taus, &mut steps);
    }
    // The state that does τ for ever.
    taus.push(number(graph.len()));
    result.end_state(&mut taus, &mut steps);
    result.to_lts()
}

/// For each state the stable state it ends in, or the number of states if there is none in reach.
fn settled(graph: &Graph) -> Vec<u32> {
    let sources = (graph.tau).reversed(graph.len(), |source, target| (target, source));
    let nowhere = number(graph.len());
    let mut distance = vec![u32::MAX; graph.len()];
    let mut settled = vec![nowhere; graph.len()];
    let mut order: Vec<u32> = graph.states().filter(|&s| graph.is_stable(s)).collect();
    for &state in &order {
        distance[state as usize] = 0;
        settled[state as usize] = state;
    }
    let mut done = 0;
    while done < order.len() {
        let state = order[done];
        let near = distance[state as usize];
        for &source in sources.row(state) {
            if distance[source as usize] == u32::MAX {
                distance[source as usize] = near + 1;
                order.push(source);
            }
        }
        if near > 0 {
            let nearer = |&&t: &&u32| distance[t as usize] < near;
            let next = graph.tau.row(state).iter().find(nearer);
            settled[state as usize] = next.map_or(nowhere, |&t| settled[t as usize]);
        }
        done += 1;
    }
    settled
}
