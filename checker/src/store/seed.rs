//! The first few thousand states: whole, in the order in which they were found.
//!
//! Most checks never leave it. The log doubles as evidence: the states of each ply lie side by side.

use super::account::{Account, Full};

/// A hash table over a log of states.
#[derive(Debug)]
pub(crate) struct Seed<const N: usize> {
    log: Vec<[u64; N]>,
    /// Positions in the log plus one; 0 is empty. The length is a power of two.
    slots: Vec<u32>,
    /// Where each ply starts in the log.
    plys: Vec<usize>,
    /// All ones, fewer to force collisions in tests.
    hash_mask: u64,
}

/// A hash of packed words.
#[inline(always)]
pub(crate) fn hash<const N: usize>(state: &[u64; N]) -> u64 {
    let mut hash = 0x243f_6a88_85a3_08d3u64;
    for word in state {
        hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 32;
    }
    hash.wrapping_mul(0xd6e8_feb8_6659_fd93)
}

impl<const N: usize> Seed<N> {
    /// An empty table.
    pub(crate) fn new(hash_mask: u64, account: &Account) -> Result<Self, Full> {
        account.take(64 * 4)?;
        Ok(Self {
            log: Vec::new(),
            slots: vec![0; 64],
            plys: Vec::new(),
            hash_mask,
        })
    }

    /// Begins the next ply: what is added from now on belongs to it.
    pub(crate) fn begin_ply(&mut self) {
        self.plys.push(self.log.len());
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.log.len()
    }

    /// How many plys have been begun.
    pub(crate) fn plys(&self) -> usize {
        self.plys.len()
    }

    /// Where the states of a ply lie.
    pub(crate) fn ply(&self, ply: usize) -> std::ops::Range<usize> {
        let end = self.plys.get(ply + 1).copied().unwrap_or(self.log.len());
        self.plys[ply]..end
    }

    /// The states in the order in which they were added.
    pub(crate) fn states(&self) -> &[[u64; N]] {
        &self.log
    }

    /// The later half of the states.
    pub(crate) fn recent(&self) -> &[[u64; N]] {
        &self.log[self.log.len() / 2..]
    }

    /// Adds a state unless it is known; whether it was new.
    #[inline(always)]
    pub(crate) fn insert(&mut self, state: &[u64; N], account: &Account) -> Result<bool, Full> {
        self.number(state, account).map(|(_, new)| new)
    }

    /// The position of a state in the log, and whether it was added just now.
    #[inline(always)]
    pub(crate) fn number(
        &mut self,
        state: &[u64; N],
        account: &Account,
    ) -> Result<(u32, bool), Full> {
        let mask = self.slots.len() - 1;
        let mut at = (hash(state) & self.hash_mask) as usize & mask;
        loop {
            match self.slots[at] {
                0 => break,
                known if &self.log[known as usize - 1] == state => return Ok((known - 1, false)),
                _ => at = (at + 1) & mask,
            }
        }
        if self.log.len() * 2 > self.slots.len() {
            self.grow(account)?;
            at = self.free_slot(state);
        }
        account.room(&mut self.log, 1)?;
        let number = u32::try_from(self.log.len()).map_err(|_| Full)?;
        self.slots[at] = number.checked_add(1).ok_or(Full)?;
        self.log.push(*state);
        Ok((number, true))
    }

    fn free_slot(&self, state: &[u64; N]) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = (hash(state) & self.hash_mask) as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self, account: &Account) -> Result<(), Full> {
        let length = self.slots.len() * 4;
        account.take(length * 4)?;
        account.give(self.slots.len() * 4);
        self.slots = vec![0; length];
        for number in 0..self.log.len() {
            let at = self.free_slot(&self.log[number]);
            self.slots[at] = u32::try_from(number + 1).expect("fitted before growing");
        }
        Ok(())
    }

    /// Forgets the table but keeps the log.
    pub(crate) fn freeze(&mut self, account: &Account) {
        account.give(self.slots.len() * 4);
        self.slots = Vec::new();
    }
}
