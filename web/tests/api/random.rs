//! Random bodies to every route: whatever comes, an answer or a sentence, never a mistake of the server's.

use std::path::Path;

use serde_json::{Value, json};

use crate::client::Client;
use crate::{philosophers, routes, valid};

const KEYS: [&str; 20] = [
    "script",
    "file",
    "text",
    "defines",
    "process",
    "path",
    "number",
    "settings",
    "code",
    "line",
    "column",
    "most",
    "threads",
    "runs",
    "numbers",
    "from",
    "to",
    "event",
    "events",
    "expression",
];

const TEXTS: [&str; 22] = [
    "",
    "a",
    "P",
    "Symmetric",
    "sits.0",
    "models/philosophers.csp",
    "../x",
    "/",
    "\u{0}",
    "𝛕✓",
    "E0201",
    "P = STOP",
    "P = P",
    "channel a\nP = a -> P\nassert P :[deadlock free]",
    "include \"x\"",
    "f(n) = f(n+1)",
    "{",
    "((((((((",
    "-- ",
    "f(0)",
    "1/0",
    "head(<>)",
];

/// Repeats itself from a seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    fn number(&mut self) -> Value {
        match self.below(8) {
            0 => json!(-1),
            1 => json!(1e99),
            2 => json!(i64::MIN),
            3 => json!(u64::MAX),
            4 => json!(0.5),
            n => json!(n - 4),
        }
    }

    fn text(&mut self) -> Value {
        json!(TEXTS[self.below(TEXTS.len())])
    }

    /// A value of any shape.
    fn any(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 5 } else { 8 }) {
            0 => Value::Null,
            1 => json!(self.below(2) == 0),
            2 => self.number(),
            3 | 4 => self.text(),
            5 => (0..self.below(4)).map(|_| self.any(depth - 1)).collect(),
            _ => self.object(depth - 1),
        }
    }

    fn object(&mut self, depth: usize) -> Value {
        let mut object = serde_json::Map::new();
        for _ in 0..self.below(6) {
            let value = self.any(depth);
            object.insert(KEYS[self.below(KEYS.len())].to_owned(), value);
        }
        Value::Object(object)
    }

    /// A request that is almost right: so that more than the shape of the body is tried.
    fn likely(&mut self) -> Value {
        let mut body = json!({
            "script": philosophers(), "process": self.text(), "path": [self.text()], "number": self.below(6),
            "file": self.text(), "text": self.text(), "line": self.below(40), "column": self.below(40),
            "most": self.number(), "event": self.text(), "events": [self.text()], "expression": self.text(),
            "code": self.text(), "numbers": [1], "threads": [1], "runs": 1, "from": 1, "to": self.below(3),
            "timeout": 0.2, "settings": { "timeout": 0.2, "max_states": 1000 }, "stamp": "none",
        });
        if self.below(2) == 0 {
            let text = self.text();
            body["script"] = json!({ "file": "x.csp", "text": text, "defines": {} });
        }
        if self.below(3) == 0 {
            body["script"]["defines"] = json!({ "N": self.text() });
        }
        // What would let a file be written is left to the tests of files.
        body["file"] = json!("notes.txt");
        if let Value::Object(fields) = &mut body {
            let key = KEYS[self.below(KEYS.len())];
            if key != "script" && fields.contains_key(key) {
                fields.insert(key.to_owned(), self.any(2));
            }
        }
        body
    }

    fn body(&mut self) -> String {
        match self.below(10) {
            0 => TEXTS[self.below(TEXTS.len())].to_owned(),
            1 => "[".repeat(self.below(5_000)),
            2 => {
                let whole = self.object(3).to_string();
                let cut = self.below(whole.len() + 1);
                String::from_utf8_lossy(&whole.as_bytes()[..cut]).into_owned()
            }
            3 | 4 => self.object(3).to_string(),
            _ => self.likely().to_string(),
        }
    }
}

#[test]
fn random_requests_end_in_an_answer_or_a_sentence() {
    let client = Client::start(Path::new(".."));
    let mut chance = Chance(25);
    let routes = routes();
    let mut answered = 0;
    for round in 0..900 {
        let route = routes[chance.below(routes.len())];
        let body = chance.body();
        let (status, answer) = client.send(route, &body);
        assert!(
            (200..500).contains(&status),
            "round {round}: {route} {body}: {status} {answer}"
        );
        if status == 200 {
            answered += 1;
        } else {
            let refused: Value = serde_json::from_str(&answer).expect("a refusal is JSON");
            valid("refusal", &refused);
        }
        assert!(
            !answer.contains("a mistake of csp"),
            "{route} {body}: {answer}"
        );
    }
    assert!(answered > 50, "only {answered} of the requests were right");
    assert_eq!(client.report(&philosophers(), 1)["verdict"], "fail");
}
