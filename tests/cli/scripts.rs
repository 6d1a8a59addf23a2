//! Every example and every script of the corpus comes out as its `--@ expect:` lines say, with any
//! number of threads.

use super::run::{csp, scripts};

fn all_as_expected(folder: &str, least: usize) {
    let found = scripts(folder);
    assert!(found.len() >= least, "{folder} has {} scripts", found.len());
    for script in found {
        for threads in ["1", "2", "8"] {
            let ran = csp(&[
                "check",
                &script,
                "--expect",
                "--quiet",
                "--threads",
                threads,
            ]);
            assert_eq!(
                ran.code, 0,
                "{script} with {threads} threads:\n{}{}",
                ran.stdout, ran.stderr
            );
        }
    }
}

#[test]
fn examples_have_the_verdicts_they_state() {
    all_as_expected("examples", 10);
}

#[test]
fn philosophers_dine_as_their_models_say() {
    for script in [
        "models/philosophers.csp",
        "models/philosophers-by-parts.csp",
    ] {
        let ran = csp(&["check", script, "--expect", "--quiet"]);
        assert_eq!(ran.code, 0, "{script}:\n{}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn refinements_have_the_verdicts_they_state() {
    all_as_expected("tests/corpus/refine", 10);
}

#[test]
fn properties_have_the_verdicts_they_state() {
    all_as_expected("tests/corpus/properties", 10);
}

#[test]
fn idioms_have_the_verdicts_and_values_they_state() {
    all_as_expected("tests/corpus/idioms", 15);
    for script in scripts("tests/corpus/idioms") {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(&script);
        let text = std::fs::read_to_string(path).expect("the script can be read");
        let stated: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("-- prints: "))
            .collect();
        let ran = csp(&["check", &script, "--json"]);
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
        let printed: Vec<&str> = report["prints"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|print| print["value"].as_str())
            .collect();
        assert_eq!(printed, stated, "{script}");
    }
}

/// Once wrong, and never again: whatever is done to the leaves.
#[test]
fn regressions_have_the_verdicts_they_state() {
    all_as_expected("tests/corpus/regressions", 9);
    for script in scripts("tests/corpus/regressions") {
        for leaves in ["sbisim", "wbisim"] {
            let ran = csp(&[
                "check",
                &script,
                "--expect",
                "--quiet",
                "--leaf-compression",
                leaves,
            ]);
            assert_eq!(ran.code, 0, "{script}, {leaves}:\n{}", ran.stdout);
        }
    }
}

/// A report without what differs from run to run: times, rates, memory.
fn without_times(text: &str) -> String {
    let mut value: serde_json::Value = serde_json::from_str(text).expect("JSON");
    for assertion in value["assertions"].as_array_mut().expect("a list") {
        let fields = assertion.as_object_mut().expect("an object");
        for name in [
            "seconds",
            "compile_seconds",
            "compressions",
            "peak_memory_bytes",
            "bytes_per_state",
            "store",
        ] {
            fields.remove(name).expect("every report has it");
        }
    }
    value.to_string()
}

#[test]
fn reports_do_not_depend_on_the_number_of_threads() {
    for script in scripts("examples") {
        let alone = without_times(&csp(&["check", &script, "--json", "--threads", "1"]).stdout);
        for threads in ["2", "3", "8"] {
            let several =
                without_times(&csp(&["check", &script, "--json", "--threads", threads]).stdout);
            assert_eq!(alone, several, "{script} with {threads} threads");
        }
    }
}

#[test]
fn the_deal_that_cannot_be_won() {
    let ran = csp(&["check", "models/freecell.csp", "--deal", "11982", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(report["assertions"][0]["states"], 61_643);
    assert_eq!(report["assertions"][0]["transitions"], 220_154);
}

#[test]
fn a_short_deal_is_won_by_the_rules() {
    use csp_games::board::Board;
    use csp_games::deal::{microsoft, rounds};
    use csp_games::referee::freecell::{Move, Referee};

    let ran = csp(&[
        "check",
        "models/freecell.csp",
        "--deal",
        "7",
        "-D",
        "RANKS=5",
        "-D",
        "CELLS=2",
        "-D",
        "COLUMNS=5",
        "--json",
    ]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let pack = microsoft::deal(7, 5).expect("in range");
    let mut referee = Referee::new(
        Board {
            columns: rounds(&pack, 5),
            ..Board::default()
        },
        2,
        5,
    );
    for event in report["assertions"][0]["counterexamples"][0]["revealed"]
        .as_array()
        .expect("a list")
    {
        if let Some(m) = Move::from_event(event.as_str().expect("a name")) {
            referee.play(m).expect("the play is legal");
        }
    }
    assert!(referee.is_won());
}
