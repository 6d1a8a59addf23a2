//! The normal form again: FDR computes it on demand, which makes no difference to what it is.

use csp_lts::Lts;

use super::normal::normal;
use crate::claim::Model;

/// The same machine as [`normal`].
#[must_use]
pub fn lazynorm(lts: &Lts, model: Model) -> Lts {
    normal(lts, model)
}
