//! Where text comes from: files by number, and byte ranges in them.

/// A source file of one run, in the order in which files were first read; 0 is the root script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FileId(pub u32);

/// A byte range in a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The smallest span that covers both (of the same file; otherwise the first).
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        if self.file != other.file {
            return self;
        }
        Self {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// One source file: the name to show and the text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name diagnostics show, as the user wrote it.
    pub name: String,
    /// The text; bytes that were not UTF-8 have been read as Latin-1.
    pub text: String,
}

/// All files of a run, indexed by [`FileId`].
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The files in the order in which they were first read.
    pub files: Vec<SourceFile>,
}

impl Sources {
    /// Adds a file and gives its number.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.files.push(SourceFile {
            name: name.into(),
            text: text.into(),
        });
        FileId(u32::try_from(self.files.len() - 1).expect("fewer than 2^32 files"))
    }

    /// The text of a span.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        self.files
            .get(span.file.0 as usize)
            .and_then(|f| f.text.get(span.start as usize..span.end as usize))
            .unwrap_or("")
    }

    /// Line and column (both from 1; the column counts characters) of a byte.
    #[must_use]
    pub fn position(&self, file: FileId, byte: u32) -> (usize, usize) {
        let Some(source) = self.files.get(file.0 as usize) else {
            return (1, 1);
        };
        let before = source.text.get(..byte as usize).unwrap_or(&source.text);
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        (
            before.matches('\n').count() + 1,
            before[line_start..].chars().count() + 1,
        )
    }
}

/// Reads an included file: the path as written in the script gives its text, or the reason why not.
pub type Loader<'a> = dyn FnMut(&str) -> Result<String, String> + 'a;
