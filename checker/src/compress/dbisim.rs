//! Divergence-respecting delay bisimulation: an event may be matched by some τ and then the event.

use csp_lts::Lts;

use super::graph::Graph;
use super::tau_loop_factor::factored;
use super::weak::{Through, quotient};

/// Merges states that are delay bisimilar and agree on divergence. Preserves every model. Never has
/// more states than its argument; coarser than [`sbisim`](super::sbisim), finer than
/// [`wbisim`](super::wbisim).
#[must_use]
pub fn dbisim(lts: &Lts) -> Lts {
    delayed(lts).to_lts()
}

/// The quotient as a graph. Strongly bisimilar states are merged first, because that is cheap.
pub(super) fn delayed(lts: &Lts) -> Graph {
    let graph = factored(&Graph::of(lts)).strong_quotient();
    quotient(&graph, Through::Delay)
}
