//! Cuts the tokens of a file into declarations and reads each by itself, so that one mistake does not hide another.
//!
//! Modules and timed sections are opened up here; everything else is handed to the generated parser. After a mistake,
//! deeper indented lines that follow belong to the broken declaration and are passed over.

use crate::builder::{Builder, Entry};
use crate::diagnostic::{Diagnostic, Severity};
use crate::expectation;
use crate::grammar::EntryParser;
use crate::heading;
use crate::lexer::{Lexeme, Tokens};
use crate::messages;
use crate::nesting;
use crate::slip;
use crate::source::{FileId, Span};
use crate::syntax::{Decl, DeclKind, Expr, ExprKind, Ident, Pattern};
use crate::token::Token;

/// How deep modules and timed sections may nest.
const DEEPEST: usize = 64;
/// After this many mistakes the rest of a file is not read.
const GIVE_UP: usize = 1_000;

/// Where a declaration stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Top,
    Module,
    Timed,
}

/// Reads the declarations of a file; `include` directives are left empty.
pub(crate) fn declarations(
    file: FileId,
    text: &str,
    tokens: &Tokens,
) -> (Vec<Decl>, Vec<Diagnostic>) {
    let mut outline = Outline::new(file, text, tokens);
    let decls = outline.decls(0, tokens.lexemes.len(), Place::Top, 0);
    (decls, outline.diagnostics)
}

/// Reads a file that holds one expression.
pub(crate) fn expression(file: FileId, text: &str, tokens: &Tokens) -> (Expr, Vec<Diagnostic>) {
    let mut outline = Outline::new(file, text, tokens);
    let all = tokens.lexemes.len();
    let entry = outline.run(Token::StartExpression, 0, all, Vec::new());
    let expr = match entry {
        Some(Entry::Expression(expr)) => expr,
        _ => Expr {
            kind: ExprKind::Error,
            span: outline.span(0, all),
        },
    };
    (expr, outline.diagnostics)
}

struct Outline<'a, 's> {
    file: FileId,
    text: &'a str,
    tokens: &'a Tokens<'s>,
    diagnostics: Vec<Diagnostic>,
    parser: EntryParser,
    /// The starts of everything the lexer has reported, in order.
    lexical: Vec<u32>,
    /// A module without end was reported, so its `exports` need not be.
    unended_module: bool,
    /// Where the next declaration begins, if what was read last ran into it.
    cut: Option<usize>,
}

impl<'a, 's> Outline<'a, 's> {
    fn new(file: FileId, text: &'a str, tokens: &'a Tokens<'s>) -> Self {
        let errors = tokens
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == Severity::Error);
        let mut lexical: Vec<u32> = errors.map(|error| error.span.start).collect();
        lexical.sort_unstable();
        Self {
            file,
            text,
            tokens,
            diagnostics: Vec::new(),
            parser: EntryParser::new(),
            lexical,
            unended_module: false,
            cut: None,
        }
    }

    fn lexemes(&self, from: usize, to: usize) -> &'a [Lexeme<'s>] {
        &self.tokens.lexemes[from..to]
    }

    fn token(&self, index: usize) -> Option<Token<'s>> {
        self.tokens.lexemes.get(index).map(|lexeme| lexeme.token)
    }

    /// The span of the tokens `from..to`, without line ends at its end.
    fn span(&self, from: usize, to: usize) -> Span {
        let covered = self.lexemes(from, to.max(from));
        let last = covered
            .iter()
            .rfind(|lexeme| lexeme.token != Token::Newline);
        let start = covered.first().map_or(0, |lexeme| lexeme.start);
        Span {
            file: self.file,
            start,
            end: last.map_or(start, |lexeme| lexeme.end),
        }
    }

    fn column(&self, index: usize) -> usize {
        let start = self.tokens.lexemes[index].start as usize;
        let line = self.text[..start]
            .rfind(['\n', '\r'])
            .map_or(0, |at| at + 1);
        start - line
    }

    fn decls(&mut self, from: usize, to: usize, place: Place, depth: usize) -> Vec<Decl> {
        let mut decls = Vec::new();
        let mut at = from;
        let mut broken: Option<usize> = None;
        while at < to {
            if self.token(at) == Some(Token::Newline) {
                at += 1;
                continue;
            }
            if let Some(column) = broken
                && self.column(at) > column
            {
                at = self.end_of_declaration(at, to);
                if let Some(Decl { span, .. }) = decls.last_mut() {
                    span.end = self.tokens.lexemes[at - 1].end;
                }
                continue;
            }
            let reported = self.diagnostics.len();
            if reported + self.lexical.len() > GIVE_UP {
                decls.push(error(self.span(at, to)));
                break;
            }
            let column = self.column(at);
            let (decl, next) = self.decl(at, to, place, depth);
            let failed =
                matches!(decl.kind, DeclKind::Error(_)) && self.diagnostics.len() > reported;
            broken = failed.then_some(column);
            decls.push(decl);
            at = next;
        }
        decls
    }

    /// The index of the line end that ends the declaration at `from`.
    fn end_of_declaration(&self, from: usize, to: usize) -> usize {
        let mut at = from;
        while at < to {
            match self.token(at) {
                Some(Token::Newline) => return at,
                Some(Token::Let | Token::SectionOpen) => {
                    at = self.tokens.partners.get(&at).map_or(at, |p| (*p).max(at)) + 1;
                }
                _ => at += 1,
            }
        }
        at.min(to)
    }

    /// Reads the declaration at `at`; also says where the next one begins.
    fn decl(&mut self, at: usize, to: usize, place: Place, depth: usize) -> (Decl, usize) {
        match self.token(at) {
            Some(Token::Module) => return self.module(at, to, depth),
            Some(Token::Timed) => {
                if let Some(result) = self.timed(at, to, depth) {
                    return result;
                }
            }
            Some(Token::Include) => return self.include(at, to),
            Some(Token::Exports | Token::Endmodule) => {
                let span = self.span(at, at + 1);
                if !self.unended_module {
                    self.diagnostics.push(messages::outside_module(span));
                }
                return (error(span), at + 1);
            }
            _ => {}
        }
        let mut end = self.end_of_declaration(at, to);
        let pragmas = self.tokens.pragmas.get(&at).cloned().unwrap_or_default();
        let entry = self.run(Token::StartDeclaration, at, end, pragmas);
        let decl = match entry {
            Some(Entry::Declaration(decl)) => *decl,
            Some(Entry::TimedHeader(_)) => {
                let span = self.span(at, end);
                let place = Span {
                    start: span.end,
                    ..span
                };
                self.diagnostics
                    .push(messages::unexpected("the end of the line", "`{`", place));
                error(span)
            }
            _ => {
                end = self.cut.take().unwrap_or(end);
                Decl {
                    kind: DeclKind::Error(heading::names(self.file, self.lexemes(at, end))),
                    span: self.span(at, end),
                }
            }
        };
        self.check_place(&decl, place);
        (decl, end)
    }

    fn check_place(&mut self, decl: &Decl, place: Place) {
        let what = match (&decl.kind, place) {
            (DeclKind::Assert(_), Place::Module) => "an assertion",
            (DeclKind::Print(_), Place::Module | Place::Timed) => "a print",
            _ => return,
        };
        let place = match place {
            Place::Module => "a module",
            _ => "a timed section",
        };
        self.diagnostics
            .push(messages::not_allowed_in(what, place, decl.span));
    }

    fn module(&mut self, at: usize, to: usize, depth: usize) -> (Decl, usize) {
        let header_end = self.end_of_header(at, to);
        let (name, parameters) = match self.run(Token::StartDeclaration, at, header_end, Vec::new())
        {
            Some(Entry::ModuleHeader(name, parameters)) => (name, parameters),
            _ => (unnamed(self.span(at, header_end)), None),
        };
        let Some(&end) = self.tokens.partners.get(&at).filter(|end| **end < to) else {
            let span = self.span(at, at + 1);
            self.diagnostics.push(messages::module_without_end(span));
            self.unended_module = true;
            return (error(self.span(at, header_end)), header_end);
        };
        let span = self.span(at, end + 1);
        if depth >= DEEPEST {
            self.diagnostics
                .push(messages::nested_too_deeply(self.span(at, at + 1)));
            return (error(span), end + 1);
        }
        let parameters = self.module_parameters(parameters, at, header_end);
        let exports = self.tokens.exports.get(&at).copied();
        if exports.is_none() {
            self.diagnostics
                .push(messages::module_without_exports(self.span(at, header_end)));
        }
        let private_end = exports.unwrap_or(end).max(header_end);
        let private = self.decls(header_end, private_end, Place::Module, depth + 1);
        let exported = self.decls((private_end + 1).min(end), end, Place::Module, depth + 1);
        let kind = DeclKind::Module {
            name,
            parameters,
            private,
            exported,
        };
        (Decl { kind, span }, end + 1)
    }

    fn module_parameters(
        &mut self,
        parameters: Option<Vec<Pattern>>,
        at: usize,
        header_end: usize,
    ) -> Vec<Pattern> {
        if parameters.as_ref().is_some_and(Vec::is_empty) {
            let span = self.span(at, header_end);
            self.diagnostics.push(messages::empty_parameters(span));
        }
        parameters.unwrap_or_default()
    }

    /// The end of `module M(…)`: the line end, or `exports` on the same line.
    fn end_of_header(&self, at: usize, to: usize) -> usize {
        let ends = |i: &usize| {
            matches!(
                self.token(*i),
                Some(Token::Newline | Token::Exports | Token::Endmodule)
            )
        };
        (at..to).find(ends).unwrap_or(to)
    }

    /// A timed section; none if its brace is missing, so that the parser can say so.
    fn timed(&mut self, at: usize, to: usize, depth: usize) -> Option<(Decl, usize)> {
        let open = (at..to)
            .find(|i| matches!(self.token(*i), Some(Token::SectionOpen | Token::Newline)))?;
        if self.token(open) != Some(Token::SectionOpen) {
            return None;
        }
        let duration = match self.run(Token::StartDeclaration, at, open, Vec::new()) {
            Some(Entry::TimedHeader(duration)) => duration,
            _ => None,
        };
        let Some(&close) = self.tokens.partners.get(&open).filter(|end| **end < to) else {
            let span = self.span(open, open + 1);
            self.diagnostics.push(messages::unclosed(span));
            return Some((error(self.span(at, open + 1)), open + 1));
        };
        let span = self.span(at, close + 1);
        if depth >= DEEPEST {
            self.diagnostics
                .push(messages::nested_too_deeply(self.span(at, at + 1)));
            return Some((error(span), close + 1));
        }
        let decls = self.decls(open + 1, close, Place::Timed, depth + 1);
        let kind = DeclKind::Timed { duration, decls };
        let mut next = close + 1;
        if next < to && self.token(next) != Some(Token::Newline) {
            let stray = self.lexemes(next, next + 1)[0];
            let place = self.span(next, next + 1);
            self.diagnostics.push(messages::unexpected(
                &expectation::found(stray.token, self.text, stray),
                "the end of the line",
                place,
            ));
            next = self.end_of_declaration(next, to);
        }
        Some((Decl { kind, span }, next))
    }

    fn include(&mut self, at: usize, to: usize) -> (Decl, usize) {
        let end = self.end_of_declaration(at, to);
        let span = self.span(at, end);
        let kind = match self.lexemes(at + 1, end) {
            [
                Lexeme {
                    token: Token::String(path),
                    ..
                },
            ] => DeclKind::Include {
                path: (*path).to_owned(),
                decls: Vec::new(),
            },
            _ => {
                if !self.lexer_complained(span) {
                    self.diagnostics.push(messages::invalid_include(span));
                }
                DeclKind::Error(Vec::new())
            }
        };
        (Decl { kind, span }, end)
    }

    fn lexer_complained(&self, span: Span) -> bool {
        let next = self.lexical.partition_point(|start| *start < span.start);
        self.lexical
            .get(next)
            .is_some_and(|start| *start <= span.end)
    }

    /// What a definition that is too tall defines, as something unknown, so that its name is not missed.
    fn heading(&self, start: Token<'s>, lexemes: &[Lexeme<'s>]) -> Option<Entry> {
        let equals = lexemes.iter().position(|l| l.token == Token::Equal)?;
        let heading = &lexemes[..=equals];
        if nesting::too_tall(heading).is_some() {
            return None;
        }
        let words = heading
            .iter()
            .map(|lexeme| (lexeme.start as usize, lexeme.token, lexeme.end as usize));
        let first = lexemes[0].start as usize;
        let after = lexemes[equals].end as usize;
        let input =
            std::iter::once((first, start, first))
                .chain(words)
                .chain([(after, Token::Bad, after)]);
        let mut unheard = Vec::new();
        let mut builder = Builder::new(self.file, &mut unheard, Vec::new());
        self.parser.parse(&mut builder, input).ok()
    }

    /// Hands the tokens `from..to` to the generated parser.
    fn run(
        &mut self,
        start: Token<'s>,
        from: usize,
        to: usize,
        pragmas: Vec<Ident>,
    ) -> Option<Entry> {
        self.cut = None;
        let lexemes = self.lexemes(from, to);
        if let Some(index) = nesting::too_tall(lexemes) {
            let span = self.span(from + index, from + index + 1);
            self.diagnostics.push(messages::nested_too_deeply(span));
            return self.heading(start, lexemes);
        }
        let first = lexemes.first().map_or(0, |lexeme| lexeme.start as usize);
        let input = std::iter::once((first, start, first)).chain(
            lexemes
                .iter()
                .map(|lexeme| (lexeme.start as usize, lexeme.token, lexeme.end as usize)),
        );
        let mut found = Vec::new();
        let mut builder = Builder::new(self.file, &mut found, pragmas);
        let result = self.parser.parse(&mut builder, input);
        let entry = match result {
            Ok(entry) => {
                builder.finish();
                Some(entry)
            }
            Err(error) => {
                found.clear();
                let stopped = expectation::place(lexemes, &error);
                let next = slip::next_declaration(self.text, lexemes, stopped);
                self.cut = next.map(|next| from + next);
                let place = self.span(from, to);
                if !self.lexer_complained(place) {
                    let continued = from > 0 && self.token(from - 1) == Some(Token::Newline);
                    found.push(expectation::explain(
                        self.file,
                        self.text,
                        lexemes,
                        self.tokens,
                        from,
                        continued,
                        &error,
                    ));
                }
                None
            }
        };
        self.diagnostics.append(&mut found);
        entry
    }
}

fn error(span: Span) -> Decl {
    Decl {
        kind: DeclKind::Error(Vec::new()),
        span,
    }
}

fn unnamed(span: Span) -> Ident {
    Ident {
        text: String::new(),
        span,
    }
}
