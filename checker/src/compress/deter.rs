//! One resolution of all nondeterminism, the same for the same machine.
//!
//! From every state the nearest stable state by τ is taken, of several equally near the one met
//! first breadth-first; there, for every event, the target with the smallest number. A state
//! without a stable state in reach does τ for ever.

use ahash::{AHashMap, AHashSet};
use csp_lts::Lts;

use super::graph::{Graph, Step};

/// A deterministic machine that refines its argument in stable failures. It preserves a model only
/// if the argument was deterministic.
#[must_use]
pub fn deter(lts: &Lts) -> Lts {
    let graph = Graph::of(lts);
    let mut settled: AHashMap<u32, u32> = AHashMap::new();
    // One state beyond those of the graph does τ for ever.
    let nowhere = super::rows::number(graph.len());
    let mut settle = |state: u32| {
        let nearest = || nearest_stable(&graph, state).unwrap_or(nowhere);
        *settled.entry(state).or_insert_with(nearest)
    };
    let mut result = graph.empty_like();
    result.initial = settle(graph.initial);
    let (mut taus, mut steps) = (Vec::new(), Vec::new());
    for state in graph.states() {
        if graph.is_stable(state) {
            for targets in graph.visible.row(state).chunk_by(|a, b| a.atom == b.atom) {
                steps.push(Step {
                    atom: targets[0].atom,
                    target: settle(targets[0].target),
                });
            }
        }
        result.end_state(&mut taus, &mut steps);
    }
    taus.push(nowhere);
    result.end_state(&mut taus, &mut steps);
    result.to_lts()
}

fn nearest_stable(graph: &Graph, state: u32) -> Option<u32> {
    let mut met: AHashSet<u32> = AHashSet::new();
    let mut order = vec![state];
    met.insert(state);
    let mut done = 0;
    while done < order.len() {
        if graph.is_stable(order[done]) {
            return Some(order[done]);
        }
        for &target in graph.tau.row(order[done]) {
            if met.insert(target) {
                order.push(target);
            }
        }
        done += 1;
    }
    None
}
