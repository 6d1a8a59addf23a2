//! Sets of events as sorted, disjoint, non-adjacent ranges: small for the sets that channels make.

use crate::event::EventId;

/// An immutable set of events. Two sets are equal exactly if their ranges are.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct EventSet {
    /// Half-open ranges of event numbers, ascending, with gaps between them.
    ranges: Box<[(u32, u32)]>,
}

impl EventSet {
    /// The set without events.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }

    /// The set of one event.
    #[must_use]
    pub fn single(event: EventId) -> Self {
        Self::range(event.0, event.0 + 1)
    }

    /// The events numbered `from` up to but not including `to`.
    #[must_use]
    pub fn range(from: u32, to: u32) -> Self {
        if from < to {
            Self {
                ranges: Box::new([(from, to)]),
            }
        } else {
            Self::default()
        }
    }

    /// The union of half-open ranges in any order, which may overlap.
    #[must_use]
    pub fn from_ranges(mut ranges: Vec<(u32, u32)>) -> Self {
        ranges.retain(|(from, to)| from < to);
        ranges.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (from, to) in ranges {
            match merged.last_mut() {
                Some(last) if from <= last.1 => last.1 = last.1.max(to),
                _ => merged.push((from, to)),
            }
        }
        Self {
            ranges: merged.into(),
        }
    }

    /// The ranges, ascending.
    #[must_use]
    pub fn ranges(&self) -> &[(u32, u32)] {
        &self.ranges
    }

    /// No events.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// How many events.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ranges
            .iter()
            .map(|(from, to)| (to - from) as usize)
            .sum()
    }

    /// Whether the event is in the set.
    #[must_use]
    pub fn contains(&self, event: EventId) -> bool {
        let after = self.ranges.partition_point(|(from, _)| *from <= event.0);
        after > 0 && event.0 < self.ranges[after - 1].1
    }

    /// The events, ascending.
    pub fn iter(&self) -> impl Iterator<Item = EventId> + '_ {
        self.ranges
            .iter()
            .flat_map(|&(from, to)| (from..to).map(EventId))
    }

    /// In either.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        if other.is_empty() {
            return self.clone();
        }
        Self::from_ranges(self.ranges.iter().chain(&other.ranges).copied().collect())
    }

    /// In both.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        // A small set and a large one meet somewhere in the middle.
        let first = |own: &Self, met: &Self| match met.ranges.first() {
            Some(&(from, _)) => own.ranges.partition_point(|range| range.1 <= from),
            None => 0,
        };
        let (mut i, mut j, mut out) = (first(self, other), first(other, self), Vec::new());
        while i < self.ranges.len() && j < other.ranges.len() {
            let (a, b) = (self.ranges[i], other.ranges[j]);
            let (from, to) = (a.0.max(b.0), a.1.min(b.1));
            if from < to {
                out.push((from, to));
            }
            if a.1 < b.1 { i += 1 } else { j += 1 }
        }
        Self { ranges: out.into() }
    }

    /// In this one but not in the other.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        let mut out = Vec::new();
        let mut j = 0;
        for &(mut from, to) in &self.ranges {
            while j < other.ranges.len() && other.ranges[j].1 <= from {
                j += 1;
            }
            let mut k = j;
            while k < other.ranges.len() && other.ranges[k].0 < to {
                let (cut_from, cut_to) = other.ranges[k];
                if from < cut_from {
                    out.push((from, cut_from));
                }
                from = from.max(cut_to);
                k += 1;
            }
            if from < to {
                out.push((from, to));
            }
        }
        Self { ranges: out.into() }
    }

    /// Every event of this set is in the other.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.difference(other).is_empty()
    }
}

impl FromIterator<EventId> for EventSet {
    fn from_iter<I: IntoIterator<Item = EventId>>(events: I) -> Self {
        Self::from_ranges(events.into_iter().map(|e| (e.0, e.0 + 1)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(events: &[u32]) -> EventSet {
        events.iter().copied().map(EventId).collect()
    }

    #[test]
    fn algebra_agrees_with_membership() {
        // All pairs of subsets of six events.
        let subset = |bits: u32| {
            (0..6)
                .filter(|i| bits >> i & 1 == 1)
                .map(|i| EventId(i + 3))
                .collect::<EventSet>()
        };
        for a in 0..64u32 {
            for b in 0..64u32 {
                let (x, y) = (subset(a), subset(b));
                assert_eq!(x.union(&y), subset(a | b));
                assert_eq!(x.intersection(&y), subset(a & b));
                assert_eq!(x.difference(&y), subset(a & !b));
                assert_eq!(x.is_subset(&y), a & !b == 0);
            }
        }
    }

    #[test]
    fn ranges_are_canonical() {
        assert_eq!(set(&[3, 4, 5]).ranges(), &[(3, 6)]);
        assert_eq!(set(&[5, 3, 4]), EventSet::range(3, 6));
        assert_eq!(set(&[3, 5]).len(), 2);
        assert!(set(&[3, 5]).contains(EventId(5)));
        assert!(!set(&[3, 5]).contains(EventId(4)));
    }
}
