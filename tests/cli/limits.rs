//! Small scripts that mean something very large: they end soon, with an answer or a limit.

use super::bad_input::{fails_with, temporary};
use super::run::csp;

/// Definitions `name0`, `name1` … in which each level has the one below it twice.
fn tower(name: &str, ground: &str, level: impl Fn(&str) -> String) -> String {
    let levels = (1..=40).map(|i| {
        let below = format!("{name}{}", i - 1);
        format!("{name}{i} = {}\n", level(&below))
    });
    format!("{name}0 = {ground}\n{}", levels.collect::<String>())
}

#[test]
fn values_that_share_parts_are_compared_and_shown() {
    let mut script = String::from("datatype T = L | N.T.T\n");
    for copy in ["", "x"] {
        for (name, ground, open, close) in [
            ("p", "0", "(", ")"),
            ("s", "<0>", "<", ">"),
            ("u", "{0}", "{(", ")}"),
        ] {
            let level = |below: &str| format!("{open}{below}, {below}{close}");
            script += &tower(&format!("{name}{copy}"), ground, level);
        }
        script += &tower(&format!("n{copy}"), "L", |below| {
            format!("N.{below}.{below}")
        });
    }
    let path = temporary("towers.csp", script.as_bytes());
    let file = path.to_string_lossy();
    for name in ["p", "s", "u", "n"] {
        let same = format!("{name}40 == {name}x40");
        assert_eq!(csp(&["eval", &file, &same]).stdout, "true\n", "{same}");
        let one = format!("card({{{name}40, {name}x40}})");
        assert_eq!(csp(&["eval", &file, &one]).stdout, "1\n", "{one}");
    }
    let ran = csp(&["eval", &file, "p40"]);
    assert!(ran.stdout.len() < 20 << 20);
    assert!(ran.stdout.ends_with(" (cut: it is longer than 16 MiB)\n"));
    std::fs::remove_file(path).expect("it was written");
}

#[test]
fn processes_that_share_parts_are_counted_before_they_are_made() {
    let script = "channel c : {0, 1}\nP(0) = c.0 -> STOP\nP(i) = P(i - 1) ||| P(i - 1)\n\
                  assert P(30) :[deadlock free]\n";
    let path = temporary("doubling.csp", script.as_bytes());
    fails_with(
        &["check", &path.to_string_lossy()],
        2,
        "too many components",
    );
    std::fs::remove_file(path).expect("it was written");
}

/// A τ cycle is found at the first state that is on one, however many other states are; and states
/// that are on none are not looked for cycles.
#[test]
fn cycles_of_tau_are_found_without_walking_all_silent_states() {
    let script = "channel x, y : {0..39}\nchannel start\n\
        Turn(i) = x.i -> y.i -> Turn(i)\n\
        Silent = (||| i : {0..39} @ Turn(i)) \\ {|x, y|}\n\
        Later = start -> Silent\n\
        Visible = (||| i : {0..9} @ Turn(i)) \\ {|x|}\n\
        assert Silent :[divergence free]\n\
        assert Later :[divergence free]\n\
        assert Visible :[divergence free]\n";
    let path = temporary("cycles.csp", script.as_bytes());
    let words = [
        "check",
        &path.to_string_lossy(),
        "--json",
        "--max-states",
        "100000",
    ];
    let ran = csp(&words);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let verdicts: Vec<(Option<&str>, Option<u64>)> = (0..3_usize)
        .map(|i| {
            let assertion = &report["assertions"][i];
            (assertion["verdict"].as_str(), assertion["states"].as_u64())
        })
        .collect();
    assert_eq!(
        verdicts,
        [
            (Some("fail"), Some(1)),
            (Some("fail"), Some(2)),
            (Some("pass"), Some(1024)),
        ]
    );
    let cycle = &report["assertions"][0]["counterexamples"][0]["cycle"];
    assert_eq!(cycle.as_array().map(Vec::len), Some(2));
    std::fs::remove_file(path).expect("it was written");
}

#[test]
fn undefined_names_by_the_thousand_are_counted() {
    let lines = (0..3000).map(|i| format!("P{i} = a -> Undefined{i}\n"));
    let script = format!("channel a\n{}", lines.collect::<String>());
    let path = temporary("undefined.csp", script.as_bytes());
    let ran = csp(&["typecheck", &path.to_string_lossy()]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.ends_with("csp: and 2,900 more\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.stderr.matches("error[").count(), 100);
    std::fs::remove_file(path).expect("it was written");
}
