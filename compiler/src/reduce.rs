//! Static reduction of networks: the same states, transitions and verdicts with less work a step.
//!
//! For every component the local states that can be reached at all are found first (an
//! over-approximation that looks at one component at a time, see `reduce/reach.rs`). On them,
//!
//! - a rule with a participant that never offers its event goes;
//! - a participant that always offers its event and only ever loops on it leaves the rule: it is
//!   neither a condition nor an effect (one participant always stays);
//! - probes lose offers that always hold, and go if they never hold;
//! - resets of components with one state go, and so do components that nothing mentions;
//! - transition systems lose the states that cannot be reached and the events that no rule uses.
//!
//! None of this changes what can be reached, so one pass is a fixpoint. Departs from what is known
//! of FDR, which keeps every participant.

mod bits;
mod reach;
mod stabs;

use std::sync::Arc;

use ahash::{AHashMap, AHashSet, RandomState};
use csp_lts::{
    Chase, Component, ComponentId, EventId, EventSet, Lts, LtsBuilder, Network, Probe, Rule,
    RuleId, StateId,
};
use indexmap::IndexSet;

use reach::{Local, Reach};

/// The way back from a reduced network to the one before.
#[derive(Clone, Debug, Default)]
pub struct WayBack {
    /// For each component the one that it is.
    pub components: Vec<ComponentId>,
    /// For each component, for each of its states the one that it is.
    pub states: Vec<Vec<StateId>>,
    /// For each rule one that it comes from; others differ from it only by participants that do nothing.
    pub rules: Vec<RuleId>,
}

/// The network without participants, rules, components and local states that make no difference.
#[must_use]
pub fn reduce(network: &Network) -> Network {
    reduce_until(network, &mut || false).expect("nobody stops it")
}

/// The same, unless it is stopped; it is asked every now and then.
pub fn reduce_until(network: &Network, stop: &mut dyn FnMut() -> bool) -> Option<Network> {
    Some(reduce_and_return(network, stop)?.0)
}

/// The reduced network with the way back.
#[must_use]
pub fn reduce_with_way_back(network: &Network) -> (Network, WayBack) {
    reduce_and_return(network, &mut || false).expect("nobody stops it")
}

fn reduce_and_return(
    network: &Network,
    stop: &mut dyn FnMut() -> bool,
) -> Option<(Network, WayBack)> {
    let reach = Reach::of(network, stop)?;
    let mut habits = Vec::with_capacity(network.components.len());
    for (component, local) in network.components.iter().zip(&reach.locals) {
        if stop() {
            return None;
        }
        habits.push(Habits::of(&component.lts, local));
    }
    let mut reduced = Reduction {
        network,
        reach: &reach,
        habits: &habits,
        out: Network::default(),
        rule_ids: vec![None; network.rules.len()],
        comes_from: Vec::new(),
    };
    reduced.probes();
    reduced.rules(stop)?;
    reduced.chases();
    let Reduction {
        out, comes_from, ..
    } = reduced;
    let mut back = WayBack {
        rules: comes_from,
        ..WayBack::default()
    };
    let reduced = compact(network, &reach, out, &mut back);
    Some((reduced, back))
}

/// How many rules or offers are dealt with between two questions whether to stop.
const ASK_EVERY: usize = 1 << 14;

/// What a component does with its events, over all states it can reach.
struct Habits {
    /// How many states there are.
    states: u32,
    /// For each event in how many states it is offered.
    offering: Vec<u32>,
    /// For each event how many edges lead with it from a state to another.
    moving: Vec<u32>,
}

impl Habits {
    fn of(lts: &Lts, local: &Local) -> Self {
        let mut offering = Counts::new(local.events.len());
        let mut moving = Counts::new(local.events.len());
        let mut offered: Vec<(usize, usize)> = Vec::new();
        for &state in &local.order {
            offered.clear();
            for edge in lts.edges(state) {
                let spans = &local.spans[edge.label as usize];
                offered.extend_from_slice(spans);
                if edge.target != state {
                    spans.iter().for_each(|span| moving.add(*span));
                }
            }
            // What several edges offer counts once.
            offered.sort();
            let mut end = 0;
            for &(from, to) in &offered {
                if to > end {
                    offering.add((from.max(end), to));
                    end = to;
                }
            }
        }
        Self {
            states: u32::try_from(local.order.len()).expect("states are numbered by u32"),
            offering: offering.finish(),
            moving: moving.finish(),
        }
    }

    /// Offered in every state.
    fn always(&self, event: usize) -> bool {
        self.offering[event] == self.states
    }

    /// Offered in some state.
    fn ever(&self, event: usize) -> bool {
        self.offering[event] > 0
    }

    /// Leads from some state to another.
    fn moves(&self, event: usize) -> bool {
        self.moving[event] > 0
    }
}

/// In how many of some ranges each number is, as the difference from the number before: what a range
/// costs does not depend on its length.
struct Counts {
    changes: Vec<u32>,
}

impl Counts {
    fn new(bound: usize) -> Self {
        Self {
            changes: vec![0; bound + 1],
        }
    }

    /// Adds a half-open range.
    fn add(&mut self, (from, to): (usize, usize)) {
        self.changes[from] = self.changes[from].wrapping_add(1);
        self.changes[to] = self.changes[to].wrapping_sub(1);
    }

    fn finish(mut self) -> Vec<u32> {
        let mut count = 0u32;
        for change in &mut self.changes {
            count = count.wrapping_add(*change);
            *change = count;
        }
        self.changes
    }
}

struct Reduction<'a> {
    network: &'a Network,
    reach: &'a Reach<'a>,
    habits: &'a [Habits],
    out: Network,
    rule_ids: Vec<Option<RuleId>>,
    /// For each rule that is kept, the first that it is made of.
    comes_from: Vec<RuleId>,
}

/// Whether a condition on local offers can be false, can be true.
enum Conditions {
    Never,
    /// The offers that are still to be tested.
    Sometimes(Vec<(ComponentId, EventId)>),
}

impl Reduction<'_> {
    fn place(&self, (component, event): (ComponentId, EventId)) -> (usize, usize) {
        let component = component.0 as usize;
        (component, self.reach.locals[component].index(event))
    }

    /// The offers that can be refused by some state, and those that lead to another one if moves
    /// matter.
    fn conditions(&self, offers: &[(ComponentId, EventId)], moving: bool) -> Conditions {
        let mut kept = Vec::with_capacity(offers.len().min(8));
        for &offer in offers {
            let (component, event) = self.place(offer);
            let habits = &self.habits[component];
            if !habits.ever(event) {
                return Conditions::Never;
            }
            if !habits.always(event) || (moving && habits.moves(event)) {
                kept.push(offer);
            }
        }
        Conditions::Sometimes(kept)
    }

    fn probes(&mut self) {
        for probe in &self.network.probes {
            let offers = match self.conditions(&probe.offers, false) {
                // It keeps its place among the probes, but no set of blockers has it any more.
                Conditions::Never => Box::default(),
                Conditions::Sometimes(offers) => offers.into(),
            };
            let blocked_by = probe.blocked_by;
            self.out.probes.push(Probe { offers, blocked_by });
        }
        for blocker in &self.network.blockers {
            let probes = blocker.iter().copied().filter(|&probe| {
                let offers = &self.network.probes[probe as usize].offers;
                matches!(self.conditions(offers, false), Conditions::Sometimes(_))
            });
            self.out.blockers.push(probes.collect());
        }
    }

    /// None if no probe of the set can ever hold.
    fn blocker(&self, blocked_by: Option<u32>) -> Option<u32> {
        blocked_by.filter(|&set| !self.out.blockers[set as usize].is_empty())
    }

    fn always_blocked(&self, blocked_by: Option<u32>) -> bool {
        blocked_by.is_some_and(|set| {
            self.out.blockers[set as usize].iter().any(|&probe| {
                let probe = &self.out.probes[probe as usize];
                probe.offers.is_empty() && probe.blocked_by.is_none()
            })
        })
    }

    fn rules(&mut self, stop: &mut dyn FnMut() -> bool) -> Option<()> {
        for probe in 0..self.out.probes.len() {
            self.out.probes[probe].blocked_by = self.blocker(self.out.probes[probe].blocked_by);
        }
        let chased: AHashSet<RuleId> = self
            .network
            .chases
            .iter()
            .flat_map(|chase| chase.rules.iter().copied())
            .collect();
        // Chased rules stay apart from equal ones, because they are fired in another way.
        let mut kept: IndexSet<(Rule, Option<RuleId>), RandomState> =
            IndexSet::with_capacity_and_hasher(self.network.rules.len(), RandomState::new());
        for (id, rule) in (0..).map(RuleId).zip(&self.network.rules) {
            if (id.0 as usize).is_multiple_of(ASK_EVERY) && stop() {
                return None;
            }
            if let Some(rule) = self.rule(rule) {
                let (place, new) =
                    kept.insert_full((rule, Some(id).filter(|id| chased.contains(id))));
                if new {
                    self.comes_from.push(id);
                }
                let place = u32::try_from(place).expect("no more than before");
                self.rule_ids[id.0 as usize] = Some(RuleId(place));
            }
        }
        self.out.rules = kept.into_iter().map(|(rule, _)| rule).collect();
        Some(())
    }

    fn rule(&self, rule: &Rule) -> Option<Rule> {
        let Conditions::Sometimes(mut participants) = self.conditions(&rule.participants, true)
        else {
            return None;
        };
        if self.always_blocked(rule.blocked_by) {
            return None;
        }
        if participants.is_empty() {
            participants.extend(rule.participants.first());
        }
        let resets = rule.resets.iter().copied();
        let resets = resets.filter(|r| self.reach.locals[r.0.0 as usize].order.len() > 1);
        Some(Rule {
            result: rule.result,
            revealed: rule.revealed,
            participants: participants.into(),
            resets: resets.collect(),
            blocked_by: self.blocker(rule.blocked_by),
        })
    }

    fn chases(&mut self) {
        for chase in &self.network.chases {
            let ids = chase.rules.iter();
            let rules: Box<[RuleId]> = ids
                .filter_map(|rule| self.rule_ids[rule.0 as usize])
                .collect();
            if !rules.is_empty() {
                let name = chase.name.clone();
                self.out.chases.push(Chase { name, rules });
            }
        }
    }
}

/// Drops components, local states and local events that are no longer mentioned.
fn compact(network: &Network, reach: &Reach, mut reduced: Network, back: &mut WayBack) -> Network {
    let mut used: Vec<Vec<EventId>> = vec![Vec::new(); network.components.len()];
    let mut mentioned = vec![false; network.components.len()];
    let offers = reduced.rules.iter().map(|rule| &rule.participants);
    let offers = offers.chain(reduced.probes.iter().map(|probe| &probe.offers));
    for &(component, event) in offers.flatten() {
        used[component.0 as usize].push(event);
        mentioned[component.0 as usize] = true;
    }
    for rule in &reduced.rules {
        for (component, _) in &rule.resets {
            mentioned[component.0 as usize] = true;
        }
    }
    // A network without components would have no state at all.
    if !mentioned.contains(&true) && !mentioned.is_empty() {
        mentioned[0] = true;
    }
    let mut cache = Shrunk::default();
    let mut new_ids = vec![ComponentId(0); network.components.len()];
    for (c, component) in network.components.iter().enumerate() {
        if !mentioned[c] {
            continue;
        }
        let next = u32::try_from(reduced.components.len()).expect("no more than before");
        new_ids[c] = ComponentId(next);
        used[c].sort_unstable();
        used[c].dedup();
        let local = &reach.locals[c];
        back.components.push(ComponentId(
            u32::try_from(c).expect("components are numbered by u32"),
        ));
        back.states.push(local.order.clone());
        reduced.components.push(Component {
            name: component.name.clone(),
            lts: cache.shrink(&component.lts, &local.order, &used[c]),
            initial: local.number(component.initial),
        });
    }
    for rule in &mut reduced.rules {
        for (component, state) in &mut rule.resets {
            *state = reach.locals[component.0 as usize].number(*state);
            *component = new_ids[component.0 as usize];
        }
    }
    let rules = reduced.rules.iter_mut().map(|rule| &mut rule.participants);
    let probes = reduced.probes.iter_mut().map(|probe| &mut probe.offers);
    for (component, _) in rules.chain(probes).flatten() {
        *component = new_ids[component.0 as usize];
    }
    reduced
}

type ShrunkKey = (*const Lts, Vec<StateId>, Vec<EventId>);

/// Smaller transition systems, made once for components that want the same.
#[derive(Default)]
struct Shrunk {
    made: AHashMap<ShrunkKey, Arc<Lts>>,
    systems: AHashSet<Arc<Lts>>,
}

impl Shrunk {
    /// The given states, ascending, with the given events.
    fn shrink(&mut self, lts: &Arc<Lts>, states: &[StateId], events: &[EventId]) -> Arc<Lts> {
        let key = (Arc::as_ptr(lts), states.to_vec(), events.to_vec());
        if let Some(made) = self.made.get(&key) {
            return Arc::clone(made);
        }
        let events: EventSet = events.iter().copied().collect();
        let labels: Vec<Arc<EventSet>> = lts
            .labels()
            .iter()
            .map(|label| Arc::new(label.intersection(&events)))
            .collect();
        let mut numbers = vec![None; lts.state_count()];
        for (number, state) in (0..).zip(states) {
            numbers[state.0 as usize] = Some(StateId(number));
        }
        let mut builder = LtsBuilder::new();
        for (number, state) in (0..).map(StateId).zip(states) {
            let edges = lts.edges(*state).iter();
            builder.state(edges.map(|edge| {
                // No rule takes an edge to a state that is never reached; a probe may want to see it.
                let target = numbers[edge.target.0 as usize].unwrap_or(number);
                (Arc::clone(&labels[edge.label as usize]), target)
            }));
        }
        let made = builder.finish(numbers[states[0].0 as usize].unwrap_or(StateId(0)));
        let made = Arc::new(made);
        let made = self.systems.get(&made).cloned().unwrap_or(made);
        self.systems.insert(Arc::clone(&made));
        self.made.insert(key, Arc::clone(&made));
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(range: (u32, u32)) -> Arc<EventSet> {
        Arc::new(EventSet::range(range.0, range.1))
    }

    /// Random machines with overlapping labels; rules for their events, some of two machines.
    fn random(below: &mut impl FnMut(u32) -> u32) -> Network {
        let mut network = Network::default();
        for _ in 0..2 {
            let count = 1 + below(5);
            let mut builder = LtsBuilder::new();
            for _ in 0..count {
                let edges: Vec<_> = (0..below(4))
                    .map(|_| {
                        let from = 3 + below(6);
                        (set((from, from + 1 + below(4))), StateId(below(count)))
                    })
                    .collect();
                builder.state(edges);
            }
            network.components.push(Component {
                name: String::new(),
                lts: Arc::new(builder.finish(StateId(0))),
                initial: StateId(0),
            });
        }
        for event in (3..13).map(EventId) {
            let participants: &[u32] = [&[0][..], &[1], &[0, 1]][below(3) as usize];
            let offers = participants.iter().map(|c| (ComponentId(*c), event));
            network.rules.push(Rule {
                result: event,
                revealed: event,
                participants: offers.collect(),
                resets: Box::default(),
                blocked_by: None,
            });
        }
        network
    }

    /// The local states reached by the definition.
    fn reached(network: &Network) -> Vec<Vec<bool>> {
        let systems: Vec<&Lts> = network.components.iter().map(|c| &*c.lts).collect();
        let mut reached: Vec<Vec<bool>> = systems
            .iter()
            .map(|lts| lts.states().map(|s| s == StateId(0)).collect())
            .collect();
        loop {
            let before = reached.clone();
            for rule in &network.rules {
                let offered = |(c, event): &(ComponentId, EventId)| {
                    let lts = systems[c.0 as usize];
                    let mut states = lts.states().filter(|s| before[c.0 as usize][s.0 as usize]);
                    states.any(|s| lts.transitions(s).any(|t| t.0 == *event))
                };
                if !rule.participants.iter().all(offered) {
                    continue;
                }
                for (c, event) in &rule.participants {
                    let lts = systems[c.0 as usize];
                    for s in lts.states().filter(|s| before[c.0 as usize][s.0 as usize]) {
                        for (_, target) in lts.transitions(s).filter(|t| t.0 == *event) {
                            reached[c.0 as usize][target.0 as usize] = true;
                        }
                    }
                }
            }
            if reached == before {
                return reached;
            }
        }
    }

    #[test]
    fn reach_and_habits_are_what_they_are_defined_to_be() {
        let mut seed = 1u64;
        let mut below = |bound: u32| {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (seed >> 33) as u32 % bound
        };
        for _ in 0..500 {
            let network = random(&mut below);
            let reach = Reach::of(&network, &mut || false).expect("nobody stops it");
            let reached = reached(&network);
            for (c, local) in reach.locals.iter().enumerate() {
                let lts = &network.components[c].lts;
                let states = lts.states().filter(|s| reached[c][s.0 as usize]);
                let states: Vec<StateId> = states.collect();
                assert_eq!(local.order, states);
                let habits = Habits::of(lts, local);
                for (index, event) in local.events.iter().enumerate() {
                    let offers = |s: &StateId| lts.transitions(*s).any(|t| t.0 == *event);
                    let leaves =
                        |s: &StateId| lts.transitions(*s).any(|t| t.0 == *event && t.1 != *s);
                    assert_eq!(habits.always(index), states.iter().all(offers));
                    assert_eq!(habits.ever(index), states.iter().any(offers));
                    assert_eq!(habits.moves(index), states.iter().any(leaves));
                }
            }
        }
    }
}
