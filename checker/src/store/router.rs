//! Entries on their way to their partitions.
//!
//! Each worker has one router. A line of entries is gathered for every partition in the cache and
//! written out as a whole to a block of that partition, so that memory sees whole lines only.

use super::Entry;
use super::account::{Account, Full};

/// Entries of a block, in lines.
const BLOCK_LINES: usize = 32;
/// Blocks are allocated this many at a time.
const SLAB_BLOCKS: usize = 64;

/// Marks the absence of a block.
const NONE: u32 = u32::MAX;

/// The entries that one worker has made, by partition.
#[derive(Debug)]
pub(crate) struct Router<E: Entry> {
    lanes: Vec<Lane<E::Line>>,
    slabs: Vec<Box<[E::Line]>>,
    /// For each block in use the block of the same partition that was filled before it.
    previous: Vec<u32>,
}

/// The line that is being gathered for a partition, and how far it has come. They lie side by side: of
/// two arrays, one could lie so that a processor takes a line for the cursor that it reads next.
#[derive(Clone, Copy, Debug)]
struct Lane<L> {
    line: L,
    cursor: Cursor,
}

/// How far a partition has come.
#[derive(Clone, Copy, Debug)]
struct Cursor {
    /// The block that is being filled.
    block: u32,
    /// Lines in it.
    lines: u16,
    /// Entries in the line that is being gathered.
    gathered: u16,
}

const START: Cursor = Cursor {
    block: NONE,
    lines: 0,
    gathered: 0,
};

impl<E: Entry> Router<E> {
    /// Nothing routed yet.
    pub(crate) fn new(partitions: usize, account: &Account) -> Result<Self, Full> {
        account.take(Self::fixed(partitions))?;
        let lane = Lane {
            line: E::Line::default(),
            cursor: START,
        };
        Ok(Self {
            lanes: vec![lane; partitions],
            slabs: Vec::new(),
            previous: Vec::new(),
        })
    }

    fn fixed(partitions: usize) -> usize {
        partitions * size_of::<Lane<E::Line>>()
    }

    /// Adds an entry to its partition.
    #[inline(always)]
    pub(crate) fn push(
        &mut self,
        partition: usize,
        entry: E,
        account: &Account,
    ) -> Result<(), Full> {
        let Lane { line, cursor } = &mut self.lanes[partition];
        let at = cursor.gathered as usize % E::LINE;
        if at + 1 == E::LINE {
            return self.flush(partition, entry, account);
        }
        line.as_mut()[at] = entry;
        cursor.gathered = at as u16 + 1;
        Ok(())
    }

    /// Writes out a line that lacks its last entry. That goes to the block at once: read back from the
    /// line so soon after, it would be waited for until all earlier writes have reached the cache.
    #[inline(never)]
    fn flush(&mut self, partition: usize, last: E, account: &Account) -> Result<(), Full> {
        let Lane {
            line: gathered,
            cursor,
        } = &mut self.lanes[partition];
        cursor.gathered = 0;
        if cursor.block == NONE || cursor.lines as usize == BLOCK_LINES {
            let block = self.previous.len();
            if block == self.slabs.len() * SLAB_BLOCKS {
                let lines = SLAB_BLOCKS * BLOCK_LINES;
                account.take(lines * size_of::<E::Line>() + SLAB_BLOCKS * 4)?;
                self.slabs
                    .push(vec![E::Line::default(); lines].into_boxed_slice());
            }
            self.previous.push(cursor.block);
            cursor.block = u32::try_from(block).map_err(|_| Full)?;
            cursor.lines = 0;
        }
        let block = cursor.block as usize;
        let line = block % SLAB_BLOCKS * BLOCK_LINES + cursor.lines as usize;
        let line = &mut self.slabs[block / SLAB_BLOCKS][line];
        *line = *gathered;
        line.as_mut()[E::LINE - 1] = last;
        cursor.lines += 1;
        Ok(())
    }

    /// How many bytes of blocks are in use.
    pub(crate) fn bytes(&self) -> usize {
        self.previous.len() * BLOCK_LINES * 64
    }

    /// How many entries a partition has.
    pub(crate) fn count(&self, partition: usize) -> usize {
        let cursor = &self.lanes[partition].cursor;
        let mut lines = cursor.lines as usize;
        let mut block = cursor.block;
        while block != NONE {
            block = self.previous[block as usize];
            lines += if block == NONE { 0 } else { BLOCK_LINES };
        }
        cursor.gathered as usize + lines * E::LINE
    }

    /// Calls back with the entries of a partition, a run at a time, in any order.
    pub(crate) fn runs(&self, partition: usize, mut f: impl FnMut(&[E])) {
        let Lane { line, cursor } = &self.lanes[partition];
        f(&line.as_ref()[..cursor.gathered as usize]);
        let (mut block, mut lines) = (cursor.block, cursor.lines as usize);
        while block != NONE {
            let slab = &self.slabs[block as usize / SLAB_BLOCKS];
            let from = block as usize % SLAB_BLOCKS * BLOCK_LINES;
            f(E::entries(&slab[from..from + lines]));
            lines = BLOCK_LINES;
            block = self.previous[block as usize];
        }
    }

    /// Gives back all memory.
    pub(crate) fn release(self, account: &Account) {
        let slabs = self.slabs.len() * SLAB_BLOCKS * (BLOCK_LINES * size_of::<E::Line>() + 4);
        account.give(Self::fixed(self.lanes.len()) + slabs);
    }

    /// Forgets everything that was routed.
    pub(crate) fn clear(&mut self) {
        self.previous.clear();
        self.lanes.iter_mut().for_each(|lane| lane.cursor = START);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn route<E: Entry>() {
        let account = Account::new(None);
        let mut router = Router::<E>::new(3, &account).expect("no limit");
        for round in 0..2 {
            for value in 0..20_000u64 {
                let to = (value % 7 % 3) as usize;
                router.push(to, E::cut(value), &account).expect("no limit");
            }
            for partition in 0..3 {
                let mut got = Vec::new();
                let count = router.count(partition);
                router.runs(partition, |run| got.extend(run.iter().map(|e| e.value())));
                got.sort_unstable();
                let expected: Vec<u64> = (0..20_000u64)
                    .filter(|v| (v % 7 % 3) as usize == partition)
                    .collect();
                assert_eq!(got, expected, "round {round}");
                assert_eq!(count, got.len());
            }
            router.clear();
        }
    }

    #[test]
    fn every_entry_arrives_once() {
        route::<u32>();
        route::<u64>();
    }
}
