//! Recognises common slips from the tokens around the place where the parser stopped.
//!
//! A slip is what a beginner, or somebody who comes from another language, probably meant. Each rule looks at tokens
//! only, so it can be wrong: it words a remedy and never changes what is read. Rules are tried in order, special ones
//! first; [`recognise`] is the list.

use crate::expectation::innermost_open;
use crate::lexer::{Lexeme, ends_operand};
use crate::token::Token;

/// What the parser complained about.
pub(crate) struct Around<'a, 's> {
    pub(crate) text: &'a str,
    /// The tokens of the declaration.
    pub(crate) lexemes: &'a [Lexeme<'s>],
    /// The token that does not fit; the number of tokens if the declaration ends too early.
    pub(crate) at: usize,
    /// The declaration follows another one on the line before.
    pub(crate) continued: bool,
    /// The tokens that would have fitted.
    pub(crate) expected: &'a [String],
}

/// A slip with its remedy.
pub(crate) struct Slip {
    /// What to say instead of "expected …, found …".
    pub(crate) message: Option<String>,
    /// The first and the last token to blame instead of the one that did not fit.
    pub(crate) place: Option<(usize, usize)>,
    /// A further place, and what is there.
    pub(crate) label: Option<(usize, &'static str)>,
    /// The remedy.
    pub(crate) help: String,
}

impl Slip {
    fn help(help: impl Into<String>) -> Self {
        Self {
            message: None,
            place: None,
            label: None,
            help: help.into(),
        }
    }

    fn says(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    fn at(mut self, from: usize, to: usize) -> Self {
        self.place = Some((from, to));
        self
    }
}

/// The slip that the tokens around the place look like, if any.
pub(crate) fn recognise(around: &Around) -> Option<Slip> {
    [
        Around::sequence,
        Around::dangling,
        Around::assertion,
        Around::keyword,
        Around::brackets,
        Around::missing_arrow,
        Around::operator,
        Around::clause,
        Around::continuation,
        Around::argument,
    ]
    .iter()
    .find_map(|rule| rule(around))
}

/// Where the declaration that follows begins, if a line ends in an operator and the next one, in the margin, is a
/// declaration of its own: the parser has read both as one and stopped at the `=` of the second.
pub(crate) fn next_declaration(text: &str, lexemes: &[Lexeme], at: usize) -> Option<usize> {
    if lexemes.get(at)?.token != Token::Equal {
        return None;
    }
    let margin = column(text, lexemes[0].start);
    (1..=at).rev().find(|index| {
        let (before, next) = (lexemes[index - 1], lexemes[*index]);
        let between = &text[before.end as usize..next.start as usize];
        between.contains(['\n', '\r'])
            && column(text, next.start) <= margin
            && !ends_operand(before.token)
            && matches!(next.token, Token::Identifier(_))
    })
}

fn column(text: &str, start: u32) -> usize {
    let before = &text[..start as usize];
    before.len() - before.rfind(['\n', '\r']).map_or(0, |at| at + 1)
}

/// How the models are written, for help.
const MODELS: &str = "`[T=`, `[F=`, `[FD=`, `[V=`, `[VD=`, `[R=` and `[RD=`";

impl<'s> Around<'_, 's> {
    fn token(&self, index: usize) -> Option<Token<'s>> {
        self.lexemes.get(index).map(|lexeme| lexeme.token)
    }

    fn here(&self) -> Option<Token<'s>> {
        self.token(self.at)
    }

    fn before(&self) -> Option<Token<'s>> {
        self.at.checked_sub(1).and_then(|index| self.token(index))
    }

    fn wants(&self, name: &str) -> bool {
        self.expected.iter().any(|e| e.trim_matches('"') == name)
    }

    fn ends(&self) -> bool {
        matches!(self.here(), None | Some(Token::Newline))
    }

    fn is_word(&self, index: usize) -> bool {
        matches!(self.token(index), Some(Token::Identifier(_)))
    }

    fn words(&self, index: usize) -> &str {
        let lexeme = self.lexemes[index];
        &self.text[lexeme.start as usize..lexeme.end as usize]
    }

    /// `<x | x <- s, x > 2>`.
    fn sequence(&self) -> Option<Slip> {
        let inside = self.before() == Some(Token::SequenceClose) && !self.wants("new line");
        (inside && self.here().is_some()).then(|| {
            Slip::help(
                "inside `<…>` every `>` closes the sequence; put brackets around a comparison: `<x | x <- s, (x > 2)>`",
            )
        })
    }

    /// A line that ends in an operator, and the next declaration below it.
    fn dangling(&self) -> Option<Slip> {
        let operator = match next_declaration(self.text, self.lexemes, self.at) {
            Some(next) => next - 1,
            None if self.ends() && self.wants("name") => self.at.checked_sub(1)?,
            None => return None,
        };
        let word = self.words(operator);
        let help = match self.token(operator)? {
            Token::Semicolon => {
                "a declaration needs no `;` at its end; `P ; Q` does one process after another".to_owned()
            }
            Token::Arrow => {
                "a process follows the last event: `STOP` if nothing happens after it, `SKIP` if it ends well".to_owned()
            }
            token if is_infix(token) => format!("write what stands after `{word}`, or leave it out"),
            _ => return None,
        };
        let slip = Slip::help(help).says(format!("nothing follows this `{word}`"));
        Some(slip.at(operator, operator))
    }

    /// What can be wrong in `assert …`.
    fn assertion(&self) -> Option<Slip> {
        if self.token(0) != Some(Token::Assert) {
            return None;
        }
        let (open, model) = (self.at.saturating_sub(2), self.at.saturating_sub(1));
        let refinement = "refinement is written `Specification [T= Implementation`";
        if let (Some(Token::BracketOpen), Some(Token::Identifier(name))) =
            (self.token(open), self.token(model))
        {
            if self.here() == Some(Token::Equal) {
                return Some(Slip::help(format!("the models are {MODELS}")));
            }
            if crate::lexer::is_model(name) {
                let slip = Slip::help(format!("{refinement}; the models are {MODELS}"));
                let said = format!("this should be `[{name}=`");
                return Some(slip.says(said).at(open, model));
            }
        }
        let after_colon = (0..self.at).rev().find(|index| {
            self.token(*index) == Some(Token::Colon)
                && self.token(index + 1) == Some(Token::BracketOpen)
        });
        if let Some(colon) = after_colon {
            let slip = Slip::help("write `:[` without a space, as in `:[deadlock free]`");
            return Some(slip.says("a property opens with `:[`").at(colon, colon + 1));
        }
        match self.here()? {
            Token::Equal | Token::EqualEqual => {
                let help = format!(
                    "{refinement}; two processes are equal in a model if each refines the other: two assertions"
                );
                let slip = Slip::help(help).says("an assertion does not compare by `=`");
                Some(slip.at(self.at, self.at))
            }
            Token::Identifier("refines" | "refinedby" | "REFINES" | "implements") => {
                Some(Slip::help(format!("{refinement}; the models are {MODELS}")))
            }
            Token::Identifier("deadlock" | "divergence" | "livelock" | "deterministic" | "has") => {
                let end = (self.at..self.lexemes.len())
                    .take_while(|index| matches!(self.token(*index), Some(Token::Identifier(_))))
                    .last()?;
                let from = self.lexemes[self.at].start as usize;
                let property = &self.text[from..self.lexemes[end].end as usize];
                Some(Slip::help(format!(
                    "a property stands in `:[…]`: write `:[{property}]`"
                )))
            }
            _ => None,
        }
    }

    /// A word that is not one of the language at the beginning, or in the place of one that is.
    fn keyword(&self) -> Option<Slip> {
        let (Some(Token::Identifier(first)), true) = (self.token(0), self.at > 0) else {
            return match (self.token(0), self.here()) {
                (Some(Token::Hash), _) if !self.continued || self.is_word(2) => {
                    let slip = Slip::help("a comment begins with `--`");
                    Some(slip.says("`#` does not begin a comment in CSPm").at(0, 0))
                }
                _ => self.clause_word(),
            };
        };
        let meant = match first.to_ascii_lowercase().as_str() {
            "channels" | "channel" | "chan" | "event" | "events" => "channel",
            "datatype" | "datatypes" | "data" | "enum" | "type" => "datatype",
            "nametype" | "nametypes" | "typedef" => "nametype",
            "assert" | "asserts" | "assertion" | "check" => "assert",
            "include" | "import" | "includes" => "include",
            "print" | "println" => "print",
            "while" | "for" | "repeat" | "loop" | "do" => {
                let slip = Slip::help("a process repeats by calling itself: `P = a -> P`");
                return (self.at == 1).then(|| slip.says("CSPm has no loops").at(0, 0));
            }
            _ => return self.clause_word(),
        };
        let follows = matches!(self.here(), Some(Token::Identifier(_) | Token::String(_)));
        if self.at == 1 && follows {
            let slip = Slip::help(format!("write `{meant}`"));
            return Some(
                slip.says(format!("no declaration begins with `{first}`"))
                    .at(0, 0),
            );
        }
        self.clause_word()
    }

    /// `in` for `within`, `then` without its `within`, `:=`.
    fn clause_word(&self) -> Option<Slip> {
        match (self.before(), self.here()?) {
            (_, Token::Identifier("in")) if self.wants("within") => {
                Some(Slip::help("write `within`: `let x = 1 within …`"))
            }
            (Some(Token::Colon), Token::Equal) => Some(
                Slip::help("a definition is written `P = …`")
                    .says("`:=` is not an operator")
                    .at(self.at - 1, self.at),
            ),
            _ => None,
        }
    }

    /// Brackets that do not match, and operators with a space inside.
    fn brackets(&self) -> Option<Slip> {
        if self.before() == Some(Token::BracketOpen) && self.here() == Some(Token::BracketClose) {
            let slip = Slip::help("external choice is written `[]`, without a space");
            return Some(
                slip.says("`[ ]` is not an operator")
                    .at(self.at - 1, self.at),
            );
        }
        if self.wants("then") && self.here() == Some(Token::BraceOpen) {
            return Some(Slip::help("write `if … then … else …`; braces make sets"));
        }
        let here = self.here()?;
        let open = innermost_open(&self.lexemes[..self.at])?;
        let closer = closing(open.token)?;
        if !is_closing(here) || closer == self.words(self.at) {
            return None;
        }
        let index = self.lexemes.iter().position(|l| l.start == open.start)?;
        let mut slip = Slip::help(format!(
            "write `{closer}`, or open the bracket that this closes"
        ))
        .says(format!(
            "`{}` does not close `{}`",
            self.words(self.at),
            self.words(index)
        ));
        slip.label = Some((index, "this is open"));
        Some(slip)
    }

    /// `coin tea -> P`.
    fn missing_arrow(&self) -> Option<Slip> {
        let joins = matches!(
            self.before(),
            Some(Token::Identifier(_) | Token::ParenClose)
        );
        if !joins || !matches!(self.here(), Some(Token::Identifier(_))) || self.wants("@") {
            return None;
        }
        // The second word is the beginning of a prefix, too.
        let mut next = self.at + 1;
        while matches!(
            self.token(next),
            Some(
                Token::Dot
                    | Token::Question
                    | Token::Exclamation
                    | Token::Identifier(_)
                    | Token::Integer(_)
                    | Token::Wildcard
            )
        ) {
            next += 1;
        }
        if self.token(next) != Some(Token::Arrow) {
            return None;
        }
        let (first, second) = (self.words(self.at - 1), self.words(self.at));
        let slip = Slip::help(format!("write `{first} -> {second} -> …`"));
        Some(slip.says(format!("an arrow is missing before `{second}`")))
    }

    /// Operators of other languages and of the blackboard.
    fn operator(&self) -> Option<Slip> {
        let here = self.here()?;
        let help = match (self.before(), here) {
            (_, Token::Bar) if self.token(self.at + 1) == Some(Token::Minus) => {
                "internal choice is written `|~|`"
            }
            (Some(_), Token::Bar) => {
                "external choice is written `[]`, internal choice `|~|`; `|` stands in datatypes and comprehensions"
            }
            (_, Token::Comma) if self.wants("|") => "constructors are separated by `|`",
            (Some(before), Token::Comma) if ends_operand(before) && !self.wants(",") => {
                "the parts of an event are joined by dots: `c.1.2`"
            }
            (Some(Token::Identifier(_)), Token::BraceOpen)
                if self.wants(":") && self.wants(",") =>
            {
                "the type of a channel stands after `:`, as in `channel c : {0..3}`"
            }
            (_, Token::RenameClose) if self.wants("<-") => {
                "a renaming is written `[[ a <- b ]]`: where `a` was done, `b` is done"
            }
            (_, Token::Equal) => "`=` defines; to compare, write `==`",
            (Some(Token::Ampersand), Token::Ampersand) => "the boolean operator is `and`",
            (Some(before), Token::BarBar) if ends_operand(before) => {
                "write `or` between booleans; between processes `|||`, `[|A|]` or `[A||B]`"
            }
            (Some(Token::Wildcard), Token::Identifier(_)) => "a name begins with a letter",
            (_, Token::Arrow) if self.wants("=>*") => {
                "the arguments of a function type stand in brackets: `(Int) -> Int`"
            }
            (Some(Token::Exclamation), _) => {
                "negation is written `not`; `!` outputs a value in a prefix"
            }
            (_, Token::Exclamation) if self.wants("not") => {
                "negation is written `not`; `!` outputs a value in a prefix"
            }
            _ => return None,
        };
        Some(Slip::help(help))
    }

    /// A word that must come before the declaration ends, or before the body.
    fn clause(&self) -> Option<Slip> {
        let help = match self.here() {
            Some(Token::Then) if self.wants("within") => "a `let` needs `within` before its body",
            Some(_) if self.wants("@") && !self.ends() => {
                "`@` stands before the body: `[] x : S @ c.x -> P`"
            }
            _ if !self.ends() => return None,
            _ if self.wants("else") => "every `if` needs an `else`",
            _ if self.wants("then") => "after the condition of an `if` comes `then`",
            _ if self.wants("within") => "a `let` needs `within` before its body",
            _ if self.wants("@") => "`@` stands before the body",
            _ => return None,
        };
        Some(Slip::help(help))
    }

    /// A line that was meant to continue the one before.
    fn continuation(&self) -> Option<Slip> {
        let first = self.token(0)?;
        (self.continued && continues(first)).then(|| {
            Slip::help(
                "if this line was meant to continue the one before, put its first symbol at the end of that line: \
                 a line that begins with `-`, `<`, `(`, `{` or `#` begins a new declaration",
            )
        })
    }

    /// `f x`, and a declaration without a value.
    fn argument(&self) -> Option<Slip> {
        match (self.before(), self.here()) {
            (Some(Token::Identifier(_) | Token::ParenClose), Some(next))
                if begins_argument(next) =>
            {
                Some(Slip::help(
                    "the arguments of a function stand in brackets: `f(x)`",
                ))
            }
            (_, None) if self.wants("=") => {
                let defines = (0..self.at).find(|i| self.token(*i) == Some(Token::EqualEqual));
                Some(match defines {
                    Some(equals) => Slip::help("a definition is written with one `=`")
                        .says("`==` compares and defines nothing")
                        .at(equals, equals),
                    None => Slip::help("a declaration has the form `name = value`"),
                })
            }
            _ => None,
        }
    }
}

fn is_infix(token: Token) -> bool {
    matches!(
        token,
        Token::Box
            | Token::InternalChoice
            | Token::Interleave
            | Token::Sliding
            | Token::Interrupt
            | Token::Backslash
            | Token::Ampersand
            | Token::ParallelClose
            | Token::Comma
            | Token::Plus
            | Token::Minus
            | Token::And
            | Token::Or
            | Token::Equal
            | Token::Dot
    )
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

/// How a bracket is closed.
fn closing(open: Token) -> Option<&'static str> {
    Some(match open {
        Token::ParenOpen => ")",
        Token::BraceOpen => "}",
        Token::EnumeratedOpen => "|}",
        Token::BracketOpen => "]",
        Token::RenameOpen => "]]",
        Token::ParallelOpen => "|]",
        _ => return None,
    })
}

fn is_closing(token: Token) -> bool {
    matches!(
        token,
        Token::ParenClose
            | Token::BraceClose
            | Token::EnumeratedClose
            | Token::BracketClose
            | Token::RenameClose
            | Token::ParallelClose
    )
}
