//! Explicit transition systems whose edges carry *sets* of events.
//!
//! Edges are kept in compressed sparse rows. An edge labelled with a set stands for one transition
//! for each event of the set; τ, ✓ and Ω are members of label sets like any other event.

use std::sync::Arc;

use ahash::AHashMap;

use crate::event::EventId;
use crate::event_set::EventSet;

/// A state of one transition system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u32);

/// Transitions from one state to another on every event of a label set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// Index into [`Lts::labels`].
    pub label: u32,
    /// Where it leads.
    pub target: StateId,
}

/// A finite transition system. States are numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lts {
    initial: StateId,
    offsets: Box<[u32]>,
    edges: Box<[Edge]>,
    labels: Box<[Arc<EventSet>]>,
}

impl Lts {
    /// Where it starts.
    #[must_use]
    pub fn initial(&self) -> StateId {
        self.initial
    }

    /// Number of states.
    #[must_use]
    pub fn state_count(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Number of edges; each stands for as many transitions as its label has events.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// Number of transitions, one for each event of each edge.
    #[must_use]
    pub fn transition_count(&self) -> usize {
        self.edges
            .iter()
            .map(|e| self.labels[e.label as usize].len())
            .sum()
    }

    /// The edges of a state.
    #[must_use]
    pub fn edges(&self, state: StateId) -> &[Edge] {
        &self.edges
            [self.offsets[state.0 as usize] as usize..self.offsets[state.0 as usize + 1] as usize]
    }

    /// The label set of an edge.
    #[must_use]
    pub fn label(&self, edge: &Edge) -> &Arc<EventSet> {
        &self.labels[edge.label as usize]
    }

    /// All label sets in use.
    #[must_use]
    pub fn labels(&self) -> &[Arc<EventSet>] {
        &self.labels
    }

    /// All states.
    pub fn states(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..u32::try_from(self.state_count()).expect("states are numbered by u32")).map(StateId)
    }

    /// The transitions of a state, one for each event.
    pub fn transitions(&self, state: StateId) -> impl Iterator<Item = (EventId, StateId)> + '_ {
        self.edges(state)
            .iter()
            .flat_map(|e| self.label(e).iter().map(|event| (event, e.target)))
    }

    /// Every event that labels some edge, τ, ✓ and Ω included.
    #[must_use]
    pub fn alphabet(&self) -> EventSet {
        EventSet::from_ranges(
            self.labels
                .iter()
                .flat_map(|l| l.ranges().to_vec())
                .collect(),
        )
    }
}

/// Builds an [`Lts`] state by state.
#[derive(Clone, Debug, Default)]
pub struct LtsBuilder {
    offsets: Vec<u32>,
    edges: Vec<Edge>,
    labels: Vec<Arc<EventSet>>,
    index: AHashMap<Arc<EventSet>, u32>,
}

impl LtsBuilder {
    /// No states yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the next state with its edges; targets may be states that are added later. Edges of
    /// empty label sets are dropped, duplicates removed, the order made canonical.
    pub fn state(&mut self, edges: impl IntoIterator<Item = (Arc<EventSet>, StateId)>) -> StateId {
        let id = StateId(u32::try_from(self.offsets.len()).expect("states are numbered by u32"));
        let start = self.edges.len();
        self.offsets
            .push(u32::try_from(start).expect("edges are numbered by u32"));
        for (label, target) in edges {
            if label.is_empty() {
                continue;
            }
            let label = self.intern(label);
            self.edges.push(Edge { label, target });
        }
        self.edges[start..].sort_unstable();
        let mut kept = start;
        for i in start..self.edges.len() {
            if i == start || self.edges[i] != self.edges[i - 1] {
                self.edges[kept] = self.edges[i];
                kept += 1;
            }
        }
        self.edges.truncate(kept);
        id
    }

    /// Adds the next state with edges whose labels were numbered by [`LtsBuilder::label`] before, as
    /// they are: no label is empty, no edge stands twice, and the order is the caller's.
    pub fn row(&mut self, edges: impl IntoIterator<Item = Edge>) -> StateId {
        let id = StateId(u32::try_from(self.offsets.len()).expect("states are numbered by u32"));
        self.offsets
            .push(u32::try_from(self.edges.len()).expect("edges are numbered by u32"));
        self.edges.extend(edges);
        id
    }

    /// The number of a label set, for [`LtsBuilder::row`]; the same for the same set.
    pub fn label(&mut self, label: Arc<EventSet>) -> u32 {
        self.intern(label)
    }

    fn intern(&mut self, label: Arc<EventSet>) -> u32 {
        if let Some(&id) = self.index.get(&label) {
            return id;
        }
        let id = u32::try_from(self.labels.len()).expect("labels are numbered by u32");
        self.labels.push(Arc::clone(&label));
        self.index.insert(label, id);
        id
    }

    /// The finished system. Panics if an edge leads to a state that was never added.
    #[must_use]
    pub fn finish(mut self, initial: StateId) -> Lts {
        let count = self.offsets.len();
        assert!(
            (initial.0 as usize) < count
                && self.edges.iter().all(|e| (e.target.0 as usize) < count),
            "every state that is led to has been added"
        );
        self.offsets
            .push(u32::try_from(self.edges.len()).expect("edges are numbered by u32"));
        Lts {
            initial,
            offsets: self.offsets.into(),
            edges: self.edges.into(),
            labels: self.labels.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_stand_for_one_transition_per_event() {
        let mut builder = LtsBuilder::new();
        let label = Arc::new(EventSet::range(3, 6));
        let first = builder.state([(Arc::clone(&label), StateId(1)), (label, StateId(1))]);
        builder.state([]);
        let lts = builder.finish(first);
        assert_eq!(
            (lts.state_count(), lts.edge_count(), lts.transition_count()),
            (2, 1, 3)
        );
        assert_eq!(lts.transitions(first).count(), 3);
    }
}
