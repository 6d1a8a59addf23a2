//! Turns text into the tokens the grammar reads, with what depends on context settled.
//!
//! A declaration ends at the end of its line unless the next token cannot begin one, or the last token asks for more;
//! only line ends that count become [`Token::Newline`]. A stack of open brackets tells whether `>` closes a sequence.
//! The same stack pairs `let` with `within`, `Timed {` with `}` and `module` with `endmodule`, which is what
//! [`crate::outline`] cuts a file by. Lexing is total: what is no token is reported and left out.

mod bracket;
mod directive;
mod line_end;

use crate::diagnostic::Diagnostic;
use crate::messages;
use crate::source::{FileId, Span};
use crate::syntax::Ident;
use crate::token::{BadToken, Directive, Token};
use ahash::AHashMap;
use bracket::{Opened, closer, opener};
use directive::directive;
pub(crate) use directive::is_model;
pub(crate) use line_end::ends_operand;
use line_end::{asks_for_more, cannot_begin, only_outermost};
use logos::Logos;

/// The least integer without its sign.
const LEAST: u64 = i64::MIN.unsigned_abs();

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexeme<'s> {
    pub(crate) token: Token<'s>,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// The tokens of a file and how they hang together.
#[derive(Default)]
pub(crate) struct Tokens<'s> {
    pub(crate) lexemes: Vec<Lexeme<'s>>,
    /// From `let`, `Timed {` and `module` to `within`, `}` and `endmodule`.
    pub(crate) partners: AHashMap<usize, usize>,
    /// From `module` to its `exports`.
    pub(crate) exports: AHashMap<usize, usize>,
    /// The comment lines directly above an `assert`.
    pub(crate) pragmas: AHashMap<usize, Vec<Ident>>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Reads a whole file.
pub(crate) fn lex(file: FileId, text: &str) -> Tokens<'_> {
    let mut layer = Layer::new(file, text);
    let start = usize::from(text.starts_with('\u{feff}')) * '\u{feff}'.len_utf8();
    let mut raw = Token::lexer(text);
    raw.bump(start);
    while let Some(result) = raw.next() {
        let range = raw.span();
        let (start, end) = (offset(range.start), offset(range.end));
        if start < layer.consumed {
            continue;
        }
        match result {
            Ok(token) => layer.token(token, start, end),
            Err(bad) => layer.bad(bad, start, end),
        }
    }
    layer.finish()
}

fn offset(byte: usize) -> u32 {
    u32::try_from(byte).expect("files of 4 GiB and more are refused before lexing")
}

/// The meaning of a quoted text: `\n`, `\r`, `\t`; any other escaped character stands for itself.
pub(crate) fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        plain.push(match c {
            '\\' => match chars.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some(other) => other,
                None => '\\',
            },
            other => other,
        });
    }
    plain
}

struct Frame {
    opened: Opened,
    index: usize,
    /// How many `<` are open directly in it.
    sequences: usize,
    /// The bracket belongs to `Timed(…)`.
    duration: bool,
}

struct Layer<'s> {
    file: FileId,
    text: &'s str,
    tokens: Tokens<'s>,
    frames: Vec<Frame>,
    open: [usize; Opened::COUNT],
    base_sequences: usize,
    /// Where a line ended since the last token, if it did.
    line_end: Option<(u32, u32)>,
    /// A `print` ends with its line, come what may.
    print_line: bool,
    /// A `Timed(…)` has just been closed.
    after_duration: bool,
    pragmas: Vec<Ident>,
    /// Text before this offset has been turned into tokens already.
    consumed: u32,
    /// Where the last run of strange characters ended.
    strange_end: Option<u32>,
}

impl<'s> Layer<'s> {
    fn new(file: FileId, text: &'s str) -> Self {
        Self {
            file,
            text,
            tokens: Tokens::default(),
            frames: Vec::new(),
            open: [0; Opened::COUNT],
            base_sequences: 0,
            line_end: None,
            print_line: false,
            after_duration: false,
            pragmas: Vec::new(),
            consumed: 0,
            strange_end: None,
        }
    }

    fn span(&self, start: u32, end: u32) -> Span {
        Span {
            file: self.file,
            start,
            end,
        }
    }

    fn last(&self) -> Option<Token<'s>> {
        self.tokens.lexemes.last().map(|lexeme| lexeme.token)
    }

    fn push(&mut self, token: Token<'s>, start: u32, end: u32) {
        self.tokens.lexemes.push(Lexeme { token, start, end });
    }

    fn bad(&mut self, bad: BadToken, start: u32, end: u32) {
        let span = self.span(start, end);
        let opener = |width: u32| Span {
            end: (start + width).min(end),
            ..span
        };
        let report = match bad {
            BadToken::Character => {
                if self.strange_end == Some(start) {
                    self.strange_end = Some(end);
                    if let Some(last) = self.tokens.diagnostics.last_mut() {
                        last.span.end = end;
                    }
                    return;
                }
                self.strange_end = Some(end);
                let character = self.text[start as usize..].chars().next();
                messages::strange_character(character.unwrap_or(' '), span)
            }
            BadToken::UnclosedComment => messages::unclosed_comment(opener(2)),
            BadToken::UnclosedString => {
                self.settle_line_end(Token::Bad, start);
                self.push(Token::Bad, start, end);
                messages::unclosed_string(opener(1))
            }
            BadToken::UnclosedProperty => {
                self.settle_line_end(Token::PropertyText(""), start);
                self.push(Token::Directive(Directive::Unknown), start, end);
                messages::unclosed_property(opener(2))
            }
        };
        self.tokens.diagnostics.push(report);
    }

    fn token(&mut self, token: Token<'s>, start: u32, end: u32) {
        match token {
            Token::Newline => {
                if self.line_end.is_none() {
                    self.line_end = Some((start, end));
                }
            }
            Token::BlockComment => {}
            Token::ForeignComment => {
                let report = messages::foreign_comment(self.span(start, (start + 2).min(end)));
                self.tokens.diagnostics.push(report);
            }
            Token::LineComment(text) => self.comment(text, start, end),
            _ => {
                self.settle_line_end(token, start);
                self.settle_pragmas(token);
                self.word(token, start, end);
            }
        }
    }

    fn comment(&mut self, text: &'s str, start: u32, end: u32) {
        let first_of_line = self.line_end.is_some() || self.tokens.lexemes.is_empty();
        if let Some(pragma) = text.strip_prefix("--@")
            && first_of_line
        {
            self.pragmas.push(Ident {
                text: pragma.trim().to_owned(),
                span: self.span(start, end),
            });
        }
    }

    fn settle_pragmas(&mut self, token: Token<'s>) {
        if self.pragmas.is_empty() {
            return;
        }
        let pragmas = std::mem::take(&mut self.pragmas);
        if token == Token::Assert {
            self.tokens
                .pragmas
                .insert(self.tokens.lexemes.len(), pragmas);
        } else {
            let stray = pragmas.iter().map(|p| messages::stray_pragma(p.span));
            self.tokens.diagnostics.extend(stray);
        }
    }

    /// Decides whether the line end before this token counts.
    fn settle_line_end(&mut self, next: Token<'s>, start: u32) {
        let Some((line_start, line_end)) = self.line_end.take() else {
            return;
        };
        let Some(last) = self.last() else { return };
        let begins_section = self.after_duration && next == Token::BraceOpen;
        // A print ends with its line, unless the line ends inside a `let`.
        let in_let = |frame: &Frame| frame.opened == Opened::Let;
        let ends_print = self.print_line && !self.frames.iter().any(in_let);
        if !ends_print && (asks_for_more(last) || cannot_begin(next) || begins_section) {
            return;
        }
        self.print_line &= !ends_print;
        self.push(Token::Newline, line_start, line_end);
        let in_margin = self.text[..start as usize].ends_with(['\n', '\r']);
        let abandon_let = in_margin && only_outermost(next);
        while let Some(frame) = self.frames.last() {
            if frame.opened.is_block() && !(abandon_let && frame.opened == Opened::Let) {
                break;
            }
            self.pop();
        }
        *self.sequences() = 0;
    }

    fn sequences(&mut self) -> &mut usize {
        match self.frames.last_mut() {
            Some(frame) => &mut frame.sequences,
            None => &mut self.base_sequences,
        }
    }

    fn word(&mut self, token: Token<'s>, start: u32, end: u32) {
        let operand_before = self.last().is_some_and(ends_operand);
        let after_duration = std::mem::take(&mut self.after_duration);
        match token {
            Token::Digits(digits) => self.integer(digits, start, end),
            Token::PropertyText(text) => {
                let directive = self.directive(text, start, end);
                self.push(Token::Directive(directive), start, end);
            }
            Token::Not if self.last() == Some(Token::Assert) => {
                self.push(Token::AssertNot, start, end);
            }
            Token::Print => {
                self.print_line = true;
                self.push(token, start, end);
            }
            Token::DoubleColon => {
                let token = if self.spaced(start, end) {
                    Token::Annotates
                } else {
                    Token::Scope
                };
                self.push(token, start, end);
            }
            Token::Less if !operand_before => self.open_sequence(start, end),
            Token::DrawnFrom if !operand_before => {
                self.open_sequence(start, start + 1);
                self.push(Token::Minus, start + 1, end);
            }
            Token::Greater | Token::GreaterEqual => self.greater(token, start, end),
            Token::Bar | Token::MapClose if self.opens_map(start) => {
                let span = self.span(start - 1, start + 1);
                self.tokens
                    .diagnostics
                    .push(messages::map_without_space(span));
                if let Some(paren) = self.tokens.lexemes.last_mut() {
                    paren.token = Token::MapOpen;
                }
                self.pop();
                self.open(Opened::Map, self.tokens.lexemes.len() - 1);
                if token == Token::MapClose {
                    self.block(token, after_duration, start, end);
                }
            }
            _ => self.block(token, after_duration, start, end),
        }
    }

    /// A `(` stands directly before this bar.
    fn opens_map(&self, start: u32) -> bool {
        self.tokens
            .lexemes
            .last()
            .is_some_and(|last| last.token == Token::ParenOpen && last.end == start)
    }

    fn integer(&mut self, digits: &str, start: u32, end: u32) {
        let rest = self.text[end as usize..].trim_start_matches(' ');
        let after_minus =
            self.last() == Some(Token::Minus) && !rest.starts_with('(') && !rest.starts_with("[[");
        let value = match digits.parse() {
            // Only as the operand of a minus does it fit; `precedence.rs` makes sure of it.
            Ok(LEAST) if after_minus => Some(i64::MIN),
            Ok(value) => i64::try_from(value).ok(),
            Err(_) => None,
        };
        if value.is_none() {
            let span = self.span(start, end);
            self.tokens
                .diagnostics
                .push(messages::integer_too_large(span));
        }
        self.push(Token::Integer(value), start, end);
    }

    fn spaced(&self, start: u32, end: u32) -> bool {
        let before = self.text[..start as usize].chars().next_back();
        let after = self.text[end as usize..].chars().next();
        before.is_none_or(char::is_whitespace) || after.is_none_or(char::is_whitespace)
    }

    fn open_sequence(&mut self, start: u32, end: u32) {
        *self.sequences() += 1;
        self.push(Token::SequenceOpen, start, end);
    }

    /// `>` closes an open sequence, whatever was meant; so does the first half of `>==`.
    fn greater(&mut self, token: Token<'s>, start: u32, end: u32) {
        if *self.sequences() == 0 {
            self.push(token, start, end);
        } else if token == Token::Greater {
            *self.sequences() -= 1;
            self.push(Token::SequenceClose, start, end);
        } else {
            let rest = &self.text[end as usize..];
            if rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=>") {
                *self.sequences() -= 1;
                self.push(Token::SequenceClose, start, start + 1);
                self.push(Token::EqualEqual, start + 1, end + 1);
                self.consumed = end + 1;
            } else {
                self.push(token, start, end);
            }
        }
    }

    fn open(&mut self, opened: Opened, index: usize) {
        self.open[opened as usize] += 1;
        self.frames.push(Frame {
            opened,
            index,
            sequences: 0,
            duration: false,
        });
    }

    fn pop(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        self.open[frame.opened as usize] -= 1;
        Some(frame)
    }

    /// Closes the innermost of these, and with it all that was left open inside.
    fn close(&mut self, closed: &[Opened]) -> Option<Frame> {
        if closed.iter().all(|opened| self.open[*opened as usize] == 0) {
            return None;
        }
        while let Some(frame) = self.pop() {
            if closed.contains(&frame.opened) {
                return Some(frame);
            }
        }
        None
    }

    /// Keeps the stack of brackets and blocks.
    fn block(&mut self, mut token: Token<'s>, after_duration: bool, start: u32, end: u32) {
        let index = self.tokens.lexemes.len();
        let last = self.last();
        if let Some(opened) = opener(token) {
            let section = opened == Opened::Brace && (after_duration || last == Some(Token::Timed));
            if section {
                token = Token::SectionOpen;
            }
            self.open(if section { Opened::Section } else { opened }, index);
            if let Some(frame) = self.frames.last_mut() {
                frame.duration = opened == Opened::Paren && last == Some(Token::Timed);
            }
        } else if token == Token::Exports {
            self.exports(index);
        } else if let Some(closed) = closer(token) {
            let frame = self.close(closed);
            if let Some(frame) = frame {
                self.after_duration = frame.duration;
                if frame.opened.is_block() {
                    self.tokens.partners.insert(frame.index, index);
                }
                if frame.opened == Opened::Section {
                    token = Token::SectionClose;
                }
            }
        }
        self.push(token, start, end);
    }

    /// Whatever is still open in the module ends at its `exports`.
    fn exports(&mut self, index: usize) {
        if self.open[Opened::Module as usize] == 0 {
            return;
        }
        while let Some(frame) = self.frames.last() {
            if frame.opened == Opened::Module {
                self.tokens.exports.entry(frame.index).or_insert(index);
                return;
            }
            self.pop();
        }
    }

    fn directive(&mut self, text: &str, start: u32, end: u32) -> Directive {
        directive(text).unwrap_or_else(|| {
            let span = self.span(start, end);
            self.tokens
                .diagnostics
                .push(messages::unknown_property(text.trim(), span));
            Directive::Unknown
        })
    }

    fn finish(mut self) -> Tokens<'s> {
        let stray = self.pragmas.iter().map(|p| messages::stray_pragma(p.span));
        self.tokens.diagnostics.extend(stray);
        self.tokens
    }
}
