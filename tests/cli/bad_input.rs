//! Whatever is wrong with the input ends in a message and exit code 2, never in a panic.

use std::fs;
use std::path::PathBuf;

use super::run::csp;

pub(super) fn temporary(name: &str, content: &[u8]) -> PathBuf {
    let path = std::env::temp_dir().join(format!("csp-test-{}-{name}", std::process::id()));
    fs::write(&path, content).expect("the temporary folder is writable");
    path
}

pub(super) fn fails_with(arguments: &[&str], code: i32, needle: &str) {
    let ran = csp(arguments);
    assert_eq!(
        ran.code, code,
        "{arguments:?}: {}{}",
        ran.stdout, ran.stderr
    );
    assert!(
        ran.stderr.contains(needle),
        "{arguments:?} does not say '{needle}':\n{}",
        ran.stderr
    );
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
}

#[test]
fn files_that_cannot_be_read() {
    for verb in ["check", "typecheck", "refines"] {
        fails_with(
            &[verb, "no/such/script.csp"],
            2,
            "cannot read no/such/script.csp",
        );
        fails_with(&[verb, "examples"], 2, "it is a folder");
    }
    fails_with(&["eval", "no/such/script.csp", "1"], 2, "cannot read");
    fails_with(&["graph", "no/such/script.csp", "P"], 2, "cannot read");
}

#[test]
fn options_that_make_no_sense() {
    let script = "examples/01-vending-machine.csp";
    fails_with(&["check", script, "--threads", "0"], 2, "at least 1");
    fails_with(&["check", script, "--memory", "lots"], 2, "not a size");
    for time in ["inf", "nan", "-1", "1e300", "2 parsecs"] {
        let flag = format!("--timeout={time}");
        fails_with(&["check", script, &flag], 2, "not a time");
    }
    fails_with(&["check", script, "--timeout", "99999999d"], 2, "a century");
    assert_eq!(
        csp(&["check", script, "--timeout", "1.5h", "--memory", "1.5G"]).code,
        1
    );
    fails_with(
        &["check", script, "--assert", "99"],
        2,
        "no assertion matches '99'",
    );
    fails_with(&["check", script, "--deal", "9..1"], 2, "backwards");
    fails_with(&["check", script, "-D", "NOSUCH=1"], 2, "NOSUCH");
    fails_with(&["check", script, "-D", "nonsense"], 2, "NAME=EXPR");
    fails_with(&["check", script, "--no-such-flag"], 2, "--no-such-flag");
    fails_with(
        &["check", script, "--output", "/no/such/folder/file"],
        2,
        "cannot write",
    );
    fails_with(&["explain", "E9999"], 2, "no code E9999");
}

#[test]
fn scripts_that_are_wrong() {
    let cases: [(&str, &[u8], &str); 8] = [
        ("syntax.csp", b"P = a -> -> STOP\n", "error"),
        ("names.csp", b"P = Q\nassert P :[deadlock free]\n", "E0201"),
        ("types.csp", b"x = 1 + true\n", "E03"),
        ("truncated.csp", b"P = (", "error"),
        ("bytes.csp", b"\xff\xfe\x00P = STOP\n", "error"),
        ("include.csp", b"include \"nowhere.csp\"\n", "nowhere.csp"),
        ("unguarded.csp", b"P = P\nassert P :[deadlock free]\n", "E0"),
        ("overflow.csp", b"channel c : {0..1}\nx = 9223372036854775807 + 1\nassert c!x -> STOP :[deadlock free]\n", "E04"),
    ];
    for (name, content, needle) in cases {
        let path = temporary(name, content);
        fails_with(&["check", &path.to_string_lossy()], 2, needle);
        fs::remove_file(path).expect("it was written");
    }
}

#[test]
fn very_deep_and_very_long_scripts() {
    let deep = format!("x = {}1{}\n", "(".repeat(10_000), ")".repeat(10_000));
    let open = format!("x = {}", "{|".repeat(10_000));
    let long = format!("x = {}1\n", "1 + ".repeat(250_000));
    let line = format!("x = <{}>\nprint #x\n", vec!["1"; 500_000].join(","));
    let recursion = "f(n) = if n == 0 then 0 else 1 + f(n - 1)\nprint f(1000000)\n";
    let runaway = "f(n) = 1 + f(n + 1)\nprint f(0)\n";
    for (name, text) in [
        ("deep.csp", deep.as_str()),
        ("open.csp", &open),
        ("long.csp", &long),
        ("line.csp", &line),
        ("recursion.csp", recursion),
        ("runaway.csp", runaway),
    ] {
        let path = temporary(name, text.as_bytes());
        let ran = csp(&["check", &path.to_string_lossy()]);
        assert!([0, 2].contains(&ran.code), "{name}: exit {}", ran.code);
        assert!(!ran.stderr.contains("panicked"), "{name}: {}", ran.stderr);
        fs::remove_file(path).expect("it was written");
    }
}

#[test]
fn definitions_that_make_no_sense() {
    let path = temporary(
        "define.csp",
        b"N = 3\nf(x) = x\nchannel c : {0..N}\nassert c!0 -> STOP :[deadlock free]\n",
    );
    let script = path.to_string_lossy();
    for define in [
        "N=",
        "=",
        "=1",
        "N",
        "",
        "N=(((",
        "N=\"",
        "N=1 2",
        "N=N",
        "N=N+1",
        "N=STOP",
        "N=true",
        "f=1",
        "c=1",
        "N=\u{1}",
        "N=1 = 2",
        "N=--",
        "N={-",
        "M::N=1",
        "N==2",
        "N=channel x",
        "N=1\nM=2",
        "é=1",
        "N=é",
        "N=99999999999999999999",
        "STOP=1",
        "N=head(<>)",
        "N=let x = x within x",
        "N=1/0",
    ] {
        fails_with(&["check", &script, "-D", define], 2, "");
    }
    fs::remove_file(path).expect("it was written");
}

#[test]
fn includes_that_go_wrong() {
    let folder = std::env::temp_dir().join(format!("csp-test-{}-includes", std::process::id()));
    fs::create_dir_all(&folder).expect("the temporary folder is writable");
    let cases = [
        ("a.csp", "include \"b.csp\"\n", "is being read already"),
        (
            "b.csp",
            "include \"a.csp\"\nx = 1\n",
            "is being read already",
        ),
        (
            "self.csp",
            "include \"self.csp\"\n",
            "is being read already",
        ),
        ("folder.csp", "include \".\"\n", "it is a folder"),
        (
            "missing.csp",
            "include \"no/such/file.csp\"\n",
            "cannot read",
        ),
        ("nameless.csp", "include \"\"\n", "error"),
    ];
    for (name, text, _) in cases {
        fs::write(folder.join(name), text).expect("the folder is writable");
    }
    for (name, _, needle) in cases {
        fails_with(&["check", &folder.join(name).to_string_lossy()], 2, needle);
    }
    fs::remove_dir_all(folder).expect("it was made");
}

#[test]
fn scripts_cut_short_anywhere() {
    let text = include_bytes!("../corpus/idioms/modules.csp");
    let path = temporary("cut.csp", b"");
    for end in (0..text.len()).step_by(29) {
        fs::write(&path, &text[..end]).expect("the temporary folder is writable");
        let ran = csp(&["check", &path.to_string_lossy()]);
        assert!(
            [0, 1, 2].contains(&ran.code),
            "cut at {end}: exit {}",
            ran.code
        );
        assert!(
            !ran.stderr.contains("panicked"),
            "cut at {end}: {}",
            ran.stderr
        );
    }
    fs::remove_file(path).expect("it was written");
}

#[test]
fn a_print_that_never_ends_is_limited() {
    let path = temporary("print.csp", b"f(x) = f(x + 1)\nprint f(0)\n");
    fails_with(
        &["check", &path.to_string_lossy(), "--timeout", "0.5"],
        2,
        "E0499",
    );
    fs::remove_file(path).expect("it was written");
}

#[test]
fn pragmas_that_say_nothing_are_warned_of() {
    let path = temporary("pragma.csp", b"--@ expct: pass\nassert STOP [T= STOP\n");
    let ran = csp(&["check", &path.to_string_lossy()]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("W0604"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("did you mean `expect`?"),
        "{}",
        ran.stderr
    );
    fs::remove_file(path).expect("it was written");
}

#[test]
fn an_error_in_one_assertion_leaves_the_others() {
    let path = temporary(
        "one.csp",
        b"channel a\nP = P\nassert P :[deadlock free]\nassert a -> STOP :[divergence free]\n",
    );
    let ran = csp(&["check", &path.to_string_lossy(), "--json"]);
    assert_eq!(ran.code, 2);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(report["assertions"][0]["verdict"], "error");
    assert_eq!(report["assertions"][1]["verdict"], "pass");
    fs::remove_file(path).expect("it was written");
}

/// Each of these is wrong in its own way; none keeps the other assertion from being checked.
#[test]
fn every_mistake_in_a_process_is_located_and_leaves_the_others() {
    let declarations = "channel a\nchannel c : {0..2}\nchannel left, right\ntransparent normal\n";
    for (process, code, needle) in [
        ("P = c!7 -> STOP", "E0503", "7"),
        ("P = a -> c.7 -> STOP", "E04", "7"),
        ("P = |~| i : {} @ c.i -> STOP", "E0504", "choice"),
        (
            "P = STOP [left <-> right, left <-> a] STOP",
            "E0506",
            "left",
        ),
        ("P = [] i : Int @ a -> STOP", "E04", "Int"),
        ("P = P", "E0501", "P = P"),
        ("P = Q\nQ = R\nR = P", "E0501", "P = Q = R = P"),
        ("P = A(0)\nA(n) = A(n)", "E0501", "A(0) = A(0)"),
        ("P = P [] a -> STOP", "E0521", "`P` calls itself"),
        (
            "P = Q \\ {a}\nQ = P [[a <- left]]",
            "E0521",
            "`P`, then `Q`",
        ),
        ("P = normal(P)", "E0521", "`P`"),
        (
            "P = a -> (P ||| P)",
            "E0522",
            "`P` grows without end: every round puts one more `|||` around it",
        ),
        ("P = a -> Q\nQ = P [| {left} |] STOP", "E0522", "`Q`"),
        // The way is a shortest one, and the first of those.
        (
            "P = X ||| Y\nX = a -> Z\nY = left -> Z\nZ = right -> P",
            "E0522",
            "`P`, then `X`, then `Z`, then `P`;",
        ),
        // It begins with the operator that is wrapped around itself, not with the first there is.
        (
            "P = left -> ((right -> STOP) /\\ STOP) [] a -> (P [| {left} |> STOP)",
            "E0522",
            "one more `[|…|>`",
        ),
        // Every round has another parameter, so that there is no way back to show.
        (
            "P = Q(0)\nQ(n) = a -> (Q(n + 1) ; left -> STOP)",
            "E0522",
            "`Q(0)` grows without end: every round puts one more `;` around it",
        ),
        (
            "P = a -> ((P ; P) /\\ left -> SKIP)",
            "E0522",
            "`P` grows without end: every round puts one more `/\\` around it",
        ),
        (
            "external trace_watchdog\nP = a -> (P ||| trace_watchdog(STOP, {a}, left))",
            "E0526",
            "trace_watchdog(STOP",
        ),
    ] {
        let text = format!(
            "{declarations}{process}\nassert P :[deadlock free]\nassert STOP :[divergence free]\n"
        );
        let path = temporary("mistake.csp", text.as_bytes());
        let ran = csp(&["check", &path.to_string_lossy(), "--json"]);
        fs::remove_file(path).expect("it was written");
        assert_eq!(ran.code, 2, "{process}: {}", ran.stdout);
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
        let [wrong, right] = [&report["assertions"][0], &report["assertions"][1]];
        assert_eq!(right["verdict"], "pass", "{process}");
        assert_eq!(wrong["verdict"], "error", "{process}");
        let diagnostic = &wrong["diagnostics"][0];
        let found = diagnostic["code"].as_str().expect("a code");
        assert!(found.starts_with(code), "{process}: {diagnostic}");
        assert!(
            diagnostic["line"].as_u64() > Some(4),
            "{process}: {diagnostic}"
        );
        assert!(ran.stderr.contains(needle), "{process}: {}", ran.stderr);
    }
}

#[test]
fn compressions_where_they_would_do_harm_are_warned_of() {
    let script = "transparent normal, diamond, chase\nexternal prioritise\nchannel a, b\n\
         P = (a -> STOP) [> (b -> STOP)\n\
         assert b -> STOP [FD= prioritise(normal(P), <{}, {a, b}>)\n\
         assert P [FD= chase(diamond(P))\n\
         assert P [T= normal(P) :[tau priority over]: {a}\n\
         assert P [V= normal(P)\n\
         Q = a -> diamond(Q)\n\
         assert Q :[deadlock free]\n\
         R = b -> diamond(R)\n\
         assert R ||| a -> R :[deadlock free]\n\
         S = (normal(b -> a -> error(\"never\")) ||| (b -> S)) [| {b} |] STOP\n\
         assert S :[divergence free]\n\
         assert a -> normal(P) :[divergence free]\n\
         T = diamond(a -> T)\n\
         U = diamond(b -> U)\n\
         assert T ||| U :[deadlock free]\n\
         Both = (a -> SKIP) ||| (a -> SKIP)\n\
         assert chase(diamond(Both)) ; b -> R :[deadlock free]\n";
    let path = temporary("harm.csp", script.as_bytes());
    let ran = csp(&["check", &path.to_string_lossy(), "--json"]);
    fs::remove_file(path).expect("it was written");
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let expected = [
        ("W0605", 5),
        ("W0605", 6),
        ("W0605", 7),
        ("W0602", 8),
        ("W0529", 9),
        ("W0529", 11),
        ("W0529", 13),
    ];
    for (assertion, (code, line)) in expected.into_iter().enumerate() {
        let diagnostics = &report["assertions"][assertion]["diagnostics"];
        assert_eq!(diagnostics.as_array().map(Vec::len), Some(1), "said once");
        let diagnostic = &diagnostics[0];
        assert_eq!(diagnostic["code"], code, "{diagnostic}");
        assert!(diagnostic["line"].as_u64() >= Some(line), "{diagnostic}");
        let explained = csp(&["explain", code]);
        assert_eq!(explained.code, 0);
        assert!(explained.stdout.contains(code));
    }
    for (assertion, count) in [(0, 0), (1, 2), (2, 1)] {
        let assertion = expected.len() + assertion;
        let diagnostics = &report["assertions"][assertion]["diagnostics"];
        assert_eq!(diagnostics.as_array().map(Vec::len), Some(count));
    }
    let compressions = report["assertions"][0]["compressions"].as_array();
    let mut compressions = compressions.expect("a list").iter();
    let compression = compressions
        .find(|c| c["function"] == "normal")
        .expect("it was asked for");
    assert_eq!(compression["used"], "wbisim");
}

#[test]
fn limits_hold_while_compiling() {
    // A process without end, and a normal form that is exponentially large.
    let endless = "channel up\nCount(n) = up -> Count(n + 1)\nassert Count(0) :[deadlock free]\n";
    let large = "transparent normal\nchannel a, b\n\
         P = a -> P [] b -> P [] a -> Q(24)\n\
         Q(n) = if n == 0 then STOP else a -> Q(n - 1) [] b -> Q(n - 1)\n\
         assert normal(P) :[deadlock free [F]]\n";
    for (name, text, limit) in [
        ("endless.csp", endless, ["--timeout", "0.2"]),
        ("large-time.csp", large, ["--timeout", "0.2"]),
        ("large-states.csp", large, ["--max-states", "1000"]),
        ("large-memory.csp", large, ["--memory", "2M"]),
    ] {
        let path = temporary(name, text.as_bytes());
        let file = path.to_string_lossy().into_owned();
        let ran = csp(&["check", &file, limit[0], limit[1], "--json"]);
        fs::remove_file(path).expect("it was written");
        assert_eq!(ran.code, 3, "{name}: {}{}", ran.stdout, ran.stderr);
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
        let reason = report["assertions"][0]["reason"]
            .as_str()
            .expect("a reason");
        assert!(reason.contains("limit"), "{name}: {reason}");
    }
    let path = temporary("few.csp", endless.as_bytes());
    let file = path.to_string_lossy().into_owned();
    fails_with(&["check", &file, "--max-leaf-states", "1000"], 2, "E0523");
    fails_with(
        &["check", &file, "--max-leaf-states", "1000"],
        2,
        "Count(1000)",
    );
    fs::remove_file(path).expect("it was written");
}

#[test]
fn a_chase_without_end_is_an_error_that_names_the_process() {
    // The first is seen when the process is compiled, the others when the search comes to it.
    let path = temporary(
        "chase.csp",
        b"external chase\nchannel a, b\nLoop = b -> Loop\nNet = (a -> STOP) [| {a} |] (a -> Loop)\n\
          assert chase(Loop \\ {b}) :[deadlock free]\n\
          assert chase(Net \\ {b}) :[deadlock free]\n\
          assert STOP [T= chase(Net \\ {b}) \\ {a}\n\
          assert chase(Net \\ {b}) [F= STOP\n\
          assert chase(Net \\ {b}) :[deterministic]\n\
          assert chase(Net \\ {b}) :[has trace]: <a, b>\n\
          assert RUN({a}) [R= chase(Net \\ {b})\n",
    );
    let ran = csp(&["check", &path.to_string_lossy(), "--json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    let assertions = report["assertions"].as_array().expect("a list");
    assert_eq!(assertions.len(), 7);
    for (i, assertion) in assertions.iter().enumerate() {
        assert_eq!(assertion["verdict"], "error", "{assertion}");
        let reason = assertion["reason"].as_str().expect("a sentence");
        let (what, name) = if i == 0 {
            ("`chase` never reaches a stable state", "`Loop")
        } else {
            ("chasing", "Net")
        };
        assert!(reason.contains(what) && reason.contains(name), "{reason}");
    }
    fs::remove_file(path).expect("it was written");
}

#[test]
fn a_chase_without_end_is_shown_where_it_is_applied() {
    for function in ["chase", "deter"] {
        let text = format!(
            "external {function}\nchannel a\nassert STOP [T= a -> STOP\n\
             assert {function}(DIV) :[deterministic]\n"
        );
        let path = temporary(&format!("endless-{function}.csp"), text.as_bytes());
        let ran = csp(&["check", &path.to_string_lossy(), "--json"]);
        fs::remove_file(path).expect("it was written");
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
        let reason = report["assertions"][1]["reason"].as_str();
        let expected = format!("`{function}` never reaches a stable state from `DIV`");
        assert_eq!(reason, Some(expected.as_str()));
        assert!(ran.stderr.contains(".csp:4:8"), "{}", ran.stderr);
    }
}

#[test]
fn every_phase_keeps_to_the_limits() {
    // Each of these would go on for very long: a compression, a specification, a normal form, a
    // product, refusal testing.
    let big = "channel c : {0..9}.{0..9}\ntransparent sbisim\n\
               Net = ||| i : {0..9} @ c.i.0 -> c.i.1 -> c.i.2 -> c.i.3 -> c.i.4 -> c.i.5 -> c.i.6 -> STOP\n\
               Any(n) = if n == 0 then STOP else c.0.0 -> Any(n - 1) [] c.0.1 -> Any(n - 1)\n\
               Ex(n) = c.0.0 -> Ex(n) [] c.0.1 -> Ex(n) [] c.0.0 -> Any(n)\n";
    for (name, assertion) in [
        ("compression", "assert sbisim(Net) :[deadlock free]"),
        ("specification", "assert Net [T= STOP"),
        ("form", "assert Ex(40) [T= RUN({c.0.0, c.0.1})"),
        ("product", "assert RUN({| c |}) [T= Net"),
        ("refusals", "assert STOP [R= Net \\ {| c |}"),
    ] {
        let path = temporary(
            &format!("{name}.csp"),
            format!("{big}{assertion}\n").as_bytes(),
        );
        let file = path.to_string_lossy();
        for limit in [
            ["--timeout", "1"],
            ["--max-states", "5000"],
            ["--memory", "40M"],
        ] {
            let ran = csp(&["check", &file, limit[0], limit[1], "--threads", "2"]);
            assert!(
                ran.code == 3 && ran.stdout.contains("undecided"),
                "{name} {limit:?}: {}{}",
                ran.stdout,
                ran.stderr
            );
            assert!(!ran.stderr.contains("panicked"), "{name}: {}", ran.stderr);
        }
        fs::remove_file(path).expect("it was written");
    }
}

#[test]
fn limits_are_not_passes() {
    let script = "models/philosophers.csp";
    let ran = csp(&["check", script, "--assert", "2", "--max-states", "10"]);
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("undecided"), "{}", ran.stdout);
}

#[test]
fn states_without_end_are_listed_only_while_there_is_time() {
    let text = "channel a\nP(n) = a -> P(n + 1)\nassert P(0) :[deadlock free]\n";
    let path = temporary("endless.csp", text.as_bytes());
    let file = path.to_string_lossy();
    let ran = csp(&["check", &file, "--timeout", "0.2"]);
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("undecided"), "{}", ran.stdout);
    let ran = csp(&["solve", &file, "--goal", "a", "--timeout", "0.2"]);
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    fs::remove_file(path).expect("it was written");
}

/// A thousand million events are refused before anything is made for each of them.
#[test]
fn alphabets_beyond_reason() {
    let path = temporary(
        "events.csp",
        b"channel c : {0..999}.{0..999}.{0..999}\nP = c?x -> P\nassert P :[deadlock free]\n\
          assert c.1.2.3 -> STOP [T= STOP\n",
    );
    let ran = csp(&["check", &path.to_string_lossy()]);
    fs::remove_file(path).expect("it was written");
    assert_eq!(ran.code, 2, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("E0527"), "{}", ran.stderr);
    assert!(ran.stdout.contains("1 passed"), "{}", ran.stdout);
}
