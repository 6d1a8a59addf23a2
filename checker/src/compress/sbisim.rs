//! Strong bisimulation: merge states that can do the same events to states that are merged.
//!
//! Signature refinement with change tracking (Blom and Orzan; Blom and van de Pol). The signature
//! of a state is the set of its (event, block of the target). A block is looked at again only for
//! its *changed* states, those with a successor that got a new block since; and since the largest
//! part of a split keeps its number, a state gets a new block at most log n times. With bounded
//! out-degree that is O(m log n) time; memory is linear.
//!
//! Invariant: the unchanged states of a block have the same signature. A changed state has a block
//! in its signature that did not exist when the signatures of the unchanged ones were formed, so it
//! differs from them, and they need not be looked at.
//!
//! Labels are sets: the signature has for each block the union of the labels that lead there, so
//! that `{a,b} → s` and `a → s, b → s` are the same and no label is ever taken apart.

use std::collections::VecDeque;
use std::sync::Arc;

use ahash::AHashMap;
use csp_lts::{EventId, EventSet, Lts, StateId};
use smallvec::SmallVec;

use super::graph::{Step, breadth_first};
use super::machine::machine;
use super::partition::Partition;
use super::rows::{Rows, number};
use super::signature::Signatures;
use crate::budget::Budget;
use crate::outcome::Limit;

/// Merges strongly bisimilar states; τ, ✓ and Ω are labels like others. Preserves every model, also
/// under priority. The result has as many states as there are classes that can be reached.
pub fn sbisim(lts: &Lts, budget: &Budget<'_>) -> Result<Lts, Limit> {
    let (rows, mut labels) = set_labelled(lts);
    let unions = (!labels.disjoint()).then_some(&mut labels);
    let classes = classes(&rows, vec![0; rows.len()], unions, budget)?;
    let mut quotient = Rows::with_capacity(classes.representative.len(), 0);
    let mut row = Vec::new();
    for &state in &classes.representative {
        let steps = rows.row(state).iter();
        row.extend(steps.map(|s| pack(classes.class_of[s.target as usize], s.atom)));
        row.sort_unstable();
        row.dedup();
        labels.unite(&mut row);
        for &packed in &row {
            let (target, atom) = unpack(packed);
            quotient.push(Step { atom, target });
        }
        quotient.end_row();
        row.clear();
    }
    let initial = classes.class_of[0];
    Ok(machine(
        initial,
        quotient.len(),
        &labels.sets,
        |state, edges| {
            edges.extend(quotient.row(state).iter().map(|s| (s.atom, s.target)));
        },
    ))
}

/// For each state of a machine the number of its class in the coarsest strong bisimulation that keeps
/// the classes given apart. Every state must be reachable.
pub(crate) fn refined(lts: &Lts, initial: &[u32], budget: &Budget<'_>) -> Result<Vec<u32>, Limit> {
    let (rows, mut labels) = set_labelled(lts);
    let (order, place) = breadth_first(lts);
    let initial = order.iter().map(|&s| initial[s as usize]).collect();
    let unions = (!labels.disjoint()).then_some(&mut labels);
    let classes = classes(&rows, initial, unions, budget)?;
    let class = |&at: &u32| classes.class_of[at as usize];
    Ok(place.iter().map(class).collect())
}

/// The classes of states that are strongly bisimilar.
pub(super) struct Classes {
    /// The class of each state.
    pub(super) class_of: Vec<u32>,
    /// The first state of each class.
    pub(super) representative: Vec<u32>,
}

/// The coarsest strong bisimulation that refines `initial`. If the labels of the rows can overlap,
/// `unions` says what they are.
pub(super) fn classes(
    rows: &Rows<Step>,
    initial: Vec<u32>,
    unions: Option<&mut Labels>,
    budget: &Budget<'_>,
) -> Result<Classes, Limit> {
    let mut unions = unions;
    let partition = Partition::new(&sweeps(rows, initial, &mut unions, budget)?);
    let mut refinement = Refinement {
        rows,
        predecessors: rows.reversed(rows.len(), |source, step| (step.target, source)),
        partition,
        queue: Vec::new(),
        postponed: VecDeque::new(),
        heavy: 64 + 8 * rows.items().len() / rows.len().max(1),
        signatures: Signatures::new(),
        signature: Vec::new(),
        unions,
    };
    refinement.run(budget)?;
    let class_of = refinement.partition.block_of_each();
    let mut representative = vec![u32::MAX; refinement.partition.len()];
    for (state, &class) in class_of.iter().enumerate().rev() {
        representative[class as usize] = number(state);
    }
    Ok(Classes {
        class_of,
        representative,
    })
}

/// Refines all states at once, again and again, as long as that at least doubles the blocks: while
/// nearly everything changes, keeping track of what changed costs more than it saves.
fn sweeps(
    rows: &Rows<Step>,
    mut block: Vec<u32>,
    unions: &mut Option<&mut Labels>,
    budget: &Budget<'_>,
) -> Result<Vec<u32>, Limit> {
    let mut signatures = Signatures::new();
    let mut next = Vec::with_capacity(block.len());
    let mut signature = Vec::new();
    let mut blocks = 1;
    loop {
        signatures.start();
        for (state, steps) in rows.iter() {
            budget.work(1 + steps.len())?;
            signature.clear();
            signature.extend((steps.iter()).map(|s| pack(block[s.target as usize], s.atom)));
            signature.sort_unstable();
            signature.dedup();
            if let Some(unions) = unions {
                unions.unite(&mut signature);
            }
            signature.push(u64::from(block[state as usize]));
            next.push(signatures.number(&signature));
        }
        std::mem::swap(&mut block, &mut next);
        next.clear();
        if signatures.len() < 2 * blocks || signatures.len() == rows.len() {
            return Ok(block);
        }
        blocks = signatures.len();
    }
}

/// A block and a label as one number that sorts by block.
fn pack(block: u32, label: u32) -> u64 {
    u64::from(block) << 32 | u64::from(label)
}

fn unpack(packed: u64) -> (u32, u32) {
    ((packed >> 32) as u32, packed as u32)
}

struct Refinement<'a> {
    rows: &'a Rows<Step>,
    predecessors: Rows<u32>,
    partition: Partition,
    /// Blocks with changed states, which are those marked in the partition. The last comes first:
    /// the consequences of a split are followed up while others wait, so that more of them can be
    /// dealt with at once.
    queue: Vec<u32>,
    /// Blocks with states of this many edges that it pays to let the others settle first.
    postponed: VecDeque<u32>,
    /// From how many edges a state counts as heavy.
    heavy: usize,
    signatures: Signatures,
    /// The signature being formed.
    signature: Vec<u64>,
    unions: Option<&'a mut Labels>,
}

impl Refinement<'_> {
    fn run(&mut self, budget: &Budget<'_>) -> Result<(), Limit> {
        for block in 0..number(self.partition.len()) {
            self.partition.mark_all(block);
            self.queue.push(block);
        }
        let mut group = Vec::new();
        while let Some(block) = self.queue.pop().or_else(|| self.postponed.pop_front()) {
            if self.partition.size(block) == 1 {
                self.partition.unmark(block);
                continue;
            }
            budget.work(4 * self.partition.marked(block).len())?;
            let groups = self.group(block, &mut group);
            if groups == 1 && group.len() == self.partition.size(block) as usize {
                self.partition.unmark(block);
                continue;
            }
            let first = self.partition.split(block, &group, groups);
            for fresh in first..number(self.partition.len()) {
                self.changed(fresh);
            }
        }
        Ok(())
    }

    /// Numbers the signatures of the changed states of a block; says how many there are.
    fn group(&mut self, block: u32, group: &mut Vec<u32>) -> usize {
        group.clear();
        let changed = self.partition.marked(block);
        if changed.len() == 1 {
            group.push(0);
            return 1;
        }
        self.signatures.start();
        let signature = &mut self.signature;
        for &state in changed {
            signature.clear();
            let steps = self.rows.row(state).iter();
            signature.extend(steps.map(|s| pack(self.partition.block_of(s.target), s.atom)));
            signature.sort_unstable();
            signature.dedup();
            if let Some(unions) = &mut self.unions {
                unions.unite(signature);
            }
            group.push(self.signatures.number(signature));
        }
        self.signatures.len()
    }

    /// The states of a block got it as a new block: their predecessors are changed.
    fn changed(&mut self, block: u32) {
        // Marking may reorder the very block that is walked.
        let members: SmallVec<[u32; 16]> = SmallVec::from_slice(self.partition.block(block));
        for state in members {
            for &source in self.predecessors.row(state) {
                if self.partition.mark(source) {
                    let block = self.partition.block_of(source);
                    if self.rows.row(source).len() < self.heavy {
                        self.queue.push(block);
                    } else {
                        self.postponed.push_back(block);
                    }
                }
            }
        }
    }
}

/// Label sets by number; τ, ✓ and Ω are the first three and are never united with others.
pub(super) struct Labels {
    sets: Vec<Arc<EventSet>>,
    index: AHashMap<Arc<EventSet>, u32>,
    united: AHashMap<Box<[u32]>, u32>,
}

impl Labels {
    fn new() -> Self {
        let mut labels = Self {
            sets: Vec::new(),
            index: AHashMap::new(),
            united: AHashMap::new(),
        };
        for event in [EventId::TAU, EventId::TICK, EventId::OMEGA] {
            labels.intern(EventSet::single(event));
        }
        labels
    }

    fn intern(&mut self, set: EventSet) -> u32 {
        if let Some(&label) = self.index.get(&set) {
            return label;
        }
        let label = number(self.sets.len());
        let set = Arc::new(set);
        self.sets.push(Arc::clone(&set));
        self.index.insert(set, label);
        label
    }

    /// Whether no event is in two labels.
    fn disjoint(&self) -> bool {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for set in &self.sets {
            ranges.extend(set.ranges());
        }
        ranges.sort_unstable();
        ranges.windows(2).all(|pair| pair[0].1 <= pair[1].0)
    }

    /// Replaces visible labels that lead to the same block by their union, in a sorted list of packed
    /// (block, label).
    fn unite(&mut self, row: &mut Vec<u64>) {
        let (mut kept, mut at) = (0, 0);
        let mut list: Vec<u32> = Vec::new();
        while at < row.len() {
            let (block, label) = unpack(row[at]);
            let mut end = at + 1;
            if label >= EventId::FIRST.0 {
                while end < row.len() && unpack(row[end]).0 == block {
                    end += 1;
                }
            }
            let label = if end == at + 1 {
                label
            } else {
                list.clear();
                list.extend(row[at..end].iter().map(|&packed| unpack(packed).1));
                self.union(&list)
            };
            row[kept] = pack(block, label);
            kept += 1;
            at = end;
        }
        row.truncate(kept);
    }

    fn union(&mut self, list: &[u32]) -> u32 {
        if let Some(&label) = self.united.get(list) {
            return label;
        }
        let ranges = list.iter().flat_map(|&l| self.sets[l as usize].ranges());
        let union = EventSet::from_ranges(ranges.copied().collect());
        let label = self.intern(union);
        self.united.insert(list.into(), label);
        label
    }
}

/// The reachable part of a machine, numbered breadth-first, with τ, ✓ and Ω on edges of their own.
fn set_labelled(lts: &Lts) -> (Rows<Step>, Labels) {
    let mut labels = Labels::new();
    let parts: Vec<Vec<u32>> = (lts.labels().iter())
        .map(|label| {
            let special = label.intersection(&EventSet::range(0, EventId::FIRST.0));
            let visible = label.difference(&special);
            let mut parts: Vec<u32> = special.iter().map(|e| e.0).collect();
            if !visible.is_empty() {
                parts.push(labels.intern(visible));
            }
            parts
        })
        .collect();
    let (order, place) = breadth_first(lts);
    let mut rows = Rows::with_capacity(order.len(), lts.edge_count());
    for state in order {
        for edge in lts.edges(StateId(state)) {
            for &atom in &parts[edge.label as usize] {
                rows.push(Step {
                    atom,
                    target: place[edge.target.0 as usize],
                });
            }
        }
        rows.end_row();
    }
    (rows, labels)
}
