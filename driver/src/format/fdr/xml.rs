//! The object as XML: an element for each key, `item` for the members of a list, and `event` with its
//! number for the entries of the map of events.

use std::fmt::Write;

use serde_json::Value;

use crate::escape;

/// A document.
pub(super) fn document(value: &Value) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    element(&mut out, "refines", value, 0);
    out
}

fn element(out: &mut String, name: &str, value: &Value, indent: usize) {
    let pad = " ".repeat(indent);
    // The names are keys of ours: letters and underscores, or the number of an event.
    let (open, close) = match name.parse::<u64>() {
        Ok(number) => (format!("event id=\"{number}\""), "event"),
        Err(_) => (name.to_owned(), name),
    };
    match value {
        Value::Object(fields) => {
            let _ = writeln!(out, "{pad}<{open}>");
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(name, _)| name.parse::<u64>().ok());
            for (name, value) in fields {
                element(out, name, value, indent + 2);
            }
            let _ = writeln!(out, "{pad}</{close}>");
        }
        Value::Array(values) if values.is_empty() => {
            let _ = writeln!(out, "{pad}<{open}/>");
        }
        Value::Array(values) => {
            let _ = writeln!(out, "{pad}<{open}>");
            for value in values {
                element(out, "item", value, indent + 2);
            }
            let _ = writeln!(out, "{pad}</{close}>");
        }
        Value::String(text) => {
            let _ = writeln!(out, "{pad}<{open}>{}</{close}>", escape::xml(text));
        }
        scalar => {
            let _ = writeln!(out, "{pad}<{open}>{scalar}</{close}>");
        }
    }
}
