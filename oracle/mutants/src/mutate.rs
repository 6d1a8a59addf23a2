//! Faults in source text, all of them at once, each asleep until its number is called.
//!
//! Every place that can be got wrong in a small way becomes a choice between what was written and
//! the fault: `a < b` becomes `if crate::mutant::on(7) { a <= b } else { a < b }`. So the program is
//! built once, and which fault it has is said when it is run. (Mutant schemata: Untch, Offutt, Harrold
//! 1993.)
//!
//! The faults are those that are usual: operators exchanged, negations dropped, conditions negated, arms
//! of `match` never taken, guards always or never true, and functions that return at once with a simple
//! value. Code for tests, constants and the arguments of macros are left alone.

use std::collections::HashSet;

use proc_macro2::Span;
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, parse_quote};

/// One fault.
#[derive(Clone, Debug)]
pub(crate) struct Mutant {
    /// Its number, from 1.
    pub(crate) id: u32,
    /// Where it is.
    pub(crate) file: String,
    /// On which line of the file as it was written.
    pub(crate) line: usize,
    /// In which function.
    pub(crate) function: String,
    /// What is wrong.
    pub(crate) what: String,
}

/// Puts faults into files.
pub(crate) struct Mutator<'a> {
    /// Numbers whose faults do not compile.
    pub(crate) unviable: &'a HashSet<u32>,
    /// All faults so far.
    pub(crate) mutants: Vec<Mutant>,
    next: u32,
    file: String,
    functions: Vec<String>,
}

impl<'a> Mutator<'a> {
    /// No faults yet.
    pub(crate) fn new(unviable: &'a HashSet<u32>) -> Self {
        Self {
            unviable,
            mutants: Vec::new(),
            next: 1,
            file: String::new(),
            functions: Vec::new(),
        }
    }

    /// The text of a file with its faults in it.
    pub(crate) fn file(&mut self, name: &str, text: &str) -> syn::Result<String> {
        let mut tree = syn::parse_file(text)?;
        name.clone_into(&mut self.file);
        self.visit_file_mut(&mut tree);
        Ok(prettyplease::unparse(&tree))
    }

    /// The number of a new fault, unless it is one that does not compile.
    fn note(&mut self, span: Span, what: String) -> Option<u32> {
        let id = self.next;
        self.next += 1;
        if self.unviable.contains(&id) {
            return None;
        }
        self.mutants.push(Mutant {
            id,
            file: self.file.clone(),
            line: span.start().line,
            function: self.functions.last().cloned().unwrap_or_default(),
            what,
        });
        Some(id)
    }

    fn operators(&mut self, expr: &mut Expr) {
        let Expr::Binary(original) = expr.clone() else {
            unreachable!("the caller has seen a binary operator");
        };
        let chained = has_let(expr);
        visit_mut::visit_expr_mut(self, expr);
        if chained {
            return;
        }
        for other in others(&original.op) {
            let shown = |op: &BinOp| op.to_token_stream().to_string();
            let what = format!("{} for {}", shown(&other), shown(&original.op));
            if let Some(id) = self.note(original.op.span(), what) {
                let (left, right) = (&original.left, &original.right);
                *expr = parse_quote!(
                    (if crate::mutant::on(#id) { (#left) #other (#right) } else { #expr })
                );
            }
        }
    }

    fn condition(&mut self, cond: &mut Expr) {
        if let Some(id) = self.note(cond.span(), "condition negated".to_owned()) {
            *cond = parse_quote!(((#cond) ^ crate::mutant::on(#id)));
        }
    }

    fn body(&mut self, signature: &syn::Signature, block: &mut syn::Block) {
        let name = signature.ident.to_string();
        if signature.constness.is_some() {
            return;
        }
        self.functions.push(name);
        let written = block.stmts.iter().map(|s| s.to_token_stream().to_string());
        let written: String = written.collect();
        visit_mut::visit_block_mut(self, block);
        let mut early: Vec<syn::Stmt> = Vec::new();
        for value in values(&signature.output) {
            // To return what the function returns anyway is no fault.
            if !value.is_empty() && value.to_string() == written {
                continue;
            }
            let what = if value.is_empty() {
                "nothing done".to_owned()
            } else {
                format!("returns {value}")
            };
            if let Some(id) = self.note(signature.ident.span(), what) {
                early.push(parse_quote!(if crate::mutant::on(#id) { return #value; }));
            }
        }
        early.append(&mut block.stmts);
        block.stmts = early;
        self.functions.pop();
    }
}

impl VisitMut for Mutator<'_> {
    fn visit_item_const_mut(&mut self, _: &mut syn::ItemConst) {}
    fn visit_item_static_mut(&mut self, _: &mut syn::ItemStatic) {}
    fn visit_impl_item_const_mut(&mut self, _: &mut syn::ImplItemConst) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
    fn visit_pat_mut(&mut self, _: &mut syn::Pat) {}
    fn visit_attribute_mut(&mut self, _: &mut syn::Attribute) {}

    fn visit_expr_repeat_mut(&mut self, node: &mut syn::ExprRepeat) {
        self.visit_expr_mut(&mut node.expr);
    }

    fn visit_item_mod_mut(&mut self, node: &mut syn::ItemMod) {
        if !is_for_tests(&node.attrs) {
            visit_mut::visit_item_mod_mut(self, node);
        }
    }

    fn visit_item_fn_mut(&mut self, node: &mut syn::ItemFn) {
        if !is_for_tests(&node.attrs) {
            let signature = node.sig.clone();
            self.body(&signature, &mut node.block);
        }
    }

    fn visit_impl_item_fn_mut(&mut self, node: &mut syn::ImplItemFn) {
        if !is_for_tests(&node.attrs) {
            let signature = node.sig.clone();
            self.body(&signature, &mut node.block);
        }
    }

    fn visit_expr_if_mut(&mut self, node: &mut syn::ExprIf) {
        let plain = is_plain(&node.cond);
        visit_mut::visit_expr_if_mut(self, node);
        if plain {
            self.condition(&mut node.cond);
        }
    }

    fn visit_expr_while_mut(&mut self, node: &mut syn::ExprWhile) {
        let plain = is_plain(&node.cond);
        visit_mut::visit_expr_while_mut(self, node);
        if plain {
            self.condition(&mut node.cond);
        }
    }

    fn visit_expr_match_mut(&mut self, node: &mut syn::ExprMatch) {
        visit_mut::visit_expr_match_mut(self, node);
        let last_is_open = node
            .arms
            .last()
            .is_some_and(|arm| arm.guard.is_none() && takes_all(&arm.pat));
        let count = node.arms.len();
        for (i, arm) in node.arms.iter_mut().enumerate() {
            if let Some((_, guard)) = &mut arm.guard {
                if has_let(guard) {
                    continue;
                }
                let shown = guard.span();
                if let Some(id) = self.note(shown, "guard true".to_owned()) {
                    **guard = parse_quote!((crate::mutant::on(#id) || #guard));
                }
                if let Some(id) = self.note(shown, "guard false".to_owned()) {
                    **guard = parse_quote!((!crate::mutant::on(#id) && #guard));
                }
            } else if last_is_open && i + 1 < count {
                let what = format!("no arm {}", arm.pat.to_token_stream());
                if let Some(id) = self.note(arm.pat.span(), what) {
                    let guard: Expr = parse_quote!(!crate::mutant::on(#id));
                    arm.guard = Some((Default::default(), Box::new(guard)));
                }
            }
        }
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Binary(_) => self.operators(expr),
            Expr::Unary(node) if matches!(node.op, syn::UnOp::Not(_)) => {
                let (span, inner) = (node.span(), node.expr.clone());
                visit_mut::visit_expr_mut(self, expr);
                if let Some(id) = self.note(span, "no negation".to_owned()) {
                    *expr = parse_quote!((if crate::mutant::on(#id) { #inner } else { #expr }));
                }
            }
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }
}

/// Whether a condition is one that has no operator to be mistaken.
fn is_plain(cond: &Expr) -> bool {
    matches!(
        cond,
        Expr::Call(_) | Expr::MethodCall(_) | Expr::Path(_) | Expr::Field(_) | Expr::Macro(_)
    )
}

/// Whether an expression is a chain with `let` in it, which can stand nowhere else.
fn has_let(expr: &Expr) -> bool {
    struct Found(bool);
    impl<'ast> Visit<'ast> for Found {
        fn visit_expr_let(&mut self, _: &'ast syn::ExprLet) {
            self.0 = true;
        }
        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
        fn visit_block(&mut self, _: &'ast syn::Block) {}
    }
    let mut found = Found(false);
    found.visit_expr(expr);
    found.0
}

/// Whether a pattern is `_` or a variable. (A name with a capital is a value.)
fn takes_all(pattern: &syn::Pat) -> bool {
    match pattern {
        syn::Pat::Wild(_) => true,
        syn::Pat::Ident(name) => {
            let first = name.ident.to_string().chars().next();
            name.subpat.is_none() && first.is_some_and(char::is_lowercase)
        }
        _ => false,
    }
}

fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    let text = |a: &syn::Attribute| a.meta.to_token_stream().to_string();
    attributes
        .iter()
        .map(text)
        .any(|t| t == "test" || t.contains("cfg (test"))
}

/// What an operator may be mistaken for.
fn others(op: &BinOp) -> Vec<BinOp> {
    let list = |ops: &[&str]| {
        ops.iter()
            .map(|o| syn::parse_str(o).expect("an operator"))
            .collect()
    };
    match op {
        BinOp::Eq(_) => list(&["!="]),
        BinOp::Ne(_) => list(&["=="]),
        BinOp::Lt(_) => list(&["<=", ">"]),
        BinOp::Le(_) => list(&["<", ">"]),
        BinOp::Gt(_) => list(&[">=", "<"]),
        BinOp::Ge(_) => list(&[">", "<"]),
        BinOp::And(_) => list(&["||"]),
        BinOp::Or(_) => list(&["&&"]),
        BinOp::Add(_) => list(&["-"]),
        BinOp::Sub(_) => list(&["+"]),
        BinOp::Mul(_) => list(&["+"]),
        BinOp::Div(_) => list(&["*"]),
        BinOp::Rem(_) => list(&["/"]),
        BinOp::BitAnd(_) => list(&["|"]),
        BinOp::BitOr(_) => list(&["&"]),
        BinOp::BitXor(_) => list(&["|"]),
        BinOp::Shl(_) => list(&[">>"]),
        BinOp::Shr(_) => list(&["<<"]),
        BinOp::AddAssign(_) => list(&["-="]),
        BinOp::SubAssign(_) => list(&["+="]),
        BinOp::BitAndAssign(_) => list(&["|="]),
        BinOp::BitOrAssign(_) => list(&["&="]),
        _ => Vec::new(),
    }
}

/// Simple values of a type that a function may return at once.
fn values(output: &syn::ReturnType) -> Vec<proc_macro2::TokenStream> {
    let syn::ReturnType::Type(_, given) = output else {
        return vec![quote!()];
    };
    let text = given.to_token_stream().to_string().replace(' ', "");
    let (outer, inner) = match text.split_once('<') {
        Some((outer, inner)) => (outer, inner.trim_end_matches('>')),
        None => (text.as_str(), ""),
    };
    match outer {
        "bool" => vec![quote!(true), quote!(false)],
        "u8" | "u16" | "u32" | "u64" | "usize" => vec![quote!(0), quote!(1)],
        "Option" => vec![quote!(None)],
        "Vec" => vec![quote!(Vec::new())],
        "EventSet" => vec![quote!(EventSet::empty())],
        "Outcome" | "Result" if inner.starts_with("()") => vec![quote!(Ok(()))],
        "Outcome" | "Result" if inner.starts_with("bool") => {
            vec![quote!(Ok(true)), quote!(Ok(false))]
        }
        "Outcome" | "Result" if inner.starts_with("Vec<") => vec![quote!(Ok(Vec::new()))],
        "Outcome" | "Result" if inner.starts_with("Option<") => vec![quote!(Ok(None))],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::Mutator;

    #[test]
    fn every_place_has_its_faults() {
        let text = "fn f(a: u32, b: u32) -> bool { if a < b && !g(a) { return h(); } true }\n\
                    fn always() -> bool { true }\n\
                    #[cfg(test)] mod tests { fn k() -> bool { true } }";
        let none = HashSet::new();
        let mut mutator = Mutator::new(&none);
        let out = mutator.file("f.rs", text).expect("it parses");
        let what: Vec<&str> = mutator.mutants.iter().map(|m| m.what.as_str()).collect();
        assert_eq!(
            what,
            [
                "<= for <",
                "> for <",
                "no negation",
                "|| for &&",
                "returns true",
                "returns false",
                "returns false"
            ]
        );
        assert!(out.contains("crate::mutant::on(4"));
        let skipped = HashSet::from([1]);
        let mut mutator = Mutator::new(&skipped);
        let out = mutator.file("f.rs", text).expect("it parses");
        assert!(!out.contains("on(1u32)") && mutator.mutants[0].id == 2);
    }
}
