//! The compiler's view of compressions: it asks for them, somebody else computes them.

use csp_lts::{Lts, Network};

use crate::process::Compression;

/// Computes functions from machines to machines.
pub trait Compressor {
    /// A transition system that means the same as the network as far as this kind of compression
    /// promises; or why there is none.
    fn compress(&self, kind: Compression, network: &Network, name: &str) -> Result<Lts, String>;
}
