//! The atoms of a family of label sets: the coarsest partition of the alphabet such that every
//! label is a union of parts. Events of one atom are never told apart by any edge.

use std::collections::BTreeSet;

use ahash::AHashMap;
use csp_lts::{EventId, EventSet};

use super::rows::{Rows, number};

/// The atoms, and each label as a list of atoms. τ, ✓ and Ω are atoms of their own.
#[derive(Clone, Debug)]
pub(super) struct Atoms {
    /// The events of each atom; ordered by the smallest event, so τ, ✓ and Ω come first.
    pub(super) sets: Vec<EventSet>,
    /// For each label, its atoms, ascending.
    pub(super) of_label: Rows<u32>,
}

/// The number of the atom {τ}.
pub(super) const TAU: u32 = 0;
/// The number of the atom {Ω}; greater numbers are sets of visible events.
pub(super) const OMEGA: u32 = 2;

/// Splits the alphabet by the labels.
pub(super) fn atoms<'a>(labels: impl Iterator<Item = &'a EventSet> + Clone) -> Atoms {
    let mut cuts: BTreeSet<u32> = (0..=EventId::FIRST.0).collect();
    for label in labels.clone() {
        cuts.extend(label.ranges().iter().flat_map(|&(from, to)| [from, to]));
    }
    let cuts: Vec<u32> = cuts.into_iter().collect();
    let pieces = cuts.len() - 1;
    let covered = |label: &EventSet| {
        let mut covered = Vec::new();
        for &(from, to) in label.ranges() {
            let first = cuts.partition_point(|&cut| cut < from);
            covered.extend((first..pieces).take_while(|&i| cuts[i] < to));
        }
        covered
    };
    // Pieces between neighbouring cuts start in one class; each label moves the pieces it covers
    // from every class it meets into a fresh one.
    let mut class = vec![0usize; pieces];
    let mut next = 1;
    let mut separate = |label: &EventSet| {
        let mut moved: AHashMap<usize, usize> = AHashMap::new();
        for piece in covered(label) {
            class[piece] = *moved.entry(class[piece]).or_insert_with(|| {
                next += 1;
                next - 1
            });
        }
    };
    (0..EventId::FIRST.0).for_each(|special| separate(&EventSet::range(special, special + 1)));
    labels.clone().for_each(separate);
    let mut atom_of_class: AHashMap<usize, u32> = AHashMap::new();
    let mut ranges: Vec<Vec<(u32, u32)>> = Vec::new();
    let mut atom = vec![u32::MAX; pieces];
    for piece in 0..pieces {
        // Class 0 is what no label covers.
        if class[piece] == 0 {
            continue;
        }
        let fresh = number(ranges.len());
        atom[piece] = *atom_of_class.entry(class[piece]).or_insert(fresh);
        if atom[piece] == fresh {
            ranges.push(Vec::new());
        }
        ranges[atom[piece] as usize].push((cuts[piece], cuts[piece + 1]));
    }
    let mut of_label = Rows::new();
    for label in labels {
        let mut list: Vec<u32> = covered(label).into_iter().map(|p| atom[p]).collect();
        list.sort_unstable();
        list.dedup();
        list.into_iter().for_each(|a| of_label.push(a));
        of_label.end_row();
    }
    Atoms {
        sets: ranges.into_iter().map(EventSet::from_ranges).collect(),
        of_label,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_labels_are_cut_where_they_differ() {
        let set = |events: &[u32]| events.iter().copied().map(EventId).collect::<EventSet>();
        let labels = [set(&[3, 4, 5, 8]), set(&[5, 6, 8]), set(&[0, 6])];
        let atoms = atoms(labels.iter());
        let expected = [
            set(&[0]),
            set(&[1]),
            set(&[2]),
            set(&[3, 4]),
            set(&[5, 8]),
            set(&[6]),
        ];
        assert_eq!(atoms.sets, expected);
        assert_eq!(atoms.of_label.row(0), [3, 4]);
        assert_eq!(atoms.of_label.row(1), [4, 5]);
        assert_eq!(atoms.of_label.row(2), [0, 5]);
    }
}
