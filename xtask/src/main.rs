//! Work on the project that Cargo alone does not know: building the page, and running every test there is.
//!
//!     cargo xtask page     build web/dist from web/page
//!     cargo xtask wasm     build the session as a WebAssembly module and compare it with the command
//!     cargo xtask load     50 tabs ask csp web 500 times a second for 30 s: answers, times, memory
//!     cargo xtask limits   a hostile script for every phase: time, memory, signal, exit codes
//!     cargo xtask test     Rust tests, the page's types, what is embedded, the browser tests
//!
//! A tool that is missing is installed by name where that is possible; otherwise one sentence says what is missing, and
//! the command fails. Nothing is skipped.

mod limits;
mod load;
mod wasm;

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// What went wrong, in a sentence.
type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["page"] => page(&root),
        ["wasm"] => wasm::library().and_then(|library| wasm::wasm(&root, &library)),
        ["load"] => crowd(&root, &load::Load::default()),
        ["load", tabs, rate, seconds] => match (tabs.parse(), rate.parse(), seconds.parse()) {
            (Ok(tabs), Ok(rate), Ok(seconds)) if tabs > 0 && rate > 0 => {
                let load = load::Load {
                    tabs,
                    rate,
                    seconds,
                };
                crowd(&root, &load)
            }
            _ => Err("usage: cargo xtask load [TABS REQUESTS-A-SECOND SECONDS]".to_owned()),
        },
        ["limits"] => command(&root)
            .and_then(|csp| limits::run(&csp))
            .map(|table| say(&table)),
        ["test"] => test(&root),
        ["test", "rust"] => rust_tests(&root),
        ["test", "page"] => page_tests(&root),
        _ => Err("usage: cargo xtask page | wasm | load | limits | test [rust|page]".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            say(&format!("xtask: {reason}"));
            ExitCode::FAILURE
        }
    }
}

fn say(line: &str) {
    // Without a place to write there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Builds the page into `web/dist`.
fn page(root: &Path) -> Outcome {
    packages(root)?;
    npm(root, &["run", "--silent", "build"])
}

/// The command as users have it; `CSP` names another.
fn command(root: &Path) -> Result<PathBuf, String> {
    match std::env::var_os("CSP") {
        Some(csp) => Ok(PathBuf::from(csp)),
        None => {
            run(root, "cargo", &["build", "--release", "--quiet"])?;
            Ok(root.join("target/release/csp"))
        }
    }
}

/// A crowd at the command.
fn crowd(root: &Path, load: &load::Load) -> Outcome {
    say(&load::run(root, &command(root)?, load)?);
    Ok(())
}

fn test(root: &Path) -> Outcome {
    // What is missing is said before anything takes long.
    packages(root)?;
    let browser = chromium()?;
    rust_tests(root)?;
    module_test(root)?;
    page_is_what_sources_build(root)?;
    browser_tests(root, &browser)
}

/// The WebAssembly module says what the command says, where the target's standard library is at hand.
fn module_test(root: &Path) -> Outcome {
    match wasm::at_hand()? {
        Some(library) => wasm::wasm(root, &library),
        None => {
            say(
                "xtask: the WebAssembly module is not tested: its standard library is not on this machine (cargo xtask wasm fetches it)",
            );
            Ok(())
        }
    }
}

fn rust_tests(root: &Path) -> Outcome {
    run(
        root,
        "cargo",
        &["test", "--workspace", "--release", "--no-fail-fast"],
    )
}

fn page_tests(root: &Path) -> Outcome {
    packages(root)?;
    let browser = chromium()?;
    page_is_what_sources_build(root)?;
    browser_tests(root, &browser)
}

/// Types are checked, and a fresh build must give the committed files, byte for byte.
fn page_is_what_sources_build(root: &Path) -> Outcome {
    npm(root, &["run", "--silent", "check"])?;
    let fresh = root.join("target/page");
    let _ = std::fs::remove_dir_all(&fresh);
    let out = fresh.to_string_lossy().into_owned();
    npm(root, &["run", "--silent", "build", "--", "--outDir", &out])?;
    let (built, committed) = (files(&fresh)?, files(&root.join("web/dist"))?);
    if built != committed {
        let differs = |(name, text): &&(String, Vec<u8>)| {
            !committed.iter().any(|(n, t)| n == name && t == text)
        };
        let first = built
            .iter()
            .find(differs)
            .map_or("a file too many", |(name, _)| name.as_str());
        return Err(format!(
            "web/dist is not what web/page builds ({first}); run cargo xtask page and commit it"
        ));
    }
    Ok(())
}

/// The files of a folder with their contents, sorted by name.
fn files(folder: &Path) -> Result<Vec<(String, Vec<u8>)>, String> {
    let said = |e: std::io::Error| format!("cannot read {}: {e}", folder.display());
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(said)? {
        let entry = entry.map_err(said)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        found.push((name, std::fs::read(entry.path()).map_err(said)?));
    }
    found.sort();
    Ok(found)
}

/// A person's walk through every screen, in Debian's Chromium, against the command as it is built for users.
fn browser_tests(root: &Path, browser: &Path) -> Outcome {
    // Built as the Rust tests build it, so that nothing is compiled twice.
    let build = ["test", "--workspace", "--release", "--no-run", "--quiet"];
    run(root, "cargo", &build)?;
    let done = Command::new(npm_command())
        .args(["run", "--silent", "test"])
        .current_dir(root.join("web/page"))
        .env("CSP", root.join("target/release/csp"))
        .env("CHROMIUM", browser)
        .status();
    finished("the browser tests", done)
}

/// The page's packages, at the versions of its lock file.
fn packages(root: &Path) -> Outcome {
    for tool in ["node", "npm"] {
        if !found(tool) && !install("nodejs npm") {
            return Err(format!(
                "{tool} is missing: the page needs Node 20 or newer (apt-get install nodejs npm)"
            ));
        }
    }
    let folder = root.join("web/page");
    let wanted = std::fs::read(folder.join("package-lock.json")).map_err(|e| e.to_string())?;
    let mark = folder.join("node_modules/.installed");
    if std::fs::read(&mark).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    npm(root, &["ci", "--no-audit", "--no-fund", "--loglevel=error"])?;
    std::fs::write(mark, wanted).map_err(|e| e.to_string())
}

/// A browser to test with.
fn chromium() -> Result<PathBuf, String> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let places = [
        "/usr/bin/chromium",
        "/usr/bin/chromium-browser",
        "/usr/bin/google-chrome",
    ];
    let found = || {
        named
            .iter()
            .cloned()
            .chain(places.map(PathBuf::from))
            .find(|path| path.exists())
    };
    if let Some(path) = found() {
        return Ok(path);
    }
    install("chromium");
    found().ok_or_else(|| {
        "Chromium is missing: apt-get install chromium, or name one in CHROMIUM".to_owned()
    })
}

/// Installs Debian packages by name, where that is possible without asking.
fn install(names: &str) -> bool {
    if !found("apt-get") {
        return false;
    }
    say(&format!("xtask: installing {names}"));
    let quiet = |words: &[&str]| {
        let done = Command::new("apt-get")
            .args(words)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdout(Stdio::null())
            .status();
        done.is_ok_and(|status| status.success())
    };
    quiet(&["update", "-qq"]);
    let mut words = vec!["install", "-y", "-qq", "--no-install-recommends"];
    words.extend(names.split(' '));
    quiet(&words)
}

fn found(tool: &str) -> bool {
    let asked = Command::new(tool)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    asked.is_ok_and(|status| status.success())
}

fn npm_command() -> &'static str {
    if cfg!(windows) { "npm.cmd" } else { "npm" }
}

fn npm(root: &Path, words: &[&str]) -> Outcome {
    run(&root.join("web/page"), npm_command(), words)
}

fn run<S: AsRef<OsStr>>(folder: &Path, program: &str, words: &[S]) -> Outcome {
    let shown: Vec<_> = words.iter().map(|w| w.as_ref().to_string_lossy()).collect();
    let shown = format!("{program} {}", shown.join(" "));
    say(&format!("xtask: {shown}"));
    finished(
        &shown,
        Command::new(program)
            .args(words)
            .current_dir(folder)
            .status(),
    )
}

fn finished(what: &str, done: std::io::Result<std::process::ExitStatus>) -> Outcome {
    match done {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{what} failed ({status})")),
        Err(error) => Err(format!("{what} cannot be run: {error}")),
    }
}
