//! What is wrong with a script, as a value; drawing it is the command line's job.

use crate::source::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing can be concluded from the part of the script concerned.
    Error,
    /// Allowed, but probably not what was meant.
    Warning,
}

/// A secondary place with a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What to say there.
    pub text: String,
}

/// One problem in the user's text. Every `code` is listed and explained in one table per phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code, `E0123` or `W0123`. Ranges: E01xx lexing and parsing, E02xx names and modules,
    /// E03xx types, E04xx evaluation, E05xx processes and networks, E06xx checking, E07xx descriptions of games.
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// One sentence without a final stop.
    pub message: String,
    /// The primary place.
    pub span: Span,
    /// What to say at the primary place; may be empty.
    pub note: String,
    /// Further places.
    pub labels: Vec<Label>,
    /// A way out, if one is known.
    pub help: Option<String>,
    /// For run-time errors: the calls under way, innermost first, with their arguments.
    pub stack: Vec<String>,
}

impl Diagnostic {
    /// An error with a message and a place; the rest is added with the methods below.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            span,
            note: String::new(),
            labels: Vec::new(),
            help: None,
            stack: Vec::new(),
        }
    }

    /// A warning with a message and a place.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(code, span, message)
        }
    }

    /// Says something at the primary place.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.note = text.into();
        self
    }

    /// Adds a further place.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Adds a way out.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}
