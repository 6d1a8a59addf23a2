//! The Aldebaran format, which mCRL2 and CADP read: a header `des (initial, transitions, states)`
//! and one line `(from, "label", to)` for each transition.

use std::fmt::Write as _;
use std::sync::Arc;

use ahash::AHashMap;

use crate::event::EventId;
use crate::event_set::EventSet;
use crate::lts::{Lts, LtsBuilder, StateId};

/// How the events that scripts cannot write are spelt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AutLabels<'a> {
    /// τ.
    pub tau: &'a str,
    /// ✓.
    pub tick: &'a str,
}

impl Default for AutLabels<'_> {
    fn default() -> Self {
        Self {
            tau: "tau",
            tick: "tick",
        }
    }
}

/// The text of a transition system. Marks of terminated states are left out: they are no events.
pub fn write_aut(
    lts: &Lts,
    labels: AutLabels<'_>,
    mut name: impl FnMut(EventId) -> String,
) -> String {
    let mut names: AHashMap<EventId, String> = AHashMap::new();
    let mut body = String::new();
    let mut transitions = 0u64;
    for state in lts.states() {
        for (event, target) in lts.transitions(state) {
            if event == EventId::OMEGA {
                continue;
            }
            let label = names.entry(event).or_insert_with(|| match event {
                EventId::TAU => quoted(labels.tau),
                EventId::TICK => quoted(labels.tick),
                _ => quoted(&name(event)),
            });
            transitions += 1;
            // Writing to a string cannot fail.
            let _ = writeln!(body, "({},{label},{})", state.0, target.0);
        }
    }
    let (initial, states) = (lts.initial().0, lts.state_count());
    format!("des ({initial},{transitions},{states})\n{body}")
}

fn quoted(label: &str) -> String {
    format!("\"{}\"", label.replace('"', "'"))
}

/// What is wrong with a text that should be in Aldebaran format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutError {
    /// Counted from 1.
    pub line: usize,
    /// One sentence without a final stop.
    pub message: String,
}

/// The visible events of texts that were read, numbered in order of first mention. Texts that share
/// these names share the numbers, so what is read from them can be compared and composed.
#[derive(Clone, Debug, Default)]
pub struct AutNames {
    names: Vec<String>,
    index: AHashMap<String, EventId>,
}

impl AutNames {
    /// The name of a visible event that was read.
    #[must_use]
    pub fn name(&self, event: EventId) -> Option<&str> {
        let number = event.0.checked_sub(EventId::FIRST.0)?;
        self.names.get(number as usize).map(String::as_str)
    }

    /// The event of a name; a new one if it was not mentioned before. `None` if numbers run out.
    pub fn event(&mut self, name: &str) -> Option<EventId> {
        if let Some(event) = self.index.get(name) {
            return Some(*event);
        }
        let number = u32::try_from(self.names.len()).ok()?;
        let event = EventId(number.checked_add(EventId::FIRST.0)?);
        self.names.push(name.to_owned());
        self.index.insert(name.to_owned(), event);
        Some(event)
    }
}

/// Reads a text in Aldebaran format. Blank lines are ignored; `i` is another spelling of τ.
pub fn read_aut(text: &str, labels: AutLabels<'_>, names: &mut AutNames) -> Result<Lts, AutError> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let mut lines = lines.filter(|(_, line)| !line.is_empty());
    let (first, header) = lines.next().unwrap_or((1, ""));
    let (initial, transitions, states) = read_header(header).ok_or_else(|| AutError {
        line: first,
        message: "the first line must be `des (initial, transitions, states)`".to_owned(),
    })?;
    // A text that names each of its states is longer than their number.
    let too_many = states as usize > text.len();
    if initial >= states || too_many || transitions > u64::from(u32::MAX) {
        return Err(AutError {
            line: first,
            message: "the numbers of the header do not fit together".to_owned(),
        });
    }
    let mut rows: Vec<Vec<(EventId, StateId)>> = Vec::new();
    let mut count = 0;
    for (line, text) in lines {
        let error = |message: &str| AutError {
            line,
            message: message.to_owned(),
        };
        let (from, label, to) =
            read_edge(text).ok_or_else(|| error("a transition must be `(from, \"label\", to)`"))?;
        if from >= states || to >= states {
            return Err(error("a state is beyond the number in the header"));
        }
        let event =
            event(label, labels, names).ok_or_else(|| error("there are too many labels"))?;
        if rows.len() <= from as usize {
            rows.resize_with(from as usize + 1, Vec::new);
        }
        rows[from as usize].push((event, StateId(to)));
        count += 1;
    }
    if count != transitions {
        return Err(AutError {
            line: first,
            message: format!("the header promises {transitions} transitions; there are {count}"),
        });
    }
    Ok(build(rows, initial, states))
}

fn build(rows: Vec<Vec<(EventId, StateId)>>, initial: u32, states: u32) -> Lts {
    let mut builder = LtsBuilder::new();
    let mut rows = rows.into_iter();
    for _ in 0..states {
        let mut row = rows.next().unwrap_or_default();
        row.sort_unstable_by_key(|&(event, target)| (target, event));
        let groups = row.chunk_by(|a, b| a.1 == b.1);
        let edges = groups.map(|group| {
            let label: EventSet = group.iter().map(|(event, _)| *event).collect();
            (Arc::new(label), group[0].1)
        });
        builder.state(edges.collect::<Vec<_>>());
    }
    builder.finish(StateId(initial))
}

fn event(label: &str, labels: AutLabels<'_>, names: &mut AutNames) -> Option<EventId> {
    match label {
        "i" => Some(EventId::TAU),
        _ if label == labels.tau => Some(EventId::TAU),
        _ if label == labels.tick => Some(EventId::TICK),
        _ => names.event(label),
    }
}

fn read_header(line: &str) -> Option<(u32, u64, u32)> {
    let inside = line.strip_prefix("des")?.trim();
    let inside = inside.strip_prefix('(')?.strip_suffix(')')?;
    let mut numbers = inside.split(',').map(str::trim);
    let initial = numbers.next()?.parse().ok()?;
    let transitions = numbers.next()?.parse().ok()?;
    let states = numbers.next()?.parse().ok()?;
    numbers
        .next()
        .is_none()
        .then_some((initial, transitions, states))
}

/// The label may contain commas and brackets, so the numbers are taken off both ends.
fn read_edge(line: &str) -> Option<(u32, &str, u32)> {
    let inside = line.strip_prefix('(')?.strip_suffix(')')?;
    let (from, rest) = inside.split_once(',')?;
    let (label, to) = rest.rsplit_once(',')?;
    let label = label.trim();
    let label = label
        .strip_prefix('"')
        .and_then(|l| l.strip_suffix('"'))
        .unwrap_or(label);
    Some((from.trim().parse().ok()?, label, to.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "des (0,4,3)\n(0,\"tau\",1)\n(1,\"c.1\",2)\n(1,\"a\",0)\n(2,\"tick\",2)\n";

    fn read(text: &str, names: &mut AutNames) -> Result<Lts, AutError> {
        read_aut(text, AutLabels::default(), names)
    }

    #[test]
    fn what_is_read_is_written_again() {
        let mut names = AutNames::default();
        let lts = read(TEXT, &mut names).expect("the text is right");
        assert_eq!(names.names, ["c.1", "a"]);
        assert_eq!(lts.state_count(), 3);
        let text = write_aut(&lts, AutLabels::default(), |event| {
            names.name(event).expect("it was read").to_owned()
        });
        assert!(text.starts_with("des (0,4,3)\n(0,\"tau\",1)\n"));
        let again = read(&text, &mut names).expect("the text is right");
        assert_eq!(again, lts);
    }

    #[test]
    fn texts_share_names() {
        let mut names = AutNames::default();
        read("des (0,1,1)\n(0,a,0)", &mut names).expect("the text is right");
        read("des (0,2,1)\n(0,b,0)\n(0,a,0)", &mut names).expect("the text is right");
        assert_eq!(names.names, ["a", "b"]);
        assert_eq!(names.name(EventId(EventId::FIRST.0 + 1)), Some("b"));
        assert_eq!(names.name(EventId::TAU), None);
    }

    #[test]
    fn labels_may_have_commas_and_brackets() {
        let mut names = AutNames::default();
        read("des (0, 1, 1)\n\n(0, c.(1,2), 0)\n", &mut names).expect("the text is right");
        assert_eq!(names.names, ["c.(1,2)"]);
    }

    #[test]
    fn mistakes_are_located() {
        let line = |text| read(text, &mut AutNames::default()).map_err(|e| e.line);
        assert_eq!(line(""), Err(1));
        assert_eq!(line("des (1,0,1)"), Err(1));
        assert_eq!(line("des (0,0,4000000000)"), Err(1));
        assert_eq!(line("des (0,1,1)\n(0,a)"), Err(2));
        assert_eq!(line("des (0,1,1)\n(0,a,1)"), Err(2));
        assert_eq!(line("des (0,2,1)\n(0,a,0)"), Err(1));
    }
}
