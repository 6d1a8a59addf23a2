//! Every example and every script of the corpus comes out as its `--@ expect:` lines say, with any
//! number of threads.

use super::bad_input::temporary;
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
    all_as_expected("tests/corpus/idioms", 18);
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

/// Compressions count wherever they stand: every assertion has the states that the line above it says.
#[test]
fn compressed_parts_have_the_states_they_state() {
    all_as_expected("tests/corpus/compressed", 1);
    for script in scripts("tests/corpus/compressed") {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(&script);
        let text = std::fs::read_to_string(path).expect("the script can be read");
        let stated: Vec<u64> = text
            .lines()
            .filter_map(|line| line.strip_prefix("-- states: "))
            .map(|states| states.parse().expect("a number"))
            .collect();
        let ran = csp(&["check", &script, "--json"]);
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
        let assertions = report["assertions"].as_array().expect("a list");
        let found: Vec<u64> = assertions
            .iter()
            .filter_map(|assertion| assertion["states"].as_u64())
            .collect();
        assert_eq!(found, stated, "{script}");
    }
}

/// A part that has more states than may be listed is looked through, and so is what would be more
/// than four times as many together. A part has 4^5 states and Ω.
#[test]
fn parts_too_large_to_be_compressed_keep_their_states() {
    let script = "transparent normal\nchannel c : {0..4}\nchannel d : {0..6}\n\
         Cell(i) = c.i -> c.i -> c.i -> SKIP\n\
         Part(n) = (||| i : {0..4} @ Cell(i)) \\ {| c, d.n |}\n\
         assert d.0 -> normal(Part(0)) :[divergence free]\n\
         assert d.0 -> (normal(Part(0)) ; d.0 -> STOP) :[divergence free]\n\
         assert d.0 -> (; n : <1..6> @ normal(Part(n))) :[divergence free]\n";
    let path = temporary("part.csp", script.as_bytes());
    let file = path.to_string_lossy();
    for (limit, expected) in [
        ("1000", [1 + 1025, 1 + 1024 + 2, 1 + 5 * 1024 + 1025]),
        ("1300", [3, 4, 1 + 5 + 1025]),
        ("1600", [3, 4, 1 + 5 + 2]),
    ] {
        let ran = csp(&["check", &file, "--json", "--max-leaf-states", limit]);
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
        let found = [0, 1, 2].map(|i| report["assertions"][i]["states"].as_u64());
        assert_eq!(found, expected.map(Some), "{limit}");
    }
    std::fs::remove_file(path).expect("it was written");
}

/// Termination as the books have it, also where it once went wrong.
#[test]
fn the_books_reading_has_the_verdicts_the_scripts_state() {
    let once_wrong = "tests/corpus/regressions/terminated_leaf.csp".to_owned();
    for script in scripts("tests/corpus/textbook")
        .into_iter()
        .chain([once_wrong])
    {
        for leaves in ["none", "sbisim", "wbisim"] {
            let ran = csp(&[
                "check",
                &script,
                "--expect",
                "--quiet",
                "--termination",
                "textbook",
                "--leaf-compression",
                leaves,
            ]);
            assert_eq!(ran.code, 0, "{script}, {leaves}:\n{}", ran.stdout);
        }
    }
}

/// Once wrong here, or in other checkers, and never again: whatever is done to the leaves.
#[test]
fn regressions_have_the_verdicts_they_state() {
    all_as_expected("tests/corpus/regressions", 1);
    all_as_expected("tests/corpus/historical", 8);
    let folders = ["tests/corpus/regressions", "tests/corpus/historical"];
    for script in folders.into_iter().flat_map(scripts) {
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

/// Every script gives the same report, but for times and memory, with every store and number of
/// threads.
fn the_same_for_every_store_and_number_of_threads(folder: &str) {
    for script in scripts(folder) {
        let report = |more: &[&str]| {
            let mut words = vec!["check", &script, "--json", "--counterexamples", "3"];
            words.extend_from_slice(more);
            without_times(&csp(&words).stdout)
        };
        let alone = report(&["--threads", "1"]);
        for threads in ["1", "2", "3", "8"] {
            assert_eq!(alone, report(&["--threads", threads]), "{script} {threads}");
            for store in ["bitmap", "compact", "words", "tree"] {
                let several = report(&["--threads", threads, "--store", store]);
                assert_eq!(alone, several, "{script}: {threads} threads, {store}");
            }
        }
    }
}

#[test]
fn examples_do_not_depend_on_threads_and_stores() {
    the_same_for_every_store_and_number_of_threads("examples");
}

#[test]
fn refinements_do_not_depend_on_threads_and_stores() {
    the_same_for_every_store_and_number_of_threads("tests/corpus/refine");
}

#[test]
fn properties_do_not_depend_on_threads_and_stores() {
    the_same_for_every_store_and_number_of_threads("tests/corpus/properties");
}

#[test]
fn partial_order_reduction_changes_no_verdict() {
    let mut changed = 0;
    for script in scripts("tests/corpus/refine")
        .into_iter()
        .chain(scripts("tests/corpus/properties"))
    {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(&script);
        let text = std::fs::read_to_string(&path).expect("a script");
        let mut reduced = String::new();
        for line in text.lines() {
            reduced.push_str(line);
            if line.starts_with("assert ") && !line.contains("partial order") {
                reduced.push_str(" :[partial order reduce]");
                changed += 1;
            }
            reduced.push('\n');
        }
        let copy = temporary("reduced.csp", reduced.as_bytes());
        let verdicts = |file: &str| -> Vec<[serde_json::Value; 4]> {
            let ran = csp(&["check", file, "--json"]);
            // Places are in one file or the other.
            let stdout = ran.stdout.replace(&*copy.to_string_lossy(), &script);
            let report: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
            let all = report["assertions"].as_array().expect("a list").iter();
            all.map(|a| ["verdict", "states", "plys", "counterexamples"].map(|f| a[f].clone()))
                .collect()
        };
        assert_eq!(
            verdicts(&script),
            verdicts(&copy.to_string_lossy()),
            "{script}"
        );
        std::fs::remove_file(copy).expect("it was written");
    }
    assert!(changed > 200, "{changed} assertions");
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
