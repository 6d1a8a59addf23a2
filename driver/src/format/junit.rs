//! JUnit XML: one test case for each assertion. An assertion that was not decided is an error, with the
//! reason: whoever reads the file must not take it for one that was left out on purpose.

use std::fmt::Write;

use crate::escape;
use crate::report::{AssertionReport, Report, VerdictReport};

/// The report as a JUnit file.
#[must_use]
pub fn whole(report: &Report) -> String {
    of_all(std::slice::from_ref(report))
}

/// The reports of several scripts as one JUnit file.
#[must_use]
pub fn of_all(reports: &[Report]) -> String {
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for report in reports {
        suite(&mut xml, report);
    }
    xml.push_str("</testsuites>\n");
    xml
}

fn suite(xml: &mut String, report: &Report) {
    let count = |verdict| {
        report
            .assertions
            .iter()
            .filter(|a| a.verdict == verdict)
            .count()
    };
    let script_errors: Vec<_> = report
        .diagnostics
        .iter()
        .filter(|d| d.severity == "error")
        .collect();
    let script_cases = usize::from(!script_errors.is_empty());
    let seconds: f64 = report
        .assertions
        .iter()
        .map(|a| a.seconds + a.compile_seconds)
        .sum();
    let _ = writeln!(
        xml,
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\" time=\"{seconds:.3}\">",
        escape::xml(&report.file),
        report.assertions.len() + script_cases,
        count(VerdictReport::Fail),
        count(VerdictReport::Error) + count(VerdictReport::Inconclusive) + script_cases,
    );
    if script_cases == 1 {
        let _ = writeln!(
            xml,
            "    <testcase name=\"script\" classname=\"{}\">",
            escape::xml(&report.file)
        );
        for d in script_errors {
            let _ = writeln!(
                xml,
                "      <error message=\"{}\">{}:{}:{}</error>",
                escape::xml(&format!("{}: {}", d.code, d.message)),
                escape::xml(&d.file),
                d.line,
                d.column
            );
        }
        xml.push_str("    </testcase>\n");
    }
    for assertion in &report.assertions {
        case(xml, &report.file, assertion);
    }
    xml.push_str("  </testsuite>\n");
}

fn case(xml: &mut String, file: &str, assertion: &AssertionReport) {
    let _ = write!(
        xml,
        "    <testcase name=\"{}\" classname=\"{}\" line=\"{}\" time=\"{:.3}\"",
        escape::xml(&assertion.text),
        escape::xml(file),
        assertion.line,
        assertion.seconds + assertion.compile_seconds
    );
    let reason = escape::xml(assertion.reason.as_deref().unwrap_or(""));
    match assertion.verdict {
        VerdictReport::Pass => {
            xml.push_str("/>\n");
            return;
        }
        VerdictReport::Fail => {
            xml.push_str(">\n");
            for counterexample in &assertion.counterexamples {
                let _ = writeln!(
                    xml,
                    "      <failure message=\"{}\" type=\"{}\">{}</failure>",
                    escape::xml(&counterexample.explanation),
                    counterexample.kind,
                    escape::xml(&counterexample.revealed.join("\n"))
                );
            }
        }
        VerdictReport::Inconclusive => {
            let _ = writeln!(
                xml,
                ">\n      <error type=\"undecided\" message=\"undecided: {reason}\"/>"
            );
        }
        VerdictReport::Error => {
            let _ = writeln!(xml, ">\n      <error message=\"{reason}\"/>");
        }
    }
    xml.push_str("    </testcase>\n");
}
