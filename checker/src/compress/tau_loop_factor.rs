//! Collapses every set of states that can reach one another by τ into one state, which keeps a τ to
//! itself as the mark that it diverges. What is left of τ has no other cycles.

use csp_lts::Lts;

use super::graph::{Graph, Step};
use super::rows::{Rows, number};

/// Merges the states of each τ loop; a merged state has a τ to itself. The merged states are
/// branching bisimilar with the same divergences, so every model is preserved.
#[must_use]
pub fn tau_loop_factor(lts: &Lts) -> Lts {
    factored(&Graph::of(lts)).to_lts()
}

/// The graph with its τ loops collapsed.
pub(super) fn factored(graph: &Graph) -> Graph {
    let component = components(&graph.tau);
    let count = component.iter().max().map_or(0, |&c| c as usize + 1);
    // Components are numbered from the sinks; the other way round keeps the order of the states.
    let class_of: Vec<u32> = component.iter().map(|&c| number(count - 1) - c).collect();
    let members = Rows::reversed(&states(graph.len()), count, |_, state| {
        (class_of[state as usize], state)
    });
    let mut quotient = graph.empty_like();
    quotient.initial = class_of[graph.initial as usize];
    let (mut taus, mut steps) = (Vec::new(), Vec::new());
    for (class, states) in members.iter() {
        for &state in states {
            let targets = graph.tau.row(state).iter();
            // Within a component of several states τ leads round it.
            taus.extend(targets.map(|&t| class_of[t as usize]));
            steps.extend(graph.visible.row(state).iter().map(|s| Step {
                atom: s.atom,
                target: class_of[s.target as usize],
            }));
        }
        debug_assert!(states.len() == 1 || taus.contains(&class));
        quotient.end_state(&mut taus, &mut steps);
    }
    quotient
}

fn states(count: usize) -> Rows<u32> {
    let mut rows = Rows::with_capacity(1, count);
    (0..number(count)).for_each(|state| rows.push(state));
    rows.end_row();
    rows
}

/// The strongly connected components, numbered such that edges lead to smaller or equal numbers
/// (Tarjan 1972, with its own stack).
pub(super) fn components(edges: &Rows<u32>) -> Vec<u32> {
    const NEW: u32 = u32::MAX;
    let count = edges.len();
    let mut component = vec![NEW; count];
    let mut low = vec![0u32; count];
    let mut index = vec![NEW; count];
    let (mut next_index, mut next_component) = (0u32, 0u32);
    let mut stack: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, usize)> = Vec::new();
    for root in 0..number(count) {
        if index[root as usize] != NEW {
            continue;
        }
        path.push((root, 0));
        while let Some((state, at)) = path.last_mut() {
            let here = *state as usize;
            if *at == 0 {
                index[here] = next_index;
                low[here] = next_index;
                next_index += 1;
                stack.push(*state);
            }
            if let Some(&target) = edges.row(*state).get(*at) {
                *at += 1;
                let there = target as usize;
                if index[there] == NEW {
                    path.push((target, 0));
                } else if component[there] == NEW {
                    low[here] = low[here].min(index[there]);
                }
                continue;
            }
            if low[here] == index[here] {
                while let Some(member) = stack.pop() {
                    component[member as usize] = next_component;
                    if member as usize == here {
                        break;
                    }
                }
                next_component += 1;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[here]);
            }
        }
    }
    component
}

/// For a factored graph: which states can do τ for ever.
pub(super) fn divergent(graph: &Graph) -> Vec<bool> {
    let sources = graph
        .tau
        .reversed(graph.len(), |source, target| (target, source));
    let mut divergent = vec![false; graph.len()];
    let mut found: Vec<u32> = graph.states().filter(|&s| graph.has_tau_loop(s)).collect();
    found.iter().for_each(|&s| divergent[s as usize] = true);
    while let Some(state) = found.pop() {
        for &source in sources.row(state) {
            if !std::mem::replace(&mut divergent[source as usize], true) {
                found.push(source);
            }
        }
    }
    divergent
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_numbered_from_the_sinks() {
        let mut edges = Rows::new();
        for row in [&[1u32][..], &[2, 3], &[1], &[], &[0, 4]] {
            row.iter().for_each(|&t| edges.push(t));
            edges.end_row();
        }
        assert_eq!(components(&edges), [2, 1, 1, 0, 3]);
    }
}
