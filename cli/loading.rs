//! Limits while a script is read, its names are resolved and its types inferred.
//!
//! None of that leaves anything that could be reported, so a thread beside it looks at the clock, the memory and the
//! signal, says in a sentence what the limit was, and ends the program.

use std::path::Path;
use std::process::exit;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::interrupt;

/// How long the thread sleeps between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// What loading may use.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Limits {
    /// Seconds.
    pub(crate) timeout: Option<f64>,
    /// Bytes, in place of what is free.
    pub(crate) memory: Option<u64>,
}

/// Loads a file within limits.
pub(crate) fn within<T>(limits: &Limits, file: &Path, load: impl FnOnce() -> T) -> T {
    let (done, ends) = mpsc::channel();
    let timeout = limits.timeout;
    let watch = Watch {
        file: file.display().to_string(),
        begun: Instant::now(),
        time: timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
        memory: limits.memory.or_else(csp_driver::available_memory),
        before: csp_driver::resident_memory().unwrap_or(0),
    };
    // Without a thread nobody looks, and loading takes what it takes.
    let _ = std::thread::Builder::new().spawn(move || watch.until(&ends));
    let loaded = load();
    drop::<mpsc::Sender<()>>(done);
    loaded
}

struct Watch {
    file: String,
    begun: Instant,
    time: Option<Duration>,
    memory: Option<u64>,
    /// Bytes that there were before.
    before: u64,
}

impl Watch {
    fn until(&self, ends: &Receiver<()>) {
        while ends.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
            if let Some((reason, code)) = self.reached() {
                stop(&format!("{reason} while reading {}", self.file), code);
            }
        }
    }

    /// The limit that has been reached, and the exit code.
    fn reached(&self) -> Option<(String, i32)> {
        if interrupt::requested() {
            return Some(("interrupted".to_owned(), 130));
        }
        if self.time.is_some_and(|time| self.begun.elapsed() >= time) {
            return Some(("stopped at the time limit".to_owned(), 3));
        }
        let memory = self.memory?;
        let taken = csp_driver::resident_memory()?.saturating_sub(self.before);
        let mebibytes = memory >> 20;
        (taken > memory).then(|| (format!("stopped at the memory limit of {mebibytes} MiB"), 3))
    }
}

#[allow(clippy::print_stderr, reason = "this is the command")]
fn stop(message: &str, code: i32) {
    eprintln!("csp: {message}");
    exit(code);
}
