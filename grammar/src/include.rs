//! Follows `include` directives.
//!
//! Each included file is read as a file of its own, so nothing can span two files, and its declarations are put where the
//! directive stands. Paths are given to the loader as written.

use crate::diagnostic::Diagnostic;
use crate::messages;
use crate::source::{FileId, Loader, Sources, Span};
use crate::syntax::{Decl, DeclKind};
use ahash::AHashMap;

/// How deep includes may nest.
const DEEPEST: usize = 64;
/// How many directives are followed in all: files that include others twice would otherwise multiply.
const MOST: usize = 4_096;

/// Follows the directives of one run.
pub(crate) struct Includes<'a, 'l> {
    pub(crate) sources: &'a mut Sources,
    loader: &'a mut Loader<'l>,
    known: AHashMap<String, FileId>,
    /// The files being read, outermost first.
    under_way: Vec<String>,
    followed: usize,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl<'a, 'l> Includes<'a, 'l> {
    pub(crate) fn new(sources: &'a mut Sources, root: FileId, loader: &'a mut Loader<'l>) -> Self {
        let name = sources
            .files
            .get(root.0 as usize)
            .map_or("", |file| file.name.as_str());
        let under_way = vec![normal(name.rsplit(['/', '\\']).next().unwrap_or(name))];
        Self {
            sources,
            loader,
            known: AHashMap::new(),
            under_way,
            followed: 0,
            diagnostics: Vec::new(),
        }
    }

    /// Reads a file and everything it includes.
    pub(crate) fn file(&mut self, file: FileId) -> Vec<Decl> {
        let (mut decls, mut diagnostics) = crate::parser::file(self.sources, file);
        self.diagnostics.append(&mut diagnostics);
        self.fill(&mut decls);
        decls
    }

    fn fill(&mut self, decls: &mut [Decl]) {
        for decl in decls {
            match &mut decl.kind {
                DeclKind::Include { path, decls } => *decls = self.follow(path, decl.span),
                DeclKind::Timed { decls, .. } => self.fill(decls),
                DeclKind::Module {
                    private, exported, ..
                } => {
                    self.fill(private);
                    self.fill(exported);
                }
                _ => {}
            }
        }
    }

    fn follow(&mut self, path: &str, span: Span) -> Vec<Decl> {
        let name = normal(path);
        if self.under_way.contains(&name) {
            self.diagnostics.push(messages::include_cycle(path, span));
            return Vec::new();
        }
        self.followed += 1;
        if self.under_way.len() > DEEPEST || self.followed > MOST {
            self.diagnostics.push(messages::too_many_includes(span));
            return Vec::new();
        }
        let file = match self.known.get(&name) {
            Some(file) => *file,
            None => match (self.loader)(path) {
                Ok(text) => {
                    let file = self.sources.add(path, text);
                    self.known.insert(name.clone(), file);
                    file
                }
                Err(reason) => {
                    self.diagnostics
                        .push(messages::missing_file(path, &reason, span));
                    return Vec::new();
                }
            },
        };
        self.under_way.push(name);
        let decls = self.file(file);
        self.under_way.pop();
        decls
    }
}

/// The path without `.` parts and with `..` taken back where possible.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts.join("/")
}
