//! The API as a page uses it: over a socket, with the schema of every answer; and as strangers, broken pages and
//! crowds use it.

mod answers;
mod client;
mod limits;
mod load;
mod random;
mod strangers;

use serde_json::{Value, json};

fn philosophers() -> Value {
    json!({ "file": "models/philosophers.csp", "defines": {} })
}

/// A text that is in no file.
fn text(text: &str) -> Value {
    json!({ "file": "none.csp", "text": text, "defines": {} })
}

/// An answer that has the shape the schema gives it.
fn valid(kind: &str, answer: &Value) {
    let text = include_str!("../../api.schema.json");
    let mut schema: Value = serde_json::from_str(text).expect("the schema is JSON");
    assert!(schema["$defs"][kind].is_object(), "{kind} has a schema");
    schema["$ref"] = json!(format!("#/$defs/{kind}"));
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    let wrong: Vec<_> = validator
        .iter_errors(answer)
        .map(|e| format!("{e} at {}", e.instance_path()))
        .collect();
    assert!(wrong.is_empty(), "{kind}: {wrong:?}");
}
