//! What `--por` and `--symmetry` gain, and SPIN's partial-order reduction on the same models.
//!
//! `cargo bench --bench reductions [-- --quick]`: every row is a median of three runs, ours and the peer by
//! turns, one thread, script in, verdict out. SPIN runs if it and `cc` are installed (making and compiling its
//! verifier is not counted); its counts without reduction have one state more than ours, for its `init`. With
//! `CSP=program`, that program is measured instead of the one that was built with the bench.

#![allow(clippy::print_stdout, reason = "a bench prints its measurements")]

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

/// A model, the assertion that is checked, the definitions that set its size, and the option.
struct Row {
    model: &'static str,
    assertion: &'static str,
    sizes: &'static [&'static str],
    option: &'static str,
    /// The Promela model and its size.
    peer: Option<(&'static str, &'static str)>,
}

const ROWS: [Row; 12] = [
    row(
        "models/election.csp",
        "2",
        &["N=9"],
        "--por",
        Some(("election", "9")),
    ),
    row(
        "models/election.csp",
        "2",
        &["N=10"],
        "--por",
        Some(("election", "10")),
    ),
    row(
        "benches/independent.csp",
        "1",
        &["N=16"],
        "--por",
        Some(("switches", "16")),
    ),
    row(
        "benches/independent.csp",
        "1",
        &["N=20"],
        "--por",
        Some(("switches", "20")),
    ),
    row(
        "models/philosophers.csp",
        "2",
        &["N=7"],
        "--por",
        Some(("philosophers", "7")),
    ),
    row(
        "models/philosophers.csp",
        "2",
        &["N=8"],
        "--por",
        Some(("philosophers", "8")),
    ),
    row(
        "benches/token-ring.csp",
        "Begun",
        &["N=8", "STEPS=3"],
        "--por",
        Some(("token-ring", "8")),
    ),
    row(
        "benches/token-ring.csp",
        "Begun",
        &["N=9", "STEPS=3"],
        "--por",
        Some(("token-ring", "9")),
    ),
    row(
        "models/lock.csp",
        "1",
        &["N=8", "STEPS=5"],
        "--symmetry",
        None,
    ),
    row("models/linked-stack.csp", "3", &["N=8"], "--symmetry", None),
    row("models/peg.csp", "2", &[], "--symmetry", None),
    row("models/peg.csp", "2", &[], "--por", None),
];

const fn row(
    model: &'static str,
    assertion: &'static str,
    sizes: &'static [&'static str],
    option: &'static str,
    peer: Option<(&'static str, &'static str)>,
) -> Row {
    Row {
        model,
        assertion,
        sizes,
        option,
        peer,
    }
}

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    println!(
        "| model | whole: states, s | reduced: states, s | fewer | faster | SPIN reduced: states, s | SPIN whole | SPIN over ours |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for row in &ROWS {
        if quick && row.model == "models/peg.csp" {
            continue;
        }
        let (states, before) = ours(row, &[]);
        let peer = row.peer.and_then(|(file, size)| spin(file, size));
        let [mut own, mut other] = [Vec::new(), Vec::new()];
        let mut reduced = 0;
        for _ in 0..3 {
            let (states, seconds) = ours(row, &[row.option]);
            reduced = states;
            own.push(seconds);
            other.extend(
                peer.as_ref()
                    .map(|peer| peer.run(&[]))
                    .map(|(_, seconds)| seconds),
            );
        }
        let seconds = median(&mut own);
        let theirs = median(&mut other);
        let spin = peer.as_ref().map_or("–".to_owned(), |peer| {
            format!("{}, {theirs:.3}", peer.run(&[]).0)
        });
        let ratio = match peer {
            Some(_) => format!("{:.1}", theirs / seconds),
            None => "–".to_owned(),
        };
        let all = peer
            .as_ref()
            .map_or("–".to_owned(), |peer| peer.whole.to_string());
        println!(
            "| {} {} {} | {states}, {before:.3} | {reduced}, {seconds:.3} | {:.1} | {:.1} | {spin} | {all} | {ratio} |",
            row.model,
            row.sizes.join(" "),
            row.option,
            states as f64 / reduced.max(1) as f64,
            before / seconds,
        );
    }
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The states of a check and the seconds from the script to the verdict.
fn ours(row: &Row, options: &[&str]) -> (u64, f64) {
    let program = std::env::var("CSP").unwrap_or_else(|_| env!("CARGO_BIN_EXE_csp").to_owned());
    let mut command = Command::new(program);
    command.args([
        "check",
        row.model,
        "--assert",
        row.assertion,
        "--json",
        "--quiet",
    ]);
    command.args(["--threads", "1"]).args(options);
    for size in row.sizes {
        command.args(["-D", size]);
    }
    let start = Instant::now();
    let output = command.output().expect("our own program runs");
    let seconds = start.elapsed().as_secs_f64();
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    let states = report["assertions"][0]["states"].as_u64();
    (states.expect("a number"), seconds)
}

/// A verifier made by SPIN.
struct Verifier {
    program: std::path::PathBuf,
    /// States without reduction.
    whole: u64,
}

impl Verifier {
    fn run(&self, arguments: &[&str]) -> (u64, f64) {
        let start = Instant::now();
        let output = Command::new(&self.program)
            .arg("-m3000000")
            .args(arguments)
            .output();
        let seconds = start.elapsed().as_secs_f64();
        let text = output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
        (stored(&text.unwrap_or_default()), seconds)
    }
}

/// The number before `states, stored`.
fn stored(text: &str) -> u64 {
    let line = text.lines().find(|line| line.contains("states, stored"));
    let word = line.and_then(|line| line.split_whitespace().next());
    word.and_then(|word| word.parse().ok()).unwrap_or(0)
}

/// Makes the verifiers of a Promela model, if SPIN is installed.
fn spin(file: &str, size: &str) -> Option<Verifier> {
    let model = std::fs::canonicalize(format!("benches/peers/{file}.pml")).ok()?;
    let folder = std::env::temp_dir().join(format!("csp-reductions-{file}-{size}"));
    std::fs::create_dir_all(&folder).ok()?;
    let make = |merging: &str, flags: &[&str], name: &str| {
        let size = format!("-DNN={size}");
        let spin = Command::new("spin")
            .args([merging, &size, "-a"])
            .arg(&model)
            .current_dir(&folder)
            .output()
            .ok()?;
        let cc = Command::new("cc")
            .args(["-O3", "-DSAFETY", "-DNOFAIR", "-o", name, "pan.c"])
            .args(flags)
            .current_dir(&folder)
            .output()
            .ok()?;
        (spin.status.success() && cc.status.success()).then(|| folder.join(Path::new(name)))
    };
    // Statements that only the process itself sees are merged unless they are to be counted.
    let mut verifier = Verifier {
        program: make("-o3", &["-DNOREDUCE"], "whole")?,
        whole: 0,
    };
    verifier.whole = verifier.run(&[]).0;
    verifier.program = make("-o2", &[], "reduced")?;
    Some(verifier)
}
