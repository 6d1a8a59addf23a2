//! JSON, as Solvitaire's rule files are written, with comments `//` and `/* */` as its reader allows.

use csp_grammar::Diagnostic;
use csp_grammar::source::FileId;

use crate::scanner::{DEEPEST, Scanner};
use crate::tree::{Entry, Node, Value};

/// Reads a whole text.
pub(crate) fn read(text: &str, file: FileId) -> Result<Value, Box<Diagnostic>> {
    let mut scanner = Scanner::new(text, file);
    space(&mut scanner)?;
    let value = value(&mut scanner)?;
    space(&mut scanner)?;
    match scanner.peek() {
        None => Ok(value),
        Some(c) => Err(scanner.wrong(format!("'{c}' follows the end of the value"))),
    }
}

fn space(s: &mut Scanner<'_>) -> Result<(), Box<Diagnostic>> {
    loop {
        s.while_(char::is_whitespace);
        if s.eat("//") {
            s.while_(|c| c != '\n');
        } else if s.eat("/*") {
            match s.rest().find("*/") {
                Some(length) => s.at += length + 2,
                None => return Err(s.wrong("a comment does not end")),
            }
        } else {
            return Ok(());
        }
    }
}

fn value(s: &mut Scanner<'_>) -> Result<Value, Box<Diagnostic>> {
    let start = s.at;
    s.depth += 1;
    if s.depth > DEEPEST {
        return Err(s.wrong("values are nested too deeply"));
    }
    let node = match s.peek() {
        Some('{') => table(s)?,
        Some('[') => list(s)?,
        Some('"') => {
            s.next();
            Node::Text(s.quoted()?)
        }
        Some(c) if c == '-' || c.is_ascii_digit() => s.number()?,
        _ if s.eat("true") => Node::Truth(true),
        _ if s.eat("false") => Node::Truth(false),
        _ => return Err(s.wrong("a value should stand here")),
    };
    s.depth -= 1;
    Ok(Value {
        node,
        span: s.span(start),
    })
}

fn table(s: &mut Scanner<'_>) -> Result<Node, Box<Diagnostic>> {
    s.next();
    let mut entries: Vec<Entry> = Vec::new();
    loop {
        space(s)?;
        if s.eat("}") {
            return Ok(Node::Table(entries));
        }
        if !entries.is_empty() {
            if !s.eat(",") {
                return Err(s.wrong("a comma or } should stand here"));
            }
            space(s)?;
        }
        let start = s.at;
        if !s.eat("\"") {
            return Err(s.wrong("a key in quotes should stand here"));
        }
        let key = s.quoted()?;
        let span = s.span(start);
        if entries.iter().any(|e| e.key == key) {
            let message = format!("'{key}' is given twice");
            return Err(Box::new(Diagnostic::error("E0711", span, message)));
        }
        space(s)?;
        if !s.eat(":") {
            return Err(s.wrong("a colon should stand here"));
        }
        space(s)?;
        let value = value(s)?;
        entries.push(Entry { key, span, value });
    }
}

fn list(s: &mut Scanner<'_>) -> Result<Node, Box<Diagnostic>> {
    s.next();
    let mut items = Vec::new();
    loop {
        space(s)?;
        if s.eat("]") {
            return Ok(Node::List(items));
        }
        if !items.is_empty() {
            if !s.eat(",") {
                return Err(s.wrong("a comma or ] should stand here"));
            }
            space(s)?;
        }
        items.push(value(s)?);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_with_their_places() {
        let text = "{ \"a\": [1, true], // one\n \"b\": { \"c\": \"x\" } }";
        let value = read(text, FileId(0)).expect("JSON");
        let Node::Table(entries) = value.node else {
            panic!("a table")
        };
        assert_eq!(entries.len(), 2);
        let span = entries[1].span;
        assert_eq!(&text[span.start as usize..span.end as usize], "\"b\"");
    }

    #[test]
    fn what_is_not_json_is_located() {
        for (text, byte) in [("{ \"a\" 1 }", 6), ("{ a: 1 }", 2), ("[1 2]", 3), ("", 0)] {
            let wrong = read(text, FileId(0)).expect_err(text);
            assert_eq!((wrong.code, wrong.span.start), ("E0701", byte), "{text}");
        }
        let deep = "[".repeat(100_000);
        assert_eq!(read(&deep, FileId(0)).expect_err("deep").code, "E0701");
        assert_eq!(
            read("{\"a\":1,\"a\":2}", FileId(0))
                .expect_err("twice")
                .code,
            "E0711"
        );
    }
}
