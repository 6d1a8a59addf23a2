//! Warnings about scripts that are legal and probably not meant so.
//!
//! [`lint`] finds what the resolved program alone shows; nothing is evaluated, so nothing there depends on parameters.
//! [`alphabets`] looks at processes. A warning is silenced by `--@ allow: CODE` above any assertion, or on the command line.

pub mod alphabets;
pub mod codes;
mod messages;

use ahash::{AHashMap, AHashSet};
use csp_grammar::{Diagnostic, FileId, Span};

use crate::hir::visit::{self, Visit};
use crate::hir::{
    CollectionBody, Expr, ExprKind, Field, FieldKind, GlobalId, GlobalKind, PatternKind, Program,
    ReplicatedOp, Statement, Var,
};

/// What is suspicious in a program. Channels count only if they are declared in the root file: a library may offer more
/// than a script uses.
#[must_use]
pub fn lint(program: &Program, root: FileId) -> Vec<Diagnostic> {
    let mut findings = Findings::default();
    for global in &program.globals {
        visit::walk_global(&mut findings, global);
    }
    for binding in &program.bindings {
        visit::walk_binding(&mut findings, binding);
    }
    for assertion in &program.assertions {
        visit::walk_assertion(&mut findings, assertion);
    }
    for print in &program.prints {
        findings.expr(&print.expr);
    }
    let Findings {
        used,
        mut diagnostics,
    } = findings;
    for (id, global) in (0..).map(GlobalId).zip(&program.globals) {
        if matches!(global.kind, GlobalKind::Channel { .. })
            && global.span.file == root
            && !used.contains(&id)
        {
            diagnostics.push(messages::unused_channel(&global.name, global.span));
        }
    }
    let mut seen: AHashMap<(&str, bool), usize> = AHashMap::new();
    for (number, assertion) in (1..).zip(&program.assertions) {
        let key = (assertion.text.as_str(), assertion.negated);
        if let Some(first) = seen.get(&key) {
            let earlier = program.assertions[first - 1].span;
            diagnostics.push(messages::repeated_assertion(assertion.span, earlier));
        } else {
            seen.insert(key, number);
        }
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    diagnostics
}

/// What a walk has found so far.
#[derive(Default)]
struct Findings {
    used: AHashSet<GlobalId>,
    diagnostics: Vec<Diagnostic>,
}

impl Visit for Findings {
    fn name(&mut self, var: Var, _: Span) {
        if let Var::Global(id) = var {
            self.used.insert(id);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Guard { condition, .. } if is_false(condition) => {
                self.diagnostics.push(messages::false_guard(condition.span));
            }
            ExprKind::Replicated {
                operator: ReplicatedOp::External | ReplicatedOp::Internal,
                statements,
                ..
            } => {
                let empty = statements.iter().find_map(|statement| match statement {
                    Statement::Generator { source, .. } if is_empty(source) => Some(source.span),
                    _ => None,
                });
                self.diagnostics.extend(empty.map(messages::empty_choice));
            }
            _ => {}
        }
        visit::walk_expr(self, expr);
    }

    fn field(&mut self, field: &Field) {
        if let FieldKind::Input { pattern, set: None } = &field.kind
            && matches!(
                pattern.kind,
                PatternKind::Int(_)
                    | PatternKind::Bool(_)
                    | PatternKind::Char(_)
                    | PatternKind::Constructor(_)
            )
        {
            self.diagnostics.push(messages::constant_input(field.span));
        }
        visit::walk_field(self, field);
    }
}

fn is_false(condition: &Expr) -> bool {
    matches!(condition.kind, ExprKind::Bool(false))
}

/// `{}`, `<>`, or a range of literals that ends before it begins.
fn is_empty(source: &Expr) -> bool {
    let ExprKind::Collection { body, .. } = &source.kind else {
        return false;
    };
    match body {
        CollectionBody::Items(items) => items.is_empty(),
        CollectionBody::Range { from, to: Some(to) } => {
            matches!((&from.kind, &to.kind), (ExprKind::Int(from), ExprKind::Int(to)) if from > to)
        }
        CollectionBody::Range { to: None, .. } => false,
    }
}
