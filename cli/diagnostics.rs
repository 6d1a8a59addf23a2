//! Draws diagnostics. The only file that knows the drawing library.

use std::borrow::Cow;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use csp_driver::{Diagnostic, Severity, Sources, Span, escape};

/// Lines longer than this are not drawn; their place is named instead.
const LONGEST_LINE: usize = 400;

/// How many lines around a place are handed to the renderer.
const CONTEXT: usize = 2;

/// A diagnostic with the lines it speaks of.
pub(crate) fn draw(diagnostic: &Diagnostic, sources: &Sources, style: Style) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let message = escape::line(&diagnostic.message);
    let title = level.primary_title(&*message).id(diagnostic.code);
    let places: Vec<Place<'_>> = std::iter::once((diagnostic.span, &diagnostic.note, true))
        .chain(diagnostic.labels.iter().map(|l| (l.span, &l.text, false)))
        .map(|(span, text, primary)| Place::new(sources, span, text, primary))
        .collect();
    let mut group = Group::with_title(title);
    let mut plain = Vec::new();
    for Place {
        span,
        text,
        primary,
        window,
        name,
    } in &places
    {
        match window {
            Some(window) => {
                let kind = if *primary {
                    AnnotationKind::Primary
                } else {
                    AnnotationKind::Context
                };
                let label = (!text.is_empty()).then_some(&**text);
                group = group.element(
                    Snippet::source(&*window.text)
                        .path(&**name)
                        .line_start(window.line)
                        .annotation(kind.span(window.start..window.end).label(label)),
                );
            }
            None => plain.push(place_in_words(sources, *span, name, text)),
        }
    }
    for line in &plain {
        group = group.element(Level::NOTE.message(line.as_str()));
    }
    for calls in diagnostic.stack.chunk_by(|a, b| a == b) {
        let times = match calls.len() {
            1 => String::new(),
            more => format!(" ({more} times)"),
        };
        let call = escape::line(&calls[0]);
        group = group.element(Level::NOTE.message(format!("while evaluating {call}{times}")));
    }
    let help = diagnostic.help.as_deref().map(escape::line);
    if let Some(help) = &help {
        group = group.element(Level::HELP.message(&**help));
    }
    let renderer = if style.colour {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let decor = if style.ascii {
        DecorStyle::Ascii
    } else {
        DecorStyle::Unicode
    };
    renderer.decor_style(decor).render(&[group])
}

/// How to draw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// With colours.
    pub(crate) colour: bool,
    /// Without characters beyond ASCII.
    pub(crate) ascii: bool,
}

/// Something to point at, with what is said there.
struct Place<'a> {
    span: Span,
    text: Cow<'a, str>,
    primary: bool,
    window: Option<Window<'a>>,
    name: Cow<'a, str>,
}

impl<'a> Place<'a> {
    fn new(sources: &'a Sources, span: Span, text: &'a str, primary: bool) -> Self {
        let file = sources.files.get(span.file.0 as usize);
        Self {
            span,
            text: escape::line(text),
            primary,
            window: window(sources, span),
            name: escape::line(file.map_or("?", |file| &file.name)),
        }
    }
}

/// A few lines of a source and a place in them.
struct Window<'a> {
    text: Cow<'a, str>,
    line: usize,
    start: usize,
    end: usize,
}

fn window(sources: &Sources, span: Span) -> Option<Window<'_>> {
    let text = sources.files.get(span.file.0 as usize)?.text.as_str();
    let (start, end) = (span.start as usize, (span.end as usize).min(text.len()));
    if start > end || !text.is_char_boundary(start) || !text.is_char_boundary(end) {
        return None;
    }
    let mut from = text[..start].rfind('\n').map_or(0, |i| i + 1);
    for _ in 0..CONTEXT {
        from = text[..from.saturating_sub(1)]
            .rfind('\n')
            .map_or(0, |i| i + 1);
    }
    let mut to = end;
    for _ in 0..=CONTEXT {
        to = text[to..]
            .find('\n')
            .map_or(text.len(), |i| to + i + 1)
            .min(text.len());
    }
    let cut = &text[from..to];
    if cut.lines().any(|l| l.len() > LONGEST_LINE) || cut.lines().count() > 60 {
        return None;
    }
    let at = u32::try_from(from).unwrap_or(u32::MAX);
    let line = sources.position(span.file, at).0;
    Some(Window {
        text: escape::source(cut),
        line,
        start: start - from,
        end: end - from,
    })
}

fn place_in_words(sources: &Sources, span: Span, name: &str, text: &str) -> String {
    let (line, column) = sources.position(span.file, span.start);
    let separator = if text.is_empty() { "" } else { ": " };
    format!("at {name}:{line}:{column}{separator}{text}")
}
