//! A counterexample as a sequence diagram in the language of Mermaid.
//!
//! A lane for each component that moves, a message for each event that several take part in. What is repeated is a
//! loop; two behaviours that part are alternatives.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::fold::{Line, folded};
use crate::count::counted;
use crate::report::{CounterexampleReport, PartKind, StepReport};

/// The diagram.
#[must_use]
pub fn mermaid(counterexample: &CounterexampleReport) -> String {
    let mut out = String::from("sequenceDiagram\n");
    let steps = counterexample
        .steps
        .iter()
        .chain(&counterexample.cycle_steps)
        .chain(&counterexample.other_steps);
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
    let common = counterexample.parting.unwrap_or(counterexample.steps.len());
    let (before, after) = counterexample
        .steps
        .split_at(common.min(counterexample.steps.len()));
    messages(&mut out, before, "    ");
    if counterexample.parting.is_some() {
        let other = &counterexample.other_steps;
        out.push_str("    alt one behaviour\n");
        messages(&mut out, after, "        ");
        out.push_str("    else another\n");
        messages(&mut out, &other[common.min(other.len())..], "        ");
        out.push_str("    end\n");
    }
    if !counterexample.cycle_steps.is_empty() {
        out.push_str("    loop for ever\n");
        messages(&mut out, &counterexample.cycle_steps, "        ");
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

/// The messages of steps; a stretch that is repeated is a loop.
fn messages(out: &mut String, steps: &[StepReport], indent: &str) {
    let texts: Vec<String> = steps.iter().map(message).collect();
    let deeper = format!("{indent}    ");
    let write = |out: &mut String, text: &str, indent: &str| {
        for line in text.lines() {
            let _ = writeln!(out, "{indent}{line}");
        }
    };
    let mut waiting: Vec<usize> = Vec::new();
    for line in folded(&texts) {
        match line {
            Line::Step(at) => waiting.push(at),
            Line::Again { length, times, .. } => {
                let repeated = waiting.split_off(waiting.len() - length);
                for at in std::mem::take(&mut waiting) {
                    write(out, &texts[at], indent);
                }
                let times = counted(times as u64 + 1, "time");
                let _ = writeln!(out, "{indent}loop {times}");
                for at in repeated {
                    write(out, &texts[at], &deeper);
                }
                let _ = writeln!(out, "{indent}end");
            }
        }
    }
    for at in waiting {
        write(out, &texts[at], indent);
    }
}

/// A step: a line for each message.
fn message(step: &StepReport) -> String {
    let name = escaped(&step.revealed);
    let name = if step.event == step.revealed {
        name
    } else {
        format!("({name})")
    };
    match &step.moves[..] {
        [] => String::new(),
        [only] => format!("Note over P{}: {name}\n", only.part),
        [first, others @ ..] => {
            let mut out = String::new();
            for other in others {
                let _ = writeln!(out, "P{}->>P{}: {name}", first.part, other.part);
            }
            out
        }
    }
}

/// Characters that end a line or a statement there, by their numbers; so is the word that ends a block.
fn escaped(text: &str) -> String {
    if text.trim().eq_ignore_ascii_case("end") {
        return text.replace(['e', 'E'], "#101;");
    }
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
    use crate::report::{MoveReport, PartReport, TermReport};

    #[test]
    fn markup_is_taken_away() {
        assert_eq!(escaped("P(<1;2>)\n#"), "P(#60;1#59;2#62;) #35;");
        assert_eq!(escaped("end"), "#101;nd");
    }

    #[test]
    fn what_is_repeated_is_a_loop() {
        let term = |text: &str| TermReport {
            text: text.to_owned(),
            span: None,
        };
        let step = |event: &str| StepReport {
            event: event.to_owned(),
            revealed: event.to_owned(),
            chased: false,
            allowed: None,
            moves: vec![MoveReport {
                part: 0,
                component: "P".to_owned(),
                event: event.to_owned(),
                before: term("P"),
                after: term("P"),
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
            steps: ["a", "b", "b", "b", "c"].map(step).to_vec(),
            explanation: "It stops".to_owned(),
            ..CounterexampleReport::default()
        };
        let lines = [
            "sequenceDiagram",
            "    participant P0 as P",
            "    Note over P0: a",
            "    loop 3 times",
            "        Note over P0: b",
            "    end",
            "    Note over P0: c",
            "    Note over P0: It stops",
            "",
        ];
        assert_eq!(mermaid(&counterexample), lines.join("\n"));
    }
}
