//! Characters that a reader must not take at their word.
//!
//! A script can contain any character, in names, texts and comments. Some of them move the cursor of
//! a terminal, break a line where a reader does not see it, or reverse what stands around them; some
//! cannot stand in an XML document at all. Whatever leaves this program goes through one of these
//! functions; what stays inside, and what programs read back, is as the script has it.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a terminal could act on the character, or a reader be misled by it: controls (C0, DEL,
/// C1), separators of lines and paragraphs, marks of direction (UAX #9), the byte order mark and
/// what is no character.
#[must_use]
pub fn is_risky(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}'
                | '\u{feff}'
                | '\u{fffe}'
                | '\u{ffff}'
        )
}

fn replaced(
    text: &str,
    keep: impl Fn(char) -> bool,
    spell: impl Fn(&mut String, char),
) -> Cow<'_, str> {
    if text.chars().all(&keep) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if keep(c) {
            out.push(c);
        } else {
            spell(&mut out, c);
        }
    }
    Cow::Owned(out)
}

fn code_point(out: &mut String, c: char) {
    // Writing to a string cannot fail.
    let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
}

/// One line for people: risky characters, line ends too, are written as `\u{1b}`.
#[must_use]
pub fn line(text: &str) -> Cow<'_, str> {
    replaced(text, |c| !is_risky(c), code_point)
}

/// Lines for people: as [`line()`], but line ends stay.
#[must_use]
pub fn lines(text: &str) -> Cow<'_, str> {
    replaced(text, |c| c == '\n' || !is_risky(c), code_point)
}

/// Source text for people, in which every character keeps its number of bytes so that places in it
/// stay right. Line ends and tabs stay.
#[must_use]
pub fn source(text: &str) -> Cow<'_, str> {
    replaced(
        text,
        |c| matches!(c, '\n' | '\r' | '\t') || !is_risky(c),
        |out, c| {
            out.push(match c.len_utf8() {
                1 => '?',
                2 => '¿',
                _ => '\u{fffd}',
            });
        },
    )
}

/// A JSON document that means the same, without risky characters but the line ends between its
/// parts: they stand only in its texts. YAML, which allows fewer of them than JSON, reads it, too.
#[must_use]
pub fn json(document: &str) -> Cow<'_, str> {
    replaced(
        document,
        |c| c == '\n' || !is_risky(c),
        |out, c| {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        },
    )
}

/// The text of an XML element or attribute. What XML 1.0 has no way to write becomes U+FFFD.
#[must_use]
pub fn xml(text: &str) -> Cow<'_, str> {
    replaced(
        text,
        |c| !is_risky(c) && !matches!(c, '&' | '<' | '>' | '"' | '\''),
        |out, c| match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c < ' ' && !matches!(c, '\t' | '\n' | '\r') => out.push('\u{fffd}'),
            c => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_see_code_points() {
        assert_eq!(line("a\u{1b}[2J\n\u{9b}"), "a\\u{1b}[2J\\u{a}\\u{9b}");
        assert_eq!(
            lines("a\nb\r\u{202e}\u{2028}"),
            "a\nb\\u{d}\\u{202e}\\u{2028}"
        );
        assert!(matches!(line("τ → ✓"), Cow::Borrowed(_)));
    }

    #[test]
    fn sources_keep_their_places() {
        let text = "a\u{1b}b\u{85}c\u{2028}d\t\n";
        assert_eq!(source(text), "a?b¿c\u{fffd}d\t\n");
        assert_eq!(source(text).len(), text.len());
    }

    #[test]
    fn json_means_the_same() {
        let text = "x\u{7f}\u{85}\u{2028}\u{feff}\u{ffff}";
        let document = serde_json::to_string(text).expect("a text");
        let escaped = json(&document);
        assert!(escaped.chars().all(|c| !is_risky(c)), "{escaped}");
        let back: String = serde_json::from_str(&escaped).expect("JSON");
        assert_eq!(back, text);
    }

    #[test]
    fn xml_has_a_way_to_write_everything() {
        assert_eq!(xml("<a&\"'>\n"), "&lt;a&amp;&quot;&apos;&gt;&#10;");
        assert_eq!(xml("\u{1b}\u{85}\u{ffff}"), "\u{fffd}&#133;\u{fffd}");
    }
}
