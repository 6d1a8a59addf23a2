//! SARIF 2.1.0: diagnostics and assertions that do not pass as results, counterexamples as code flows.
//!
//! A reader that looks only at the number of results must not take a run that was stopped for one that
//! passed: an assertion that was not decided is a result of its own, and the invocation says that it did
//! not come to an end.

use std::fmt::Write;

use serde_json::{Value, json};

use super::json::indented;
use crate::report::{AssertionReport, DiagnosticReport, Report, VerdictReport};

/// The report as a SARIF log.
#[must_use]
pub fn whole(report: &Report) -> String {
    of_all(std::slice::from_ref(report))
}

/// The reports of several scripts as one SARIF log, a run each.
#[must_use]
pub fn of_all(reports: &[Report]) -> String {
    let runs: Vec<Value> = reports.iter().map(run).collect();
    indented(&json!({
        "version": "2.1.0",
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "runs": runs,
    }))
}

fn run(report: &Report) -> Value {
    let mut results: Vec<Value> = report.diagnostics.iter().map(diagnostic).collect();
    for assertion in &report.assertions {
        results.extend(assertion.diagnostics.iter().map(diagnostic));
        match assertion.verdict {
            VerdictReport::Pass => {}
            VerdictReport::Fail => results.push(failure(&report.file, assertion)),
            VerdictReport::Inconclusive => {
                results.push(open(&report.file, assertion, "is undecided"))
            }
            VerdictReport::Error => {
                results.push(open(&report.file, assertion, "could not be checked"));
            }
        }
    }
    let code = report.exit_code();
    json!({
        "tool": { "driver": { "name": report.tool, "version": report.version } },
        "columnKind": "unicodeCodePoints",
        "invocations": [{ "executionSuccessful": matches!(code, 0 | 1) }],
        "results": results,
    })
}

/// A path as a relative or absolute reference (RFC 3986).
fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

fn location(file: &str, region: &Value) -> Value {
    json!({ "physicalLocation": { "artifactLocation": { "uri": uri(file) }, "region": region } })
}

fn region(line: usize, column: usize, end_line: usize, end_column: usize) -> Value {
    json!({
        "startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column
    })
}

fn diagnostic(d: &DiagnosticReport) -> Value {
    let mut place = location(&d.file, &region(d.line, d.column, d.end_line, d.end_column));
    if !d.note.is_empty() {
        place["message"] = json!({ "text": d.note });
    }
    let related: Vec<Value> = d
        .labels
        .iter()
        .map(|l| {
            let region = region(l.line, l.column, l.end_line, l.end_column);
            let mut place = location(&l.file, &region);
            place["message"] = json!({ "text": l.text });
            place
        })
        .collect();
    let mut result = json!({
        "ruleId": d.code,
        "level": d.severity,
        "message": { "text": d.message },
        "locations": [place],
    });
    if !related.is_empty() {
        result["relatedLocations"] = Value::from(related);
    }
    if d.help.is_some() || !d.stack.is_empty() {
        result["properties"] = json!({ "help": d.help, "stack": d.stack });
    }
    result
}

/// An assertion of which nothing is known.
fn open(file: &str, assertion: &AssertionReport, what: &str) -> Value {
    let reason = assertion.reason.as_deref().unwrap_or("no reason is known");
    json!({
        "ruleId": if assertion.verdict == VerdictReport::Inconclusive { "undecided" } else { "error" },
        "level": if assertion.verdict == VerdictReport::Inconclusive { "warning" } else { "error" },
        "message": { "text": format!("assert {} {what}: {reason}", assertion.text) },
        "locations": [location(file, &json!({ "startLine": assertion.line }))],
    })
}

fn failure(file: &str, assertion: &AssertionReport) -> Value {
    let region = json!({ "startLine": assertion.line });
    let flows: Vec<Value> = assertion
        .counterexamples
        .iter()
        .map(|c| {
            let steps: Vec<Value> = c
                .revealed
                .iter()
                .map(|event| {
                    let mut place = location(file, &region);
                    place["message"] = json!({ "text": event });
                    json!({ "location": place })
                })
                .collect();
            json!({ "message": { "text": c.explanation }, "threadFlows": [{ "locations": steps }] })
        })
        .collect();
    let explanation = assertion
        .counterexamples
        .first()
        .map_or("", |c| c.explanation.as_str());
    json!({
        "ruleId": "assertion",
        "level": "error",
        "message": { "text": format!("assert {} fails: {explanation}", assertion.text) },
        "locations": [location(file, &region)],
        "codeFlows": flows,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_references() {
        assert_eq!(uri("a/b c.csp"), "a/b%20c.csp");
        assert_eq!(uri("é#1"), "%C3%A9%231");
    }
}
