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

/// Runs a check of a script.
fn check_text(name: &str, script: &str, options: &[&str]) -> (i32, String) {
    let file = std::env::temp_dir().join(format!("{name}-{}.csp", std::process::id()));
    std::fs::write(&file, script).expect("a file can be written");
    let path = file.to_str().expect("a name");
    let all = [&["check", path, "--color", "never"], options].concat();
    let ran = csp(&all);
    std::fs::remove_file(&file).expect("it was written");
    (ran.code, format!("{}{}", ran.stdout, ran.stderr))
}

/// Clients and a lock; `odd` is what is added, `declared` the line above the assertion.
fn clients(odd: &str, specification: &str, declared: &str) -> String {
    format!(
        "datatype Client = A | B | C\nNumber = {{0..2}}\nchannel acquire, release : Client\n\
         channel work : Client.Number\n\
         P(i) = work.i.0 -> acquire.i -> release.i -> P(i)\n\
         Lock = acquire?i -> release.i -> Lock\n\
         System = ((||| i : Client @ P(i)) [|{{|acquire, release|}}|] Lock){odd}\n\
         Turns = acquire?i -> release.i -> Turns\n\
         Known(i) = acquire?j -> release.j -> Known(i) [] work?j?n -> Known(i)\n\
         {declared}\nassert {specification} \\ {{|work|}}\n"
    )
}

#[test]
fn declared_symmetries_are_used_where_they_hold() {
    let declared = "--@ symmetric: Client";
    let (code, said) = check_text("holds", &clients("", "Turns [T= System", declared), &[]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("symmetry: a group of 6"), "{said}");
    let (code, whole) = check_text("whole", &clients("", "Turns [T= System", ""), &[]);
    assert_eq!(code, 0, "{whole}");
    assert!(!whole.contains("symmetry"), "{whole}");
    assert!(
        whole.contains("20 states") && said.contains("7 states"),
        "{whole}{said}"
    );
    // Sets are declared by their names, too; a value that nothing has can be exchanged.
    let lock = "models/lock.csp";
    let text = std::fs::read_to_string(lock).expect("it is there");
    let text = text.replace("--@ expect: pass", "--@ symmetric: Client");
    let (code, said) = check_text("lock", &text, &[]);
    assert_eq!(code, 0, "{said}");
    assert!(said.matches("95 states").count() == 2, "{said}");
}

#[test]
fn declared_symmetries_that_do_not_hold_are_errors() {
    let declared = "--@ symmetric: Client";
    let refused = [
        // A rule more for one of them, or none.
        (" ||| acquire.A -> STOP", "Turns [T= System", "acquire.A"),
        (" [|{acquire.B}|] STOP", "Turns [T= System", "acquire.B"),
        // The specification knows one of them.
        (
            "",
            "acquire.A -> Turns [T= System",
            "the specification `acquire.A -> Turns`",
        ),
        (
            "",
            "Turns [R= System",
            "not known to be sound for the refusal-testing models",
        ),
    ];
    for (odd, specification, why) in refused {
        let script = clients(odd, specification, declared);
        let (code, said) = check_text("refused", &script, &[]);
        assert_eq!(code, 2, "{odd} {specification}: {said}");
        assert!(said.contains(why), "{odd} {specification}: {said}");
        assert!(said.contains("error[E061"), "{said}");
    }
    let unknown = clients("", "Turns [T= System", "--@ symmetric: Clients");
    let (code, said) = check_text("unknown", &unknown, &[]);
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("neither a type") && said.contains("did you mean `Client`?"),
        "{said}"
    );
    // What is hidden tells nothing apart: exchanging numbers changes nothing, and leaves nothing out.
    let numbers = clients("", "Turns [T= System", "--@ symmetric: Number");
    let (code, said) = check_text("numbers", &numbers, &[]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("20 states"), "{said}");
}

#[test]
fn where_nothing_can_be_exchanged_it_is_said_why() {
    let whole = |odd: &str, specification: &str| {
        let script = clients(odd, specification, "");
        let (code, said) = check_text("none", &script, &["--symmetry"]);
        assert!(code < 2, "{said}");
        said
    };
    let said = whole("", "acquire.A -> acquire.B -> Turns [T= System");
    let why = "the specification `acquire.A -> acquire.B -> Turns` tells";
    assert!(said.contains(why), "{said}");
    let table = ["check", "models/philosophers.csp", "--assert", "2"];
    let said = csp(&[&table[..], &["--symmetry", "--color", "never"]].concat()).stdout;
    assert!(said.contains("would have to be like"), "{said}");
}

#[test]
fn reductions_go_with_every_store_with_threads_and_with_compressed_leaves() {
    let lock = [
        "models/lock.csp",
        "-D",
        "N=6",
        "-D",
        "STEPS=5",
        "--assert",
        "1",
    ];
    let ring = ["models/token-ring.csp", "-D", "N=5", "--assert", "3"];
    let models: [(&[&str], &[&str], u64); 5] = [
        (&lock, &["--symmetry"], 1_218),
        (&lock, &["--por"], 74),
        (&lock, &["--symmetry", "--por"], 38),
        (&ring, &["--symmetry"], 163),
        (&ring, &["--symmetry", "--por"], 11),
    ];
    for (model, reductions, expected) in models {
        for options in [
            &["--threads", "1"][..],
            &["--threads", "2"],
            &["--store", "bitmap"],
            &["--store", "compact"],
            &["--store", "words", "--threads", "2"],
            &["--store", "tree"],
            &["--leaf-compression", "none"],
        ] {
            let arguments = [model, reductions, options].concat();
            assert_eq!(states(&arguments), [expected], "{arguments:?}");
        }
    }
}
