//! What the [`Interner`](super::interner::Interner) is built from. A model of its schedules
//! (`oracle/schedules`) puts other atomics and smaller sizes in their place.

pub(super) use std::sync::OnceLock;
pub(super) use std::sync::atomic::{AtomicU32, AtomicU64};

/// The first segment holds this many values, each further one twice as many.
pub(super) const FIRST_SEGMENT: usize = 1 << 12;

/// The fewest slots there are.
pub(super) const LEAST_SLOTS: usize = 64;
