//! From text to tree: the ways in.

use crate::diagnostic::Diagnostic;
use crate::include::Includes;
use crate::lexer;
use crate::messages;
use crate::outline;
use crate::source::{FileId, Loader, Sources, Span};
use crate::syntax::{Decl, Expr, ExprKind, Script};

/// More mistakes than this in one file are counted, not shown.
const MOST_REPORTED: usize = 200;

/// Reads a script and everything it includes; there is always a tree, and beside it what is wrong with the text.
pub fn parse(
    sources: &mut Sources,
    root: FileId,
    loader: &mut Loader,
) -> (Script, Vec<Diagnostic>) {
    let mut includes = Includes::new(sources, root, loader);
    let decls = includes.file(root);
    let mut diagnostics = includes.diagnostics;
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    diagnostics.dedup();
    (Script { decls }, diagnostics)
}

/// Reads a file that holds a single expression, such as the argument of `csp eval`.
#[must_use]
pub fn parse_expression(sources: &Sources, file: FileId) -> (Expr, Vec<Diagnostic>) {
    let text = match text(sources, file) {
        Ok(text) => text,
        Err(diagnostic) => {
            let expr = Expr {
                kind: ExprKind::Error,
                span: diagnostic.span,
            };
            return (expr, vec![*diagnostic]);
        }
    };
    let mut tokens = lexer::lex(file, text);
    let (expr, found) = outline::expression(file, text, &tokens);
    (expr, limited(&mut tokens.diagnostics, found))
}

/// Reads one file; its `include` directives are left empty.
pub(crate) fn file(sources: &Sources, file: FileId) -> (Vec<Decl>, Vec<Diagnostic>) {
    let text = match text(sources, file) {
        Ok(text) => text,
        Err(diagnostic) => return (Vec::new(), vec![*diagnostic]),
    };
    let mut tokens = lexer::lex(file, text);
    let (decls, found) = outline::declarations(file, text, &tokens);
    (decls, limited(&mut tokens.diagnostics, found))
}

/// The text of a file, if it can be a script at all.
fn text(sources: &Sources, file: FileId) -> Result<&str, Box<Diagnostic>> {
    let text = sources
        .files
        .get(file.0 as usize)
        .map_or("", |source| source.text.as_str());
    let start = Span {
        file,
        start: 0,
        end: 0,
    };
    if u32::try_from(text.len()).is_err() {
        return Err(Box::new(messages::file_too_large(start)));
    }
    if text.starts_with("{\\rtf") {
        return Err(Box::new(messages::rich_text(Span { end: 5, ..start })));
    }
    Ok(text)
}

fn limited(lexical: &mut Vec<Diagnostic>, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut all = std::mem::take(lexical);
    all.append(&mut found);
    all.sort_by_key(|diagnostic| diagnostic.span);
    if all.len() > MOST_REPORTED {
        let rest = all.len() - MOST_REPORTED;
        let place = all[MOST_REPORTED].span;
        all.truncate(MOST_REPORTED);
        all.push(messages::too_many_mistakes(rest, place));
    }
    all
}
