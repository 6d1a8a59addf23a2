//! What the module can be asked.

use csp_driver::CheckSettings;
use csp_driver::session::Place;
use serde::Deserialize;

/// One question or piece of news.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
pub(crate) enum Question {
    /// The text of a file is this; the first one is the script.
    Text { name: String, text: String },
    /// The script is this one.
    Open { name: String },
    /// Constants have other values: name and expression.
    Parameters { values: Vec<(String, String)> },
    /// What there is in the script, and what is wrong with it.
    Outline,
    /// Where the name at a place is defined.
    Definition { place: Place },
    /// Where it is used.
    References { place: Place },
    /// Its type.
    Type { place: Place },
    /// The value of an expression.
    Evaluate {
        expression: String,
        #[serde(default, flatten)]
        limits: Settings,
    },
    /// Whether an assertion holds, by its number from 1.
    Check {
        assertion: usize,
        #[serde(default, flatten)]
        limits: Settings,
    },
}

/// What an answer may cost, and how much is to be found; as the command's options of the same names.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Seconds after which to give up.
    pub timeout: Option<f64>,
    /// Bytes that may be taken.
    pub memory: Option<u64>,
    /// States after which to give up.
    pub max_states: Option<u64>,
    /// How many distinct counterexamples to look for.
    pub counterexamples: Option<usize>,
    /// The books' reading of termination.
    pub textbook_termination: bool,
}

impl Settings {
    pub(crate) fn check(&self) -> CheckSettings {
        CheckSettings {
            timeout: self.timeout,
            memory: self.memory,
            max_states: self.max_states,
            counterexamples: self.counterexamples.unwrap_or(1),
            textbook_termination: self.textbook_termination,
            ..CheckSettings::default()
        }
    }
}
