//! Sequences: flat arrays, slices of them, integer ranges and lazy concatenations.
//!
//! `<x> ^ rest` and `rest ^ <x>` take constant time; taking a sequence apart from the left is
//! amortised constant time, because a left-nested concatenation is turned round and remembers it. So
//! does the one half way down, which bounds what many sequences with a common beginning cost together.
//! A canonical sequence is flat (or an endless range).

use std::cell::OnceCell;
use std::cmp::Ordering;
use std::rc::Rc;

use smallvec::SmallVec;

use super::value::{Items, Queue, Thunk, ThunkState, Value, enqueue, mix, release};

/// A finite or endless sequence whose elements and tails may be unevaluated.
#[derive(Debug)]
pub enum Sequence {
    /// All elements at hand.
    Flat(Items),
    /// A non-empty part of a flat sequence.
    Slice {
        /// The flat sequence.
        whole: Rc<Sequence>,
        /// First element.
        start: u32,
        /// One past the last.
        end: u32,
    },
    /// `left ^ right`; left is not empty, right is a sequence or a thunk of one.
    Join {
        /// What comes first.
        left: Rc<Sequence>,
        /// What follows.
        right: Value,
        /// At least this many elements; those of a promise are not counted.
        least: u64,
        /// The first element and the rest, once that has been worked out.
        split: OnceCell<Box<(Value, Value)>>,
    },
    /// `<from .. to>`, not empty.
    Range(i64, i64),
    /// `<from ..>`.
    From(i64),
}

impl Sequence {
    /// The sequence of these elements.
    #[must_use]
    pub fn flat(items: Vec<Value>) -> Self {
        Self::Flat(Items::new(SmallVec::from_vec(items)))
    }

    /// The sequence of the elements of a buffer, which is left empty and can be used again.
    pub(crate) fn drain(buffer: &mut Vec<Value>) -> Self {
        let items = if buffer.len() <= 2 {
            buffer.drain(..).collect()
        } else {
            let mut exact = Vec::with_capacity(buffer.len());
            exact.append(buffer);
            SmallVec::from_vec(exact)
        };
        Self::Flat(Items::new(items))
    }

    /// `<>`.
    #[must_use]
    pub fn empty() -> Self {
        Self::Flat(Items::new(SmallVec::new()))
    }

    /// `<from .. to>`; empty if `to` is less than `from`.
    #[must_use]
    pub fn range(from: i64, to: i64) -> Self {
        if from > to {
            Self::empty()
        } else {
            Self::Range(from, to)
        }
    }

    /// No elements. Concatenations are never empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Flat(items) if items.as_slice().is_empty())
    }

    /// Flat or endless, with canonical elements.
    #[must_use]
    pub fn is_canonical(&self) -> bool {
        match self {
            Self::Flat(items) => items.is_canonical(),
            Self::From(_) => true,
            _ => false,
        }
    }

    /// The elements, if they lie side by side.
    #[must_use]
    pub fn as_slice(&self) -> Option<&[Value]> {
        match self {
            Self::Flat(items) => Some(items.as_slice()),
            Self::Slice { whole, start, end } => {
                Some(&whole.as_slice()?[*start as usize..*end as usize])
            }
            _ => None,
        }
    }

    /// The part of a flat sequence from `start` to `end`.
    #[must_use]
    pub fn slice(self: &Rc<Self>, start: usize, end: usize) -> Rc<Self> {
        let narrow =
            |n: usize| u32::try_from(n).expect("sequences in memory are shorter than 2^32");
        match &**self {
            _ if start >= end => Rc::new(Self::empty()),
            Self::Slice {
                whole, start: base, ..
            } => Rc::new(Self::Slice {
                whole: Rc::clone(whole),
                start: base + narrow(start),
                end: base + narrow(end),
            }),
            _ => Rc::new(Self::Slice {
                whole: Rc::clone(self),
                start: narrow(start),
                end: narrow(end),
            }),
        }
    }

    /// The elements of a flat sequence whose suffixes can be numbered.
    #[inline]
    pub(crate) fn numbered(&self) -> Option<&[Value]> {
        match self {
            Self::Flat(items) if u32::try_from(items.as_slice().len()).is_ok() => {
                Some(items.as_slice())
            }
            _ => None,
        }
    }

    /// The part of a flat sequence from `start` on.
    pub(crate) fn from(self: &Rc<Self>, start: u32) -> Rc<Self> {
        match self.as_slice() {
            Some(items) if start > 0 => self.slice(start as usize, items.len()),
            _ => Rc::clone(self),
        }
    }

    /// What follows the first elements of a sequence whose elements lie side by side: a sequence or
    /// a suffix.
    pub(crate) fn tail(self: &Rc<Self>, from: usize) -> Value {
        let (whole, start, end) = match &**self {
            Self::Slice { whole, start, end } => (whole, *start as usize + from, *end as usize),
            _ => (self, from, self.as_slice().map_or(0, <[Value]>::len)),
        };
        match (u32::try_from(start), whole.as_slice()) {
            (Ok(start), Some(items)) if items.len() == end => {
                Value::Suffix(start, Rc::clone(whole))
            }
            _ => Value::Sequence(whole.slice(start, end)),
        }
    }

    /// The first element and the rest, which is a sequence or a promise of one; `None` if empty.
    #[must_use]
    pub fn split_first(self: &Rc<Self>) -> Option<(Value, Value)> {
        match &**self {
            Self::Flat(_) | Self::Slice { .. } => {
                let first = self.as_slice()?.first()?.clone();
                Some((first, self.tail(1)))
            }
            Self::Range(from, to) => Some((
                Value::Int(*from),
                Value::Sequence(Rc::new(if from < to {
                    Self::Range(from + 1, *to)
                } else {
                    Self::empty()
                })),
            )),
            // The integers end somewhere, and then so does the sequence.
            Self::From(from) => Some((
                Value::Int(*from),
                Value::Sequence(Rc::new(match from.checked_add(1) {
                    Some(next) => Self::From(next),
                    None => Self::empty(),
                })),
            )),
            Self::Join { left, right, .. } => Some(match &**left {
                Self::Join { .. } => self.split_join(),
                _ => split_leaf(left, right.clone()),
            }),
        }
    }

    /// Turns `((a ^ b) ^ c) ^ d` round to `a ^ (b ^ (c ^ d))` on the way to the first element.
    fn split_join(self: &Rc<Self>) -> (Value, Value) {
        let mut spine: SmallVec<[&Self; 8]> = SmallVec::new();
        let (mut next, mut known) = (self, None);
        while let Self::Join { left, split, .. } = &**next {
            known = split.get().map(|split| &**split);
            if known.is_some() {
                break;
            }
            #[cfg(test)]
            tests::STEPS.set(tests::STEPS.get() + 1);
            spine.push(next);
            next = left;
        }
        if spine.is_empty() {
            return known.expect("it was found").clone();
        }
        if spine.len() > 3 {
            Self::turn(&spine[spine.len() / 2..], next, known);
        }
        Self::turn(&spine, next, known)
    }

    /// Takes the first of nested concatenations apart and lets it remember that. At their bottom is a
    /// sequence that is not a concatenation, or has been taken apart.
    fn turn(spine: &[&Self], bottom: &Rc<Self>, known: Option<&(Value, Value)>) -> (Value, Value) {
        let mut rest = None;
        for join in spine {
            if let Self::Join { right, .. } = join {
                rest = Some(match rest {
                    None => right.clone(),
                    Some(rest) => Self::join(right.clone(), rest),
                });
            }
        }
        let rest = rest.expect("a spine is not empty");
        let taken = match known {
            Some(split) => (split.0.clone(), Self::join(split.1.clone(), rest)),
            None => split_leaf(bottom, rest),
        };
        if let Self::Join { split, .. } = spine[0] {
            // Nothing on the spine has been taken apart before.
            let _ = split.set(Box::new(taken.clone()));
        }
        taken
    }

    /// The concatenation of a sequence that is not empty and what follows.
    pub(crate) fn concatenation(left: Rc<Self>, right: Value) -> Self {
        let after = match &right {
            Value::Sequence(right) => right.least(),
            _ => 0,
        };
        let least = left.least().saturating_add(after);
        Self::Join {
            left,
            right,
            least,
            split: OnceCell::new(),
        }
    }

    /// A number of elements that it is certain to have, without evaluating anything.
    pub(crate) fn least(&self) -> u64 {
        match self {
            Self::Join { least, .. } => *least,
            Self::Range(from, to) => to.abs_diff(*from).saturating_add(1),
            Self::From(_) => 0,
            flat => flat.as_slice().map_or(0, |items| items.len() as u64),
        }
    }

    /// `left ^ right` where both may be thunks.
    pub(crate) fn join(left: Value, right: Value) -> Value {
        match left.at_hand() {
            Value::Sequence(sequence) if sequence.is_empty() => right,
            Value::Sequence(left) => Value::Sequence(Rc::new(Self::concatenation(left, right))),
            lazy => Thunk::of(ThunkState::Append(lazy, right)),
        }
    }

    pub(crate) fn structural_hash(&self) -> u64 {
        match self {
            Self::Flat(items) => items.structural_hash(),
            Self::From(from) => mix(2, *from as u64),
            _ => unreachable!("only canonical sequences are hashed"),
        }
    }

    /// As [`Value::weight`], of elements that are at hand.
    pub(crate) fn weight(&self) -> u32 {
        match self {
            Self::Flat(items) => items.weight(),
            _ => 1,
        }
    }

    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Flat(a), Self::Flat(b)) => a.compare(b),
            (Self::From(a), Self::From(b)) => a.cmp(b),
            (Self::From(_), _) => Ordering::Greater,
            _ => Ordering::Less,
        }
    }

    /// Moves the parts into a queue, so that long chains are not dropped recursively.
    pub(crate) fn dismantle(&mut self, queue: &mut Queue) {
        match self {
            Self::Join {
                left, right, split, ..
            } => {
                enqueue(queue, [std::mem::replace(right, Value::Bool(false))]);
                if let Some(split) = split.take() {
                    enqueue(queue, [split.0, split.1]);
                }
                if matches!(**left, Self::Join { .. }) {
                    queue.push(Value::Sequence(std::mem::replace(
                        left,
                        Rc::new(Self::From(0)),
                    )));
                }
            }
            Self::Flat(items) => enqueue(queue, items.take()),
            _ => {}
        }
    }
}

impl Drop for Sequence {
    fn drop(&mut self) {
        if matches!(self, Self::Join { .. }) {
            release(|queue| self.dismantle(queue));
        }
    }
}

/// The first element of a sequence that is not a concatenation, and its rest followed by another.
fn split_leaf(leaf: &Rc<Sequence>, rest: Value) -> (Value, Value) {
    let (first, tail) = leaf
        .split_first()
        .expect("the left part of a concatenation is not empty");
    match &tail {
        Value::Suffix(start, whole) if whole.least() == u64::from(*start) => (first, rest),
        _ => (first, Sequence::join(tail, rest)),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    thread_local! {
        /// How many concatenations were walked down.
        pub(super) static STEPS: Cell<u64> = const { Cell::new(0) };
    }

    fn ints(sequence: Value) -> Vec<i64> {
        let mut out = Vec::new();
        let mut rest = sequence;
        while let Value::Sequence(sequence) = &rest.at_hand() {
            match sequence.split_first() {
                Some((Value::Int(i), tail)) => {
                    out.push(i);
                    rest = tail;
                }
                _ => break,
            }
        }
        out
    }

    fn one(i: i64) -> Value {
        Value::sequence(vec![Value::Int(i)])
    }

    #[test]
    fn joins_nested_to_the_left_come_apart_in_order() {
        let built = (1..200_000).fold(one(0), |all, i| Sequence::join(all, one(i)));
        assert_eq!(ints(built), (0..200_000).collect::<Vec<_>>());
    }

    fn front(sequence: &Value) -> (Value, Value) {
        match sequence.clone().at_hand() {
            Value::Sequence(sequence) => sequence.split_first().expect("it is not empty"),
            other => panic!("a sequence is expected, not {other:?}"),
        }
    }

    /// Three sequences of `n` elements that grow at the end: one is looked at, one is taken from, and
    /// one begins many others.
    #[test]
    fn a_queue_takes_few_steps() {
        let n = 20_000;
        STEPS.set(0);
        let mut looked_at = one(0);
        for i in 1..n {
            looked_at = Sequence::join(looked_at, one(i));
            assert!(matches!(front(&looked_at).0, Value::Int(0)));
        }
        assert_eq!(ints(looked_at), (0..n).collect::<Vec<_>>());
        let mut queue = (1..n).fold(one(0), |all, i| Sequence::join(all, one(i)));
        for i in 0..n {
            let (first, rest) = front(&Sequence::join(queue, one(n + i)));
            assert!(matches!(first, Value::Int(first) if first == i));
            queue = rest;
        }
        let beginning = (1..n).fold(one(0), |all, i| Sequence::join(all, one(i)));
        for i in 0..n {
            let other = Sequence::join(Sequence::join(beginning.clone(), one(i)), one(i));
            front(&other);
        }
        assert!(STEPS.get() < 20 * n as u64, "{} steps", STEPS.get());
    }

    #[test]
    fn long_chains_are_dropped_without_recursion() {
        let built = (1..1_000_000).fold(one(0), |all, i| Sequence::join(one(i), all));
        drop(built);
    }

    #[test]
    fn slices_of_slices() {
        let whole = Rc::new(Sequence::flat((0..6).map(Value::Int).collect()));
        let part = whole.slice(1, 5).slice(1, 3);
        assert_eq!(ints(Value::Sequence(part)), vec![2, 3]);
        assert!(whole.slice(3, 3).is_empty());
        assert_eq!(
            ints(Value::Sequence(Rc::new(Sequence::range(2, 4)))),
            vec![2, 3, 4]
        );
    }
}
