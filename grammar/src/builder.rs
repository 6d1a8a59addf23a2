//! What the actions of the grammar build, and what they report on the way.
//!
//! `_` and `p @@ q` are legal in patterns only, yet patterns are read as expressions first. Until it is known what
//! an expression is, they stand in it as [`ExprKind::Error`] with their meaning kept here under their span;
//! [`crate::pattern`] claims them, and what is left unclaimed at the end of a declaration is reported.

use crate::diagnostic::Diagnostic;
use crate::lexer::unescape;
use crate::messages;
use crate::pattern;
use crate::precedence::{self, Infix, Item};
use crate::source::{FileId, Span};
use crate::syntax::{
    Assertion, Claim, CollectionBody, CollectionKind, Decl, DeclKind, Expr, ExprKind, Ident,
    PartialOrder, Pattern, Statement, Type, TypeKind,
};
use crate::token::Directive;
use ahash::AHashMap;

/// What a run of the generated parser gives.
pub(crate) enum Entry {
    Declaration(Box<Decl>),
    ModuleHeader(Ident, Option<Vec<Pattern>>),
    TimedHeader(Option<Expr>),
    Expression(Expr),
}

/// The part of an expression that only a pattern may have.
pub(crate) enum PatternOnly {
    Wildcard,
    Both(Expr, Expr),
}

/// What stands in `<…>`, `{…}` or `{|…|}`.
pub(crate) struct Contents {
    pub(crate) body: CollectionBody,
    pub(crate) statements: Option<Vec<Statement>>,
}

impl Contents {
    pub(crate) fn of(self, kind: CollectionKind) -> ExprKind {
        ExprKind::Collection {
            kind,
            body: self.body,
            statements: self.statements,
        }
    }
}

/// The state shared by the actions of one run of the parser.
pub(crate) struct Builder<'a> {
    file: FileId,
    diagnostics: &'a mut Vec<Diagnostic>,
    pragmas: Vec<Ident>,
    pub(crate) pattern_only: AHashMap<Span, PatternOnly>,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(
        file: FileId,
        diagnostics: &'a mut Vec<Diagnostic>,
        pragmas: Vec<Ident>,
    ) -> Self {
        Self {
            file,
            diagnostics,
            pragmas,
            pattern_only: AHashMap::new(),
        }
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports what only a pattern may have and no pattern has claimed.
    pub(crate) fn finish(mut self) {
        let mut left: Vec<(Span, PatternOnly)> = self.pattern_only.drain().collect();
        left.sort_by_key(|(span, _)| *span);
        for (span, what) in left {
            self.diagnostics.push(match what {
                PatternOnly::Wildcard => messages::wildcard_outside_pattern(span),
                PatternOnly::Both(..) => messages::both_outside_pattern(span),
            });
        }
    }

    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        let offset = |byte: usize| u32::try_from(byte).expect("files are shorter than 4 GiB");
        Span {
            file: self.file,
            start: offset(start),
            end: offset(end),
        }
    }

    pub(crate) fn expression(&mut self, items: Vec<Item>) -> Expr {
        precedence::group(self, items)
    }

    /// `pattern : source`, or a condition.
    pub(crate) fn statement(&mut self, mut items: Vec<Item>) -> Statement {
        let colon_or_field = items.iter().position(|item| {
            let Item::Infix(operator, _) = item else {
                return false;
            };
            matches!(operator, Infix::Colon | Infix::Input | Infix::Choice)
        });
        let Some(colon) =
            colon_or_field.filter(|at| matches!(items[*at], Item::Infix(Infix::Colon, _)))
        else {
            return Statement::Condition(self.expression(items));
        };
        let source = items.split_off(colon + 1);
        items.pop();
        let pattern = self.expression(items);
        Statement::Generator {
            pattern: self.pattern(pattern),
            source: self.expression(source),
        }
    }

    pub(crate) fn pattern(&mut self, expr: Expr) -> Pattern {
        pattern::from_expression(self, expr)
    }

    pub(crate) fn patterns(&mut self, exprs: Vec<Expr>) -> Vec<Pattern> {
        exprs.into_iter().map(|expr| self.pattern(expr)).collect()
    }

    /// A pattern after `?` or `$`, where `@@` is not allowed.
    pub(crate) fn field_pattern(&mut self, expr: Expr) -> Pattern {
        let pattern = self.pattern(expr);
        if let Some(span) = pattern::both_within(&pattern) {
            self.report(messages::both_in_field(span));
        }
        pattern
    }

    pub(crate) fn wildcard(&mut self, start: usize, end: usize) -> Expr {
        let span = self.span(start, end);
        self.pattern_only.insert(span, PatternOnly::Wildcard);
        Expr {
            kind: ExprKind::Error,
            span,
        }
    }

    pub(crate) fn both(&mut self, left: Expr, right: Expr, span: Span) -> Expr {
        self.pattern_only
            .insert(span, PatternOnly::Both(left, right));
        Expr {
            kind: ExprKind::Error,
            span,
        }
    }

    pub(crate) fn character(&self, quoted: &str) -> ExprKind {
        let text = unescape(&quoted[1..quoted.len() - 1]);
        text.chars().next().map_or(ExprKind::Error, ExprKind::Char)
    }

    pub(crate) fn string(&self, quoted: &str) -> ExprKind {
        ExprKind::String(unescape(quoted))
    }

    /// `f(p)(q) = value` is a clause, anything else binds a pattern.
    pub(crate) fn definition(&mut self, left: Expr, value: Expr) -> DeclKind {
        if !matches!(left.kind, ExprKind::Apply { .. }) {
            return DeclKind::Bind {
                pattern: self.pattern(left),
                value,
            };
        }
        let mut head = left;
        let mut lists = Vec::new();
        loop {
            match head.kind {
                ExprKind::Apply {
                    function,
                    arguments,
                } => {
                    lists.push(arguments);
                    head = *function;
                }
                ExprKind::Name(mut name) if name.parts.len() == 1 => {
                    lists.reverse();
                    return DeclKind::Clause {
                        name: name.parts.remove(0),
                        parameters: lists.into_iter().map(|list| self.patterns(list)).collect(),
                        body: value,
                    };
                }
                _ => {
                    self.report(messages::undefinable(head.span));
                    return DeclKind::Error(Vec::new());
                }
            }
        }
    }

    pub(crate) fn local(&mut self, decls: Vec<Decl>, body: Expr) -> ExprKind {
        for decl in &decls {
            self.check_local(decl);
        }
        ExprKind::Let {
            decls,
            body: Box::new(body),
        }
    }

    fn check_local(&mut self, decl: &Decl) {
        let what = match &decl.kind {
            DeclKind::Bind { .. }
            | DeclKind::Clause { .. }
            | DeclKind::Annotation { .. }
            | DeclKind::External(_)
            | DeclKind::Transparent(_)
            | DeclKind::Error(_) => return,
            DeclKind::Timed { decls, .. } => return decls.iter().for_each(|d| self.check_local(d)),
            DeclKind::Channel { .. } => "a channel",
            DeclKind::Datatype { .. } => "a datatype",
            DeclKind::Subtype { .. } => "a subtype",
            DeclKind::Nametype { .. } => "a nametype",
            DeclKind::Assert(_) => "an assertion",
            DeclKind::Print(_) => "a print",
            DeclKind::Include { .. } => "an include",
            DeclKind::Module { .. } => "a module",
            DeclKind::Instance { .. } => "an instance",
        };
        self.report(messages::not_allowed_in(what, "`let`", decl.span));
    }

    pub(crate) fn claim(
        &mut self,
        process: Expr,
        directive: Directive,
        start: usize,
        end: usize,
        trace: Option<Expr>,
    ) -> Claim {
        let span = self.span(start, end);
        let error = Expr {
            kind: ExprKind::Error,
            span,
        };
        match (directive, trace) {
            (Directive::Property(property, model), trace) => {
                if let Some(trace) = trace {
                    self.report(messages::after_property(trace.span));
                }
                Claim::Property {
                    process,
                    property,
                    model,
                }
            }
            (Directive::HasTrace(model), trace) => {
                let trace = trace.unwrap_or_else(|| {
                    self.report(messages::missing_after_directive(
                        "a sequence of events",
                        span,
                    ));
                    error
                });
                Claim::HasTrace {
                    process,
                    model,
                    trace,
                }
            }
            (Directive::Unknown, _) => Claim::HasTrace {
                process,
                model: None,
                trace: error,
            },
            (Directive::TauPriority | Directive::PartialOrder(_), _) => {
                self.report(messages::option_without_claim(span));
                Claim::HasTrace {
                    process,
                    model: None,
                    trace: error,
                }
            }
        }
    }

    pub(crate) fn assertion(
        &mut self,
        negated: bool,
        claim: Claim,
        options: Vec<(Directive, Option<Expr>, usize, usize)>,
    ) -> DeclKind {
        let mut tau_priority = None;
        let mut partial_order: Option<PartialOrder> = None;
        for (directive, set, start, end) in options {
            let span = self.span(start, end);
            let repeated = match directive {
                Directive::TauPriority => {
                    if set.is_none() {
                        self.report(messages::missing_after_directive("a set of events", span));
                    }
                    let set = set.unwrap_or(Expr {
                        kind: ExprKind::Error,
                        span,
                    });
                    tau_priority.replace(set).is_some()
                }
                Directive::PartialOrder(how) => {
                    if let Some(set) = set {
                        self.report(messages::after_property(set.span));
                    }
                    partial_order.replace(how).is_some()
                }
                Directive::Property(..) | Directive::HasTrace(_) => {
                    self.report(messages::second_claim(span));
                    false
                }
                Directive::Unknown => false,
            };
            if repeated {
                self.report(messages::repeated_option(span));
            }
        }
        DeclKind::Assert(Assertion {
            negated,
            claim,
            tau_priority,
            partial_order,
            pragmas: std::mem::take(&mut self.pragmas),
        })
    }

    /// `(a, b)` as a type; `(a)` is `a`.
    pub(crate) fn bracketed_type(
        &mut self,
        mut items: Vec<Type>,
        start: usize,
        end: usize,
    ) -> Type {
        let span = self.span(start, end);
        match items.len() {
            0 => {
                self.report(messages::empty_tuple_type(span));
                Type {
                    kind: TypeKind::Error,
                    span,
                }
            }
            1 => items.remove(0),
            _ => Type {
                kind: TypeKind::Tuple(items),
                span,
            },
        }
    }
}
