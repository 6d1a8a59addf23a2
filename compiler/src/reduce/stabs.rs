//! Ranges that are found by the numbers in them.
//!
//! A segment tree: a range lies at the few nodes that cover it, and a number is in the ranges at the
//! nodes from its leaf up. What has been found is taken out, so that all searches together look no
//! more than once at what was added.

/// Ranges of numbers below a bound, each with the number of its owner.
#[derive(Debug)]
pub(super) struct Stabs {
    bound: usize,
    /// For each node where its owners lie; nothing once they have been taken.
    nodes: Vec<(u32, u32)>,
    owners: Vec<u32>,
    /// Owners that have been found.
    found: Vec<bool>,
}

impl Stabs {
    /// Half-open ranges for each owner, who may have several.
    pub(super) fn new(bound: usize, ranges: &[Vec<(usize, usize)>]) -> Self {
        let number = |count: usize| u32::try_from(count).expect("ranges are numbered by u32");
        let mut nodes = vec![(0, 0); 2 * bound];
        for &(from, to) in ranges.iter().flatten() {
            each_node(bound, from, to, |node| nodes[node].1 += 1);
        }
        // Lists lie together, because following links would take longer than all the rest.
        let mut total = 0;
        for (from, to) in &mut nodes {
            let count = *to as usize;
            (*from, *to) = (number(total), number(total));
            total += count;
        }
        let mut owners = vec![0; total];
        for (owner, ranges) in (0..).zip(ranges) {
            for &(from, to) in ranges {
                each_node(bound, from, to, |node| {
                    owners[nodes[node].1 as usize] = owner;
                    nodes[node].1 += 1;
                });
            }
        }
        Self {
            bound,
            nodes,
            owners,
            found: vec![false; ranges.len()],
        }
    }

    /// Visits the owners of ranges with a number in them that have not been visited before.
    pub(super) fn take(&mut self, number: usize, mut visit: impl FnMut(u32)) {
        let mut node = number + self.bound;
        while node > 0 {
            let (from, to) = std::mem::take(&mut self.nodes[node]);
            for &owner in &self.owners[from as usize..to as usize] {
                if !std::mem::replace(&mut self.found[owner as usize], true) {
                    visit(owner);
                }
            }
            node /= 2;
        }
    }
}

/// Visits the nodes that cover a half-open range.
fn each_node(bound: usize, from: usize, to: usize, mut visit: impl FnMut(usize)) {
    let (mut from, mut to) = (from + bound, to + bound);
    while from < to {
        if from % 2 == 1 {
            visit(from);
            from += 1;
        }
        if to % 2 == 1 {
            to -= 1;
            visit(to);
        }
        (from, to) = (from / 2, to / 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_owner_is_found_once_by_the_first_of_its_numbers() {
        let mut seed = 1u64;
        let mut below = |bound: usize| {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (seed >> 33) as usize % bound
        };
        for bound in 1..40 {
            let mut ranges: Vec<Vec<(usize, usize)>> = vec![Vec::new(); 12];
            for _ in 0..below(30) {
                let from = below(bound);
                let to = from + 1 + below(bound - from);
                ranges[below(12)].push((from, to));
            }
            let mut stabs = Stabs::new(bound, &ranges);
            for _ in 0..2 * bound {
                let number = below(bound);
                let mut found = Vec::new();
                stabs.take(number, |owner| found.push(owner));
                found.sort_unstable();
                let mut expected = Vec::new();
                for (owner, ranges) in (0..).zip(&mut ranges) {
                    if ranges.iter().any(|r| (r.0..r.1).contains(&number)) {
                        expected.push(owner);
                        ranges.clear();
                    }
                }
                assert_eq!(found, expected);
            }
        }
    }
}
