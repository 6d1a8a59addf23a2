//! Functions on maps.

use std::rc::Rc;

use super::super::Evaluator;
use super::super::code::CodeId;
use super::super::messages::{self, Failure};
use super::super::value::{Map, Value};
use crate::hir::Builtin;

impl Evaluator {
    pub(super) fn call_map_builtin(
        &mut self,
        builtin: Builtin,
        arguments: &[Value],
        code: CodeId,
    ) -> Option<Result<Value, Failure>> {
        Some(match (builtin, arguments) {
            (Builtin::MapFromList, [pairs]) => self.pairs_of(pairs, code).map(Value::map),
            (Builtin::MapToList, [map]) => self.as_map(map, code).map(|map| {
                let pair = |(k, v): &(Value, Value)| {
                    Value::tuple(smallvec::smallvec![k.clone(), v.clone()])
                };
                Value::sequence(map.entries.iter().map(pair).collect())
            }),
            (Builtin::MapLookup, [map, key]) => self.map_lookup(map, key, code),
            (Builtin::MapMember, [map, key]) => self
                .place(map, key, code)
                .map(|(_, place)| Value::Bool(place.is_ok())),
            (Builtin::MapUpdate, [map, key, value]) => self.map_update(map, key, value, code),
            (Builtin::MapUpdateMultiple, [map, pairs]) => self.map_update_all(map, pairs, code),
            (Builtin::MapDelete, [map, key]) => {
                self.place(map, key, code).map(|(map, place)| match place {
                    Ok(i) => {
                        let mut entries = map.entries.clone();
                        entries.remove(i);
                        Value::Map(Rc::new(Map::new(entries)))
                    }
                    Err(_) => Value::Map(map),
                })
            }
            _ => return None,
        })
    }

    fn as_map(&self, value: &Value, code: CodeId) -> Result<Rc<Map>, Failure> {
        match value {
            Value::Map(map) => Ok(Rc::clone(map)),
            other => Err(self.unexpected(code, "a map", other)),
        }
    }

    /// Where a key is, or where it would go.
    fn place(
        &mut self,
        map: &Value,
        key: &Value,
        code: CodeId,
    ) -> Result<(Rc<Map>, Result<usize, usize>), Failure> {
        let map = self.as_map(map, code)?;
        let key = self.canonical(key.clone())?;
        let place = map.entries.binary_search_by(|entry| entry.0.cmp(&key));
        Ok((map, place))
    }

    fn map_lookup(&mut self, map: &Value, key: &Value, code: CodeId) -> Result<Value, Failure> {
        let (map, place) = self.place(map, key, code)?;
        match place {
            Ok(i) => Ok(map.entries[i].1.clone()),
            Err(_) => {
                let key = self.canonical(key.clone())?;
                Err(messages::no_key(
                    self.code.span(code),
                    &self.abbreviate(&key),
                ))
            }
        }
    }

    fn map_update(
        &mut self,
        map: &Value,
        key: &Value,
        value: &Value,
        code: CodeId,
    ) -> Result<Value, Failure> {
        let (map, place) = self.place(map, key, code)?;
        let value = self.canonical(value.clone())?;
        let mut entries = map.entries.clone();
        match place {
            Ok(i) => entries[i].1 = value,
            Err(i) => entries.insert(i, (self.canonical(key.clone())?, value)),
        }
        Ok(Value::Map(Rc::new(Map::new(entries))))
    }

    /// Folds from the right, so of two pairs with one key the first wins.
    fn map_update_all(
        &mut self,
        map: &Value,
        pairs: &Value,
        code: CodeId,
    ) -> Result<Value, Failure> {
        let map = self.as_map(map, code)?;
        let mut entries = map.entries.clone();
        entries.extend(self.pairs_of(pairs, code)?.into_iter().rev());
        Ok(Value::map(entries))
    }

    fn pairs_of(&mut self, pairs: &Value, code: CodeId) -> Result<Vec<(Value, Value)>, Failure> {
        let sequence = self.as_sequence(pairs, code)?;
        let mut cursor = self.cursor(&sequence);
        let mut out = Vec::new();
        while let Some(item) = cursor.next(self)? {
            match self.canonical(item)? {
                Value::Tuple(pair) if pair.as_slice().len() == 2 => {
                    out.push((pair.as_slice()[0].clone(), pair.as_slice()[1].clone()));
                }
                other => return Err(self.unexpected(code, "a pair", &other)),
            }
        }
        Ok(out)
    }
}
