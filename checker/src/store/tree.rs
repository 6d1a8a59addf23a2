//! Long states as trees of numbers.
//!
//! The words of a state, arranged as [`Arranged`] says, are interned leaf by leaf, then pairs of the
//! numbers, up to the root, whose pair is an exact 64-bit key. Neighbouring states share most of
//! their trees, so a state costs little more than its root; and a child only looks up the paths above
//! the leaves in which it differs from its parent. The tables are far larger than any cache, so
//! states are decoded and children encoded many at a time, level by level, which lets the processor
//! wait for many cells of memory at once.
//! Source: Laarman, van de Pol, Weber, "Parallel recursive state compression for free".
//! Departs: leaves are long, because a level more costs more time than it saves room.

use super::account::{Account, Full};
use super::codec::Codec;
use super::interner::{Interner, Recent};
use super::leaf::{Leaf, Recents};
use crate::machine::Arranged;

/// Interned trees over states of `N` words.
#[derive(Debug)]
pub(crate) struct Tree<const N: usize> {
    arranged: Arranged,
    /// At least two.
    leaves: Vec<Leaf>,
    /// Pairs level by level, the root excepted. The number of leaf `i` has place `i`, that of the
    /// first pair comes next, and so on.
    pairs: Vec<Pair>,
    /// The places of what the root pairs.
    root: (usize, usize),
    /// The pairs of each level.
    levels: Vec<Interner<1>>,
}

/// A pair in a tree.
#[derive(Clone, Copy, Debug)]
struct Pair {
    left: usize,
    right: usize,
    level: usize,
}

/// What a worker remembers: the states that it decoded last and their children so far.
#[derive(Debug)]
pub(crate) struct Memory<const N: usize> {
    parents: Vec<[u64; N]>,
    /// The arranged words of each parent.
    parent_words: Vec<u64>,
    /// Words without any bits.
    origin: Vec<u64>,
    /// The numbers of each parent by place.
    parent_numbers: Vec<u32>,
    /// The arranged words of each child.
    words: Vec<u64>,
    /// The parent of each child.
    origins: Vec<u32>,
    numbers: Vec<u32>,
    /// What is to be interned at one level, where its number goes, and the numbers.
    values: Vec<u64>,
    places: Vec<u32>,
    found: Vec<u32>,
    recent_leaves: Vec<Recents>,
    recent: Vec<Recent<1>>,
}

impl<const N: usize> Memory<N> {
    /// The numbers found go to their places.
    fn settle(&mut self) {
        for (place, number) in self.places.iter().zip(&self.found) {
            self.numbers[*place as usize] = *number;
        }
        self.values.clear();
        self.places.clear();
    }
}

fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

fn index(place: usize) -> u32 {
    u32::try_from(place).expect("batches are small")
}

impl<const N: usize> Tree<N> {
    /// A tree without states, whose tables have this many slots at least. No more than this many
    /// children are added between two chances to grow.
    pub(crate) fn new(
        arranged: Arranged,
        between: usize,
        least_slots: usize,
        hash_mask: u64,
        account: &Account,
    ) -> Result<Self, Full> {
        let width = arranged.leaves.len();
        assert!(width > 1, "a tree pairs the leaves of a state");
        let mut pairs = Vec::new();
        let mut row: Vec<usize> = (0..width).collect();
        let mut level = 0;
        while row.len() > 2 {
            let mut above = Vec::new();
            for members in row.chunks(2) {
                if let [left, right] = *members {
                    above.push(width + pairs.len());
                    pairs.push(Pair { left, right, level });
                } else {
                    above.push(members[0]);
                }
            }
            row = above;
            level += 1;
        }
        // An eighth of the slots is for what is added before there is a chance to grow.
        let slots = |nodes: usize| (8 * between * nodes).min(1 << 22).max(least_slots);
        let leaves = (arranged.leaves.iter())
            .map(|words| Leaf::new(*words, slots(1), hash_mask, account))
            .collect::<Result<_, _>>()?;
        let levels = (0..level)
            .map(|level| pairs.iter().filter(|p: &&Pair| p.level == level).count())
            .map(|pairs| Interner::new(slots(pairs), hash_mask, account))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            arranged,
            leaves,
            pairs,
            root: (row[0], row[1]),
            levels,
        })
    }

    /// How many numbers the tree of a state has.
    fn size(&self) -> usize {
        self.leaves.len() + self.pairs.len()
    }

    /// Finds the numbers of all children.
    fn number(&self, memory: &mut Memory<N>, account: &Account) -> Result<(), Full> {
        let (size, words) = (self.size(), self.arranged.words);
        memory.numbers.clear();
        for origin in &memory.origins {
            let numbers = &memory.parent_numbers[*origin as usize * size..][..size];
            memory.numbers.extend_from_slice(numbers);
        }
        let mut first = 0;
        for (at, leaf) in self.leaves.iter().enumerate() {
            let width = leaf.words();
            let children = memory.words.chunks_exact(words).zip(&memory.origins);
            for (child, (value, origin)) in children.enumerate() {
                let value = &value[first..first + width];
                let known = &memory.parent_words[*origin as usize * words + first..][..width];
                // Written out, because a comparison of slices is a call.
                if value.iter().zip(known).any(|(a, b)| a != b) {
                    memory.values.extend_from_slice(value);
                    memory.places.push(index(child * size + at));
                }
            }
            let recent = &mut memory.recent_leaves[at];
            leaf.intern(&memory.values, &mut memory.found, recent, account)?;
            memory.settle();
            first += width;
        }
        let mut place = self.leaves.len();
        for pairs in self.pairs.chunk_by(|a, b| a.level == b.level) {
            for (child, origin) in memory.origins.iter().enumerate() {
                let parent = &memory.parent_numbers[*origin as usize * size..][..size];
                let numbers = &memory.numbers[child * size..][..size];
                for (at, node) in (place..).zip(pairs) {
                    let (left, right) = (numbers[node.left], numbers[node.right]);
                    if left != parent[node.left] || right != parent[node.right] {
                        memory.values.push(pair(left, right));
                        memory.places.push(index(child * size + at));
                    }
                }
            }
            let level = pairs[0].level;
            let recent = &mut memory.recent[level];
            self.levels[level].intern(&memory.values, &mut memory.found, recent, account)?;
            memory.settle();
            place += pairs.len();
        }
        Ok(())
    }

    /// Adds a child that is like its parent so far; where its words start.
    #[inline(always)]
    fn start_child(&self, memory: &mut Memory<N>, parent: usize) -> usize {
        let base = memory.words.len();
        let words = self.arranged.words;
        let parent_words = &memory.parent_words[parent * words..][..words];
        memory.words.extend_from_slice(parent_words);
        memory.origins.push(index(parent));
        base
    }

    /// The numbers of parents from their keys, downwards from the root.
    fn decode_numbers(&self, keys: &[u64], numbers: &mut [u32]) {
        let size = self.size();
        for (key, numbers) in keys.iter().zip(numbers.chunks_exact_mut(size)) {
            numbers[self.root.0] = (key >> 32) as u32;
            numbers[self.root.1] = *key as u32;
        }
        for (at, node) in self.pairs.iter().enumerate().rev() {
            let level = &self.levels[node.level];
            for numbers in numbers.chunks_exact_mut(size) {
                let [value] = level.value(numbers[self.leaves.len() + at]);
                numbers[node.left] = (value >> 32) as u32;
                numbers[node.right] = value as u32;
            }
        }
    }
}

impl<const N: usize> Tree<N> {
    /// The key of the only child that waits.
    fn encode_one(&self, memory: &mut Memory<N>, account: &Account) -> Result<u64, Full> {
        let mut key = 0;
        self.encode_many(memory, account, |encoded| {
            key = encoded;
            Ok(())
        })?;
        Ok(key)
    }
}

impl<const N: usize> Codec<N> for Tree<N> {
    type Memory = Memory<N>;

    const BATCHES: bool = true;

    fn memory(&self, account: &Account) -> Result<Memory<N>, Full> {
        let leaves: usize = self.leaves.iter().map(Leaf::recent_bytes).sum();
        let recent = leaves + self.levels.len() * Recent::<1>::BYTES;
        // Besides what is remembered, a few hundred children.
        account.take(recent + 512 * 32 * self.arranged.words)?;
        Ok(Memory {
            parents: Vec::new(),
            parent_words: Vec::new(),
            origin: vec![0; self.arranged.words],
            parent_numbers: Vec::new(),
            words: Vec::new(),
            origins: Vec::new(),
            numbers: Vec::new(),
            values: Vec::new(),
            places: Vec::new(),
            found: Vec::new(),
            recent_leaves: self.leaves.iter().map(Leaf::recent).collect(),
            recent: self.levels.iter().map(|_| Recent::new()).collect(),
        })
    }

    fn wants_room(&self) -> bool {
        let leaves = self.leaves.iter().any(Leaf::wants_room);
        leaves || self.levels.iter().any(Interner::wants_room)
    }

    fn make_room(&mut self, account: &Account) -> Result<(), Full> {
        for leaf in self.leaves.iter_mut().filter(|leaf| leaf.wants_room()) {
            leaf.make_room(account)?;
        }
        for level in self.levels.iter_mut().filter(|level| level.wants_room()) {
            level.make_room(account)?;
        }
        Ok(())
    }

    fn decode_many(&self, keys: &[u64], memory: &mut Memory<N>) {
        let (size, words) = (self.size(), self.arranged.words);
        memory.words.clear();
        memory.origins.clear();
        memory.parent_words.clear();
        memory.parent_numbers.clear();
        memory.parent_numbers.resize(keys.len() * size, 0);
        self.decode_numbers(keys, &mut memory.parent_numbers);
        memory.parent_words.resize(keys.len() * words, 0);
        let mut first = 0;
        for (at, leaf) in self.leaves.iter().enumerate() {
            let width = leaf.words();
            let numbers = memory.parent_numbers.chunks_exact(size);
            memory.values.clear();
            leaf.values(numbers.map(|numbers| numbers[at]), &mut memory.values);
            let parents = memory.parent_words.chunks_exact_mut(words);
            for (parent, value) in parents.zip(memory.values.chunks_exact(width)) {
                parent[first..first + width].copy_from_slice(value);
            }
            first += width;
        }
        memory.values.clear();
        memory.parents.clear();
        // The first differs from nothing, each other from the one before it.
        let mut state = [0; N];
        let mut from = &memory.origin[..];
        for to in memory.parent_words.chunks_exact(words) {
            self.arranged.restore(from, to, &mut state);
            memory.parents.push(state);
            from = to;
        }
    }

    fn decoded(memory: &Memory<N>, index: usize) -> [u64; N] {
        memory.parents[index]
    }

    #[inline(always)]
    fn add_child(&self, memory: &mut Memory<N>, parent: usize, state: &[u64; N]) -> usize {
        let base = self.start_child(memory, parent);
        let words = &mut memory.words[base..];
        self.arranged.amend(&memory.parents[parent], state, words);
        memory.origins.len()
    }

    fn encode_many(
        &self,
        memory: &mut Memory<N>,
        account: &Account,
        mut f: impl FnMut(u64) -> Result<(), Full>,
    ) -> Result<(), Full> {
        let done = self.number(memory, account);
        memory.words.clear();
        memory.origins.clear();
        memory.values.clear();
        memory.places.clear();
        done?;
        for numbers in memory.numbers.chunks_exact(self.size()) {
            f(pair(numbers[self.root.0], numbers[self.root.1]))?;
        }
        Ok(())
    }

    fn decode(&self, key: u64, memory: &mut Memory<N>) -> [u64; N] {
        self.decode_many(&[key], memory);
        memory.parents[0]
    }

    fn encode(
        &self,
        _: u32,
        state: &[u64; N],
        memory: &mut Memory<N>,
        account: &Account,
    ) -> Result<u64, Full> {
        self.add_child(memory, 0, state);
        self.encode_one(memory, account)
    }

    fn encode_any(
        &self,
        state: &[u64; N],
        memory: &mut Memory<N>,
        account: &Account,
    ) -> Result<u64, Full> {
        // The child of a parent without any bits, whose leaves are then taken for other ones.
        memory.parents.clear();
        memory.parents.push([0; N]);
        memory.parent_words.clear();
        memory.parent_words.resize(self.arranged.words, 0);
        self.add_child(memory, 0, state);
        memory.parent_words.clear();
        memory
            .parent_words
            .extend(memory.words.iter().map(|word| !word));
        memory.parent_numbers.clear();
        memory.parent_numbers.resize(self.size(), u32::MAX);
        self.encode_one(memory, account)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip<const N: usize>(used: usize, hash_mask: u64) {
        let account = Account::new(None);
        let mut tree = Tree::<N>::new(Arranged::evenly::<N>(used), 1, 64, hash_mask, &account)
            .expect("no limit");
        let mut memory = tree.memory(&account).expect("no limit");
        let state = |i: u64| -> [u64; N] {
            std::array::from_fn(|k| {
                if k < used {
                    i.pow(1 + k as u32 % 3) % 97
                } else {
                    0
                }
            })
        };
        let mut grown = 0;
        let keys: Vec<u64> = (0..500)
            .map(|i| {
                if tree.wants_room() {
                    tree.make_room(&account).expect("no limit");
                    grown += 1;
                }
                tree.encode_any(&state(i), &mut memory, &account)
                    .expect("no limit")
            })
            .collect();
        assert!(grown > 0);
        for (i, key) in (0..500).zip(&keys) {
            assert_eq!(tree.decode(*key, &mut memory), state(i));
            let next = (i * 7 + 1) % 500;
            let child = tree.encode(0, &state(next), &mut memory, &account);
            assert_eq!(child, Ok(keys[next as usize]));
        }
        let distinct: std::collections::HashSet<_> = (0..500).map(state).collect();
        let keys: std::collections::HashSet<_> = keys.into_iter().collect();
        assert_eq!(keys.len(), distinct.len());
    }

    #[test]
    fn trees_name_states_exactly() {
        round_trip::<2>(2, u64::MAX);
        round_trip::<4>(3, u64::MAX);
        round_trip::<8>(5, 3);
        round_trip::<8>(7, u64::MAX);
        round_trip::<16>(16, 0);
    }
}
