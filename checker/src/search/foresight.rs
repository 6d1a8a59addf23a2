//! Violations seen a ply ahead.
//!
//! A forbidden event is met when the state that offers it is expanded, and by then much of the ply
//! after it has been made, which nobody needs. Where few rules can show a forbidden event, those are
//! tried on every state when it is made. So at the end of a ply it is known whether the next one has
//! enough violations, and that one is not expanded at all. What is found and counted is the same.

use csp_lts::EventId;

use super::finds::{Finds, Kind};
use crate::judge::{Judge, Stepped};
use crate::machine::Machine;

/// The most rules that are tried on every state.
const MOST_RULES: usize = 4;

/// The rules that can show a forbidden event.
#[derive(Debug)]
pub(crate) struct Foresight {
    watched: Vec<Watched>,
}

/// One of them.
#[derive(Debug)]
struct Watched {
    rule: u32,
    event: EventId,
    /// Whether each node forbids the event.
    forbidden: Vec<bool>,
}

impl Foresight {
    /// For a property that depends on nothing but events; `None` if too many rules would have to be tried.
    pub(crate) fn new<const N: usize>(machine: &Machine<N>, judge: &dyn Judge) -> Option<Self> {
        if !judge.is_whole() {
            return None;
        }
        let forbids = |node, event| judge.step(node, event) == Stepped::Violation;
        let mut suspects: Vec<(u32, EventId)> = (0..)
            .zip(&machine.rules)
            .map(|(rule, code)| (rule, code.result))
            .filter(|(_, event)| *event != EventId::TAU)
            .collect();
        // Rules of the same event are asked about once.
        suspects.sort_by_key(|(_, event)| *event);
        let mut watched = Vec::new();
        for rules in suspects.chunk_by(|a, b| a.1 == b.1) {
            let event = rules[0].1;
            if !(0..judge.nodes()).any(|node| forbids(node, event)) {
                continue;
            }
            if watched.len() + rules.len() > MOST_RULES {
                return None;
            }
            let forbidden: Vec<bool> = (0..judge.nodes()).map(|n| forbids(n, event)).collect();
            watched.extend(rules.iter().map(|(rule, _)| Watched {
                rule: *rule,
                event,
                forbidden: forbidden.clone(),
            }));
        }
        Some(Self { watched })
    }

    /// Notes what a state that was just made violates.
    #[inline(always)]
    pub(crate) fn look<const N: usize>(
        &self,
        machine: &Machine<N>,
        state: &[u64; N],
        finds: &mut Finds<N>,
    ) {
        for watched in &self.watched {
            if machine.can_fire(watched.rule, state)
                && watched.forbidden[machine.layout.node.get(state) as usize]
            {
                finds.foresee(Kind::Event(watched.event), state, watched.rule);
            }
        }
    }
}
