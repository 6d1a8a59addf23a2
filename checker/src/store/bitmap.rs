//! One bit for every name that a state could have; for networks whose names are short.
//!
//! Each partition begins as a small table of names and becomes a bitmap when enough of its names are
//! taken, so that a search of few states does not pay for all it could have.

use super::Store;
use super::account::{Account, Full};

/// Names of up to 38 bits, a bit each.
#[derive(Debug)]
pub(crate) struct Bitmap {
    partition_bits: u32,
    rest_bits: u32,
}

/// A table becomes a bitmap when one name in this many is taken: two bytes of bitmap a name.
const SPARSE: usize = 128;

/// Names for which there is room before they are added.
const TOGETHER: usize = 64;

/// A partition.
#[derive(Debug)]
pub(crate) enum Part {
    /// Names plus one in a table that is a power of two long; 0 is empty.
    Few { slots: Vec<u32>, count: usize },
    /// A bit for each name.
    Many(Vec<u64>),
}

impl Bitmap {
    /// A bitmap for names of this many bits, in at most this many partitions.
    pub(crate) fn new(name_bits: u32, partition_bits: u32) -> Self {
        let name_bits = name_bits.max(6);
        // Parts of 64 KiB stay in a second-level cache while they are worked on; more of them would
        // only make routing dearer.
        let partition_bits = partition_bits
            .min(name_bits.saturating_sub(19).max(4))
            .min(name_bits - 6);
        let rest_bits = name_bits - partition_bits;
        assert!(
            rest_bits < 32,
            "the rest of a name and one more are kept in 32 bits"
        );
        Self {
            partition_bits,
            rest_bits,
        }
    }

    /// Adds a name to a table; whether it was new.
    fn insert_few(&self, part: &mut Part, entry: u32, account: &Account) -> Result<bool, Full> {
        let Part::Few { slots, count } = part else {
            unreachable!("the partition is a table");
        };
        let mut at = start(entry, slots.len());
        while slots[at] != 0 {
            if slots[at] == entry + 1 {
                return Ok(false);
            }
            at = (at + 1) % slots.len();
        }
        if *count * SPARSE >= 1 << self.rest_bits {
            let mut bits = self.bits(account)?;
            for name in slots.iter().filter(|slot| **slot != 0) {
                set(&mut bits, name - 1);
            }
            set(&mut bits, entry);
            account.give(slots.len() * 4);
            *part = Part::Many(bits);
            return Ok(true);
        }
        if (*count + 1) * 4 > slots.len() * 3 {
            grow(slots, account)?;
            at = free(slots, entry);
        }
        slots[at] = entry + 1;
        *count += 1;
        Ok(true)
    }

    fn bits(&self, account: &Account) -> Result<Vec<u64>, Full> {
        let words = 1usize << (self.rest_bits - 6);
        account.take(words * 8)?;
        Ok(vec![0; words])
    }
}

fn start(entry: u32, slots: usize) -> usize {
    let hash = u64::from(entry.wrapping_mul(0x9e37_79b9));
    ((hash * slots as u64) >> 32) as usize
}

fn free(slots: &[u32], entry: u32) -> usize {
    let mut at = start(entry, slots.len());
    while slots[at] != 0 {
        at = (at + 1) % slots.len();
    }
    at
}

#[cold]
fn grow(slots: &mut Vec<u32>, account: &Account) -> Result<(), Full> {
    account.take(slots.len() * 2 * 4)?;
    let old = std::mem::replace(slots, vec![0; slots.len() * 2]);
    for name in old.iter().filter(|slot| **slot != 0) {
        let at = free(slots, name - 1);
        slots[at] = *name;
    }
    account.give(old.len() * 4);
    Ok(())
}

/// Sets a bit; whether it was new.
#[inline(always)]
fn set(bits: &mut [u64], entry: u32) -> bool {
    let word = &mut bits[(entry >> 6) as usize];
    let bit = 1 << (entry & 63);
    let new = *word & bit == 0;
    *word |= bit;
    new
}

impl Store for Bitmap {
    type Entry = u32;
    type Part = Part;

    fn name(&self) -> &'static str {
        "bitmap"
    }

    fn partitions(&self) -> usize {
        1 << self.partition_bits
    }

    fn finer(&self) -> Option<Self> {
        None
    }

    fn divide(&self, _: &Self, _: Part, _: &Account) -> Result<Vec<Part>, Full> {
        unreachable!("a bitmap is as fine as it gets");
    }

    fn part(&self, account: &Account) -> Result<Part, Full> {
        const FEW: usize = 16;
        if 1 << self.rest_bits <= FEW * SPARSE {
            return Ok(Part::Many(self.bits(account)?));
        }
        account.take(FEW * 4)?;
        Ok(Part::Few {
            slots: vec![0; FEW],
            count: 0,
        })
    }

    fn bytes(&self, part: &Part) -> usize {
        match part {
            Part::Few { slots, .. } => slots.len() * 4,
            Part::Many(bits) => bits.len() * 8,
        }
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
    fn insert(&self, part: &mut Part, entry: u32, _: u32, account: &Account) -> Result<bool, Full> {
        match part {
            Part::Many(bits) => Ok(set(bits, entry)),
            Part::Few { .. } => self.insert_few(part, entry, account),
        }
    }

    fn insert_run(
        &self,
        part: &mut Part,
        run: &[u32],
        _: u32,
        next: &mut Vec<u32>,
        account: &Account,
    ) -> Result<(), Full> {
        let mut rest = run.iter();
        while let Part::Few { .. } = part {
            let Some(entry) = rest.next() else {
                return Ok(());
            };
            account.room(next, 1)?;
            if self.insert_few(part, *entry, account)? {
                next.push(*entry);
            }
        }
        let Part::Many(bits) = part else {
            unreachable!("a partition is a table or a bitmap");
        };
        for run in rest.as_slice().chunks(TOGETHER) {
            account.room(next, run.len())?;
            // Written whether new or not: the processor could not predict a branch.
            let mut end = next.len();
            next.extend_from_slice(run);
            for entry in run {
                next[end] = *entry;
                end += usize::from(set(bits, *entry));
            }
            next.truncate(end);
        }
        Ok(())
    }

    fn tags(&self) -> u32 {
        0
    }

    fn tagged(&self, _: &Part, _: u32, _: impl FnMut(u32)) {
        unreachable!("a bitmap remembers no tags");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_become_bitmaps_and_lose_nothing() {
        let bitmap = Bitmap::new(14, 1);
        let account = Account::new(None);
        let mut parts = [0, 1].map(|_| bitmap.part(&account).expect("no limit"));
        assert!(matches!(parts[0], Part::Few { .. }));
        for round in [true, false] {
            for key in (0..1 << 14).step_by(7) {
                let (at, entry) = bitmap.split(key);
                assert_eq!(bitmap.join(at, entry), key);
                let new = bitmap.insert(&mut parts[at], entry, 1, &account);
                assert_eq!(new, Ok(round));
            }
        }
        assert!(matches!(parts[0], Part::Many(_)));
        assert_eq!(account.taken(), 2 * (1 << 13) / 8);
    }

    #[test]
    fn runs_are_added_across_the_change_to_a_bitmap() {
        let bitmap = Bitmap::new(14, 1);
        let account = Account::new(None);
        let mut part = bitmap.part(&account).expect("no limit");
        let run: Vec<u32> = (0..300).map(|i| i * 7 % 500).collect();
        let mut next = Vec::new();
        for _ in 0..2 {
            let added = bitmap.insert_run(&mut part, &run, 1, &mut next, &account);
            assert_eq!(added, Ok(()));
        }
        assert!(matches!(part, Part::Many(_)));
        assert_eq!(next, run, "the numbers of a run are distinct");
    }
}
