//! Explores networks in parallel and decides refinement and properties, with evidence.
//!
//! The same input gives the same verdict, counts and counterexample for any number of threads.

pub mod judge;
pub mod options;
pub mod outcome;
pub mod reference;
pub mod search;

pub use options::{Observer, Options, Progress};
pub use outcome::{Counterexample, Evidence, Limit, Outcome, Statistics, Step, Verdict};
