//! Counterexamples for people: the steps with a lane for each part, and then why it ends.

use std::collections::BTreeSet;
use std::fmt::Write;

use csp_driver::report::{CounterexampleReport, EndReport, PartKind, PartReport, StepReport};

use crate::text::TextOptions;

/// Long counterexamples are cut in the middle to about this many steps, unless all are wanted.
const FOLDED_STEPS: usize = 60;

/// More lanes than this are not readable side by side.
const LANES: usize = 24;

/// What to show of the steps.
struct View<'a> {
    report: &'a CounterexampleReport,
    options: &'a TextOptions,
}

/// Writes one counterexample.
pub(crate) fn write(out: &mut String, report: &CounterexampleReport, options: &TextOptions) {
    let view = View { report, options };
    let explanation = options.event(&report.explanation);
    let _ = writeln!(out, "    {explanation}:");
    view.behaviour(out, &report.steps, 0);
    if !report.cycle_steps.is_empty() {
        out.push_str("      and then for ever:\n");
        view.behaviour(out, &report.cycle_steps, report.steps.len());
    }
    if let Some(parting) = report.parting {
        let common = parting.min(report.other_steps.len());
        let _ = match common {
            0 => writeln!(out, "      or from the start:"),
            1 => writeln!(out, "      or after the first step:"),
            n => writeln!(out, "      or after the first {n} steps:"),
        };
        view.behaviour(out, &report.other_steps[common..], common);
    }
    view.specification(out);
    if let Some(end) = &report.end {
        out.push_str(&wrapped(&options.event(&end.sentence), 4, options.width));
        if options.full {
            view.end(out, end);
        }
    }
    if let Some(missing) = &report.missing {
        let missing = format!("(Not all can be explained: {missing}.)");
        out.push_str(&wrapped(&missing, 4, options.width));
    }
}

impl View<'_> {
    /// Steps, numbered from a place on.
    fn behaviour(&self, out: &mut String, steps: &[StepReport], from: usize) {
        let numbered: Vec<(usize, &StepReport)> = (from + 1..).zip(steps).collect();
        let wanted = |(_, step): &&(usize, &StepReport)| self.is_wanted(step);
        let shown: Vec<(usize, &StepReport)> = numbered.iter().filter(wanted).copied().collect();
        if steps.is_empty() && from == 0 {
            out.push_str("      (in its initial state)\n");
        } else if !shown.is_empty() && !self.lanes(out, &shown) {
            self.list(out, &shown);
        }
        let left_out = steps.len() - shown.len();
        if left_out == 0 {
            return;
        }
        let what = if self.options.filter.is_some() {
            "other"
        } else {
            "hidden"
        };
        let _ = if left_out == 1 {
            writeln!(out, "      (1 {what} step is not shown)")
        } else {
            writeln!(out, "      ({left_out} {what} steps are not shown)")
        };
    }

    fn is_wanted(&self, step: &StepReport) -> bool {
        if self.options.brief && step.event == "τ" {
            return false;
        }
        self.options.filter.as_ref().is_none_or(|filter| {
            let mut names = step.moves.iter().flat_map(|m| [&m.component, &m.event]);
            step.revealed.contains(filter) || names.any(|name| name.contains(filter))
        })
    }

    /// What to call a step: its visible event, or the hidden one in brackets.
    fn label(&self, step: &StepReport) -> String {
        if step.event == step.revealed && step.event != "τ" {
            self.options.event(&step.event)
        } else {
            format!("({})", self.options.event(&step.revealed))
        }
    }

    /// The parts to show: those that move, or all.
    fn shown_parts(&self, steps: &[(usize, &StepReport)]) -> Vec<&PartReport> {
        let movers: BTreeSet<usize> = steps
            .iter()
            .flat_map(|(_, step)| &step.moves)
            .map(|m| m.part)
            .collect();
        let parts = self.report.parts.iter();
        parts
            .filter(|part| {
                let all = self.options.full && part.kind != PartKind::Operator;
                all || movers.contains(&part.id)
            })
            .collect()
    }

    /// A table with one lane for each part; false if it would not fit.
    fn lanes(&self, out: &mut String, steps: &[(usize, &StepReport)]) -> bool {
        let parts = self.shown_parts(steps);
        if parts.len() > LANES {
            return false;
        }
        let dot = if self.options.ascii { "*" } else { "●" };
        let line = if self.options.ascii { "|" } else { "│" };
        // A part that calls the event otherwise says how.
        let cell = |step: &StepReport, part: &PartReport| {
            let m = step.moves.iter().find(|m| m.part == part.id)?;
            Some(if m.event == step.revealed || m.event == "τ" {
                dot.to_owned()
            } else {
                self.options.event(&m.event)
            })
        };
        let labels: Vec<String> = parts.iter().map(|part| self.part_label(part)).collect();
        let widths: Vec<usize> = parts
            .iter()
            .zip(&labels)
            .map(|(part, label)| {
                let cells = steps.iter().filter_map(|(_, step)| cell(step, part));
                let cells = cells.map(|c| width(&c));
                cells.max().unwrap_or(1).max(width(label))
            })
            .collect();
        let events: Vec<String> = steps.iter().map(|(_, step)| self.label(step)).collect();
        let event_width = events.iter().map(|e| width(e)).max().unwrap_or(0).max(5);
        let number_width = self.number_width(steps);
        let total = 8 + number_width + event_width + widths.iter().map(|w| w + 2).sum::<usize>();
        if total > self.options.width {
            return false;
        }
        let mut row = format!(
            "      {:>number_width$}  {}",
            "",
            padded("event", event_width)
        );
        for (label, width) in labels.iter().zip(&widths) {
            let _ = write!(row, "  {}", padded(label, *width));
        }
        let _ = writeln!(out, "{}", row.trim_end());
        self.folded(out, steps, |out, i| {
            let (number, step) = steps[i];
            let event = padded(&events[i], event_width);
            let mut row = format!("      {number:>number_width$}  {event}");
            for (part, width) in parts.iter().zip(&widths) {
                let cell = cell(step, part).unwrap_or_else(|| line.to_owned());
                let _ = write!(row, "  {}", padded(&cell, *width));
            }
            let _ = writeln!(out, "{}", row.trim_end());
        });
        true
    }

    fn part_label(&self, part: &PartReport) -> String {
        let label = self.options.event(&part.label);
        if part.kind == PartKind::Removed {
            format!("[{label}]")
        } else {
            label
        }
    }

    fn number_width(&self, steps: &[(usize, &StepReport)]) -> usize {
        let last = steps.last().map_or(0, |(number, _)| *number);
        last.to_string().len().max(2)
    }

    /// One line for each step, with those who took part.
    fn list(&self, out: &mut String, steps: &[(usize, &StepReport)]) {
        let number_width = self.number_width(steps);
        let events: Vec<String> = steps.iter().map(|(_, step)| self.label(step)).collect();
        let event_width = events.iter().map(|e| width(e)).max().unwrap_or(0).min(40);
        self.folded(out, steps, |out, i| {
            let (number, step) = steps[i];
            let names: Vec<String> = step
                .moves
                .iter()
                .map(|m| self.options.event(&m.component))
                .collect();
            let taken = 10 + number_width + event_width.max(width(&events[i]));
            let room = self.options.width.saturating_sub(taken).max(12);
            let mut who = names.join(", ");
            if !self.options.full && width(&who) > room {
                who = who.chars().take(room - 2).collect::<String>() + " …";
            }
            let event = padded(&events[i], event_width);
            let row = format!("      {number:>number_width$}  {event}  {who}");
            let _ = writeln!(out, "{}", row.trim_end());
        });
        if self.options.full {
            self.idle(out, steps);
        }
    }

    /// The parts that never move.
    fn idle(&self, out: &mut String, steps: &[(usize, &StepReport)]) {
        let moves = || steps.iter().flat_map(|(_, step)| &step.moves);
        let movers: BTreeSet<usize> = moves().map(|m| m.part).collect();
        let idle: Vec<String> = self
            .report
            .parts
            .iter()
            .filter(|part| part.kind != PartKind::Operator && !movers.contains(&part.id))
            .map(|part| self.part_label(part))
            .collect();
        if !idle.is_empty() {
            let text = format!("never moving: {}", idle.join(", "));
            out.push_str(&wrapped(&text, 6, self.options.width));
        }
    }

    /// Writes all rows, or the first and last of many.
    fn folded(
        &self,
        out: &mut String,
        steps: &[(usize, &StepReport)],
        mut row: impl FnMut(&mut String, usize),
    ) {
        let count = steps.len();
        let half = FOLDED_STEPS / 2;
        let fold = !self.options.full && count > FOLDED_STEPS + 5;
        for i in 0..count {
            if fold && i == half {
                let more = count - 2 * half;
                let _ = writeln!(out, "      … {more} steps more (--full shows them)");
            }
            if fold && (half..count - half).contains(&i) {
                continue;
            }
            row(out, i);
        }
    }

    /// What the specification allows or requires at the end.
    fn specification(&self, out: &mut String) {
        let report = self.report;
        let set = |events: &[String]| {
            let names: Vec<String> = events.iter().map(|e| self.options.event(e)).collect();
            abbreviated(&format!("{{{}}}", names.join(", ")), self.options)
        };
        match report.kind.as_ref() {
            "trace" => {
                if let Some(allowed) = report.specification.first() {
                    let _ = writeln!(out, "      the specification allows here: {}", set(allowed));
                }
            }
            "refusal" | "determinism" | "revival" => {
                let _ = writeln!(out, "      offered at the end: {}", set(&report.offered));
                for acceptance in &report.specification {
                    let _ = writeln!(out, "      the specification accepts: {}", set(acceptance));
                }
            }
            _ => {}
        }
    }

    /// Every part at the end: its state, what it offers and what it wants in vain.
    fn end(&self, out: &mut String, end: &EndReport) {
        out.push_str("      at the end:\n");
        for part in &end.parts {
            let label = |id: usize| self.part_label(&self.report.parts[id]);
            let name = &self.report.parts[part.part].label;
            let state = self.options.event(&part.state.text);
            let mut text = if part.state.text.starts_with(name.as_str()) {
                state
            } else {
                format!("{} is {state}", label(part.part))
            };
            if let Some(span) = &part.state.span {
                let _ = write!(text, " (line {})", span.line);
            }
            let wants: Vec<String> = part
                .wants
                .iter()
                .map(|want| {
                    let by: Vec<String> = want.refused_by.iter().map(|id| label(*id)).collect();
                    let event = self.options.event(&want.event);
                    format!("{event}, which {} refuses", few(&by))
                })
                .collect();
            if !wants.is_empty() {
                let _ = write!(text, ": wants {}", few(&wants));
            } else if part.offers.is_empty() {
                text.push_str(": offers nothing");
            } else {
                let offers = part.offers.iter().map(|e| self.options.event(e));
                let offers: Vec<String> = offers.collect();
                let _ = write!(text, ": offers {}", few(&offers));
            }
            out.push_str(&wrapped(&text, 8, self.options.width));
        }
    }
}

/// The first of many names.
fn few(names: &[String]) -> String {
    const SHOWN: usize = 8;
    if names.len() <= SHOWN {
        return names.join(", ");
    }
    let more = names.len() - SHOWN;
    format!("{} … and {more} more", names[..SHOWN].join(", "))
}

fn abbreviated(text: &str, options: &TextOptions) -> String {
    let room = options.width.saturating_sub(38).max(40);
    if options.full || width(text) <= room {
        return text.to_owned();
    }
    let cut: String = text.chars().take(room).collect();
    format!("{cut} … (--full shows all)")
}

fn width(text: &str) -> usize {
    text.chars().count()
}

fn padded(text: &str, width: usize) -> String {
    // Format strings take no width above 65,535, and labels of events have no limit.
    let spaces = width.saturating_sub(text.chars().count());
    text.to_owned() + &" ".repeat(spaces)
}

/// Text in lines that fit, each with an indentation, the second and later with two columns more.
pub(crate) fn wrapped(text: &str, indent: usize, width: usize) -> String {
    let room = width.saturating_sub(indent + 2).max(24);
    let mut out = String::new();
    let mut line = String::new();
    let mut margin = indent;
    for word in text.split(' ') {
        if !line.is_empty() && self::width(&line) + 1 + self::width(word) > room {
            let _ = writeln!(out, "{:margin$}{line}", "");
            line.clear();
            margin = indent + 2;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let _ = writeln!(out, "{:margin$}{line}", "");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_wrapped_between_words() {
        let text = wrapped("one two three four five six seven", 4, 30);
        assert_eq!(text, "    one two three four five\n      six seven\n");
    }
}
