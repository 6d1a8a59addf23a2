//! Entries on their way to their partitions.
//!
//! Each worker has one router. A line of entries is gathered for every partition in the cache and
//! written out as a whole to a block of that partition, so that memory sees whole lines only.

use super::Entry;
use super::account::{Account, Full};

/// Entries of a block, in lines.
const BLOCK_LINES: usize = 32;
/// Blocks are allocated so many at a time.
const SLAB_BLOCKS: usize = 64;

/// The entries that one worker has made, by partition.
#[derive(Debug)]
pub(crate) struct Router<E: Entry> {
    lines: Vec<E::Line>,
    gathered: Vec<u8>,
    /// For each partition, its blocks; the last one is being filled.
    blocks: Vec<Vec<u32>>,
    /// Lines in the last block.
    filled: Vec<u8>,
    slabs: Vec<Box<[E::Line]>>,
    next_block: u32,
}

impl<E: Entry> Router<E> {
    /// Nothing routed yet.
    pub(crate) fn new(partitions: usize, account: &Account) -> Result<Self, Full> {
        account.take(partitions * (size_of::<E::Line>() + 26))?;
        Ok(Self {
            lines: vec![E::Line::default(); partitions],
            gathered: vec![0; partitions],
            blocks: vec![Vec::new(); partitions],
            filled: vec![0; partitions],
            slabs: Vec::new(),
            next_block: 0,
        })
    }

    /// Adds an entry to its partition.
    #[inline(always)]
    pub(crate) fn push(
        &mut self,
        partition: usize,
        entry: E,
        account: &Account,
    ) -> Result<(), Full> {
        let count = &mut self.gathered[partition];
        self.lines[partition].as_mut()[*count as usize % E::LINE] = entry;
        *count += 1;
        if *count as usize == E::LINE {
            *count = 0;
            self.flush(partition, account)?;
        }
        Ok(())
    }

    #[inline(never)]
    fn flush(&mut self, partition: usize, account: &Account) -> Result<(), Full> {
        let full =
            self.blocks[partition].is_empty() || self.filled[partition] as usize == BLOCK_LINES;
        if full {
            let block = self.next_block as usize;
            if block == self.slabs.len() * SLAB_BLOCKS {
                let lines = SLAB_BLOCKS * BLOCK_LINES;
                account.take(lines * size_of::<E::Line>())?;
                self.slabs
                    .push(vec![E::Line::default(); lines].into_boxed_slice());
            }
            self.next_block += 1;
            self.blocks[partition].push(self.next_block - 1);
            self.filled[partition] = 0;
        }
        let block = *self.blocks[partition].last().expect("just made sure") as usize;
        let line = block % SLAB_BLOCKS * BLOCK_LINES + self.filled[partition] as usize;
        self.slabs[block / SLAB_BLOCKS][line] = self.lines[partition];
        self.filled[partition] += 1;
        Ok(())
    }

    /// How many bytes of blocks are in use.
    pub(crate) fn bytes(&self) -> usize {
        self.next_block as usize * BLOCK_LINES * 64
    }

    /// Calls back with the entries of a partition, a run at a time.
    pub(crate) fn runs(&self, partition: usize, mut f: impl FnMut(&[E])) {
        let blocks = &self.blocks[partition];
        for (index, block) in blocks.iter().enumerate() {
            let lines = if index + 1 == blocks.len() {
                self.filled[partition] as usize
            } else {
                BLOCK_LINES
            };
            let slab = &self.slabs[*block as usize / SLAB_BLOCKS];
            let from = *block as usize % SLAB_BLOCKS * BLOCK_LINES;
            for line in &slab[from..from + lines] {
                f(line.as_ref());
            }
        }
        f(&self.lines[partition].as_ref()[..self.gathered[partition] as usize]);
    }

    /// Gives back all memory.
    pub(crate) fn release(self, account: &Account) {
        let fixed = self.lines.len() * (size_of::<E::Line>() + 26);
        let lines: usize = self.slabs.iter().map(|slab| slab.len()).sum();
        account.give(fixed + lines * size_of::<E::Line>());
    }

    /// Forgets everything that was routed.
    pub(crate) fn clear(&mut self) {
        self.next_block = 0;
        self.gathered.fill(0);
        for blocks in &mut self.blocks {
            blocks.clear();
        }
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
                router.runs(partition, |run| got.extend(run.iter().map(|e| e.value())));
                let expected: Vec<u64> = (0..20_000u64)
                    .filter(|v| (v % 7 % 3) as usize == partition)
                    .collect();
                assert_eq!(got, expected, "round {round}");
            }
            router.clear();
        }
    }

    #[test]
    fn every_entry_arrives_in_order() {
        route::<u32>();
        route::<u64>();
    }
}
