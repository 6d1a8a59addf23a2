//! Reports for people.

use std::fmt::Write;

use csp_driver::escape;
use csp_driver::format;
use csp_driver::report::{AssertionReport, Report, VerdictReport};

use crate::args::TraceFormat;
use crate::counterexample;

/// How much to show and how.
#[derive(Clone, Debug)]
pub(crate) struct TextOptions {
    /// Say where things came out as the script expects.
    pub(crate) expect: bool,
    /// Without hidden steps.
    pub(crate) brief: bool,
    /// Only steps with this in their event or in the name of a part that moves.
    pub(crate) filter: Option<String>,
    /// How counterexamples are written.
    pub(crate) trace_format: TraceFormat,
    /// Every component and every step.
    pub(crate) full: bool,
    /// Sizes and times of what was compiled.
    pub(crate) stats: bool,
    /// Columns of the terminal.
    pub(crate) width: usize,
    /// Without characters beyond ASCII.
    pub(crate) ascii: bool,
    /// With colours.
    pub(crate) colour: bool,
}

impl TextOptions {
    fn mark(&self, verdict: VerdictReport) -> String {
        let (symbol, ascii, colour) = match verdict {
            VerdictReport::Pass => ("✓", "pass", "32"),
            VerdictReport::Fail => ("✗", "FAIL", "31"),
            VerdictReport::Inconclusive => ("?", "????", "33"),
            VerdictReport::Error => ("!", "ERR!", "31"),
        };
        let text = if self.ascii { ascii } else { symbol };
        if self.colour {
            format!("\x1b[1;{colour}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    pub(crate) fn event(&self, name: &str) -> String {
        if !self.ascii {
            return name.to_owned();
        }
        name.replace('τ', "tau").replace('✓', "tick")
    }
}

/// One assertion with its counterexamples.
pub(crate) fn assertion(a: &AssertionReport, options: &TextOptions) -> String {
    let mut out = format!(" {} (line {})\n", a.text, a.line);
    let word = match a.verdict {
        VerdictReport::Pass => "passes",
        VerdictReport::Fail => "fails",
        VerdictReport::Inconclusive => "undecided",
        VerdictReport::Error => "could not be checked",
    };
    let _ = write!(out, "    {word}");
    if let Some(meaning) = &a.meaning {
        let _ = write!(out, ": {meaning}");
    }
    if let Some(reason) = &a.reason {
        let _ = write!(out, ": {reason}");
    }
    out.push_str(&expectation(a, options));
    out.push('\n');
    if a.verdict != VerdictReport::Error {
        let _ = write!(
            out,
            "    {}, {}, {} in {} (",
            counted(a.states, "state"),
            counted(a.transitions, "transition"),
            counted(a.plys, "ply"),
            seconds(a.seconds),
        );
        // Over a shorter time a rate says nothing.
        if a.seconds >= 0.01 {
            let rate = a.states as f64 / a.seconds;
            let _ = write!(out, "{} states/s; ", grouped(rate as u64));
        }
        let _ = writeln!(out, "compiled in {})", seconds(a.compile_seconds));
    }
    if let Some(reduction) = a
        .reduction
        .as_ref()
        .filter(|_| a.verdict != VerdictReport::Error)
    {
        for line in reduction.lines(!a.counterexamples.is_empty()) {
            let _ = writeln!(out, "    {line}");
        }
    }
    if options.stats {
        let _ = writeln!(
            out,
            "    store: {}, {:.1} bytes per state, {} at the peak",
            a.store,
            a.bytes_per_state,
            bytes(a.peak_memory_bytes)
        );
    }
    if options.stats {
        compressions(&mut out, a, options);
    }
    for (i, c) in a.counterexamples.iter().enumerate() {
        if a.counterexamples.len() > 1 {
            let _ = writeln!(out, "\n    Counterexample {}", i + 1);
        }
        match options.trace_format {
            TraceFormat::Text => counterexample::write(&mut out, c, options),
            TraceFormat::Mermaid => {
                let wanted = counterexample::wanted(c, options);
                out.push_str(&format::mermaid::mermaid(&wanted));
            }
            TraceFormat::Itf => out.push_str(&format::itf::itf(c)),
            TraceFormat::Json => out.push_str(&format::json::counterexample(c)),
        }
    }
    if let Some(game) = &a.referee {
        let plays = if a.counterexamples.len() > 1 {
            "the plays were"
        } else {
            "the play was"
        };
        let _ = writeln!(out, "    {plays} judged by the rules of {game}");
    }
    // Only the mark has a colour; all else may come from a script.
    options.mark(a.verdict) + &escape::lines(&out)
}

/// Whether it came out as the script says; without a word there, passing is what is expected.
fn expectation(a: &AssertionReport, options: &TextOptions) -> String {
    match a.expected {
        Some(expected) if expected != a.verdict => format!(" (expected to {})", expected.word()),
        None if options.expect && a.verdict != VerdictReport::Pass => {
            " (expected to pass)".to_owned()
        }
        _ if options.expect => " (as expected)".to_owned(),
        _ => String::new(),
    }
}

/// The compressions that the script asks for or that changed something, largest first.
fn compressions(out: &mut String, a: &AssertionReport, options: &TextOptions) {
    let mut changed: Vec<_> = a
        .compressions
        .iter()
        .filter(|c| c.asked_for || c.after.states != c.before.states)
        .collect();
    changed.sort_by_key(|c| std::cmp::Reverse(c.before.states));
    let shown = if options.full {
        changed.len()
    } else {
        20.min(changed.len())
    };
    for c in &changed[..shown] {
        let _ = writeln!(
            out,
            "    {}{}({}): {}, {} -> {}, {}{} in {}",
            c.used,
            if c.used == c.function {
                String::new()
            } else {
                format!(" for {}", c.function)
            },
            c.process,
            counted(c.before.states as u64, "state"),
            counted(c.before.transitions as u64, "transition"),
            grouped(c.after.states as u64),
            grouped(c.after.transitions as u64),
            if c.acceptances == 0 {
                String::new()
            } else {
                let (nodes, acceptances) = (c.nodes as u64, c.acceptances as u64);
                let nodes = counted(nodes, "node");
                format!(" ({nodes}, {})", counted(acceptances, "acceptance"))
            },
            seconds(c.seconds),
        );
    }
    if shown < changed.len() {
        let _ = writeln!(
            out,
            "    … {} more (--full shows them)",
            changed.len() - shown
        );
    }
}

/// The line at the end of a run.
pub(crate) fn summary(report: &Report, options: &TextOptions) -> String {
    let count = |verdict| {
        report
            .assertions
            .iter()
            .filter(|a| a.verdict == verdict)
            .count()
    };
    let mut parts = vec![
        format!("{} passed", count(VerdictReport::Pass)),
        format!("{} failed", count(VerdictReport::Fail)),
    ];
    for (verdict, word) in [
        (VerdictReport::Inconclusive, "undecided"),
        (VerdictReport::Error, "in error"),
    ] {
        if count(verdict) > 0 {
            parts.push(format!("{} {word}", count(verdict)));
        }
    }
    let mut line = format!("{}: {}", escape::line(&report.file), parts.join(", "));
    if options.expect {
        let wanted = |a: &&AssertionReport| a.expected.unwrap_or(VerdictReport::Pass) == a.verdict;
        let as_expected = report.assertions.iter().filter(wanted).count();
        let _ = match report.assertions.len() - as_expected {
            0 => write!(line, "; all as expected"),
            others => write!(line, "; {as_expected} as expected, {others} not"),
        };
    }
    line + "\n"
}

/// A number of things: `1 state`, `2,000 states`.
pub(crate) fn counted(n: u64, thing: &str) -> String {
    let ending = if n == 1 { "" } else { "s" };
    format!("{} {thing}{ending}", grouped(n))
}

/// A number with thousands separated.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, d) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(d);
    }
    out
}

/// A time with two or three significant digits.
pub(crate) fn seconds(s: f64) -> String {
    if s < 1.0 {
        format!("{:.3} s", s)
    } else {
        format!("{:.2} s", s)
    }
}

/// A size in the unit that suits it.
pub(crate) fn bytes(n: u64) -> String {
    const UNITS: [&str; 4] = ["bytes", "KiB", "MiB", "GiB"];
    let mut value = n as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 {
        format!("{n} bytes")
    } else {
        format!("{value:.1} {}", UNITS[unit])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(187_636_299), "187,636,299");
    }

    #[test]
    fn one_thing_is_singular() {
        let counts = [0, 1, 2000].map(|n| counted(n, "ply"));
        assert_eq!(counts, ["0 plys", "1 ply", "2,000 plys"]);
    }

    #[test]
    fn sizes_choose_their_unit() {
        assert_eq!(bytes(512), "512 bytes");
        assert_eq!(bytes(3 << 20), "3.0 MiB");
    }
}
