//! What public readers of FDR's output do with ours, written anew: which words they look for, what
//! they look up, what they cannot stand.

use serde_json::Value;
use yaml_rust2::{Yaml, YamlLoader};

use super::bad_input::temporary;
use super::run::csp;

/// Two components, a hidden event between them, and something that the specification does not allow.
const SCRIPT: &str = "channel msg, ack, done : {0..1}
channel idle
Spare = idle -> STOP
Sender = msg?x -> ack!x -> Sender
Receiver = ack?x -> done!x -> Receiver
System = (Sender [|{|ack|}|] Receiver) \\ {|ack|}
assert msg?x -> msg?y -> STOP [T= System
assert System :[deadlock free]
assert Sender [|{|msg, ack|}|] Receiver :[deadlock free]
";

fn script(name: &str) -> String {
    let file = temporary(name, SCRIPT.as_bytes());
    file.to_string_lossy().into_owned()
}

/// A Java program: it gives up unless the exit code is 0 and standard error is empty, then reads
/// `trace` and `revealed_trace` and names their numbers.
#[test]
fn one_that_parses_only_at_exit_code_0() {
    let file = script("java.csp");
    let ran = csp(&[
        "refines",
        &file,
        "--format=json",
        "--compiler-reuse-machines=off",
        "--reveal-taus",
        "--q",
    ]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let output: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    for list in ["errors", "warnings", "print_statement_results"] {
        assert_eq!(output[list].as_array().map(Vec::len), Some(0), "{list}");
    }
    let map = &output["event_map"];
    let mut passed = Vec::new();
    let mut traces = Vec::new();
    for assertion in output["results"].as_array().expect("a list") {
        assert!(assertion["errors"].as_array().is_some_and(Vec::is_empty));
        assert!(assertion["visited_states"].is_u64());
        passed.push(assertion["result"].as_i64() == Some(1));
        for found in assertion["counterexamples"].as_array().expect("a list") {
            assert!(found["type"].is_string());
            let behaviour = &found["implementation_behaviour"];
            for key in ["trace", "revealed_trace"] {
                let numbers = behaviour[key].as_array().expect("a list");
                let names = numbers.iter().map(|n| map[n.to_string()].as_str());
                traces.push(names.map(|n| n.expect("in the map")).collect::<Vec<_>>());
            }
        }
    }
    assert_eq!(passed, [false, true, false]);
    assert_eq!(traces[0], ["msg.0", "τ"]);
    assert_eq!(traces[1], ["msg.0", "ack.0"]);
    // An event that no result speaks of is in the map too.
    assert!(
        map.as_object()
            .is_some_and(|m| m.values().any(|v| v == "idle"))
    );
}

/// A Python program that draws sequence charts from the YAML: it asks whether keys are there, looks
/// numbers up as integers, and lays what the components did over what the process did.
#[test]
fn one_that_looks_integers_up_in_yaml() {
    fn events(behaviour: &Yaml, map: &Yaml, error: &mut Vec<String>) -> Vec<Option<String>> {
        let fields = behaviour.as_hash().expect("a mapping");
        let name = |number: &Yaml| {
            // Of a mapping this is the key that is this integer.
            let number = usize::try_from(number.as_i64().expect("an integer"));
            let name = map[number.expect("not negative")].as_str();
            let name = name.expect("in the map");
            (!["-", "τ"].contains(&name)).then(|| name.to_owned())
        };
        let has = |key: &str| fields.get(&Yaml::String(key.to_owned()));
        let mut result: Vec<_> = has("trace").map_or(Vec::new(), |trace| {
            trace.as_vec().expect("a list").iter().map(name).collect()
        });
        error.extend(has("error_event").and_then(name));
        let children = has("child_behaviours").map(|c| c.as_vec().expect("a list"));
        for child in children.into_iter().flatten() {
            for (i, event) in events(child, map, error).into_iter().enumerate() {
                if event.is_some() {
                    result[i] = event;
                }
            }
        }
        result
    }
    let file = script("yaml.csp");
    let ran = csp(&["refines", "--format", "yaml", "--quiet", &file]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(!ran.stdout.contains("null"), "{}", ran.stdout);
    let output = &YamlLoader::load_from_str(&ran.stdout).expect("YAML")[0];
    let behaviour = &output["results"][0]["counterexamples"][0]["implementation_behaviour"];
    let mut error = Vec::new();
    let did = events(behaviour, &output["event_map"], &mut error);
    // The hidden event comes from the components, who know it by name.
    assert_eq!(did, [Some("msg.0".to_owned()), Some("ack.0".to_owned())]);
    assert_eq!(error, ["done.0", "done.0"]);
    let children = &behaviour["child_behaviours"];
    assert_eq!(children[0]["name"].as_str(), Some("Sender"));
    assert!(children[0]["error_event"].is_badvalue());
    assert_eq!(children[1]["name"].as_str(), Some("Receiver"));
}

/// A Python program that looks numbers up as texts, in one line for each script.
#[test]
fn one_that_looks_texts_up_in_framed_json() {
    let file = script("framed.csp");
    let ran = csp(&["refines", "--format=framed_json", "--quiet", &file]);
    assert_eq!(ran.code, 0);
    let line = ran.stdout.lines().next().expect("a line");
    let output: Value = serde_json::from_str(line).expect("JSON");
    let found = &output["results"][0]["counterexamples"][0];
    let name = |number: &Value| output["event_map"][number.to_string()].clone();
    let trace = found["implementation_behaviour"]["trace"].as_array();
    let trace: Vec<Value> = trace.expect("a list").iter().map(name).collect();
    assert_eq!(trace, ["msg.0", "τ"]);
    let error = &found["implementation_behaviour"]["error_event"];
    assert_eq!(name(error), "done.0");
    let specification = &found["specification_behaviour"]["trace"];
    assert_eq!(specification.as_array().map(Vec::len), Some(1));
    // A deadlock has no event at fault, and no specification: the keys are not there.
    let deadlock = &output["results"][2]["counterexamples"][0];
    assert!(deadlock.get("specification_behaviour").is_none());
    let behaviour = &deadlock["implementation_behaviour"];
    assert!(behaviour.get("error_event").is_none());
    assert!(behaviour["child_behaviours"].is_array());
}

/// A Java program that reads the text: what stands between the first `<` and the last `>` after
/// `Implementation Debug:`, then the event at fault.
#[test]
fn one_that_reads_the_text() {
    let file = script("text.csp");
    let ran = csp(&["refines", &file]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let mut result = None;
    let mut collects = false;
    let mut text = String::new();
    for line in ran.stdout.lines().map(str::trim) {
        match line {
            "Result: Passed" | "Result: Failed" => result = result.or(Some(line)),
            _ if line.starts_with("Implementation Debug:") => collects = true,
            _ if collects => text += line,
            _ => {}
        }
        if line.starts_with("Error Event:") {
            break;
        }
    }
    assert_eq!(result, Some("Result: Failed"));
    let (open, close) = (text.find('<'), text.rfind('>'));
    let (open, close) = (open.expect("a trace"), close.expect("a trace"));
    let error = text.rfind("Error Event: ").expect("an event at fault");
    let error = &text[error + "Error Event: ".len()..];
    let events: Vec<&str> = text[open + 1..close].split(',').map(str::trim).collect();
    assert_eq!((events, error), (vec!["msg.0", "τ"], "done.0"));
    for words in [
        "            Implementation Debug:\n                System (Trace Behaviour):\n",
        "            Machine Debug:\n                Sender [|{|msg, ack|}|] Receiver (Failure Behaviour):\n",
    ] {
        assert!(ran.stdout.contains(words), "{}", ran.stdout);
    }
    let divided = csp(&["refines", "--divide", &file]).stdout;
    let receiver = "                    Receiver (Trace Behaviour):\n                        Trace: <-, ack.0>\n";
    assert!(divided.contains(receiver), "{divided}");
}

#[test]
fn counts_have_commas_in_text_and_none_elsewhere() {
    let counter = "channel up, down\nN = 2000\nC(n) = n < N & up -> C(n+1) [] n > 0 & down -> C(n-1)\n\
                   assert C(0) :[deadlock free]\n";
    let file = temporary("counter.csp", counter.as_bytes());
    let file = file.to_string_lossy();
    let text = csp(&["refines", &file]).stdout;
    assert!(text.contains("Visited States: 2,001\n"), "{text}");
    assert!(text.contains("Visited Transitions: 4,000\n"), "{text}");
    let json = csp(&["refines", "--form=json", &file]).stdout;
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["results"][0]["visited_states"], 2001);
}

#[test]
fn a_script_that_cannot_be_checked_is_no_success() {
    let file = temporary("broken.csp", b"P = Q\nassert P :[deadlock free]\n");
    let ran = csp(&["refines", "--format=json", &file.to_string_lossy()]);
    assert_eq!((ran.code, ran.stderr.as_str()), (2, ""));
    let output: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(output["errors"][0], "there is nothing called `Q` here");
}
