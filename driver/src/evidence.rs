//! Counterexamples as reports: what happened, who did it, and why it ended.
//!
//! After a search has found a violation, the process is compiled once more, with leaves as they are listed and
//! the process of every state kept, and the counterexample is followed there (`lift.rs`). So nothing has
//! to be remembered while compiling or searching. If that runs into a limit, the verdict stands, and the
//! report says what is missing.

mod allowed;
mod explain;
mod kept;
mod lift;
mod open;
mod parts;
mod repetition;
mod scene;
mod sentence;
mod story;
mod terms;
mod waits;

pub(crate) use explain::{Case, words};
pub(crate) use kept::{Kept, states_kept};
pub(crate) use parts::Rows;
pub(crate) use scene::{Scene, StandIns, no_terms};
pub(crate) use sentence::Words;
pub(crate) use story::{why_refused, why_stuck};
pub(crate) use terms::Terms;
pub(crate) use waits::Situation;
