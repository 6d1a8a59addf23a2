//! Claims about small hand-built and random processes, judged by the checker and by definitions.

#![allow(
    clippy::unwrap_used,
    reason = "a test that finds nothing where something must be has failed"
)]

#[path = "judgement/definitions.rs"]
mod definitions;
#[path = "judgement/examples.rs"]
mod examples;
#[path = "judgement/explication.rs"]
mod explication;
#[path = "judgement/laws.rs"]
mod laws;
#[path = "judgement/limits.rs"]
mod limits;
#[path = "judgement/process.rs"]
mod process;
#[path = "judgement/random.rs"]
mod random;
