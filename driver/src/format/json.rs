//! One JSON object for a whole run, or one line for each assertion as it is decided.

use serde::Serialize;

use crate::escape;
use crate::report::{AssertionReport, CounterexampleReport, Report};
use crate::solve::SolveReport;
use crate::survey::Summary;

/// A value on several lines, without characters that a terminal could act on.
pub(crate) fn indented(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).expect("reports have only string keys");
    escape::json(&text).into_owned() + "\n"
}

/// A value on one line, without characters that a terminal could act on.
pub(crate) fn on_one_line(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).expect("reports have only string keys");
    escape::json(&text).into_owned() + "\n"
}

/// The whole report, indented.
#[must_use]
pub fn whole(report: &Report) -> String {
    indented(report)
}

/// The report of one script, or a list of those of several, indented.
#[must_use]
pub fn of_all(reports: &[Report]) -> String {
    match reports {
        [report] => whole(report),
        several => indented(&several),
    }
}

/// What `csp solve` found, indented.
#[must_use]
pub fn play(report: &SolveReport) -> String {
    indented(report)
}

/// One counterexample, indented.
#[must_use]
pub fn counterexample(report: &CounterexampleReport) -> String {
    indented(report)
}

/// The last line of a survey.
#[must_use]
pub fn summary(summary: &Summary) -> String {
    on_one_line(&serde_json::json!({ "summary": summary }))
}

/// A line of `--format jsonl`.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Line<'a> {
    Assertion(&'a AssertionReport),
    Finished { file: &'a str, exit_code: u8 },
}

/// The line for one assertion.
#[must_use]
pub fn assertion_line(assertion: &AssertionReport) -> String {
    on_one_line(&Line::Assertion(assertion))
}

/// The line that ends a run, with the code that the program gives back.
#[must_use]
pub fn last_line(report: &Report, exit_code: u8) -> String {
    on_one_line(&Line::Finished {
        file: &report.file,
        exit_code,
    })
}
