//! Reading scripts from the disk.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::models;

/// Why a script could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The path as given.
    pub path: String,
    /// The reason in a sentence.
    pub reason: String,
}

/// The largest script that is read, what it includes counted with it.
const LARGEST: u64 = 64 << 20;

/// What a script may be read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// What the user names: a file, or a pipe that the shell has opened (`<(…)`).
    Named,
    /// What a script names: a file.
    Included,
}

/// The text of a file, or of standard input for `-`. Bytes that are not UTF-8 are read as Latin-1.
pub fn read(path: &Path) -> Result<String, FileError> {
    bytes(path, Source::Named, LARGEST)
        .map(decode)
        .map_err(|reason| FileError {
            path: shown(path),
            reason,
        })
}

/// A path as it is shown; what is not UTF-8 in it is replaced.
#[must_use]
pub fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn bytes(path: &Path, source: Source, most: u64) -> Result<Vec<u8>, String> {
    let too_large = || format!("a script has at most {} MiB", LARGEST >> 20);
    let told = |e: std::io::Error| e.to_string();
    let mut text = Vec::new();
    if path == Path::new("-") && source == Source::Named {
        let stdin = std::io::stdin();
        stdin.take(most + 1).read_to_end(&mut text).map_err(told)?;
    } else {
        let metadata = match fs::metadata(path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                let bundled = models::text(path).ok_or_else(|| told(e))?;
                return Ok(bundled.as_bytes().to_vec());
            }
            metadata => metadata.map_err(told)?,
        };
        if metadata.is_dir() {
            return Err("it is a folder".to_owned());
        }
        // Opening a pipe may wait for ever, and a device may have no end.
        let named = source == Source::Named && opened_by_the_shell(path);
        if !(metadata.is_file() || named) {
            return Err("it is not a file; - reads standard input".to_owned());
        }
        if metadata.len() > most {
            return Err(too_large());
        }
        let file = File::open(path).map_err(told)?;
        file.take(most + 1).read_to_end(&mut text).map_err(told)?;
    }
    if text.len() as u64 > most {
        return Err(too_large());
    }
    Ok(text)
}

/// Whether this is a pipe at one of the numbers of this process, so that opening it does not wait.
#[cfg(unix)]
fn opened_by_the_shell(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;

    let is_pipe = fs::metadata(path).is_ok_and(|m| m.file_type().is_fifo());
    is_pipe
        && ["/dev/fd", "/proc/self/fd"]
            .iter()
            .any(|folder| path.starts_with(folder))
}

#[cfg(not(unix))]
fn opened_by_the_shell(_: &Path) -> bool {
    false
}

fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|e| e.into_bytes().into_iter().map(char::from).collect())
}

/// Where an included file is: relative to the folder of the root script.
#[must_use]
pub fn included(root: &Path, path: &str) -> PathBuf {
    if root == Path::new("-") {
        return PathBuf::from(path);
    }
    root.parent().unwrap_or(Path::new("")).join(path)
}

/// Reads included files, together as much as a script may have.
pub fn loader(root: &Path) -> impl FnMut(&str) -> Result<String, String> + use<> {
    let root = root.to_owned();
    let mut left = LARGEST;
    move |path| {
        let text = bytes(&included(&root, path), Source::Included, left)?;
        left -= text.len() as u64;
        Ok(decode(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_1_bytes_become_characters() {
        assert_eq!(decode(vec![b'a', 0xe9]), "aé");
        assert_eq!(decode("aé".as_bytes().to_vec()), "aé");
    }

    #[test]
    fn folders_and_missing_files_are_said_to_be_so() {
        assert_eq!(
            read(Path::new(".")).expect_err("a folder").reason,
            "it is a folder"
        );
        assert!(read(Path::new("no/such/file")).is_err());
    }

    #[test]
    #[cfg(unix)]
    fn devices_are_not_read() {
        for path in ["/dev/zero", "/dev/null"] {
            let refused = |source| bytes(Path::new(path), source, LARGEST).is_err();
            assert!(
                refused(Source::Named) && refused(Source::Included),
                "{path}"
            );
        }
    }
}
