//! `live`: how alive events are, and which parts are caught in traps.

use std::collections::BTreeMap;
use std::fmt::Write;

use csp_driver::live::{Level, LiveReport};

use crate::args::LiveArguments;
use crate::interrupt;
use crate::language;
use crate::output::{self, Failure, Terminal};
use crate::progress::ProgressLine;
use crate::text::grouped;

/// Names that are listed before the rest is counted.
const SHOWN: usize = 6;

pub(crate) fn run(options: &LiveArguments, terminal: &Terminal) -> Result<u8, Failure> {
    let mut script = language::load(&options.script, terminal)?;
    if script.has_errors() {
        return Ok(2);
    }
    let line = ProgressLine::new("exploring", options.quiet, terminal);
    let result = script.live(&options.process, options.max_states, &line);
    line.finish();
    let report = match result {
        Ok(report) => report,
        Err(problem) => {
            terminal.show(&problem.diagnostics, script.sources());
            if let Some(limit) = problem.limit {
                terminal.error(&limit);
                return Ok(3);
            }
            return Ok(2);
        }
    };
    if options.json {
        let text = serde_json::to_string_pretty(&report);
        output::print(&(text.map_err(|e| Failure::Message(e.to_string()))? + "\n"))?;
    } else {
        terminal.print(&text(&report))?;
    }
    Ok(match report.limit {
        _ if interrupt::requested() => 130,
        Some(_) => 3,
        None => 0,
    })
}

fn text(report: &LiveReport) -> String {
    let mut out = format!(
        "{}: {} states, {} transitions, {} dead ends\n",
        report.process,
        grouped(report.states as u64),
        grouped(report.transitions as u64),
        grouped(report.dead_ends as u64)
    );
    if let Some(limit) = &report.limit {
        let _ = writeln!(
            out,
            "{limit}: what was not seen may still happen, and L4 is not claimed"
        );
    }
    for level in [Level::L0, Level::L1, Level::L3, Level::L4] {
        let mut channels: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for event in report.events.iter().filter(|e| e.level == level) {
            let channel = event.event.split('.').next().unwrap_or_default();
            channels.entry(channel).or_default().push(&event.event);
        }
        if channels.is_empty() {
            continue;
        }
        let words = match (level, &report.limit) {
            (Level::L0, Some(_)) => "was not seen",
            _ => level.words(),
        };
        let _ = writeln!(out, "\n{level:?}  {words}");
        for (channel, events) in channels {
            let _ = writeln!(out, "    {}", listed(channel, &events));
        }
    }
    if !report.traps.is_empty() {
        out.push_str("\nparts that enter a trap\n");
    }
    for trap in &report.traps {
        let does = match trap.does.len() {
            0 => "does nothing any more".to_owned(),
            n if n > SHOWN => format!(
                "then only does {n} events: {} …",
                trap.does[..SHOWN].join(", ")
            ),
            _ => format!("then only does {}", trap.does.join(", ")),
        };
        let _ = writeln!(
            out,
            "    {}: {} of {} states, {does}; after <{}>",
            trap.part,
            trap.inside,
            trap.of,
            trap.trace.join(", ")
        );
    }
    out
}

fn listed(channel: &str, events: &[&str]) -> String {
    match events {
        [only] => (*only).to_owned(),
        few if few.len() <= SHOWN => few.join(", "),
        many => format!(
            "{channel}: {} events, {} …",
            many.len(),
            many[..SHOWN - 1].join(", ")
        ),
    }
}
