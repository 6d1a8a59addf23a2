//! Transition systems as text for Graphviz. The events between two states share one arrow; acceptance
//! steps are dashed.

use std::fmt::Write as _;

use crate::acceptance::acceptance_steps;
use crate::event::EventId;
use crate::lts::{Lts, StateId};

/// How many events an arrow lists before it gives only their number.
const LISTED: usize = 6;

/// The text of a directed graph; the initial state has a double outline. What a state is called is
/// given in lines; without any it is a number in a circle.
pub fn write_dot(
    lts: &Lts,
    title: &str,
    mut name: impl FnMut(EventId) -> String,
    mut lines: impl FnMut(StateId) -> Vec<String>,
) -> String {
    let mut text = format!("digraph \"{}\" {{\n  rankdir=LR;\n", escaped(title));
    text.push_str("  node [shape=circle];\n");
    // Writing to a string cannot fail.
    for state in lts.states() {
        let lines: Vec<String> = lines(state).iter().map(|line| escaped(line)).collect();
        let initial = state == lts.initial();
        if lines.is_empty() && initial {
            let _ = writeln!(text, "  {} [shape=doublecircle];", state.0);
        } else if !lines.is_empty() {
            let outline = if initial { ", peripheries=2" } else { "" };
            let label = lines.join("\\n");
            let _ = writeln!(
                text,
                "  {} [shape=box, style=rounded{outline}, label=\"{label}\"];",
                state.0
            );
        }
    }
    let acceptances = acceptance_steps(lts);
    for state in lts.states() {
        let mut arrows: Vec<(StateId, EventId)> = lts
            .transitions(state)
            .filter(|(event, _)| *event != EventId::OMEGA)
            .map(|(event, target)| (target, event))
            .collect();
        arrows.sort_unstable();
        arrows.dedup();
        if arrows.is_empty() {
            let _ = writeln!(text, "  {};", state.0);
        }
        for arrow in arrows.chunk_by(|a, b| a.0 == b.0) {
            let mut names: Vec<String> = arrow.iter().take(LISTED).map(|a| name(a.1)).collect();
            if arrow.len() > LISTED {
                names.push(format!("… ({})", arrow.len()));
            }
            let label = escaped(&names.join(", "));
            let (target, only_tau) = (arrow[0].0, arrow == [(arrow[0].0, EventId::TAU)]);
            let dashed = only_tau && acceptances.binary_search(&(state, target)).is_ok();
            let style = if dashed { ", style=dashed" } else { "" };
            let (from, to) = (state.0, target.0);
            let _ = writeln!(text, "  {from} -> {to} [label=\"{label}\"{style}];");
        }
    }
    text.push_str("}\n");
    text
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::event_set::EventSet;
    use crate::lts::LtsBuilder;

    #[test]
    fn arrows_list_their_events() {
        let mut builder = LtsBuilder::new();
        builder.state([
            (Arc::new(EventSet::range(3, 5)), StateId(1)),
            (Arc::new(EventSet::range(3, 30)), StateId(0)),
        ]);
        builder.state([]);
        let lts = builder.finish(StateId(0));
        let name = |event: EventId| format!("e{}", event.0);
        let text = write_dot(&lts, "P \"x\"", name, |_| Vec::new());
        assert!(text.starts_with("digraph \"P \\\"x\\\"\" {"));
        assert!(text.contains("  0 -> 1 [label=\"e3, e4\"];\n"));
        assert!(text.contains("[label=\"e3, e4, e5, e6, e7, e8, … (27)\"];"));
        assert!(text.contains("  1;\n"));
        let called = |state: StateId| vec![format!("P \"{}\"", state.0), "Q".to_owned()];
        let text = write_dot(&lts, "P", name, called);
        let label = r#"label="P \"0\"\nQ""#;
        let start = format!("  0 [shape=box, style=rounded, peripheries=2, {label}];\n");
        assert!(text.contains(&start), "{text}");
    }

    #[test]
    fn acceptance_steps_are_dashed() {
        let label = |event| Arc::new(EventSet::single(EventId(event)));
        let mut builder = LtsBuilder::new();
        let offers = [(label(3), StateId(0)), (label(4), StateId(0))];
        let steps = [1, 2].map(|to| (label(0), StateId(to)));
        builder.state(offers.iter().cloned().chain(steps));
        builder.state([offers[0].clone()]);
        builder.state([(label(5), StateId(0))]);
        let lts = builder.finish(StateId(0));
        let text = write_dot(&lts, "P", |e| format!("e{}", e.0), |_| Vec::new());
        assert!(text.contains("  0 -> 1 [label=\"e0\", style=dashed];\n"));
        assert!(text.contains("  0 -> 2 [label=\"e0\"];\n"));
    }
}
