//! When to stop, and how far the search has come.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use csp_host::clock::Moment;

use crate::options::{Observer, Options, Ply, Progress};
use crate::outcome::Limit;
use crate::store::{Account, Full};

/// Between two reports to the observer.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// How much longer than its time a search may take to tell what it has found.
const GRACE: Duration = Duration::from_millis(500);

/// The limits of one search, shared by its workers.
///
/// There are two ways to end early. *Stopping* ends at once, in the middle of a ply. When the store
/// is *closed*, because it is full, because the model is ill-formed or because enough has been found,
/// no more states are added but the ply is still visited to its end, so that what is found does not
/// depend on the order of states.
pub(crate) struct Control<'a> {
    pub(crate) observer: &'a dyn Observer,
    pub(crate) account: Account,
    pub(crate) most_states: u64,
    deadline: Option<Moment>,
    next_report: Mutex<Moment>,
    stopped: AtomicBool,
    closed: AtomicBool,
    limit: Mutex<Option<Limit>>,
    pub(crate) ply: AtomicU64,
    pub(crate) states: AtomicU64,
    pub(crate) transitions: AtomicU64,
    pub(crate) frontier: AtomicU64,
}

impl<'a> Control<'a> {
    /// The limits that a user has set.
    pub(crate) fn new(options: &Options, observer: &'a dyn Observer) -> Self {
        let now = Moment::now();
        Self {
            observer,
            account: Account::new(options.memory),
            most_states: options.max_states.unwrap_or(u64::MAX).max(1),
            deadline: options.timeout.and_then(|t| now.checked_add(t)),
            next_report: Mutex::new(now + REPORT_EVERY),
            stopped: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            limit: Mutex::new(None),
            ply: AtomicU64::new(0),
            states: AtomicU64::new(0),
            transitions: AtomicU64::new(0),
            frontier: AtomicU64::new(0),
        }
    }

    /// Ends the search at once.
    pub(crate) fn stop(&self, limit: Limit) {
        self.note(limit);
        self.stopped.store(true, Relaxed);
    }

    /// Stores no more because of a limit.
    pub(crate) fn fill(&self, limit: Limit) {
        self.note(limit);
        self.close();
    }

    /// The first reason stays, but an ill-formed model comes before all.
    fn note(&self, limit: Limit) {
        let mut reason = self.limit.lock().unwrap_or_else(PoisonError::into_inner);
        if reason.is_none() || matches!(limit, Limit::Unsupported(_)) {
            *reason = Some(limit);
        }
    }

    /// Stores no more: this ply is the last.
    pub(crate) fn close(&self) {
        self.closed.store(true, Relaxed);
    }

    /// Stores no more because memory is out.
    pub(crate) fn out_of_memory(&self, _: Full) {
        self.fill(Limit::Memory(self.account.limit()));
    }

    /// Ends at once for the reason for which nothing more is stored.
    pub(crate) fn stop_when_full(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Whether to end at once.
    #[inline(always)]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Whether nothing more is stored.
    #[inline(always)]
    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Relaxed)
    }

    /// Why the search ended early.
    pub(crate) fn limit(&self) -> Option<Limit> {
        self.limit
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Tells the observer that a ply has been expanded.
    pub(crate) fn tell_ply(&self, ply: &Ply) {
        self.observer.ply(ply);
    }

    /// Why what was found can be explained no longer, if that is so.
    pub(crate) fn is_late(&self) -> Option<Limit> {
        let end = self.deadline.map(|deadline| deadline + GRACE);
        if end.is_some_and(|end| Moment::now() >= end) {
            return Some(Limit::Time);
        }
        self.observer.interrupted().then_some(Limit::Interrupted)
    }

    /// Looks at the clock and the observer; called often by one worker.
    pub(crate) fn poll(&self) {
        let now = Moment::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            self.stop(Limit::Time);
        }
        let Ok(mut next) = self.next_report.try_lock() else {
            return;
        };
        if now < *next {
            return;
        }
        *next = now + REPORT_EVERY;
        if self.observer.interrupted() {
            self.stop(Limit::Interrupted);
        }
        self.observer.progress(&Progress {
            ply: self.ply.load(Relaxed),
            states: self.states.load(Relaxed),
            transitions: self.transitions.load(Relaxed),
            frontier: self.frontier.load(Relaxed),
            memory: self.account.taken(),
        });
    }
}
