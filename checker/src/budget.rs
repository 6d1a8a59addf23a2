//! What is left of the limits of a check while it is being prepared.
//!
//! A check may explore a specification, normalise it and search a product, one after the other. The
//! limits of [`Options`] hold for the check as a whole in time and bytes, and for each part in states.

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::options::{Observer, Options, Progress};
use crate::outcome::Limit;

/// The limits of one check and when it began.
pub struct Budget<'a> {
    options: &'a Options,
    observer: &'a dyn Observer,
    started: Instant,
    reported: Cell<Instant>,
    held: Cell<u64>,
    /// Work done since the clock and the user were last looked at.
    worked: Cell<usize>,
}

/// How long the observer is left in peace between two reports.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// How much work is done between two looks at the clock and the user: some milliseconds.
const LOOK_EVERY: usize = 1 << 17;

impl<'a> Budget<'a> {
    /// A budget that starts to run out now.
    #[must_use]
    pub fn new(options: &'a Options, observer: &'a dyn Observer) -> Self {
        let started = Instant::now();
        Self {
            options,
            observer,
            started,
            reported: Cell::new(started),
            held: Cell::new(0),
            worked: Cell::new(0),
        }
    }

    /// Bytes that were taken for good by a part of the check that is finished.
    pub fn hold(&self, bytes: u64) {
        self.held.set(self.held.get() + bytes);
    }

    /// The bytes held.
    #[must_use]
    pub fn held(&self) -> u64 {
        self.held.get()
    }

    /// The options that were given, with what is left of the time and the memory.
    #[must_use]
    pub fn remaining(&self) -> Options {
        let mut options = self.options.clone();
        options.timeout = options
            .timeout
            .map(|timeout| timeout.saturating_sub(self.started.elapsed()));
        options.memory = options
            .memory
            .map(|memory| memory.saturating_sub(self.held.get()));
        options
    }

    /// The options as they were given.
    #[must_use]
    pub fn options(&self) -> &'a Options {
        self.options
    }

    /// Who is told how it goes.
    #[must_use]
    pub fn observer(&self) -> &'a dyn Observer {
        self.observer
    }

    /// Checks the limits that cost nothing to look at; meant for every new state.
    pub fn spend(&self, states: u64, bytes: u64) -> Result<(), Limit> {
        if let Some(most) = self.options.max_states
            && states > most.max(1)
        {
            return Err(Limit::States(most));
        }
        if let Some(most) = self.options.memory
            && bytes + self.held.get() > most
        {
            return Err(Limit::Memory(most));
        }
        Ok(())
    }

    /// Notes that so many edges, states or the like have been dealt with, and now and then checks the
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
        if self.observer.interrupted() {
            return Err(Limit::Interrupted);
        }
        if let Some(timeout) = self.options.timeout
            && self.started.elapsed() >= timeout
        {
            return Err(Limit::Time);
        }
        if self.reported.get().elapsed() >= REPORT_EVERY {
            self.reported.set(Instant::now());
            self.observer.progress(progress);
        }
        Ok(())
    }
}
