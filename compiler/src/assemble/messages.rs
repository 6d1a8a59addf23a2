//! What can be wrong with a process or a network, in words.

use csp_grammar::{Diagnostic, Span};

use crate::process::{Compression, ProcessId, Processes};

type Message = Box<Diagnostic>;

/// Code, title, and a paragraph with an example, in the order of the codes.
pub const CODES: &[(&str, &str, &str)] = &[
    (
        "E0521",
        "unguarded recursion through an operator",
        "A process is defined by itself without an event in between, as in `P = P [] a -> STOP`: what \
         it does first depends on what it does first. Put an event before the recursion: \
         `P = a -> P`.",
    ),
    (
        "E0522",
        "operators nested without end",
        "Unfolding a process wraps it in one operator after another, as in `P = a -> (P ||| P)` or \
         `P = a -> P ; b -> STOP`: every step needs a larger process, so there are infinitely many \
         states. Let the recursion go through prefixes and choices, and compose the results.",
    ),
    (
        "E0523",
        "process with too many states to be listed",
        "Processes below the outermost parallel operators are listed state by state. This one has more \
         states than that is meant for, often because a parameter grows without bound, as in \
         `Count(n) = up -> Count(n + 1)`. It is listed by itself, so it does not help if another process \
         in parallel would never let it grow. Bound the parameter, or split the process into several \
         in parallel. If it is meant to be so large, `--max-leaf-states` allows more.",
    ),
    (
        "E0524",
        "chase of a divergent process",
        "`chase(P)` follows internal steps until there are none; if P can do them for ever, as in \
         `chase((Q = a -> Q) \\ {a})`, there is no end to it. Hide less inside the chase.",
    ),
    (
        "E0525",
        "compression that could not be computed",
        "A compression such as `normal(P)` lists P state by state first. That went over a limit, which \
         the message names. Compress smaller parts, or give the check more memory or states.",
    ),
    (
        "E0526",
        "watchdog that cannot be built",
        "`trace_watchdog(S, A, bad)` and `failure_watchdog(S, A, bad)` turn a whole specification into \
         a monitor, so they cannot stand inside the recursion that defines S.",
    ),
    (
        "E0527",
        "network with too many components or rules",
        "A network may have at most 2^32 components and as many rules. Renaming one event to very many, \
         on both sides of a parallel composition, multiplies rules. A sequential process may have at most \
         four million different events, for each becomes a rule: `c?x -> STOP` with \
         `channel c : {0..999}.{0..999}.{0..999}` has too many.",
    ),
    (
        "W0529",
        "compression without effect",
        "Compressions are applied to whole machines. In `P = a -> normal(P)` the compression is part of \
         what it compresses; in `chase(normal(Q)) ; R` it stands inside a process that is listed step by \
         step, and which step is taken counts. A part with too many states to be listed cannot be \
         compressed inside another, either. The result means the same and is no smaller. Compress the \
         whole, `normal(P)`, or smaller parts.",
    ),
];

/// The names along a cycle of calls, each once in a row, the middle left out if it is long.
fn along(processes: &dyn Processes, cycle: &[ProcessId]) -> String {
    let mut names: Vec<String> = Vec::new();
    for &process in cycle {
        let name = format!("`{}`", processes.describe(process));
        if names.last() != Some(&name) {
            names.push(name);
        }
    }
    if names.len() == 1 {
        return format!("{} calls itself", names[0]);
    }
    if names.len() > 8 {
        names.splice(4..names.len() - 3, ["…".to_owned()]);
    }
    names.join(", then ")
}

/// `cycle` ends with the process that it begins with.
pub(crate) fn unguarded(processes: &dyn Processes, cycle: &[ProcessId]) -> Message {
    let process = cycle[0];
    let name = processes.describe(process);
    let message = format!("the first step of `{name}` depends on itself");
    let along = along(processes, cycle);
    Box::new(
        Diagnostic::error("E0521", processes.span(process), message)
            .note(format!("without any event in between: {along}"))
            .help("put an event or another step in front of the recursive call"),
    )
}

pub(crate) fn too_deep(processes: &dyn Processes, process: ProcessId) -> Message {
    let name = processes.describe(process);
    let message = format!("operators are nested without end around `{name}`");
    Box::new(
        Diagnostic::error(TOO_DEEP, processes.span(process), message)
            .note("each step or call wraps this process in one more operator")
            .help("recursion must not pass through parallel, hiding, renaming or `;` on its left"),
    )
}

/// How a process grows: what is known of the recursion that wraps it in one operator after another.
pub(crate) struct Growth<'a> {
    /// The process that was to be listed.
    pub(crate) process: ProcessId,
    /// A way back to where it begins, by operands; empty if every round has other parameters.
    pub(crate) cycle: &'a [ProcessId],
    /// An operator that every round adds, and its sign.
    pub(crate) operator: Option<(ProcessId, &'static str)>,
    /// What it went beyond, such as `50000 states`.
    pub(crate) limit: &'a str,
    /// What it had grown to.
    pub(crate) last: Option<ProcessId>,
}

pub(crate) fn grows(processes: &dyn Processes, growth: &Growth<'_>) -> Message {
    let named = growth.cycle.iter().find(|&&p| processes.is_named(p));
    let process = named.copied().unwrap_or(growth.process);
    let name = processes.describe(process);
    let (place, round) = match growth.operator {
        Some((place, sign)) => (
            place,
            format!("every round puts one more `{sign}` around it"),
        ),
        None => (process, "every round needs one more operator".to_owned()),
    };
    let message = format!("`{name}` grows without end: {round}");
    let limit = growth.limit;
    let way = if growth.cycle.is_empty() {
        let last = growth.last.map(|last| processes.describe(last));
        let last = last.filter(|last| !last.is_empty());
        let up_to = last.map_or_else(String::new, |last| format!(", up to `{last}`"));
        format!("it had grown beyond {limit}{up_to}")
    } else {
        let along = along(processes, growth.cycle);
        format!("{along}; it had grown beyond {limit}")
    };
    Box::new(
        Diagnostic::error(TOO_DEEP, processes.span(place), message)
            .note(way)
            .help("let the recursion go through prefixes and choices, and compose the results"),
    )
}

pub(crate) fn too_many_states(
    processes: &dyn Processes,
    process: ProcessId,
    last: ProcessId,
    limit: usize,
) -> Message {
    let name = processes.describe(process);
    let message = format!("the sequential process `{name}` has more than {limit} states");
    let last = processes.describe(last);
    Box::new(
        Diagnostic::error("E0523", processes.span(process), message)
            .note(format!(
                "it grew up to `{last}`; it is listed by itself, before what is around it can hold it \
                 back"
            ))
            .help(
                "bound its parameters, or split it into processes in parallel; --max-leaf-states allows \
                 more",
            ),
    )
}

pub(crate) fn without_effect(
    processes: &dyn Processes,
    compression: ProcessId,
    process: ProcessId,
) -> Message {
    let (inner, outer) = (processes.describe(compression), processes.describe(process));
    let message = format!("`{inner}` has no effect inside `{outer}`, which is listed as a whole");
    Box::new(
        Diagnostic::warning("W0529", processes.span(compression), message)
            .help("compress the whole, or a smaller part that does not lead back to itself"),
    )
}

pub(crate) fn endless_chase(
    processes: &dyn Processes,
    chase: ProcessId,
    function: Compression,
    operand: ProcessId,
) -> Message {
    let (function, name) = (function.name(), processes.describe(operand));
    let message = format!("`{function}` never reaches a stable state from `{name}`");
    Box::new(
        Diagnostic::error("E0524", processes.span(chase), message)
            .note(format!("`{name}` can perform τ for ever")),
    )
}

pub(crate) fn compression_failed(
    processes: &dyn Processes,
    process: ProcessId,
    reason: &str,
) -> Message {
    let name = processes.describe(process);
    let message = format!("the compression of `{name}` failed: {reason}");
    Box::new(Diagnostic::error("E0525", processes.span(process), message))
}

pub(crate) fn watchdog_in_recursion(processes: &dyn Processes, process: ProcessId) -> Message {
    let message = "a watchdog cannot be part of a recursive process";
    Box::new(
        Diagnostic::error("E0526", processes.span(process), message)
            .help("put it in parallel with the process it watches, at the top"),
    )
}

pub(crate) fn too_many_events(
    processes: &dyn Processes,
    process: ProcessId,
    limit: usize,
) -> Message {
    let name = processes.describe(process);
    let message = format!("`{name}` has more than {limit} events");
    Box::new(
        Diagnostic::error("E0527", processes.span(process), message)
            .help("make the types of its channels smaller, or restrict its inputs: ?x:S"),
    )
}

/// The code of networks that are too large.
pub(crate) const TOO_LARGE: &str = "E0527";

/// The code of operators nested without end.
pub(crate) const TOO_DEEP: &str = "E0522";

pub(crate) fn too_large(processes: &dyn Processes, process: ProcessId, what: &str) -> Message {
    let name = processes.describe(process);
    let message = format!("the network of `{name}` has too many {what}");
    Box::new(
        Diagnostic::error(TOO_LARGE, processes.span(process), message)
            .help("apply `explicate` to operands in which many events are renamed to one"),
    )
}

pub(crate) fn too_many_components(processes: &dyn Processes, process: ProcessId) -> Message {
    let message = "the network has too many components";
    let name = processes.describe(process);
    Box::new(
        Diagnostic::error(TOO_LARGE, processes.span(process), message)
            .note(format!("it got too large at `{name}`"))
            .help("compress parts of it, so that each becomes one component"),
    )
}

/// Gives what went wrong in some state of a process the place of the process, if it has none.
pub(crate) fn within(
    processes: &dyn Processes,
    process: ProcessId,
    mut message: Message,
) -> Message {
    if message.span == Span::default() {
        let name = processes.describe(process);
        message.span = processes.span(process);
        message.note = format!("in a state of `{name}`: {}", message.note);
    }
    message
}
