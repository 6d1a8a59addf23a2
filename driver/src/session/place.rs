//! Names at places: from a use to its definition, to the other uses, to its type.

use csp_compiler::hir::{GlobalId, Program, Var};
use csp_compiler::infer::Types;
use csp_compiler::uses::{uses_of_assertion, uses_of_binding, uses_of_expr, uses_of_global};
use csp_grammar::Span;
use csp_grammar::source::FileId;
use serde::{Deserialize, Serialize};

use crate::report::SpanReport;
use crate::script::Script;

/// A place in a file: a character, by line and column from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The file, as reports name it.
    pub file: String,
    /// The line.
    pub line: usize,
    /// The column in characters.
    pub column: usize,
}

/// Where the name at a place is defined; `None` for what is built in.
pub(super) fn definition(script: &Script, place: &Place) -> Option<SpanReport> {
    let (name, _) = name_at(script, place)?;
    defined(&script.program, name).map(|span| script.span(span))
}

/// Where the name at a place is defined and used.
pub(super) fn references(script: &Script, place: &Place) -> Vec<SpanReport> {
    let Some((name, _)) = name_at(script, place) else {
        return Vec::new();
    };
    let mut found: Vec<Span> = Vec::new();
    each_use(&script.program, &mut |var, span| {
        if var == name {
            found.push(span);
        }
    });
    let definition = defined(&script.program, name);
    // Copies of a module use the same places of the text.
    found.retain(|span| Some(*span) != definition);
    found.sort_unstable();
    found.dedup();
    let all = definition.into_iter().chain(found);
    all.map(|span| script.span(span)).collect()
}

/// The name at a place with its type.
pub(super) fn type_of(script: &Script, place: &Place) -> Option<String> {
    let (name, _) = name_at(script, place)?;
    let program = &script.program;
    let (text, scheme) = match name {
        Var::Global(id) => {
            let global = &program.globals[id.0 as usize];
            (global.name.as_str(), script.types.scheme(id))
        }
        Var::Local(id) => {
            let local = &program.locals[id.0 as usize];
            (local.name.as_str(), script.types.local(program, id))
        }
        Var::Builtin(builtin) => (builtin.name(), Types::builtin(builtin).to_owned()),
    };
    Some(format!("{text} :: {scheme}"))
}

/// The name at a place, used or defined there.
fn name_at(script: &Script, place: &Place) -> Option<(Var, Span)> {
    let files = &script.sources().files;
    let file = files.iter().position(|file| file.name == place.file)?;
    let byte = byte_at(&files[file].text, place.line, place.column)?;
    let file = FileId(u32::try_from(file).ok()?);
    let here =
        |span: &Span| span.file == file && (span.start..=span.end).contains(&byte) && span.end > 0;
    let mut best: Option<(Var, Span)> = None;
    let mut offer = |var: Var, span: Span| {
        let shorter = |(_, other): (Var, Span)| span.end - span.start < other.end - other.start;
        if here(&span) && best.is_none_or(shorter) {
            best = Some((var, span));
        }
    };
    each_use(&script.program, &mut offer);
    let globals = script.program.globals.iter().enumerate();
    for (index, global) in globals {
        offer(Var::Global(global_id(index)), global.span);
    }
    for (index, local) in script.program.locals.iter().enumerate() {
        let id = u32::try_from(index).expect("locals are numbered by u32");
        offer(Var::Local(csp_compiler::hir::LocalId(id)), local.span);
    }
    best
}

fn global_id(index: usize) -> GlobalId {
    GlobalId(u32::try_from(index).expect("globals are numbered by u32"))
}

fn defined(program: &Program, name: Var) -> Option<Span> {
    match name {
        Var::Global(id) => Some(program.globals[id.0 as usize].span),
        Var::Local(id) => Some(program.locals[id.0 as usize].span),
        Var::Builtin(_) => None,
    }
}

/// Calls `use_of` for every name that the text of a script mentions.
fn each_use(program: &Program, use_of: &mut dyn FnMut(Var, Span)) {
    let mut written = |var, span: Span| {
        if span != Span::default() {
            use_of(var, span);
        }
    };
    let globals = program.globals.iter();
    globals.for_each(|global| uses_of_global(global, &mut written));
    let bindings = program.bindings.iter();
    bindings.for_each(|binding| uses_of_binding(binding, &mut written));
    let assertions = program.assertions.iter();
    assertions.for_each(|assertion| uses_of_assertion(assertion, &mut written));
    let prints = program.prints.iter();
    prints.for_each(|print| uses_of_expr(&print.expr, &mut written));
}

/// The byte of a character by line and column.
fn byte_at(text: &str, line: usize, column: usize) -> Option<u32> {
    let mut start = 0;
    for _ in 1..line.max(1) {
        start += text[start..].find('\n')? + 1;
    }
    let end = text[start..].find('\n').map_or(text.len(), |n| start + n);
    let within = text[start..end]
        .char_indices()
        .nth(column.saturating_sub(1));
    u32::try_from(within.map_or(end, |(byte, _)| start + byte)).ok()
}
