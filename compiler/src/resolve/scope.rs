//! Where names live: the script, its modules and their instances are *spaces* with a table of names
//! each; variables are kept in one stack-like table on the way through an expression.
//!
//! Invariant: after `resolve` no table holds [`Entity::Instance`]; an expanded instance is
//! [`Entity::Module`], a failed one [`Entity::Missing`]. So the tables stand on their own and can
//! outlive the syntax tree.

use ahash::AHashMap;
use csp_grammar::Span;

use crate::hir::{Builtin, GlobalId, LocalId};

/// The script (0), a module without parameters, or an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SpaceId(pub(crate) u32);

/// A module as written, in one place where it can be instantiated from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TemplateId(pub(crate) u32);

/// An `instance` declaration in one space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct InstanceId(pub(crate) u32);

impl SpaceId {
    /// The script itself.
    pub(crate) const SCRIPT: Self = Self(0);
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entity {
    Global(GlobalId),
    Local(LocalId),
    /// An imported built-in, or one that is always there.
    Builtin(Builtin),
    /// A module without parameters, or an expanded instance.
    Module(SpaceId),
    /// A module with parameters.
    Template(TemplateId),
    /// An instance that has not been expanded yet.
    Instance(InstanceId),
    /// Its definition was in error; a diagnostic has been given.
    Missing,
}

/// A name in the table of a space.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) entity: Entity,
    /// Where it was defined.
    pub(crate) span: Span,
    /// Visible through `M::x`.
    pub(crate) exported: bool,
    /// Defined by clauses, so that a second group of clauses is recognised as such.
    pub(crate) clauses: bool,
}

/// One scope with lasting names.
#[derive(Clone, Debug)]
pub(crate) struct Space {
    /// What to put before its names when they are seen from the top level: `M::N::`.
    pub(crate) path: String,
    /// The space around it in the text.
    pub(crate) parent: Option<SpaceId>,
    /// Where the `instance` declaration stands; for a module, its parent.
    pub(crate) site: Option<SpaceId>,
    /// The module it is a copy of, known by the place of the module's name.
    pub(crate) origin: Option<Span>,
    /// The module it was made from.
    pub(crate) template: Option<TemplateId>,
    /// Made by an `instance` declaration.
    pub(crate) is_instance: bool,
    pub(crate) names: AHashMap<String, Entry>,
}

impl Space {
    /// The space of the script itself.
    pub(crate) fn script() -> Self {
        Self {
            path: String::new(),
            parent: None,
            site: None,
            origin: None,
            template: None,
            is_instance: false,
            names: AHashMap::new(),
        }
    }
}

/// The spaces of a resolved script, kept so that further expressions can be resolved in it.
#[derive(Clone, Debug, Default)]
pub struct Scopes {
    /// Indexed by [`SpaceId`].
    pub(crate) spaces: Vec<Space>,
}

impl Scopes {
    /// Adds a space and gives its number.
    pub(crate) fn add(&mut self, space: Space) -> SpaceId {
        self.spaces.push(space);
        SpaceId(u32::try_from(self.spaces.len() - 1).expect("fewer than 2^32 modules"))
    }

    pub(crate) fn get(&self, id: SpaceId) -> &Space {
        &self.spaces[id.0 as usize]
    }

    pub(crate) fn get_mut(&mut self, id: SpaceId) -> &mut Space {
        &mut self.spaces[id.0 as usize]
    }

    /// The space and the spaces around it, innermost first.
    pub(crate) fn around(&self, id: SpaceId) -> impl Iterator<Item = SpaceId> + '_ {
        std::iter::successors(Some(id), |&space| self.get(space).parent)
    }

    /// The innermost definition of an unqualified name.
    pub(crate) fn lookup(&self, from: SpaceId, name: &str) -> Option<&Entry> {
        self.around(from)
            .find_map(|space| self.get(space).names.get(name))
    }

    /// The innermost module, template or instance of that name; variables and definitions of other
    /// kinds do not hide it.
    pub(crate) fn lookup_module(&self, from: SpaceId, name: &str) -> Option<&Entry> {
        self.around(from).find_map(|space| {
            self.get(space).names.get(name).filter(|entry| {
                !matches!(
                    entry.entity,
                    Entity::Global(_) | Entity::Local(_) | Entity::Builtin(_)
                )
            })
        })
    }
}

/// The variables in scope at one point of an expression.
#[derive(Debug, Default)]
pub(super) struct Variables<'s> {
    meanings: AHashMap<&'s str, Vec<Entity>>,
    trail: Vec<&'s str>,
}

/// A point to return to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark(usize);

impl<'s> Variables<'s> {
    pub(super) fn bind(&mut self, name: &'s str, entity: Entity) {
        self.meanings.entry(name).or_default().push(entity);
        self.trail.push(name);
    }

    pub(super) fn lookup(&self, name: &str) -> Option<Entity> {
        self.meanings.get(name)?.last().copied()
    }

    pub(super) fn mark(&self) -> Mark {
        Mark(self.trail.len())
    }

    /// Forgets everything bound since the mark.
    pub(super) fn forget(&mut self, mark: Mark) {
        for name in self.trail.drain(mark.0..).rev() {
            if let Some(stack) = self.meanings.get_mut(name) {
                stack.pop();
            }
        }
    }

    /// The names in scope, in no order.
    pub(super) fn names(&self) -> impl Iterator<Item = &'s str> + '_ {
        self.meanings
            .iter()
            .filter(|(_, stack)| !stack.is_empty())
            .map(|(name, _)| *name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forgetting_restores_the_outer_meaning() {
        let mut variables = Variables::default();
        variables.bind("x", Entity::Local(LocalId(1)));
        let mark = variables.mark();
        variables.bind("x", Entity::Local(LocalId(2)));
        variables.bind("y", Entity::Local(LocalId(3)));
        assert_eq!(variables.lookup("x"), Some(Entity::Local(LocalId(2))));
        variables.forget(mark);
        assert_eq!(variables.lookup("x"), Some(Entity::Local(LocalId(1))));
        assert_eq!(variables.lookup("y"), None);
        assert_eq!(variables.names().collect::<Vec<_>>(), ["x"]);
    }
}
