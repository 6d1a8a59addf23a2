//! What `csp graph` writes is read by an implementation that nobody here wrote, with the same counts.
//!
//!     cargo test --features compare-merc --test read_by_merc

use std::path::{Path, PathBuf};
use std::process::Command;

use merc_lts::{LTS, read_mcrl2_aut};

/// The scripts below a folder, sorted.
fn scripts(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder exists") {
        let path = entry.expect("it is readable").path();
        if path.is_dir() {
            found.extend(scripts(&path));
        } else if path.extension().is_some_and(|e| e == "csp") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// What a line `-- process: NAME states: S transitions: T` of the corpus says.
fn claimed(line: &str) -> Option<(&str, usize, usize)> {
    let words: Vec<&str> = line.strip_prefix("-- process: ")?.split(' ').collect();
    let [name, "states:", states, "transitions:", transitions, ..] = words[..] else {
        return None;
    };
    Some((name, states.parse().ok()?, transitions.parse().ok()?))
}

#[test]
fn every_process_of_the_corpus_is_read_back_with_its_counts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut read = 0;
    for script in scripts(&root.join("tests/corpus/process")) {
        let text = std::fs::read_to_string(&script).expect("it is a script");
        for (name, states, transitions) in text.lines().filter_map(claimed) {
            let output = Command::new(env!("CARGO_BIN_EXE_csp"))
                .arg("graph")
                .args([script.as_os_str(), name.as_ref()])
                .args(["--format", "aut"])
                .output()
                .expect("the command starts");
            assert!(output.status.success(), "{} {name}", script.display());
            let lts = read_mcrl2_aut(&output.stdout[..]).expect("it is an .aut file");
            let found = (lts.num_of_states(), lts.num_of_transitions());
            assert_eq!(found, (states, transitions), "{} {name}", script.display());
            read += 1;
        }
    }
    assert!(read > 100, "only {read} processes");
}
