//! The object of a run. A key that has no value is left out: readers ask whether a key is there.

use indexmap::IndexSet;
use serde_json::{Map, Value, json};

use super::FdrOptions;
use super::behaviour::{self, Behaviour};
use crate::report::{AssertionReport, CounterexampleReport, Report, VerdictReport};

/// The whole run. `events` are the names of all events of the script.
pub(super) fn of(report: &Report, options: FdrOptions, events: &[String]) -> Value {
    let mut numbers = EventNumbers::new(events);
    let results: Vec<Value> = report
        .assertions
        .iter()
        .map(|a| assertion(a, options, &mut numbers))
        .collect();
    let messages = |severity: &str| {
        let of_script = report.diagnostics.iter();
        let of_assertions = report.assertions.iter().flat_map(|a| &a.diagnostics);
        // What is wrong with an assertion is said there.
        let all = of_script.chain(of_assertions.filter(|d| d.severity == "warning"));
        all.filter(|d| d.severity == severity)
            .map(|d| d.message.clone())
            .collect::<Vec<_>>()
    };
    let prints: Vec<Value> = report
        .prints
        .iter()
        .map(|p| match &p.value {
            Some(value) => json!({ "statement": p.text, "result": value }),
            None => json!({ "statement": p.text }),
        })
        .collect();
    json!({
        "errors": messages("error"),
        "warnings": messages("warning"),
        "event_map": numbers.map(),
        "print_statement_results": prints,
        "results": results,
    })
}

fn assertion(
    assertion: &AssertionReport,
    options: FdrOptions,
    numbers: &mut EventNumbers,
) -> Value {
    let counterexamples: Vec<Value> = assertion
        .counterexamples
        .iter()
        .map(|c| counterexample(c, &assertion.text, options, numbers))
        .collect();
    let mut object = json!({
        "assertion_string": assertion.text,
        "errors": assertion.reason.iter().collect::<Vec<_>>(),
        "visited_states": assertion.states,
        "visited_transitions": assertion.transitions,
        "visited_plys": assertion.plys,
        "counterexamples": counterexamples,
    });
    match assertion.verdict {
        VerdictReport::Pass => object["result"] = 1.into(),
        VerdictReport::Fail => object["result"] = 0.into(),
        VerdictReport::Inconclusive | VerdictReport::Error => {}
    }
    object
}

fn counterexample(
    report: &CounterexampleReport,
    assertion: &str,
    options: FdrOptions,
    numbers: &mut EventNumbers,
) -> Value {
    let (specification, implementation) = behaviour::sides(assertion);
    let (whole, components) = behaviour::whole(report, implementation);
    let mut did = behaviour_object(&whole, options, numbers);
    if matches!(report.kind.as_ref(), "refusal" | "deadlock" | "revival") {
        did["acceptance"] = numbers.all(&report.offered).into();
    }
    if !report.cycle.is_empty() {
        did["cycle"] = numbers.all(&report.cycle).into();
    }
    if !components.is_empty() {
        did["child_behaviours"] = components
            .iter()
            .map(|component| behaviour_object(component, options, numbers))
            .collect();
    }
    let mut object = json!({ "type": report.kind, "implementation_behaviour": did });
    if let Some(name) = specification {
        let trace = numbers.all(behaviour::specification(report));
        object["specification_behaviour"] = json!({ "name": name, "trace": trace });
    }
    if !report.other.is_empty() {
        let other = numbers.all(&report.other);
        object["other_behaviour"] = json!({ "name": implementation, "trace": other });
    }
    object
}

fn behaviour_object(
    behaviour: &Behaviour<'_>,
    options: FdrOptions,
    numbers: &mut EventNumbers,
) -> Value {
    let mut object = json!({
        "name": behaviour.name,
        "trace": numbers.with_gaps(&behaviour.trace),
    });
    if options.reveal_taus {
        object["revealed_trace"] = numbers.with_gaps(&behaviour.revealed).into();
    }
    if let Some(error) = behaviour.error {
        object["error_event"] = numbers.number(error).into();
    }
    object
}

/// Numbers for the names of events: 0 where a component does not take part, 1 for τ, 2 for ✓, then
/// those of the script.
struct EventNumbers(IndexSet<String>);

/// The number of a gap.
const GAP: usize = 0;

impl EventNumbers {
    fn new(events: &[String]) -> Self {
        let first = ["-", "τ", "✓"].map(str::to_owned);
        Self(first.into_iter().chain(events.iter().cloned()).collect())
    }

    fn number(&mut self, name: &str) -> usize {
        match self.0.get_index_of(name) {
            Some(number) => number,
            None => self.0.insert_full(name.to_owned()).0,
        }
    }

    fn all(&mut self, names: &[String]) -> Vec<usize> {
        names.iter().map(|n| self.number(n)).collect()
    }

    fn with_gaps(&mut self, names: &[Option<&str>]) -> Vec<usize> {
        let number = |name: &Option<&str>| name.map_or(GAP, |name| self.number(name));
        names.iter().map(number).collect()
    }

    fn map(&self) -> Value {
        let entries = self.0.iter().enumerate();
        let entries = entries.map(|(i, n)| (i.to_string(), Value::from(n.clone())));
        Value::Object(entries.collect::<Map<_, _>>())
    }
}
