//! Which acceptances of a node have to be kept.
//!
//! A failure (s, X) is possible if some acceptance is disjoint from X, so the minimal ones decide.
//! A revival (s, X, a) is possible if some acceptance that contains `a` is disjoint from X; given all
//! acceptances, those offers `A` are allowed which are the union of the acceptances inside `A` (and
//! contain at least one). An acceptance which is the union of smaller ones therefore adds nothing.

use csp_lts::EventSet;

use super::Detail;

/// Keeps what the detail asks for, ascending.
pub(super) fn keep(mut all: Vec<EventSet>, detail: Detail) -> Box<[EventSet]> {
    if detail == Detail::Traces {
        return Box::default();
    }
    all.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    all.dedup();
    let mut kept: Vec<EventSet> = Vec::new();
    for set in all {
        let mut inside = kept.iter().filter(|smaller| smaller.is_subset(&set));
        let redundant = match detail {
            Detail::Failures => inside.next().is_some(),
            _ => !set.is_empty() && is_union(inside, &set),
        };
        if !redundant {
            kept.push(set);
        }
    }
    kept.sort();
    kept.into()
}

fn is_union<'a>(parts: impl Iterator<Item = &'a EventSet>, whole: &EventSet) -> bool {
    let ranges = parts.flat_map(|p| p.ranges().iter().copied()).collect();
    EventSet::from_ranges(ranges) == *whole
}

#[cfg(test)]
mod tests {
    use csp_lts::EventId;

    use super::*;

    fn sets(of: &[&[u32]]) -> Vec<EventSet> {
        of.iter()
            .map(|s| s.iter().copied().map(EventId).collect())
            .collect()
    }

    #[test]
    fn minimal_for_failures_and_union_free_for_revivals() {
        let all = sets(&[&[3], &[4], &[3, 4], &[3, 5], &[3]]);
        let mut minimal = sets(&[&[3], &[4]]);
        let mut union_free = sets(&[&[3], &[4], &[3, 5]]);
        minimal.sort();
        union_free.sort();
        assert_eq!(*keep(all.clone(), Detail::Failures), *minimal);
        assert_eq!(*keep(all, Detail::Revivals), *union_free);
    }

    #[test]
    fn deadlock_is_minimal_but_covers_no_revival() {
        let all = sets(&[&[], &[3]]);
        assert_eq!(*keep(all.clone(), Detail::Failures), *sets(&[&[]]));
        assert_eq!(*keep(all.clone(), Detail::Revivals), *all);
    }
}
