//! Explores networks in parallel and decides refinement and properties, with evidence.
//!
//! The same input gives the same verdict, counts and counterexample for any number of threads.

pub mod budget;
pub mod check;
pub mod claim;
mod confirm;
pub mod deadlock;
mod determinism;
pub mod divergence;
pub mod explicate;
mod has_trace;
pub mod judge;
pub mod models;
pub mod normal;
pub mod options;
pub mod outcome;
pub mod reference;
mod refine;
mod replay;
pub mod search;
mod tau;
pub mod termination;

pub use check::check;
pub use claim::{Claim, FailuresModel, Model, TraceModel};
pub use explicate::explicate;
pub use options::{Observer, Options, Progress};
pub use outcome::{Counterexample, Evidence, Limit, Outcome, Statistics, Step, Verdict};
