//! JUnit XML: one test case for each assertion; inconclusive ones are skipped, with the reason.

use std::fmt::Write;

use crate::report::{AssertionReport, Report, VerdictReport};

/// The report as a JUnit file.
#[must_use]
pub fn whole(report: &Report) -> String {
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
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let seconds: f64 = report
        .assertions
        .iter()
        .map(|a| a.seconds + a.compile_seconds)
        .sum();
    let _ = writeln!(
        xml,
        "<testsuites>\n  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{seconds:.3}\">",
        escape(&report.file),
        report.assertions.len() + script_cases,
        count(VerdictReport::Fail),
        count(VerdictReport::Error) + script_cases,
        count(VerdictReport::Inconclusive),
    );
    if script_cases == 1 {
        let _ = writeln!(
            xml,
            "    <testcase name=\"script\" classname=\"{}\">",
            escape(&report.file)
        );
        for d in script_errors {
            let _ = writeln!(
                xml,
                "      <error message=\"{}\">{}:{}:{}</error>",
                escape(&format!("{}: {}", d.code, d.message)),
                escape(&d.file),
                d.line,
                d.column
            );
        }
        xml.push_str("    </testcase>\n");
    }
    for assertion in &report.assertions {
        case(&mut xml, &report.file, assertion);
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

fn case(xml: &mut String, file: &str, assertion: &AssertionReport) {
    let _ = write!(
        xml,
        "    <testcase name=\"{}\" classname=\"{}\" line=\"{}\" time=\"{:.3}\"",
        escape(&assertion.text),
        escape(file),
        assertion.line,
        assertion.seconds + assertion.compile_seconds
    );
    let reason = escape(assertion.reason.as_deref().unwrap_or(""));
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
                    escape(&counterexample.explanation),
                    counterexample.kind,
                    escape(&counterexample.revealed.join("\n"))
                );
            }
        }
        VerdictReport::Inconclusive => {
            let _ = writeln!(xml, ">\n      <skipped message=\"{reason}\"/>");
        }
        VerdictReport::Error => {
            let _ = writeln!(xml, ">\n      <error message=\"{reason}\"/>");
        }
    }
    xml.push_str("    </testcase>\n");
}

/// XML text: markup escaped, characters that XML cannot hold replaced.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            c if c < ' ' && c != '\t' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
