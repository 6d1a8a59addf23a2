//! A counterexample in the Informal Trace Format (ITF) that trace viewers of other checkers read: a
//! variable for each component, whose values are the terms of its states, and one for the event.
//! Source: Apalache's ADR 015.

use serde_json::{Map, Value, json};

use super::json::indented;
use crate::report::{CounterexampleReport, StepReport};

/// The trace as text, without characters that a terminal could act on.
#[must_use]
pub fn itf(counterexample: &CounterexampleReport) -> String {
    indented(&trace(counterexample))
}

fn trace(counterexample: &CounterexampleReport) -> Value {
    let components: Vec<(usize, &str, &str)> = counterexample
        .parts
        .iter()
        .filter_map(|part| {
            let initial = part.initial.as_ref()?;
            Some((part.id, part.label.as_str(), initial.text.as_str()))
        })
        .collect();
    // A component may have that name.
    let mut event = "event".to_owned();
    while components.iter().any(|component| component.1 == event) {
        event.push('\'');
    }
    let mut now: Map<String, Value> = Map::new();
    now.insert(event.clone(), Value::from(""));
    for (_, label, initial) in &components {
        now.insert((*label).to_owned(), Value::from(*initial));
    }
    let mut states = vec![state(&now, 0)];
    let mut go_on = |steps: &[StepReport], states: &mut Vec<Value>| {
        for step in steps {
            let name = if step.event == step.revealed {
                step.event.clone()
            } else {
                format!("({})", step.revealed)
            };
            now.insert(event.clone(), Value::from(name));
            for m in &step.moves {
                now.insert(m.component.clone(), Value::from(m.after.text.clone()));
            }
            states.push(state(&now, states.len()));
        }
    };
    go_on(&counterexample.steps, &mut states);
    let start = states.len() - 1;
    go_on(&counterexample.cycle_steps, &mut states);
    let mut vars = vec![event.as_str()];
    vars.extend(components.iter().map(|component| component.1));
    let mut trace = json!({
        "#meta": {
            "format": "ITF",
            "description": counterexample.explanation,
        },
        "vars": vars,
        "states": states,
    });
    if !counterexample.cycle_steps.is_empty() {
        trace["loop"] = Value::from(start);
    }
    trace
}

fn state(now: &Map<String, Value>, index: usize) -> Value {
    let mut state = Map::new();
    state.insert("#meta".to_owned(), json!({ "index": index }));
    state.extend(now.clone());
    Value::Object(state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{MoveReport, PartKind, PartReport, TermReport};

    #[test]
    fn every_state_has_every_variable_and_a_cycle_is_a_loop() {
        let term = |text: &str| TermReport {
            text: text.to_owned(),
            span: None,
        };
        let step = |event: &str, after: &str| StepReport {
            event: event.to_owned(),
            revealed: event.to_owned(),
            chased: false,
            allowed: None,
            moves: vec![MoveReport {
                part: 0,
                component: "P".to_owned(),
                event: event.to_owned(),
                before: term("P"),
                after: term(after),
            }],
        };
        let counterexample = CounterexampleReport {
            parts: vec![PartReport {
                id: 0,
                parent: None,
                label: "P".to_owned(),
                operator: None,
                span: None,
                kind: PartKind::Component,
                initial: Some(term("P")),
            }],
            steps: vec![step("a", "Q")],
            cycle_steps: vec![step("b", "R"), step("c", "Q")],
            ..CounterexampleReport::default()
        };
        let trace = trace(&counterexample);
        assert_eq!(trace["vars"], json!(["event", "P"]));
        assert_eq!(trace["loop"], 1);
        let states: Vec<&str> = trace["states"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|s| s["P"].as_str())
            .collect();
        assert_eq!(states, ["P", "Q", "R", "Q"]);
    }
}
