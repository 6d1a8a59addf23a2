//! Pairs of events of channels with infinite types: as many as processes can do.
//!
//! With `channel x, y : Int`, `P[[x <- y]]` and `P [x <-> y] Q` relate infinitely many events. The processes do finitely
//! many of them, which are found from their terms (`crate::alphabet`); only those are paired.

use csp_lts::{EventId, EventSet};
use smallvec::SmallVec;

use super::Evaluator;
use super::code::CodeId;
use super::declare::TagKind;
use super::messages::{self, Failure};
use super::value::Value;
use crate::alphabet::Alphabets;
use crate::hir::GlobalId;
use crate::process::ProcessId;

/// How many terms of a process are looked at for the events that it does.
const MOST_TERMS: usize = 100_000;

/// An event that a process does, with the fields that are not given.
type Met = (EventId, SmallVec<[Value; 4]>);

/// Which side of a pair has the events of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

impl Evaluator {
    /// Whether a value is the beginning of events of a channel with an infinite type.
    pub(super) fn begins_infinitely_many(&mut self, value: &Value) -> Result<bool, Failure> {
        let Some((channel, _)) = beginning(value) else {
            return Ok(false);
        };
        let tag = self.tag(channel)?;
        Ok(matches!(tag.kind, TagKind::Channel { infinite: true, .. }))
    }

    /// Adds the pairs of two values for the events that processes do on one side or the other.
    pub(super) fn extend_met(
        &mut self,
        (left, right): (&Value, &Value),
        code: CodeId,
        done_by: &[(ProcessId, Side)],
        out: &mut Vec<(EventId, EventId)>,
    ) -> Result<(), Failure> {
        let span = self.code.span(code);
        if done_by.is_empty() {
            let shown = self.abbreviate(left);
            return Err(messages::events_not_listable(span, &shown, None));
        }
        for &(process, side) in done_by {
            let (this, other) = match side {
                Side::Left => (left, right),
                Side::Right => (right, left),
            };
            for (event, rest) in self.met_by(process, this, code)? {
                let mut opposite = Ok(other.clone());
                for part in rest {
                    opposite = opposite.and_then(|value| self.append(value, part, span));
                }
                match (opposite, side) {
                    (Ok(Value::Event(to)), Side::Left) => out.push((event, to)),
                    (Ok(Value::Event(from)), Side::Right) => out.push((from, event)),
                    _ => {
                        let (left, right) = (self.abbreviate(left), self.abbreviate(right));
                        return Err(messages::unlike_sides(span, &left, &right));
                    }
                }
            }
        }
        Ok(())
    }

    /// The events of a process that begin with a value, each with its other fields.
    fn met_by(
        &mut self,
        process: ProcessId,
        value: &Value,
        code: CodeId,
    ) -> Result<Vec<Met>, Failure> {
        let value = &self.canonical(value.clone())?;
        let Some((channel, given)) = beginning(value) else {
            return Ok(Vec::new());
        };
        let tag = self.tag(channel)?;
        let TagKind::Channel { base, size, .. } = &tag.kind else {
            return Ok(Vec::new());
        };
        let range = EventSet::range(*base, base + size);
        let alphabets = match Alphabets::of(self, process, MOST_TERMS) {
            // It leads back to the pairs that are asked for.
            Err(circle) if circle.code == messages::UNGUARDED => None,
            alphabets => alphabets?,
        };
        let events = alphabets.map(|all| all.get(process).events.intersection(&range));
        let Some(events) = events.filter(|events| self.all_met(events)) else {
            let (shown, name) = (self.abbreviate(value), self.describe_process(process));
            let span = self.code.span(code);
            return Err(messages::events_not_listable(span, &shown, Some(&name)));
        };
        let mut found = Vec::new();
        for event in events.iter() {
            let Some(fields) = self.event_fields(event, channel)? else {
                continue;
            };
            let (first, rest) = fields.split_at(given.len().min(fields.len()));
            if first.iter().zip(given).all(|(a, b)| a == b) {
                found.push((event, rest.iter().cloned().collect()));
            }
        }
        Ok(found)
    }
}

/// The channel or constructor of a value and the fields that it has.
fn beginning(value: &Value) -> Option<(GlobalId, &[Value])> {
    match value {
        Value::Tag(tag) => Some((*tag, &[])),
        Value::Dot(dot) => Some((dot.head?, dot.fields.as_slice())),
        _ => None,
    }
}
