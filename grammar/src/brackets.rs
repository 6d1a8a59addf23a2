//! How a text was read: the brackets that it leaves out.
//!
//! An operand that is itself made by an operator gets a pair of brackets, unless it has them already. A prefix that
//! follows a prefix (`a -> b -> P`) and the dots of an event cannot be read in two ways and get none. Putting the
//! brackets into the text gives a text with the same tree.

use crate::source::{FileId, Sources, Span};
use crate::syntax::{
    Claim, CollectionBody, Constructor, Decl, DeclKind, Expr, ExprKind, Field, FieldKind,
    ProcessOp, ReplicatedOp, Statement,
};

/// Where a text leaves brackets out, outer pairs first; what cannot be read has none.
#[must_use]
pub fn implied_brackets(sources: &Sources, file: FileId) -> Vec<Span> {
    let (decls, _) = crate::parser::file(sources, file);
    let mut found = Brackets(Vec::new());
    found.decls(&decls);
    found.0
}

/// The text of a file with the brackets that it leaves out put in.
#[must_use]
pub fn bracketed_text(sources: &Sources, file: FileId) -> String {
    let Some(source) = sources.files.get(file.0 as usize) else {
        return String::new();
    };
    // Where pairs meet, what closes goes before what opens, and the longer pair is outside.
    let mut signs: Vec<(u32, bool, i64, char)> = Vec::new();
    for span in implied_brackets(sources, file) {
        let length = i64::from(span.end - span.start);
        signs.push((span.start, true, -length, '('));
        signs.push((span.end, false, length, ')'));
    }
    signs.sort_unstable();
    let mut shown = String::with_capacity(source.text.len() + signs.len());
    let mut at = 0;
    for (place, _, _, sign) in signs {
        let place = place as usize;
        shown.push_str(&source.text[at..place]);
        shown.push(sign);
        at = place;
    }
    shown.push_str(&source.text[at..]);
    shown
}

struct Brackets(Vec<Span>);

impl Brackets {
    fn decls(&mut self, decls: &[Decl]) {
        for decl in decls {
            self.decl(&decl.kind);
        }
    }

    fn decl(&mut self, kind: &DeclKind) {
        match kind {
            DeclKind::Bind { value, .. }
            | DeclKind::Nametype { value, .. }
            | DeclKind::Clause { body: value, .. }
            | DeclKind::Print(value) => self.whole(value),
            DeclKind::Channel { fields, .. } => self.wholes(fields),
            DeclKind::Datatype { constructors, .. } | DeclKind::Subtype { constructors, .. } => {
                constructors
                    .iter()
                    .for_each(|Constructor { fields, .. }| self.wholes(fields));
            }
            DeclKind::Assert(assertion) => {
                match &assertion.claim {
                    Claim::Refines {
                        specification,
                        implementation,
                        ..
                    } => self.wholes([specification, implementation]),
                    Claim::Property { process, .. } => self.whole(process),
                    Claim::HasTrace { process, trace, .. } => self.wholes([process, trace]),
                }
                self.wholes(&assertion.tau_priority);
            }
            DeclKind::Module {
                private, exported, ..
            } => {
                self.decls(private);
                self.decls(exported);
            }
            DeclKind::Instance { arguments, .. } => self.wholes(arguments),
            DeclKind::Timed { duration, decls } => {
                self.wholes(duration);
                self.decls(decls);
            }
            // What is included is another text.
            _ => {}
        }
    }

    fn wholes<'a>(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) {
        exprs.into_iter().for_each(|expr| self.whole(expr));
    }

    /// An expression that nothing beside it could claim a part of.
    fn whole(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Paren(inside) => self.whole(inside),
            ExprKind::Tuple(items) => self.wholes(items),
            ExprKind::Collection {
                body, statements, ..
            } => {
                match body {
                    CollectionBody::Items(items) => self.wholes(items),
                    CollectionBody::Range { from, to } => {
                        self.whole(from);
                        self.wholes(to.as_deref());
                    }
                }
                statements.iter().for_each(|list| self.statements(list));
            }
            ExprKind::Map(pairs) => pairs.iter().for_each(|(k, v)| self.wholes([k, v])),
            ExprKind::Let { decls, body } => {
                self.decls(decls);
                self.whole(body);
            }
            ExprKind::If {
                condition,
                then,
                otherwise,
            } => self.wholes([&**condition, then, otherwise]),
            ExprKind::Lambda { body, .. } => self.whole(body),
            ExprKind::Apply {
                function,
                arguments,
            } => {
                self.operand(function);
                self.wholes(arguments);
            }
            ExprKind::Unary { operand, .. } => self.operand(operand),
            ExprKind::Binary { left, right, .. } => self.operands([&**left, right]),
            ExprKind::Dot(left, right) => self.operands([&**left, right]),
            ExprKind::Prefix {
                channel,
                fields,
                body,
            } => {
                self.operand(channel);
                fields.iter().for_each(|field| self.field(field));
                match body.kind {
                    ExprKind::Prefix { .. } => self.whole(body),
                    _ => self.operand(body),
                }
            }
            ExprKind::Guard { condition, body } => self.operands([&**condition, body]),
            ExprKind::Process {
                operator,
                left,
                right,
            } => {
                self.operator(operator);
                self.operands([&**left, right]);
            }
            ExprKind::Hide { process, set, .. } => self.operands([&**process, set]),
            ExprKind::Rename {
                process,
                pairs,
                statements,
            } => {
                self.operand(process);
                pairs.iter().for_each(|(a, b)| self.wholes([a, b]));
                self.statements(statements);
            }
            ExprKind::Replicated {
                operator,
                statements,
                body,
            } => {
                self.replicated(operator);
                self.statements(statements);
                self.whole(body);
            }
            ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::Name(_)
            | ExprKind::Error => {}
        }
    }

    fn operands<'a>(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) {
        exprs.into_iter().for_each(|expr| self.operand(expr));
    }

    /// An expression beside an operator.
    fn operand(&mut self, expr: &Expr) {
        let made_by_operator = matches!(
            expr.kind,
            ExprKind::Let { .. }
                | ExprKind::If { .. }
                | ExprKind::Lambda { .. }
                | ExprKind::Unary { .. }
                | ExprKind::Binary { .. }
                | ExprKind::Prefix { .. }
                | ExprKind::Guard { .. }
                | ExprKind::Process { .. }
                | ExprKind::Hide { .. }
                | ExprKind::Rename { .. }
                | ExprKind::Replicated { .. }
        );
        if made_by_operator {
            self.0.push(expr.span);
        }
        self.whole(expr);
    }

    fn field(&mut self, field: &Field) {
        match &field.kind {
            FieldKind::Output(value) => self.operand(value),
            FieldKind::Input { set, .. } | FieldKind::Choice { set, .. } => self.operands(set),
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Generator { source, .. } => self.whole(source),
                Statement::Condition(condition) => self.whole(condition),
            }
        }
    }

    fn operator(&mut self, operator: &ProcessOp) {
        match operator {
            ProcessOp::Parallel(set)
            | ProcessOp::Exception(set)
            | ProcessOp::SyncExternal(set)
            | ProcessOp::SyncInterrupt(set) => self.whole(set),
            ProcessOp::Alphabetised(a, b) => self.wholes([&**a, b]),
            ProcessOp::Linked { pairs, statements } => self.links(pairs, statements),
            _ => {}
        }
    }

    fn replicated(&mut self, operator: &ReplicatedOp) {
        match operator {
            ReplicatedOp::Parallel(set)
            | ReplicatedOp::Alphabetised(set)
            | ReplicatedOp::SyncExternal(set) => self.whole(set),
            ReplicatedOp::Linked { pairs, statements } => self.links(pairs, statements),
            _ => {}
        }
    }

    fn links(&mut self, pairs: &[(Expr, Expr)], statements: &[Statement]) {
        pairs.iter().for_each(|(a, b)| self.wholes([a, b]));
        self.statements(statements);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bracketed(text: &str) -> String {
        let mut sources = Sources::default();
        let file = sources.add("test.csp", text);
        bracketed_text(&sources, file)
    }

    #[test]
    fn operands_are_bracketed() {
        for (text, shown) in [
            (
                "P = a -> b -> STOP [] c -> P",
                "P = (a -> b -> STOP) [] (c -> P)",
            ),
            ("P = Q \\ A [] R", "P = (Q \\ A) [] R"),
            ("n = 1 + 2 * 3 - 4", "n = (1 + (2 * 3)) - 4"),
            ("P = (a -> STOP) ; Q ||| R", "P = ((a -> STOP) ; Q) ||| R"),
            ("P = x & c!n+1 -> P", "P = x & (c!(n+1) -> P)"),
            (
                "P = f(n+1) [| {a} |] Q [[a <- b]]",
                "P = f(n+1) [| {a} |] (Q [[a <- b]])",
            ),
            (
                "P = if x then a -> P else b -> Q [] R",
                "P = if x then a -> P else (b -> Q) [] R",
            ),
        ] {
            let once = bracketed(text);
            assert_eq!(once, shown);
            assert_eq!(bracketed(&once), once, "brackets that are there are enough");
        }
    }
}
