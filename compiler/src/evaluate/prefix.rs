//! Prefixes: `c.e?x!f?y:S -> P` as branches labelled with sets of events.
//!
//! An input whose variables are not used stays a set; only the values of inputs that the rest
//! depends on are taken one by one. Branches that lead to the same process are then merged.

use std::rc::Rc;
use std::sync::Arc;

use ahash::AHashMap;
use csp_grammar::Span;
use csp_lts::{EventId, EventSet};
use smallvec::SmallVec;

use super::Evaluator;
use super::code::{CodeId, FieldCode, InputCode, Pattern, PrefixCode, TimingCode};
use super::declare::{Field, Tag, TagKind};
use super::dot::{Choice, event_product};
use super::messages::{self, Failure};
use super::operations::flat_dot;
use super::sets::{self, Set};
use super::value::Value;
use crate::process::{Process, ProcessId};

/// Branches under construction, in the order in which their targets were first met.
#[derive(Default)]
pub(super) struct Branches {
    found: Vec<(ProcessId, Vec<(u32, u32)>)>,
    places: AHashMap<ProcessId, usize>,
}

impl Branches {
    pub(super) fn add(&mut self, events: &EventSet, target: ProcessId) {
        let at = *self.places.entry(target).or_insert_with(|| {
            self.found.push((target, Vec::new()));
            self.found.len() - 1
        });
        self.found[at].1.extend_from_slice(events.ranges());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The process that offers the branches.
    pub(super) fn finish(self) -> Process {
        let branches: Box<[_]> = self
            .found
            .into_iter()
            .map(|(target, ranges)| (Arc::new(EventSet::from_ranges(ranges)), target))
            .filter(|(events, _)| !events.is_empty())
            .collect();
        if branches.is_empty() {
            Process::Stop
        } else {
            Process::Prefix(branches)
        }
    }
}

/// An event in the making.
#[derive(Clone)]
struct Partial {
    tag: Rc<Tag>,
    fields: SmallVec<[Part; 4]>,
}

#[derive(Clone)]
enum Part {
    /// Some values of a finite field, by number.
    Chosen(Choice),
    /// A complete value of an infinite field, or an unfinished value at the end.
    Value(Value),
}

/// Where the branches go.
enum Sink<'a> {
    Branches(&'a mut Branches),
    /// `$` fields make an internal choice of prefixes.
    Internal(&'a mut Vec<ProcessId>),
}

impl Evaluator {
    /// The head of a prefix; `own` is the process whose head it is: timed prefixes lead back to it.
    pub(super) fn prefix_head(
        &mut self,
        prefix: &Rc<PrefixCode>,
        base: usize,
        own: ProcessId,
    ) -> Result<Process, Failure> {
        if matches!(prefix.fields.first(), Some(FieldCode::Choice(_))) {
            let mut choices = Vec::new();
            self.prefix_into(prefix, base, &mut Sink::Internal(&mut choices))?;
            if choices.is_empty() {
                return Err(messages::empty_choice(prefix.span));
            }
            return Ok(Process::Internal(choices.into()));
        }
        let mut branches = Branches::default();
        if let Some(timing) = &prefix.timing {
            let tock = self.single_event(timing.tock)?;
            branches.add(&tock, own);
        }
        self.prefix_into(prefix, base, &mut Sink::Branches(&mut branches))?;
        Ok(branches.finish())
    }

    /// Adds the branches of an untimed prefix without `$` to others.
    pub(super) fn prefix_branches(
        &mut self,
        prefix: &Rc<PrefixCode>,
        base: usize,
        branches: &mut Branches,
    ) -> Result<(), Failure> {
        self.prefix_into(prefix, base, &mut Sink::Branches(branches))
    }

    fn prefix_into(
        &mut self,
        prefix: &Rc<PrefixCode>,
        base: usize,
        sink: &mut Sink<'_>,
    ) -> Result<(), Failure> {
        let channel = self.eval(prefix.channel, base)?;
        let span = self.code.span(prefix.channel);
        let (id, given): (_, &[Value]) = match &channel {
            Value::Event(event) if prefix.fields.is_empty() => {
                return self.branch(prefix, &EventSet::single(*event), base, sink);
            }
            Value::Event(event) => (self.channel_of(*event), &[]),
            Value::Tag(id) => (*id, &[]),
            Value::Dot(dot) if dot.head.is_some() => {
                (dot.head.expect("just looked"), dot.fields.as_slice())
            }
            other => return Err(messages::incomplete_event(span, &self.abbreviate(other))),
        };
        let tag = self.tag(id)?;
        if !matches!(tag.kind, TagKind::Channel { .. }) {
            return Err(messages::incomplete_event(span, &self.abbreviate(&channel)));
        }
        let mut partial = Partial {
            tag,
            fields: SmallVec::new(),
        };
        if let Value::Event(event) = &channel {
            for field in self.event_fields(*event, id)?.into_iter().flatten() {
                self.extend(&mut partial, field, span)?;
            }
        }
        for field in given {
            self.extend(&mut partial, field.clone(), span)?;
        }
        self.fields(prefix, 0, &partial, base, sink)
    }

    /// Dots a value on to the event.
    fn extend(&mut self, partial: &mut Partial, value: Value, span: Span) -> Result<(), Failure> {
        if let Value::Dot(dot) = &value
            && dot.head.is_none()
        {
            for field in dot.fields.as_slice() {
                self.extend(partial, field.clone(), span)?;
            }
            return Ok(());
        }
        let value = match self.unfinished(partial)? {
            Some(unfinished) => {
                partial.fields.pop();
                self.append(unfinished, value, span)?
            }
            None => value,
        };
        let at = partial.fields.len();
        let Some(field) = partial.tag.fields.get(at) else {
            let name = self.tag_name(partial.tag.id);
            return Err(messages::outside_channel(
                span,
                &self.abbreviate(&value),
                name,
            ));
        };
        let part = if !self.is_complete(&value)? {
            Some(Part::Value(value.clone()))
        } else {
            match field {
                Field::Finite(digits) => digits.place(&value).map(|p| Part::Chosen(Choice::One(p))),
                Field::Infinite(set) => self
                    .contains(set, &value)
                    .then(|| Part::Value(value.clone())),
            }
        };
        match part {
            Some(part) => {
                partial.fields.push(part);
                Ok(())
            }
            None => {
                let name = self.tag_name(partial.tag.id);
                Err(messages::outside_channel(
                    span,
                    &self.abbreviate(&value),
                    name,
                ))
            }
        }
    }

    /// The last field, if it still lacks something.
    fn unfinished(&mut self, partial: &Partial) -> Result<Option<Value>, Failure> {
        if let Some(Part::Value(value)) = partial.fields.last()
            && !self.is_complete(value)?
        {
            return Ok(Some(value.clone()));
        }
        Ok(None)
    }

    fn fields(
        &mut self,
        prefix: &Rc<PrefixCode>,
        at: usize,
        partial: &Partial,
        base: usize,
        sink: &mut Sink<'_>,
    ) -> Result<(), Failure> {
        let field = prefix.fields.get(at);
        if let Sink::Internal(choices) = sink
            && !matches!(field, Some(FieldCode::Choice(_)))
        {
            let mut branches = Branches::default();
            self.fields(
                prefix,
                at,
                partial,
                base,
                &mut Sink::Branches(&mut branches),
            )?;
            let chosen = self.intern_head(branches.finish());
            choices.push(chosen);
            return Ok(());
        }
        match field {
            None => {
                let events = self.complete(partial, prefix)?;
                self.branch(prefix, &events, base, sink)
            }
            Some(FieldCode::Output(value, span)) => {
                let value = self.eval(*value, base)?;
                let value = self.canonical(value)?;
                let mut longer = partial.clone();
                self.extend(&mut longer, value, *span)?;
                self.fields(prefix, at + 1, &longer, base, sink)
            }
            Some(FieldCode::Input(input)) => {
                let whole = !input.used && input.pattern.is_irrefutable();
                if whole && let Some(longer) = self.whole_input(prefix, at, input, partial, base)? {
                    return self.fields(prefix, at + 1, &longer, base, sink);
                }
                self.each_input(prefix, at, input, partial, base, sink)
            }
            Some(FieldCode::Choice(input)) => {
                self.each_input(prefix, at, input, partial, base, sink)
            }
        }
    }

    /// An input that need not be taken apart, as a set of values; `None` if it must be after all.
    fn whole_input(
        &mut self,
        prefix: &PrefixCode,
        at: usize,
        input: &InputCode,
        partial: &Partial,
        base: usize,
    ) -> Result<Option<Partial>, Failure> {
        let mut longer = partial.clone();
        let place = partial.fields.len();
        let last = at + 1 == prefix.fields.len();
        if let Some(set) = input.set {
            if self.unfinished(partial)?.is_some() {
                return Ok(None);
            }
            let value = self.eval(set, base)?;
            let set = self.as_set(&value, set)?;
            let Some(Field::Finite(digits)) = partial.tag.fields.get(place) else {
                return Ok(None);
            };
            // The elements of an empty set may be meant for several fields; none is taken for any.
            if set.is_empty() {
                return Ok(None);
            }
            if set.compare(&digits.set).is_eq() {
                longer.fields.push(Part::Chosen(Choice::All));
                return Ok(Some(longer));
            }
            let mut places = Vec::new();
            match set.iter() {
                Some(items) => {
                    for item in items {
                        match digits.place(&item) {
                            Some(place) => places.push(place),
                            None => return Ok(None),
                        }
                    }
                }
                None => places.extend(
                    (0..)
                        .zip(&digits.values)
                        .filter(|(_, v)| self.contains(&set, v))
                        .map(|(place, _)| place),
                ),
            }
            longer
                .fields
                .push(Part::Chosen(Choice::Some(places.into())));
            return Ok(Some(longer));
        }
        if let Some(unfinished) = self.unfinished(partial)? {
            let (true, Field::Finite(digits)) = (last, &partial.tag.fields[place - 1]) else {
                return Ok(None);
            };
            let places = self.extending(digits, &unfinished)?;
            longer.fields.pop();
            longer.fields.push(Part::Chosen(Choice::Some(places)));
        } else if place >= partial.tag.fields.len() {
            return Ok(None);
        } else {
            longer.fields.push(Part::Chosen(Choice::All));
        }
        if last {
            let missing = partial.tag.fields.len() - longer.fields.len();
            longer
                .fields
                .extend((0..missing).map(|_| Part::Chosen(Choice::All)));
        }
        Ok(Some(longer))
    }

    /// Takes the values of an input one by one.
    fn each_input(
        &mut self,
        prefix: &Rc<PrefixCode>,
        at: usize,
        input: &InputCode,
        partial: &Partial,
        base: usize,
        sink: &mut Sink<'_>,
    ) -> Result<(), Failure> {
        let unfinished = self.unfinished(partial)?;
        let field = partial.tag.fields.get(partial.fields.len());
        let last = at + 1 == prefix.fields.len();
        let missing = partial.tag.fields.len() - partial.fields.len();
        let single = !matches!(input.pattern, Pattern::Dot(_)) && (!last || missing == 1);
        // The common case: exactly one finite field, whose numbers are known.
        if let (None, None, Some(Field::Finite(digits)), true) =
            (&unfinished, input.set, field, single)
        {
            for (value, place) in digits.values.iter().zip(0..) {
                if self.matches(&input.pattern, value.clone(), base)? {
                    let mut longer = partial.clone();
                    longer.fields.push(Part::Chosen(Choice::One(place)));
                    self.fields(prefix, at + 1, &longer, base, sink)?;
                }
            }
            return Ok(());
        }
        let values = match input.set {
            Some(set) => {
                let value = self.eval(set, base)?;
                let set = self.as_set(&value, set)?;
                self.input_values(&set, field, input, partial)?
            }
            None => self.input_extensions(partial, unfinished.as_ref(), input, last)?,
        };
        for value in values {
            if self.matches(&input.pattern, value.clone(), base)? {
                let mut longer = partial.clone();
                self.extend(&mut longer, value, input.span)?;
                self.fields(prefix, at + 1, &longer, base, sink)?;
            }
        }
        Ok(())
    }

    fn input_values(
        &mut self,
        set: &Rc<Set>,
        field: Option<&Field>,
        input: &InputCode,
        partial: &Partial,
    ) -> Result<Vec<Value>, Failure> {
        match (set.iter(), field) {
            (Some(_), _) if set.len().is_some_and(|n| n > sets::LARGEST) => {
                Err(messages::too_large(input.span, "the set of this input"))
            }
            (Some(items), _) => Ok(items.collect()),
            (None, Some(Field::Finite(digits))) => Ok(digits
                .values
                .iter()
                .filter(|v| self.contains(set, v))
                .cloned()
                .collect()),
            _ => Err(messages::infinite_input(
                input.span,
                self.tag_name(partial.tag.id),
            )),
        }
    }

    /// What an input without a set ranges over: one field, or all that is missing if it is the last.
    fn input_extensions(
        &mut self,
        partial: &Partial,
        unfinished: Option<&Value>,
        input: &InputCode,
        last: bool,
    ) -> Result<Vec<Value>, Failure> {
        let mut missing = match unfinished {
            Some(value) => self.missing(value)?,
            None => Vec::new(),
        };
        let rest = &partial.tag.fields[partial.fields.len()..];
        missing.extend(rest.iter().map(|f| Rc::clone(f.set())));
        if missing.is_empty() {
            return Err(messages::outside_channel(
                input.span,
                "a further field",
                self.tag_name(partial.tag.id),
            ));
        }
        if !last {
            let width = match &input.pattern {
                Pattern::Dot(parts) => self.fields_of_pattern(parts)?,
                _ => 1,
            };
            missing.truncate(width);
        }
        let Some(rows) = self.product(&missing)? else {
            return Err(messages::infinite_input(
                input.span,
                self.tag_name(partial.tag.id),
            ));
        };
        let Some(unfinished) = unfinished else {
            return Ok(rows.into_iter().map(flat_dot).collect());
        };
        // The field may be declared to have fewer values than its constructor allows.
        let Field::Finite(digits) = &partial.tag.fields[partial.fields.len() - 1] else {
            return Ok(rows.into_iter().map(flat_dot).collect());
        };
        let digits = Rc::clone(digits);
        let inner = self.missing(unfinished)?.len();
        let mut legal = Vec::new();
        for row in rows {
            let mut field = Ok(unfinished.clone());
            for part in row.iter().take(inner) {
                field = field.and_then(|f| self.append(f, part.clone(), input.span));
            }
            if let Ok(field) = field
                && (row.len() < inner || digits.place(&field).is_some())
            {
                legal.push(flat_dot(row));
            }
        }
        Ok(legal)
    }

    /// How many fields a dot pattern covers: a constructor and its arguments are one.
    fn fields_of_pattern(&mut self, parts: &[Pattern]) -> Result<usize, Failure> {
        let (mut count, mut inside) = (0, 0);
        for part in parts {
            if inside == 0 {
                count += 1;
            } else {
                inside -= 1;
            }
            if let Pattern::Tag(tag) = part {
                inside += self.tag(*tag)?.fields.len();
            }
        }
        Ok(count)
    }

    /// The events that a finished description stands for.
    fn complete(&mut self, partial: &Partial, prefix: &PrefixCode) -> Result<EventSet, Failure> {
        let tag = Rc::clone(&partial.tag);
        if partial.fields.len() < tag.fields.len() || self.unfinished(partial)?.is_some() {
            let name = format!("{} with so few fields", self.tag_name(tag.id));
            return Err(messages::incomplete_event(prefix.span, &name));
        }
        let TagKind::Channel {
            base,
            size,
            infinite,
            ..
        } = &tag.kind
        else {
            unreachable!("prefixes begin with channels")
        };
        let choices: Option<Vec<Choice>> = partial
            .fields
            .iter()
            .map(|part| match part {
                Part::Chosen(choice) => Some(choice.clone()),
                Part::Value(_) => None,
            })
            .collect();
        if let Some(choices) = choices {
            if !infinite && choices.iter().all(|c| matches!(c, Choice::All)) {
                return Ok(EventSet::range(*base, base + size));
            }
            if !infinite {
                return Ok(event_product(&tag, &choices));
            }
        }
        let mut columns = Vec::new();
        for (part, field) in partial.fields.iter().zip(&tag.fields) {
            columns.push(match (part, field) {
                (Part::Value(value), _) => Rc::new(Set::from_values(vec![value.clone()])),
                (Part::Chosen(choice), Field::Finite(digits)) => match choice {
                    Choice::All => Rc::clone(&digits.set),
                    Choice::One(p) => {
                        Rc::new(Set::from_values(vec![digits.values[*p as usize].clone()]))
                    }
                    Choice::Some(places) => Rc::new(Set::from_values(
                        places
                            .iter()
                            .map(|p| digits.values[*p as usize].clone())
                            .collect(),
                    )),
                },
                (Part::Chosen(_), Field::Infinite(set)) => Rc::clone(set),
            });
        }
        let Some(rows) = self.product(&columns)? else {
            return Err(messages::infinite_input(prefix.span, self.tag_name(tag.id)));
        };
        let mut events = Vec::new();
        for row in rows {
            events.push(self.event(&tag, &row, prefix.span)?);
        }
        Ok(events.into_iter().collect())
    }

    /// Evaluates what follows and adds a branch.
    fn branch(
        &mut self,
        prefix: &Rc<PrefixCode>,
        events: &EventSet,
        base: usize,
        sink: &mut Sink<'_>,
    ) -> Result<(), Failure> {
        if events.is_empty() {
            return Ok(());
        }
        let target = self.process_operand(prefix.body, base)?;
        let mut lone = Branches::default();
        let branches: &mut Branches = match sink {
            Sink::Branches(branches) => branches,
            Sink::Internal(_) => &mut lone,
        };
        match &prefix.timing {
            None => branches.add(events, target),
            Some(timing) => self.timed_branch(timing, events, target, base, branches, prefix)?,
        }
        if let Sink::Internal(choices) = sink {
            let chosen = self.intern_head(lone.finish());
            choices.push(chosen);
        }
        Ok(())
    }

    /// After each event its duration passes.
    fn timed_branch(
        &mut self,
        timing: &TimingCode,
        events: &EventSet,
        target: ProcessId,
        base: usize,
        branches: &mut Branches,
        prefix: &PrefixCode,
    ) -> Result<(), Failure> {
        let tock = self.single_event(timing.tock)?;
        let Some(duration) = timing.duration else {
            let after = self.tocks(&tock, 1, target, prefix.span)?;
            branches.add(events, after);
            return Ok(());
        };
        let function = self.eval(duration, base)?;
        for event in events.iter() {
            let time = self.duration(&function, event, duration)?;
            let after = self.tocks(&tock, time, target, prefix.span)?;
            branches.add(&EventSet::single(event), after);
        }
        Ok(())
    }

    fn duration(&mut self, function: &Value, event: EventId, code: CodeId) -> Result<i64, Failure> {
        let frame = self.stack.len();
        self.stack.push(Value::Event(event));
        match self.apply(function, frame, code)? {
            Value::Int(time) => Ok(time),
            other => Err(self.unexpected(code, "a duration", &other)),
        }
    }

    /// `tock -> … -> tock -> P`.
    pub(super) fn tocks(
        &mut self,
        tock: &Arc<EventSet>,
        count: i64,
        target: ProcessId,
        span: Span,
    ) -> Result<ProcessId, Failure> {
        if count < 0 {
            return Err(messages::negative_duration(span, count));
        }
        if count.unsigned_abs() > sets::MOST_ROWS {
            return Err(messages::too_large(span, "the duration"));
        }
        Ok((0..count).fold(target, |after, _| {
            self.intern_head(Process::Prefix(Box::new([(Arc::clone(tock), after)])))
        }))
    }
}
