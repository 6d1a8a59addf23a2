//! Nodes waiting to be expanded, by promise, and among equals in the order in which they came.

use std::collections::{BTreeMap, VecDeque};

use crate::store::{Account, Full};

/// The smaller, the sooner.
pub(crate) type Promise = (u32, u32);

/// A queue of queues.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    waiting: BTreeMap<Promise, VecDeque<u32>>,
    length: u64,
    taken: usize,
}

/// What an entry is reckoned at: queues grow by doubling.
const ENTRY_BYTES: usize = 8;
/// Memory is taken for this many entries at a time.
const PORTION: usize = 4096;

impl Queue {
    /// Adds a node.
    pub(crate) fn push(
        &mut self,
        promise: Promise,
        node: u32,
        account: &Account,
    ) -> Result<(), Full> {
        if self.length >= self.taken as u64 {
            account.take(PORTION * ENTRY_BYTES)?;
            self.taken += PORTION;
        }
        self.waiting.entry(promise).or_default().push_back(node);
        self.length += 1;
        Ok(())
    }

    /// Takes the first node.
    pub(crate) fn pop(&mut self) -> Option<(Promise, u32)> {
        let mut first = self.waiting.first_entry()?;
        let promise = *first.key();
        let node = first.get_mut().pop_front();
        if first.get().is_empty() {
            first.remove();
        }
        self.length -= 1;
        Some((promise, node.expect("queues that run empty are removed")))
    }

    /// How many nodes wait.
    pub(crate) fn len(&self) -> u64 {
        self.length
    }
}
