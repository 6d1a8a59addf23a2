//! What the answers say.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::client::Client;
use crate::{philosophers, text};

#[test]
fn a_folder_and_a_script_say_what_is_in_them() {
    let client = Client::start(Path::new(".."));
    let folder = client.ok("folder", &json!({}));
    let files = folder["files"].as_array().expect("files");
    assert!(files.iter().any(|f| f["file"] == "models/philosophers.csp"));
    let outline = client.ok("outline", &json!({ "script": philosophers() }));
    assert_eq!(outline["assertions"].as_array().map(Vec::len), Some(4));
    let value = client.ok(
        "evaluate",
        &json!({ "script": philosophers(), "expression": "next(4)" }),
    );
    assert_eq!(value["value"], "0");
    let graph = client.ok(
        "graph",
        &json!({ "script": philosophers(), "process": "Fork(0)", "most": 100 }),
    );
    assert_eq!(graph["states"], 3);
}

#[test]
fn a_name_has_its_type_its_comment_and_its_value() {
    let client = Client::start(Path::new(".."));
    let script = text("-- How many there are.\nN = 2 + 3\nchannel a : {0..N}\nP = a.N -> P\n");
    let about = client.ok(
        "about",
        &json!({ "script": script, "line": 4, "column": 7 }),
    );
    assert_eq!(about["name"], "N");
    assert_eq!(about["type"], "Int");
    assert_eq!(about["value"], "5");
    assert_eq!(about["comment"], "How many there are.");
    let process = client.ok(
        "about",
        &json!({ "script": script, "line": 4, "column": 1 }),
    );
    assert!(process["value"].is_null());
    let pairs = client.ok(
        "brackets",
        &json!({ "text": "P = a -> P [] b -> Q\nn = 1 + 2" }),
    );
    assert_eq!(
        pairs["pairs"],
        json!([{ "line": 1, "column": 5, "end_line": 1, "end_column": 11 },
               { "line": 1, "column": 15, "end_line": 1, "end_column": 21 }])
    );
}

#[test]
fn a_walk_is_told_by_its_events() {
    let client = Client::start(Path::new(".."));
    let place =
        |path: &[&str]| json!({ "script": philosophers(), "process": "Symmetric", "path": path });
    let position = client.ok("explore", &place(&["sits.0", "sits.1"]));
    assert_eq!(position["options"].as_array().map(Vec::len), Some(5));
    let events = client.ok(
        "events",
        &json!({ "script": philosophers(), "process": "Symmetric" }),
    );
    assert!(
        events["events"]
            .as_array()
            .expect("events")
            .contains(&json!("takes.0.1"))
    );
    let mut asked = place(&["sits.0"]);
    asked["event"] = json!("takes.0.1");
    let why = client.ok("why-not", &asked);
    assert!(
        why["sentence"]
            .as_str()
            .expect("a sentence")
            .contains("takes.0.1"),
        "{why}"
    );
    asked["event"] = json!("eats");
    let eating = client.ok("until", &asked);
    let steps = eating["steps"].as_array().expect("steps");
    let names: Vec<_> = steps
        .iter()
        .map(|s| s["step"].as_str().expect("a name"))
        .collect();
    assert_eq!(names, ["sits.0", "takes.0.0", "takes.0.1", "eats.0"]);
    // The names lead to the same position again, in another tab.
    let again = client.tab("other").ok("explore", &place(&names));
    assert_eq!(again["parts"], eating["parts"]);
    asked["event"] = json!("nothing");
    assert_eq!(client.ask("until", &asked).0, 422);
}

#[test]
fn expressions_are_watched_along_a_trace() {
    let client = Client::start(Path::new(".."));
    let events = ["sits.0", "takes.0.0", "sits.1"];
    let ask = |expression: &str| {
        client.ask(
            "watch",
            &json!({ "script": philosophers(), "expression": expression, "events": events }),
        )
    };
    let (status, values) = ask("(#trace, {e | e <- set(trace), (e) == (sits.1)})");
    assert_eq!(status, 200, "{values}");
    assert_eq!(
        values["values"],
        json!(["(1, {})", "(2, {})", "(3, {sits.1})"])
    );
    assert_eq!(ask("#nothing").0, 422);
    // What the expression leaves open does not close what is around it.
    assert_eq!(ask("1) within <2> --").0, 422);
}

#[test]
fn a_check_tells_and_reports() {
    let client = Client::start(Path::new(".."));
    let events = client.events("check", &json!({ "script": philosophers(), "number": 1 }));
    let report = events.iter().find(|(name, _)| name == "report");
    let (_, report) = report.expect("a report");
    assert_eq!(
        (&report["verdict"], &report["states"]),
        (&json!("fail"), &json!(1873))
    );
    let steps = report["counterexamples"][0]["steps"].as_array();
    assert_eq!(steps.map(Vec::len), Some(10));
    // A parameter and a text that is in no file.
    let few = json!({ "file": "models/philosophers.csp", "defines": { "N": "3" } });
    let steps = client.report(&few, 1)["counterexamples"][0]["steps"].clone();
    assert_eq!(steps.as_array().map(Vec::len), Some(6));
    let own = text("channel a\nP = a -> P\nassert P :[deadlock free [F]]");
    assert_eq!(client.report(&own, 1)["verdict"], "pass");
}

#[test]
fn compressed_parts_are_opened_when_asked() {
    let client = Client::start(Path::new(".."));
    let script = text(
        "transparent sbisim\nchannel a, b, c\nP = a -> b -> STOP\nQ = b -> c -> STOP\n\
         S = sbisim((P [| {b} |] Q) \\ {b})\nassert S :[deadlock free [F]]",
    );
    let parts = |open: bool| {
        let asked = json!({ "script": script, "number": 1, "settings": { "open": open } });
        let events = client.events("check", &asked);
        let (_, report) = events
            .into_iter()
            .find(|(n, _)| n == "report")
            .expect("a report");
        report["counterexamples"][0]["parts"].to_string()
    };
    assert!(parts(false).contains("compressed"));
    assert!(!parts(true).contains("compressed"));
}

#[test]
fn measurements_come_in_rows() {
    let client = Client::start(Path::new(".."));
    let request = json!({ "script": philosophers(), "numbers": [1], "threads": [1, 2], "runs": 1, "max_states": null });
    let events = client.events("scale", &request);
    let (_, rows) = events
        .iter()
        .rfind(|(name, _)| name == "rows")
        .expect("rows");
    assert_eq!(rows.as_array().map(Vec::len), Some(2));
    let deals = json!({ "script": { "file": "models/freecell.csp", "defines": { "RANKS": "2" } }, "from": 1, "to": 3, "timeout": 20, "max_states": 100_000 });
    let events = client.events("survey", &deals);
    let refused = events.iter().find(|(name, _)| name == "refused");
    assert!(refused.is_none(), "{refused:?}");
    let rows: Vec<_> = events.iter().filter(|(name, _)| name == "row").collect();
    assert_eq!(rows.len(), 3);
}

#[test]
fn a_file_is_saved_only_as_it_was_read() {
    let folder = std::env::temp_dir().join(format!("csp-web-save-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("made");
    fs::write(folder.join("a.csp"), "P = STOP\n").expect("written");
    fs::write(folder.join("binary.csp"), [0xff, 0xfe, 0x00, 0x80]).expect("written");
    let client = Client::start(&folder);
    let read = client.ok("read", &json!({ "file": "a.csp" }));
    let save = |text: &str, stamp: &serde_json::Value| {
        client.ask(
            "save",
            &json!({ "file": "a.csp", "text": text, "stamp": stamp }),
        )
    };
    assert_eq!(save("P = SKIP\n", &read["stamp"]).0, 200);
    assert_eq!(save("P = P\n", &read["stamp"]).0, 409);
    let now = fs::read_to_string(folder.join("a.csp")).expect("read");
    assert_eq!(now, "P = SKIP\n");
    let (status, refused) = client.ask("read", &json!({ "file": "binary.csp" }));
    assert_eq!(status, 422);
    assert!(
        refused["message"]
            .as_str()
            .expect("said")
            .contains("not text")
    );
    let script = json!({ "script": { "file": "binary.csp", "defines": {} } });
    let (status, _) = client.ask("outline", &script);
    assert!((400..500).contains(&status), "{status}");
    fs::remove_dir_all(folder).expect("removed");
}
