//! The wording of warnings about what is probably not meant so.

use csp_grammar::{Diagnostic, Span};

use super::codes;

pub(super) fn unused_channel(name: &str, span: Span) -> Diagnostic {
    let text = format!("the channel `{name}` is never used");
    Diagnostic::warning(codes::UNUSED_CHANNEL, span, text)
        .help("remove it, or let a process do its events")
}

pub(super) fn constant_input(span: Span) -> Diagnostic {
    let text = "this input takes one value only and binds nothing";
    Diagnostic::warning(codes::CONSTANT_INPUT, span, text)
        .help("write `!` or `.` for a value that is given; a variable needs a name that is not a constructor or channel")
}

pub(super) fn repeated_assertion(span: Span, earlier: Span) -> Diagnostic {
    Diagnostic::warning(
        codes::REPEATED_ASSERTION,
        span,
        "this assertion was made before",
    )
    .label(earlier, "here")
    .help("remove one of them, or change what it claims")
}

pub(super) fn false_guard(span: Span) -> Diagnostic {
    Diagnostic::warning(codes::FALSE_GUARD, span, "this guard is never true")
        .help("`false & P` is STOP")
}

pub(super) fn empty_choice(span: Span) -> Diagnostic {
    let text = "this choice has no alternatives";
    Diagnostic::warning(codes::EMPTY_CHOICE, span, text)
        .help("`[]` over an empty set is STOP, `|~|` over one is an error")
}
