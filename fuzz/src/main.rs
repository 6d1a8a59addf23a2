//! Runs a campaign:
//!
//!     cargo run --release -p csp-fuzz -- --inputs 1000000 --seed 1
//!
//! The work is done by a child of the same program, so that even an overflow of the stack, too much
//! memory or a hang is found, named by its number, and the campaign goes on behind it. Failing inputs
//! are made small and kept in `fuzz/failures`.

#![allow(clippy::print_stdout, reason = "the report is what it is for")]

mod campaign;
mod worker;

use std::path::PathBuf;
use std::process::ExitCode;

/// What to do, as asked for on the command line.
#[derive(Clone, Debug)]
struct Settings {
    seed: u64,
    /// The first number.
    from: u64,
    /// One past the last number.
    to: u64,
    /// Where the scripts to be changed are.
    root: PathBuf,
    /// Where failing inputs are kept.
    failures: PathBuf,
    /// Whether sound scripts that are refused are failures, too.
    strict: bool,
}

const USAGE: &str =
    "csp-fuzz [--inputs N] [--from N] [--seed N] [--strict] [--show NUMBER] [--one < FILE]";

fn main() -> ExitCode {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut settings = Settings {
        seed: 1,
        from: 0,
        to: 0,
        failures: root.join("fuzz/failures"),
        root,
        strict: false,
    };
    let (mut inputs, mut mode) = (100_000, "campaign".to_owned());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|w| w.parse::<u64>().ok());
        let understood = match word.as_str() {
            "--inputs" => number().map(|n| inputs = n),
            "--from" => number().map(|n| settings.from = n),
            "--seed" => number().map(|n| settings.seed = n),
            "--show" => number().map(|n| {
                settings.from = n;
                mode = "show".to_owned();
            }),
            "--strict" => {
                settings.strict = true;
                Some(())
            }
            "--one" | "--worker" | "--careful" => {
                mode = word[2..].to_owned();
                Some(())
            }
            _ => None,
        };
        if understood.is_none() {
            println!("{USAGE}");
            return ExitCode::from(2);
        }
    }
    settings.to = settings.from.saturating_add(inputs);
    match mode.as_str() {
        "show" => worker::show(&settings),
        "one" => worker::one(),
        "worker" => worker::run(&settings, false),
        "careful" => worker::run(&settings, true),
        _ => campaign::run(&settings),
    }
}
