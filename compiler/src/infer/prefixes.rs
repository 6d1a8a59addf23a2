//! Dotted expressions and prefixes: fields are dotted on one after the other, so that the one that
//! does not fit can be named.

use super::Inference;
use super::dots::Match;
use super::messages::{self, Why};
use super::print::Printer;
use super::report::is_comparison;
use super::types::{Node, TypeId, TypeList, TypeTable};
use super::unify::Clash;
use crate::hir::{
    Constraint, Expr, ExprKind, Field, FieldKind, GlobalId, Pattern, PatternKind, Timing, Var,
};
use csp_grammar::Span;

/// A head with the fields dotted on so far.
struct Line {
    head: TypeId,
    /// Items after a head of which it is not known what it takes.
    rest: TypeList,
    /// The name and declaration of the head.
    name: Option<(String, Span)>,
    /// An input whose last variable took all fields of a constructor.
    greedy: Option<Span>,
    /// How many values the head takes.
    needs: usize,
    failed: bool,
}

impl<'p> Inference<'p> {
    fn line(&mut self, first: &'p Expr) -> Line {
        let name = match first.kind {
            ExprKind::Var(Var::Global(id)) => Some(id),
            _ => None,
        };
        let head = self.infer(first);
        self.line_from(head, name)
    }

    fn line_from(&mut self, head: TypeId, name: Option<GlobalId>) -> Line {
        let name = name.map(|id| {
            let global = &self.program.globals[id.0 as usize];
            (global.name.clone(), global.span)
        });
        let mut items = TypeList::new();
        self.table.flatten(head, &mut items);
        let (head, rest) = match items.split_first() {
            Some((head, rest)) => (*head, rest.iter().copied().collect()),
            None => (TypeTable::ERROR, TypeList::new()),
        };
        let needs = self.table.spread(head).0.len();
        Line {
            needs,
            head,
            rest,
            name,
            greedy: None,
            failed: false,
        }
    }

    /// Dots an item on. In an expression, variables are left open: what they are may still be found
    /// out. In a prefix the line is about to be complete, and the last one takes all.
    fn feed(&mut self, line: &mut Line, item: TypeId, place: &Place<'p>, prefix: Option<bool>) {
        let mut parts = TypeList::new();
        self.table.flatten(item, &mut parts);
        let count = parts.len();
        for (number, part) in parts.into_iter().enumerate() {
            if line.failed {
                return;
            }
            let last = number + 1 == count;
            let part = self.table.resolve(part);
            let head = self.table.resolve(line.head);
            if part == TypeTable::ERROR {
                line.failed = true;
                return;
            }
            let open = prefix.is_none() && matches!(self.table.node(part), Node::Variable(_));
            if !line.rest.is_empty() || open {
                line.rest.push(part);
                continue;
            }
            match self.table.node(head) {
                Node::Dotable(argument, _) => {
                    let longest = (last && prefix == Some(true)).then_some(Match::Longest);
                    match self.table.append(head, part, longest) {
                        Ok(Some(next)) => line.head = next,
                        Ok(None) => line.rest.push(part),
                        Err(clash) => self.misfit(line, argument, part, clash, place),
                    }
                }
                Node::Event if prefix.is_some() => {
                    line.failed = true;
                    let name = line.name.as_ref();
                    let untyped = line.needs == 0;
                    self.say(messages::too_many_fields(
                        place.span,
                        name,
                        line.greedy,
                        untyped,
                    ));
                }
                _ => line.rest.push(part),
            }
        }
    }

    fn misfit(
        &mut self,
        line: &mut Line,
        argument: TypeId,
        part: TypeId,
        clash: Clash,
        place: &Place<'p>,
    ) {
        line.failed = true;
        let mut diagnostic = match clash {
            Clash::Different { .. } => {
                let (_, end) = self.table.spread(part);
                let argument = self.table.resolve(argument);
                let part = match self.table.node(argument) {
                    Node::Dotable(..) => part,
                    _ => end,
                };
                let mut printer = Printer::new(&mut self.table, self.program, &self.rigid);
                let (expected, found) = printer
                    .two_things(argument, part)
                    .unwrap_or_else(|| (printer.print(argument), printer.print(part)));
                messages::field(place.span, line.name.as_ref(), &expected, &found)
            }
            other => self.clash(other, place.span, argument, part, Why::Definition),
        };
        if place.expr.is_some_and(is_comparison) {
            diagnostic.help = Some(messages::DOT_COMPARISON.to_owned());
        }
        if place.expr.is_none() {
            diagnostic = self.about_tag_within(diagnostic, place.span);
        }
        self.say(diagnostic);
    }

    /// `e1 . e2 . …`.
    pub(super) fn infer_dot(&mut self, items: &'p [Expr]) -> TypeId {
        let Some((first, others)) = items.split_first() else {
            return TypeTable::ERROR;
        };
        let before = self.diagnostics.len();
        let mut line = self.line(first);
        line.failed |= self.is_trap(before, first);
        for item in others {
            let found = self.infer_item(item);
            let place = Place {
                span: item.span,
                expr: Some(item),
            };
            self.feed(&mut line, found, &place, None);
        }
        if line.failed {
            return TypeTable::ERROR;
        }
        self.whole(&line)
    }

    /// An item after the first of a dot.
    fn infer_item(&mut self, item: &'p Expr) -> TypeId {
        let before = self.diagnostics.len();
        let found = self.infer(item);
        if self.is_trap(before, item) {
            return TypeTable::ERROR;
        }
        found
    }

    /// Whether an item of a dot is a comparison that went wrong: it was most likely meant to compare
    /// the dotted value.
    fn is_trap(&mut self, before: usize, item: &Expr) -> bool {
        match self.diagnostics.get_mut(before) {
            Some(diagnostic) if is_comparison(item) => {
                diagnostic.help = Some(messages::DOT_COMPARISON.to_owned());
                true
            }
            _ => false,
        }
    }

    /// `p1 . p2 . …`.
    pub(super) fn infer_dot_pattern(&mut self, items: &'p [Pattern]) -> TypeId {
        let Some((first, others)) = items.split_first() else {
            return TypeTable::ERROR;
        };
        let name = match first.kind {
            PatternKind::Constructor(id) => Some(id),
            _ => None,
        };
        let head = match name {
            Some(id) => self.type_of(Var::Global(id)),
            None => self.infer_pattern(first),
        };
        let mut line = self.line_from(head, name);
        for item in others {
            let found = self.infer_pattern(item);
            let place = Place {
                span: item.span,
                expr: None,
            };
            self.feed(&mut line, found, &place, None);
        }
        if line.failed {
            return TypeTable::ERROR;
        }
        self.whole(&line)
    }

    fn whole(&mut self, line: &Line) -> TypeId {
        let all: TypeList = [line.head]
            .into_iter()
            .chain(line.rest.iter().copied())
            .collect();
        self.table.dot(&all)
    }

    /// The event of a prefix; variables of its inputs come to have types.
    pub(super) fn infer_event(&mut self, channel: &'p Expr, fields: &'p [Field]) {
        let items = match &channel.kind {
            ExprKind::Dot(items) => &items[..],
            _ => std::slice::from_ref(channel),
        };
        let Some((first, others)) = items.split_first() else {
            return;
        };
        let mut line = self.line(first);
        let count = others.len() + fields.len();
        for (number, item) in others.iter().enumerate() {
            let found = self.infer_item(item);
            let place = Place {
                span: item.span,
                expr: Some(item),
            };
            self.feed(&mut line, found, &place, Some(number + 1 == count));
        }
        for (number, field) in fields.iter().enumerate() {
            let (found, place) = self.infer_field(field);
            let last = others.len() + number + 1 == count;
            self.feed(&mut line, found, &place, Some(last));
            line.greedy = takes_all(field).or(line.greedy);
        }
        if line.failed {
            return;
        }
        let whole = self.whole(&line);
        let (missing, end) = self.table.spread(whole);
        if end == TypeTable::EVENT && !missing.is_empty() && missing.len() <= line.needs {
            let given = line.needs - missing.len();
            let mut printer = Printer::new(&mut self.table, self.program, &self.rigid);
            let missing: Vec<String> = missing.iter().map(|id| printer.print(*id)).collect();
            let (name, missing) = (line.name.as_ref(), missing.join("."));
            self.say(messages::missing_fields(
                channel.span,
                name,
                line.needs,
                given,
                &missing,
            ));
            return;
        }
        self.expect(channel, TypeTable::EVENT, whole, Why::Event);
    }

    fn infer_field(&mut self, field: &'p Field) -> (TypeId, Place<'p>) {
        match &field.kind {
            FieldKind::Output(value) => {
                let found = self.infer(value);
                let place = Place {
                    span: value.span,
                    expr: Some(value),
                };
                (found, place)
            }
            FieldKind::Input { pattern, set } | FieldKind::Choice { pattern, set } => {
                let source = set.as_ref().map(|set| {
                    let element = self.table.fresh();
                    let whole = self.table.set(element);
                    self.check(set, whole, Why::InputSet);
                    (element, set.span)
                });
                let taken = self.infer_pattern(pattern);
                if let Some((element, span)) = source {
                    self.relate_pattern(pattern.span, taken, element, Why::Drawn(span));
                }
                self.demand(pattern.span, taken, Constraint::Complete);
                let place = Place {
                    span: field.span,
                    expr: None,
                };
                (taken, place)
            }
        }
    }

    /// How a prefix in a Timed section passes time.
    pub(super) fn infer_timing(&mut self, timing: &'p Timing) {
        if let Some(duration) = &timing.duration {
            let expected = self.table.function(&[TypeTable::EVENT], TypeTable::INT);
            self.check(duration, expected, Why::Duration);
        }
    }
}

/// The pattern of an input like `?Tag.x`, if that is one.
fn takes_all(field: &Field) -> Option<Span> {
    let (FieldKind::Input { pattern, .. } | FieldKind::Choice { pattern, .. }) = &field.kind else {
        return None;
    };
    let PatternKind::Dot(items) = &pattern.kind else {
        return None;
    };
    let last = items.last().map(|item| &item.kind);
    let open = matches!(last, Some(PatternKind::Variable(_) | PatternKind::Wildcard));
    let tagged = matches!(items[0].kind, PatternKind::Constructor(_));
    (open && tagged).then_some(pattern.span)
}

/// Where an item stands.
struct Place<'p> {
    span: Span,
    expr: Option<&'p Expr>,
}
