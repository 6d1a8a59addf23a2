//! A piece of a script on one line, for reports: comments go, white space becomes one blank.

/// The text without comments and with runs of white space (outside strings) as one blank.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut rest = text;
    let mut blank = false;
    while let Some(c) = rest.chars().next() {
        let taken = if rest.starts_with("--") {
            blank = true;
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("{-") {
            blank = true;
            block_comment(rest)
        } else if c.is_whitespace() {
            blank = true;
            c.len_utf8()
        } else {
            if blank && !line.is_empty() {
                line.push(' ');
            }
            blank = false;
            let taken = if c == '"' { string(rest) } else { c.len_utf8() };
            line.push_str(&rest[..taken]);
            taken
        };
        rest = &rest[taken..];
    }
    line
}

/// The length of the nested comment at the start of the text.
fn block_comment(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("{-") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("-}") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// The length of the string literal at the start of the text.
fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_line_ends_become_one_blank() {
        assert_eq!(
            one_line("  P -- the spec\n\t[T= {- a {- nested -} one -} Q\r\n"),
            "P [T= Q"
        );
    }

    #[test]
    fn strings_are_kept() {
        assert_eq!(
            one_line(r#"f("a  -- \" b")   == x"#),
            r#"f("a  -- \" b") == x"#
        );
        assert_eq!(one_line("\"open"), "\"open");
        assert_eq!(one_line("a {- open"), "a");
    }
}
