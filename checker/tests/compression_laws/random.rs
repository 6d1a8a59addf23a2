//! Small random machines, the same for the same seed.

use std::sync::Arc;

use csp_lts::{EventId, EventSet, Lts, LtsBuilder, StateId};

/// SplitMix64 (Steele, Lea and Flood 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// What random machines look like.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) most_states: u64,
    pub(crate) most_edges: u64,
    /// The events to choose from; a repeated event is chosen more often.
    pub(crate) events: &'static [u32],
}

/// Three visible events, ✓ and a good deal of τ.
pub(crate) const SMALL: Shape = Shape {
    most_states: 7,
    most_edges: 3,
    events: &[0, 0, 0, 1, 3, 4, 5],
};

/// Hardly anything but τ.
pub(crate) const SILENT: Shape = Shape {
    most_states: 9,
    most_edges: 3,
    events: &[0, 0, 0, 0, 3, 4],
};

/// No τ.
pub(crate) const STABLE: Shape = Shape {
    most_states: 8,
    most_edges: 3,
    events: &[3, 4],
};

pub(crate) fn machine(random: &mut Random, shape: Shape) -> Lts {
    let states = 1 + random.below(shape.most_states);
    let mut builder = LtsBuilder::new();
    for _ in 0..states {
        let edges = random.below(shape.most_edges + 1);
        let edges: Vec<_> = (0..edges)
            .map(|_| {
                let members = 1 + random.below(2);
                let label: EventSet = (0..members)
                    .map(|_| {
                        let choice = random.below(shape.events.len() as u64);
                        EventId(shape.events[usize::try_from(choice).expect("small")])
                    })
                    .collect();
                let target = StateId(u32::try_from(random.below(states)).expect("small"));
                (Arc::new(label), target)
            })
            .collect();
        builder.state(edges);
    }
    builder.finish(StateId(0))
}
