//! What events, transition systems and networks of them are.
//!
//! This crate is the narrow waist between the compiler, which makes [`Network`]s, and the checker,
//! which explores them. It knows no syntax, no threads and no files.
//!
//! ```
//! use std::sync::Arc;
//! use csp_lts::{EventId, EventSet, LtsBuilder, StateId, write_dot};
//!
//! let tick = EventId(3);
//! let mut clock = LtsBuilder::new();
//! clock.state([(Arc::new(EventSet::single(tick)), StateId(0))]);
//! let clock = clock.finish(StateId(0));
//! assert_eq!((clock.state_count(), clock.transition_count()), (1, 1));
//! assert!(write_dot(&clock, "Clock", |_| "tick".to_owned(), |_| Vec::new()).contains("tick"));
//! ```
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

pub mod acceptance;
pub mod aut;
pub mod compression;
pub mod describe;
pub mod dot;
pub mod event;
pub mod event_set;
pub mod lts;
pub mod network;

pub use acceptance::{acceptance_steps, node_count};
pub use aut::{AutError, AutLabels, AutNames, read_aut, write_aut};
pub use compression::Compression;
pub use describe::{Abbreviation, describe_network};
pub use dot::write_dot;
pub use event::{EventId, EventTable};
pub use event_set::EventSet;
pub use lts::{Edge, Lts, LtsBuilder, StateId};
pub use network::{Chase, Component, ComponentId, Network, Probe, Rule, RuleId};
