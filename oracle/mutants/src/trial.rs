//! One fault at a time, test after test until one notices.
//!
//! What a test may take is counted in processor time, so that a fate does not depend on what else the
//! machine does; a wall clock that is far more patient ends those that wait for ever.

use std::collections::HashSet;
use std::fmt::{self, Display, Formatter};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use crate::mutate::Mutant;
use crate::workspace::Workspace;

/// What is run, the cheapest for what it catches first: a program, what it is told, and for faults in
/// which files.
const STAGES: [(&str, &[&str], &[&str]); 14] = [
    ("csp-oracle", &oracle("500", "7"), &[""]),
    ("csp-oracle", &oracle("3000", "7000"), &[""]),
    ("csp_checker", &["reduced"], &["checker/src/reduction"]),
    ("csp-oracle", &reduced("por"), &["checker/src/reduction"]),
    (
        "csp-oracle",
        &reduced("symmetry"),
        &["checker/src/reduction"],
    ),
    ("csp-oracle", &reduced("both"), &["checker/src/reduction"]),
    ("process", &[], &["compiler/"]),
    (
        "csp_checker",
        &["--skip", "search", "--skip", "directed"],
        &["checker/"],
    ),
    ("scripts", &[], &[""]),
    (
        "judgement",
        &[],
        &[
            "checker/src/normal",
            "checker/src/refine",
            "checker/src/models",
            "checker/src/d",
            "checker/src/has_trace",
        ],
    ),
    ("compression_laws", &[], &["checker/src/compress"]),
    ("network", &[], &["compiler/"]),
    ("tests", &COMMAND, &[""]),
    ("csp-oracle", &oracle("6000", "70000"), &[""]),
];

/// The suite over the command, but for what takes long or is about the machine.
const COMMAND: [&str; 8] = [
    "--skip",
    "do_not_depend",
    "--skip",
    "models",
    "--skip",
    "surroundings",
    "--skip",
    "survey",
];

/// Random checks from a seed on, up to the first disagreement.
const fn oracle<'a>(checks: &'a str, seed: &'a str) -> [&'a str; 8] {
    [
        "--checks", checks, "--seed", seed, "--enough", "1", "--shrink", "no",
    ]
}

/// Random checks with a reduction.
const fn reduced(reduction: &str) -> [&str; 8] {
    [
        "--checks", "3000", "--reduce", reduction, "--enough", "1", "--shrink", "no",
    ]
}

/// The time that tests may take: a factor of what they take without a fault, and seconds more.
const PATIENCE: (u32, u64) = (6, 2);

/// A test is said to hang after waiting longer than the processor may take by this factor.
const IDLE: u64 = 8;

/// How often in a second it is seen whether a test has ended.
const LOOKS: u64 = 100;

/// What became of a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// A test failed.
    Caught(String),
    /// A test took far longer than without the fault.
    TimedOut(String),
    /// All tests passed.
    Survived,
    /// No test comes to the place.
    NotReached,
}

impl Display for Fate {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Caught(by) => write!(f, "caught by {by}"),
            Self::TimedOut(by) => write!(f, "timed out in {by}"),
            Self::Survived => f.write_str("SURVIVED"),
            Self::NotReached => f.write_str("NOT REACHED"),
        }
    }
}

impl Fate {
    /// The fate that a line of a report ends with.
    pub(crate) fn read(text: &str) -> Option<Self> {
        match text.split_once(" by ").or(text.split_once(" in ")) {
            Some(("caught", by)) => Some(Self::Caught(by.to_owned())),
            Some(("timed out", by)) => Some(Self::TimedOut(by.to_owned())),
            _ if text == "SURVIVED" => Some(Self::Survived),
            _ if text == "NOT REACHED" => Some(Self::NotReached),
            _ => None,
        }
    }
}

struct Stage {
    name: String,
    program: PathBuf,
    arguments: &'static [&'static str],
    folder: PathBuf,
    /// How the names of the files begin whose faults it is tried on.
    files: &'static [&'static str],
    /// How many seconds of the processor it may take.
    limit: u64,
    /// The faults it comes by.
    met: HashSet<u32>,
}

/// The tests.
pub(crate) struct Trials(Vec<Stage>);

impl Trials {
    /// Runs all tests without a fault, to see that they pass, how long they take and what they meet.
    pub(crate) fn new(workspace: &Workspace) -> Result<Self, String> {
        let mut stages = Vec::new();
        for (i, (target, arguments, files)) in STAGES.into_iter().enumerate() {
            let found = workspace.programs.iter().find(|p| p.0 == target);
            let (_, program) = found.ok_or_else(|| format!("there is no program {target}"))?;
            let folder = match target {
                "process" | "network" => workspace.root.join("compiler"),
                "scripts" => workspace.root.join("oracle"),
                "tests" => workspace.root.clone(),
                _ => workspace.root.join("checker"),
            };
            let met = workspace.root.join(format!("met-{i}.txt"));
            let mut stage = Stage {
                name: [&[target], arguments].concat().join(" "),
                program: program.clone(),
                arguments,
                folder,
                files,
                limit: 600,
                met: HashSet::new(),
            };
            let _ = std::fs::remove_file(&met);
            let file = met.display().to_string();
            let before = processor_seconds()?;
            let fate = stage.run(&[("MUTANT", "0"), ("MUTANTS_MET", &file)]);
            let taken = processor_seconds()? - before;
            if fate != Fate::Survived {
                return Err(format!("{}: {fate} without a fault", stage.name));
            }
            stage.limit = (taken * PATIENCE.0).as_secs() + PATIENCE.1;
            let text = std::fs::read_to_string(&met).unwrap_or_default();
            stage.met = text.lines().filter_map(|l| l.parse().ok()).collect();
            println!(
                "{}: {:.1} s, meets {} faults",
                stage.name,
                taken.as_secs_f64(),
                stage.met.len()
            );
            stages.push(stage);
        }
        Ok(Self(stages))
    }

    /// What becomes of a fault.
    pub(crate) fn fate(&self, mutant: &Mutant) -> Fate {
        let number = mutant.id.to_string();
        let mut fate = Fate::NotReached;
        let fits = |s: &&Stage| {
            s.met.contains(&mutant.id) && s.files.iter().any(|f| mutant.file.starts_with(f))
        };
        for stage in self.0.iter().filter(fits) {
            fate = stage.run(&[("MUTANT", &number)]);
            if fate != Fate::Survived {
                break;
            }
        }
        fate
    }
}

impl Stage {
    fn run(&self, environment: &[(&str, &str)]) -> Fate {
        // Memory is bounded: a fault may well ask for all there is. Most of it is for the command's
        // stack, which is large but hardly used.
        let bounded = format!(
            "ulimit -v 9000000 && ulimit -t {} && exec \"$0\" \"$@\"",
            self.limit
        );
        let mut command = Command::new("sh");
        command
            .args(["-c", &bounded])
            .arg(&self.program)
            .args(self.arguments)
            .envs(environment.iter().copied())
            .current_dir(&self.folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let Ok(mut child) = command.spawn() else {
            return Fate::Caught(format!("{}, which did not start", self.name));
        };
        // Looks are counted, not time, which goes on while the whole run is halted.
        for _ in 0..self.limit * IDLE * LOOKS {
            match child.try_wait() {
                Ok(Some(status)) => return self.fate(status),
                Err(_) => return Fate::Caught(self.name.clone()),
                Ok(None) => std::thread::sleep(Duration::from_millis(1000 / LOOKS)),
            }
        }
        let _ = child.kill();
        let _ = child.wait();
        Fate::TimedOut(self.name.clone())
    }

    /// What a test says about the fault by how it ended.
    fn fate(&self, status: ExitStatus) -> Fate {
        /// The signals by which a process learns that its time is up.
        const UP: [i32; 2] = [9, 24];
        if status.success() {
            Fate::Survived
        } else if status.signal().is_some_and(|s| UP.contains(&s)) {
            Fate::TimedOut(self.name.clone())
        } else {
            Fate::Caught(self.name.clone())
        }
    }
}

/// The processor time of all tests so far, as the system counts it for processes that have ended.
fn processor_seconds() -> Result<Duration, String> {
    let text = std::fs::read_to_string("/proc/self/stat").map_err(|e| e.to_string())?;
    // The name of the program, in brackets, may have blanks; the sixteenth and seventeenth fields count
    // hundredths of a second.
    let fields = text.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks: Vec<u64> = fields
        .split_whitespace()
        .skip(13)
        .take(2)
        .filter_map(|w| w.parse().ok())
        .collect();
    Ok(Duration::from_millis(ticks.iter().sum::<u64>() * 10))
}

#[cfg(test)]
mod tests {
    use super::Fate;

    #[test]
    fn fates_are_read_back() {
        for fate in [
            Fate::Caught("process in order".to_owned()),
            Fate::TimedOut("csp-oracle --checks 500".to_owned()),
            Fate::Survived,
            Fate::NotReached,
        ] {
            assert_eq!(Fate::read(&fate.to_string()), Some(fate));
        }
        assert_eq!(Fate::read("nothing"), None);
    }
}
