//! `prioritise` by its definition, with 3 above 4 above 5, and τ and ✓ level with 3.

use std::sync::Arc;

use csp_lts::{EventId, EventSet, Lts, LtsBuilder};

use crate::judge::offers;

/// The class of an event; Ω belongs to none.
fn class(event: EventId) -> Option<u32> {
    match event.0 {
        0 | 1 | 3 => Some(0),
        4 => Some(1),
        5 => Some(2),
        _ => None,
    }
}

/// The machine with, in each state, only the transitions that no higher one blocks.
pub(crate) fn prioritised(lts: &Lts) -> Lts {
    let mut builder = LtsBuilder::new();
    for state in lts.states() {
        let highest = offers(lts, state).into_iter().filter_map(class).min();
        let allowed = |event: EventId| match class(event) {
            None => true,
            of_event => of_event == highest,
        };
        let transitions = lts.transitions(state).filter(|t| allowed(t.0));
        builder.state(transitions.map(|(e, t)| (Arc::new(EventSet::single(e)), t)));
    }
    builder.finish(lts.initial())
}
