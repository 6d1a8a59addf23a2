//! The text: a block for each assertion.

use std::fmt::Write;

use super::FdrOptions;
use super::behaviour::{self, Behaviour};
use crate::escape;
use crate::report::{AssertionReport, CounterexampleReport, Report, VerdictReport};

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
    for (what, count) in [
        ("States", assertion.states),
        ("Transitions", assertion.transitions),
        ("Plys", assertion.plys),
    ] {
        let _ = writeln!(out, "        Visited {what}: {}", grouped(count));
    }
    let storage = grouped(assertion.peak_memory_bytes.div_ceil(1 << 20));
    let _ = writeln!(out, "        Estimated Total Storage: {storage}MB");
    for found in &assertion.counterexamples {
        counterexample(out, found, &assertion.text, options);
    }
    out.push('\n');
}

/// `1234567` as `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn counterexample(
    out: &mut String,
    report: &CounterexampleReport,
    assertion: &str,
    options: FdrOptions,
) {
    let (title, kind) = titles(&report.kind);
    let _ = writeln!(out, "        Counterexample ({title})");
    let (specification, implementation) = behaviour::sides(assertion);
    let (whole, components) = behaviour::whole(report, implementation);
    if specification.is_some() {
        let trace = behaviour::specification(report).join(", ");
        let _ = writeln!(out, "            Specification Debug:");
        let _ = writeln!(out, "                Trace: <{trace}>");
        for acceptance in &report.specification {
            let events = acceptance.join(", ");
            let _ = writeln!(out, "                Available Events: {{{events}}}");
        }
        let _ = writeln!(out, "            Implementation Debug:");
    } else {
        let _ = writeln!(out, "            Machine Debug:");
    }
    one(out, &whole, kind, 16, options);
    if matches!(report.kind.as_ref(), "refusal" | "deadlock" | "revival") {
        let offered = report.offered.join(", ");
        let _ = writeln!(out, "                    Min Acceptance: {{{offered}}}");
    }
    if !report.cycle.is_empty() {
        let cycle = report.cycle.join(", ");
        let _ = writeln!(out, "                    Repeated Trace: <{cycle}>");
    }
    if options.divide {
        for component in &components {
            one(out, component, kind, 20, options);
        }
    }
    if !report.other.is_empty() {
        let other = report.other.join(", ");
        let _ = writeln!(out, "                {implementation} (Trace Behaviour):");
        let _ = writeln!(out, "                    Trace: <{other}>");
    }
}

fn one(
    out: &mut String,
    behaviour: &Behaviour<'_>,
    kind: &str,
    indent: usize,
    options: FdrOptions,
) {
    let trace = if options.reveal_taus {
        &behaviour.revealed
    } else {
        &behaviour.trace
    };
    let trace: Vec<&str> = trace.iter().map(|name| name.unwrap_or("-")).collect();
    let _ = writeln!(out, "{:indent$}{} ({kind}):", "", behaviour.name);
    let _ = writeln!(out, "{:indent$}    Trace: <{}>", "", trace.join(", "));
    if let Some(error) = behaviour.error {
        let _ = writeln!(out, "{:indent$}    Error Event: {error}", "");
    }
}

/// What a counterexample and its behaviours are called.
fn titles(kind: &str) -> (&str, &'static str) {
    match kind {
        "trace" => ("Trace Counterexample", "Trace Behaviour"),
        "refusal" => ("Min Acceptance Counterexample", "Failure Behaviour"),
        "divergence" => ("Divergence Counterexample", "Divergence Behaviour"),
        "deadlock" => ("Deadlock Counterexample", "Failure Behaviour"),
        "determinism" => ("Determinism Counterexample", "Failure Behaviour"),
        other => (other, "Failure Behaviour"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_three() {
        let numbers = [0, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(numbers, ["0", "999", "1,000", "1,234,567"]);
    }
}
