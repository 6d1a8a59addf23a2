//! A partition of 0..n that is only ever refined: the elements of a block are contiguous, and those
//! *marked* come first, so that marking is constant time and splitting costs what is split off
//! (the refinable partition of Valmari).

use smallvec::{SmallVec, smallvec};

use super::rows::number;

/// Blocks of elements. Block numbers are dense; a split keeps the old number for the largest part.
#[derive(Clone, Debug)]
pub(super) struct Partition {
    elements: Vec<u32>,
    place: Vec<u32>,
    block: Vec<u32>,
    begin: Vec<u32>,
    end: Vec<u32>,
    marked: Vec<u32>,
}

impl Partition {
    /// The partition by a class number for each element. Blocks are numbered by their first element.
    pub(super) fn new(class: &[u32]) -> Self {
        let classes = class.iter().max().map_or(0, |&c| c as usize + 1);
        let mut size = vec![0u32; classes];
        let mut order = Vec::new();
        for &c in class {
            if size[c as usize] == 0 {
                order.push(c);
            }
            size[c as usize] += 1;
        }
        let mut block_of_class = vec![0u32; classes];
        let (mut begin, mut end, mut at) = (Vec::new(), Vec::new(), 0);
        for (block, &c) in order.iter().enumerate() {
            block_of_class[c as usize] = number(block);
            begin.push(at);
            at += size[c as usize];
            end.push(at);
        }
        let mut next = begin.clone();
        let mut partition = Self {
            elements: vec![0; class.len()],
            place: vec![0; class.len()],
            block: Vec::with_capacity(class.len()),
            marked: vec![0; begin.len()],
            begin,
            end,
        };
        for (element, &c) in class.iter().enumerate() {
            let block = block_of_class[c as usize];
            let place = &mut next[block as usize];
            partition.elements[*place as usize] = number(element);
            partition.place[element] = *place;
            partition.block.push(block);
            *place += 1;
        }
        partition
    }

    /// How many blocks.
    pub(super) fn len(&self) -> usize {
        self.begin.len()
    }

    /// The block of an element.
    pub(super) fn block_of(&self, element: u32) -> u32 {
        self.block[element as usize]
    }

    /// The blocks of all elements.
    pub(super) fn blocks(&self) -> &[u32] {
        &self.block
    }

    /// How many elements a block has.
    pub(super) fn size(&self, block: u32) -> u32 {
        self.end[block as usize] - self.begin[block as usize]
    }

    /// The elements of a block.
    pub(super) fn block(&self, block: u32) -> &[u32] {
        &self.elements[self.begin[block as usize] as usize..self.end[block as usize] as usize]
    }

    /// The marked elements of a block.
    pub(super) fn marked(&self, block: u32) -> &[u32] {
        &self.block(block)[..self.marked[block as usize] as usize]
    }

    /// Marks an element; true if it is the first of its block.
    pub(super) fn mark(&mut self, element: u32) -> bool {
        let block = self.block[element as usize] as usize;
        let place = self.place[element as usize];
        let border = self.begin[block] + self.marked[block];
        if place < border {
            return false;
        }
        let other = self.elements[border as usize];
        self.elements[border as usize] = element;
        self.elements[place as usize] = other;
        self.place[element as usize] = border;
        self.place[other as usize] = place;
        self.marked[block] += 1;
        self.marked[block] == 1
    }

    /// Marks every element of a block.
    pub(super) fn mark_all(&mut self, block: u32) {
        self.marked[block as usize] = self.size(block);
    }

    /// Unmarks the elements of a block.
    pub(super) fn unmark(&mut self, block: u32) {
        self.marked[block as usize] = 0;
    }

    /// Counting sort of the marked elements of a block by group.
    fn sort_marked(&mut self, block: u32, group: &[u32], bounds: &[u32]) {
        let marked: SmallVec<[u32; 16]> = SmallVec::from_slice(self.marked(block));
        let mut next: SmallVec<[u32; 8]> = SmallVec::from_slice(bounds);
        for (&element, &g) in marked.iter().zip(group) {
            let place = &mut next[g as usize];
            self.elements[*place as usize] = element;
            self.place[element as usize] = *place;
            *place += 1;
        }
    }

    /// Splits a block into its unmarked elements and `groups` groups of marked ones, where the i-th
    /// marked element belongs to `group[i]`; no group is empty. Nothing is marked afterwards. The
    /// largest part keeps its number; the numbers of the others are `first..len()`, for the `first`
    /// that is returned.
    pub(super) fn split(&mut self, block: u32, group: &[u32], groups: usize) -> u32 {
        let first = number(self.len());
        let index = block as usize;
        let begin = self.begin[index];
        let mut bounds: SmallVec<[u32; 8]> = smallvec![begin; groups + 1];
        for &g in group {
            bounds[g as usize + 1] += 1;
        }
        for i in 0..groups {
            bounds[i + 1] += bounds[i] - begin;
        }
        if groups > 1 {
            self.sort_marked(block, group, &bounds);
        }
        self.marked[index] = 0;
        if bounds[groups] < self.end[index] {
            bounds.push(self.end[index]);
        }
        let parts = bounds.len() - 1;
        let largest = (0..parts)
            .max_by_key(|&i| (bounds[i + 1] - bounds[i], parts - i))
            .unwrap_or(0);
        for part in 0..parts {
            let (from, to) = (bounds[part], bounds[part + 1]);
            if part == largest {
                self.begin[index] = from;
                self.end[index] = to;
            } else {
                let fresh = number(self.begin.len());
                self.begin.push(from);
                self.end.push(to);
                self.marked.push(0);
                for place in from..to {
                    self.block[self.elements[place as usize] as usize] = fresh;
                }
            }
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_part_keeps_its_number() {
        let mut partition = Partition::new(&[7, 3, 7, 7, 7, 7]);
        assert_eq!(partition.blocks(), [0, 1, 0, 0, 0, 0]);
        assert!(partition.mark(3));
        assert!(!partition.mark(5));
        assert!(!partition.mark(3));
        assert_eq!(partition.marked(0), [3, 5]);
        assert_eq!(partition.split(0, &[1, 0], 2), 2);
        assert_eq!(partition.len(), 4);
        assert_eq!(partition.blocks(), [0, 1, 0, 3, 0, 2]);
        partition.mark(4);
        partition.mark(0);
        assert_eq!(partition.split(0, &[0, 0], 1), 4);
        assert_eq!(partition.block_of(2), 4);
        assert_eq!(partition.size(0), 2);
        assert_eq!(partition.marked(0), []);
    }
}
