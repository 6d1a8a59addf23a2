//! Types as nodes of one table, with union by links.
//!
//! Besides the usual types there are the three of the dot operator: `a.b` (dot), `a => b` (dotable:
//! gives `b` once an `a` is dotted on) and `a =>* b` (extendable: a `b`, or something that lacks
//! `a` to be one). What an extendable lacks is itself a node: unknown, nothing, or a field and more.
//!
//! Invariants: [`TypeTable::resolve`] never gives a link, a dotable whose argument is a dot, or an
//! extendable of which it is known what is missing. A node is `plain` only if no variable and no
//! dot type lies below it.

use super::constraints::Constraints;
use crate::hir::GlobalId;
use ahash::AHashMap;
use smallvec::SmallVec;

/// A node of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TypeId(u32);

/// A few types in a row, most often the items of a dot.
pub(super) type TypeList = SmallVec<[TypeId; 6]>;

/// A run of types in the table's pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slice {
    start: u32,
    length: u32,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// The same as another node.
    Link(TypeId),
    /// Not known yet.
    Variable(Constraints),
    /// A variable of an annotation, inside the definition that carries it; the number names it.
    Rigid(u32, Constraints),
    /// A variable of a finished definition, replaced at each use.
    Generic(Constraints),
    Int,
    Bool,
    Char,
    Proc,
    Event,
    Datatype(GlobalId),
    Sequence(TypeId),
    Set(TypeId),
    Map(TypeId, TypeId),
    Tuple(Slice),
    Function(Slice, TypeId),
    /// `a.b`, nested to the right.
    Dot(TypeId, TypeId),
    /// `a => b`.
    Dotable(TypeId, TypeId),
    /// `a =>* b`.
    Extendable(TypeId, TypeId),
    /// What a complete extendable lacks.
    Nothing,
    /// What an extendable lacks: a field, and more.
    Missing(TypeId, TypeId),
    /// Something of which a diagnostic has been given; agrees with every type.
    Error,
}

/// Whether the values of a datatype can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparable {
    Yes,
    No,
    /// Its fields are being inferred; checked when they are known.
    Assumed,
}

/// All types of a run.
#[derive(Clone, Debug)]
pub(super) struct TypeTable {
    nodes: Vec<Node>,
    plain: Vec<bool>,
    /// Constraints that have been pushed below a node for good.
    satisfied: Vec<Constraints>,
    /// The last walk that saw a node.
    seen: Vec<u32>,
    walk: u32,
    pool: Vec<TypeId>,
    pub(super) comparable: AHashMap<GlobalId, Comparable>,
    /// Datatypes whose values were compared while that was only assumed to be allowed.
    pub(super) assumptions: Vec<GlobalId>,
    /// Whether a dot of unknown head may stand for an event or a value of a datatype; not so for
    /// arguments and patterns.
    pub(super) splitting: bool,
    pub(super) depth: u32,
}

impl TypeTable {
    pub(super) const INT: TypeId = TypeId(0);
    pub(super) const BOOL: TypeId = TypeId(1);
    pub(super) const CHAR: TypeId = TypeId(2);
    pub(super) const PROC: TypeId = TypeId(3);
    pub(super) const EVENT: TypeId = TypeId(4);
    pub(super) const ERROR: TypeId = TypeId(5);
    pub(super) const NOTHING: TypeId = TypeId(6);
    pub(super) const EVENTS: TypeId = TypeId(7);
    pub(super) const STRING: TypeId = TypeId(8);

    pub(super) fn new() -> Self {
        let mut table = Self {
            nodes: Vec::new(),
            plain: Vec::new(),
            satisfied: Vec::new(),
            seen: Vec::new(),
            walk: 0,
            pool: Vec::new(),
            comparable: AHashMap::new(),
            assumptions: Vec::new(),
            splitting: true,
            depth: 0,
        };
        for node in [
            Node::Int,
            Node::Bool,
            Node::Char,
            Node::Proc,
            Node::Event,
            Node::Error,
            Node::Nothing,
            Node::Set(Self::EVENT),
            Node::Sequence(Self::CHAR),
        ] {
            table.add(node);
        }
        table
    }

    /// A new node.
    pub(super) fn add(&mut self, node: Node) -> TypeId {
        let id = TypeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 types"));
        let plain = match node {
            Node::Sequence(a) | Node::Set(a) => self.is_plain(a),
            Node::Map(a, b) => self.is_plain(a) && self.is_plain(b),
            Node::Tuple(items) => self.list(items).iter().all(|t| self.is_plain(*t)),
            Node::Function(items, result) => {
                self.is_plain(result) && self.list(items).iter().all(|t| self.is_plain(*t))
            }
            Node::Link(_)
            | Node::Variable(_)
            | Node::Rigid(..)
            | Node::Generic(_)
            | Node::Dot(..)
            | Node::Dotable(..)
            | Node::Extendable(..)
            | Node::Missing(..) => false,
            _ => true,
        };
        self.nodes.push(node);
        self.plain.push(plain);
        self.satisfied.push(Constraints::NONE);
        self.seen.push(0);
        id
    }

    /// A variable without constraints.
    pub(super) fn fresh(&mut self) -> TypeId {
        self.add(Node::Variable(Constraints::NONE))
    }

    /// A variable with constraints.
    pub(super) fn fresh_with(&mut self, constraints: Constraints) -> TypeId {
        self.add(Node::Variable(constraints))
    }

    pub(super) fn set(&mut self, element: TypeId) -> TypeId {
        self.add(Node::Set(element))
    }

    pub(super) fn sequence(&mut self, element: TypeId) -> TypeId {
        self.add(Node::Sequence(element))
    }

    pub(super) fn tuple(&mut self, items: &[TypeId]) -> TypeId {
        let items = self.slice(items);
        self.add(Node::Tuple(items))
    }

    pub(super) fn function(&mut self, parameters: &[TypeId], result: TypeId) -> TypeId {
        let parameters = self.slice(parameters);
        self.add(Node::Function(parameters, result))
    }

    /// The dotable that takes these arguments one after the other.
    pub(super) fn dotable(&mut self, arguments: &[TypeId], result: TypeId) -> TypeId {
        arguments.iter().rev().fold(result, |result, argument| {
            self.add(Node::Dotable(*argument, result))
        })
    }

    /// These types dotted together; nothing for none.
    pub(super) fn dot(&mut self, items: &[TypeId]) -> TypeId {
        let Some((last, front)) = items.split_last() else {
            return Self::NOTHING;
        };
        front
            .iter()
            .rev()
            .fold(*last, |rest, item| self.add(Node::Dot(*item, rest)))
    }

    /// An extendable that lacks something unknown to be a `base`.
    pub(super) fn extendable(&mut self, base: TypeId) -> TypeId {
        let missing = self.fresh();
        self.add(Node::Extendable(missing, base))
    }

    /// Puts types into the pool.
    pub(super) fn slice(&mut self, items: &[TypeId]) -> Slice {
        let start = u32::try_from(self.pool.len()).expect("fewer than 2^32 types");
        self.pool.extend_from_slice(items);
        Slice {
            start,
            length: u32::try_from(items.len()).expect("fewer than 2^32 types"),
        }
    }

    /// The types of a slice.
    pub(super) fn list(&self, slice: Slice) -> &[TypeId] {
        &self.pool[slice.start as usize..(slice.start + slice.length) as usize]
    }

    /// A copy of the types of a slice, for use while the table changes.
    pub(super) fn items(&self, slice: Slice) -> TypeList {
        self.list(slice).iter().copied().collect()
    }

    /// What a resolved node is.
    pub(super) fn node(&self, id: TypeId) -> Node {
        self.nodes[id.0 as usize]
    }

    /// Changes a node; whatever refers to it sees the change.
    pub(super) fn put(&mut self, id: TypeId, node: Node) {
        self.nodes[id.0 as usize] = node;
    }

    /// Makes two nodes the same.
    pub(super) fn link(&mut self, from: TypeId, to: TypeId) {
        assert!(from != to, "a link to itself would never end");
        self.put(from, Node::Link(to));
    }

    /// Whether this is one of the types every table begins with.
    pub(super) fn is_constant(&self, id: TypeId) -> bool {
        id.0 <= Self::STRING.0
    }

    /// Whether neither variables nor dots lie below.
    pub(super) fn is_plain(&self, id: TypeId) -> bool {
        self.plain[id.0 as usize]
    }

    /// Notes that a constraint has been pushed below a node; says whether that is news.
    pub(super) fn satisfy(&mut self, id: TypeId, constraint: Constraints) -> bool {
        let known = &mut self.satisfied[id.0 as usize];
        let news = !known.contain(constraint);
        *known = known.union(constraint);
        news
    }

    /// Starts a walk that sees every node once.
    pub(super) fn start_walk(&mut self) -> u32 {
        self.walk += 1;
        self.walk
    }

    /// Marks a node; says whether this walk sees it for the first time.
    pub(super) fn visit(&mut self, id: TypeId, walk: u32) -> bool {
        std::mem::replace(&mut self.seen[id.0 as usize], walk) != walk
    }

    fn follow(&mut self, id: TypeId) -> TypeId {
        let mut root = id;
        while let Node::Link(next) = self.node(root) {
            root = next;
        }
        let mut at = id;
        while let Node::Link(next) = self.node(at) {
            self.put(at, Node::Link(root));
            at = next;
        }
        root
    }

    /// The node that stands for a type, with what has become known of dots at its root worked in.
    pub(super) fn resolve(&mut self, id: TypeId) -> TypeId {
        let root = self.follow(id);
        match self.node(root) {
            Node::Extendable(missing, base) => self.resolve_extendable(root, missing, base),
            Node::Dotable(argument, result) => {
                let argument = self.resolve(argument);
                match self.node(argument) {
                    Node::Nothing => {
                        let result = self.resolve(result);
                        self.link(root, result);
                        result
                    }
                    Node::Dot(first, rest) | Node::Missing(first, rest) => {
                        let rest = self.add(Node::Dotable(rest, result));
                        self.put(root, Node::Dotable(first, rest));
                        self.resolve(root)
                    }
                    _ => root,
                }
            }
            Node::Dot(first, rest) => self.resolve_dot(root, first, rest),
            _ => root,
        }
    }

    fn resolve_extendable(&mut self, root: TypeId, missing: TypeId, base: TypeId) -> TypeId {
        let missing = self.resolve(missing);
        match self.node(missing) {
            Node::Variable(_) | Node::Rigid(..) | Node::Generic(_) => root,
            Node::Nothing => {
                let base = self.resolve(base);
                self.link(root, base);
                base
            }
            Node::Error => {
                self.link(root, Self::ERROR);
                Self::ERROR
            }
            Node::Missing(first, rest) | Node::Dot(first, rest) => {
                let rest = self.add(Node::Extendable(rest, base));
                self.put(root, Node::Dotable(first, rest));
                self.resolve(root)
            }
            _ => {
                self.put(root, Node::Dotable(missing, base));
                root
            }
        }
    }

    fn resolve_dot(&mut self, root: TypeId, first: TypeId, rest: TypeId) -> TypeId {
        let first = self.resolve(first);
        let rest = self.resolve(rest);
        match (self.node(first), self.node(rest)) {
            (Node::Nothing, _) => {
                self.link(root, rest);
                rest
            }
            (_, Node::Nothing) => {
                self.link(root, first);
                first
            }
            (Node::Error, _) | (_, Node::Error) => {
                self.link(root, Self::ERROR);
                Self::ERROR
            }
            _ => root,
        }
    }

    /// Appends the items of a dot, or the type itself.
    pub(super) fn flatten(&mut self, id: TypeId, into: &mut TypeList) {
        let id = self.resolve(id);
        match self.node(id) {
            Node::Dot(first, rest) | Node::Missing(first, rest) => {
                self.flatten(first, into);
                self.flatten(rest, into);
            }
            Node::Nothing => {}
            _ => into.push(id),
        }
    }

    /// The arguments of a dotable, flattened, and what it gives in the end.
    pub(super) fn spread(&mut self, id: TypeId) -> (TypeList, TypeId) {
        let mut arguments = TypeList::new();
        let mut at = self.resolve(id);
        while let Node::Dotable(argument, result) = self.node(at) {
            self.flatten(argument, &mut arguments);
            at = self.resolve(result);
        }
        (arguments, at)
    }

    /// The children of a node, for walks.
    pub(super) fn children(&self, id: TypeId) -> TypeList {
        match self.node(id) {
            Node::Link(a) | Node::Sequence(a) | Node::Set(a) => [a].into_iter().collect(),
            Node::Map(a, b)
            | Node::Dot(a, b)
            | Node::Dotable(a, b)
            | Node::Extendable(a, b)
            | Node::Missing(a, b) => [a, b].into_iter().collect(),
            Node::Tuple(items) => self.items(items),
            Node::Function(items, result) => {
                let mut all = self.items(items);
                all.push(result);
                all
            }
            _ => TypeList::new(),
        }
    }
}
