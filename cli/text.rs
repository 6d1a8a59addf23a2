//! Reports for people.

use std::fmt::Write;

use csp_driver::report::{
    AssertionReport, CounterexampleReport, Report, StepReport, VerdictReport,
};

/// How much to show and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextOptions {
    /// Hidden events by name.
    pub(crate) reveal: bool,
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
    fn mark(self, verdict: VerdictReport) -> String {
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

    fn event(self, name: &str) -> String {
        if !self.ascii {
            return name.to_owned();
        }
        name.replace('τ', "tau").replace('✓', "tick")
    }
}

/// Long counterexamples are cut in the middle to about this many steps, unless all are wanted.
const FOLDED_STEPS: usize = 60;

/// One assertion with its counterexamples.
pub(crate) fn assertion(a: &AssertionReport, options: TextOptions) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{} {}", options.mark(a.verdict), a.text);
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
    if let Some(expected) = a.expected.filter(|e| *e != a.verdict) {
        let _ = write!(out, " (expected to {})", expected.word());
    }
    out.push('\n');
    if a.verdict != VerdictReport::Error {
        let _ = write!(
            out,
            "    {} states, {} transitions, {} plys in {} (",
            grouped(a.states),
            grouped(a.transitions),
            grouped(a.plys),
            seconds(a.seconds),
        );
        // Over a shorter time a rate says nothing.
        if a.seconds >= 0.01 {
            let rate = a.states as f64 / a.seconds;
            let _ = write!(out, "{} states/s; ", grouped(rate as u64));
        }
        let _ = writeln!(out, "compiled in {})", seconds(a.compile_seconds));
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
        counterexample(&mut out, c, options);
    }
    if let Some(game) = &a.referee {
        let plays = if a.counterexamples.len() > 1 {
            "the plays were"
        } else {
            "the play was"
        };
        let _ = writeln!(out, "    {plays} judged by the rules of {game}");
    }
    out
}

/// The compressions that the script asks for or that changed something, largest first.
fn compressions(out: &mut String, a: &AssertionReport, options: TextOptions) {
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
            "    {}{}({}): {} states, {} transitions -> {}, {}{} in {}",
            c.used,
            if c.used == c.function {
                String::new()
            } else {
                format!(" for {}", c.function)
            },
            c.process,
            grouped(c.before.states as u64),
            grouped(c.before.transitions as u64),
            grouped(c.after.states as u64),
            grouped(c.after.transitions as u64),
            if c.acceptances == 0 {
                String::new()
            } else {
                let (nodes, acceptances) = (c.nodes as u64, c.acceptances as u64);
                let (nodes, acceptances) = (grouped(nodes), grouped(acceptances));
                format!(" ({nodes} nodes, {acceptances} acceptances)")
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
pub(crate) fn summary(report: &Report) -> String {
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
    format!("{}: {}\n", report.file, parts.join(", "))
}

fn counterexample(out: &mut String, c: &CounterexampleReport, options: TextOptions) {
    let _ = writeln!(
        out,
        "    {}:",
        options.event(c.explanation.trim_end_matches('.'))
    );
    let steps: Vec<&StepReport> = c
        .steps
        .iter()
        .filter(|s| options.reveal || s.event != "τ")
        .collect();
    if c.steps.is_empty() {
        let _ = writeln!(out, "      (in its initial state)");
    } else if !steps.is_empty() && !lanes(out, &steps, options) {
        list(out, &steps, options);
    }
    let hidden = c.steps.len() - steps.len();
    match hidden {
        0 => {}
        1 => out.push_str("      (1 hidden step is not shown; --reveal shows it)\n"),
        n => {
            let _ = writeln!(
                out,
                "      ({n} hidden steps are not shown; --reveal shows them)"
            );
        }
    }
    if !c.cycle.is_empty() {
        let cycle: Vec<String> = c.cycle.iter().map(|e| options.event(e)).collect();
        let _ = writeln!(out, "      and then for ever: {}", cycle.join(", "));
    }
    if !c.other.is_empty() {
        let other: Vec<String> = c.other.iter().map(|e| options.event(e)).collect();
        let _ = writeln!(out, "      the other behaviour: {}", other.join(", "));
    }
    let set = |events: &[String]| {
        let names: Vec<String> = events.iter().map(|e| options.event(e)).collect();
        abbreviated(&format!("{{{}}}", names.join(", ")), options)
    };
    match &*c.kind {
        "trace" => {
            if let Some(allowed) = c.specification.first() {
                let _ = writeln!(out, "      the specification allows here: {}", set(allowed));
            }
        }
        "refusal" | "determinism" | "revival" => {
            let _ = writeln!(out, "      offered at the end: {}", set(&c.offered));
            for acceptance in &c.specification {
                let _ = writeln!(out, "      the specification accepts: {}", set(acceptance));
            }
        }
        _ => {}
    }
}

fn abbreviated(text: &str, options: TextOptions) -> String {
    let room = options.width.saturating_sub(38).max(40);
    if options.full || text.chars().count() <= room {
        return text.to_owned();
    }
    let cut: String = text.chars().take(room).collect();
    format!("{cut} … (--full shows all)")
}

/// What to call a step: its visible event, or the hidden one in brackets.
fn label(step: &StepReport, options: TextOptions) -> String {
    if step.event == step.revealed {
        options.event(&step.event)
    } else {
        format!("({})", options.event(&step.revealed))
    }
}

/// A table with one lane for each component; false if it would not fit.
fn lanes(out: &mut String, steps: &[&StepReport], options: TextOptions) -> bool {
    let mut components: Vec<&str> = Vec::new();
    for step in steps {
        for m in &step.moves {
            if !components.contains(&m.component.as_str()) {
                components.push(&m.component);
            }
        }
    }
    let events: Vec<String> = steps.iter().map(|s| label(s, options)).collect();
    let event_width = events
        .iter()
        .map(|e| e.chars().count())
        .max()
        .unwrap_or(0)
        .max(5);
    let number_width = steps.len().to_string().len().max(2);
    let lane = |c: &str| c.chars().count().max(1);
    let total =
        8 + number_width + event_width + components.iter().map(|c| lane(c) + 2).sum::<usize>();
    if components.len() > 12 || (!options.full && total > options.width) {
        return false;
    }
    let _ = write!(out, "      {:>number_width$}  {:event_width$}", "", "event");
    for c in &components {
        let _ = write!(out, "  {c}");
    }
    out.push('\n');
    let dot = if options.ascii { "*" } else { "●" };
    let line = if options.ascii { "|" } else { "│" };
    folded(out, steps.len(), options, |out, i| {
        let _ = write!(
            out,
            "      {:>number_width$}  {:event_width$}",
            i + 1,
            events[i]
        );
        let mut row = String::new();
        for c in &components {
            let moved = steps[i].moves.iter().any(|m| m.component == *c);
            let _ = write!(
                row,
                "  {:width$}",
                if moved { dot } else { line },
                width = lane(c)
            );
        }
        let _ = writeln!(out, "{}", row.trim_end());
    });
    true
}

/// One line for each step, with those who took part.
fn list(out: &mut String, steps: &[&StepReport], options: TextOptions) {
    let number_width = steps.len().to_string().len().max(2);
    let events: Vec<String> = steps.iter().map(|s| label(s, options)).collect();
    let event_width = events.iter().map(|e| e.chars().count()).max().unwrap_or(0);
    folded(out, steps.len(), options, |out, i| {
        let names: Vec<&str> = steps[i]
            .moves
            .iter()
            .map(|m| m.component.as_str())
            .collect();
        let room = options
            .width
            .saturating_sub(12 + number_width + event_width);
        let mut who = names.join(", ");
        if !options.full && who.chars().count() > room {
            who = who.chars().take(room.saturating_sub(2)).collect::<String>() + " …";
        }
        let row = format!(
            "      {:>number_width$}  {:event_width$}  {who}",
            i + 1,
            events[i]
        );
        let _ = writeln!(out, "{}", row.trim_end());
    });
}

/// Writes all rows, or the first and last of many.
fn folded(
    out: &mut String,
    count: usize,
    options: TextOptions,
    mut row: impl FnMut(&mut String, usize),
) {
    let half = FOLDED_STEPS / 2;
    let fold = !options.full && count > FOLDED_STEPS + 5;
    for i in 0..count {
        if fold && i == half {
            let _ = writeln!(
                out,
                "      … {} steps more (--full shows them)",
                count - 2 * half
            );
        }
        if fold && (half..count - half).contains(&i) {
            continue;
        }
        row(out, i);
    }
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
    fn sizes_choose_their_unit() {
        assert_eq!(bytes(512), "512 bytes");
        assert_eq!(bytes(3 << 20), "3.0 MiB");
    }
}
