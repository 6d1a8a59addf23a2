//! The dot operator: putting constructors, channels and fields together, and completing them.
//!
//! A field goes to the innermost constructor at the right edge that still lacks one. Whenever a
//! field becomes complete it is checked against its declared set; a complete event becomes its number.

use std::rc::Rc;

use csp_grammar::Span;
use csp_lts::{EventId, EventSet};
use smallvec::SmallVec;

use super::Evaluator;
use super::code::{CodeId, List};
use super::declare::{Digits, Field, Tag, TagKind, TagState};
use super::messages::{self, Failure};
use super::operations::flat_dot;
use super::sets::Set;
use super::value::Value;
use crate::hir::GlobalId;

/// Which values of a field an event set has.
#[derive(Clone, Debug)]
pub(super) enum Choice {
    One(u32),
    Some(Rc<[u32]>),
    All,
}

impl Evaluator {
    /// A channel or constructor by its name alone.
    pub(super) fn tag_value(&mut self, id: GlobalId) -> Result<Value, Failure> {
        if let TagState::Done(tag) = &self.tags[id.0 as usize] {
            return Ok(bare(tag));
        }
        match &self.globals[id.0 as usize] {
            super::lower::GlobalCode::Constructor { .. } => Ok(Value::Tag(id)),
            _ => Ok(bare(&*self.tag(id)?)),
        }
    }

    /// No constructor at the right edge lacks a field.
    pub(super) fn is_complete(&mut self, value: &Value) -> Result<bool, Failure> {
        match value {
            Value::Tag(tag) => Ok(self.tag(*tag)?.fields.is_empty()),
            Value::Dot(dot) => {
                if let Some(known) = dot.complete.get() {
                    return Ok(known);
                }
                let fields = dot.fields.as_slice();
                let full = match dot.head {
                    Some(head) => self.tag(head)?.fields.len() == fields.len(),
                    None => true,
                };
                let last = fields.last().expect("dots have fields");
                let complete = full && self.is_complete(last)?;
                dot.complete.set(Some(complete));
                Ok(complete)
            }
            _ => Ok(true),
        }
    }

    pub(super) fn eval_dot(
        &mut self,
        list: List,
        code: CodeId,
        base: usize,
    ) -> Result<Value, Failure> {
        let mut value = self.eval(self.code.item(list, 0), base)?;
        let mut parts: SmallVec<[Value; 4]> = SmallVec::new();
        for i in 1..list.len {
            let part = self.eval(self.code.item(list, i), base)?;
            parts.push(self.canonical(part)?);
        }
        if let Value::Tag(id) = value
            && let Some(event) = self.event_at_once(id, &parts)?
        {
            return Ok(Value::Event(event));
        }
        value = self.canonical(value)?;
        for part in parts {
            value = self.dot(value, part, code)?;
        }
        Ok(value)
    }

    /// The event, if the parts are exactly the fields of a channel with finite fields.
    fn event_at_once(&mut self, id: GlobalId, parts: &[Value]) -> Result<Option<EventId>, Failure> {
        let tag = self.tag(id)?;
        if let TagKind::Channel { base, strides, .. } = &tag.kind
            && strides.len() == parts.len()
        {
            let mut event = *base;
            for ((field, stride), part) in tag.fields.iter().zip(strides).zip(parts) {
                match field {
                    Field::Finite(digits) => match digits.place(part) {
                        Some(place) => event += place * stride,
                        None => return Ok(None),
                    },
                    Field::Infinite(_) => return Ok(None),
                }
            }
            return Ok(Some(EventId(event)));
        }
        Ok(None)
    }

    /// `left . right`, both canonical.
    pub(super) fn dot(
        &mut self,
        left: Value,
        right: Value,
        code: CodeId,
    ) -> Result<Value, Failure> {
        let span = self.code.span(code);
        match &right {
            Value::Dot(dot) if dot.head.is_none() => {
                let mut value = left;
                for field in dot.fields.as_slice() {
                    value = self.append(value, field.clone(), span)?;
                }
                Ok(value)
            }
            _ => self.append(left, right, span),
        }
    }

    pub(super) fn append(
        &mut self,
        left: Value,
        part: Value,
        span: Span,
    ) -> Result<Value, Failure> {
        match &left {
            Value::Tag(id) => {
                let tag = self.tag(*id)?;
                if tag.fields.is_empty() {
                    return Ok(flat_dot(smallvec::smallvec![left, part]));
                }
                self.with_field(&tag, SmallVec::new(), part, span)
            }
            Value::Dot(dot) => {
                let mut fields: SmallVec<[Value; 2]> =
                    dot.fields.as_slice().iter().cloned().collect();
                let last = fields.last().expect("dots have fields").clone();
                if !self.is_complete(&last)? {
                    fields.pop();
                    let longer = self.append(last, part, span)?;
                    return match dot.head {
                        Some(head) => {
                            let tag = self.tag(head)?;
                            self.with_field(&tag, fields, longer, span)
                        }
                        None => {
                            fields.push(longer);
                            Ok(Value::dot(None, fields))
                        }
                    };
                }
                match dot.head {
                    Some(head) => {
                        let tag = self.tag(head)?;
                        if fields.len() < tag.fields.len() {
                            self.with_field(&tag, fields, part, span)
                        } else {
                            Ok(flat_dot(smallvec::smallvec![left, part]))
                        }
                    }
                    None => {
                        fields.push(part);
                        Ok(Value::dot(None, fields))
                    }
                }
            }
            _ => Ok(flat_dot(smallvec::smallvec![left, part])),
        }
    }

    /// Adds a field, checked if it is complete; a complete event becomes its number.
    fn with_field(
        &mut self,
        tag: &Rc<Tag>,
        mut fields: SmallVec<[Value; 2]>,
        field: Value,
        span: Span,
    ) -> Result<Value, Failure> {
        let complete = self.is_complete(&field)?;
        if complete && !self.contains(tag.fields[fields.len()].set(), &field) {
            let set = Value::Set(Rc::clone(tag.fields[fields.len()].set()));
            return Err(messages::outside(
                span,
                &self.abbreviate(&field),
                fields.len() + 1,
                self.tag_name(tag.id),
                &self.abbreviate(&set),
            ));
        }
        fields.push(field);
        if complete
            && fields.len() == tag.fields.len()
            && matches!(tag.kind, TagKind::Channel { .. })
        {
            return self.event(tag, &fields, span).map(Value::Event);
        }
        Ok(Value::dot(Some(tag.id), fields))
    }

    /// The number of an event whose fields are complete and in range.
    pub(super) fn event(
        &mut self,
        tag: &Rc<Tag>,
        fields: &[Value],
        span: Span,
    ) -> Result<EventId, Failure> {
        let TagKind::Channel {
            channel,
            base,
            strides,
            infinite,
            ..
        } = &tag.kind
        else {
            unreachable!("only channels have events")
        };
        if !infinite {
            let mut event = *base;
            for ((field, stride), value) in tag.fields.iter().zip(strides).zip(fields) {
                let Field::Finite(digits) = field else {
                    unreachable!("the channel is finite")
                };
                let place = digits.place(value).expect("the field is in range");
                event += place * stride;
            }
            return Ok(EventId(event));
        }
        let key = (tag.id, Box::from(fields));
        if let Some(event) = self.met.get(&key) {
            return Ok(*event);
        }
        let shown: Vec<String> = fields.iter().map(|f| self.show(f)).collect();
        let Some(event) = self.events.meet(*channel, shown.join(".")) else {
            let name = format!("channel {}", self.tag_name(tag.id));
            return Err(messages::too_large(span, &name));
        };
        self.met_fields.insert(event, key.1.clone());
        self.met.insert(key, event);
        Ok(event)
    }

    /// The channel of an event.
    pub(super) fn channel_of(&self, event: EventId) -> GlobalId {
        let at = self
            .events
            .channels()
            .partition_point(|c| c.base <= event.0);
        self.channels[at - 1]
    }

    /// The fields of an event if it is one of the given channel.
    pub(super) fn event_fields(
        &mut self,
        event: EventId,
        channel: GlobalId,
    ) -> Result<Option<SmallVec<[Value; 4]>>, Failure> {
        let tag = self.tag(channel)?;
        let TagKind::Channel {
            base,
            size,
            strides,
            infinite,
            ..
        } = &tag.kind
        else {
            return Ok(None);
        };
        if event.0 < *base || event.0 - base >= *size {
            return Ok(None);
        }
        if *infinite {
            return Ok(self
                .met_fields
                .get(&event)
                .map(|fields| fields.iter().cloned().collect()));
        }
        let mut left = event.0 - base;
        let mut fields = SmallVec::new();
        for (field, stride) in tag.fields.iter().zip(strides) {
            if let Field::Finite(digits) = field {
                fields.push(digits.values[(left / stride) as usize].clone());
                left %= stride;
            }
        }
        Ok(Some(fields))
    }

    /// Whether all these events have names (those of infinite channels get them when met).
    pub(super) fn all_met(&self, events: &EventSet) -> bool {
        self.events.channels().iter().all(|channel| {
            channel.met.as_ref().is_none_or(|met| {
                let unmet = channel.base + super::code::index(met.len());
                events
                    .intersection(&EventSet::range(unmet, channel.base + channel.size))
                    .is_empty()
            })
        })
    }

    /// All complete values that begin with this one.
    pub(super) fn productions(&mut self, value: &Value, code: CodeId) -> Result<Rc<Set>, Failure> {
        let value = self.canonical(value.clone())?;
        if self.is_complete(&value)? {
            return Ok(Rc::new(Set::from_values(vec![value])));
        }
        let (head, fields): (Option<GlobalId>, &[Value]) = match &value {
            Value::Tag(tag) => (Some(*tag), &[]),
            Value::Dot(dot) => (dot.head, dot.fields.as_slice()),
            _ => unreachable!("other values are complete"),
        };
        if let Some(head) = head {
            let tag = self.tag(head)?;
            if matches!(tag.kind, TagKind::Channel { .. }) {
                return self.event_productions(&tag, fields, code);
            }
        }
        let mut values = Vec::new();
        for extension in self.extension_rows(&value, code)? {
            let mut whole = value.clone();
            for part in extension {
                whole = self.append(whole, part, self.code.span(code))?;
            }
            values.push(whole);
        }
        Ok(Rc::new(Set::from_values(values)))
    }

    fn event_productions(
        &mut self,
        tag: &Rc<Tag>,
        fields: &[Value],
        code: CodeId,
    ) -> Result<Rc<Set>, Failure> {
        let TagKind::Channel {
            base,
            size,
            infinite,
            ..
        } = &tag.kind
        else {
            unreachable!("the caller looked")
        };
        if fields.is_empty() {
            return Ok(Rc::new(Set::from_events(EventSet::range(
                *base,
                base + size,
            ))));
        }
        if *infinite {
            let value = Value::dot(Some(tag.id), fields.iter().cloned().collect());
            let mut events = Vec::new();
            for row in self.extension_rows(&value, code)? {
                let mut whole = value.clone();
                for part in row {
                    whole = self.append(whole, part, self.code.span(code))?;
                }
                events.push(whole);
            }
            return Ok(Rc::new(Set::from_values(events)));
        }
        let mut choices = Vec::new();
        for (field, value) in tag.fields.iter().zip(fields) {
            let Field::Finite(digits) = field else {
                unreachable!("the channel is finite")
            };
            choices.push(match digits.place(value) {
                Some(place) => Choice::One(place),
                None => Choice::Some(self.extending(digits, value)?),
            });
        }
        choices.resize(tag.fields.len(), Choice::All);
        Ok(Rc::new(Set::from_events(event_product(tag, &choices))))
    }

    /// The numbers of the values of a field that begin with an unfinished value.
    pub(super) fn extending(
        &mut self,
        digits: &Digits,
        beginning: &Value,
    ) -> Result<Rc<[u32]>, Failure> {
        let mut places = Vec::new();
        for (place, value) in (0..).zip(&digits.values) {
            if self.begins_with(value, beginning)? {
                places.push(place);
            }
        }
        Ok(places.into())
    }

    fn begins_with(&mut self, value: &Value, beginning: &Value) -> Result<bool, Failure> {
        let (head, part): (Option<GlobalId>, &[Value]) = match beginning {
            Value::Tag(tag) => (Some(*tag), &[]),
            Value::Dot(dot) => (dot.head, dot.fields.as_slice()),
            _ => return Ok(value == beginning),
        };
        let of_event;
        let whole: &[Value] = match (value, head) {
            (Value::Dot(dot), _) if dot.head == head => dot.fields.as_slice(),
            (Value::Event(event), Some(channel)) => match self.event_fields(*event, channel)? {
                Some(fields) => {
                    of_event = fields;
                    &of_event
                }
                None => return Ok(false),
            },
            _ => return Ok(value == beginning),
        };
        let Some((last, front)) = part.split_last() else {
            return Ok(true);
        };
        Ok(whole.len() >= part.len()
            && whole[..front.len()] == *front
            && self.begins_with(&whole[front.len()], last)?)
    }

    /// The sets of the fields that are missing, innermost first.
    pub(super) fn missing(&mut self, value: &Value) -> Result<Vec<Rc<Set>>, Failure> {
        let (head, fields): (Option<GlobalId>, &[Value]) = match value {
            Value::Tag(tag) => (Some(*tag), &[]),
            Value::Dot(dot) => (dot.head, dot.fields.as_slice()),
            _ => return Ok(Vec::new()),
        };
        let mut sets = match fields.last() {
            Some(last) => self.missing(last)?,
            None => Vec::new(),
        };
        if let Some(head) = head {
            let tag = self.tag(head)?;
            sets.extend(
                tag.fields[fields.len()..]
                    .iter()
                    .map(|f| Rc::clone(f.set())),
            );
        }
        Ok(sets)
    }

    /// All ways to complete a value, as rows of fields.
    pub(super) fn extension_rows(
        &mut self,
        value: &Value,
        code: CodeId,
    ) -> Result<Vec<SmallVec<[Value; 2]>>, Failure> {
        let missing = self.missing(value)?;
        let Some(rows) = self.product(&missing)? else {
            let endless = missing.iter().find(|s| s.len().is_none());
            return Err(match endless {
                Some(set) => self.endless(set, code),
                None => messages::too_large(self.code.span(code), "the set of extensions"),
            });
        };
        // An unfinished field may be declared to have fewer values than its constructor allows.
        let nested = matches!(value, Value::Dot(dot)
            if matches!(dot.fields.as_slice().last(), Some(Value::Tag(_) | Value::Dot(_))));
        if !nested {
            return Ok(rows);
        }
        let span = self.code.span(code);
        let mut legal = Vec::new();
        for row in rows {
            let mut whole = Ok(value.clone());
            for part in &row {
                whole = whole.and_then(|w| self.append(w, part.clone(), span));
            }
            if whole.is_ok() {
                legal.push(row);
            }
        }
        Ok(legal)
    }

    /// `extensions(v)`.
    pub(super) fn extensions(&mut self, value: &Value, code: CodeId) -> Result<Value, Failure> {
        let value = self.canonical(value.clone())?;
        if let ([only], Value::Tag(_)) = (&self.missing(&value)?[..], &value) {
            return Ok(Value::Set(Rc::clone(only)));
        }
        let rows = self.extension_rows(&value, code)?;
        Ok(Value::set(Set::from_values(
            rows.into_iter().map(flat_dot).collect(),
        )))
    }
}

/// A tag without fields: an event if it is a channel that takes none.
fn bare(tag: &Tag) -> Value {
    match &tag.kind {
        TagKind::Channel { base, .. } if tag.fields.is_empty() => Value::Event(EventId(*base)),
        _ => Value::Tag(tag.id),
    }
}

/// The events of a finite channel whose fields are among the chosen ones.
pub(super) fn event_product(tag: &Tag, choices: &[Choice]) -> EventSet {
    let TagKind::Channel {
        base,
        size,
        strides,
        ..
    } = &tag.kind
    else {
        unreachable!("only channels have events")
    };
    // After the last field that is not free come whole blocks.
    let fixed = choices
        .iter()
        .rposition(|c| !matches!(c, Choice::All))
        .map_or(0, |i| i + 1);
    let block = if fixed == 0 {
        *size
    } else {
        strides[fixed - 1]
    };
    let mut offsets = vec![*base];
    for (i, choice) in choices[..fixed].iter().enumerate() {
        let stride = strides[i];
        offsets = match choice {
            Choice::One(place) => offsets.iter().map(|o| o + place * stride).collect(),
            Choice::Some(places) => offsets
                .iter()
                .flat_map(|o| places.iter().map(move |p| o + p * stride))
                .collect(),
            Choice::All => {
                let Field::Finite(digits) = &tag.fields[i] else {
                    unreachable!("the channel is finite")
                };
                let count = super::code::index(digits.values.len());
                offsets
                    .iter()
                    .flat_map(|o| (0..count).map(move |p| o + p * stride))
                    .collect()
            }
        };
    }
    EventSet::from_ranges(offsets.into_iter().map(|o| (o, o + block)).collect())
}
