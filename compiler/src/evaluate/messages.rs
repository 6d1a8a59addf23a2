//! Everything evaluation has to say to the user, and the table of its codes.

use csp_grammar::{Diagnostic, Span};

/// What is wrong, boxed because results are passed through every step of evaluation.
pub type Failure = Box<Diagnostic>;

/// Code, title, explanation.
pub const CODES: &[(&str, &str, &str)] = &[
    (
        "E0401",
        "no clause matches",
        "A function was called with arguments that none of its clauses covers, or a pattern on the \
         left of `=` does not fit the value. `f(0) = 1` alone fails for `f(2)`.",
    ),
    (
        "E0402",
        "integer overflow",
        "Integers have 64 bits. A result outside that range is an error, never a wrong number.",
    ),
    (
        "E0403",
        "division by zero",
        "The right-hand side of `/` or `%` was 0.",
    ),
    (
        "E0404",
        "empty sequence",
        "`head` or `tail` was applied to `<>`. Guard the call with `null(s)` or match `<x>^xs`.",
    ),
    (
        "E0405",
        "error called",
        "The script called `error(\"…\")` itself.",
    ),
    (
        "E0406",
        "key not in map",
        "`mapLookup(m, k)` needs a `k` with `mapMember(m, k)`.",
    ),
    (
        "E0407",
        "set cannot be listed",
        "The elements of an infinite or very large set such as `Int`, `{0..}` or `Seq(S)` were asked \
         for one by one. Such sets can be fields of channels and operands of `member`, `union`, \
         `inter` and `diff`; `card(Int)` and `{x | x <- Int}` never end.",
    ),
    (
        "E0408",
        "value outside the declared set",
        "A field of a channel or constructor was given a value that is not in its declared set: with \
         `channel c : {0..3}`, `c.4` is not an event.",
    ),
    (
        "E0409",
        "fields are not a product",
        "The set of fields must be a product of one set for each field. `channel c : {0.1, 1.0}` is \
         not, because 0.0 and 1.1 are missing.",
    ),
    (
        "E0410",
        "value depends on itself",
        "The value of a constant was needed while it was being worked out, as in `x = x + 1`, or a \
         function comes back to the same call, as `f(n) = f(n)` does.",
    ),
    (
        "E0411",
        "recursion too deep",
        "A function called itself more often than there is stack for; most likely it never ends, as \
         `f(n) = 1 + f(n)` does.",
    ),
    (
        "E0412",
        "unexpected kind of value",
        "A value is not of the kind that the operation works on. A script that passes the type \
         check does not lead here.",
    ),
    (
        "E0413",
        "set operation has no finite description",
        "`inter` and `diff` of infinite sets are possible only in simple cases: `diff(Int, {0})` has \
         no description here.",
    ),
    (
        "E0414",
        "too large",
        "A set, sequence or channel has more elements or events than can be numbered or held.",
    ),
    (
        "E0415",
        "field set is not usable",
        "A channel or constructor needs a set of complete values for each field. A constructor \
         that still lacks fields is not one.",
    ),
    (
        "E0416",
        "value cannot be dotted",
        "A value was dotted on to something that takes no more fields.",
    ),
    (
        "E0498",
        "part of the script is in error",
        "The expression uses a part of the script for which an error has been reported before.",
    ),
    (
        "E0499",
        "evaluation stopped",
        "Evaluation was interrupted or ran out of time.",
    ),
    (
        "E0501",
        "unguarded recursion",
        "A process is defined as itself, directly as in `P = P` or through calls, without an event \
         or an operator in between.",
    ),
    (
        "E0502",
        "not a complete event",
        "A prefix, a set of events or a trace needs complete events: with `channel c : {0..3}`, \
         `c -> STOP` lacks a field; write `c.0`, `c?x` or `{|c|}`.",
    ),
    (
        "E0503",
        "value outside the channel's type",
        "An input `?x:S` or an output `!e` of a prefix uses a value that the channel cannot carry.",
    ),
    (
        "E0504",
        "empty internal choice",
        "`|~|` and `$x` need at least one possibility; there is no process that internal choice over \
         nothing could be.",
    ),
    (
        "E0505",
        "input over an infinite field",
        "The values of an input had to be listed, but the field of the channel is infinite. Restrict \
         it: `c?x:{0..9}`.",
    ),
    (
        "E0506",
        "event linked twice",
        "In `P [a <-> b, …] Q` every event may occur once on each side.",
    ),
    (
        "E0507",
        "sides cannot be extended alike",
        "In `[[c <- d]]` and `[c <-> d]` the two sides must take the same further fields.",
    ),
    (
        "E0508",
        "priority order is wrong",
        "`prioritise` needs at least one set and no event in two of them; the order of \
         `prioritisepo` must be acyclic, within the given events, and leave the maximal events on top.",
    ),
    (
        "E0509",
        "buffer is wrong",
        "A buffer needs a capacity of at least 1, and every event may be used once.",
    ),
    (
        "E0510",
        "negative duration",
        "The duration of an event, or of `WAIT`, was negative.",
    ),
    (
        "E0511",
        "empty linked parallel",
        "A replicated linked parallel needs at least one process.",
    ),
];

pub(super) fn no_clause(span: Span, call: &str) -> Failure {
    Box::new(Diagnostic::error(
        "E0401",
        span,
        format!("no clause of the function matches {call}"),
    ))
}

pub(super) fn no_match(span: Span, value: &str) -> Failure {
    Box::new(Diagnostic::error(
        "E0401",
        span,
        format!("the pattern does not match {value}"),
    ))
}

pub(super) fn overflow(span: Span, operation: &str) -> Failure {
    Box::new(
        Diagnostic::error(
            "E0402",
            span,
            format!("{operation} does not fit in 64 bits"),
        )
        .note("integer overflow"),
    )
}

pub(super) fn division_by_zero(span: Span) -> Failure {
    Box::new(Diagnostic::error("E0403", span, "division by zero"))
}

pub(super) fn empty_sequence(span: Span, function: &str) -> Failure {
    Box::new(Diagnostic::error(
        "E0404",
        span,
        format!("{function} of the empty sequence"),
    ))
}

pub(super) fn called(span: Span, text: &str) -> Failure {
    Box::new(Diagnostic::error("E0405", span, format!("error: {text}")))
}

pub(super) fn no_key(span: Span, key: &str) -> Failure {
    Box::new(Diagnostic::error(
        "E0406",
        span,
        format!("the map has no key {key}"),
    ))
}

pub(super) fn not_listable(span: Span, set: &str) -> Failure {
    Box::new(Diagnostic::error(
        "E0407",
        span,
        format!("the elements of {set} cannot be listed"),
    ))
}

/// Events that begin with a value, of a process if it is known which.
pub(super) fn events_not_listable(span: Span, value: &str, process: Option<&str>) -> Failure {
    let by = process.map_or_else(String::new, |process| format!(" that {process} does"));
    let message = format!("the events of {value}{by} cannot be listed");
    Box::new(
        Diagnostic::error("E0407", span, message)
            .note("the channel has infinitely many events")
            .help(
                "give the channel a finite type, or let the process do finitely many of its events",
            ),
    )
}

pub(super) fn outside(span: Span, value: &str, field: usize, tag: &str, set: &str) -> Failure {
    Box::new(Diagnostic::error(
        "E0408",
        span,
        format!("{value} cannot be field {field} of {tag}, which is in {set}"),
    ))
}

pub(super) fn not_a_product(span: Span, missing: &[String]) -> Failure {
    let shown = missing.iter().take(5).cloned().collect::<Vec<_>>();
    let more = if missing.len() > shown.len() {
        ", …"
    } else {
        ""
    };
    Box::new(
        Diagnostic::error("E0409", span, "the set of fields is not a product of sets")
            .note(format!("missing: {}{more}", shown.join(", "))),
    )
}

/// The circle may be unknown: then it is empty.
pub(super) fn depends_on_itself(span: Span, circle: &str) -> Failure {
    Box::new(Diagnostic::error("E0410", span, "this value depends on itself").note(circle))
}

pub(super) fn too_deep(span: Span) -> Failure {
    Box::new(
        Diagnostic::error("E0411", span, "recursion too deep")
            .help("check that the recursion comes to an end"),
    )
}

pub(super) fn unexpected(span: Span, wanted: &str, found: &str) -> Failure {
    Box::new(Diagnostic::error(
        "E0412",
        span,
        format!("expected {wanted}, found {found}"),
    ))
}

pub(super) fn no_description(span: Span, operation: &str, left: &str, right: &str) -> Failure {
    Box::new(Diagnostic::error(
        "E0413",
        span,
        format!("{operation} of {left} and {right} cannot be described"),
    ))
}

pub(super) fn too_large(span: Span, what: &str) -> Failure {
    Box::new(Diagnostic::error(
        "E0414",
        span,
        format!("{what} is too large"),
    ))
}

pub(super) fn channel_too_large(span: Span, name: &str, events: u128) -> Failure {
    Box::new(
        Diagnostic::error(
            "E0414",
            span,
            format!("channel {name} would have {events} events"),
        )
        .note(format!("all channels together may have {}", u32::MAX))
        .help("give it smaller sets, or fewer fields"),
    )
}

pub(super) fn bad_field_set(span: Span, found: &str) -> Failure {
    Box::new(Diagnostic::error(
        "E0415",
        span,
        format!("{found} cannot be the set of a field"),
    ))
}

pub(super) fn cannot_dot(span: Span, left: &str, right: &str) -> Failure {
    Box::new(Diagnostic::error(
        "E0416",
        span,
        format!("{right} cannot be dotted on to {left}"),
    ))
}

pub(super) fn in_error(span: Span) -> Failure {
    Box::new(Diagnostic::error(
        "E0498",
        span,
        "this part of the script is in error",
    ))
}

pub(super) fn interrupted(span: Span) -> Failure {
    Box::new(Diagnostic::error("E0499", span, "evaluation stopped here"))
}

/// The code of a process whose first step needs itself.
pub(super) const UNGUARDED: &str = "E0501";

pub(super) fn unguarded(span: Span, circle: &str) -> Failure {
    let message = format!("unguarded recursion: {circle}");
    Box::new(
        Diagnostic::error(UNGUARDED, span, message).help("put an event before the recursive call"),
    )
}

pub(super) fn incomplete_event(span: Span, value: &str) -> Failure {
    Box::new(Diagnostic::error(
        "E0502",
        span,
        format!("{value} is not a complete event"),
    ))
}

pub(super) fn outside_channel(span: Span, value: &str, channel: &str) -> Failure {
    Box::new(Diagnostic::error(
        "E0503",
        span,
        format!("channel {channel} cannot carry {value} here"),
    ))
}

pub(super) fn empty_choice(span: Span) -> Failure {
    Box::new(Diagnostic::error(
        "E0504",
        span,
        "internal choice over no possibilities",
    ))
}

pub(super) fn infinite_input(span: Span, channel: &str) -> Failure {
    Box::new(
        Diagnostic::error(
            "E0505",
            span,
            format!("the inputs of channel {channel} cannot be listed"),
        )
        .help("restrict it to a finite set: ?x:S or $x:S"),
    )
}

pub(super) fn linked_twice(span: Span, event: &str) -> Failure {
    Box::new(Diagnostic::error(
        "E0506",
        span,
        format!("{event} is linked twice on one side"),
    ))
}

pub(super) fn unlike_sides(span: Span, left: &str, right: &str) -> Failure {
    Box::new(Diagnostic::error(
        "E0507",
        span,
        format!("{left} and {right} cannot be extended alike"),
    ))
}

pub(super) fn bad_priority(span: Span, what: &str) -> Failure {
    Box::new(Diagnostic::error("E0508", span, what.to_owned()))
}

pub(super) fn bad_buffer(span: Span, what: &str) -> Failure {
    Box::new(Diagnostic::error("E0509", span, what.to_owned()))
}

pub(super) fn negative_duration(span: Span, duration: i64) -> Failure {
    Box::new(Diagnostic::error(
        "E0510",
        span,
        format!("the duration {duration} is negative"),
    ))
}

pub(super) fn empty_link(span: Span) -> Failure {
    Box::new(Diagnostic::error(
        "E0511",
        span,
        "linked parallel of no processes",
    ))
}
