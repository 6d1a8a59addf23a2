//! Expressions other than processes: names, collections, `let`, lambda, statements.

use csp_grammar::syntax::{CollectionBody, Expr, ExprKind, Pattern, Statement};

use super::Resolver;
use super::collect::error_expr;
use super::patterns::Binders;
use crate::hir::{self, Builtin, ExprKind as Resolved, Var};

impl<'s> Resolver<'s> {
    /// Resolves an expression in the scope at hand.
    pub(super) fn expr(&mut self, expr: &'s Expr) -> hir::Expr {
        let kind = match &expr.kind {
            ExprKind::Int(value) => Resolved::Int(*value),
            ExprKind::Bool(value) => Resolved::Bool(*value),
            ExprKind::Char(value) => Resolved::Char(*value),
            ExprKind::String(value) => Resolved::String(value.clone()),
            ExprKind::Name(name) => match self.value_name(name) {
                Some(Var::Builtin(builtin)) => self.builtin(builtin, expr.span),
                Some(var) => Resolved::Var(var),
                None => Resolved::Error,
            },
            ExprKind::Paren(inner) => return self.expr(inner),
            ExprKind::Tuple(items) => Resolved::Tuple(self.exprs(items)),
            ExprKind::Collection {
                kind,
                body,
                statements,
            } => {
                let statements = statements.as_deref().unwrap_or_default();
                let (statements, body) =
                    self.with_statements(statements, |this| this.collection_body(body));
                Resolved::Collection {
                    kind: *kind,
                    body,
                    statements,
                }
            }
            ExprKind::Map(pairs) => Resolved::Map(self.pairs(pairs)),
            ExprKind::Let { decls, body } => self.local_definitions(decls, body),
            ExprKind::If {
                condition,
                then,
                otherwise,
            } => Resolved::If {
                condition: self.boxed(condition),
                then: self.boxed(then),
                otherwise: self.boxed(otherwise),
            },
            ExprKind::Lambda { parameters, body } => self.lambda(parameters, body),
            ExprKind::Apply {
                function,
                arguments,
            } => self.application(function, arguments, expr.span),
            ExprKind::Unary { operator, operand } => Resolved::Unary {
                operator: *operator,
                operand: self.boxed(operand),
            },
            ExprKind::Binary {
                operator,
                left,
                right,
            } => Resolved::Binary {
                operator: *operator,
                left: self.boxed(left),
                right: self.boxed(right),
            },
            ExprKind::Dot(..) => {
                let mut parts = Vec::new();
                flatten_dots(expr, &mut parts);
                Resolved::Dot(parts.into_iter().map(|part| self.expr(part)).collect())
            }
            ExprKind::Error => Resolved::Error,
            _ => self.process(expr),
        };
        hir::Expr {
            kind,
            span: expr.span,
        }
    }

    pub(super) fn boxed(&mut self, expr: &'s Expr) -> Box<hir::Expr> {
        Box::new(self.expr(expr))
    }

    pub(super) fn exprs(&mut self, exprs: &'s [Expr]) -> Vec<hir::Expr> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    pub(super) fn pairs(&mut self, pairs: &'s [(Expr, Expr)]) -> Vec<(hir::Expr, hir::Expr)> {
        pairs
            .iter()
            .map(|(left, right)| (self.expr(left), self.expr(right)))
            .collect()
    }

    fn collection_body(&mut self, body: &'s CollectionBody) -> hir::CollectionBody {
        match body {
            CollectionBody::Items(items) => hir::CollectionBody::Items(self.exprs(items)),
            CollectionBody::Range { from, to } => hir::CollectionBody::Range {
                from: self.boxed(from),
                to: to.as_ref().map(|to| self.boxed(to)),
            },
        }
    }

    fn lambda(&mut self, parameters: &'s [Pattern], body: &'s Expr) -> Resolved {
        self.scoped(|this| {
            let mut binders = Binders::default();
            let parameters = parameters
                .iter()
                .map(|pattern| this.pattern(pattern, &mut binders))
                .collect();
            this.bind_fresh(&mut binders);
            Resolved::Lambda {
                parameters,
                body: this.boxed(body),
            }
        })
    }

    fn application(
        &mut self,
        function: &'s Expr,
        arguments: &'s [Expr],
        span: csp_grammar::Span,
    ) -> Resolved {
        if let Some(builtin) = self.timed_function(function)
            && let [only] = arguments
        {
            let argument = self.expr(only);
            return self.timed_application(builtin, argument, span);
        }
        Resolved::Apply {
            function: self.boxed(function),
            arguments: self.exprs(arguments),
        }
    }

    /// `WAIT` or `timed_priority`, if the expression is one of these names inside a Timed section.
    fn timed_function(&self, function: &Expr) -> Option<Builtin> {
        let ExprKind::Name(name) = &function.kind else {
            return match &function.kind {
                ExprKind::Paren(inner) => self.timed_function(inner),
                _ => None,
            };
        };
        let [only] = name.parts.as_slice() else {
            return None;
        };
        self.timing.as_ref()?;
        self.unhidden_builtin(&only.text)
            .filter(|builtin| matches!(builtin, Builtin::Wait | Builtin::TimedPriority))
    }

    /// Resolves statements from left to right, then what stands in their scope.
    pub(super) fn with_statements<T>(
        &mut self,
        statements: &'s [Statement],
        inside: impl FnOnce(&mut Self) -> T,
    ) -> (Vec<hir::Statement>, T) {
        self.scoped(|this| {
            let mut binders = Binders::default();
            let statements = statements
                .iter()
                .map(|statement| match statement {
                    Statement::Generator { pattern, source } => {
                        let source = this.expr(source);
                        let pattern = this.pattern(pattern, &mut binders);
                        this.bind_fresh(&mut binders);
                        hir::Statement::Generator { pattern, source }
                    }
                    Statement::Condition(condition) => {
                        hir::Statement::Condition(this.expr(condition))
                    }
                })
                .collect();
            (statements, inside(this))
        })
    }

    /// An expression, or an error if there is none.
    pub(super) fn optional(
        &mut self,
        expr: Option<&'s Expr>,
        span: csp_grammar::Span,
    ) -> hir::Expr {
        match expr {
            Some(expr) => self.expr(expr),
            None => error_expr(span),
        }
    }
}

fn flatten_dots<'s>(expr: &'s Expr, parts: &mut Vec<&'s Expr>) {
    match &expr.kind {
        ExprKind::Paren(inner) if matches!(unbracketed(inner).kind, ExprKind::Dot(..)) => {
            flatten_dots(inner, parts);
        }
        ExprKind::Dot(left, right) => {
            flatten_dots(left, parts);
            flatten_dots(right, parts);
        }
        _ => parts.push(expr),
    }
}

fn unbracketed(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Paren(inner) => unbracketed(inner),
        _ => expr,
    }
}
