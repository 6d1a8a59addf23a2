//! One walk over the resolved program. A pass that looks for something implements [`Visit`] and overrides what it is
//! about; the functions here go on into the parts.

use csp_grammar::Span;

use super::{
    Assertion, Binding, Claim, Clause, CollectionBody, Expr, ExprKind, Field, FieldKind, Global,
    GlobalId, GlobalKind, LocalDefinition, Pattern, PatternKind, ProcessOp, ReplicatedOp,
    Statement, Type, TypeKind, TypeScheme, Var,
};

/// What a walk does at each part; by default it goes on into the part.
pub trait Visit {
    /// A name that is mentioned, and where. A use that is not in the text (the `tock` of a Timed section) has the
    /// default span.
    fn name(&mut self, _: Var, _: Span) {}

    /// An expression.
    fn expr(&mut self, expr: &Expr) {
        walk_expr(self, expr);
    }

    /// A field of a prefix.
    fn field(&mut self, field: &Field) {
        walk_field(self, field);
    }
}

/// The parts of a definition.
pub fn walk_global<V: Visit + ?Sized>(visit: &mut V, global: &Global) {
    walk_annotation(visit, global.annotation.as_ref());
    match &global.kind {
        GlobalKind::Value(expr) | GlobalKind::Nametype(expr) => visit.expr(expr),
        GlobalKind::Function(function) => walk_clauses(visit, &function.clauses),
        GlobalKind::Channel { fields } => fields.iter().for_each(|e| visit.expr(e)),
        GlobalKind::Constructor {
            datatype, fields, ..
        } => {
            visit.name(Var::Global(*datatype), Span::default());
            fields.iter().for_each(|e| visit.expr(e));
        }
        GlobalKind::Datatype { constructors } => {
            constructors
                .iter()
                .for_each(|c| visit.name(Var::Global(*c), Span::default()));
        }
        GlobalKind::Subtype { datatype, clauses } => {
            visit.name(Var::Global(*datatype), Span::default());
            for (constructor, fields) in clauses {
                visit.name(Var::Global(*constructor), Span::default());
                fields.iter().for_each(|e| visit.expr(e));
            }
        }
        GlobalKind::Bound(_) | GlobalKind::Error => {}
    }
}

/// The parts of an assertion.
pub fn walk_assertion<V: Visit + ?Sized>(visit: &mut V, assertion: &Assertion) {
    match &assertion.claim {
        Claim::Refines {
            specification,
            implementation,
            ..
        } => {
            visit.expr(specification);
            visit.expr(implementation);
        }
        Claim::Property { process, .. } => visit.expr(process),
        Claim::HasTrace { process, trace, .. } => {
            visit.expr(process);
            visit.expr(trace);
        }
    }
    assertion.tau_priority.iter().for_each(|e| visit.expr(e));
}

/// The parts of a binding, apart from what it binds.
pub fn walk_binding<V: Visit + ?Sized>(visit: &mut V, binding: &Binding) {
    walk_pattern(visit, &binding.pattern);
    visit.expr(&binding.value);
}

/// The parts of a local definition.
pub fn walk_local<V: Visit + ?Sized>(visit: &mut V, definition: &LocalDefinition) {
    match definition {
        LocalDefinition::Function {
            function,
            annotation,
            ..
        } => {
            walk_annotation(visit, annotation.as_ref());
            walk_clauses(visit, &function.clauses);
        }
        LocalDefinition::Bind {
            binding,
            annotations,
        } => {
            for (_, annotation) in annotations {
                walk_annotation(visit, Some(annotation));
            }
            walk_binding(visit, binding);
        }
    }
}

fn walk_annotation<V: Visit + ?Sized>(visit: &mut V, annotation: Option<&TypeScheme>) {
    if let Some(annotation) = annotation {
        walk_type(visit, &annotation.body);
    }
}

fn walk_type<V: Visit + ?Sized>(visit: &mut V, written: &Type) {
    match &written.kind {
        TypeKind::Datatype(id) => visit.name(Var::Global(*id), written.span),
        TypeKind::Sequence(a) | TypeKind::Set(a) => walk_type(visit, a),
        TypeKind::Tuple(items) => items.iter().for_each(|t| walk_type(visit, t)),
        TypeKind::Function(items, result) => {
            items.iter().for_each(|t| walk_type(visit, t));
            walk_type(visit, result);
        }
        TypeKind::Map(a, b)
        | TypeKind::Dot(a, b)
        | TypeKind::Dotable(a, b)
        | TypeKind::Extendable(a, b) => {
            walk_type(visit, a);
            walk_type(visit, b);
        }
        _ => {}
    }
}

fn walk_clauses<V: Visit + ?Sized>(visit: &mut V, clauses: &[Clause]) {
    for clause in clauses {
        for pattern in clause.parameters.iter().flatten() {
            walk_pattern(visit, pattern);
        }
        visit.expr(&clause.body);
    }
}

/// The names that a pattern mentions, apart from those it binds.
fn walk_pattern<V: Visit + ?Sized>(visit: &mut V, pattern: &Pattern) {
    match &pattern.kind {
        PatternKind::Constructor(id) => visit.name(Var::Global(*id), pattern.span),
        PatternKind::Tuple(items) | PatternKind::Dot(items) => {
            items.iter().for_each(|p| walk_pattern(visit, p));
        }
        PatternKind::Sequence { front, rest, back } => {
            let all = front.iter().chain(rest.as_deref()).chain(back);
            all.for_each(|p| walk_pattern(visit, p));
        }
        PatternKind::SingletonSet(item) => walk_pattern(visit, item),
        PatternKind::Both(a, b) => {
            walk_pattern(visit, a);
            walk_pattern(visit, b);
        }
        _ => {}
    }
}

fn walk_statements<V: Visit + ?Sized>(visit: &mut V, statements: &[Statement]) {
    for statement in statements {
        match statement {
            Statement::Generator { pattern, source } => {
                walk_pattern(visit, pattern);
                visit.expr(source);
            }
            Statement::Condition(e) => visit.expr(e),
        }
    }
}

fn walk_pairs<V: Visit + ?Sized>(visit: &mut V, pairs: &[(Expr, Expr)]) {
    for (a, b) in pairs {
        visit.expr(a);
        visit.expr(b);
    }
}

/// The parts of a field of a prefix.
pub fn walk_field<V: Visit + ?Sized>(visit: &mut V, field: &Field) {
    match &field.kind {
        FieldKind::Output(e) => visit.expr(e),
        FieldKind::Input { pattern, set } | FieldKind::Choice { pattern, set } => {
            walk_pattern(visit, pattern);
            set.iter().for_each(|e| visit.expr(e));
        }
    }
}

/// The parts of an expression.
pub fn walk_expr<V: Visit + ?Sized>(visit: &mut V, expr: &Expr) {
    match &expr.kind {
        ExprKind::Int(_)
        | ExprKind::Bool(_)
        | ExprKind::Char(_)
        | ExprKind::String(_)
        | ExprKind::Error => {}
        ExprKind::Var(var) => visit.name(*var, expr.span),
        ExprKind::Tuple(items) | ExprKind::Dot(items) => items.iter().for_each(|e| visit.expr(e)),
        ExprKind::Collection {
            body, statements, ..
        } => {
            walk_statements(visit, statements);
            match body {
                CollectionBody::Items(items) => items.iter().for_each(|e| visit.expr(e)),
                CollectionBody::Range { from, to } => {
                    visit.expr(from);
                    to.iter().for_each(|e| visit.expr(e));
                }
            }
        }
        ExprKind::Map(pairs) => walk_pairs(visit, pairs),
        ExprKind::Let { definitions, body } => {
            definitions.iter().for_each(|d| walk_local(visit, d));
            visit.expr(body);
        }
        ExprKind::If {
            condition,
            then,
            otherwise,
        } => [condition, then, otherwise]
            .into_iter()
            .for_each(|e| visit.expr(e)),
        ExprKind::Lambda { parameters, body } => {
            parameters.iter().for_each(|p| walk_pattern(visit, p));
            visit.expr(body);
        }
        ExprKind::Apply {
            function,
            arguments,
        } => {
            visit.expr(function);
            arguments.iter().for_each(|e| visit.expr(e));
        }
        ExprKind::Unary { operand, .. } => visit.expr(operand),
        ExprKind::Binary { left, right, .. } => {
            visit.expr(left);
            visit.expr(right);
        }
        _ => walk_process(visit, expr),
    }
}

fn walk_process<V: Visit + ?Sized>(visit: &mut V, expr: &Expr) {
    match &expr.kind {
        ExprKind::Prefix {
            channel,
            fields,
            body,
            timing,
        } => {
            visit.expr(channel);
            fields.iter().for_each(|f| visit.field(f));
            visit.expr(body);
            if let Some(timing) = timing {
                visit.name(Var::Global(timing.tock), Span::default());
                timing.duration.iter().for_each(|e| visit.expr(e));
            }
        }
        ExprKind::Guard {
            condition,
            body,
            tock,
        } => {
            walk_tock(visit, *tock);
            visit.expr(condition);
            visit.expr(body);
        }
        ExprKind::Process {
            operator,
            left,
            right,
        } => {
            walk_operator(visit, operator);
            visit.expr(left);
            visit.expr(right);
        }
        ExprKind::Hide { process, set, .. } => {
            visit.expr(process);
            visit.expr(set);
        }
        ExprKind::Rename {
            process,
            pairs,
            statements,
        } => {
            visit.expr(process);
            walk_statements(visit, statements);
            walk_pairs(visit, pairs);
        }
        ExprKind::Replicated {
            operator,
            statements,
            body,
            tock,
        } => {
            walk_tock(visit, *tock);
            walk_statements(visit, statements);
            walk_replicated(visit, operator);
            visit.expr(body);
        }
        ExprKind::TimedStop { tock } | ExprKind::TimedSkip { tock } => {
            visit.name(Var::Global(*tock), Span::default());
        }
        ExprKind::TimedWait { tock, duration } => {
            visit.name(Var::Global(*tock), Span::default());
            visit.expr(duration);
        }
        _ => unreachable!("all other forms are in `walk_expr`"),
    }
}

/// The channel of a Timed section, where what stands in one differs.
fn walk_tock<V: Visit + ?Sized>(visit: &mut V, tock: Option<GlobalId>) {
    if let Some(tock) = tock {
        visit.name(Var::Global(tock), Span::default());
    }
}

fn walk_operator<V: Visit + ?Sized>(visit: &mut V, operator: &ProcessOp) {
    match operator {
        ProcessOp::Parallel(set)
        | ProcessOp::Exception(set)
        | ProcessOp::SyncExternal(set)
        | ProcessOp::SyncInterrupt(set) => visit.expr(set),
        ProcessOp::Alphabetised(left, right) => {
            visit.expr(left);
            visit.expr(right);
        }
        ProcessOp::Linked { pairs, statements } => {
            walk_statements(visit, statements);
            walk_pairs(visit, pairs);
        }
        _ => {}
    }
}

fn walk_replicated<V: Visit + ?Sized>(visit: &mut V, operator: &ReplicatedOp) {
    match operator {
        ReplicatedOp::Parallel(set)
        | ReplicatedOp::Alphabetised(set)
        | ReplicatedOp::SyncExternal(set) => visit.expr(set),
        ReplicatedOp::Linked { pairs, statements } => {
            walk_statements(visit, statements);
            walk_pairs(visit, pairs);
        }
        _ => {}
    }
}
