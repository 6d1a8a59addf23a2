//! Bounds the height of the tree a declaration will become, before it is built.
//!
//! Everything that walks or drops a tree recurses, so a tree must not be taller than the stack allows. The bound is
//! read off the tokens in one pass: brackets add what is inside them, operators add one each, and what stands side by
//! side (after `,`, `|`, `then`, `else` or a line end) does not add up. It may be too high, never too low.

use crate::lexer::{Lexeme, ends_operand};
use crate::token::Token;

/// The tallest tree that is built.
pub(crate) const TALLEST: u32 = 5_000;

#[derive(Default)]
struct Level {
    /// Operators of the present part.
    operators: u32,
    /// The tallest bracket of the present part.
    inside: u32,
    /// The tallest part so far.
    tallest: u32,
    /// The operator counts at each `if` whose `else` has not come.
    conditionals: Vec<u32>,
    /// The operator counts at each lambda or replicated operator whose `@` has not come; until then commas do not
    /// end a part.
    binders: Vec<u32>,
    /// The bracket belongs to a replicated operator.
    binder: bool,
}

impl Level {
    fn end_part(&mut self, keep: u32) {
        self.tallest = self.tallest.max(self.operators + self.inside);
        self.operators = keep;
        if keep == 0 {
            self.inside = 0;
        }
    }

    fn height(&self) -> u32 {
        self.tallest.max(self.operators + self.inside)
    }
}

/// The first token at which the tree may become too tall, if there is one.
pub(crate) fn too_tall(lexemes: &[Lexeme]) -> Option<usize> {
    let mut levels = vec![Level::default()];
    let mut prefix_position = true;
    for (index, lexeme) in lexemes.iter().enumerate() {
        step(&mut levels, lexeme.token, prefix_position);
        prefix_position = !ends_operand(lexeme.token);
        let height = levels.last().map_or(0, Level::height);
        let depth = u32::try_from(levels.len()).unwrap_or(u32::MAX);
        if height > TALLEST || depth > TALLEST {
            return Some(index);
        }
    }
    let mut whole = 0;
    while let Some(mut level) = levels.pop() {
        level.inside = level.inside.max(whole);
        whole = level.height() + 1;
    }
    (whole > TALLEST).then_some(lexemes.len().saturating_sub(1))
}

fn step(levels: &mut Vec<Level>, token: Token, prefix_position: bool) {
    if opens(token) {
        let binder = prefix_position
            && matches!(
                token,
                Token::ParallelOpen | Token::SyncExternalOpen | Token::BracketOpen
            );
        if let Some(level) = levels.last_mut() {
            level.operators += 1;
        }
        levels.push(Level {
            binder,
            ..Level::default()
        });
        return;
    }
    if closes(token) {
        if levels.len() > 1
            && let Some(closed) = levels.pop()
            && let Some(level) = levels.last_mut()
        {
            level.inside = level.inside.max(closed.height() + 1);
            if closed.binder {
                level.binders.push(level.operators);
            }
        }
        return;
    }
    let Some(level) = levels.last_mut() else {
        return;
    };
    match token {
        Token::Newline => {
            level.binders.clear();
            level.conditionals.clear();
            level.end_part(0);
        }
        Token::Comma | Token::Bar if level.binders.is_empty() => level.end_part(0),
        Token::At => {
            let keep = level.binders.pop().unwrap_or(level.operators + 1);
            level.end_part(keep);
        }
        Token::If => {
            level.operators += 1;
            level.conditionals.push(level.operators);
        }
        Token::Then => {
            let keep = level
                .conditionals
                .last()
                .copied()
                .unwrap_or(level.operators);
            level.end_part(keep);
        }
        Token::Else => {
            let keep = level.conditionals.pop().unwrap_or(level.operators);
            level.end_part(keep);
        }
        Token::Backslash
        | Token::Box
        | Token::InternalChoice
        | Token::Interleave
        | Token::Semicolon
        | Token::BarBar => {
            level.operators += 1;
            if prefix_position {
                level.binders.push(level.operators);
            }
        }
        _ if ends_operand(token) => {}
        _ => level.operators += 1,
    }
}

fn opens(token: Token) -> bool {
    matches!(
        token,
        Token::ParenOpen
            | Token::MapOpen
            | Token::BraceOpen
            | Token::EnumeratedOpen
            | Token::BracketOpen
            | Token::RenameOpen
            | Token::ParallelOpen
            | Token::SyncExternalOpen
            | Token::SyncInterruptOpen
            | Token::SequenceOpen
            | Token::SectionOpen
            | Token::Let
    )
}

fn closes(token: Token) -> bool {
    matches!(
        token,
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
            | Token::SequenceClose
            | Token::SectionClose
            | Token::Within
    )
}
