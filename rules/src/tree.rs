//! What a description file says before anybody asks what it means: tables, lists and plain values,
//! each with its place in the text. The TOML and the JSON reader both end here.

use csp_grammar::Span;

/// A value with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// What it is.
    pub node: Node,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of values.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// Keys with values.
    Table(Vec<Entry>),
    /// Values in order.
    List(Vec<Value>),
    /// A text.
    Text(String),
    /// A whole number.
    Number(i64),
    /// A number with a fraction, as it was written.
    Decimal(String),
    /// True or false.
    Truth(bool),
}

/// One key of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub span: Span,
    /// What it has.
    pub value: Value,
}

impl Value {
    /// The kind in words, for messages.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self.node {
            Node::Table(_) => "a table",
            Node::List(_) => "a list",
            Node::Text(_) => "a text",
            Node::Number(_) => "a whole number",
            Node::Decimal(_) => "a number with a fraction",
            Node::Truth(_) => "true or false",
        }
    }

    /// The value with the members of `over` in place of its own: tables member by member, anything
    /// else as a whole. This is how a description overrides what it extends.
    #[must_use]
    pub fn overridden(self, over: Self) -> Self {
        let span = over.span;
        match (self.node, over.node) {
            (Node::Table(mut entries), Node::Table(others)) => {
                for other in others {
                    match entries.iter().position(|e| e.key == other.key) {
                        Some(at) => {
                            let entry = entries.remove(at);
                            entries.insert(
                                at,
                                Entry {
                                    key: other.key,
                                    span: other.span,
                                    value: entry.value.overridden(other.value),
                                },
                            );
                        }
                        None => entries.push(other),
                    }
                }
                Self {
                    node: Node::Table(entries),
                    span,
                }
            }
            (_, node) => Self { node, span },
        }
    }
}
