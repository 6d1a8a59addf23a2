//! Turns an expression that stands where a pattern must stand into a pattern.

use crate::builder::{Builder, PatternOnly};
use crate::messages;
use crate::source::Span;
use crate::syntax::{
    BinaryOp, CollectionBody, CollectionKind, Expr, ExprKind, Pattern, PatternKind, UnaryOp,
};

/// The deepest pattern that is accepted.
const DEEPEST: u32 = 200;

/// Converts; what is no pattern is reported and becomes [`PatternKind::Error`].
pub(crate) fn from_expression(builder: &mut Builder, expr: Expr) -> Pattern {
    convert(builder, expr, DEEPEST)
}

fn convert(builder: &mut Builder, expr: Expr, depth: u32) -> Pattern {
    let span = expr.span;
    let Some(depth) = depth.checked_sub(1) else {
        builder.report(messages::nested_too_deeply(span));
        return Pattern {
            kind: PatternKind::Error,
            span,
        };
    };
    let kind = match expr.kind {
        ExprKind::Int(value) => PatternKind::Int(value),
        ExprKind::Bool(value) => PatternKind::Bool(value),
        ExprKind::Char(value) => PatternKind::Char(value),
        ExprKind::String(value) => PatternKind::String(value),
        ExprKind::Name(name) => PatternKind::Name(name),
        ExprKind::Paren(inner) => PatternKind::Paren(Box::new(convert(builder, *inner, depth))),
        ExprKind::Tuple(items) => PatternKind::Tuple(convert_all(builder, items, depth)),
        ExprKind::Collection {
            kind: CollectionKind::Sequence,
            body: CollectionBody::Items(items),
            statements: None,
        } => PatternKind::Sequence(convert_all(builder, items, depth)),
        ExprKind::Collection {
            kind: CollectionKind::Set,
            body: CollectionBody::Items(items),
            statements: None,
        } => PatternKind::Set(convert_all(builder, items, depth)),
        ExprKind::Binary {
            operator: BinaryOp::Concat,
            left,
            right,
        } => {
            let (left, right) = convert_two(builder, *left, *right, depth);
            PatternKind::Concat(left, right)
        }
        ExprKind::Dot(left, right) => {
            let (left, right) = convert_two(builder, *left, *right, depth);
            PatternKind::Dot(left, right)
        }
        ExprKind::Unary {
            operator: UnaryOp::Negate,
            operand,
        } if matches!(operand.kind, ExprKind::Int(0..)) => match operand.kind {
            ExprKind::Int(value) => PatternKind::Int(-value),
            _ => PatternKind::Error,
        },
        ExprKind::Error => match builder.pattern_only.remove(&span) {
            Some(PatternOnly::Wildcard) => PatternKind::Wildcard,
            Some(PatternOnly::Both(left, right)) => {
                let (left, right) = convert_two(builder, left, right, depth);
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

fn convert_all(builder: &mut Builder, items: Vec<Expr>, depth: u32) -> Vec<Pattern> {
    items
        .into_iter()
        .map(|item| convert(builder, item, depth))
        .collect()
}

fn convert_two(
    builder: &mut Builder,
    left: Expr,
    right: Expr,
    depth: u32,
) -> (Box<Pattern>, Box<Pattern>) {
    let left = convert(builder, left, depth);
    let right = convert(builder, right, depth);
    (Box::new(left), Box::new(right))
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
