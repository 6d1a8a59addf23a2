//! What a specification can be in after a behaviour of refusal testing.

use std::collections::BTreeSet;

use ahash::AHashMap;
use csp_lts::{EventId, EventSet, Lts, StateId};

use crate::judge::Node;
use crate::tau::TauGraph;
use crate::termination::Termination;

/// An offer of a stable state of either side, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct OfferId(u32);

/// Offers, each kept once.
#[derive(Default)]
pub(super) struct OfferPool {
    sets: Vec<EventSet>,
    index: AHashMap<EventSet, OfferId>,
}

impl OfferPool {
    fn intern(&mut self, set: EventSet) -> OfferId {
        let fresh = OfferId(u32::try_from(self.sets.len()).expect("no more offers than states"));
        let id = *self.index.entry(set.clone()).or_insert(fresh);
        if id == fresh {
            self.sets.push(set);
        }
        id
    }

    /// The events of an offer.
    pub(super) fn set(&self, offer: OfferId) -> &EventSet {
        &self.sets[offer.0 as usize]
    }

    /// The acceptance of each state of a system; `None` for those that refuse nothing.
    pub(super) fn acceptances(
        &mut self,
        lts: &Lts,
        tau: &TauGraph,
        termination: Termination,
    ) -> Vec<Option<OfferId>> {
        let hidden: EventSet = [EventId::TAU, EventId::OMEGA].into_iter().collect();
        lts.states()
            .map(|state| {
                let labels = lts.edges(state).iter().map(|e| lts.label(e));
                let ranges = labels.flat_map(|l| l.ranges().iter().copied()).collect();
                let events = EventSet::from_ranges(ranges).difference(&hidden);
                termination
                    .acceptance_set(&events, tau.is_unstable(state.0))
                    .map(|set| self.intern(set))
            })
            .collect()
    }
}

/// Nodes are τ-closed sets of states, numbered as they are met.
pub(super) struct Specification<'a> {
    lts: &'a Lts,
    tau: TauGraph,
    diverging: Vec<bool>,
    acceptances: Vec<Option<OfferId>>,
    /// The states of each node, and whether one of them can diverge.
    sets: Vec<(Box<[u32]>, bool)>,
    index: AHashMap<Box<[u32]>, Node>,
    steps: AHashMap<(Node, Option<OfferId>, EventId), Option<Node>>,
    /// Bytes taken by the nodes.
    pub(super) bytes: u64,
}

impl<'a> Specification<'a> {
    /// Node 0 is the initial one.
    pub(super) fn new(lts: &'a Lts, termination: Termination, pool: &mut OfferPool) -> Self {
        let tau = TauGraph::of(lts);
        let mut specification = Self {
            lts,
            diverging: tau.diverging(),
            acceptances: pool.acceptances(lts, &tau, termination),
            tau,
            sets: Vec::new(),
            index: AHashMap::new(),
            steps: AHashMap::new(),
            bytes: 0,
        };
        specification.enter(vec![lts.initial().0]);
        specification
    }

    fn enter(&mut self, mut stack: Vec<u32>) -> Option<Node> {
        let mut set = BTreeSet::new();
        while let Some(state) = stack.pop() {
            if set.insert(state) {
                stack.extend_from_slice(self.tau.successors(state));
            }
        }
        if set.is_empty() {
            return None;
        }
        let set: Box<[u32]> = set.into_iter().collect();
        let fresh = Node::try_from(self.sets.len()).expect("memory ends before numbers do");
        let node = *self.index.entry(set.clone()).or_insert(fresh);
        if node == fresh {
            let diverges = set.iter().any(|s| self.diverging[*s as usize]);
            self.bytes += set.len() as u64 * 8 + 64;
            self.sets.push((set, diverges));
        }
        Some(node)
    }

    /// Whether one of the states of a node can diverge.
    pub(super) fn diverges(&self, node: Node) -> bool {
        self.sets[node as usize].1
    }

    /// Whether the node has a stable state that offers nothing outside the offer.
    pub(super) fn allows(&self, node: Node, offer: OfferId, pool: &OfferPool) -> bool {
        let states = self.sets[node as usize].0.iter();
        let mut stable = states.filter_map(|s| self.acceptances[*s as usize]);
        stable.any(|a| pool.set(a).is_subset(pool.set(offer)))
    }

    /// The node after an event that was done with this offer in view (`None`: from an unstable
    /// state); `None` if that is not allowed.
    pub(super) fn step(
        &mut self,
        node: Node,
        offer: Option<OfferId>,
        event: EventId,
        pool: &OfferPool,
    ) -> Option<Node> {
        if let Some(&known) = self.steps.get(&(node, offer, event)) {
            return known;
        }
        let mut targets = Vec::new();
        for &state in &self.sets[node as usize].0 {
            let able = offer.is_none_or(|offer| {
                self.acceptances[state as usize].is_some_and(|a| {
                    pool.set(a).contains(event) && pool.set(a).is_subset(pool.set(offer))
                })
            });
            if able {
                let edges = self.lts.edges(StateId(state)).iter();
                let on_event = edges.filter(|e| self.lts.label(e).contains(event));
                targets.extend(on_event.map(|e| e.target.0));
            }
        }
        let next = self.enter(targets);
        self.bytes += 32;
        self.steps.insert((node, offer, event), next);
        next
    }

    /// The events that could be done with this offer in view.
    pub(super) fn allowed(
        &self,
        node: Node,
        offer: Option<OfferId>,
        pool: &OfferPool,
    ) -> Vec<EventId> {
        let hidden: EventSet = [EventId::TAU, EventId::OMEGA].into_iter().collect();
        let mut events = EventSet::empty();
        for &state in &self.sets[node as usize].0 {
            match (offer, self.acceptances[state as usize]) {
                (None, _) => {
                    for edge in self.lts.edges(StateId(state)) {
                        events = events.union(&self.lts.label(edge).difference(&hidden));
                    }
                }
                (Some(offer), Some(a)) if pool.set(a).is_subset(pool.set(offer)) => {
                    events = events.union(pool.set(a));
                }
                _ => {}
            }
        }
        events.iter().collect()
    }
}
