//! Claims about small hand-built and random processes, judged by the checker and by definitions.

#![allow(
    clippy::unwrap_used,
    reason = "a test that finds nothing where something must be has failed"
)]

#[path = "judgement/definitions.rs"]
mod definitions;
#[path = "judgement/process.rs"]
mod process;
#[path = "judgement/random.rs"]
mod random;
