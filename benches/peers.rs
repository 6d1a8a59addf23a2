//! Whole models beside other programs on the same work, in one run: a table of ratios.
//!
//!     PEG_LIMIT=path/to/peg-limit FC_LIMIT=path/to/fc-limit cargo bench --bench peers
//!
//! Peers are commands: the two hand-written limit programs, whose paths are given by environment
//! variables, and SPIN if it is installed and `SPIN_PEG` names a verifier built from the same board.
//! A peer that is not there is left out. Every row is run `RUNS` times (3 if not given), ours and the
//! peer in turn, and medians are compared. `THREADS` (2 if not given) is for both.

#![allow(clippy::print_stdout, reason = "the table is what it is for")]

use std::process::Command;
use std::time::Instant;

/// One comparison.
struct Row {
    work: &'static str,
    ours: Vec<String>,
    peer: Option<(String, Vec<String>)>,
}

fn main() {
    let setting = |name: &str, default: usize| {
        std::env::var(name)
            .ok()
            .and_then(|v| v.parse().ok())
            .unwrap_or(default)
    };
    let (runs, threads) = (setting("RUNS", 3), setting("THREADS", 2).to_string());
    let only = std::env::args().skip(1).find(|a| !a.starts_with('-'));
    println!(
        "{:<34} {:>9} {:>9} {:>7}  peer",
        "work", "ours (s)", "peer (s)", "ratio"
    );
    for row in rows(&threads) {
        if only
            .as_ref()
            .is_some_and(|wanted| !row.work.contains(wanted.as_str()))
        {
            continue;
        }
        let (mut ours, mut peers) = (Vec::new(), Vec::new());
        for _ in 0..runs {
            ours.push(time(env!("CARGO_BIN_EXE_csp"), &row.ours));
            if let Some((program, arguments)) = &row.peer {
                peers.push(time(program, arguments));
            }
        }
        let ours = median(ours);
        match &row.peer {
            Some((program, _)) => {
                let peer = median(peers);
                println!(
                    "{:<34} {ours:>9.2} {peer:>9.2} {:>7.2}  {program}",
                    row.work,
                    ours / peer
                );
            }
            None => println!(
                "{:<34} {ours:>9.2} {:>9} {:>7}  (no peer given)",
                row.work, "", ""
            ),
        }
    }
}

fn rows(threads: &str) -> Vec<Row> {
    let words = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let check = |text: &str| words(&format!("check {text} --quiet --threads {threads}"));
    let peer = |variable: &str, arguments: &str| {
        let program = std::env::var(variable).ok()?;
        Some((program, words(arguments)))
    };
    let mut small = check("models/peg.csp --assert 2");
    for (name, rows) in [
        (
            "START",
            "<\"ooooo\",\"ooooo\",\"oo.oo\",\"ooooo\",\"ooooo\">",
        ),
        (
            "GOAL",
            "<\".....\",\".....\",\"..o..\",\".....\",\".....\">",
        ),
    ] {
        small.extend(["-D".to_owned(), format!("{name}={rows}")]);
    }
    vec![
        Row {
            work: "peg, 5x5 board",
            ours: small,
            peer: peer("SPIN_PEG", "-m100000 -w24"),
        },
        Row {
            work: "peg, English board",
            ours: check("models/peg.csp --assert 2"),
            peer: peer("PEG_LIMIT", &format!("cpart {threads} --log2-parts 12")),
        },
        Row {
            work: "FreeCell 11982, exhaustive",
            ours: check("models/freecell.csp --deal 11982"),
            peer: peer("FC_LIMIT", &format!("11982 --threads {threads} --slots 1")),
        },
        Row {
            work: "FreeCell 2, 2 cells, to the win",
            ours: check("models/freecell.csp --deal 2 -D CELLS=2"),
            peer: peer(
                "FC_LIMIT",
                &format!("2 --cells 2 --threads {threads} --slots 80"),
            ),
        },
        Row {
            work: "FreeCell 617, to the win",
            ours: check("models/freecell.csp --deal 617"),
            peer: peer("FC_LIMIT", &format!("617 --threads {threads} --slots 100")),
        },
    ]
}

/// The wall time of a command in seconds; failing checks are fine, anything else is not.
fn time(program: &str, arguments: &[String]) -> f64 {
    let start = Instant::now();
    let output = Command::new(program)
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap_or_else(|error| panic!("{program} cannot be run: {error}"));
    let code = output.status.code();
    assert!(
        matches!(code, Some(0 | 1)),
        "{program} {arguments:?} ended with {code:?}"
    );
    start.elapsed().as_secs_f64()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
