//! Evidence for people and programs: long and wide counterexamples, labels of any kind, terms in graphs, and the explorer.

use std::fs;
use std::path::PathBuf;

use super::run::{csp, csp_with};

/// A script of its own for a test, and its name.
fn script(name: &str, text: &str) -> (PathBuf, String) {
    let path = std::env::temp_dir().join(format!("csp-{}-{name}.csp", std::process::id()));
    fs::write(&path, text).expect("it can be written");
    let name = path.to_string_lossy().into_owned();
    (path, name)
}

/// Two hundred parts pass work on, five hundred times.
const RING: &str = "N = 200\n\
    channel pass, work : {0..N-1}\n\
    channel done\n\
    Cell(i) = pass.i -> work.i -> pass.((i+1)%N) -> Cell(i)\n\
    First = work.0 -> pass.1 -> Cell(0)\n\
    Part(i) = if i == 0 then First else Cell(i)\n\
    Ring = || i : {0..N-1} @ [{pass.i, pass.((i+1)%N), work.i}] Part(i)\n\
    Count(n) = if n == 0 then done -> STOP else work?x -> Count(n-1)\n\
    Whole = Ring [| {| work |} |] Count(500)\n\
    assert STOP [T= Whole \\ {| work, pass |}\n";

#[test]
fn a_thousand_steps_of_two_hundred_parts_are_cut_filtered_and_written_in_every_format() {
    let (path, name) = script("ring", RING);
    let shown = csp(&["check", &name]).stdout;
    assert!(
        shown.contains("… 940 steps more (--full shows them)"),
        "{shown}"
    );
    assert!(shown.lines().count() < 75, "{}", shown.lines().count());
    let part = csp(&["check", &name, "--filter", "Part(7)"]).stdout;
    assert!(part.contains("(991 other steps are not shown)"), "{part}");
    assert!(part.contains("(work.7)"), "{part}");
    let full = csp(&["check", &name, "--full"]).stdout;
    assert!(
        full.contains("  500  (pass.50)   Part(49), Part(50)\n"),
        "{full}"
    );
    let diagram = csp(&["check", &name, "--trace-format", "mermaid"]).stdout;
    assert_eq!(diagram.matches("->>").count(), 999);
    let few = csp(&[
        "check",
        &name,
        "--trace-format",
        "mermaid",
        "--filter",
        "work.7",
    ])
    .stdout;
    // The filter is part of a name: 7, and 70 to 79.
    assert!(few.contains("    loop 3 times\n"), "{few}");
    assert_eq!(few.matches("->>").count(), 11, "{few}");
    let itf = csp(&["check", &name, "--trace-format", "itf"]).stdout;
    let document = itf.find("\n{").expect("an object");
    let end = itf.rfind("\n}").expect("its end") + 2;
    let trace: serde_json::Value = serde_json::from_str(&itf[document..end]).expect("JSON");
    assert_eq!(trace["states"].as_array().map(Vec::len), Some(1_001));
    assert_eq!(trace["vars"].as_array().map(Vec::len), Some(202));
    fs::remove_file(path).expect("it is there");
}

#[test]
fn repetition_is_folded_in_long_counterexamples() {
    let text = "channel a, b, done\n\
        P(n) = if n == 0 then done -> STOP else a -> b -> P(n-1)\n\
        assert STOP [T= P(100) \\ {a, b}\n";
    let (path, name) = script("fold", text);
    let shown = csp(&["check", &name]).stdout;
    let expected = "\n           event  P(100)\n        \
         1  (a)    ●\n        2  (b)    ●\n      \
         … the last 2 steps are repeated 99 times, to step 200\n      \
         201  done   ●\n";
    assert!(shown.contains(expected), "{shown}");
    let full = csp(&["check", &name, "--full"]).stdout;
    assert!(full.contains("      200  (b)    ●\n"), "{full}");
    let diagram = csp(&["check", &name, "--trace-format", "mermaid"]).stdout;
    assert!(diagram.contains("    loop 100 times\n"), "{diagram}");
    fs::remove_file(path).expect("it is there");
}

#[test]
fn a_thousand_parts_end_in_a_readable_cycle() {
    let text = "N = 1000\n\
        channel e : {0..N-1}\n\
        P(i) = e.i -> e.((i+1)%N) -> P(i)\n\
        Ring = || i : {0..N-1} @ [{e.i, e.((i+1)%N)}] P(i)\n\
        assert Ring :[deadlock free [F]]\n";
    let (path, name) = script("thousand", text);
    let ran = csp(&["check", &name]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let words: Vec<&str> = ran.stdout.split_whitespace().collect();
    let words = words.join(" ");
    assert!(
        words.contains("P(0) wants e.0, which P(999) refuses: it waits for P(998);"),
        "{words}"
    );
    assert!(words.contains("A cycle of 1000."), "{words}");
    assert!(ran.stdout.lines().count() < 20, "{}", ran.stdout);
    let full = csp(&["check", &name, "--full"]).stdout;
    assert!(
        full.contains("P(999) (line 3): wants e.999, which"),
        "{full}"
    );
    fs::remove_file(path).expect("it is there");
}

/// Labels of every dangerous kind, as characters and strings of a channel.
const HOSTILE: &str = "channel say : {\"\u{1b}[31m<b>&\\\"'\", \"\u{202e}right\u{2066}\", \"end;#1\", \"\u{7}\u{9b}x\"}\n\
    P = say?x -> P\n\
    Q = say!\"\u{1b}[31m<b>&\\\"'\" -> say!\"\u{202e}right\u{2066}\" -> say!\"end;#1\" -> say!\"\u{7}\u{9b}x\" -> STOP\n\
    R = P [| {| say |} |] Q\n\
    assert R :[deadlock free [F]]\n";

#[test]
fn hostile_labels_reach_no_terminal_and_break_no_format() {
    let (path, name) = script("hostile", HOSTILE);
    let is_risky = |c: char| {
        (c.is_control() && c != '\n') || "\u{202e}\u{2066}\u{2069}\u{200e}\u{200f}".contains(c)
    };
    let formats: [&[&str]; 8] = [
        &["check", &name, "--full"],
        &["check", &name, "--json"],
        &["check", &name, "--trace-format", "json"],
        &["check", &name, "--trace-format", "itf"],
        &["check", &name, "--trace-format", "mermaid"],
        &["graph", &name, "R", "--format", "svg"],
        &["graph", &name, "R", "--format", "dot"],
        &["graph", &name, "R", "--format", "json"],
    ];
    for arguments in formats {
        let shown = csp(arguments).stdout;
        assert!(shown.contains("say"), "{arguments:?}: {shown}");
        let risky = shown.chars().find(|c| is_risky(*c));
        assert_eq!(risky, None, "{arguments:?}");
        if shown.starts_with('{') {
            serde_json::from_str::<serde_json::Value>(&shown).expect("JSON");
        }
        if arguments.contains(&"itf") || arguments.ends_with(&["--trace-format", "json"]) {
            let (from, to) = (shown.find("\n{"), shown.rfind("\n}"));
            let document = &shown[from.expect("an object")..to.expect("its end") + 2];
            let value: serde_json::Value = serde_json::from_str(document).expect("JSON");
            assert!(
                value.to_string().contains('\u{202e}'),
                "what programs read is as it was"
            );
        }
        if shown.starts_with("<svg") {
            // Every bracket belongs to an element: nothing of a label is markup.
            assert!(!shown.contains("<b>"), "{shown}");
            assert_eq!(shown.matches('<').count(), shown.matches('>').count());
        }
        if arguments.contains(&"mermaid") {
            assert!(
                !shown.contains("<b>") && !shown.contains("end;#1"),
                "{shown}"
            );
        }
    }
    let explored = csp_with(&["explore", &name, "R"], &["1", "s", "t"]);
    assert_eq!(explored.stdout.chars().find(|c| is_risky(*c)), None);
    fs::remove_file(path).expect("it is there");
}

#[test]
fn states_of_graphs_are_terms() {
    let buffers = "examples/02-buffers.csp";
    let dot = csp(&["graph", buffers, "Copy", "--format", "dot"]).stdout;
    let start = r#"  0 [shape=box, style=rounded, peripheries=2, label="Copy"];"#;
    assert!(dot.contains(start), "{dot}");
    assert!(dot.contains(r#"label="Copy after left.0"];"#), "{dot}");
    let json = csp(&["graph", buffers, "Pair", "--format", "json"]).stdout;
    let graph: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let parts = ["Copy[[right <- middle]]", "Copy[[left <- middle]]"];
    assert_eq!(graph["parts"], serde_json::json!(parts));
    assert_eq!(graph["terms"].as_array().map(Vec::len), Some(9));
    assert_eq!(graph["terms"][0][0], "Copy[[right <- middle]]: Copy");
    let svg = csp(&["graph", buffers, "Copy", "--format", "svg"]).stdout;
    assert!(svg.contains("<title>Copy after left.0</title>"), "{svg}");
    let numbers = csp(&["graph", buffers, "Copy", "--format", "dot", "--numbers"]).stdout;
    assert!(numbers.contains("  0 [shape=doublecircle];"), "{numbers}");
}

#[test]
fn a_game_is_explored_with_its_board_and_its_words() {
    let ran = csp_with(
        &["explore", "models/peg-triangle.csp"],
        &["1", "undo", "/g3"],
    );
    let start = "1       o\n2      o o\n3     . o o\n";
    assert!(ran.stdout.contains(start), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("(jump.6.2.Left)      g3-c3"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("(3 without 'g3'; / shows all)"),
        "{}",
        ran.stdout
    );
    let cards = csp_with(&["explore", "golf", "--deal", "1"], &["toHole"]);
    assert!(cards.stdout.contains("Q♠ to the hole"), "{}", cards.stdout);
    assert!(cards.stdout.contains("[16]  K♠"), "{}", cards.stdout);
}

#[test]
fn a_dead_end_says_who_waits_for_whom() {
    let ran = csp_with(
        &["explore", "models/philosophers.csp", "--assert", "1"],
        &["q"],
    );
    assert!(
        ran.stdout.contains("nothing is possible any more"),
        "{}",
        ran.stdout
    );
    let words: Vec<&str> = ran.stdout.split_whitespace().collect();
    let words = words.join(" ");
    let why = "RightHanded(0) wants takes.0.1, which Fork(1) refuses: it waits for RightHanded(1)";
    assert!(words.contains(why), "{words}");
    assert!(words.contains("A cycle of ten."), "{words}");
    let (path, name) = script("end", "channel a\nP = a -> SKIP\nQ = a -> STOP\n");
    let ended = csp_with(&["explore", &name, "P"], &["a", "✓"]).stdout;
    assert!(ended.contains("It has terminated."), "{ended}");
    let stopped = csp_with(&["explore", &name, "Q"], &["a"]).stdout;
    assert!(stopped.contains("STOP offers nothing."), "{stopped}");
    fs::remove_file(path).expect("it is there");
}

/// Machines that a compression has made: a silent loop in one, a loop through two, and a choice.
const COMPRESSED: &str = "transparent normal, sbisim, diamond, wbisim\n\
    channel a, b, c, tick, tock : {0..2}\n\
    Spin(i) = a.i -> Turn(i)\n\
    Turn(i) = tick.i -> tock.i -> Turn(i)\n\
    Inner(i) = Spin(i) \\ {| tick, tock |}\n\
    Ping = a.0 -> b.0 -> b.1 -> b.2 -> Ping\n\
    Pong = a.0 -> b.0 -> b.1 -> b.2 -> c.0 -> Pong [] a.0 -> Loop(0)\n\
    Loop(n) = b.n -> Loop((n+1)%3)\n\
    Choice = a.0 -> (c.0 -> STOP |~| c.1 -> STOP)\n\
    assert sbisim(Inner(0) ||| b.0 -> STOP) :[divergence free]\n\
    assert (sbisim(Ping2 \\ {a.1}) [| {| b |} |] normal(Ping2)) \\ {| b |} :[divergence free]\n\
    Ping2 = a.1 -> Loop(0)\n\
    assert normal(sbisim(Choice) ||| b.0 -> STOP) :[deterministic [F]]\n\
    assert sbisim(sbisim(Inner(0) ||| Inner(1)) ||| c.0 -> STOP) :[divergence free]\n";

#[test]
fn compressed_parts_are_opened_along_loops_and_forks() {
    let (path, name) = script("compressed", COMPRESSED);
    let report = csp(&["check", &name, "--open", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&report.stdout).expect("JSON");
    let found = |number: usize| &report["assertions"][number - 1]["counterexamples"][0];
    for number in 1..=4 {
        assert_eq!(
            found(number)["missing"],
            serde_json::Value::Null,
            "{number}"
        );
        let parts = found(number)["parts"].as_array().expect("a list");
        assert!(
            parts.iter().all(|part| part["kind"] != "compressed"),
            "{number}"
        );
    }
    assert_eq!(found(1)["cycle"], serde_json::json!(["tick.0", "tock.0"]));
    // One round of three events that both machines do.
    assert_eq!(found(2)["cycle"], serde_json::json!(["b.0", "b.1", "b.2"]));
    assert_eq!(found(3)["kind"], "determinism");
    assert_eq!(
        found(3)["other_steps"][0]["moves"][0]["component"],
        "Choice"
    );
    assert_eq!(found(4)["cycle"].as_array().map(Vec::len), Some(2));
    fs::remove_file(path).expect("it is there");
}
