//! Functions on relations, that is, on sets of pairs.

use ahash::{AHashMap, AHashSet};

use super::super::Evaluator;
use super::super::code::CodeId;
use super::super::messages::Failure;
use super::super::sets::Set;
use super::super::value::Value;
use crate::hir::Builtin;

impl Evaluator {
    pub(super) fn call_relation_builtin(
        &mut self,
        builtin: Builtin,
        arguments: &[Value],
        code: CodeId,
    ) -> Option<Result<Value, Failure>> {
        Some(match (builtin, arguments) {
            (Builtin::Transpose, [relation]) => self.relation(relation, code).map(|pairs| {
                let turned = pairs.into_iter().map(|(a, b)| pair(b, a));
                Value::set(Set::from_values(turned.collect()))
            }),
            (Builtin::Mtransclose, [relation, domain]) => self.mtransclose(relation, domain, code),
            _ => return None,
        })
    }

    /// The pairs of a relation, ascending.
    pub(super) fn relation(
        &mut self,
        relation: &Value,
        code: CodeId,
    ) -> Result<Vec<(Value, Value)>, Failure> {
        self.list(relation, code)?
            .into_iter()
            .map(|item| match &item {
                Value::Tuple(pair) if pair.as_slice().len() == 2 => {
                    Ok((pair.as_slice()[0].clone(), pair.as_slice()[1].clone()))
                }
                other => Err(self.unexpected(code, "a set of pairs", other)),
            })
            .collect()
    }

    /// A function from a value to the set of values related to it, looked up in a map made once.
    pub(super) fn index_relation(
        &mut self,
        builtin: Builtin,
        relation: &Value,
        code: CodeId,
    ) -> Result<Value, Failure> {
        let mut images: Vec<(Value, Vec<Value>)> = Vec::new();
        let mut places: AHashMap<Value, usize> = AHashMap::new();
        for (a, b) in self.relation(relation, code)? {
            let (key, value) = if builtin == Builtin::RelationalImage {
                (a, b)
            } else {
                (b, a)
            };
            let at = *places.entry(key.clone()).or_insert_with(|| {
                images.push((key, Vec::new()));
                images.len() - 1
            });
            images[at].1.push(value);
        }
        let entries = images
            .into_iter()
            .map(|(key, values)| (key, Value::set(Set::from_values(values))));
        Ok(Self::curried(builtin, Value::map(entries.collect())))
    }

    pub(super) fn look_up_relation(&mut self, index: &Value, key: Value) -> Result<Value, Failure> {
        let key = self.canonical(key)?;
        let Value::Map(map) = index else {
            unreachable!("relations are indexed by maps")
        };
        Ok(
            match map.entries.binary_search_by(|entry| entry.0.cmp(&key)) {
                Ok(i) => map.entries[i].1.clone(),
                Err(_) => Value::set(Set::empty()),
            },
        )
    }

    /// One representative for each class of the symmetric and transitive closure within the domain,
    /// as pairs (representative, other).
    fn mtransclose(
        &mut self,
        relation: &Value,
        domain: &Value,
        code: CodeId,
    ) -> Result<Value, Failure> {
        let domain = self.list(domain, code)?;
        let mut neighbours: AHashMap<Value, Vec<Value>> = AHashMap::new();
        for (a, b) in self.relation(relation, code)? {
            neighbours.entry(a.clone()).or_default().push(b.clone());
            neighbours.entry(b).or_default().push(a);
        }
        let allowed: AHashSet<&Value> = domain.iter().collect();
        let (mut seen, mut out) = (AHashSet::new(), Vec::new());
        for representative in &domain {
            if !seen.insert(representative.clone()) {
                continue;
            }
            let mut queue = vec![representative.clone()];
            while let Some(value) = queue.pop() {
                for next in neighbours.get(&value).into_iter().flatten() {
                    if seen.insert(next.clone()) {
                        if allowed.contains(next) {
                            out.push(pair(representative.clone(), next.clone()));
                        }
                        queue.push(next.clone());
                    }
                }
            }
        }
        Ok(Value::set(Set::from_values(out)))
    }
}

fn pair(a: Value, b: Value) -> Value {
    Value::tuple(smallvec::smallvec![a, b])
}
