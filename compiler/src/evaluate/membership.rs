//! Membership and set algebra, described sets included.

use std::rc::Rc;

use super::Evaluator;
use super::code::CodeId;
use super::declare::TagState;
use super::lower::GlobalCode;
use super::messages::{self, Failure};
use super::sequence::Sequence;
use super::sets::{self, Set, SetKind, Symbolic};
use super::value::Value;
use crate::hir::GlobalId;

impl Evaluator {
    /// Whether a canonical value is in a set.
    pub(super) fn contains(&self, set: &Set, value: &Value) -> bool {
        if let Some(answer) = set.lists(value) {
            return answer;
        }
        let SetKind::Symbolic(symbolic) = set.kind() else {
            unreachable!("the other sets are listed")
        };
        let within = |part: &Value, value: &Value| match part {
            Value::Set(part) => self.contains(part, value),
            _ => false,
        };
        match (symbolic, value) {
            (Symbolic::Integers, Value::Int(_))
            | (Symbolic::Characters, Value::Char(_))
            | (Symbolic::Processes, Value::Process(_)) => true,
            (Symbolic::From(from), Value::Int(i)) => i >= from,
            (Symbolic::Sequences(base), Value::Sequence(sequence)) => match &**sequence {
                Sequence::Flat(items) => items.as_slice().iter().all(|v| within(base, v)),
                _ => false,
            },
            (Symbolic::Subsets(base), Value::Set(part)) => match part.iter() {
                Some(mut items) => items.all(|v| within(base, &v)),
                None => base == value,
            },
            (Symbolic::Tuples(parts), Value::Tuple(items)) => {
                let items = items.as_slice();
                items.len() == parts.len() && parts.iter().zip(items).all(|(p, v)| within(p, v))
            }
            (Symbolic::Dots(parts), Value::Dot(dot)) if dot.head.is_none() => {
                let fields = dot.fields.as_slice();
                fields.len() == parts.len() && parts.iter().zip(fields).all(|(p, v)| within(p, v))
            }
            (Symbolic::Tagged(tag, parts), Value::Dot(dot)) if dot.head == Some(*tag) => {
                let fields = dot.fields.as_slice();
                fields.len() == parts.len() && parts.iter().zip(fields).all(|(p, v)| within(p, v))
            }
            (Symbolic::Tagged(tag, parts), Value::Tag(found)) => parts.is_empty() && found == tag,
            (Symbolic::Maps(keys, values), Value::Map(map)) => map
                .entries
                .iter()
                .all(|(k, v)| within(keys, k) && within(values, v)),
            (Symbolic::Datatype(datatype), Value::Tag(tag)) => {
                self.belongs(*tag, *datatype) && self.takes(*tag) == Some(0)
            }
            (Symbolic::Datatype(datatype), Value::Dot(dot)) => dot.head.is_some_and(|tag| {
                self.belongs(tag, *datatype) && self.takes(tag) == Some(dot.fields.as_slice().len())
            }),
            (Symbolic::Union(parts), _) => parts.iter().any(|part| within(part, value)),
            _ => false,
        }
    }

    fn belongs(&self, tag: GlobalId, wanted: GlobalId) -> bool {
        matches!(&self.globals[tag.0 as usize],
            GlobalCode::Constructor { datatype, .. } if *datatype == wanted)
    }

    fn takes(&self, tag: GlobalId) -> Option<usize> {
        match (&self.tags[tag.0 as usize], &self.globals[tag.0 as usize]) {
            (TagState::Done(tag), _) => Some(tag.fields.len()),
            (_, GlobalCode::Constructor { fields: None, .. }) => Some(0),
            _ => None,
        }
    }

    pub(super) fn union(
        &mut self,
        a: &Rc<Set>,
        b: &Rc<Set>,
        code: CodeId,
    ) -> Result<Rc<Set>, Failure> {
        if a.is_empty() || Rc::ptr_eq(a, b) {
            return Ok(Rc::clone(b));
        }
        if b.is_empty() {
            return Ok(Rc::clone(a));
        }
        if let Some(set) = a.union(b) {
            return Ok(Rc::new(set));
        }
        for (small, large) in [(a, b), (b, a)] {
            if self.is_subset(small, large, code).unwrap_or(false) {
                return Ok(Rc::clone(large));
            }
        }
        let mut parts = Vec::new();
        for set in [a, b] {
            match set.kind() {
                SetKind::Symbolic(Symbolic::Union(inner)) => parts.extend_from_slice(inner),
                SetKind::Symbolic(Symbolic::From(from)) => {
                    // A listed neighbour may lengthen the range.
                    let other = if Rc::ptr_eq(set, a) { b } else { a };
                    if let Some(longer) = extended(*from, other) {
                        return Ok(Rc::new(longer));
                    }
                    parts.push(Value::Set(Rc::clone(set)));
                }
                _ => parts.push(Value::Set(Rc::clone(set))),
            }
        }
        parts.sort();
        parts.dedup();
        Ok(Rc::new(Set::symbolic(Symbolic::Union(parts.into()))))
    }

    pub(super) fn intersection(
        &mut self,
        a: &Rc<Set>,
        b: &Rc<Set>,
        code: CodeId,
    ) -> Result<Rc<Set>, Failure> {
        if Rc::ptr_eq(a, b) {
            return Ok(Rc::clone(a));
        }
        if let Some(set) = a.intersection(b) {
            return Ok(Rc::new(set));
        }
        for (listed, other) in [(a, b), (b, a)] {
            if listed.len().is_some_and(|n| n > sets::LARGEST) {
                continue;
            }
            if let Some(items) = listed.iter() {
                let kept = items.filter(|v| self.contains(other, v)).collect();
                return Ok(Rc::new(Set::from_values(kept)));
            }
        }
        for (small, large) in [(a, b), (b, a)] {
            if self.is_subset(small, large, code).unwrap_or(false) {
                return Ok(Rc::clone(small));
            }
        }
        let (SetKind::Symbolic(x), SetKind::Symbolic(y)) = (a.kind(), b.kind()) else {
            return Err(self.undescribed("the intersection", a, b, code));
        };
        match (x, y) {
            (Symbolic::Sequences(Value::Set(x)), Symbolic::Sequences(Value::Set(y))) => {
                let base = self.intersection(x, y, code)?;
                Ok(Rc::new(sequences(&base)))
            }
            (Symbolic::Subsets(Value::Set(x)), Symbolic::Subsets(Value::Set(y))) => {
                let base = self.intersection(x, y, code)?;
                Ok(Rc::new(self.subsets(&base)?))
            }
            (Symbolic::Tuples(x), Symbolic::Tuples(y)) if x.len() == y.len() => {
                let mut parts = Vec::new();
                for pair in x.iter().zip(y.iter()) {
                    if let (Value::Set(p), Value::Set(q)) = pair {
                        parts.push(self.intersection(p, q, code)?);
                    }
                }
                match self.tuples(&parts)? {
                    Value::Set(set) => Ok(set),
                    _ => unreachable!("tuples gives a set"),
                }
            }
            _ => Err(self.undescribed("the intersection", a, b, code)),
        }
    }

    pub(super) fn difference(
        &mut self,
        a: &Rc<Set>,
        b: &Rc<Set>,
        code: CodeId,
    ) -> Result<Rc<Set>, Failure> {
        if let Some(set) = a.difference(b) {
            return Ok(Rc::new(set));
        }
        if a.len().is_some_and(|n| n > sets::LARGEST) {
            return Err(self.undescribed("the difference", a, b, code));
        }
        if let Some(items) = a.iter() {
            let kept = items.filter(|v| !self.contains(b, v)).collect();
            return Ok(Rc::new(Set::from_values(kept)));
        }
        if self.is_subset(a, b, code).unwrap_or(false) {
            return Ok(Rc::new(Set::empty()));
        }
        if let SetKind::Symbolic(Symbolic::From(from)) = a.kind() {
            match b.kind() {
                SetKind::Symbolic(Symbolic::From(to)) => {
                    return Ok(Rc::new(Set::range(*from, to - 1)));
                }
                SetKind::Range(_, high) if high < from => return Ok(Rc::clone(a)),
                SetKind::Range(low, high) if *high < i64::MAX => {
                    let tail = Rc::new(Set::symbolic(Symbolic::From(high + 1)));
                    let front = Rc::new(Set::range(*from, low.saturating_sub(1)));
                    return self.union(&tail, &front, code);
                }
                _ => {}
            }
        }
        if let Some(mut items) = b.iter()
            && !items.any(|v| self.contains(a, &v))
        {
            return Ok(Rc::clone(a));
        }
        Err(self.undescribed("the difference", a, b, code))
    }

    /// Whether one set is within another, as far as that can be told.
    pub(super) fn is_subset(
        &mut self,
        a: &Rc<Set>,
        b: &Rc<Set>,
        code: CodeId,
    ) -> Result<bool, Failure> {
        if Rc::ptr_eq(a, b) || a.compare(b).is_eq() {
            return Ok(true);
        }
        if let Some(answer) = a.is_subset(b) {
            return Ok(answer);
        }
        if let (SetKind::Range(low, _), SetKind::Symbolic(Symbolic::From(from))) =
            (a.kind(), b.kind())
        {
            return Ok(low >= from);
        }
        if let Some(mut items) = a.iter() {
            return Ok(items.all(|v| self.contains(b, &v)));
        }
        let (SetKind::Symbolic(x), SetKind::Symbolic(y)) = (a.kind(), b.kind()) else {
            // A described set is infinite or very large, so it is not within a listed one.
            return Ok(false);
        };
        match (x, y) {
            (Symbolic::From(_), Symbolic::Integers) => Ok(true),
            (Symbolic::Integers, Symbolic::From(_)) => Ok(false),
            (Symbolic::From(m), Symbolic::From(n)) => Ok(m >= n),
            (Symbolic::Sequences(Value::Set(x)), Symbolic::Sequences(Value::Set(y)))
            | (Symbolic::Subsets(Value::Set(x)), Symbolic::Subsets(Value::Set(y))) => {
                self.is_subset(x, y, code)
            }
            (Symbolic::Tuples(x), Symbolic::Tuples(y)) | (Symbolic::Dots(x), Symbolic::Dots(y))
                if x.len() == y.len() =>
            {
                for pair in x.iter().zip(y.iter()) {
                    if let (Value::Set(p), Value::Set(q)) = pair
                        && !self.is_subset(p, q, code)?
                    {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Symbolic::Tagged(tag, _), Symbolic::Datatype(datatype)) => {
                Ok(self.belongs(*tag, *datatype))
            }
            (Symbolic::Union(parts), _) => {
                for part in parts {
                    if let Value::Set(part) = part
                        && !self.is_subset(part, b, code)?
                    {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (_, Symbolic::Union(parts)) => {
                for part in parts {
                    if let Value::Set(part) = part
                        && self.is_subset(a, part, code).unwrap_or(false)
                    {
                        return Ok(true);
                    }
                }
                Err(self.undescribed("the comparison", a, b, code))
            }
            _ => Err(self.undescribed("the comparison", a, b, code)),
        }
    }

    fn undescribed(&self, operation: &str, a: &Rc<Set>, b: &Rc<Set>, code: CodeId) -> Failure {
        let shown = |set: &Rc<Set>| self.abbreviate(&Value::Set(Rc::clone(set)));
        messages::no_description(self.code.span(code), operation, &shown(a), &shown(b))
    }
}

/// `{from ..}` with a listed set that reaches up to it.
fn extended(from: i64, listed: &Set) -> Option<Set> {
    match listed.kind() {
        SetKind::Range(low, high) if high.checked_add(1)? >= from => {
            Some(Set::symbolic(Symbolic::From(from.min(*low))))
        }
        _ => None,
    }
}

/// `Seq(base)`.
pub(super) fn sequences(base: &Rc<Set>) -> Set {
    if base.is_empty() {
        Set::from_values(vec![Value::sequence(Vec::new())])
    } else {
        Set::symbolic(Symbolic::Sequences(Value::Set(Rc::clone(base))))
    }
}
