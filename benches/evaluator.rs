//! The evaluator beside CPython on the same recursive functions, both in one run:
//!
//!     cargo bench --bench evaluator
//!
//! Both run by turns. Times are of whole commands less the time of a trivial call, medians of five
//! (`RUNS`); the ratio is the median of the ratios of the turns, so that a machine that is slower for a
//! while is slower for both.

#![allow(clippy::print_stdout, reason = "the table is what it is for")]

use std::process::Command;
use std::time::Instant;

const CALLS: [&str; 4] = [
    "fib(32)",
    "queens(10)",
    "quicksort(200000)",
    "sieve(400000)",
];

fn main() {
    let runs = std::env::var("RUNS")
        .ok()
        .and_then(|r| r.parse().ok())
        .unwrap_or(5_usize);
    let ours = |call: &str| {
        command(
            env!("CARGO_BIN_EXE_csp"),
            &["eval", "benches/evaluator.csp", call],
        )
    };
    let python = |call: &str| command("python3", &["benches/evaluator.py", call]);
    let (our_start, python_start) = (
        median((0..runs).map(|_| ours("fib(1)").0)),
        median((0..runs).map(|_| python("fib(1)").0)),
    );
    println!(
        "{:<20} {:>9} {:>11} {:>7}",
        "call", "csp (s)", "CPython (s)", "ratio"
    );
    for call in CALLS {
        assert_eq!(ours(call).1, python(call).1, "{call}: both sides agree");
        let turns: Vec<(f64, f64)> = (0..runs)
            .map(|_| (ours(call).0 - our_start, python(call).0 - python_start))
            .collect();
        println!(
            "{call:<20} {:>9.3} {:>11.3} {:>7.2}",
            median(turns.iter().map(|t| t.0)),
            median(turns.iter().map(|t| t.1)),
            median(turns.iter().map(|t| t.0 / t.1)),
        );
    }
}

/// The wall time of a command in seconds, and what it printed.
fn command(program: &str, arguments: &[&str]) -> (f64, String) {
    let start = Instant::now();
    let output = Command::new(program)
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap_or_else(|error| panic!("{program} cannot be run: {error}"));
    assert!(
        output.status.success(),
        "{program} {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    (
        start.elapsed().as_secs_f64(),
        String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    )
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
