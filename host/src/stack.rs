//! Scripts may recurse deeply: their evaluation runs on a thread with a very large stack, of which the system hands out
//! only what is used.
//!
//! Where there are no threads, recursion runs on the stack that is there. How large it is cannot be known, nor how much
//! of it is used (a WebAssembly module cannot see the stack of its engine), so calls are counted instead.

use std::cell::Cell;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::thread;

use crate::memory;
use crate::thread::AVAILABLE;

/// Tried in turn, because a system may refuse the larger ones.
const SIZES: &[usize] = if cfg!(target_pointer_width = "64") {
    &[4096 << 20, 1024 << 20, 256 << 20]
} else {
    &[256 << 20]
};

/// Recursion never takes more than this: some four million calls.
const MOST: u64 = 3 << 30;

/// Part of the stack that is left for what runs above and below evaluation.
const RESERVE: usize = 16 << 20;

thread_local! {
    static SIZE: Cell<usize> = const { Cell::new(1 << 20) };
}

/// No thread with a large stack could be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoThread;

impl fmt::Display for NoThread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stack = SIZES.last().map_or(0, |size| size >> 20);
        write!(
            f,
            "the system starts no thread with a stack of {stack} MiB: allow more addresses (ulimit -v) or more \
             processes (ulimit -u)"
        )
    }
}

impl std::error::Error for NoThread {}

/// The sizes that are tried: no more than half of the addresses that are left, but for the last.
fn sizes() -> impl Iterator<Item = usize> {
    let half = memory::addresses_left().map_or(u64::MAX, |left| left / 2);
    let (last, larger) = SIZES.split_last().expect("there are sizes");
    let fit = larger.iter().filter(move |&&size| size as u64 <= half);
    fit.chain([last]).copied()
}

/// Runs something on a thread with a large stack and gives back what it returns. If it panics, so does this. Where no
/// such thread can be started, it runs here if this is one; otherwise it is an error.
pub fn try_on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, NoThread> {
    if !AVAILABLE {
        return Ok(work());
    }
    // The work is moved into whichever thread can be made.
    let work = Mutex::new(Some(work));
    let take = || {
        let taken = work.lock().ok().and_then(|mut slot| slot.take());
        taken.expect("only one thread runs")
    };
    let threaded = thread::scope(|scope| {
        let run = |size: usize| {
            let take = &take;
            thread::Builder::new()
                .stack_size(size)
                .spawn_scoped(scope, move || {
                    SIZE.set(size);
                    take()()
                })
        };
        let thread = sizes().find_map(|size| run(size).ok())?;
        match thread.join() {
            Ok(value) => Some(value),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    match threaded {
        Some(value) => Ok(value),
        None if is_deep() => Ok(take()()),
        None => Err(NoThread),
    }
}

/// As [`try_on_deep_stack`].
///
/// # Panics
///
/// If no such thread can be started, and this is none.
pub fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    try_on_deep_stack(work).unwrap_or_else(|none| panic!("{none}"))
}

/// Whether the present thread has a large stack.
fn is_deep() -> bool {
    SIZES.last().is_some_and(|least| SIZE.get() >= *least)
}

/// Runs the same work on this many threads with large stacks at the same time. If only some of them can be started,
/// those do all of it; if none can, the present one does, if it has a large stack.
pub fn on_deep_stacks(threads: usize, work: impl Fn() + Sync) -> Result<(), NoThread> {
    if !AVAILABLE {
        work();
        return Ok(());
    }
    let started = thread::scope(|scope| {
        let start = |_: &usize| {
            let run = |size: usize| {
                let work = &work;
                thread::Builder::new()
                    .stack_size(size)
                    .spawn_scoped(scope, move || {
                        SIZE.set(size);
                        work();
                    })
            };
            sizes().any(|size| run(size).is_ok())
        };
        (0..threads.max(1)).take_while(start).count()
    });
    match started {
        0 if is_deep() => {
            work();
            Ok(())
        }
        0 => Err(NoThread),
        _ => Ok(()),
    }
}

/// Starts something on a thread with a large stack and does not wait for it; where there are no threads, it is done
/// when this returns.
pub fn spawn_deep(work: impl FnOnce() + Send + 'static) -> Result<(), NoThread> {
    if !AVAILABLE {
        work();
        return Ok(());
    }
    let work = Arc::new(Mutex::new(Some(work)));
    let run = |size: usize| {
        let work = Arc::clone(&work);
        thread::Builder::new().stack_size(size).spawn(move || {
            SIZE.set(size);
            let work = work.lock().ok().and_then(|mut slot| slot.take());
            work.expect("only one thread runs")();
        })
    };
    let started = sizes().any(|size| run(size).is_ok());
    if started { Ok(()) } else { Err(NoThread) }
}

/// How many bytes of the present stack evaluation may use: never more than half of what is free, so
/// that endless recursion ends in a message and not in want of memory.
#[must_use]
pub fn usable() -> usize {
    if !MEASURED {
        return usize::MAX;
    }
    let most = usize::try_from(MOST).unwrap_or(usize::MAX);
    let half = memory::available().and_then(|bytes| usize::try_from(bytes / 2).ok());
    let room = SIZE.get().saturating_sub(RESERVE).min(most);
    room.min(half.unwrap_or(most)).max(512 << 10)
}

/// Whether the use of the stack can be measured by the addresses of variables.
pub const MEASURED: bool = !cfg!(target_family = "wasm");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_recursion_fits() {
        fn depth(n: u64) -> u64 {
            if n == 0 {
                0
            } else {
                1 + std::hint::black_box(depth(n - 1))
            }
        }
        assert_eq!(on_deep_stack(|| depth(1_000_000)), 1_000_000);
    }
}
