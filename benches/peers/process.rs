//! Running a program and looking at how long it takes.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// A command line.
#[derive(Clone)]
pub(crate) struct Program {
    pub(crate) path: String,
    pub(crate) arguments: Vec<String>,
}

impl Program {
    /// A program with its arguments separated by blanks.
    pub(crate) fn new(path: impl Into<String>, arguments: &str) -> Self {
        let arguments = arguments.split_whitespace().map(str::to_owned).collect();
        let path = path.into();
        Self { path, arguments }
    }

    /// The program that an environment variable names.
    pub(crate) fn from_variable(variable: &str, arguments: &str) -> Option<Self> {
        let path = std::env::var(variable).ok()?;
        Some(Self::new(path, arguments))
    }

    /// Runs it; how many seconds it took and what it printed, or why it did not end well.
    pub(crate) fn run(&self) -> Result<(f64, String), String> {
        let start = Instant::now();
        let output = Command::new(&self.path)
            .args(&self.arguments)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .map_err(|error| format!("{} cannot be run: {error}", self.path))?;
        let seconds = start.elapsed().as_secs_f64();
        // A failing check is 1 and one that met a limit 3; other tools say 0.
        let code = output.status.code();
        if !matches!(code, Some(0 | 1 | 3)) {
            let (path, arguments) = (&self.path, &self.arguments);
            return Err(format!("{path} {arguments:?} ended with {code:?}"));
        }
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok((seconds, text))
    }
}

/// Whether a program is installed.
pub(crate) fn is_installed(program: &str) -> bool {
    let found = Command::new("which")
        .arg(program)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    found.is_ok_and(|status| status.success())
}

/// Runs a shell command in a folder; whether it went well.
pub(crate) fn shell(folder: &Path, command: &str) -> bool {
    let status = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}
