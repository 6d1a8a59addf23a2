//! Threads that work on the same thing for a while.

use std::sync::{Mutex, OnceLock, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Worker threads, started when they are first needed.
#[derive(Debug)]
pub(crate) struct Team {
    threads: usize,
    pool: OnceLock<Option<ThreadPool>>,
}

impl Team {
    /// A team of this many.
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            threads: threads.max(1),
            pool: OnceLock::new(),
        }
    }

    /// How many workers there are.
    pub(crate) fn size(&self) -> usize {
        self.threads
    }

    /// Runs the same work with each hand, at the same time and each in a thread of its own, which is
    /// the same for all calls; if threads cannot be started, one after another.
    pub(crate) fn run<T: Send>(&self, hands: &mut [T], work: impl Fn(&mut T) + Sync) {
        let start = || {
            ThreadPoolBuilder::new()
                .num_threads(self.threads)
                .build()
                .ok()
        };
        let pool = if self.threads == 1 || hands.len() == 1 {
            &None
        } else {
            self.pool.get_or_init(start)
        };
        match pool {
            None => hands.iter_mut().for_each(work),
            Some(pool) => {
                let hands: Vec<_> = hands.iter_mut().map(Mutex::new).collect();
                pool.broadcast(|thread| {
                    if let Some(hand) = hands.get(thread.index()) {
                        work(&mut hand.lock().unwrap_or_else(PoisonError::into_inner));
                    }
                });
            }
        }
    }
}
