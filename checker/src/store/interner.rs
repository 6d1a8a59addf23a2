//! Numbers for values, shared between threads without locks.
//!
//! A value is written before its number is published in a slot, and slots are only ever filled while
//! threads share the table: it grows between rounds, when one thread has it to itself. A slot holds
//! a number and, in the bits that numbers do not need yet, some bits of the value's hash, so that
//! hardly any value is read in vain.

use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use super::account::{Account, Full};
use super::shared::{AtomicU32, AtomicU64, FIRST_SEGMENTS, LEAST_SLOTS, OnceLock, SEGMENTS};

/// Values whose cells are fetched at the same time.
const TOGETHER: usize = 32;
/// Marks the absence of a number.
const NONE: u32 = u32::MAX;

/// Values of `W` words and their numbers.
#[derive(Debug)]
pub(super) struct Interner<const W: usize> {
    /// Hash bits above a number plus one; 0 is empty. The length is a power of two.
    slots: Vec<AtomicU32>,
    /// Numbers given away; a few may be lost when two threads intern the same value at once.
    count: AtomicU32,
    /// Values by number, in segments that never move.
    segments: [OnceLock<Box<[AtomicU64]>>; SEGMENTS],
    hash_mask: u64,
}

/// The numbers of some values met lately, for one worker.
#[derive(Debug)]
pub(super) struct Recent<const W: usize>(Vec<([u64; W], u32)>);

impl<const W: usize> Recent<W> {
    /// Small enough for a cache near the processor.
    const COUNT: usize = 1 << 12;
    /// What it takes.
    pub(super) const BYTES: usize = Self::COUNT * size_of::<([u64; W], u32)>();

    /// Nothing met yet.
    pub(super) fn new() -> Self {
        Self(vec![([0; W], NONE); Self::COUNT])
    }
}

fn spread<const W: usize>(value: &[u64; W]) -> u64 {
    let mut x = 0u64;
    for word in value {
        x = (x ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        x ^= x >> 32;
    }
    x.wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// The segment of a number, where it lies there, and how many lie there.
#[inline(always)]
fn place(number: u32) -> (usize, usize, usize) {
    let position = number as usize + FIRST_SEGMENTS;
    let quarter = position.ilog2() - 2;
    let segment = (quarter + 2 - FIRST_SEGMENTS.ilog2()) as usize * 4 + (position >> quarter) - 4;
    (segment, position & ((1 << quarter) - 1), 1 << quarter)
}

fn empty(slots: usize) -> Vec<AtomicU32> {
    (0..slots).map(|_| AtomicU32::new(0)).collect()
}

impl<const W: usize> Interner<W> {
    /// Nothing interned yet; the number of slots is rounded up to a power of two.
    pub(super) fn new(slots: usize, hash_mask: u64, account: &Account) -> Result<Self, Full> {
        let slots = slots.max(LEAST_SLOTS).next_power_of_two();
        account.take(slots * 4)?;
        Ok(Self {
            slots: empty(slots),
            count: AtomicU32::new(0),
            segments: std::array::from_fn(|_| OnceLock::new()),
            hash_mask,
        })
    }

    /// The value of a number.
    #[inline(always)]
    pub(super) fn value(&self, number: u32) -> [u64; W] {
        let (segment, offset, _) = place(number);
        let segment = self.segments[segment]
            .get()
            .expect("numbers are given after their values are written");
        let words = &segment[offset * W..][..W];
        std::array::from_fn(|at| words[at].load(Relaxed))
    }

    /// Adds the words of some values; all are asked for before any is waited for.
    pub(super) fn values(&self, numbers: impl Iterator<Item = u32>, words: &mut Vec<u64>) {
        let mut cells: [&[AtomicU64]; TOGETHER] = [&[]; TOGETHER];
        let mut numbers = numbers.peekable();
        while numbers.peek().is_some() {
            let mut count = 0;
            for (cell, number) in cells.iter_mut().zip(numbers.by_ref()) {
                let (segment, offset, _) = place(number);
                let segment = self.segments[segment]
                    .get()
                    .expect("numbers are given after their values are written");
                *cell = &segment[offset * W..][..W];
                count += 1;
            }
            for cell in &cells[..count] {
                words.extend(cell.iter().map(|word| word.load(Relaxed)));
            }
        }
    }

    /// The bits of a slot that are a number.
    #[inline(always)]
    fn number_mask(&self) -> u32 {
        // Numbers are smaller than the number of slots, which is at most half of all numbers.
        (self.slots.len() - 1) as u32
    }

    /// The hash bits that go with a number.
    #[inline(always)]
    fn tag(&self, hash: u64) -> u32 {
        (hash >> 32) as u32 & !self.number_mask()
    }

    /// The numbers of some values, which lie side by side.
    pub(super) fn intern(
        &self,
        values: &[u64],
        numbers: &mut Vec<u32>,
        recent: &mut Recent<W>,
        account: &Account,
    ) -> Result<(), Full> {
        numbers.clear();
        for values in values.as_chunks::<W>().0.chunks(TOGETHER) {
            self.intern_together(values, numbers, recent, account)?;
        }
        Ok(())
    }

    fn intern_together(
        &self,
        values: &[[u64; W]],
        numbers: &mut Vec<u32>,
        recent: &mut Recent<W>,
        account: &Account,
    ) -> Result<(), Full> {
        let mask = self.slots.len() - 1;
        let base = numbers.len();
        let mut hashes = [0u64; TOGETHER];
        let mut slots = [0u32; TOGETHER];
        // Each loop issues loads that do not wait for one another.
        for (at, value) in values.iter().enumerate() {
            let hash = spread(value) & self.hash_mask;
            hashes[at] = hash;
            let (known, number) = recent.0[(hash >> 40) as usize % Recent::<W>::COUNT];
            let number = if known == *value { number } else { NONE };
            numbers.push(number);
            if number == NONE {
                slots[at] = self.slots[hash as usize & mask].load(Acquire);
            }
        }
        let mut found = [[0u64; W]; TOGETHER];
        for (at, value) in values.iter().enumerate() {
            let tag = self.tag(hashes[at]);
            let mut place = hashes[at] as usize;
            while slots[at] != 0 && slots[at] & !self.number_mask() != tag {
                place += 1;
                slots[at] = self.slots[place & mask].load(Acquire);
            }
            found[at] = match slots[at] {
                0 => value.map(|word| !word),
                slot => self.value((slot & self.number_mask()) - 1),
            };
        }
        for (at, value) in values.iter().enumerate() {
            let number = &mut numbers[base + at];
            if *number != NONE {
                continue;
            }
            *number = if found[at] == *value {
                (slots[at] & self.number_mask()) - 1
            } else {
                self.look_up(value, hashes[at], account)?
            };
            recent.0[(hashes[at] >> 40) as usize % Recent::<W>::COUNT] = (*value, *number);
        }
        Ok(())
    }

    fn look_up(&self, value: &[u64; W], hash: u64, account: &Account) -> Result<u32, Full> {
        let mask = self.slots.len() - 1;
        let tag = self.tag(hash);
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
                match self.slots[at].compare_exchange(0, tag | (number + 1), AcqRel, Acquire) {
                    Ok(_) => return Ok(number),
                    Err(other) => slot = other,
                }
            }
            let number = (slot & self.number_mask()) - 1;
            if slot & !self.number_mask() == tag && self.value(number) == *value {
                return Ok(number);
            }
            at = (at + 1) & mask;
        }
    }

    /// Gives a value the next number.
    fn write(&self, value: &[u64; W], account: &Account) -> Result<u32, Full> {
        let number = self.count.fetch_add(1, Relaxed);
        if number as usize >= self.slots.len() / 8 * 7 {
            self.count.fetch_sub(1, Relaxed);
            return Err(Full);
        }
        let (segment, offset, length) = place(number);
        if self.segments[segment].get().is_none() {
            account.take(length * W * 8)?;
            let values = (0..length * W).map(|_| AtomicU64::new(0));
            if self.segments[segment].set(values.collect()).is_err() {
                // Another thread was faster.
                account.give(length * W * 8);
            }
        }
        let segment = self.segments[segment].get().expect("just made sure");
        for (cell, word) in segment[offset * W..].iter().zip(value) {
            cell.store(*word, Relaxed);
        }
        Ok(number)
    }

    /// Whether it is so full that it should grow.
    pub(super) fn wants_room(&self) -> bool {
        self.count.load(Relaxed) as usize > self.slots.len() / 4 * 3
    }

    /// Doubles the slots.
    pub(super) fn make_room(&mut self, account: &Account) -> Result<(), Full> {
        let length = self.slots.len() * 2;
        if length > 1 << 31 {
            return Err(Full);
        }
        account.take(length * 4)?;
        let numbers = self.number_mask();
        let old = std::mem::replace(&mut self.slots, empty(length));
        // Values are asked for many at a time, because they lie anywhere.
        let mut waiting = [0u32; TOGETHER];
        let mut slots = old
            .iter()
            .map(|slot| slot.load(Relaxed) & numbers)
            .filter(|slot| *slot != 0)
            .peekable();
        while slots.peek().is_some() {
            let mut count = 0;
            for (waiting, slot) in waiting.iter_mut().zip(slots.by_ref()) {
                *waiting = slot;
                count += 1;
            }
            let mut hashes = [0u64; TOGETHER];
            for (hash, slot) in hashes.iter_mut().zip(&waiting[..count]) {
                *hash = spread(&self.value(slot - 1)) & self.hash_mask;
            }
            for (hash, slot) in hashes.iter().zip(&waiting[..count]) {
                let mut at = *hash as usize & (length - 1);
                while self.slots[at].load(Relaxed) != 0 {
                    at = (at + 1) & (length - 1);
                }
                self.slots[at].store(self.tag(*hash) | slot, Relaxed);
            }
        }
        account.give(old.len() * 4);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_agree_on_numbers() {
        let account = Account::new(None);
        let interner = Interner::<2>::new(1 << 16, u64::MAX, &account).expect("no limit");
        let number = |value: u64| {
            let value = [value, value / 2];
            let hash = spread(&value);
            interner.look_up(&value, hash, &account).expect("room")
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
                assert_eq!(interner.value(*got), [value, value / 2]);
                assert_eq!(*got, number(value));
            }
        }
    }

    #[test]
    fn segments_are_found() {
        let mut next = (0, 0);
        for number in 0..1 << 16 {
            let (segment, offset, length) = place(number);
            assert_eq!((segment, offset), next);
            next = if offset + 1 == length {
                (segment + 1, 0)
            } else {
                (segment, offset + 1)
            };
        }
        assert_eq!(place(0), (0, 0, 64));
        assert!(place(u32::MAX).0 < SEGMENTS);
    }
}
