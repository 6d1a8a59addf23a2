//! Warnings about what is legal and probably not meant: each where it should be, and none on the bundled scripts.

use std::fs;
use std::path::Path;

use super::run::{csp, scripts};

fn warnings(script: &str) -> Vec<String> {
    let ran = csp(&["check", "--json", "--max-states", "1", script]);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("it is JSON");
    let list = report["diagnostics"].as_array().expect("a list");
    list.iter()
        .map(|d| format!("{} {}", d["line"], d["code"].as_str().expect("a code")))
        .collect()
}

/// Line and code of each warning that is drawn.
fn found(drawn: &str, script: &str) -> Vec<String> {
    let codes = drawn.lines().filter_map(|line| {
        let after = line.strip_prefix("warning[")?;
        after.split_once(']').map(|(code, _)| code)
    });
    let place = format!("{script}:");
    let lines = drawn.lines().filter_map(|line| {
        let (_, place) = line.split_once(&place)?;
        place.split(':').next()
    });
    let pairs = lines.zip(codes);
    pairs.map(|(line, code)| format!("{line} {code}")).collect()
}

#[test]
fn each_is_found_at_its_place_and_silenced_where_the_script_says_so() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for script in scripts("tests/corpus/lint") {
        let text = fs::read_to_string(root.join(&script)).expect("the script can be read");
        let expected: Vec<&str> = text
            .lines()
            .map_while(|line| line.strip_prefix("-- warns: "))
            .collect();
        assert_eq!(warnings(&script), expected, "{script}");
        // What needs the events of processes is found by `lint` alone.
        let by_lint: Vec<&str> = text
            .lines()
            .map_while(|line| line.strip_prefix("-- lint: "))
            .collect();
        let ran = csp(&["lint", &script]);
        let code = i32::from(!expected.is_empty() || !by_lint.is_empty());
        assert_eq!(ran.code, code, "{script}: {}", ran.stderr);
        if !by_lint.is_empty() {
            assert_eq!(found(&ran.stderr, &script), by_lint, "{script}");
        }
    }
}

#[test]
fn nothing_is_remarked_on_the_bundled_scripts() {
    for folder in ["examples", "models"] {
        for script in scripts(folder) {
            let ran = csp(&["lint", &script]);
            assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{script}");
        }
    }
}
