//! Small components and rules for the tests of machines.

use std::sync::Arc;

use csp_lts::{Component, ComponentId, EventId, EventSet, LtsBuilder, Rule, StateId};

/// A component: for each state the events and where they lead.
pub(super) fn component(states: &[&[(u32, u32)]]) -> Component {
    let mut builder = LtsBuilder::new();
    for edges in states {
        builder.state(edges.iter().map(|(event, target)| {
            let label = Arc::new(EventSet::single(EventId(*event)));
            (label, StateId(*target))
        }));
    }
    Component {
        name: String::new(),
        lts: Arc::new(builder.finish(StateId(0))),
        initial: StateId(0),
    }
}

/// A rule for an event, without priority.
pub(super) fn rule(result: u32, participants: &[(u32, u32)], resets: &[(u32, u32)]) -> Rule {
    Rule {
        result: EventId(result),
        revealed: EventId(result),
        participants: (participants.iter())
            .map(|(component, event)| (ComponentId(*component), EventId(*event)))
            .collect(),
        resets: (resets.iter())
            .map(|(component, state)| (ComponentId(*component), StateId(*state)))
            .collect(),
        blocked_by: None,
    }
}
