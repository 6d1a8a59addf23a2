//! Threads, where there are any.

pub use std::thread::{Scope, scope, sleep};

/// Whether threads can be started at all.
pub const AVAILABLE: bool = !cfg!(target_family = "wasm");

/// Starts a thread with a stack of its own for something that may borrow; whether the system lets it.
pub fn spawn_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    stack_bytes: usize,
    work: impl FnOnce() -> T + Send + 'scope,
) -> bool {
    let thread = std::thread::Builder::new().stack_size(stack_bytes);
    AVAILABLE && thread.spawn_scoped(scope, work).is_ok()
}
