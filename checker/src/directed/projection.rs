//! How far a state is from a goal, seen by each participant alone.
//!
//! For every goal rule and every participant: the distance, in the participant's own transition
//! graph, to a local state that offers its part. The sum over the participants, least over the goal
//! rules, is the distance of a state. A participant that can never offer its part again shows that
//! the goal is lost, whatever the others do.

use std::collections::VecDeque;

use csp_lts::Network;

use crate::machine::Locals;

/// The distance of a state from which the goal cannot be reached.
pub(crate) const LOST: u32 = u32::MAX;

const FAR: u16 = u16::MAX;

/// More than any sum of distances.
const BEYOND: u64 = 1 << 40;

/// What a chased step counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chased {
    /// As much as any other.
    Counts,
    /// Nothing: then the distance divided by [`Projection::together`] is a lower bound of the
    /// ordinary steps to come.
    IsFree,
}

/// Distances for every goal rule.
#[derive(Debug)]
pub(crate) struct Projection {
    /// How many goal rules there are.
    goals: usize,
    /// For each component that takes part: for each local state its distance for every goal rule.
    tables: Vec<Option<Vec<u64>>>,
    farthest: u64,
    /// At most this many participants of one goal rule are brought nearer by one ordinary step.
    together: u32,
}

/// The steps of one component backwards: for each state whence, and whether for nothing.
type Backwards = Vec<Vec<(u32, bool)>>;

/// The participants of a goal rule, each with the distance of every local state.
type Parts = Vec<(usize, Vec<u16>)>;

impl Projection {
    /// Measures the distances of all local states.
    pub(crate) fn new(network: &Network, locals: &Locals, goals: &[bool], chased: Chased) -> Self {
        let backwards = backwards(network, locals, goals, chased);
        let mut rules: Vec<Parts> = Vec::new();
        for (index, rule) in network.rules.iter().enumerate() {
            if !locals.live[index] || !goals[index] {
                continue;
            }
            let mut parts = Vec::new();
            for (component, event) in &rule.participants {
                let component = component.0 as usize;
                let local = &locals.components[component];
                let class = local.class(*event);
                let offering = local.offering(class).into_iter();
                let distances = distances(&backwards[component], offering);
                if distances.iter().any(|d| *d > 0) {
                    parts.push((component, distances));
                }
            }
            rules.push(parts);
        }
        let mut tables = vec![None; locals.components.len()];
        for (goal, parts) in rules.iter().enumerate() {
            for (component, distances) in parts {
                let rows = vec![0; distances.len() * rules.len()];
                let table = tables[*component].get_or_insert(rows);
                for (state, distance) in distances.iter().enumerate() {
                    table[state * rules.len() + goal] = match *distance {
                        FAR => BEYOND,
                        distance => u64::from(distance),
                    };
                }
            }
        }
        Self {
            goals: rules.len(),
            tables,
            farthest: farthest(&rules),
            together: together(network, locals, &rules),
        }
    }

    /// The sums for every goal rule, for components in these states.
    pub(crate) fn sums(&self, values: &[u32], sums: &mut Vec<u64>) {
        sums.clear();
        sums.resize(self.goals, 0);
        for (component, value) in values.iter().enumerate() {
            for (sum, part) in sums.iter_mut().zip(self.row(component, *value)) {
                *sum += part;
            }
        }
    }

    /// Changes the sums as a component goes from one state to another.
    #[inline(always)]
    pub(crate) fn change(&self, sums: &mut [u64], component: usize, before: u32, after: u32) {
        let before = self.row(component, before);
        let after = self.row(component, after);
        for ((sum, before), after) in sums.iter_mut().zip(before).zip(after) {
            *sum = *sum + after - before;
        }
    }

    #[inline(always)]
    fn row(&self, component: usize, state: u32) -> &[u64] {
        match &self.tables[component] {
            None => &[],
            Some(table) => &table[state as usize * self.goals..][..self.goals],
        }
    }

    /// The distance that sums stand for, or [`LOST`].
    #[inline(always)]
    pub(crate) fn distance(sums: &[u64]) -> u32 {
        let least = sums.iter().copied().min().unwrap_or(BEYOND);
        u32::try_from(least).unwrap_or(LOST)
    }

    /// No distance but [`LOST`] is larger.
    pub(crate) fn farthest(&self) -> u64 {
        self.farthest
    }

    /// A lower bound of the ordinary steps to come.
    pub(crate) fn bound(&self, distance: u32) -> u32 {
        distance.div_ceil(self.together.max(1))
    }
}

fn farthest(rules: &[Parts]) -> u64 {
    let of_part = |(_, distances): &(usize, Vec<u16>)| {
        let farthest = distances.iter().filter(|d| **d != FAR).max();
        u64::from(farthest.copied().unwrap_or(0))
    };
    let of_rule = |parts: &Parts| parts.iter().map(of_part).sum();
    rules.iter().map(of_rule).max().unwrap_or(0)
}

fn states(count: usize) -> std::ops::Range<u32> {
    0..u32::try_from(count).expect("local states are numbered by u32")
}

fn backwards(network: &Network, locals: &Locals, goals: &[bool], chased: Chased) -> Vec<Backwards> {
    let mut free = vec![false; network.rules.len()];
    if chased == Chased::IsFree {
        for rule in network.chases.iter().flat_map(|c| c.rules.iter()) {
            free[rule.0 as usize] = true;
        }
    }
    let components = locals.components.iter();
    let mut all: Vec<Backwards> = components
        .map(|local| vec![Vec::new(); local.states.len()])
        .collect();
    let mut known = ahash::AHashSet::new();
    for (index, rule) in network.rules.iter().enumerate() {
        if !locals.live[index] || goals[index] {
            continue;
        }
        for (component, event) in &rule.participants {
            let local = &locals.components[component.0 as usize];
            let class = local.class(*event);
            let loops = local.classes[class as usize].loops;
            if loops || !known.insert((*component, class, free[index])) {
                continue;
            }
            local.each_move(class, |source, target| {
                if target != source {
                    all[component.0 as usize][target as usize].push((source, free[index]));
                }
            });
        }
        for (component, state) in &rule.resets {
            let local = &locals.components[component.0 as usize];
            let target = local.dense(*state);
            let others = states(local.states.len()).filter(|s| *s != target);
            all[component.0 as usize][target as usize].extend(others.map(|s| (s, free[index])));
        }
    }
    for sources in all.iter_mut().flatten() {
        sources.sort_unstable();
        sources.dedup();
    }
    all
}

/// Distances to the nearest of some states.
fn distances(backwards: &Backwards, from: impl Iterator<Item = u32>) -> Vec<u16> {
    let mut distances = vec![FAR; backwards.len()];
    let mut queue: VecDeque<(u32, u16)> = from.map(|state| (state, 0)).collect();
    while let Some((state, distance)) = queue.pop_front() {
        if distances[state as usize] <= distance {
            continue;
        }
        distances[state as usize] = distance;
        for (source, free) in &backwards[state as usize] {
            if *free {
                queue.push_front((*source, distance));
            } else {
                queue.push_back((*source, distance.saturating_add(1).min(FAR - 1)));
            }
        }
    }
    distances
}

/// How many participants of a goal rule an ordinary step can move at most.
fn together(network: &Network, locals: &Locals, rules: &[Parts]) -> u32 {
    let mut most = 1;
    for parts in rules {
        let mut concerned = vec![false; network.components.len()];
        for (component, _) in parts {
            concerned[*component] = true;
        }
        for (rule, _) in network.rules.iter().zip(&locals.live).filter(|r| *r.1) {
            let moved = rule.participants.iter().map(|(c, _)| c);
            let moved = moved.chain(rule.resets.iter().map(|(c, _)| c));
            let count = moved.filter(|c| concerned[c.0 as usize]).count();
            most = most.max(count);
        }
    }
    u32::try_from(most).expect("components are numbered by u32")
}
