//! The API as a page uses it: over a socket, with the schema of every answer, and as strangers and broken pages use it.

mod client;

use std::path::Path;
use std::time::{Duration, Instant};

use client::Client;
use serde_json::{Value, json};

fn philosophers() -> Value {
    json!({ "file": "models/philosophers.csp", "defines": {} })
}

/// An answer that has the shape the schema gives it.
fn valid(kind: &str, answer: &Value) {
    let text = include_str!("../api.schema.json");
    let mut schema: Value = serde_json::from_str(text).expect("the schema is JSON");
    schema["$ref"] = json!(format!("#/$defs/{kind}"));
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    let wrong: Vec<_> = validator
        .iter_errors(answer)
        .map(|e| format!("{e} at {}", e.instance_path()))
        .collect();
    assert!(wrong.is_empty(), "{kind}: {wrong:?}");
}

#[test]
fn every_answer_has_its_shape() {
    let client = Client::start(Path::new(".."));
    let folder = client.ok("folder", &json!({}));
    valid("folder", &folder);
    assert!(
        folder["files"]
            .as_array()
            .expect("files")
            .iter()
            .any(|f| f["file"] == "models/philosophers.csp")
    );
    valid(
        "file",
        &client.ok("read", &json!({ "file": "models/philosophers.csp" })),
    );
    let outline = client.ok("outline", &json!({ "script": philosophers() }));
    valid("outline", &outline);
    assert_eq!(outline["assertions"].as_array().map(Vec::len), Some(4));
    let about = client.ok(
        "about",
        &json!({ "script": philosophers(), "line": 20, "column": 18 }),
    );
    valid("about", &about);
    assert_eq!(about["name"], "Philosopher");
    let value = client.ok(
        "evaluate",
        &json!({ "script": philosophers(), "expression": "next(4)" }),
    );
    assert_eq!(value["value"], "0");
    let position = client.ok(
        "explore",
        &json!({ "script": philosophers(), "process": "Symmetric", "path": ["sits.0", "sits.1"] }),
    );
    valid("position", &position);
    assert_eq!(position["options"].as_array().map(Vec::len), Some(5));
    let graph = client.ok(
        "graph",
        &json!({ "script": philosophers(), "process": "Fork(0)", "most": 100 }),
    );
    valid("graph", &graph);
    assert_eq!(graph["states"], 3);
    assert!(client.ok("explain", &json!({ "code": "E0201" }))["text"].is_string());
}

#[test]
fn a_check_tells_and_reports() {
    let client = Client::start(Path::new(".."));
    let events = client.events("check", &json!({ "script": philosophers(), "number": 1 }));
    let (_, report) = events
        .iter()
        .find(|(name, _)| name == "report")
        .expect("a report");
    valid("report", report);
    assert_eq!(
        (&report["verdict"], &report["states"]),
        (&json!("fail"), &json!(1873))
    );
    assert_eq!(
        report["counterexamples"][0]["steps"]
            .as_array()
            .map(Vec::len),
        Some(10)
    );
    for (_, told) in events.iter().filter(|(name, _)| name == "told") {
        valid("told", told);
    }
    // A parameter and a text that is in no file.
    let few = json!({ "file": "models/philosophers.csp", "defines": { "N": "3" } });
    assert_eq!(
        client.report(&few, 1)["counterexamples"][0]["steps"]
            .as_array()
            .map(Vec::len),
        Some(6)
    );
    let text = json!({ "file": "none.csp", "text": "channel a\nP = a -> P\nassert P :[deadlock free [F]]", "defines": {} });
    assert_eq!(client.report(&text, 1)["verdict"], "pass");
    let (status, refused) = client.ask(
        "outline",
        &json!({ "script": { "file": "none.csp", "defines": {} } }),
    );
    assert_eq!(status, 404, "{refused}");
}

#[test]
fn measurements_come_in_rows() {
    let client = Client::start(Path::new(".."));
    let request = json!({ "script": philosophers(), "numbers": [1], "threads": [1, 2], "runs": 1, "max_states": null });
    let events = client.events("scale", &request);
    let rows: Vec<_> = events.iter().filter(|(name, _)| name == "rows").collect();
    valid("rows", &rows.last().expect("rows").1);
    assert_eq!(
        rows.last().expect("rows").1.as_array().map(Vec::len),
        Some(2)
    );
    let deals = json!({ "script": { "file": "models/freecell.csp", "defines": { "RANKS": "2" } }, "from": 1, "to": 3, "timeout": 20, "max_states": 100_000 });
    let events = client.events("survey", &deals);
    let rows: Vec<_> = events.iter().filter(|(name, _)| name == "row").collect();
    if let Some((_, refused)) = events.iter().find(|(name, _)| name == "refused") {
        panic!("{refused}");
    }
    assert_eq!(rows.len(), 3);
    valid("deal", &rows[0].1);
}

#[test]
fn strangers_get_nothing() {
    let client = Client::start(Path::new(".."));
    let own = client.host.clone();
    let body = json!({}).to_string();
    let ask = |host: &str, extra: &str| client.raw("POST", "/api/folder", host, extra, &body).0;
    let token = format!("x-csp-token: {}\r\n", client.token);
    assert_eq!(ask(&own, &token), 200);
    assert_eq!(ask(&own, ""), 401);
    assert_eq!(ask(&own, "x-csp-token: 0000\r\n"), 401);
    assert_eq!(ask("evil.example", &token), 403);
    assert_eq!(
        ask(&own, &format!("{token}origin: http://evil.example\r\n")),
        403
    );
    assert_eq!(ask(&own, &format!("{token}origin: http://{own}\r\n")), 200);
    let (status, head, page) = client.raw_whole("GET", "/", &own, "", "");
    assert_eq!(status, 200);
    assert!(page.contains("<script type=\"module\""));
    let policy = head
        .lines()
        .find(|l| l.to_lowercase().starts_with("content-security-policy"))
        .expect("a policy");
    assert!(
        !policy.contains("unsafe-inline") && policy.contains("default-src 'none'"),
        "{policy}"
    );
    assert_eq!(client.raw("GET", "/../Cargo.toml", &own, "", "").0, 404);
    for file in ["../Cargo.toml", "/etc/passwd", "models/../../x.csp"] {
        assert_eq!(
            client.ask("read", &json!({ "file": file })).0,
            403,
            "{file}"
        );
        assert_eq!(
            client
                .ask("save", &json!({ "file": file, "text": "", "stamp": null }))
                .0,
            403,
            "{file}"
        );
        assert_eq!(
            client
                .ask(
                    "outline",
                    &json!({ "script": { "file": file, "defines": {} } })
                )
                .0,
            403,
            "{file}"
        );
    }
    // A script that includes what is outside.
    let text = json!({ "file": "x.csp", "text": "include \"../../../../../../etc/passwd\"\nP = STOP", "defines": {} });
    let outline = client.ok("outline", &json!({ "script": text }));
    assert!(!outline["diagnostics"].as_array().expect("some").is_empty());
    assert!(!outline.to_string().contains("root:"));
}

#[test]
fn a_page_that_is_closed_stops_its_check() {
    let client = Client::start(Path::new(".."));
    let long = json!({ "script": { "file": "models/peg.csp", "defines": {} }, "number": 2, "settings": { "threads": 1 } });
    // As many as may run at a time; then their pages are closed.
    let open = [client.begin("check", &long), client.begin("check", &long)];
    std::thread::sleep(Duration::from_millis(1_500));
    drop(open);
    let start = Instant::now();
    assert_eq!(client.report(&philosophers(), 1)["verdict"], "fail");
    assert!(
        start.elapsed() < Duration::from_secs(30),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn bad_requests_end_in_a_sentence() {
    let client = Client::start(Path::new(".."));
    let mut seed = 1_u64;
    let mut random = move |most: u64| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % most
    };
    let pieces = [
        "null",
        "0",
        "-1",
        "1e99",
        "\"\"",
        "\"a\"",
        "[]",
        "{}",
        "[[[",
        "{\"script\":{}}",
        "\"\\u0000\"",
        "true",
    ];
    let paths = [
        "folder", "read", "save", "outline", "about", "evaluate", "explain", "check", "explore",
        "graph", "scale", "survey", "nothing",
    ];
    let keys = [
        "script", "file", "text", "process", "path", "number", "code", "defines", "line", "column",
        "most", "threads", "from", "to",
    ];
    for _ in 0..400 {
        let fields: Vec<String> = (0..random(5))
            .map(|_| {
                format!(
                    "\"{}\":{}",
                    keys[random(keys.len() as u64) as usize],
                    pieces[random(8) as usize]
                )
            })
            .collect();
        let body = if random(6) == 0 {
            pieces[random(pieces.len() as u64) as usize].to_owned()
        } else {
            format!("{{{}}}", fields.join(","))
        };
        let path = paths[random(paths.len() as u64) as usize];
        let (status, _) = client.send(path, &body);
        assert!(status < 500, "{path} {body}: {status}");
    }
    // A script that is wrong, one that never ends, one that is too long, and a file that is not text.
    let broken = json!({ "file": "x.csp", "text": "P = a ->", "defines": {} });
    let (status, refused) = client.ask(
        "explore",
        &json!({ "script": broken, "process": "P", "path": [] }),
    );
    assert_eq!(status, 422);
    assert!(
        refused["diagnostics"]
            .as_array()
            .is_some_and(|d| !d.is_empty()),
        "{refused}"
    );
    let long = json!({ "file": "x.csp", "text": "-".repeat(5 << 20), "defines": {} });
    assert_eq!(client.ask("outline", &json!({ "script": long })).0, 413);
    assert_eq!(
        client.ask("read", &json!({ "file": "models/none.csp" })).0,
        404
    );
    assert_eq!(client.ok("folder", &json!({}))["limits"]["text"], 1_000_000);
}

#[test]
fn many_tabs_ask_at_once() {
    let client = Client::start(Path::new(".."));
    std::thread::scope(|scope| {
        for tab in 0..50 {
            let client = client.tab(&format!("tab-{tab}"));
            scope.spawn(move || {
                for _ in 0..4 {
                    let (status, answer) =
                        client.ask("read", &json!({ "file": "models/philosophers.csp" }));
                    assert!(status == 200 || status == 429, "{answer}");
                }
                let (status, outline) = client.ask("outline", &json!({ "script": philosophers() }));
                assert!(status == 200 || status == 429, "{outline}");
            });
        }
    });
    assert_eq!(client.report(&philosophers(), 1)["verdict"], "fail");
}
