//! Values: what expressions evaluate to.
//!
//! A value is sixteen bytes; composite values are shared. Laziness lives in [`Value::Thunk`] and
//! [`Value::Suffix`], which may stand in environments, tuples and sequences, never in sets, maps and
//! dots. A value without them anywhere inside is *canonical*; only canonical values are hashed,
//! ordered and compared.

use std::cell::{Cell, OnceCell, RefCell};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use csp_grammar::Diagnostic;
use csp_lts::EventId;
use smallvec::SmallVec;

use super::code::{FunctionId, GroupId, SequenceComprehension, UnitId};
use super::sequence::Sequence;
use super::sets::Set;
use super::sharing;
use crate::hir::{Builtin, GlobalId};
use crate::process::ProcessId;

/// What an expression evaluates to, or a promise of it.
#[derive(Clone, Debug)]
pub enum Value {
    /// An integer.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A character.
    Char(char),
    /// A complete event.
    Event(EventId),
    /// A constructor or channel without fields so far.
    Tag(GlobalId),
    /// A process, by its number.
    Process(ProcessId),
    /// A built-in function that has not been applied.
    Builtin(Builtin),
    /// `(a, b, …)`.
    Tuple(Rc<Items>),
    /// A constructor or channel with fields, or fields without a head.
    Dot(Rc<Dot>),
    /// `<a, b, …>`.
    Sequence(Rc<Sequence>),
    /// `{a, b, …}`.
    Set(Rc<Set>),
    /// `(| k => v |)`.
    Map(Rc<Map>),
    /// A function, perhaps with its first arguments.
    Function(Rc<Function>),
    /// The definitions of a `let` that need one another; only ever held in environments.
    Group(Rc<Group>),
    /// A value that has not been needed yet.
    Thunk(Rc<Thunk>),
    /// The elements of a flat sequence from a place on: a promise of a sequence that costs no
    /// memory, for the tails that patterns take off.
    Suffix(u32, Rc<Sequence>),
    /// A captured variable whose evaluation failed; the failure is raised if it is used.
    Failure(Rc<Diagnostic>),
}

/// The parts of a tuple, dot or flat sequence.
#[derive(Debug)]
pub struct Items {
    items: SmallVec<[Value; 2]>,
    canonical: bool,
    /// [`Value::weight`] of all parts together, and one.
    weight: u32,
    hash: Cell<u64>,
    /// The canonical value, once a tuple or sequence that is not has been made so: however many share
    /// it, that is done once.
    form: OnceCell<Box<Value>>,
}

impl Items {
    /// Notes whether all parts are canonical.
    #[must_use]
    pub fn new(items: SmallVec<[Value; 2]>) -> Self {
        let canonical = items.iter().all(Value::is_canonical);
        let weight = total_weight(&items);
        Self {
            items,
            canonical,
            weight,
            hash: Cell::new(0),
            form: OnceCell::new(),
        }
    }

    pub(crate) fn weight(&self) -> u32 {
        self.weight
    }

    /// What this came to when it was made canonical.
    pub(crate) fn form(&self) -> Option<Value> {
        self.form.get().map(|value| (**value).clone())
    }

    /// Remembers what this came to.
    pub(crate) fn remember_form(&self, value: &Value) {
        // The first one stays; both mean the same.
        let _ = self.form.set(Box::new(value.clone()));
    }

    /// No part is or holds a thunk.
    #[must_use]
    pub fn is_canonical(&self) -> bool {
        self.canonical
    }

    /// The parts.
    #[must_use]
    pub fn as_slice(&self) -> &[Value] {
        &self.items
    }

    pub(crate) fn take(&mut self) -> SmallVec<[Value; 2]> {
        std::mem::take(&mut self.items)
    }

    pub(crate) fn structural_hash(&self) -> u64 {
        cached(&self.hash, || hash_all(11, &self.items))
    }

    /// The order of the parts, as of a list.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let weights = (self.weight, other.weight);
        sharing::compare(self, other, weights, || {
            self.items.iter().cmp(other.items.iter())
        })
    }
}

/// A headed value has the head and at most as many fields as the head takes.
#[derive(Debug)]
pub struct Dot {
    /// The constructor or channel.
    pub head: Option<GlobalId>,
    /// The fields so far; canonical, at least one.
    pub fields: Items,
    /// Whether nothing is missing, once that has been found out.
    pub(crate) complete: Cell<Option<bool>>,
}

impl Dot {
    fn dismantle(&mut self, queue: &mut Queue) {
        let nested = |field: &Value| matches!(field, Value::Dot(_) | Value::Sequence(_));
        if self.fields.items.iter().any(nested) {
            queue.extend(self.fields.take().into_iter().filter(nested));
        }
    }
}

impl Drop for Dot {
    fn drop(&mut self) {
        release(|queue| self.dismantle(queue));
    }
}

/// A finite map; keys ascending, keys and values canonical.
#[derive(Debug)]
pub struct Map {
    /// The entries.
    pub entries: Vec<(Value, Value)>,
    weight: u32,
    hash: Cell<u64>,
}

impl Map {
    /// A map of entries whose keys ascend.
    #[must_use]
    pub fn new(entries: Vec<(Value, Value)>) -> Self {
        let weight = entries.iter().fold(1u32, |sum, (key, value)| {
            sum.saturating_add(key.weight())
                .saturating_add(value.weight())
        });
        Self {
            entries,
            weight,
            hash: Cell::new(0),
        }
    }
}

/// A function value.
#[derive(Debug)]
pub struct Function {
    /// Its code.
    pub(crate) code: Callee,
    /// Values of its free variables.
    pub(crate) environment: Environment,
    /// Arguments of the parameter lists applied so far.
    pub(crate) arguments: Box<[Value]>,
}

/// What is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Callee {
    /// A function of the script.
    Code(FunctionId),
    /// A curried built-in.
    Builtin(Builtin),
}

/// Where a function finds its free variables.
#[derive(Clone, Debug)]
pub(crate) enum Environment {
    /// It has none.
    None,
    /// It belongs to a group.
    Group(Rc<Group>),
    /// It is a lambda.
    Captured(Box<[Value]>),
}

/// One instance of mutually dependent `let` definitions: the values of the variables from outside
/// that they use, and the constants of the group evaluated so far. Two instances of one group with
/// equal captured values are the same value, which is how recursion through `let` closes.
#[derive(Debug)]
pub struct Group {
    pub(crate) id: GroupId,
    pub(crate) captured: RefCell<Box<[Value]>>,
    pub(crate) canonical: Cell<bool>,
    pub(crate) constants: RefCell<Vec<MemberState>>,
}

/// How far a constant of a group has come.
#[derive(Clone, Debug)]
pub(crate) enum MemberState {
    /// Not asked for.
    Absent,
    /// Asked for; the link is weak because the thunk holds the group.
    Pending(std::rc::Weak<Thunk>),
    /// Known.
    Done(Value),
}

/// A delayed evaluation.
#[derive(Debug)]
pub struct Thunk {
    pub(crate) state: RefCell<ThunkState>,
}

/// How far a thunk has come.
#[derive(Debug)]
pub(crate) enum ThunkState {
    /// Not begun: code and the values of its free variables.
    Pending(UnitId, Box<[Value]>),
    /// Not begun: a global constant.
    Global(GlobalId),
    /// Not begun: a constant of a group.
    Member(Rc<Group>, u32),
    /// A concatenation whose left part is not known yet.
    Append(Value, Value),
    /// The rest of a lazy sequence comprehension.
    Resume(Box<Resume>),
    /// Under way; meeting it again means that the value depends on itself.
    Evaluating,
    /// Done; never a thunk.
    Done(Value),
}

/// Where a lazy comprehension goes on.
#[derive(Debug)]
pub(crate) struct Resume {
    pub(crate) comprehension: Rc<SequenceComprehension>,
    /// The generator that goes on.
    pub(crate) statement: usize,
    /// The variables as they were.
    pub(crate) frame: Box<[Value]>,
    /// What the generator still has to draw.
    pub(crate) rest: Value,
}

impl Thunk {
    pub(crate) fn of(state: ThunkState) -> Value {
        Value::Thunk(Rc::new(Self {
            state: RefCell::new(state),
        }))
    }

    /// The value, if it is known.
    pub(crate) fn known(&self) -> Option<Value> {
        match &*self.state.borrow() {
            ThunkState::Done(value) => Some(value.clone()),
            _ => None,
        }
    }
}

impl Drop for Thunk {
    fn drop(&mut self) {
        release(|queue| match self.state.get_mut() {
            ThunkState::Done(value) => enqueue(queue, [take_link(value)]),
            ThunkState::Pending(_, captured) => enqueue(queue, captured.iter_mut().map(take_link)),
            ThunkState::Append(left, right) => enqueue(queue, [left, right].map(take_link)),
            _ => {}
        });
    }
}

/// Values that are still to be dropped.
pub(crate) type Queue = SmallVec<[Value; 8]>;

/// Takes a value that may be the last link to a long chain; others are left to be dropped in place.
fn take_link(value: &mut Value) -> Value {
    match value {
        Value::Thunk(_) | Value::Sequence(_) | Value::Dot(_) => {
            std::mem::replace(value, Value::Bool(false))
        }
        _ => Value::Bool(false),
    }
}

/// Queues what may be part of a long chain; the rest is dropped at once.
pub(crate) fn enqueue(queue: &mut Queue, values: impl IntoIterator<Item = Value>) {
    queue.extend(
        values
            .into_iter()
            .filter(|value| matches!(value, Value::Thunk(_) | Value::Sequence(_) | Value::Dot(_))),
    );
}

/// Drops long chains of thunks and sequences without recursion.
pub(crate) fn release(fill: impl FnOnce(&mut Queue)) {
    let mut queue = Queue::new();
    fill(&mut queue);
    while let Some(value) = queue.pop() {
        match value {
            Value::Thunk(thunk) => {
                if let Some(mut thunk) = Rc::into_inner(thunk) {
                    match std::mem::replace(thunk.state.get_mut(), ThunkState::Evaluating) {
                        ThunkState::Done(value) => enqueue(&mut queue, [value]),
                        ThunkState::Pending(_, captured) => enqueue(&mut queue, captured),
                        ThunkState::Append(left, right) => enqueue(&mut queue, [left, right]),
                        _ => {}
                    }
                }
            }
            Value::Sequence(sequence) => {
                if let Some(mut sequence) = Rc::into_inner(sequence) {
                    sequence.dismantle(&mut queue);
                }
            }
            Value::Dot(dot) => {
                if let Some(mut dot) = Rc::into_inner(dot) {
                    dot.dismantle(&mut queue);
                }
            }
            _ => {}
        }
    }
}

impl Value {
    /// `(a, b, …)`.
    #[must_use]
    pub fn tuple(items: SmallVec<[Self; 2]>) -> Self {
        Self::Tuple(Rc::new(Items::new(items)))
    }

    /// Fields, with a head or without.
    #[must_use]
    pub fn dot(head: Option<GlobalId>, fields: SmallVec<[Self; 2]>) -> Self {
        let fields = Items::new(fields);
        // Hashed while its parts are: then hashing is never deep, however deep the value.
        fields.structural_hash();
        Self::Dot(Rc::new(Dot {
            head,
            fields,
            complete: Cell::new(None),
        }))
    }

    /// A set.
    #[must_use]
    pub fn set(set: Set) -> Self {
        Self::Set(Rc::new(set))
    }

    /// A sequence.
    #[must_use]
    pub fn sequence(items: Vec<Self>) -> Self {
        Self::Sequence(Rc::new(Sequence::flat(items)))
    }

    /// A sequence of characters.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::sequence(text.chars().map(Self::Char).collect())
    }

    /// A map; later entries win.
    #[must_use]
    pub fn map(mut entries: Vec<(Self, Self)>) -> Self {
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        entries.reverse();
        entries.dedup_by(|a, b| a.0 == b.0);
        entries.reverse();
        Self::Map(Rc::new(Map::new(entries)))
    }

    /// Another hold on the value; on what a thunk came to, if it is done.
    #[inline]
    pub(crate) fn known(&self) -> Self {
        match self {
            Self::Int(i) => Self::Int(*i),
            Self::Thunk(thunk) => thunk.known().unwrap_or_else(|| self.clone()),
            other => other.clone(),
        }
    }

    /// The value of a promise that takes no evaluation; others as they are.
    #[must_use]
    pub(crate) fn at_hand(self) -> Self {
        match self {
            Self::Thunk(thunk) => thunk.known().unwrap_or(Self::Thunk(thunk)),
            Self::Suffix(start, whole) => Self::Sequence(whole.from(start)),
            other => other,
        }
    }

    /// Without thunks inside.
    #[must_use]
    #[inline]
    pub fn is_canonical(&self) -> bool {
        matches!(self, Self::Int(_) | Self::Event(_)) || self.has_canonical_parts()
    }

    fn has_canonical_parts(&self) -> bool {
        match self {
            Self::Thunk(_) | Self::Suffix(..) => false,
            Self::Tuple(items) => items.canonical,
            Self::Sequence(sequence) => sequence.is_canonical(),
            Self::Function(function) => {
                function.arguments.iter().all(Self::is_canonical)
                    && match &function.environment {
                        Environment::None => true,
                        Environment::Group(group) => group.canonical.get(),
                        Environment::Captured(values) => values.iter().all(Self::is_canonical),
                    }
            }
            Self::Group(group) => group.canonical.get(),
            _ => true,
        }
    }

    /// How many values there are in this one, itself included, each counted as often as it stands
    /// there: what it takes to walk through it without regard to what is shared. What is a promise, and
    /// what is beyond 2^32, is not counted.
    pub(crate) fn weight(&self) -> u32 {
        match self {
            Self::Tuple(items) => items.weight,
            Self::Dot(dot) => dot.fields.weight,
            Self::Sequence(sequence) => sequence.weight(),
            Self::Set(set) => set.weight(),
            Self::Map(map) => map.weight,
            Self::Function(function) => {
                let captured = match &function.environment {
                    Environment::Captured(values) => total_weight(values),
                    _ => 0,
                };
                total_weight(&function.arguments).saturating_add(captured)
            }
            _ => 1,
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Int(_) => 0,
            Self::Bool(_) => 1,
            Self::Char(_) => 2,
            Self::Event(_) => 3,
            Self::Tag(_) | Self::Dot(_) => 4,
            Self::Process(_) => 5,
            Self::Builtin(_) => 6,
            Self::Tuple(_) => 7,
            Self::Sequence(_) => 8,
            Self::Set(_) => 9,
            Self::Map(_) => 10,
            Self::Function(_) => 11,
            Self::Group(_) => 12,
            Self::Thunk(_) => 13,
            Self::Failure(_) => 14,
            Self::Suffix(..) => 15,
        }
    }

    pub(crate) fn structural_hash(&self) -> u64 {
        match self {
            Self::Int(i) => mix(1, *i as u64),
            Self::Bool(b) => mix(2, u64::from(*b)),
            Self::Char(c) => mix(3, u64::from(*c)),
            Self::Event(e) => mix(4, u64::from(e.0)),
            Self::Tag(t) => mix(5, u64::from(t.0)),
            Self::Process(p) => mix(6, u64::from(p.0)),
            Self::Builtin(b) => mix(7, *b as u64),
            Self::Tuple(items) => items.structural_hash(),
            Self::Dot(dot) => mix(
                dot.head.map_or(8, |h| u64::from(h.0) + 16),
                dot.fields.structural_hash(),
            ),
            Self::Sequence(sequence) => mix(9, sequence.structural_hash()),
            Self::Set(set) => set.structural_hash(),
            Self::Map(map) => cached(&map.hash, || {
                map.entries.iter().fold(10, |hash, (k, v)| {
                    mix(mix(hash, k.structural_hash()), v.structural_hash())
                })
            }),
            Self::Function(function) => {
                let code = match function.code {
                    Callee::Code(id) => u64::from(id.0),
                    Callee::Builtin(b) => b as u64 + (1 << 40),
                };
                let hash = hash_all(mix(12, code), &function.arguments);
                match &function.environment {
                    Environment::None => hash,
                    Environment::Group(group) => mix(hash, group.structural_hash()),
                    Environment::Captured(values) => hash_all(hash, values),
                }
            }
            Self::Group(group) => group.structural_hash(),
            Self::Failure(failure) => mix(14, u64::from(failure.span.start)),
            Self::Thunk(_) | Self::Suffix(..) => {
                unreachable!("only canonical values are hashed")
            }
        }
    }
}

impl Group {
    fn structural_hash(&self) -> u64 {
        hash_all(mix(13, u64::from(self.id.0)), &self.captured.borrow())
    }

    fn compare(&self, other: &Self) -> Ordering {
        if std::ptr::eq(self, other) {
            return Ordering::Equal;
        }
        (self.id, &*self.captured.borrow()).cmp(&(other.id, &*other.captured.borrow()))
    }
}

impl Environment {
    fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Group(a), Self::Group(b)) => a.compare(b),
            (Self::Captured(a), Self::Captured(b)) => a.cmp(b),
            // Functions with the same code have the same kind of environment.
            _ => Ordering::Equal,
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Dot(a), Self::Dot(b))
                if a.fields.structural_hash() != b.fields.structural_hash() =>
            {
                false
            }
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Event(a), Self::Event(b)) => a == b,
            (Self::Tag(a), Self::Tag(b)) => a == b,
            // What is large is most often unlike, and then so are the hashes.
            (Self::Tuple(_), Self::Tuple(_))
            | (Self::Sequence(_), Self::Sequence(_))
            | (Self::Set(_), Self::Set(_))
            | (Self::Map(_), Self::Map(_))
                if sharing::is_large(self.weight(), other.weight())
                    && self.structural_hash() != other.structural_hash() =>
            {
                false
            }
            _ => self.cmp(other) == Ordering::Equal,
        }
    }
}

impl Eq for Value {}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The order of canonical sets; the order of scripts (`<`) is another one.
impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a.cmp(b),
            (Self::Bool(a), Self::Bool(b)) => a.cmp(b),
            (Self::Char(a), Self::Char(b)) => a.cmp(b),
            (Self::Event(a), Self::Event(b)) => a.cmp(b),
            (Self::Tag(a), Self::Tag(b)) => a.cmp(b),
            (Self::Process(a), Self::Process(b)) => a.cmp(b),
            (Self::Builtin(a), Self::Builtin(b)) => a.cmp(b),
            (Self::Tuple(a), Self::Tuple(b)) => a.compare(b),
            (Self::Dot(a), Self::Dot(b)) => a
                .head
                .cmp(&b.head)
                .then_with(|| a.fields.compare(&b.fields)),
            (Self::Tag(a), Self::Dot(b)) => Some(*a).cmp(&b.head).then(Ordering::Less),
            (Self::Dot(a), Self::Tag(b)) => a.head.cmp(&Some(*b)).then(Ordering::Greater),
            (Self::Sequence(a), Self::Sequence(b)) => a.compare(b),
            (Self::Set(a), Self::Set(b)) => a.compare(b),
            (Self::Map(a), Self::Map(b)) => {
                sharing::compare(&**a, &**b, (a.weight, b.weight), || {
                    a.entries.cmp(&b.entries)
                })
            }
            (Self::Function(a), Self::Function(b)) => a
                .code
                .cmp(&b.code)
                .then_with(|| a.arguments.cmp(&b.arguments))
                .then_with(|| a.environment.compare(&b.environment)),
            (Self::Group(a), Self::Group(b)) => a.compare(b),
            (Self::Failure(a), Self::Failure(b)) => {
                (a.span, a.code, &a.message, &a.stack).cmp(&(b.span, b.code, &b.message, &b.stack))
            }
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.structural_hash());
    }
}

/// [`Value::weight`] of some values together, and one.
pub(crate) fn total_weight(values: &[Value]) -> u32 {
    values
        .iter()
        .fold(1u32, |sum, value| sum.saturating_add(value.weight()))
}

pub(crate) fn mix(hash: u64, word: u64) -> u64 {
    let mixed = (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

pub(crate) fn hash_all(seed: u64, values: &[Value]) -> u64 {
    values
        .iter()
        .fold(mix(seed, values.len() as u64), |hash, v| {
            mix(hash, v.structural_hash())
        })
}

/// Remembers a hash; zero means that it is not known yet.
pub(crate) fn cached(cell: &Cell<u64>, compute: impl FnOnce() -> u64) -> u64 {
    let known = cell.get();
    if known != 0 {
        return known;
    }
    let hash = compute().max(1);
    cell.set(hash);
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_small() {
        assert_eq!(size_of::<Value>(), 16);
        assert_eq!(size_of::<Result<Value, Box<Diagnostic>>>(), 16);
    }

    #[test]
    fn later_entries_of_a_map_win() {
        let Value::Map(map) = Value::map(vec![
            (Value::Int(2), Value::Int(20)),
            (Value::Int(1), Value::Int(10)),
            (Value::Int(2), Value::Int(21)),
        ]) else {
            unreachable!("a map was made")
        };
        assert_eq!(
            map.entries,
            vec![
                (Value::Int(1), Value::Int(10)),
                (Value::Int(2), Value::Int(21))
            ]
        );
    }
}
