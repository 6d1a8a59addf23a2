//! Relating types with a place to blame: every clash becomes a diagnostic here.

use super::messages::{self, Why};
use super::print::Printer;
use super::types::{Node, TypeId, TypeTable};
use super::unify::Clash;
use super::{Comparison, Inference, TagPattern};
use crate::hir::{BinaryOp, Constraint, Expr, ExprKind, GlobalKind, Var};
use csp_grammar::{Diagnostic, Span};

impl<'p> Inference<'p> {
    /// Adds a diagnostic, with the definition it lies in.
    pub(super) fn say(&mut self, diagnostic: Diagnostic) {
        self.failed = true;
        if !self.said.insert((diagnostic.code, diagnostic.span)) {
            return;
        }
        let diagnostic = match self.definition {
            Some((name, span)) => messages::in_definition(diagnostic, name, span),
            None => diagnostic,
        };
        self.diagnostics.push(diagnostic);
    }

    /// Infers an expression and makes its type the expected one.
    pub(super) fn check(&mut self, expr: &'p Expr, expected: TypeId, why: Why<'p>) {
        let found = self.infer(expr);
        self.expect(expr, expected, found, why);
    }

    /// Makes the type of an expression the expected one. Says whether that went well.
    pub(super) fn expect(
        &mut self,
        expr: &'p Expr,
        expected: TypeId,
        found: TypeId,
        why: Why<'p>,
    ) -> bool {
        let outcome = self.table.unify(expected, found);
        self.note_comparisons(expr.span);
        if let Err(clash) = outcome {
            let mut diagnostic = self.clash(clash, expr.span, expected, found, why);
            if diagnostic.help.is_none() {
                diagnostic.help = self.trap(expr, expected, found);
            }
            if let ExprKind::Var(Var::Global(id)) = expr.kind {
                diagnostic = self.about_tag(diagnostic, |pattern| pattern.tag == id);
            }
            self.say(diagnostic);
        }
        outcome.is_ok()
    }

    /// The same at a place that is not an expression.
    pub(super) fn relate(&mut self, span: Span, expected: TypeId, found: TypeId, why: Why<'p>) {
        let outcome = self.table.unify(expected, found);
        self.note_comparisons(span);
        if let Err(clash) = outcome {
            let diagnostic = self.clash(clash, span, expected, found, why);
            self.say(diagnostic);
        }
    }

    /// Makes the type of a pattern that of the values it takes. It must not take apart values of
    /// unknown constructor.
    pub(super) fn relate_pattern(
        &mut self,
        span: Span,
        pattern: TypeId,
        value: TypeId,
        why: Why<'p>,
    ) {
        self.table.splitting = false;
        let outcome = self.table.unify(pattern, value);
        self.table.splitting = true;
        self.note_comparisons(span);
        let Err(clash) = outcome else {
            return;
        };
        let diagnostic = match clash {
            Clash::Different { expected, found } if self.is_split(expected, found) => {
                let mut printer = Printer::new(&mut self.table, self.program, &self.rigid);
                let (pattern, value) = (printer.print(expected), printer.print(found));
                messages::split(span, &pattern, &value)
            }
            _ => self.clash(clash.turned(), span, value, pattern, why),
        };
        let diagnostic = self.about_tag_within(diagnostic, span);
        self.say(diagnostic);
    }

    /// Points out a pattern that looks like a variable but is the name of a channel or constructor.
    fn about_tag(
        &self,
        diagnostic: Diagnostic,
        is_it: impl Fn(&TagPattern<'_>) -> bool,
    ) -> Diagnostic {
        let here = |pattern: &&TagPattern<'_>| pattern.definition == self.definition;
        let patterns = self.tag_patterns.iter().rev();
        let Some(pattern) = patterns.take_while(here).find(|pattern| is_it(pattern)) else {
            return diagnostic;
        };
        let global = &self.program.globals[pattern.tag.0 as usize];
        let is_channel = matches!(global.kind, GlobalKind::Channel { .. });
        messages::tag_as_pattern(
            diagnostic,
            &global.name,
            is_channel,
            pattern.span,
            global.span,
        )
    }

    /// The same in a pattern at a place.
    pub(super) fn about_tag_within(&self, diagnostic: Diagnostic, span: Span) -> Diagnostic {
        self.about_tag(diagnostic, |pattern| {
            span.start <= pattern.span.start && pattern.span.end <= span.end
        })
    }

    fn is_split(&mut self, pattern: TypeId, value: TypeId) -> bool {
        let (pattern, value) = (self.table.resolve(pattern), self.table.resolve(value));
        matches!(self.table.node(pattern), Node::Dot(..))
            && matches!(
                self.table.node(value),
                Node::Event | Node::Datatype(_) | Node::Dotable(..) | Node::Extendable(..)
            )
    }

    /// Demands a constraint.
    pub(super) fn demand(&mut self, span: Span, id: TypeId, constraint: Constraint) {
        let outcome = self.table.constrain(id, constraint);
        self.note_comparisons(span);
        if let Err(clash) = outcome {
            let diagnostic = self.clash(clash, span, id, id, Why::Definition);
            self.say(diagnostic);
        }
    }

    /// Evaluates the dots of a type.
    pub(super) fn settle_at(&mut self, id: TypeId, span: Span) {
        if let Err(clash) = self.table.settle(id) {
            let (expected, found) = match clash {
                Clash::Different { expected, found } => (expected, found),
                _ => (id, id),
            };
            let diagnostic = self.clash(clash, span, expected, found, Why::Dotted);
            self.say(diagnostic);
        }
    }

    /// Comparisons that only hold if a datatype turns out to be comparable are looked at again.
    pub(super) fn note_comparisons(&mut self, span: Span) {
        for datatype in std::mem::take(&mut self.table.assumptions) {
            self.comparisons.push(Comparison {
                datatype,
                span,
                definition: self.definition,
            });
        }
    }

    /// The wording of a clash between two types.
    pub(super) fn clash(
        &mut self,
        clash: Clash,
        span: Span,
        expected: TypeId,
        found: TypeId,
        why: Why<'p>,
    ) -> Diagnostic {
        // What can be evaluated reads better evaluated; what cannot stays as it is.
        let _ = self.table.settle(expected);
        let _ = self.table.settle(found);
        match clash {
            Clash::Different {
                expected: inner_expected,
                found: inner_found,
            } => self.difference(span, (expected, found), (inner_expected, inner_found), why),
            Clash::Lacking { of, constraint } => {
                let of = self.table.resolve(of);
                let rigid = matches!(self.table.node(of), Node::Rigid(..));
                let mut printer = Printer::new(&mut self.table, self.program, &self.rigid);
                let lacking = printer.print(of);
                if rigid {
                    return messages::rigid_constraint(span, &lacking, constraint);
                }
                let whole = printer.print(found);
                let whole = if whole.contains(&lacking) {
                    whole
                } else {
                    lacking.clone()
                };
                messages::constraint(span, &whole, &lacking, constraint)
            }
            Clash::Infinite { variable, within } => {
                let mut printer = Printer::new(&mut self.table, self.program, &self.rigid);
                let (variable, within) = (printer.print(variable), printer.print(within));
                messages::infinite(span, &variable, &within)
            }
        }
    }

    fn difference(
        &mut self,
        span: Span,
        (expected, found): (TypeId, TypeId),
        (inner_expected, inner_found): (TypeId, TypeId),
        why: Why<'p>,
    ) -> Diagnostic {
        let is_rigid = |table: &mut TypeTable, id| {
            let id = table.resolve(id);
            matches!(table.node(id), Node::Rigid(..))
        };
        let nothing = |table: &mut TypeTable, id| table.resolve(id) == TypeTable::NOTHING;
        let rigid =
            if nothing(&mut self.table, inner_expected) || nothing(&mut self.table, inner_found) {
                None
            } else if is_rigid(&mut self.table, inner_expected) {
                Some((inner_expected, inner_found))
            } else if is_rigid(&mut self.table, inner_found) {
                Some((inner_found, inner_expected))
            } else {
                None
            };
        let parts_of_dots = [inner_expected, inner_found]
            .into_iter()
            .any(|id| nothing(&mut self.table, id));
        let lacks_fields = self.lacks_fields(expected, found);
        let mut printer = Printer::new(&mut self.table, self.program, &self.rigid);
        if let Some((variable, needed)) = rigid {
            let (variable, needed) = (printer.print(variable), printer.print(needed));
            return messages::rigid(span, &variable, &needed, why);
        }
        let (outer, actual) = (printer.print(expected), printer.print(found));
        if lacks_fields {
            let things = [expected, found].map(|id| printer.thing(id));
            return messages::incomplete(span, &things, &outer, why);
        }
        if let Some(things) = printer.two_things(expected, found) {
            return messages::unlike(span, &things, &outer, why);
        }
        let inner = (printer.print(inner_expected), printer.print(inner_found));
        let inner = (!parts_of_dots).then_some(inner);
        messages::mismatch(span, &outer, &actual, inner, why)
    }

    /// Whether the only fault is that fields are missing.
    fn lacks_fields(&mut self, expected: TypeId, found: TypeId) -> bool {
        let expected = self.table.resolve(expected);
        let (arguments, end) = self.table.spread(found);
        !arguments.is_empty()
            && match (self.table.node(expected), self.table.node(end)) {
                (Node::Event, Node::Event) => true,
                (Node::Datatype(a), Node::Datatype(b)) => a == b,
                _ => false,
            }
    }

    /// Help for the mistakes that everybody makes.
    fn trap(&mut self, expr: &'p Expr, expected: TypeId, found: TypeId) -> Option<String> {
        if let ExprKind::Dot(items) = &expr.kind
            && items.last().is_some_and(is_comparison)
        {
            return Some(messages::DOT_COMPARISON.to_owned());
        }
        let expected = self.table.resolve(expected);
        let found = self.table.resolve(found);
        match (self.table.node(expected), self.table.node(found)) {
            (Node::Event, Node::Bool) => return Some(messages::GUARD.to_owned()),
            (Node::Event, Node::Proc) => return Some(messages::SEQUENCE.to_owned()),
            (Node::Proc, Node::Event) => return Some(messages::LAST_EVENT.to_owned()),
            (Node::Proc, Node::Function(parameters, result)) => {
                let result = self.table.resolve(result);
                if result == TypeTable::PROC {
                    let count = self.table.items(parameters).len();
                    return Some(messages::call(
                        self.name_of(expr).map(|(name, _)| name),
                        count,
                    ));
                }
            }
            _ => {}
        }
        if expected == TypeTable::EVENTS {
            let element = match self.table.node(found) {
                Node::Set(element) => element,
                _ => found,
            };
            let (_, end) = self.table.spread(element);
            if end == TypeTable::EVENT {
                return Some(messages::ENUMERATE.to_owned());
            }
        }
        None
    }
}

/// Whether an expression is a comparison, the right operand of a dot by mistake.
pub(super) fn is_comparison(expr: &Expr) -> bool {
    matches!(
        &expr.kind,
        ExprKind::Binary {
            operator: BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual
                | BinaryOp::And
                | BinaryOp::Or,
            ..
        }
    )
}
