//! Says what the parser met and what it expected instead; [`crate::slip`] says what the slip probably was.

use crate::diagnostic::Diagnostic;
use crate::lexer::{Lexeme, Tokens};
use crate::messages;
use crate::slip::{self, Around};
use crate::source::{FileId, Span};
use crate::token::Token;
use lalrpop_util::ParseError;

/// Turns the parser's complaint about `lexemes` (which begin at `from` in the file) into a diagnostic.
pub(crate) fn explain(
    file: FileId,
    text: &str,
    lexemes: &[Lexeme],
    tokens: &Tokens,
    from: usize,
    continued: bool,
    error: &ParseError<usize, Token, ()>,
) -> Diagnostic {
    let span = |start: u32, end: u32| Span { file, start, end };
    let at = place(lexemes, error);
    let expected = match error {
        ParseError::UnrecognizedToken { expected, .. }
        | ParseError::UnrecognizedEof { expected, .. } => expected.as_slice(),
        _ => &[],
    };
    let end = lexemes.last().map_or(0, |lexeme| lexeme.end);
    let (met, place) = match lexemes.get(at) {
        Some(lexeme) => (
            found(lexeme.token, text, *lexeme),
            span(lexeme.start, lexeme.end),
        ),
        None => ("the end of the declaration".to_owned(), span(end, end)),
    };
    let slip = slip::recognise(&Around {
        text,
        lexemes,
        at,
        continued,
        expected,
    });
    let says_more = slip.as_ref().is_some_and(|slip| slip.message.is_some());
    if !says_more && (at == lexemes.len() || lexemes[at].token == Token::Newline) {
        if let Some(open) = unmatched_let(lexemes, tokens, from) {
            return messages::let_without_within(span(open.start, open.end));
        }
        if let Some(open) = innermost_open(&lexemes[..at]) {
            return messages::unclosed(span(open.start, open.end))
                .label(place, "the line ends here");
        }
    }
    let Some(slip) = slip else {
        return messages::unexpected(&met, &wanted(expected), place);
    };
    let place = slip.place.map_or(place, |(from, to)| {
        span(lexemes[from].start, lexemes[to].end)
    });
    let message = match slip.message {
        Some(message) => Diagnostic::error("E0110", place, message),
        None => messages::unexpected(&met, &wanted(expected), place),
    };
    let message = match slip.label {
        Some((at, text)) => message.label(span(lexemes[at].start, lexemes[at].end), text),
        None => message,
    };
    message.help(slip.help)
}

/// The index of the token that did not fit; the number of tokens if they end too early.
pub(crate) fn place(lexemes: &[Lexeme], error: &ParseError<usize, Token, ()>) -> usize {
    match error {
        ParseError::UnrecognizedToken { token, .. } | ParseError::ExtraToken { token } => {
            lexemes.partition_point(|lexeme| (lexeme.start as usize) < token.0)
        }
        _ => lexemes.len(),
    }
}

/// How to speak of a token that was met.
pub(crate) fn found(token: Token, text: &str, lexeme: Lexeme) -> String {
    let words = &text[lexeme.start as usize..lexeme.end as usize];
    match token {
        Token::Newline => "the end of the line".to_owned(),
        Token::SequenceClose => "`>` as a closing bracket".to_owned(),
        Token::SequenceOpen => "`<` as an opening bracket".to_owned(),
        _ if words.chars().count() > 40 => {
            let short: String = words.chars().take(40).collect();
            format!("`{short}…`")
        }
        _ => format!("`{}`", words.trim()),
    }
}

fn unmatched_let<'l, 's>(
    lexemes: &'l [Lexeme<'s>],
    tokens: &Tokens,
    from: usize,
) -> Option<&'l Lexeme<'s>> {
    lexemes
        .iter()
        .enumerate()
        .find(|(index, lexeme)| {
            lexeme.token == Token::Let && !tokens.partners.contains_key(&(from + index))
        })
        .map(|(_, lexeme)| lexeme)
}

/// The innermost bracket that is open at the end of these tokens.
pub(crate) fn innermost_open<'l, 's>(lexemes: &'l [Lexeme<'s>]) -> Option<&'l Lexeme<'s>> {
    let mut open = Vec::new();
    for lexeme in lexemes {
        match lexeme.token {
            Token::ParenOpen
            | Token::MapOpen
            | Token::BraceOpen
            | Token::EnumeratedOpen
            | Token::BracketOpen
            | Token::RenameOpen
            | Token::ParallelOpen
            | Token::SyncExternalOpen
            | Token::SyncInterruptOpen
            | Token::SequenceOpen => open.push(lexeme),
            Token::ParenClose
            | Token::MapClose
            | Token::BraceClose
            | Token::EnumeratedClose
            | Token::BracketClose
            | Token::RenameClose
            | Token::ParallelClose
            | Token::ExceptionClose
            | Token::SyncExternalClose
            | Token::SyncInterruptClose
            | Token::SequenceClose => {
                open.pop();
            }
            _ => {}
        }
    }
    open.pop()
}

/// A short list of what could have come.
fn wanted(expected: &[String]) -> String {
    let names: Vec<String> = expected
        .iter()
        .map(|name| name.trim_matches('"').replace("\\\\", "\\"))
        .collect();
    let has = |name: &str| names.iter().any(|n| n == name);
    if has("channel") && has("datatype") {
        return "a declaration".to_owned();
    }
    let operand = has("name") && has("(") && has("if");
    let operator = has("[]") && has("+") && has("->");
    let mut list: Vec<String> = Vec::new();
    if operand {
        list.push("an expression".to_owned());
    }
    if operator {
        list.push("an operator".to_owned());
    }
    for name in &names {
        let hidden = (operand && STARTS_OPERAND.contains(&name.as_str()))
            || (operator && OPERATORS.contains(&name.as_str()))
            || name == "unreadable";
        if !hidden {
            list.push(shown(name));
        }
    }
    match list.len() {
        0 => "the end of the declaration".to_owned(),
        1 => list.remove(0),
        n if n > 8 => "something else".to_owned(),
        _ => {
            let last = list.pop().unwrap_or_default();
            format!("{} or {last}", list.join(", "))
        }
    }
}

fn shown(name: &str) -> String {
    match name {
        "name" => "a name".to_owned(),
        "integer" => "an integer".to_owned(),
        "character" => "a character".to_owned(),
        "string" => "a string".to_owned(),
        "new line" => "a new line".to_owned(),
        "refines" => "`[T=`, `[F=`, `[FD=`".to_owned(),
        "property" => "`:[…]`".to_owned(),
        "section {" | "section }" | "sequence <" | "sequence >" => {
            format!("`{}`", &name[name.len() - 1..])
        }
        "scope ::" => "`::`".to_owned(),
        "assert not" => "`not`".to_owned(),
        other => format!("`{}`", other.trim()),
    }
}

const STARTS_OPERAND: &[&str] = &[
    "name",
    "integer",
    "character",
    "string",
    "_",
    "true",
    "false",
    "not",
    "if",
    "let",
    "(",
    "(| ",
    "{",
    "{|",
    "[",
    "[|",
    "[+",
    "sequence <",
    "-",
    "#",
    "\\",
    ";",
    "[]",
    "|~|",
    "|||",
    "||",
];

const OPERATORS: &[&str] = &[
    "@@", "\\", "|\\", "|||", "[|", "[", "|~|", "[]", "[+", "/\\", "/+", "[>", ";", "&", "->", "?",
    "$", "!", ":", ".", "or", "and", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%",
    "^", "(", "[[", "scope ::",
];
