//! The corpus states more than verdicts: `-- counts:` lines above an assertion give the states,
//! transitions and plys of its search, and `-- trace:` lines what the first counterexample shows.

use std::path::Path;

use super::bad_input::temporary;
use super::run::{csp, csp_with, scripts};

/// What the comments above an assertion say; the assertion's line is counted from 1.
fn stated<'a>(source: &'a [&str], line: usize, key: &str) -> Option<&'a str> {
    let above = source[..line - 1].iter().rev();
    above
        .take_while(|l| l.starts_with("--"))
        .find_map(|l| l.strip_prefix(key))
        .map(str::trim)
}

#[test]
fn counts_and_traces_are_as_the_corpus_states() {
    let (mut counted, mut traced) = (0, 0);
    for (folder, reading) in [
        ("tests/corpus/refine", "fdr"),
        ("tests/corpus/properties", "fdr"),
        ("tests/corpus/textbook", "textbook"),
    ] {
        for script in scripts(folder) {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(&script);
            let text = std::fs::read_to_string(path).expect("a script");
            let source: Vec<&str> = text.lines().collect();
            let ran = csp(&[
                "check",
                &script,
                "--json",
                "--threads",
                "2",
                "--termination",
                reading,
            ]);
            let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
            for assertion in report["assertions"].as_array().expect("a list") {
                let line = assertion["line"].as_u64().expect("a line") as usize;
                let counts = format!(
                    "{} states, {} transitions, {} plys",
                    assertion["states"], assertion["transitions"], assertion["plys"]
                );
                if let Some(expected) = stated(&source, line, "-- counts:") {
                    assert_eq!(counts, expected, "{script}:{line}");
                    counted += 1;
                }
                if let Some(expected) = stated(&source, line, "-- trace:") {
                    let trace = assertion["counterexamples"][0]["trace"].as_array();
                    let names: Vec<&str> = trace
                        .expect("a counterexample")
                        .iter()
                        .map(|event| event.as_str().expect("a name"))
                        .collect();
                    assert_eq!(
                        format!("<{}>", names.join(", ")),
                        expected,
                        "{script}:{line}"
                    );
                    traced += 1;
                }
            }
        }
    }
    assert!(
        counted > 200 && traced > 45,
        "{counted} counts, {traced} traces"
    );
}

/// In the model of the assertion a normal form goes on where, in FD, it ends because it diverges.
#[test]
fn saved_traces_replay_in_the_model_of_their_assertion() {
    let script = "transparent normal, lazynorm, model_compress\nchannel a, b, h\n\
                  Busy = h -> Busy [] b -> STOP\nMachine = a -> (Busy \\ {h})\nSpec = a -> STOP\n\
                  assert Spec [T= normal(Machine)\nassert Spec [T= lazynorm(Machine)\n\
                  assert Spec [T= model_compress(Machine)\nassert Spec [F= normal(Machine)\n";
    let path = temporary("replayed.csp", script.as_bytes());
    let trace = temporary("replayed.trace", b"");
    let (file, saved) = (path.to_string_lossy(), trace.to_string_lossy());
    for number in ["1", "2", "3", "4"] {
        let check = ["check", &file, "--assert", number, "--save-trace", &saved];
        assert_eq!(csp(&check).code, 1);
        let replay = ["explore", &file, "--assert", number, "--trace", &saved];
        let ran = csp_with(&replay, &["q"]);
        assert_eq!(
            (ran.code, &*ran.stderr),
            (0, ""),
            "{number}: {}",
            ran.stdout
        );
        let graph = csp(&["graph", &file, "normal(Machine)", "--model", "T"]);
        assert!(graph.stdout.contains("\"b\""), "{}", graph.stdout);
    }
    let cut = csp(&["graph", &file, "normal(Machine)"]);
    assert!(!cut.stdout.contains("\"b\""), "{}", cut.stdout);
    std::fs::remove_file(path).expect("it was written");
    std::fs::remove_file(trace).expect("it was written");
}
