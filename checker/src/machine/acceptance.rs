//! Acceptance steps: τ transitions that only take choices away, which a search need not follow.
//!
//! A τ transition n → m of a component is an *acceptance step* if m is stable and every transition of
//! m, event and target, is one of n too. This is how the compressions write the minimal acceptances
//! of a node, and what FDR keeps as marks of nodes (generalised transition systems): n offers what the
//! node can do, and each m one of the sets that it can be left with.
//!
//! A rule is *overlooked* if it is the τ of one component C alone: it resets nothing, nothing blocks
//! it, it is not chased, and its other participants are guards that always loop. Besides, no probe and
//! no chased rule asks anything of C, and no rule in which C neither takes part nor is reset can make
//! a guard fail that holds. Let *u* be a *rest* of *s* if overlooked rules lead from *s* to *u* by
//! acceptance steps alone. Then
//!
//! * these steps commute: none disables the rule of another component;
//! * if *u* steps to *v* in another way, by a rule r, then *s* steps by r to a state of which *v* is a
//!   rest. For a component that takes part in r or is reset by it is in the same state afterwards,
//!   whether it was in n or in m before, and for the others the guards still hold. Priorities and
//!   chases come to the same, as they do not see the components in question;
//! * so all reachable states are the rests of those that are reached without acceptance steps; the
//!   traces are the same, and so are the divergences, since acceptance steps end by themselves;
//! * a rest that is stable has taken an acceptance step in every component that could take one.
//!
//! Hence a search that sees no more of a state than what it accepts if it is stable (T, F, FD, V,
//! deadlock, determinism and the like, but not refusal testing, where what was accepted is remembered)
//! stores and expands no rests: it judges the stable ones in place, at the state they are rests of
//! ([`crate::search`], `rest.rs`). A network of k machines with a acceptances each has one state for a
//! combination of nodes, instead of up to (a + 1)^k.

use std::sync::Arc;

use ahash::AHashMap;
use csp_lts::{ComponentId, EventId, Lts, Network, Rule, RuleId, StateId, acceptance_steps};

use super::NONE;
use super::layout::{Field, Layout};
use super::local::{Local, Locals};

/// The acceptance steps that a search overlooks.
#[derive(Debug, Default)]
pub(crate) struct Acceptances {
    /// Ascending by component.
    pub(crate) leaves: Vec<Leaf>,
    /// For each rule of the machine whose τ it is, as an index of `leaves`; [`NONE`] if it is not
    /// overlooked.
    leaf_of: Vec<u32>,
    /// For each component its index in `leaves`, or [`NONE`].
    leaf_at: Vec<u32>,
}

/// A component with acceptance steps.
#[derive(Debug)]
pub(crate) struct Leaf {
    pub(crate) component: u32,
    pub(crate) field: Field,
    /// For each state where the targets of its acceptance steps start, and those of its other τ.
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Leaf {
    fn new(component: u32, field: Field, lts: &Lts, local: &Local, steps: &[Step]) -> Self {
        let mut leaf = Self {
            component,
            field,
            starts: Vec::new(),
            targets: Vec::new(),
        };
        for state in &local.states {
            let mut silent: Vec<(bool, u32)> = silent_targets(lts, *state)
                .map(|target| {
                    let follow = steps.binary_search(&(*state, target)).is_err();
                    (follow, local.dense(target))
                })
                .collect();
            silent.sort_unstable();
            silent.dedup();
            let first = silent.partition_point(|(follow, _)| !follow);
            leaf.starts.push(number(leaf.targets.len()));
            leaf.starts.push(number(leaf.targets.len() + first));
            leaf.targets
                .extend(silent.iter().map(|(_, target)| *target));
        }
        leaf.starts.push(number(leaf.targets.len()));
        leaf
    }

    fn targets(&self, index: usize) -> &[u32] {
        &self.targets[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// Where acceptance steps lead from a state, ascending.
    #[inline]
    pub(crate) fn accepted(&self, state: u32) -> &[u32] {
        self.targets(2 * state as usize)
    }

    /// Where other τ lead, for each state.
    pub(crate) fn others(&self) -> impl Iterator<Item = &[u32]> {
        (1..self.starts.len())
            .step_by(2)
            .map(|index| self.targets(index))
    }
}

impl Acceptances {
    /// The steps of the rules of a machine, given in its order.
    pub(super) fn new(
        network: &Network,
        locals: &Locals,
        layout: &Layout,
        overlooked: &Overlooked,
        rules: impl Iterator<Item = RuleId>,
    ) -> Self {
        let leaf = |component: &ComponentId| {
            let (at, local) = (component.0, &locals.components[component.0 as usize]);
            let lts = &network.components[at as usize].lts;
            let steps = &overlooked.steps[&Arc::as_ptr(lts)];
            Leaf::new(at, layout.components[at as usize], lts, local, steps)
        };
        let mut leaf_at = vec![NONE; network.components.len()];
        for (index, component) in (0..).zip(&overlooked.components) {
            leaf_at[component.0 as usize] = index;
        }
        Self {
            leaves: overlooked.components.iter().map(leaf).collect(),
            leaf_of: rules
                .map(|rule| match overlooked.rules.get(&rule) {
                    Some(component) => leaf_at[component.0 as usize],
                    None => NONE,
                })
                .collect(),
            leaf_at,
        }
    }

    /// The leaf that a component is, as an index of the leaves.
    #[inline]
    pub(crate) fn leaf_at(&self, component: u32) -> Option<usize> {
        let leaf = self.leaf_at[component as usize];
        (leaf != NONE).then_some(leaf as usize)
    }

    /// The component whose τ a rule is, as an index of the leaves, if it is overlooked.
    #[inline]
    pub(crate) fn leaf_of(&self, rule: u32) -> Option<usize> {
        let leaf = self.leaf_of[rule as usize];
        (leaf != NONE).then_some(leaf as usize)
    }

    /// The rules that are the τ of a leaf.
    pub(crate) fn rules_of(&self, leaf: usize) -> impl Iterator<Item = u32> {
        let rules = (0..).zip(&self.leaf_of);
        rules.filter_map(move |(rule, of)| (*of as usize == leaf).then_some(rule))
    }
}

/// An acceptance step of a component.
type Step = (StateId, StateId);

/// What of a network is overlooked.
#[derive(Debug, Default)]
pub(super) struct Overlooked {
    /// Ascending.
    components: Vec<ComponentId>,
    /// The component whose τ each rule is.
    rules: AHashMap<RuleId, ComponentId>,
    /// The acceptance steps of each transition system, ascending.
    steps: AHashMap<*const Lts, Vec<Step>>,
}

impl Overlooked {
    /// Finds the rules of a network that may be overlooked, if those marked as ending are not
    /// followed; `None` if there are none.
    pub(super) fn of(network: &Network, locals: &Locals, ending: &[bool]) -> Option<Self> {
        let mut overlooked = Self::default();
        for component in &network.components {
            let steps = overlooked.steps.entry(Arc::as_ptr(&component.lts));
            steps.or_insert_with(|| acceptance_steps(&component.lts));
        }
        let has_steps: Vec<bool> = network
            .components
            .iter()
            .map(|component| !overlooked.steps[&Arc::as_ptr(&component.lts)].is_empty())
            .collect();
        if !has_steps.contains(&true) {
            return None;
        }
        let mut survey = Survey::new(network, locals, ending);
        for (id, rule) in (0..).map(RuleId).zip(&network.rules) {
            if let Some(component) = survey.component_of(id, rule)
                && has_steps[component.0 as usize]
                && survey.guards_last(component, rule)
            {
                overlooked.rules.insert(id, component);
                overlooked.components.push(component);
            }
        }
        overlooked.components.sort_unstable();
        overlooked.components.dedup();
        (!overlooked.rules.is_empty()).then_some(overlooked)
    }
}

/// What has to be known of a network to tell which rules may be overlooked.
struct Survey<'a> {
    network: &'a Network,
    locals: &'a Locals,
    ending: &'a [bool],
    chased: Vec<bool>,
    /// Components that probes or chased rules ask something of.
    watched: Vec<bool>,
    /// For each guard, by component and class, the rules that can make it fail.
    breakers: AHashMap<(ComponentId, u32), Vec<RuleId>>,
}

impl<'a> Survey<'a> {
    fn new(network: &'a Network, locals: &'a Locals, ending: &'a [bool]) -> Self {
        let mut chased = vec![false; network.rules.len()];
        let mut watched = vec![false; network.components.len()];
        for rule in network.chases.iter().flat_map(|chase| chase.rules.iter()) {
            chased[rule.0 as usize] = true;
            for (component, _) in &network.rules[rule.0 as usize].participants {
                watched[component.0 as usize] = true;
            }
        }
        for (component, _) in network.probes.iter().flat_map(|probe| probe.offers.iter()) {
            watched[component.0 as usize] = true;
        }
        Self {
            network,
            locals,
            ending,
            chased,
            watched,
            breakers: AHashMap::new(),
        }
    }

    /// The component whose own τ a rule is, guards aside, if nobody watches it.
    fn component_of(&self, id: RuleId, rule: &Rule) -> Option<ComponentId> {
        let simple = rule.result == EventId::TAU
            && self.locals.live[id.0 as usize]
            && !self.chased[id.0 as usize]
            && rule.resets.is_empty()
            && rule.blocked_by.is_none();
        let mut silent = rule.participants.iter().filter(|p| p.1 == EventId::TAU);
        let (Some((component, _)), None, true) = (silent.next(), silent.next(), simple) else {
            return None;
        };
        let loops = |(guard, event): &(ComponentId, EventId)| {
            let local = &self.locals.components[guard.0 as usize];
            guard == component || local.classes[local.class(*event) as usize].loops
        };
        let eligible = !self.watched[component.0 as usize] && rule.participants.iter().all(loops);
        eligible.then_some(*component)
    }

    /// Whether the guards of a rule that is the τ of a component hold until that component moves.
    fn guards_last(&mut self, component: ComponentId, rule: &Rule) -> bool {
        let mut guards = rule.participants.iter().filter(|p| p.0 != component);
        guards.all(|(guard, event)| {
            let class = self.locals.components[guard.0 as usize].class(*event);
            let network = self.network;
            self.breakers(*guard, class).iter().all(|breaker| {
                let Rule {
                    participants,
                    resets,
                    ..
                } = &network.rules[breaker.0 as usize];
                participants.iter().any(|p| p.0 == component)
                    || resets.iter().any(|r| r.0 == component)
            })
        })
    }

    fn breakers(&mut self, guard: ComponentId, class: u32) -> &[RuleId] {
        let Self {
            network,
            locals,
            ending,
            breakers,
            ..
        } = self;
        breakers.entry((guard, class)).or_insert_with(|| {
            let local = &locals.components[guard.0 as usize];
            let mut holding = vec![false; local.states.len()];
            for state in local.offering(class) {
                holding[state as usize] = true;
            }
            let mut breaking: AHashMap<u32, bool> = AHashMap::new();
            let mut breaks = |event: EventId| {
                let other = local.class(event);
                *breaking.entry(other).or_insert_with(|| {
                    let mut any = false;
                    local.each_move(other, |from, to| {
                        any |= holding[from as usize] && !holding[to as usize];
                    });
                    any
                })
            };
            let rules = (0..).map(RuleId).zip(&network.rules);
            rules
                .filter(|(id, _)| locals.live[id.0 as usize] && !ending[id.0 as usize])
                .filter(|(_, rule)| {
                    let moved = rule.participants.iter().find(|p| p.0 == guard);
                    let reset = rule.resets.iter().find(|r| r.0 == guard);
                    moved.is_some_and(|(_, event)| breaks(*event))
                        || reset.is_some_and(|(_, to)| !holding[local.dense(*to) as usize])
                })
                .map(|(id, _)| id)
                .collect()
        })
    }
}

fn silent_targets(lts: &Lts, state: StateId) -> impl Iterator<Item = StateId> {
    let edges = lts.edges(state).iter();
    edges
        .filter(|edge| lts.label(edge).contains(EventId::TAU))
        .map(|edge| edge.target)
}

fn number(length: usize) -> u32 {
    u32::try_from(length).expect("the tables of a network are indexed by u32")
}
