//! Who works on which partition.
//!
//! Every worker begins with a share of its own, which is the same each time: what it works on may still
//! be in its cache, and memory that it gives back there it can take again. When that is done it helps
//! the others.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Partitions, each of which is claimed by one worker.
pub(super) struct Claims {
    partitions: usize,
    /// How many of each share have been claimed, or more when all are.
    claimed: Vec<AtomicUsize>,
}

impl Claims {
    /// This many partitions for this many workers.
    pub(super) fn new(partitions: usize, workers: usize) -> Self {
        let claimed = (0..workers).map(|_| AtomicUsize::new(0)).collect();
        Self {
            partitions,
            claimed,
        }
    }

    /// The next one for a worker.
    pub(super) fn claim(&self, worker: usize) -> Option<usize> {
        let mut shares = (worker..self.claimed.len()).chain(0..worker);
        shares.find_map(|share| {
            let claimed = self.claimed[share].fetch_add(1, Relaxed);
            self.share(share).nth(claimed)
        })
    }

    fn share(&self, worker: usize) -> Range<usize> {
        let start = |worker| self.partitions * worker / self.claimed.len();
        start(worker)..start(worker + 1)
    }

    fn are_all_claimed(&self) -> bool {
        let mut shares = self.claimed.iter().enumerate();
        shares.all(|(share, claimed)| claimed.load(Relaxed) >= self.share(share).len())
    }
}

/// Partitions that are still to be expanded; some of them have been begun.
pub(super) struct Queue {
    claims: Claims,
    begun: Mutex<Vec<usize>>,
}

impl Queue {
    /// Nothing begun yet.
    pub(super) fn new(claims: Claims) -> Self {
        let begun = Mutex::default();
        Self { claims, begun }
    }

    fn begun(&self) -> MutexGuard<'_, Vec<usize>> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next one for a worker.
    pub(super) fn claim(&self, worker: usize) -> Option<usize> {
        let begun = self.begun().pop();
        begun.or_else(|| self.claims.claim(worker))
    }

    /// Leaves the rest of one to whoever comes next.
    pub(super) fn put_back(&self, number: usize) {
        self.begun().push(number);
    }

    /// Whether nothing is left.
    pub(super) fn is_done(&self) -> bool {
        self.claims.are_all_claimed() && self.begun().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_claimed_once_whoever_asks() {
        for (partitions, workers) in [(0, 1), (1, 3), (2, 3), (7, 2), (64, 5)] {
            let queue = Queue::new(Claims::new(partitions, workers));
            assert_eq!(queue.is_done(), partitions == 0);
            // The last worker asks alone for a while.
            let asking = (0..partitions / 2).map(|_| workers - 1);
            let asking = asking.chain((0..).map(|turn| turn % workers));
            let claimed = asking.map_while(|worker| queue.claim(worker));
            let mut claimed: Vec<_> = claimed.collect();
            claimed.sort_unstable();
            assert!(claimed.into_iter().eq(0..partitions));
            assert!(queue.is_done());
            queue.put_back(0);
            assert!(!queue.is_done());
            assert_eq!((queue.claim(0), queue.claim(0)), (Some(0), None));
        }
    }

    #[test]
    fn a_worker_begins_with_its_share() {
        let claims = Claims::new(6, 2);
        let claimed: Vec<_> = (0..6).map_while(|_| claims.claim(1)).collect();
        assert_eq!(claimed, [3, 4, 5, 0, 1, 2]);
    }
}
