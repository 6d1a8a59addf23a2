//! The five constraints, and which types satisfy them.
//!
//! | constraint | satisfied by |
//! |---|---|
//! | Eq | all but processes, functions, and datatypes that hold such |
//! | Ord | Int, Char, sequences and sets of Eq, tuples and maps of Ord |
//! | Set | all without functions |
//! | Complete | all that are not dotable |
//! | Yieldable | Event and datatypes |

use super::types::{Comparable, Node, TypeId, TypeList, TypeTable};
use super::unify::Clash;
use crate::hir::Constraint;

/// A set of constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Constraints(u8);

/// All five, in the order in which they are written.
pub(super) const ALL: [Constraint; 5] = [
    Constraint::Eq,
    Constraint::Ord,
    Constraint::Set,
    Constraint::Complete,
    Constraint::Yieldable,
];

impl Constraints {
    pub(super) const NONE: Self = Self(0);

    /// The set of one constraint.
    pub(super) const fn of(constraint: Constraint) -> Self {
        Self(1 << constraint as u8)
    }

    pub(super) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all of `other` are in the set as they stand.
    pub(super) const fn contain(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the set implies a constraint: what is ordered can be compared, what can be compared
    /// can be put in sets, and what completing yields is complete.
    pub(super) fn imply(self, constraint: Constraint) -> bool {
        let has = |c| self.contain(Self::of(c));
        has(constraint)
            || match constraint {
                Constraint::Eq => has(Constraint::Ord),
                Constraint::Set => has(Constraint::Eq) || has(Constraint::Ord),
                Constraint::Complete => has(Constraint::Yieldable),
                Constraint::Ord | Constraint::Yieldable => false,
            }
    }

    /// The constraints in the order in which they are written.
    pub(super) fn iter(self) -> impl Iterator<Item = Constraint> {
        ALL.into_iter().filter(move |c| self.contain(Self::of(*c)))
    }

    /// Those that no other of the set implies.
    pub(super) fn essential(self) -> impl Iterator<Item = Constraint> {
        self.iter().filter(move |c| {
            let others = Self(self.0 & !Self::of(*c).0);
            !others.imply(*c)
        })
    }
}

impl TypeTable {
    /// Demands a constraint of a type, pushing it down to the variables in it.
    pub(super) fn constrain(&mut self, id: TypeId, constraint: Constraint) -> Result<(), Clash> {
        let id = self.resolve(id);
        let node = self.node(id);
        let lacking = Err(Clash::Lacking { of: id, constraint });
        match node {
            Node::Variable(held) => {
                if !held.imply(constraint) {
                    self.put(id, Node::Variable(held.union(Constraints::of(constraint))));
                }
                return Ok(());
            }
            Node::Rigid(_, held) => {
                return if held.imply(constraint) {
                    Ok(())
                } else {
                    lacking
                };
            }
            Node::Error => return Ok(()),
            Node::Extendable(missing, base) => {
                return self.constrain_extendable(id, missing, base, constraint);
            }
            Node::Dot(..) => return self.constrain_dot(id, constraint),
            Node::Datatype(datatype) if constraint == Constraint::Eq => {
                return match self.comparable.get(&datatype) {
                    Some(Comparable::No) => lacking,
                    Some(Comparable::Assumed) => {
                        self.assumptions.push(datatype);
                        Ok(())
                    }
                    Some(Comparable::Yes) | None => Ok(()),
                };
            }
            _ => {}
        }
        let Some(below) = demand_below(node, constraint) else {
            return lacking;
        };
        if self.satisfy(id, Constraints::of(constraint))
            && let Some(below) = below
        {
            for child in self.children(id) {
                self.constrain(child, below)?;
            }
        }
        Ok(())
    }

    fn constrain_extendable(
        &mut self,
        id: TypeId,
        missing: TypeId,
        base: TypeId,
        constraint: Constraint,
    ) -> Result<(), Clash> {
        match constraint {
            Constraint::Eq | Constraint::Set => Ok(()),
            Constraint::Ord => Err(Clash::Lacking { of: id, constraint }),
            Constraint::Complete | Constraint::Yieldable => {
                if self.unify(TypeTable::NOTHING, missing).is_err() {
                    return Err(Clash::Lacking { of: id, constraint });
                }
                self.constrain(base, constraint)
            }
        }
    }

    fn constrain_dot(&mut self, id: TypeId, constraint: Constraint) -> Result<(), Clash> {
        if matches!(constraint, Constraint::Complete | Constraint::Yieldable) {
            self.settle(id)?;
        }
        let id = self.resolve(id);
        if !matches!(self.node(id), Node::Dot(..)) {
            return self.constrain(id, constraint);
        }
        match constraint {
            Constraint::Ord => Err(Clash::Lacking { of: id, constraint }),
            Constraint::Yieldable => {
                let mut items = TypeList::new();
                self.flatten(id, &mut items);
                if !matches!(self.node(items[0]), Node::Variable(_)) {
                    return Err(Clash::Lacking { of: id, constraint });
                }
                let result = self.fresh_with(Constraints::of(constraint));
                let head = self.dotable(&items[1..], result);
                self.unify(head, items[0])
            }
            Constraint::Eq | Constraint::Set | Constraint::Complete => {
                for child in self.children(id) {
                    self.constrain(child, constraint)?;
                }
                Ok(())
            }
        }
    }
}

/// Whether a node satisfies a constraint (`None` if not), and what its parts must satisfy then.
#[allow(clippy::option_option, reason = "no, yes, and yes if the parts do")]
fn demand_below(node: Node, constraint: Constraint) -> Option<Option<Constraint>> {
    let yes = Some(None);
    match (node, constraint) {
        (Node::Event | Node::Datatype(_), Constraint::Yieldable) => yes,
        (_, Constraint::Yieldable) => None,
        (Node::Int | Node::Char, _) => yes,
        (Node::Dotable(..), Constraint::Complete) => None,
        (_, Constraint::Complete) => yes,
        (Node::Bool | Node::Event | Node::Datatype(_) | Node::Dotable(..), Constraint::Ord) => None,
        (Node::Bool | Node::Event | Node::Datatype(_), _) => yes,
        (Node::Proc, Constraint::Set) => yes,
        (Node::Sequence(_) | Node::Set(_), Constraint::Ord) => Some(Some(Constraint::Eq)),
        (
            Node::Sequence(_) | Node::Set(_) | Node::Tuple(_) | Node::Map(..) | Node::Dotable(..),
            c,
        ) => Some(Some(c)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn implied_constraints_are_not_written() {
        let all = ALL
            .into_iter()
            .fold(Constraints::NONE, |set, c| set.union(Constraints::of(c)));
        let essential: Vec<_> = all.essential().collect();
        assert_eq!(essential, [Constraint::Ord, Constraint::Yieldable]);
    }

    #[test]
    fn booleans_and_datatypes_are_not_ordered() {
        let mut table = TypeTable::new();
        assert!(table.constrain(TypeTable::BOOL, Constraint::Ord).is_err());
        let pair = table.tuple(&[TypeTable::INT, TypeTable::CHAR]);
        assert!(table.constrain(pair, Constraint::Ord).is_ok());
        let booleans = table.sequence(TypeTable::BOOL);
        assert!(table.constrain(booleans, Constraint::Ord).is_ok());
        let processes = table.set(TypeTable::PROC);
        assert!(table.constrain(processes, Constraint::Set).is_ok());
        assert!(table.constrain(processes, Constraint::Eq).is_err());
    }
}
