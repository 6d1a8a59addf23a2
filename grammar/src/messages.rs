//! Everything the lexer and the parser can say, one function per message. The codes are explained in [`crate::codes`].

use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// A character that begins no token.
pub(crate) fn strange_character(character: char, span: Span) -> Diagnostic {
    let message = if character.is_control() {
        format!(
            "the character U+{:04X} has no meaning here",
            u32::from(character)
        )
    } else {
        format!("the character `{character}` has no meaning here")
    };
    let diagnostic = Diagnostic::error("E0101", span, message);
    match plain_for(character) {
        Some(plain) => diagnostic.help(format!("it looks like `{plain}`; write that")),
        None => diagnostic,
    }
}

/// What was probably meant by a character that editors like to put in.
fn plain_for(character: char) -> Option<&'static str> {
    Some(match character {
        '‘' | '’' | '´' => "'",
        '“' | '”' | '«' | '»' => "\"",
        '–' | '—' | '−' => "-",
        '→' => "->",
        '←' => "<-",
        '≤' => "<=",
        '≥' => ">=",
        '≠' => "!=",
        '□' => "[]",
        '⊓' => "|~|",
        '⟨' => "<",
        '⟩' => ">",
        '…' => "..",
        '\u{a0}' => " ",
        '∧' => "and",
        '∨' => "or",
        '¬' => "not",
        _ => return None,
    })
}

/// `{-` that is never closed.
pub(crate) fn unclosed_comment(span: Span) -> Diagnostic {
    Diagnostic::error("E0102", span, "this comment is never closed")
        .note("opened here")
        .help("block comments nest: each `{-` needs its own `-}`; a set that begins with a negative number is written `{ -1 }`")
}

/// `//` or `/* */`.
pub(crate) fn foreign_comment(span: Span) -> Diagnostic {
    Diagnostic::error("E0132", span, "this does not begin a comment in CSPm")
        .help("a comment begins with `--` and ends with its line, or stands between `{-` and `-}`")
}

/// A string that does not end on its line.
pub(crate) fn unclosed_string(span: Span) -> Diagnostic {
    Diagnostic::error("E0103", span, "this string does not end on its line")
        .help("close it with `\"`; a line end inside a string is written `\\n`")
}

/// An integer beyond 64 bits.
pub(crate) fn integer_too_large(span: Span) -> Diagnostic {
    Diagnostic::error("E0104", span, "this integer is too large")
        .help(format!("integers go up to {}", i64::MAX))
}

/// A word processor's file.
pub(crate) fn rich_text(span: Span) -> Diagnostic {
    Diagnostic::error("E0105", span, "this is a rich text file, not a script")
        .help("save it again as plain text")
}

/// `(|` without a space.
pub(crate) fn map_without_space(span: Span) -> Diagnostic {
    Diagnostic::error("E0106", span, "a map opens with `(|` and a space")
        .help("write `(| key => value |)`")
}

/// An unknown text in `:[…]`.
pub(crate) fn unknown_property(text: &str, span: Span) -> Diagnostic {
    let shown: String = text.chars().take(40).collect();
    Diagnostic::error("E0107", span, format!("there is no property or option `{shown}`")).help(
        "known are `deadlock free`, `divergence free`, `deterministic`, `has trace` (each with a model such as `[F]`), \
         and the options `tau priority over` and `partial order reduce`",
    )
}

/// `:[` without `]`.
pub(crate) fn unclosed_property(span: Span) -> Diagnostic {
    Diagnostic::error("E0108", span, "this `:[` is not closed on its line")
        .help("write `]` after the property")
}

/// A file that spans cannot address.
pub(crate) fn file_too_large(span: Span) -> Diagnostic {
    Diagnostic::error("E0109", span, "this file is larger than 4 GiB")
}

/// A pragma comment that belongs to nothing.
pub(crate) fn stray_pragma(span: Span) -> Diagnostic {
    Diagnostic::warning(
        "W0101",
        span,
        "this `--@` comment is not followed by an assertion",
    )
    .help("it has an effect only directly above `assert`")
}

/// The parser met something it could not use.
pub(crate) fn unexpected(found: &str, expected: &str, span: Span) -> Diagnostic {
    Diagnostic::error("E0110", span, format!("expected {expected}, found {found}"))
}

/// A bracket without its partner.
pub(crate) fn unclosed(span: Span) -> Diagnostic {
    Diagnostic::error("E0111", span, "this bracket is never closed")
        .note("opened here")
        .help("a line may end inside brackets only where the expression clearly goes on, for instance after an operator or a comma")
}

/// `let` without `within`.
pub(crate) fn let_without_within(span: Span) -> Diagnostic {
    Diagnostic::error("E0112", span, "this `let` has no `within`")
        .help("write `let … within …`; the value follows `within`")
}

/// `P [|A|] Q [|B|] R`.
pub(crate) fn parallel_chain(first: Span, second: Span) -> Diagnostic {
    Diagnostic::error(
        "E0113",
        second,
        "parallel operators cannot follow each other without brackets",
    )
    .label(first, "the other one")
    .help("write `(P [|A|] Q) [|B|] R` or `P [|A|] (Q [|B|] R)`")
}

/// `a < b < c`.
pub(crate) fn comparison_chain(first: Span, second: Span) -> Diagnostic {
    Diagnostic::error(
        "E0114",
        second,
        "these operators cannot follow each other without brackets",
    )
    .label(first, "the other one")
    .help("compare twice, as in `a < b and b < c`")
}

/// An expression where a pattern must stand.
pub(crate) fn not_a_pattern(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error("E0115", span, format!("{what} cannot be a pattern")).help(
        "patterns are names, `_`, literals, tuples, sequences, `{}`, `{p}`, and `.`, `^` and `@@` between patterns",
    )
}

/// `_` as a value.
pub(crate) fn wildcard_outside_pattern(span: Span) -> Diagnostic {
    Diagnostic::error("E0116", span, "`_` has a meaning only in a pattern")
}

/// `@@` between values.
pub(crate) fn both_outside_pattern(span: Span) -> Diagnostic {
    Diagnostic::error("E0117", span, "`@@` has a meaning only in a pattern")
}

/// `c?p@@q`.
pub(crate) fn both_in_field(span: Span) -> Diagnostic {
    Diagnostic::error(
        "E0117",
        span,
        "`@@` is not allowed in the field of a prefix",
    )
}

/// `c?x` without `->`.
pub(crate) fn loose_field(span: Span) -> Diagnostic {
    Diagnostic::error(
        "E0118",
        span,
        "`?`, `!` and `$` have a meaning only before `->`",
    )
    .help("a prefix has the form `c?x!y -> P`; an event is written with dots: `c.x.y`")
}

/// `:` where no set can be given.
pub(crate) fn misplaced_colon(span: Span) -> Diagnostic {
    Diagnostic::error("E0119", span, "this `:` belongs to no generator, input or channel")
        .help("`x : S` stands in a comprehension or replicated operator, `c?x:S -> P` in a prefix; a type annotation is written `x :: Int`")
}

/// A declaration in the wrong place.
pub(crate) fn not_allowed_in(what: &str, place: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "E0120",
        span,
        format!("{what} cannot be declared in {place}"),
    )
    .help("move it to the top level of the script")
}

/// A left-hand side that is neither a pattern nor a function.
pub(crate) fn undefinable(span: Span) -> Diagnostic {
    Diagnostic::error("E0121", span, "only a name can be defined as a function")
        .help("write `f(x)(y) = …`")
}

/// `:[has trace]:` or `:[tau priority]:` and nothing after it.
pub(crate) fn missing_after_directive(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error("E0122", span, format!("{what} must follow"))
}

/// Text after a property that takes no argument.
pub(crate) fn after_property(span: Span) -> Diagnostic {
    Diagnostic::error(
        "E0122",
        span,
        "nothing can follow this property but options",
    )
}

/// An assertion that has options only.
pub(crate) fn option_without_claim(span: Span) -> Diagnostic {
    Diagnostic::error(
        "E0123",
        span,
        "this assertion has an option but claims nothing",
    )
    .help("put `Spec [T= Impl` or `P :[deadlock free]` before the option")
}

/// Two properties in one assertion.
pub(crate) fn second_claim(span: Span) -> Diagnostic {
    Diagnostic::error("E0123", span, "an assertion claims one thing").help("write two assertions")
}

/// The same option twice.
pub(crate) fn repeated_option(span: Span) -> Diagnostic {
    Diagnostic::error("E0123", span, "this option was given already")
}

/// `()` as a type.
pub(crate) fn empty_tuple_type(span: Span) -> Diagnostic {
    Diagnostic::error("E0124", span, "`()` is a list of arguments, not a type")
        .help("a function without arguments has a type such as `() -> Int`")
}

/// `module` without `endmodule`.
pub(crate) fn module_without_end(span: Span) -> Diagnostic {
    Diagnostic::error("E0125", span, "this module has no `endmodule`")
}

/// A module that exports nothing.
pub(crate) fn module_without_exports(span: Span) -> Diagnostic {
    Diagnostic::error("E0125", span, "this module has no `exports`")
        .help("what can be used from outside stands between `exports` and `endmodule`")
}

/// `module M()`.
pub(crate) fn empty_parameters(span: Span) -> Diagnostic {
    Diagnostic::error("E0125", span, "the parameters of a module cannot be empty")
        .help("leave the brackets out")
}

/// `exports` or `endmodule` by itself.
pub(crate) fn outside_module(span: Span) -> Diagnostic {
    Diagnostic::error("E0125", span, "there is no module here")
}

/// A declaration that would make too tall a tree.
pub(crate) fn nested_too_deeply(span: Span) -> Diagnostic {
    Diagnostic::error("E0126", span, "this declaration is nested too deeply")
        .help("split it, or replace a long chain by a replicated operator or a recursive function")
}

/// `include` without a quoted path.
pub(crate) fn invalid_include(span: Span) -> Diagnostic {
    Diagnostic::error("E0127", span, "this include directive has no file")
        .help("write `include \"file.csp\"` on a line of its own")
}

/// A file that could not be read.
pub(crate) fn missing_file(path: &str, reason: &str, span: Span) -> Diagnostic {
    Diagnostic::error("E0128", span, format!("cannot read `{path}`: {reason}"))
        .help("paths are taken from the folder of the root script")
}

/// A file that includes itself.
pub(crate) fn include_cycle(path: &str, span: Span) -> Diagnostic {
    Diagnostic::error("E0129", span, format!("`{path}` is being read already"))
        .note("this include makes a circle")
}

/// Includes that multiply.
pub(crate) fn too_many_includes(span: Span) -> Diagnostic {
    Diagnostic::error("E0130", span, "too many includes")
}

/// The rest of a long list.
pub(crate) fn too_many_mistakes(rest: usize, span: Span) -> Diagnostic {
    Diagnostic::error(
        "E0131",
        span,
        format!("{rest} further mistakes in this file are not shown"),
    )
}
