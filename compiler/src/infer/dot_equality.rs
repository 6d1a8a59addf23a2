//! Making types equal that have to do with dots: dots, dotables and extendables.
//!
//! Two lists of dotted types are compared item by item, evaluating heads that take fields. A
//! variable at the end of a list takes all that is left of the other. The rules are those of
//! libcspm (Gibson-Robinson).

use super::dots::Match;
use super::types::{Node, TypeId, TypeList, TypeTable};
use super::unify::Clash;

impl TypeTable {
    /// Makes two types equal one of which at least has to do with dots.
    pub(super) fn unify_dotted(&mut self, expected: TypeId, found: TypeId) -> Result<(), Clash> {
        match (self.node(expected), self.node(found)) {
            (Node::Dot(..), Node::Dot(..)) => {
                let (mut left, mut right) = (TypeList::new(), TypeList::new());
                self.flatten(expected, &mut left);
                self.flatten(found, &mut right);
                self.unify_lists(left, right)
            }
            (Node::Dot(..), _) => {
                let splitting = self.splitting;
                self.match_dot(found, expected, splitting)
                    .map_err(Clash::turned)
            }
            (_, Node::Dot(..)) => self.match_dot(expected, found, true),
            (Node::Dotable(..), Node::Dotable(..)) => self.unify_dotables(expected, found),
            (Node::Extendable(a, x), Node::Extendable(b, y)) => {
                self.unify(x, y)?;
                self.unify(a, b)
            }
            (Node::Extendable(missing, base), Node::Dotable(argument, result))
            | (Node::Dotable(argument, result), Node::Extendable(missing, base)) => {
                let rest = self.fresh();
                let extendable = self.add(Node::Extendable(rest, base));
                self.unify(extendable, result)
                    .map_err(|_| Clash::Different { expected, found })?;
                let fields = self.add(Node::Missing(argument, rest));
                self.unify(missing, fields)
            }
            (Node::Extendable(missing, base), _) => {
                self.unify(base, found)?;
                self.unify(missing, Self::NOTHING)
            }
            (_, Node::Extendable(missing, base)) => {
                self.unify(expected, base)?;
                self.unify(missing, Self::NOTHING)
            }
            (Node::Missing(..), _) => {
                let mut fields = TypeList::new();
                self.flatten(expected, &mut fields);
                let dot = self.dot(&fields);
                self.unify(dot, found)
            }
            (_, Node::Missing(..)) => {
                let mut fields = TypeList::new();
                self.flatten(found, &mut fields);
                let dot = self.dot(&fields);
                self.unify(expected, dot)
            }
            _ => Err(Clash::Different { expected, found }),
        }
    }

    /// Makes a dot equal to something that is none.
    fn match_dot(&mut self, whole: TypeId, dot: TypeId, splitting: bool) -> Result<(), Clash> {
        let clash = Err(Clash::Different {
            expected: whole,
            found: dot,
        });
        let mode = match self.node(whole) {
            Node::Extendable(..) => Match::Shortest,
            Node::Dotable(..) => Match::Open,
            _ => Match::Longest,
        };
        let mut items = TypeList::new();
        self.flatten(dot, &mut items);
        let reduced = self.reduce(&items, mode)?;
        let whole = self.resolve(whole);
        self.replace_dot(dot, &items, &reduced);
        if let [single] = reduced[..] {
            return self.unify(whole, single);
        }
        let takes_fields = matches!(
            self.node(whole),
            Node::Event
                | Node::Datatype(_)
                | Node::Rigid(..)
                | Node::Extendable(..)
                | Node::Dotable(..)
                | Node::Variable(_)
        );
        let Some((&head, rest)) = reduced.split_first() else {
            return clash;
        };
        let head = self.resolve(head);
        match self.node(head) {
            Node::Variable(_) if takes_fields && splitting => {}
            Node::Dotable(..) if takes_fields => {}
            Node::Error => return Ok(()),
            _ => return clash,
        }
        let dotable = self.dotable(rest, whole);
        self.unify(dotable, head)
    }

    /// Makes two lists of dotted types equal.
    fn unify_lists(&mut self, left: TypeList, right: TypeList) -> Result<(), Clash> {
        let mut left: TypeList = left.into_iter().rev().collect();
        let mut right: TypeList = right.into_iter().rev().collect();
        loop {
            self.open_head(&mut left);
            self.open_head(&mut right);
            match (&left[..], &right[..]) {
                ([], []) => return Ok(()),
                ([l], [r]) => return self.unify(*l, *r),
                ([] | [_], _) | (_, [] | [_]) => {
                    let l = self.list_to_dot(&left);
                    let r = self.list_to_dot(&right);
                    return self.unify(l, r);
                }
                _ => {}
            }
            if self.takes_fields(left[left.len() - 1]) {
                if self.reduce_head(&mut left, &mut right)? {
                    return Ok(());
                }
            } else if self.takes_fields(right[right.len() - 1]) {
                if self
                    .reduce_head(&mut right, &mut left)
                    .map_err(Clash::turned)?
                {
                    return Ok(());
                }
            } else if let (Some(l), Some(r)) = (left.pop(), right.pop()) {
                self.unify(l, r)?;
            }
        }
    }

    fn takes_fields(&mut self, id: TypeId) -> bool {
        let id = self.resolve(id);
        matches!(self.node(id), Node::Dotable(..) | Node::Extendable(..))
    }

    /// Splits the head of a reversed list if it has become a dot.
    fn open_head(&mut self, list: &mut TypeList) {
        if let Some(head) = list.pop() {
            let mut parts = TypeList::new();
            self.flatten(head, &mut parts);
            list.extend(parts.into_iter().rev());
        }
    }

    fn list_to_dot(&mut self, reversed: &[TypeId]) -> TypeId {
        let items: TypeList = reversed.iter().rev().copied().collect();
        self.dot(&items)
    }

    /// Dots the second item of a reversed list on its first, which takes fields. A variable at the
    /// end of the list takes the fields that are missing and whatever the other list has beyond;
    /// then all is done.
    fn reduce_head(&mut self, list: &mut TypeList, other: &mut TypeList) -> Result<bool, Clash> {
        let (Some(head), Some(item)) = (list.pop(), list.pop()) else {
            unreachable!("both lists have two items at least");
        };
        let item = self.resolve(item);
        let last_variable = list.is_empty() && matches!(self.node(item), Node::Variable(_));
        if last_variable {
            let (mut arguments, result) = self.spread(head);
            let forward: TypeList = other.iter().rev().copied().collect();
            let rest = self.reduce(&forward, Match::Longest)?;
            if let Some((first, rest)) = rest.split_first() {
                self.unify(result, *first)?;
                arguments.extend_from_slice(rest);
            }
            let all = self.dot(&arguments);
            self.unify(item, all)?;
            return Ok(true);
        }
        let mut parts = TypeList::new();
        self.flatten(item, &mut parts);
        let pair: TypeList = [head].into_iter().chain(parts).collect();
        let reduced = self.reduce(&pair, Match::Shortest)?;
        list.extend(reduced.into_iter().rev());
        Ok(false)
    }

    /// Makes two dotables equal: their arguments as dotted lists, and what they give in the end.
    /// An extendable at the end of one takes what the other has beyond.
    fn unify_dotables(&mut self, expected: TypeId, found: TypeId) -> Result<(), Clash> {
        let (left, left_end) = self.spread(expected);
        let (right, right_end) = self.spread(found);
        let open = |table: &Self, end| matches!(table.node(end), Node::Extendable(..));
        match (open(self, left_end), open(self, right_end)) {
            (false, false) => {
                self.unify(left_end, right_end)
                    .map_err(|_| Clash::Different { expected, found })?;
                self.unify_lists(left, right)
            }
            (true, _) if left.len() <= right.len() => {
                self.unify_front(&left, &right)?;
                let rest = self.dotable(&right[left.len()..], right_end);
                self.unify(left_end, rest)
            }
            (_, true) if right.len() <= left.len() => {
                self.unify_front(&left, &right)?;
                let rest = self.dotable(&left[right.len()..], left_end);
                self.unify(rest, right_end)
            }
            _ => {
                self.unify_lists(left, right)?;
                self.unify(left_end, right_end)
            }
        }
    }

    fn unify_front(&mut self, left: &[TypeId], right: &[TypeId]) -> Result<(), Clash> {
        for (l, r) in left.iter().zip(right) {
            let (_, l) = self.spread(*l);
            let (_, r) = self.spread(*r);
            self.unify(l, r)?;
        }
        Ok(())
    }
}

impl Clash {
    /// The same with the sides exchanged.
    pub(super) fn turned(self) -> Self {
        match self {
            Self::Different { expected, found } => Self::Different {
                expected: found,
                found: expected,
            },
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channel(table: &mut TypeTable, fields: &[TypeId]) -> TypeId {
        table.dotable(fields, TypeTable::EVENT)
    }

    #[test]
    fn the_last_variable_takes_all_that_is_missing() {
        let mut table = TypeTable::new();
        let c = channel(&mut table, &[TypeTable::INT, TypeTable::BOOL]);
        let x = table.fresh();
        let event = table.dot(&[c, x]);
        assert_eq!(table.unify(TypeTable::EVENT, event), Ok(()));
        let mut fields = TypeList::new();
        table.flatten(x, &mut fields);
        assert_eq!(fields[..], [TypeTable::INT, TypeTable::BOOL]);
    }

    #[test]
    fn too_many_fields_clash() {
        let mut table = TypeTable::new();
        let c = channel(&mut table, &[TypeTable::INT]);
        let (x, y) = (table.fresh(), table.fresh());
        let event = table.dot(&[c, x, y]);
        assert!(table.unify(TypeTable::EVENT, event).is_err());
    }

    #[test]
    fn an_unknown_channel_learns_its_fields() {
        let mut table = TypeTable::new();
        let (a, e) = (table.fresh(), table.fresh());
        let event = table.dot(&[a, e]);
        assert_eq!(table.unify(TypeTable::EVENT, event), Ok(()));
        let c = channel(&mut table, &[TypeTable::INT, TypeTable::BOOL]);
        assert_eq!(table.unify(a, c), Ok(()));
        let mut fields = TypeList::new();
        table.flatten(e, &mut fields);
        assert_eq!(fields[..], [TypeTable::INT, TypeTable::BOOL]);
    }

    #[test]
    fn an_extendable_takes_the_shortest_match() {
        let mut table = TypeTable::new();
        let c = channel(&mut table, &[TypeTable::INT, TypeTable::BOOL]);
        let x = table.fresh();
        let partial = table.dot(&[c, x]);
        let extendable = table.extendable(TypeTable::EVENT);
        assert_eq!(table.unify(extendable, partial), Ok(()));
        assert_eq!(table.resolve(x), TypeTable::INT);
        let (missing, end) = table.spread(extendable);
        assert_eq!(
            (&missing[..], end),
            (&[TypeTable::BOOL][..], TypeTable::EVENT)
        );
    }

    #[test]
    fn a_partial_constructor_completes_inside_a_channel() {
        let mut table = TypeTable::new();
        let datatype = table.add(Node::Datatype(crate::hir::GlobalId(0)));
        let constructor = table.dotable(&[TypeTable::INT], datatype);
        let c = channel(&mut table, &[datatype, TypeTable::BOOL]);
        let event = table.dot(&[c, constructor, TypeTable::INT, TypeTable::BOOL]);
        assert_eq!(table.unify(TypeTable::EVENT, event), Ok(()));
        let wrong = table.dot(&[c, constructor, TypeTable::BOOL, TypeTable::BOOL]);
        assert!(table.unify(TypeTable::EVENT, wrong).is_err());
    }
}
