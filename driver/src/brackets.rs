//! How a text was read: where it leaves brackets out, for an editor to show them.

use csp_grammar::source::Sources;
use serde::{Deserialize, Serialize};

/// A pair of brackets that a text leaves out, by line and column from 1; it closes before the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Brackets {
    /// The line of the opening bracket.
    pub line: usize,
    /// Its column.
    pub column: usize,
    /// The line of the closing bracket.
    pub end_line: usize,
    /// Its column.
    pub end_column: usize,
}

/// The brackets that a text leaves out, outer pairs first.
#[must_use]
pub fn brackets(text: &str) -> Vec<Brackets> {
    let mut sources = Sources::default();
    let file = sources.add("", text);
    let pair = |span: csp_grammar::Span| {
        let (line, column) = sources.position(file, span.start);
        let (end_line, end_column) = sources.position(file, span.end);
        Brackets {
            line,
            column,
            end_line,
            end_column,
        }
    };
    let found = csp_grammar::implied_brackets(&sources, file);
    found.into_iter().map(pair).collect()
}
