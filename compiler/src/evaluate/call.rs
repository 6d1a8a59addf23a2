//! Calls: arguments on the stack, frames, function values.
//!
//! Arguments are pushed where the frame of the callee begins, so that a call allocates nothing. In tail
//! position they take the place of the caller's frame.

use std::rc::Rc;

use super::Evaluator;
use super::code::{CodeId, FunctionId, List, Node};
use super::messages::Failure;
use super::stack::Place;
use super::value::{Callee, Environment, Function, Value};

/// What a call in tail position comes to.
pub(super) enum Tail {
    /// The frame is ready for this code.
    Enter(FunctionId, CodeId),
    /// The value was worked out.
    Value(Value),
}

impl Evaluator {
    #[inline(never)]
    pub(super) fn apply_at(
        &mut self,
        function: CodeId,
        arguments: List,
        code: CodeId,
        base: usize,
    ) -> Result<Value, Failure> {
        let function = self.eval(function, base)?;
        let frame = self.stack.len();
        self.push_arguments(arguments, base)?;
        self.apply(&function, frame, code)
    }

    /// A call of a function value or member of a group in tail position: the arguments take the place
    /// of the frame.
    #[inline(never)]
    pub(super) fn tail_call(&mut self, code: CodeId, base: usize) -> Result<Tail, Failure> {
        let top = self.stack.len();
        let (function, arguments) = match self.code.node(code) {
            Node::CallMember(call) => {
                let (slot, place, arguments) = self.code.member_calls[call as usize];
                let group = self.group_at(base + slot as usize);
                let id = self.member_function(&group, place);
                self.pass_on(arguments, base)?;
                let body = self.enter_with(id, &Environment::Group(group), base);
                return Ok(Tail::Enter(id, body));
            }
            Node::Apply(function, arguments) => (self.eval(function, base)?, arguments),
            _ => unreachable!("only these two are calls of unknown functions"),
        };
        self.push_arguments(arguments, base)?;
        if let Value::Function(closure) = &function
            && let Callee::Code(id) = closure.code
            && closure.arguments.is_empty()
            && *self.code.function(id).arities == [arguments.len]
        {
            let places = (0..arguments.len).map(|_| Place::Next);
            self.stack.replace(base, top, places);
            let body = self.enter_with(id, &closure.environment, base);
            return Ok(Tail::Enter(id, body));
        }
        self.apply(&function, top, code).map(Tail::Value)
    }

    pub(super) fn push_arguments(&mut self, list: List, base: usize) -> Result<(), Failure> {
        let top = self.stack.len();
        for i in 0..list.len {
            let argument = self.code.item(list, i);
            if let Err(failure) = self.push_argument(argument, base) {
                self.stack.close(top);
                return Err(failure);
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn push_argument(&mut self, argument: CodeId, base: usize) -> Result<(), Failure> {
        match self.code.node(argument) {
            Node::Int(number) => self.stack.push_int(number),
            Node::Local(slot) | Node::Last(slot) => self.stack.push_copy(base + slot as usize),
            node => {
                let direct = match node {
                    Node::Speculate(direct, _) => direct,
                    _ => argument,
                };
                match self.known_int(direct, base) {
                    Some(number) => self.stack.push_int(number),
                    None => {
                        let value = self.delay(argument, base)?;
                        self.stack.push(value);
                    }
                }
            }
        }
        Ok(())
    }

    /// Lets the arguments of a call in tail position take the place of the frame. A parameter that is
    /// handed on in its place stays where it is; a variable that is used for the last time is moved, after
    /// everything else has been worked out.
    pub(super) fn pass_on(&mut self, list: List, base: usize) -> Result<(), Failure> {
        let top = self.stack.len();
        for i in 0..list.len {
            let argument = self.code.item(list, i);
            if !matches!(place(self.code.node(argument), i, base), Place::Next) {
                continue;
            }
            if let Err(failure) = self.push_argument(argument, base) {
                self.stack.close(top);
                return Err(failure);
            }
        }
        let code = &self.code;
        let arguments = &code.lists[list.start as usize..][..list.len as usize];
        let places = arguments.iter().zip(0..);
        let places = places.map(|(argument, i)| place(code.node(*argument), i, base));
        self.stack.replace(base, top, places);
        Ok(())
    }

    /// Completes a frame that holds the arguments of a global function.
    #[inline]
    pub(super) fn enter(&mut self, function: FunctionId, base: usize) -> CodeId {
        let code = &self.code.functions[function.0 as usize];
        self.stack.open(base + code.slots as usize);
        code.body
    }

    #[inline(never)]
    pub(super) fn call(
        &mut self,
        function: FunctionId,
        arguments: List,
        base: usize,
    ) -> Result<Value, Failure> {
        let frame = self.stack.len();
        self.push_arguments(arguments, base)?;
        if self.code.function(function).memo {
            return self.remembered_call(function, frame);
        }
        let body = self.enter(function, frame);
        self.run(body, frame, function)
    }

    #[inline(never)]
    fn remembered_call(&mut self, function: FunctionId, frame: usize) -> Result<Value, Failure> {
        let call = self.memo_call(function, frame);
        if let Some(value) = call.as_ref().and_then(|call| self.memo.get(call)) {
            self.stack.close(frame);
            return Ok(value);
        }
        let body = self.enter(function, frame);
        let result = self.run(body, frame, function);
        if let (Some(call), Ok(value)) = (call, &result) {
            self.memo.insert(call, value.clone());
        }
        result
    }

    /// Calls a function whose arguments are on the stack from `frame`; removes them.
    pub(super) fn call_with(
        &mut self,
        function: FunctionId,
        environment: &Environment,
        frame: usize,
    ) -> Result<Value, Failure> {
        let body = self.enter_with(function, environment, frame);
        self.run(body, frame, function)
    }

    pub(super) fn enter_with(
        &mut self,
        function: FunctionId,
        environment: &Environment,
        frame: usize,
    ) -> CodeId {
        let code = self.code.function(function);
        let (arity, unit, in_group) = (code.arity as usize, code.unit, code.in_group);
        let unit = self.code.unit(unit);
        self.stack.open(frame + unit.slots as usize);
        match environment {
            Environment::None => {}
            Environment::Group(group) => {
                if in_group {
                    self.stack[frame + arity] = Value::Group(Rc::clone(group));
                }
                let captured = group.captured.borrow();
                for &(place, slot) in unit.captures.iter() {
                    self.stack[frame + slot as usize] = captured[place as usize].clone();
                }
            }
            Environment::Captured(values) => {
                for (value, &(_, slot)) in values.iter().zip(unit.captures.iter()) {
                    self.stack[frame + slot as usize] = value.clone();
                }
            }
        }
        unit.body
    }

    /// Applies a function value to the arguments on the stack from `frame`; removes them.
    pub(super) fn apply(
        &mut self,
        function: &Value,
        frame: usize,
        code: CodeId,
    ) -> Result<Value, Failure> {
        let function = match function {
            Value::Function(function) => Rc::clone(function),
            Value::Builtin(builtin) => {
                let arguments: Vec<Value> = self.stack.take(frame);
                return self.call_builtin(*builtin, arguments, code);
            }
            other => {
                self.stack.close(frame);
                return Err(self.unexpected(code, "a function", other));
            }
        };
        let Callee::Code(id) = function.code else {
            let arguments: Vec<Value> = self.stack.take(frame);
            return self.call_curried_builtin(&function, &arguments, code);
        };
        let given = function.arguments.len() + self.stack.len() - frame;
        if given < self.code.function(id).arity as usize
            || self.expects_more_lists(id, function.arguments.len(), given)
        {
            let mut arguments = function.arguments.to_vec();
            arguments.extend(self.stack.take(frame));
            return Ok(Value::Function(Rc::new(Function {
                code: function.code,
                environment: function.environment.clone(),
                arguments: arguments.into(),
            })));
        }
        if !function.arguments.is_empty() {
            let later: Vec<Value> = self.stack.take(frame);
            self.stack.extend(function.arguments.iter().cloned());
            self.stack.extend(later);
        }
        self.call_with(id, &function.environment, frame)
    }

    /// Lists without parameters at the end (`f(x)()`) are still to come.
    fn expects_more_lists(&self, id: FunctionId, before: usize, given: usize) -> bool {
        let arities = &self.code.function(id).arities;
        arities.len() > 1 && arities.last() == Some(&0) && before == 0 && given > 0
    }

    #[inline(never)]
    pub(super) fn call_member(&mut self, call: u32, base: usize) -> Result<Value, Failure> {
        let (slot, place, arguments) = self.code.member_calls[call as usize];
        let group = self.group_at(base + slot as usize);
        let id = self.member_function(&group, place);
        let frame = self.stack.len();
        self.push_arguments(arguments, base)?;
        self.call_with(id, &Environment::Group(group), frame)
    }
}

/// Where the argument at a place comes from: it may be in the frame already.
#[inline(always)]
fn place(argument: Node, at: u32, base: usize) -> Place {
    match argument {
        Node::Local(slot) if slot == at => Place::Keeps,
        Node::Last(slot) => Place::Takes(base + slot as usize),
        _ => Place::Next,
    }
}
