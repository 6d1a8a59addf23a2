//! The part of JSON Schema that `driver/report.schema.json` uses.

use serde_json::Value;

/// A schema; a word it uses that is not known here is a panic, so that nothing goes unchecked.
pub(crate) struct Schema<'a>(&'a Value);

impl<'a> Schema<'a> {
    pub(crate) fn new(root: &'a Value) -> Self {
        Self(root)
    }

    /// Where a value departs from the schema.
    pub(crate) fn faults(&self, value: &Value) -> Vec<String> {
        let mut faults = Vec::new();
        self.check(self.0, value, "$", &mut faults);
        faults
    }

    fn check(&self, schema: &Value, value: &Value, at: &str, faults: &mut Vec<String>) {
        for (word, meaning) in schema.as_object().expect("a schema is an object") {
            let holds = match word.as_str() {
                "$schema"
                | "$defs"
                | "title"
                | "description"
                | "additionalProperties"
                | "required" => true,
                "$ref" => {
                    let name = meaning
                        .as_str()
                        .and_then(|m| m.strip_prefix("#/$defs/"))
                        .expect("a definition");
                    self.check(&self.0["$defs"][name], value, at, faults);
                    true
                }
                "const" => value == meaning,
                "enum" => meaning.as_array().expect("a list").contains(value),
                "anyOf" => meaning.as_array().expect("a list").iter().any(|option| {
                    let mut inner = Vec::new();
                    self.check(option, value, at, &mut inner);
                    inner.is_empty()
                }),
                "type" => has_type(value, meaning.as_str().expect("a name")),
                "minimum" => value
                    .as_f64()
                    .is_none_or(|v| v >= meaning.as_f64().expect("a number")),
                "pattern" => {
                    assert_eq!(meaning, "^[EW][0-9]{4}$");
                    value.as_str().is_some_and(|code| {
                        code.len() == 5
                            && code.starts_with(['E', 'W'])
                            && code[1..].bytes().all(|b| b.is_ascii_digit())
                    })
                }
                "items" => {
                    for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(meaning, item, &format!("{at}[{i}]"), faults);
                    }
                    true
                }
                "properties" => {
                    self.properties(schema, meaning, value, at, faults);
                    true
                }
                other => panic!("the schema uses {other}"),
            };
            if !holds {
                faults.push(format!("{at}: {word}"));
            }
        }
    }

    fn properties(
        &self,
        schema: &Value,
        known: &Value,
        value: &Value,
        at: &str,
        faults: &mut Vec<String>,
    ) {
        let Some(fields) = value.as_object() else {
            return;
        };
        for name in schema["required"].as_array().expect("a list") {
            if !fields.contains_key(name.as_str().expect("a name")) {
                faults.push(format!("{at}: {name} is missing"));
            }
        }
        for (name, field) in fields {
            match known.get(name) {
                Some(schema) => self.check(schema, field, &format!("{at}.{name}"), faults),
                None => faults.push(format!("{at}: {name} is not in the schema")),
            }
        }
    }
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("the schema uses the type {other}"),
    }
}
