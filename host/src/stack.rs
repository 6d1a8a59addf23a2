//! Scripts may recurse deeply: their evaluation runs on a thread with a very large stack, of which the system hands out
//! only what is used.
//!
//! Where there are no threads, recursion runs on the stack that is there. How large it is cannot be known, nor how much
//! of it is used (a WebAssembly module cannot see the stack of its engine), so calls are counted instead.

use std::cell::Cell;
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

/// Runs something on a thread with a large stack and gives back what it returns. If it panics, so does this.
pub fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if !AVAILABLE {
        return work();
    }
    // The work is moved into whichever thread can be made.
    let work = Mutex::new(Some(work));
    thread::scope(|scope| {
        let run = |size: usize| {
            let work = &work;
            thread::Builder::new()
                .stack_size(size)
                .spawn_scoped(scope, move || {
                    SIZE.set(size);
                    let work = work.lock().ok().and_then(|mut slot| slot.take());
                    work.expect("only one thread runs")()
                })
        };
        let thread = SIZES.iter().find_map(|&size| run(size).ok());
        match thread
            .expect("the system gives a thread of moderate size")
            .join()
        {
            Ok(value) => value,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Starts something on a thread with a large stack and does not wait for it; where there are no threads, it is done
/// when this returns.
pub fn spawn_deep(work: impl FnOnce() + Send + 'static) {
    if !AVAILABLE {
        return work();
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
    let thread = SIZES.iter().find_map(|&size| run(size).ok());
    thread.expect("the system gives a thread of moderate size");
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
