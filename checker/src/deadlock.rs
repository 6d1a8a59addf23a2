//! Deadlock freedom: no reachable stable state without transitions.
//!
//! In F a divergence is not looked at; in FD it is a violation. A terminated process offers nothing
//! and so is deadlocked, unless ✓ is read as a signal: then nothing after ✓ is judged.

use csp_lts::EventId;

use crate::judge::{Judge, Judged, Node, Offers, Sight, Stepped};
use crate::reduction::Keeps;
use crate::termination::Termination;

/// Forbids deadlock, and divergence too if asked.
pub struct DeadlockFree {
    /// Divergence is a violation (FD).
    pub forbids_divergence: bool,
    /// How ✓ is read.
    pub termination: Termination,
}

impl Judge for DeadlockFree {
    fn initial(&self) -> Node {
        0
    }

    fn nodes(&self) -> u32 {
        1
    }

    fn judges_states(&self) -> bool {
        true
    }

    fn accepts_any_offer(&self) -> bool {
        true
    }

    fn forbids_divergence(&self, _: Node) -> bool {
        self.forbids_divergence
    }

    fn state(&self, _: Node, offers: Offers<'_>) -> Judged {
        if offers.events.is_empty() && !offers.tau {
            Judged::Violation
        } else {
            Judged::Fine
        }
    }

    fn sees(&self) -> Sight {
        Sight::Refusals
    }

    fn mirrored(&self, _: &[EventId], _: &dyn Fn(EventId) -> EventId) -> Option<Vec<Node>> {
        Some(vec![0])
    }

    fn keeps(&self) -> Option<Keeps> {
        Some(match self.forbids_divergence {
            true => Keeps::Divergences,
            false => Keeps::Deadlocks,
        })
    }

    fn step(&self, _: Node, event: EventId) -> Stepped {
        if event == EventId::TICK && self.termination == Termination::Signal {
            Stepped::Done
        } else {
            Stepped::To(0)
        }
    }
}
