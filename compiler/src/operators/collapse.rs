//! Hiding, projection and renaming around one another as one operator of each kind at most.
//!
//! Laws (Roscoe 2010, ch. 5), all of which keep every step:
//!
//! - `(P \ A) \ B = P \ (A ∪ B)`, `(P |\ A) |\ B = P |\ (A ∩ B)`,
//!   `(P \ A) |\ B = P |\ (B - A)`, `(P |\ A) \ B = P |\ (A - B)`;
//! - `P[[R]][[S]] = P[[R S]]`, where what R does not mention is renamed by S alone;
//! - `(P \ A)[[R]] = P[[R']] \ A`, where R' is R without the events of A, if R' renames nothing into A;
//!   `(P \ A)[[R]] \ B = P[[R']] \ (A ∪ B)`, if what R' renames into A is in B, too.
//!
//! So the recursions `P = (a -> P) \ {a}` and `P = a -> P[[a <- b]]` come back to a state that is known.

use std::sync::Arc;

use ahash::AHashMap;
use csp_lts::{EventId, EventSet};

use crate::process::{Process, ProcessId, Processes, Relation};

/// Relations with more pairs than this are not composed: the composition could be far larger.
const PAIRS: usize = 100_000;

/// The head as one operator less, if its operand is an operator of these, too.
pub(super) fn collapsed(processes: &mut dyn Processes, head: &Process) -> Option<Process> {
    let inside = |processes: &mut dyn Processes, operand: ProcessId| processes.head(operand).ok();
    match head {
        Process::Hide(operand, outer) => match &*inside(processes, *operand)? {
            Process::Hide(inner, set) => Some(Process::Hide(*inner, union(set, outer))),
            Process::Project(inner, set) => {
                Some(Process::Project(*inner, Arc::new(set.difference(outer))))
            }
            Process::Rename(renamed, relation) => {
                let head = inside(processes, *renamed)?;
                let Process::Hide(inner, set) = &*head else {
                    return None;
                };
                let renamed = renamed_first(processes, *inner, relation, set, outer)?;
                Some(Process::Hide(renamed, union(set, outer)))
            }
            _ => None,
        },
        Process::Project(operand, outer) => match &*inside(processes, *operand)? {
            Process::Hide(inner, set) => {
                Some(Process::Project(*inner, Arc::new(outer.difference(set))))
            }
            Process::Project(inner, set) => {
                Some(Process::Project(*inner, Arc::new(outer.intersection(set))))
            }
            _ => None,
        },
        Process::Rename(operand, outer) => match &*inside(processes, *operand)? {
            Process::Rename(inner, relation) => {
                Some(Process::Rename(*inner, composed(relation, outer)?))
            }
            Process::Hide(inner, set) => {
                let nothing = EventSet::default();
                let renamed = renamed_first(processes, *inner, outer, set, &nothing)?;
                Some(Process::Hide(renamed, Arc::clone(set)))
            }
            _ => None,
        },
        _ => None,
    }
}

/// `P[[R']]` where it stands for `(P \ A)[[R]]` before A and B are hidden; `None` if R' renames events into A
/// that B does not hold.
fn renamed_first(
    processes: &mut dyn Processes,
    process: ProcessId,
    relation: &Relation,
    hidden: &EventSet,
    hidden_later: &EventSet,
) -> Option<ProcessId> {
    let seen = |pair: &&(EventId, EventId)| !hidden.contains(pair.0);
    let lost =
        |pair: &(EventId, EventId)| hidden.contains(pair.1) && !hidden_later.contains(pair.1);
    if relation.iter().filter(seen).any(lost) {
        return None;
    }
    let kept: Relation = relation.iter().filter(seen).copied().collect();
    Some(if kept.is_empty() {
        process
    } else {
        processes.intern(Process::Rename(process, kept))
    })
}

fn union(one: &Arc<EventSet>, other: &Arc<EventSet>) -> Arc<EventSet> {
    if one == other {
        Arc::clone(one)
    } else {
        Arc::new(one.union(other))
    }
}

/// First one renaming, then the other; `None` if that is too large.
fn composed(first: &Relation, second: &Relation) -> Option<Relation> {
    let mut images: AHashMap<EventId, Vec<EventId>> = AHashMap::new();
    for &(from, to) in second.iter() {
        images.entry(from).or_default().push(to);
    }
    let mut pairs = Vec::with_capacity(first.len() + second.len());
    for &(from, middle) in first.iter() {
        match images.get(&middle) {
            Some(images) => pairs.extend(images.iter().map(|&to| (from, to))),
            None => pairs.push((from, middle)),
        }
        if pairs.len() > PAIRS {
            return None;
        }
    }
    let mentioned = |event: EventId| first.binary_search_by_key(&event, |pair| pair.0).is_ok();
    pairs.extend(second.iter().filter(|pair| !mentioned(pair.0)));
    pairs.sort_unstable();
    pairs.dedup();
    // An event that becomes itself alone would stay without being mentioned, too.
    let mut kept = Vec::with_capacity(pairs.len());
    for group in pairs.chunk_by(|a, b| a.0 == b.0) {
        if !matches!(group, [(from, to)] if from == to) {
            kept.extend_from_slice(group);
        }
    }
    (kept.len() <= PAIRS).then(|| kept.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(pairs: &[(u32, u32)]) -> Relation {
        pairs
            .iter()
            .map(|&(a, b)| (EventId(a), EventId(b)))
            .collect()
    }

    #[test]
    fn renamings_compose() {
        // 5 becomes 6 and 7, of which 6 becomes 8; 9, which only the second mentions, becomes 5.
        let first = relation(&[(5, 6), (5, 7)]);
        let second = relation(&[(6, 8), (9, 5)]);
        let both = relation(&[(5, 7), (5, 8), (6, 8), (9, 5)]);
        assert_eq!(composed(&first, &second), Some(both));
        // Two events that are exchanged twice are as they were.
        let swap = relation(&[(5, 6), (6, 5)]);
        assert_eq!(composed(&swap, &swap), Some(relation(&[])));
    }
}
