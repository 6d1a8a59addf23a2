//! The subset construction: nodes are τ-closed sets of states, made breadth-first by one thread.

use ahash::AHashMap;

use super::sets::Sets;
use super::{NormalForm, NormalNode};
use crate::budget::Budget;
use crate::judge::Node;
use crate::options::Progress;
use crate::outcome::Limit;

/// How far the construction may go.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    pub(super) nodes: usize,
    pub(super) bytes: u64,
}

/// Why it did not come to an end.
pub(super) enum Unfinished {
    /// A bound, or a limit on states or memory: the form is too large to be made as a whole.
    TooLarge(Limit),
    /// The time was up, or the user interrupted.
    Stopped(Limit),
}

/// Builds the nodes that can be reached, breadth-first by ascending event; equivalent ones are not
/// merged yet.
pub(super) fn subsets(
    sets: &Sets,
    bounds: Bounds,
    budget: &Budget<'_>,
) -> Result<NormalForm, Unfinished> {
    let mut subsets = Subsets::new(sets);
    let mut nodes = Vec::new();
    subsets.node(&[sets.initial()]);
    while nodes.len() < subsets.sets.len() {
        let node = subsets.expand(nodes.len());
        nodes.push(node);
        let found = subsets.sets.len();
        if found > bounds.nodes || subsets.bytes > bounds.bytes {
            return Err(Unfinished::TooLarge(Limit::NormalForm(found as u64 - 1)));
        }
        // A state limit that is reached here is a statement about the normal form's size.
        budget
            .spend(found as u64, subsets.bytes)
            .map_err(|limit| match limit {
                Limit::States(most) => Unfinished::TooLarge(Limit::NormalForm(most)),
                other => Unfinished::TooLarge(other),
            })?;
        if nodes.len().is_multiple_of(1024) {
            budget
                .breathe(&Progress {
                    states: found as u64,
                    frontier: (found - nodes.len()) as u64,
                    memory: subsets.bytes,
                    ..Progress::default()
                })
                .map_err(Unfinished::Stopped)?;
        }
    }
    Ok(NormalForm { nodes })
}

struct Subsets<'a> {
    system: &'a Sets,
    sets: Vec<Box<[u32]>>,
    index: AHashMap<Box<[u32]>, Node>,
    /// Nodes by the states they were entered at, before closing under τ.
    entered: AHashMap<Box<[u32]>, Node>,
    /// For each state, the last closure it was met in.
    mark: Vec<u32>,
    closures: u32,
    bytes: u64,
}

impl<'a> Subsets<'a> {
    fn new(system: &'a Sets) -> Self {
        Self {
            system,
            sets: Vec::new(),
            index: AHashMap::new(),
            entered: AHashMap::new(),
            mark: vec![0; system.states()],
            closures: 0,
            bytes: 0,
        }
    }

    /// The node that is entered at these states, ascending.
    fn node(&mut self, entry: &[u32]) -> Node {
        if let Some(&node) = self.entered.get(entry) {
            return node;
        }
        let set = self.close(entry);
        let node = *self.index.entry(set).or_insert_with_key(|set| {
            self.bytes += 2 * (set.len() as u64 * 4 + 32);
            self.sets.push(set.clone());
            Node::try_from(self.sets.len() - 1).expect("nodes are bounded well below")
        });
        self.bytes += entry.len() as u64 * 4 + 32;
        self.entered.insert(entry.into(), node);
        node
    }

    fn close(&mut self, entry: &[u32]) -> Box<[u32]> {
        self.closures += 1;
        let stamp = self.closures;
        let mut set = Vec::new();
        let mut stack = entry.to_vec();
        while let Some(state) = stack.pop() {
            if std::mem::replace(&mut self.mark[state as usize], stamp) != stamp {
                set.push(state);
                stack.extend_from_slice(self.system.tau.successors(state));
            }
        }
        set.sort_unstable();
        set.into()
    }

    fn expand(&mut self, node: usize) -> NormalNode {
        let set = self.sets[node].clone();
        if self.system.diverges(&set) {
            return NormalNode::divergent();
        }
        NormalNode {
            steps: self.steps(&set),
            acceptances: self.system.acceptances(&set),
            divergent: false,
        }
    }

    fn steps(&mut self, set: &[u32]) -> Box<[(u32, u32, Node)]> {
        let mut steps: Vec<(u32, u32, Node)> = Vec::new();
        let system = self.system;
        system.ranges(set, |from, to, entry| {
            let node = self.node(entry);
            match steps.last_mut() {
                Some(last) if last.1 == from && last.2 == node => last.1 = to,
                _ => steps.push((from, to, node)),
            }
        });
        steps.into()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use csp_lts::{EventId, EventSet, LtsBuilder, StateId};

    use super::super::{Detail, View};
    use super::*;
    use crate::termination::Termination;

    #[test]
    fn what_sets_take_is_counted() {
        let mut builder = LtsBuilder::new();
        let tau = Arc::new(EventSet::single(EventId::TAU));
        for state in 0..99 {
            builder.state([(Arc::clone(&tau), StateId(state + 1))]);
        }
        builder.state([]);
        let view = View {
            detail: Detail::Traces,
            strict: false,
            termination: Termination::Event,
        };
        let sets = Sets::new(builder.finish(StateId(0)), view);
        let mut subsets = Subsets::new(&sets);
        // A set in the list and in the index, each with a box of two words and a number.
        let set = |states: u64| 4 * states + 20;
        subsets.node(&[0]);
        let one = 2 * set(100) + set(1);
        assert!((one..2 * one).contains(&subsets.bytes), "{}", subsets.bytes);
        // The same set, entered in another way.
        let entry: Vec<u32> = (0..90).collect();
        subsets.node(&entry);
        let two = one + set(90);
        assert!((two..2 * two).contains(&subsets.bytes), "{}", subsets.bytes);
        assert_eq!(subsets.sets.len(), 1);
    }
}
