//! Types of finished definitions: made general, and copied at each use.
//!
//! Only top-level groups are made general, and they have no surroundings whose variables would have
//! to stay: so all variables of a finished group are general, without levels. Names bound by `let`
//! are general only if annotated.

use super::constraints::Constraints;
use super::types::{Node, TypeId, TypeTable};
use crate::hir::{Type, TypeKind, TypeScheme};
use ahash::AHashMap;

/// What the type variables of an annotation stand for.
pub(super) type Names = AHashMap<String, TypeId>;

/// What a type contains that is being made general.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Generalised {
    /// Whether it has variables.
    pub(super) general: bool,
    /// How many nodes a copy has.
    pub(super) size: usize,
    /// A variable of an annotation inside the definition.
    pub(super) escaped: Option<TypeId>,
}

impl TypeTable {
    /// Turns the variables of a type into general ones.
    pub(super) fn generalise(&mut self, id: TypeId) -> Generalised {
        let walk = self.start_walk();
        let mut found = Generalised::default();
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            let id = self.resolve(id);
            match self.node(id) {
                Node::Variable(constraints) => {
                    self.put(id, Node::Generic(constraints));
                    found.general = true;
                }
                Node::Generic(_) => found.general = true,
                Node::Rigid(..) => found.escaped = Some(id),
                _ if !self.is_plain(id) && self.visit(id, walk) => {
                    found.size += 1;
                    stack.extend(self.children(id));
                }
                _ => {}
            }
        }
        found
    }

    /// A copy of a type with new variables for its general ones.
    pub(super) fn instantiate(&mut self, id: TypeId) -> TypeId {
        let mut copies = AHashMap::new();
        self.copy(id, &mut copies)
    }

    fn copy(&mut self, id: TypeId, copies: &mut AHashMap<TypeId, TypeId>) -> TypeId {
        let id = self.resolve(id);
        if self.is_plain(id) {
            return id;
        }
        if let Some(copy) = copies.get(&id) {
            return *copy;
        }
        let mut pair = |table: &mut Self, a, b| (table.copy(a, copies), table.copy(b, copies));
        let node = match self.node(id) {
            Node::Generic(constraints) => Node::Variable(constraints),
            Node::Sequence(a) => Node::Sequence(self.copy(a, copies)),
            Node::Set(a) => Node::Set(self.copy(a, copies)),
            Node::Map(a, b) => {
                let (a, b) = pair(self, a, b);
                Node::Map(a, b)
            }
            Node::Dot(a, b) => {
                let (a, b) = pair(self, a, b);
                Node::Dot(a, b)
            }
            Node::Dotable(a, b) => {
                let (a, b) = pair(self, a, b);
                Node::Dotable(a, b)
            }
            Node::Extendable(a, b) => {
                let (a, b) = pair(self, a, b);
                Node::Extendable(a, b)
            }
            Node::Missing(a, b) => {
                let (a, b) = pair(self, a, b);
                Node::Missing(a, b)
            }
            Node::Tuple(items) => {
                let items = self.copy_all(&self.items(items), copies);
                Node::Tuple(self.slice(&items))
            }
            Node::Function(items, result) => {
                let items = self.copy_all(&self.items(items), copies);
                let result = self.copy(result, copies);
                Node::Function(self.slice(&items), result)
            }
            _ => return id,
        };
        let copy = self.add(node);
        copies.insert(id, copy);
        copy
    }

    fn copy_all(&mut self, items: &[TypeId], copies: &mut AHashMap<TypeId, TypeId>) -> Vec<TypeId> {
        items.iter().map(|t| self.copy(*t, copies)).collect()
    }

    /// The type of an annotation with general variables, except those already named in `outer`.
    pub(super) fn annotated(&mut self, scheme: &TypeScheme, outer: &Names) -> TypeId {
        let mut names = outer.clone();
        let held = constraints_by_name(scheme);
        self.read(&scheme.body, &mut |table, name| {
            *names.entry(name.to_owned()).or_insert_with(|| {
                table.add(Node::Generic(held.get(name).copied().unwrap_or_default()))
            })
        })
    }

    /// The type of an annotation with rigid variables, for the inside of the definition. The names
    /// come to include its variables.
    pub(super) fn rigid(
        &mut self,
        scheme: &TypeScheme,
        names: &mut Names,
        all: &mut Vec<String>,
    ) -> TypeId {
        let held = constraints_by_name(scheme);
        self.read(&scheme.body, &mut |table, name| {
            *names.entry(name.to_owned()).or_insert_with(|| {
                let number = u32::try_from(all.len()).expect("fewer than 2^32 variables");
                all.push(name.to_owned());
                table.add(Node::Rigid(
                    number,
                    held.get(name).copied().unwrap_or_default(),
                ))
            })
        })
    }

    fn read(
        &mut self,
        written: &Type,
        variable: &mut dyn FnMut(&mut Self, &str) -> TypeId,
    ) -> TypeId {
        let mut pair = |table: &mut Self, a: &Type, b: &Type| {
            (table.read(a, variable), table.read(b, variable))
        };
        let node = match &written.kind {
            TypeKind::Int => return Self::INT,
            TypeKind::Bool => return Self::BOOL,
            TypeKind::Char => return Self::CHAR,
            TypeKind::Proc => return Self::PROC,
            TypeKind::Event => return Self::EVENT,
            TypeKind::Error => return Self::ERROR,
            TypeKind::Datatype(id) => Node::Datatype(*id),
            TypeKind::Variable(name) => return variable(self, name),
            TypeKind::Sequence(a) => Node::Sequence(self.read(a, variable)),
            TypeKind::Set(a) => Node::Set(self.read(a, variable)),
            TypeKind::Map(a, b) => {
                let (a, b) = pair(self, a, b);
                Node::Map(a, b)
            }
            TypeKind::Dot(a, b) => {
                let (a, b) = pair(self, a, b);
                Node::Dot(a, b)
            }
            TypeKind::Dotable(a, b) => {
                let (a, b) = pair(self, a, b);
                Node::Dotable(a, b)
            }
            TypeKind::Extendable(a, b) => {
                let (a, b) = pair(self, a, b);
                Node::Extendable(a, b)
            }
            TypeKind::Tuple(items) => {
                let items: Vec<_> = items.iter().map(|t| self.read(t, variable)).collect();
                Node::Tuple(self.slice(&items))
            }
            TypeKind::Function(items, result) => {
                let items: Vec<_> = items.iter().map(|t| self.read(t, variable)).collect();
                let result = self.read(result, variable);
                Node::Function(self.slice(&items), result)
            }
        };
        self.add(node)
    }
}

fn constraints_by_name(scheme: &TypeScheme) -> AHashMap<&str, Constraints> {
    let mut held = AHashMap::new();
    for (constraint, name, _) in &scheme.constraints {
        let set: &mut Constraints = held.entry(name.as_str()).or_default();
        *set = set.union(Constraints::of(*constraint));
    }
    held
}
