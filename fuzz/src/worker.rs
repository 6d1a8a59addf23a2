//! The child process: runs the inputs one after the other and says what happens, line by line.
//!
//! `at N` says that all inputs below N are done, `fault N KIND` that one failed (it has been kept),
//! `slow N`, `counts …` at the end. A watchdog ends the process when an input takes too long or too
//! much memory; the parent then knows which.

use std::io::{Read, Write};
use std::panic;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use csp_fuzz::input::{KINDS, Kind, input};
use csp_fuzz::shrink::shrink;
use csp_fuzz::trial::{self, Fault, Stage};

use crate::Settings;

/// Seconds of processor time after which an input counts as a hang.
const HANG: f64 = 20.0;

/// Seconds of processor time after which an input counts as slow.
const SLOW: f64 = 1.0;

/// Bytes that no input may need.
const MEMORY: u64 = 3 << 30;

/// The stack of the thread that runs the inputs.
const STACK: usize = 256 << 20;

/// How often the parent hears of progress.
const PROGRESS: u64 = 5_000;

/// The exit codes of the watchdog.
pub(crate) const HUNG: i32 = 3;
pub(crate) const TOO_LARGE: i32 = 4;

/// The number of the input under way.
static CURRENT: AtomicU64 = AtomicU64::new(0);

/// The scripts that are changed.
fn corpus(settings: &Settings) -> Vec<String> {
    let mut folders: Vec<_> = ["tests/corpus", "examples", "models", "fuzz/regressions"]
        .iter()
        .map(|folder| settings.root.join(folder))
        .collect();
    let mut paths = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "csp") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths
        .iter()
        .filter_map(|path| std::fs::read(path).ok())
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .collect()
}

fn on_large_stack(work: impl FnOnce() -> ExitCode + Send) -> ExitCode {
    thread::scope(|scope| {
        thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work)
            .expect("a thread can be made")
            .join()
            .unwrap_or(ExitCode::FAILURE)
    })
}

/// Prints an input.
pub(crate) fn show(settings: &Settings) -> ExitCode {
    let (kind, text) = input(settings.seed, settings.from, &corpus(settings));
    println!("-- {kind:?}\n{text}");
    ExitCode::SUCCESS
}

/// Runs the script on standard input.
pub(crate) fn one() -> ExitCode {
    let mut bytes = Vec::new();
    if std::io::stdin().read_to_end(&mut bytes).is_err() {
        return ExitCode::from(2);
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    watch();
    on_large_stack(move || {
        let outcome = trial::run(&text);
        println!("{outcome:?}");
        ExitCode::from(u8::from(outcome.fault.is_some()))
    })
}

/// Ends the process when an input does not end, or takes too much memory.
fn watch() {
    thread::spawn(|| {
        let (mut number, mut since) = (u64::MAX, used());
        loop {
            thread::sleep(Duration::from_millis(200));
            let now = CURRENT.load(Ordering::Relaxed);
            if now != number {
                (number, since) = (now, used());
            } else if used() - since > HANG {
                std::process::exit(HUNG);
            }
            if resident().is_some_and(|bytes| bytes > MEMORY) {
                std::process::exit(TOO_LARGE);
            }
        }
    });
}

/// The seconds of processor time of this process so far, where the system tells.
fn used() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The fields after the name, which stands in brackets; ticks are hundredths of a second.
    let fields = text
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace();
    let ticks: f64 = fields
        .skip(11)
        .take(2)
        .filter_map(|f| f.parse::<f64>().ok())
        .sum();
    ticks / 100.0
}

/// The memory of this process, where the system tells.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// Runs the inputs; `careful` says after each that it is done.
pub(crate) fn run(settings: &Settings, careful: bool) -> ExitCode {
    panic::set_hook(Box::new(|_| {}));
    let settings = settings.clone();
    watch();
    on_large_stack(move || inputs(&settings, careful))
}

/// How many inputs of a kind came how far.
#[derive(Clone, Copy, Default)]
struct Counts {
    inputs: u64,
    parsed: u64,
    evaluated: u64,
}

fn inputs(settings: &Settings, careful: bool) -> ExitCode {
    let corpus = corpus(settings);
    let mut counts = [Counts::default(); KINDS.len()];
    for number in settings.from..settings.to {
        CURRENT.store(number, Ordering::Relaxed);
        if careful || number.is_multiple_of(PROGRESS) {
            println!("at {number}");
            let _ = std::io::stdout().flush();
        }
        let (kind, text) = input(settings.seed, number, &corpus);
        let start = Instant::now();
        let outcome = trial::run(&text);
        if start.elapsed().as_secs_f64() > SLOW {
            // Perhaps it only had to wait.
            let before = used();
            let _ = trial::run(&text);
            let seconds = used() - before;
            if seconds > SLOW {
                println!("slow {number} {seconds:.1}");
            }
        }
        let place = KINDS
            .iter()
            .position(|k| *k == kind)
            .expect("all are listed");
        counts[place].inputs += 1;
        counts[place].parsed += u64::from(outcome.stage >= Stage::Parsed);
        counts[place].evaluated += u64::from(outcome.stage == Stage::Evaluated);
        let refused = settings.strict && kind == Kind::Sound && !outcome.codes.is_empty();
        let fault = outcome.fault.or_else(|| {
            refused.then(|| Fault {
                kind: "refused",
                what: outcome.codes.join(" "),
            })
        });
        if let Some(fault) = fault {
            let small = match refused {
                true => text,
                false => shrink(&text, |t| same(&fault, t)),
            };
            keep(settings, number, &fault, &small);
        }
    }
    for (kind, counts) in KINDS.iter().zip(counts) {
        let Counts {
            inputs,
            parsed,
            evaluated,
        } = counts;
        println!("counts {kind:?} {inputs} {parsed} {evaluated}");
    }
    ExitCode::SUCCESS
}

/// Whether a text fails in the same way.
fn same(fault: &Fault, text: &str) -> bool {
    trial::run(text).fault.is_some_and(|found| {
        let head = |f: &Fault| f.what.chars().take(12).collect::<String>();
        found.kind == fault.kind && (fault.kind == "print" || head(&found) == head(fault))
    })
}

/// Writes a failing input down.
pub(crate) fn keep(settings: &Settings, number: u64, fault: &Fault, text: &str) {
    let name = format!("{}-{}-{number}.csp", fault.kind, settings.seed);
    let path = settings.failures.join(name);
    let what = fault.what.replace(['\n', '\r'], " ");
    println!("fault {number} {} {what}", fault.kind);
    let written = std::fs::create_dir_all(&settings.failures)
        .and_then(|()| std::fs::write(&path, format!("{text}\n-- {}: {what}\n", fault.kind)));
    if let Err(error) = written {
        println!("note {} cannot be written: {error}", path.display());
    }
}
