//! The τ structure of an explicit system: who can diverge, and where the τ loops are.
//!
//! Both passes are linear in states plus edges and use no recursion.

use csp_lts::{EventId, Lts};

/// The τ successors of each state, in the order of its edges.
pub(crate) struct TauGraph {
    offsets: Vec<u32>,
    targets: Vec<u32>,
}

impl TauGraph {
    /// Collects the τ transitions of a system.
    pub(crate) fn of(lts: &Lts) -> Self {
        let silent: Vec<bool> = lts
            .labels()
            .iter()
            .map(|label| label.contains(EventId::TAU))
            .collect();
        let mut graph = Self {
            offsets: vec![0],
            targets: Vec::new(),
        };
        for state in lts.states() {
            for edge in lts.edges(state) {
                if silent[edge.label as usize] {
                    graph.targets.push(edge.target.0);
                }
            }
            graph
                .offsets
                .push(u32::try_from(graph.targets.len()).expect("edges are numbered by u32"));
        }
        graph
    }

    fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Where τ leads from a state.
    pub(crate) fn successors(&self, state: u32) -> &[u32] {
        &self.targets
            [self.offsets[state as usize] as usize..self.offsets[state as usize + 1] as usize]
    }

    /// Whether τ is possible.
    pub(crate) fn is_unstable(&self, state: u32) -> bool {
        !self.successors(state).is_empty()
    }

    /// For each state, whether τ can go on for ever from it: what is left when states without a τ
    /// to a state that is left are taken away one by one.
    pub(crate) fn diverging(&self) -> Vec<bool> {
        let mut left: Vec<u32> = (0..self.len())
            .map(|s| self.offsets[s + 1] - self.offsets[s])
            .collect();
        let predecessors = self.reversed();
        let mut finished: Vec<u32> = (0..)
            .zip(&left)
            .filter(|(_, n)| **n == 0)
            .map(|(s, _)| s)
            .collect();
        while let Some(state) = finished.pop() {
            for &before in predecessors.successors(state) {
                left[before as usize] -= 1;
                if left[before as usize] == 0 {
                    finished.push(before);
                }
            }
        }
        left.into_iter().map(|n| n > 0).collect()
    }

    fn reversed(&self) -> Self {
        let mut offsets = vec![0u32; self.len() + 1];
        for &target in &self.targets {
            offsets[target as usize + 1] += 1;
        }
        for i in 1..offsets.len() {
            offsets[i] += offsets[i - 1];
        }
        let mut next = offsets.clone();
        let mut targets = vec![0; self.targets.len()];
        for state in (0..).take(self.len()) {
            for &target in self.successors(state) {
                targets[next[target as usize] as usize] = state;
                next[target as usize] += 1;
            }
        }
        Self { offsets, targets }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use csp_lts::{EventSet, LtsBuilder, StateId};

    use super::*;

    #[test]
    fn divergence_is_a_loop_or_a_way_to_one() {
        // 0 -> 1 -> 2 -> 1, 0 -> 3, all by τ.
        let tau = Arc::new(EventSet::single(EventId::TAU));
        let mut builder = LtsBuilder::new();
        builder.state([
            (Arc::clone(&tau), StateId(1)),
            (Arc::clone(&tau), StateId(3)),
        ]);
        builder.state([(Arc::clone(&tau), StateId(2))]);
        builder.state([(tau, StateId(1))]);
        builder.state([]);
        let graph = TauGraph::of(&builder.finish(StateId(0)));
        assert_eq!(graph.diverging(), [true, true, true, false]);
        assert!(graph.is_unstable(0) && !graph.is_unstable(3));
    }
}
