//! The text and JSON shapes that scripts around FDR's `refines` read.
//!
//! The shapes follow what public wrappers look for: one block for each assertion with
//! `Result: Passed` or `Result: Failed`, and a JSON object with `results` and an `event_map`.
//! The numbers are ours: another compilation has other states.

use std::fmt::Write;

use indexmap::IndexSet;
use serde_json::{Map, Value, json};

use crate::escape;
use crate::format::json::{indented, on_one_line};
use crate::report::{AssertionReport, CounterexampleReport, Report, VerdictReport};

/// What `refines` was asked to show.
#[derive(Clone, Copy, Debug, Default)]
pub struct FdrOptions {
    /// One line for each assertion.
    pub brief: bool,
    /// Results only.
    pub quiet: bool,
    /// Traces with τ and hidden events.
    pub reveal_taus: bool,
}

/// The plain text of a whole run.
#[must_use]
pub fn text(report: &Report, options: FdrOptions) -> String {
    let mut out = String::new();
    if !options.quiet {
        for print in &report.prints {
            let _ = writeln!(out, "{}", print.value.as_deref().unwrap_or("error"));
        }
    }
    for d in report.diagnostics.iter().filter(|d| d.severity == "error") {
        let _ = writeln!(
            out,
            "{}:{}:{}-{}: {}",
            d.file, d.line, d.column, d.end_column, d.message
        );
    }
    for assertion in &report.assertions {
        if options.brief {
            let _ = writeln!(out, "{}: {}", assertion.text, result(assertion));
        } else {
            block(&mut out, assertion, options);
        }
    }
    escape::lines(&out).into_owned()
}

fn result(assertion: &AssertionReport) -> &'static str {
    match assertion.verdict {
        VerdictReport::Pass => "Passed",
        VerdictReport::Fail => "Failed",
        VerdictReport::Inconclusive => "Not decided",
        VerdictReport::Error => "Error",
    }
}

fn block(out: &mut String, assertion: &AssertionReport, options: FdrOptions) {
    let _ = writeln!(out, "{}:", assertion.text);
    if !options.quiet {
        let _ = writeln!(out, "    Log:");
        let _ = writeln!(out, "        Compiled in {:.2}s", assertion.compile_seconds);
    }
    let _ = writeln!(out, "    Result: {}", result(assertion));
    if let Some(reason) = &assertion.reason {
        let _ = writeln!(out, "    Reason: {reason}");
    }
    let _ = writeln!(out, "    Visited States: {}", assertion.states);
    let _ = writeln!(out, "    Visited Transitions: {}", assertion.transitions);
    let _ = writeln!(out, "    Visited Plys: {}", assertion.plys);
    let _ = writeln!(
        out,
        "    Estimated Total Storage: {}MB",
        assertion.peak_memory_bytes.div_ceil(1 << 20)
    );
    for counterexample in &assertion.counterexamples {
        let _ = writeln!(
            out,
            "    Counterexample ({})",
            kind_title(&counterexample.kind)
        );
        let trace = if options.reveal_taus {
            &counterexample.revealed
        } else {
            &counterexample.trace
        };
        let (before, error) = split_error(counterexample, trace);
        let _ = writeln!(out, "        Specification Debug:");
        let _ = writeln!(
            out,
            "            Trace: <{}>",
            specification_trace(counterexample).join(", ")
        );
        for acceptance in &counterexample.specification {
            let _ = writeln!(
                out,
                "            Available Events: {{{}}}",
                acceptance.join(", ")
            );
        }
        let _ = writeln!(out, "        Implementation Debug:");
        let _ = writeln!(out, "            Trace: <{}>", before.join(", "));
        if let Some(error) = error {
            let _ = writeln!(out, "            Error Event: {error}");
        }
        if counterexample.kind == "refusal" {
            let _ = writeln!(
                out,
                "            Min Acceptance: {{{}}}",
                counterexample.offered.join(", ")
            );
        }
    }
    out.push('\n');
}

fn kind_title(kind: &str) -> &str {
    match kind {
        "trace" => "Trace Counterexample",
        "refusal" => "Min Acceptance Counterexample",
        "divergence" => "Divergence Counterexample",
        "deadlock" => "Deadlock Counterexample",
        "determinism" => "Determinism Counterexample",
        other => other,
    }
}

/// The trace before the event at fault, and that event.
fn split_error<'a>(
    counterexample: &CounterexampleReport,
    trace: &'a [String],
) -> (&'a [String], Option<&'a String>) {
    match trace.split_last() {
        Some((last, before)) if counterexample.kind == "trace" => (before, Some(last)),
        _ => (trace, None),
    }
}

fn specification_trace(counterexample: &CounterexampleReport) -> &[String] {
    split_error(counterexample, &counterexample.trace).0
}

/// The JSON object of a whole run, indented.
#[must_use]
pub fn json(report: &Report) -> String {
    indented(&object(report))
}

/// The JSON object of a whole run on one line.
#[must_use]
pub fn framed_json(report: &Report) -> String {
    on_one_line(&object(report))
}

/// The object of a whole run as a YAML document.
#[must_use]
pub fn yaml(report: &Report) -> String {
    let mut out = String::from("---\n");
    block_yaml(&mut out, &object(report), 0);
    escape::json(&out).into_owned()
}

/// A value in block style; scalars are written as in JSON, which YAML reads.
fn block_yaml(out: &mut String, value: &Value, indent: usize) {
    let is_block = |v: &Value| {
        v.as_object().is_some_and(|o| !o.is_empty()) || v.as_array().is_some_and(|a| !a.is_empty())
    };
    let mut entry = |head: String, value: &Value| {
        let _ = write!(out, "{:indent$}{head}", "");
        if is_block(value) {
            out.push('\n');
            block_yaml(out, value, indent + 2);
        } else {
            let _ = writeln!(out, " {value}");
        }
    };
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                entry(format!("{}:", Value::from(name.as_str())), value);
            }
        }
        Value::Array(values) => {
            for value in values {
                entry("-".to_owned(), value);
            }
        }
        scalar => {
            let _ = writeln!(out, "{:indent$}{scalar}", "");
        }
    }
}

fn object(report: &Report) -> Value {
    let mut events = EventNumbers::new();
    let results: Vec<Value> = report
        .assertions
        .iter()
        .map(|a| assertion_json(a, &mut events))
        .collect();
    let messages = |severity: &str| {
        let of = |d: &&crate::report::DiagnosticReport| d.severity == severity;
        report
            .diagnostics
            .iter()
            .filter(of)
            .map(|d| d.message.clone())
            .collect::<Vec<_>>()
    };
    let prints: Vec<_> = report
        .prints
        .iter()
        .map(|p| json!({ "statement": p.text, "result": p.value }))
        .collect();
    json!({
        "errors": messages("error"),
        "warnings": messages("warning"),
        "event_map": events.map(),
        "print_statement_results": prints,
        "results": results,
    })
}

fn assertion_json(assertion: &AssertionReport, events: &mut EventNumbers) -> Value {
    let counterexamples: Vec<Value> = assertion
        .counterexamples
        .iter()
        .map(|c| {
            let (before, error) = split_error(c, &c.trace);
            json!({
                "type": c.kind,
                "implementation_behaviour": {
                    "trace": events.all(before),
                    "revealed_trace": events.all(split_error(c, &c.revealed).0),
                    "error_event": error.map(|e| events.number(e)),
                },
                "specification_behaviour": { "trace": events.all(before) },
            })
        })
        .collect();
    json!({
        "assertion_string": assertion.text,
        "result": match assertion.verdict {
            VerdictReport::Pass => Value::from(1),
            VerdictReport::Fail => Value::from(0),
            _ => Value::Null,
        },
        "errors": assertion.reason.iter().collect::<Vec<_>>(),
        "visited_states": assertion.states,
        "visited_transitions": assertion.transitions,
        "visited_plys": assertion.plys,
        "counterexamples": counterexamples,
    })
}

/// Numbers for event names as they are met; 0 is τ and 1 is ✓.
struct EventNumbers(IndexSet<String>);

impl EventNumbers {
    fn new() -> Self {
        Self(IndexSet::from(["τ".to_owned(), "✓".to_owned()]))
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

    fn map(&self) -> Value {
        let entries = self
            .0
            .iter()
            .enumerate()
            .map(|(i, n)| (i.to_string(), Value::from(n.clone())));
        Value::Object(entries.collect::<Map<_, _>>())
    }
}
