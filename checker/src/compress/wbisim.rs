//! Divergence-respecting weak bisimulation: an event may be matched by some τ, the event, and some τ.

use csp_lts::Lts;

use super::dbisim::delayed;
use super::weak::{Through, quotient};

/// Merges states that are weakly bisimilar and agree on divergence. Preserves every model. Never
/// has more states than its argument, nor than [`dbisim`](super::dbisim), which is done first.
#[must_use]
pub fn wbisim(lts: &Lts) -> Lts {
    quotient(&delayed(lts), Through::Weak).to_lts()
}
