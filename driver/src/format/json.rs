//! One JSON object for a whole run, or one line for each assertion as it is decided.

use serde::Serialize;

use crate::report::{AssertionReport, Report};

/// The whole report, indented.
#[must_use]
pub fn whole(report: &Report) -> String {
    let mut text = serde_json::to_string_pretty(report).expect("reports have only string keys");
    text.push('\n');
    text
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
