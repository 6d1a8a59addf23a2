//! The object as YAML in block style. Keys that are numbers are written as numbers, for readers look
//! events up by number; other scalars are written as in JSON, which YAML reads.

use std::fmt::Write;

use serde_json::Value;

use crate::escape;

/// A document.
pub(super) fn document(value: &Value) -> String {
    let mut out = String::from("---\n");
    block(&mut out, value, 0);
    escape::json(&out).into_owned()
}

fn block(out: &mut String, value: &Value, indent: usize) {
    let is_block = |v: &Value| {
        v.as_object().is_some_and(|o| !o.is_empty()) || v.as_array().is_some_and(|a| !a.is_empty())
    };
    let mut entry = |head: String, value: &Value| {
        let _ = write!(out, "{:indent$}{head}", "");
        if is_block(value) {
            out.push('\n');
            block(out, value, indent + 2);
        } else {
            let _ = writeln!(out, " {value}");
        }
    };
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            // As the numbers are, not as their digits are.
            fields.sort_by_key(|(name, _)| name.parse::<u64>().ok());
            for (name, value) in fields {
                entry(format!("{}:", key(name)), value);
            }
        }
        Value::Array(values) => {
            for value in values {
                entry("-".to_owned(), value);
            }
        }
        scalar => {
            let _ = writeln!(out, "{:indent$}{scalar}", "");
        }
    }
}

fn key(name: &str) -> String {
    match name.parse::<u64>() {
        Ok(number) => number.to_string(),
        Err(_) => Value::from(name).to_string(),
    }
}
