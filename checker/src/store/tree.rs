//! Long states as trees of numbers.
//!
//! Each word of a state is interned, then pairs of the numbers, up to the root, whose pair is an
//! exact 64-bit key. Neighbouring states share most of their trees, so a state costs little more than
//! its root; and a child only looks up the paths above the words in which it differs from its
//! parent. Source: Laarman, van de Pol, Weber, "Parallel recursive state compression for free".

use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicU32, AtomicU64,
    Ordering::{AcqRel, Acquire, Relaxed},
};

use super::account::{Account, Full};
use super::codec::Codec;

/// The first segment of an interner holds this many values, each further one twice as many.
const FIRST_SEGMENT: usize = 1 << 12;
/// As many as 32-bit numbers can need.
const SEGMENTS: usize = 21;
/// Values that each worker remembers for each level.
const REMEMBERED: usize = 1 << 14;
/// Marks the absence of a number.
const NONE: u32 = u32::MAX;

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
    /// A tree without states, with room for so many values at each level before it has to grow.
    pub(crate) fn new(room: usize, hash_mask: u64, account: &Account) -> Result<Self, Full> {
        assert!(
            N.is_power_of_two() && N > 1,
            "a tree pairs the words of a state"
        );
        let levels = (0..N.trailing_zeros())
            .map(|_| Interner::new((room * 2).next_power_of_two().max(64), hash_mask, account))
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
            recent: vec![vec![(0, NONE); REMEMBERED]; self.levels.len()],
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

/// Numbers for values, given once and for all; shared between threads without locks.
///
/// A value is written before its number is published in a slot, and slots are only ever filled
/// while threads share the table: it grows between rounds, when one thread has it to itself.
#[derive(Debug)]
struct Interner {
    /// Numbers plus one; 0 is empty. The length is a power of two.
    slots: Vec<AtomicU32>,
    /// Numbers given away; a few may be lost when two threads intern the same value at once.
    count: AtomicU32,
    /// Values by number, in segments that never move.
    segments: [OnceLock<Box<[AtomicU64]>>; SEGMENTS],
    hash_mask: u64,
}

fn spread(value: u64) -> u64 {
    let x = value.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

fn place(number: u32) -> (usize, usize) {
    let position = number as usize + FIRST_SEGMENT;
    let segment = (position.ilog2() - FIRST_SEGMENT.ilog2()) as usize;
    (segment, position - (FIRST_SEGMENT << segment))
}

impl Interner {
    fn new(slots: usize, hash_mask: u64, account: &Account) -> Result<Self, Full> {
        account.take(slots * 4)?;
        Ok(Self {
            slots: empty(slots),
            count: AtomicU32::new(0),
            segments: [const { OnceLock::new() }; SEGMENTS],
            hash_mask,
        })
    }

    /// The value of a number.
    #[inline(always)]
    fn value(&self, number: u32) -> u64 {
        let (segment, offset) = place(number);
        let segment = self.segments[segment]
            .get()
            .expect("numbers are given after their values are written");
        segment[offset].load(Relaxed)
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
        if remembered.0 == value && remembered.1 != NONE {
            return Ok(remembered.1);
        }
        let number = self.look_up(value, hash, account)?;
        *remembered = (value, number);
        Ok(number)
    }

    fn look_up(&self, value: u64, hash: u64, account: &Account) -> Result<u32, Full> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        let mut mine = None;
        loop {
            let mut slot = self.slots[at].load(Acquire);
            if slot == 0 {
                let number = match mine {
                    Some(number) => number,
                    None => self.write(value, account)?,
                };
                mine = Some(number);
                match self.slots[at].compare_exchange(0, number + 1, AcqRel, Acquire) {
                    Ok(_) => return Ok(number),
                    Err(other) => slot = other,
                }
            }
            if self.value(slot - 1) == value {
                return Ok(slot - 1);
            }
            at = (at + 1) & mask;
        }
    }

    /// Gives a value the next number.
    fn write(&self, value: u64, account: &Account) -> Result<u32, Full> {
        let number = self.count.fetch_add(1, Relaxed);
        if number as usize >= self.slots.len() / 8 * 7 {
            self.count.fetch_sub(1, Relaxed);
            return Err(Full);
        }
        let (segment, offset) = place(number);
        if self.segments[segment].get().is_none() {
            account.take((FIRST_SEGMENT << segment) * 8)?;
            let values = (0..FIRST_SEGMENT << segment).map(|_| AtomicU64::new(0));
            if self.segments[segment].set(values.collect()).is_err() {
                // Another thread was faster.
                account.give((FIRST_SEGMENT << segment) * 8);
            }
        }
        let values = self.segments[segment].get().expect("just made sure");
        values[offset].store(value, Relaxed);
        Ok(number)
    }

    fn wants_room(&self) -> bool {
        self.count.load(Relaxed) as usize > self.slots.len() / 4 * 3
    }

    fn make_room(&mut self, account: &Account) -> Result<(), Full> {
        let length = self.slots.len() * 2;
        if u32::try_from(length).is_err() {
            return Err(Full);
        }
        account.take(length * 4)?;
        let old = std::mem::replace(&mut self.slots, empty(length));
        for slot in &old {
            let slot = slot.load(Relaxed);
            if slot != 0 {
                let hash = spread(self.value(slot - 1)) & self.hash_mask;
                let mut at = hash as usize & (length - 1);
                while *self.slots[at].get_mut() != 0 {
                    at = (at + 1) & (length - 1);
                }
                *self.slots[at].get_mut() = slot;
            }
        }
        account.give(old.len() * 4);
        Ok(())
    }
}

fn empty(slots: usize) -> Vec<AtomicU32> {
    (0..slots).map(|_| AtomicU32::new(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip<const N: usize>(hash_mask: u64) {
        let account = Account::new(None);
        let mut tree = Tree::<N>::new(32, hash_mask, &account).expect("no limit");
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

    #[test]
    fn threads_agree_on_numbers() {
        let account = Account::new(None);
        let interner = Interner::new(1 << 16, u64::MAX, &account).expect("no limit");
        let number = |value: u64| {
            let hash = spread(value);
            interner.look_up(value, hash, &account).expect("room")
        };
        let numbers: Vec<Vec<u32>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4u64)
                .map(|t| {
                    scope.spawn(move || (0..9000).map(|i| number((i * 7 + t) % 9000)).collect())
                })
                .collect();
            threads
                .into_iter()
                .map(|t| t.join().expect("no panic"))
                .collect()
        });
        for (t, numbers) in numbers.iter().enumerate() {
            for (i, got) in numbers.iter().enumerate() {
                let value = (i as u64 * 7 + t as u64) % 9000;
                assert_eq!((*got, interner.value(*got)), (number(value), value));
            }
        }
    }

    #[test]
    fn segments_are_found() {
        assert_eq!(place(0), (0, 0));
        assert_eq!(place(4095), (0, 4095));
        assert_eq!(place(4096), (1, 0));
        assert_eq!(place(3 * 4096 - 1), (1, 8191));
        assert_eq!(place(3 * 4096), (2, 0));
        assert_eq!(place(u32::MAX).0, SEGMENTS - 1);
    }
}
