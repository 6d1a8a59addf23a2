//! Reading scripts from the disk.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Why a script could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The path as given.
    pub path: String,
    /// The reason in a sentence.
    pub reason: String,
}

/// The largest script that is read.
const LARGEST: u64 = 1 << 30;

/// The text of a file, or of standard input for `-`. Bytes that are not UTF-8 are read as Latin-1.
pub(crate) fn read(path: &str) -> Result<String, FileError> {
    let failed = |reason: String| FileError {
        path: path.to_owned(),
        reason,
    };
    if path == "-" {
        let mut bytes = Vec::new();
        std::io::stdin()
            .take(LARGEST)
            .read_to_end(&mut bytes)
            .map_err(|e| failed(e.to_string()))?;
        return Ok(decode(bytes));
    }
    let metadata = fs::metadata(path).map_err(|e| failed(e.to_string()))?;
    if metadata.is_dir() {
        return Err(failed("it is a folder".to_owned()));
    }
    if metadata.len() > LARGEST {
        return Err(failed("it is larger than 1 GiB".to_owned()));
    }
    fs::read(path)
        .map(decode)
        .map_err(|e| failed(e.to_string()))
}

fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|e| e.into_bytes().into_iter().map(char::from).collect())
}

/// Reads included files relative to the folder of the root script.
pub(crate) fn loader(root: &str) -> impl FnMut(&str) -> Result<String, String> + use<> {
    let folder = if root == "-" {
        PathBuf::new()
    } else {
        Path::new(root).parent().unwrap_or(Path::new("")).to_owned()
    };
    move |path| {
        let full = folder.join(path);
        read(&full.to_string_lossy()).map_err(|e| e.reason)
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
        assert_eq!(read(".").expect_err("a folder").reason, "it is a folder");
        assert!(read("no/such/file").is_err());
    }
}
