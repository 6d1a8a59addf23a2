//! Stopping work that another thread does.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use csp_checker::{Observer, Progress};

/// Whoever holds a token can ask the work that was given it to stop. Copies are the same token.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A token that nobody has used.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the work to stop; it ends within a fraction of a second.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has asked.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Watches nothing but whether to stop.
impl Observer for CancelToken {
    fn progress(&self, _: &Progress) {}

    fn interrupted(&self) -> bool {
        self.is_cancelled()
    }
}
