//! Why a counterexample ends as it does, in words.

use std::collections::HashMap;

use crate::report::{EndPartReport, PartReport, StepReport, WaitReport};

/// Links of a chain of waiting that are told one by one.
const TOLD: usize = 4;

/// Events that are listed one by one.
const LISTED: usize = 6;

/// A number as running text has it.
pub(crate) fn number(n: usize) -> String {
    const WORDS: [&str; 13] = [
        "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    WORDS
        .get(n)
        .map_or_else(|| n.to_string(), |w| (*w).to_owned())
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn list(names: &[String]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        _ if names.len() > LISTED => {
            let rest = names.len() - LISTED + 1;
            format!("{} and {rest} others", names[..LISTED - 1].join(", "))
        }
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

/// The words of a model for waiting, `--@ waits: "…"`, with the names in braces.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    /// Has `{part}`, `{event}` and `{by}`.
    pub(crate) waits: String,
    /// Has `{part}` and `{for}`.
    pub(crate) holds: String,
}

impl Default for Words {
    fn default() -> Self {
        Self {
            waits: "{part} wants {event}, which {by} refuses".to_owned(),
            holds: "it waits for {for}".to_owned(),
        }
    }
}

/// A cycle of waiting.
pub(crate) fn cycle(
    parts: &[PartReport],
    waits: &[WaitReport],
    cycle: &[usize],
    words: &Words,
) -> String {
    let events: HashMap<(usize, usize), &str> = waits
        .iter()
        .map(|w| ((w.from, w.to), w.event.as_str()))
        .collect();
    let label = |part: usize| parts[part].label.as_str();
    let mut links = Vec::new();
    let mut at = 0;
    while at < cycle.len() {
        let (part, by) = (cycle[at], cycle[(at + 1) % cycle.len()]);
        let event = events.get(&(part, by)).copied().unwrap_or_default();
        let mut link = words
            .waits
            .replace("{part}", label(part))
            .replace("{event}", event)
            .replace("{by}", label(by));
        if at + 1 < cycle.len() {
            let next = cycle[(at + 2) % cycle.len()];
            let holds = words
                .holds
                .replace("{part}", label(by))
                .replace("{for}", label(next));
            link = format!("{link}: {holds}");
        }
        links.push(link);
        at += 2;
    }
    if links.len() > TOLD {
        let last = links.split_off(links.len() - 1);
        links.truncate(TOLD - 1);
        links.push("…".to_owned());
        links.extend(last);
    }
    format!("{}. A cycle of {}.", links.join("; "), number(cycle.len()))
}

/// A state in which nothing is possible and there is no cycle.
pub(crate) fn stuck(parts: &[PartReport], ends: &[EndPartReport]) -> String {
    if ends.iter().all(|end| end.terminated) {
        return "Every part has terminated. A terminated process can do nothing, which counts as deadlock \
                here (--termination textbook reads it otherwise)."
            .to_owned();
    }
    if let [only] = ends {
        let line = only.state.span.as_ref();
        let line = line.map_or_else(String::new, |span| format!(" (line {})", span.line));
        return format!("{}{line} offers nothing.", only.state.text);
    }
    let end_of: HashMap<usize, &EndPartReport> = ends.iter().map(|e| (e.part, e)).collect();
    let mut told = Vec::new();
    for end in ends {
        let Some(want) = end.wants.first() else {
            continue;
        };
        let by = want.refused_by.first();
        let why = by.map_or_else(String::new, |by| {
            format!(
                ", which {} refuses{}",
                parts[*by].label,
                end_of.get(by).map_or_else(String::new, |e| reason(e))
            )
        });
        let label = &parts[end.part].label;
        told.push(format!("{label} wants {}{why}", want.event));
        if told.len() == TOLD {
            break;
        }
    }
    let idle: Vec<String> = ends
        .iter()
        .filter(|end| !end.terminated && end.offers.is_empty())
        .map(|end| parts[end.part].label.clone())
        .collect();
    if told.is_empty() && idle.is_empty() {
        return "No part is ready for an event that the others are ready for.".to_owned();
    }
    if told.is_empty() {
        let verb = if idle.len() == 1 { "offers" } else { "offer" };
        return format!("{} {verb} nothing.", list(&idle));
    }
    format!("{}.", told.join("; "))
}

/// Why a part refuses what others want.
fn reason(end: &EndPartReport) -> String {
    if end.terminated {
        return ": it has terminated".to_owned();
    }
    if end.offers.is_empty() {
        return format!(": it is {} and offers nothing", end.state.text);
    }
    let only = list(&end.offers);
    format!(": it offers only {only}")
}

/// The parts that brought the last event, and where they are written.
pub(crate) fn brought(step: &StepReport) -> Option<String> {
    let mut names = Vec::new();
    for m in &step.moves {
        let line = m.before.span.as_ref();
        let line = line.map_or_else(String::new, |s| format!(" (line {})", s.line));
        names.push(format!("{}{line}", m.component));
    }
    names.dedup();
    const TOLD: usize = 3;
    if names.len() > TOLD {
        let rest = names.len() - TOLD + 1;
        let told = names[..TOLD - 1].join(", ");
        return Some(format!("{told} and {rest} others"));
    }
    (!names.is_empty()).then(|| list(&names))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_as_text() {
        let names: Vec<String> = (0..9).map(|i| format!("e{i}")).collect();
        assert_eq!(list(&names[..1]), "e0");
        assert_eq!(list(&names[..3]), "e0, e1 and e2");
        assert_eq!(list(&names), "e0, e1, e2, e3, e4 and 4 others");
        assert_eq!(number(10), "ten");
        assert_eq!(number(2000), "2000");
    }
}
