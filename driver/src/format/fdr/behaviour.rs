//! What a process did, as FDR divides it: the whole process and each of its components.
//!
//! The traces of components are as long as that of the whole process: where a component does not take
//! part there is a gap.

use crate::report::{CounterexampleReport, PartKind, StepReport};

/// Names of one behaviour.
pub(super) struct Behaviour<'a> {
    /// Whose: the label of a component.
    pub(super) name: &'a str,
    /// Before the event at fault; hidden events are τ, `None` is a gap.
    pub(super) trace: Vec<Option<&'a str>>,
    /// The same with hidden events by name.
    pub(super) revealed: Vec<Option<&'a str>>,
    /// The event that the specification does not allow.
    pub(super) error: Option<&'a str>,
}

/// The behaviour of the whole process, and those of its components if it has several.
pub(super) fn whole<'a>(
    counterexample: &'a CounterexampleReport,
    name: &'a str,
) -> (Behaviour<'a>, Vec<Behaviour<'a>>) {
    let steps = &counterexample.steps;
    if steps.is_empty() && !counterexample.revealed.is_empty() {
        return (named_only(counterexample, name), Vec::new());
    }
    let visible = |step: &'a StepReport| Some(step.event.as_str());
    let revealed = |step: &'a StepReport| Some(step.revealed.as_str());
    let at_fault = counterexample.kind == "trace";
    let of_all = behaviour(name, steps, at_fault, visible, revealed);
    let components: Vec<_> = counterexample
        .parts
        .iter()
        .filter(|part| part.kind != PartKind::Operator)
        .map(|part| {
            let own = |step: &'a StepReport| {
                let mut moves = step.moves.iter();
                moves.find(|m| m.part == part.id).map(|m| m.event.as_str())
            };
            behaviour(&part.label, steps, at_fault, own, own)
        })
        .collect();
    let several = components.len() > 1;
    (of_all, if several { components } else { Vec::new() })
}

fn behaviour<'a>(
    name: &'a str,
    steps: &'a [StepReport],
    at_fault: bool,
    visible: impl Fn(&'a StepReport) -> Option<&'a str>,
    revealed: impl Fn(&'a StepReport) -> Option<&'a str>,
) -> Behaviour<'a> {
    let (before, last) = match steps.split_last() {
        Some((last, before)) if at_fault => (before, Some(last)),
        _ => (steps, None),
    };
    Behaviour {
        name,
        trace: before.iter().map(&visible).collect(),
        revealed: before.iter().map(&revealed).collect(),
        error: last.and_then(visible),
    }
}

/// Of a counterexample whose steps are missing.
fn named_only<'a>(counterexample: &'a CounterexampleReport, name: &'a str) -> Behaviour<'a> {
    let all = |names: &'a [String]| names.iter().map(|n| Some(n.as_str())).collect();
    let at_fault = counterexample.kind == "trace";
    let cut = |names: &'a [String]| match names.split_last() {
        Some((_, before)) if at_fault => all(before),
        _ => all(names),
    };
    let error = counterexample.trace.last().filter(|_| at_fault);
    Behaviour {
        name,
        trace: cut(&counterexample.trace),
        revealed: cut(&counterexample.revealed),
        error: error.map(String::as_str),
    }
}

/// What the specification did: the visible events before the one at fault.
pub(super) fn specification(counterexample: &CounterexampleReport) -> &[String] {
    match counterexample.trace.split_last() {
        Some((_, before)) if counterexample.kind == "trace" => before,
        _ => &counterexample.trace,
    }
}

/// The two sides of an assertion as text; the specification is absent where there is none.
pub(super) fn sides(assertion: &str) -> (Option<&str>, &str) {
    const MODELS: [&str; 7] = ["[T=", "[F=", "[FD=", "[R=", "[RD=", "[V=", "[VD="];
    let without_options = |text: &'_ str| text.find(":[").unwrap_or(text.len());
    for model in MODELS {
        if let Some((specification, implementation)) = assertion.split_once(model) {
            let end = without_options(implementation);
            let implementation = implementation[..end].trim();
            return (Some(specification.trim()), implementation);
        }
    }
    let end = without_options(assertion);
    (
        None,
        assertion[..end].trim().trim_start_matches("not ").trim(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assertions_are_cut_at_their_operator() {
        assert_eq!(sides("A [FD= B \\ X"), (Some("A"), "B \\ X"));
        assert_eq!(sides("A [T= B :[tau priority]: {tock}"), (Some("A"), "B"));
        assert_eq!(sides("not P :[deadlock free [F]]"), (None, "P"));
    }
}
