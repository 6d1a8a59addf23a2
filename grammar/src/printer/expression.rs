//! Printing of expressions.

use super::Printer;
use crate::precedence::{
    ATOM_STRENGTH, COLON_STRENGTH, DOT_STRENGTH, FIELD_STRENGTH, HIDE_STRENGTHS, OPEN_STRENGTH,
    PREFIX_STRENGTH, Side, binary_strength, prefix_strength, process_strength,
};
use crate::syntax::{
    BinaryOp, CollectionBody, CollectionKind, Decl, Expr, ExprKind, Field, FieldKind, Ident,
    ProcessOp, QName, ReplicatedOp, Statement, UnaryOp,
};

/// Whether it cannot be read in two ways: a name, a literal, something in brackets, or dots between these.
fn is_plain(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Dot(left, right) => is_plain(&left.kind) && is_plain(&right.kind),
        kind => strength(kind) >= ATOM_STRENGTH,
    }
}

/// Where an expression stands.
#[derive(Clone, Copy)]
struct Context {
    /// Brackets are needed around what binds no stronger than this.
    above: u8,
    /// Nothing follows that an open form (`let`, `if`, a lambda, a replicated operator) could swallow.
    last: bool,
}

impl Printer {
    /// An expression that stands by itself.
    pub(super) fn whole(&mut self, expr: &Expr) {
        self.expr(
            expr,
            Context {
                above: 0,
                last: true,
            },
        );
    }

    pub(super) fn expressions(&mut self, exprs: &[Expr]) {
        self.separated(exprs, ", ", Self::whole);
    }

    pub(super) fn qualified(&mut self, name: &QName) {
        self.separated(&name.parts, "::", |printer, part: &Ident| {
            printer.put(&part.text)
        });
    }

    fn expr(&mut self, expr: &Expr, context: Context) {
        let strength = strength(&expr.kind);
        let bare = if strength == OPEN_STRENGTH {
            context.last
        } else {
            strength > context.above
        };
        let closes_sequence = self.in_sequence
            && matches!(
                expr.kind,
                ExprKind::Binary {
                    operator: BinaryOp::Greater,
                    ..
                }
            );
        let shown = self.all_brackets && context.above > 0 && !is_plain(&expr.kind);
        if !bare || closes_sequence || shown {
            return self.bracketed("(", ")", |printer| printer.whole(expr));
        }
        match &expr.kind {
            ExprKind::Unary { operator, operand } => {
                self.put(match operator {
                    UnaryOp::Negate => "-",
                    UnaryOp::Not => "not ",
                    UnaryOp::Length => "#",
                });
                self.right(operand, strength, Side::Left, context);
            }
            ExprKind::Binary {
                operator,
                left,
                right,
            } => {
                let side = binary_strength(*operator).1;
                self.left(left, strength, side);
                self.put(binary_sign(*operator));
                self.right(right, strength, side, context);
            }
            ExprKind::Dot(left, right) => {
                self.left(left, strength, Side::Right);
                self.put(".");
                self.right(right, strength, Side::Right, context);
            }
            ExprKind::Prefix {
                channel,
                fields,
                body,
            } => {
                let left = if fields.is_empty() {
                    PREFIX_STRENGTH
                } else {
                    FIELD_STRENGTH
                };
                self.left(channel, left, Side::Right);
                for field in fields {
                    self.field(field);
                }
                self.put(" -> ");
                self.right(body, strength, Side::Right, context);
            }
            ExprKind::Guard { condition, body } => {
                self.left(condition, strength, Side::Right);
                self.put(" & ");
                self.right(body, strength, Side::Right, context);
            }
            ExprKind::Process {
                operator,
                left,
                right,
            } => {
                let side = process_strength(operator).1;
                self.left(left, strength, side);
                self.put(" ");
                self.process_sign(operator);
                self.put(" ");
                self.right(right, strength, side, context);
            }
            ExprKind::Hide {
                process,
                set,
                project,
            } => {
                self.left(process, HIDE_STRENGTHS.0, Side::Left);
                self.put(if *project { " |\\ " } else { " \\ " });
                self.right(set, HIDE_STRENGTHS.1, Side::Left, context);
            }
            _ if strength == OPEN_STRENGTH => self.open(&expr.kind),
            _ => self.atom(&expr.kind),
        }
    }

    fn left(&mut self, expr: &Expr, strength: u8, side: Side) {
        let above = if side == Side::Left {
            strength - 1
        } else {
            strength
        };
        self.expr(expr, Context { above, last: false });
    }

    fn right(&mut self, expr: &Expr, strength: u8, side: Side, context: Context) {
        let above = if side == Side::Right {
            strength - 1
        } else {
            strength
        };
        let last = context.last;
        self.expr(expr, Context { above, last });
    }

    fn open(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Let { decls, body } => {
                self.local(decls);
                self.whole(body);
            }
            ExprKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.put("if ");
                self.whole(condition);
                self.put(" then ");
                self.whole(then);
                self.put(" else ");
                self.whole(otherwise);
            }
            ExprKind::Lambda { parameters, body } => {
                self.put("\\ ");
                self.patterns(parameters);
                self.put(" @ ");
                self.whole(body);
            }
            ExprKind::Replicated {
                operator,
                statements,
                body,
            } => self.replicated(operator, statements, body),
            _ => {}
        }
    }

    /// One declaration stays on the line, more get a line each.
    fn local(&mut self, decls: &[Decl]) {
        let outer = std::mem::take(&mut self.in_sequence);
        self.put("let");
        if let [decl] = decls {
            self.put(" ");
            self.decl(decl);
            self.put(" within ");
        } else {
            self.block(decls);
            self.new_line();
            self.put("within ");
        }
        self.in_sequence = outer;
    }

    fn replicated(&mut self, operator: &ReplicatedOp, statements: &[Statement], body: &Expr) {
        match operator {
            ReplicatedOp::External => self.put("[]"),
            ReplicatedOp::Internal => self.put("|~|"),
            ReplicatedOp::Interleave => self.put("|||"),
            ReplicatedOp::Sequence => self.put(";"),
            ReplicatedOp::Alphabetised(_) => self.put("||"),
            ReplicatedOp::Parallel(set) => self.bracketed("[|", "|]", |p| p.whole(set)),
            ReplicatedOp::SyncExternal(set) => self.bracketed("[+", "+]", |p| p.whole(set)),
            ReplicatedOp::Linked { pairs, statements } => self.links(pairs, statements),
        }
        self.put(" ");
        self.statements(statements, " : ");
        self.put(" @ ");
        if let ReplicatedOp::Alphabetised(alphabet) = operator {
            self.bracketed("[", "] ", |printer| printer.whole(alphabet));
        }
        self.whole(body);
    }

    fn atom(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Int(value) => self.put(&value.to_string()),
            ExprKind::Bool(value) => self.put(if *value { "true" } else { "false" }),
            ExprKind::Char(value) => self.put(&quoted_character(*value)),
            ExprKind::String(value) => self.put(&quoted_string(value)),
            ExprKind::Name(name) => self.qualified(name),
            ExprKind::Paren(inner) => self.bracketed("(", ")", |printer| printer.whole(inner)),
            ExprKind::Tuple(items) => self.bracketed("(", ")", |p| p.expressions(items)),
            ExprKind::Collection {
                kind,
                body,
                statements,
            } => self.collection(*kind, body, statements.as_deref()),
            ExprKind::Map(entries) if entries.is_empty() => self.put("(| |)"),
            ExprKind::Map(entries) => {
                self.put("(| ");
                self.bracketed("", " |)", |p| p.pairs(entries, " => "));
            }
            ExprKind::Apply {
                function,
                arguments,
            } => {
                self.left(function, ATOM_STRENGTH, Side::Left);
                self.bracketed("(", ")", |printer| printer.expressions(arguments));
            }
            ExprKind::Rename {
                process,
                pairs,
                statements,
            } => {
                self.left(process, ATOM_STRENGTH, Side::Left);
                self.bracketed("[[", "]]", |printer| {
                    printer.pairs(pairs, " <- ");
                    printer.conditions(statements);
                });
            }
            _ => self.put("{- unreadable -}"),
        }
    }

    fn collection(
        &mut self,
        kind: CollectionKind,
        body: &CollectionBody,
        statements: Option<&[Statement]>,
    ) {
        let (open, close) = match kind {
            CollectionKind::Sequence => ("<", ">"),
            CollectionKind::Set => ("{", "}"),
            CollectionKind::Enumerated => ("{|", "|}"),
        };
        self.bracketed(open, close, |printer| {
            match body {
                CollectionBody::Items(items) => printer.expressions(items),
                CollectionBody::Range { from, to } => {
                    printer.whole(from);
                    printer.put("..");
                    if let Some(to) = to {
                        printer.whole(to);
                    }
                }
            }
            printer.conditions(statements.unwrap_or_default());
        });
    }

    fn conditions(&mut self, statements: &[Statement]) {
        if !statements.is_empty() {
            self.put(" | ");
            self.statements(statements, " <- ");
        }
    }

    fn statements(&mut self, statements: &[Statement], between: &str) {
        self.separated(statements, ", ", |printer, statement| match statement {
            Statement::Generator { pattern, source } => {
                printer.pattern(pattern, 0);
                printer.put(between);
                printer.whole(source);
            }
            Statement::Condition(condition) => printer.whole(condition),
        });
    }

    fn pairs(&mut self, pairs: &[(Expr, Expr)], between: &str) {
        self.separated(pairs, ", ", |printer, (left, right)| {
            printer.whole(left);
            printer.put(between);
            printer.whole(right);
        });
    }

    fn links(&mut self, pairs: &[(Expr, Expr)], statements: &[Statement]) {
        self.bracketed("[", "]", |printer| {
            printer.pairs(pairs, " <-> ");
            printer.conditions(statements);
        });
    }

    fn field(&mut self, field: &Field) {
        let tight = Context {
            above: COLON_STRENGTH,
            last: false,
        };
        match &field.kind {
            FieldKind::Output(value) => {
                self.put("!");
                self.expr(value, tight);
            }
            FieldKind::Input { pattern, set } | FieldKind::Choice { pattern, set } => {
                let input = matches!(field.kind, FieldKind::Input { .. });
                self.put(if input { "?" } else { "$" });
                self.pattern(pattern, COLON_STRENGTH);
                if let Some(set) = set {
                    self.put(":");
                    self.expr(set, tight);
                }
            }
        }
    }

    fn process_sign(&mut self, operator: &ProcessOp) {
        match operator {
            ProcessOp::External => self.put("[]"),
            ProcessOp::Internal => self.put("|~|"),
            ProcessOp::Sliding => self.put("[>"),
            ProcessOp::Interrupt => self.put("/\\"),
            ProcessOp::Sequence => self.put(";"),
            ProcessOp::Interleave => self.put("|||"),
            ProcessOp::Parallel(set) => self.bracketed("[|", "|]", |p| p.whole(set)),
            ProcessOp::Alphabetised(left, right) => self.bracketed("[", "]", |printer| {
                printer.whole(left);
                printer.put(" || ");
                printer.whole(right);
            }),
            ProcessOp::Exception(set) => self.bracketed("[|", "|>", |p| p.whole(set)),
            ProcessOp::SyncExternal(set) => self.bracketed("[+", "+]", |p| p.whole(set)),
            ProcessOp::SyncInterrupt(set) => self.bracketed("/+", "+\\", |p| p.whole(set)),
            ProcessOp::Linked { pairs, statements } => self.links(pairs, statements),
        }
    }
}

fn strength(kind: &ExprKind) -> u8 {
    match kind {
        ExprKind::Let { .. }
        | ExprKind::If { .. }
        | ExprKind::Lambda { .. }
        | ExprKind::Replicated { .. } => OPEN_STRENGTH,
        ExprKind::Unary { operator, .. } => prefix_strength(*operator),
        ExprKind::Int(value) if *value < 0 => prefix_strength(UnaryOp::Negate),
        ExprKind::Binary { operator, .. } => binary_strength(*operator).0,
        ExprKind::Dot(..) => DOT_STRENGTH,
        ExprKind::Prefix { .. } | ExprKind::Guard { .. } => PREFIX_STRENGTH,
        ExprKind::Process { operator, .. } => process_strength(operator).0,
        ExprKind::Hide { .. } => HIDE_STRENGTHS.0,
        _ => ATOM_STRENGTH,
    }
}

fn binary_sign(operator: BinaryOp) -> &'static str {
    match operator {
        BinaryOp::Add => " + ",
        BinaryOp::Subtract => " - ",
        BinaryOp::Multiply => " * ",
        BinaryOp::Divide => " / ",
        BinaryOp::Modulo => " % ",
        BinaryOp::Equal => " == ",
        BinaryOp::NotEqual => " != ",
        BinaryOp::Less => " < ",
        BinaryOp::LessEqual => " <= ",
        BinaryOp::Greater => " > ",
        BinaryOp::GreaterEqual => " >= ",
        BinaryOp::And => " and ",
        BinaryOp::Or => " or ",
        BinaryOp::Concat => "^",
    }
}

fn escaped(character: char, quote: char) -> String {
    match character {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        c if c == quote || c == '\\' => format!("\\{c}"),
        c => c.to_string(),
    }
}

/// A character literal.
pub(super) fn quoted_character(character: char) -> String {
    format!("'{}'", escaped(character, '\''))
}

/// A string literal.
pub(super) fn quoted_string(text: &str) -> String {
    let inner: String = text.chars().map(|c| escaped(c, '"')).collect();
    format!("\"{inner}\"")
}
