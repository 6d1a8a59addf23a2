//! `live`: how alive events are, and which parts are caught in traps.

use std::collections::BTreeMap;
use std::fmt::Write;

use csp_driver::Script;
use csp_driver::live::{Level, LiveReport, TrapReport};

use crate::args::StatesArguments;
use crate::output::{Failure, Terminal};
use crate::states::{self, Answer};
use crate::text::counted;

/// Names that are listed before the rest is counted.
const SHOWN: usize = 6;

pub(crate) fn run(options: &StatesArguments, terminal: &Terminal) -> Result<u8, Failure> {
    let answer = Answer {
        ask: Script::live,
        text,
        json: serde_json::to_string_pretty,
        is_limited: |report| report.limit.is_some(),
    };
    states::run(options, terminal, &answer)
}

fn text(report: &LiveReport) -> String {
    let mut out = format!(
        "{}: {}, {}, {}\n",
        report.process,
        counted(report.states as u64, "state"),
        counted(report.transitions as u64, "transition"),
        counted(report.dead_ends as u64, "dead end")
    );
    if let Some(limit) = &report.limit {
        let _ = writeln!(
            out,
            "{limit}: what was not seen may still happen, and L4 is not claimed"
        );
    }
    for level in [Level::L0, Level::L1, Level::L3, Level::L4] {
        let events: Vec<&str> = report
            .events
            .iter()
            .filter(|e| e.level == level)
            .map(|e| e.event.as_str())
            .collect();
        if events.is_empty() {
            continue;
        }
        let words = match (level, &report.limit) {
            (Level::L0, Some(_)) => "was not seen",
            _ => level.words(),
        };
        let _ = writeln!(out, "\n{level:?}  {words}");
        by_channel(&mut out, events.into_iter());
    }
    traps(&mut out, &report.traps);
    out
}

/// The parts that enter a trap.
pub(crate) fn traps(out: &mut String, traps: &[TrapReport]) {
    if !traps.is_empty() {
        out.push_str("\nparts that enter a trap\n");
    }
    for trap in traps {
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
            "    {}: {} of {}, {does}; after <{}>",
            trap.part,
            trap.inside,
            counted(trap.of as u64, "state"),
            trap.trace.join(", ")
        );
    }
}

/// Events by channel, long lists cut.
pub(crate) fn by_channel<'a>(out: &mut String, events: impl Iterator<Item = &'a str>) {
    let mut channels: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for event in events {
        let channel = event.split('.').next().unwrap_or_default();
        channels.entry(channel).or_default().push(event);
    }
    for (channel, events) in channels {
        let _ = writeln!(out, "    {}", listed(channel, &events));
    }
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
