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
    /// Whether everything is done on the thread that asks.
    pub(super) one_thread: bool,
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
            one_thread: !csp_host::thread::AVAILABLE,
        }
    }

    /// No threads: the session does everything on the thread that made it, while whoever asks waits. Answers to other
    /// threads are [`super::SessionError::Broken`]. So it is wherever there are no threads.
    #[must_use]
    pub fn on_one_thread(mut self) -> Self {
        self.one_thread = true;
        self
    }
}
