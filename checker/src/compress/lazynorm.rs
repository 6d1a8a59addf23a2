//! The normal form again: FDR computes it on demand, which makes no difference to what it is.

use csp_lts::Lts;

use super::normal::normal;
use crate::budget::Budget;
use crate::claim::Model;
use crate::outcome::Limit;

/// The same machine as [`normal`].
pub fn lazynorm(
    lts: &Lts,
    model: Model,
    room: usize,
    budget: &Budget<'_>,
) -> Result<Option<Lts>, Limit> {
    normal(lts, model, room, budget)
}
