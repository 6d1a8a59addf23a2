//! The explicit transition system of a network.
//!
//! States are explored breadth-first by one thread and numbered in the order in which they are met,
//! rules in their order, so the result depends on the network alone. A state costs its bit-packed
//! vector, four to eight bytes of hash table, and its edges. A network of one component, which is what
//! most specifications are, is only relabelled.

mod packed;
mod relabel;
mod stepper;

use std::sync::Arc;

use ahash::AHashMap;
use csp_lts::{Edge, EventId, EventSet, Lts, LtsBuilder, Network, StateId};

use crate::budget::Budget;
use crate::options::{Observer, Options, Progress};
use crate::outcome::Limit;
pub(crate) use packed::PackedStates;
pub(crate) use stepper::{Scratch, Stepper};

/// Tabulates a network: one state for each of its reachable states, 0 being the initial one. Edges
/// show what is seen from outside; a terminated state has none.
pub fn explicate(
    network: &Network,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Lts, Limit> {
    explicate_within(network, &Budget::new(options, observer))
}

/// The same on what is left of a budget.
pub fn explicate_within(network: &Network, budget: &Budget<'_>) -> Result<Lts, Limit> {
    match relabel::relabel(network, budget)? {
        Some((lts, _)) => Ok(lts),
        None => Ok(tabulate(network, budget)?.0),
    }
}

/// The same with what each state stands for: the state of every component, in their order.
pub fn explicate_with_states(
    network: &Network,
    budget: &Budget<'_>,
) -> Result<(Lts, Vec<Vec<StateId>>), Limit> {
    if let Some((lts, order)) = relabel::relabel(network, budget)? {
        return Ok((lts, order.into_iter().map(|state| vec![state]).collect()));
    }
    let (lts, packed) = tabulate(network, budget)?;
    let count = packed.len();
    let each = 24 + 4 * network.components.len() as u64;
    budget.spend(u64::from(count), packed.bytes() + u64::from(count) * each)?;
    let mut local = Vec::new();
    let mut states = Vec::with_capacity(count as usize);
    for state in 0..count {
        packed.unpack_into(state, &mut local);
        states.push(local.iter().copied().map(StateId).collect());
    }
    Ok((lts, states))
}

fn tabulate(network: &Network, budget: &Budget<'_>) -> Result<(Lts, PackedStates), Limit> {
    let stepper = Stepper::new(network);
    let mut scratch = Scratch::default();
    let mut states = PackedStates::new(network);
    let mut labels = Labels::default();
    let mut builder = LtsBuilder::new();
    let mut edges = 0u64;
    let mut found: Vec<(u32, EventId)> = Vec::new();
    let mut row: Vec<Edge> = Vec::new();
    let mut state: Vec<u32> = Vec::new();
    states.intern(&stepper.initial().map_err(unsupported)?);
    let mut next = 0u32;
    while next < states.len() {
        states.unpack_into(next, &mut state);
        found.clear();
        stepper
            .successors(&state, &mut scratch, |event, target| {
                found.push((states.intern(target), event));
            })
            .map_err(unsupported)?;
        found.sort_unstable();
        found.dedup();
        edges += found.len() as u64;
        row.clear();
        for same in found.chunk_by(|a, b| a.0 == b.0) {
            row.push(Edge {
                label: labels.of(same, &mut builder),
                target: StateId(same[0].0),
            });
        }
        row.sort_unstable();
        builder.row(row.iter().copied());
        next += 1;
        let bytes = states.bytes() + u64::from(next) * 4 + edges * 8;
        budget.spend(u64::from(states.len()), bytes)?;
        if edges > u64::from(u32::MAX) || states.len() > u32::MAX / 2 {
            return Err(Limit::Unsupported(
                "the explicit system has more than four thousand million transitions".to_owned(),
            ));
        }
        if next.is_multiple_of(4096) {
            budget.breathe(&Progress {
                states: u64::from(states.len()),
                transitions: edges,
                frontier: u64::from(states.len() - next),
                memory: bytes,
                ..Progress::default()
            })?;
        }
    }
    Ok((builder.finish(StateId(0)), states))
}

/// A chase without an end, as a limit.
pub(crate) fn unsupported(chase: crate::reference::ChaseLoop) -> Limit {
    Limit::Unsupported(crate::search::chase_never_ends(&chase.0))
}

/// The labels of edges with one event, numbered once.
#[derive(Default)]
struct Labels {
    single: AHashMap<EventId, u32>,
}

impl Labels {
    fn of(&mut self, events: &[(u32, EventId)], builder: &mut LtsBuilder) -> u32 {
        if let [(_, event)] = events {
            let label = self.single.entry(*event);
            return *label.or_insert_with(|| builder.label(Arc::new(EventSet::single(*event))));
        }
        builder.label(Arc::new(events.iter().map(|(_, event)| *event).collect()))
    }
}
