//! The wording of this phase.

use super::codes;
use crate::hir::Constraint;
use csp_grammar::{Diagnostic, Span};

/// Why a type is expected somewhere.
#[derive(Clone, Copy, Debug)]
pub(super) enum Why<'p> {
    /// An operator takes this kind of thing.
    Operand(&'static str, &'static str),
    /// After `if`, before `&`, in a list of generators.
    Condition,
    /// The ends of a range.
    Range,
    /// As in the first branch.
    Branch(Span),
    /// As in the first element.
    Element(Span),
    /// As on the left of a comparison.
    Compared(Span),
    /// The n-th argument, from 1, of a function with a name and a definition.
    Argument(usize, Option<(&'p str, Option<Span>)>),
    /// A process is needed.
    Process,
    /// A set of events is needed.
    EventSet,
    /// The event of a prefix.
    Event,
    /// What renaming and linking relate.
    Channel,
    /// As on the left of a pair.
    Pair(Span),
    /// An element of `{| … |}`.
    Enumerated,
    /// As the annotation says.
    Annotation(Span),
    /// As an earlier clause gives.
    Clause(Span),
    /// The value of a binding, as its pattern takes it.
    Pattern(Span),
    /// The elements drawn from.
    Drawn(Span),
    /// A set of values, in `?x:S`.
    InputSet,
    /// The claim of an assertion.
    Trace,
    /// The duration function of a Timed section.
    Duration,
    /// What fields are drawn from.
    FieldSet,
    /// What a channel or constructor takes.
    Dotted,
    /// Another use of the same definition.
    Definition,
}

impl Why<'_> {
    fn note(self) -> String {
        match self {
            Self::Operand(operator, kind) => format!("`{operator}` takes {kind}"),
            Self::Condition => "a condition is a Bool".into(),
            Self::Range => "ranges are ranges of integers".into(),
            Self::Branch(_) => "both branches must have one type".into(),
            Self::Element(_) => "all elements must have one type".into(),
            Self::Compared(_) => "both sides must have one type".into(),
            Self::Argument(place, Some((name, _))) => format!("argument {place} of `{name}`"),
            Self::Argument(place, None) => format!("argument {place}"),
            Self::Process => "a process is needed here".into(),
            Self::EventSet => "a set of events is needed here".into(),
            Self::Event => "an event is needed before `->`".into(),
            Self::Channel => "a channel or an event is needed here".into(),
            Self::Pair(_) => "both sides must lack the same fields".into(),
            Self::Enumerated => {
                "`{| … |}` takes channels, constructors, and what they become with fields".into()
            }
            Self::Annotation(_) => "the annotation says otherwise".into(),
            Self::Clause(_) => "all clauses must have one type".into(),
            Self::Pattern(_) => "the pattern does not fit the value".into(),
            Self::Drawn(_) => "this pattern does not fit what is drawn".into(),
            Self::InputSet => "the values of an input come from a set".into(),
            Self::Trace => "a trace is a sequence of events".into(),
            Self::Duration => "the duration function is of type (Event) -> Int".into(),
            Self::FieldSet => "fields are given by sets".into(),
            Self::Dotted => "a dotted value does not fit together".into(),
            Self::Definition => "this is at odds with how it is used".into(),
        }
    }

    fn label(self, expected: &str) -> Option<(Span, String)> {
        match self {
            Self::Branch(span)
            | Self::Element(span)
            | Self::Compared(span)
            | Self::Pair(span)
            | Self::Pattern(span) => Some((span, format!("this is {expected}"))),
            Self::Argument(_, Some((name, Some(span)))) => {
                Some((span, format!("`{name}` is defined here")))
            }
            Self::Annotation(span) => Some((span, "annotated here".into())),
            Self::Clause(span) => Some((span, "an earlier clause".into())),
            Self::Drawn(span) => Some((span, format!("elements of this are {expected}"))),
            _ => None,
        }
    }
}

fn explain(diagnostic: Diagnostic, why: Why<'_>, expected: &str) -> Diagnostic {
    let diagnostic = diagnostic.note(why.note());
    match why.label(expected) {
        Some((span, text)) => diagnostic.label(span, text),
        None => diagnostic,
    }
}

/// `inner` are the parts that differ, if they are not the whole.
pub(super) fn mismatch(
    span: Span,
    expected: &str,
    found: &str,
    inner: Option<(String, String)>,
    why: Why<'_>,
) -> Diagnostic {
    let text = match inner {
        Some((e, f)) if e != expected || f != found => {
            format!("expected {expected}, found {found} ({e} is not {f})")
        }
        _ => format!("expected {expected}, found {found}"),
    };
    explain(
        Diagnostic::error(codes::MISMATCH, span, text),
        why,
        expected,
    )
}

/// Two things in words; `expected` is the type that the first has.
pub(super) fn unlike(
    span: Span,
    things: &(String, String),
    expected: &str,
    why: Why<'_>,
) -> Diagnostic {
    let text = format!("expected {}, found {}", things.0, things.1);
    explain(
        Diagnostic::error(codes::MISMATCH, span, text),
        why,
        expected,
    )
}

/// A thing that lacks fields beside what is expected, both in words.
pub(super) fn incomplete(
    span: Span,
    things: &[String; 2],
    expected: &str,
    why: Why<'_>,
) -> Diagnostic {
    let text = format!(
        "fields are missing: expected {}, found {}",
        things[0], things[1]
    );
    explain(
        Diagnostic::error(codes::INCOMPLETE, span, text),
        why,
        expected,
    )
}

pub(super) fn rigid(span: Span, variable: &str, needed: &str, why: Why<'_>) -> Diagnostic {
    let text = format!("the annotation allows any type for `{variable}`, but this needs {needed}");
    explain(Diagnostic::error(codes::RIGID, span, text), why, variable)
}

pub(super) fn split(span: Span, pattern: &str, value: &str) -> Diagnostic {
    let text = format!("the pattern of type {pattern} cannot take apart a value of type {value}");
    Diagnostic::error(codes::SPLIT, span, text)
        .note("which fields this has depends on its constructor")
        .help("write the constructor or channel in the pattern, as in `c.x`")
}

pub(super) fn arguments(span: Span, takes: usize, given: usize, name: Option<&str>) -> Diagnostic {
    let plural = |n: usize| if n == 1 { "argument" } else { "arguments" };
    let name = name.map_or("this function".into(), |n| format!("`{n}`"));
    let text = format!(
        "{name} takes {takes} {}, but {given} are given",
        plural(takes)
    );
    Diagnostic::error(
        codes::ARGUMENTS,
        span,
        text.replace("but 1 are", "but 1 is"),
    )
}

pub(super) fn not_a_function(span: Span, found: &str) -> Diagnostic {
    let text = format!("this is called, but it is {found}, not a function");
    Diagnostic::error(codes::NOT_A_FUNCTION, span, text)
}

/// `whole` is the type of which `lacking` is a part.
pub(super) fn constraint(
    span: Span,
    whole: &str,
    lacking: &str,
    constraint: Constraint,
) -> Diagnostic {
    let text = match constraint {
        Constraint::Eq => format!("values of type {whole} cannot be compared"),
        Constraint::Ord => format!("values of type {whole} have no order"),
        Constraint::Set => format!("values of type {whole} cannot be elements of a set"),
        Constraint::Complete => format!("fields are missing: {whole} is not complete"),
        Constraint::Yieldable => format!("{whole} is not an event or a value of a datatype"),
    };
    let code = match constraint {
        Constraint::Complete => codes::INCOMPLETE,
        _ => codes::CONSTRAINT,
    };
    let diagnostic = Diagnostic::error(code, span, text);
    let reason = match constraint {
        Constraint::Eq => "processes and functions are not comparable",
        Constraint::Ord => {
            "only Int, Char, sets, sequences, and tuples and maps of these are ordered"
        }
        Constraint::Set => "functions cannot be elements of sets",
        Constraint::Complete | Constraint::Yieldable => "",
    };
    if whole == lacking {
        diagnostic.note(reason)
    } else {
        diagnostic.note(format!("because it contains {lacking}"))
    }
}

pub(super) fn rigid_constraint(span: Span, variable: &str, lacking: Constraint) -> Diagnostic {
    let text = format!("`{variable}` of the annotation may be a type without {lacking:?}");
    Diagnostic::error(codes::RIGID, span, text)
        .help(format!("add the constraint: `{lacking:?} {variable} => …`"))
}

pub(super) fn infinite(span: Span, variable: &str, within: &str) -> Diagnostic {
    let text = format!("infinite type: `{variable}` would be {within}");
    Diagnostic::error(codes::INFINITE, span, text)
}

pub(super) fn field(
    span: Span,
    head: Option<&(String, Span)>,
    expected: &str,
    found: &str,
) -> Diagnostic {
    let of = head.map_or(String::new(), |(name, _)| format!(" of `{name}`"));
    let text = format!("field{of}: expected {expected}, found {found}");
    declared(Diagnostic::error(codes::FIELD, span, text), head)
}

/// `greedy` is an input whose last variable took all fields of a constructor; an event is `untyped` if
/// its channel carries no values at all.
pub(super) fn too_many_fields(
    span: Span,
    head: Option<&(String, Span)>,
    greedy: Option<Span>,
    untyped: bool,
) -> Diagnostic {
    let of = head.map_or("the event".into(), |(name, _)| format!("`{name}`"));
    let text = format!("too many fields: {of} is complete without this one");
    let diagnostic = declared(Diagnostic::error(codes::TOO_MANY_FIELDS, span, text), head);
    match greedy {
        Some(pattern) => diagnostic
            .label(
                pattern,
                "the last variable takes all that is left of the constructor",
            )
            .help("give each field of the constructor its variable here, as in `?Tag.x.y`"),
        None if untyped => diagnostic.help(UNTYPED),
        None => diagnostic,
    }
}

fn declared(diagnostic: Diagnostic, head: Option<&(String, Span)>) -> Diagnostic {
    match head {
        Some((name, span)) => diagnostic.label(*span, format!("`{name}` is declared here")),
        None => diagnostic,
    }
}

pub(super) fn tag_as_pattern(
    diagnostic: Diagnostic,
    name: &str,
    is_channel: bool,
    pattern: Span,
    declared: Span,
) -> Diagnostic {
    let kind = if is_channel { "channel" } else { "constructor" };
    let diagnostic = if diagnostic.span == pattern {
        diagnostic
    } else {
        diagnostic.label(pattern, format!("not a variable: `{name}` is a {kind}"))
    };
    diagnostic
        .label(declared, format!("`{name}` is a {kind}"))
        .help(format!(
            "as a pattern, `{name}` matches only the {kind} itself; give the variable another name"
        ))
}

/// `found` is what it is in words, perhaps a tuple.
pub(super) fn drawn_from(
    span: Span,
    found: &str,
    is_tuple: bool,
    wanted_set: bool,
    operator: &str,
) -> Diagnostic {
    let (wanted, help) = if is_tuple {
        (
            "set or sequence",
            "brackets make a tuple; a set is written `{1, 2}`, a sequence `<1, 2>`",
        )
    } else if wanted_set {
        ("set", "turn the sequence into a set with `set(…)`")
    } else {
        ("sequence", "turn the set into a sequence with `seq(…)`")
    };
    let text = format!("{operator} draws from a {wanted}, but this is {found}");
    Diagnostic::error(codes::DRAWN_FROM, span, text).help(help)
}

pub(super) fn ambiguous(span: Span, name: &str, found: &str) -> Diagnostic {
    let text = format!("the type of a field of `{name}` is not known: {found}");
    Diagnostic::error(codes::AMBIGUOUS, span, text).help("annotate it, as in `c :: Int=>Event`")
}

pub(super) fn field_set(span: Span, name: &str, found: &str, lacking: Constraint) -> Diagnostic {
    let reason = match lacking {
        Constraint::Complete => "is not complete",
        _ => "cannot be compared",
    };
    let text = format!("`{name}` cannot have a field of type {found}, which {reason}");
    Diagnostic::error(codes::FIELD_SET, span, text)
}

pub(super) fn subtype_fields(span: Span, name: &str) -> Diagnostic {
    let text = format!("`{name}` has more fields here than in its datatype");
    Diagnostic::error(codes::SUBTYPE, span, text)
}

pub(super) fn subtype_field(span: Span, name: &str, expected: &str, found: &str) -> Diagnostic {
    let text = format!("field of `{name}`: expected {expected}, found {found}");
    Diagnostic::error(codes::SUBTYPE, span, text)
}

pub(super) fn escaped(span: Span, variable: &str) -> Diagnostic {
    let text =
        format!("the type depends on `{variable}`, which an annotation inside promises to be any");
    Diagnostic::error(codes::RIGID, span, text)
}

pub(super) fn too_large(span: Span, name: &str) -> Diagnostic {
    let text = format!("the type of `{name}` is too large");
    Diagnostic::error(codes::TOO_LARGE, span, text)
        .help("annotate what it uses with types without variables")
}

/// The trap of precedence.
pub(super) const DOT_COMPARISON: &str =
    "`.` binds looser than comparison: `a.b == c.d` is `a.(b == c).d`; write `(a.b) == (c.d)`";

/// A channel in the place of its events.
pub(super) const ENUMERATE: &str =
    "a set of events is written `{a, b}`, all events of a channel `{| c |}`";

/// `n < 2 -> P`.
pub(super) const GUARD: &str = "a condition guards a process with `&`, as in `n < 2 & P`";

/// `P -> Q`.
pub(super) const SEQUENCE: &str =
    "`->` stands after an event; one process after another is written `P ; Q`";

/// `a -> b`.
pub(super) const LAST_EVENT: &str =
    "a process follows the last event: `e -> STOP`, or `e -> SKIP` if it ends well";

/// A function where a process is needed.
pub(super) fn call(name: Option<&str>, count: usize) -> String {
    let plural = if count == 1 { "argument" } else { "arguments" };
    let name = name.unwrap_or("it");
    let places = vec!["…"; count].join(", ");
    format!("`{name}` takes {count} {plural}: write `{name}({places})`")
}

/// A channel without a type that is given values.
const UNTYPED: &str =
    "a channel that carries values is declared with their type, as in `channel c : {0..3}`";

/// A prefix whose event lacks fields.
pub(super) fn missing_fields(
    span: Span,
    head: Option<&(String, Span)>,
    needed: usize,
    given: usize,
    missing: &str,
) -> Diagnostic {
    let name = head.map_or("the event".to_owned(), |(name, _)| format!("`{name}`"));
    let values = |n: usize| {
        if n == 1 {
            "1 value".to_owned()
        } else {
            format!("{n} values")
        }
    };
    let are = if given == 1 { "is" } else { "are" };
    let text = format!("{name} needs {}, {given} {are} given", values(needed));
    declared(Diagnostic::error(codes::INCOMPLETE, span, text), head)
        .note(format!("what is missing: {missing}"))
        .help("`c!x` gives a value, `c?x` takes any")
}

pub(super) fn in_definition(diagnostic: Diagnostic, name: &str, span: Span) -> Diagnostic {
    if diagnostic.span == span {
        return diagnostic;
    }
    diagnostic.label(span, format!("in the definition of `{name}`"))
}
