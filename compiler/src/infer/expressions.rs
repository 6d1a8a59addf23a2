//! Expressions, other than processes.

use super::constraints::Constraints;
use super::messages::{self, Why};
use super::patterns::Draw;
use super::print::Printer;
use super::types::{Node, TypeId, TypeList, TypeTable};
use super::{Inference, Inferred, builtins};
use crate::hir::{
    BinaryOp, CollectionBody, CollectionKind, Constraint, Expr, ExprKind, Pattern, Statement,
    UnaryOp, Var,
};

impl<'p> Inference<'p> {
    /// The type of an expression. After a diagnostic it is what its form suggests.
    pub(super) fn infer(&mut self, expr: &'p Expr) -> TypeId {
        match &expr.kind {
            ExprKind::Int(_) => TypeTable::INT,
            ExprKind::Bool(_) => TypeTable::BOOL,
            ExprKind::Char(_) => TypeTable::CHAR,
            ExprKind::String(_) => TypeTable::STRING,
            ExprKind::Error => TypeTable::ERROR,
            ExprKind::Var(var) => self.type_of(*var),
            ExprKind::Tuple(items) => {
                let items: TypeList = items.iter().map(|e| self.infer(e)).collect();
                self.table.tuple(&items)
            }
            ExprKind::Dot(items) => self.infer_dot(items),
            ExprKind::Collection {
                kind,
                body,
                statements,
            } => self.infer_collection(*kind, body, statements),
            ExprKind::Map(pairs) => self.infer_map(pairs),
            ExprKind::Let { definitions, body } => {
                self.infer_let(definitions);
                self.infer(body)
            }
            ExprKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.check(condition, TypeTable::BOOL, Why::Condition);
                let first = self.infer(then);
                let second = self.infer(otherwise);
                let agree = self.expect(otherwise, first, second, Why::Branch(then.span));
                if agree { first } else { TypeTable::ERROR }
            }
            ExprKind::Lambda { parameters, body } => self.infer_lambda(parameters, body),
            ExprKind::Apply {
                function,
                arguments,
            } => self.infer_call(expr, function, arguments),
            ExprKind::Unary { operator, operand } => self.infer_unary(*operator, operand),
            ExprKind::Binary {
                operator,
                left,
                right,
            } => self.infer_binary(expr, *operator, left, right),
            _ => {
                self.infer_process(expr);
                TypeTable::PROC
            }
        }
    }

    /// The type of a name where it is used.
    pub(super) fn type_of(&mut self, var: Var) -> TypeId {
        let known = match var {
            Var::Local(id) => {
                if let Some(general) = self.annotated_locals.get(&id) {
                    return self.table.instantiate(*general);
                }
                let known = self.locals.get(id.0 as usize).copied().flatten();
                return known.unwrap_or(TypeTable::ERROR);
            }
            Var::Global(id) => self.globals[id.0 as usize].unwrap_or(Inferred::ERROR),
            Var::Builtin(builtin) => match self.builtins.get(&builtin) {
                Some(known) => *known,
                None => {
                    let id = builtins::builtin_type(&mut self.table, builtin);
                    let general = self.table.generalise(id).general;
                    let known = Inferred { id, general };
                    self.builtins.insert(builtin, known);
                    known
                }
            },
        };
        if known.general {
            self.table.instantiate(known.id)
        } else {
            known.id
        }
    }

    /// The name of what is called, and where it is defined, for messages.
    pub(super) fn name_of(&self, expr: &'p Expr) -> Option<(&'p str, Option<csp_grammar::Span>)> {
        match expr.kind {
            ExprKind::Var(Var::Global(id)) => {
                let global = &self.program.globals[id.0 as usize];
                Some((&global.name, Some(global.span)))
            }
            ExprKind::Var(Var::Local(id)) => {
                let local = self.program.locals.get(id.0 as usize)?;
                Some((&local.name, Some(local.span)))
            }
            ExprKind::Var(Var::Builtin(builtin)) => Some((builtin.name(), None)),
            _ => None,
        }
    }

    fn infer_call(&mut self, call: &Expr, function: &'p Expr, arguments: &'p [Expr]) -> TypeId {
        let called = self.infer(function);
        let called = self.table.resolve(called);
        let name = self.name_of(function);
        let (parameters, result) = match self.table.node(called) {
            Node::Function(parameters, result) => (self.table.items(parameters), result),
            Node::Variable(_) => {
                let parameters: TypeList = arguments.iter().map(|_| self.table.fresh()).collect();
                let result = self.table.fresh();
                let shape = self.table.function(&parameters, result);
                self.expect(function, called, shape, Why::Definition);
                (parameters, result)
            }
            Node::Error => {
                arguments.iter().for_each(|e| {
                    self.infer(e);
                });
                return TypeTable::ERROR;
            }
            _ => {
                let found = Printer::new(&mut self.table, self.program, &self.rigid).thing(called);
                self.say(messages::not_a_function(function.span, &found));
                return TypeTable::ERROR;
            }
        };
        if parameters.len() != arguments.len() {
            let mut diagnostic = messages::arguments(
                call.span,
                parameters.len(),
                arguments.len(),
                name.map(|n| n.0),
            );
            if let Some((name, Some(span))) = name {
                diagnostic = diagnostic.label(span, format!("`{name}` is defined here"));
            }
            self.say(diagnostic);
            return result;
        }
        let mut agree = true;
        for (place, (argument, expected)) in arguments.iter().zip(parameters).enumerate() {
            let found = self.infer(argument);
            self.settle_at(found, argument.span);
            self.settle_at(expected, argument.span);
            // After a misfit, variables shared with this argument say nothing about it.
            if agree || self.table.is_plain(expected) {
                self.table.splitting = false;
                let why = Why::Argument(place + 1, name);
                agree &= self.expect(argument, expected, found, why);
                self.table.splitting = true;
            }
        }
        result
    }

    fn infer_unary(&mut self, operator: UnaryOp, operand: &'p Expr) -> TypeId {
        match operator {
            UnaryOp::Negate => {
                self.check(operand, TypeTable::INT, Why::Operand("-", "integers"));
                TypeTable::INT
            }
            UnaryOp::Not => {
                self.check(operand, TypeTable::BOOL, Why::Operand("not", "a Bool"));
                TypeTable::BOOL
            }
            UnaryOp::Length => {
                let element = self.table.fresh();
                let sequence = self.table.sequence(element);
                self.check(operand, sequence, Why::Operand("#", "a sequence"));
                TypeTable::INT
            }
        }
    }

    fn infer_binary(
        &mut self,
        expr: &Expr,
        operator: BinaryOp,
        left: &'p Expr,
        right: &'p Expr,
    ) -> TypeId {
        let symbol = match operator {
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Modulo => "%",
            BinaryOp::And => "and",
            BinaryOp::Or => "or",
            BinaryOp::Concat => {
                let element = self.table.fresh();
                let sequence = self.table.sequence(element);
                let why = Why::Operand("^", "sequences");
                self.check(left, sequence, why);
                self.check(right, sequence, why);
                return sequence;
            }
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual => {
                let first = self.infer(left);
                let second = self.infer(right);
                if self.expect(right, first, second, Why::Compared(left.span)) {
                    let demand = match operator {
                        BinaryOp::Equal | BinaryOp::NotEqual => Constraint::Eq,
                        _ => Constraint::Ord,
                    };
                    self.demand(expr.span, first, demand);
                }
                return TypeTable::BOOL;
            }
        };
        let (operands, kind) = match operator {
            BinaryOp::And | BinaryOp::Or => (TypeTable::BOOL, "booleans"),
            _ => (TypeTable::INT, "integers"),
        };
        self.check(left, operands, Why::Operand(symbol, kind));
        self.check(right, operands, Why::Operand(symbol, kind));
        operands
    }

    fn infer_lambda(&mut self, parameters: &'p [Pattern], body: &'p Expr) -> TypeId {
        let types: TypeList = parameters
            .iter()
            .map(|pattern| {
                let found = self.infer_pattern(pattern);
                self.settle_at(found, pattern.span);
                found
            })
            .collect();
        let result = self.infer(body);
        self.settle_at(result, body.span);
        for (found, pattern) in types.iter().zip(parameters) {
            self.settle_at(*found, pattern.span);
        }
        self.table.function(&types, result)
    }

    fn infer_collection(
        &mut self,
        kind: CollectionKind,
        body: &'p CollectionBody,
        statements: &'p [Statement],
    ) -> TypeId {
        let (draw, operator) = match kind {
            CollectionKind::Sequence => (Draw::Sequences, "a sequence comprehension"),
            CollectionKind::Set | CollectionKind::Enumerated => (Draw::Sets, "a set comprehension"),
        };
        self.infer_statements(statements, draw, operator);
        let element = match (body, kind) {
            (CollectionBody::Range { from, to }, _) => {
                self.check(from, TypeTable::INT, Why::Range);
                if let Some(to) = to {
                    self.check(to, TypeTable::INT, Why::Range);
                }
                TypeTable::INT
            }
            (CollectionBody::Items(items), CollectionKind::Enumerated) => {
                let yieldable = Constraints::of(Constraint::Yieldable);
                let element = self.table.fresh_with(yieldable);
                for item in items {
                    let extendable = self.table.extendable(element);
                    self.check(item, extendable, Why::Enumerated);
                }
                element
            }
            (CollectionBody::Items(items), _) => {
                let element = self.infer_elements(items.iter());
                if kind == CollectionKind::Set {
                    let span = items.first().map(|e| e.span).unwrap_or_default();
                    self.demand(span, element, Constraint::Set);
                }
                element
            }
        };
        match kind {
            CollectionKind::Sequence => self.table.sequence(element),
            _ => self.table.set(element),
        }
    }

    /// The one type of several expressions.
    fn infer_elements(&mut self, mut items: impl Iterator<Item = &'p Expr>) -> TypeId {
        let Some(first) = items.next() else {
            return self.table.fresh();
        };
        let element = self.infer(first);
        for item in items {
            self.check(item, element, Why::Element(first.span));
        }
        element
    }

    fn infer_map(&mut self, pairs: &'p [(Expr, Expr)]) -> TypeId {
        let key = self.infer_elements(pairs.iter().map(|p| &p.0));
        let span = pairs.first().map(|p| p.0.span).unwrap_or_default();
        self.demand(span, key, Constraint::Set);
        let value = self.infer_elements(pairs.iter().map(|p| &p.1));
        self.table.add(Node::Map(key, value))
    }
}
