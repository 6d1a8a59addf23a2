//! Counterexamples for people: the steps with a lane for each part, and then why it ends.

use std::collections::BTreeSet;
use std::fmt::Write;

use csp_driver::format::fold::{Line, folded};
use csp_driver::report::{CounterexampleReport, EndReport, PartKind, PartReport, StepReport};

use crate::text::{TextOptions, counted};

/// Long counterexamples are cut in the middle to about this many steps, unless all are wanted.
const FOLDED_STEPS: usize = 60;

/// Counterexamples up to this length are shown step by step, repetitions too.
const UNFOLDED_STEPS: usize = 16;

/// Acceptances of a specification that are listed, unless all are wanted.
const ACCEPTANCES: usize = 6;

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
    let common = report.parting.map_or(report.steps.len(), |parting| {
        parting
            .min(report.steps.len())
            .min(report.other_steps.len())
    });
    if report.parting.is_none() || common > 0 {
        view.behaviour(out, &report.steps[..common], 0);
    }
    if !report.cycle_steps.is_empty() {
        out.push_str("      and then for ever:\n");
        view.behaviour(out, &report.cycle_steps, report.steps.len());
    }
    if report.parting.is_some() {
        view.both(out, common);
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

/// The counterexample without the steps that are not wanted.
pub(crate) fn wanted(report: &CounterexampleReport, options: &TextOptions) -> CounterexampleReport {
    let view = View { report, options };
    let mut wanted = report.clone();
    let before = report.steps.iter().take(report.parting.unwrap_or(0));
    let common = before.filter(|step| view.is_wanted(step)).count();
    wanted.parting = report.parting.map(|_| common);
    for steps in [
        &mut wanted.steps,
        &mut wanted.cycle_steps,
        &mut wanted.other_steps,
    ] {
        steps.retain(|step| view.is_wanted(step));
    }
    wanted
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

    /// Two behaviours side by side from where they part.
    fn both(&self, out: &mut String, common: usize) {
        let told = |steps: &[StepReport]| -> Vec<String> {
            let steps = steps.iter().filter(|step| self.is_wanted(step));
            let told = steps.map(|step| {
                let who: Vec<String> = step
                    .moves
                    .iter()
                    .map(|m| self.options.event(&m.component))
                    .collect();
                format!("{}  {}", self.label(step), few(&who))
            });
            told.collect()
        };
        let one = told(&self.report.steps[common..]);
        let mut other = told(&self.report.other_steps[common..]);
        let refused = self
            .report
            .trace
            .last()
            .map(|event| self.options.event(event));
        other.extend(refused.map(|event| format!("refuses {event}")));
        let start = if common == 0 {
            "from the start either"
        } else {
            "and then either"
        };
        let room = one.iter().map(|text| width(text)).max().unwrap_or(0);
        let room = room.max(width(start));
        let number_width = (common + one.len().max(other.len()))
            .to_string()
            .len()
            .max(2);
        if 12 + number_width + room + other.iter().map(|t| width(t)).max().unwrap_or(0)
            > self.options.width
        {
            for (start, texts) in [(start, &one), ("or", &other)] {
                let _ = writeln!(out, "      {start}");
                for (number, text) in (common + 1..).zip(texts) {
                    let _ = writeln!(out, "      {number:>number_width$}  {text}");
                }
            }
            return;
        }
        let gap = "";
        let start = padded(start, room);
        let _ = writeln!(out, "      {gap:>number_width$}  {start}    or");
        for place in 0..one.len().max(other.len()) {
            let number = common + 1 + place;
            let left = padded(one.get(place).map_or("", String::as_str), room);
            let right = other.get(place).map_or("", String::as_str);
            let row = format!("      {number:>number_width$}  {left}    {right}");
            let _ = writeln!(out, "{}", row.trim_end());
        }
    }

    /// What the specification accepts before each step, if that is wanted and changes on the way.
    fn accepted(&self, steps: &[(usize, &StepReport)]) -> Vec<Option<String>> {
        let told = |(_, step): &(usize, &StepReport)| {
            let allowed = step.allowed.as_ref().filter(|_| self.options.full)?;
            let names: Vec<String> = allowed.iter().map(|e| self.options.event(e)).collect();
            Some(format!("{{{}}}", few(&names)))
        };
        let told: Vec<Option<String>> = steps.iter().map(told).collect();
        if told.windows(2).all(|pair| pair[0] == pair[1]) {
            return vec![None; steps.len()];
        }
        told
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
        let accepted = self.accepted(steps);
        let beside = accepted.iter().flatten().map(|a| width(a) + 2).max();
        let lanes: usize = widths.iter().map(|w| w + 2).sum();
        let total = 8 + number_width + event_width + lanes + beside.unwrap_or(0);
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
        if beside.is_some() {
            row.push_str("  specification");
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
            if let Some(accepted) = &accepted[i] {
                let _ = write!(row, "  {accepted}");
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
        let accepted = self.accepted(steps);
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
            if let Some(accepted) = &accepted[i] {
                let _ = write!(who, "; specification {accepted}");
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

    /// Writes all rows; of many, each repetition once, and if there are still many, the first and last.
    fn folded(
        &self,
        out: &mut String,
        steps: &[(usize, &StepReport)],
        mut row: impl FnMut(&mut String, usize),
    ) {
        let lines: Vec<Line> = if self.options.full || steps.len() <= UNFOLDED_STEPS {
            (0..steps.len()).map(Line::Step).collect()
        } else {
            let key = |(_, step): &(usize, &StepReport)| {
                let movers: Vec<usize> = step.moves.iter().map(|m| m.part).collect();
                (self.label(step), movers)
            };
            let keys: Vec<_> = steps.iter().map(key).collect();
            folded(&keys)
        };
        let count = lines.len();
        let half = FOLDED_STEPS / 2;
        let cut = !self.options.full && count > FOLDED_STEPS + 5;
        let left_out = half..count.saturating_sub(half);
        for (i, line) in lines.iter().enumerate() {
            if cut && left_out.contains(&i) {
                if i == half {
                    let more = place(&lines[left_out.end]) - place(line);
                    let more = counted(more as u64, "step");
                    let _ = writeln!(out, "      … {more} more (--full shows them)");
                }
                continue;
            }
            match *line {
                Line::Step(at) => row(out, at),
                Line::Again { length, times, to } => {
                    let last = steps[to - 1].0;
                    let what = match length {
                        1 => "the last step is".to_owned(),
                        n => format!("the last {n} steps are"),
                    };
                    let times = counted(times as u64, "time");
                    let _ = writeln!(out, "      … {what} repeated {times}, to step {last}");
                }
            }
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
                let all = report.specification.len();
                let shown = if self.options.full {
                    all
                } else {
                    all.min(ACCEPTANCES)
                };
                for acceptance in &report.specification[..shown] {
                    let _ = writeln!(out, "      the specification accepts: {}", set(acceptance));
                }
                if shown < all {
                    let more = all - shown;
                    let _ = writeln!(out, "      … or one of {more} more (--full shows them)");
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

/// The place of the first step that a line stands for.
fn place(line: &Line) -> usize {
    match *line {
        Line::Step(at) => at,
        Line::Again { length, times, to } => to - length * times,
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
