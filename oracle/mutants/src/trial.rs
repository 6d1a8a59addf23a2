//! One fault at a time, test after test until one notices.

use std::collections::HashSet;
use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::mutate::Mutant;
use crate::workspace::Workspace;

/// What is run, the quick things first: a program, what it is told, and for faults in which files.
const STAGES: [(&str, &[&str], &[&str]); 7] = [
    ("csp-oracle", &["--checks", "2500", "--seed", "7"], &[""]),
    ("process", &[], &["compiler/"]),
    (
        "csp_checker",
        &["--skip", "search", "--skip", "directed"],
        &["checker/"],
    ),
    ("network", &[], &["compiler/"]),
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
    (
        "csp-oracle",
        &["--checks", "6000", "--seed", "70000"],
        &[""],
    ),
];

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

struct Stage {
    name: String,
    program: PathBuf,
    arguments: &'static [&'static str],
    folder: PathBuf,
    /// How the names of the files begin whose faults it is tried on.
    files: &'static [&'static str],
    /// How long it may take.
    limit: Duration,
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
                _ => workspace.root.join("checker"),
            };
            let met = workspace.root.join(format!("met-{i}.txt"));
            let mut stage = Stage {
                name: [&[target], arguments].concat().join(" "),
                program: program.clone(),
                arguments,
                folder,
                files,
                limit: Duration::from_secs(600),
                met: HashSet::new(),
            };
            let start = Instant::now();
            let _ = std::fs::remove_file(&met);
            let file = met.display().to_string();
            let fate = stage.run(&[("MUTANT", "0"), ("MUTANTS_MET", &file)]);
            if fate != Fate::Survived {
                return Err(format!("{}: {fate} without a fault", stage.name));
            }
            stage.limit = start.elapsed() * 8 + Duration::from_secs(10);
            let text = std::fs::read_to_string(&met).unwrap_or_default();
            stage.met = text.lines().filter_map(|l| l.parse().ok()).collect();
            println!(
                "{}: {:.1} s, meets {} faults",
                stage.name,
                start.elapsed().as_secs_f64(),
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
        // Memory is bounded: a fault may well ask for all there is.
        let mut command = Command::new("sh");
        command
            .args(["-c", "ulimit -v 4000000; exec \"$0\" \"$@\""])
            .arg(&self.program)
            .args(self.arguments)
            .envs(environment.iter().copied())
            .current_dir(&self.folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let Ok(mut child) = command.spawn() else {
            return Fate::Caught(format!("{}, which did not start", self.name));
        };
        let start = Instant::now();
        loop {
            match child.try_wait() {
                Ok(Some(status)) if status.success() => return Fate::Survived,
                Ok(Some(_)) | Err(_) => return Fate::Caught(self.name.clone()),
                Ok(None) if start.elapsed() > self.limit => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Fate::TimedOut(self.name.clone());
                }
                Ok(None) => std::thread::sleep(Duration::from_millis(10)),
            }
        }
    }
}
