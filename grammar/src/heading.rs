//! The names that a declaration introduces, as far as its tokens tell: what cannot be read still binds its names, so
//! that one mistake is one message.

use crate::lexer::Lexeme;
use crate::source::{FileId, Span};
use crate::syntax::Ident;
use crate::token::Token;

/// The names that the tokens of a broken declaration seem to declare.
pub(crate) fn names(file: FileId, lexemes: &[Lexeme]) -> Vec<Ident> {
    let equals = lexemes.iter().position(|l| l.token == Token::Equal);
    let colon = lexemes.iter().position(|l| l.token == Token::Colon);
    let (from, to) = match lexemes.first().map(|lexeme| lexeme.token) {
        Some(Token::Channel) => (1, colon.unwrap_or(lexemes.len())),
        Some(Token::Datatype | Token::Subtype | Token::External | Token::Transparent) => {
            (1, lexemes.len())
        }
        Some(Token::Nametype | Token::Instance | Token::Module) => (1, 2),
        Some(Token::Identifier(_)) => match (lexemes.get(1).map(|l| l.token), equals) {
            // `channels a, b`: a keyword that is none.
            (Some(Token::Identifier(_)), None) => (1, colon.unwrap_or(lexemes.len())),
            _ => (0, 1),
        },
        // Patterns.
        Some(_) => (0, equals.unwrap_or(0)),
        None => (0, 0),
    };
    lexemes[from..to.min(lexemes.len())]
        .iter()
        .filter_map(|lexeme| match lexeme.token {
            Token::Identifier(text) => Some(Ident {
                text: text.to_owned(),
                span: Span {
                    file,
                    start: lexeme.start,
                    end: lexeme.end,
                },
            }),
            _ => None,
        })
        .collect()
}
