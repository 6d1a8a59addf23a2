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

pub(super) fn never_synchronised(
    span: Span,
    channel: &str,
    [never, does]: &[String; 2],
) -> Diagnostic {
    let text = format!("{never} never does `{channel}`, on which it synchronises with {does}");
    Diagnostic::warning(codes::NEVER_SYNCHRONISED, span, text).help(format!(
        "{does} waits there for ever; take `{channel}` out of the set, or let both do it"
    ))
}

pub(super) fn never_hidden(span: Span, process: &str, channels: &str) -> Diagnostic {
    let text = format!("{process} never does what is hidden here: `{channels}`");
    Diagnostic::warning(codes::NEVER_HIDDEN, span, text)
        .help("hide what it does, or leave the hiding out")
}

pub(super) fn left_out(span: Span, process: &str, first: &str, number: usize) -> Diagnostic {
    let more = match number {
        1 => String::new(),
        2 => " and one event more".to_owned(),
        n => format!(" and {} events more", n - 1),
    };
    let text = format!("the alphabet of {process} leaves out {first}{more}, which it can do");
    Diagnostic::warning(codes::LEFT_OUT, span, text)
        .help("what is not in its alphabet is blocked: add it, or change the process")
}

pub(super) fn allows_everything(span: Span) -> Diagnostic {
    let text = "the specification allows everything that the implementation can do";
    Diagnostic::warning(codes::ALLOWS_EVERYTHING, span, text)
        .help("this holds whatever the implementation is like: specify what it may not do")
}

pub(super) fn does_nothing(span: Span) -> Diagnostic {
    let text = "the implementation can do no visible event";
    Diagnostic::warning(codes::DOES_NOTHING, span, text)
        .help("this holds for every specification: is too much hidden?")
}
