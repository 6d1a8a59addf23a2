//! The inner loop: evaluating code in frames on one stack of values.
//!
//! `eval` gives a value that is not a thunk (its parts may be). `run` owns its frame, so it can
//! reuse it for a call in tail position. Rare operations are kept out of `eval` to keep its frame on
//! the machine's stack small: a script may recurse a million calls deep.

use std::rc::Rc;

use csp_grammar::Span;

use super::code::{CodeId, FunctionId, LetStep, List, MemberCode, Node, UnitId};
use super::messages::{self, Failure};
use super::value::{Callee, Environment, Function, Group, MemberState, Thunk, ThunkState, Value};
use super::{Constant, Evaluator};
use crate::hir::{BinaryOp, GlobalId};

/// Marks a frame that does not belong to a function.
pub(super) const NO_FUNCTION: FunctionId = FunctionId(u32::MAX);

/// What a call in tail position comes to.
enum Tail {
    /// The frame is ready for this code.
    Enter(FunctionId, CodeId),
    /// The value was worked out.
    Value(Value),
}

/// How many calls go by between two looks at the interrupt.
const POLL: u32 = 4096;

impl Evaluator {
    /// The value of an expression.
    pub(super) fn eval(&mut self, mut code: CodeId, base: usize) -> Result<Value, Failure> {
        loop {
            match self.code.node(code) {
                Node::Local(slot) => return self.local(base + slot as usize),
                Node::Int(i) => return Ok(Value::Int(i)),
                Node::Bool(b) => return Ok(Value::Bool(b)),
                Node::If(condition, then, otherwise) => {
                    code = if self.condition(condition, base)? {
                        then
                    } else {
                        otherwise
                    };
                }
                Node::Binary(operator, left, right) => {
                    return self.binary(operator, left, right, code, base);
                }
                Node::Call(function, arguments) => return self.call(function, arguments, base),
                Node::Tag(tag) => return self.tag_value(tag),
                Node::Let(i) => {
                    self.bind_let(i, base)?;
                    code = self.code.lets[i as usize].body;
                }
                Node::Global(id) => {
                    if let Constant::Done(value) = &self.constants[id.0 as usize] {
                        return Ok(value.clone());
                    }
                    return self.global(id, self.code.span(code));
                }
                Node::CallMember(call) => return self.call_member(call, base),
                Node::Apply(function, arguments) => {
                    return self.apply_at(function, arguments, code, base);
                }
                _ => return self.eval_other(code, base),
            }
        }
    }

    #[inline(never)]
    fn apply_at(
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

    /// Evaluates code that owns its frame; calls in tail position take its place.
    pub(super) fn run(
        &mut self,
        mut code: CodeId,
        base: usize,
        mut function: FunctionId,
    ) -> Result<Value, Failure> {
        let result = match self.check(code) {
            Err(failure) => Err(failure),
            Ok(()) => loop {
                match self.code.node(code) {
                    Node::If(condition, then, otherwise) => match self.condition(condition, base) {
                        Ok(true) => code = then,
                        Ok(false) => code = otherwise,
                        Err(failure) => break Err(failure),
                    },
                    Node::Clauses(i) => match self.select(i, code, base, function) {
                        Ok(body) => code = body,
                        Err(failure) => break Err(failure),
                    },
                    Node::Let(i) => {
                        if let Err(failure) = self.bind_let(i, base) {
                            break Err(failure);
                        }
                        code = self.code.lets[i as usize].body;
                    }
                    Node::Call(callee, arguments) => {
                        let top = self.stack.len();
                        if let Err(failure) = self.push_arguments(arguments, base) {
                            break Err(failure);
                        }
                        self.stack.drain(base..top);
                        function = callee;
                        code = self.enter(callee, base);
                        if let Err(failure) = self.check(code) {
                            break Err(failure);
                        }
                    }
                    Node::Apply(..) | Node::CallMember(_) => match self.tail_call(code, base) {
                        Ok(Tail::Enter(callee, body)) => {
                            function = callee;
                            code = body;
                            if let Err(failure) = self.check(code) {
                                break Err(failure);
                            }
                        }
                        Ok(Tail::Value(value)) => break Ok(value),
                        Err(failure) => break Err(failure),
                    },
                    _ => break self.eval(code, base),
                }
            },
        };
        result.map_err(|failure| self.note_call(failure, function, base))
    }

    /// A call of a function value or member of a group in tail position: the arguments take the place
    /// of the frame.
    #[inline(never)]
    fn tail_call(&mut self, code: CodeId, base: usize) -> Result<Tail, Failure> {
        let top = self.stack.len();
        let (function, arguments) = match self.code.node(code) {
            Node::CallMember(call) => {
                let (slot, place, arguments) = self.code.member_calls[call as usize];
                let group = self.group_at(base + slot as usize);
                let id = self.member_function(&group, place);
                self.push_arguments(arguments, base)?;
                self.stack.drain(base..top);
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
            self.stack.drain(base..top);
            let body = self.enter_with(id, &closure.environment, base);
            return Ok(Tail::Enter(id, body));
        }
        self.apply(&function, top, code).map(Tail::Value)
    }

    /// Looks at the depth of the machine's stack and, now and then, at the interrupt.
    #[inline]
    fn check(&mut self, code: CodeId) -> Result<(), Failure> {
        self.countdown = self.countdown.wrapping_sub(1);
        self.at = code;
        let here = std::ptr::from_ref(&code).addr();
        if here < self.stack_limit || self.countdown == 0 {
            return self.check_slowly(code, here);
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn check_slowly(&mut self, code: CodeId, here: usize) -> Result<(), Failure> {
        if here < self.stack_limit {
            return Err(messages::too_deep(self.code.span(code)));
        }
        self.countdown = POLL;
        if (self.interrupt)() {
            return Err(messages::interrupted(self.code.span(code)));
        }
        Ok(())
    }

    /// Notes the call in the report of what went wrong.
    #[cold]
    #[inline(never)]
    pub(super) fn note_call(
        &mut self,
        mut failure: Failure,
        function: FunctionId,
        base: usize,
    ) -> Failure {
        if function != NO_FUNCTION && failure.stack.len() < 20 {
            let call = self.describe_frame(function, base);
            failure.stack.push(call);
        }
        failure
    }

    pub(super) fn describe_frame(&self, function: FunctionId, base: usize) -> String {
        let code = self.code.function(function);
        let end = (base + code.arity as usize).min(self.stack.len());
        let arguments = &self.stack[base.min(end)..end];
        format!(
            "{}{}",
            code.name,
            self.show_arguments(&code.arities, arguments)
        )
    }

    #[inline]
    fn local(&mut self, at: usize) -> Result<Value, Failure> {
        match &self.stack[at] {
            Value::Thunk(thunk) => {
                let thunk = Rc::clone(thunk);
                let value = self.force_thunk(&thunk)?;
                self.stack[at] = value.clone();
                Ok(value)
            }
            Value::Failure(failure) => Err(Box::new((**failure).clone())),
            value => Ok(value.clone()),
        }
    }

    #[inline]
    fn condition(&mut self, code: CodeId, base: usize) -> Result<bool, Failure> {
        match self.eval(code, base)? {
            Value::Bool(b) => Ok(b),
            other => Err(self.unexpected(code, "a truth value", &other)),
        }
    }

    pub(super) fn truth(&mut self, code: CodeId, base: usize) -> Result<bool, Failure> {
        self.condition(code, base)
    }

    /// An integer that is at hand without evaluating anything.
    #[inline]
    fn known_int(&self, code: CodeId, base: usize) -> Option<i64> {
        match self.code.node(code) {
            Node::Int(i) => Some(i),
            Node::Local(slot) => match &self.stack[base + slot as usize] {
                Value::Int(i) => Some(*i),
                Value::Thunk(thunk) => match &*thunk.state.borrow() {
                    ThunkState::Done(Value::Int(i)) => Some(*i),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    #[inline]
    fn binary(
        &mut self,
        operator: BinaryOp,
        left: CodeId,
        right: CodeId,
        code: CodeId,
        base: usize,
    ) -> Result<Value, Failure> {
        let a = match self.known_int(left, base) {
            Some(a) => a,
            None => {
                if matches!(operator, BinaryOp::And | BinaryOp::Or | BinaryOp::Concat) {
                    return self.binary_lazily(operator, left, right, base);
                }
                match self.eval(left, base)? {
                    Value::Int(a) => a,
                    a => {
                        let b = self.eval(right, base)?;
                        return self.compare(operator, &a, &b, code);
                    }
                }
            }
        };
        let b = match self.known_int(right, base) {
            Some(b) => b,
            None => match self.eval(right, base)? {
                Value::Int(b) => b,
                b => return Err(self.unexpected(right, "an integer", &b)),
            },
        };
        match operator {
            BinaryOp::Equal => Ok(Value::Bool(a == b)),
            BinaryOp::NotEqual => Ok(Value::Bool(a != b)),
            BinaryOp::Less => Ok(Value::Bool(a < b)),
            BinaryOp::LessEqual => Ok(Value::Bool(a <= b)),
            BinaryOp::Greater => Ok(Value::Bool(a > b)),
            BinaryOp::GreaterEqual => Ok(Value::Bool(a >= b)),
            _ => match arithmetic(operator, a, b) {
                Some(value) => Ok(Value::Int(value)),
                None => Err(self.arithmetic_failure(operator, a, b, code)),
            },
        }
    }

    #[inline(never)]
    fn binary_lazily(
        &mut self,
        operator: BinaryOp,
        left: CodeId,
        right: CodeId,
        base: usize,
    ) -> Result<Value, Failure> {
        match operator {
            BinaryOp::And => Ok(Value::Bool(
                self.condition(left, base)? && self.condition(right, base)?,
            )),
            BinaryOp::Or => Ok(Value::Bool(
                self.condition(left, base)? || self.condition(right, base)?,
            )),
            _ => {
                let first = self.eval(left, base)?;
                let second = self.delay(right, base)?;
                self.concatenate(first, second, left)
            }
        }
    }

    #[cold]
    fn arithmetic_failure(&self, operator: BinaryOp, a: i64, b: i64, code: CodeId) -> Failure {
        let span = self.code.span(code);
        let symbol = match operator {
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide | BinaryOp::Modulo if b == 0 => {
                return messages::division_by_zero(span);
            }
            BinaryOp::Divide => "/",
            BinaryOp::Modulo => "%",
            _ => {
                return messages::unexpected(span, "other operands", "integers");
            }
        };
        messages::overflow(span, &format!("{a} {symbol} {b}"))
    }

    /// The value or a promise of it; never does work that could be in vain.
    pub(super) fn delay(&mut self, code: CodeId, base: usize) -> Result<Value, Failure> {
        match self.code.node(code) {
            Node::Local(slot) => match &self.stack[base + slot as usize] {
                Value::Thunk(thunk) => Ok(thunk
                    .known()
                    .unwrap_or_else(|| Value::Thunk(Rc::clone(thunk)))),
                value => Ok(value.clone()),
            },
            Node::Delay(unit) => Ok(self.thunk(unit, base)),
            Node::Speculate(direct, unit) => Ok(match self.try_int(direct, base) {
                Some(i) => Value::Int(i),
                None => self.thunk(unit, base),
            }),
            Node::Global(id) => Ok(match &self.constants[id.0 as usize] {
                Constant::Done(value) => value.clone(),
                _ => Thunk::of(ThunkState::Global(id)),
            }),
            Node::Constant(i) => Ok(self.code.constants[i as usize].clone()),
            Node::Member(slot, place) => self.member_value(base + slot as usize, place),
            _ => self.eval(code, base),
        }
    }

    fn try_int(&self, code: CodeId, base: usize) -> Option<i64> {
        match self.code.node(code) {
            Node::Binary(operator, left, right) => arithmetic(
                operator,
                self.try_int(left, base)?,
                self.try_int(right, base)?,
            ),
            _ => self.known_int(code, base),
        }
    }

    pub(super) fn captured(&self, unit: UnitId, base: usize) -> Box<[Value]> {
        self.code
            .unit(unit)
            .captures
            .iter()
            .map(|&(source, _)| match &self.stack[base + source as usize] {
                Value::Thunk(thunk) => thunk
                    .known()
                    .unwrap_or_else(|| Value::Thunk(Rc::clone(thunk))),
                value => value.clone(),
            })
            .collect()
    }

    fn thunk(&self, unit: UnitId, base: usize) -> Value {
        Thunk::of(ThunkState::Pending(unit, self.captured(unit, base)))
    }

    /// Pushes a frame for a unit and gives its code and base.
    pub(super) fn open(&mut self, unit: UnitId, captured: &[Value]) -> (CodeId, usize) {
        let base = self.stack.len();
        let unit = &self.code.units[unit.0 as usize];
        self.stack
            .resize(base + unit.slots as usize, Value::Bool(false));
        for (value, &(_, slot)) in captured.iter().zip(unit.captures.iter()) {
            self.stack[base + slot as usize] = value.clone();
        }
        (unit.body, base)
    }

    /// Evaluates a unit in a frame of its own.
    pub(super) fn run_unit(&mut self, unit: UnitId, captured: &[Value]) -> Result<Value, Failure> {
        let (body, base) = self.open(unit, captured);
        let result = self.run(body, base, NO_FUNCTION);
        self.stack.truncate(base);
        result
    }

    /// The value of something that may be a thunk.
    pub(super) fn force(&mut self, value: Value) -> Result<Value, Failure> {
        match value {
            Value::Thunk(thunk) => self.force_thunk(&thunk),
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
            ThunkState::Evaluating => Err(messages::depends_on_itself(self.where_now())),
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
            left => Ok(super::sequence::Sequence::join(left, right)),
        }
    }

    pub(super) fn push_arguments(&mut self, list: List, base: usize) -> Result<(), Failure> {
        let top = self.stack.len();
        for i in 0..list.len {
            let argument = self.code.item(list, i);
            match self.delay(argument, base) {
                Ok(value) => self.stack.push(value),
                Err(failure) => {
                    self.stack.truncate(top);
                    return Err(failure);
                }
            }
        }
        Ok(())
    }

    /// Completes a frame that holds the arguments of a global function.
    #[inline]
    fn enter(&mut self, function: FunctionId, base: usize) -> CodeId {
        let unit = &self.code.units[self.code.functions[function.0 as usize].unit.0 as usize];
        self.stack
            .resize(base + unit.slots as usize, Value::Bool(false));
        unit.body
    }

    #[inline(never)]
    fn call(
        &mut self,
        function: FunctionId,
        arguments: List,
        base: usize,
    ) -> Result<Value, Failure> {
        let frame = self.stack.len();
        self.push_arguments(arguments, base)?;
        let body = self.enter(function, frame);
        let result = self.run(body, frame, function);
        self.stack.truncate(frame);
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
        let result = self.run(body, frame, function);
        self.stack.truncate(frame);
        result
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
        self.stack
            .resize(frame + unit.slots as usize, Value::Bool(false));
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
                let arguments: Vec<Value> = self.stack.drain(frame..).collect();
                return self.call_builtin(*builtin, arguments, code);
            }
            other => {
                self.stack.truncate(frame);
                return Err(self.unexpected(code, "a function", other));
            }
        };
        let Callee::Code(id) = function.code else {
            let arguments: Vec<Value> = self.stack.drain(frame..).collect();
            return self.call_curried_builtin(&function, &arguments, code);
        };
        let given = function.arguments.len() + self.stack.len() - frame;
        if given < self.code.function(id).arity as usize
            || self.expects_more_lists(id, function.arguments.len(), given)
        {
            let mut arguments = function.arguments.to_vec();
            arguments.extend(self.stack.drain(frame..));
            return Ok(Value::Function(Rc::new(Function {
                code: function.code,
                environment: function.environment.clone(),
                arguments: arguments.into(),
            })));
        }
        if !function.arguments.is_empty() {
            let later: Vec<Value> = self.stack.drain(frame..).collect();
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
        self.stack.truncate(base);
        if let Ok(value) = &result {
            group.constants.borrow_mut()[place as usize] = MemberState::Done(value.clone());
        }
        result
    }

    pub(super) fn open_member(&mut self, group: &Rc<Group>, unit: UnitId) -> (CodeId, usize) {
        let base = self.stack.len();
        let unit = self.code.unit(unit);
        self.stack
            .resize(base + unit.slots as usize, Value::Bool(false));
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

    #[inline(never)]
    pub(super) fn call_member(&mut self, call: u32, base: usize) -> Result<Value, Failure> {
        let (slot, place, arguments) = self.code.member_calls[call as usize];
        let group = self.group_at(base + slot as usize);
        let id = self.member_function(&group, place);
        let frame = self.stack.len();
        self.push_arguments(arguments, base)?;
        self.call_with(id, &Environment::Group(group), frame)
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

    pub(super) fn unexpected(&self, code: CodeId, wanted: &str, found: &Value) -> Failure {
        messages::unexpected(self.code.span(code), wanted, &self.abbreviate(found))
    }
}

fn arithmetic(operator: BinaryOp, a: i64, b: i64) -> Option<i64> {
    match operator {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Subtract => a.checked_sub(b),
        BinaryOp::Multiply => a.checked_mul(b),
        BinaryOp::Divide => {
            let quotient = a.checked_div(b)?;
            let inexact = a.checked_rem(b)? != 0;
            Some(quotient - i64::from(inexact && (a < 0) != (b < 0)))
        }
        BinaryOp::Modulo => {
            // The sign follows the divisor.
            let remainder = a.checked_rem(b)?;
            Some(if remainder != 0 && (remainder < 0) != (b < 0) {
                remainder + b
            } else {
                remainder
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_rounds_down() {
        let quotients: Vec<_> = [(7, 2), (-7, 2), (7, -2), (-7, -2)]
            .map(|(a, b)| arithmetic(BinaryOp::Divide, a, b))
            .into();
        assert_eq!(quotients, [Some(3), Some(-4), Some(-4), Some(3)]);
        let remainders: Vec<_> = [(7, 2), (-7, 2), (7, -2), (-7, -2)]
            .map(|(a, b)| arithmetic(BinaryOp::Modulo, a, b))
            .into();
        assert_eq!(remainders, [Some(1), Some(1), Some(-1), Some(-1)]);
        assert_eq!(arithmetic(BinaryOp::Divide, 1, 0), None);
        assert_eq!(arithmetic(BinaryOp::Divide, i64::MIN, -1), None);
        assert_eq!(arithmetic(BinaryOp::Multiply, i64::MAX, 2), None);
    }
}
