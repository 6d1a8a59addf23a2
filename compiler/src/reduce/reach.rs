//! Which local states can be reached, looking at one component at a time.
//!
//! The least fixpoint of: initial states are reached; a rule is possible if each participant has
//! reached a state that offers its event; a possible rule's resets are reached; and from a reached
//! state, an edge with an event that some possible rule uses leads to a reached state. Priority and
//! the other components' states are ignored, so more may be reached here than in the network.

use csp_lts::{ComponentId, EventId, Lts, Network, StateId};

use super::bits::Bits;
use super::stabs::Stabs;

/// One component and how far it gets.
pub(super) struct Local<'a> {
    lts: &'a Lts,
    /// The events that rules and probes use of it, ascending.
    pub(super) events: Vec<EventId>,
    /// For each label the events it has, as half-open ranges of indexes into `events`.
    pub(super) spans: Vec<Vec<(usize, usize)>>,
    /// The states reached, ascending in the end.
    pub(super) order: Vec<StateId>,
    reached: Bits,
    offered: Bits,
    usable: Bits,
    seen: Vec<bool>,
    /// The spans of labels, by the events in them.
    stabs: Stabs,
    /// Labels with an event that some possible rule uses.
    live: Vec<bool>,
    /// For each label that is not live, where its edges lead from reached states.
    pending: Vec<Vec<StateId>>,
    /// The number of this component's first event among the events of all components.
    base: usize,
}

impl<'a> Local<'a> {
    fn new(lts: &'a Lts, events: Vec<EventId>, base: usize) -> Self {
        let below = |bound: u32| events.partition_point(|event| event.0 < bound);
        let spans: Vec<Vec<(usize, usize)>> = lts
            .labels()
            .iter()
            .map(|label| {
                let ranges = label.ranges().iter();
                let spans = ranges.map(|&(from, to)| (below(from), below(to)));
                spans.filter(|(from, to)| from < to).collect()
            })
            .collect();
        Self {
            lts,
            order: Vec::new(),
            reached: Bits::new(lts.state_count()),
            offered: Bits::new(events.len()),
            usable: Bits::new(events.len()),
            seen: vec![false; spans.len()],
            stabs: Stabs::new(events.len(), &spans),
            live: vec![false; spans.len()],
            pending: vec![Vec::new(); spans.len()],
            events,
            spans,
            base,
        }
    }

    /// The place of an event that rules or probes use.
    pub(super) fn index(&self, event: EventId) -> usize {
        let found = self.events.binary_search(&event);
        found.expect("the events of all rules and probes are listed")
    }

    /// The number of a state among those reached.
    pub(super) fn number(&self, state: StateId) -> StateId {
        let found = self.order.binary_search(&state);
        let number = found.expect("only states that are reached are asked for");
        StateId(u32::try_from(number).expect("states are numbered by u32"))
    }

    /// Reaches a state and all that follows from it; gives the events that are newly offered.
    fn visit(&mut self, state: StateId, fresh: &mut Vec<usize>) {
        let mut todo = vec![state];
        while let Some(state) = todo.pop() {
            if !self.reached.insert(state.0 as usize) {
                continue;
            }
            self.order.push(state);
            for edge in self.lts.edges(state) {
                let label = edge.label as usize;
                if !self.seen[label] {
                    self.seen[label] = true;
                    for &(from, to) in &self.spans[label] {
                        let base = self.base;
                        self.offered
                            .insert_new(from, to, |event| fresh.push(base + event));
                    }
                }
                if self.live[label] {
                    todo.push(edge.target);
                } else if edge.target != state {
                    self.pending[label].push(edge.target);
                }
            }
        }
    }

    /// Notes that a possible rule uses an event, and follows the labels that become live by it; gives
    /// the events that are newly offered.
    fn allow(&mut self, event: usize, fresh: &mut Vec<usize>) {
        if !self.usable.insert(event) {
            return;
        }
        let mut labels = Vec::new();
        self.stabs.take(event, |label| labels.push(label as usize));
        for label in labels {
            self.live[label] = true;
            for state in std::mem::take(&mut self.pending[label]) {
                self.visit(state, fresh);
            }
        }
    }
}

/// The local states of a network that can be reached.
pub(super) struct Reach<'a> {
    pub(super) locals: Vec<Local<'a>>,
}

impl<'a> Reach<'a> {
    pub(super) fn of(network: &'a Network, stop: &mut dyn FnMut() -> bool) -> Option<Self> {
        let mut reach = Self {
            locals: locals(network),
        };
        let waiting = reach.waiting(network);
        let missing = network.rules.iter().map(|rule| rule.participants.len());
        let mut missing: Vec<usize> = missing.collect();
        let mut fresh = Vec::new();
        for (local, component) in reach.locals.iter_mut().zip(&network.components) {
            local.visit(component.initial, &mut fresh);
        }
        let mut done = 0usize;
        while let Some(place) = fresh.pop() {
            done += 1;
            if done.is_multiple_of(super::ASK_EVERY) && stop() {
                return None;
            }
            for &rule in waiting.of(place) {
                missing[rule as usize] -= 1;
                if missing[rule as usize] == 0 {
                    reach.enable(network, rule, &mut fresh);
                }
            }
        }
        for local in &mut reach.locals {
            local.order.sort_unstable();
        }
        Some(reach)
    }

    fn enable(&mut self, network: &Network, rule: u32, fresh: &mut Vec<usize>) {
        let rule = &network.rules[rule as usize];
        for &(ComponentId(component), event) in &rule.participants {
            let local = &mut self.locals[component as usize];
            local.allow(local.index(event), fresh);
        }
        for &(ComponentId(component), state) in &rule.resets {
            self.locals[component as usize].visit(state, fresh);
        }
    }

    /// For each event of each component the rules that wait for its offer.
    fn waiting(&self, network: &Network) -> Waiting {
        let places = self.locals.last().map_or(0, |l| l.base + l.events.len());
        let place = |&(ComponentId(component), event): &(ComponentId, EventId)| {
            let local = &self.locals[component as usize];
            local.base + local.index(event)
        };
        let mut offsets = vec![0u32; places + 1];
        for rule in &network.rules {
            for offer in &rule.participants {
                offsets[place(offer) + 1] += 1;
            }
        }
        for i in 0..places {
            offsets[i + 1] += offsets[i];
        }
        let mut next = offsets.clone();
        let mut rules = vec![0u32; offsets[places] as usize];
        for (id, rule) in (0..).zip(&network.rules) {
            for offer in &rule.participants {
                let slot = &mut next[place(offer)];
                rules[*slot as usize] = id;
                *slot += 1;
            }
        }
        Waiting { offsets, rules }
    }
}

fn locals(network: &Network) -> Vec<Local<'_>> {
    let mut events: Vec<Vec<EventId>> = vec![Vec::new(); network.components.len()];
    let rules = network.rules.iter().map(|rule| &rule.participants);
    let probes = network.probes.iter().map(|probe| &probe.offers);
    for &(ComponentId(component), event) in rules.chain(probes).flatten() {
        events[component as usize].push(event);
    }
    let mut base = 0;
    let mut locals = Vec::with_capacity(events.len());
    for (mut events, component) in events.into_iter().zip(&network.components) {
        events.sort_unstable();
        events.dedup();
        let count = events.len();
        locals.push(Local::new(&component.lts, events, base));
        base += count;
    }
    locals
}

/// Lists of rules in compressed rows.
struct Waiting {
    offsets: Vec<u32>,
    rules: Vec<u32>,
}

impl Waiting {
    fn of(&self, place: usize) -> &[u32] {
        &self.rules[self.offsets[place] as usize..self.offsets[place + 1] as usize]
    }
}
