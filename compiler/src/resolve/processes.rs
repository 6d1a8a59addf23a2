//! Process operators: prefixes, binary and replicated operators, renaming.

use csp_grammar::Span;
use csp_grammar::syntax::{Expr, ExprKind, Field, FieldKind, ProcessOp, ReplicatedOp};

use super::patterns::Binders;
use super::{Resolver, codes, messages};
use crate::hir::{self, ExprKind as Resolved};

impl<'s> Resolver<'s> {
    /// Resolves an expression whose outermost form makes a process.
    pub(super) fn process(&mut self, expr: &'s Expr) -> Resolved {
        match &expr.kind {
            ExprKind::Prefix {
                channel,
                fields,
                body,
            } => self.prefix(channel, fields, body),
            ExprKind::Guard { condition, body } => Resolved::Guard {
                condition: self.boxed(condition),
                body: self.boxed(body),
                tock: self.tock(),
            },
            ExprKind::Process {
                operator,
                left,
                right,
            } => {
                let left = self.boxed(left);
                let operator = self.operator(operator);
                let operator = self.timed_operator(operator, expr.span);
                let right = self.boxed(right);
                Resolved::Process {
                    operator,
                    left,
                    right,
                }
            }
            ExprKind::Hide {
                process,
                set,
                project,
            } => Resolved::Hide {
                process: self.boxed(process),
                set: self.boxed(set),
                project: *project,
            },
            ExprKind::Rename {
                process,
                pairs,
                statements,
            } => {
                let process = self.boxed(process);
                let (statements, pairs) =
                    self.with_statements(statements, |this| this.pairs(pairs));
                Resolved::Rename {
                    process,
                    pairs,
                    statements,
                }
            }
            ExprKind::Replicated {
                operator,
                statements,
                body,
            } => {
                let outside = self.outer_operator(operator);
                let (statements, (operator, body)) = self.with_statements(statements, |this| {
                    let operator = outside.unwrap_or_else(|| this.inner_operator(operator));
                    (operator, this.boxed(body))
                });
                Resolved::Replicated {
                    operator: self.timed_replication(operator, expr.span),
                    statements,
                    body,
                    tock: self.tock(),
                }
            }
            _ => unreachable!("expressions other than processes are resolved elsewhere"),
        }
    }

    /// Each field's variables are in scope in the later fields and in the body.
    fn prefix(&mut self, channel: &'s Expr, fields: &'s [Field], body: &'s Expr) -> Resolved {
        let channel = self.boxed(channel);
        let timing = self.prefix_timing();
        self.scoped(|this| {
            let mut binders = Binders::default();
            let mut earlier: Option<Span> = None;
            let fields = fields
                .iter()
                .map(|field| {
                    this.check_choice(field, earlier);
                    if !matches!(field.kind, FieldKind::Choice { .. }) {
                        earlier.get_or_insert(field.span);
                    }
                    this.field(field, &mut binders)
                })
                .collect();
            Resolved::Prefix {
                channel,
                fields,
                body: this.boxed(body),
                timing,
            }
        })
    }

    /// `$` comes before `?` and `!`, and not inside Timed sections.
    fn check_choice(&mut self, field: &Field, earlier: Option<Span>) {
        if !matches!(field.kind, FieldKind::Choice { .. }) {
            return;
        }
        if self.timing.is_some() {
            self.report(messages::not_in_timed(field.span, "a `$` field"));
        }
        if let Some(earlier) = earlier {
            self.report(messages::late_choice(field.span, earlier));
        }
    }

    /// `c!x` where nothing is called x: an input was probably meant.
    fn hint_at_input(&mut self, value: &Expr, before: usize) {
        if let ExprKind::Name(name) = &value.kind
            && let [only] = name.parts.as_slice()
            && let [diagnostic] = &mut self.diagnostics[before..]
            && diagnostic.code == codes::UNKNOWN_NAME
            && diagnostic.help.is_none()
        {
            diagnostic.help = Some(messages::input_instead(&only.text));
        }
    }

    fn field(&mut self, field: &'s Field, binders: &mut Binders<'s>) -> hir::Field {
        let kind = match &field.kind {
            FieldKind::Output(value) => {
                let before = self.diagnostics.len();
                let resolved = self.expr(value);
                self.hint_at_input(value, before);
                hir::FieldKind::Output(resolved)
            }
            FieldKind::Input { pattern, set } => {
                let set = set.as_ref().map(|set| self.expr(set));
                let pattern = self.pattern(pattern, binders);
                hir::FieldKind::Input { pattern, set }
            }
            FieldKind::Choice { pattern, set } => {
                let set = set.as_ref().map(|set| self.expr(set));
                let pattern = self.pattern(pattern, binders);
                hir::FieldKind::Choice { pattern, set }
            }
        };
        self.bind_fresh(binders);
        hir::Field {
            kind,
            span: field.span,
        }
    }

    fn operator(&mut self, operator: &'s ProcessOp) -> hir::ProcessOp {
        match operator {
            ProcessOp::External => hir::ProcessOp::External,
            ProcessOp::Internal => hir::ProcessOp::Internal,
            ProcessOp::Sliding => hir::ProcessOp::Sliding,
            ProcessOp::Interrupt => hir::ProcessOp::Interrupt,
            ProcessOp::Sequence => hir::ProcessOp::Sequence,
            ProcessOp::Interleave => hir::ProcessOp::Interleave,
            ProcessOp::Parallel(set) => hir::ProcessOp::Parallel(self.boxed(set)),
            ProcessOp::Alphabetised(left, right) => {
                hir::ProcessOp::Alphabetised(self.boxed(left), self.boxed(right))
            }
            ProcessOp::Exception(set) => hir::ProcessOp::Exception(self.boxed(set)),
            ProcessOp::SyncExternal(set) => hir::ProcessOp::SyncExternal(self.boxed(set)),
            ProcessOp::SyncInterrupt(set) => hir::ProcessOp::SyncInterrupt(self.boxed(set)),
            ProcessOp::Linked { pairs, statements } => {
                let (statements, pairs) =
                    self.with_statements(statements, |this| this.pairs(pairs));
                hir::ProcessOp::Linked { pairs, statements }
            }
        }
    }

    /// The operator of a replication if it is resolved outside the scope of the statements.
    fn outer_operator(&mut self, operator: &'s ReplicatedOp) -> Option<hir::ReplicatedOp> {
        Some(match operator {
            ReplicatedOp::External => hir::ReplicatedOp::External,
            ReplicatedOp::Internal => hir::ReplicatedOp::Internal,
            ReplicatedOp::Interleave => hir::ReplicatedOp::Interleave,
            ReplicatedOp::Sequence => hir::ReplicatedOp::Sequence,
            ReplicatedOp::Parallel(set) => hir::ReplicatedOp::Parallel(self.boxed(set)),
            ReplicatedOp::SyncExternal(set) => hir::ReplicatedOp::SyncExternal(self.boxed(set)),
            ReplicatedOp::Alphabetised(_) | ReplicatedOp::Linked { .. } => return None,
        })
    }

    /// The operator of a replication whose parts see the variables of the statements.
    fn inner_operator(&mut self, operator: &'s ReplicatedOp) -> hir::ReplicatedOp {
        match operator {
            ReplicatedOp::Alphabetised(set) => hir::ReplicatedOp::Alphabetised(self.boxed(set)),
            ReplicatedOp::Linked { pairs, statements } => {
                let (statements, pairs) =
                    self.with_statements(statements, |this| this.pairs(pairs));
                hir::ReplicatedOp::Linked { pairs, statements }
            }
            _ => unreachable!("the others are resolved outside"),
        }
    }
}
