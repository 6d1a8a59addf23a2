//! Functions on sets.

use std::rc::Rc;

use super::super::Evaluator;
use super::super::code::{CodeId, index};
use super::super::membership::sequences;
use super::super::messages::{self, Failure};
use super::super::sets::{self, Set, SetKind, Symbolic};
use super::super::value::Value;
use crate::hir::Builtin;

impl Evaluator {
    pub(super) fn call_set_builtin(
        &mut self,
        builtin: Builtin,
        arguments: &[Value],
        code: CodeId,
    ) -> Option<Result<Value, Failure>> {
        Some(match (builtin, arguments) {
            (Builtin::Union | Builtin::Inter | Builtin::Diff, [a, b]) => {
                self.combine(builtin, a, b, code)
            }
            (Builtin::BigUnion, [family]) => self.big_union(family, code),
            (Builtin::BigInter, [family]) => self.big_intersection(family, code),
            (Builtin::Member, [value, set]) => self.member(value, set, code),
            (Builtin::Card, [set]) => self.card(set, code),
            (Builtin::Empty, [set]) => self
                .as_set(set, code)
                .map(|set| Value::Bool(set.is_empty())),
            (Builtin::SetOf, [sequence]) => self.set_of(sequence, code),
            (Builtin::SeqOf, [set]) => self.list(set, code).map(Value::sequence),
            (Builtin::PowerSet, [set]) => self
                .as_set(set, code)
                .and_then(|set| self.subsets(&set))
                .map(Value::set),
            (Builtin::Sequences, [set]) => self
                .as_set(set, code)
                .map(|set| Value::set(sequences(&set))),
            (Builtin::Maps, [keys, values]) => self.maps(keys, values, code),
            _ => return None,
        })
    }

    fn combine(
        &mut self,
        builtin: Builtin,
        a: &Value,
        b: &Value,
        code: CodeId,
    ) -> Result<Value, Failure> {
        let (a, b) = (self.as_set(a, code)?, self.as_set(b, code)?);
        match builtin {
            Builtin::Union => self.union(&a, &b, code),
            Builtin::Inter => self.intersection(&a, &b, code),
            _ => self.difference(&a, &b, code),
        }
        .map(Value::Set)
    }

    /// The elements of a set, ascending.
    pub(super) fn list(&mut self, set: &Value, code: CodeId) -> Result<Vec<Value>, Failure> {
        let set = self.as_set(set, code)?;
        if set.len().is_some_and(|n| n > sets::LARGEST) {
            return Err(self.endless(&set, code));
        }
        let listed = self.listed(&set, code)?;
        let items = listed.iter().ok_or_else(|| self.endless(&set, code))?;
        Ok(items.collect())
    }

    fn big_union(&mut self, family: &Value, code: CodeId) -> Result<Value, Failure> {
        let members = self.list(family, code)?;
        let (mut values, mut ranges, mut described) = (Vec::new(), Vec::new(), Vec::new());
        for member in members {
            let set = self.as_set(&member, code)?;
            match set.kind() {
                SetKind::Events(events) => ranges.extend_from_slice(events.ranges()),
                SetKind::Symbolic(_) => described.push(set),
                _ if set.len().is_some_and(|n| n > sets::MOST_ROWS) => described.push(set),
                _ => values.extend(set.iter().into_iter().flatten()),
            }
        }
        let mut all = Rc::new(if ranges.is_empty() {
            Set::from_values(values)
        } else {
            Set::from_events(csp_lts::EventSet::from_ranges(ranges))
        });
        for set in described {
            all = self.union(&all, &set, code)?;
        }
        Ok(Value::Set(all))
    }

    fn big_intersection(&mut self, family: &Value, code: CodeId) -> Result<Value, Failure> {
        let mut all: Option<Rc<Set>> = None;
        for member in self.list(family, code)? {
            let set = self.as_set(&member, code)?;
            all = Some(match all {
                None => set,
                Some(all) => self.intersection(&all, &set, code)?,
            });
        }
        Ok(all.map_or_else(|| Value::set(Set::empty()), Value::Set))
    }

    fn member(&mut self, value: &Value, set: &Value, code: CodeId) -> Result<Value, Failure> {
        let set = self.as_set(set, code)?;
        let value = self.canonical(value.clone())?;
        Ok(Value::Bool(self.contains(&set, &value)))
    }

    fn card(&mut self, set: &Value, code: CodeId) -> Result<Value, Failure> {
        let set = self.as_set(set, code)?;
        let set = self.listed(&set, code)?;
        match set.len().map(i64::try_from) {
            Some(Ok(count)) => Ok(Value::Int(count)),
            _ => Err(self.endless(&set, code)),
        }
    }

    fn set_of(&mut self, sequence: &Value, code: CodeId) -> Result<Value, Failure> {
        let sequence = self.as_sequence(sequence, code)?;
        if let super::super::sequence::Sequence::Range(from, to) = &*sequence {
            return Ok(Value::set(Set::range(*from, *to)));
        }
        match self.canonical(Value::Sequence(sequence))? {
            Value::Sequence(flat) => match flat.as_slice() {
                Some(items) => Ok(Value::set(Set::from_values(items.to_vec()))),
                None => Err(messages::too_large(
                    self.code.span(code),
                    "the set of an endless sequence",
                )),
            },
            _ => unreachable!("a sequence stays a sequence"),
        }
    }

    /// `Map(K, V)`: all partial maps.
    fn maps(&mut self, keys: &Value, values: &Value, code: CodeId) -> Result<Value, Failure> {
        let (keys, values) = (self.as_set(keys, code)?, self.as_set(values, code)?);
        let count = keys.len().zip(values.len()).and_then(|(k, v)| {
            let choices = v.checked_add(1)?;
            choices.checked_pow(u32::try_from(k).ok()?)
        });
        if count.is_none_or(|n| n > 1 << 20) {
            return Ok(Value::set(Set::symbolic(Symbolic::Maps(
                Value::Set(keys),
                Value::Set(values),
            ))));
        }
        let mut all: Vec<Vec<(Value, Value)>> = vec![Vec::new()];
        for key in keys.iter().into_iter().flatten() {
            let shorter = index(all.len()) as usize;
            for i in 0..shorter {
                for value in values.iter().into_iter().flatten() {
                    let mut longer = all[i].clone();
                    longer.push((key.clone(), value));
                    all.push(longer);
                }
            }
        }
        Ok(Value::set(Set::from_values(
            all.into_iter().map(Value::map).collect(),
        )))
    }
}
