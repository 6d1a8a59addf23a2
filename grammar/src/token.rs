//! The words of CSPm.
//!
//! Logos recognises them one by one by longest match. Four kinds depend on what stands around them and are
//! settled by [`crate::lexer`]: line ends, `<` and `>` (comparison or bracket), `::` (scope or annotation) and
//! the braces of a timed section. The variants of the last group below are therefore never lexed directly.

use crate::syntax::{Model, PartialOrder, Property};
use logos::{Lexer, Logos};

/// Why a stretch of text is not a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum BadToken {
    /// A character that begins nothing.
    #[default]
    Character,
    /// `{-` without its `-}`.
    UnclosedComment,
    /// `"` without its partner on the same line.
    UnclosedString,
    /// `:[` without its `]` on the same line.
    UnclosedProperty,
}

/// What stands in `:[…]`, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Directive {
    /// `deadlock free [F]` and its like.
    Property(Property, Option<Model>),
    /// `has trace [T]`.
    HasTrace(Option<Model>),
    /// `tau priority`, `tau priority over`.
    TauPriority,
    /// `partial order reduce [fast]`.
    PartialOrder(PartialOrder),
    /// Something else, already reported.
    Unknown,
}

/// A word of a script.
#[derive(Logos, Clone, Copy, Debug, PartialEq)]
#[logos(error = BadToken)]
#[logos(skip r"[ \t\x0b\x0c]+")]
pub(crate) enum Token<'s> {
    #[regex(r"\r?\n|\r")]
    Newline,
    #[regex(r"--[^\r\n]*", allow_greedy = true, callback = |lex| lex.slice())]
    LineComment(&'s str),
    #[token("{-", block_comment)]
    BlockComment,
    /// A comment of another language.
    #[regex(r"//[^\r\n]*", allow_greedy = true)]
    #[token("/*", foreign_comment)]
    ForeignComment,

    #[regex(r"[A-Za-z][A-Za-z0-9_]*'*")]
    Identifier(&'s str),
    #[regex(r"[0-9]+")]
    Digits(&'s str),
    #[regex(r"'(\\[^\r\n]|[^'\\\r\n])'")]
    Char(&'s str),
    #[token("\"", string)]
    String(&'s str),
    #[token("_")]
    Wildcard,

    #[token("and")]
    And,
    #[token("or")]
    Or,
    #[token("not")]
    Not,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("if")]
    If,
    #[token("then")]
    Then,
    #[token("else")]
    Else,
    #[token("let")]
    Let,
    #[token("within")]
    Within,
    #[token("channel")]
    Channel,
    #[token("datatype")]
    Datatype,
    #[token("subtype")]
    Subtype,
    #[token("nametype")]
    Nametype,
    #[token("external")]
    External,
    #[token("transparent")]
    Transparent,
    #[token("assert")]
    Assert,
    #[token("module")]
    Module,
    #[token("exports")]
    Exports,
    #[token("endmodule")]
    Endmodule,
    #[token("instance")]
    Instance,
    #[token("Timed")]
    Timed,
    #[token("include")]
    Include,
    #[token("print")]
    Print,

    #[token("(")]
    ParenOpen,
    #[token(")")]
    ParenClose,
    #[regex(r"\(\|[ \t\r\n]")]
    MapOpen,
    #[token("|)")]
    MapClose,
    #[token("{")]
    BraceOpen,
    #[token("}")]
    BraceClose,
    #[token("{|")]
    EnumeratedOpen,
    #[token("|}")]
    EnumeratedClose,
    #[token("[")]
    BracketOpen,
    #[token("]")]
    BracketClose,
    #[token("[[")]
    RenameOpen,
    #[token("]]")]
    RenameClose,
    #[token("[|")]
    ParallelOpen,
    #[token("|]")]
    ParallelClose,
    #[token("|>")]
    ExceptionClose,
    #[token("[+")]
    SyncExternalOpen,
    #[token("+]")]
    SyncExternalClose,
    #[token("/+")]
    SyncInterruptOpen,
    #[token("+\\")]
    SyncInterruptClose,

    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("<=")]
    LessEqual,
    #[token(">=")]
    GreaterEqual,
    #[token("==")]
    EqualEqual,
    #[token("!=")]
    NotEqual,
    #[token("=")]
    Equal,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("#")]
    Hash,
    #[token("^")]
    Caret,
    #[token(".")]
    Dot,
    #[token("..")]
    DotDot,
    #[token(",")]
    Comma,
    #[token("|")]
    Bar,
    #[token(":")]
    Colon,
    #[token("::")]
    DoubleColon,
    #[token("@")]
    At,
    #[token("@@")]
    AtAt,
    #[token("->")]
    Arrow,
    #[token("<-")]
    DrawnFrom,
    #[token("<->")]
    Link,
    #[token("=>")]
    FatArrow,
    #[token("=>*")]
    FatArrowStar,
    #[token("?")]
    Question,
    #[token("!")]
    Exclamation,
    #[token("$")]
    Dollar,
    #[token("&")]
    Ampersand,
    #[token(";")]
    Semicolon,
    #[token("[]")]
    Box,
    #[token("|~|")]
    InternalChoice,
    #[token("|||")]
    Interleave,
    #[token("||")]
    BarBar,
    #[token("[>")]
    Sliding,
    #[token("/\\")]
    Interrupt,
    #[token("\\")]
    Backslash,
    #[token("|\\")]
    Project,
    #[token("[T=", |_| Model::T)]
    #[token("[F=", |_| Model::F)]
    #[token("[FD=", |_| Model::FD)]
    #[token("[V=", |_| Model::V)]
    #[token("[VD=", |_| Model::VD)]
    #[token("[R=", |_| Model::R)]
    #[token("[RD=", |_| Model::RD)]
    Refines(Model),
    #[token(":[", property)]
    PropertyText(&'s str),

    /// `<` as an opening bracket.
    SequenceOpen,
    /// `>` as a closing bracket.
    SequenceClose,
    /// `::` without spaces.
    Scope,
    /// `::` with a space.
    Annotates,
    /// An integer, or none if it does not fit.
    Integer(Option<i64>),
    /// What `:[…]` means.
    Directive(Directive),
    /// `not` directly after `assert`.
    AssertNot,
    /// The brace after `Timed`.
    SectionOpen,
    /// Its partner.
    SectionClose,
    /// Put before a declaration, to tell the parser what to expect.
    StartDeclaration,
    /// Put before an expression, to tell the parser what to expect.
    StartExpression,
    /// Text that is no token and was reported; it stands for an operand.
    Bad,
}

fn block_comment<'s>(lexer: &mut Lexer<'s, Token<'s>>) -> Result<(), BadToken> {
    let rest = lexer.remainder().as_bytes();
    let mut depth = 1_usize;
    let mut at = 0;
    while at + 1 < rest.len() {
        match (rest[at], rest[at + 1]) {
            (b'{', b'-') => {
                depth += 1;
                at += 2;
            }
            (b'-', b'}') => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    lexer.bump(at);
                    return Ok(());
                }
            }
            _ => at += 1,
        }
    }
    lexer.bump(rest.len());
    Err(BadToken::UnclosedComment)
}

/// `/* … */`, or as far as the file goes.
fn foreign_comment<'s>(lexer: &mut Lexer<'s, Token<'s>>) {
    let rest = lexer.remainder();
    lexer.bump(rest.find("*/").map_or(rest.len(), |at| at + 2));
}

/// The text between the quotes, escapes and all.
fn string<'s>(lexer: &mut Lexer<'s, Token<'s>>) -> Result<&'s str, BadToken> {
    let rest = lexer.remainder();
    let mut escaped = false;
    for (at, byte) in rest.bytes().enumerate() {
        match byte {
            b'\n' | b'\r' => {
                lexer.bump(at);
                return Err(BadToken::UnclosedString);
            }
            b'"' if !escaped => {
                lexer.bump(at + 1);
                return Ok(&rest[..at]);
            }
            b'\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    lexer.bump(rest.len());
    Err(BadToken::UnclosedString)
}

/// The text between `:[` and the matching `]`; a `:` directly after it belongs to it.
fn property<'s>(lexer: &mut Lexer<'s, Token<'s>>) -> Result<&'s str, BadToken> {
    let rest = lexer.remainder();
    let mut depth = 1_usize;
    for (at, byte) in rest.bytes().enumerate() {
        match byte {
            b'\n' | b'\r' => {
                lexer.bump(at);
                return Err(BadToken::UnclosedProperty);
            }
            b'[' => depth += 1,
            b']' => {
                depth -= 1;
                if depth == 0 {
                    let colon =
                        rest[at + 1..].starts_with(':') && !rest[at + 1..].starts_with(":[");
                    lexer.bump(at + 1 + usize::from(colon));
                    return Ok(&rest[..at]);
                }
            }
            _ => {}
        }
    }
    lexer.bump(rest.len());
    Err(BadToken::UnclosedProperty)
}
