//! Entries one after another, in blocks of the same size.
//!
//! A list never moves what it has, and what one list gives back is what another takes: many lists that
//! become longer and shorter leave no gaps in memory.

use std::ops::Range;

use super::account::{Account, Full};

/// Bytes of the entries of a block.
const BLOCK_BYTES: usize = 1 << 10;

/// A list that grows at its end.
#[derive(Debug)]
pub(crate) struct List<E> {
    /// All are full but the last.
    blocks: Vec<Vec<E>>,
}

impl<E> Default for List<E> {
    fn default() -> Self {
        Self { blocks: Vec::new() }
    }
}

impl<E: Copy> List<E> {
    /// Entries of a block.
    const BLOCK: usize = BLOCK_BYTES / size_of::<E>();
    /// Bytes that a block takes.
    const BYTES: usize = BLOCK_BYTES + size_of::<Vec<E>>();

    /// How many entries there are.
    pub(crate) fn len(&self) -> usize {
        let Some((last, full)) = self.blocks.split_last() else {
            return 0;
        };
        full.len() * Self::BLOCK + last.len()
    }

    /// Adds entries, or only the first of them if there is no room for all.
    pub(crate) fn extend(&mut self, entries: &[E], account: &Account) -> Result<(), Full> {
        self.add(entries, || account.take(Self::BYTES))
    }

    /// Adds the entries of another list, which is left empty. That takes no more room than they had.
    pub(crate) fn append(&mut self, other: &mut Self, account: &Account) {
        let before = self.blocks.len() + other.blocks.len();
        for block in other.blocks.drain(..) {
            let added = self.add(&block, || Ok(()));
            added.expect("nothing is taken");
        }
        account.give((before - self.blocks.len()) * Self::BYTES);
    }

    /// Adds entries; `room` is asked before there is another block.
    #[inline(always)]
    fn add(&mut self, mut entries: &[E], room: impl Fn() -> Result<(), Full>) -> Result<(), Full> {
        while !entries.is_empty() {
            let last = match self.blocks.last_mut() {
                Some(block) if block.len() < Self::BLOCK => block,
                _ => {
                    room()?;
                    self.blocks.push(Vec::with_capacity(Self::BLOCK));
                    continue;
                }
            };
            let fitting = entries.len().min(Self::BLOCK - last.len());
            let (now, later) = entries.split_at(fitting);
            last.extend_from_slice(now);
            entries = later;
        }
        Ok(())
    }

    /// The entries in a range, some at a time.
    pub(crate) fn runs(&self, range: Range<usize>) -> impl Iterator<Item = &[E]> {
        let first = range.start / Self::BLOCK;
        let starts = (first * Self::BLOCK..range.end).step_by(Self::BLOCK);
        let blocks = self.blocks.iter().skip(first);
        blocks.zip(starts).map(move |(block, start)| {
            let from = range.start.saturating_sub(start);
            &block[from..block.len().min(range.end - start)]
        })
    }

    /// All entries, some at a time.
    pub(crate) fn all(&self) -> impl Iterator<Item = &[E]> {
        self.blocks.iter().map(Vec::as_slice)
    }

    /// Gives back all entries.
    pub(crate) fn release(&mut self, account: &Account) {
        account.give(self.blocks.len() * Self::BYTES);
        self.blocks.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_in_order_and_by_range() {
        let account = Account::new(None);
        let mut list = List::<u64>::default();
        let all: Vec<u64> = (0..1000).collect();
        for (from, to) in [
            (0, 0),
            (0, 1),
            (1, 127),
            (127, 129),
            (129, 256),
            (256, 1000),
        ] {
            list.extend(&all[from..to], &account).expect("no limit");
            assert_eq!(list.len(), to);
        }
        assert_eq!(list.all().flatten().copied().collect::<Vec<_>>(), all);
        for range in [
            0..0,
            0..128,
            5..6,
            100..900,
            128..256,
            1000..1000,
            999..1000,
        ] {
            let found: Vec<u64> = list.runs(range.clone()).flatten().copied().collect();
            assert_eq!(found, all[range]);
        }
        assert_eq!(account.taken() as usize, 8 * List::<u64>::BYTES);
        let mut other = List::default();
        other.extend(&all[..30], &account).expect("no limit");
        list.append(&mut other, &account);
        assert_eq!((list.len(), other.len()), (1030, 0));
        assert!(list.runs(1000..1030).flatten().eq(&all[..30]));
        assert_eq!(account.taken() as usize, 9 * List::<u64>::BYTES);
        list.append(&mut other, &account);
        list.release(&account);
        assert_eq!((list.len(), account.taken()), (0, 0));
    }

    #[test]
    fn what_there_is_no_room_for_is_not_added() {
        let account = Account::new(Some(2 * List::<u32>::BYTES as u64));
        let mut list = List::default();
        assert_eq!(list.extend(&[7u32; 600], &account), Err(Full));
        assert_eq!(list.len(), 512);
    }
}
