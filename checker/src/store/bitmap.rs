//! One bit for every name that a state could have; for networks whose names are short.

use super::Store;
use super::account::{Account, Full};

/// Names of up to 38 bits, a bit each.
#[derive(Debug)]
pub(crate) struct Bitmap {
    partition_bits: u32,
    rest_bits: u32,
}

impl Bitmap {
    /// A bitmap for names of so many bits, in at most so many partitions.
    pub(crate) fn new(name_bits: u32, partition_bits: u32) -> Self {
        let name_bits = name_bits.max(6);
        // Parts of 64 KiB stay in a second-level cache while they are worked on; more of them would
        // only make routing dearer.
        let partition_bits = partition_bits
            .min(name_bits.saturating_sub(19).max(4))
            .min(name_bits - 6);
        let rest_bits = name_bits - partition_bits;
        assert!(rest_bits <= 32, "the rest of a name is kept in 32 bits");
        Self {
            partition_bits,
            rest_bits,
        }
    }
}

impl Store for Bitmap {
    type Entry = u32;
    type Part = Vec<u64>;

    fn name(&self) -> &'static str {
        "bitmap"
    }

    fn partitions(&self) -> usize {
        1 << self.partition_bits
    }

    fn part(&self, account: &Account) -> Result<Vec<u64>, Full> {
        let words = 1usize << (self.rest_bits - 6);
        account.take(words * 8)?;
        Ok(vec![0; words])
    }

    #[inline(always)]
    fn split(&self, key: u64) -> (usize, u32) {
        let rest = key & ((1 << self.rest_bits) - 1);
        ((key >> self.rest_bits) as usize, rest as u32)
    }

    #[inline(always)]
    fn join(&self, partition: usize, entry: u32) -> u64 {
        (partition as u64) << self.rest_bits | u64::from(entry)
    }

    #[inline(always)]
    fn insert(&self, part: &mut Vec<u64>, entry: u32, _: u32, _: &Account) -> Result<bool, Full> {
        let word = &mut part[(entry >> 6) as usize];
        let bit = 1 << (entry & 63);
        let new = *word & bit == 0;
        *word |= bit;
        Ok(new)
    }

    fn tags(&self) -> u32 {
        0
    }

    fn tagged(&self, _: &Vec<u64>, _: u32, _: &mut dyn FnMut(u32)) {
        unreachable!("a bitmap remembers no tags");
    }
}
