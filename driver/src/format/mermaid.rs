//! A counterexample as a sequence diagram in the language of Mermaid.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::report::{CounterexampleReport, PartKind, StepReport};

/// The diagram: a lane for each component that moves, a message for each event that several take part in.
#[must_use]
pub fn mermaid(counterexample: &CounterexampleReport) -> String {
    let mut out = String::from("sequenceDiagram\n");
    let steps = counterexample
        .steps
        .iter()
        .chain(&counterexample.cycle_steps);
    let movers: BTreeSet<usize> = steps.flat_map(|s| &s.moves).map(|m| m.part).collect();
    for part in &counterexample.parts {
        if part.kind != PartKind::Operator && movers.contains(&part.id) {
            let _ = writeln!(
                out,
                "    participant P{} as {}",
                part.id,
                escaped(&part.label)
            );
        }
    }
    for step in &counterexample.steps {
        message(&mut out, step, "    ");
    }
    if !counterexample.cycle_steps.is_empty() {
        out.push_str("    loop for ever\n");
        for step in &counterexample.cycle_steps {
            message(&mut out, step, "        ");
        }
        out.push_str("    end\n");
    }
    let all: Vec<String> = movers.iter().map(|part| format!("P{part}")).collect();
    if let (Some(first), Some(last)) = (all.first(), all.last()) {
        let over = if all.len() == 1 {
            first.clone()
        } else {
            format!("{first},{last}")
        };
        let why = escaped(&counterexample.explanation);
        let _ = writeln!(out, "    Note over {over}: {why}");
    }
    out
}

fn message(out: &mut String, step: &StepReport, indent: &str) {
    let name = escaped(&step.revealed);
    let name = if step.event == step.revealed {
        name
    } else {
        format!("({name})")
    };
    match &step.moves[..] {
        [] => {}
        [only] => {
            let _ = writeln!(out, "{indent}Note over P{}: {name}", only.part);
        }
        [first, others @ ..] => {
            for other in others {
                let _ = writeln!(out, "{indent}P{}->>P{}: {name}", first.part, other.part);
            }
        }
    }
}

/// Characters that end a line or a statement there, by their numbers.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '#' | ';' | '<' | '>' | '"' => {
                let _ = write!(out, "#{};", u32::from(c));
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_taken_away() {
        assert_eq!(escaped("P(<1;2>)\n#"), "P(#60;1#59;2#62;) #35;");
    }
}
