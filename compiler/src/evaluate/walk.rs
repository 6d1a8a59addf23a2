//! Walking over resolved expressions.

use ahash::AHashSet;

use crate::hir::{
    CollectionBody, Expr, ExprKind, FieldKind, LocalDefinition, LocalId, Pattern, PatternKind,
    ProcessOp, ReplicatedOp, Statement, Var,
};

/// Calls `visit` for every direct part of an expression, in the order of the text.
pub(crate) fn each_part<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    match &expr.kind {
        ExprKind::Int(_)
        | ExprKind::Bool(_)
        | ExprKind::Char(_)
        | ExprKind::String(_)
        | ExprKind::Var(_)
        | ExprKind::TimedStop { .. }
        | ExprKind::TimedSkip { .. }
        | ExprKind::Error => {}
        ExprKind::Tuple(items) | ExprKind::Dot(items) => items.iter().for_each(visit),
        ExprKind::Collection {
            body, statements, ..
        } => {
            match body {
                CollectionBody::Items(items) => items.iter().for_each(&mut *visit),
                CollectionBody::Range { from, to } => {
                    visit(from);
                    to.iter().for_each(|to| visit(to));
                }
            }
            each_statement(statements, visit);
        }
        ExprKind::Map(entries) => each_pair(entries, visit),
        ExprKind::Let { definitions, body } => {
            for definition in definitions {
                match definition {
                    LocalDefinition::Function { function, .. } => {
                        function.clauses.iter().for_each(|c| visit(&c.body));
                    }
                    LocalDefinition::Bind { binding, .. } => visit(&binding.value),
                }
            }
            visit(body);
        }
        ExprKind::If {
            condition,
            then,
            otherwise,
        } => [condition, then, otherwise]
            .into_iter()
            .for_each(|e| visit(e)),
        ExprKind::Lambda { body, .. } => visit(body),
        ExprKind::Apply {
            function,
            arguments,
        } => {
            visit(function);
            arguments.iter().for_each(visit);
        }
        ExprKind::Unary { operand, .. } => visit(operand),
        ExprKind::Binary { left, right, .. } => {
            visit(left);
            visit(right);
        }
        ExprKind::Guard {
            condition, body, ..
        } => {
            visit(condition);
            visit(body);
        }
        ExprKind::TimedWait { duration, .. } => visit(duration),
        _ => each_process_part(expr, visit),
    }
}

fn each_process_part<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    match &expr.kind {
        ExprKind::Prefix {
            channel,
            fields,
            body,
            timing,
        } => {
            visit(channel);
            for field in fields {
                match &field.kind {
                    FieldKind::Output(value) => visit(value),
                    FieldKind::Input { set, .. } | FieldKind::Choice { set, .. } => {
                        set.iter().for_each(&mut *visit);
                    }
                }
            }
            visit(body);
            if let Some(duration) = timing.as_ref().and_then(|t| t.duration.as_ref()) {
                visit(duration);
            }
        }
        ExprKind::Process {
            operator,
            left,
            right,
        } => {
            visit(left);
            match operator {
                ProcessOp::Parallel(set)
                | ProcessOp::Exception(set)
                | ProcessOp::SyncExternal(set)
                | ProcessOp::SyncInterrupt(set) => visit(set),
                ProcessOp::Alphabetised(first, second) => {
                    visit(first);
                    visit(second);
                }
                ProcessOp::Linked { pairs, statements } => {
                    each_pair(pairs, visit);
                    each_statement(statements, visit);
                }
                _ => {}
            }
            visit(right);
        }
        ExprKind::Hide { process, set, .. } => {
            visit(process);
            visit(set);
        }
        ExprKind::Rename {
            process,
            pairs,
            statements,
        } => {
            visit(process);
            each_pair(pairs, visit);
            each_statement(statements, visit);
        }
        ExprKind::Replicated {
            operator,
            statements,
            body,
            ..
        } => {
            match operator {
                ReplicatedOp::Parallel(set)
                | ReplicatedOp::Alphabetised(set)
                | ReplicatedOp::SyncExternal(set) => visit(set),
                ReplicatedOp::Linked { pairs, statements } => {
                    each_pair(pairs, visit);
                    each_statement(statements, visit);
                }
                _ => {}
            }
            each_statement(statements, visit);
            visit(body);
        }
        _ => {}
    }
}

fn each_pair<'a>(pairs: &'a [(Expr, Expr)], visit: &mut dyn FnMut(&'a Expr)) {
    for (left, right) in pairs {
        visit(left);
        visit(right);
    }
}

fn each_statement<'a>(statements: &'a [Statement], visit: &mut dyn FnMut(&'a Expr)) {
    for statement in statements {
        match statement {
            Statement::Generator { source, .. } => visit(source),
            Statement::Condition(condition) => visit(condition),
        }
    }
}

/// Adds every local variable that occurs in an expression, bound inside it or not.
pub(crate) fn locals_of(expr: &Expr, found: &mut AHashSet<LocalId>) {
    if let ExprKind::Var(Var::Local(local)) = &expr.kind {
        found.insert(*local);
    }
    each_part(expr, &mut |part| locals_of(part, found));
}

/// The variables a pattern binds.
pub(crate) fn bound_by(pattern: &Pattern, found: &mut Vec<Var>) {
    match &pattern.kind {
        PatternKind::Variable(var) => found.push(*var),
        PatternKind::Tuple(parts) | PatternKind::Dot(parts) => {
            parts.iter().for_each(|p| bound_by(p, found));
        }
        PatternKind::Sequence { front, rest, back } => {
            front.iter().for_each(|p| bound_by(p, found));
            rest.iter().for_each(|p| bound_by(p, found));
            back.iter().for_each(|p| bound_by(p, found));
        }
        PatternKind::SingletonSet(part) => bound_by(part, found),
        PatternKind::Both(left, right) => {
            bound_by(left, found);
            bound_by(right, found);
        }
        _ => {}
    }
}
