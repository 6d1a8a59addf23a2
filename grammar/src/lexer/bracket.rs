//! Which tokens open and close brackets and blocks.

use crate::token::Token;

/// An open bracket or block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opened {
    Paren,
    Map,
    Brace,
    Enumerated,
    Bracket,
    Rename,
    Parallel,
    SyncExternal,
    SyncInterrupt,
    Let,
    Section,
    Module,
}

impl Opened {
    /// How many kinds there are.
    pub(super) const COUNT: usize = 12;

    /// Blocks contain declarations, so line ends count in them.
    pub(super) fn is_block(self) -> bool {
        matches!(self, Self::Let | Self::Section | Self::Module)
    }
}

/// What a token opens.
pub(super) fn opener(token: Token) -> Option<Opened> {
    Some(match token {
        Token::ParenOpen => Opened::Paren,
        Token::MapOpen => Opened::Map,
        Token::BraceOpen => Opened::Brace,
        Token::EnumeratedOpen => Opened::Enumerated,
        Token::BracketOpen => Opened::Bracket,
        Token::RenameOpen => Opened::Rename,
        Token::ParallelOpen => Opened::Parallel,
        Token::SyncExternalOpen => Opened::SyncExternal,
        Token::SyncInterruptOpen => Opened::SyncInterrupt,
        Token::Let => Opened::Let,
        Token::Module => Opened::Module,
        _ => return None,
    })
}

/// What a token closes.
pub(super) fn closer(token: Token) -> Option<&'static [Opened]> {
    Some(match token {
        Token::ParenClose => &[Opened::Paren],
        Token::MapClose => &[Opened::Map],
        Token::BraceClose => &[Opened::Brace, Opened::Section],
        Token::EnumeratedClose => &[Opened::Enumerated],
        Token::BracketClose => &[Opened::Bracket],
        Token::RenameClose => &[Opened::Rename],
        Token::ParallelClose | Token::ExceptionClose => &[Opened::Parallel],
        Token::SyncExternalClose => &[Opened::SyncExternal],
        Token::SyncInterruptClose => &[Opened::SyncInterrupt],
        Token::Within => &[Opened::Let],
        Token::Endmodule => &[Opened::Module],
        _ => return None,
    })
}
