//! Transition systems as text and pictures.

mod layout;
mod picture;

use csp_lts::aut::{AutLabels, write_aut};
use csp_lts::dot::write_dot;
use csp_lts::{EventId, EventTable, Lts, StateId, acceptance_steps};
use serde_json::json;

use crate::escape;
use crate::format::json::indented;

pub use picture::svg;

/// An explicit transition system with the names of its events.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The states and transitions.
    pub lts: Lts,
    /// What the events are called.
    pub events: EventTable,
    /// What the states are called, if that was asked for; otherwise they are numbers.
    pub terms: Option<StateTerms>,
}

/// The states of the parts of a process in each of its states.
#[derive(Clone, Debug, Default)]
pub struct StateTerms {
    /// What the parts are called.
    pub parts: Vec<String>,
    /// By state, the state of each part: `Philosopher(0) after takes.0.0`.
    pub states: Vec<Vec<String>>,
}

/// Parts up to which a label has all of them; of more it has those that have changed.
const ALL_PARTS: usize = 3;

impl StateTerms {
    /// The label of a state, a line for each part.
    fn lines(&self, state: StateId) -> Vec<&str> {
        let Some(now) = self.states.get(state.0 as usize) else {
            return Vec::new();
        };
        let start = self.states.first();
        let changed = |part: usize| start.is_none_or(|start| start[part] != now[part]);
        let all = now.len() <= ALL_PARTS;
        let parts = (0..now.len()).filter(|part| all || changed(*part));
        let lines: Vec<&str> = parts.map(|part| now[part].as_str()).collect();
        if lines.is_empty() {
            return vec!["the start"];
        }
        lines
    }
}

impl Graph {
    /// What to call an event in text that people may see.
    fn name(&self, event: EventId) -> String {
        escape::line(&self.events.name(event)).into_owned()
    }

    /// What to call a state in text that people may see, a line for each part; empty if it has only a number.
    fn lines(&self, state: StateId) -> Vec<String> {
        let terms = self.terms.as_ref();
        let lines = terms.map_or_else(Vec::new, |terms| terms.lines(state));
        lines
            .into_iter()
            .map(|l| escape::line(l).into_owned())
            .collect()
    }
}

/// Aldebaran text, which mCRL2 and CADP read.
#[must_use]
pub fn aut(graph: &Graph, tau: &str) -> String {
    write_aut(
        &graph.lts,
        AutLabels {
            tau,
            ..AutLabels::default()
        },
        |event| graph.name(event),
    )
}

/// Graphviz text.
#[must_use]
pub fn dot(graph: &Graph) -> String {
    write_dot(
        &graph.lts,
        "process",
        |event| graph.name(event),
        |state| graph.lines(state),
    )
}

/// JSON: the initial state and one entry for each transition, which says so if it is an acceptance
/// step; and the parts with their states, if they are known.
#[must_use]
pub fn json(graph: &Graph) -> String {
    let acceptances = acceptance_steps(&graph.lts);
    let entry = |s: StateId, e: EventId, t: StateId| {
        let mut entry = json!({ "from": s.0, "event": graph.events.name(e), "to": t.0 });
        if e == EventId::TAU && acceptances.binary_search(&(s, t)).is_ok() {
            entry["acceptance"] = json!(true);
        }
        entry
    };
    let transitions: Vec<_> = graph
        .lts
        .states()
        .flat_map(|s| graph.lts.transitions(s).map(move |(e, t)| (s, e, t)))
        .filter(|(_, e, _)| *e != EventId::OMEGA)
        .map(|(s, e, t)| entry(s, e, t))
        .collect();
    let mut whole = json!({ "states": graph.lts.state_count(), "initial": graph.lts.initial().0, "transitions": transitions });
    if let Some(terms) = &graph.terms {
        whole["parts"] = json!(terms.parts);
        whole["terms"] = json!(terms.states);
    }
    indented(&whole)
}
