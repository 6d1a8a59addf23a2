//! A script and all it includes as one text.
//!
//! Every `include` directive is replaced by the text of its file between two comments, so that the
//! one file means what the many did.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use csp_grammar::source::{Loader, Sources};
use csp_grammar::syntax::{Decl, DeclKind};
use csp_grammar::{Diagnostic, Severity};

use crate::files::{self, FileError};

/// The whole text, or what is wrong with the script.
#[derive(Clone, Debug)]
pub struct Archive {
    /// The script without directives.
    pub text: String,
    /// The files that were read.
    pub inputs: Vec<PathBuf>,
    /// What reading it had to say.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that the diagnostics speak of.
    pub sources: Sources,
}

impl Archive {
    /// Whether something could not be read.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|d| d.severity == Severity::Error)
    }
}

/// Reads a script and puts what it includes in its place.
pub fn archive(file: &Path) -> Result<Archive, FileError> {
    let text = files::read(file)?;
    let mut sources = Sources::default();
    let root = sources.add(files::shown(file), text.clone());
    let (tree, diagnostics) = csp_grammar::parse(&mut sources, root, &mut files::loader(file));
    let text = if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        String::new()
    } else {
        expand(&text, &tree.decls, &mut files::loader(file))?
    };
    let included = sources.files.iter().skip(1);
    let inputs = std::iter::once(file.to_owned())
        .chain(included.map(|source| files::included(file, &source.name)))
        .collect();
    Ok(Archive {
        text,
        inputs,
        diagnostics,
        sources,
    })
}

/// The text of one file, whose declarations are given, without directives.
fn expand(text: &str, decls: &[Decl], loader: &mut Loader<'_>) -> Result<String, FileError> {
    let mut directives = Vec::new();
    collect(decls, &mut directives);
    let mut out = String::new();
    let mut done = 0;
    for (span, path, included) in directives {
        out.push_str(&text[done..span.start as usize]);
        // A file that several directives name is read, and counted, for each.
        let whole = loader(path).map_err(|reason| FileError {
            path: path.to_owned(),
            reason,
        })?;
        let whole = expand(&whole, included, loader)?;
        let end = if whole.ends_with('\n') || whole.is_empty() {
            ""
        } else {
            "\n"
        };
        let _ = write!(
            out,
            "-- include \"{path}\"\n{whole}{end}-- end of \"{path}\""
        );
        done = span.end as usize;
    }
    out.push_str(&text[done..]);
    Ok(out)
}

/// The directives among declarations, in the order of the text.
fn collect<'a>(decls: &'a [Decl], directives: &mut Vec<(csp_grammar::Span, &'a str, &'a [Decl])>) {
    for decl in decls {
        match &decl.kind {
            DeclKind::Include { path, decls } => directives.push((decl.span, path, decls)),
            DeclKind::Timed { decls, .. } => collect(decls, directives),
            DeclKind::Module {
                private, exported, ..
            } => {
                collect(private, directives);
                collect(exported, directives);
            }
            _ => {}
        }
    }
}
