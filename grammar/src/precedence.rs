//! Groups a flat chain of operands and operators by their strengths.
//!
//! The strengths are those of libcspm's operator table, ten apart, read as a yacc parser would: on equal strength
//! a left-associative operator groups to the left, and a non-associative one is an error. Hiding is the exception: it
//! lets everything to its left go first, but its set ends before any process operator, so that
//! `X \ Y ||| Z` is `(X \ Y) ||| Z` while `X ||| Y \ Z` is `(X ||| Y) \ Z`.
//! Chains may be as long as a file, so there is no recursion here.

use crate::builder::Builder;
use crate::messages;
use crate::source::Span;
use crate::syntax::{BinaryOp, Expr, ExprKind, Field, FieldKind, ProcessOp, UnaryOp};

/// Open forms: they take in all that follows.
pub(crate) const OPEN_STRENGTH: u8 = 10;
/// `p @@ q`.
pub(crate) const BOTH_STRENGTH: u8 = 20;
/// Hiding: to its left and to its right.
pub(crate) const HIDE_STRENGTHS: (u8, u8) = (30, 105);
/// Prefix and guard.
pub(crate) const PREFIX_STRENGTH: u8 = 110;
/// `?`, `!` and `$`.
pub(crate) const FIELD_STRENGTH: u8 = 120;
/// `:` in fields.
pub(crate) const COLON_STRENGTH: u8 = 130;
/// `x . y`.
pub(crate) const DOT_STRENGTH: u8 = 140;
/// What needs no brackets anywhere.
pub(crate) const ATOM_STRENGTH: u8 = 250;

/// A part of a chain.
pub(crate) enum Item {
    Operand(Expr),
    Prefix(UnaryOp, Span),
    Infix(Infix, Span),
}

/// An operator between two operands. Fields of prefixes are treated as operators too.
pub(crate) enum Infix {
    Both,
    Hide { project: bool },
    Process(ProcessOp),
    Guard,
    Arrow,
    Input,
    Choice,
    Output,
    Colon,
    Dot,
    Binary(BinaryOp),
}

/// What it means that an operand stands between operators of equal strength.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
    Neither,
}

impl Infix {
    /// How strongly it pulls on what is to its left and to its right, and what equal strength means.
    pub(crate) fn strength(&self) -> (u8, u8, Side) {
        let (both, side) = match self {
            Self::Both => (BOTH_STRENGTH, Side::Neither),
            Self::Hide { .. } => return (HIDE_STRENGTHS.0, HIDE_STRENGTHS.1, Side::Left),
            Self::Process(operator) => process_strength(operator),
            Self::Guard | Self::Arrow => (PREFIX_STRENGTH, Side::Right),
            Self::Input | Self::Choice | Self::Output => (FIELD_STRENGTH, Side::Left),
            Self::Colon => (COLON_STRENGTH, Side::Neither),
            Self::Dot => (DOT_STRENGTH, Side::Right),
            Self::Binary(operator) => binary_strength(*operator),
        };
        (both, both, side)
    }
}

/// The strength of a process operator.
pub(crate) fn process_strength(operator: &ProcessOp) -> (u8, Side) {
    match operator {
        ProcessOp::Interleave => (40, Side::Left),
        ProcessOp::Parallel(_)
        | ProcessOp::Alphabetised(..)
        | ProcessOp::Exception(_)
        | ProcessOp::Linked { .. } => (50, Side::Neither),
        ProcessOp::Internal => (60, Side::Left),
        ProcessOp::External | ProcessOp::SyncExternal(_) => (70, Side::Left),
        ProcessOp::Interrupt | ProcessOp::SyncInterrupt(_) => (80, Side::Left),
        ProcessOp::Sliding => (90, Side::Left),
        ProcessOp::Sequence => (100, Side::Left),
    }
}

/// The strength of an operator on values.
pub(crate) fn binary_strength(operator: BinaryOp) -> (u8, Side) {
    match operator {
        BinaryOp::Or => (160, Side::Left),
        BinaryOp::And => (170, Side::Left),
        BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual => (190, Side::Neither),
        BinaryOp::Add | BinaryOp::Subtract => (200, Side::Left),
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo => (210, Side::Left),
        BinaryOp::Concat => (230, Side::Left),
    }
}

/// The strength of a prefix operator.
pub(crate) fn prefix_strength(operator: UnaryOp) -> u8 {
    match operator {
        UnaryOp::Not => 180,
        UnaryOp::Negate => 200,
        UnaryOp::Length => 220,
    }
}

/// What an operator works on: expressions, or the beginnings of a prefix.
enum Value {
    Expr(Expr),
    Fields {
        channel: Expr,
        fields: Vec<Field>,
        span: Span,
    },
    Colon {
        left: Expr,
        right: Expr,
        span: Span,
    },
    /// The least integer without its minus.
    Least(Span),
}

impl Value {
    fn span(&self) -> Span {
        match self {
            Self::Expr(expr) => expr.span,
            Self::Fields { span, .. } | Self::Colon { span, .. } | Self::Least(span) => *span,
        }
    }
}

enum Operator {
    Prefix(UnaryOp, Span),
    Infix(Infix, Span),
}

impl Operator {
    fn right_strength(&self) -> (u8, Side) {
        match self {
            Self::Prefix(operator, _) => (prefix_strength(*operator), Side::Left),
            Self::Infix(operator, _) => {
                let (_, right, side) = operator.strength();
                (right, side)
            }
        }
    }
}

/// Groups a chain; the grammar has made sure that operands and infix operators alternate.
pub(crate) fn group(builder: &mut Builder, items: Vec<Item>) -> Expr {
    let mut grouping = Grouping {
        builder,
        values: Vec::new(),
        operators: Vec::new(),
    };
    for item in items {
        match item {
            Item::Operand(Expr {
                kind: ExprKind::Int(i64::MIN),
                span,
            }) => grouping.values.push(Value::Least(span)),
            Item::Operand(expr) => grouping.values.push(Value::Expr(expr)),
            Item::Prefix(operator, span) => {
                grouping.operators.push(Operator::Prefix(operator, span));
            }
            Item::Infix(operator, span) => grouping.infix(operator, span),
        }
    }
    while grouping.reduce() {}
    let value = grouping
        .values
        .pop()
        .expect("the grammar puts at least one operand into a chain");
    grouping.expr(value)
}

struct Grouping<'a, 'b> {
    builder: &'a mut Builder<'b>,
    values: Vec<Value>,
    operators: Vec<Operator>,
}

impl Grouping<'_, '_> {
    fn infix(&mut self, operator: Infix, span: Span) {
        let (left, _, _) = operator.strength();
        while let Some(top) = self.operators.last() {
            let (right, side) = top.right_strength();
            if right < left || (right == left && side == Side::Right) {
                break;
            }
            if right == left && side == Side::Neither {
                let earlier = match top {
                    Operator::Prefix(_, span) | Operator::Infix(_, span) => *span,
                };
                let message = match operator {
                    Infix::Process(_) => messages::parallel_chain(earlier, span),
                    Infix::Colon => messages::misplaced_colon(span),
                    _ => messages::comparison_chain(earlier, span),
                };
                self.builder.report(message);
            }
            self.reduce();
        }
        self.operators.push(Operator::Infix(operator, span));
    }

    /// Applies the topmost operator; false if there is none.
    fn reduce(&mut self) -> bool {
        let Some(operator) = self.operators.pop() else {
            return false;
        };
        let right = self
            .values
            .pop()
            .expect("every operator of a chain is followed by an operand");
        let value = match operator {
            Operator::Prefix(UnaryOp::Negate, span) if matches!(right, Value::Least(_)) => {
                Value::Expr(Expr {
                    span: span.to(right.span()),
                    kind: ExprKind::Int(i64::MIN),
                })
            }
            Operator::Prefix(operator, span) => {
                let operand = self.expr(right);
                Value::Expr(Expr {
                    span: span.to(operand.span),
                    kind: ExprKind::Unary {
                        operator,
                        operand: Box::new(operand),
                    },
                })
            }
            Operator::Infix(operator, place) => {
                let left = self
                    .values
                    .pop()
                    .expect("every infix operator of a chain follows an operand");
                self.apply(operator, place, left, right)
            }
        };
        self.values.push(value);
        true
    }

    fn apply(&mut self, operator: Infix, place: Span, left: Value, right: Value) -> Value {
        let span = left.span().to(right.span());
        match operator {
            Infix::Arrow => return self.prefix(left, right, span),
            Infix::Input | Infix::Choice | Infix::Output => {
                return self.field(&operator, place, left, right, span);
            }
            _ => {}
        }
        let left = self.expr(left);
        let right = self.expr(right);
        if let Infix::Colon = operator {
            return Value::Colon { left, right, span };
        }
        if let Infix::Both = operator {
            return Value::Expr(self.builder.both(left, right, span));
        }
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = match operator {
            Infix::Hide { project } => ExprKind::Hide {
                process: left,
                set: right,
                project,
            },
            Infix::Process(operator) => ExprKind::Process {
                operator,
                left,
                right,
            },
            Infix::Guard => ExprKind::Guard {
                condition: left,
                body: right,
            },
            Infix::Binary(operator) => ExprKind::Binary {
                operator,
                left,
                right,
            },
            _ => ExprKind::Dot(left, right),
        };
        Value::Expr(Expr { kind, span })
    }

    fn prefix(&mut self, left: Value, right: Value, span: Span) -> Value {
        let (channel, fields) = match left {
            Value::Fields {
                channel, fields, ..
            } => (channel, fields),
            other => (self.expr(other), Vec::new()),
        };
        let body = self.expr(right);
        Value::Expr(Expr {
            kind: ExprKind::Prefix {
                channel: Box::new(channel),
                fields,
                body: Box::new(body),
            },
            span,
        })
    }

    fn field(
        &mut self,
        operator: &Infix,
        place: Span,
        left: Value,
        right: Value,
        span: Span,
    ) -> Value {
        let (channel, mut fields) = match left {
            Value::Fields {
                channel, fields, ..
            } => (channel, fields),
            other => (self.expr(other), Vec::new()),
        };
        let field_span = place.to(right.span());
        let kind = if let Infix::Output = operator {
            FieldKind::Output(self.expr(right))
        } else {
            let (pattern, set) = match right {
                Value::Colon { left, right, .. } => (left, Some(right)),
                other => (self.expr(other), None),
            };
            let pattern = self.builder.field_pattern(pattern);
            if let Infix::Input = operator {
                FieldKind::Input { pattern, set }
            } else {
                FieldKind::Choice { pattern, set }
            }
        };
        fields.push(Field {
            kind,
            span: field_span,
        });
        Value::Fields {
            channel,
            fields,
            span,
        }
    }

    /// The value as an expression; loose fields and colons are reported.
    fn expr(&mut self, value: Value) -> Expr {
        let span = match value {
            Value::Expr(expr) => return expr,
            Value::Least(span) => {
                self.builder.report(messages::integer_too_large(span));
                span
            }
            Value::Fields { fields, span, .. } => {
                let place = fields.first().map_or(span, |field| field.span);
                self.builder.report(messages::loose_field(place));
                span
            }
            Value::Colon { left, right, span } => {
                let place = Span {
                    start: left.span.end,
                    end: right.span.start.max(left.span.end),
                    ..span
                };
                self.builder.report(messages::misplaced_colon(place));
                span
            }
        };
        Expr {
            kind: ExprKind::Error,
            span,
        }
    }
}
