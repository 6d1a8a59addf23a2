//! Process operators. Each becomes the body of a unit, which is what a suspended process is.

use ahash::AHashSet;
use csp_grammar::Span;

use super::Lower;
use crate::evaluate::code::{
    CodeId, Collected, FieldCode, InputCode, Node, PairsCode, Pattern, PrefixCode, ReplicatedCode,
    ReplicatedKind, StatementCode, TimingCode, index,
};
use crate::evaluate::walk::{bound_by, locals_of};
use crate::hir::{
    self, Expr, ExprKind, Field, FieldKind, PatternKind, ProcessOp, ReplicatedOp, Statement,
    Timing, Var,
};

impl Lower<'_> {
    /// Code for a process where an operator wants one: gives its number without evaluating its head.
    pub(super) fn operand(&mut self, expr: &Expr) -> CodeId {
        match &expr.kind {
            ExprKind::If { .. } | ExprKind::Let { .. } | ExprKind::Guard { .. } => {
                self.attempted(expr)
            }
            ExprKind::Apply { function, .. } if is_builtin(function) => self.attempted(expr),
            ExprKind::Apply { .. } => {
                let code = self.expr(expr);
                if let Node::Apply(function, arguments) = self.code.node(code) {
                    self.code.nodes[code.0 as usize] = Node::ProcessApply(function, arguments);
                }
                code
            }
            _ => self.expr(expr),
        }
    }

    /// Code for what may fail, like `error("x")`, although nobody asks for its head.
    fn attempted(&mut self, expr: &Expr) -> CodeId {
        let unit = self.unit(|l| l.expr(expr));
        self.entitle(unit, expr);
        self.push(Node::Attempt(unit), expr.span)
    }

    fn entitle(&mut self, unit: crate::evaluate::code::UnitId, expr: &Expr) {
        let title = super::title::title(self.facts, expr);
        self.code.titles.insert(unit, title);
    }

    /// A suspended process operator.
    pub(super) fn suspended(&mut self, expr: &Expr) -> Node {
        let unit = self.unit(|l| {
            let node = l.operator(expr);
            l.push(node, expr.span)
        });
        self.entitle(unit, expr);
        Node::Suspend(unit)
    }

    fn operator(&mut self, expr: &Expr) -> Node {
        match &expr.kind {
            ExprKind::Prefix {
                channel,
                fields,
                body,
                timing,
            } => self.prefix(channel, fields, body, timing.as_deref(), expr.span),
            ExprKind::Process {
                operator: ProcessOp::External,
                ..
            } => {
                let mut operands = Vec::new();
                external_operands(expr, &mut operands);
                let codes: Vec<CodeId> = operands.into_iter().map(|e| self.operand(e)).collect();
                Node::External(self.code.list(&codes))
            }
            ExprKind::Process {
                operator,
                left,
                right,
            } => self.binary_operator(operator, left, right, expr.span),
            ExprKind::Hide {
                process,
                set,
                project,
            } => {
                let (process, set) = (self.operand(process), self.expr(set));
                if *project {
                    Node::HideAllBut(process, set)
                } else {
                    Node::Hide(process, set)
                }
            }
            ExprKind::Rename {
                process,
                pairs,
                statements,
            } => {
                let process = self.operand(process);
                Node::Rename(process, self.pairs(pairs, statements, expr.span))
            }
            ExprKind::Replicated {
                operator,
                statements,
                body,
                tock,
            } => {
                let replicated = self.replicated(operator, statements, body, *tock, expr.span);
                self.code.replicated.push(replicated.into());
                Node::Replicated(index(self.code.replicated.len() - 1))
            }
            _ => unreachable!("the other expressions are not process operators"),
        }
    }

    fn binary_operator(
        &mut self,
        operator: &ProcessOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Node {
        let (first, second) = (self.operand(left), self.operand(right));
        let both = [first, second];
        match operator {
            ProcessOp::External => Node::External(self.code.list(&both)),
            ProcessOp::Internal => Node::Internal(self.code.list(&both)),
            ProcessOp::Sliding => Node::Sliding(first, second),
            ProcessOp::Interrupt => Node::Interrupt(first, second),
            ProcessOp::Sequence => Node::Sequential(first, second),
            ProcessOp::Interleave => Node::Interleave(self.code.list(&both)),
            ProcessOp::Parallel(set) => Node::Parallel(self.expr(set), self.code.list(&both)),
            ProcessOp::Alphabetised(a, b) => {
                let codes = [self.expr(a), self.expr(b), first, second];
                Node::Alphabetised(self.code.list(&codes))
            }
            ProcessOp::Exception(set) => Node::Exception(first, self.expr(set), second),
            ProcessOp::SyncExternal(set) => {
                Node::SyncExternal(self.expr(set), self.code.list(&both))
            }
            ProcessOp::SyncInterrupt(set) => Node::SyncInterrupt(first, self.expr(set), second),
            ProcessOp::Linked { pairs, statements } => {
                Node::Linked(self.pairs(pairs, statements, span), first, second)
            }
        }
    }

    fn pairs(&mut self, pairs: &[(Expr, Expr)], statements: &[Statement], span: Span) -> u32 {
        let statements = self.statements(statements);
        let pairs = pairs
            .iter()
            .map(|(from, to)| (self.expr(from), self.expr(to)))
            .collect();
        let code = PairsCode {
            pairs,
            statements,
            span,
        };
        self.code.pairs.push(code.into());
        index(self.code.pairs.len() - 1)
    }

    fn replicated(
        &mut self,
        operator: &ReplicatedOp,
        statements: &[Statement],
        body: &Expr,
        tock: Option<hir::GlobalId>,
        span: Span,
    ) -> ReplicatedCode {
        if matches!(operator, ReplicatedOp::External)
            && tock.is_none()
            && let Some(code) = self.collected(statements, body, span)
        {
            return code;
        }
        // Sets of these two are outside the scope of the statements.
        let outer = match operator {
            ReplicatedOp::Parallel(set) | ReplicatedOp::SyncExternal(set) => Some(self.expr(set)),
            _ => None,
        };
        let statements = self.statements(statements);
        let operator = match (operator, outer) {
            (ReplicatedOp::Parallel(_), Some(set)) => ReplicatedKind::Parallel(set),
            (ReplicatedOp::SyncExternal(_), Some(set)) => ReplicatedKind::SyncExternal(set),
            (ReplicatedOp::Alphabetised(set), _) => ReplicatedKind::Alphabetised(self.expr(set)),
            (
                ReplicatedOp::Linked {
                    pairs,
                    statements: inner,
                },
                _,
            ) => ReplicatedKind::Linked(self.pairs(pairs, inner, span)),
            (ReplicatedOp::Internal, _) => ReplicatedKind::Internal,
            (ReplicatedOp::Interleave, _) => ReplicatedKind::Interleave,
            (ReplicatedOp::Sequence, _) => ReplicatedKind::Sequence,
            _ => ReplicatedKind::External,
        };
        ReplicatedCode {
            operator,
            statements,
            body: self.operand(body),
            tock,
            span,
        }
    }

    /// `[] x : S @ c.x -> P` where P does not use x is one branch. Statements whose variables are
    /// used stay outside.
    fn collected(
        &mut self,
        statements: &[Statement],
        body: &Expr,
        span: Span,
    ) -> Option<ReplicatedCode> {
        let ExprKind::Prefix {
            channel,
            fields,
            body: after,
            timing: None,
        } = &body.kind
        else {
            return None;
        };
        let outputs: Vec<&Expr> = fields
            .iter()
            .map(|field| match &field.kind {
                FieldKind::Output(value) => Some(value),
                _ => None,
            })
            .collect::<Option<_>>()?;
        let outside = used_statements(statements, after);
        let inner = &statements[outside..];
        if inner.is_empty() {
            return None;
        }
        let outer = self.statements(&statements[..outside]);
        let inner_code = self.statements(inner);
        let whole = match (inner, &inner_code[..], &channel.kind) {
            (
                [Statement::Generator { pattern, .. }],
                [StatementCode::Generator(_, source)],
                ExprKind::Var(variable),
            ) if outputs.is_empty()
                && matches!(pattern.kind, PatternKind::Variable(bound) if bound == *variable) =>
            {
                Some(*source)
            }
            _ => None,
        };
        let codes: Vec<CodeId> = std::iter::once(&**channel)
            .chain(outputs)
            .map(|e| self.expr(e))
            .collect();
        let event = match codes.as_slice() {
            [only] => *only,
            _ => {
                let list = self.code.list(&codes);
                self.push(Node::Dot(list), body.span)
            }
        };
        Some(ReplicatedCode {
            operator: ReplicatedKind::Collected(Collected {
                statements: inner_code,
                event,
                whole,
            }),
            statements: outer,
            body: self.operand(after),
            tock: None,
            span,
        })
    }

    fn prefix(
        &mut self,
        channel: &Expr,
        fields: &[Field],
        body: &Expr,
        timing: Option<&Timing>,
        span: Span,
    ) -> Node {
        let channel = self.expr(channel);
        let mut codes: Vec<FieldCode> = Vec::new();
        for field in fields {
            match &field.kind {
                FieldKind::Output(value) => {
                    codes.push(FieldCode::Output(self.expr(value), field.span));
                }
                FieldKind::Input { pattern, set } => self
                    .inputs(pattern, set.as_ref(), field.span)
                    .into_iter()
                    .for_each(|input| codes.push(FieldCode::Input(input))),
                FieldKind::Choice { pattern, set } => self
                    .inputs(pattern, set.as_ref(), field.span)
                    .into_iter()
                    .for_each(|input| codes.push(FieldCode::Choice(input))),
            }
        }
        let body = self.operand(body);
        let timing = timing.map(|timing| TimingCode {
            tock: timing.tock,
            duration: timing.duration.as_ref().map(|e| self.expr(e)),
        });
        // Only now is it known which variables are used.
        for field in &mut codes {
            if let FieldCode::Input(input) | FieldCode::Choice(input) = field {
                input.used = self.is_used(&input.pattern);
            }
        }
        let code = PrefixCode {
            channel,
            fields: codes.into(),
            body,
            timing,
            span,
        };
        self.code.prefixes.push(code.into());
        Node::Prefix(index(self.code.prefixes.len() - 1))
    }

    /// `?x.y` without a set is `?x?y`, unless constructors in it group the fields.
    fn inputs(&mut self, pattern: &hir::Pattern, set: Option<&Expr>, span: Span) -> Vec<InputCode> {
        if let (PatternKind::Dot(parts), None) = (&pattern.kind, set)
            && !parts
                .iter()
                .any(|p| matches!(p.kind, PatternKind::Constructor(_)))
        {
            return parts
                .iter()
                .flat_map(|part| self.inputs(part, None, part.span))
                .collect();
        }
        let set = set.map(|set| self.expr(set));
        vec![InputCode {
            pattern: self.pattern(pattern),
            set,
            used: true,
            span,
        }]
    }

    fn is_used(&mut self, pattern: &Pattern) -> bool {
        match pattern {
            Pattern::Bind(slot) => self.top().used.contains(slot),
            Pattern::Cons(first, rest) => {
                self.top().used.contains(first) || self.top().used.contains(rest)
            }
            Pattern::Tuple(parts) | Pattern::Dot(parts) => parts.iter().any(|p| self.is_used(p)),
            Pattern::Sequence { front, rest, back } => {
                front.iter().any(|p| self.is_used(p))
                    || rest.iter().any(|p| self.is_used(p))
                    || back.iter().any(|p| self.is_used(p))
            }
            Pattern::Singleton(part) => self.is_used(part),
            Pattern::Both(left, right) => self.is_used(left) || self.is_used(right),
            _ => false,
        }
    }
}

/// How many of the statements it takes to bind all variables that an expression uses.
fn used_statements(statements: &[Statement], expr: &Expr) -> usize {
    let mut used = AHashSet::new();
    locals_of(expr, &mut used);
    let is_used = |statement: &Statement| match statement {
        Statement::Generator { pattern, .. } => {
            let mut bound = Vec::new();
            bound_by(pattern, &mut bound);
            bound
                .iter()
                .any(|var| matches!(var, Var::Local(local) if used.contains(local)))
        }
        Statement::Condition(_) => false,
    };
    statements.iter().rposition(is_used).map_or(0, |i| i + 1)
}

/// `(P [] Q) [] R` has three operands: the choice is associative, τ and ✓ included.
fn external_operands<'e>(expr: &'e Expr, operands: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Process {
            operator: ProcessOp::External,
            left,
            right,
        } => {
            external_operands(left, operands);
            external_operands(right, operands);
        }
        _ => operands.push(expr),
    }
}

/// Is this the name of a built-in function?
fn is_builtin(function: &Expr) -> bool {
    matches!(function.kind, ExprKind::Var(Var::Builtin(_)))
}
