//! Says what the parser met, what it expected instead, and what the slip probably was.

use crate::diagnostic::Diagnostic;
use crate::lexer::{Lexeme, Tokens, ends_operand};
use crate::messages;
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
    let (at, expected) = match error {
        ParseError::UnrecognizedToken { token, expected } => {
            let at = lexemes.partition_point(|lexeme| (lexeme.start as usize) < token.0);
            (at, expected.as_slice())
        }
        ParseError::ExtraToken { token } => {
            let at = lexemes.partition_point(|lexeme| (lexeme.start as usize) < token.0);
            (at, [].as_slice())
        }
        ParseError::UnrecognizedEof { expected, .. } => (lexemes.len(), expected.as_slice()),
        ParseError::InvalidToken { .. } | ParseError::User { .. } => (lexemes.len(), [].as_slice()),
    };
    let end = lexemes.last().map_or(0, |lexeme| lexeme.end);
    let (met, place) = match lexemes.get(at) {
        Some(lexeme) => (
            found(lexeme.token, text, *lexeme),
            span(lexeme.start, lexeme.end),
        ),
        None => ("the end of the declaration".to_owned(), span(end, end)),
    };
    if at == lexemes.len() || lexemes[at].token == Token::Newline {
        if let Some(open) = unmatched_let(lexemes, tokens, from) {
            return messages::let_without_within(span(open.start, open.end));
        }
        if let Some(open) = innermost_open(&lexemes[..at]) {
            return messages::unclosed(span(open.start, open.end))
                .label(place, "the line ends here");
        }
    }
    let diagnostic = messages::unexpected(&met, &wanted(expected), place);
    match slip(lexemes, at, continued, expected) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
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
fn innermost_open<'l, 's>(lexemes: &'l [Lexeme<'s>]) -> Option<&'l Lexeme<'s>> {
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

/// Recognises common slips from the tokens around the place.
fn slip(lexemes: &[Lexeme], at: usize, continued: bool, expected: &[String]) -> Option<String> {
    let token = |index: usize| lexemes.get(index).map(|lexeme| lexeme.token);
    let before = at.checked_sub(1).and_then(token);
    let wants = |name: &str| expected.iter().any(|e| e.trim_matches('"') == name);
    let text = match (before, token(at)) {
        (Some(Token::SequenceClose), Some(_)) if !wants("new line") => {
            "inside `<…>` every `>` closes the sequence; put brackets around a comparison: `<x | x <- s, (x > 2)>`"
        }
        _ if model_slip(lexemes, at) => {
            "the models are `[T=`, `[F=`, `[FD=`, `[V=`, `[VD=`, `[R=` and `[RD=`"
        }
        (_, Some(Token::Equal)) => "`=` defines; to compare, write `==`",
        (Some(Token::Ampersand), Some(Token::Ampersand)) => "the boolean operator is `and`",
        (Some(previous), Some(Token::BarBar)) if ends_operand(previous) => {
            "write `or` between booleans; between processes `|||`, `[|A|]` or `[A||B]`"
        }
        (Some(Token::Wildcard), Some(Token::Identifier(_))) => "a name begins with a letter",
        (_, Some(Token::Arrow)) if wants("=>*") => {
            "the arguments of a function type stand in brackets: `(Int) -> Int`"
        }
        (Some(Token::Exclamation), _) => {
            "negation is written `not`; `!` outputs a value in a prefix"
        }
        (_, Some(Token::Then)) if wants("within") => "a `let` needs `within` before its body",
        (_, Some(Token::Newline) | None) if wants("else") => "every `if` needs an `else`",
        (_, Some(Token::Newline) | None) if wants("then") => {
            "after the condition of an `if` comes `then`"
        }
        (_, Some(Token::Newline) | None) if wants("within") => {
            "a `let` needs `within` before its body"
        }
        (_, Some(Token::Newline) | None) if wants("@") => "`@` stands before the body",
        _ if continued && lexemes.first().is_some_and(|l| continues(l.token)) => {
            "if this line was meant to continue the one before, put its first symbol at the end of that line: \
             a line that begins with `-`, `<`, `(`, `{` or `#` begins a new declaration"
        }
        (Some(Token::Identifier(_) | Token::ParenClose), Some(next)) if begins_argument(next) => {
            "the arguments of a function stand in brackets: `f(x)`"
        }
        (_, None) if wants("=") => "a declaration has the form `name = value`",
        _ => return None,
    };
    Some(text.to_owned())
}

fn begins_argument(token: Token) -> bool {
    matches!(
        token,
        Token::Identifier(_)
            | Token::Integer(_)
            | Token::Char(_)
            | Token::String(_)
            | Token::True
            | Token::False
            | Token::BraceOpen
    )
}

fn continues(token: Token) -> bool {
    matches!(
        token,
        Token::Minus
            | Token::SequenceOpen
            | Token::ParenOpen
            | Token::BraceOpen
            | Token::EnumeratedOpen
            | Token::Hash
    )
}

/// `[X=` with an unknown model.
fn model_slip(lexemes: &[Lexeme], at: usize) -> bool {
    let from = at.saturating_sub(2);
    lexemes[from.min(lexemes.len())..]
        .windows(3)
        .take(3)
        .any(|window| {
            matches!(
                (window[0].token, window[1].token, window[2].token),
                (Token::BracketOpen, Token::Identifier(_), Token::Equal)
            )
        })
}
