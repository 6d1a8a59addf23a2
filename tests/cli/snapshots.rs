//! What the user sees for every rejecting script of the corpus, word for word.
//!
//! The expected texts are in `tests/snapshots`, one file for each script; `UPDATE_SNAPSHOTS=1` writes
//! them anew. A script may say `-- define: N=expr` and `-- asks: expr`, the expression that fails
//! (`bad` if nothing is said).

use std::fs;
use std::path::Path;

use super::run::{Ran, csp, scripts};

/// The values of the header lines with this key.
fn header(text: &str, key: &str) -> Vec<String> {
    text.lines()
        .filter_map(|line| {
            line.strip_prefix("-- ")?
                .strip_prefix(key)?
                .strip_prefix(": ")
        })
        .map(|value| value.trim().to_owned())
        .collect()
}

/// The complaint of the command about a script that does not load.
fn load(script: &str, text: &str) -> Ran {
    let mut arguments = vec!["typecheck".to_owned(), script.to_owned()];
    for define in header(text, "define") {
        arguments.extend(["--define".to_owned(), define]);
    }
    csp(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The complaint of the command about an expression: its value, or the process it stands for.
fn evaluate(script: &str, text: &str) -> Ran {
    let asked = header(text, "asks").pop().unwrap_or("bad".to_owned());
    let ran = csp(&["eval", script, &asked]);
    if ran.code == 0 {
        return csp(&["graph", script, &asked, "--format", "aut"]);
    }
    ran
}

fn check(phase: &str, run: fn(&str, &str) -> Ran) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let update = std::env::var_os("UPDATE_SNAPSHOTS").is_some();
    let folder = root.join("tests/snapshots").join(phase);
    let mut wrong = Vec::new();
    for script in scripts(&format!("tests/corpus/{phase}/reject")) {
        let text = fs::read(root.join(&script)).expect("the script can be read");
        let text = String::from_utf8_lossy(&text);
        let ran = run(&script, &text);
        let name = Path::new(&script).file_stem().expect("a script has a name");
        let path = folder.join(name).with_extension("txt");
        let expected_code = if text.starts_with("-- expect: W") {
            0
        } else {
            2
        };
        if ran.code != expected_code || ran.stderr.is_empty() {
            wrong.push(format!("{script}: exit code {}\n{}", ran.code, ran.stderr));
        }
        if update {
            fs::create_dir_all(&folder).expect("the folder can be made");
            fs::write(&path, &ran.stderr).expect("the snapshot can be written");
        } else if fs::read_to_string(&path).unwrap_or_default() != ran.stderr {
            wrong.push(format!(
                "{script}: not as in {}\n{}",
                path.display(),
                ran.stderr
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{}\n(UPDATE_SNAPSHOTS=1 writes the texts anew)",
        wrong.join("\n")
    );
}

#[test]
fn syntax_errors_read_as_they_should() {
    check("parse", load);
}

#[test]
fn errors_of_names_read_as_they_should() {
    check("names", load);
}

#[test]
fn type_errors_read_as_they_should() {
    check("types", load);
}

#[test]
fn failures_of_evaluation_read_as_they_should() {
    check("evaluate", evaluate);
}

#[test]
fn the_map_of_the_corpus_names_scripts_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let map = fs::read_to_string(root.join("README.md")).expect("the map can be read");
    let named: Vec<&str> = map
        .split('`')
        .filter(|word| word.ends_with(".csp"))
        .collect();
    assert!(named.len() > 150, "{} scripts", named.len());
    let missing: Vec<&&str> = named
        .iter()
        .filter(|name| !root.join(name).exists())
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
