//! Watchdogs: monitors made of specifications.
//!
//! A trace watchdog follows the specification in parallel with what it watches, synchronising on a
//! set of events; after an event that the specification does not allow it performs `bad` and stops.
//! Made by subset construction; events of the specification outside the set count as silent.

use std::sync::Arc;

use ahash::AHashMap;
use csp_lts::{EventId, EventSet, Lts, LtsBuilder, StateId};

use super::node::Node;
use super::tree::Builder;
use super::{Outcome, messages};
use crate::leaf::Leaf;
use crate::process::{Compression, ProcessId, Watchdog};

impl Builder<'_> {
    pub(super) fn watchdog(
        &mut self,
        process: ProcessId,
        kind: Watchdog,
        specification: ProcessId,
        set: &EventSet,
        bad: EventId,
    ) -> Outcome<Node> {
        if kind == Watchdog::Failures {
            return Err(messages::failure_watchdog(self.processes, process));
        }
        if let Some(leaf) = self.compiler.leaves.get(&process) {
            let leaf = leaf.clone();
            return Ok(self.node_of_leaf(process, leaf));
        }
        let network = self.apart(specification)?;
        let name = self.processes.describe(specification);
        let lts = self
            .compressor
            .compress(Compression::Explicate, &network, &name)
            .map_err(|e| messages::compression_failed(self.processes, process, &e))?;
        let limit = self.compiler.options.leaf_states;
        let Some(monitor) = monitor(&lts, set, bad, limit) else {
            let what = "states in its watchdog";
            return Err(messages::too_large(self.processes, process, what));
        };
        let leaf = Leaf::new(self.compiler.share(monitor));
        self.compiler.leaves.insert(process, leaf.clone());
        Ok(self.node_of_leaf(process, leaf))
    }
}

/// None if it has more states than allowed.
fn monitor(lts: &Lts, set: &EventSet, bad: EventId, limit: usize) -> Option<Lts> {
    let (alarm, stopped) = (StateId(0), StateId(1));
    let mut index: AHashMap<Vec<StateId>, StateId> = AHashMap::new();
    let mut order = vec![closure(lts, set, vec![lts.initial()])];
    index.insert(order[0].clone(), StateId(2));
    let mut builder = LtsBuilder::new();
    builder.state([(Arc::new(EventSet::single(bad)), stopped)]);
    builder.state([]);
    let mut done = 0;
    while done < order.len() {
        let mut after: AHashMap<EventId, Vec<StateId>> = AHashMap::new();
        for state in &order[done] {
            for (event, target) in lts.transitions(*state) {
                if set.contains(event) {
                    after.entry(event).or_default().push(target);
                }
            }
        }
        let allowed: EventSet = after.keys().copied().collect();
        let mut edges = vec![(Arc::new(set.difference(&allowed)), alarm)];
        for event in allowed.iter() {
            let targets = after.remove(&event).unwrap_or_default();
            let targets = closure(lts, set, targets);
            let next = StateId(u32::try_from(order.len() + 2).ok()?);
            let target = *index.entry(targets.clone()).or_insert_with(|| {
                order.push(targets);
                next
            });
            edges.push((Arc::new(EventSet::single(event)), target));
        }
        if order.len() > limit {
            return None;
        }
        builder.state(edges);
        done += 1;
    }
    Some(crate::leaf::reachable(&builder.finish(StateId(2))))
}

/// The states reached by τ and by events outside the set, ascending.
fn closure(lts: &Lts, set: &EventSet, mut states: Vec<StateId>) -> Vec<StateId> {
    let mut seen: ahash::AHashSet<StateId> = states.iter().copied().collect();
    let mut done = 0;
    while done < states.len() {
        for edge in lts.edges(states[done]) {
            let hidden = lts.label(edge).difference(set);
            let silent = hidden.iter().any(|e| e == EventId::TAU || e.is_visible());
            if silent && seen.insert(edge.target) {
                states.push(edge.target);
            }
        }
        done += 1;
    }
    let mut states: Vec<StateId> = seen.into_iter().collect();
    states.sort_unstable();
    states
}
