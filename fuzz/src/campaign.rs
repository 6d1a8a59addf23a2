//! The parent process: starts workers until all inputs are done, and adds up what they say.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Instant;

use csp_fuzz::shrink::shrink;
use csp_fuzz::trial::Fault;

use crate::Settings;
use crate::worker::{self, HUNG, TOO_LARGE};

/// How often something is written while the campaign goes on.
const REPORT: u64 = 250_000;

/// What the workers have said so far.
#[derive(Default)]
struct Findings {
    /// Inputs, parsed, evaluated; by kind.
    counts: BTreeMap<String, [u64; 3]>,
    /// Faults by kind.
    faults: BTreeMap<String, u64>,
    slow: Vec<String>,
    /// All inputs below this are done.
    done: u64,
}

/// Runs all inputs.
pub(crate) fn run(settings: &Settings) -> ExitCode {
    let start = Instant::now();
    let mut findings = Findings {
        done: settings.from,
        ..Findings::default()
    };
    let mut careful = false;
    while findings.done < settings.to {
        let from = findings.done;
        // A worker that died is followed by one that says exactly where it is.
        let to = if careful {
            (from + 10_000).min(settings.to)
        } else {
            settings.to
        };
        let code = follow(settings, from, to, careful, &mut findings);
        match code {
            Some(0) => {
                findings.done = to;
                careful = false;
            }
            Some(HUNG | TOO_LARGE) | None if careful => {
                let kind = match code {
                    Some(HUNG) => "hang",
                    Some(TOO_LARGE) => "memory",
                    _ => "abort",
                };
                record(settings, findings.done, kind, code);
                *findings.faults.entry(kind.to_owned()).or_default() += 1;
                findings.done += 1;
            }
            Some(HUNG | TOO_LARGE) | None => careful = true,
            Some(other) => {
                println!("a worker ended with code {other}");
                return ExitCode::from(2);
            }
        }
    }
    report(settings, &findings, start)
}

fn worker(settings: &Settings, mode: &str) -> Command {
    let program = std::env::current_exe().expect("the program knows its path");
    let mut command = Command::new(program);
    command
        .arg(mode)
        .args(["--seed", &settings.seed.to_string()]);
    if settings.strict {
        command.arg("--strict");
    }
    command
}

/// Starts a worker and listens to it; its exit code, none if a signal ended it.
fn follow(
    settings: &Settings,
    from: u64,
    to: u64,
    careful: bool,
    findings: &mut Findings,
) -> Option<i32> {
    let mut child: Child = worker(settings, if careful { "--careful" } else { "--worker" })
        .args([
            "--from",
            &from.to_string(),
            "--inputs",
            &(to - from).to_string(),
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a worker can be started");
    let output = child.stdout.take().expect("it is piped");
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        let words: Vec<&str> = line.splitn(5, ' ').collect();
        match words[..] {
            ["at", number] => {
                findings.done = number.parse().unwrap_or(findings.done);
                if findings.done.is_multiple_of(REPORT) && findings.done > settings.from {
                    println!("{} inputs", findings.done - settings.from);
                }
            }
            ["fault", number, kind, ..] => {
                println!("{line}");
                *findings.faults.entry(kind.to_owned()).or_default() += 1;
                // Never again from before it, should the worker die later.
                findings.done = findings.done.max(number.parse().unwrap_or(0));
            }
            ["slow", ..] => findings.slow.push(line),
            ["counts", kind, inputs, parsed, evaluated] => {
                let counts = findings.counts.entry(kind.to_owned()).or_default();
                for (sum, word) in counts.iter_mut().zip([inputs, parsed, evaluated]) {
                    *sum += word.parse::<u64>().unwrap_or(0);
                }
            }
            _ => println!("{line}"),
        }
    }
    child.wait().expect("it was started").code()
}

/// Keeps an input that ended its process, made small by running it in processes of its own.
fn record(settings: &Settings, number: u64, kind: &'static str, code: Option<i32>) {
    let shown = worker(settings, "--worker")
        .args(["--show", &number.to_string()])
        .output()
        .expect("a worker can be started");
    let text = String::from_utf8_lossy(&shown.stdout).into_owned();
    let small = match code {
        None => shrink(&text, |t| alone(settings, t) == code),
        Some(_) => text,
    };
    let what = format!("the process ended with {code:?}");
    worker::keep(settings, number, &Fault { kind, what }, &small);
}

/// The exit code of a process that runs one text.
fn alone(settings: &Settings, text: &str) -> Option<i32> {
    let mut child = worker(settings, "--one")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a worker can be started");
    if let Some(mut input) = child.stdin.take() {
        let _ = input.write_all(text.as_bytes());
    }
    child.wait().expect("it was started").code()
}

fn report(settings: &Settings, findings: &Findings, start: Instant) -> ExitCode {
    println!(
        "{:<10} {:>10} {:>10} {:>10}",
        "kind", "inputs", "parsed", "evaluated"
    );
    for (kind, [inputs, parsed, evaluated]) in &findings.counts {
        println!("{kind:<10} {inputs:>10} {parsed:>10} {evaluated:>10}");
    }
    for line in &findings.slow {
        println!("{line}");
    }
    let faults: u64 = findings.faults.values().sum();
    println!(
        "{} inputs of seed {} in {:.0} s: {faults} faults{}, {} slow",
        settings.to - settings.from,
        settings.seed,
        start.elapsed().as_secs_f64(),
        match faults {
            0 => String::new(),
            _ => format!(
                " {:?}, kept in {}",
                findings.faults,
                settings.failures.display()
            ),
        },
        findings.slow.len(),
    );
    ExitCode::from(u8::from(faults > 0))
}
