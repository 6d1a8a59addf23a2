//! What events, transition systems and networks of them are.
//!
//! This crate is the narrow waist between the compiler, which makes [`Network`]s, and the checker,
//! which explores them. It knows no syntax, no threads and no files.

pub mod event;
pub mod event_set;
pub mod lts;
pub mod network;

pub use event::{EventId, EventTable};
pub use event_set::EventSet;
pub use lts::{Edge, Lts, LtsBuilder, StateId};
pub use network::{Chase, Component, ComponentId, Network, Probe, Rule, RuleId};
