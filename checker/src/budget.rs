//! What is left of the limits of a check.
//!
//! A check evaluates, compiles, compresses, explores a specification, normalises it and searches a product, one after
//! the other and some of it on several threads. The limits of [`Options`] hold for all of that together in time and
//! bytes, and for each part in states. A [`Budget`] belongs to one thread; [`Share`]s of it go to others, and all of
//! them spend from one account.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use csp_host::clock::Moment;

use crate::options::{Observer, Options, Progress};
use crate::outcome::Limit;

/// The limits of one check, when it began, and what it has taken so far.
pub struct Budget<'a> {
    share: Share<'a>,
    max_states: Option<u64>,
    reported: Cell<Moment>,
    /// What is under way here has this much of the account.
    own: Cell<u64>,
    /// Work done since the clock and the user were last looked at.
    worked: Cell<usize>,
}

/// The part of a budget that threads have in common.
#[derive(Clone)]
pub struct Share<'a> {
    options: &'a Options,
    observer: &'a dyn Observer,
    started: Moment,
    /// Bytes taken by all parts of the check.
    account: Arc<AtomicU64>,
}

/// How long the observer is left in peace between two reports.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// How much work is done between two looks at the clock and the user: some milliseconds.
const LOOK_EVERY: usize = 1 << 17;

/// By how many bytes a part may grow before the others are told: threads would wait for one another.
const TELL_EVERY: u64 = 1 << 18;

impl<'a> Share<'a> {
    /// A budget for the present thread.
    #[must_use]
    pub fn budget(&self) -> Budget<'a> {
        Budget {
            share: self.clone(),
            max_states: self.options.max_states,
            reported: Cell::new(Moment::now()),
            own: Cell::new(0),
            worked: Cell::new(0),
        }
    }
}

impl<'a> Budget<'a> {
    /// A budget that starts to run out now.
    #[must_use]
    pub fn new(options: &'a Options, observer: &'a dyn Observer) -> Self {
        let share = Share {
            options,
            observer,
            started: Moment::now(),
            account: Arc::default(),
        };
        share.budget()
    }

    /// What other threads can make budgets of that spend from the same account.
    #[must_use]
    pub fn share(&self) -> Share<'a> {
        self.share.clone()
    }

    /// The same budget for a part that may have no more states than this.
    #[must_use]
    pub fn with_states(&self, most: u64) -> Self {
        let mut part = self.share.budget();
        part.max_states = Some(self.max_states.map_or(most, |states| states.min(most)));
        part
    }

    /// What is left of the same budget, under other options.
    #[must_use]
    pub fn under<'b>(&self, options: &'b Options) -> Budget<'b>
    where
        'a: 'b,
    {
        let share = Share {
            options,
            observer: self.share.observer,
            started: self.share.started,
            account: Arc::clone(&self.share.account),
        };
        share.budget()
    }

    /// Bytes that were taken for good by a part of the check that is finished.
    pub fn hold(&self, bytes: u64) {
        self.share.account.fetch_add(bytes, Relaxed);
    }

    /// The bytes that are held, on other threads too, without what is under way here.
    #[must_use]
    pub fn held(&self) -> u64 {
        let all = self.share.account.load(Relaxed);
        all.saturating_sub(self.own.get())
    }

    /// The options that were given, with what is left of the time and the memory.
    #[must_use]
    pub fn remaining(&self) -> Options {
        let mut options = self.share.options.clone();
        options.max_states = self.max_states;
        options.timeout = options
            .timeout
            .map(|timeout| timeout.saturating_sub(self.share.started.elapsed()));
        options.memory = options
            .memory
            .map(|memory| memory.saturating_sub(self.held()));
        options
    }

    /// The options as they were given.
    #[must_use]
    pub fn options(&self) -> &'a Options {
        self.share.options
    }

    /// Who is told how it goes.
    #[must_use]
    pub fn observer(&self) -> &'a dyn Observer {
        self.share.observer
    }

    /// Checks the limits that cost nothing to look at; meant for every new state. The bytes are those of the part of
    /// the check that is under way here, as many as it has now.
    pub fn spend(&self, states: u64, bytes: u64) -> Result<(), Limit> {
        if let Some(most) = self.max_states
            && states > most.max(1)
        {
            return Err(Limit::States(most));
        }
        if bytes.abs_diff(self.own.get()) >= TELL_EVERY {
            self.own(bytes);
        }
        if let Some(most) = self.share.options.memory
            && bytes.saturating_add(self.held()) > most
        {
            return Err(Limit::Memory(most));
        }
        Ok(())
    }

    fn own(&self, bytes: u64) {
        let account = &self.share.account;
        account.fetch_add(bytes, Relaxed);
        account.fetch_sub(self.own.replace(bytes), Relaxed);
    }

    /// Notes that this many edges, states or the like have been dealt with, and now and then checks the
    /// clock and the user; cheap enough for inner loops.
    pub fn work(&self, amount: usize) -> Result<(), Limit> {
        let worked = self.worked.get() + amount;
        if worked < LOOK_EVERY {
            self.worked.set(worked);
            return Ok(());
        }
        self.worked.set(0);
        self.breathe(&Progress::default())
    }

    /// Checks the clock and the user, and says how far it has come; meant for every few thousand
    /// states.
    pub fn breathe(&self, progress: &Progress) -> Result<(), Limit> {
        let observer = self.observer();
        if observer.interrupted() {
            return Err(Limit::Interrupted);
        }
        if let Some(timeout) = self.share.options.timeout
            && self.share.started.elapsed() >= timeout
        {
            return Err(Limit::Time);
        }
        if self.reported.get().elapsed() >= REPORT_EVERY {
            self.reported.set(Moment::now());
            observer.progress(progress);
        }
        Ok(())
    }
}

/// What was under way is given back.
impl Drop for Budget<'_> {
    fn drop(&mut self) {
        self.own(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::NoObserver;

    #[test]
    fn threads_spend_from_one_account() {
        let options = Options {
            memory: Some(10 << 20),
            ..Options::default()
        };
        let budget = Budget::new(&options, &NoObserver);
        budget.hold(2 << 20);
        let share = budget.share();
        let (one, other) = (share.budget(), share.budget());
        assert_eq!(one.spend(1, 5 << 20), Ok(()));
        assert_eq!(other.spend(1, 5 << 20), Err(Limit::Memory(10 << 20)));
        drop(one);
        assert_eq!(other.spend(1, 5 << 20), Ok(()));
        assert_eq!(budget.remaining().memory, Some(3 << 20));
        drop(other);
        assert_eq!(budget.held(), 2 << 20);
    }
}
