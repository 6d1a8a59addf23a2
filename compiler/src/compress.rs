//! The compiler's view of compressions: it asks for them, somebody else computes them.

use csp_lts::{EventId, EventSet, Lts, Network};

use crate::process::{Compression, Watchdog};

/// Computes functions from machines to machines.
pub trait Compressor {
    /// A transition system that means the same as the network as far as this kind of compression
    /// promises; or why there is none.
    fn compress(&self, kind: Compression, network: &Network, name: &str) -> Result<Lts, String>;

    /// A monitor that performs `bad` once what it watches on the alphabet leaves the specification;
    /// or why there is none.
    fn watchdog(
        &self,
        kind: Watchdog,
        specification: &Network,
        alphabet: &EventSet,
        bad: EventId,
    ) -> Result<Lts, String>;
}
