//! Finds the height of the tree a declaration will become, before it is built.
//!
//! Everything that walks or drops a tree recurses, so a tree must not be taller than the stack allows. The height is
//! read off the tokens in one pass that groups operators as [`crate::precedence`] does, but keeps heights instead of trees:
//! what stands side by side (after `,`, `|`, `then`, `else`, `=` or a line end, or in the branches of a long choice)
//! does not add up. It may be too high where the text makes no sense, never too low.

use crate::lexer::{Lexeme, ends_operand};
use crate::precedence::{DOT_STRENGTH, Infix, Side, prefix_strength};
use crate::syntax::{BinaryOp, ProcessOp, UnaryOp};
use crate::token::Token;

/// The tallest tree that is built: a chain of this many operators. No walk takes more than 4 KiB of stack for each, so
/// a stack of 256 MiB is enough for all of them. A WebAssembly module has the stack of its engine, about 1 MiB, on which
/// the first walks fail at a height of 640 (lists in lists): half of that is allowed.
pub(crate) const TALLEST: u32 = if cfg!(target_family = "wasm") {
    300
} else {
    50_000
};

/// What binders, `let` and dots count for: scopes and types inside one another take more than linear time.
const HEAVY: u32 = 10;

/// Open forms wait for all that follows.
const OPEN: u8 = 0;
/// `=>` in types.
const FAT_ARROW: (u8, u8, Side) = (125, 125, Side::Right);

/// The first token at which the tree becomes too tall, if there is one.
pub(crate) fn too_tall(lexemes: &[Lexeme]) -> Option<usize> {
    taller_than(TALLEST, lexemes)
}

fn taller_than(most: u32, lexemes: &[Lexeme]) -> Option<usize> {
    let mut levels = vec![Level::new(Role::Operand, 0)];
    let mut prefix_position = true;
    for (index, lexeme) in lexemes.iter().enumerate() {
        let token = lexeme.token;
        let level = levels.last_mut()?;
        if opens(token) {
            let around = level.around + level.waiting.len() + 1;
            levels.push(Level::new(role(token, prefix_position), around));
        } else if !closes(token) {
            level.step(token, prefix_position);
        } else if levels.len() > 1 {
            close(&mut levels);
        }
        prefix_position = !ends_operand(token);
        let level = levels.last()?;
        let depth = level.around + level.waiting.len();
        let left = level.waiting.last().map_or(0, |top| top.parts);
        if level.height.max(left) > most || depth > most as usize {
            return Some(index);
        }
    }
    while levels.len() > 1 {
        close(&mut levels);
    }
    let whole = levels.pop()?.end();
    (whole > most).then(|| lexemes.len().saturating_sub(1))
}

/// Ends the innermost bracket.
fn close(levels: &mut Vec<Level>) {
    if let Some(closed) = levels.pop()
        && let Some(level) = levels.last_mut()
    {
        let role = closed.role;
        let inside = closed.end();
        match role {
            Role::Operand => level.height = level.height.max(inside) + 1,
            Role::Infix(strength) => level.infix(strength, inside),
            Role::Binder => level.open(Awaits::At, inside),
            Role::Let => level.open(Awaits::Nothing, inside + 2 * HEAVY),
        }
    }
}

/// What a bracket with its contents is to what is around it.
#[derive(Clone, Copy)]
enum Role {
    /// An operand, or the arguments of the one before it.
    Operand,
    Infix((u8, u8, Side)),
    /// The beginning of a replicated operator.
    Binder,
    /// The definitions of a `let`.
    Let,
}

/// What has to come before the last operand of an operator or an open form.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Awaits {
    Nothing,
    Else,
    At,
}

/// An operator or an open form whose last operand has not ended.
struct Waiting {
    strength: u8,
    side: Side,
    awaits: Awaits,
    /// The tallest of its other parts.
    parts: u32,
    /// How much taller it is than its tallest part.
    adds: u32,
}

/// The inside of a bracket, or the whole declaration.
struct Level {
    role: Role,
    /// How many brackets and waiting operators are around it.
    around: usize,
    waiting: Vec<Waiting>,
    /// Of the present operand.
    height: u32,
    /// The tallest part that has ended.
    tallest: u32,
}

impl Level {
    fn new(role: Role, around: usize) -> Self {
        Self {
            role,
            around,
            waiting: Vec::new(),
            height: 0,
            tallest: 0,
        }
    }

    fn step(&mut self, token: Token, prefix_position: bool) {
        match token {
            _ if ends_operand(token) => self.height = self.height.max(1),
            Token::If => self.open(Awaits::Else, 0),
            Token::Then => _ = self.part(Some(Awaits::Else)),
            Token::Else => self.last_part(Awaits::Else),
            Token::At => self.last_part(Awaits::At),
            Token::Newline => _ = self.part(None),
            Token::Scope => {}
            _ if prefix_position && binds(token) => self.open(Awaits::At, 0),
            _ => {
                let sign = prefix(token).filter(|_| prefix_position);
                match (sign, infix(token)) {
                    (Some(sign), _) => {
                        self.wait(prefix_strength(sign), Side::Left, Awaits::Nothing, 0);
                    }
                    (None, Some(strength)) => self.infix(strength, 0),
                    // It separates parts; those of a binder are not the last.
                    (None, None) => _ = self.part(Some(Awaits::At)),
                }
            }
        }
    }

    fn wait(&mut self, strength: u8, side: Side, awaits: Awaits, parts: u32) {
        let adds = match (strength, awaits) {
            (OPEN, Awaits::Nothing | Awaits::At) | (DOT_STRENGTH, _) => HEAVY,
            _ => 1,
        };
        self.waiting.push(Waiting {
            strength,
            side,
            awaits,
            parts,
            adds,
        });
        self.height = 0;
    }

    fn open(&mut self, awaits: Awaits, inside: u32) {
        self.wait(OPEN, Side::Right, awaits, inside);
    }

    fn infix(&mut self, (left, right, side): (u8, u8, Side), inside: u32) {
        self.apply_while(|top| {
            top.strength > left || (top.strength == left && top.side != Side::Right)
        });
        self.wait(right, side, Awaits::Nothing, self.height.max(inside));
    }

    /// Gives the present operand to the operators that go before it.
    fn apply_while(&mut self, goes_first: impl Fn(&Waiting) -> bool) {
        while let Some(top) = self.waiting.pop_if(|top| goes_first(top)) {
            self.height = self.height.max(top.parts) + top.adds;
        }
    }

    /// Ends a part of the innermost form that awaits this, and of the level if there is none.
    fn part(&mut self, of: Option<Awaits>) -> Option<&mut Waiting> {
        self.apply_while(|top| Some(top.awaits) != of);
        let form = self.waiting.last_mut();
        let height = std::mem::take(&mut self.height);
        match form {
            Some(form) => {
                form.parts = form.parts.max(height);
                Some(form)
            }
            None => {
                self.tallest = self.tallest.max(height);
                None
            }
        }
    }

    fn last_part(&mut self, awaited: Awaits) {
        if let Some(form) = self.part(Some(awaited)) {
            form.awaits = Awaits::Nothing;
        }
    }

    /// The height of the whole.
    fn end(mut self) -> u32 {
        self.part(None);
        self.tallest
    }
}

/// What an opening bracket and its contents will be.
fn role(open: Token, prefix_position: bool) -> Role {
    let operator = match open {
        Token::Let => return Role::Let,
        Token::ParallelOpen | Token::BracketOpen => ProcessOp::Linked {
            pairs: Vec::new(),
            statements: Vec::new(),
        },
        Token::SyncExternalOpen => ProcessOp::External,
        Token::SyncInterruptOpen => ProcessOp::Interrupt,
        _ => return Role::Operand,
    };
    match prefix_position {
        true => Role::Binder,
        false => Role::Infix(Infix::Process(operator).strength()),
    }
}

fn prefix(token: Token) -> Option<UnaryOp> {
    Some(match token {
        Token::Minus => UnaryOp::Negate,
        Token::Not => UnaryOp::Not,
        Token::Hash => UnaryOp::Length,
        _ => return None,
    })
}

/// In front of an operand it begins a lambda or a replicated operator.
fn binds(token: Token) -> bool {
    matches!(
        token,
        Token::Backslash
            | Token::Box
            | Token::InternalChoice
            | Token::Interleave
            | Token::Semicolon
            | Token::BarBar
    )
}

fn infix(token: Token) -> Option<(u8, u8, Side)> {
    let operator = match token {
        Token::FatArrow | Token::FatArrowStar => return Some(FAT_ARROW),
        Token::AtAt => Infix::Both,
        Token::Backslash | Token::Project => Infix::Hide { project: false },
        Token::Interleave => Infix::Process(ProcessOp::Interleave),
        Token::InternalChoice => Infix::Process(ProcessOp::Internal),
        Token::Box => Infix::Process(ProcessOp::External),
        Token::Interrupt => Infix::Process(ProcessOp::Interrupt),
        Token::Sliding => Infix::Process(ProcessOp::Sliding),
        Token::Semicolon => Infix::Process(ProcessOp::Sequence),
        Token::Ampersand => Infix::Guard,
        Token::Arrow => Infix::Arrow,
        Token::Question => Infix::Input,
        Token::Dollar => Infix::Choice,
        Token::Exclamation => Infix::Output,
        Token::Colon => Infix::Colon,
        Token::Dot => Infix::Dot,
        Token::Or => Infix::Binary(BinaryOp::Or),
        Token::And => Infix::Binary(BinaryOp::And),
        Token::EqualEqual | Token::NotEqual => Infix::Binary(BinaryOp::Equal),
        Token::Less | Token::LessEqual | Token::Greater | Token::GreaterEqual => {
            Infix::Binary(BinaryOp::Less)
        }
        Token::Plus | Token::Minus => Infix::Binary(BinaryOp::Add),
        Token::Star | Token::Slash | Token::Percent => Infix::Binary(BinaryOp::Multiply),
        Token::Caret => Infix::Binary(BinaryOp::Concat),
        _ => return None,
    };
    Some(operator.strength())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;
    use crate::source::FileId;

    fn height(text: &str) -> u32 {
        let tokens = lex(FileId(0), text);
        let enough = |most: &u32| taller_than(*most, &tokens.lexemes).is_none();
        (0..1_000).find(enough).expect("these are small")
    }

    #[test]
    fn heights_are_those_of_the_trees() {
        for (text, expected) in [
            ("a", 1),
            ("a + b + c + d", 4),
            ("a + b * c + d", 4),
            ("(a)", 2),
            ("f(a)(b)", 3),
            ("a -> b -> c -> P", 4),
            // Branches of a choice do not add up.
            ("a -> P [] b -> P [] c -> P", 4),
            ("s == 0 & a -> P [] s == 1 & b -> P", 4),
            ("a + b, c + d", 2),
            ("<a + b | c <- d, e + f + g>", 4),
            // A hiding ends before a process operator, and is a part of what follows.
            ("P \\ A ||| Q \\ B ||| R", 5),
            // A weaker sign within a stronger operator takes in all that is as strong as it.
            ("a * - b * - c", 5),
            ("a ^ - b * c ^ - d * e", 7),
            ("not a == b and c", 4),
            ("if a then b + c else d", 3),
            ("if a then if b then c else d else e + f + g", 4),
            ("P [| A + B |] Q", 3),
            ("\\ x, y @ x + y", 12),
            ("[] x:A, y:B @ P [] Q", 12),
            ("let x = 1\n y = 2 within z", 31),
            ("c.x", 11),
        ] {
            assert_eq!(height(text), expected, "{text}");
        }
    }
}
