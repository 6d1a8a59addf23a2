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
}

impl Graph {
    /// What to call an event in text that people may see.
    fn name(&self, event: EventId) -> String {
        escape::line(&self.events.name(event)).into_owned()
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
    write_dot(&graph.lts, "process", |event| graph.name(event))
}

/// JSON: the initial state and one entry for each transition, which says so if it is an acceptance
/// step.
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
    let whole = json!({ "states": graph.lts.state_count(), "initial": graph.lts.initial().0, "transitions": transitions });
    indented(&whole)
}
