//! Runs the built command.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The outcome of one run.
pub(crate) struct Ran {
    /// The exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
}

/// Runs `csp` from the root of the workspace.
pub(crate) fn csp(arguments: &[&str]) -> Ran {
    let output: Output = Command::new(env!("CARGO_BIN_EXE_csp"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .env("LC_ALL", "C.UTF-8")
        .output()
        .expect("the command starts");
    Ran {
        code: output.status.code().expect("it was not killed by a signal"),
        stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("notes are UTF-8"),
    }
}

/// Runs `csp` with lines on its standard input.
pub(crate) fn csp_with(arguments: &[&str], lines: &[&str]) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_csp"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut input = child.stdin.take().expect("it was asked for");
    // A command that ends early does not read everything.
    let _ = input.write_all((lines.join("\n") + "\n").as_bytes());
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    Ran {
        code: output.status.code().expect("it was not killed by a signal"),
        stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("notes are UTF-8"),
    }
}

/// The scripts of a folder, sorted.
pub(crate) fn scripts(folder: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found: Vec<String> = std::fs::read_dir(root.join(folder))
        .expect("the folder exists")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == "csp"))
        .map(|path| {
            path.strip_prefix(root)
                .expect("below the root")
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    found.sort();
    found
}
