//! When evaluation has to stop: its time is up, its memory is used, or the user wants no more.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use csp_checker::Limit;

use crate::cancel::CancelToken;
use crate::memory;

/// When evaluation has to stop.
#[derive(Default)]
pub(crate) struct Watch {
    deadline: Cell<Option<Instant>>,
    cancel: RefCell<CancelToken>,
    memory: Cell<Option<MemoryWatch>>,
}

/// How much memory evaluation may take, and how much it is.
#[derive(Clone, Copy)]
struct MemoryWatch {
    /// What it may take besides what there was at the start.
    limit: u64,
    /// The most that the process may have.
    most: u64,
    /// When to look again.
    next: Instant,
    exceeded: bool,
}

/// How long memory is not looked at after it was.
const MEMORY_PAUSE: Duration = Duration::from_millis(50);

impl Watch {
    /// From now on this token says whether the user wants no more.
    pub(super) fn listen_to(&self, cancel: CancelToken) {
        self.cancel.replace(cancel);
    }

    /// Starts the clock, and looks how much memory there is if the user does not say.
    pub(crate) fn start(&self, seconds: Option<f64>, memory: Option<u64>) {
        let limit = memory.or_else(memory::available);
        self.memory.set(
            limit
                .zip(memory::resident())
                .map(|(limit, taken)| MemoryWatch {
                    limit,
                    most: limit.saturating_add(taken),
                    next: Instant::now(),
                    exceeded: false,
                }),
        );
        let limit = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
        self.deadline
            .set(limit.and_then(|limit| Instant::now().checked_add(limit)));
    }

    pub(super) fn says_stop(&self) -> bool {
        let late = |deadline| Instant::now() > deadline;
        self.deadline.get().is_some_and(late) || self.is_interrupted() || self.is_out_of_memory()
    }

    fn is_out_of_memory(&self) -> bool {
        let Some(mut watch) = self.memory.get() else {
            return false;
        };
        if !watch.exceeded && Instant::now() >= watch.next {
            watch.exceeded = memory::resident().is_some_and(|taken| taken > watch.most);
            watch.next = Instant::now() + MEMORY_PAUSE;
            self.memory.set(Some(watch));
        }
        watch.exceeded
    }

    fn is_interrupted(&self) -> bool {
        self.cancel.borrow().is_cancelled()
    }

    /// Why it says stop.
    pub(super) fn limit(&self) -> Limit {
        if self.is_interrupted() {
            return Limit::Interrupted;
        }
        match self.memory.get() {
            Some(watch) if watch.exceeded => Limit::Memory(watch.limit),
            _ => Limit::Time,
        }
    }
}
