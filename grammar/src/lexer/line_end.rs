//! Which tokens may stand around a line end that does not count.
//!
//! A line end counts unless the token before it asks for more or the token after it cannot begin a declaration. Tokens
//! that can begin both a declaration and the rest of an expression, such as `-` and `(`, begin a declaration.

use crate::token::{Directive, Token};

/// The token can be the last of an operand, so that a `<` after it compares.
pub(crate) fn ends_operand(token: Token) -> bool {
    matches!(
        token,
        Token::Identifier(_)
            | Token::Integer(_)
            | Token::Char(_)
            | Token::String(_)
            | Token::Wildcard
            | Token::True
            | Token::False
            | Token::Bad
            | Token::ParenClose
            | Token::MapClose
            | Token::BraceClose
            | Token::EnumeratedClose
            | Token::RenameClose
            | Token::SequenceClose
    )
}

/// After this token, line ends do not count.
pub(super) fn asks_for_more(token: Token) -> bool {
    !ends_operand(token)
        && !matches!(
            token,
            Token::SectionClose
                | Token::Newline
                | Token::Exports
                | Token::Endmodule
                | Token::Directive(
                    Directive::Property(..) | Directive::PartialOrder(_) | Directive::Unknown
                )
        )
}

/// Before this token, line ends do not count, for no declaration begins with it.
pub(super) fn cannot_begin(token: Token) -> bool {
    !matches!(
        token,
        Token::Identifier(_)
            | Token::Digits(_)
            | Token::Char(_)
            | Token::String(_)
            | Token::Wildcard
            | Token::True
            | Token::False
            | Token::Bad
            | Token::ParenOpen
            | Token::MapOpen
            | Token::BraceOpen
            | Token::EnumeratedOpen
            | Token::Less
            | Token::Minus
            | Token::Hash
            | Token::Not
            | Token::If
            | Token::Let
            | Token::External
            | Token::Transparent
            | Token::Timed
            | Token::Exports
            | Token::Endmodule
    ) && !only_outermost(token)
}

/// The token begins a declaration that cannot stand in `let`.
pub(super) fn only_outermost(token: Token) -> bool {
    matches!(
        token,
        Token::Channel
            | Token::Datatype
            | Token::Subtype
            | Token::Nametype
            | Token::Assert
            | Token::Module
            | Token::Instance
            | Token::Include
            | Token::Print
    )
}
