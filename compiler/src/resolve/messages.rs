//! Everything this phase says to the user.

use csp_grammar::syntax::{Ident, QName};
use csp_grammar::{Diagnostic, Span};

use super::codes;
use super::spelling::did_you_mean;
use crate::hir::{Builtin, Import};

/// `M::x` as written.
pub(super) fn written(name: &QName) -> String {
    let parts: Vec<&str> = name.parts.iter().map(|part| part.text.as_str()).collect();
    parts.join("::")
}

/// Something bound twice, and the two places.
pub(super) fn duplicate(name: &Ident, first: Span) -> Diagnostic {
    Diagnostic::error(
        codes::DUPLICATE,
        name.span,
        format!("`{}` is defined more than once in this scope", name.text),
    )
    .note("defined again here")
    .label(first, "first defined here")
}

pub(super) fn clauses_apart(name: &Ident, first: Span) -> Diagnostic {
    Diagnostic::error(
        codes::CLAUSES_APART,
        name.span,
        format!("the clauses of `{}` do not stand together", name.text),
    )
    .note("more clauses here")
    .label(first, "the first clause is here")
    .help("move the clauses next to each other, with nothing between them")
}

pub(super) fn clauses_in_two_files(name: &Ident, first: Span) -> Diagnostic {
    Diagnostic::error(
        codes::CLAUSES_IN_TWO_FILES,
        name.span,
        format!("the clauses of `{}` stand in different files", name.text),
    )
    .note("more clauses here")
    .label(first, "the first clause is here")
}

pub(super) fn clause_arity(
    name: &Ident,
    first: Span,
    expected: &[usize],
    found: &[usize],
) -> Diagnostic {
    Diagnostic::error(
        codes::CLAUSE_ARITY,
        name.span,
        format!("the clauses of `{}` take different arguments", name.text),
    )
    .note(format!("this clause takes {}", arities(found)))
    .label(first, format!("the first takes {}", arities(expected)))
}

/// `2 arguments, then 1`.
fn arities(lists: &[usize]) -> String {
    let mut text = String::new();
    for (place, &count) in lists.iter().enumerate() {
        if place == 0 {
            text.push_str(&arguments(count));
        } else {
            text.push_str(&format!(", then {count}"));
        }
    }
    text
}

fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        n => format!("{n} arguments"),
    }
}

pub(super) fn repeated_variable(name: &Ident, first: Span) -> Diagnostic {
    Diagnostic::error(
        codes::REPEATED_VARIABLE,
        name.span,
        format!("the variable `{}` is bound twice", name.text),
    )
    .note("bound again here")
    .label(first, "first bound here")
    .help("give the second a name of its own and compare the two with `==`")
}

pub(super) fn annotation_alone(name: &Ident) -> Diagnostic {
    Diagnostic::error(
        codes::ANNOTATION_ALONE,
        name.span,
        format!("`{}` has a type here but no definition", name.text),
    )
    .note("nothing of this name is defined in this scope")
    .help("an annotation stands in the same scope as the definition it is about")
}

pub(super) fn second_annotation(name: &Ident, first: Span) -> Diagnostic {
    Diagnostic::error(
        codes::SECOND_ANNOTATION,
        name.span,
        format!("`{}` has two type annotations", name.text),
    )
    .note("annotated again here")
    .label(first, "first annotated here")
}

pub(super) fn constraint_of_other(constraint: &Ident, variable: &Ident) -> Diagnostic {
    Diagnostic::error(
        codes::NOT_A_TYPE_VARIABLE,
        variable.span,
        format!(
            "`{}` constrains `{}`, which is not a variable of the type",
            constraint.text, variable.text
        ),
    )
    .help("constrain a type variable that stands to the right of the `=>`")
}

pub(super) fn extends_no_variable(span: Span) -> Diagnostic {
    Diagnostic::error(
        codes::NOT_A_TYPE_VARIABLE,
        span,
        "the left side of `=>*` is not a type variable",
    )
    .help("write `a =>* Event` for something that fields can make an event of")
}

pub(super) fn unknown_constraint(name: &Ident) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        codes::UNKNOWN_CONSTRAINT,
        name.span,
        format!("there is no constraint `{}`", name.text),
    );
    if name.text == "Inputable" {
        diagnostic.help("`Inputable` is now called `Complete`")
    } else {
        diagnostic.help("the constraints are Eq, Ord, Set, Complete and Yieldable")
    }
}

pub(super) fn not_a_type(span: Span, name: &str, kind: &str) -> Diagnostic {
    Diagnostic::error(
        codes::NOT_A_TYPE,
        span,
        format!("`{name}` is {kind}, not a type"),
    )
    .help("types are Int, Bool, Char, Proc, Event, datatypes, and what is built from them")
}

pub(super) fn unknown_import(name: &Ident, help: Option<String>) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(
        codes::UNKNOWN_IMPORT,
        name.span,
        format!("there is no built-in function `{}` to import", name.text),
    );
    diagnostic.help = help;
    diagnostic
}

pub(super) fn wrong_import(name: &Ident, builtin: Builtin) -> Diagnostic {
    let (message, help) = match builtin.import() {
        Import::Timed => (
            "exists only inside Timed sections, and needs no import there",
            None,
        ),
        Import::External => (
            "is imported with `external`, not with `transparent`",
            Some(format!("external {}", builtin.name())),
        ),
        Import::Transparent => (
            "is imported with `transparent`, not with `external`",
            Some(format!("transparent {}", builtin.name())),
        ),
        Import::Always | Import::Either => ("is always in scope and is not imported", None),
    };
    let mut diagnostic = Diagnostic::error(
        codes::WRONG_IMPORT,
        name.span,
        format!("`{}` {message}", name.text),
    );
    diagnostic.help = help;
    diagnostic
}

pub(super) fn not_imported(span: Span, builtin: Builtin) -> Diagnostic {
    let keyword = match builtin.import() {
        Import::External => "external",
        _ => "transparent",
    };
    Diagnostic::error(
        codes::NOT_IMPORTED,
        span,
        format!("`{}` is used but not imported", builtin.name()),
    )
    .help(format!("add the line `{keyword} {}`", builtin.name()))
}

pub(super) fn only_timed(span: Span, builtin: Builtin) -> Diagnostic {
    Diagnostic::error(
        codes::ONLY_TIMED,
        span,
        format!("`{}` exists only inside a Timed section", builtin.name()),
    )
    .help("put the definition that uses it inside `Timed { … }`")
}

pub(super) fn unknown_name(span: Span, name: &str, help: Option<String>) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(
        codes::UNKNOWN_NAME,
        span,
        format!("there is nothing called `{name}` here"),
    )
    .note("not in scope");
    diagnostic.help = help;
    diagnostic
}

/// What to do without a type of strings.
pub(super) const NO_STRINGS: &str = "a string is a sequence of characters, of type `<Char>`; what a channel carries must be \
     finite, so declare the words: `datatype Word = yes | no`";

/// An output of a variable that nothing binds.
pub(super) fn input_instead(name: &str) -> String {
    format!(
        "`!{name}` gives the value of `{name}`; to take a value and call it so, write `?{name}`"
    )
}

pub(super) fn unknown_member(part: &Ident, module: &str, near: &[&str]) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(
        codes::UNKNOWN_NAME,
        part.span,
        format!("there is nothing called `{}` in `{module}`", part.text),
    );
    diagnostic.help = did_you_mean(near);
    diagnostic
}

pub(super) fn private(part: &Ident, module: &str, defined: Span) -> Diagnostic {
    Diagnostic::error(
        codes::PRIVATE,
        part.span,
        format!("`{}` is private to `{module}`", part.text),
    )
    .label(defined, "defined here, above `exports`")
    .help(format!(
        "move the definition below `exports` to use it as `{module}::{}`",
        part.text
    ))
}

pub(super) fn not_a_module(part: &Ident) -> Diagnostic {
    Diagnostic::error(
        codes::NOT_A_MODULE,
        part.span,
        format!("`{}` is not a module", part.text),
    )
    .help("only names of modules and instances stand before `::`")
}

pub(super) fn module_as_value(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(
        codes::MODULE_AS_VALUE,
        span,
        format!("`{name}` is a module, not a value"),
    )
    .help(format!("write `{name}::x` for the `x` that it exports"))
}

pub(super) fn needs_instance(part: &Ident, module: &str) -> Diagnostic {
    Diagnostic::error(
        codes::NEEDS_INSTANCE,
        part.span,
        format!("the module `{module}` takes parameters, so it is used through instances only"),
    )
    .help(format!(
        "declare `instance N = {module}(…)` and write `N::…`"
    ))
}

pub(super) fn instance_arity(
    span: Span,
    module: &Ident,
    expected: usize,
    found: usize,
) -> Diagnostic {
    Diagnostic::error(
        codes::INSTANCE_ARITY,
        span,
        format!(
            "the module `{}` takes {}, but this instance gives {}",
            module.text,
            arguments(expected),
            arguments(found)
        ),
    )
    .label(module.span, "the module is declared here")
}

pub(super) fn module_in_itself(span: Span, module: &str, declared: Option<Span>) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        codes::MODULE_IN_ITSELF,
        span,
        format!("the module `{module}` uses an instance of itself"),
    )
    .help("every instance is a copy, so this would never end");
    match declared {
        Some(declared) => diagnostic.label(declared, "the module is declared here"),
        None => diagnostic,
    }
}

pub(super) fn instance_of_itself(span: Span, instance: &str) -> Diagnostic {
    Diagnostic::error(
        codes::MODULE_IN_ITSELF,
        span,
        format!("the instance `{instance}` is needed to find its own module"),
    )
}

pub(super) fn too_many_instances(span: Span, limit: usize) -> Diagnostic {
    Diagnostic::error(
        codes::TOO_MANY_INSTANCES,
        span,
        format!("the script asks for more than {limit} instances or definitions in instances"),
    )
    .note("this instance and those after it are left out")
    .help("instances inside modules multiply: every copy of a module copies its instances")
}

pub(super) fn not_in_module(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(
        codes::NOT_IN_MODULE,
        span,
        format!("{what} may not stand inside a module"),
    )
    .help("move it to the top level of the script")
}

pub(super) fn print_in_timed(span: Span) -> Diagnostic {
    Diagnostic::error(
        codes::PRINT_IN_TIMED,
        span,
        "`print` may not stand inside a Timed section",
    )
    .help("move it to the top level of the script")
}

pub(super) fn two_variable_parts(span: Span, first: Span) -> Diagnostic {
    Diagnostic::error(
        codes::TWO_VARIABLE_PARTS,
        span,
        "this pattern can split a sequence in more than one way",
    )
    .note("a second part of unknown length")
    .label(first, "the first part of unknown length")
    .help("of the parts joined by `^` at most one may be other than `<…>`")
}

pub(super) fn large_set_pattern(span: Span) -> Diagnostic {
    Diagnostic::error(
        codes::LARGE_SET_PATTERN,
        span,
        "a set pattern has at most one element",
    )
    .help("the set patterns are `{}` and `{p}`: sets have no order to match by")
}

pub(super) fn not_a_constructor(name: &QName) -> Diagnostic {
    Diagnostic::error(
        codes::NOT_A_CONSTRUCTOR,
        name.span,
        format!("`{}` is not a constructor or channel", written(name)),
    )
    .help("in a pattern a name with `::` must be a constructor or channel; variables are plain")
}

pub(super) fn late_choice(span: Span, earlier: Span) -> Diagnostic {
    Diagnostic::error(
        codes::LATE_CHOICE,
        span,
        "all `$` fields must come before any `?` or `!`",
    )
    .label(earlier, "this field comes first")
}

pub(super) fn no_tock(span: Span) -> Diagnostic {
    Diagnostic::error(
        codes::TOCK,
        span,
        "a Timed section needs the event `tock`, and nothing of that name is in scope",
    )
    .help("declare `channel tock`")
}

pub(super) fn bad_tock(span: Span, defined: Option<Span>) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        codes::TOCK,
        span,
        "`tock` must be a channel without data for a Timed section",
    )
    .help("declare `channel tock`, with no fields");
    match defined {
        Some(defined) => diagnostic.label(defined, "`tock` is defined here"),
        None => diagnostic,
    }
}

pub(super) fn not_in_timed(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(
        codes::NOT_IN_TIMED,
        span,
        format!("{what} may not be used inside a Timed section"),
    )
    .help("its meaning there is not defined; put the definition outside the section")
}

pub(super) fn not_in_subtype(span: Span, name: &QName) -> Diagnostic {
    Diagnostic::error(
        codes::NOT_IN_SUBTYPE,
        span,
        format!("`{}` is not a constructor of a datatype", written(name)),
    )
    .help("the clauses of a subtype are constructors of one datatype")
}

pub(super) fn mixed_subtype(span: Span, first: Span, name: &str) -> Diagnostic {
    Diagnostic::error(
        codes::MIXED_SUBTYPE,
        span,
        format!("the clauses of the subtype `{name}` are from different datatypes"),
    )
    .label(first, "the first clause is from another datatype")
}

pub(super) fn qualified_definition(name: &QName) -> Diagnostic {
    Diagnostic::error(
        codes::QUALIFIED_DEFINITION,
        name.span,
        format!("`{}` cannot be defined from here", written(name)),
    )
    .help("a definition has a plain name and belongs to the module it stands in")
}

pub(super) fn unknown_define(span: Span, name: &str, near: &[&str]) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(
        codes::UNKNOWN_DEFINE,
        span,
        format!("the script defines no constant `{name}` to replace"),
    );
    diagnostic.help = did_you_mean(near);
    diagnostic
}

pub(super) fn define_of_other(span: Span, name: &str, defined: Span) -> Diagnostic {
    Diagnostic::error(
        codes::DEFINE_OF_OTHER,
        span,
        format!("`{name}` is not a constant, so it cannot be replaced"),
    )
    .label(defined, "defined here")
    .help("only definitions of the form `NAME = …` at the top level can be replaced")
}
