//! Names and scopes: turns the tree of a script into a [`Program`] in which every name is a number.
//!
//! Work goes in two steps. *Collecting* walks the declarations, gives every definition its number
//! and notes what is left to do as a `Job`; instances of modules are copied in the course of it.
//! *Running the jobs* then resolves the right-hand sides, when every name is known. So definitions
//! may come in any order, and the whole takes time linear in the text and the copies it asks for.

mod codes;
mod collect;
mod definitions;
mod expressions;
mod imports;
mod instance_cycles;
mod lets;
mod messages;
mod modules;
mod names;
mod one_line;
mod patterns;
mod processes;
mod scope;
pub mod spelling;
mod timed;
mod types;

use std::rc::Rc;

use ahash::{AHashMap, AHashSet};
use csp_grammar::source::Sources;
use csp_grammar::syntax::{self, Script};
use csp_grammar::{Diagnostic, Span};

use crate::hir::{self, Builtin, Global, GlobalId, GlobalKind, Local, LocalId, Program};
use collect::Job;
use modules::{Instance, Template};
use names::Elsewhere;
use scope::{Space, SpaceId, Variables};
use timed::{Section, SectionId, Timing};

pub use codes::CODES;
pub use scope::Scopes;

/// A constant of the script whose right-hand side is replaced: `--define NAME=EXPR`.
#[derive(Clone, Debug, PartialEq)]
pub struct Define {
    /// The constant, a plain name of the top level.
    pub name: String,
    /// What it shall be; its names are those of the script's top level.
    pub expr: syntax::Expr,
}

/// Resolves a script. Whatever is wrong with it is among the diagnostics; the program is complete
/// but for the parts concerned, which are marked as errors.
#[must_use]
pub fn resolve(
    script: &Script,
    sources: &Sources,
    defines: &[Define],
) -> (Program, Vec<Diagnostic>) {
    let mut resolver = Resolver::new(Program::default(), sources);
    resolver.program.scopes.add(Space::script());
    resolver.collect_script(&script.decls);
    resolver.expand_instances();
    resolver.replace(defines);
    resolver.run_jobs();
    resolver.check_instance_cycles();
    resolver.check_unused_modules();
    (resolver.program, resolver.diagnostics)
}

/// Resolves one further expression at the top level of a resolved script, as for `csp eval`. Its
/// variables join the locals of the program; importable built-ins need no import.
#[must_use]
pub fn resolve_expression(
    program: &mut Program,
    sources: &Sources,
    expr: &syntax::Expr,
) -> (hir::Expr, Vec<Diagnostic>) {
    let mut resolver = Resolver::new(std::mem::take(program), sources);
    if resolver.program.scopes.spaces.is_empty() {
        resolver.program.scopes.add(Space::script());
    }
    resolver.imports_everything = true;
    let expr = resolver.expr(expr);
    *program = resolver.program;
    (expr, resolver.diagnostics)
}

/// The state of one run; `'s` is the life of the tree.
struct Resolver<'s> {
    program: Program,
    sources: &'s Sources,
    diagnostics: Vec<Diagnostic>,
    /// What has been said where: copies of a module repeat their errors.
    said: AHashSet<(&'static str, Span)>,
    builtins: AHashMap<&'static str, Builtin>,
    imports_everything: bool,

    /// Where the expression at hand stands.
    space: SpaceId,
    variables: Variables<'s>,
    timing: Option<Rc<Timing>>,

    templates: Vec<Template<'s>>,
    instances: Vec<Instance<'s>>,
    /// This many of the instances have been expanded, in their order.
    expanded: usize,
    /// There were too many instances, and this has been said.
    gave_up: bool,
    /// The spaces from here on belong to copies that are only checked.
    lasting_spaces: usize,
    /// Modules that have at least one copy, by the place of their name.
    instantiated: AHashSet<Span>,
    sections: Vec<Section<'s>>,
    checked_sections: usize,
    jobs: Vec<Job<'s>>,
    annotated: AHashMap<GlobalId, Span>,

    /// For hints: names of modules by their last part, made when first needed.
    elsewhere: Option<AHashMap<String, Elsewhere>>,
    /// How many more times a misspelling is looked for.
    spelling_patience: u32,
}

/// Looking for similar names walks over everything in scope, so only the first errors get it.
const SPELLING_PATIENCE: u32 = 64;

impl<'s> Resolver<'s> {
    fn new(program: Program, sources: &'s Sources) -> Self {
        Self {
            program,
            sources,
            diagnostics: Vec::new(),
            said: AHashSet::new(),
            builtins: Builtin::ALL.iter().map(|&b| (b.name(), b)).collect(),
            imports_everything: false,
            space: SpaceId::SCRIPT,
            variables: Variables::default(),
            timing: None,
            templates: Vec::new(),
            instances: Vec::new(),
            expanded: 0,
            gave_up: false,
            lasting_spaces: usize::MAX,
            instantiated: AHashSet::new(),
            sections: Vec::new(),
            checked_sections: 0,
            jobs: Vec::new(),
            annotated: AHashMap::new(),
            elsewhere: None,
            spelling_patience: SPELLING_PATIENCE,
        }
    }

    /// Adds a diagnostic, once for each code and place.
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.said.insert((diagnostic.code, diagnostic.span)) {
            self.diagnostics.push(diagnostic);
        }
    }

    fn new_local(&mut self, name: &str, span: Span) -> LocalId {
        self.program.locals.push(Local {
            name: name.to_owned(),
            span,
        });
        let index = self.program.locals.len() - 1;
        LocalId(u32::try_from(index).expect("fewer than 2^32 variables"))
    }

    fn new_global(&mut self, space: SpaceId, name: &str, span: Span, kind: GlobalKind) -> GlobalId {
        let path = &self.program.scopes.get(space).path;
        self.program.globals.push(Global {
            name: format!("{path}{name}"),
            span,
            kind,
            annotation: None,
        });
        let index = self.program.globals.len() - 1;
        GlobalId(u32::try_from(index).expect("fewer than 2^32 definitions"))
    }

    fn global(&self, id: GlobalId) -> &Global {
        &self.program.globals[id.0 as usize]
    }

    fn global_mut(&mut self, id: GlobalId) -> &mut Global {
        &mut self.program.globals[id.0 as usize]
    }

    /// Channels and constructors match themselves in patterns.
    fn is_constructor(&self, id: GlobalId) -> bool {
        matches!(
            self.global(id).kind,
            GlobalKind::Channel { .. } | GlobalKind::Constructor { .. }
        )
    }

    /// Does something at the place of a definition: in its space, inside its Timed section.
    fn at<T>(
        &mut self,
        space: SpaceId,
        section: Option<SectionId>,
        action: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let timing = section.map(|section| self.timing_of(section));
        let outer_space = std::mem::replace(&mut self.space, space);
        let outer_timing = std::mem::replace(&mut self.timing, timing);
        let result = action(self);
        self.space = outer_space;
        self.timing = outer_timing;
        result
    }

    /// Does something that binds variables and forgets them afterwards.
    fn scoped<T>(&mut self, action: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.variables.mark();
        let result = action(self);
        self.variables.forget(mark);
        result
    }
}
