//! Short titles for processes that have no name: the expression, with what is too long left out.

use crate::evaluate::facts::Facts;
use crate::hir::{
    Expr, ExprKind, Field, FieldKind, Pattern, PatternKind, ProcessOp, ReplicatedOp, Var,
};

/// The title of a process expression.
pub(crate) fn title(facts: &Facts, expr: &Expr) -> String {
    shown(facts, expr, 2)
}

fn shown(facts: &Facts, expr: &Expr, depth: usize) -> String {
    if depth == 0 {
        return match &expr.kind {
            ExprKind::Var(_) | ExprKind::Int(_) | ExprKind::Bool(_) => shown(facts, expr, 1),
            _ => "…".to_owned(),
        };
    }
    let part = |e: &Expr| shown(facts, e, depth - 1);
    match &expr.kind {
        ExprKind::Int(i) => i.to_string(),
        ExprKind::Bool(b) => b.to_string(),
        ExprKind::Var(var) => name(facts, *var),
        ExprKind::Dot(items) => joined(items, ".", &part),
        ExprKind::Tuple(items) => format!("({})", joined(items, ", ", &part)),
        ExprKind::Apply {
            function,
            arguments,
        } => format!("{}({})", part(function), joined(arguments, ", ", &part)),
        ExprKind::Prefix {
            channel,
            fields,
            body,
            ..
        } => {
            let fields: String = fields.iter().map(|f| field(facts, f, &part)).collect();
            format!("{}{fields} -> {}", shown(facts, channel, depth), part(body))
        }
        ExprKind::Guard {
            condition, body, ..
        } => format!("{} & {}", part(condition), part(body)),
        ExprKind::If { .. } => "if …".to_owned(),
        ExprKind::Let { body, .. } => format!("let … within {}", part(body)),
        ExprKind::Process {
            operator,
            left,
            right,
        } => format!("{} {} {}", part(left), infix(operator), part(right)),
        ExprKind::Hide {
            process,
            set,
            project,
        } => format!(
            "{} {} {}",
            part(process),
            if *project { "|\\" } else { "\\" },
            part(set)
        ),
        ExprKind::Rename { process, .. } => format!("{}[[…]]", part(process)),
        ExprKind::Replicated { operator, body, .. } => {
            format!("{} … @ {}", prefix_symbol(operator), part(body))
        }
        _ => "…".to_owned(),
    }
}

fn joined(items: &[Expr], separator: &str, part: &dyn Fn(&Expr) -> String) -> String {
    items.iter().map(part).collect::<Vec<_>>().join(separator)
}

fn name(facts: &Facts, var: Var) -> String {
    let found = match var {
        Var::Global(id) => facts.global_names.get(id.0 as usize),
        Var::Local(id) => facts.local_names.get(id.0 as usize),
        Var::Builtin(builtin) => return builtin.name().to_owned(),
    };
    found.map_or_else(|| "_".to_owned(), ToString::to_string)
}

fn field(facts: &Facts, field: &Field, part: &dyn Fn(&Expr) -> String) -> String {
    let input = |symbol: char, pattern: &Pattern, set: &Option<Expr>| {
        let variable = match &pattern.kind {
            PatternKind::Variable(var) => name(facts, *var),
            PatternKind::Wildcard => "_".to_owned(),
            _ => "…".to_owned(),
        };
        match set {
            Some(set) => format!("{symbol}{variable}:{}", part(set)),
            None => format!("{symbol}{variable}"),
        }
    };
    match &field.kind {
        FieldKind::Output(value) => format!("!{}", part(value)),
        FieldKind::Input { pattern, set } => input('?', pattern, set),
        FieldKind::Choice { pattern, set } => input('$', pattern, set),
    }
}

fn infix(operator: &ProcessOp) -> &'static str {
    match operator {
        ProcessOp::External => "[]",
        ProcessOp::Internal => "|~|",
        ProcessOp::Sliding => "[>",
        ProcessOp::Interrupt => "/\\",
        ProcessOp::Sequence => ";",
        ProcessOp::Interleave => "|||",
        ProcessOp::Parallel(_) => "[|…|]",
        ProcessOp::Alphabetised(..) => "[…||…]",
        ProcessOp::Exception(_) => "[|…|>",
        ProcessOp::SyncExternal(_) => "[+…+]",
        ProcessOp::SyncInterrupt(_) => "/+…+\\",
        ProcessOp::Linked { .. } => "[…<->…]",
    }
}

fn prefix_symbol(operator: &ReplicatedOp) -> &'static str {
    match operator {
        ReplicatedOp::External => "[]",
        ReplicatedOp::Internal => "|~|",
        ReplicatedOp::Interleave => "|||",
        ReplicatedOp::Parallel(_) => "[|…|]",
        ReplicatedOp::Alphabetised(_) => "||",
        ReplicatedOp::SyncExternal(_) => "[+…+]",
        ReplicatedOp::Sequence => ";",
        ReplicatedOp::Linked { .. } => "[…<->…]",
    }
}
