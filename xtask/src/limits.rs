//! Whether limits hold in every phase: one hostile script for each, stopped by time, by memory and by a signal.
//!
//! Time is held if the command ends within a second after it; memory, if it never has more than the limit, what it had
//! once the script was loaded, and 64 MiB; a signal, if the command ends within a second with exit code 130. Every end
//! is an exit code of the command's own.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A phase and a script that does not come out of it.
struct Hostile {
    phase: &'static str,
    /// The verb, and what follows the file.
    words: &'static [&'static str],
    text: fn() -> String,
}

const PHASES: &[Hostile] = &[
    Hostile {
        phase: "reading",
        words: &["check"],
        text: || {
            (0..300_000)
                .map(|i| format!("P{i}(x) = if x == {i} then <x, x + 1> else <x>\n"))
                .collect()
        },
    },
    Hostile {
        phase: "typing",
        words: &["check"],
        text: || {
            let twice = |i: i32| format!("f{i}(x) = (f{}(x), f{}(x))\n", i - 1, i - 1);
            format!("f0(x) = x\n{}", (1..200).map(twice).collect::<String>())
        },
    },
    Hostile {
        phase: "evaluating",
        words: &["check"],
        text: || {
            "g(s) = if null(s) then 0 else g(<x + 1 | x <- s ^ s>)\nchannel a\n\
                  assert (if g(<1>) == 0 then STOP else SKIP) :[deadlock free]\n"
                .to_owned()
        },
    },
    Hostile {
        phase: "prefix",
        words: &["check"],
        text: || {
            "channel c : {0..999999}\nP = c?x -> Q(x)\nQ(x) = c!x -> P\nassert P :[deadlock free]\n"
                .to_owned()
        },
    },
    Hostile {
        phase: "interleaving",
        words: &["check"],
        text: || {
            "channel c : {1..10000000}\n\
                  assert ||| i : {1..10000000} @ c.i -> STOP :[deadlock free]\n"
                .to_owned()
        },
    },
    Hostile {
        phase: "listing",
        words: &["check", "--max-leaf-states", "1000000000"],
        text: || "channel a\nP(n) = a -> P(n + 1)\nassert P(0) :[deadlock free]\n".to_owned(),
    },
    Hostile {
        phase: "assembling",
        words: &["check"],
        text: || {
            "channel c : {0..3000}.{0..3000}\nP(i) = c.i?j -> P(i)\n\
                  assert || i : {0..3000} @ [{| c.i |}] P(i) :[deadlock free]\n"
                .to_owned()
        },
    },
    Hostile {
        phase: "compressing",
        words: &["check"],
        text: || format!("transparent sbisim\n{PAIRS}assert sbisim(All) :[deadlock free]\n"),
    },
    Hostile {
        phase: "normalising",
        words: &["check"],
        text: || {
            "channel a, b\nP = a -> P [] b -> P [] a -> Q(40)\n\
                  Q(n) = if n == 0 then STOP else a -> Q(n - 1) [] b -> Q(n - 1)\nassert P [F= P\n"
                .to_owned()
        },
    },
    Hostile {
        phase: "searching",
        words: &["check"],
        text: || format!("{PAIRS}assert All :[deadlock free]\n"),
    },
    Hostile {
        phase: "τ cycles",
        words: &["check"],
        text: || {
            "channel a, b : {0..30}\nA(i) = a.i -> b.i -> A(i)\n\
                  B(i) = a.i -> a.i -> b.i -> b.i -> B(i)\n\
                  S = (||| i : {0..30} @ (A(i) [| {|a.i, b.i|} |] B(i))) \\ {|a, b|}\n\
                  assert S :[divergence free]\n"
                .to_owned()
        },
    },
    Hostile {
        phase: "evidence",
        words: &["check"],
        text: || {
            "channel a : {0..30}\nchannel t\nT(n) = a.n -> T((n + 1) % 31)\n\
                  Ring = (||| i : {0..8} @ T(i)) \\ {| a |}\n\
                  assert Ring :[divergence free]\n\
                  assert (||| i : {0..8} @ (a.i -> T(i))) [| {| a |} |] RUN({| a |}) :[deadlock free]\n".to_owned()
        },
    },
    Hostile {
        phase: "explore",
        words: &["explore", "All"],
        text: || format!("transparent sbisim\n{PAIRS}").replace("All = ", "All = sbisim(") + ")\n",
    },
    Hostile {
        phase: "graph",
        words: &["graph", "All", "--max-states", "1000000000"],
        text: || PAIRS.to_owned(),
    },
    Hostile {
        phase: "lint",
        words: &["lint"],
        text: || {
            "channel c : {0..3000}.{0..3000}\nP(i) = c.i?j -> P(i)\n\
                  Q = ||| i : {0..3000} @ (P(i) [| {| c |} |] P(i + 1))\nassert Q :[deadlock free]\n".to_owned()
        },
    },
];

const PAIRS: &str =
    "channel a, b : {0..30}\nP(i) = a.i -> b.i -> P(i)\nAll = ||| i : {0..30} @ P(i)\n";

/// How long the command may take by `--timeout`, and before it is sent a signal.
const TIME: Duration = Duration::from_secs(2);

/// How much longer it may take.
const MORE: Duration = Duration::from_secs(1);

/// Bytes that it may take by `--memory`, and how many more.
const MEMORY: u64 = 300 << 20;
const MARGIN: u64 = 64 << 20;

/// Longer than any run takes: a signal ends those that need not.
const LONGEST: Duration = Duration::from_secs(20);

/// How a run ended.
struct End {
    seconds: f64,
    /// The most that it had, and what it had a moment after the start.
    most: u64,
    loaded: u64,
    code: Option<i32>,
}

/// A table of all phases; an error names those in which a limit does not hold.
pub(crate) fn run(csp: &Path) -> Result<String, String> {
    let folder = std::env::temp_dir().join(format!("csp-limits-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let mut table = String::from(
        "phase         --timeout 2: s, code   --memory 300M: MiB, s, code   Ctrl-C after 2 s: s, code\n",
    );
    let mut broken = Vec::new();
    for hostile in PHASES {
        let row = row(csp, &folder, hostile)?;
        if !row.1 {
            broken.push(hostile.phase);
        }
        table += &row.0;
    }
    std::fs::remove_dir_all(&folder).map_err(|e| e.to_string())?;
    if broken.is_empty() {
        return Ok(table);
    }
    Err(format!(
        "{table}limits do not hold in: {}",
        broken.join(", ")
    ))
}

fn row(csp: &Path, folder: &Path, hostile: &Hostile) -> Result<(String, bool), String> {
    let file = folder.join(format!("{}.csp", hostile.phase.replace(' ', "-")));
    std::fs::write(&file, (hostile.text)()).map_err(|e| e.to_string())?;
    let by_time = one(csp, &file, hostile, &["--timeout", "2"], LONGEST)?;
    let memory = format!("{}M", MEMORY >> 20);
    let limits: &[&str] = match hostile.words[0] {
        // It has no such option: the time is its own, and memory what is free.
        "lint" => &["--timeout", "10"],
        _ => &["--memory", &memory, "--timeout", "10"],
    };
    let by_memory = one(csp, &file, hostile, limits, LONGEST)?;
    let by_signal = one(csp, &file, hostile, &[], TIME)?;
    let ended = |end: &End| matches!(end.code, Some(0 | 1 | 2 | 3 | 130));
    let held = by_memory.loaded + MEMORY + MARGIN;
    let good = [&by_time, &by_memory, &by_signal].into_iter().all(ended)
        && by_time.seconds <= (TIME + MORE).as_secs_f64()
        && by_memory.most <= held
        && by_signal.seconds <= (TIME + MORE).as_secs_f64();
    let code = |end: &End| {
        end.code
            .map_or("signal".to_owned(), |code| code.to_string())
    };
    let mut line = String::new();
    let _ = writeln!(
        line,
        "{:<13} {:>12.2} {:>8} {:>16} {:>7.2} {:>5} {:>19.2} {:>6}{}",
        hostile.phase,
        by_time.seconds,
        code(&by_time),
        by_memory.most >> 20,
        by_memory.seconds,
        code(&by_memory),
        by_signal.seconds,
        code(&by_signal),
        if good { "" } else { "   !" },
    );
    Ok((line, good))
}

/// Runs the command, sends it a signal after a while, and looks at its memory until it ends.
fn one(
    csp: &Path,
    file: &PathBuf,
    hostile: &Hostile,
    limits: &[&str],
    patience: Duration,
) -> Result<End, String> {
    let (verb, words) = hostile.words.split_first().ok_or("a verb is missing")?;
    let begun = Instant::now();
    let mut child = Command::new(csp)
        .arg(verb)
        .arg(file)
        .args(words)
        .args(limits)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| format!("{} cannot be run: {e}", csp.display()))?;
    let (mut most, mut loaded, mut told) = (0, 0, false);
    loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            let seconds = begun.elapsed().as_secs_f64();
            let code = status.code();
            return Ok(End {
                seconds,
                most,
                loaded,
                code,
            });
        }
        let now = crate::load::resident(child.id()).unwrap_or(0);
        most = most.max(now);
        if begun.elapsed() < Duration::from_millis(300) {
            loaded = now;
        }
        if !told && begun.elapsed() >= patience {
            told = true;
            interrupt(&child)?;
        }
        if begun.elapsed() > patience + LONGEST {
            child.kill().map_err(|e| e.to_string())?;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// What Ctrl-C sends.
fn interrupt(child: &Child) -> Result<(), String> {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    sent.map(|_| ()).map_err(|e| format!("kill: {e}"))
}
