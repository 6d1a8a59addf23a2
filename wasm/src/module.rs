//! The module's face: three functions, its memory, and one function that it needs.
//!
//! Whoever asks writes the bytes of a question to what `reserve` gives, calls `ask`, which says how long the answer is,
//! and reads it from where `answer` says, before anything else is called.
#![allow(
    unsafe_code,
    reason = "names that are seen from outside are declared with the word unsafe"
)]

use std::cell::RefCell;
use std::time::Duration;

use crate::Module;

/// What the module is and what it says.
#[derive(Default)]
struct State {
    module: Module,
    question: Vec<u8>,
    answer: String,
}

thread_local! {
    static STATE: RefCell<State> = {
        csp_host::clock::supply(|| Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default());
        RefCell::default()
    };
}

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since some fixed moment.
    safe fn now() -> f64;
}

/// Room for a question of this many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(bytes: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.question.clear();
        state.question.resize(bytes, 0);
        state.question.as_mut_ptr()
    })
}

/// Answers the question; how many bytes the answer has.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> usize {
    STATE.with_borrow_mut(|state| {
        let question = String::from_utf8_lossy(&state.question);
        state.answer = state.module.ask(&question);
        state.answer.len()
    })
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    STATE.with_borrow(|state| state.answer.as_ptr())
}
