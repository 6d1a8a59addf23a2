//! Every route is asked something that it can answer, and something that it refuses.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::client::Client;
use crate::{philosophers, routes, schema};

/// What each route is asked here: as many of the fields that a page sends as it has.
fn requests() -> Vec<(&'static str, Value)> {
    let script = philosophers();
    let pegs = json!({ "file": "models/peg-triangle.csp", "defines": {} });
    let cards = json!({ "file": "models/freecell.csp", "defines": { "RANKS": "2" } });
    let described = json!({ "file": "models/games/golf.toml", "defines": { "DEAL": "3" } });
    let digits = json!({ "file": "models/sudoku.csp", "defines": {} });
    let walk = json!({ "script": script, "process": "Symmetric", "path": ["sits.0"], "event": "takes.0.0" });
    let vote = json!({ "script": script, "process": "Fork(0)", "max_states": 1000 });
    let numbers = json!({ "file": "own.csp", "defines": {}, "text": "channel a\nP(n) = n < 3 & a -> P(n + 1)\nQ = P(0)" });
    vec![
        ("folder", json!({})),
        ("read", json!({ "file": "models/philosophers.csp" })),
        (
            "save",
            json!({ "file": "new.csp", "text": "P = STOP\n", "stamp": null }),
        ),
        ("outline", json!({ "script": script })),
        ("about", json!({ "script": script, "line": 4, "column": 1 })),
        ("brackets", json!({ "text": "P = a -> P [] b -> Q" })),
        (
            "evaluate",
            json!({ "script": script, "expression": "next(4)" }),
        ),
        (
            "watch",
            json!({ "script": script, "expression": "#trace", "events": ["sits.0"] }),
        ),
        ("explain", json!({ "code": "E0201" })),
        (
            "check",
            json!({ "script": script, "number": 1, "settings": { "open": true, "max_states": 100_000 } }),
        ),
        ("explore", walk.clone()),
        ("events", walk.clone()),
        ("until", walk.clone()),
        ("why-not", walk),
        (
            "graph",
            json!({ "script": script, "process": "Fork(0)", "most": 100 }),
        ),
        (
            "scale",
            json!({ "script": script, "numbers": [1], "threads": [1], "runs": 1 }),
        ),
        (
            "survey",
            json!({ "script": cards, "from": 1, "to": 2, "timeout": 20 }),
        ),
        ("table", json!({ "script": pegs.clone() })),
        ("table", json!({ "script": digits })),
        (
            "table",
            json!({ "script": cards, "act": { "kind": "command", "text": "nonsense" } }),
        ),
        (
            "table",
            json!({ "script": described, "act": { "kind": "bot", "bot": "greedy", "seed": 1 } }),
        ),
        ("games", json!({ "words": "klondike", "decks": 1 })),
        ("lamp", json!({ "script": cards, "seconds": 5 })),
        ("prospects", json!({ "script": pegs })),
        (
            "start",
            json!({ "game": "freecell", "numbering": "microsoft", "number": 1 }),
        ),
        ("live", vote.clone()),
        ("bounds", vote),
        ("bounds", json!({ "script": numbers, "process": "Q" })),
        ("leave", json!({})),
    ]
}

/// A folder of its own, with the models: a route may write.
fn folder() -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("csp-web-routes-{}", std::process::id()));
    fs::create_dir_all(folder.join("models/lib")).expect("made");
    for part in ["models", "models/lib"] {
        for entry in fs::read_dir(Path::new("..").join(part)).expect("models") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|e| e == "csp") {
                let name = path.file_name().expect("a name");
                fs::copy(&path, folder.join(part).join(name)).expect("copied");
            }
        }
    }
    folder
}

#[test]
fn every_route_answers_in_its_shape() {
    let folder = folder();
    let client = Client::start(&folder);
    let mut asked = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for (route, body) in requests() {
        asked.insert(route);
        if schema()["routes"][route].is_string() {
            client.ok(route, &body);
            continue;
        }
        for (name, told) in client.events(route, &body) {
            assert_ne!(name, "refused", "{route}: {told}");
            seen.insert(format!("{route}/{name}"));
        }
    }
    assert_eq!(asked, routes().into_iter().collect(), "each route is asked");
    let ends = [
        "check/report",
        "scale/rows",
        "survey/row",
        "lamp/lamp",
        "prospects/prospect",
        "live/report",
        "bounds/report",
    ];
    for end in ends {
        assert!(seen.contains(end), "no {end} came: {seen:?}");
    }
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn every_route_that_takes_something_refuses_what_it_cannot_take() {
    let client = Client::start(Path::new(".."));
    for route in routes() {
        if ["folder", "leave"].contains(&route) {
            continue;
        }
        // The client compares the refusal with its schema.
        let (status, refused) = client.ask(route, &json!({ "script": 1, "code": [] }));
        assert_eq!(status, 422, "{route}: {refused}");
    }
}

#[test]
fn a_game_is_played_and_what_cannot_be_played_is_told() {
    let client = Client::start(Path::new(".."));
    let script = json!({ "file": "models/peg-triangle.csp", "defines": {} });
    let deal = client.ok("table", &json!({ "script": script }));
    let event = deal["report"]["offers"][0]["event"].clone();
    let play = json!({ "script": script, "saved": deal["saved"], "act": { "kind": "play", "event": event } });
    let after = client.ok("table", &play);
    assert_eq!(after["report"]["number"], 1);
    assert!(after["refusal"].is_null());
    let again = json!({ "script": script, "saved": after["saved"], "act": { "kind": "play", "event": event } });
    let refused = client.ok("table", &again);
    assert_eq!(refused["refusal"]["event"], event);
    assert_eq!(refused["report"]["number"], 1);
}
