//! What requests share: the folder, the sessions, and how much may run at once.
//!
//! A tab runs one check at a time and asks a bounded number of questions, so that a tab whose script never ends keeps
//! others neither from checking nor from asking.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::http::StatusCode;
use csp_driver::CancelToken;
use csp_driver::session::SessionError;
use tokio::sync::Semaphore;

use crate::folder::Folder;
use crate::refusal::Refusal;
use crate::seats::{Seats, lock};

/// The longest a check may take, and anything that is not a check.
pub(crate) const MOST_SECONDS: f64 = 3_600.0;
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// How many checks may run at a time, how many may wait, and how many other questions may be under way: of all tabs,
/// and of one.
const CHECKS: usize = 4;
const WAITING: usize = 32;
const QUESTIONS: usize = 128;
const QUESTIONS_OF_A_TAB: usize = 16;

/// Everything that requests share.
pub(crate) struct Bench {
    pub(crate) folder: Arc<Folder>,
    pub(crate) seats: Seats,
    pub(crate) threads: usize,
    pub(crate) checks: Arc<Semaphore>,
    questions: Semaphore,
    waiting: AtomicUsize,
    running: Mutex<Vec<CancelToken>>,
    tabs: Mutex<HashMap<String, Turns>>,
}

/// What one tab may do at a time.
#[derive(Clone)]
pub(crate) struct Turns {
    pub(crate) check: Arc<Semaphore>,
    questions: Arc<Semaphore>,
}

impl Turns {
    fn new() -> Self {
        Self {
            check: Arc::new(Semaphore::new(1)),
            questions: Arc::new(Semaphore::new(QUESTIONS_OF_A_TAB)),
        }
    }

    /// Nothing of the tab is under way, and nobody else holds this.
    fn are_idle(&self) -> bool {
        Arc::strong_count(&self.check) == 1 && Arc::strong_count(&self.questions) == 1
    }
}

impl Bench {
    pub(crate) fn new(folder: Folder, threads: usize) -> Self {
        Self {
            folder: Arc::new(folder),
            seats: Seats::default(),
            threads,
            checks: Arc::new(Semaphore::new(CHECKS)),
            questions: Semaphore::new(QUESTIONS),
            waiting: AtomicUsize::new(0),
            running: Mutex::default(),
            tabs: Mutex::default(),
        }
    }

    /// What a tab may do.
    pub(crate) fn turns(&self, tab: &str) -> Turns {
        let mut tabs = lock(&self.tabs);
        tabs.entry(tab.to_owned())
            .or_insert_with(Turns::new)
            .clone()
    }

    /// Forgets what nobody uses any more.
    pub(crate) fn tidy(&self) {
        self.seats.tidy();
        lock(&self.tabs).retain(|_, turns| !turns.are_idle());
        lock(&self.running).retain(|token| !token.is_cancelled());
    }

    /// A place among those who wait for a check, if there is one.
    pub(crate) fn queue(self: &Arc<Self>) -> Result<Place, Refusal> {
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        let place = Place(Arc::clone(self));
        if before >= CHECKS + WAITING {
            return Err(Refusal::busy("checks run or wait"));
        }
        Ok(place)
    }

    /// The share of the free memory that a check gets which starts now.
    pub(crate) fn share(&self, asked: Option<u64>) -> Option<u64> {
        let running = CHECKS - self.checks.available_permits().min(CHECKS);
        let free = csp_driver::available_memory().map(|free| free / running.max(1) as u64);
        match (asked, free) {
            (Some(asked), Some(free)) => Some(asked.min(free)),
            (asked, free) => asked.or(free),
        }
    }

    /// A token that is used when the server ends, too.
    pub(crate) fn token(&self) -> CancelToken {
        let token = CancelToken::new();
        let mut running = lock(&self.running);
        running.retain(|other| !other.is_cancelled());
        running.push(token.clone());
        token
    }

    /// Asks everything that runs to stop.
    pub(crate) fn stop(&self) {
        lock(&self.running).iter().for_each(CancelToken::cancel);
    }

    /// Does something that may take a while, off the threads that serve; it is cancelled when whoever asked goes
    /// away, or when it takes too long.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        tab: &str,
        work: impl FnOnce(&CancelToken) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let turns = self.turns(tab);
        let of_tab = Arc::clone(&turns.questions);
        let _turn = of_tab
            .try_acquire()
            .map_err(|_| Refusal::busy("questions of this page"))?;
        let _permit = self
            .questions
            .try_acquire()
            .map_err(|_| Refusal::busy("questions"))?;
        let token = self.token();
        let _ends = CancelOnDrop(token.clone());
        let answer = tokio::task::spawn_blocking(move || work(&token));
        match tokio::time::timeout(PATIENCE, answer).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(broken()),
            Err(_) => Err(Refusal::new(
                StatusCode::REQUEST_TIMEOUT,
                format!("not finished after {} s, and stopped", PATIENCE.as_secs()),
            )),
        }
    }
}

/// A place in the queue, which is free again when this goes.
pub(crate) struct Place(Arc<Bench>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Stops work when the one who asked for it goes away.
pub(crate) struct CancelOnDrop(pub(crate) CancelToken);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// What to say of a mistake of ours.
pub(crate) fn broken() -> Refusal {
    Refusal::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "this is a mistake of csp; the session goes on",
    )
}

impl From<SessionError> for Refusal {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::File { path, reason } => Self::new(
                StatusCode::NOT_FOUND,
                format!("cannot read '{path}': {reason}"),
            ),
            SessionError::Script { diagnostics } => Self {
                message: diagnostics
                    .first()
                    .map_or_else(|| "the script is wrong".to_owned(), |d| d.message.clone()),
                diagnostics,
                status: StatusCode::UNPROCESSABLE_ENTITY,
            },
            SessionError::Limit { reason } => Self::script(reason),
            SessionError::Missing { what } => Self::script(what),
            SessionError::Broken => broken(),
        }
    }
}
