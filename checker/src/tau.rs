//! The τ structure of an explicit system: who can diverge, and where the τ loops are.
//!
//! Both passes are linear in states plus edges and use no recursion.

use csp_lts::{EventId, Lts, StateId};

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

    /// For each state, whether it lies on a τ loop: Tarjan's strongly connected components, with the
    /// call stack written out.
    pub(crate) fn looping(&self) -> Vec<bool> {
        const NEW: u32 = u32::MAX;
        let mut looping = vec![false; self.len()];
        let mut order = vec![NEW; self.len()];
        let mut low = vec![0u32; self.len()];
        let mut open = vec![false; self.len()];
        let (mut component, mut calls) = (Vec::new(), Vec::new());
        let mut next_order = 0;
        for root in (0..).take(self.len()) {
            if order[root as usize] != NEW || !self.is_unstable(root) {
                continue;
            }
            calls.push((root, 0));
            while let Some((state, at)) = calls.pop() {
                let s = state as usize;
                if at == 0 {
                    order[s] = next_order;
                    low[s] = next_order;
                    next_order += 1;
                    open[s] = true;
                    component.push(state);
                }
                if let Some(&next) = self.successors(state).get(at) {
                    let n = next as usize;
                    calls.push((state, at + 1));
                    if order[n] == NEW {
                        calls.push((next, 0));
                    } else if open[n] {
                        low[s] = low[s].min(order[n]);
                        looping[s] |= n == s;
                    }
                    continue;
                }
                if let Some(&(parent, _)) = calls.last() {
                    low[parent as usize] = low[parent as usize].min(low[s]);
                }
                if low[s] == order[s] {
                    let alone = component.last() == Some(&state);
                    while let Some(member) = component.pop() {
                        open[member as usize] = false;
                        looping[member as usize] |= !alone;
                        if member == state {
                            break;
                        }
                    }
                }
            }
        }
        looping
    }

    /// The shortest τ loop through a state, as the states after it up to and including itself; ties
    /// go to the first successor. `None` if there is none.
    pub(crate) fn cycle_through(&self, state: StateId) -> Option<Vec<StateId>> {
        let mut parents = ahash::AHashMap::new();
        let mut queue = std::collections::VecDeque::from([state.0]);
        while let Some(at) = queue.pop_front() {
            for &next in self.successors(at) {
                if next == state.0 {
                    let mut path = vec![state, StateId(at)];
                    let mut back = at;
                    while back != state.0 {
                        back = parents[&back];
                        path.push(StateId(back));
                    }
                    path.reverse();
                    path.remove(0);
                    return Some(path);
                }
                if let std::collections::hash_map::Entry::Vacant(entry) = parents.entry(next) {
                    entry.insert(at);
                    queue.push_back(next);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use csp_lts::{EventSet, LtsBuilder};

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
        assert_eq!(graph.looping(), [false, true, true, false]);
        assert_eq!(graph.cycle_through(StateId(0)), None);
        assert_eq!(
            graph.cycle_through(StateId(1)),
            Some(vec![StateId(2), StateId(1)])
        );
        assert!(graph.is_unstable(0) && !graph.is_unstable(3));
    }
}
