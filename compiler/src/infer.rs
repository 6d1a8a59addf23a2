//! Type inference over a resolved program: Hindley–Milner with constraints and dot types, as FDR4's
//! front end does it (libcspm; Gibson-Robinson).
//!
//! Definitions are inferred in groups that use one another, those needed first coming first. Only
//! whole groups are made general; names bound by `let` are general only if annotated. An error in a
//! group is reported, its definitions get a type that agrees with everything, and the others go on.

mod builtins;
mod codes;
mod constraints;
mod datatypes;
mod declarations;
mod dot_equality;
mod dots;
mod expressions;
mod lets;
mod messages;
mod patterns;
mod prefixes;
mod print;
mod processes;
mod report;
mod schemes;
mod types;
mod unify;
mod words;

use crate::hir::{Builtin, Expr, GlobalId, LocalId, Program};
use ahash::{AHashMap, AHashSet};
use csp_grammar::{Diagnostic, Span};
use print::Printer;
use schemes::Names;
use types::{TypeId, TypeTable};

pub use codes::CODES;

/// The types of all definitions of a program.
#[derive(Clone, Debug)]
pub struct Types {
    table: TypeTable,
    globals: Vec<Inferred>,
    /// Printed once, because questions come often.
    schemes: Vec<String>,
    locals: Vec<Option<TypeId>>,
}

/// What is known of a definition.
#[derive(Clone, Copy, Debug)]
struct Inferred {
    id: TypeId,
    /// Whether it has variables to replace at each use.
    general: bool,
}

impl Types {
    /// The type of a definition as scripts write it; `?` if it was in error.
    #[must_use]
    pub fn scheme(&self, global: GlobalId) -> String {
        let scheme = self.schemes.get(global.0 as usize);
        scheme.map_or_else(|| "?".to_owned(), Clone::clone)
    }

    /// The type of a variable that a pattern, a parameter or a `let` binds; `?` if it was in error.
    #[must_use]
    pub fn local(&self, program: &Program, local: LocalId) -> String {
        let Some(id) = self.locals.get(local.0 as usize).copied().flatten() else {
            return "?".to_owned();
        };
        Printer::new(&mut self.table.clone(), program, &[]).scheme(id)
    }

    /// The type of a built-in.
    #[must_use]
    pub fn builtin(builtin: Builtin) -> &'static str {
        builtins::signature(builtin)
    }

    /// Whether a definition is a process without parameters.
    #[must_use]
    pub fn is_process(&self, global: GlobalId) -> bool {
        self.schemes
            .get(global.0 as usize)
            .is_some_and(|s| s == "Proc")
    }
}

/// Infers the types of all definitions, and checks the assertions and prints.
#[must_use]
pub fn infer(program: &Program) -> (Types, Vec<Diagnostic>) {
    let mut inference = Inference::new(program, TypeTable::new(), Vec::new());
    inference.infer_globals();
    inference.infer_assertions();
    let schemes = inference.print_schemes();
    let globals = inference
        .globals
        .iter()
        .map(|known| known.unwrap_or(Inferred::ERROR))
        .collect();
    let annotated = std::mem::take(&mut inference.annotated_locals);
    let mut locals = std::mem::take(&mut inference.locals);
    for (local, id) in annotated {
        locals[local.0 as usize] = Some(id);
    }
    let types = Types {
        table: inference.table,
        globals,
        schemes,
        locals,
    };
    (types, inference.diagnostics)
}

/// Infers the type of one further expression, as for `csp eval`: the type as scripts write it.
#[must_use]
pub fn infer_expression(
    program: &Program,
    types: &Types,
    expr: &Expr,
) -> (String, Vec<Diagnostic>) {
    let globals = types.globals.iter().copied().map(Some).collect();
    let mut inference = Inference::new(program, types.table.clone(), globals);
    let id = inference.infer(expr);
    inference.settle_at(id, expr.span);
    inference.table.generalise(id);
    let text = Printer::new(&mut inference.table, program, &[]).scheme(id);
    (text, inference.diagnostics)
}

impl Inferred {
    const ERROR: Self = Self {
        id: TypeTable::ERROR,
        general: false,
    };
}

/// A comparison of values of a datatype whose fields were not known yet.
struct Comparison<'p> {
    datatype: GlobalId,
    span: Span,
    definition: Option<(&'p str, Span)>,
}

/// The state of one run.
struct Inference<'p> {
    program: &'p Program,
    table: TypeTable,
    globals: Vec<Option<Inferred>>,
    builtins: AHashMap<Builtin, Inferred>,
    locals: Vec<Option<TypeId>>,
    /// General types of annotated local names; they go before `locals`.
    annotated_locals: AHashMap<LocalId, TypeId>,
    /// Names of rigid variables.
    rigid: Vec<String>,
    /// Type variables of the annotations around.
    names: Names,
    /// The definition at hand.
    definition: Option<(&'p str, Span)>,
    diagnostics: Vec<Diagnostic>,
    /// What has been said where: copies of a module repeat their errors.
    said: AHashSet<(&'static str, Span)>,
    /// Whether something is wrong with the group at hand.
    failed: bool,
    /// Datatypes compared before it was known whether they can be.
    comparisons: Vec<Comparison<'p>>,
    /// Channels and constructors that stand as patterns on their own, perhaps by mistake.
    tag_patterns: Vec<TagPattern<'p>>,
}

/// A channel or constructor as a pattern.
struct TagPattern<'p> {
    tag: GlobalId,
    span: Span,
    definition: Option<(&'p str, Span)>,
}

impl<'p> Inference<'p> {
    fn new(program: &'p Program, table: TypeTable, mut globals: Vec<Option<Inferred>>) -> Self {
        globals.resize(program.globals.len(), None);
        Self {
            program,
            table,
            globals,
            builtins: AHashMap::new(),
            locals: vec![None; program.locals.len()],
            annotated_locals: AHashMap::new(),
            rigid: Vec::new(),
            names: Names::new(),
            definition: None,
            diagnostics: Vec::new(),
            said: AHashSet::new(),
            failed: false,
            comparisons: Vec::new(),
            tag_patterns: Vec::new(),
        }
    }

    fn print_schemes(&mut self) -> Vec<String> {
        (0..self.globals.len())
            .map(|place| {
                let known = self.globals[place].unwrap_or(Inferred::ERROR);
                Printer::new(&mut self.table, self.program, &[]).scheme(known.id)
            })
            .collect()
    }
}
