//! Minimal acceptances: what a process must at least offer. The complements of the maximal refusals.

/// Leaves only those sets that contain no other, in order, each once. The sets are sorted lists.
pub(super) fn minimal(mut sets: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    sets.sort_unstable_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    sets.dedup();
    let mut kept: Vec<Vec<u32>> = Vec::new();
    for set in sets {
        if !kept.iter().any(|smaller| is_subset(smaller, &set)) {
            kept.push(set);
        }
    }
    kept
}

/// Whether a sorted list has only members of another.
pub(super) fn is_subset(smaller: &[u32], larger: &[u32]) -> bool {
    let mut rest = larger.iter();
    smaller
        .iter()
        .all(|member| rest.any(|other| other == member))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn supersets_and_duplicates_go() {
        let sets = vec![vec![1, 2], vec![3], vec![2, 3], vec![1, 2], vec![1, 4]];
        assert_eq!(minimal(sets), [vec![3], vec![1, 2], vec![1, 4]]);
        assert_eq!(minimal(vec![vec![1], vec![]]), [vec![]; 1]);
    }
}
