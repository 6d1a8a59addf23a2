//! Under a limit of addresses (`ulimit -v`) the command runs as its own child.
//!
//! Memory that the system refuses ends a program at once: Rust offers no way on. So a parent that does nothing but wait
//! says in a sentence what has happened, and gives an exit code. The child is told to reserve addresses in small pieces,
//! of which its allocator would otherwise take a gigabyte at the start.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitCode};

use csp_driver::most_addresses;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// Says to the child that it is one.
const CHILD: &str = "CSP_CONFINED";

/// What the child is told: its allocator reserves 32 MiB at a time, and a panic takes no memory for its report.
const SURROUNDINGS: [(&str, &str); 3] = [
    (CHILD, "1"),
    ("MIMALLOC_ARENA_RESERVE", "32768"),
    ("RUST_BACKTRACE", "0"),
];

/// Runs the command as a child and gives back its exit code; `None` if it is to run here: addresses are not limited,
/// this is the child, or none can be started.
pub(crate) fn run() -> Option<ExitCode> {
    let most = most_addresses()?;
    if std::env::var_os(CHILD).is_some() {
        // The child ends with its parent, however that ends.
        let _ = nix::sys::prctl::set_pdeathsig(Signal::SIGTERM);
        return None;
    }
    let mut command = Command::new(std::env::current_exe().ok()?);
    command.args(std::env::args_os().skip(1)).envs(SURROUNDINGS);
    let mut child = command.spawn().ok()?;
    let id = Pid::from_raw(i32::try_from(child.id()).ok()?);
    // A terminal tells the child, too; both signals together are one wish.
    let _ = ctrlc::set_handler(move || {
        let _ = kill(id, Signal::SIGTERM);
    });
    let status = child.wait().ok()?;
    if let Some(code) = status.code() {
        return Some(ExitCode::from(u8::try_from(code).unwrap_or(2)));
    }
    let signal = status.signal().unwrap_or_default();
    Some(told(signal, most))
}

#[allow(clippy::print_stderr, reason = "this is the command")]
fn told(signal: i32, most: u64) -> ExitCode {
    let by_memory = [Signal::SIGABRT, Signal::SIGSEGV, Signal::SIGBUS];
    if by_memory.iter().any(|s| *s as i32 == signal) {
        eprintln!(
            "csp: the memory that the system gives does not suffice: it allows {} MiB of addresses (ulimit -v)",
            most >> 20
        );
        return ExitCode::from(3);
    }
    ExitCode::from(u8::try_from(128 + signal).unwrap_or(2))
}
