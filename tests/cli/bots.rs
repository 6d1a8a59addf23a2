//! Bots: the same seed plays the same games, ends add up, and what is wrong is said in a sentence.

use serde_json::Value;

use super::run::csp;

fn played(arguments: &[&str]) -> Value {
    let mut all = vec!["play"];
    all.extend(arguments);
    all.push("--json");
    let ran = csp(&all);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("JSON")
}

fn ends(report: &Value) -> [u64; 4] {
    ["won", "stuck", "passed", "limit"].map(|end| report[end].as_u64().expect("a count"))
}

#[test]
fn blind_games_repeat_and_stay_within_their_commands() {
    let run = |seed: &str| {
        played(&[
            "klondike",
            "--bot",
            "blind",
            "--deals",
            "1..20",
            "--limit",
            "300",
            "--seed",
            seed,
            "--no-solve",
        ])
    };
    let report = run("1");
    assert_eq!(report, run("1"));
    assert_ne!(report["games"], run("2")["games"]);
    let [won, stuck, passed, limit] = ends(&report);
    assert_eq!((stuck, passed, won + limit), (0, 0, 20));
    let games = report["games"].as_array().expect("a list");
    assert!(games.iter().all(|g| g["commands"].as_u64() <= Some(300)));
}

/// The sorted deck is one deck: only the chances differ. The file has the default settings.
#[test]
fn the_sorted_deck_and_the_file_of_settings() {
    let sorted = |bot: &str| {
        played(&[
            "klondike", "--bot", bot, "--deck", "sorted", "--deals", "1..10", "--limit", "3000",
        ])
    };
    let report = sorted("blind");
    assert_eq!(
        report["games"],
        sorted("models/strategies/blind.toml")["games"]
    );
    assert_eq!(report["winnable"], Value::Null);
    assert_eq!(report["games"].as_array().map(Vec::len), Some(10));
}

/// On a short pack every kind of bot plays what the process offers, and nobody wins more deals than can be
/// won. Each end of a game is one of four.
#[test]
fn bots_on_a_short_pack() {
    let short = ["-D", "RANKS=3", "-D", "COLUMNS=3"];
    for bot in ["random", "greedy", "models/strategies/patient.toml"] {
        let mut arguments = vec!["klondike", "--bot", bot, "--deals", "1..6"];
        arguments.extend(short);
        let report = played(&arguments);
        assert_eq!(ends(&report).iter().sum::<u64>(), 6, "{bot}");
        let winnable = &report["winnable"];
        let count = |key: &str| winnable[key].as_u64().expect("a count");
        assert_eq!(count("solved") + count("unsolvable") + count("unknown"), 6);
        assert!(
            report["won"].as_u64() <= Some(count("solved")),
            "{bot}: {report}"
        );
    }
}

/// A game without numbered deals, and one deal with a picture for each position.
#[test]
fn one_game_with_pictures() {
    let ran = csp(&["play", "peg-triangle", "--bot", "greedy"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let pictures = ran.stdout.matches("    abcdefghi\n").count();
    let last = ran.stdout.lines().last().expect("a line");
    assert!(last.starts_with("greedy: "), "{last}");
    let moves = last.split_whitespace().rev().nth(1).expect("a number");
    assert_eq!(moves.parse(), Ok(pictures - 1), "{last}");
}

#[test]
fn what_is_wrong_is_said() {
    let folder = std::env::temp_dir().join(format!("csp-bots-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let idle = folder.join("idle.toml");
    let text = "rules = [{ channel = \"nothing\", weight = 1 }]\n";
    std::fs::write(&idle, text).expect("written");
    let wrong = folder.join("wrong.toml");
    std::fs::write(&wrong, "rules = [{ channel = \"a\" }]\n").expect("written");
    let idle = idle.to_str().expect("a name");
    let wrong = wrong.to_str().expect("a name");
    let cases: [(&[&str], &str); 6] = [
        (&["peg-triangle", "--bot", idle], "never moves"),
        (
            &["peg-triangle", "--bot", wrong],
            "rule 1: it has no weight",
        ),
        (&["freecell", "--bot", "blind"], "plays nothing else"),
        (
            &["klondike", "--bot", "nobody"],
            "the bots are blind, random and greedy",
        ),
        (&["klondike", "--bot", "random", "--deals", "5..1"], "5..1"),
        (
            &["examples/01-vending-machine.csp", "--bot", "random"],
            "is not a game",
        ),
    ];
    for (arguments, sentence) in cases {
        let mut all = vec!["play"];
        all.extend(arguments);
        let ran = csp(&all);
        assert_eq!(ran.code, 2, "{arguments:?}: {}{}", ran.stdout, ran.stderr);
        assert!(
            ran.stderr.contains(sentence),
            "{arguments:?}: {}",
            ran.stderr
        );
    }
    std::fs::remove_dir_all(&folder).expect("removed");
}
