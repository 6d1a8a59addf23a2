//! Which names a definition mentions, and where. Types are inferred in the order of these uses, and editors
//! go from one to the other. A use that is not in the text (the `tock` of a Timed section) has no place:
//! its span is the default one.

use csp_grammar::Span;

use crate::hir::visit::{self, Visit};
use crate::hir::{Assertion, Binding, Expr, Global, LocalDefinition, Var};

/// Passes every name on.
struct Uses<'a>(&'a mut dyn FnMut(Var, Span));

impl Visit for Uses<'_> {
    fn name(&mut self, var: Var, span: Span) {
        (self.0)(var, span);
    }
}

/// Calls `use_of` for every name a definition mentions.
pub fn uses_of_global(global: &Global, use_of: &mut dyn FnMut(Var, Span)) {
    visit::walk_global(&mut Uses(use_of), global);
}

/// Calls `use_of` for every name a binding mentions, apart from those it binds.
pub fn uses_of_binding(binding: &Binding, use_of: &mut dyn FnMut(Var, Span)) {
    visit::walk_binding(&mut Uses(use_of), binding);
}

/// Calls `use_of` for every name an assertion mentions.
pub fn uses_of_assertion(assertion: &Assertion, use_of: &mut dyn FnMut(Var, Span)) {
    visit::walk_assertion(&mut Uses(use_of), assertion);
}

/// Calls `use_of` for every name a local definition mentions.
pub fn uses_of_local(definition: &LocalDefinition, use_of: &mut dyn FnMut(Var, Span)) {
    visit::walk_local(&mut Uses(use_of), definition);
}

/// Calls `use_of` for every name an expression mentions, local ones included.
pub fn uses_of_expr(expr: &Expr, use_of: &mut dyn FnMut(Var, Span)) {
    Uses(use_of).expr(expr);
}
