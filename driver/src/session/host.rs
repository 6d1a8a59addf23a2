//! Where a session's files come from.

use std::path::Path;

use crate::files::{self, FileError};

/// Reads files for a session, by the path that the script or its user gives.
pub trait Files: Send {
    /// The text of a file.
    fn read(&mut self, path: &str) -> Result<String, FileError>;
}

impl<F: FnMut(&str) -> Result<String, FileError> + Send> Files for F {
    fn read(&mut self, path: &str) -> Result<String, FileError> {
        self(path)
    }
}

/// What a session needs of the machine it runs on.
pub struct Host {
    pub(super) files: Box<dyn Files>,
}

impl Host {
    /// Files from the disk.
    #[must_use]
    pub fn disk() -> Self {
        Self::with_files(|path: &str| files::read(Path::new(path)))
    }

    /// No files: every text is set.
    #[must_use]
    pub fn memory() -> Self {
        Self::with_files(|path: &str| {
            Err(FileError {
                path: path.to_owned(),
                reason: "there is no such text".to_owned(),
            })
        })
    }

    /// Files from somewhere else.
    #[must_use]
    pub fn with_files(files: impl Files + 'static) -> Self {
        Self {
            files: Box::new(files),
        }
    }
}
