//! Makes two types equal, or says why they cannot be.
//!
//! Robinson's unification on a table with union by links; a variable carries its constraints and
//! passes them on when it is bound. Types with dots are equal up to evaluation of the dots, which
//! `dots` does. Where the rules for dots run in circles the types are taken to agree: the evaluator
//! checks shapes again.

use super::types::{Node, TypeId, TypeTable};
use crate::hir::Constraint;

/// Why two types do not agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clash {
    /// The innermost types that differ.
    Different { expected: TypeId, found: TypeId },
    /// A type that lacks a constraint.
    Lacking { of: TypeId, constraint: Constraint },
    /// A variable that would have to contain itself.
    Infinite { variable: TypeId, within: TypeId },
}

/// Deeper than the types of any program; only circular dots get here.
const DEEPEST: u32 = 4_000;

impl TypeTable {
    /// Makes the types equal. After a clash some parts of them may have been.
    pub(super) fn unify(&mut self, expected: TypeId, found: TypeId) -> Result<(), Clash> {
        if self.depth > DEEPEST {
            return Ok(());
        }
        self.depth += 1;
        let outcome = self.unify_nodes(expected, found);
        self.depth -= 1;
        outcome
    }

    fn unify_nodes(&mut self, expected: TypeId, found: TypeId) -> Result<(), Clash> {
        let expected = self.resolve(expected);
        let found = self.resolve(found);
        if expected == found {
            return Ok(());
        }
        match (self.node(expected), self.node(found)) {
            (Node::Variable(a), Node::Variable(b)) => {
                self.put(found, Node::Variable(a.union(b)));
                self.link(expected, found);
                Ok(())
            }
            (Node::Variable(_), _) => self.bind(expected, found, true),
            (_, Node::Variable(_)) => self.bind(found, expected, false),
            (Node::Error, _) => {
                self.spoil(found);
                Ok(())
            }
            (_, Node::Error) => {
                self.spoil(expected);
                Ok(())
            }
            (Node::Datatype(a), Node::Datatype(b)) if a == b => Ok(()),
            (Node::Sequence(a), Node::Sequence(b)) | (Node::Set(a), Node::Set(b)) => {
                self.unify(a, b)?;
                self.join(expected, found);
                Ok(())
            }
            (Node::Map(a, b), Node::Map(c, d)) | (Node::Missing(a, b), Node::Missing(c, d)) => {
                self.unify(a, c)?;
                self.unify(b, d)
            }
            (Node::Tuple(a), Node::Tuple(b)) if self.list(a).len() == self.list(b).len() => {
                for (a, b) in self.items(a).into_iter().zip(self.items(b)) {
                    self.unify(a, b)?;
                }
                self.join(expected, found);
                Ok(())
            }
            (Node::Function(a, x), Node::Function(b, y))
                if self.list(a).len() == self.list(b).len() =>
            {
                for (a, b) in self.items(a).into_iter().zip(self.items(b)) {
                    self.unify(a, b)?;
                }
                self.unify(x, y)?;
                self.join(expected, found);
                Ok(())
            }
            _ => self.unify_dotted(expected, found),
        }
    }

    /// Links two types whose parts have become equal, so that they are compared only once.
    fn join(&mut self, expected: TypeId, found: TypeId) {
        let (expected, found) = (self.resolve(expected), self.resolve(found));
        let (from, to) = if self.is_plain(found) && !self.is_plain(expected) {
            (expected, found)
        } else {
            (found, expected)
        };
        if from != to && !self.is_constant(from) {
            self.link(from, to);
        }
    }

    /// Makes the variables of a type agree with everything, because it met one that does: what
    /// depends on an error shall not be reported again.
    fn spoil(&mut self, id: TypeId) {
        let walk = self.start_walk();
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            let id = self.resolve(id);
            if matches!(self.node(id), Node::Variable(_)) {
                self.link(id, Self::ERROR);
            } else if !self.is_plain(id) && self.visit(id, walk) {
                stack.extend(self.children(id));
            }
        }
    }

    fn bind(&mut self, variable: TypeId, to: TypeId, expected: bool) -> Result<(), Clash> {
        let Node::Variable(constraints) = self.node(variable) else {
            unreachable!("only variables are bound");
        };
        for constraint in constraints.iter() {
            self.constrain(to, constraint)?;
        }
        if self.is_plain(to) {
            self.link(variable, to);
            return Ok(());
        }
        // Pushing constraints evaluates dots, which may have bound the variable.
        let now = self.resolve(variable);
        let to = self.resolve(to);
        if now != variable || to == variable {
            return if expected {
                self.unify(now, to)
            } else {
                self.unify(to, now)
            };
        }
        if self.occurs(variable, to) {
            self.settle(to)?;
            let to = self.resolve(to);
            if self.resolve(variable) != variable {
                return self.unify(variable, to);
            }
            if to == variable {
                return Ok(());
            }
            if self.occurs(variable, to) {
                return Err(Clash::Infinite {
                    variable,
                    within: to,
                });
            }
            self.link(variable, to);
            return Ok(());
        }
        self.link(variable, to);
        Ok(())
    }

    /// Whether a variable lies in a type.
    pub(super) fn occurs(&mut self, variable: TypeId, within: TypeId) -> bool {
        let walk = self.start_walk();
        let mut stack = vec![within];
        while let Some(id) = stack.pop() {
            let id = self.resolve(id);
            if id == variable {
                return true;
            }
            if !self.is_plain(id) && self.visit(id, walk) {
                stack.extend(self.children(id));
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_cannot_contain_itself() {
        let mut table = TypeTable::new();
        let a = table.fresh();
        let set = table.set(a);
        assert!(matches!(table.unify(a, set), Err(Clash::Infinite { .. })));
    }

    #[test]
    fn shared_types_are_compared_once() {
        let mut table = TypeTable::new();
        let mut left = table.fresh();
        let mut right = table.fresh();
        for _ in 0..60 {
            left = table.tuple(&[left, left]);
            right = table.tuple(&[right, right]);
        }
        assert_eq!(table.unify(left, right), Ok(()));
    }

    #[test]
    fn shared_types_without_variables_are_compared_once() {
        let mut table = TypeTable::new();
        let (mut left, mut right) = (TypeTable::STRING, TypeTable::STRING);
        for _ in 0..60 {
            left = table.tuple(&[left, left]);
            right = table.tuple(&[right, right]);
        }
        assert_eq!(table.unify(left, right), Ok(()));
    }

    #[test]
    fn constraints_travel_with_variables() {
        let mut table = TypeTable::new();
        let a = table.fresh();
        let b = table.fresh();
        table
            .constrain(a, Constraint::Eq)
            .expect("a variable takes any constraint");
        table.unify(a, b).expect("two variables agree");
        assert_eq!(
            table.unify(b, TypeTable::PROC),
            Err(Clash::Lacking {
                of: TypeTable::PROC,
                constraint: Constraint::Eq
            })
        );
    }
}
