//! The texts of a session: what editors have goes before what the host reads.

use std::collections::BTreeMap;

use super::host::Host;
use crate::files::FileError;
use crate::script::Script;

/// Named texts, the script among them, and the constants that are replaced.
pub(super) struct Texts {
    host: Host,
    /// By their normal names.
    edited: BTreeMap<String, String>,
    root: Option<String>,
    defines: Vec<String>,
    /// Goes up with every change.
    version: u64,
}

impl Texts {
    pub(super) fn new(host: Host) -> Self {
        Self {
            host,
            edited: BTreeMap::new(),
            root: None,
            defines: Vec::new(),
            version: 0,
        }
    }

    pub(super) fn version(&self) -> u64 {
        self.version
    }

    pub(super) fn touch(&mut self) {
        self.version += 1;
    }

    pub(super) fn open(&mut self, path: &str) {
        self.root = Some(path.to_owned());
        self.touch();
    }

    pub(super) fn set(&mut self, name: &str, text: &str) {
        if self.root.is_none() {
            self.root = Some(name.to_owned());
        }
        let before = self.edited.insert(normal(name), text.to_owned());
        if before.as_deref() != Some(text) {
            self.touch();
        }
    }

    pub(super) fn remove(&mut self, name: &str) {
        if self.edited.remove(&normal(name)).is_some() {
            self.touch();
        }
    }

    pub(super) fn define(&mut self, parameters: Vec<(String, String)>) {
        let defines = parameters.iter().map(|(name, e)| format!("{name}={e}"));
        self.defines = defines.collect();
        self.touch();
    }

    /// The script with everything that it includes; `None` if no script was opened.
    pub(super) fn load(&mut self) -> Option<Result<Script, FileError>> {
        let root = self.root.clone()?;
        let text = match self.read(&root) {
            Ok(text) => text,
            Err(error) => return Some(Err(error)),
        };
        let folder = match root.rfind(['/', '\\']) {
            Some(end) => root[..=end].to_owned(),
            None => String::new(),
        };
        let defines = self.defines.clone();
        // Paths in scripts are relative to the folder of the root script.
        let mut loader = |path: &str| {
            let absolute = path.starts_with('/');
            let full = if absolute {
                path.to_owned()
            } else {
                format!("{folder}{path}")
            };
            self.read(&full).map_err(|error| error.reason)
        };
        Some(Script::from_text(&root, text, &mut loader, &defines))
    }

    fn read(&mut self, path: &str) -> Result<String, FileError> {
        match self.edited.get(&normal(path)) {
            Some(text) => Ok(text.clone()),
            None => self.host.files.read(path),
        }
    }
}

/// The path without `.` parts and with `..` taken back where possible.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| !["..", ""].contains(last)) => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::normal;

    #[test]
    fn one_file_has_one_name() {
        assert_eq!(normal("./a/../b.csp"), "b.csp");
        assert_eq!(normal("../b.csp"), "../b.csp");
        assert_eq!(normal("/a/./b.csp"), "/a/b.csp");
    }
}
