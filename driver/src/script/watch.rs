//! When evaluation has to stop: its time is up, its memory is used, or the user wants no more.
//!
//! Searches account for every byte of their stores. What evaluation and compilation take is values, terms and tables
//! of all kinds, so there the memory of the whole process is looked at, as long as no other check runs in it.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use csp_checker::{Compressing, Limit, Observer, Phase, Ply, Progress};
use csp_host::clock::Moment;

use crate::cancel::CancelToken;
use crate::memory;

/// When evaluation has to stop.
#[derive(Default)]
pub(crate) struct Watch {
    deadline: Cell<Option<Moment>>,
    cancel: RefCell<CancelToken>,
    memory: RefCell<Option<Arc<MemoryWatch>>>,
    /// What is being done, in words that follow `while`.
    stage: Arc<Mutex<String>>,
}

/// How much memory the process may have while a check is evaluated and compiled.
#[derive(Debug)]
pub(super) struct MemoryWatch {
    /// What the check may take besides what there was at the start.
    limit: u64,
    /// What there was.
    before: u64,
    /// When to look again.
    next: Mutex<Moment>,
    exceeded: AtomicBool,
    /// The search keeps its own account.
    ended: AtomicBool,
}

/// How long memory is not looked at after it was.
const MEMORY_PAUSE: Duration = Duration::from_millis(20);

/// Checks that run in this process now.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// A check that runs, until this is dropped.
pub(super) struct Running;

impl Running {
    pub(super) fn begin() -> Self {
        RUNNING.fetch_add(1, Relaxed);
        Self
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Relaxed);
    }
}

impl MemoryWatch {
    fn is_exceeded(&self) -> bool {
        if self.ended.load(Relaxed) {
            return false;
        }
        if let Ok(mut next) = self.next.try_lock()
            && Moment::now() >= *next
        {
            *next = Moment::now() + MEMORY_PAUSE;
            if self.grown().is_some_and(|grown| grown > self.limit) {
                self.exceeded.store(true, Relaxed);
            }
        }
        self.exceeded.load(Relaxed)
    }

    /// What the process has more than at the start; unknown if other checks run, which may have it.
    fn grown(&self) -> Option<u64> {
        let alone = RUNNING.load(Relaxed) <= 1;
        let now = memory::resident().filter(|_| alone)?;
        Some(now.saturating_sub(self.before))
    }
}

impl Watch {
    /// From now on this token says whether the user wants no more.
    pub(super) fn listen_to(&self, cancel: CancelToken) {
        self.cancel.replace(cancel);
    }

    /// Starts the clock, and looks how much memory there is if the user does not say.
    pub(crate) fn start(&self, seconds: Option<f64>, memory: Option<u64>) {
        let limit = memory.or_else(memory::available);
        let watch = limit.zip(memory::resident()).map(|(limit, before)| {
            Arc::new(MemoryWatch {
                limit,
                before,
                next: Mutex::new(Moment::now()),
                exceeded: AtomicBool::new(false),
                ended: AtomicBool::new(false),
            })
        });
        self.memory.replace(watch);
        if let Ok(mut stage) = self.stage.lock() {
            stage.clear();
        }
        let limit = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
        self.deadline
            .set(limit.and_then(|limit| Moment::now().checked_add(limit)));
    }

    /// Evaluation and compilation have ended; the bytes that they have left, as far as that is known.
    pub(super) fn end_compiling(&self) -> u64 {
        let memory = self.memory.borrow();
        let Some(watch) = memory.as_ref() else {
            return 0;
        };
        watch.ended.store(true, Relaxed);
        watch.grown().unwrap_or(0)
    }

    /// Something is compiled again, after a search: its memory counts, too.
    pub(crate) fn resume_compiling(&self) {
        if let Some(watch) = self.memory.borrow().as_ref() {
            watch.ended.store(false, Relaxed);
        }
    }

    /// An observer that stops compressions, too, when the memory is used.
    pub(super) fn observer<'o>(&self, inner: &'o dyn Observer) -> Watched<'o> {
        Watched {
            inner,
            memory: self.memory.borrow().clone(),
            stage: Arc::clone(&self.stage),
        }
    }

    /// What was being done last: `compiling Game`; empty if nothing was.
    pub(super) fn stage(&self) -> String {
        self.stage.lock().map(|s| s.clone()).unwrap_or_default()
    }

    pub(super) fn says_stop(&self) -> bool {
        let late = |deadline| Moment::now() > deadline;
        self.deadline.get().is_some_and(late) || self.is_interrupted() || self.is_out_of_memory()
    }

    fn is_out_of_memory(&self) -> bool {
        let memory = self.memory.borrow();
        memory.as_ref().is_some_and(|watch| watch.is_exceeded())
    }

    fn is_interrupted(&self) -> bool {
        self.cancel.borrow().is_cancelled()
    }

    /// Why it says stop.
    pub(crate) fn limit(&self) -> Limit {
        self.memory_limit().unwrap_or(if self.is_interrupted() {
            Limit::Interrupted
        } else {
            Limit::Time
        })
    }

    /// The memory limit, if it is the reason.
    pub(super) fn memory_limit(&self) -> Option<Limit> {
        let memory = self.memory.borrow();
        let watch = memory.as_ref()?;
        let exceeded = watch.exceeded.load(Relaxed) && !self.is_interrupted();
        exceeded.then_some(Limit::Memory(watch.limit))
    }
}

/// Watches a check for somebody else, and its memory.
pub(super) struct Watched<'o> {
    inner: &'o dyn Observer,
    memory: Option<Arc<MemoryWatch>>,
    stage: Arc<Mutex<String>>,
}

impl Watched<'_> {
    fn note(&self, stage: String) {
        if let Ok(mut noted) = self.stage.lock() {
            *noted = stage;
        }
    }
}

impl Observer for Watched<'_> {
    fn progress(&self, progress: &Progress) {
        self.inner.progress(progress);
    }

    fn phase(&self, phase: Phase, of: &str) {
        let doing = match phase {
            Phase::Evaluate => "evaluating",
            Phase::Compile => "compiling",
            Phase::Reduce => "reducing",
            Phase::Normalise => "bringing to normal form",
            Phase::Search => "searching",
            Phase::Explain => "explaining",
        };
        let what = if of.is_empty() { "the network" } else { of };
        self.note(format!("{doing} {what}"));
        self.inner.phase(phase, of);
    }

    fn ply(&self, ply: &Ply) {
        self.inner.ply(ply);
    }

    fn compression(&self, function: &str, process: &str, now: Compressing) {
        if matches!(now, Compressing::Begins) {
            self.note(format!("compressing {process} by {function}"));
        }
        self.inner.compression(function, process, now);
    }

    fn interrupted(&self) -> bool {
        let used = |watch: &Arc<MemoryWatch>| watch.is_exceeded();
        self.inner.interrupted() || self.memory.as_ref().is_some_and(used)
    }
}
