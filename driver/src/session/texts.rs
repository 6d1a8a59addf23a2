//! The texts of a session: what editors have goes before what the host reads.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use csp_games::deal::layout::Numbering;

use super::SessionError;
use super::host::Host;
use crate::described::{DescribedGame, bundle};
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
    pub(super) fn load(&mut self) -> Option<Result<Script, SessionError>> {
        let root = self.root.clone()?;
        let text = match self.read(&root) {
            Ok(text) => text,
            Err(error) => return Some(Err(error.into())),
        };
        if bundle::is_description(Path::new(&root)) {
            let script = self.described(&root, &text);
            return Some(script.map_err(|what| SessionError::Missing { what }));
        }
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
        let script = Script::from_text(&root, text, &mut loader, &defines);
        Some(script.map_err(SessionError::from))
    }

    /// The model of a description, with the deal and the numbering that the constants `DEAL` and `NUMBERING`
    /// name; the error is a sentence.
    fn described(&mut self, root: &str, text: &str) -> Result<Script, String> {
        let defines = self.defines.clone();
        let path = Path::new(root);
        let name = path.file_stem().map(|s| s.to_string_lossy().into_owned());
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let mut load = |other: &str| {
            let beside = folder.join(format!("{other}.toml"));
            let own = self.read(&beside.to_string_lossy());
            own.or_else(|_| bundle::text_of(other))
        };
        let reading = csp_rules::read(&name.unwrap_or_default(), root, text, &mut load);
        let first = reading.diagnostics.first().map(|d| d.message.clone());
        let rules = reading.description.ok_or(first.unwrap_or_default())?;
        let (mut deal, mut numbering) = (None, None);
        for define in &defines {
            match define.split_once('=') {
                Some(("DEAL", number)) => {
                    let number = number.trim().parse::<u64>();
                    deal = Some(number.map_err(|_| format!("{define}: deals have numbers"))?);
                }
                Some(("NUMBERING", name)) => {
                    let known = Numbering::ALL.into_iter().find(|n| n.name() == name.trim());
                    numbering = Some(known.ok_or_else(|| format!("there is no numbering {name}"))?);
                }
                _ => {
                    return Err(format!(
                        "{define}: a description has no constants to replace"
                    ));
                }
            }
        }
        let game = DescribedGame::new(Arc::new(rules), numbering);
        let deal = deal.unwrap_or_else(|| game.usual_deal());
        game.script(deal).map_err(|error| error.reason)
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
