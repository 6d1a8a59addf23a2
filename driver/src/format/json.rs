//! One JSON object for a whole run, or one line for each assertion as it is decided.

use serde::Serialize;

use crate::report::{AssertionReport, CounterexampleReport, Report};
use crate::solve::SolveReport;
use crate::survey::Summary;

/// The whole report, indented.
#[must_use]
pub fn whole(report: &Report) -> String {
    let mut text = serde_json::to_string_pretty(report).expect("reports have only string keys");
    text.push('\n');
    text
}

/// What `csp solve` found, indented.
#[must_use]
pub fn play(report: &SolveReport) -> String {
    let mut text = serde_json::to_string_pretty(report).expect("reports have only string keys");
    text.push('\n');
    text
}

/// One counterexample, indented.
#[must_use]
pub fn counterexample(report: &CounterexampleReport) -> String {
    let mut text = serde_json::to_string_pretty(report).expect("reports have only string keys");
    text.push('\n');
    text
}

/// The last line of a survey.
#[must_use]
pub fn summary(summary: &Summary) -> String {
    let value = serde_json::json!({ "summary": summary });
    format!("{value}\n")
}

/// A line of `--format jsonl`.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Line<'a> {
    Assertion(&'a AssertionReport),
    Finished { file: &'a str, exit_code: u8 },
}

fn line(value: &Line<'_>) -> String {
    let mut text = serde_json::to_string(value).expect("reports have only string keys");
    text.push('\n');
    text
}

/// The line for one assertion.
#[must_use]
pub fn assertion_line(assertion: &AssertionReport) -> String {
    line(&Line::Assertion(assertion))
}

/// The line that ends a run.
#[must_use]
pub fn last_line(report: &Report) -> String {
    line(&Line::Finished {
        file: &report.file,
        exit_code: report.exit_code(),
    })
}
