//! Runs the corpus of small scripts: those under `accept` parse without complaint and survive printing, those under
//! `reject` are reported with the codes their first line names.

use csp_grammar::source::Sources;
use csp_grammar::syntax::Script;
use csp_grammar::{Diagnostic, FileId, bare_script, bracketed_text, parse, print_script};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/corpus/parse")
        .join(name)
}

fn scripts(name: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder(name)).expect("the corpus is part of the repository");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "csp"))
        .collect();
    paths.sort();
    paths
}

fn read(path: &Path, text: &str) -> (Script, Vec<Diagnostic>, Sources) {
    let home = path.parent().expect("a file has a folder").to_owned();
    let mut sources = Sources::default();
    let root = sources.add(path.display().to_string(), text);
    let mut loader =
        |name: &str| fs::read_to_string(home.join(name)).map_err(|error| error.to_string());
    let (script, diagnostics) = parse(&mut sources, root, &mut loader);
    (script, diagnostics, sources)
}

fn shown(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let line = |d: &Diagnostic| {
        let (line, column) = sources.position(d.span.file, d.span.start);
        format!("  {line}:{column}: {} {}\n", d.code, d.message)
    };
    diagnostics.iter().map(line).collect()
}

/// What is wrong with the way a script is printed.
fn misprinted(path: &Path, script: Script) -> Option<String> {
    let printed = print_script(&script);
    let (again, diagnostics, sources) = read(path, &printed);
    let what = if !diagnostics.is_empty() {
        shown(&diagnostics, &sources)
    } else if bare_script(again.clone()) != bare_script(script) {
        "changes when printed".to_owned()
    } else if print_script(&again) != printed {
        "is not printed alike twice".to_owned()
    } else if bare_script(read(path, &print_script(&bare_script(again.clone()))).0)
        != bare_script(again)
    {
        "needs its brackets".to_owned()
    } else {
        return None;
    };
    Some(format!("{}: {what}\n{printed}\n", path.display()))
}

#[test]
fn brackets_that_are_put_in_change_nothing() {
    for path in scripts("accept") {
        let text = fs::read_to_string(&path).expect("the script can be read");
        let (script, _, sources) = read(&path, &text);
        let bracketed = bracketed_text(&sources, FileId(0));
        let (again, diagnostics, sources) = read(&path, &bracketed);
        let found = shown(&diagnostics, &sources);
        assert!(found.is_empty(), "{}: {found}\n{bracketed}", path.display());
        assert!(
            bare_script(again) == bare_script(script),
            "{} changes:\n{bracketed}",
            path.display()
        );
    }
}

#[test]
fn accepted_scripts_parse_and_print() {
    let mut failures = String::new();
    let paths = scripts("accept");
    assert!(paths.len() >= 50, "the corpus is complete");
    for path in paths {
        let text = fs::read_to_string(&path).expect("the script can be read");
        let (script, diagnostics, sources) = read(&path, &text);
        if diagnostics.is_empty() {
            failures.extend(misprinted(&path, script));
        } else {
            let name = path.display();
            write!(failures, "{name}:\n{}", shown(&diagnostics, &sources)).expect("strings grow");
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// All scripts in a folder and the folders inside it.
fn scripts_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder is part of the repository") {
        let path = entry.expect("the folder can be listed").path();
        if path.is_dir() {
            scripts_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "csp") {
            found.push(path);
        }
    }
}

/// The scripts of all phases, the models and the examples, as far as they parse.
#[test]
fn whatever_parses_survives_printing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut paths = Vec::new();
    for folder in ["tests/corpus", "models", "examples"] {
        scripts_below(&root.join(folder), &mut paths);
    }
    paths.sort();
    let (mut failures, mut sound) = (String::new(), 0);
    for path in paths {
        let text =
            String::from_utf8_lossy(&fs::read(&path).expect("the script can be read")).into_owned();
        let (script, diagnostics, _) = read(&path, &text);
        if diagnostics.is_empty() {
            sound += 1;
            failures.extend(misprinted(&path, script));
        }
    }
    assert!(sound >= 350, "only {sound} scripts parse");
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn rejected_scripts_are_reported() {
    let mut failures = String::new();
    let paths = scripts("reject");
    assert!(paths.len() >= 50, "the corpus is complete");
    for path in paths {
        let text = fs::read_to_string(&path).expect("the script can be read");
        let first = text.lines().next().unwrap_or_default();
        let (_, codes) = first
            .split_once("expect:")
            .expect("the first line names the codes");
        let (_, diagnostics, sources) = read(&path, &text);
        let expected: Vec<&str> = codes.split_whitespace().collect();
        let mut found: Vec<&str> = diagnostics.iter().map(|d| d.code).collect();
        found.sort_unstable();
        found.dedup();
        if found != expected {
            let shown = shown(&diagnostics, &sources);
            write!(
                failures,
                "{}: expected {expected:?}\n{shown}",
                path.display()
            )
            .expect("strings grow");
        }
    }
    assert!(failures.is_empty(), "{failures}");
}
