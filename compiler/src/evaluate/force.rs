//! Call by need: thunks, what they capture, and global constants.
//!
//! A thunk whose evaluation fails goes back to where it was, so that a failure in one place does not
//! spoil another.

use std::rc::Rc;

use csp_grammar::Span;

use super::code::{CodeId, UnitId};
use super::messages::{self, Failure};
use super::run::NO_FUNCTION;
use super::value::{Thunk, ThunkState, Value};
use super::{Constant, Evaluator};
use crate::hir::GlobalId;

impl Evaluator {
    pub(super) fn captured(&self, unit: UnitId, base: usize) -> Box<[Value]> {
        self.code
            .unit(unit)
            .captures
            .iter()
            .map(|&(source, _)| self.stack[base + source as usize].known())
            .collect()
    }

    pub(super) fn thunk(&self, unit: UnitId, base: usize) -> Value {
        Thunk::of(ThunkState::Pending(unit, self.captured(unit, base)))
    }

    /// Pushes a frame for a unit and gives its code and base.
    pub(super) fn open(&mut self, unit: UnitId, captured: &[Value]) -> (CodeId, usize) {
        let base = self.stack.len();
        let unit = &self.code.units[unit.0 as usize];
        self.stack.open(base + unit.slots as usize);
        for (value, &(_, slot)) in captured.iter().zip(unit.captures.iter()) {
            self.stack[base + slot as usize] = value.clone();
        }
        (unit.body, base)
    }

    /// Pushes a frame for a unit that is evaluated at once, inside the frame at `outer`.
    pub(super) fn open_inside(&mut self, unit: UnitId, outer: usize) -> usize {
        let base = self.stack.len();
        let unit = &self.code.units[unit.0 as usize];
        self.stack.open(base + unit.slots as usize);
        for &(source, slot) in unit.captures.iter() {
            self.stack[base + slot as usize] = self.stack[outer + source as usize].known();
        }
        base
    }

    /// Evaluates a unit in a frame of its own.
    pub(super) fn run_unit(&mut self, unit: UnitId, captured: &[Value]) -> Result<Value, Failure> {
        let (body, base) = self.open(unit, captured);
        self.run(body, base, NO_FUNCTION)
    }

    /// The value of something that may be a thunk.
    pub(super) fn force(&mut self, value: Value) -> Result<Value, Failure> {
        match value {
            Value::Thunk(thunk) => self.force_thunk(&thunk),
            Value::Suffix(start, whole) => Ok(Value::Sequence(whole.from(start))),
            Value::Failure(failure) => Err(Box::new((*failure).clone())),
            value => Ok(value),
        }
    }

    #[inline(never)]
    pub(super) fn force_thunk(&mut self, thunk: &Rc<Thunk>) -> Result<Value, Failure> {
        let state = {
            let mut state = thunk.state.borrow_mut();
            if let ThunkState::Done(value) = &*state {
                return Ok(value.clone());
            }
            std::mem::replace(&mut *state, ThunkState::Evaluating)
        };
        let ThunkState::Pending(unit, captured) = state else {
            return self.force_other(thunk, state);
        };
        let result = self.run_unit(unit, &captured);
        *thunk.state.borrow_mut() = match &result {
            Ok(value) => ThunkState::Done(value.clone()),
            Err(_) => ThunkState::Pending(unit, captured),
        };
        result
    }

    #[inline(never)]
    fn force_other(&mut self, thunk: &Rc<Thunk>, state: ThunkState) -> Result<Value, Failure> {
        let result = match &state {
            ThunkState::Global(id) => self.global(*id, Span::default()),
            ThunkState::Member(group, place) => self.group_constant(group, *place),
            ThunkState::Append(left, right) => self.join_lazily(left.clone(), right.clone()),
            ThunkState::Resume(resume) => self.resume(resume),
            ThunkState::Evaluating => Err(messages::depends_on_itself(self.where_now(), "")),
            ThunkState::Pending(..) | ThunkState::Done(_) => {
                unreachable!("handled by force_thunk")
            }
        };
        *thunk.state.borrow_mut() = match &result {
            Ok(value) => ThunkState::Done(value.clone()),
            Err(_) => state,
        };
        result
    }

    fn join_lazily(&mut self, left: Value, right: Value) -> Result<Value, Failure> {
        match self.force(left)? {
            Value::Sequence(sequence) if sequence.is_empty() => self.force(right),
            left => {
                let sequence = self.as_sequence(&left, self.at)?;
                Ok(Value::Sequence(Rc::new(
                    super::sequence::Sequence::concatenation(sequence, right),
                )))
            }
        }
    }

    /// The value of a global constant, datatype or nametype.
    #[inline(never)]
    pub(super) fn global(&mut self, id: GlobalId, span: Span) -> Result<Value, Failure> {
        let at = id.0 as usize;
        match &self.constants[at] {
            Constant::Done(value) => return Ok(value.clone()),
            Constant::Evaluating => return self.global_under_way(id, span),
            Constant::Pending => {}
        }
        self.constants[at] = Constant::Evaluating;
        let result = self.evaluate_global(id);
        self.constants[at] = match &result {
            Ok(value) => Constant::Done(value.clone()),
            Err(_) => Constant::Pending,
        };
        result
    }
}
