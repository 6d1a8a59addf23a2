//! A partition of 0..n that is only ever refined: the elements of a block are contiguous, and those
//! *marked* come first, so that marking is constant time and splitting costs what is split off
//! (the refinable partition of Valmari).

use smallvec::{SmallVec, smallvec};

use super::rows::number;

/// Blocks of elements. Block numbers are dense; a split keeps the old number for the largest part.
#[derive(Clone, Debug)]
pub(super) struct Partition {
    elements: Vec<u32>,
    homes: Vec<Home>,
    blocks: Vec<Block>,
}

/// Where an element is. Kept together, like the numbers of a block, because marking is a matter of
/// cache misses.
#[derive(Clone, Copy, Debug, Default)]
struct Home {
    block: u32,
    place: u32,
}

/// Where the elements of a block are, and how many of them, at the beginning, are marked.
#[derive(Clone, Copy, Debug)]
struct Block {
    begin: u32,
    end: u32,
    marked: u32,
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
        let (mut blocks, mut at) = (Vec::new(), 0);
        for (block, &c) in order.iter().enumerate() {
            block_of_class[c as usize] = number(block);
            let (begin, end) = (at, at + size[c as usize]);
            blocks.push(Block {
                begin,
                end,
                marked: 0,
            });
            at = end;
        }
        let mut next: Vec<u32> = blocks.iter().map(|block| block.begin).collect();
        let mut partition = Self {
            elements: vec![0; class.len()],
            homes: Vec::with_capacity(class.len()),
            blocks,
        };
        for (element, &c) in class.iter().enumerate() {
            let block = block_of_class[c as usize];
            let place = next[block as usize];
            partition.elements[place as usize] = number(element);
            partition.homes.push(Home { block, place });
            next[block as usize] += 1;
        }
        partition
    }

    /// How many blocks.
    pub(super) fn len(&self) -> usize {
        self.blocks.len()
    }

    /// The block of an element.
    pub(super) fn block_of(&self, element: u32) -> u32 {
        self.homes[element as usize].block
    }

    /// The blocks of all elements.
    pub(super) fn block_of_each(&self) -> Vec<u32> {
        self.homes.iter().map(|home| home.block).collect()
    }

    /// How many elements a block has.
    pub(super) fn size(&self, block: u32) -> u32 {
        self.blocks[block as usize].end - self.blocks[block as usize].begin
    }

    /// The elements of a block.
    pub(super) fn block(&self, block: u32) -> &[u32] {
        let Block { begin, end, .. } = self.blocks[block as usize];
        &self.elements[begin as usize..end as usize]
    }

    /// The marked elements of a block.
    pub(super) fn marked(&self, block: u32) -> &[u32] {
        &self.block(block)[..self.blocks[block as usize].marked as usize]
    }

    /// Marks an element, unless it is alone in its block; true if it is the first of the block.
    pub(super) fn mark(&mut self, element: u32) -> bool {
        let Home { block, place } = self.homes[element as usize];
        let block = &mut self.blocks[block as usize];
        let border = block.begin + block.marked;
        if place < border || block.end - block.begin == 1 {
            return false;
        }
        block.marked += 1;
        let first = block.marked == 1;
        if place != border {
            let other = self.elements[border as usize];
            self.elements[border as usize] = element;
            self.elements[place as usize] = other;
            self.homes[element as usize].place = border;
            self.homes[other as usize].place = place;
        }
        first
    }

    /// Marks every element of a block.
    pub(super) fn mark_all(&mut self, block: u32) {
        self.blocks[block as usize].marked = self.size(block);
    }

    /// Unmarks the elements of a block.
    pub(super) fn unmark(&mut self, block: u32) {
        self.blocks[block as usize].marked = 0;
    }

    /// Counting sort of the marked elements of a block by group.
    fn sort_marked(&mut self, block: u32, group: &[u32], bounds: &[u32]) {
        let marked: SmallVec<[u32; 16]> = SmallVec::from_slice(self.marked(block));
        let mut next: SmallVec<[u32; 8]> = SmallVec::from_slice(bounds);
        for (&element, &g) in marked.iter().zip(group) {
            let place = &mut next[g as usize];
            self.elements[*place as usize] = element;
            self.homes[element as usize].place = *place;
            *place += 1;
        }
    }

    /// Splits a block into its unmarked elements and `groups` groups of marked ones, where the i-th
    /// marked element belongs to `group[i]`; no group is empty. Nothing is marked afterwards. The
    /// largest part keeps its number; the numbers of the others are `first..len()`, for the `first`
    /// that is returned.
    pub(super) fn split(&mut self, block: u32, group: &[u32], groups: usize) -> u32 {
        let first = number(self.len());
        let Block { begin, end, .. } = self.blocks[block as usize];
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
        if bounds[groups] < end {
            bounds.push(end);
        }
        let parts = bounds.len() - 1;
        let largest = (0..parts)
            .max_by_key(|&i| (bounds[i + 1] - bounds[i], parts - i))
            .unwrap_or(0);
        for part in 0..parts {
            let range = Block {
                begin: bounds[part],
                end: bounds[part + 1],
                marked: 0,
            };
            if part == largest {
                self.blocks[block as usize] = range;
                continue;
            }
            let fresh = number(self.len());
            self.blocks.push(range);
            for place in range.begin..range.end {
                self.homes[self.elements[place as usize] as usize].block = fresh;
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
        assert_eq!(partition.block_of_each(), [0, 1, 0, 0, 0, 0]);
        assert!(partition.mark(3));
        assert!(!partition.mark(5));
        assert!(!partition.mark(3));
        assert_eq!(partition.marked(0), [3, 5]);
        assert_eq!(partition.split(0, &[1, 0], 2), 2);
        assert_eq!(partition.len(), 4);
        assert_eq!(partition.block_of_each(), [0, 1, 0, 3, 0, 2]);
        partition.mark(4);
        partition.mark(0);
        assert_eq!(partition.split(0, &[0, 0], 1), 4);
        assert_eq!(partition.block_of(2), 4);
        assert_eq!(partition.size(0), 2);
        assert_eq!(partition.marked(0), []);
    }
}
