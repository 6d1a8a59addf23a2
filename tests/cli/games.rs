//! Games by name and descriptions in files: listed, told, dealt, solved, surveyed, played.

use super::bad_input::{fails_with, temporary};
use super::run::{csp, csp_with};
use serde_json::Value;

fn written(name: &str, text: &str) -> String {
    temporary(name, text.as_bytes())
        .to_string_lossy()
        .into_owned()
}

/// A game that nobody bundles: small enough for any test.
const SMALL: &str = "extends = \"free-cell\"\ntitle = \"Small\"\nnumbering = \"ours\"\n\n[pack]\nranks = 4\n\n\
                     [tableau]\ncolumns = 4\n\n[cells]\ncount = 1\n";

#[test]
fn games_are_listed_and_searched() {
    let all = csp(&["games"]);
    assert_eq!(all.code, 0, "{}", all.stderr);
    assert!(all.stdout.contains("\nfree-cell "), "{}", all.stdout);
    let found = csp(&["games", "spidr", "--decks", "1", "--hidden"]);
    assert!(found.stdout.starts_with("baby"), "{}", found.stdout);
    let json: Value = serde_json::from_str(&csp(&["games", "fan", "--json"]).stdout).expect("JSON");
    assert!(json[0]["rules"][0].is_string() && json[0]["layout"]["piles"][0]["fan"].is_string());
    let none = csp(&["games", "xyzzyxyzzy"]);
    assert_eq!(none.code, 1);
    assert_eq!(csp(&["games", "--rate", "many"]).code, 2);
}

#[test]
fn rules_are_told_in_words_and_as_a_model() {
    let words = csp(&["rules", "yukon"]);
    assert_eq!(words.code, 0, "{}", words.stderr);
    assert!(
        words.stdout.starts_with("Yukon\nFamily: Yukon.\n"),
        "{}",
        words.stdout
    );
    let model = csp(&["rules", "golf", "--model", "--deal", "3"]);
    assert!(
        model.stdout.contains("assert STOP [T= Game \\ choices"),
        "{}",
        model.stdout
    );
    let tests = csp(&["rules", "fan", "--tests"]);
    let pair = "build: same suit: yes AC on 2C, no AC on 2D\n";
    assert!(tests.stdout.contains(pair), "{}", tests.stdout);
}

#[test]
fn a_suite_passes_as_a_script() {
    let suite = csp(&["rules", "scotch-patience", "--tests", "--model"]);
    let path = written("suite.csp", &suite.stdout);
    let checked = csp(&["check", &path, "--expect", "--quiet"]);
    assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
}

#[test]
fn unknown_names_are_answered_with_near_ones() {
    for verb in ["solve", "rules", "play", "check"] {
        let message = "'klondyke' is neither a file nor a game; did you mean 'klondike'";
        fails_with(&[verb, "klondyke"], 2, message);
    }
    fails_with(&["deal", "klondyke", "1"], 2, "did you mean 'klondike'");
    fails_with(
        &["survey", "klondyke", "--deals", "1..2"],
        2,
        "did you mean 'klondike'",
    );
    fails_with(
        &["solve", "golf", "-D", "RANKS=3"],
        2,
        "it has no constants to replace",
    );
    fails_with(
        &[
            "survey",
            "models/freecell.csp",
            "--deals",
            "1..2",
            "--numbering",
            "pysol",
        ],
        2,
        "a survey of a script takes its own deals",
    );
}

/// A description in a file is solved, and the play judged by the referee made from it.
#[test]
fn a_description_of_ones_own_is_solved_and_surveyed() {
    let path = written("small.toml", SMALL);
    let solved = csp(&["solve", &path, "--deal", "1", "--json", "--quiet"]);
    let json: Value = serde_json::from_str(&solved.stdout).expect("JSON");
    let referee = json["referee"].as_str().unwrap_or_default();
    assert!(
        solved.code == 0 && referee.ends_with("small"),
        "{}",
        solved.stderr
    );
    let rows = written("small-rows.csv", "");
    std::fs::remove_file(&rows).expect("removed");
    let survey = [
        "survey", &path, "--deals", "1..6", "--quiet", "--output", &rows,
    ];
    let first = csp(&survey);
    assert!(
        first.stdout.starts_with("6 deals: "),
        "{}{}",
        first.stdout,
        first.stderr
    );
    let again = csp(&survey);
    // The last line has times.
    let counts = |text: &str| text.lines().take(2).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(counts(&first.stdout), counts(&again.stdout));
    let checked = csp(&["check", &path, "--deal", "1", "--quiet"]);
    assert_eq!(checked.code, 1, "{}", checked.stdout);
}

#[test]
fn what_is_wrong_with_a_description_is_located() {
    let path = written("wrong.toml", "extends = \"golf\"\n[tableau]\ncolums = 7\n");
    let ran = csp(&["solve", &path]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("E0702") && ran.stderr.contains(":3:1"),
        "{}",
        ran.stderr
    );
    let path = written("loop.toml", "");
    let stem = std::path::Path::new(&path).file_stem().expect("a name");
    let text = format!("extends = \"{}\"\n", stem.to_string_lossy());
    std::fs::write(&path, text).expect("written");
    assert!(csp(&["rules", &path]).stderr.contains("E0705"));
}

#[test]
fn described_games_are_dealt_and_played() {
    let dealt = csp(&["deal", "canfield", "1000237", "--numbering", "solvitaire"]);
    assert!(
        dealt.stdout.contains("Reserve: "),
        "{}{}",
        dealt.stdout,
        dealt.stderr
    );
    let path = written("small.toml", SMALL);
    let played = csp_with(&["play", &path, "--deal", "1"], &["moves", "follow"]);
    assert!(
        played.stdout.ends_with("the game is won\n"),
        "{}{}",
        played.stdout,
        played.stderr
    );
}

/// Stricter games refine looser ones, and not the other way round.
#[test]
fn golf_is_within_golf_with_wrap() {
    for (stricter, looser, code) in [("golf", "golf-wrap", 0), ("golf-wrap", "golf", 1)] {
        let script = csp(&["rules", stricter, "--within", looser, "--ranks", "3"]);
        let path = written("both.csp", &script.stdout);
        let checked = csp(&["check", &path, "--quiet"]);
        assert_eq!(checked.code, code, "{}{}", checked.stdout, checked.stderr);
    }
}
