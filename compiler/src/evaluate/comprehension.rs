//! Comprehensions and the generators of replicated operators.
//!
//! Sets are collected at once. Sequences are lazy in their spine: where a generator meets a tail
//! that has not been evaluated, or has no end, the rest of the comprehension becomes a thunk as
//! soon as there is a first element.

use std::rc::Rc;

use csp_lts::EventSet;

use super::Evaluator;
use super::code::{CodeId, Heads, List, SequenceComprehension, StatementCode};
use super::messages::{self, Failure};
use super::sequence::Sequence;
use super::sets::{LARGEST, Set, SetKind, Symbolic, put_in_order};
use super::value::{Resume, Thunk, ThunkState, Value};
use crate::hir::CollectionKind;

/// Buffers with room for more values than this are not kept.
const MODERATE: usize = 1 << 14;

/// A set that grows beyond this is put in order now and then, so that equal elements do not pile up.
const ROOM: usize = 1 << 16;

/// A walk along a sequence.
pub(super) struct Cursor {
    current: Option<(Rc<Sequence>, usize)>,
    /// What follows, last first.
    pending: Vec<Value>,
}

impl Cursor {
    /// The next element, which may be a thunk. Looks at the interrupt now and then: a short script can
    /// make a very long sequence.
    pub(super) fn next(&mut self, evaluator: &mut Evaluator) -> Result<Option<Value>, Failure> {
        evaluator.poll_sometimes(evaluator.at)?;
        loop {
            let Some((sequence, at)) = &mut self.current else {
                let Some(next) = self.pending.pop() else {
                    return Ok(None);
                };
                match evaluator.force(next)? {
                    Value::Sequence(sequence) => self.current = Some((sequence, 0)),
                    other => {
                        let shown = evaluator.abbreviate(&other);
                        let span = evaluator.where_now();
                        return Err(messages::unexpected(span, "a sequence", &shown));
                    }
                }
                continue;
            };
            let item = match &**sequence {
                Sequence::Range(from, to) => {
                    let item = offset(*from, *at);
                    item.filter(|item| item <= to).map(Value::Int)
                }
                Sequence::From(from) => offset(*from, *at).map(Value::Int),
                Sequence::Join { left, right, .. } => {
                    self.pending.push(right.clone());
                    self.current = Some((Rc::clone(left), 0));
                    continue;
                }
                flat => flat.as_slice().and_then(|items| items.get(*at).cloned()),
            };
            match item {
                Some(item) => {
                    *at += 1;
                    return Ok(Some(item));
                }
                None => self.current = None,
            }
        }
    }

    /// The sequence at hand and the place in it, if its elements lie side by side.
    fn side_by_side(&self) -> Option<(Rc<Sequence>, usize)> {
        let (sequence, at) = self.current.as_ref()?;
        let items = sequence.as_slice()?;
        (*at < items.len()).then(|| (Rc::clone(sequence), *at))
    }

    fn move_to(&mut self, place: usize) {
        if let Some((_, at)) = &mut self.current {
            *at = place;
        }
    }

    /// What is left of the range at hand, if there is one.
    fn range(&self) -> Option<(i64, i64)> {
        let (sequence, at) = self.current.as_ref()?;
        match &**sequence {
            Sequence::Range(from, to) => Some((offset(*from, *at)?, *to)),
            _ => None,
        }
    }

    /// Moves past a number of the range at hand.
    fn skip_to(&mut self, number: i64) {
        if let Some((sequence, at)) = &mut self.current
            && let Sequence::Range(from, _) = &**sequence
            && let Ok(place) = usize::try_from(number.abs_diff(*from))
        {
            *at = place.saturating_add(1);
        }
    }

    /// Going on means evaluating something, or there is no end.
    fn is_lazy(&self) -> bool {
        match &self.current {
            Some((sequence, at)) => match &**sequence {
                Sequence::From(_) => true,
                Sequence::Join { .. } | Sequence::Range(..) => false,
                flat => flat.as_slice().is_some_and(|items| items.len() == *at) && self.waits(),
            },
            None => self.waits(),
        }
    }

    fn waits(&self) -> bool {
        matches!(self.pending.last(), Some(Value::Thunk(thunk)) if thunk.known().is_none())
    }

    /// What has not been walked yet, as a sequence or a thunk of one.
    fn rest(self) -> Value {
        let mut rest = None;
        let mut add = |part: Value| {
            rest = Some(match rest.take() {
                None => part,
                Some(after) => Sequence::join(part, after),
            });
        };
        self.pending.into_iter().for_each(&mut add);
        if let Some((sequence, at)) = self.current {
            add(Value::Sequence(match &*sequence {
                Sequence::From(from) => Rc::new(match offset(*from, at) {
                    Some(from) => Sequence::From(from),
                    None => Sequence::empty(),
                }),
                Sequence::Range(from, to) => Rc::new(match offset(*from, at) {
                    Some(from) => Sequence::range(from, *to),
                    None => Sequence::empty(),
                }),
                flat => match flat.as_slice() {
                    Some(items) => sequence.slice(at, items.len()),
                    None => sequence,
                },
            }));
        }
        rest.unwrap_or_else(|| Value::sequence(Vec::new()))
    }
}

/// What a run of statements does with each binding.
type Leaf<'a> = dyn FnMut(&mut Evaluator) -> Result<(), Failure> + 'a;

impl Evaluator {
    pub(super) fn cursor(&self, sequence: &Rc<Sequence>) -> Cursor {
        Cursor {
            current: Some((Rc::clone(sequence), 0)),
            pending: Vec::new(),
        }
    }

    /// Runs statements in the frame at `base`, calling `leaf` for every binding.
    pub(super) fn statements(
        &mut self,
        statements: &[StatementCode],
        base: usize,
        leaf: &mut Leaf<'_>,
    ) -> Result<(), Failure> {
        let Some((first, rest)) = statements.split_first() else {
            return leaf(self);
        };
        match first {
            StatementCode::Share(slot, value) => {
                let value = self.delay(*value, base)?;
                self.stack[base + *slot as usize] = value;
                self.statements(rest, base, leaf)
            }
            StatementCode::Condition(condition) => {
                if self.truth(*condition, base)? {
                    self.statements(rest, base, leaf)?;
                }
                Ok(())
            }
            StatementCode::Generator(pattern, source) => match self.eval(*source, base)? {
                Value::Set(set) => {
                    let items = self.listed(&set, *source)?;
                    let items = items.iter().ok_or_else(|| self.endless(&set, *source))?;
                    for item in items {
                        self.poll_sometimes(*source)?;
                        if self.binds(pattern, item, base)? {
                            self.statements(rest, base, leaf)?;
                        }
                    }
                    Ok(())
                }
                Value::Sequence(sequence) => {
                    let mut cursor = self.cursor(&sequence);
                    while let Some(item) = cursor.next(self)? {
                        if self.binds(pattern, item, base)? {
                            self.statements(rest, base, leaf)?;
                        }
                    }
                    Ok(())
                }
                other => Err(self.unexpected(*source, "a set or a sequence", &other)),
            },
        }
    }

    /// The same set in a form that lists its elements.
    pub(super) fn listed(&mut self, set: &Rc<Set>, code: CodeId) -> Result<Rc<Set>, Failure> {
        match set.kind() {
            SetKind::Events(events) if !self.all_met(events) => Err(self.endless(set, code)),
            SetKind::Symbolic(Symbolic::Characters) => Ok(Rc::new(Set::from_values(
                ('\0'..=char::MAX).map(Value::Char).collect(),
            ))),
            SetKind::Symbolic(Symbolic::Dots(_)) => self.listed_dots(set),
            _ => Ok(Rc::clone(set)),
        }
    }

    pub(super) fn endless(&self, set: &Rc<Set>, code: CodeId) -> Failure {
        let shown = self.abbreviate(&Value::Set(Rc::clone(set)));
        messages::not_listable(self.code.span(code), &shown)
    }

    pub(super) fn set_comprehension(
        &mut self,
        index: u32,
        code: CodeId,
        base: usize,
    ) -> Result<Value, Failure> {
        let comprehension = Rc::clone(&self.code.set_comprehensions[index as usize]);
        let (mut values, mut ranges, mut endless) = (Vec::new(), Vec::new(), None::<i64>);
        let mut room = ROOM;
        self.statements(&comprehension.statements, base, &mut |evaluator| {
            if values.len() > room {
                put_in_order(&mut values);
                room = ROOM.max(2 * values.len());
            }
            match (comprehension.heads, comprehension.kind) {
                (Heads::Items(list), CollectionKind::Enumerated) => {
                    for i in 0..list.len {
                        let head = evaluator.code.item(list, i);
                        let value = evaluator.eval(head, base)?;
                        evaluator.produce(&value, head, &mut values, &mut ranges)?;
                    }
                }
                (Heads::Items(list), _) => {
                    for i in 0..list.len {
                        let head = evaluator.code.item(list, i);
                        let value = evaluator.eval(head, base)?;
                        values.push(evaluator.canonical(value)?);
                    }
                }
                (heads @ Heads::Range(..), _) => match evaluator.head_range(heads, base)? {
                    Some((from, Some(to))) => {
                        evaluator.check_room(values.len(), from, to, code)?;
                        values.extend((from..=to).map(Value::Int));
                    }
                    Some((from, None)) => endless = Some(endless.map_or(from, |n| n.min(from))),
                    None => unreachable!("the heads are a range"),
                },
            }
            Ok(())
        })?;
        let listed = Rc::new(collected(values, ranges));
        match endless {
            None => Ok(Value::Set(listed)),
            Some(from) => {
                let tail = Rc::new(Set::symbolic(Symbolic::From(from)));
                self.union(&tail, &listed, code).map(Value::Set)
            }
        }
    }

    /// `{| a, b |}`.
    pub(super) fn enumerated(
        &mut self,
        list: List,
        code: CodeId,
        base: usize,
    ) -> Result<Value, Failure> {
        let (mut values, mut ranges) = (Vec::new(), Vec::new());
        for value in self.eval_all(list, base)? {
            self.produce(&value, code, &mut values, &mut ranges)?;
        }
        Ok(Value::set(collected(values, ranges)))
    }

    /// Adds all completions of a value to a set under construction.
    fn produce(
        &mut self,
        value: &Value,
        code: CodeId,
        values: &mut Vec<Value>,
        ranges: &mut Vec<(u32, u32)>,
    ) -> Result<(), Failure> {
        let set = self.productions(value, code)?;
        match set.kind() {
            SetKind::Events(events) => ranges.extend_from_slice(events.ranges()),
            _ => values.extend(set.iter().ok_or_else(|| self.endless(&set, code))?),
        }
        Ok(())
    }

    pub(super) fn sequence_comprehension(
        &mut self,
        index: u32,
        base: usize,
    ) -> Result<Value, Failure> {
        let comprehension = Rc::clone(&self.code.sequence_comprehensions[index as usize]);
        let frame = self.open_inside(comprehension.unit, base);
        let mut out = std::mem::take(&mut self.spare);
        let result = self.sequence_from(&comprehension, 0, frame, &mut out);
        self.stack.close(frame);
        self.finished(out, result)
    }

    /// Runs the statements from one on. Appends elements; gives the rest if it stopped early.
    fn sequence_from(
        &mut self,
        comprehension: &Rc<SequenceComprehension>,
        statement: usize,
        base: usize,
        out: &mut Vec<Value>,
    ) -> Result<Option<Value>, Failure> {
        match comprehension.statements.get(statement) {
            None => self.sequence_heads(comprehension.heads, base, out),
            Some(StatementCode::Share(slot, value)) => {
                let value = self.delay(*value, base)?;
                self.stack[base + *slot as usize] = value;
                self.sequence_from(comprehension, statement + 1, base, out)
            }
            Some(StatementCode::Condition(condition)) => {
                if self.truth(*condition, base)? {
                    self.sequence_from(comprehension, statement + 1, base, out)
                } else {
                    Ok(None)
                }
            }
            Some(StatementCode::Generator(_, source)) => {
                let sequence = match self.eval(*source, base)? {
                    Value::Sequence(sequence) => sequence,
                    Value::Set(set) => {
                        let set = self.listed(&set, *source)?;
                        let items = set.iter().ok_or_else(|| self.endless(&set, *source))?;
                        Rc::new(Sequence::flat(items.collect()))
                    }
                    other => return Err(self.unexpected(*source, "a sequence", &other)),
                };
                let cursor = self.cursor(&sequence);
                self.draw(comprehension, statement, cursor, base, out)
            }
        }
    }

    /// Goes on with a generator. Elements that lie side by side are drawn without looking back.
    fn draw(
        &mut self,
        comprehension: &Rc<SequenceComprehension>,
        statement: usize,
        mut cursor: Cursor,
        base: usize,
        out: &mut Vec<Value>,
    ) -> Result<Option<Value>, Failure> {
        let StatementCode::Generator(_, source) = &comprehension.statements[statement] else {
            unreachable!("only generators draw")
        };
        loop {
            if let Some((sequence, start)) = cursor.side_by_side() {
                let items = sequence.as_slice().expect("the cursor looked");
                for (i, item) in items.iter().enumerate().skip(start) {
                    self.poll_sometimes(*source)?;
                    if let (Some(slot), Value::Int(number)) = (comprehension.filter, item) {
                        self.pick(comprehension, base + slot as usize, *number, base, out)?;
                        continue;
                    }
                    let rest = self.draw_one(comprehension, statement, item.clone(), base, out)?;
                    if let Some(rest) = rest {
                        cursor.move_to(i + 1);
                        let later = self.suspend_draw(comprehension, statement, cursor, base);
                        return Ok(Some(Sequence::join(rest, later)));
                    }
                }
                cursor.move_to(items.len());
            }
            if let Some((first, last)) = cursor.range() {
                for number in first..=last {
                    self.poll_sometimes(*source)?;
                    let item = Value::Int(number);
                    let rest = self.draw_one(comprehension, statement, item, base, out)?;
                    if let Some(rest) = rest {
                        cursor.skip_to(number);
                        let later = self.suspend_draw(comprehension, statement, cursor, base);
                        return Ok(Some(Sequence::join(rest, later)));
                    }
                }
                cursor.skip_to(last);
            }
            if !out.is_empty() && cursor.is_lazy() {
                return Ok(Some(self.suspend_draw(
                    comprehension,
                    statement,
                    cursor,
                    base,
                )));
            }
            let Some(item) = cursor.next(self)? else {
                return Ok(None);
            };
            if let Some(rest) = self.draw_one(comprehension, statement, item, base, out)? {
                let later = self.suspend_draw(comprehension, statement, cursor, base);
                return Ok(Some(Sequence::join(rest, later)));
            }
        }
    }

    /// Keeps a number of `<x | x <- s, conditions>` if the conditions hold.
    #[inline(always)]
    fn pick(
        &mut self,
        comprehension: &Rc<SequenceComprehension>,
        place: usize,
        number: i64,
        base: usize,
        out: &mut Vec<Value>,
    ) -> Result<(), Failure> {
        self.stack.set_int(place, number);
        for statement in &comprehension.statements[1..] {
            if let StatementCode::Condition(condition) = statement
                && !self.truth(*condition, base)?
            {
                return Ok(());
            }
        }
        out.push(Value::Int(number));
        Ok(())
    }

    /// One element of a generator: binds it and goes through the statements that follow.
    #[inline(always)]
    fn draw_one(
        &mut self,
        comprehension: &Rc<SequenceComprehension>,
        statement: usize,
        item: Value,
        base: usize,
        out: &mut Vec<Value>,
    ) -> Result<Option<Value>, Failure> {
        let StatementCode::Generator(pattern, _) = &comprehension.statements[statement] else {
            unreachable!("only generators draw")
        };
        if !self.binds(pattern, item, base)? {
            return Ok(None);
        }
        let mut next = statement + 1;
        while let Some(StatementCode::Condition(condition)) = comprehension.statements.get(next) {
            if !self.truth(*condition, base)? {
                return Ok(None);
            }
            next += 1;
        }
        if next < comprehension.statements.len() {
            self.sequence_from(comprehension, next, base, out)
        } else {
            self.sequence_heads(comprehension.heads, base, out)
        }
    }

    fn suspend_draw(
        &self,
        comprehension: &Rc<SequenceComprehension>,
        statement: usize,
        cursor: Cursor,
        base: usize,
    ) -> Value {
        let slots = self.code.unit(comprehension.unit).slots as usize;
        Thunk::of(ThunkState::Resume(Box::new(Resume {
            comprehension: Rc::clone(comprehension),
            statement,
            frame: self.stack[base..base + slots].into(),
            rest: cursor.rest(),
        })))
    }

    /// Goes on with a comprehension that stopped early.
    pub(super) fn resume(&mut self, resume: &Resume) -> Result<Value, Failure> {
        let rest = self.force(resume.rest.clone())?;
        let rest = self.as_sequence(&rest, self.at)?;
        let base = self.stack.len();
        self.stack.extend(resume.frame.iter().cloned());
        let (cursor, mut out) = (self.cursor(&rest), std::mem::take(&mut self.spare));
        let result = self.draw(
            &resume.comprehension,
            resume.statement,
            cursor,
            base,
            &mut out,
        );
        self.stack.close(base);
        self.finished(out, result)
    }

    /// The elements found so far and the rest, as one sequence. A moderate buffer is kept for the next
    /// comprehension, so that short sequences take exactly the room they need.
    fn finished(
        &mut self,
        mut out: Vec<Value>,
        rest: Result<Option<Value>, Failure>,
    ) -> Result<Value, Failure> {
        let found = if out.is_empty() {
            self.spare = out;
            self.empty.clone()
        } else if out.capacity() > MODERATE {
            Value::sequence(out)
        } else {
            let found = Sequence::drain(&mut out);
            self.spare = out;
            Value::Sequence(Rc::new(found))
        };
        match rest? {
            None => Ok(found),
            Some(rest) => self.force(Sequence::join(found, rest)),
        }
    }

    #[inline]
    fn sequence_heads(
        &mut self,
        heads: Heads,
        base: usize,
        out: &mut Vec<Value>,
    ) -> Result<Option<Value>, Failure> {
        match heads {
            Heads::Items(list) => {
                for i in 0..list.len {
                    let value = self.delay(self.code.item(list, i), base)?;
                    out.push(value);
                }
                Ok(None)
            }
            Heads::Range(..) => match self.head_range(heads, base)? {
                Some((from, Some(to))) => {
                    self.check_room(out.len(), from, to, self.at)?;
                    out.extend((from..=to).map(Value::Int));
                    Ok(None)
                }
                Some((from, None)) => Ok(Some(Value::Sequence(Rc::new(Sequence::From(from))))),
                None => unreachable!("the heads are a range"),
            },
        }
    }

    /// Refuses to list a range that makes a collection too large.
    fn check_room(&self, before: usize, from: i64, to: i64, code: CodeId) -> Result<(), Failure> {
        if from <= to && to.abs_diff(from).saturating_add(before as u64) > LARGEST {
            return Err(messages::too_large(self.code.span(code), "the range"));
        }
        Ok(())
    }

    pub(super) fn poll_sometimes(&mut self, code: CodeId) -> Result<(), Failure> {
        self.countdown = self.countdown.wrapping_sub(1);
        if self.countdown == 0 {
            self.poll(code)
        } else {
            Ok(())
        }
    }
}

/// The integer this many places on, unless there is none.
fn offset(from: i64, places: usize) -> Option<i64> {
    from.checked_add(i64::try_from(places).ok()?)
}

/// A set of values, or of events by their ranges.
fn collected(mut values: Vec<Value>, ranges: Vec<(u32, u32)>) -> Set {
    if ranges.is_empty() {
        return Set::from_values(values);
    }
    let events = EventSet::from_ranges(ranges);
    if values.is_empty() {
        return Set::from_events(events);
    }
    values.extend(events.iter().map(Value::Event));
    Set::from_values(values)
}
