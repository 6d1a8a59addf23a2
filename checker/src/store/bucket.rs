//! Eight entries side by side, laid out for vector instructions.

use wide::u32x4;

/// Entries of a bucket.
pub(super) const BUCKET: usize = 8;

/// Tagged entries; 0 is empty.
pub(crate) trait Bucket: Copy + Default + Send + Sync + std::fmt::Debug {
    /// An entry.
    fn get(&self, at: usize) -> u64;

    /// How many entries there are; they are filled from the front.
    fn taken(&self) -> usize;

    /// Puts an entry where there is 0, or puts 0 and changes nothing.
    fn put(&mut self, at: usize, entry: u64);

    /// The slots in which an entry, cut by a mask, is the wanted one, a bit each.
    fn matches(&self, mask: u64, wanted: u64) -> u32;
}

/// Entries of 32 bits.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(crate) struct Singles([u32x4; 2]);

/// The low and the high halves of entries of 64 bits, because not all machines compare whole ones.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Halves {
    low: Singles,
    high: Singles,
}

impl Singles {
    #[inline(always)]
    fn number(&self, at: usize) -> u32 {
        self.0[at / 4].as_array()[at % 4]
    }

    #[inline(always)]
    fn add(&mut self, at: usize, bits: u32) {
        self.0[at / 4].as_mut_array()[at % 4] |= bits;
    }

    /// Ones where a number, cut by a mask, is the wanted one.
    #[inline(always)]
    fn hits(&self, mask: u32, wanted: u32) -> [u32x4; 2] {
        let (mask, wanted) = (u32x4::splat(mask), u32x4::splat(wanted));
        self.0.map(|numbers| (numbers & mask).simd_eq(wanted))
    }
}

/// A bit for each number that is all ones, where the others are 0.
#[inline(always)]
fn bits(numbers: [u32x4; 2]) -> u32 {
    let [first, second] = numbers.map(u32x4::to_bitmask);
    first | second << 4
}

/// How many numbers come before the first 0.
#[inline(always)]
fn taken(numbers: [u32x4; 2]) -> usize {
    let empty = bits(numbers.map(|four| four.simd_eq(u32x4::ZERO)));
    (empty | 1 << BUCKET).trailing_zeros() as usize
}

impl Bucket for Singles {
    #[inline(always)]
    fn get(&self, at: usize) -> u64 {
        u64::from(self.number(at))
    }

    #[inline(always)]
    fn taken(&self) -> usize {
        taken(self.0)
    }

    #[inline(always)]
    fn put(&mut self, at: usize, entry: u64) {
        self.add(at, entry as u32);
    }

    #[inline(always)]
    fn matches(&self, mask: u64, wanted: u64) -> u32 {
        bits(self.hits(mask as u32, wanted as u32))
    }
}

impl Bucket for Halves {
    #[inline(always)]
    fn get(&self, at: usize) -> u64 {
        u64::from(self.high.number(at)) << 32 | u64::from(self.low.number(at))
    }

    #[inline(always)]
    fn taken(&self) -> usize {
        let (low, high) = (self.low.0, self.high.0);
        taken([low[0] | high[0], low[1] | high[1]])
    }

    #[inline(always)]
    fn put(&mut self, at: usize, entry: u64) {
        self.low.add(at, entry as u32);
        self.high.add(at, (entry >> 32) as u32);
    }

    #[inline(always)]
    fn matches(&self, mask: u64, wanted: u64) -> u32 {
        let low = self.low.hits(mask as u32, wanted as u32);
        let high = self.high.hits((mask >> 32) as u32, (wanted >> 32) as u32);
        bits([low[0] & high[0], low[1] & high[1]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled<B: Bucket>(entries: &[u64]) -> B {
        let mut bucket = B::default();
        for entry in entries {
            bucket.put(bucket.taken(), *entry);
        }
        bucket
    }

    /// Entries with some bits that a mask cuts off.
    fn check<B: Bucket>(entries: &[u64; BUCKET], mask: u64) {
        for count in 0..=BUCKET {
            let mut bucket = filled::<B>(&entries[..count]);
            assert_eq!(bucket.taken(), count);
            for (at, entry) in entries.iter().enumerate() {
                assert_eq!(bucket.get(at), if at < count { *entry } else { 0 });
                let found = if at < count { 1 << at } else { 0 };
                assert_eq!(bucket.matches(mask, entry & mask), found);
                assert_eq!(bucket.matches(mask, (entry ^ 1) & mask), 0);
            }
            if count < BUCKET {
                bucket.put(count, 0);
                assert_eq!(bucket.taken(), count);
            }
        }
    }

    #[test]
    fn entries_are_found_in_every_slot() {
        check::<Singles>(
            &[
                0x1002, 0x2004, 0x1006, 0x1008, 0x300a, 0x100c, 0x100e, 0x1010,
            ],
            0xfff,
        );
        // The same high halves, the same low halves, and entries with an empty half.
        let entries = [
            1 << 60 | 2,
            1 << 60 | 4,
            3 << 60 | 6,
            1 << 60 | 1 << 40,
            6 << 60,
            8,
            10,
            1 << 50,
        ];
        check::<Halves>(&entries, u64::MAX);
        let high = [1, 2, 3, 4, 5, 6, 7, 8].map(|at: u64| 1 << 60 | at << 33 | 2);
        check::<Halves>(&high, u64::MAX >> 8);
    }
}
