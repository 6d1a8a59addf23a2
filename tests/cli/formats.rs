//! What programs read.

use serde_json::Value;

use super::run::{csp, scripts};
use super::schema::Schema;

#[test]
fn json_is_valid_by_its_schema() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/driver/report.schema.json");
    let schema: Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("the schema")).expect("JSON");
    let schema = Schema::new(&schema);
    for folder in ["examples", "tests/corpus/refine", "tests/corpus/properties"] {
        for script in scripts(folder) {
            let report =
                serde_json::from_str(&csp(&["check", &script, "--json"]).stdout).expect("JSON");
            assert_eq!(schema.faults(&report), [""; 0], "{script}");
            let mut spoilt: Value = report;
            spoilt["assertions"][0]["states"] = Value::from("many");
            assert_eq!(schema.faults(&spoilt).len(), 1, "{script}");
        }
    }
}

#[test]
fn json_has_the_promised_fields() {
    let ran = csp(&["check", "examples/01-vending-machine.csp", "--json"]);
    assert_eq!(ran.code, 1);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(report["schema"], 1);
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
        "after 8 steps\n  nothing is possible any more\n"
    );
    std::fs::remove_file(path).expect("it was written");
}
