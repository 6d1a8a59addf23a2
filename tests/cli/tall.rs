//! Scripts as programs write them: long flat chains are checked, and what is too tall is refused by every
//! verb instead of ending it.

use std::fs;

use super::bad_input::temporary;
use super::run::csp;

/// So many operators.
const LONG: usize = 20_000;

fn joined(by: &str, part: impl Fn(usize) -> String) -> String {
    (0..LONG).map(part).collect::<Vec<_>>().join(by)
}

#[test]
fn long_chains_are_checked() {
    let channel = format!("channel c : {{0..{LONG}}}\n");
    let guarded = |i| format!("s == {i} & c.{i} -> P({})", (i + 1) % 4);
    for (name, text, states, transitions) in [
        (
            "guards",
            format!("P(s) = {}\nProcess = P(0)\n", joined("\n  [] ", guarded)),
            4,
            4,
        ),
        (
            "choice",
            format!(
                "Process = {}\n",
                joined(" [] ", |i| format!("c.{i} -> Process"))
            ),
            1,
            LONG,
        ),
        (
            "internal",
            format!(
                "Process = {}\n",
                joined(" |~| ", |i| format!("c.{} -> Process", i % 10))
            ),
            LONG - 1 + 10,
            2 * (LONG - 1) + 10,
        ),
        (
            "prefixes",
            format!(
                "Process = {} -> Process\n",
                joined(" -> ", |i| format!("c.{}", i % 10))
            ),
            10,
            10,
        ),
        (
            "sum",
            format!(
                "x = {}\nProcess = c.(x % {LONG}) -> Process\n",
                joined(" + ", |i| i.to_string())
            ),
            1,
            1,
        ),
        (
            "conditionals",
            format!(
                "P(s) = {} else STOP\nProcess = P(0)\n",
                joined(" else ", |i| format!("if s == {i} then c.{i} -> P(0)"))
            ),
            1,
            1,
        ),
    ] {
        let text = format!("{channel}{text}assert Process :[deadlock free]\n");
        let path = temporary(&format!("long-{name}.csp"), text.as_bytes());
        let ran = csp(&["check", &path.to_string_lossy(), "--json"]);
        fs::remove_file(path).expect("it was written");
        assert_eq!(ran.code, 0, "{name}: {}", ran.stderr);
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
        let assertion = &report["assertions"][0];
        let counts = ["states", "transitions"].map(|k| assertion[k].as_u64().expect("a number"));
        assert_eq!(counts, [states as u64, transitions as u64], "{name}");
    }
}

#[test]
fn what_is_too_tall_is_refused_once() {
    const MILLION: usize = 1_000_000;
    for (name, text) in [
        ("sum", format!("x = 1{}\n", " + 1".repeat(MILLION))),
        (
            "brackets",
            format!("x = {}1{}\n", "(".repeat(MILLION), ")".repeat(MILLION)),
        ),
        ("open", format!("x = {}\n", "(".repeat(MILLION))),
        ("prefixes", format!("x = {}STOP\n", "a -> ".repeat(MILLION))),
        (
            "lets",
            format!("x = {}1\n", "let y = 1 within ".repeat(MILLION)),
        ),
        (
            "hidings",
            format!("x = STOP{}\n", " \\ {} ||| STOP".repeat(MILLION)),
        ),
        ("signs", format!("x = 1{}\n", " * - 1".repeat(MILLION))),
    ] {
        let text = format!("channel a\n{text}y = x\nassert STOP [T= STOP\n");
        let path = temporary(&format!("tall-{name}.csp"), text.as_bytes());
        let file = path.to_string_lossy();
        for words in [
            vec!["check", &file, "--json"],
            vec!["typecheck", &file],
            vec!["eval", &file, "1"],
        ] {
            let ran = csp(&words);
            assert_eq!(ran.code, 2, "{name}: {}", ran.stderr);
            let told = ran.stderr.matches("error[").count();
            assert!(told == 1, "{words:?}: {}", ran.stderr);
        }
        fs::remove_file(&path).expect("it was written");
    }
}
