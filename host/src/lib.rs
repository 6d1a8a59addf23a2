//! What the program needs of the machine it runs on: a clock, how much memory is free, threads with a given stack, files.
//!
//! Nothing else in the libraries asks the system for anything (`clippy.toml` lists what they may not use), so whatever
//! runs natively also runs where there is no system: a WebAssembly module has one thread, a clock that is given to it
//! ([`clock::supply`]), no files, and a stack that cannot be measured ([`stack::usable`]).
//!
//! ```
//! use csp_host::{clock::Moment, stack};
//!
//! let begun = Moment::now();
//! let sum = stack::on_deep_stack(|| (1..=10).sum::<u32>());
//! assert_eq!(sum, 55);
//! assert!(begun.elapsed().as_secs() < 60);
//! ```

pub mod clock;
pub mod files;
pub mod memory;
pub mod models;
pub mod stack;
pub mod thread;
