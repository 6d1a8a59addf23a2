//! What is too long, too much or never ends: a sentence for who asked, and nothing for the others.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::Client;
use crate::{philosophers, text};

/// A check that goes on for as long as it may.
fn endless() -> Value {
    json!({ "script": { "file": "models/peg.csp", "defines": {} }, "number": 2, "settings": { "threads": 1 } })
}

#[test]
fn what_is_too_long_is_refused_by_name() {
    let client = Client::start(Path::new(".."));
    let script = text(&"-".repeat(5 << 20));
    let (status, _) = client.ask("outline", &json!({ "script": script }));
    assert_eq!(status, 413);
    // Below the limit of a request, above that of a text.
    let script = text(&"-".repeat(1_500_000));
    let (status, refused) = client.ask("outline", &json!({ "script": script }));
    assert_eq!(status, 413);
    let message = refused["message"].as_str().expect("said");
    assert!(message.contains("1000000"), "{message}");
    let (status, _) = client.ask("brackets", &json!({ "text": "-".repeat(1_500_000) }));
    assert_eq!(status, 413);
    let long =
        json!({ "script": philosophers(), "process": "Symmetric", "path": vec!["sits.0"; 20_001] });
    assert_eq!(client.ask("explore", &long).0, 422);
    assert_eq!(client.ok("folder", &json!({}))["limits"]["text"], 1_000_000);
    let (status, _) = client.ask("read", &json!({ "file": "models/none.csp" }));
    assert_eq!(status, 404);
}

#[test]
fn broken_scripts_end_in_diagnostics() {
    let client = Client::start(Path::new(".."));
    let broken = text("P = a ->");
    for (route, body) in [
        (
            "explore",
            json!({ "script": broken, "process": "P", "path": [] }),
        ),
        (
            "graph",
            json!({ "script": broken, "process": "P", "most": 10 }),
        ),
        ("evaluate", json!({ "script": broken, "expression": "1" })),
    ] {
        let (status, refused) = client.ask(route, &body);
        assert_eq!(status, 422, "{route}");
        let wrong = refused["diagnostics"].as_array();
        assert!(wrong.is_some_and(|d| !d.is_empty()), "{route} {refused}");
    }
    let outline = client.ok("outline", &json!({ "script": broken }));
    assert!(!outline["diagnostics"].as_array().expect("some").is_empty());
}

#[test]
fn a_page_that_is_closed_stops_its_check() {
    let client = Client::start(Path::new(".."));
    // One runs, one waits for it; then their page is closed.
    let open = [
        client.begin("check", &endless()),
        client.begin("check", &endless()),
    ];
    std::thread::sleep(Duration::from_millis(1_000));
    drop(open);
    assert_eq!(client.report(&philosophers(), 1)["verdict"], "fail");
}

#[test]
fn one_tab_does_not_stop_another() {
    let client = Client::start(Path::new(".."));
    let open: Vec<_> = (0..8).map(|_| client.begin("check", &endless())).collect();
    let never = json!({ "script": text("f(n) = f(n + 1)\nP = STOP\n"), "expression": "f(0)" });
    let asked: Vec<_> = (0..3).map(|_| client.begin("evaluate", &never)).collect();
    std::thread::sleep(Duration::from_millis(300));
    let other = client.tab("other");
    assert_eq!(other.report(&philosophers(), 1)["verdict"], "fail");
    let value = json!({ "script": philosophers(), "expression": "1 + 1" });
    assert_eq!(other.ok("evaluate", &value)["value"], "2");
    drop((open, asked));
}

#[test]
fn too_many_checks_are_refused_until_some_have_gone() {
    let client = Client::start(Path::new(".."));
    let open: Vec<_> = (0..36).map(|_| client.begin("check", &endless())).collect();
    // They may still be on their way.
    let asked = json!({ "script": philosophers(), "number": 1 });
    let start = Instant::now();
    let refused = loop {
        let stream = client.tab("late").begin("check", &asked);
        let first = Client::status(stream);
        if first == 429 || start.elapsed() > Duration::from_secs(60) {
            break first;
        }
    };
    assert_eq!(refused, 429);
    drop(open);
    let start = Instant::now();
    while client.ask("check", &asked).0 != 200 {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "places are free again"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}
