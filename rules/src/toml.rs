//! The part of TOML that descriptions need: sections, keys, texts (also over several lines), numbers,
//! truth values, lists, tables in braces, comments.

use csp_grammar::Diagnostic;
use csp_grammar::source::FileId;

use crate::scanner::{DEEPEST, Scanner};
use crate::tree::{Entry, Node, Value};

/// Reads a whole text.
pub fn read(text: &str, file: FileId) -> Result<Value, Box<Diagnostic>> {
    let mut s = Scanner::new(text, file);
    let mut top: Vec<Entry> = Vec::new();
    // The section under way: its place in `top`.
    let mut section: Option<usize> = None;
    loop {
        space(&mut s);
        if s.peek().is_none() {
            s.at = text.len();
            let span = s.span(0);
            let node = Node::Table(top);
            return Ok(Value { node, span });
        }
        if s.eat("[") {
            s.while_(|c| c == ' ');
            let start = s.at;
            let key = key(&mut s)?;
            let span = s.span(start);
            if top.iter().any(|e| e.key == key) {
                return Err(twice(&key, span));
            }
            s.while_(|c| c == ' ');
            if !s.eat("]") {
                return Err(s.wrong("] should stand here"));
            }
            section = Some(top.len());
            let value = Value {
                node: Node::Table(Vec::new()),
                span,
            };
            top.push(Entry { key, span, value });
        } else {
            let entry = entry(&mut s)?;
            let entries = match section {
                Some(at) => match &mut top[at].value.node {
                    Node::Table(entries) => entries,
                    _ => unreachable!("sections are tables"),
                },
                None => &mut top,
            };
            if entries.iter().any(|e| e.key == entry.key) {
                return Err(twice(&entry.key, entry.span));
            }
            entries.push(entry);
        }
        s.while_(|c| c == ' ' || c == '\t' || c == '\r');
        if !matches!(s.peek(), None | Some('\n' | '#')) {
            return Err(s.wrong("the line should end here"));
        }
    }
}

fn twice(key: &str, span: csp_grammar::Span) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(
        "E0711",
        span,
        format!("'{key}' is given twice"),
    ))
}

/// White space, line ends and comments.
fn space(s: &mut Scanner<'_>) {
    loop {
        s.while_(char::is_whitespace);
        if s.eat("#") {
            s.while_(|c| c != '\n');
        } else {
            return;
        }
    }
}

fn key(s: &mut Scanner<'_>) -> Result<String, Box<Diagnostic>> {
    if s.eat("\"") {
        return s.quoted();
    }
    let key = s.while_(|c| c.is_alphanumeric() || c == '_' || c == '-');
    if key.is_empty() {
        return Err(s.wrong("a key should stand here"));
    }
    Ok(key.to_owned())
}

fn entry(s: &mut Scanner<'_>) -> Result<Entry, Box<Diagnostic>> {
    let start = s.at;
    let key = key(s)?;
    let span = s.span(start);
    s.while_(|c| c == ' ' || c == '\t');
    if !s.eat("=") {
        return Err(s.wrong("= should stand here"));
    }
    s.while_(|c| c == ' ' || c == '\t');
    let value = value(s)?;
    Ok(Entry { key, span, value })
}

fn value(s: &mut Scanner<'_>) -> Result<Value, Box<Diagnostic>> {
    let start = s.at;
    s.depth += 1;
    if s.depth > DEEPEST {
        return Err(s.wrong("values are nested too deeply"));
    }
    let node = match s.peek() {
        Some('{') => {
            s.next();
            let mut entries: Vec<Entry> = Vec::new();
            items(s, "}", |s| {
                let entry = entry(s)?;
                if entries.iter().any(|e| e.key == entry.key) {
                    return Err(twice(&entry.key, entry.span));
                }
                entries.push(entry);
                Ok(())
            })?;
            Node::Table(entries)
        }
        Some('[') => {
            s.next();
            let mut list = Vec::new();
            items(s, "]", |s| {
                list.push(value(s)?);
                Ok(())
            })?;
            Node::List(list)
        }
        Some('"') if s.eat("\"\"\"") => match s.rest().find("\"\"\"") {
            Some(length) => {
                let text = s.rest()[..length].trim_start_matches('\n').to_owned();
                s.at += length + 3;
                Node::Text(text)
            }
            None => return Err(s.wrong("a text over several lines does not end")),
        },
        Some('"') => {
            s.next();
            Node::Text(s.quoted()?)
        }
        Some(c) if c == '-' || c.is_ascii_digit() => s.number()?,
        _ if s.eat("true") => Node::Truth(true),
        _ if s.eat("false") => Node::Truth(false),
        _ => return Err(s.wrong("a value should stand here: texts are in quotes")),
    };
    s.depth -= 1;
    Ok(Value {
        node,
        span: s.span(start),
    })
}

/// Items with commas between them, up to a bracket; a comma may follow the last.
fn items(
    s: &mut Scanner<'_>,
    close: &str,
    mut item: impl FnMut(&mut Scanner<'_>) -> Result<(), Box<Diagnostic>>,
) -> Result<(), Box<Diagnostic>> {
    loop {
        space(s);
        if s.eat(close) {
            return Ok(());
        }
        item(s)?;
        space(s);
        if !s.eat(",") {
            if s.eat(close) {
                return Ok(());
            }
            return Err(s.wrong(format!("a comma or {close} should stand here")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_and_values_are_read() {
        let text = "title = \"Fan\" # a game\n[tableau]\nsizes = [\n 3, 3,\n]\n[published]\nrate = 48.776\nby = { a = true }\n";
        let Node::Table(entries) = read(text, FileId(0)).expect("TOML").node else {
            panic!("a table")
        };
        let keys: Vec<&str> = entries.iter().map(|e| e.key.as_str()).collect();
        assert_eq!(keys, ["title", "tableau", "published"]);
    }

    #[test]
    fn what_is_not_toml_is_located() {
        for (text, byte) in [("a 1", 2), ("a = x", 4), ("a = 1 b", 6), ("[a\n", 2)] {
            let wrong = read(text, FileId(0)).expect_err(text);
            assert_eq!((wrong.code, wrong.span.start), ("E0701", byte), "{text}");
        }
        for text in ["a = 1\na = 2", "[a]\n[a]", "a = { b = 1, b = 2 }"] {
            assert_eq!(
                read(text, FileId(0)).expect_err(text).code,
                "E0711",
                "{text}"
            );
        }
    }
}
