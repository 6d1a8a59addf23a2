//! The session as a WebAssembly module: built, run under Node, and compared with the native command.
//!
//! The target's standard library is looked for in this order: installed (`rustup target add wasm32-unknown-unknown`); its
//! source beside the compiler, in `/usr/src`, or in the folder that `RUST_SRC` names; Debian's package `rust-src` of the
//! compiler's version, which is downloaded through an apt state of its own and unpacked into the user's cache. From
//! source it is built with the module, which Cargo calls unstable.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{Outcome, finished, found, run, say};

const TARGET: &str = "wasm32-unknown-unknown";

/// A verdict of each kind, a search that fails, a game, compressions.
const SCRIPTS: [&str; 4] = [
    "examples/01-vending-machine.csp",
    "examples/06-alternating-bit.csp",
    "models/philosophers.csp",
    "models/peg-triangle.csp",
];

/// Where the target's standard library comes from.
pub(crate) enum Library {
    Installed,
    Source(PathBuf),
}

/// Builds the module, runs the scripts in it and compares them with the command.
pub(crate) fn wasm(root: &Path, library: &Library) -> Outcome {
    let module = build(root, library)?;
    run(root, "cargo", &["build", "--release", "--quiet"])?;
    let command = root.join("target/release/csp");
    let done = Command::new("node")
        .arg("wasm/compare.mjs")
        .args([&module, &command])
        .args(SCRIPTS)
        .current_dir(root)
        .status();
    finished("comparing the module with the command", done)
}

fn build(root: &Path, library: &Library) -> Result<PathBuf, String> {
    // A folder of its own: what unstable Cargo builds for the host would otherwise replace what stable Cargo built.
    let words = ["build", "--package", "csp-wasm", "--profile", "wasm"];
    let more = ["--target", TARGET, "--target-dir", "target/wasm"];
    let mut cargo = Command::new("cargo");
    cargo.args(words).args(more).current_dir(root);
    // Where Cargo gives every package the features that any package wants, the module would get the tests' too.
    cargo.env("CARGO_RESOLVER_FEATURE_UNIFICATION", "selected");
    if let Library::Source(source) = library {
        cargo
            .arg("-Zbuild-std=std,panic_abort")
            .env("RUSTC_BOOTSTRAP", "1")
            .env("__CARGO_TESTS_ONLY_SRC_ROOT", source);
    }
    say("xtask: building the module");
    finished("building the module", cargo.status())?;
    Ok(root.join(format!("target/wasm/{TARGET}/wasm/csp_wasm.wasm")))
}

/// Where the standard library is, fetched if need be, or what is missing, in a sentence.
pub(crate) fn library() -> Result<Library, String> {
    if let Some(library) = at_hand()? {
        return Ok(library);
    }
    let version = compiler_version()?;
    download(&version, &unpacked(&version));
    at_hand()?.ok_or_else(|| {
        format!(
            "the standard library of {TARGET} is missing: rustup target add {TARGET}, or unpack Debian's rust-src \
             {version} and name its folder `library` in RUST_SRC"
        )
    })
}

/// The standard library if it is on this machine already.
pub(crate) fn at_hand() -> Result<Option<Library>, String> {
    let sysroot = PathBuf::from(printed("rustc", &["--print", "sysroot"])?);
    if sysroot.join("lib/rustlib").join(TARGET).exists() {
        return Ok(Some(Library::Installed));
    }
    let version = compiler_version()?;
    let debian = format!("usr/src/rustc-{version}/library");
    let named = std::env::var_os("RUST_SRC").map(PathBuf::from);
    let places = [
        sysroot.join("lib/rustlib/src/rust/library"),
        Path::new("/").join(&debian),
        unpacked(&version).join(&debian),
    ];
    let found = named
        .into_iter()
        .chain(places)
        .find(|p| p.join("std").exists());
    Ok(found.map(Library::Source))
}

fn compiler_version() -> Result<String, String> {
    let said = printed("rustc", &["--version"])?;
    Ok(said.split(' ').nth(1).unwrap_or_default().to_owned())
}

/// Where Debian's package of a version is unpacked.
fn unpacked(version: &str) -> PathBuf {
    cache().join(format!("rust-src-{version}"))
}

/// A folder that outlives the build.
fn cache() -> PathBuf {
    let set = |name| std::env::var_os(name).map(PathBuf::from);
    set("XDG_CACHE_HOME")
        .or_else(|| set("HOME").map(|home| home.join(".cache")))
        .unwrap_or_else(std::env::temp_dir)
        .join("csp")
}

/// Debian's package of this version, unpacked into a folder; nothing if there is no such thing.
fn download(version: &str, unpacked: &Path) -> Option<()> {
    if !(found("apt-get") && found("dpkg-deb")) {
        return None;
    }
    say(&format!("xtask: fetching Debian's rust-src {version}"));
    let state = unpacked.with_extension("apt");
    for folder in ["state/lists/partial", "cache/archives/partial"] {
        std::fs::create_dir_all(state.join(folder)).ok()?;
    }
    let keys = "/usr/share/keyrings/debian-archive-keyring.gpg";
    let line =
        format!("deb [signed-by={keys}] http://deb.debian.org/debian trixie-backports main\n");
    std::fs::write(state.join("sources.list"), line).ok()?;
    let apt = |program: &str, words: &[&str]| {
        let set = |name: &str, value: &Path| format!("-o{name}={}", value.display());
        let done = Command::new(program)
            .arg(set("Dir::Etc::sourcelist", &state.join("sources.list")))
            .args(["-oDir::Etc::sourceparts=-", "-oAcquire::http::Timeout=20"])
            .arg(set("Dir::State", &state.join("state")))
            .arg(set("Dir::Cache", &state.join("cache")))
            .args(words)
            .current_dir(&state)
            .stderr(Stdio::null())
            .output()
            .ok()?;
        done.status
            .success()
            .then(|| String::from_utf8_lossy(&done.stdout).into_owned())
    };
    apt("apt-get", &["update", "-qq"])?;
    // Lines such as ` rust-src | 1.95.0+dfsg1-2 | …`.
    let listed = apt("apt-cache", &["madison", "rust-src"])?;
    let versions = listed.lines().filter_map(|l| l.split('|').nth(1));
    let exact = versions
        .map(str::trim)
        .find(|v| v.split(['+', '-', '~']).next() == Some(version))?;
    apt(
        "apt-get",
        &["download", "-qq", &format!("rust-src={exact}")],
    )?;
    let packages = std::fs::read_dir(&state).ok()?.flatten();
    let package = packages
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|end| end == "deb"))?;
    let done = Command::new("dpkg-deb")
        .arg("-x")
        .args([&package, unpacked])
        .status()
        .ok()?;
    let _ = std::fs::remove_dir_all(&state);
    done.success().then_some(())
}

/// What a program prints, without the end of the line.
fn printed(program: &str, words: &[&str]) -> Result<String, String> {
    let done = Command::new(program).args(words).output();
    let done = done.map_err(|e| format!("{program} cannot be run: {e}"))?;
    Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
}
