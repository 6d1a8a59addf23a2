//! Characters of a text with their places: what the TOML and the JSON reader share.

use csp_grammar::source::FileId;
use csp_grammar::{Diagnostic, Span};

/// A place in a text.
pub(crate) struct Scanner<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
    pub(crate) file: FileId,
    /// How many lists and tables are open here.
    pub(crate) depth: usize,
}

/// Values may be nested this deeply.
pub(crate) const DEEPEST: usize = 64;

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str, file: FileId) -> Self {
        Self {
            text,
            at: 0,
            file,
            depth: 0,
        }
    }

    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Takes a text if it is next.
    pub(crate) fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// Takes characters while they satisfy a condition.
    pub(crate) fn while_(&mut self, holds: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !holds(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    pub(crate) fn span(&self, start: usize) -> Span {
        let byte = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span {
            file: self.file,
            start: byte(start),
            end: byte(self.at.max(start)),
        }
    }

    /// The diagnostic for what is not expected here.
    pub(crate) fn wrong(&self, message: impl Into<String>) -> Box<Diagnostic> {
        let end = self.at + self.peek().map_or(0, char::len_utf8);
        let mut span = self.span(self.at);
        span.end = u32::try_from(end).unwrap_or(u32::MAX);
        Box::new(Diagnostic::error("E0701", span, message))
    }

    /// The rest of a text in quotes, after the first of them.
    pub(crate) fn quoted(&mut self) -> Result<String, Box<Diagnostic>> {
        let mut out = String::new();
        loop {
            match self.next() {
                None | Some('\n') => return Err(self.wrong("a text does not end on its line")),
                Some('"') => return Ok(out),
                Some('\\') => match self.next() {
                    Some('n') => out.push('\n'),
                    Some('t') => out.push('\t'),
                    Some(c @ ('"' | '\\' | '/')) => out.push(c),
                    _ => return Err(self.wrong("only \\n, \\t, \\\" and \\\\ can follow a \\")),
                },
                Some(c) => out.push(c),
            }
        }
    }

    /// A number, of which the first character is a digit or a sign.
    pub(crate) fn number(&mut self) -> Result<crate::tree::Node, Box<Diagnostic>> {
        use crate::tree::Node;
        let start = self.at;
        self.eat("-");
        self.while_(|c| c.is_ascii_digit());
        let mut whole = true;
        if self.eat(".") {
            whole = false;
            self.while_(|c| c.is_ascii_digit());
        }
        let text = &self.text[start..self.at];
        if !whole {
            return Ok(Node::Decimal(text.to_owned()));
        }
        text.parse()
            .map(Node::Number)
            .map_err(|_| self.wrong(format!("'{text}' is not a number that can be meant")))
    }
}
