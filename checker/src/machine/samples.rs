//! Small components and rules for the tests of machines.

use std::sync::Arc;

use csp_lts::{Component, ComponentId, EventId, EventSet, LtsBuilder, Network, Rule, StateId};

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

/// Three components of up to 40 states, whose labels overlap, and some rules for them.
pub(super) fn random(seed: u64) -> Network {
    let mut seed = seed;
    let mut below = |bound: u32| {
        seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        u32::try_from(seed >> 33).expect("31 bits") % bound
    };
    let mut network = Network::default();
    let mut counts = Vec::new();
    for _ in 0..3 {
        let count = 2 + below(39);
        let mut builder = LtsBuilder::new();
        for state in 0..count {
            let next = (
                Arc::new(EventSet::range(3, 5)),
                StateId((state + 1) % count),
            );
            let others = (0..below(3)).map(|_| {
                let from = 4 + below(8);
                let label = Arc::new(EventSet::range(from, from + 1 + below(3)));
                (label, StateId(below(count)))
            });
            builder.state([next].into_iter().chain(others));
        }
        network.components.push(Component {
            name: String::new(),
            lts: Arc::new(builder.finish(StateId(0))),
            initial: StateId(0),
        });
        counts.push(count);
    }
    for result in 0..3 + below(12) {
        let parts = 1 + below(7);
        let takes_part = |component: &u32| parts >> component & 1 == 1;
        let participants: Vec<(u32, u32)> = (0..3)
            .filter(takes_part)
            .map(|component| (component, 3 + below(10)))
            .collect();
        let resets: Vec<(u32, u32)> = (0..3)
            .filter(|component| !takes_part(component))
            .map(|component| (component, below(3 * counts[component as usize])))
            .filter(|(component, state)| *state < counts[*component as usize])
            .collect();
        network.rules.push(rule(3 + result, &participants, &resets));
    }
    network
}
