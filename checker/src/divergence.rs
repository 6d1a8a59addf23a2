//! Divergence freedom: from no reachable state can τ go on for ever.

use csp_lts::EventId;

use crate::judge::{Judge, Judged, Node, Offers, Sight, Stepped};
use crate::reduction::Keeps;

/// Forbids divergence and nothing else.
pub struct DivergenceFree;

impl Judge for DivergenceFree {
    fn initial(&self) -> Node {
        0
    }

    fn nodes(&self) -> u32 {
        1
    }

    fn judges_states(&self) -> bool {
        false
    }

    fn forbids_divergence(&self, _: Node) -> bool {
        true
    }

    fn state(&self, _: Node, _: Offers<'_>) -> Judged {
        Judged::Fine
    }

    fn sees(&self) -> Sight {
        Sight::Refusals
    }

    fn mirrored(&self, _: &[EventId], _: &dyn Fn(EventId) -> EventId) -> Option<Vec<Node>> {
        Some(vec![0])
    }

    fn keeps(&self) -> Option<Keeps> {
        Some(Keeps::Divergences)
    }

    fn step(&self, _: Node, _: EventId) -> Stepped {
        Stepped::To(0)
    }
}
