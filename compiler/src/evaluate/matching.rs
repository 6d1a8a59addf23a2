//! Matching values against patterns.

use std::rc::Rc;

use smallvec::SmallVec;

use super::Evaluator;
use super::code::{ClauseCode, CodeId, FunctionId, Pattern, Slot};
use super::messages::{self, Failure};
use super::operations::flat_dot;
use super::run::NO_FUNCTION;
use super::sequence::Sequence;
use super::stack::Stack;
use super::value::Value;

impl Evaluator {
    /// The body of the first clause that the parameters match; binds its variables.
    #[inline]
    pub(super) fn select(
        &mut self,
        clauses: u32,
        code: CodeId,
        base: usize,
        function: FunctionId,
    ) -> Result<CodeId, Failure> {
        match selected(&self.code.clauses[clauses as usize], &mut self.stack, base) {
            Some(body) => Ok(body),
            None => self.select_slowly(clauses, code, base, function),
        }
    }

    #[inline(never)]
    fn select_slowly(
        &mut self,
        clauses: u32,
        code: CodeId,
        base: usize,
        function: FunctionId,
    ) -> Result<CodeId, Failure> {
        let clauses = Rc::clone(&self.code.clauses[clauses as usize]);
        'clauses: for clause in &*clauses {
            for (slot, pattern) in &clause.tests {
                let at = base + *slot as usize;
                match decided(pattern, &mut self.stack, at, base) {
                    Some(true) => continue,
                    Some(false) => continue 'clauses,
                    None => {}
                }
                let value = match &self.stack[at] {
                    Value::Thunk(_) | Value::Failure(_) if !pattern.is_irrefutable() => {
                        let value = self.stack[at].clone();
                        let value = self.force(value)?;
                        self.stack[at] = value.clone();
                        value
                    }
                    value => value.clone(),
                };
                if !self.matches(pattern, value, base)? {
                    continue 'clauses;
                }
            }
            return Ok(clause.body);
        }
        let call = if function == NO_FUNCTION {
            "the argument".to_owned()
        } else {
            self.describe_frame(function, base)
        };
        Err(messages::no_clause(self.code.span(code), &call))
    }

    /// The same as [`Self::matches`], quick for plain variables.
    #[inline]
    pub(super) fn binds(
        &mut self,
        pattern: &Pattern,
        value: Value,
        base: usize,
    ) -> Result<bool, Failure> {
        if let Pattern::Bind(slot) = pattern {
            self.stack[base + *slot as usize] = value;
            return Ok(true);
        }
        self.matches(pattern, value, base)
    }

    /// Whether the value matches; binds the variables of the pattern as far as it does.
    pub(super) fn matches(
        &mut self,
        pattern: &Pattern,
        value: Value,
        base: usize,
    ) -> Result<bool, Failure> {
        match pattern {
            Pattern::Bind(slot) => {
                self.stack[base + *slot as usize] = value;
                return Ok(true);
            }
            Pattern::Skip => return Ok(true),
            Pattern::Both(left, right) => {
                return Ok(
                    self.matches(left, value.clone(), base)? && self.matches(right, value, base)?
                );
            }
            _ => {}
        }
        let value = self.force(value)?;
        match (pattern, &value) {
            (Pattern::EmptySequence, Value::Sequence(sequence)) => Ok(sequence.is_empty()),
            (Pattern::Int(i), Value::Int(j)) => Ok(i == j),
            (Pattern::Bool(i), Value::Bool(j)) => Ok(i == j),
            (Pattern::Char(i), Value::Char(j)) => Ok(i == j),
            (Pattern::Tag(tag), _) => Ok(self.tag_value(*tag)? == value),
            (Pattern::Tuple(parts), Value::Tuple(items)) => {
                let items = Rc::clone(items);
                if parts.len() != items.as_slice().len() {
                    return Ok(false);
                }
                for (part, item) in parts.iter().zip(items.as_slice()) {
                    if !self.matches(part, item.clone(), base)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Pattern::Cons(first, rest), Value::Sequence(sequence)) => {
                let Some((item, tail)) = sequence.split_first() else {
                    return Ok(false);
                };
                self.stack[base + *first as usize] = item;
                self.stack[base + *rest as usize] = tail;
                Ok(true)
            }
            (Pattern::Sequence { front, rest, back }, Value::Sequence(sequence)) => {
                if back.is_empty() {
                    self.matches_front(front, rest.as_deref(), sequence, base)
                } else {
                    self.matches_both_ends(front, rest.as_deref(), back, &value, base)
                }
            }
            (Pattern::Text(text), Value::Sequence(sequence)) => {
                let mut cursor = self.cursor(sequence);
                for wanted in text.chars() {
                    match cursor.next(self)? {
                        None => return Ok(false),
                        Some(item) => {
                            if !matches!(self.force(item)?, Value::Char(c) if c == wanted) {
                                return Ok(false);
                            }
                        }
                    }
                }
                Ok(cursor.next(self)?.is_none())
            }
            (Pattern::EmptySet, Value::Set(set)) => Ok(set.is_empty()),
            (Pattern::Singleton(part), Value::Set(set)) => match (set.len(), set.iter()) {
                (Some(1), Some(mut items)) => {
                    let only = items.next().expect("a set of one element has one");
                    self.matches(part, only, base)
                }
                _ => Ok(false),
            },
            (Pattern::Dot(parts), _) => self.matches_dot(parts, &value, base),
            _ => Ok(false),
        }
    }

    fn matches_front(
        &mut self,
        front: &[Pattern],
        rest: Option<&Pattern>,
        sequence: &Rc<Sequence>,
        base: usize,
    ) -> Result<bool, Failure> {
        let (first, others) = match (front.split_first(), rest) {
            (Some(split), _) => split,
            (None, None) => return Ok(sequence.is_empty()),
            (None, Some(rest)) => {
                return self.matches(rest, Value::Sequence(Rc::clone(sequence)), base);
            }
        };
        let Some((item, mut tail)) = sequence.split_first() else {
            return Ok(false);
        };
        if !self.binds(first, item, base)? {
            return Ok(false);
        }
        for pattern in others {
            let Value::Sequence(sequence) = self.force(tail)? else {
                return Ok(false);
            };
            let Some((item, next)) = sequence.split_first() else {
                return Ok(false);
            };
            if !self.binds(pattern, item, base)? {
                return Ok(false);
            }
            tail = next;
        }
        match rest {
            Some(rest) => self.matches(rest, tail, base),
            None => Ok(matches!(
                self.force(tail)?,
                Value::Sequence(end) if end.is_empty()
            )),
        }
    }

    fn matches_both_ends(
        &mut self,
        front: &[Pattern],
        rest: Option<&Pattern>,
        back: &[Pattern],
        value: &Value,
        base: usize,
    ) -> Result<bool, Failure> {
        let Value::Sequence(sequence) = value else {
            return Ok(false);
        };
        let whole = match sequence.as_slice() {
            Some(_) => Rc::clone(sequence),
            None => {
                let mut cursor = self.cursor(sequence);
                let mut items = Vec::new();
                while let Some(item) = cursor.next(self)? {
                    items.push(item);
                }
                Rc::new(Sequence::flat(items))
            }
        };
        let items = whole.as_slice().expect("the sequence was made flat");
        let (short, exact) = (front.len() + back.len(), rest.is_none());
        if items.len() < short || exact && items.len() != short {
            return Ok(false);
        }
        let ends = front
            .iter()
            .zip(items)
            .chain(back.iter().zip(&items[items.len() - back.len()..]));
        for (pattern, item) in ends {
            if !self.matches(pattern, item.clone(), base)? {
                return Ok(false);
            }
        }
        match rest {
            Some(rest) => {
                let middle = whole.slice(front.len(), items.len() - back.len());
                self.matches(rest, Value::Sequence(middle), base)
            }
            None => Ok(true),
        }
    }

    /// Constructors are consumed by name and open up their fields; other patterns take one field
    /// (or as many as the dots inside them have), and the last takes what is left.
    fn matches_dot(
        &mut self,
        patterns: &[Pattern],
        value: &Value,
        base: usize,
    ) -> Result<bool, Failure> {
        let mut parts: SmallVec<[Value; 8]> = SmallVec::new();
        match value {
            Value::Dot(dot) if dot.head.is_none() => {
                parts.extend(dot.fields.as_slice().iter().rev().cloned());
            }
            _ => parts.push(value.clone()),
        }
        for (i, pattern) in patterns.iter().enumerate() {
            let Some(part) = parts.pop() else {
                return Ok(false);
            };
            if let Pattern::Tag(tag) = pattern {
                match &part {
                    Value::Tag(found) if found == tag => {}
                    Value::Dot(dot) if dot.head == Some(*tag) => {
                        parts.extend(dot.fields.as_slice().iter().rev().cloned());
                    }
                    Value::Event(event) => {
                        let Some(fields) = self.event_fields(*event, *tag)? else {
                            return Ok(false);
                        };
                        parts.extend(fields.into_iter().rev());
                    }
                    _ => return Ok(false),
                }
                continue;
            }
            let more = if i + 1 == patterns.len() {
                parts.len()
            } else {
                fields_taken(pattern) - 1
            };
            let taken = if more > 0 {
                let Some(rest) = parts.len().checked_sub(more) else {
                    return Ok(false);
                };
                let mut left: SmallVec<[Value; 2]> = SmallVec::new();
                left.push(part);
                left.extend(parts.drain(rest..).rev());
                flat_dot(left)
            } else {
                part
            };
            if !self.matches(pattern, taken, base)? {
                return Ok(false);
            }
        }
        Ok(parts.is_empty())
    }
}

/// How many fields a pattern takes that is not the last of a dot.
fn fields_taken(pattern: &Pattern) -> usize {
    match pattern {
        Pattern::Both(left, right) => fields_taken(left).max(fields_taken(right)),
        Pattern::Dot(parts) if !parts.iter().any(|part| matches!(part, Pattern::Tag(_))) => {
            parts.iter().map(fields_taken).sum()
        }
        _ => 1,
    }
}

/// The body of the first clause that the parameters match, if all that can be seen at once.
fn selected(clauses: &[ClauseCode], stack: &mut Stack, base: usize) -> Option<CodeId> {
    'clauses: for clause in clauses {
        for (slot, pattern) in &clause.tests {
            if !decided(pattern, stack, base + *slot as usize, base)? {
                continue 'clauses;
            }
        }
        return Some(clause.body);
    }
    None
}

/// Whether the parameter at a place matches, if that can be seen at once; binds if so.
#[inline(always)]
fn decided(pattern: &Pattern, stack: &mut Stack, at: usize, base: usize) -> Option<bool> {
    match (pattern, &stack[at]) {
        (Pattern::Int(i), Value::Int(j)) => Some(i == j),
        (Pattern::EmptySequence, Value::Sequence(sequence)) => Some(sequence.is_empty()),
        (Pattern::EmptySequence, Value::Suffix(start, whole)) => {
            Some(whole.numbered()?.len() == *start as usize)
        }
        (Pattern::Cons(first, rest), Value::Suffix(start, whole)) => {
            let (start, whole) = (*start, Rc::clone(whole));
            takes_apart(stack, base, (*first, *rest), start, whole)
        }
        (Pattern::Cons(first, rest), Value::Sequence(whole)) => {
            let whole = Rc::clone(whole);
            takes_apart(stack, base, (*first, *rest), 0, whole)
        }
        _ => None,
    }
}

/// Binds the first element of a flat sequence from `start` on and what follows, if there is one.
#[inline(always)]
fn takes_apart(
    stack: &mut Stack,
    base: usize,
    (first, rest): (Slot, Slot),
    start: u32,
    whole: Rc<Sequence>,
) -> Option<bool> {
    let Some(item) = whole.numbered()?.get(start as usize) else {
        return Some(false);
    };
    match item {
        Value::Int(number) => stack.set_int(base + first as usize, *number),
        other => stack.put(base + first as usize, other.clone()),
    }
    stack.make(base + rest as usize, || Value::Suffix(start + 1, whole));
    Some(true)
}
