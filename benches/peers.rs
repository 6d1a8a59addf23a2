//! Whole models beside other programs on the same work, in one run: a table of ratios.
//!
//!     PEG_LIMIT=… FC_LIMIT=… STATERIGHT_PEG=… cargo bench --bench peers [-- --quick] [-- words]
//!
//! Hand-written limit programs and the stateright program are given by environment variables; SPIN,
//! rumur, LTSmin and mCRL2 are used if they are installed, on models that are written here from the
//! same board. A peer that is not there is left out. Every row is run `RUNS` times (3 if not given), ours and the
//! peers in turn, and medians are compared. `THREADS` (2 if not given) is for ours and for peers that
//! have threads. `--quick` leaves out what takes minutes; words choose the rows that contain one of them.

#![allow(clippy::print_stdout, reason = "the table is what it is for")]

#[path = "peers/board.rs"]
mod board;
#[path = "peers/process.rs"]
mod process;

use std::path::{Path, PathBuf};

use board::Board;
use process::{Program, is_installed, shell};
use serde_json::Value;

/// One piece of work and the programs that do it besides ours.
struct Row {
    work: &'static str,
    ours: Program,
    peers: Vec<(&'static str, Program)>,
    /// Left out if there is little time.
    long: bool,
}

/// What is known of our runs of a row.
struct Ours {
    seconds: f64,
    states: u64,
    transitions: u64,
    bytes_per_state: f64,
    store: String,
}

impl Ours {
    fn nanoseconds_per_transition(&self) -> f64 {
        self.seconds * 1e9 / self.transitions.max(1) as f64
    }
}

fn main() {
    let setting = |name: &str, default: usize| {
        let value = std::env::var(name).ok();
        value.and_then(|v| v.parse().ok()).unwrap_or(default)
    };
    let (runs, threads) = (setting("RUNS", 3), setting("THREADS", 2));
    let quick = std::env::args().any(|a| a == "--quick");
    let words = std::env::args().skip(1).filter(|a| !a.starts_with('-'));
    let words: Vec<String> = words.collect();
    let wanted = |row: &Row| {
        let named = words.iter().any(|word| row.work.contains(&**word));
        (named || words.is_empty()) && !(quick && row.long)
    };
    let folder = std::env::temp_dir().join(format!("csp-peers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is room for a few files");
    against_peers(rows(threads, &folder).into_iter().filter(wanted), runs);
    per_transition(work_list().filter(wanted), runs, threads);
    scaling(scaled().filter(wanted), runs, threads);
    std::fs::remove_dir_all(&folder).expect("the files are ours");
}

fn check(arguments: &str) -> Program {
    Program::new(
        env!("CARGO_BIN_EXE_csp"),
        &format!("check --format json {arguments}"),
    )
}

fn rows(threads: usize, folder: &Path) -> Vec<Row> {
    let board = Board::small();
    let mut small = check(&format!("models/peg.csp --assert 2 --threads {threads}"));
    let goal = |c| match c {
        'o' => '.',
        '.' => 'o',
        other => other,
    };
    for definition in [
        format!("START={}", board.script(|c| c)),
        format!("GOAL={}", board.script(goal)),
    ] {
        small.arguments.extend(["-D".to_owned(), definition]);
    }
    let mut small_peers = others(&board, folder, threads);
    let named = |name, variable: &str, arguments: &str| {
        Program::from_variable(variable, arguments).map(|program| (name, program))
    };
    small_peers.extend(named(
        "stateright",
        "STATERIGHT_PEG",
        &format!("dfs {threads} 5x5:2,2"),
    ));
    let freecell = |arguments: &str| {
        check(&format!(
            "models/freecell.csp {arguments} --threads {threads}"
        ))
    };
    let limit = |arguments: &str| {
        let one = named(
            "fc-limit, 1 thread",
            "FC_LIMIT",
            &format!("{arguments} --threads 1"),
        );
        let all = named(
            "fc-limit, as many",
            "FC_LIMIT",
            &format!("{arguments} --threads {threads}"),
        );
        one.into_iter().chain(all).collect::<Vec<_>>()
    };
    vec![
        Row {
            work: "peg, 5x5 board",
            ours: small,
            peers: small_peers,
            long: false,
        },
        Row {
            work: "peg, English board",
            ours: check(&format!("models/peg.csp --assert 2 --threads {threads}")),
            peers: named(
                "peg-limit",
                "PEG_LIMIT",
                &format!("cpart {threads} --log2-parts 12"),
            )
            .into_iter()
            .collect(),
            long: true,
        },
        Row {
            work: "FreeCell 11982, exhaustive",
            ours: freecell("--deal 11982"),
            peers: limit("11982 --slots 1"),
            long: false,
        },
        Row {
            work: "FreeCell 2, 2 cells, to the win",
            ours: freecell("--deal 2 -D CELLS=2"),
            peers: limit("2 --cells 2 --slots 80"),
            long: true,
        },
        Row {
            work: "FreeCell 617, to the win",
            ours: freecell("--deal 617"),
            peers: limit("617 --slots 100"),
            long: true,
        },
    ]
}

/// The tools that are installed, ready to run on a board.
fn others(board: &Board, folder: &Path, threads: usize) -> Vec<(&'static str, Program)> {
    let mut found = Vec::new();
    let built = |name: &str, text: String, command: &str| -> Option<PathBuf> {
        std::fs::write(folder.join(name), text).expect("there is room for a few files");
        let program = folder.join(format!("{name}.verifier"));
        shell(folder, command).then_some(program)
    };
    if is_installed("spin") {
        let command =
            "spin -a peg.pml && cc -O3 -DSAFETY -DNOFAIR -DNOREDUCE -o peg.pml.verifier pan.c";
        let program = built("peg.pml", board.promela(), command);
        found.extend(program.map(|path| {
            let path = path.display().to_string();
            ("SPIN", Program::new(path, "-E -m100000 -w24"))
        }));
    }
    if is_installed("rumur") {
        let command = format!(
            "rumur --threads {threads} --deadlock-detection off --output peg.m.c peg.m \
             && cc -std=c11 -O3 -mcx16 -march=native -o peg.m.verifier peg.m.c -lpthread -latomic"
        );
        let program = built("peg.m", board.murphi(), &command);
        found.extend(program.map(|path| {
            let path = path.display().to_string();
            ("rumur", Program::new(path, ""))
        }));
    }
    // These run what was compiled with a program of their own.
    if is_installed("spins") && is_installed("prom2lts-mc") {
        let compiled = built("ltsmin.pml", board.promela(), "spins ltsmin.pml").is_some();
        let model = folder.join("ltsmin.pml.spins");
        let arguments = format!("--threads={threads} --strategy=bfs {}", model.display());
        let program = compiled.then(|| Program::new("prom2lts-mc", &arguments));
        found.extend(program.map(|program| ("LTSmin", program)));
    }
    if is_installed("mcrl22lps") && is_installed("lps2lts") {
        let command = "mcrl22lps peg.mcrl2 peg.lps";
        let compiled = built("peg.mcrl2", board.mcrl2(), command).is_some();
        let model = folder.join("peg.lps");
        let arguments = format!("--cached --threads={threads} {}", model.display());
        let program = compiled.then(|| Program::new("lps2lts", &arguments));
        found.extend(program.map(|program| ("mCRL2", program)));
    }
    found
}

/// Work without a peer.
fn alone(work: &'static str, arguments: &str, long: bool) -> Row {
    Row {
        work,
        ours: check(arguments),
        peers: Vec::new(),
        long,
    }
}

/// Peg solitaire, with which the other work without a peer is compared.
fn peg() -> [Row; 2] {
    let all = "models/peg.csp --assert 2";
    let part = "models/peg.csp --assert 2 --max-states 20000000";
    [
        alone("peg, English board", all, true),
        alone("peg, 20 million states", part, false),
    ]
}

/// Work that is compared with peg solitaire by the time a transition takes.
fn work_list() -> impl Iterator<Item = Row> {
    let others = [
        (
            "24 independent components",
            "benches/independent.csp",
            false,
        ),
        (
            "philosophers 8",
            "models/philosophers.csp -D N=8 --assert 2",
            false,
        ),
        (
            "philosophers 9",
            "models/philosophers.csp -D N=9 --assert 2",
            true,
        ),
        (
            "philosophers 10",
            "models/philosophers.csp -D N=10 --assert 2",
            true,
        ),
        (
            "philosophers 12, 60 million states",
            "models/philosophers.csp -D N=12 --assert 2 --max-states 60000000",
            true,
        ),
        ("sliding window of 3, 1 bit", "benches/window.csp", false),
        (
            "sliding window of 2, 6 bits",
            "benches/window.csp -D WINDOW=2 -D BITS=6 --max-states 20000000",
            true,
        ),
        (
            "sliding window, numbers of 6 bits",
            "benches/numbered.csp",
            false,
        ),
    ];
    let others = others.map(|(work, arguments, long)| alone(work, arguments, long));
    peg().into_iter().chain(others)
}

/// Work that is compared with itself on one thread.
fn scaled() -> impl Iterator<Item = Row> {
    let part = "models/freecell.csp --deal 617 --max-states 8000000";
    peg().into_iter().chain([
        alone("FreeCell 617, 8 million states", part, true),
        alone("10,000 narrow plys", "benches/narrow.csp", false),
    ])
}

/// The same on so many threads.
fn on(program: &Program, threads: usize) -> Program {
    let mut program = program.clone();
    let threads = threads.to_string();
    program.arguments.extend(["--threads".to_owned(), threads]);
    program
}

fn against_peers(rows: impl Iterator<Item = Row>, runs: usize) {
    println!(
        "{:<34} {:>9} {:>12} {:>8} {:<8} {:>9} {:>7}  peer",
        "work", "ours (s)", "states", "B/state", "store", "peer (s)", "ratio"
    );
    for row in rows {
        // A peer that does not end well is left out, and the run goes on.
        let mut times = vec![Ok(Vec::new()); row.peers.len()];
        let mut walls = Vec::new();
        let mut ours = Vec::new();
        for _ in 0..runs {
            let (wall, run) = run_ours(&row.ours);
            walls.push(wall);
            ours.push(run);
            for (times, (_, peer)) in times.iter_mut().zip(&row.peers) {
                if let Ok(seconds) = times {
                    match peer.run() {
                        Ok((second, _)) => seconds.push(second),
                        Err(why) => *times = Err(why),
                    }
                }
            }
        }
        let (wall, ours) = (median(walls), &ours[0]);
        let head = format!(
            "{:<34} {wall:>9.2} {:>12} {:>8.1} {:<8}",
            row.work, ours.states, ours.bytes_per_state, ours.store
        );
        if row.peers.is_empty() {
            println!("{head} {:>9} {:>7}  (none given)", "", "");
        }
        for (times, (name, _)) in times.into_iter().zip(&row.peers) {
            match times.map(median) {
                Ok(peer) => println!("{head} {peer:>9.2} {:>7.2}  {name}", wall / peer),
                Err(why) => println!("{head} {:>9} {:>7}  {name}: {why}", "", ""),
            }
        }
    }
}

fn per_transition(rows: impl Iterator<Item = Row>, runs: usize, threads: usize) {
    println!(
        "\n{:<34} {:>9} {:>12} {:>13} {:>8} {:<8} {:>8} {:>8}",
        "work", "ours (s)", "states", "transitions", "B/state", "store", "ns/trans", "to peg"
    );
    let mut peg = None;
    for row in rows {
        let program = on(&row.ours, threads);
        let mut all: Vec<Ours> = (0..runs).map(|_| run_ours(&program).1).collect();
        all.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        let ours = &all[all.len() / 2];
        let cost = ours.nanoseconds_per_transition();
        let first = *peg.get_or_insert(cost);
        println!(
            "{:<34} {:>9.2} {:>12} {:>13} {:>8.1} {:<8} {cost:>8.1} {:>8.2}",
            row.work,
            ours.seconds,
            ours.states,
            ours.transitions,
            ours.bytes_per_state,
            ours.store,
            cost / first
        );
    }
}

fn scaling(rows: impl Iterator<Item = Row>, runs: usize, threads: usize) {
    println!(
        "\n{:<34} {:>12} {:>9} {:>9}",
        "work",
        "1 thread (s)",
        format!("{threads} (s)"),
        "speed-up"
    );
    for row in rows {
        let (mut one, mut many) = (Vec::new(), Vec::new());
        for _ in 0..runs {
            one.push(run_ours(&on(&row.ours, 1)).1.seconds);
            many.push(run_ours(&on(&row.ours, threads)).1.seconds);
        }
        let (one, many) = (median(one), median(many));
        println!(
            "{:<34} {one:>12.2} {many:>9.2} {:>9.2}",
            row.work,
            one / many
        );
    }
}

/// The wall time of a check, and what it says of itself.
fn run_ours(program: &Program) -> (f64, Ours) {
    let (wall, text) = program.run().unwrap_or_else(|why| panic!("{why}"));
    let report: Value = serde_json::from_str(&text).expect("a report is JSON");
    let assertion = &report["assertions"][0];
    let number = |key: &str| assertion[key].as_f64().unwrap_or(0.0);
    let ours = Ours {
        seconds: number("seconds"),
        states: assertion["states"].as_u64().unwrap_or(0),
        transitions: assertion["transitions"].as_u64().unwrap_or(0),
        bytes_per_state: number("bytes_per_state"),
        store: assertion["store"].as_str().unwrap_or("").to_owned(),
    };
    (wall, ours)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
