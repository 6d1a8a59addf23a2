//! Bytes taken, counted before they are taken.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The memory limit would be exceeded, or numbers ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

/// Counts bytes against a limit.
#[derive(Debug)]
pub(crate) struct Account {
    limit: u64,
    taken: AtomicU64,
    peak: AtomicU64,
}

impl Account {
    /// Nothing taken yet.
    pub(crate) fn new(limit: Option<u64>) -> Self {
        Self {
            limit: limit.unwrap_or(u64::MAX),
            taken: AtomicU64::new(0),
            peak: AtomicU64::new(0),
        }
    }

    /// Takes bytes unless that would exceed the limit.
    pub(crate) fn take(&self, bytes: usize) -> Result<(), Full> {
        let taken = self.taken.fetch_add(bytes as u64, Relaxed) + bytes as u64;
        if taken > self.limit {
            self.taken.fetch_sub(bytes as u64, Relaxed);
            return Err(Full);
        }
        self.peak.fetch_max(taken, Relaxed);
        Ok(())
    }

    /// Gives bytes back.
    pub(crate) fn give(&self, bytes: usize) {
        self.taken.fetch_sub(bytes as u64, Relaxed);
    }

    /// Gives back what was taken for a vector.
    pub(crate) fn release<T>(&self, items: Vec<T>) {
        self.give(items.capacity() * size_of::<T>());
    }

    /// Makes room in a vector for this many more items, growing it by half at least.
    #[inline(always)]
    pub(crate) fn room<T>(&self, items: &mut Vec<T>, more: usize) -> Result<(), Full> {
        if more <= items.capacity() - items.len() {
            Ok(())
        } else {
            self.grow(items, more)
        }
    }

    #[cold]
    fn grow<T>(&self, items: &mut Vec<T>, more: usize) -> Result<(), Full> {
        let missing = items.len() + more - items.capacity();
        let more = (items.capacity() / 2).max(32).max(missing);
        self.take((items.capacity() + more) * size_of::<T>())?;
        let old = items.capacity() * size_of::<T>();
        let before = items.capacity();
        items.reserve_exact(before + more - items.len());
        assert!(
            items.capacity() >= before + more,
            "reserving makes that much room"
        );
        self.give(old);
        Ok(())
    }

    /// The limit.
    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    /// Bytes taken now.
    pub(crate) fn taken(&self) -> u64 {
        self.taken.load(Relaxed)
    }

    /// The most that was taken at once.
    pub(crate) fn peak(&self) -> u64 {
        self.peak.load(Relaxed)
    }
}
