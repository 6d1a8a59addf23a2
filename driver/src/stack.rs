//! Scripts may recurse deeply: their evaluation runs on a thread with a very large stack, of which
//! the system hands out only what is used.

use std::cell::Cell;
use std::sync::{Arc, Mutex};
use std::thread;

use crate::memory;

/// Tried in turn, because a system may refuse the larger ones.
const SIZES: [usize; 3] = [4 << 30, 1 << 30, 256 << 20];

/// Recursion never takes more than this: some four million calls.
const MOST: usize = 3 << 30;

/// Part of the stack that is left for what runs above and below evaluation.
const RESERVE: usize = 16 << 20;

thread_local! {
    static SIZE: Cell<usize> = const { Cell::new(1 << 20) };
}

/// Runs something on a thread with a large stack and gives back what it returns. If it panics, so
/// does this.
pub fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
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
        let thread = SIZES.into_iter().find_map(|size| run(size).ok());
        match thread
            .expect("the system gives a thread of moderate size")
            .join()
        {
            Ok(value) => value,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Starts something on a thread with a large stack and does not wait for it.
pub(crate) fn spawn_deep(work: impl FnOnce() + Send + 'static) {
    let work = Arc::new(Mutex::new(Some(work)));
    let run = |size: usize| {
        let work = Arc::clone(&work);
        thread::Builder::new().stack_size(size).spawn(move || {
            SIZE.set(size);
            let work = work.lock().ok().and_then(|mut slot| slot.take());
            work.expect("only one thread runs")();
        })
    };
    let thread = SIZES.into_iter().find_map(|size| run(size).ok());
    thread.expect("the system gives a thread of moderate size");
}

/// How many bytes of the present stack evaluation may use: never more than half of what is free, so
/// that endless recursion ends in a message and not in want of memory.
pub(crate) fn usable() -> usize {
    let half = memory::available().and_then(|bytes| usize::try_from(bytes / 2).ok());
    let room = SIZE.get().saturating_sub(RESERVE).min(MOST);
    room.min(half.unwrap_or(MOST)).max(512 << 10)
}

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
