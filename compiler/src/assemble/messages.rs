//! What can be wrong with a process or a network, in words. Codes:
//!
//! - E0501 a process is defined by itself without an event in between
//! - E0502 operators are nested without end
//! - E0503 a process has too many states to be listed
//! - E0504 a chased process can do τ for ever
//! - E0505 a compression failed
//! - E0506 a watchdog inside a recursion, or one that does not exist yet
//! - E0507 a network has too many components or rules

use csp_grammar::Diagnostic;

use crate::process::{ProcessId, Processes};

type Message = Box<Diagnostic>;

pub(crate) fn unguarded(processes: &dyn Processes, process: ProcessId) -> Message {
    let name = processes.describe(process);
    let message = format!("the first step of `{name}` depends on itself");
    Box::new(
        Diagnostic::error("E0501", processes.span(process), message)
            .note("recursion reaches this process again before any event")
            .help("put an event or another step in front of the recursive call"),
    )
}

pub(crate) fn too_deep(processes: &dyn Processes, process: ProcessId) -> Message {
    let name = processes.describe(process);
    let message = format!("operators are nested without end around `{name}`");
    Box::new(
        Diagnostic::error("E0502", processes.span(process), message)
            .note("each step or call wraps this process in one more operator")
            .help("recursion must not pass through parallel, hiding, renaming or `;` on its left"),
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
        Diagnostic::error("E0503", processes.span(process), message)
            .note(format!("it grew up to `{last}`"))
            .help("bound its parameters, or compose it in parallel outside the recursion"),
    )
}

pub(crate) fn endless_chase(processes: &dyn Processes, process: ProcessId) -> Message {
    let name = processes.describe(process);
    let message = format!("`chase` never reaches a stable state from `{name}`");
    Box::new(
        Diagnostic::error("E0504", processes.span(process), message)
            .note("this process can perform τ for ever"),
    )
}

pub(crate) fn compression_failed(
    processes: &dyn Processes,
    process: ProcessId,
    reason: &str,
) -> Message {
    let name = processes.describe(process);
    let message = format!("the compression of `{name}` failed: {reason}");
    Box::new(Diagnostic::error("E0505", processes.span(process), message))
}

pub(crate) fn watchdog_in_recursion(processes: &dyn Processes, process: ProcessId) -> Message {
    let message = "a watchdog cannot be part of a recursive process";
    Box::new(
        Diagnostic::error("E0506", processes.span(process), message)
            .help("put it in parallel with the process it watches, at the top"),
    )
}

pub(crate) fn failure_watchdog(processes: &dyn Processes, process: ProcessId) -> Message {
    let message = "`failure_watchdog` is not supported yet";
    Box::new(
        Diagnostic::error("E0506", processes.span(process), message)
            .help("check the failures refinement itself with `[F=`"),
    )
}

pub(crate) fn too_large(processes: &dyn Processes, process: ProcessId, what: &str) -> Message {
    let name = processes.describe(process);
    let message = format!("the network of `{name}` has too many {what}");
    Box::new(Diagnostic::error("E0507", processes.span(process), message))
}
