//! Expressions that are processes by their form.

use super::Inference;
use super::messages::Why;
use super::patterns::Draw;
use super::types::TypeTable;
use crate::hir::{Expr, ExprKind, ProcessOp, ReplicatedOp, Statement};

impl<'p> Inference<'p> {
    /// Checks the parts of a process.
    pub(super) fn infer_process(&mut self, expr: &'p Expr) {
        match &expr.kind {
            ExprKind::Prefix {
                channel,
                fields,
                body,
                timing,
            } => {
                self.infer_event(channel, fields);
                if let Some(timing) = timing {
                    self.infer_timing(timing);
                }
                self.process(body);
            }
            ExprKind::Guard {
                condition, body, ..
            } => {
                self.check(condition, TypeTable::BOOL, Why::Condition);
                self.process(body);
            }
            ExprKind::Process {
                operator,
                left,
                right,
            } => {
                self.process(left);
                self.process(right);
                self.infer_operator(operator);
            }
            ExprKind::Hide { process, set, .. } => {
                self.process(process);
                self.events(set);
            }
            ExprKind::Rename {
                process,
                pairs,
                statements,
            } => {
                self.process(process);
                self.infer_statements(statements, Draw::Sets, "a renaming");
                self.infer_pairs(pairs);
            }
            ExprKind::Replicated {
                operator,
                statements,
                body,
                ..
            } => self.infer_replicated(operator, statements, body),
            ExprKind::TimedWait { duration, .. } => {
                self.check(duration, TypeTable::INT, Why::Operand("WAIT", "an integer"));
            }
            ExprKind::TimedStop { .. } | ExprKind::TimedSkip { .. } => {}
            _ => unreachable!("all other forms are in `infer`"),
        }
    }

    fn process(&mut self, expr: &'p Expr) {
        self.check(expr, TypeTable::PROC, Why::Process);
    }

    fn events(&mut self, set: &'p Expr) {
        self.check(set, TypeTable::EVENTS, Why::EventSet);
    }

    fn infer_operator(&mut self, operator: &'p ProcessOp) {
        match operator {
            ProcessOp::External
            | ProcessOp::Internal
            | ProcessOp::Sliding
            | ProcessOp::Interrupt
            | ProcessOp::Sequence
            | ProcessOp::Interleave => {}
            ProcessOp::Parallel(set)
            | ProcessOp::Exception(set)
            | ProcessOp::SyncExternal(set)
            | ProcessOp::SyncInterrupt(set) => self.events(set),
            ProcessOp::Alphabetised(left, right) => {
                self.events(left);
                self.events(right);
            }
            ProcessOp::Linked { pairs, statements } => {
                self.infer_statements(statements, Draw::Sets, "a linked parallel");
                self.infer_pairs(pairs);
            }
        }
    }

    fn infer_replicated(
        &mut self,
        operator: &'p ReplicatedOp,
        statements: &'p [Statement],
        body: &'p Expr,
    ) {
        let (draw, name) = match operator {
            ReplicatedOp::External => (Draw::Sets, "`[]`"),
            ReplicatedOp::Internal => (Draw::Sets, "`|~|`"),
            ReplicatedOp::Interleave => (Draw::Sets, "`|||`"),
            ReplicatedOp::Parallel(set) => {
                self.events(set);
                (Draw::Sets, "`[|…|]`")
            }
            ReplicatedOp::SyncExternal(set) => {
                self.events(set);
                (Draw::Sets, "`[+…+]`")
            }
            ReplicatedOp::Alphabetised(_) => (Draw::Sets, "`||`"),
            ReplicatedOp::Sequence => (Draw::Sequences, "`;`"),
            ReplicatedOp::Linked { .. } => (Draw::Sequences, "`[…<->…]`"),
        };
        self.infer_statements(statements, draw, name);
        match operator {
            ReplicatedOp::Alphabetised(set) => self.events(set),
            ReplicatedOp::Linked { pairs, statements } => {
                self.infer_statements(statements, Draw::Sets, "a linked parallel");
                self.infer_pairs(pairs);
            }
            _ => {}
        }
        self.process(body);
    }

    /// Both sides of a renamed or linked pair lack the same fields to be events.
    fn infer_pairs(&mut self, pairs: &'p [(Expr, Expr)]) {
        for (left, right) in pairs {
            let extendable = self.table.extendable(TypeTable::EVENT);
            self.check(left, extendable, Why::Channel);
            self.check(right, extendable, Why::Pair(left.span));
        }
    }
}
