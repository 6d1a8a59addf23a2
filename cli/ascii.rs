//! Text for terminals that show nothing beyond ASCII.

use std::borrow::Cow;

/// What stands for the characters that this program writes itself.
const SPELLINGS: &[(char, &str)] = &[
    ('…', "..."),
    ('×', "x"),
    ('●', "*"),
    ('│', "|"),
    ('─', "-"),
    ('→', "->"),
    ('←', "<-"),
    ('τ', "tau"),
    ('✓', "tick"),
    ('✗', "x"),
    ('–', "-"),
    ('—', "--"),
    ('‘', "'"),
    ('’', "'"),
    ('“', "\""),
    ('”', "\""),
    ('≤', "<="),
    ('≥', ">="),
    ('≠', "!="),
    ('·', "."),
];

/// The text in ASCII; what has no spelling, such as a name in a script, becomes a question mark.
pub(crate) fn spelt(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match SPELLINGS.iter().find(|(known, _)| *known == c) {
            _ if c.is_ascii() => out.push(c),
            Some((_, spelling)) => out.push_str(spelling),
            None => out.push('?'),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_becomes_ascii() {
        assert_eq!(spelt("<a, τ> → ✓ …"), "<a, tau> -> tick ...");
        assert_eq!(spelt("caf\u{e9}"), "caf?");
        assert_eq!(spelt("plain"), "plain");
    }
}
