//! `bounds`: how large the numbers of a process become, part by part.

use std::fmt::Write;

use csp_driver::Script;
use csp_driver::bounds::{BoundReport, BoundsReport, Counted, NumberBounds, PartBounds};

use crate::args::StatesArguments;
use crate::live;
use crate::output::{Failure, Terminal};
use crate::states::{self, Answer};
use crate::text::{counted, grouped};

/// Events of a way that are written before the rest is counted.
const SHOWN: usize = 8;

pub(crate) fn run(options: &StatesArguments, terminal: &Terminal) -> Result<u8, Failure> {
    let answer = Answer {
        ask: Script::bounds,
        text,
        json: serde_json::to_string_pretty,
        is_limited: |report| report.limit.is_some(),
    };
    states::run(options, terminal, &answer)
}

fn text(report: &BoundsReport) -> String {
    let mut out = format!(
        "{}: {}, {}\n",
        report.process,
        counted(report.states as u64, "state"),
        counted(report.transitions as u64, "transition"),
    );
    if let Some(limit) = &report.limit {
        let _ = writeln!(out, "{limit}: the bounds are those of what was reached");
    }
    let is_constant = |part: &&PartBounds| {
        let mut numbers = part.numbers.iter();
        numbers.all(|number| number.least.value == number.greatest.value)
    };
    let (constant, varying): (Vec<&PartBounds>, Vec<&PartBounds>) =
        report.parts.iter().partition(is_constant);
    for part in varying {
        let states = counted(part.states as u64, "state");
        let _ = writeln!(out, "\n{} ({states} of its own)", part.part);
        for number in &part.numbers {
            bounds(&mut out, number);
        }
    }
    if let [first, rest @ ..] = constant.as_slice() {
        let more = match rest.len() {
            0 => String::new(),
            n => format!(" and {n} more parts"),
        };
        let _ = writeln!(out, "\nalways the same: {}{more}", first.part);
        for number in &first.numbers {
            bounds(&mut out, number);
        }
    }
    if report.parts.is_empty() {
        out.push_str("\nno part has a numeric parameter\n");
    }
    if !report.closed.is_empty() {
        let closed = report.closed.join(", ");
        let _ = writeln!(out, "\ncompressed, so not looked into: {closed}");
    }
    if !report.never.is_empty() {
        out.push_str("\nnever happens\n");
        live::by_channel(&mut out, report.never.iter().map(String::as_str));
    }
    live::traps(&mut out, &report.traps);
    out
}

fn bounds(out: &mut String, number: &NumberBounds) {
    let what = match number.counted {
        Counted::Value => format!("{}.{}", number.definition, number.parameter),
        Counted::Size => format!("size of {}.{}", number.definition, number.parameter),
    };
    let (least, greatest) = (&number.least, &number.greatest);
    if least.value == greatest.value {
        let _ = writeln!(out, "    {what}: always {}", least.value);
        return;
    }
    let _ = writeln!(
        out,
        "    {what}: {} to {}, {} values",
        least.value,
        greatest.value,
        grouped(number.values as u64)
    );
    for bound in [least, greatest] {
        let _ = writeln!(
            out,
            "        {} in {}; {}, after {}",
            bound.value,
            counted(bound.states as u64, "state"),
            bound.at,
            way(bound)
        );
    }
}

/// The way to a bound; a long one is cut in the middle.
fn way(bound: &BoundReport) -> String {
    let trace = &bound.trace;
    if trace.len() <= SHOWN {
        return format!("<{}>", trace.join(", "));
    }
    let (first, last) = (&trace[..SHOWN / 2], &trace[trace.len() - SHOWN / 2..]);
    format!(
        "<{}, …, {}> ({} events)",
        first.join(", "),
        last.join(", "),
        trace.len()
    )
}
