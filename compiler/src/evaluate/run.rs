//! The inner loop: evaluating code in frames on one stack of values.
//!
//! `eval` gives a value that is not a thunk (its parts may be). `run` owns its frame, so it can
//! reuse it for a call in tail position. Rare operations are kept out of `eval` to keep its frame on
//! the machine's stack small: a script may recurse a million calls deep.

use std::mem::ManuallyDrop;
use std::rc::Rc;

use super::call::Tail;
use super::code::{CodeId, FunctionId, Node, UnitId, compares};
use super::messages::{self, Failure};
use super::value::{Thunk, ThunkState, Value};
use super::{Constant, Evaluator};
use crate::hir::BinaryOp;

/// Marks a frame that does not belong to a function.
pub(super) const NO_FUNCTION: FunctionId = FunctionId(u32::MAX);

/// How many calls go by between two looks at the interrupt: a prime, so as not to fall into step with
/// what the calls do (see `repeat.rs`).
pub(super) const POLL: u32 = 4093;

/// Whether evaluations inside one another are counted, because the stack cannot be measured. Tests of this crate count,
/// too, so that what they say holds in a module.
pub(super) const COUNTED: bool = cfg!(test) || !csp_host::stack::MEASURED;

impl Evaluator {
    /// The value of an expression.
    #[inline(always)]
    pub(super) fn eval(&mut self, code: CodeId, base: usize) -> Result<Value, Failure> {
        if !COUNTED {
            return self.eval_here(code, base);
        }
        self.deeper(code)?;
        let result = self.eval_here(code, base);
        self.nested.0 -= 1;
        result
    }

    /// Counts one more evaluation inside those under way.
    pub(super) fn deeper(&mut self, code: CodeId) -> Result<(), Failure> {
        let (nested, most) = self.nested;
        if nested >= most {
            return Err(messages::too_deep(self.code.span(code)));
        }
        self.nested.0 += 1;
        Ok(())
    }

    fn eval_here(&mut self, mut code: CodeId, base: usize) -> Result<Value, Failure> {
        loop {
            match self.code.node(code) {
                Node::Local(slot) | Node::Last(slot) => return self.local(base + slot as usize),
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
                Node::Arithmetic(operator, left, right) => {
                    if let Some(number) = self.known_int(code, base) {
                        return Ok(Value::Int(number));
                    }
                    return self.binary(operator, left, right, code, base);
                }
                Node::ArithmeticLocals(operator, ..) | Node::ArithmeticInt(operator, ..) => {
                    if let Some(number) = self.known_int(code, base) {
                        return Ok(Value::Int(number));
                    }
                    let (left, right) = just_before(code);
                    return self.binary(operator, left, right, code, base);
                }
                Node::CompareLocals(..) | Node::CompareInt(..) | Node::CompareArithmetic(..) => {
                    return self.condition(code, base).map(Value::Bool);
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

    /// Evaluates code that owns its frame and closes it; calls in tail position take its place.
    pub(super) fn run(
        &mut self,
        mut code: CodeId,
        base: usize,
        mut function: FunctionId,
    ) -> Result<Value, Failure> {
        let mut mark = 0;
        let before = self.nested.0;
        let entered = if COUNTED { self.deeper(code) } else { Ok(()) };
        let result = match entered.and_then(|()| self.check(code)) {
            Err(failure) => Err(failure),
            Ok(()) => loop {
                match self.code.node(code) {
                    Node::If(condition, then, otherwise) => {
                        let holds = match self.compared(condition, base) {
                            Some(holds) => Ok(holds),
                            None => self.condition(condition, base),
                        };
                        match holds {
                            Ok(true) => code = then,
                            Ok(false) => code = otherwise,
                            Err(failure) => break Err(failure),
                        }
                    }
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
                    Node::Call(callee, arguments) if !self.code.function(callee).memo => {
                        if let Err(failure) = self.pass_on(arguments, base) {
                            break Err(failure);
                        }
                        function = callee;
                        code = self.enter(callee, base);
                        if let Err(failure) = self.check_call(code, function, base, &mut mark) {
                            break Err(failure);
                        }
                    }
                    Node::Apply(..) | Node::CallMember(_) => match self.tail_call(code, base) {
                        Ok(Tail::Enter(callee, body)) => {
                            function = callee;
                            code = body;
                            if let Err(failure) = self.check_call(code, function, base, &mut mark) {
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
        let result = result.map_err(|failure| self.note_call(failure, function, base));
        self.stack.close(base);
        self.nested.0 = before;
        result
    }

    /// Looks at the depth of the machine's stack and, now and then, at the interrupt.
    #[inline]
    pub(super) fn check(&mut self, code: CodeId) -> Result<(), Failure> {
        self.countdown = self.countdown.wrapping_sub(1);
        self.at = code;
        let here = std::ptr::from_ref(&code).addr();
        if here < self.stack_limit || self.countdown == 0 {
            return self.check_slowly(code, here);
        }
        Ok(())
    }

    /// The same for a call in tail position, and then also whether it is an earlier one again.
    #[inline]
    fn check_call(
        &mut self,
        code: CodeId,
        function: FunctionId,
        base: usize,
        mark: &mut u32,
    ) -> Result<(), Failure> {
        self.countdown = self.countdown.wrapping_sub(1);
        self.at = code;
        let here = std::ptr::from_ref(&code).addr();
        if here < self.stack_limit || self.countdown == 0 {
            self.check_slowly(code, here)?;
            return self.look_at_call(function, base, mark);
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn check_slowly(&mut self, code: CodeId, here: usize) -> Result<(), Failure> {
        if here < self.stack_limit {
            return Err(messages::too_deep(self.code.span(code)));
        }
        self.poll(code)
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
            Value::Suffix(start, whole) => {
                let value = Value::Sequence(whole.from(*start));
                self.stack[at] = value.clone();
                Ok(value)
            }
            Value::Failure(failure) => Err(Box::new((**failure).clone())),
            value => Ok(value.clone()),
        }
    }

    fn condition(&mut self, mut code: CodeId, base: usize) -> Result<bool, Failure> {
        loop {
            if let Some(holds) = self.compared(code, base) {
                return Ok(holds);
            }
            match self.code.node(code) {
                Node::CompareLocals(operator, ..) | Node::CompareInt(operator, ..) => {
                    let (left, right) = just_before(code);
                    return self.compared_slowly(operator, left, right, code, base);
                }
                Node::Binary(operator, left, right)
                | Node::CompareArithmetic(operator, left, right)
                    if compares(operator) =>
                {
                    return self.compared_slowly(operator, left, right, code, base);
                }
                Node::If(condition, then, otherwise) => {
                    code = if self.condition(condition, base)? {
                        then
                    } else {
                        otherwise
                    };
                    continue;
                }
                Node::Bool(b) => return Ok(b),
                _ => {}
            }
            return match self.eval(code, base)? {
                Value::Bool(b) => Ok(b),
                other => Err(self.unexpected(code, "a truth value", &other)),
            };
        }
    }

    pub(super) fn truth(&mut self, code: CodeId, base: usize) -> Result<bool, Failure> {
        self.condition(code, base)
    }

    /// A comparison of variables, literals and arithmetic on two of them, if they are integers.
    #[inline(always)]
    fn compared(&self, code: CodeId, base: usize) -> Option<bool> {
        let int = |slot: u32| match &self.stack[base + slot as usize] {
            Value::Int(i) => Some(*i),
            _ => None,
        };
        let (operator, a, b) = match self.code.node(code) {
            Node::CompareLocals(operator, a, b) => (operator, int(a)?, int(b)?),
            Node::CompareInt(operator, a, b) => (operator, int(a)?, i64::from(b)),
            Node::CompareArithmetic(operator, left, right) => {
                let Node::Local(a) = self.code.node(left) else {
                    return None;
                };
                let b = match self.code.node(right) {
                    Node::ArithmeticLocals(inner, x, y) => arithmetic(inner, int(x)?, int(y)?)?,
                    Node::ArithmeticInt(inner, x, y) => arithmetic(inner, int(x)?, i64::from(y))?,
                    _ => return None,
                };
                (operator, int(a)?, b)
            }
            _ => return None,
        };
        Some(holds(operator, a, b))
    }

    #[inline(never)]
    fn compared_slowly(
        &mut self,
        operator: BinaryOp,
        left: CodeId,
        right: CodeId,
        code: CodeId,
        base: usize,
    ) -> Result<bool, Failure> {
        match self.binary(operator, left, right, code, base)? {
            Value::Bool(b) => Ok(b),
            other => Err(self.unexpected(code, "a truth value", &other)),
        }
    }

    /// An integer that is at hand without evaluating anything.
    #[inline(always)]
    pub(super) fn known_int(&self, code: CodeId, base: usize) -> Option<i64> {
        match self.code.node(code) {
            Node::Int(i) => Some(i),
            Node::Local(slot) | Node::Last(slot) => self.int_at(base + slot as usize),
            Node::ArithmeticLocals(operator, a, b) => arithmetic(
                operator,
                self.int_at(base + a as usize)?,
                self.int_at(base + b as usize)?,
            ),
            Node::ArithmeticInt(operator, a, b) => {
                arithmetic(operator, self.int_at(base + a as usize)?, i64::from(b))
            }
            Node::Arithmetic(operator, left, right) => self.number(operator, left, right, base),
            _ => None,
        }
    }

    /// The integer in a slot, if there is one.
    #[inline(always)]
    fn int_at(&self, at: usize) -> Option<i64> {
        match &self.stack[at] {
            Value::Int(i) => Some(*i),
            Value::Thunk(thunk) => done_int(thunk),
            _ => None,
        }
    }

    /// Arithmetic on what is at hand.
    #[inline(never)]
    fn number(&self, operator: BinaryOp, left: CodeId, right: CodeId, base: usize) -> Option<i64> {
        arithmetic(
            operator,
            self.known_int(left, base)?,
            self.known_int(right, base)?,
        )
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
                if operator == BinaryOp::Concat {
                    return self.concatenation(left, right, base);
                }
                match integer(self.eval(left, base)?) {
                    Ok(a) => a,
                    Err(a) => {
                        let b = self.eval(right, base)?;
                        return self.compare(operator, &a, &b, code);
                    }
                }
            }
        };
        let b = match self.known_int(right, base) {
            Some(b) => b,
            None => match integer(self.eval(right, base)?) {
                Ok(b) => b,
                Err(b) => return Err(self.unexpected(right, "an integer", &b)),
            },
        };
        match operator {
            _ if compares(operator) => Ok(Value::Bool(holds(operator, a, b))),
            _ => match arithmetic(operator, a, b) {
                Some(value) => Ok(Value::Int(value)),
                None => Err(self.arithmetic_failure(operator, a, b, code)),
            },
        }
    }

    #[inline(never)]
    fn concatenation(
        &mut self,
        left: CodeId,
        right: CodeId,
        base: usize,
    ) -> Result<Value, Failure> {
        let first = self.eval(left, base)?;
        let second = self.delay(right, base)?;
        self.concatenate(first, second, left)
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
            Node::Local(slot) | Node::Last(slot) => Ok(self.stack[base + slot as usize].known()),
            Node::Delay(unit) => Ok(self.thunk(unit, base)),
            Node::Speculate(direct, unit) => match self.known_int(direct, base) {
                Some(i) => Ok(Value::Int(i)),
                None => self.built_or_delayed(direct, unit, base),
            },
            Node::Global(id) => Ok(match &self.constants[id.0 as usize] {
                Constant::Done(value) => value.clone(),
                _ => Thunk::of(ThunkState::Global(id)),
            }),
            Node::Constant(i) => Ok(self.code.constants[i as usize].clone()),
            Node::Member(slot, place) => self.member_value(base + slot as usize, place),
            _ => self.eval(code, base),
        }
    }

    /// `<x, …>^s` if the elements of `s` are at hand, or a promise.
    #[inline(never)]
    fn built_or_delayed(
        &mut self,
        direct: CodeId,
        unit: UnitId,
        base: usize,
    ) -> Result<Value, Failure> {
        if let Node::Binary(BinaryOp::Concat, left, right) = self.code.node(direct)
            && let Node::Sequence(front) = self.code.node(left)
            && let Node::Local(slot) = self.code.node(right)
            && let Some(built) = self.built(front, base + slot as usize, base)?
        {
            return Ok(built);
        }
        Ok(self.thunk(unit, base))
    }

    pub(super) fn unexpected(&self, code: CodeId, wanted: &str, found: &Value) -> Failure {
        messages::unexpected(self.code.span(code), wanted, &self.abbreviate(found))
    }
}

/// The operands of code that names its variables itself.
fn just_before(code: CodeId) -> (CodeId, CodeId) {
    (CodeId(code.0 - 2), CodeId(code.0 - 1))
}

/// The integer that a thunk came to.
#[inline(never)]
fn done_int(thunk: &Thunk) -> Option<i64> {
    match &*thunk.state.borrow() {
        ThunkState::Done(Value::Int(i)) => Some(*i),
        _ => None,
    }
}

/// The integer that a value is, or the value. A value that is just matched is dropped afterwards, which
/// takes a call; an integer has nothing to drop.
#[inline]
fn integer(value: Value) -> Result<i64, Value> {
    let value = ManuallyDrop::new(value);
    match *value {
        Value::Int(i) => Ok(i),
        _ => Err(ManuallyDrop::into_inner(value)),
    }
}

/// Whether a comparison of integers holds. The operator says for which of less, equal and greater it
/// does, which takes no jumps.
#[inline(always)]
fn holds(operator: BinaryOp, a: i64, b: i64) -> bool {
    let wanted = match operator {
        BinaryOp::Less => 0b001u8,
        BinaryOp::Equal => 0b010,
        BinaryOp::LessEqual => 0b011,
        BinaryOp::Greater => 0b100,
        BinaryOp::NotEqual => 0b101,
        _ => 0b110,
    };
    let found = u8::from(a < b) | u8::from(a == b) << 1 | u8::from(a > b) << 2;
    wanted & found != 0
}

#[inline(always)]
fn arithmetic(operator: BinaryOp, a: i64, b: i64) -> Option<i64> {
    match operator {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Subtract => a.checked_sub(b),
        _ => other_arithmetic(operator, a, b),
    }
}

#[inline(never)]
fn other_arithmetic(operator: BinaryOp, a: i64, b: i64) -> Option<i64> {
    match operator {
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

    /// What `f(DEPTH)` comes to if only this many evaluations may stand inside one another: its code if it is wrong.
    fn deep(body: &str, depth: u32, nested: u32) -> Result<String, &'static str> {
        use crate::evaluate::Limits;
        use crate::hir::GlobalId;

        let mut sources = csp_grammar::source::Sources::default();
        let file = sources.add("f.csp", format!("f(n) = {body}\nvalue = f({depth})"));
        let no_files = &mut |_: &str| Err(String::new());
        let (tree, _) = csp_grammar::parse(&mut sources, file, no_files);
        let (program, _) = crate::resolve::resolve(&tree, &sources, &[]);
        let limits = Limits {
            nested,
            ..Limits::default()
        };
        let mut evaluator = Evaluator::new(&program, limits);
        let value = evaluator.constant(GlobalId(1));
        // What failed leaves nothing behind.
        assert_eq!(evaluator.nested.0, 0);
        value
            .map(|v| evaluator.show(&v))
            .map_err(|failure| failure.code)
    }

    #[test]
    fn evaluations_inside_one_another_are_counted() {
        let sum = "if n == 0 then 0 else 1 + f(n-1)";
        assert_eq!(deep(sum, 100, 400), Ok("100".to_owned()));
        assert_eq!(deep(sum, 200, 400), Err("E0411"));
        let sets = "if n == 0 then {0} else {x+1 | x <- f(n-1)}";
        assert_eq!(deep(sets, 50, 400), Ok("{50}".to_owned()));
        assert_eq!(deep(sets, 400, 400), Err("E0411"));
        // A call in tail position takes the place of the one before it.
        let loops = "if n == 0 then 0 else f(n-1)";
        assert_eq!(deep(loops, 5000, 400), Ok("0".to_owned()));
    }
}
