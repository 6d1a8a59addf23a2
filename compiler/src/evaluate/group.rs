//! `let`: plain bindings, and groups of definitions that need one another.

use std::rc::Rc;

use super::Evaluator;
use super::code::{CodeId, FunctionId, LetStep, MemberCode, UnitId};
use super::messages::Failure;
use super::run::NO_FUNCTION;
use super::value::{Callee, Environment, Function, Group, MemberState, Thunk, ThunkState, Value};

impl Evaluator {
    #[inline(never)]
    pub(super) fn bind_let(&mut self, index: u32, base: usize) -> Result<(), Failure> {
        let code = Rc::clone(&self.code.lets[index as usize]);
        for step in &code.steps {
            match *step {
                LetStep::Bind(slot, value) => {
                    let value = self.delay(value, base)?;
                    self.stack[base + slot as usize] = value;
                }
                LetStep::Group(slot, id) => {
                    let group = &self.code.groups[id.0 as usize];
                    let captured: Box<[Value]> = group
                        .sources
                        .iter()
                        .map(|&s| self.stack[base + s as usize].clone())
                        .collect();
                    let canonical = captured.iter().all(Value::is_canonical);
                    self.stack[base + slot as usize] = Value::Group(Rc::new(Group {
                        id,
                        captured: captured.into(),
                        canonical: canonical.into(),
                        constants: vec![MemberState::Absent; group.members.len()].into(),
                    }));
                }
            }
        }
        Ok(())
    }

    pub(super) fn group_at(&self, at: usize) -> Rc<Group> {
        match &self.stack[at] {
            Value::Group(group) => Rc::clone(group),
            _ => unreachable!("slots of groups hold groups"),
        }
    }

    /// A member of a group: a function, or a constant that may still be a thunk.
    pub(super) fn member_value(&mut self, at: usize, place: u32) -> Result<Value, Failure> {
        let group = self.group_at(at);
        match self.code.groups[group.id.0 as usize].members[place as usize] {
            MemberCode::Function(id) => Ok(Value::Function(Rc::new(Function {
                code: Callee::Code(id),
                environment: Environment::Group(group),
                arguments: Box::default(),
            }))),
            MemberCode::Constant(_) => {
                let mut constants = group.constants.borrow_mut();
                let state = &mut constants[place as usize];
                match state {
                    MemberState::Done(value) => return Ok(value.clone()),
                    MemberState::Pending(thunk) => {
                        if let Some(thunk) = thunk.upgrade() {
                            return Ok(Value::Thunk(thunk));
                        }
                    }
                    MemberState::Absent => {}
                }
                let thunk = Rc::new(Thunk {
                    state: ThunkState::Member(Rc::clone(&group), place).into(),
                });
                *state = MemberState::Pending(Rc::downgrade(&thunk));
                Ok(Value::Thunk(thunk))
            }
        }
    }

    pub(super) fn group_constant(
        &mut self,
        group: &Rc<Group>,
        place: u32,
    ) -> Result<Value, Failure> {
        let MemberCode::Constant(unit) =
            self.code.groups[group.id.0 as usize].members[place as usize]
        else {
            unreachable!("only constants are evaluated like this")
        };
        let (body, base) = self.open_member(group, unit);
        let result = self.run(body, base, NO_FUNCTION);
        if let Ok(value) = &result {
            group.constants.borrow_mut()[place as usize] = MemberState::Done(value.clone());
        }
        result
    }

    pub(super) fn open_member(&mut self, group: &Rc<Group>, unit: UnitId) -> (CodeId, usize) {
        let base = self.stack.len();
        let unit = self.code.unit(unit);
        self.stack.open(base + unit.slots as usize);
        self.stack[base] = Value::Group(Rc::clone(group));
        let captured = group.captured.borrow();
        for &(place, slot) in unit.captures.iter() {
            self.stack[base + slot as usize] = captured[place as usize].clone();
        }
        (unit.body, base)
    }

    pub(super) fn member_function(&self, group: &Group, place: u32) -> FunctionId {
        match self.code.groups[group.id.0 as usize].members[place as usize] {
            MemberCode::Function(id) => id,
            MemberCode::Constant(_) => unreachable!("constants are not called by place"),
        }
    }
}
