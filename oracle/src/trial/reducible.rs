//! Which claims the product decides with reductions: the others are refused, and need not be asked.

use csp_checker::Reductions;

use crate::claim::{Claim, Model};

/// Whether refinement in a model is decided with some reductions.
#[must_use]
pub fn is_reducible_in(model: Model, reductions: Reductions) -> bool {
    match model {
        Model::T | Model::F | Model::FD => true,
        Model::V | Model::VD => !reductions.partial_order,
        Model::R | Model::RD => reductions == Reductions::default(),
    }
}

/// Whether a claim is decided with some reductions.
#[must_use]
pub fn is_reducible(claim: &Claim, reductions: Reductions) -> bool {
    match claim {
        Claim::Refines { model, .. } => is_reducible_in(*model, reductions),
        Claim::DeadlockFree { .. } | Claim::DivergenceFree { .. } => true,
        Claim::Deterministic { .. } | Claim::HasTrace { .. } => reductions == Reductions::default(),
    }
}
