//! Divergence-respecting delay bisimulation: an event may be matched by some τ and then the event.

use csp_lts::Lts;

use super::graph::Graph;
use super::tau_loop_factor::factored;
use super::weak::{Through, quotient};
use crate::budget::Budget;
use crate::outcome::Limit;

/// Merges states that are delay bisimilar and agree on divergence. Preserves every model. Never has
/// more states than its argument; coarser than [`sbisim`](super::sbisim), finer than
/// [`wbisim`](super::wbisim).
pub fn dbisim(lts: &Lts, budget: &Budget<'_>) -> Result<Lts, Limit> {
    Ok(delayed(lts, budget)?.to_lts())
}

/// The quotient as a graph. Strongly bisimilar states are merged first, because that is cheap.
pub(super) fn delayed(lts: &Lts, budget: &Budget<'_>) -> Result<Graph, Limit> {
    let graph = factored(&Graph::of(lts)).strong_quotient(budget)?;
    quotient(&graph, Through::Delay, budget)
}
