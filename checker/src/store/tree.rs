//! Long states as trees of numbers.
//!
//! Each word of a state is interned, then pairs of the numbers, up to the root, whose pair is an
//! exact 64-bit key. Neighbouring states share most of their trees, so a state costs little more than
//! its root; and a child only looks up the paths above the words in which it differs from its
//! parent. The tables are far larger than any cache, so states are decoded and children encoded many
//! at a time, level by level, which lets the processor wait for many cells of memory at once.
//! Source: Laarman, van de Pol, Weber, "Parallel recursive state compression for free".

use super::account::{Account, Full};
use super::codec::Codec;
use super::interner::{Interner, Recent};

/// Interned trees over `N` words.
#[derive(Debug)]
pub(crate) struct Tree<const N: usize> {
    /// Words first, then pairs of numbers, and so on up to below the root.
    levels: Vec<Interner>,
}

/// What a worker remembers: the states that it decoded last and their children so far.
#[derive(Debug)]
pub(crate) struct Memory<const N: usize> {
    parents: Vec<[u64; N]>,
    /// The numbers of each parent, level by level.
    parent_numbers: Vec<u32>,
    children: Vec<[u64; N]>,
    /// The parent of each child.
    origins: Vec<u32>,
    numbers: Vec<u32>,
    /// What is to be interned at one level, where its number goes, and the numbers.
    values: Vec<u64>,
    places: Vec<u32>,
    found: Vec<u32>,
    recent: Vec<Recent>,
}

/// How many numbers the tree of a state has.
const fn size(words: usize) -> usize {
    2 * words - 2
}

fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

impl<const N: usize> Tree<N> {
    /// A tree without states, with so many slots at each level before it has to grow.
    pub(crate) fn new(slots: usize, hash_mask: u64, account: &Account) -> Result<Self, Full> {
        assert!(
            N.is_power_of_two() && N > 1,
            "a tree pairs the words of a state"
        );
        let levels = (0..N.trailing_zeros())
            .map(|_| Interner::new(slots, hash_mask, account))
            .collect::<Result<_, _>>()?;
        Ok(Self { levels })
    }

    /// The number of each value listed goes to its place.
    fn intern(
        level: &Interner,
        memory: &mut Memory<N>,
        depth: usize,
        account: &Account,
    ) -> Result<(), Full> {
        let recent = &mut memory.recent[depth];
        level.intern(&memory.values, &mut memory.found, recent, account)?;
        for (place, number) in memory.places.iter().zip(&memory.found) {
            memory.numbers[*place as usize] = *number;
        }
        memory.values.clear();
        memory.places.clear();
        Ok(())
    }

    /// Finds the numbers of all children.
    fn number(&self, memory: &mut Memory<N>, account: &Account) -> Result<(), Full> {
        let size = size(N);
        memory.numbers.clear();
        for (child, origin) in memory.children.iter().zip(&memory.origins) {
            let base = memory.numbers.len();
            let parent = &memory.parents[*origin as usize];
            let numbers = &memory.parent_numbers[*origin as usize * size..][..size];
            memory.numbers.extend_from_slice(numbers);
            for (at, (word, known)) in child.iter().zip(parent).enumerate() {
                if word != known {
                    memory.values.push(*word);
                    memory.places.push(index(base + at));
                }
            }
        }
        Self::intern(&self.levels[0], memory, 0, account)?;
        let (mut below, mut width) = (0, N);
        for (depth, level) in self.levels.iter().enumerate().skip(1) {
            let here = below + width;
            width /= 2;
            for (child, origin) in memory.origins.iter().enumerate() {
                let parent = &memory.parent_numbers[*origin as usize * size..][..size];
                let numbers = &memory.numbers[child * size..][..size];
                for at in 0..width {
                    let (left, right) = (below + 2 * at, below + 2 * at + 1);
                    if numbers[left] != parent[left] || numbers[right] != parent[right] {
                        memory.values.push(pair(numbers[left], numbers[right]));
                        memory.places.push(index(child * size + here + at));
                    }
                }
            }
            Self::intern(level, memory, depth, account)?;
            below = here;
        }
        Ok(())
    }
}

fn index(place: usize) -> u32 {
    u32::try_from(place).expect("batches are small")
}

impl<const N: usize> Codec<N> for Tree<N> {
    type Memory = Memory<N>;

    const BATCHES: bool = true;

    fn memory(&self, account: &Account) -> Result<Memory<N>, Full> {
        // Besides what is remembered, a few hundred children.
        account.take(self.levels.len() * Recent::BYTES + 512 * 32 * N)?;
        Ok(Memory {
            parents: Vec::new(),
            parent_numbers: Vec::new(),
            children: Vec::new(),
            origins: Vec::new(),
            numbers: Vec::new(),
            values: Vec::new(),
            places: Vec::new(),
            found: Vec::new(),
            recent: self.levels.iter().map(|_| Recent::new()).collect(),
        })
    }

    fn wants_room(&self) -> bool {
        self.levels.iter().any(Interner::wants_room)
    }

    fn make_room(&mut self, account: &Account) -> Result<(), Full> {
        for level in self.levels.iter_mut().filter(|level| level.wants_room()) {
            level.make_room(account)?;
        }
        Ok(())
    }

    fn decode_many(&self, keys: &[u64], memory: &mut Memory<N>) {
        let size = size(N);
        let Memory {
            parents,
            parent_numbers,
            children,
            origins,
            ..
        } = memory;
        children.clear();
        origins.clear();
        parents.clear();
        parents.resize(keys.len(), [0; N]);
        parent_numbers.clear();
        parent_numbers.resize(keys.len() * size, 0);
        let mut below = size - 2;
        for (key, numbers) in keys.iter().zip(parent_numbers.chunks_exact_mut(size)) {
            numbers[below] = (key >> 32) as u32;
            numbers[below + 1] = *key as u32;
        }
        let mut width = 2;
        for level in self.levels[1..].iter().rev() {
            let here = below;
            below -= 2 * width;
            for numbers in parent_numbers.chunks_exact_mut(size) {
                for at in 0..width {
                    let value = level.value(numbers[here + at]);
                    numbers[below + 2 * at] = (value >> 32) as u32;
                    numbers[below + 2 * at + 1] = value as u32;
                }
            }
            width *= 2;
        }
        for (words, numbers) in parents.iter_mut().zip(parent_numbers.chunks_exact(size)) {
            for (word, number) in words.iter_mut().zip(numbers) {
                *word = self.levels[0].value(*number);
            }
        }
    }

    fn decoded(memory: &Memory<N>, index: usize) -> [u64; N] {
        memory.parents[index]
    }

    #[inline(always)]
    fn add_child(memory: &mut Memory<N>, parent: usize, state: &[u64; N]) -> usize {
        memory.children.push(*state);
        memory.origins.push(index(parent));
        memory.children.len()
    }

    fn encode_many(
        &self,
        memory: &mut Memory<N>,
        account: &Account,
        mut f: impl FnMut(u64) -> Result<(), Full>,
    ) -> Result<(), Full> {
        let done = self.number(memory, account);
        memory.children.clear();
        memory.origins.clear();
        memory.values.clear();
        memory.places.clear();
        done?;
        for numbers in memory.numbers.chunks_exact(size(N)) {
            f(pair(numbers[size(N) - 2], numbers[size(N) - 1]))?;
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
        Self::add_child(memory, 0, state);
        let mut key = 0;
        self.encode_many(memory, account, |encoded| {
            key = encoded;
            Ok(())
        })?;
        Ok(key)
    }

    fn encode_any(
        &self,
        state: &[u64; N],
        memory: &mut Memory<N>,
        account: &Account,
    ) -> Result<u64, Full> {
        // A parent that differs everywhere.
        memory.parents.clear();
        memory.parents.push(state.map(|word| !word));
        memory.parent_numbers.clear();
        memory.parent_numbers.resize(size(N), u32::MAX);
        self.encode(0, state, memory, account)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip<const N: usize>(hash_mask: u64) {
        let account = Account::new(None);
        let mut tree = Tree::<N>::new(64, hash_mask, &account).expect("no limit");
        let mut memory = tree.memory(&account).expect("no limit");
        let state = |i: u64| -> [u64; N] { std::array::from_fn(|k| i.pow(1 + k as u32 % 3) % 97) };
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
        round_trip::<2>(u64::MAX);
        round_trip::<4>(u64::MAX);
        round_trip::<8>(3);
        round_trip::<16>(0);
    }
}
