//! From the states of a construction to an [`Lts`]: what can be reached, numbered breadth-first.

use std::sync::Arc;

use ahash::AHashMap;
use csp_lts::{Edge, EventSet, Lts, LtsBuilder, StateId};

/// Makes the machine that starts at state `initial` of a construction with `count` states.
///
/// `edges` appends the edges of a state as (index into `labels`, target); they are numbered in the
/// order of their label sets and then of their targets, so that the result depends on nothing but
/// the construction. Duplicates are dropped, and so are states that cannot be reached.
pub(super) fn machine(
    initial: u32,
    count: usize,
    labels: &[Arc<EventSet>],
    mut edges: impl FnMut(u32, &mut Vec<(u32, u32)>),
) -> Lts {
    let rank = ranks(labels);
    let mut builder = LtsBuilder::new();
    let mut label_number: AHashMap<u32, u32> = AHashMap::new();
    let mut place = vec![u32::MAX; count];
    let mut order = vec![initial];
    place[initial as usize] = 0;
    let mut row: Vec<(u32, u32)> = Vec::new();
    let mut done = 0;
    while done < order.len() {
        row.clear();
        edges(order[done], &mut row);
        row.sort_unstable_by_key(|&(label, target)| (rank[label as usize], target));
        row.dedup();
        for (label, target) in &mut row {
            let at = &mut place[*target as usize];
            if *at == u32::MAX {
                *at = super::rows::number(order.len());
                order.push(*target);
            }
            *target = *at;
            *label = *label_number
                .entry(*label)
                .or_insert_with(|| builder.label(Arc::clone(&labels[*label as usize])));
        }
        row.sort_unstable();
        builder.row(row.iter().map(|&(label, target)| Edge {
            label,
            target: StateId(target),
        }));
        done += 1;
    }
    builder.finish(StateId(0))
}

/// The place of each label in the order of label sets.
fn ranks(labels: &[Arc<EventSet>]) -> Vec<u32> {
    let mut by_set: Vec<u32> = (0..super::rows::number(labels.len())).collect();
    by_set.sort_by(|&a, &b| labels[a as usize].cmp(&labels[b as usize]));
    let mut rank = vec![0; labels.len()];
    for (place, &label) in by_set.iter().enumerate() {
        rank[label as usize] = super::rows::number(place);
    }
    rank
}
