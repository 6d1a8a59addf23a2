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

/// Every limit of addresses ends in an answer or a sentence; what is allowed never does harm by being more.
#[test]
#[cfg(target_os = "linux")]
fn few_addresses_are_enough_or_said_to_be_too_few() {
    let script = "channel a, b : {0..30}\nP(i) = a.i -> b.i -> P(i)\nassert P(0) :[deadlock free]\n\
                  assert ||| i : {0..30} @ P(i) :[deadlock free]\n";
    let path = temporary("addresses.csp", script.as_bytes());
    let mut enough = false;
    for kibibytes in [
        200_000, 300_000, 400_000, 600_000, 1_200_000, 2_000_000, 4_000_000,
    ] {
        let line = format!("ulimit -v {kibibytes}; exec \"$0\" \"$@\"");
        let ran = std::process::Command::new("sh")
            .args(["-c", &line, env!("CARGO_BIN_EXE_csp"), "check"])
            .arg(&path)
            .args(["--timeout", "0.3"])
            .env("RUST_BACKTRACE", "1")
            .output()
            .expect("sh is there");
        let told = String::from_utf8_lossy(&ran.stderr);
        let code = ran.status.code();
        assert!(matches!(code, Some(2 | 3)), "{kibibytes}: {code:?} {told}");
        assert!(!told.contains("panicked"), "{kibibytes}: {told}");
        let decided = String::from_utf8_lossy(&ran.stdout).contains("1 passed");
        assert!(decided || told.contains("ulimit -v"), "{kibibytes}: {told}");
        assert!(decided || !enough, "{kibibytes} fail where less is enough");
        enough |= decided;
    }
    assert!(enough);
    std::fs::remove_file(path).expect("it was written");
}

#[test]
fn long_sequences_are_drawn_within_the_time() {
    let script = "channel a\ng(s) = if null(s) then 0 else g(<x + 1 | x <- s ^ s>)\n\
                  assert (if g(<1>) == 0 then STOP else SKIP) :[deadlock free]\n";
    let path = temporary("doubled.csp", script.as_bytes());
    let ran = csp(&["check", &path.to_string_lossy(), "--timeout", "0.5"]);
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    std::fs::remove_file(path).expect("it was written");
}

/// Every round has another parameter and one more member.
#[test]
fn interleavings_that_grow_are_named() {
    let script = "channel a, b\nP(n) = a -> (P(n + 1) ||| b -> STOP)\n\
                  assert P(0) :[deadlock free]\n";
    let path = temporary("rounds.csp", script.as_bytes());
    let words = ["check", &path.to_string_lossy()];
    fails_with(&words, 2, "error[E0522]");
    std::fs::remove_file(path).expect("it was written");
}

#[test]
fn reading_a_script_has_limits() {
    let lines =
        (0..60_000).map(|i| format!("P{i}(x) = if x == {i} then <x, x + 1> else P{i}(x - 1)\n"));
    let path = temporary("large.csp", lines.collect::<String>().as_bytes());
    let file = path.to_string_lossy();
    fails_with(
        &["check", &file, "--timeout", "0.1"],
        3,
        "stopped at the time limit while reading",
    );
    fails_with(
        &["check", &file, "--memory", "10M"],
        3,
        "stopped at the memory limit of 10 MiB while reading",
    );
    std::fs::remove_file(path).expect("it was written");
}
