//! What a network is, apart from the names of its parts.
//!
//! Only what a search can see counts: the reachable local states of each component, the relations on
//! them that rules ask for, the rules, their results, and how the property steps. Events on which a
//! component behaves alike are one relation.

use ahash::AHashMap;
use csp_lts::{EventId, Network};

use crate::judge::{Judge, Stepped};
use crate::machine::Plan;

/// Where a rule that is never followed would lead.
const BEYOND: u32 = u32::MAX;

/// The most steps of a property that are looked at.
const MOST_STEPS: usize = 1 << 20;

/// A rule: its result by number, the relations it asks for, and what it resets; all ascending.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Form {
    pub(super) result: u32,
    pub(super) asks: Vec<(u32, u32)>,
    pub(super) resets: Vec<(u32, u32)>,
}

/// The parts of a network and of a property.
#[derive(Debug)]
pub(super) struct Shape {
    /// Local states of each component.
    pub(super) sizes: Vec<u32>,
    pub(super) initial: Vec<u32>,
    /// For each component its different relations, each ascending.
    pub(super) relations: Vec<Vec<Vec<(u32, u32)>>>,
    /// In the order of the machine.
    pub(super) rules: Vec<Form>,
    /// What each of them is called before hiding.
    pub(super) revealed: Vec<EventId>,
    /// The results of rules, ascending.
    pub(super) events: Vec<EventId>,
    /// Where each node of the property goes on each of them, if it may treat different events alike.
    pub(super) steps: Option<Vec<Vec<Stepped>>>,
}

impl Shape {
    /// The shape of a network whose rules the machine takes one by one.
    pub(super) fn of(network: &Network, plan: &Plan, judge: &dyn Judge) -> Self {
        let locals = &plan.locals.components;
        let live = || (network.rules.iter().zip(&plan.locals.live)).filter(|(_, live)| **live);
        let mut events: Vec<EventId> = live().map(|(rule, _)| rule.result).collect();
        events.sort_unstable();
        events.dedup();
        let mut relations: Vec<Vec<Vec<(u32, u32)>>> = vec![Vec::new(); locals.len()];
        let mut known: Vec<AHashMap<Vec<(u32, u32)>, u32>> = vec![AHashMap::new(); locals.len()];
        let mut classes: Vec<Vec<Option<u32>>> = (locals.iter())
            .map(|local| vec![None; local.classes.len()])
            .collect();
        let mut relation = |component: usize, event: EventId| {
            let local = &locals[component];
            let class = local.class(event);
            *classes[component][class as usize].get_or_insert_with(|| {
                let states = number(local.states.len());
                let mut moves = Vec::new();
                local.each_move(class, |from, to| {
                    moves.push((from, if to < states { to } else { BEYOND }));
                });
                moves.sort_unstable();
                let relations = &mut relations[component];
                *known[component].entry(moves).or_insert_with_key(|moves| {
                    relations.push(moves.clone());
                    number(relations.len() - 1)
                })
            })
        };
        let mut rules = Vec::new();
        for (rule, _) in live() {
            let asks = (rule.participants.iter())
                .map(|(component, event)| (component.0, relation(component.0 as usize, *event)))
                .collect();
            let resets = (rule.resets.iter())
                .map(|(component, state)| {
                    let at = locals[component.0 as usize].states.binary_search(state);
                    (component.0, at.map_or(BEYOND, number))
                })
                .collect();
            let result = events.binary_search(&rule.result).expect("it was listed");
            rules.push(Form {
                result: number(result),
                asks,
                resets,
            });
        }
        let nodes = judge.nodes() as usize;
        let whole = judge.is_whole() && nodes.saturating_mul(events.len()) <= MOST_STEPS;
        let steps = whole.then(|| {
            let step = |node, event: &EventId| match *event {
                EventId::TAU => Stepped::To(node),
                event => judge.step(node, event),
            };
            (0..judge.nodes())
                .map(|node| events.iter().map(|event| step(node, event)).collect())
                .collect()
        });
        Self {
            sizes: locals
                .iter()
                .map(|local| number(local.states.len()))
                .collect(),
            initial: (locals.iter().zip(&network.components))
                .map(|(local, component)| local.dense(component.initial))
                .collect(),
            relations,
            rules,
            revealed: live().map(|(rule, _)| rule.revealed).collect(),
            events,
            steps,
        }
    }
}

pub(super) fn number(length: usize) -> u32 {
    u32::try_from(length).expect("parts of networks are numbered by u32")
}
