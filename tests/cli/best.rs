//! The highest score of a game: the same as by the meter, and bounds where a limit is reached.

use serde_json::Value;

use super::run::csp;

const MODEL: &str = "models/klondike-best.csp";
const SHORT: [&str; 8] = [
    "-D",
    "DRAW=1",
    "-D",
    "RANKS=3",
    "-D",
    "COLUMNS=3",
    "-D",
    "PASSES=2",
];

fn best(arguments: &[&str], code: i32) -> Value {
    let mut all = vec!["solve", MODEL, "--best-score", "--json", "--quiet"];
    all.extend(arguments);
    let ran = csp(&all);
    assert_eq!(ran.code, code, "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("JSON")
}

/// `models/klondike-score.csp` finds 165 with the score in the states, 246,779 of them.
#[test]
fn one_number_for_each_position_is_enough() {
    let report = best(&SHORT, 0);
    assert_eq!(
        (&report["lower"], &report["upper"]),
        (&165.into(), &165.into())
    );
    assert_eq!(report["referee"], "klondike");
    let positions = report["positions"].as_u64().expect("a count");
    assert!(positions < 246_779, "{positions}");
    assert!(report["won"].as_i64() <= Some(165));
}

#[test]
fn a_limit_leaves_bounds() {
    let mut arguments = SHORT.to_vec();
    arguments.extend(["--max-states", "200"]);
    let report = best(&arguments, 3);
    let bound = |key: &str| report[key].as_i64().expect("a number");
    assert!(bound("lower") <= 165 && 165 <= bound("upper"), "{report}");
    assert!(
        report["limit"]
            .as_str()
            .is_some_and(|l| l.contains("200 states"))
    );
}

#[test]
fn a_model_without_scores_says_so() {
    let ran = csp(&["solve", "models/freecell.csp", "--best-score"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("no assertion has a `--@ score:` line"),
        "{}",
        ran.stderr
    );
}
