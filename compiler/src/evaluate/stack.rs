//! The stack of frames: values side by side, and how far it reaches.
//!
//! What is above the top is kept and used again. It holds only numbers and truth values, so opening a
//! frame writes nothing, closing one looks for what needs dropping, and a number is written over another
//! in place: the calls of an arithmetic recursion touch no other memory.

use std::ops::{Index, IndexMut};
use std::rc::Rc;
use std::slice::SliceIndex;

use super::value::Value;

/// Where a place of a frame gets its value when a call takes the frame over.
pub(super) enum Place {
    /// It has it.
    Keeps,
    /// From this slot, which no other place takes.
    Takes(usize),
    /// From the arguments that were pushed.
    Next,
}

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
        self.put(at, value);
    }

    /// Puts a value into a slot.
    #[inline(always)]
    pub(super) fn put(&mut self, at: usize, value: Value) {
        self.make(at, || value);
    }

    /// Makes a value in a slot. What was there is dropped first, so that the value is made where it
    /// belongs: what has just been written part by part is slow to move as a whole.
    #[inline(always)]
    pub(super) fn make(&mut self, at: usize, value: impl FnOnce() -> Value) {
        let slot = &mut self.slots[at];
        if !matches!(slot, Value::Int(_) | Value::Bool(_)) {
            *slot = Value::Bool(false);
        }
        std::mem::forget(std::mem::replace(slot, value()));
    }

    /// Pushes another hold on the value in a slot.
    #[inline]
    pub(super) fn push_copy(&mut self, from: usize) {
        let at = self.top;
        self.open(at + 1);
        match &self.slots[from] {
            Value::Int(number) => {
                let number = *number;
                self.set_int(at, number);
            }
            Value::Suffix(start, whole) => {
                let (start, whole) = (*start, Rc::clone(whole));
                self.make(at, || Value::Suffix(start, whole));
            }
            Value::Sequence(sequence) => {
                let sequence = Rc::clone(sequence);
                self.make(at, || Value::Sequence(sequence));
            }
            other => {
                let value = other.known();
                self.put(at, value);
            }
        }
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

    /// Lets values take the places from `base` on: those from `top` on in their order, but for places
    /// that keep what they have or take the value of a slot between them and `top`. Gives up the rest.
    #[inline]
    pub(super) fn replace(&mut self, base: usize, top: usize, places: impl Iterator<Item = Place>) {
        let (mut at, mut from) = (base, top);
        for place in places {
            match place {
                Place::Keeps => {}
                Place::Takes(slot) => self.slots.swap(at, slot),
                Place::Next => {
                    match self.slots[from] {
                        Value::Int(number) => self.set_int(at, number),
                        _ => self.slots.swap(at, from),
                    }
                    from += 1;
                }
            }
            at += 1;
        }
        self.close(at);
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
        stack.replace(0, 2, [Place::Next].into_iter());
        assert_eq!((stack.len(), Rc::strong_count(&shared)), (1, 2));
        stack.close(0);
        assert_eq!((stack.len(), Rc::strong_count(&shared)), (0, 1));
    }

    #[test]
    fn more_values_than_the_frame_had_keep_their_order() {
        let mut stack = Stack::default();
        stack.extend([8, 9, 1, 2, 3].map(Value::Int));
        let places = [Place::Next, Place::Keeps, Place::Next, Place::Next];
        stack.replace(0, 2, places.into_iter());
        assert_eq!(stack.take(0), [1, 9, 2, 3].map(Value::Int).to_vec());
    }

    #[test]
    fn a_variable_is_moved_into_its_new_place() {
        let mut stack = Stack::default();
        stack.extend([8, 9, 5, 1].map(Value::Int));
        stack.replace(0, 3, [Place::Takes(2), Place::Next].into_iter());
        assert_eq!(stack.take(0), [5, 1].map(Value::Int).to_vec());
    }
}
