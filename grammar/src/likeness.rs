//! Trees without what does not matter when they are compared: spans and brackets.

use crate::source::Span;
use crate::syntax::{
    Assertion, Claim, CollectionBody, Constructor, Decl, DeclKind, Expr, ExprKind, FieldKind,
    Ident, Pattern, PatternKind, ProcessOp, QName, ReplicatedOp, Script, Statement, Type, TypeKind,
};

/// The script with all spans empty and all brackets taken away, so that `==` compares what it says.
#[must_use]
pub fn bare_script(mut script: Script) -> Script {
    decls(&mut script.decls);
    script
}

/// The expression with all spans empty and all brackets taken away, so that `==` compares what it says.
#[must_use]
pub fn bare_expression(mut bare: Expr) -> Expr {
    expr(&mut bare);
    bare
}

fn ident(name: &mut Ident) {
    name.span = Span::default();
}

fn idents(names: &mut [Ident]) {
    names.iter_mut().for_each(ident);
}

fn qualified(name: &mut QName) {
    name.span = Span::default();
    idents(&mut name.parts);
}

fn decls(list: &mut [Decl]) {
    list.iter_mut().for_each(decl);
}

fn decl(decl: &mut Decl) {
    decl.span = Span::default();
    match &mut decl.kind {
        DeclKind::Bind { pattern: p, value } => {
            pattern(p);
            expr(value);
        }
        DeclKind::Clause {
            name,
            parameters,
            body,
        } => {
            ident(name);
            parameters.iter_mut().flatten().for_each(pattern);
            expr(body);
        }
        DeclKind::Annotation { names, scheme } => {
            idents(names);
            for (constraint, variable) in &mut scheme.constraints {
                ident(constraint);
                ident(variable);
            }
            r#type(&mut scheme.body);
        }
        DeclKind::Channel { names, fields } => {
            idents(names);
            fields.iter_mut().for_each(expr);
        }
        DeclKind::Datatype { name, constructors } | DeclKind::Subtype { name, constructors } => {
            ident(name);
            constructors.iter_mut().for_each(constructor);
        }
        DeclKind::Nametype { name, value } => {
            ident(name);
            expr(value);
        }
        DeclKind::External(names) | DeclKind::Transparent(names) => idents(names),
        DeclKind::Assert(claim) => assertion(claim),
        DeclKind::Print(value) => expr(value),
        DeclKind::Include { decls: list, .. } => decls(list),
        DeclKind::Module {
            name,
            parameters,
            private,
            exported,
        } => {
            ident(name);
            parameters.iter_mut().for_each(pattern);
            decls(private);
            decls(exported);
        }
        DeclKind::Instance {
            name,
            module,
            arguments,
        } => {
            ident(name);
            qualified(module);
            arguments.iter_mut().for_each(expr);
        }
        DeclKind::Timed {
            duration,
            decls: list,
        } => {
            duration.iter_mut().for_each(expr);
            decls(list);
        }
        DeclKind::Error(_) => {}
    }
}

fn constructor(constructor: &mut Constructor) {
    constructor.span = Span::default();
    qualified(&mut constructor.name);
    constructor.fields.iter_mut().for_each(expr);
}

fn assertion(assertion: &mut Assertion) {
    match &mut assertion.claim {
        Claim::Refines {
            specification,
            implementation,
            ..
        } => {
            expr(specification);
            expr(implementation);
        }
        Claim::Property { process, .. } => expr(process),
        Claim::HasTrace { process, trace, .. } => {
            expr(process);
            expr(trace);
        }
    }
    assertion.tau_priority.iter_mut().for_each(expr);
    idents(&mut assertion.pragmas);
}

fn expr(bare: &mut Expr) {
    while let ExprKind::Paren(inner) = &mut bare.kind {
        let kind = std::mem::replace(&mut inner.kind, ExprKind::Error);
        bare.kind = kind;
    }
    bare.span = Span::default();
    match &mut bare.kind {
        ExprKind::Name(name) => qualified(name),
        ExprKind::Tuple(items) => items.iter_mut().for_each(expr),
        ExprKind::Collection {
            body,
            statements: s,
            ..
        } => {
            match body {
                CollectionBody::Items(items) => items.iter_mut().for_each(expr),
                CollectionBody::Range { from, to } => {
                    expr(from);
                    to.iter_mut().for_each(|to| expr(to));
                }
            }
            s.iter_mut().for_each(|list| statements(list));
        }
        ExprKind::Map(entries) => pairs(entries),
        ExprKind::Let { decls: list, body } => {
            decls(list);
            expr(body);
        }
        ExprKind::If {
            condition,
            then,
            otherwise,
        } => {
            expr(condition);
            expr(then);
            expr(otherwise);
        }
        ExprKind::Lambda { parameters, body } => {
            parameters.iter_mut().for_each(pattern);
            expr(body);
        }
        ExprKind::Apply {
            function,
            arguments,
        } => {
            expr(function);
            arguments.iter_mut().for_each(expr);
        }
        ExprKind::Unary { operand, .. } => expr(operand),
        ExprKind::Binary { left, right, .. } | ExprKind::Dot(left, right) => {
            expr(left);
            expr(right);
        }
        kind => process(kind),
    }
}

fn process(kind: &mut ExprKind) {
    match kind {
        ExprKind::Prefix {
            channel,
            fields,
            body,
        } => {
            expr(channel);
            for field in fields {
                field.span = Span::default();
                match &mut field.kind {
                    FieldKind::Output(value) => expr(value),
                    FieldKind::Input { pattern: p, set }
                    | FieldKind::Choice { pattern: p, set } => {
                        pattern(p);
                        set.iter_mut().for_each(expr);
                    }
                }
            }
            expr(body);
        }
        ExprKind::Guard { condition, body } => {
            expr(condition);
            expr(body);
        }
        ExprKind::Process {
            operator,
            left,
            right,
        } => {
            process_operator(operator);
            expr(left);
            expr(right);
        }
        ExprKind::Hide { process, set, .. } => {
            expr(process);
            expr(set);
        }
        ExprKind::Rename {
            process,
            pairs: list,
            statements: s,
        } => {
            expr(process);
            pairs(list);
            statements(s);
        }
        ExprKind::Replicated {
            operator,
            statements: s,
            body,
        } => {
            replicated_operator(operator);
            statements(s);
            expr(body);
        }
        _ => {}
    }
}

fn process_operator(operator: &mut ProcessOp) {
    match operator {
        ProcessOp::Parallel(set)
        | ProcessOp::Exception(set)
        | ProcessOp::SyncExternal(set)
        | ProcessOp::SyncInterrupt(set) => expr(set),
        ProcessOp::Alphabetised(left, right) => {
            expr(left);
            expr(right);
        }
        ProcessOp::Linked {
            pairs: list,
            statements: s,
        } => {
            pairs(list);
            statements(s);
        }
        _ => {}
    }
}

fn replicated_operator(operator: &mut ReplicatedOp) {
    match operator {
        ReplicatedOp::Parallel(set)
        | ReplicatedOp::Alphabetised(set)
        | ReplicatedOp::SyncExternal(set) => expr(set),
        ReplicatedOp::Linked {
            pairs: list,
            statements: s,
        } => {
            pairs(list);
            statements(s);
        }
        _ => {}
    }
}

fn pairs(list: &mut [(Expr, Expr)]) {
    for (left, right) in list {
        expr(left);
        expr(right);
    }
}

fn statements(list: &mut [Statement]) {
    for statement in list {
        match statement {
            Statement::Generator { pattern: p, source } => {
                pattern(p);
                expr(source);
            }
            Statement::Condition(condition) => expr(condition),
        }
    }
}

fn pattern(bare: &mut Pattern) {
    while let PatternKind::Paren(inner) = &mut bare.kind {
        let kind = std::mem::replace(&mut inner.kind, PatternKind::Error);
        bare.kind = kind;
    }
    bare.span = Span::default();
    match &mut bare.kind {
        PatternKind::Name(name) => qualified(name),
        PatternKind::Tuple(items) | PatternKind::Sequence(items) | PatternKind::Set(items) => {
            items.iter_mut().for_each(pattern);
        }
        PatternKind::Concat(left, right)
        | PatternKind::Dot(left, right)
        | PatternKind::Both(left, right) => {
            pattern(left);
            pattern(right);
        }
        _ => {}
    }
}

fn r#type(bare: &mut Type) {
    bare.span = Span::default();
    match &mut bare.kind {
        TypeKind::Name(name) => qualified(name),
        TypeKind::Sequence(element) | TypeKind::Set(element) => r#type(element),
        TypeKind::Tuple(items) => items.iter_mut().for_each(r#type),
        TypeKind::Function(arguments, result) => {
            arguments.iter_mut().for_each(r#type);
            r#type(result);
        }
        TypeKind::Map(left, right)
        | TypeKind::Dot(left, right)
        | TypeKind::Dotable(left, right)
        | TypeKind::Extendable(left, right) => {
            r#type(left);
            r#type(right);
        }
        TypeKind::Error => {}
    }
}
