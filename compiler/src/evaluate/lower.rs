//! From resolved expressions to code: variables become slots, delayed expressions become units.
//!
//! Scopes are kept on a stack. A unit that meets a variable of its surroundings captures it; a group
//! captures for all its members. What is captured is therefore exactly what is used.

mod bindings;
mod patterns;
mod processes;
mod title;

use std::rc::Rc;

use ahash::{AHashMap, AHashSet};
use csp_grammar::Span;

use super::code::{
    Code, CodeId, FunctionCode, FunctionId, GroupId, Heads, List, Node, SequenceComprehension,
    SetComprehension, Slot, StatementCode, Unit, UnitId, compares, index,
};
use super::facts::{Facts, Kind, Name, takes_process};
use super::value::Value;
use super::walk::{bound_by, locals_of};
use crate::hir::{
    BinaryOp, Builtin, CollectionBody, CollectionKind, Expr, ExprKind, GlobalId, GlobalKind,
    LocalId, Program, Statement, UnaryOp, Var,
};
pub(crate) use title::title;

/// How the value of a global name is found.
#[derive(Clone, Debug)]
pub(crate) enum GlobalCode {
    /// Evaluate a unit without captures.
    Constant(UnitId),
    /// A function; calls refer to its code directly.
    Function,
    /// `channel c : fields`.
    Channel(Option<UnitId>),
    /// A constructor of a datatype.
    Constructor {
        datatype: GlobalId,
        fields: Option<UnitId>,
    },
    /// All values of a datatype.
    Datatype(Rc<[GlobalId]>),
    /// Some values of a datatype.
    Subtype(Rc<[(GlobalId, Option<UnitId>)]>),
    /// A type expression with a name.
    Nametype(UnitId),
    /// A definition in error.
    Error,
}

/// The code of all definitions.
pub(crate) fn program(code: &mut Code, facts: &Facts, program: &Program) -> Vec<GlobalCode> {
    let mut lower = Lower::new(code, facts);
    let remembered = super::memo::remembered(program);
    // Calls refer to functions by number, so the numbers come before the bodies.
    for (i, global) in program.globals.iter().enumerate() {
        if let GlobalKind::Function(function) = &global.kind {
            let arities: Rc<[u32]> = function.arities.iter().map(|&a| index(a)).collect();
            lower.code.functions.push(FunctionCode {
                name: Rc::clone(&facts.global_names[i]),
                arity: arities.iter().sum(),
                arities,
                unit: UnitId(0),
                slots: 0,
                body: CodeId(0),
                in_group: false,
                memo: remembered.contains(&GlobalId(index(i))) && function.arities.len() == 1,
                span: global.span,
            });
        }
    }
    let bindings: Vec<UnitId> = program
        .bindings
        .iter()
        .map(|binding| lower.unit(|l| l.expr(&binding.value)))
        .collect();
    let bound_values: Vec<u32> = bindings
        .iter()
        .map(|unit| lower.shared_constant(*unit))
        .collect();
    program
        .globals
        .iter()
        .enumerate()
        .map(|(i, global)| {
            let id = GlobalId(index(i));
            lower.global(id, &global.kind, program, &bound_values)
        })
        .collect()
}

/// The code of one more expression, as a unit without captures.
pub(crate) fn expression(code: &mut Code, facts: &Facts, expr: &Expr) -> UnitId {
    Lower::new(code, facts).unit(|l| l.expr(expr))
}

/// The same, of an expression that is a process.
pub(crate) fn process(code: &mut Code, facts: &Facts, expr: &Expr) -> UnitId {
    Lower::new(code, facts).unit(|l| l.operand(expr))
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Key {
    Local(LocalId),
    Group(GroupId),
}

enum Scope {
    Unit(UnitScope),
    Group(GroupScope),
}

#[derive(Default)]
struct UnitScope {
    slots: AHashMap<Key, Slot>,
    used: AHashSet<Slot>,
    next: Slot,
    captures: Vec<(u32, Slot)>,
}

#[derive(Default)]
struct GroupScope {
    captured: AHashMap<Key, u32>,
    sources: Vec<Slot>,
}

pub(crate) struct Lower<'a> {
    code: &'a mut Code,
    facts: &'a Facts,
    scopes: Vec<Scope>,
    /// The definitions that live in groups.
    members: AHashMap<LocalId, (GroupId, u32)>,
    /// Local functions that use no variables from outside, and are as good as global ones.
    lifted: AHashMap<LocalId, FunctionId>,
    hidden: u32,
}

impl<'a> Lower<'a> {
    fn new(code: &'a mut Code, facts: &'a Facts) -> Self {
        Self {
            code,
            facts,
            scopes: Vec::new(),
            members: AHashMap::new(),
            lifted: AHashMap::new(),
            hidden: u32::MAX,
        }
    }

    fn global(
        &mut self,
        id: GlobalId,
        kind: &GlobalKind,
        program: &Program,
        bound: &[u32],
    ) -> GlobalCode {
        match kind {
            GlobalKind::Value(expr) => GlobalCode::Constant(self.unit(|l| l.expr(expr))),
            GlobalKind::Function(function) => {
                let Kind::Function(number) = self.facts.kinds[id.0 as usize] else {
                    unreachable!("facts and program agree about kinds")
                };
                let unit = self.unit(|l| l.clauses(function));
                self.code.define(number, unit);
                GlobalCode::Function
            }
            GlobalKind::Bound(i) => {
                let pattern = &program.bindings[*i as usize].pattern;
                let value = bound[*i as usize];
                GlobalCode::Constant(self.unit(|l| {
                    let source = l.push(Node::Constant(value), pattern.span);
                    l.projection(source, pattern, Var::Global(id))
                }))
            }
            GlobalKind::Channel { fields } => GlobalCode::Channel(self.fields(fields.as_ref())),
            GlobalKind::Constructor {
                datatype, fields, ..
            } => GlobalCode::Constructor {
                datatype: *datatype,
                fields: self.fields(fields.as_ref()),
            },
            GlobalKind::Datatype { constructors } => {
                GlobalCode::Datatype(constructors.as_slice().into())
            }
            GlobalKind::Subtype { clauses, .. } => GlobalCode::Subtype(
                clauses
                    .iter()
                    .map(|(tag, fields)| (*tag, self.fields(fields.as_ref())))
                    .collect(),
            ),
            GlobalKind::Nametype(expr) => {
                GlobalCode::Nametype(self.unit(|l| l.type_expression(expr)))
            }
            GlobalKind::Error => GlobalCode::Error,
        }
    }

    fn fields(&mut self, fields: Option<&Expr>) -> Option<UnitId> {
        fields.map(|expr| self.unit(|l| l.type_expression(expr)))
    }

    fn constant(&mut self, value: Value) -> Node {
        self.code.constants.push(value);
        Node::Constant(index(self.code.constants.len() - 1))
    }

    /// A thunk that all uses share, as a prepared value.
    fn shared_constant(&mut self, unit: UnitId) -> u32 {
        let thunk =
            super::value::Thunk::of(super::value::ThunkState::Pending(unit, Box::default()));
        self.code.constants.push(thunk);
        index(self.code.constants.len() - 1)
    }

    fn unit(&mut self, build: impl FnOnce(&mut Self) -> CodeId) -> UnitId {
        self.scopes.push(Scope::Unit(UnitScope::default()));
        let body = build(self);
        let Some(Scope::Unit(scope)) = self.scopes.pop() else {
            unreachable!("scopes are pushed and popped in pairs")
        };
        self.code.units.push(Unit {
            slots: scope.next,
            captures: scope.captures.into(),
            body,
        });
        UnitId(index(self.code.units.len() - 1))
    }

    fn top(&mut self) -> &mut UnitScope {
        match self.scopes.last_mut() {
            Some(Scope::Unit(scope)) => scope,
            _ => unreachable!("code is generated inside units only"),
        }
    }

    fn new_slot(&mut self) -> Slot {
        let scope = self.top();
        scope.next += 1;
        scope.next - 1
    }

    fn bind(&mut self, key: Key) -> Slot {
        let slot = self.new_slot();
        self.top().slots.insert(key, slot);
        slot
    }

    fn is_bound(&self, key: Key) -> bool {
        self.scopes.iter().rev().any(|scope| match scope {
            Scope::Unit(scope) => scope.slots.contains_key(&key),
            Scope::Group(_) => false,
        })
    }

    fn resolve(&mut self, key: Key) -> Slot {
        let innermost = self.scopes.len() - 1;
        let slot = self.resolve_at(key, innermost);
        self.top().used.insert(slot);
        slot
    }

    /// The slot of a variable in the unit at a depth; captures it on the way if need be.
    fn resolve_at(&mut self, key: Key, depth: usize) -> Slot {
        if let Scope::Unit(scope) = &mut self.scopes[depth]
            && let Some(&slot) = scope.slots.get(&key)
        {
            scope.used.insert(slot);
            return slot;
        }
        assert!(depth > 0, "every local variable is bound: {key:?}");
        let source = match &self.scopes[depth - 1] {
            Scope::Unit(_) => self.resolve_at(key, depth - 1),
            Scope::Group(group) => match group.captured.get(&key) {
                Some(&place) => place,
                None => {
                    let source = self.resolve_at(key, depth - 2);
                    let Scope::Group(group) = &mut self.scopes[depth - 1] else {
                        unreachable!("the scope has not changed")
                    };
                    let place = index(group.sources.len());
                    group.captured.insert(key, place);
                    group.sources.push(source);
                    place
                }
            },
        };
        let Scope::Unit(scope) = &mut self.scopes[depth] else {
            unreachable!("groups hold units and units hold groups")
        };
        let slot = scope.next;
        scope.next += 1;
        scope.slots.insert(key, slot);
        scope.captures.push((source, slot));
        slot
    }

    fn push(&mut self, node: Node, span: Span) -> CodeId {
        self.code.push(node, span)
    }

    fn exprs<'e>(&mut self, items: impl IntoIterator<Item = &'e Expr>) -> List {
        let codes: Vec<CodeId> = items.into_iter().map(|e| self.expr(e)).collect();
        self.code.list(&codes)
    }

    fn lazies(&mut self, items: &[Expr]) -> List {
        let codes: Vec<CodeId> = items.iter().map(|e| self.lazy(e)).collect();
        self.code.list(&codes)
    }

    /// Code that evaluates the expression.
    fn expr(&mut self, expr: &Expr) -> CodeId {
        let node = match &expr.kind {
            ExprKind::Int(i) => Node::Int(*i),
            ExprKind::Bool(b) => Node::Bool(*b),
            ExprKind::Char(c) => Node::Char(*c),
            ExprKind::String(text) => self.constant(Value::text(text)),
            ExprKind::Var(var) => self.variable(*var),
            ExprKind::Tuple(items) => Node::Tuple(self.lazies(items)),
            ExprKind::Collection {
                kind,
                body,
                statements,
            } => self.collection(*kind, body, statements),
            ExprKind::Map(entries) => {
                Node::Map(self.exprs(entries.iter().flat_map(|(k, v)| [k, v])))
            }
            ExprKind::Let { definitions, body } => {
                return self.let_in(definitions, body, expr.span);
            }
            ExprKind::If {
                condition,
                then,
                otherwise,
            } => Node::If(self.expr(condition), self.expr(then), self.expr(otherwise)),
            ExprKind::Lambda { parameters, body } => self.lambda(parameters, body, expr.span),
            ExprKind::Apply { .. } => return self.application(expr),
            ExprKind::Unary { operator, operand } => {
                let operand = self.expr(operand);
                match operator {
                    UnaryOp::Negate => Node::Negate(operand),
                    UnaryOp::Not => Node::Not(operand),
                    UnaryOp::Length => Node::Length(operand),
                }
            }
            ExprKind::Binary {
                operator: operator @ (BinaryOp::And | BinaryOp::Or),
                ..
            } => return self.connective(*operator, expr),
            ExprKind::Binary {
                operator: BinaryOp::Concat,
                left,
                right,
            } => Node::Binary(BinaryOp::Concat, self.expr(left), self.lazy(right)),
            ExprKind::Binary {
                operator,
                left,
                right,
            } => {
                let (left, right) = (self.expr(left), self.expr(right));
                self.binary(*operator, left, right)
            }
            ExprKind::Dot(items) => Node::Dot(self.exprs(items)),
            ExprKind::Guard {
                condition,
                body,
                tock,
            } => {
                let stop = match tock {
                    Some(tock) => Node::TimedStop(*tock),
                    None => Node::Builtin(Builtin::Stop),
                };
                Node::Guard(
                    self.expr(condition),
                    self.expr(body),
                    self.push(stop, expr.span),
                )
            }
            ExprKind::TimedStop { tock } => Node::TimedStop(*tock),
            ExprKind::TimedSkip { tock } => Node::TimedSkip(*tock),
            ExprKind::TimedWait { tock, duration } => Node::TimedWait(*tock, self.expr(duration)),
            ExprKind::Error => Node::Error,
            _ => self.suspended(expr),
        };
        self.push(node, expr.span)
    }

    /// Comparisons of variables and small literals, on which most conditions come down, are told apart
    /// here; they can find the code of their operands again because it is just before theirs.
    fn binary(&self, operator: BinaryOp, left: CodeId, right: CodeId) -> Node {
        let plain = Node::Binary(operator, left, right);
        if !compares(operator) {
            return match self.is_small(left) && self.is_small(right) {
                true => self.small_arithmetic(operator, left, right),
                false => plain,
            };
        }
        if let Node::Local(_) = self.code.node(left)
            && let Node::ArithmeticLocals(..) | Node::ArithmeticInt(..) = self.code.node(right)
        {
            return Node::CompareArithmetic(operator, left, right);
        }
        if [left, right] != self.code.last_two() {
            return plain;
        }
        match (self.code.node(left), self.code.node(right)) {
            (Node::Local(a), Node::Local(b)) => Node::CompareLocals(operator, a, b),
            (Node::Local(a), Node::Int(i)) => {
                i32::try_from(i).map_or(plain, |i| Node::CompareInt(operator, a, i))
            }
            _ => plain,
        }
    }

    fn small_arithmetic(&self, operator: BinaryOp, left: CodeId, right: CodeId) -> Node {
        let plain = Node::Arithmetic(operator, left, right);
        if [left, right] != self.code.last_two() {
            return plain;
        }
        match (self.code.node(left), self.code.node(right)) {
            (Node::Local(a), Node::Local(b)) => Node::ArithmeticLocals(operator, a, b),
            (Node::Local(a), Node::Int(i)) => {
                i32::try_from(i).map_or(plain, |i| Node::ArithmeticInt(operator, a, i))
            }
            _ => plain,
        }
    }

    /// A variable, a literal, or arithmetic on two of them: so little that trying it costs nothing
    /// to speak of.
    fn is_small(&self, code: CodeId) -> bool {
        let is_leaf = |code| matches!(self.code.node(code), Node::Local(_) | Node::Int(_));
        match self.code.node(code) {
            Node::Arithmetic(_, left, right) => is_leaf(left) && is_leaf(right),
            Node::ArithmeticLocals(..) | Node::ArithmeticInt(..) => true,
            _ => is_leaf(code),
        }
    }

    /// `and` and `or` as conditionals: then the last operand is in tail position, and a chain is not
    /// deep.
    fn connective(&mut self, operator: BinaryOp, expr: &Expr) -> CodeId {
        let (mut operands, mut first) = (Vec::new(), expr);
        while let ExprKind::Binary {
            operator: inner,
            left,
            right,
        } = &first.kind
            && *inner == operator
        {
            operands.push(&**right);
            first = left;
        }
        operands.push(first);
        let codes: Vec<CodeId> = operands.into_iter().map(|e| self.expr(e)).collect();
        let decided = self.push(Node::Bool(operator == BinaryOp::Or), expr.span);
        codes
            .into_iter()
            .reduce(|rest, operand| {
                let node = match operator {
                    BinaryOp::And => Node::If(operand, rest, decided),
                    _ => Node::If(operand, decided, rest),
                };
                self.push(node, expr.span)
            })
            .expect("there are two operands")
    }

    fn variable(&mut self, var: Var) -> Node {
        match var {
            Var::Builtin(builtin) => Node::Builtin(builtin),
            Var::Global(id) => match self.facts.kinds[id.0 as usize] {
                Kind::Function(function) => Node::Function(function),
                Kind::Tag => Node::Tag(id),
                Kind::Error => Node::Error,
                Kind::Constant if self.facts.processes.contains(&Name::Global(id)) => {
                    Node::ProcessConstant(id)
                }
                Kind::Constant => Node::Global(id),
            },
            Var::Local(local) if self.lifted.contains_key(&local) => {
                Node::Function(self.lifted[&local])
            }
            Var::Local(local) => match self.members.get(&local).copied() {
                Some((group, place)) => {
                    let slot = self.resolve(Key::Group(group));
                    let name = Name::Local(local);
                    if self.facts.processes.contains(&name)
                        && !self.facts.arities.contains_key(&name)
                    {
                        Node::ProcessMember(slot, place)
                    } else {
                        Node::Member(slot, place)
                    }
                }
                None if self.is_bound(Key::Local(local)) => {
                    Node::Local(self.resolve(Key::Local(local)))
                }
                // Its pattern was in error.
                None => Node::Error,
            },
        }
    }

    /// Code that gives the value or a promise of it without evaluating anything that could fail,
    /// take long or not end.
    fn lazy(&mut self, expr: &Expr) -> CodeId {
        match &expr.kind {
            ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::Var(_)
            | ExprKind::Tuple(_)
            | ExprKind::Lambda { .. } => self.expr(expr),
            ExprKind::Collection {
                kind: CollectionKind::Sequence,
                body: CollectionBody::Items(_),
                statements,
            } if statements.is_empty() => self.expr(expr),
            ExprKind::Binary { .. } if is_small_arithmetic(expr, 2) => {
                let direct = self.expr(expr);
                let unit = self.unit(|l| l.expr(expr));
                let node = match self.code.node(direct) {
                    Node::Arithmetic(..) | Node::ArithmeticLocals(..) | Node::ArithmeticInt(..) => {
                        Node::Speculate(direct, unit)
                    }
                    _ => Node::Delay(unit),
                };
                self.push(node, expr.span)
            }
            ExprKind::Binary {
                operator: BinaryOp::Concat,
                left,
                right,
            } if is_literal_sequence(left)
                && matches!(right.kind, ExprKind::Var(Var::Local(_))) =>
            {
                let direct = self.expr(expr);
                let unit = self.unit(|l| l.expr(expr));
                self.push(Node::Speculate(direct, unit), expr.span)
            }
            _ => {
                let unit = self.unit(|l| l.expr(expr));
                self.push(Node::Delay(unit), expr.span)
            }
        }
    }

    fn collection(
        &mut self,
        kind: CollectionKind,
        body: &CollectionBody,
        statements: &[Statement],
    ) -> Node {
        if statements.is_empty() {
            return match (body, kind) {
                (CollectionBody::Items(items), CollectionKind::Sequence) if items.is_empty() => {
                    self.constant(Value::sequence(Vec::new()))
                }
                (CollectionBody::Items(items), CollectionKind::Sequence) => {
                    Node::Sequence(self.lazies(items))
                }
                (CollectionBody::Items(items), CollectionKind::Set) => Node::Set(self.exprs(items)),
                (CollectionBody::Items(items), CollectionKind::Enumerated) => {
                    Node::Enumerated(self.exprs(items))
                }
                (CollectionBody::Range { from, to }, kind) => {
                    let from = self.expr(from);
                    let to = to.as_ref().map(|e| self.expr(e));
                    match kind {
                        CollectionKind::Sequence => Node::SequenceRange(from, to),
                        _ => Node::SetRange(from, to),
                    }
                }
            };
        }
        if kind == CollectionKind::Sequence {
            let mut parts = None;
            let unit = self.unit(|l| {
                let statements = l.statements(statements);
                parts = Some((l.heads(body, true), statements));
                l.push(Node::Error, Span::default())
            });
            let (heads, statements) = parts.expect("the unit was built");
            let filter = self.filter(heads, &statements);
            self.code
                .sequence_comprehensions
                .push(Rc::new(SequenceComprehension {
                    unit,
                    heads,
                    statements,
                    filter,
                }));
            return Node::SequenceComprehension(index(self.code.sequence_comprehensions.len() - 1));
        }
        let statements = self.statements(statements);
        let heads = self.heads(body, false);
        self.code.set_comprehensions.push(Rc::new(SetComprehension {
            kind,
            heads,
            statements,
        }));
        Node::SetComprehension(index(self.code.set_comprehensions.len() - 1))
    }

    /// The variable that a comprehension draws, tests and gives as it is.
    fn filter(&self, heads: Heads, statements: &[StatementCode]) -> Option<Slot> {
        let Heads::Items(list) = heads else {
            return None;
        };
        let [
            StatementCode::Generator(super::code::Pattern::Bind(slot), _),
            conditions @ ..,
        ] = statements
        else {
            return None;
        };
        let only_tests = conditions
            .iter()
            .all(|s| matches!(s, StatementCode::Condition(_)));
        let itself = list.len == 1
            && matches!(self.code.node(self.code.item(list, 0)), Node::Local(s) if s == *slot);
        (only_tests && itself).then_some(*slot)
    }

    fn heads(&mut self, body: &CollectionBody, lazy: bool) -> Heads {
        match body {
            CollectionBody::Items(items) if lazy => Heads::Items(self.lazies(items)),
            CollectionBody::Items(items) => Heads::Items(self.exprs(items)),
            CollectionBody::Range { from, to } => {
                let from = self.expr(from);
                Heads::Range(from, to.as_ref().map(|e| self.expr(e)))
            }
        }
    }

    /// Statements in order. A source that does not depend on earlier statements is evaluated once.
    fn statements(&mut self, statements: &[Statement]) -> Box<[StatementCode]> {
        let (mut shared, mut codes) = (Vec::new(), Vec::new());
        let mut bound = AHashSet::new();
        for statement in statements {
            codes.push(match statement {
                Statement::Generator { pattern, source } => {
                    let code = if bound.is_empty() || !is_worth_sharing(source, &bound) {
                        self.expr(source)
                    } else {
                        let value = self.lazy(source);
                        let slot = self.new_slot();
                        shared.push(StatementCode::Share(slot, value));
                        self.push(Node::Local(slot), source.span)
                    };
                    let mut variables = Vec::new();
                    bound_by(pattern, &mut variables);
                    bound.extend(variables);
                    StatementCode::Generator(self.pattern(pattern), code)
                }
                Statement::Condition(condition) => StatementCode::Condition(self.expr(condition)),
            });
        }
        shared.extend(codes);
        shared.into()
    }

    fn application(&mut self, expr: &Expr) -> CodeId {
        let (mut lists, mut head) = (Vec::new(), expr);
        while let ExprKind::Apply {
            function,
            arguments,
        } = &head.kind
        {
            lists.push((arguments.as_slice(), head.span));
            head = function;
        }
        lists.reverse();
        let (mut code, used) = self.direct_call(head, &lists, expr.span);
        for (arguments, span) in &lists[used..] {
            let arguments = self.lazies(arguments);
            code = self.push(Node::Apply(code, arguments), *span);
        }
        code
    }

    /// Calls a function that is known here with as many argument lists as it takes; gives the code
    /// of the head alone if it is not known or not given enough.
    fn direct_call(
        &mut self,
        head: &Expr,
        lists: &[(&[Expr], Span)],
        span: Span,
    ) -> (CodeId, usize) {
        let ExprKind::Var(var) = &head.kind else {
            return (self.expr(head), 0);
        };
        let name = match var {
            Var::Builtin(builtin) => {
                let arguments = self.builtin_arguments(*builtin, lists[0].0);
                return (self.push(Node::CallBuiltin(*builtin, arguments), span), 1);
            }
            Var::Global(id) => Name::Global(*id),
            Var::Local(id) => Name::Local(*id),
        };
        let fits = self.facts.arities.get(&name).is_some_and(|arities| {
            arities.len() <= lists.len()
                && arities.iter().zip(lists).all(|(&n, (l, _))| n == l.len())
        });
        if !fits {
            return (self.expr(head), 0);
        }
        let used = self.facts.arities[&name].len();
        let arguments: Vec<&Expr> = lists[..used].iter().flat_map(|(l, _)| *l).collect();
        let process = self.facts.processes.contains(&name);
        let strict = self.facts.strict.get(&name).copied().unwrap_or(0);
        let codes: Vec<CodeId> = arguments
            .iter()
            .enumerate()
            .map(|(i, argument)| {
                if process || i < 64 && strict >> i & 1 == 1 {
                    self.expr(argument)
                } else {
                    self.lazy(argument)
                }
            })
            .collect();
        self.mark_last_uses(&codes);
        let list = self.code.list(&codes);
        let node = match (self.variable(*var), process) {
            (Node::Function(function), false) => Node::Call(function, list),
            (Node::Function(function), true) => Node::ProcessCall(function, list),
            (Node::Member(slot, place), process) => {
                self.code.member_calls.push((slot, place, list));
                let call = index(self.code.member_calls.len() - 1);
                if process {
                    Node::ProcessCallMember(call)
                } else {
                    Node::CallMember(call)
                }
            }
            _ => return (self.expr(head), 0),
        };
        (self.push(node, span), used)
    }

    /// Marks the arguments that may be moved out of the frame when the call takes its place: variables
    /// other than parameters of the callee's places, each at the last argument that is just it.
    fn mark_last_uses(&mut self, arguments: &[CodeId]) {
        let mut met = AHashSet::new();
        for &argument in arguments.iter().rev() {
            if let Node::Local(slot) = self.code.node(argument)
                && met.insert(slot)
                && slot as usize >= arguments.len()
            {
                self.code.nodes[argument.0 as usize] = Node::Last(slot);
            }
        }
    }

    fn builtin_arguments(&mut self, builtin: Builtin, arguments: &[Expr]) -> List {
        let codes: Vec<CodeId> = arguments
            .iter()
            .enumerate()
            .map(|(i, argument)| {
                if i == 0 && takes_process(builtin) {
                    self.operand(argument)
                } else {
                    self.expr(argument)
                }
            })
            .collect();
        self.code.list(&codes)
    }

    /// Sets of the fields of a channel or constructor, and what nametypes name.
    fn type_expression(&mut self, expr: &Expr) -> CodeId {
        match &expr.kind {
            ExprKind::Dot(items) | ExprKind::Tuple(items) => {
                let codes: Vec<CodeId> = items.iter().map(|e| self.type_expression(e)).collect();
                let list = self.code.list(&codes);
                let node = match &expr.kind {
                    ExprKind::Dot(_) => Node::DotProduct(list),
                    _ => Node::TupleProduct(list),
                };
                self.push(node, expr.span)
            }
            _ => self.expr(expr),
        }
    }
}

/// The source of a generator takes work, and none of the variables occurs in it.
fn is_worth_sharing(source: &Expr, bound: &AHashSet<Var>) -> bool {
    match &source.kind {
        ExprKind::Var(_) => return false,
        ExprKind::Collection {
            body, statements, ..
        } if statements.is_empty() => match body {
            CollectionBody::Range { .. } => return false,
            CollectionBody::Items(items) if items.is_empty() => return false,
            CollectionBody::Items(_) => {}
        },
        _ => {}
    }
    let mut used = AHashSet::new();
    locals_of(source, &mut used);
    !bound
        .iter()
        .any(|var| matches!(var, Var::Local(local) if used.contains(local)))
}

/// `<x, …>` with at least one element.
fn is_literal_sequence(expr: &Expr) -> bool {
    matches!(
        &expr.kind,
        ExprKind::Collection {
            kind: CollectionKind::Sequence,
            body: CollectionBody::Items(items),
            statements,
        } if statements.is_empty() && !items.is_empty()
    )
}

/// Arithmetic on variables and literals, this many operations deep.
fn is_small_arithmetic(expr: &Expr, depth: u32) -> bool {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Var(Var::Local(_)) => true,
        ExprKind::Binary {
            operator:
                BinaryOp::Add
                | BinaryOp::Subtract
                | BinaryOp::Multiply
                | BinaryOp::Divide
                | BinaryOp::Modulo,
            left,
            right,
        } => {
            depth > 0
                && is_small_arithmetic(left, depth - 1)
                && is_small_arithmetic(right, depth - 1)
        }
        _ => false,
    }
}
