//! Several scripts at once, expectations, brackets, completion of values, manual pages, saved plays.

use serde_json::Value;

use super::bad_input::{fails_with, temporary};
use super::run::csp;

const ONE: &str = "channel a, b
P = a -> STOP
--@ expect: fail
assert P :[deadlock free]
assert P [T= P
";

const TWO: &str = "channel c\nassert c -> STOP [T= STOP\n";

#[test]
fn several_scripts_are_one_run() {
    let [one, two] = [("one.csp", ONE), ("two.csp", TWO)].map(|(name, text)| {
        let file = temporary(name, text.as_bytes());
        file.to_string_lossy().into_owned()
    });
    let ran = csp(&["check", &one, &two]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let ends: Vec<&str> = ran.stdout.lines().filter(|l| l.starts_with('/')).collect();
    assert_eq!(
        ends,
        [
            format!("{one}: 1 passed, 1 failed"),
            format!("{two}: 1 passed, 0 failed")
        ]
    );
    assert!(ran.stdout.contains("✗ P :[deadlock free] (line 4)\n"));
    assert!(ran.stdout.contains("    1 state, 0 transitions, 1 ply in "));
    let ran = csp(&["check", "--expect", &one, &two]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    assert!(
        ran.stdout.contains("    fails (as expected)\n"),
        "{}",
        ran.stdout
    );
    let end = format!("{one}: 1 passed, 1 failed; all as expected\n");
    assert!(ran.stdout.contains(&end), "{}", ran.stdout);

    let json: Value =
        serde_json::from_str(&csp(&["check", "--json", &one, &two]).stdout).expect("one document");
    assert_eq!(json.as_array().map(Vec::len), Some(2));
    let junit = csp(&["check", "--format", "junit", &one, &two]).stdout;
    let tree = roxmltree::Document::parse(&junit).expect("XML");
    let suites = tree.descendants().filter(|n| n.has_tag_name("testsuite"));
    assert_eq!(suites.count(), 2);
    let sarif = csp(&["check", "--format", "sarif", &one, &two]).stdout;
    let sarif: Value = serde_json::from_str(&sarif).expect("one document");
    assert_eq!(sarif["runs"].as_array().map(Vec::len), Some(2));
}

#[test]
fn brackets_show_how_a_script_was_read() {
    let text = "channel a, b\nP = a -> b -> STOP [] b -> SKIP ; P \\ {a}\nN = 1 + 2 * 3\n";
    let file = temporary("brackets.csp", text.as_bytes());
    let file = file.to_string_lossy();
    let ran = csp(&["check", "--brackets", &file]);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(lines[2], "N = 1 + (2 * 3)");
    let again = temporary("brackets-again.csp", ran.stdout.as_bytes());
    let twice = csp(&["check", "--brackets", &again.to_string_lossy()]);
    assert_eq!(twice.stdout, ran.stdout);
    assert!(lines[1].contains("(a -> (b -> STOP)) []"), "{}", lines[1]);
}

#[test]
fn completion_knows_values() {
    let values = |words: &[&str]| {
        let mut all = vec!["complete", "--"];
        all.extend_from_slice(words);
        csp(&all).stdout
    };
    let machine = "examples/01-vending-machine.csp";
    let assertions = values(&["check", machine, "--assert", ""]);
    assert!(
        assertions.starts_with("1\tMachine [T= Moody\n"),
        "{assertions}"
    );
    let processes = values(&["explore", machine, ""]);
    assert!(processes.contains("Machine\tProc\n"), "{processes}");
    assert!(values(&["play", ""]).contains("klondike\n"));
    assert!(!values(&["deal", ""]).contains("sudoku"));
    assert_eq!(values(&["solve", "free-cell-g"]), "");
    assert!(values(&["check", "gol"]).starts_with("golf"));
    let constants = values(&["check", "models/philosophers.csp", "--define", ""]);
    assert_eq!(constants, "N=\tInt\nId=\t{Int}\n");
    assert!(values(&["explain", "E"]).contains("E0201\t"));
    assert_eq!(values(&["check", ""]), "");
    for shell in ["bash", "zsh", "fish"] {
        let script = csp(&["completions", shell]).stdout;
        assert!(script.contains("complete --"), "{shell}");
    }
}

#[test]
fn every_verb_has_a_page() {
    let page = csp(&["man", "check"]).stdout;
    assert!(
        page.contains("csp\\-check") && page.contains("brackets"),
        "{page}"
    );
    fails_with(&["man", "chek"], 2, "there is no verb chek");
    let folder = std::env::temp_dir().join(format!("csp-man-{}", std::process::id()));
    assert_eq!(csp(&["man", "--folder", &folder.to_string_lossy()]).code, 0);
    for page in ["csp.1", "csp-check.1", "csp-explore.1"] {
        assert!(folder.join(page).is_file(), "{page}");
    }
    assert!(!folder.join("csp-complete.1").exists());
    std::fs::remove_dir_all(folder).expect("it was made");
}

#[test]
fn a_play_is_saved_and_replayed() {
    let play = temporary("play.txt", b"");
    let play = play.to_string_lossy();
    let farmer = "examples/10-farmer.csp";
    let ran = csp(&["solve", farmer, "--quiet", "--save-trace", &play]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let saved = std::fs::read_to_string(&*play).expect("it was saved");
    assert!(saved.lines().count() >= 7, "{saved}");
    let ran = csp(&["explore", farmer, "--assert", "1", "--trace", &play]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
}
