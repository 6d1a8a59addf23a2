//! What programs read.

use serde_json::Value;

use super::bad_input::{fails_with, temporary};
use super::run::{csp, scripts};

#[test]
fn json_is_valid_by_its_schema() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/driver/report.schema.json");
    let schema: Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("the schema")).expect("JSON");
    let schema = jsonschema::draft202012::new(&schema).expect("a schema");
    let faults = |report: &Value| -> Vec<String> {
        schema.iter_errors(report).map(|e| e.to_string()).collect()
    };
    for folder in ["examples", "tests/corpus/refine", "tests/corpus/properties"] {
        for script in scripts(folder) {
            let report =
                serde_json::from_str(&csp(&["check", &script, "--json"]).stdout).expect("JSON");
            assert_eq!(faults(&report), [""; 0], "{script}");
            let mut spoilt: Value = report;
            spoilt["assertions"][0]["states"] = Value::from("many");
            assert_eq!(faults(&spoilt).len(), 1, "{script}");
        }
    }
}

#[test]
fn json_has_the_promised_fields() {
    let ran = csp(&["check", "examples/01-vending-machine.csp", "--json"]);
    assert_eq!(ran.code, 1);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(report["schema"], 2);
    assert_eq!(report["tool"], "csp");
    let assertions = report["assertions"].as_array().expect("a list");
    assert_eq!(assertions.len(), 5);
    assert_eq!(assertions[0]["verdict"], "pass");
    assert_eq!(assertions[2]["verdict"], "fail");
    let counterexample = &assertions[2]["counterexamples"][0];
    assert_eq!(counterexample["kind"], "refusal");
    assert_eq!(counterexample["trace"], serde_json::json!(["coin"]));
}

#[test]
fn json_lines_come_one_for_each_assertion_and_one_at_the_end() {
    let ran = csp(&[
        "check",
        "examples/01-vending-machine.csp",
        "--format",
        "jsonl",
    ]);
    let lines: Vec<Value> = ran
        .stdout
        .lines()
        .map(|l| serde_json::from_str(l).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 6);
    assert_eq!(lines[5]["event"], "finished");
    assert_eq!(lines[5]["exit_code"], 1);
}

#[test]
fn junit_is_read_by_an_xml_parser() {
    let ran = csp(&[
        "check",
        "examples/01-vending-machine.csp",
        "--format",
        "junit",
    ]);
    let document = roxmltree::Document::parse(&ran.stdout).expect("XML");
    let suite = document
        .descendants()
        .find(|n| n.has_tag_name("testsuite"))
        .expect("a suite");
    assert_eq!(suite.attribute("tests"), Some("5"));
    assert_eq!(suite.attribute("failures"), Some("2"));
    let names: Vec<_> = suite
        .children()
        .filter_map(|n| n.attribute("name"))
        .collect();
    assert_eq!(names[0], "Machine [T= Moody");
    let failed = suite
        .descendants()
        .filter(|n| n.has_tag_name("failure"))
        .count();
    assert_eq!(failed, 2);
}

#[test]
fn refines_prints_what_wrappers_look_for() {
    let ran = csp(&["refines", "--brief", "examples/01-vending-machine.csp"]);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines[0], "Machine [T= Moody: Passed");
    assert_eq!(lines[2], "Machine [F= Moody: Failed");
    let ran = csp(&[
        "refines",
        "--format",
        "json",
        "examples/01-vending-machine.csp",
    ]);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(report["results"][0]["result"], 1);
    assert_eq!(report["results"][2]["result"], 0);
    let ids =
        report["results"][2]["counterexamples"][0]["implementation_behaviour"]["trace"].clone();
    assert_eq!(report["event_map"][ids[0].to_string()], "coin");
}

#[test]
fn refines_writes_a_line_or_a_document_for_each_script() {
    let scripts = ["examples/01-vending-machine.csp", "examples/02-buffers.csp"];
    let ran = csp(&["refines", "--format", "framed_json", scripts[0], scripts[1]]);
    let lines: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["results"].as_array().map(Vec::len), Some(5));
    let ran = csp(&["refines", "--format", "yaml", scripts[0]]);
    let start: Vec<&str> = ran.stdout.lines().take(6).collect();
    assert_eq!(
        start,
        [
            "---",
            "\"errors\": []",
            "\"event_map\":",
            "  0: \"-\"",
            "  1: \"τ\"",
            "  2: \"✓\""
        ]
    );
}

#[test]
#[cfg(unix)]
fn under_the_name_refines_it_is_that_verb() {
    let folder = std::env::temp_dir().join(format!("csp-refines-{}", std::process::id()));
    std::fs::create_dir(&folder).expect("the temporary folder is writable");
    let link = folder.join("refines");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_csp"), &link).expect("it can be linked to");
    let refines = |words: &[&str]| {
        let output = std::process::Command::new(&link)
            .args(words)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("the command starts");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (text(output.stdout), text(output.stderr))
    };
    let version = csp(&["--version"]).stdout;
    for flag in ["--version", "-v", "-V"] {
        assert_eq!(refines(&[flag]).0, version);
        assert_eq!(csp(&["refines", flag]).stdout, version);
    }
    assert!(refines(&[]).1.contains("Usage: refines "));
    assert!(refines(&["--help"]).0.contains("Usage: refines "));
    assert!(
        csp(&["refines", "--help"])
            .stdout
            .contains("Usage: csp refines ")
    );
    let script = "examples/01-vending-machine.csp";
    let brief = ["refines", "--brief", script];
    assert_eq!(refines(&brief[1..]).0, csp(&brief).stdout);
    std::fs::remove_dir_all(folder).expect("it was made");
}

#[test]
fn refines_reads_the_options_of_fdr() {
    let script = "examples/01-vending-machine.csp";
    let plain = csp(&["refines", "--brief", script]).stdout;
    for flags in [
        &["--compiler-reuse-machines=off"][..],
        &[
            "--compiler-leaf-compression",
            "none",
            "--refinement-bfs-workers=3",
        ],
        &[
            "--refinement-storage-file-path",
            "/tmp",
            "--cspm-runtime-range-checks",
            "on",
        ],
        &["--refinement-desired-counterexample-count", "4", "--divide"],
    ] {
        let mut words = vec!["refines", "--brief"];
        words.extend_from_slice(flags);
        words.push(script);
        let ran = csp(&words);
        assert_eq!(
            (ran.code, &ran.stdout),
            (0, &plain),
            "{words:?}: {}",
            ran.stderr
        );
    }
    let ran = csp(&["refines", "--compiler-reuse-machines=off", script]);
    assert_eq!(
        ran.stderr,
        "csp: --compiler-reuse-machines changes nothing: machines are always shared between the assertions of a script\n"
    );
    fails_with(
        &["refines", "--compiler-reuse-machines=perhaps", script],
        2,
        "possible values: on, off",
    );
    fails_with(
        &["refines", "--compiler-no-such-thing=1", script],
        2,
        "unexpected argument",
    );
    let ran = csp(&["refines", "--format", "xml", script]);
    let tree = roxmltree::Document::parse(&ran.stdout).expect("XML");
    let mut events = tree.descendants().filter(|n| n.has_tag_name("event"));
    let third = events.nth(3).expect("a visible event");
    assert_eq!(
        (third.attribute("id"), third.text()),
        (Some("3"), Some("coin"))
    );
    let mut results = tree.descendants().filter(|n| n.has_tag_name("result"));
    assert_eq!(results.next().and_then(|n| n.text()), Some("1"));
    fails_with(&["refines", "--re", script], 2, "unexpected argument");
}

#[test]
fn an_archive_means_what_the_files_meant() {
    let folder = std::env::temp_dir().join(format!("csp-archive-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("parts")).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("written");
    write(
        "main.csp",
        "include \"parts/a.csp\"\nassert P :[deadlock free]\n",
    );
    // The second file has no line end, and the first includes it by a path from the root's folder.
    write(
        "parts/a.csp",
        "-- events\ninclude \"parts/b.csp\"\nP = a -> P\n",
    );
    write("parts/b.csp", "channel a");
    let (main, all) = (folder.join("main.csp"), folder.join("all.csp"));
    let (main, all) = (main.to_string_lossy(), all.to_string_lossy());
    let ran = csp(&["refines", "--archive", &all, &main]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    assert_eq!(
        std::fs::read_to_string(&*all).expect("written"),
        "-- include \"parts/a.csp\"\n-- events\n-- include \"parts/b.csp\"\nchannel a\n\
         -- end of \"parts/b.csp\"\nP = a -> P\n-- end of \"parts/a.csp\"\nassert P :[deadlock free]\n"
    );
    assert_eq!(
        csp(&["refines", "--brief", &all]).stdout,
        csp(&["refines", "--brief", &main]).stdout
    );
    write("main.csp", "include \"parts/none.csp\"\n");
    fails_with(&["refines", "--archive", &all, &main], 2, "none.csp");
    std::fs::remove_dir_all(folder).expect("ours");
}

#[test]
fn graphs_are_written() {
    let ran = csp(&["graph", "examples/01-vending-machine.csp", "Machine"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let first = ran.stdout.lines().next().expect("a heading");
    assert_eq!(first, "des (0,3,2)");
    let ran = csp(&[
        "graph",
        "examples/01-vending-machine.csp",
        "Machine",
        "--format",
        "svg",
    ]);
    assert!(ran.stdout.starts_with("<svg") && ran.stdout.contains("coffee"));
}

/// Saves the counterexample of a script's only assertion and replays it.
fn replayed(name: &str, script: &str, process: &str) -> (String, String) {
    let script = temporary(&format!("{name}.csp"), script.as_bytes());
    let trace = temporary(&format!("{name}.trace"), b"");
    let (script_name, trace_name) = (script.to_string_lossy(), trace.to_string_lossy());
    csp(&["check", &script_name, "--save-trace", &trace_name]);
    let ran = csp(&["explore", &script_name, process, "--trace", &trace_name]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let saved = std::fs::read_to_string(&trace).expect("saved");
    std::fs::remove_file(script).expect("ours");
    std::fs::remove_file(trace).expect("ours");
    (saved, ran.stdout)
}

#[test]
fn of_several_hidden_steps_the_right_one_is_taken() {
    let (saved, shown) = replayed(
        "tau",
        "channel a, b, c\nP = (a -> b -> P) |~| (a -> c -> STOP) |~| (a -> P)\nassert P :[deadlock free]\n",
        "P",
    );
    assert_eq!(saved, "τ\nτ\na\nc\n# it then offers: {}\n");
    assert_eq!(
        shown,
        "after 4 steps\n  nothing is possible any more\n  STOP offers nothing.\n"
    );
}

#[test]
fn of_several_branches_the_one_that_ends_as_saved_is_taken() {
    let (saved, shown) = replayed(
        "branch",
        "channel a, b, c\nP = a -> b -> P [] a -> STOP [] a -> (b -> P [] c -> P)\nassert P :[deadlock free]\n",
        "P",
    );
    assert_eq!(saved, "a\n# it then offers: {}\n");
    assert_eq!(
        shown,
        "after 1 step\n  nothing is possible any more\n  STOP offers nothing.\n"
    );
    let (saved, shown) = replayed(
        "offers",
        "channel a, b, c\nS = a -> b -> S\nP = a -> b -> P [] a -> c -> P\nassert S [F= P\n",
        "P",
    );
    assert!(
        saved == "a\n# it then offers: {c}\n" || saved == "a\nc\n",
        "{saved}"
    );
    assert!(shown.starts_with("after "), "{shown}");
}

#[test]
fn a_divergence_is_replayed_to_where_it_begins() {
    let (saved, shown) = replayed(
        "loop",
        "channel a, b\nP = a -> (b -> STOP) [] a -> (Q \\ {b})\nQ = b -> b -> Q\nassert P :[divergence free]\n",
        "P",
    );
    // Both states of the loop are there, although the search has merged them.
    assert_eq!(saved, "a\n# it then does for ever:\n# τ\n# τ\n");
    assert_eq!(shown, "after 1 step\n    1  τ  P\n");
}

#[test]
fn a_trace_that_is_not_possible_is_said_to_be_so() {
    let trace = temporary("wrong.trace", b"coin\ncoffee\ncoin\nbeer\n");
    let script = "examples/01-vending-machine.csp";
    let name = trace.to_string_lossy();
    fails_with(
        &["explore", script, "Machine", "--trace", &name],
        2,
        "line 4: beer is not possible here",
    );
    std::fs::remove_file(trace).expect("ours");
}

#[test]
fn a_saved_trace_can_be_followed() {
    let path = std::env::temp_dir().join(format!("csp-test-{}.trace", std::process::id()));
    let file = path.to_string_lossy();
    let script = "examples/10-farmer.csp";
    let ran = csp(&["check", script, "--save-trace", &file]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let process = r"River(Here, {}) \ {| take, cross |}";
    let ran = csp(&["explore", script, process, "--trace", &file]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(
        ran.stdout,
        "after 8 steps\n  nothing is possible any more\n  STOP offers nothing.\n"
    );
    std::fs::remove_file(path).expect("it was written");
}
