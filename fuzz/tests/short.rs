//! A short campaign, and every input that once failed.

use std::fs;
use std::path::{Path, PathBuf};

use csp_fuzz::input::input;
use csp_fuzz::trial::{Stage, run};

/// Deep recursion in scripts needs room.
const STACK: usize = 256 << 20;

fn on_large_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
    let result = thread.expect("a thread can be made").join();
    if let Err(panic) = result {
        std::panic::resume_unwind(panic);
    }
}

fn scripts(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder exists") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            found.extend(scripts(&path));
        } else if path.extension().is_some_and(|e| e == "csp") {
            let bytes = fs::read(&path).expect("readable");
            found.push((path, String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
    found.sort();
    found
}

#[test]
fn a_few_thousand_inputs() {
    on_large_stack(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus");
        let corpus: Vec<String> = scripts(&root).into_iter().map(|(_, text)| text).collect();
        let (mut parsed, mut evaluated) = (0, 0);
        for number in 0..5_000 {
            let (kind, text) = input(2, number, &corpus);
            let outcome = run(&text);
            assert_eq!(outcome.fault, None, "{kind:?} {number}:\n{text}");
            parsed += usize::from(outcome.stage >= Stage::Parsed);
            evaluated += usize::from(outcome.stage == Stage::Evaluated);
        }
        // Otherwise the inputs would not reach what they are meant to reach.
        assert!(parsed > 500 && evaluated > 300, "{parsed} {evaluated}");
    });
}

#[test]
fn inputs_that_once_failed() {
    on_large_stack(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions");
        for (path, text) in scripts(&folder) {
            assert_eq!(run(&text).fault, None, "{}", path.display());
        }
    });
}

#[test]
fn scripts_of_the_corpus() {
    on_large_stack(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus");
        for (path, text) in scripts(&root) {
            assert_eq!(run(&text).fault, None, "{}", path.display());
        }
    });
}
