//! Long states as trees of numbers.
//!
//! Each word of a state is interned, then pairs of the numbers, up to the root, whose pair is an
//! exact 64-bit key. Neighbouring states share most of their trees, so a state costs little more than
//! its root; and a child only looks up the paths above the words in which it differs from its
//! parent. Source: Laarman, van de Pol, Weber, "Parallel recursive state compression for free".

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::account::{Account, Full};
use super::codec::Codec;

/// Bits of a number that choose its shard.
const SHARD_BITS: u32 = 6;
/// The first segment of a shard holds this many values, each further one twice as many.
const FIRST_SEGMENT: usize = 256;
/// Values that each worker remembers for each level.
const REMEMBERED: usize = 1 << 13;

/// Interned trees over `N` words.
#[derive(Debug)]
pub(crate) struct Tree<const N: usize> {
    /// Words first, then pairs of numbers, and so on up to below the root.
    levels: Vec<Interner>,
}

/// What a worker remembers.
#[derive(Debug)]
pub(crate) struct Memory<const N: usize> {
    words: [u64; N],
    /// The numbers of the state decoded last, level by level, and of the state being encoded.
    parent: Vec<u32>,
    child: Vec<u32>,
    recent: Vec<Vec<(u64, u32)>>,
}

impl<const N: usize> Tree<N> {
    /// A tree without states.
    pub(crate) fn new(hash_mask: u64, account: &Account) -> Result<Self, Full> {
        assert!(
            N.is_power_of_two() && N > 1,
            "a tree pairs the words of a state"
        );
        let levels = (0..N.trailing_zeros())
            .map(|_| Interner::new(hash_mask, account))
            .collect::<Result<_, _>>()?;
        Ok(Self { levels })
    }

    /// Interns bottom up; what equals the parent's is taken from there if `reuse` says so.
    #[inline(always)]
    fn build(
        &self,
        state: &[u64; N],
        reuse: bool,
        memory: &mut Memory<N>,
        account: &Account,
    ) -> Result<u64, Full> {
        let Memory {
            words,
            parent,
            child,
            recent,
        } = memory;
        for (at, word) in state.iter().enumerate() {
            child[at] = if reuse && words[at] == *word {
                parent[at]
            } else {
                self.levels[0].intern(*word, &mut recent[0], account)?
            };
        }
        let (mut below, mut width) = (0, N);
        for (level, recent) in self.levels.iter().zip(recent).skip(1) {
            let here = below + width;
            width /= 2;
            for at in 0..width {
                let (left, right) = (below + 2 * at, below + 2 * at + 1);
                let same = reuse && child[left] == parent[left] && child[right] == parent[right];
                child[here + at] = if same {
                    parent[here + at]
                } else {
                    level.intern(pair(child[left], child[right]), recent, account)?
                };
            }
            below = here;
        }
        Ok(pair(child[below], child[below + 1]))
    }
}

fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

impl<const N: usize> Codec<N> for Tree<N> {
    type Memory = Memory<N>;

    fn memory(&self, account: &Account) -> Result<Memory<N>, Full> {
        account.take(self.levels.len() * REMEMBERED * 16 + 16 * N)?;
        Ok(Memory {
            words: [0; N],
            parent: vec![0; 2 * N],
            child: vec![0; 2 * N],
            recent: vec![vec![(0, u32::MAX); REMEMBERED]; self.levels.len()],
        })
    }

    #[inline(always)]
    fn decode(&self, key: u64, memory: &mut Memory<N>) -> [u64; N] {
        let numbers = &mut memory.parent;
        let mut below = 2 * N - 4;
        numbers[below] = (key >> 32) as u32;
        numbers[below + 1] = key as u32;
        let mut width = 2;
        for level in self.levels[1..].iter().rev() {
            let here = below;
            below -= 2 * width;
            for at in 0..width {
                let value = level.value(numbers[here + at]);
                numbers[below + 2 * at] = (value >> 32) as u32;
                numbers[below + 2 * at + 1] = value as u32;
            }
            width *= 2;
        }
        for (word, number) in memory.words.iter_mut().zip(&memory.parent) {
            *word = self.levels[0].value(*number);
        }
        memory.words
    }

    #[inline(always)]
    fn encode(
        &self,
        _: u32,
        state: &[u64; N],
        memory: &mut Memory<N>,
        account: &Account,
    ) -> Result<u64, Full> {
        self.build(state, true, memory, account)
    }

    fn encode_any(
        &self,
        state: &[u64; N],
        memory: &mut Memory<N>,
        account: &Account,
    ) -> Result<u64, Full> {
        self.build(state, false, memory, account)
    }
}

/// Numbers for values, given once and for all; shared between threads.
#[derive(Debug)]
struct Interner {
    shards: Vec<InternShard>,
    hash_mask: u64,
}

#[derive(Debug)]
struct InternShard {
    index: Mutex<Index>,
    /// Values by number, in segments that never move, so that reading needs no lock. A number
    /// reaches another thread only through a lock or a barrier, after its value was written.
    segments: [OnceLock<Box<[AtomicU64]>>; 24],
}

/// Open addressing over the numbers of a shard; 0 is empty.
#[derive(Debug)]
struct Index {
    slots: Vec<u32>,
    count: u32,
}

fn spread(value: u64) -> u64 {
    let x = value.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

impl Interner {
    fn new(hash_mask: u64, account: &Account) -> Result<Self, Full> {
        account.take((1 << SHARD_BITS) * 64 * 4)?;
        Ok(Self {
            shards: (0..1 << SHARD_BITS)
                .map(|_| InternShard {
                    index: Mutex::new(Index {
                        slots: vec![0; 64],
                        count: 0,
                    }),
                    segments: [const { OnceLock::new() }; 24],
                })
                .collect(),
            hash_mask,
        })
    }

    /// The value of a number.
    #[inline(always)]
    fn value(&self, number: u32) -> u64 {
        let shard = &self.shards[(number & ((1 << SHARD_BITS) - 1)) as usize];
        shard.value(number >> SHARD_BITS)
    }

    /// The number of a value, from what the worker remembers if possible.
    #[inline(always)]
    fn intern(
        &self,
        value: u64,
        recent: &mut [(u64, u32)],
        account: &Account,
    ) -> Result<u32, Full> {
        let hash = spread(value) & self.hash_mask;
        let remembered = &mut recent[(hash >> 40) as usize % REMEMBERED];
        if remembered.0 == value && remembered.1 != u32::MAX {
            return Ok(remembered.1);
        }
        let shard = (hash >> (64 - SHARD_BITS)) as usize;
        let local = self.shards[shard].intern(value, hash, self.hash_mask, account)?;
        let number = local << SHARD_BITS | u32::try_from(shard).expect("few shards");
        *remembered = (value, number);
        Ok(number)
    }
}

impl InternShard {
    #[inline(always)]
    fn place(local: u32) -> (usize, usize) {
        let position = local as usize + FIRST_SEGMENT;
        let segment = position.ilog2() - FIRST_SEGMENT.ilog2();
        (segment as usize, position - (FIRST_SEGMENT << segment))
    }

    #[inline(always)]
    fn value(&self, local: u32) -> u64 {
        let (segment, offset) = Self::place(local);
        let segment = self.segments[segment]
            .get()
            .expect("numbers are given after their values are written");
        segment[offset].load(Relaxed)
    }

    fn intern(
        &self,
        value: u64,
        hash: u64,
        hash_mask: u64,
        account: &Account,
    ) -> Result<u32, Full> {
        let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        let mask = index.slots.len() - 1;
        let mut at = hash as usize & mask;
        while index.slots[at] != 0 {
            let local = index.slots[at] - 1;
            if self.value(local) == value {
                return Ok(local);
            }
            at = (at + 1) & mask;
        }
        let local = index.count;
        // The last number would collide with the mark of an empty memory.
        if local >= (1 << (32 - SHARD_BITS)) - 2 {
            return Err(Full);
        }
        let (segment, offset) = Self::place(local);
        if self.segments[segment].get().is_none() {
            account.take((FIRST_SEGMENT << segment) * 8)?;
        }
        let values = self.segments[segment].get_or_init(|| {
            (0..FIRST_SEGMENT << segment)
                .map(|_| AtomicU64::new(0))
                .collect()
        });
        values[offset].store(value, Relaxed);
        if (index.count as usize + 1) * 4 > index.slots.len() * 3 {
            self.grow(&mut index, hash_mask, account)?;
            at = hash as usize & (index.slots.len() - 1);
            while index.slots[at] != 0 {
                at = (at + 1) & (index.slots.len() - 1);
            }
        }
        index.slots[at] = local + 1;
        index.count += 1;
        Ok(local)
    }

    fn grow(&self, index: &mut Index, hash_mask: u64, account: &Account) -> Result<(), Full> {
        let length = index.slots.len() * 2;
        account.take(length * 4)?;
        account.give(index.slots.len() * 4);
        index.slots = vec![0; length];
        for local in 0..index.count {
            let hash = spread(self.value(local)) & hash_mask;
            let mut at = hash as usize & (length - 1);
            while index.slots[at] != 0 {
                at = (at + 1) & (length - 1);
            }
            index.slots[at] = local + 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip<const N: usize>(hash_mask: u64) {
        let account = Account::new(None);
        let tree = Tree::<N>::new(hash_mask, &account).expect("no limit");
        let mut memory = tree.memory(&account).expect("no limit");
        let state = |i: u64| -> [u64; N] { std::array::from_fn(|k| i.pow(1 + k as u32 % 3) % 97) };
        let keys: Vec<u64> = (0..500)
            .map(|i| {
                tree.encode_any(&state(i), &mut memory, &account)
                    .expect("no limit")
            })
            .collect();
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

    #[test]
    fn segments_are_found() {
        assert_eq!(InternShard::place(0), (0, 0));
        assert_eq!(InternShard::place(255), (0, 255));
        assert_eq!(InternShard::place(256), (1, 0));
        assert_eq!(InternShard::place(767), (1, 511));
        assert_eq!(InternShard::place(768), (2, 0));
    }
}
