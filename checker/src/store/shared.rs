//! What the [`Interner`](super::interner::Interner) is built from. A model of its schedules
//! (`oracle/schedules`) puts other atomics and smaller sizes in their place.

pub(super) use std::sync::OnceLock;
pub(super) use std::sync::atomic::{AtomicU32, AtomicU64};

/// The first four segments hold this many values together, each further four twice as many: so no
/// more than a quarter of what is taken is ever unused.
pub(super) const FIRST_SEGMENTS: usize = 1 << 8;

/// As many as 32-bit numbers can need.
pub(super) const SEGMENTS: usize = 100;

/// The fewest slots there are.
pub(super) const LEAST_SLOTS: usize = 64;
