//! `--por` and `--symmetry`: what they leave out, what they say, and where they are refused.

use serde_json::Value;

use super::run::csp;

/// The assertions of a report.
fn check(arguments: &[&str], code: i32) -> Vec<Value> {
    let mut all = vec!["check"];
    all.extend(arguments);
    all.extend(["--json", "--quiet"]);
    let ran = csp(&all);
    assert_eq!(ran.code, code, "{arguments:?}: {}", ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    report["assertions"].as_array().expect("a list").clone()
}

fn states(arguments: &[&str]) -> Vec<u64> {
    let assertions = check(arguments, 0);
    let states = assertions.iter().map(|a| a["states"].as_u64());
    states.map(|states| states.expect("a number")).collect()
}

#[test]
fn models_have_the_states_that_headers_state() {
    let lock = "models/lock.csp";
    assert_eq!(states(&[lock]), [1_024, 1_024]);
    assert_eq!(states(&[lock, "--symmetry"]), [95, 95]);
    assert_eq!(states(&[lock, "--por"]), [34, 34]);
    let stack = "models/linked-stack.csp";
    assert_eq!(states(&[stack]), [633, 31, 633]);
    assert_eq!(states(&[stack, "--symmetry"]), [31, 16, 31]);
    let ring = "models/token-ring.csp";
    assert_eq!(states(&[ring]), [217, 217, 217]);
    assert_eq!(states(&[ring, "--symmetry"]), [55, 55, 55]);
    assert_eq!(states(&[ring, "--por"]), [27, 37, 37]);
    let election = "models/election.csp";
    assert_eq!(states(&[election]), [105, 105]);
    assert_eq!(states(&[election, "--por"]), [21, 21]);
}

#[test]
fn what_is_loosely_coupled_grows_by_the_square() {
    for n in 3..9u64 {
        let size = format!("N={n}");
        let election = ["models/election.csp", "--por", "--assert", "2", "-D", &size];
        assert_eq!(states(&election), [n * n + n + 1], "{n} processes");
    }
}

#[test]
fn the_report_says_what_was_left_out() {
    let stack = ["models/linked-stack.csp", "--assert", "1"];
    assert!(check(&stack, 0)[0].get("reduction").is_none());
    let reduced = check(&[&stack[..], &["--symmetry"]].concat(), 0);
    assert_eq!(reduced[0]["reduction"]["symmetry"]["group"], 24);
    let philosophers = ["models/philosophers.csp", "--assert", "1", "--por"];
    let failing = check(&philosophers, 1);
    let order = &failing[0]["reduction"]["partial_order"];
    assert!(order["followed"].as_u64() < order["enabled"].as_u64());
    let steps = failing[0]["counterexamples"][0]["steps"].as_array();
    assert_eq!(steps.map(Vec::len), Some(10));
    let text = csp(&[&["check"], &philosophers[..], &["--color", "never"]].concat());
    let line = "there may be a shorter counterexample";
    assert!(text.stdout.contains(line), "{}", text.stdout);
}

#[test]
fn symmetric_boards_and_tables_are_searched_up_to_symmetry() {
    let start = r#"START=<".....",".ooo.",".o.o.",".ooo.",".....">"#;
    let goal = r#"GOAL=<".....",".....","..o..",".....",".....">"#;
    let board = ["models/peg.csp", "--assert", "2", "-D", start, "-D", goal];
    assert_eq!(states(&board), [173]);
    assert_eq!(states(&[&board[..], &["--symmetry"]].concat()), [28]);
    let table = ["models/philosophers.csp", "--assert", "1"];
    let (whole, reduced) = (
        check(&table, 1),
        check(&[&table[..], &["--symmetry"]].concat(), 1),
    );
    assert_eq!(
        (whole[0]["states"].as_u64(), reduced[0]["states"].as_u64()),
        (Some(1_873), Some(377))
    );
    assert_eq!(reduced[0]["reduction"]["symmetry"]["group"], 5);
    let steps = |report: &[Value]| {
        report[0]["counterexamples"][0]["steps"]
            .as_array()
            .map(Vec::len)
    };
    assert_eq!((steps(&whole), steps(&reduced)), (Some(10), Some(10)));
}

#[test]
fn where_nothing_is_proved_nothing_is_decided() {
    let refused = [
        ("assert STOP [R= STOP", "--por", "refusal-testing"),
        ("assert STOP [R= STOP", "--symmetry", "refusal-testing"),
        ("assert STOP [V= STOP", "--por", "revivals"),
        ("assert STOP :[deterministic]", "--por", "determinism"),
        ("assert STOP :[deterministic]", "--symmetry", "determinism"),
        ("assert STOP :[has trace]: <>", "--por", "has a trace"),
        (
            "assert prioritise(||| i : {0..9} @ Q(i), <{b}, {|c|}>) :[deadlock free]",
            "--por",
            "`prioritise`",
        ),
        (
            "assert prioritise(||| i : {0..9} @ Q(i), <{b}, {|c|}>) :[deadlock free]",
            "--symmetry",
            "`prioritise`",
        ),
        (
            "assert chase((P ||| P) \\ {a}) :[deadlock free]",
            "--por",
            "`chase`",
        ),
    ];
    for (assertion, option, why) in refused {
        let folder = std::env::temp_dir();
        let file = folder.join(format!("refused-{}.csp", std::process::id()));
        let script = format!(
            "transparent chase\nexternal prioritise\nchannel a, b\nchannel c : {{0..9}}\n\
             P = a -> P [] b -> P\nQ(i) = c.i -> b -> Q(i)\n{assertion}\n"
        );
        std::fs::write(&file, script).expect("a file can be written");
        let ran = csp(&["check", file.to_str().expect("a name"), option]);
        assert_eq!(ran.code, 2, "{assertion} {option}: {}", ran.stdout);
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(
            said.contains("E0610") && said.contains(why),
            "{assertion} {option}: {said}"
        );
        std::fs::remove_file(&file).expect("it was written");
    }
}
