//! Standard output, standard error and files.
//!
//! A closed pipe is not an error, and not a result either: what is written from then on is dropped,
//! and the exit code is that of the work. Files appear whole or not at all. Text for people has no
//! characters that a terminal could act on, but for the colours that are ours.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use csp_driver::{Diagnostic, FileError, Sources, escape};

use crate::args::Colour;
use crate::ascii;
use crate::diagnostics::{self, Style};
use crate::text::grouped;

/// Why a verb ended early.
#[derive(Debug)]
pub(crate) enum Failure {
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

/// How many diagnostics are drawn at a time; the rest is counted.
const MOST_SHOWN: usize = 100;

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
        self.print_coloured(&escape::lines(text))
    }

    /// Writes text that may have colours, in which what comes from a script is escaped.
    pub(crate) fn print_coloured(&self, text: &str) -> Result<(), Failure> {
        if self.ascii {
            print(&ascii::spelt(text))
        } else {
            print(text)
        }
    }

    /// Writes text for people in which cards and lamps are coloured; everything else is escaped.
    pub(crate) fn print_painted(&self, text: &str) -> Result<(), Failure> {
        const COLOUR: &str = "\u{1b}[";
        let mut out = String::new();
        for (i, piece) in text.split(COLOUR).enumerate() {
            let code = piece.split_once('m').filter(|(code, _)| {
                i > 0 && !code.is_empty() && code.bytes().all(|b| b.is_ascii_digit())
            });
            match code {
                Some((code, rest)) => {
                    out.push_str(COLOUR);
                    out.push_str(code);
                    out.push('m');
                    out.push_str(&escape::lines(rest));
                }
                None if i > 0 => out.push_str(&escape::lines(&format!("{COLOUR}{piece}"))),
                None => out.push_str(&escape::lines(piece)),
            }
        }
        self.print_coloured(&out)
    }

    /// Writes to standard error; if that is closed there is nobody to tell.
    pub(crate) fn note(&self, text: &str) {
        self.note_coloured(&escape::lines(text));
    }

    fn note_coloured(&self, text: &str) {
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
        for diagnostic in diagnostics.iter().take(MOST_SHOWN) {
            self.note_coloured(&format!(
                "{}\n",
                diagnostics::draw(diagnostic, sources, style)
            ));
        }
        if let Some(more) = diagnostics.len().checked_sub(MOST_SHOWN + 1) {
            let more = grouped(more as u64 + 1);
            self.note(&format!("csp: and {more} more\n"));
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

/// Nobody reads our output any more.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether whoever read our output has gone, so that there is no use in more of it.
pub(crate) fn closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

/// Writes to standard output, as it is.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    if closed() {
        return Ok(());
    }
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() == ErrorKind::BrokenPipe => {
            CLOSED.store(true, Ordering::Relaxed);
            Ok(())
        }
        written => {
            written.map_err(|e| Failure::Message(format!("cannot write to standard output: {e}")))
        }
    }
}

/// Writes to a file, or to standard output without one.
pub(crate) fn write(file: Option<&Path>, text: &str) -> Result<(), Failure> {
    let Some(path) = file else { return print(text) };
    replace(path, text.as_bytes())
        .map_err(|e| Failure::Message(format!("cannot write {}: {e}", path.display())))
}

/// Puts a new file in the place of an old one: readers see one or the other, never a part. What is
/// not a file, such as a terminal or a pipe, is written to.
fn replace(path: &Path, text: &[u8]) -> std::io::Result<()> {
    // A link stays a link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = fs::metadata(&target).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return fs::write(path, text);
    }
    let draft = draft(&target);
    let file = OpenOptions::new().write(true).create_new(true).open(&draft);
    let mut file = match file {
        Ok(file) => file,
        // A file may be ours to write in a folder that is not.
        Err(e) if e.kind() == ErrorKind::PermissionDenied && old.is_some() => {
            return fs::write(path, text);
        }
        Err(e) => return Err(e),
    };
    let written = file
        .write_all(text)
        .and_then(|()| file.sync_all())
        .and_then(|()| old.map_or(Ok(()), |old| file.set_permissions(old.permissions())))
        .and_then(|()| fs::rename(&draft, &target));
    if written.is_err() {
        // The draft is of no use; if it cannot be removed, the first error matters more.
        let _ = fs::remove_file(&draft);
    }
    written
}

/// The name of a file while it is being written, in the same folder.
fn draft(target: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(format!(".{}.draft", std::process::id()));
    target.with_file_name(name)
}

/// Refuses to write over a file that is being read.
pub(crate) fn refuse_input(output: &Path, inputs: &[PathBuf]) -> Result<(), Failure> {
    match inputs.iter().find(|input| same_file(output, input)) {
        None => Ok(()),
        Some(input) => Err(Failure::Message(format!(
            "{} is not written: it is the same file as {}, which is read",
            output.display(),
            input.display()
        ))),
    }
}

fn same_file(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if let (Ok(a), Ok(b)) = (fs::metadata(a), fs::metadata(b)) {
            return a.is_file() && (a.dev(), a.ino()) == (b.dev(), b.ino());
        }
    }
    fs::canonicalize(a).is_ok_and(|a| fs::canonicalize(b).is_ok_and(|b| a == b))
}
