//! Strong bisimulation of explicit systems: the coarsest partition whose blocks agree on the events
//! by which they reach every block.
//!
//! Signatures are refined (Blom and Orzan 2002), with the trick of Hopcroft and of Valmari that the
//! largest part of a block keeps its number: only states with a successor that got a new number
//! have to be looked at again: each state changes its number at most log n times.

use std::sync::Arc;

use ahash::AHashMap;
use csp_lts::{EventId, EventSet, Lts, LtsBuilder, StateId};

use crate::budget::Budget;
use crate::options::Progress;
use crate::outcome::Limit;

/// A block of states and, for each block that can be reached, the events that lead there.
type Signature = Vec<(u32, EventSet)>;

/// The coarsest refinement of the initial classes, as a block number for each state.
pub(super) fn partition(
    lts: &Lts,
    classes: Vec<u32>,
    budget: &Budget<'_>,
) -> Result<Vec<u32>, Limit> {
    let mut blocks = Blocks::new(classes);
    let predecessors = Predecessors::of(lts);
    let mut dirty: Vec<u32> = (0..).take(lts.state_count()).collect();
    let mut is_dirty = vec![false; lts.state_count()];
    while !dirty.is_empty() {
        budget.breathe(&Progress {
            states: lts.state_count() as u64,
            frontier: dirty.len() as u64,
            ..Progress::default()
        })?;
        let moved = blocks.split(lts, &dirty);
        dirty.clear();
        for state in moved {
            for &before in predecessors.of_state(state) {
                if !std::mem::replace(&mut is_dirty[before as usize], true) {
                    dirty.push(before);
                }
            }
        }
        dirty.sort_unstable();
        for &state in &dirty {
            is_dirty[state as usize] = false;
        }
    }
    Ok(blocks.block)
}

/// A partition in which the members of each block lie side by side.
struct Blocks {
    block: Vec<u32>,
    members: Vec<u32>,
    position: Vec<u32>,
    /// For each block, its half-open range of `members`.
    extents: Vec<(u32, u32)>,
}

impl Blocks {
    fn new(classes: Vec<u32>) -> Self {
        let mut members: Vec<u32> = (0..).take(classes.len()).collect();
        members.sort_by_key(|state| classes[*state as usize]);
        let mut blocks = Self {
            position: vec![0; classes.len()],
            extents: Vec::new(),
            block: classes,
            members,
        };
        let mut start = 0;
        for (at, state) in (0..).zip(&blocks.members) {
            blocks.position[*state as usize] = at;
            let class = blocks.block[*state as usize] as usize;
            if class == blocks.extents.len() {
                blocks.extents.push((at, at));
                start = at;
            }
            blocks.extents[class] = (start, at + 1);
        }
        blocks
    }

    /// Splits the blocks of the dirty states by signature and returns the states whose block has a
    /// new number. A state that is not dirty has the signature it had, and a dirty one, having a
    /// successor with a new number, has another (in the first round all states are dirty).
    fn split(&mut self, lts: &Lts, dirty: &[u32]) -> Vec<u32> {
        let mut index: AHashMap<(u32, Signature), usize> = AHashMap::new();
        let mut groups: Vec<(u32, Vec<u32>)> = Vec::new();
        for &state in dirty {
            let block = self.block[state as usize];
            let signature = self.signature(lts, StateId(state));
            let group = *index.entry((block, signature)).or_insert_with(|| {
                groups.push((block, Vec::new()));
                groups.len() - 1
            });
            groups[group].1.push(state);
        }
        // A stable sort: the groups of one block stay in the order of their first states.
        groups.sort_by_key(|(block, _)| *block);
        let mut moved = Vec::new();
        for same in groups.chunk_by(|a, b| a.0 == b.0) {
            self.split_block(same[0].0, same, &mut moved);
        }
        moved
    }

    /// Gives new numbers to all parts of a block but the largest.
    fn split_block(&mut self, block: u32, groups: &[(u32, Vec<u32>)], moved: &mut Vec<u32>) {
        let (start, end) = self.extents[block as usize];
        let mut parts = Vec::with_capacity(groups.len() + 1);
        let mut tail = end;
        for (_, states) in groups {
            let part_end = tail;
            for &state in states {
                tail -= 1;
                self.swap_to(state, tail);
            }
            parts.push((tail, part_end));
        }
        if tail > start {
            parts.push((start, tail));
        }
        let mut largest = 0;
        for (i, part) in parts.iter().enumerate() {
            if part.1 - part.0 > parts[largest].1 - parts[largest].0 {
                largest = i;
            }
        }
        for (i, &(from, to)) in parts.iter().enumerate() {
            if i == largest {
                self.extents[block as usize] = (from, to);
                continue;
            }
            let new = u32::try_from(self.extents.len()).expect("no more blocks than states");
            self.extents.push((from, to));
            for &state in &self.members[from as usize..to as usize] {
                self.block[state as usize] = new;
                moved.push(state);
            }
        }
    }

    fn swap_to(&mut self, state: u32, to: u32) {
        let from = self.position[state as usize];
        let other = self.members[to as usize];
        self.members.swap(from as usize, to as usize);
        self.position[state as usize] = to;
        self.position[other as usize] = from;
    }

    fn signature(&self, lts: &Lts, state: StateId) -> Signature {
        let mut arrows: Vec<(u32, u32)> = lts
            .edges(state)
            .iter()
            .map(|e| (self.block[e.target.0 as usize], e.label))
            .collect();
        arrows.sort_unstable();
        arrows.dedup();
        arrows
            .chunk_by(|a, b| a.0 == b.0)
            .map(|same| (same[0].0, union(lts, same.iter().map(|a| a.1))))
            .collect()
    }
}

fn union(lts: &Lts, labels: impl Iterator<Item = u32>) -> EventSet {
    EventSet::from_ranges(
        labels
            .flat_map(|l| lts.labels()[l as usize].ranges().iter().copied())
            .collect(),
    )
}

struct Predecessors {
    offsets: Vec<u32>,
    sources: Vec<u32>,
}

impl Predecessors {
    fn of(lts: &Lts) -> Self {
        let mut offsets = vec![0u32; lts.state_count() + 1];
        for state in lts.states() {
            for edge in lts.edges(state) {
                offsets[edge.target.0 as usize + 1] += 1;
            }
        }
        for i in 1..offsets.len() {
            offsets[i] += offsets[i - 1];
        }
        let mut next = offsets.clone();
        let mut sources = vec![0; lts.edge_count()];
        for state in lts.states() {
            for edge in lts.edges(state) {
                sources[next[edge.target.0 as usize] as usize] = state.0;
                next[edge.target.0 as usize] += 1;
            }
        }
        Self { offsets, sources }
    }

    fn of_state(&self, state: u32) -> &[u32] {
        &self.sources
            [self.offsets[state as usize] as usize..self.offsets[state as usize + 1] as usize]
    }
}

/// The quotient by strong bisimulation, restricted to what can be reached, numbered breadth-first.
pub(super) fn quotient(lts: &Lts, budget: &Budget<'_>) -> Result<Lts, Limit> {
    let block = partition(lts, vec![0; lts.state_count()], budget)?;
    let omega = EventSet::single(EventId::OMEGA);
    let count = block.iter().max().map_or(0, |m| *m as usize + 1);
    let mut number: Vec<Option<StateId>> = vec![None; count];
    let mut representatives = vec![lts.initial()];
    number[block[lts.initial().0 as usize] as usize] = Some(StateId(0));
    let mut builder = LtsBuilder::new();
    let mut next = 0;
    while next < representatives.len() {
        let state = representatives[next];
        next += 1;
        let mut edges: Vec<(Arc<EventSet>, StateId)> = Vec::new();
        for edge in lts.edges(state) {
            let target = number[block[edge.target.0 as usize] as usize].unwrap_or_else(|| {
                let id = StateId(u32::try_from(representatives.len()).expect("fewer than before"));
                number[block[edge.target.0 as usize] as usize] = Some(id);
                representatives.push(edge.target);
                id
            });
            edges.push((Arc::new(lts.label(edge).difference(&omega)), target));
        }
        builder.state(edges);
    }
    Ok(builder.finish(StateId(0)))
}
