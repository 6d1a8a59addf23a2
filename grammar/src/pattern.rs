//! Turns an expression that stands where a pattern must stand into a pattern.

use crate::builder::{Builder, PatternOnly};
use crate::messages;
use crate::source::Span;
use crate::syntax::{
    BinaryOp, CollectionBody, CollectionKind, Expr, ExprKind, Pattern, PatternKind, UnaryOp,
};

/// Converts; what is no pattern is reported and becomes [`PatternKind::Error`].
pub(crate) fn from_expression(builder: &mut Builder, expr: Expr) -> Pattern {
    let span = expr.span;
    let both = |builder: &mut Builder, left: Expr, right: Expr| {
        (
            Box::new(from_expression(builder, left)),
            Box::new(from_expression(builder, right)),
        )
    };
    let kind = match expr.kind {
        ExprKind::Int(value) => PatternKind::Int(value),
        ExprKind::Bool(value) => PatternKind::Bool(value),
        ExprKind::Char(value) => PatternKind::Char(value),
        ExprKind::String(value) => PatternKind::String(value),
        ExprKind::Name(name) => PatternKind::Name(name),
        ExprKind::Paren(inner) => PatternKind::Paren(Box::new(from_expression(builder, *inner))),
        ExprKind::Tuple(items) => PatternKind::Tuple(builder.patterns(items)),
        ExprKind::Collection {
            kind: CollectionKind::Sequence,
            body: CollectionBody::Items(items),
            statements: None,
        } => PatternKind::Sequence(builder.patterns(items)),
        ExprKind::Collection {
            kind: CollectionKind::Set,
            body: CollectionBody::Items(items),
            statements: None,
        } => PatternKind::Set(builder.patterns(items)),
        ExprKind::Binary {
            operator: BinaryOp::Concat,
            left,
            right,
        } => {
            let (left, right) = both(builder, *left, *right);
            PatternKind::Concat(left, right)
        }
        ExprKind::Dot(left, right) => {
            let (left, right) = both(builder, *left, *right);
            PatternKind::Dot(left, right)
        }
        ExprKind::Unary {
            operator: UnaryOp::Negate,
            operand,
        } if matches!(operand.kind, ExprKind::Int(_)) => match operand.kind {
            ExprKind::Int(value) => PatternKind::Int(-value),
            _ => PatternKind::Error,
        },
        ExprKind::Error => match builder.pattern_only.remove(&span) {
            Some(PatternOnly::Wildcard) => PatternKind::Wildcard,
            Some(PatternOnly::Both(left, right)) => {
                let (left, right) = both(builder, left, right);
                PatternKind::Both(left, right)
            }
            None => PatternKind::Error,
        },
        other => {
            builder.report(messages::not_a_pattern(describe(&other), span));
            PatternKind::Error
        }
    };
    Pattern { kind, span }
}

/// The first `@@` in a pattern.
pub(crate) fn both_within(pattern: &Pattern) -> Option<Span> {
    match &pattern.kind {
        PatternKind::Both(..) => Some(pattern.span),
        PatternKind::Paren(inner) => both_within(inner),
        PatternKind::Tuple(items) | PatternKind::Sequence(items) | PatternKind::Set(items) => {
            items.iter().find_map(both_within)
        }
        PatternKind::Concat(left, right) | PatternKind::Dot(left, right) => {
            both_within(left).or_else(|| both_within(right))
        }
        _ => None,
    }
}

/// What the offending expression is, for the message.
fn describe(kind: &ExprKind) -> &'static str {
    match kind {
        ExprKind::Apply { .. } => "a function call",
        ExprKind::Collection {
            kind: CollectionKind::Enumerated,
            ..
        } => "`{|…|}`",
        ExprKind::Collection {
            body: CollectionBody::Range { .. },
            ..
        } => "a range",
        ExprKind::Collection { .. } => "a comprehension",
        ExprKind::Map(_) => "a map",
        ExprKind::Let { .. } => "`let`",
        ExprKind::If { .. } => "`if`",
        ExprKind::Lambda { .. } => "a lambda",
        ExprKind::Unary { .. } | ExprKind::Binary { .. } => "an arithmetic or boolean expression",
        _ => "a process",
    }
}
