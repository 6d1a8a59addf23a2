//! The operations that the inner loop leaves out, and conversions between forms of values.

use std::cmp::Ordering;
use std::rc::Rc;

use csp_grammar::Span;
use smallvec::SmallVec;

use super::Evaluator;
use super::code::{CodeId, FunctionId, Heads, List, Node, index};
use super::messages::{self, Failure};
use super::sequence::Sequence;
use super::sets::{self, Set, SetKind, Symbolic};
use super::value::{Callee, Environment, Function, Items, Value};
use crate::hir::{BinaryOp, GlobalId};

/// Concatenations with more elements than this are refused: none can be walked to its end, and a
/// sequence that is doubled for ever grows no larger.
const LONGEST: u64 = 1 << 40;

/// Concatenations up to this length are copied: cheaper to walk later.
const SHORT: usize = 8;

impl Evaluator {
    #[inline(never)]
    pub(super) fn eval_other(&mut self, code: CodeId, base: usize) -> Result<Value, Failure> {
        match self.code.node(code) {
            Node::Char(c) => Ok(Value::Char(c)),
            Node::Builtin(builtin) => self.builtin_value(builtin, code),
            Node::Constant(i) => {
                let value = self.code.constants[i as usize].clone();
                self.force(value)
            }
            Node::Member(slot, place) => {
                let value = self.member_value(base + slot as usize, place)?;
                self.force(value)
            }
            Node::Function(id) => Ok(function(id, Environment::None)),
            Node::Lambda(id) => {
                let captured = self.captured(self.code.function(id).unit, base);
                Ok(function(id, Environment::Captured(captured)))
            }
            Node::Tuple(list) => Ok(Value::tuple(self.delay_all(list, base)?)),
            Node::Sequence(list) => {
                let items = Items::new(self.delay_all(list, base)?);
                Ok(Value::Sequence(Rc::new(Sequence::Flat(items))))
            }
            Node::Call(..) | Node::CallMember(_) | Node::Apply(..) | Node::Clauses(_) => {
                unreachable!("handled by eval and run")
            }
            Node::CallBuiltin(builtin, list) => {
                let arguments = self.eval_all(list, base)?;
                self.call_builtin(builtin, arguments, code)
            }
            Node::Negate(operand) => match self.eval(operand, base)? {
                Value::Int(i) => i
                    .checked_neg()
                    .map(Value::Int)
                    .ok_or_else(|| messages::overflow(self.code.span(code), &format!("-({i})"))),
                other => Err(self.unexpected(operand, "an integer", &other)),
            },
            Node::Not(operand) => Ok(Value::Bool(!self.truth(operand, base)?)),
            Node::Length(operand) => {
                let value = self.eval(operand, base)?;
                self.length(&value, operand).map(Value::Int)
            }
            Node::Project(source, pattern, slot) => {
                let value = self.eval(source, base)?;
                let pattern = Rc::clone(&self.code.patterns[pattern as usize]);
                if !self.matches(&pattern, value.clone(), base)? {
                    let shown = self.abbreviate(&value);
                    return Err(messages::no_match(self.code.span(code), &shown));
                }
                let value = self.stack[base + slot as usize].clone();
                self.force(value)
            }
            Node::Delay(_) | Node::Speculate(..) => {
                let value = self.delay(code, base)?;
                self.force(value)
            }
            Node::Error => Err(messages::in_error(self.code.span(code))),
            _ => self.eval_collection(code, base),
        }
    }

    #[inline(never)]
    fn eval_collection(&mut self, code: CodeId, base: usize) -> Result<Value, Failure> {
        match self.code.node(code) {
            Node::Set(list) => {
                let mut values = self.eval_all(list, base)?;
                for value in &mut values {
                    *value = self.canonical(std::mem::replace(value, Value::Bool(false)))?;
                }
                Ok(Value::set(Set::from_values(values)))
            }
            Node::Map(list) => {
                let values = self.eval_all(list, base)?;
                let mut entries = Vec::with_capacity(values.len() / 2);
                for pair in values.chunks_exact(2) {
                    let key = self.canonical(pair[0].clone())?;
                    entries.push((key, self.canonical(pair[1].clone())?));
                }
                Ok(Value::map(entries))
            }
            Node::SequenceRange(from, to) => {
                let (from, to) = self.bounds(from, to, base)?;
                Ok(Value::Sequence(Rc::new(match to {
                    Some(to) => Sequence::range(from, to),
                    None => Sequence::From(from),
                })))
            }
            Node::SetRange(from, to) => {
                let (from, to) = self.bounds(from, to, base)?;
                Ok(Value::set(match to {
                    Some(to) => Set::range(from, to),
                    None => Set::symbolic(Symbolic::From(from)),
                }))
            }
            Node::SetComprehension(i) => self.set_comprehension(i, code, base),
            Node::Enumerated(list) => self.enumerated(list, code, base),
            Node::SequenceComprehension(i) => self.sequence_comprehension(i, base),
            Node::Dot(list) => self.eval_dot(list, code, base),
            Node::DotProduct(list) => {
                let mut parts = Vec::new();
                for value in self.eval_all(list, base)? {
                    parts.push(self.type_set(&value, code)?);
                }
                Ok(dots(&parts))
            }
            Node::TupleProduct(list) => {
                let mut parts = Vec::new();
                for value in self.eval_all(list, base)? {
                    let set = self.type_set(&value, code)?;
                    parts.push(self.listed_dots(&set)?);
                }
                self.tuples(&parts)
            }
            _ => self.eval_process(code, base),
        }
    }

    pub(super) fn delay_all(
        &mut self,
        list: List,
        base: usize,
    ) -> Result<SmallVec<[Value; 2]>, Failure> {
        let mut values = SmallVec::with_capacity(list.len as usize);
        for i in 0..list.len {
            values.push(self.delay(self.code.item(list, i), base)?);
        }
        Ok(values)
    }

    pub(super) fn eval_all(&mut self, list: List, base: usize) -> Result<Vec<Value>, Failure> {
        let mut values = Vec::with_capacity(list.len as usize);
        for i in 0..list.len {
            values.push(self.eval(self.code.item(list, i), base)?);
        }
        Ok(values)
    }

    pub(super) fn bounds(
        &mut self,
        from: CodeId,
        to: Option<CodeId>,
        base: usize,
    ) -> Result<(i64, Option<i64>), Failure> {
        let from = self.eval_int(from, base)?;
        let to = match to {
            Some(to) => Some(self.eval_int(to, base)?),
            None => None,
        };
        Ok((from, to))
    }

    pub(super) fn eval_int(&mut self, code: CodeId, base: usize) -> Result<i64, Failure> {
        match self.eval(code, base)? {
            Value::Int(i) => Ok(i),
            other => Err(self.unexpected(code, "an integer", &other)),
        }
    }

    pub(super) fn as_set(&self, value: &Value, code: CodeId) -> Result<Rc<Set>, Failure> {
        match value {
            Value::Set(set) => Ok(Rc::clone(set)),
            other => Err(self.unexpected(code, "a set", other)),
        }
    }

    /// What stands for a type: a set, or a tuple or dot of such, which is their product.
    pub(super) fn type_set(&mut self, value: &Value, code: CodeId) -> Result<Rc<Set>, Failure> {
        let canonical = match value {
            Value::Tuple(_) | Value::Dot(_) => self.canonical(value.clone())?,
            _ => return self.as_set(value, code),
        };
        let product = match &canonical {
            Value::Tuple(items) => {
                let mut parts = Vec::new();
                for item in items.as_slice() {
                    let set = self.type_set(item, code)?;
                    parts.push(self.listed_dots(&set)?);
                }
                self.tuples(&parts)?
            }
            Value::Dot(dot) if dot.head.is_none() => {
                let mut parts = Vec::new();
                for field in dot.fields.as_slice() {
                    parts.push(self.type_set(field, code)?);
                }
                dots(&parts)
            }
            _ => canonical,
        };
        self.as_set(&product, code)
    }

    pub(super) fn as_sequence(&self, value: &Value, code: CodeId) -> Result<Rc<Sequence>, Failure> {
        match value {
            Value::Sequence(sequence) => Ok(Rc::clone(sequence)),
            other => Err(self.unexpected(code, "a sequence", other)),
        }
    }

    /// The heads of a comprehension as a range, if they are one.
    pub(super) fn head_range(
        &mut self,
        heads: Heads,
        base: usize,
    ) -> Result<Option<(i64, Option<i64>)>, Failure> {
        match heads {
            Heads::Range(from, to) => self.bounds(from, to, base).map(Some),
            Heads::Items(_) => Ok(None),
        }
    }

    /// `left ^ right`, where `right` may be a thunk.
    pub(super) fn concatenate(
        &mut self,
        left: Value,
        right: Value,
        code: CodeId,
    ) -> Result<Value, Failure> {
        let first = self.as_sequence(&left, code)?;
        if first.is_empty() {
            return self.force(right);
        }
        let right = right.at_hand();
        if let Value::Sequence(second) = &right {
            if second.is_empty() {
                return Ok(left);
            }
            if let (Some(a), Some(b)) = (first.as_slice(), second.as_slice())
                && a.len() + b.len() <= SHORT
            {
                let mut items: SmallVec<[Value; 2]> = SmallVec::with_capacity(a.len() + b.len());
                items.extend(a.iter().chain(b).cloned());
                return Ok(Value::Sequence(Rc::new(Sequence::Flat(Items::new(items)))));
            }
        }
        let joined = Sequence::concatenation(first, right);
        if joined.least() > LONGEST {
            return Err(messages::too_large(self.code.span(code), "the sequence"));
        }
        Ok(Value::Sequence(Rc::new(joined)))
    }

    /// `<x, …>^s` with `s` in a slot, if it is a sequence at hand that is not too long.
    pub(super) fn built(
        &mut self,
        front: List,
        at: usize,
        base: usize,
    ) -> Result<Option<Value>, Failure> {
        let second = match &self.stack[at] {
            Value::Sequence(second) => Rc::clone(second),
            Value::Suffix(start, whole) => whole.from(*start),
            _ => return Ok(None),
        };
        let mut items: SmallVec<[Value; 2]> = SmallVec::new();
        let first = front.len as usize;
        if let Some(rest) = second.as_slice()
            && first + rest.len() <= SHORT
        {
            items.reserve_exact(first + rest.len());
            self.delay_into(front, base, &mut items)?;
            items.extend(rest.iter().cloned());
            let flat = Sequence::Flat(Items::new(items));
            return Ok(Some(Value::Sequence(Rc::new(flat))));
        }
        if second.least().saturating_add(first as u64) > LONGEST {
            return Ok(None);
        }
        self.delay_into(front, base, &mut items)?;
        let first = Rc::new(Sequence::Flat(Items::new(items)));
        let joined = Sequence::concatenation(first, Value::Sequence(second));
        Ok(Some(Value::Sequence(Rc::new(joined))))
    }

    fn delay_into(
        &mut self,
        list: List,
        base: usize,
        items: &mut SmallVec<[Value; 2]>,
    ) -> Result<(), Failure> {
        for i in 0..list.len {
            items.push(self.delay(self.code.item(list, i), base)?);
        }
        Ok(())
    }

    pub(super) fn length(&mut self, value: &Value, code: CodeId) -> Result<i64, Failure> {
        let sequence = self.as_sequence(value, code)?;
        match &*sequence {
            Sequence::Range(from, to) => to
                .checked_sub(*from)
                .and_then(|n| n.checked_add(1))
                .ok_or_else(|| messages::too_large(self.code.span(code), "the sequence")),
            Sequence::From(_) => Err(messages::too_large(
                self.code.span(code),
                "the length of an endless sequence",
            )),
            _ => {
                if let Some(items) = sequence.as_slice() {
                    return Ok(i64::from(index(items.len())));
                }
                let mut cursor = self.cursor(&sequence);
                let mut count = 0;
                while cursor.next(self)?.is_some() {
                    count += 1;
                }
                Ok(count)
            }
        }
    }

    /// The same value without thunks inside.
    pub(super) fn canonical(&mut self, value: Value) -> Result<Value, Failure> {
        let value = self.force(value)?;
        if value.is_canonical() {
            return Ok(value);
        }
        match &value {
            Value::Tuple(items) => {
                if let Some(form) = items.form() {
                    return Ok(form);
                }
                let mut out = SmallVec::with_capacity(items.as_slice().len());
                for item in items.as_slice() {
                    out.push(self.canonical(item.clone())?);
                }
                let form = Value::tuple(out);
                items.remember_form(&form);
                Ok(form)
            }
            Value::Sequence(sequence) => {
                let flat = match &**sequence {
                    Sequence::Flat(items) => Some(items),
                    _ => None,
                };
                if let Some(form) = flat.and_then(Items::form) {
                    return Ok(form);
                }
                let mut cursor = self.cursor(sequence);
                let mut out = Vec::new();
                while let Some(item) = cursor.next(self)? {
                    out.push(self.canonical(item)?);
                    if out.len() as u64 > sets::MOST_ROWS {
                        return Err(messages::too_large(self.where_now(), "the sequence"));
                    }
                }
                let form = Value::sequence(out);
                if let Some(items) = flat {
                    items.remember_form(&form);
                }
                Ok(form)
            }
            Value::Function(function) => {
                let environment = match &function.environment {
                    Environment::None => Environment::None,
                    Environment::Group(group) => {
                        self.settle_group(group)?;
                        Environment::Group(Rc::clone(group))
                    }
                    Environment::Captured(values) => {
                        Environment::Captured(self.settle_all(values)?)
                    }
                };
                Ok(Value::Function(Rc::new(Function {
                    code: function.code,
                    environment,
                    arguments: self.settle_all(&function.arguments)?,
                })))
            }
            Value::Group(group) => {
                self.settle_group(group)?;
                Ok(value)
            }
            _ => unreachable!("the other values are always canonical"),
        }
    }

    fn settle_group(&mut self, group: &Rc<super::value::Group>) -> Result<(), Failure> {
        let captured = group.captured.borrow().clone();
        let settled = self.settle_all(&captured)?;
        *group.captured.borrow_mut() = settled;
        group.canonical.set(true);
        Ok(())
    }

    pub(super) fn settle_all(&mut self, values: &[Value]) -> Result<Box<[Value]>, Failure> {
        values.iter().map(|v| self.settled(v.clone())).collect()
    }

    /// The canonical value, or the failure as a value: what is captured need not be used.
    pub(super) fn settled(&mut self, value: Value) -> Result<Value, Failure> {
        if let Value::Failure(_) = value {
            return Ok(value);
        }
        match self.canonical(value) {
            Err(failure) if matches!(failure.code, "E0411" | "E0499") => Err(failure),
            Err(failure) => Ok(Value::Failure(Rc::new(*failure))),
            settled => settled,
        }
    }

    /// `==`, `<` and the others on values that are not both integers.
    #[inline(never)]
    pub(super) fn compare(
        &mut self,
        operator: BinaryOp,
        a: &Value,
        b: &Value,
        code: CodeId,
    ) -> Result<Value, Failure> {
        if matches!(operator, BinaryOp::Equal | BinaryOp::NotEqual) {
            let equal = self.equal(a, b)?;
            return Ok(Value::Bool(equal == (operator == BinaryOp::Equal)));
        }
        let wanted: &[Ordering] = match operator {
            BinaryOp::Less => &[Ordering::Less],
            BinaryOp::LessEqual => &[Ordering::Less, Ordering::Equal],
            BinaryOp::Greater => &[Ordering::Greater],
            BinaryOp::GreaterEqual => &[Ordering::Greater, Ordering::Equal],
            _ => return Err(self.unexpected(code, "integers", a)),
        };
        let (a, b) = (self.canonical(a.clone())?, self.canonical(b.clone())?);
        let order = self.script_order(&a, &b, code)?;
        Ok(Value::Bool(order.is_some_and(|o| wanted.contains(&o))))
    }

    fn equal(&mut self, a: &Value, b: &Value) -> Result<bool, Failure> {
        if let (Value::Sequence(x), Value::Sequence(y)) = (a, b)
            && !(x.is_canonical() && y.is_canonical())
        {
            let (mut x, mut y) = (self.cursor(x), self.cursor(y));
            // Elements that are shared need not be compared each time they come.
            let mut before: Option<(Value, Value)> = None;
            loop {
                match (x.next(self)?, y.next(self)?) {
                    (None, None) => return Ok(true),
                    (Some(a), Some(b)) => {
                        let (a, b) = (self.force(a)?, self.force(b)?);
                        let again = |(x, y): &(Value, Value)| same(x, &a) && same(y, &b);
                        if before.as_ref().is_some_and(again) {
                            continue;
                        }
                        if !self.equal(&a, &b)? {
                            return Ok(false);
                        }
                        before = Some((a, b));
                    }
                    _ => return Ok(false),
                }
            }
        }
        Ok(self.canonical(a.clone())? == self.canonical(b.clone())?)
    }

    /// The order of scripts: lexicographic tuples, prefixes, subsets, sub-maps with smaller values; `None` if the two
    /// cannot be compared.
    fn script_order(
        &mut self,
        a: &Value,
        b: &Value,
        code: CodeId,
    ) -> Result<Option<Ordering>, Failure> {
        let from_inclusions = |below: bool, above: bool| match (below, above) {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Less),
            (false, true) => Some(Ordering::Greater),
            (false, false) => None,
        };
        Ok(match (a, b) {
            (Value::Int(_), Value::Int(_)) | (Value::Char(_), Value::Char(_)) => Some(a.cmp(b)),
            (Value::Tuple(x), Value::Tuple(y)) => {
                for (p, q) in x.as_slice().iter().zip(y.as_slice()) {
                    match self.script_order(p, q, code)? {
                        Some(Ordering::Equal) => {}
                        other => return Ok(other),
                    }
                }
                Some(Ordering::Equal)
            }
            (Value::Sequence(x), Value::Sequence(y)) => match (x.as_slice(), y.as_slice()) {
                (Some(x), Some(y)) => from_inclusions(y.starts_with(x), x.starts_with(y)),
                _ => (a == b).then_some(Ordering::Equal),
            },
            (Value::Set(x), Value::Set(y)) => {
                from_inclusions(self.is_subset(x, y, code)?, self.is_subset(y, x, code)?)
            }
            (Value::Map(x), Value::Map(y)) => {
                let below = self.is_sub_map(&x.entries, &y.entries, code)?;
                let above = self.is_sub_map(&y.entries, &x.entries, code)?;
                from_inclusions(below, above)
            }
            _ => return Err(self.unexpected(code, "values that have an order", a)),
        })
    }
}

impl Evaluator {
    /// Whether the large map has every key of the small one, with a value that is no smaller.
    fn is_sub_map(
        &mut self,
        small: &[(Value, Value)],
        large: &[(Value, Value)],
        code: CodeId,
    ) -> Result<bool, Failure> {
        for (key, value) in small {
            let Ok(at) = large.binary_search_by(|entry| entry.0.cmp(key)) else {
                return Ok(false);
            };
            let other = &large[at].1;
            if value != other && self.script_order(value, other, code)? != Some(Ordering::Less) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn function(id: FunctionId, environment: Environment) -> Value {
    Value::Function(Rc::new(Function {
        code: Callee::Code(id),
        environment,
        arguments: Box::default(),
    }))
}

/// The product of the fields of a channel, constructor or nametype.
fn dots(parts: &[Rc<Set>]) -> Value {
    Value::set(Set::symbolic(Symbolic::Dots(as_values(parts))))
}

/// Shared sets as values.
pub(super) fn as_values(sets: &[Rc<Set>]) -> Box<[Value]> {
    sets.iter().map(|s| Value::Set(Rc::clone(s))).collect()
}

impl Evaluator {
    /// A product of fields as a set of dots, if it can be listed; other sets as they are.
    pub(super) fn listed_dots(&mut self, set: &Rc<Set>) -> Result<Rc<Set>, Failure> {
        let SetKind::Symbolic(Symbolic::Dots(parts)) = set.kind() else {
            return Ok(Rc::clone(set));
        };
        let mut listed = Vec::new();
        for part in parts {
            let Value::Set(part) = part else {
                return Ok(Rc::clone(set));
            };
            listed.push(self.listed_dots(part)?);
        }
        Ok(match self.product(&listed)? {
            Some(rows) => Rc::new(Set::from_values(rows.into_iter().map(flat_dot).collect())),
            None => Rc::clone(set),
        })
    }

    /// The set of all tuples with a component from each set.
    pub(super) fn tuples(&mut self, parts: &[Rc<Set>]) -> Result<Value, Failure> {
        Ok(match self.product(parts)? {
            Some(rows) => Value::set(Set::from_values(
                rows.into_iter().map(Value::tuple).collect(),
            )),
            None => Value::set(Set::symbolic(Symbolic::Tuples(as_values(parts)))),
        })
    }

    /// All ways to take one value from each set, unless they cannot be listed.
    pub(super) fn product(&mut self, parts: &[Rc<Set>]) -> Result<Option<Vec<sets::Row>>, Failure> {
        let at = self.at;
        sets::product(parts, || self.poll_sometimes(at))
    }

    /// `Set(base)`, listed if that is short.
    pub(super) fn subsets(&mut self, base: &Rc<Set>) -> Result<Set, Failure> {
        let at = self.at;
        let listed = sets::subsets(base, || self.poll_sometimes(at))?;
        Ok(listed.unwrap_or_else(|| Set::symbolic(Symbolic::Subsets(Value::Set(Rc::clone(base))))))
    }

    pub(super) fn tag_name(&self, tag: GlobalId) -> &str {
        &self.facts.global_names[tag.0 as usize]
    }

    /// Where evaluation stands, as far as that is known.
    pub(super) fn where_now(&self) -> Span {
        self.code.span(self.at)
    }

    /// Looks at the interrupt from loops that make no calls.
    pub(super) fn poll(&mut self, code: CodeId) -> Result<(), Failure> {
        self.countdown = self.chains.pace();
        if (self.interrupt)() {
            self.chains.give_up();
            return Err(messages::interrupted(self.code.span(code)));
        }
        Ok(())
    }
}

/// Whether two values are one and the same sequence.
fn same(a: &Value, b: &Value) -> bool {
    matches!((a, b), (Value::Sequence(a), Value::Sequence(b)) if Rc::ptr_eq(a, b))
}

/// Dotted fields, with those of headless dots among them spliced in.
pub(super) fn flat_dot(parts: SmallVec<[Value; 2]>) -> Value {
    let mut fields: SmallVec<[Value; 2]> = SmallVec::new();
    for part in parts {
        match &part {
            Value::Dot(dot) if dot.head.is_none() => {
                fields.extend(dot.fields.as_slice().iter().cloned());
            }
            _ => fields.push(part),
        }
    }
    match fields.len() {
        1 => fields.remove(0),
        _ => Value::dot(None, fields),
    }
}
