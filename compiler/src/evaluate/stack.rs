//! The stack of frames: values side by side, and how far it reaches.
//!
//! What is above the top is kept and used again. It holds only numbers and truth values, so opening a
//! frame writes nothing, closing one looks for what needs dropping, and a number is written over another
//! in place: the calls of an arithmetic recursion touch no other memory.

use std::ops::{Index, IndexMut};
use std::slice::SliceIndex;

use super::value::Value;

/// Frames, one after the other.
#[derive(Default)]
pub(super) struct Stack {
    slots: Vec<Value>,
    top: usize,
}

impl Stack {
    /// How far it reaches.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.top
    }

    /// Makes it reach so far; the new slots hold nothing of interest.
    #[inline]
    pub(super) fn open(&mut self, top: usize) {
        if top > self.slots.len() {
            self.grow(top);
        }
        self.top = top;
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, top: usize) {
        let room = top.max(2 * self.slots.len()).max(1024);
        self.slots.resize_with(room, || Value::Bool(false));
    }

    /// Gives it up from a place on.
    #[inline]
    pub(super) fn close(&mut self, base: usize) {
        for slot in &mut self.slots[base..self.top.max(base)] {
            if !matches!(slot, Value::Int(_) | Value::Bool(_)) {
                *slot = Value::Bool(false);
            }
        }
        self.top = self.top.min(base);
    }

    #[inline]
    pub(super) fn push(&mut self, value: Value) {
        let at = self.top;
        self.open(at + 1);
        self.slots[at] = value;
    }

    #[inline]
    pub(super) fn push_int(&mut self, number: i64) {
        let at = self.top;
        self.open(at + 1);
        self.set_int(at, number);
    }

    /// Puts a number into a slot.
    #[inline]
    pub(super) fn set_int(&mut self, at: usize, number: i64) {
        match &mut self.slots[at] {
            Value::Int(before) => *before = number,
            other => *other = Value::Int(number),
        }
    }

    /// Lets the values from `top` on take the place of those from `base` on.
    #[inline]
    pub(super) fn replace(&mut self, base: usize, top: usize) {
        let count = self.top - top;
        for i in 0..count {
            self.slots.swap(base + i, top + i);
        }
        self.close(base + count);
    }

    /// Takes the values from a place on.
    pub(super) fn take(&mut self, base: usize) -> Vec<Value> {
        let taken = self.slots[base..self.top]
            .iter_mut()
            .map(|slot| std::mem::replace(slot, Value::Bool(false)))
            .collect();
        self.top = base;
        taken
    }

    pub(super) fn extend(&mut self, values: impl IntoIterator<Item = Value>) {
        values.into_iter().for_each(|value| self.push(value));
    }
}

impl<I: SliceIndex<[Value]>> Index<I> for Stack {
    type Output = I::Output;

    #[inline]
    fn index(&self, place: I) -> &Self::Output {
        &self.slots[place]
    }
}

impl<I: SliceIndex<[Value]>> IndexMut<I> for Stack {
    #[inline]
    fn index_mut(&mut self, place: I) -> &mut Self::Output {
        &mut self.slots[place]
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::evaluate::sequence::Sequence;

    #[test]
    fn closing_drops_what_was_held() {
        let shared = Rc::new(Sequence::range(1, 3));
        let mut stack = Stack::default();
        stack.push_int(7);
        stack.push(Value::Sequence(Rc::clone(&shared)));
        stack.push(Value::Sequence(Rc::clone(&shared)));
        stack.replace(0, 2);
        assert_eq!((stack.len(), Rc::strong_count(&shared)), (1, 2));
        stack.close(0);
        assert_eq!((stack.len(), Rc::strong_count(&shared)), (0, 1));
    }

    #[test]
    fn more_values_than_the_frame_had_keep_their_order() {
        let mut stack = Stack::default();
        for number in [9, 1, 2, 3] {
            stack.push_int(number);
        }
        stack.replace(0, 1);
        assert_eq!(stack.take(0), [1, 2, 3].map(Value::Int).to_vec());
    }
}
