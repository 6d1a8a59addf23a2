//! A copy of the workspace with all faults in it, and its tests built.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::mutate::{Mutant, Mutator};

/// What is put to the test: files, and folders with everything in them.
const UNDER_TEST: [&str; 16] = [
    "compiler/src/operators.rs",
    "compiler/src/operators/",
    "compiler/src/assemble.rs",
    "compiler/src/assemble/",
    "compiler/src/reduce.rs",
    "checker/src/normal.rs",
    "checker/src/normal/",
    "checker/src/refine.rs",
    "checker/src/models",
    "checker/src/deadlock.rs",
    "checker/src/determinism.rs",
    "checker/src/divergence.rs",
    "checker/src/has_trace.rs",
    "checker/src/compress.rs",
    "checker/src/compress/",
    "checker/src/reduction/",
];

/// Words for the user, where mistakes are seen by reading.
const NOT_UNDER_TEST: &str = "messages.rs";

/// Where the crates under test begin.
const LIBRARIES: [&str; 2] = ["compiler/src/lib.rs", "checker/src/lib.rs"];

/// Says which fault is awake, and writes down which were met if that is asked for.
const SWITCH: &str = r#"
#[allow(missing_docs)]
pub mod mutant {
    use std::io::Write;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{LazyLock, Mutex};
    static ACTIVE: LazyLock<u32> = LazyLock::new(|| {
        std::env::var("MUTANT").ok().and_then(|v| v.parse().ok()).unwrap_or(0)
    });
    static MET: LazyLock<Option<(Vec<AtomicBool>, Mutex<std::fs::File>)>> = LazyLock::new(|| {
        let name = std::env::var("MUTANTS_MET").ok()?;
        let file = std::fs::File::options().create(true).append(true).open(name).ok()?;
        Some(((0..100_000).map(|_| AtomicBool::new(false)).collect(), Mutex::new(file)))
    });
    pub(crate) fn on(id: u32) -> bool {
        if let Some((seen, file)) = &*MET
            && !seen[id as usize].swap(true, Ordering::Relaxed)
        {
            let mut file = file.lock().unwrap();
            file.write_all(format!("{id}\n").as_bytes()).unwrap();
        }
        *ACTIVE == id
    }
}
"#;

/// The copy.
pub(crate) struct Workspace {
    /// Where it is.
    pub(crate) root: PathBuf,
    /// The state of the repository that it is a copy of.
    pub(crate) state: String,
    /// The faults that compile.
    pub(crate) mutants: Vec<Mutant>,
    /// How many do not.
    pub(crate) unviable: usize,
    /// Programs that were built: the name of the target, and the file.
    pub(crate) programs: Vec<(String, PathBuf)>,
}

impl Workspace {
    /// Copies, puts in all faults, leaves out those that do not compile, and builds.
    pub(crate) fn make(folder: &str) -> Result<Self, String> {
        let root = PathBuf::from(folder);
        let list = run(Command::new("git").arg("ls-files"))?;
        let state = run(Command::new("git").args(["describe", "--always", "--dirty"]))?;
        let under_test = |name: &&str| {
            UNDER_TEST.iter().any(|u| name.starts_with(u))
                && name.ends_with(".rs")
                && !name.ends_with(NOT_UNDER_TEST)
        };
        for name in list.lines() {
            let target = root.join(name);
            if let Some(parent) = target.parent() {
                std::fs::create_dir_all(parent).map_err(|e| e.to_string())?;
            }
            if !under_test(&name) && !LIBRARIES.contains(&name) {
                copy(Path::new(name), &target)?;
            }
        }
        for name in LIBRARIES {
            let text = read(Path::new(name))?;
            write(&root.join(name), &format!("{text}{SWITCH}"))?;
        }
        let files: Vec<&str> = list.lines().filter(under_test).collect();
        let mut unviable = HashSet::new();
        loop {
            let mut mutator = Mutator::new(&unviable);
            for name in &files {
                let text = read(Path::new(name))?;
                let mutated = mutator
                    .file(name, &text)
                    .map_err(|e| format!("{name}: {e}"))?;
                write(&root.join(name), &mutated)?;
            }
            let mutants = mutator.mutants;
            let wrong = errors(&root)?;
            if wrong.is_empty() {
                return Ok(Self {
                    programs: programs(&root)?,
                    root,
                    state: state.trim().to_owned(),
                    mutants,
                    unviable: unviable.len(),
                });
            }
            println!("{} faults do not compile", wrong.len());
            unviable.extend(wrong);
        }
    }
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Writes what is not there already, so that nothing is built twice.
fn write(path: &Path, text: &str) -> Result<(), String> {
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let bytes = std::fs::read(from).map_err(|e| format!("{}: {e}", from.display()))?;
    if std::fs::read(to).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    std::fs::write(to, bytes).map_err(|e| format!("{}: {e}", to.display()))
}

fn run(command: &mut Command) -> Result<String, String> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| e.to_string())?;
    String::from_utf8(output.stdout).map_err(|e| e.to_string())
}

fn cargo(root: &Path, arguments: &[&str]) -> Result<Vec<serde_json::Value>, String> {
    let mut command = Command::new("cargo");
    command
        .current_dir(root)
        .args(arguments)
        .args(["-j2", "--release", "--message-format=json", "--quiet"])
        .env("CARGO_TARGET_DIR", root.join("target"))
        .env("RUSTFLAGS", "-Awarnings")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "64");
    let text = run(&mut command)?;
    Ok(text
        .lines()
        .filter_map(|l| serde_json::from_str(l).ok())
        .collect())
}

/// The numbers of faults that do not compile: those that errors are nearest to.
fn errors(root: &Path) -> Result<HashSet<u32>, String> {
    let messages = cargo(root, &["check", "-p", "csp-compiler", "-p", "csp-checker"])?;
    let mut found = HashSet::new();
    for message in messages {
        let message = &message["message"];
        if message["level"] != "error" {
            continue;
        }
        let Some(spans) = message["spans"].as_array() else {
            continue;
        };
        for span in spans.iter().filter(|s| s["is_primary"] == true) {
            let file = span["file_name"].as_str().unwrap_or_default();
            let line = span["line_start"].as_u64().unwrap_or(1);
            let text = read(&root.join(file))?;
            let until = usize::try_from(line).map_err(|e| e.to_string())?;
            let lines: Vec<&str> = text.lines().take(until).collect();
            let id = lines.iter().rev().find_map(|line| {
                let (_, rest) = line.rsplit_once("mutant::on(")?;
                let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
                digits.parse().ok()
            });
            found.insert(id.ok_or_else(|| format!("the copy does not compile: {message}"))?);
        }
    }
    Ok(found)
}

fn programs(root: &Path) -> Result<Vec<(String, PathBuf)>, String> {
    let crates = [
        "-p",
        "csp-compiler",
        "-p",
        "csp-checker",
        "-p",
        "csp-oracle",
    ];
    let mut messages = cargo(
        root,
        &[&["test", "--no-run", "--tests"], &crates[..]].concat(),
    )?;
    messages.extend(cargo(root, &["build", "-p", "csp-oracle"])?);
    messages.extend(cargo(root, &["test", "--no-run", "--test", "tests"])?);
    let mut all = Vec::new();
    for message in messages {
        let (Some(file), Some(name), Some(kind)) = (
            message["executable"].as_str(),
            message["target"]["name"].as_str(),
            message["target"]["kind"][0].as_str(),
        ) else {
            continue;
        };
        let tested = message["profile"]["test"] == true;
        if kind != "bin" || !tested {
            all.push((name.to_owned(), PathBuf::from(file)));
        }
    }
    Ok(all)
}
