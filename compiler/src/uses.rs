//! Which names a definition mentions, and where. Types are inferred in the order of these uses, and editors
//! go from one to the other. A use that is not in the text (the `tock` of a Timed section) has no place:
//! its span is the default one.

use csp_grammar::Span;

use crate::hir::{
    Assertion, Binding, Claim, Clause, CollectionBody, Expr, ExprKind, Field, FieldKind, Global,
    GlobalId, GlobalKind, LocalDefinition, Pattern, PatternKind, ProcessOp, ReplicatedOp,
    Statement, Type, TypeKind, TypeScheme, Var,
};

/// Calls `use_of` for every name a definition mentions.
pub fn uses_of_global(global: &Global, use_of: &mut dyn FnMut(Var, Span)) {
    if let Some(annotation) = &global.annotation {
        uses_of_type(&annotation.body, use_of);
    }
    match &global.kind {
        GlobalKind::Value(e) | GlobalKind::Nametype(e) => uses_of_expr(e, use_of),
        GlobalKind::Function(function) => uses_of_clauses(&function.clauses, use_of),
        GlobalKind::Channel { fields } => fields.iter().for_each(|e| uses_of_expr(e, use_of)),
        GlobalKind::Constructor {
            datatype, fields, ..
        } => {
            use_of(Var::Global(*datatype), Span::default());
            fields.iter().for_each(|e| uses_of_expr(e, use_of));
        }
        GlobalKind::Datatype { constructors } => {
            let implied = |c: &GlobalId| use_of(Var::Global(*c), Span::default());
            constructors.iter().for_each(implied);
        }
        GlobalKind::Subtype { datatype, clauses } => {
            use_of(Var::Global(*datatype), Span::default());
            for (constructor, fields) in clauses {
                use_of(Var::Global(*constructor), Span::default());
                fields.iter().for_each(|e| uses_of_expr(e, use_of));
            }
        }
        GlobalKind::Bound(_) | GlobalKind::Error => {}
    }
}

/// Calls `use_of` for every name a binding mentions, apart from those it binds.
pub fn uses_of_binding(binding: &Binding, use_of: &mut dyn FnMut(Var, Span)) {
    uses_of_pattern(&binding.pattern, use_of);
    uses_of_expr(&binding.value, use_of);
}

/// Calls `use_of` for every name an assertion mentions.
pub fn uses_of_assertion(assertion: &Assertion, use_of: &mut dyn FnMut(Var, Span)) {
    match &assertion.claim {
        Claim::Refines {
            specification,
            implementation,
            ..
        } => {
            uses_of_expr(specification, use_of);
            uses_of_expr(implementation, use_of);
        }
        Claim::Property { process, .. } => uses_of_expr(process, use_of),
        Claim::HasTrace { process, trace, .. } => {
            uses_of_expr(process, use_of);
            uses_of_expr(trace, use_of);
        }
    }
    let over = assertion.tau_priority.iter();
    over.for_each(|set| uses_of_expr(set, use_of));
}

/// Calls `use_of` for every name a local definition mentions.
pub fn uses_of_local(definition: &LocalDefinition, use_of: &mut dyn FnMut(Var, Span)) {
    match definition {
        LocalDefinition::Function {
            function,
            annotation,
            ..
        } => {
            uses_of_annotation(annotation.as_ref(), use_of);
            uses_of_clauses(&function.clauses, use_of);
        }
        LocalDefinition::Bind {
            binding,
            annotations,
        } => {
            for (_, annotation) in annotations {
                uses_of_annotation(Some(annotation), use_of);
            }
            uses_of_binding(binding, use_of);
        }
    }
}

fn uses_of_annotation(annotation: Option<&TypeScheme>, use_of: &mut dyn FnMut(Var, Span)) {
    if let Some(annotation) = annotation {
        uses_of_type(&annotation.body, use_of);
    }
}

fn uses_of_type(written: &Type, use_of: &mut dyn FnMut(Var, Span)) {
    match &written.kind {
        TypeKind::Datatype(id) => use_of(Var::Global(*id), written.span),
        TypeKind::Sequence(a) | TypeKind::Set(a) => uses_of_type(a, use_of),
        TypeKind::Tuple(items) => items.iter().for_each(|t| uses_of_type(t, use_of)),
        TypeKind::Function(items, result) => {
            items.iter().for_each(|t| uses_of_type(t, use_of));
            uses_of_type(result, use_of);
        }
        TypeKind::Map(a, b)
        | TypeKind::Dot(a, b)
        | TypeKind::Dotable(a, b)
        | TypeKind::Extendable(a, b) => {
            uses_of_type(a, use_of);
            uses_of_type(b, use_of);
        }
        _ => {}
    }
}

fn uses_of_clauses(clauses: &[Clause], use_of: &mut dyn FnMut(Var, Span)) {
    for clause in clauses {
        for pattern in clause.parameters.iter().flatten() {
            uses_of_pattern(pattern, use_of);
        }
        uses_of_expr(&clause.body, use_of);
    }
}

fn uses_of_pattern(pattern: &Pattern, use_of: &mut dyn FnMut(Var, Span)) {
    match &pattern.kind {
        PatternKind::Constructor(id) => use_of(Var::Global(*id), pattern.span),
        PatternKind::Tuple(items) | PatternKind::Dot(items) => {
            items.iter().for_each(|p| uses_of_pattern(p, use_of));
        }
        PatternKind::Sequence { front, rest, back } => {
            let all = front.iter().chain(rest.as_deref()).chain(back);
            all.for_each(|p| uses_of_pattern(p, use_of));
        }
        PatternKind::SingletonSet(item) => uses_of_pattern(item, use_of),
        PatternKind::Both(a, b) => {
            uses_of_pattern(a, use_of);
            uses_of_pattern(b, use_of);
        }
        _ => {}
    }
}

fn uses_of_statements(statements: &[Statement], use_of: &mut dyn FnMut(Var, Span)) {
    for statement in statements {
        match statement {
            Statement::Generator { pattern, source } => {
                uses_of_pattern(pattern, use_of);
                uses_of_expr(source, use_of);
            }
            Statement::Condition(e) => uses_of_expr(e, use_of),
        }
    }
}

fn uses_of_pairs(pairs: &[(Expr, Expr)], use_of: &mut dyn FnMut(Var, Span)) {
    for (a, b) in pairs {
        uses_of_expr(a, use_of);
        uses_of_expr(b, use_of);
    }
}

fn uses_of_field(field: &Field, use_of: &mut dyn FnMut(Var, Span)) {
    match &field.kind {
        FieldKind::Output(e) => uses_of_expr(e, use_of),
        FieldKind::Input { pattern, set } | FieldKind::Choice { pattern, set } => {
            uses_of_pattern(pattern, use_of);
            set.iter().for_each(|e| uses_of_expr(e, use_of));
        }
    }
}

/// Calls `use_of` for every name an expression mentions, local ones included.
pub fn uses_of_expr(expr: &Expr, use_of: &mut dyn FnMut(Var, Span)) {
    match &expr.kind {
        ExprKind::Int(_)
        | ExprKind::Bool(_)
        | ExprKind::Char(_)
        | ExprKind::String(_)
        | ExprKind::Error => {}
        ExprKind::Var(var) => use_of(*var, expr.span),
        ExprKind::Tuple(items) | ExprKind::Dot(items) => {
            items.iter().for_each(|e| uses_of_expr(e, use_of));
        }
        ExprKind::Collection {
            body, statements, ..
        } => {
            uses_of_statements(statements, use_of);
            match body {
                CollectionBody::Items(items) => items.iter().for_each(|e| uses_of_expr(e, use_of)),
                CollectionBody::Range { from, to } => {
                    uses_of_expr(from, use_of);
                    to.iter().for_each(|e| uses_of_expr(e, use_of));
                }
            }
        }
        ExprKind::Map(pairs) => uses_of_pairs(pairs, use_of),
        ExprKind::Let { definitions, body } => {
            definitions.iter().for_each(|d| uses_of_local(d, use_of));
            uses_of_expr(body, use_of);
        }
        ExprKind::If {
            condition,
            then,
            otherwise,
        } => [condition, then, otherwise]
            .into_iter()
            .for_each(|e| uses_of_expr(e, use_of)),
        ExprKind::Lambda { parameters, body } => {
            parameters.iter().for_each(|p| uses_of_pattern(p, use_of));
            uses_of_expr(body, use_of);
        }
        ExprKind::Apply {
            function,
            arguments,
        } => {
            uses_of_expr(function, use_of);
            arguments.iter().for_each(|e| uses_of_expr(e, use_of));
        }
        ExprKind::Unary { operand, .. } => uses_of_expr(operand, use_of),
        ExprKind::Binary { left, right, .. } => {
            uses_of_expr(left, use_of);
            uses_of_expr(right, use_of);
        }
        _ => uses_of_process(expr, use_of),
    }
}

fn uses_of_process(expr: &Expr, use_of: &mut dyn FnMut(Var, Span)) {
    match &expr.kind {
        ExprKind::Prefix {
            channel,
            fields,
            body,
            timing,
        } => {
            uses_of_expr(channel, use_of);
            fields.iter().for_each(|f| uses_of_field(f, use_of));
            uses_of_expr(body, use_of);
            if let Some(timing) = timing {
                use_of(Var::Global(timing.tock), Span::default());
                timing.duration.iter().for_each(|e| uses_of_expr(e, use_of));
            }
        }
        ExprKind::Guard {
            condition,
            body,
            tock,
        } => {
            uses_of_tock(*tock, use_of);
            uses_of_expr(condition, use_of);
            uses_of_expr(body, use_of);
        }
        ExprKind::Process {
            operator,
            left,
            right,
        } => {
            uses_of_operator(operator, use_of);
            uses_of_expr(left, use_of);
            uses_of_expr(right, use_of);
        }
        ExprKind::Hide { process, set, .. } => {
            uses_of_expr(process, use_of);
            uses_of_expr(set, use_of);
        }
        ExprKind::Rename {
            process,
            pairs,
            statements,
        } => {
            uses_of_expr(process, use_of);
            uses_of_statements(statements, use_of);
            uses_of_pairs(pairs, use_of);
        }
        ExprKind::Replicated {
            operator,
            statements,
            body,
            tock,
        } => {
            uses_of_tock(*tock, use_of);
            uses_of_statements(statements, use_of);
            uses_of_replicated(operator, use_of);
            uses_of_expr(body, use_of);
        }
        ExprKind::TimedStop { tock } | ExprKind::TimedSkip { tock } => {
            use_of(Var::Global(*tock), Span::default());
        }
        ExprKind::TimedWait { tock, duration } => {
            use_of(Var::Global(*tock), Span::default());
            uses_of_expr(duration, use_of);
        }
        _ => unreachable!("all other forms are in `uses_of_expr`"),
    }
}

/// The channel of a Timed section, where what stands in one differs.
fn uses_of_tock(tock: Option<GlobalId>, use_of: &mut dyn FnMut(Var, Span)) {
    if let Some(tock) = tock {
        use_of(Var::Global(tock), Span::default());
    }
}

fn uses_of_operator(operator: &ProcessOp, use_of: &mut dyn FnMut(Var, Span)) {
    match operator {
        ProcessOp::Parallel(set)
        | ProcessOp::Exception(set)
        | ProcessOp::SyncExternal(set)
        | ProcessOp::SyncInterrupt(set) => uses_of_expr(set, use_of),
        ProcessOp::Alphabetised(left, right) => {
            uses_of_expr(left, use_of);
            uses_of_expr(right, use_of);
        }
        ProcessOp::Linked { pairs, statements } => {
            uses_of_statements(statements, use_of);
            uses_of_pairs(pairs, use_of);
        }
        _ => {}
    }
}

fn uses_of_replicated(operator: &ReplicatedOp, use_of: &mut dyn FnMut(Var, Span)) {
    match operator {
        ReplicatedOp::Parallel(set)
        | ReplicatedOp::Alphabetised(set)
        | ReplicatedOp::SyncExternal(set) => uses_of_expr(set, use_of),
        ReplicatedOp::Linked { pairs, statements } => {
            uses_of_statements(statements, use_of);
            uses_of_pairs(pairs, use_of);
        }
        _ => {}
    }
}
