//! Ranges that are found by the numbers in them.
//!
//! A segment tree: a range lies at the few nodes that cover it, and a number is in the ranges at the
//! nodes from its leaf up. What has been found is taken out, so that all searches together look no
//! more than once at what was added.

/// Marks the end of a list.
const NONE: u32 = u32::MAX;

/// Ranges of numbers below a bound, each with the number of its owner.
#[derive(Debug)]
pub(super) struct Stabs {
    bound: usize,
    /// For each node the first of its `links`.
    heads: Vec<u32>,
    /// Owners, each with the next link of the same node.
    links: Vec<(u32, u32)>,
    /// Owners of ranges that have not been found, and how many they are.
    waiting: Vec<bool>,
    left: usize,
}

impl Stabs {
    pub(super) fn new(bound: usize) -> Self {
        Self {
            bound,
            heads: vec![NONE; 2 * bound],
            links: Vec::new(),
            waiting: Vec::new(),
            left: 0,
        }
    }

    /// Adds a half-open range of an owner, who may have several.
    pub(super) fn add(&mut self, from: usize, to: usize, owner: u32) {
        let owners = self.waiting.len().max(owner as usize + 1);
        self.waiting.resize(owners, false);
        self.left += usize::from(!std::mem::replace(&mut self.waiting[owner as usize], true));
        let (mut from, mut to) = (from + self.bound, to + self.bound);
        while from < to {
            if from % 2 == 1 {
                self.link(from, owner);
                from += 1;
            }
            if to % 2 == 1 {
                to -= 1;
                self.link(to, owner);
            }
            (from, to) = (from / 2, to / 2);
        }
    }

    fn link(&mut self, node: usize, owner: u32) {
        let link = u32::try_from(self.links.len()).expect("links are numbered by u32");
        self.links.push((owner, self.heads[node]));
        self.heads[node] = link;
    }

    /// Visits the owners of ranges with a number in them that have not been visited before.
    pub(super) fn take(&mut self, number: usize, mut visit: impl FnMut(u32)) {
        // Most searches come when nobody is left to be found.
        if self.left == 0 {
            return;
        }
        let mut node = number + self.bound;
        while node > 0 {
            let mut link = std::mem::replace(&mut self.heads[node], NONE);
            while link != NONE {
                let (owner, next) = self.links[link as usize];
                if std::mem::replace(&mut self.waiting[owner as usize], false) {
                    self.left -= 1;
                    visit(owner);
                }
                link = next;
            }
            node /= 2;
        }
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
            let mut ranges: Vec<(usize, usize, u32)> = Vec::new();
            let mut stabs = Stabs::new(bound);
            for _ in 0..below(30) {
                let from = below(bound);
                let to = from + 1 + below(bound - from);
                let owner = u32::try_from(below(12)).expect("small");
                ranges.push((from, to, owner));
                stabs.add(from, to, owner);
            }
            for _ in 0..2 * bound {
                let number = below(bound);
                let mut found = Vec::new();
                stabs.take(number, |owner| found.push(owner));
                found.sort_unstable();
                let inside = |r: &&(usize, usize, u32)| (r.0..r.1).contains(&number);
                let mut expected: Vec<u32> = ranges.iter().filter(inside).map(|r| r.2).collect();
                expected.sort_unstable();
                expected.dedup();
                assert_eq!(found, expected);
                ranges.retain(|range| !expected.contains(&range.2));
            }
        }
    }
}
