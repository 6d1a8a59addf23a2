//! The session as a WebAssembly module: questions and answers are JSON.
//!
//! A page, or anything else that can run a module, gives it texts and asks what a [`csp_driver::Session`] can be asked;
//! the answers are the reports that the command writes with `--format json`. [`Module`] is all there is to it and runs
//! anywhere; `module` puts it behind three functions and one memory, without any generated glue. Nothing is asked of
//! the surroundings but the time.
//!
//! Recursion that is too deep for the stack of an engine ends in a diagnostic. A value that a loop has nested more than
//! some 500 deep is not noticed: comparing or showing it may exceed the stack, which is an exception to whoever asked,
//! and the module has to be started again.
//!
//! ```
//! let mut module = csp_wasm::Module::new();
//! let script = "channel a\nassert a -> STOP :[deadlock free]";
//! let text = serde_json::json!({ "ask": "text", "name": "a.csp", "text": script });
//! assert_eq!(module.ask(&text.to_string()), r#"{"answer":null}"#);
//! let report = module.ask(r#"{ "ask": "check", "assertion": 1 }"#);
//! assert!(report.contains(r#""verdict":"fail""#), "{report}");
//! ```

#[cfg(target_family = "wasm")]
mod module;
mod question;

use csp_driver::{CancelToken, Session, session::Host};
use serde::Serialize;
use serde_json::{Value, json};

use question::Question;
pub use question::Settings;

/// One session and the text of its answers.
pub struct Module {
    session: Session,
}

impl Default for Module {
    fn default() -> Self {
        Self::new()
    }
}

impl Module {
    /// A session without any text, on the present thread.
    #[must_use]
    pub fn new() -> Self {
        let session = Session::new(Host::memory().on_one_thread());
        Self { session }
    }

    /// Answers a question: `{"answer": …}`, or `{"error": …}` as [`csp_driver::session::SessionError`] is written, or
    /// as `{"kind": "question", "reason": …}` where the question makes no sense.
    pub fn ask(&mut self, question: &str) -> String {
        let answer = match serde_json::from_str(question) {
            Ok(question) => self.answer(question),
            Err(error) => Err(json!({ "kind": "question", "reason": error.to_string() })),
        };
        let answer = match answer {
            Ok(answer) => json!({ "answer": answer }),
            Err(error) => json!({ "error": error }),
        };
        answer.to_string()
    }

    fn answer(&mut self, question: Question) -> Result<Value, Value> {
        let session = &self.session;
        let cancel = CancelToken::new();
        match question {
            Question::Text { name, text } => {
                session.set_text(&name, &text);
                Ok(Value::Null)
            }
            Question::Open { name } => {
                session.open(&name);
                Ok(Value::Null)
            }
            Question::Parameters { values } => {
                session.set_parameters(values);
                Ok(Value::Null)
            }
            Question::Outline => told(session.outline()),
            Question::Definition { place } => told(session.definition_at(&place)),
            Question::References { place } => told(session.references_at(&place)),
            Question::Type { place } => told(session.type_at(&place)),
            Question::Evaluate { expression, limits } => {
                told(session.evaluate(&expression, limits.timeout, &cancel))
            }
            Question::Check { assertion, limits } => {
                told(session.check(assertion, &limits.check(), &cancel, |_| {}))
            }
        }
    }
}

/// An answer, or why there is none.
fn told<T: Serialize, E: Serialize>(answer: Result<T, E>) -> Result<Value, Value> {
    let written = |value: Result<Value, serde_json::Error>| {
        value.map_err(|error| json!({ "kind": "broken", "reason": error.to_string() }))
    };
    match answer {
        Ok(answer) => written(serde_json::to_value(answer)),
        Err(error) => Err(written(serde_json::to_value(error)).unwrap_or_else(|broken| broken)),
    }
}
