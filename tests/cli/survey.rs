//! Surveys: rows, resumption, the share at the end.

use super::bad_input::fails_with;
use super::run::csp;
use serde_json::Value;

const MODEL: [&str; 8] = [
    "models/freecell.csp",
    "-D",
    "RANKS=5",
    "-D",
    "COLUMNS=4",
    "-D",
    "CELLS=1",
    "--quiet",
];

fn survey(arguments: &[&str]) -> (i32, String) {
    let mut all = vec!["survey"];
    all.extend_from_slice(&MODEL);
    all.extend_from_slice(arguments);
    let ran = csp(&all);
    (ran.code, ran.stdout)
}

/// The deals with what they came to, sorted.
fn answers(text: &str) -> Vec<(i64, String)> {
    let rows = text
        .lines()
        .filter(|l| l.starts_with(|c: char| c.is_ascii_digit()));
    let mut answers: Vec<(i64, String)> = rows
        .map(|row| {
            let mut fields = row.split(',');
            let deal = fields
                .next()
                .and_then(|d| d.parse().ok())
                .expect("a number");
            (deal, fields.next().expect("an answer").to_owned())
        })
        .collect();
    answers.sort();
    answers
}

#[test]
fn rows_do_not_depend_on_the_number_of_threads() {
    let (code, one) = survey(&["--deals", "1..12", "--threads", "1"]);
    assert_eq!(code, 0, "{one}");
    let (_, three) = survey(&["--deals", "1..12", "--threads", "3"]);
    assert_eq!(answers(&one), answers(&three));
    assert_eq!(answers(&one).len(), 12);
    assert!(one.contains("# 12 deals: "), "{one}");
    assert!(one.contains("95 % interval"), "{one}");
}

#[test]
fn a_survey_goes_on_where_it_stopped() {
    let path = std::env::temp_dir().join(format!("csp-survey-{}.csv", std::process::id()));
    let name = path.to_string_lossy().into_owned();
    survey(&["--deals", "1..5", "--output", &name]);
    let first = std::fs::read_to_string(&path).expect("rows");
    let (code, summary) = survey(&["--deals", "1..8", "--output", &name]);
    assert_eq!(code, 0);
    let all = std::fs::read_to_string(&path).expect("rows");
    assert!(all.starts_with(&first), "old rows stay as they are");
    assert_eq!(answers(&all).len(), 8);
    assert!(summary.starts_with("8 deals: "), "{summary}");
    std::fs::write(&path, "nonsense\n").expect("writable");
    fails_with(
        &["survey", MODEL[0], "--deals", "1..2", "--output", &name],
        2,
        "not a row of a survey",
    );
    std::fs::remove_file(path).expect("it was written");
}

#[test]
fn a_survey_that_is_interrupted_goes_on_too() {
    let path = std::env::temp_dir().join(format!("csp-interrupted-{}.csv", std::process::id()));
    let name = path.to_string_lossy().into_owned();
    let rows = || std::fs::read_to_string(&path).unwrap_or_default();
    let mut running = std::process::Command::new(env!("CARGO_BIN_EXE_csp"))
        .arg("survey")
        .args(MODEL)
        .args(["--deals", "1..100000", "--output", &name])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .spawn()
        .expect("the command starts");
    while answers(&rows()).len() < 3 {
        std::thread::yield_now();
    }
    let id = running.id().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-INT", &id])
        .status();
    assert!(sent.expect("kill is there").success());
    assert_eq!(running.wait().expect("it ends").code(), Some(130));
    let before = rows();
    assert!(before.ends_with('\n'), "the last row is whole");
    // Killed in the middle of a row.
    let last = before.trim_end().rfind('\n').expect("several rows") + 4;
    std::fs::write(&path, &before[..last]).expect("writable");
    let deals = format!("1..{}", answers(&before).len() + 2);
    let (code, _) = survey(&["--deals", &deals, "--output", &name]);
    assert_eq!(code, 0);
    let (_, fresh) = survey(&["--deals", &deals]);
    assert_eq!(answers(&rows()), answers(&fresh));
    std::fs::remove_file(path).expect("it was written");
}

#[test]
fn rows_can_be_json() {
    let (_, text) = survey(&["--deals", "1..3", "--json"]);
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|l| serde_json::from_str(l).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 4);
    let summary = &lines[3]["summary"];
    let counts =
        ["solved", "unsolvable", "unknown"].map(|k| summary[k].as_u64().expect("a number"));
    assert_eq!(counts.iter().sum::<u64>(), 3);
}

#[test]
fn ranges_that_make_no_sense() {
    let model = MODEL[0];
    fails_with(&["survey", model, "--deals", "9..1"], 2, "backwards");
    fails_with(&["survey", model, "--deals", "many"], 2, "not a range");
    fails_with(&["survey", model, "--deals", "0..3"], 2, "deal 0: ");
    let all = format!("--deals={}..{}", i64::MIN, i64::MAX);
    fails_with(&["survey", model, &all], 2, "csp: deal -9223372036854775");
    fails_with(
        &["survey", "no/such.csp", "--deals", "1..3"],
        2,
        "cannot read",
    );
    fails_with(
        &["survey", model, "--deals", "1..3", "--threads", "0"],
        2,
        "at least 1",
    );
}

const SHORT_KLONDIKE: [&str; 6] = ["-D", "RANKS=3", "-D", "COLUMNS=4", "-D", "DRAW=3"];

fn hidden<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec![
        "survey",
        "models/klondike.csp",
        "--hidden",
        "--deals",
        "1..4",
    ];
    all.extend_from_slice(&SHORT_KLONDIKE);
    all.extend_from_slice(more);
    all
}

#[test]
fn games_with_hidden_cards_are_the_same_on_any_number_of_threads() {
    let ends = |threads: &str| {
        let games = format!("max concurrent games={threads}");
        let runs = format!("max concurrent threads={threads}");
        let ran = csp(&hidden(&["--json", "--set", &games, "--set", &runs]));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let mut rows: Vec<Value> = ran
            .stdout
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .filter(|row: &Value| row["deal"].is_number())
            .collect();
        rows.sort_by_key(|row| row["deal"].as_i64());
        for row in &mut rows {
            row["seconds"] = Value::Null;
        }
        rows
    };
    let one = ends("1");
    assert_eq!(one.len(), 4);
    assert_eq!(one, ends("2"));
}

#[test]
fn wrong_settings_of_the_player_are_refused() {
    for (arguments, message) in [
        (hidden(&["--set", "agree ratio=0"]), "from 1 to 100"),
        (hidden(&["--set", "voters"]), "should be NAME=VALUE"),
        (hidden(&["--settings", "no/such/file"]), "no/such/file"),
        (
            vec![
                "survey",
                "models/freecell.csp",
                "--hidden",
                "--deals",
                "1..2",
            ],
            "no `--@ hidden:` line",
        ),
        (
            vec![
                "hint",
                "models/golf.csp",
                "--deal",
                "1",
                "--after",
                "nothing",
            ],
            "no event nothing",
        ),
    ] {
        let ran = csp(&arguments);
        assert_eq!(ran.code, 2, "{arguments:?} {}", ran.stdout);
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
}
