//! The plain meaning of a network, written to be obviously right rather than fast.
//!
//! [`Simulator`] steps a network state by state on plain vectors; [`explore`] is a breadth-first search
//! on a hash map. The engine must agree with both: they are the other side of its differential
//! tests, and every path the engine reports is rebuilt by the simulator, which replays it.

mod explore;
mod simulator;

pub use explore::explore;
pub use simulator::{ChaseLoop, Simulator, State, Successor};
