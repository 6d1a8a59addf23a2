//! Patterns, and the statements that draw from sets and sequences.

use super::messages::{self, Why};
use super::print::Printer;
use super::types::{Node, TypeId, TypeList, TypeTable};
use super::{Inference, Inferred, TagPattern};
use crate::hir::{Constraint, Pattern, PatternKind, Statement, Var};
use csp_grammar::Span;

/// What statements draw from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Draw {
    Sets,
    Sequences,
}

impl<'p> Inference<'p> {
    /// The type of what a pattern takes; its variables come to have types.
    pub(super) fn infer_pattern(&mut self, pattern: &'p Pattern) -> TypeId {
        match &pattern.kind {
            PatternKind::Variable(var) => self.variable(*var),
            PatternKind::Constructor(id) => {
                self.tag_patterns.push(TagPattern {
                    tag: *id,
                    span: pattern.span,
                    definition: self.definition,
                });
                self.type_of(Var::Global(*id))
            }
            PatternKind::Wildcard => self.table.fresh(),
            PatternKind::Int(_) => TypeTable::INT,
            PatternKind::Bool(_) => TypeTable::BOOL,
            PatternKind::Char(_) => TypeTable::CHAR,
            PatternKind::String(_) => TypeTable::STRING,
            PatternKind::Error => TypeTable::ERROR,
            PatternKind::Tuple(items) => {
                let items: TypeList = items.iter().map(|p| self.infer_pattern(p)).collect();
                self.table.tuple(&items)
            }
            PatternKind::Dot(items) => self.infer_dot_pattern(items),
            PatternKind::Sequence { front, rest, back } => {
                let mut first = None;
                let element = self.table.fresh();
                for item in front.iter().chain(back) {
                    self.check_pattern(item, element, &mut first);
                }
                let whole = self.table.sequence(element);
                if let Some(rest) = rest {
                    let found = self.infer_pattern(rest);
                    self.relate(rest.span, whole, found, Why::Operand("^", "sequences"));
                }
                whole
            }
            PatternKind::EmptySet => {
                let element = self.table.fresh();
                self.demand(pattern.span, element, Constraint::Eq);
                self.table.set(element)
            }
            PatternKind::SingletonSet(item) => {
                let element = self.infer_pattern(item);
                self.demand(item.span, element, Constraint::Eq);
                self.table.set(element)
            }
            PatternKind::Both(left, right) => {
                let expected = self.infer_pattern(left);
                let found = self.infer_pattern(right);
                self.relate(right.span, expected, found, Why::Compared(left.span));
                expected
            }
        }
    }

    fn check_pattern(&mut self, item: &'p Pattern, element: TypeId, first: &mut Option<Span>) {
        let found = self.infer_pattern(item);
        let why = Why::Element(first.unwrap_or(item.span));
        self.relate(item.span, element, found, why);
        first.get_or_insert(item.span);
    }

    /// The type of a variable where it is bound.
    fn variable(&mut self, var: Var) -> TypeId {
        match var {
            Var::Local(id) => {
                let place = id.0 as usize;
                if place >= self.locals.len() {
                    self.locals.resize(place + 1, None);
                }
                if let Some(known) = self.locals[place] {
                    return known;
                }
                let id = self.table.fresh();
                self.locals[place] = Some(id);
                id
            }
            Var::Global(id) => {
                let global = &self.program.globals[id.0 as usize];
                match &global.annotation {
                    Some(annotation) => {
                        self.table
                            .rigid(annotation, &mut self.names, &mut self.rigid)
                    }
                    None => self.globals[id.0 as usize].unwrap_or(Inferred::ERROR).id,
                }
            }
            Var::Builtin(_) => TypeTable::ERROR,
        }
    }

    /// Statements, whose variables come to have types; `operator` is for messages.
    pub(super) fn infer_statements(
        &mut self,
        statements: &'p [Statement],
        draw: Draw,
        operator: &str,
    ) {
        for statement in statements {
            match statement {
                Statement::Condition(condition) => {
                    self.check(condition, TypeTable::BOOL, Why::Condition);
                }
                Statement::Generator { pattern, source } => {
                    let found = self.infer(source);
                    let element = self.drawn_element(found, source.span, draw, operator);
                    let taken = self.infer_pattern(pattern);
                    let why = Why::Drawn(source.span);
                    self.relate_pattern(pattern.span, taken, element, why);
                    self.settle_at(taken, pattern.span);
                }
            }
        }
    }

    fn drawn_element(&mut self, found: TypeId, span: Span, draw: Draw, operator: &str) -> TypeId {
        let found = self.table.resolve(found);
        match (self.table.node(found), draw) {
            (Node::Set(element), Draw::Sets) | (Node::Sequence(element), Draw::Sequences) => {
                return element;
            }
            (Node::Variable(_) | Node::Error, _) => {}
            _ => {
                let is_tuple = matches!(self.table.node(found), Node::Tuple(_));
                let text = Printer::new(&mut self.table, self.program, &self.rigid).thing(found);
                let sets = draw == Draw::Sets;
                let diagnostic = messages::drawn_from(span, &text, is_tuple, sets, operator);
                self.say(diagnostic);
                return TypeTable::ERROR;
            }
        }
        let element = self.table.fresh();
        let whole = match draw {
            Draw::Sets => self.table.set(element),
            Draw::Sequences => self.table.sequence(element),
        };
        self.relate(span, whole, found, Why::Drawn(span));
        element
    }
}
