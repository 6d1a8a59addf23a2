//! The API as a page uses it: over a socket; and as strangers, broken pages and crowds use it. The client compares
//! every answer with the schema of its route, whatever a test is about.

mod answers;
mod client;
mod limits;
mod load;
mod random;
mod routes;
mod strangers;

use std::sync::LazyLock;

use serde_json::{Value, json};

fn philosophers() -> Value {
    json!({ "file": "models/philosophers.csp", "defines": {} })
}

/// A text that is in no file.
fn text(text: &str) -> Value {
    json!({ "file": "none.csp", "text": text, "defines": {} })
}

/// The shapes of answers.
fn schema() -> &'static Value {
    static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
        let text = include_str!("../../api.schema.json");
        serde_json::from_str(text).expect("the schema is JSON")
    });
    &SCHEMA
}

/// The names of all routes; a test beside them says that the schema has no more and no fewer.
fn routes() -> Vec<&'static str> {
    let routes = schema()["routes"].as_object().expect("routes");
    routes.keys().map(String::as_str).collect()
}

/// An answer that has the shape the schema gives it.
fn valid(kind: &str, answer: &Value) {
    assert!(schema()["$defs"][kind].is_object(), "{kind} has no schema");
    let mut whole = schema().clone();
    whole["$ref"] = json!(format!("#/$defs/{kind}"));
    let validator = jsonschema::validator_for(&whole).expect("the schema is one");
    let wrong: Vec<_> = validator
        .iter_errors(answer)
        .map(|e| format!("{e} at {}", e.instance_path()))
        .collect();
    assert!(wrong.is_empty(), "{kind}: {wrong:?}");
}

/// An answer of a route, or an event of its stream, that has the shape the schema gives it.
fn valid_of(route: &str, event: Option<&str>, answer: &Value) {
    let described = &schema()["routes"][route];
    let kind = match event {
        None => described,
        Some(event) => &described[event],
    };
    match kind.as_str() {
        Some(kind) => valid(kind, answer),
        None => panic!("no schema for {event:?} of {route}: {answer}"),
    }
}
