//! The keys of a table as they are asked for; what nobody asked for is refused at the end.

use std::ops::RangeInclusive;

use csp_grammar::{Diagnostic, Span};

use crate::spelling;
use crate::tree::{Entry, Node, Value};

/// A table under way.
pub(crate) struct Fields<'a> {
    /// The section, for messages; empty for the whole.
    section: String,
    entries: &'a [Entry],
    taken: Vec<bool>,
    asked: Vec<String>,
    places: Vec<(String, Span)>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Fields<'a> {
    pub(crate) fn new(section: &str, value: &'a Value) -> Self {
        let (entries, diagnostics): (&[Entry], Vec<Diagnostic>) = match &value.node {
            Node::Table(entries) => (entries, Vec::new()),
            _ => {
                let message = format!("'{section}' is a section, not {}", value.kind());
                (&[], vec![Diagnostic::error("E0703", value.span, message)])
            }
        };
        Self {
            section: section.to_owned(),
            entries,
            taken: vec![false; entries.len()],
            asked: Vec::new(),
            places: Vec::new(),
            diagnostics,
        }
    }

    pub(crate) fn tell(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// The value of a key, which is then known.
    pub(crate) fn take(&mut self, key: &str) -> Option<&'a Value> {
        self.asked.push(key.to_owned());
        let entries = self.entries;
        let at = entries.iter().position(|e| e.key == key)?;
        self.taken[at] = true;
        let full = if self.section.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.section)
        };
        let value = &entries[at].value;
        self.places.push((full, entries[at].span.to(value.span)));
        Some(value)
    }

    pub(crate) fn wrong_kind(&mut self, value: &Value, subject: &str, wanted: &str) {
        let message = format!("{subject} {wanted}, not {}", value.kind());
        self.tell(Diagnostic::error("E0703", value.span, message));
    }

    pub(crate) fn text(&mut self, key: &str) -> Option<String> {
        let value = self.take(key)?;
        match &value.node {
            Node::Text(text) | Node::Decimal(text) => Some(text.clone()),
            Node::Number(n) if key == "rate" => Some(n.to_string()),
            _ => {
                self.wrong_kind(value, &format!("'{key}' is"), "a text");
                None
            }
        }
    }

    pub(crate) fn texts(&mut self, key: &str) -> Option<Vec<String>> {
        let value = self.take(key)?;
        let texts = match &value.node {
            Node::List(items) => items
                .iter()
                .map(|item| match &item.node {
                    Node::Text(text) => Some(text.clone()),
                    _ => None,
                })
                .collect(),
            _ => None,
        };
        if texts.is_none() {
            self.wrong_kind(value, &format!("'{key}' is"), "a list of texts");
        }
        texts
    }

    pub(crate) fn truth(&mut self, key: &str) -> Option<bool> {
        let value = self.take(key)?;
        match value.node {
            Node::Truth(truth) => Some(truth),
            _ => {
                self.wrong_kind(value, &format!("'{key}' is"), "true or false");
                None
            }
        }
    }

    pub(crate) fn number<N>(&mut self, key: &str, range: RangeInclusive<N>) -> Option<N>
    where
        N: TryFrom<i64> + PartialOrd + std::fmt::Display,
    {
        let value = self.take(key)?;
        self.as_number(value, key, range)
    }

    pub(crate) fn numbers<N>(&mut self, key: &str, range: RangeInclusive<N>) -> Option<Vec<N>>
    where
        N: TryFrom<i64> + PartialOrd + std::fmt::Display + Clone,
    {
        let value = self.take(key)?;
        let Node::List(items) = &value.node else {
            self.wrong_kind(value, &format!("'{key}' is"), "a list of whole numbers");
            return None;
        };
        let each = |item| self.as_number(item, key, range.clone());
        items.iter().map(each).collect()
    }

    pub(crate) fn as_number<N>(
        &mut self,
        value: &Value,
        key: &str,
        range: RangeInclusive<N>,
    ) -> Option<N>
    where
        N: TryFrom<i64> + PartialOrd + std::fmt::Display,
    {
        let Node::Number(number) = value.node else {
            self.wrong_kind(value, &format!("'{key}' is"), "a whole number");
            return None;
        };
        let found = N::try_from(number).ok().filter(|n| range.contains(n));
        if found.is_none() {
            let message = format!(
                "'{key}' is {number}, but it runs from {} to {}",
                range.start(),
                range.end()
            );
            self.tell(Diagnostic::error("E0709", value.span, message));
        }
        found
    }

    /// One of a few words, by its position among them.
    pub(crate) fn word(&mut self, key: &str, words: &[&str]) -> Option<usize> {
        let value = self.take(key)?;
        let Node::Text(text) = &value.node else {
            self.wrong_kind(value, &format!("'{key}' is"), "a text");
            return None;
        };
        let found = words.iter().position(|w| w == text);
        if found.is_none() {
            let message = format!("'{key}' knows no \"{text}\"");
            let help = spelling::help(text, words);
            self.tell(Diagnostic::error("E0704", value.span, message).help(help));
        }
        found
    }

    /// Reads a section if it is there.
    pub(crate) fn section(&mut self, key: &str, read: impl FnOnce(&mut Fields<'a>)) {
        let Some(value) = self.take(key) else {
            return;
        };
        let mut fields = Fields::new(key, value);
        read(&mut fields);
        let (places, diagnostics) = fields.finish();
        self.places.extend(places);
        self.diagnostics.extend(diagnostics);
    }

    /// What was wrong, with the keys that nobody asked for, and the places of the others.
    pub(crate) fn finish(mut self) -> (Vec<(String, Span)>, Vec<Diagnostic>) {
        let known: Vec<&str> = self.asked.iter().map(String::as_str).collect();
        let unknown = self.entries.iter().zip(&self.taken).filter(|(_, t)| !**t);
        for (entry, _) in unknown {
            let place = if self.section.is_empty() {
                "a description".to_owned()
            } else {
                format!("'{}'", self.section)
            };
            let message = format!("'{}' is not a key of {place}", entry.key);
            let help = spelling::help(&entry.key, &known);
            self.diagnostics
                .push(Diagnostic::error("E0702", entry.span, message).help(help));
        }
        self.diagnostics.sort_by_key(|d| d.span);
        (self.places, self.diagnostics)
    }
}
