//! Divergence-respecting weak bisimulation: an event may be matched by some τ, the event, and some τ.

use csp_lts::Lts;

use super::dbisim::delayed;
use super::weak::{Through, quotient};
use crate::budget::Budget;
use crate::outcome::Limit;

/// Merges states that are weakly bisimilar and agree on divergence. Preserves every model. Never
/// has more states than its argument, nor than [`dbisim`](super::dbisim), which is done first.
pub fn wbisim(lts: &Lts, budget: &Budget<'_>) -> Result<Lts, Limit> {
    Ok(quotient(&delayed(lts, budget)?, Through::Weak, budget)?.to_lts())
}
