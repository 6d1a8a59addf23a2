//! The dot operator: evaluating lists of dotted types.
//!
//! A list `c . x . y` is evaluated from the left: while its head takes a field (`a => b`), the next
//! item is that field or completes part of it. A variable that is not the last item is exactly one
//! field; the last one takes all that are missing (longest match, for patterns and results) or one
//! (shortest match, for extendables), or is left alone where either may still turn out right.
//! The rules are those of FDR4's front end, libcspm (Gibson-Robinson).

use super::types::{Node, TypeId, TypeList, TypeTable};
use super::unify::Clash;

/// What a variable at the end of a list stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    /// All that is missing.
    Longest,
    /// One field.
    Shortest,
    /// Left open.
    Open,
}

impl TypeTable {
    /// Dots one item on a head that takes fields. `None` if the head takes none, or if the item is
    /// an open variable. The item must not be a dot.
    pub(super) fn append(
        &mut self,
        head: TypeId,
        item: TypeId,
        last: Option<Match>,
    ) -> Result<Option<TypeId>, Clash> {
        let head = self.resolve(head);
        let Node::Dotable(argument, result) = self.node(head) else {
            return Ok(None);
        };
        let item = self.resolve(item);
        let argument = self.resolve(argument);
        match (self.node(item), last) {
            (Node::Variable(_), Some(Match::Open)) => Ok(None),
            (Node::Variable(_), Some(Match::Longest)) => {
                let (arguments, result) = self.spread(head);
                let all = self.dot(&arguments);
                self.unify(item, all)?;
                Ok(Some(result))
            }
            (Node::Extendable(missing, base), _)
                if !matches!(self.node(argument), Node::Extendable(..)) =>
            {
                self.unify(argument, base)?;
                Ok(Some(self.add(Node::Extendable(missing, result))))
            }
            (Node::Dotable(..), _) if !matches!(self.node(argument), Node::Dotable(..)) => {
                let (arguments, base) = self.spread(item);
                self.unify(argument, base)?;
                Ok(Some(self.dotable(&arguments, result)))
            }
            _ => {
                self.unify(argument, item)?;
                Ok(Some(result))
            }
        }
    }

    /// Evaluates a flat list as far as its heads are known.
    pub(super) fn reduce(&mut self, items: &[TypeId], mode: Match) -> Result<TypeList, Clash> {
        let mut done = TypeList::new();
        let mut waiting: TypeList = items.iter().rev().copied().collect();
        let Some(mut head) = waiting.pop() else {
            return Ok(done);
        };
        while let Some(item) = self.next_item(&mut waiting) {
            head = self.resolve(head);
            if matches!(self.node(head), Node::Dot(..)) {
                waiting.extend([item, head]);
                let first = self.next_item(&mut waiting);
                head = first.expect("a dot has items");
                continue;
            }
            if let Node::Extendable(missing, base) = self.node(head) {
                if mode == Match::Open {
                    done.push(head);
                    head = item;
                    continue;
                }
                let mut taken: TypeList = [item].into_iter().collect();
                if mode == Match::Longest {
                    taken.extend(waiting.drain(..).rev());
                }
                let taken = self.missing(&taken);
                self.unify(missing, taken)?;
                head = base;
                continue;
            }
            let last = waiting.is_empty().then_some(mode);
            if let Some(result) = self.append(head, item, last)? {
                head = result;
            } else {
                done.push(head);
                head = item;
            }
        }
        self.flatten(head, &mut done);
        Ok(done)
    }

    /// Takes the first item of a reversed list, splitting dots.
    fn next_item(&mut self, reversed: &mut TypeList) -> Option<TypeId> {
        while let Some(item) = reversed.pop() {
            let mut parts = TypeList::new();
            self.flatten(item, &mut parts);
            if let Some((&first, more)) = parts.split_first() {
                reversed.extend(more.iter().rev().copied());
                return Some(first);
            }
        }
        None
    }

    /// Exactly these fields are missing.
    fn missing(&mut self, fields: &[TypeId]) -> TypeId {
        fields.iter().rev().fold(Self::NOTHING, |rest, field| {
            self.add(Node::Missing(*field, rest))
        })
    }

    /// Evaluates all dots in a type, in place, by the longest match.
    pub(super) fn settle(&mut self, id: TypeId) -> Result<(), Clash> {
        if self.is_plain(id) {
            return Ok(());
        }
        let walk = self.start_walk();
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            let id = self.resolve(id);
            if self.is_plain(id) || !self.visit(id, walk) {
                continue;
            }
            match self.node(id) {
                Node::Dot(..) => {
                    let mut items = TypeList::new();
                    self.flatten(id, &mut items);
                    let reduced = self.reduce(&items, Match::Longest)?;
                    self.replace_dot(id, &items, &reduced);
                    stack.extend(reduced);
                }
                Node::Dotable(..) => {
                    let (arguments, result) = self.spread(id);
                    let reduced = self.reduce(&arguments, Match::Open)?;
                    let unchanged = matches!(self.node(id), Node::Dotable(..));
                    if unchanged && reduced.len() < arguments.len() {
                        let dotable = self.dotable(&reduced, result);
                        self.link(id, dotable);
                    }
                    stack.extend(reduced);
                    stack.push(result);
                }
                _ => stack.extend(self.children(id)),
            }
        }
        Ok(())
    }

    pub(super) fn replace_dot(&mut self, id: TypeId, items: &[TypeId], reduced: &[TypeId]) {
        // Evaluation may have turned the node into something else already.
        if reduced.len() < items.len() && matches!(self.node(id), Node::Dot(..)) {
            let dot = self.dot(reduced);
            if self.resolve(dot) != id {
                self.link(id, dot);
            }
        }
    }
}
