//! Where text comes from: files by number, and byte ranges in them.

use std::sync::OnceLock;

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
    /// Where lines and characters are, once somebody has asked.
    index: OnceLock<Index>,
}

/// Bytes between two places whose number in characters is known.
const STRIDE: usize = 1 << 10;

/// Lines and characters of a text, so that finding a place does not take longer the later it comes.
#[derive(Clone, Debug)]
struct Index {
    /// The first byte of each line.
    lines: Vec<usize>,
    /// How many characters begin before each multiple of [`STRIDE`].
    characters: Vec<usize>,
}

impl Index {
    fn of(text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let lines = std::iter::once(0).chain(ends.map(|(at, _)| at + 1));
        let mut characters = vec![0];
        for piece in text.as_bytes().chunks(STRIDE) {
            let before = characters.last().copied().unwrap_or(0);
            characters.push(before + begun(piece));
        }
        Self {
            lines: lines.collect(),
            characters,
        }
    }

    /// How many characters begin before a byte of the text.
    fn characters(&self, text: &str, byte: usize) -> usize {
        let known = byte / STRIDE;
        self.characters[known] + begun(&text.as_bytes()[known * STRIDE..byte])
    }
}

/// How many characters begin in a piece of UTF-8.
fn begun(piece: &[u8]) -> usize {
    piece.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
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
            index: OnceLock::new(),
        });
        FileId(u32::try_from(self.files.len() - 1).expect("fewer than 2^32 files"))
    }

    /// The whole text of a file.
    #[must_use]
    pub fn file_text(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", |f| &f.text)
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
        let text = source.text.as_str();
        let byte = (byte as usize).min(text.len());
        let index = source.index.get_or_init(|| Index::of(text));
        let line = index.lines.partition_point(|start| *start <= byte);
        let column = index.characters(text, byte) - index.characters(text, index.lines[line - 1]);
        (line, column + 1)
    }
}

/// Reads an included file: the path as written in the script gives its text, or the reason why not.
pub type Loader<'a> = dyn FnMut(&str) -> Result<String, String> + 'a;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_lines_and_characters() {
        let mut sources = Sources::default();
        let text = format!("aé\n{}\n\nx", "é".repeat(3000));
        let file = sources.add("text", text.as_str());
        for (byte, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let before = &text[..byte];
            let start = before.rfind('\n').map_or(0, |at| at + 1);
            let place = (
                before.matches('\n').count() + 1,
                before[start..].chars().count() + 1,
            );
            assert_eq!(sources.position(file, byte as u32), place);
        }
        assert_eq!(sources.position(file, u32::MAX), (4, 2));
    }
}
