//! Standard output, standard error and files; a closed pipe is not an error.

use std::fs;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;

use csp_driver::{Diagnostic, FileError, Sources};

use crate::args::Colour;
use crate::ascii;
use crate::diagnostics::{self, Style};

/// Why a verb ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Nobody reads our output any more.
    ClosedPipe,
    /// Something to tell the user; exit code 2.
    Message(String),
    /// The user has been told already; exit code 2.
    Told,
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Self::Message(format!("cannot read {}: {}", error.path, error.reason))
    }
}

/// What the terminal can show.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terminal {
    /// Columns of standard output.
    pub(crate) width: usize,
    /// Colour standard output.
    pub(crate) colour: bool,
    /// Colour standard error.
    pub(crate) colour_errors: bool,
    /// Characters beyond ASCII may not be understood.
    pub(crate) ascii: bool,
}

impl Terminal {
    pub(crate) fn new(colour: Colour, ascii: bool) -> Self {
        let allowed = match colour {
            Colour::Always => Some(true),
            Colour::Never => Some(false),
            Colour::Auto if std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty()) => {
                Some(false)
            }
            Colour::Auto => None,
        };
        let (out, err) = (
            std::io::stdout().is_terminal(),
            std::io::stderr().is_terminal(),
        );
        Self {
            width: width(out),
            colour: allowed.unwrap_or(out),
            colour_errors: allowed.unwrap_or(err),
            ascii: ascii || !unicode(),
        }
    }

    /// Writes text for people to standard output.
    pub(crate) fn print(&self, text: &str) -> Result<(), Failure> {
        if self.ascii {
            print(&ascii::spelt(text))
        } else {
            print(text)
        }
    }

    /// Writes to standard error; if that is closed there is nobody to tell.
    pub(crate) fn note(&self, text: &str) {
        let text = if self.ascii {
            ascii::spelt(text)
        } else {
            text.into()
        };
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }

    /// Says what went wrong.
    pub(crate) fn error(&self, message: &str) {
        self.note(&format!("csp: {message}\n"));
    }

    /// Draws diagnostics on standard error.
    pub(crate) fn show(&self, diagnostics: &[Diagnostic], sources: &Sources) {
        let style = Style {
            colour: self.colour_errors,
            ascii: self.ascii,
        };
        for diagnostic in diagnostics {
            self.note(&format!(
                "{}\n",
                diagnostics::draw(diagnostic, sources, style)
            ));
        }
    }
}

fn width(terminal: bool) -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
    let asked = || terminal.then(|| usize::from(console::Term::stdout().size().1));
    columns.or_else(asked).unwrap_or(120)
}

/// Whether the environment asks for more than ASCII. Where nothing is said, as in most containers,
/// terminals understand UTF-8.
pub(crate) fn unicode() -> bool {
    let set = |name: &str| std::env::var(name).ok().filter(|v| !v.is_empty());
    if set("CSP_ASCII").is_some_and(|v| v != "0") {
        return false;
    }
    let locale = set("LC_ALL")
        .or_else(|| set("LC_CTYPE"))
        .or_else(|| set("LANG"));
    locale.is_none_or(|l| {
        let l = l.to_ascii_lowercase();
        l.contains("utf-8") || l.contains("utf8")
    })
}

/// Writes to standard output, as it is.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|e| match e.kind() {
            ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Message(format!("cannot write to standard output: {e}")),
        })
}

/// Writes to a file, or to standard output without one.
pub(crate) fn write(file: Option<&Path>, text: &str) -> Result<(), Failure> {
    let Some(path) = file else { return print(text) };
    fs::write(path, text)
        .map_err(|e| Failure::Message(format!("cannot write {}: {e}", path.display())))
}
