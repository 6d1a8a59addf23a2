//! The product of specification nodes and implementation states, ply by ply.

use std::collections::BTreeMap;

use ahash::AHashMap;
use csp_lts::{EventId, Lts, StateId};

use super::specification::{OfferId, OfferPool, Specification};
use crate::budget::Budget;
use crate::judge::Node;
use crate::options::Progress;
use crate::outcome::{Limit, Statistics};
use crate::tau::TauGraph;
use crate::termination::Termination;

/// A violation on the implementation's explicit system.
pub(super) struct Offence {
    /// Events and the states after them.
    pub(super) path: Vec<(EventId, StateId)>,
    /// What is wrong at its end.
    pub(super) wrong: Wrong,
}

/// What can be wrong.
#[derive(Clone)]
pub(super) enum Wrong {
    /// The last event, where only these are allowed.
    Event { allowed: Vec<EventId> },
    /// The last offer, inside which only these could have been done.
    Refusal { allowed: Vec<EventId> },
    /// A τ cycle, as the events and the states after them.
    Divergence { cycle: Vec<(EventId, StateId)> },
}

/// What makes two violations different.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Refusal(OfferId),
    Divergence,
    Event(EventId),
}

/// A pair and how it was first reached; the initial pair is its own parent.
struct Pair {
    node: Node,
    state: StateId,
    parent: u32,
    event: EventId,
}

/// The pair at which something is wrong, the event at fault with where it leads, and what is wrong.
type Found = (u32, Option<(EventId, StateId)>, Wrong);

/// One search.
pub(super) struct Product<'a> {
    implementation: &'a Lts,
    tau: TauGraph,
    looping: Vec<bool>,
    acceptances: Vec<Option<OfferId>>,
    pool: OfferPool,
    specification: Specification<'a>,
    strict: bool,
    pairs: Vec<Pair>,
    index: AHashMap<(Node, StateId), u32>,
    found: BTreeMap<Kind, Found>,
    /// What was covered.
    pub(super) statistics: Statistics,
}

impl<'a> Product<'a> {
    /// Prepares a search from the initial pair.
    pub(super) fn new(
        specification: &'a Lts,
        implementation: &'a Lts,
        strict: bool,
        termination: Termination,
    ) -> Self {
        let tau = TauGraph::of(implementation);
        let mut pool = OfferPool::default();
        Self {
            implementation,
            looping: if strict { tau.looping() } else { Vec::new() },
            acceptances: pool.acceptances(implementation, &tau, termination),
            tau,
            specification: Specification::new(specification, termination, &mut pool),
            pool,
            strict,
            pairs: Vec::new(),
            index: AHashMap::new(),
            found: BTreeMap::new(),
            statistics: Statistics {
                store: "explicit",
                ..Statistics::default()
            },
        }
    }

    /// Searches until a ply with violations is finished, everything is seen, or a limit is reached.
    pub(super) fn search(&mut self, budget: &Budget<'_>) -> (Vec<Offence>, Option<Limit>) {
        self.reach(0, self.implementation.initial(), 0, EventId::TAU);
        let (mut from, mut limit) = (0, None);
        while from < self.pairs.len() && self.found.is_empty() && limit.is_none() {
            let to = self.pairs.len();
            self.statistics.ply_sizes.push((to - from) as u64);
            limit = (from..to).find_map(|pair| self.visit_within(pair, budget).err());
            if limit.is_none() {
                self.statistics.plys += 1;
            }
            from = to;
        }
        self.statistics.states = self.pairs.len() as u64;
        self.statistics.peak_memory = self.bytes();
        #[allow(clippy::cast_precision_loss, reason = "a figure for people")]
        if self.statistics.states > 0 {
            self.statistics.bytes_per_state = self.bytes() as f64 / self.statistics.states as f64;
        }
        let offences = self.offences(budget.options().counterexamples);
        (offences, limit)
    }

    fn bytes(&self) -> u64 {
        self.specification.bytes + self.pairs.len() as u64 * 32
    }

    fn visit_within(&mut self, pair: usize, budget: &Budget<'_>) -> Result<(), Limit> {
        self.visit(pair);
        let states = self.pairs.len() as u64;
        budget.spend(states, self.bytes())?;
        if pair.is_multiple_of(4096) {
            budget.breathe(&Progress {
                ply: self.statistics.plys,
                states,
                transitions: self.statistics.transitions,
                frontier: states - pair as u64,
                memory: self.bytes(),
            })?;
        }
        Ok(())
    }

    fn reach(&mut self, node: Node, state: StateId, parent: u32, event: EventId) {
        let fresh = u32::try_from(self.pairs.len()).expect("memory ends before numbers do");
        if *self.index.entry((node, state)).or_insert(fresh) == fresh {
            self.pairs.push(Pair {
                node,
                state,
                parent,
                event,
            });
        }
    }

    fn visit(&mut self, pair: usize) {
        let (node, state) = (self.pairs[pair].node, self.pairs[pair].state);
        let pair = u32::try_from(pair).expect("pairs are numbered by u32");
        if self.strict && self.specification.diverges(node) {
            return;
        }
        if self.strict
            && self.looping[state.0 as usize]
            && let Some(cycle) = self.tau.cycle_through(state)
        {
            let cycle = cycle.into_iter().map(|s| (EventId::TAU, s)).collect();
            self.note(Kind::Divergence, pair, None, Wrong::Divergence { cycle });
            return;
        }
        let offer = self.acceptances[state.0 as usize];
        if let Some(offer) = offer
            && !self.specification.allows(node, offer, &self.pool)
        {
            let allowed = self.specification.allowed(node, Some(offer), &self.pool);
            self.note(Kind::Refusal(offer), pair, None, Wrong::Refusal { allowed });
            return;
        }
        let moves: Vec<(EventId, StateId)> = self.implementation.transitions(state).collect();
        for (event, target) in moves {
            self.statistics.transitions += 1;
            if event == EventId::TAU {
                self.reach(node, target, pair, event);
                continue;
            }
            // An event outside the acceptance is done before ✓ is decided on, hence unstably.
            let seen = offer.filter(|o| self.pool.set(*o).contains(event));
            match self.specification.step(node, seen, event, &self.pool) {
                Some(next) if self.strict && self.specification.diverges(next) => {}
                Some(next) => self.reach(next, target, pair, event),
                None => {
                    let allowed = self.specification.allowed(node, seen, &self.pool);
                    let last = Some((event, target));
                    self.note(Kind::Event(event), pair, last, Wrong::Event { allowed });
                }
            }
        }
    }

    fn note(&mut self, kind: Kind, pair: u32, last: Option<(EventId, StateId)>, wrong: Wrong) {
        self.found.entry(kind).or_insert((pair, last, wrong));
    }

    /// The violations that were found, shortest first.
    fn offences(&self, most: usize) -> Vec<Offence> {
        let mut all: Vec<_> = self.found.values().cloned().collect();
        all.sort_by_key(|(pair, last, _)| (last.is_some(), *pair, *last));
        all.truncate(most.max(1));
        all.into_iter()
            .map(|(pair, last, wrong)| {
                let mut path: Vec<(EventId, StateId)> = last.into_iter().collect();
                let mut at = pair;
                while at != 0 {
                    let step = &self.pairs[at as usize];
                    path.push((step.event, step.state));
                    at = step.parent;
                }
                path.reverse();
                Offence { path, wrong }
            })
            .collect()
    }
}
