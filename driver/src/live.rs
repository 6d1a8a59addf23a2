//! How alive the events of a process are, and which of its parts come to a place they never leave.
//!
//! The levels are those of Petri nets, on the states that can be reached: an event is dead (L0), can
//! happen (L1), can happen infinitely often on some run (L3), or can happen again from everywhere (L4).
//! With finitely many states L2, arbitrarily often, is L3. It is a check against vacuity: an event that
//! never happens is often a mistake. Source: Murata, "Petri nets: properties, analysis and
//! applications" (1989), for the levels.

use std::collections::{BTreeMap, HashMap, HashSet};

use csp_checker::Observer;
use csp_lts::{EventId, EventTable, StateId};
use serde::{Deserialize, Serialize};

use crate::reach::{AllStates, components};
use crate::report::SCHEMA;
use crate::script::{CheckSettings, Problem, Script};

/// How alive an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    /// It never happens.
    L0,
    /// It can happen.
    L1,
    /// It can happen infinitely often on some run.
    L3,
    /// Wherever one is, it can happen again.
    L4,
}

impl Level {
    /// What the level means.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::L0 => "never happens",
            Self::L1 => "can happen, but not for ever again",
            Self::L3 => "can happen infinitely often on some run",
            Self::L4 => "can happen again from everywhere",
        }
    }
}

/// What `csp live` has to say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LiveReport {
    /// The version of the shapes of reports.
    pub schema: u32,
    /// The script.
    pub file: String,
    /// The process.
    pub process: String,
    /// States that were reached.
    pub states: usize,
    /// Transitions between them.
    pub transitions: usize,
    /// Why not everything was reached; then L0 means "not seen", and L4 is not claimed.
    pub limit: Option<String>,
    /// States without a transition.
    pub dead_ends: usize,
    /// The events, in the order of the script's channels.
    pub events: Vec<EventReport>,
    /// Parts that come to places which they never leave.
    pub traps: Vec<TrapReport>,
}

/// One event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventReport {
    /// Its name.
    pub event: String,
    /// How alive it is.
    pub level: Level,
    /// A shortest way to it, itself included; empty for an event that never happens.
    pub trace: Vec<String>,
}

/// A part that comes to a place which it never leaves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrapReport {
    /// The part.
    pub part: String,
    /// How many of its states are in the trap.
    pub inside: usize,
    /// How many it has been seen in altogether.
    pub of: usize,
    /// What it still does there; empty if it does nothing any more.
    pub does: Vec<String>,
    /// A shortest way there.
    pub trace: Vec<String>,
}

impl Script {
    /// How alive the events of a process are.
    pub fn live(
        &mut self,
        process: &str,
        settings: &CheckSettings,
        observer: &dyn Observer,
    ) -> Result<LiveReport, Problem> {
        let all = self.reach_all(process, settings, observer)?;
        let reached = &all.reached;
        Ok(LiveReport {
            schema: SCHEMA,
            file: self.file.clone(),
            process: process.to_owned(),
            states: reached.states.len(),
            transitions: reached.edge_count(),
            limit: reached.limit.clone(),
            dead_ends: (0..reached.states.len())
                .filter(|s| reached.limit.is_none() && reached.edges(*s).is_empty())
                .count(),
            events: levels(&all),
            traps: traps(&all),
        })
    }
}

pub(crate) fn names(events: &EventTable, trace: &[EventId]) -> Vec<String> {
    trace.iter().map(|event| events.name(*event)).collect()
}

/// The events that the parts of a process could do, with their levels.
pub(crate) fn levels(all: &AllStates) -> Vec<EventReport> {
    let (network, reached, events) = (&all.network, &all.reached, &all.events);
    let count = reached.states.len();
    let targets = |state: usize| {
        let edges = reached.edges(state).iter();
        edges.map(|(_, target)| *target as usize).collect()
    };
    let (component, components) = components(count, targets);
    let mut bottom = vec![true; components];
    let mut level: BTreeMap<EventId, Level> = BTreeMap::new();
    let mut first: HashMap<EventId, usize> = HashMap::new();
    // In which components an event happens, for those that are bottoms.
    let mut within: HashMap<EventId, HashSet<usize>> = HashMap::new();
    for rule in &network.rules {
        level.entry(rule.revealed).or_insert(Level::L0);
    }
    for event in &all.left_out {
        level.entry(*event).or_insert(Level::L0);
    }
    for state in 0..count {
        for (rule, target) in reached.edges(state) {
            let event = network.rules[rule.0 as usize].revealed;
            first.entry(event).or_insert(state);
            let entry = level.entry(event).or_insert(Level::L0);
            let here = component[state];
            if component[*target as usize] == here {
                *entry = (*entry).max(Level::L3);
                within.entry(event).or_default().insert(here);
            } else {
                *entry = (*entry).max(Level::L1);
                bottom[here] = false;
            }
        }
    }
    let bottoms: Vec<usize> = (0..components).filter(|c| bottom[*c]).collect();
    let chased = network.chases.iter().flat_map(|chase| chase.rules.iter());
    let chased: HashSet<EventId> = chased
        .map(|rule| network.rules[rule.0 as usize].revealed)
        .collect();
    level
        .into_iter()
        .filter(|(event, level)| {
            // What is chased happens between states, so that nothing is known of it.
            *event != EventId::TAU && (*level > Level::L0 || !chased.contains(event))
        })
        .map(|(event, mut level)| {
            let everywhere = |inside: &HashSet<usize>| bottoms.iter().all(|b| inside.contains(b));
            if reached.limit.is_none() && within.get(&event).is_some_and(everywhere) {
                level = Level::L4;
            }
            let trace = first.get(&event).map(|state| {
                let mut trace = reached.trace(*state);
                trace.push(event);
                names(events, &trace)
            });
            EventReport {
                event: events.name(event),
                level,
                trace: trace.unwrap_or_default(),
            }
        })
        .collect()
}

/// The traps of the parts: local states that are entered from elsewhere and never left again, by the
/// moves that happen at all.
pub(crate) fn traps(all: &AllStates) -> Vec<TrapReport> {
    let (network, reached, events) = (&all.network, &all.reached, &all.events);
    let rows = &all.scene.rows;
    if reached.limit.is_some() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for index in 0..network.components.len() {
        if rows.is_controller[index] {
            continue;
        }
        // Local states by their first appearance, and the moves between them.
        let mut seen: Vec<(StateId, usize)> = Vec::new();
        let mut number: HashMap<StateId, usize> = HashMap::new();
        for (at, state) in reached.states.iter().enumerate() {
            number.entry(state[index]).or_insert_with(|| {
                seen.push((state[index], at));
                seen.len() - 1
            });
        }
        let mut moves: Vec<HashSet<usize>> = vec![HashSet::new(); seen.len()];
        let mut done: Vec<HashSet<EventId>> = vec![HashSet::new(); seen.len()];
        for (at, state) in reached.states.iter().enumerate() {
            let from = number[&state[index]];
            for (rule, target) in reached.edges(at) {
                let to = number[&reached.states[*target as usize][index]];
                moves[from].insert(to);
                let rule = &network.rules[rule.0 as usize];
                if rule.participants.iter().any(|(c, _)| c.0 as usize == index) {
                    done[from].insert(rule.revealed);
                }
            }
        }
        let (group, groups) = components(seen.len(), |n| moves[n].iter().copied().collect());
        if groups < 2 {
            continue;
        }
        let leaves = |g: usize| {
            (0..seen.len()).any(|n| group[n] == g && moves[n].iter().any(|to| group[*to] != g))
        };
        for g in (0..groups).filter(|g| !leaves(*g)) {
            let members: Vec<usize> = (0..seen.len()).filter(|n| group[*n] == g).collect();
            let entry = members.iter().map(|n| seen[*n].1).min().unwrap_or_default();
            let does: HashSet<EventId> = members.iter().flat_map(|n| done[*n].clone()).collect();
            let mut does: Vec<EventId> = does.into_iter().collect();
            does.sort_unstable();
            found.push(TrapReport {
                part: rows.rows[rows.row_of[index]].label.clone(),
                inside: members.len(),
                of: seen.len(),
                does: names(events, &does),
                trace: names(events, &reached.trace(entry)),
            });
        }
    }
    found
}
