//! The folder that was opened: which scripts there are, and reading and writing inside it.
//!
//! A name that a page sends is relative, has no `..`, and stays inside the folder when links are followed;
//! anything else is refused before the disk is asked for its contents. The bundled models can be read as if they were
//! in the folder, so that there is something to start from; files on the disk come first.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Component, Path, PathBuf};

use csp_driver::described::bundle;
use csp_driver::models;
use serde::Serialize;

use crate::refusal::Refusal;

/// Scripts longer than this are refused.
pub(crate) const MOST_TEXT: u64 = 1_000_000;

/// How deep folders are searched for scripts, and how many are listed.
const DEPTH: usize = 4;
const MOST_FILES: usize = 2_000;

/// Scripts longer than this are not looked into for games.
const LONG_GAME: u64 = 64_000;

/// The opened folder and the script that was named, if one was.
#[derive(Debug)]
pub(crate) struct Folder {
    root: PathBuf,
    /// What the page calls the folder.
    pub(crate) name: String,
    /// The file on the command line, relative to the folder.
    pub(crate) first: Option<String>,
}

/// A script of the folder.
#[derive(Debug, Serialize)]
pub(crate) struct Listed {
    pub(crate) file: String,
    pub(crate) size: u64,
    /// The game that it is about, if it is one.
    pub(crate) game: Option<String>,
}

/// The contents of a file and what identifies them.
#[derive(Debug, Serialize)]
pub(crate) struct FileText {
    pub(crate) file: String,
    pub(crate) text: String,
    pub(crate) stamp: String,
}

impl Folder {
    /// Opens a folder, or the folder of a file.
    pub(crate) fn open(path: &Path) -> Result<Self, std::io::Error> {
        let path = fs::canonicalize(path)?;
        let (root, first) = if path.is_dir() {
            (path, None)
        } else {
            let first = path.file_name().map(|n| n.to_string_lossy().into_owned());
            let folder = path.parent().unwrap_or(Path::new("/")).to_owned();
            (folder, first)
        };
        let name = root
            .file_name()
            .map_or_else(|| "/".to_owned(), |n| n.to_string_lossy().into_owned());
        Ok(Self { root, name, first })
    }

    /// The scripts and the views beside them, sorted by name.
    pub(crate) fn list(&self) -> (Vec<Listed>, Vec<String>) {
        let (mut scripts, mut views) = (Vec::new(), Vec::new());
        let mut folders = vec![(PathBuf::new(), 0)];
        while let Some((folder, depth)) = folders.pop() {
            let Ok(entries) = fs::read_dir(self.root.join(&folder)) else {
                continue;
            };
            for entry in entries.flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                let Ok(kind) = entry.file_type() else {
                    continue;
                };
                let file = folder.join(&name);
                if kind.is_dir() {
                    let skipped =
                        name.starts_with('.') || name == "target" || name == "node_modules";
                    if depth < DEPTH && !skipped {
                        folders.push((file, depth + 1));
                    }
                } else if name.ends_with(".csp") && scripts.len() < MOST_FILES {
                    let size = entry.metadata().map_or(0, |m| m.len());
                    let game = game(&self.root.join(&file), size);
                    let file = file.to_string_lossy().into_owned();
                    scripts.push(Listed { file, size, game });
                } else if name.ends_with(".view.json") && views.len() < MOST_FILES {
                    views.push(file.to_string_lossy().into_owned());
                }
            }
        }
        let bundled = models::names().filter(|name| name.ends_with(".view.json"));
        views.extend(bundled.map(str::to_owned));
        scripts.sort_by(|a, b| a.file.cmp(&b.file));
        views.sort();
        views.dedup();
        (scripts, views)
    }

    /// The text of a bundled model or description that is not in the folder.
    fn bundled(&self, file: &str) -> Option<&'static str> {
        let described = file.strip_prefix("models/games/");
        let described = described.and_then(|name| bundle::text(name.strip_suffix(".toml")?));
        let text = models::text(Path::new(file)).or(described)?;
        let here = self.root.join(file).symlink_metadata().is_ok();
        (!here).then_some(text)
    }

    /// Whether a name of the page may be read: it is inside the folder, or bundled.
    pub(crate) fn allow(&self, file: &str) -> Result<(), Refusal> {
        if self.bundled(file).is_none() {
            self.place(file)?;
        }
        Ok(())
    }

    /// Where a script is on disk, for what reads it from there.
    pub(crate) fn on_disk(&self, file: &str) -> Result<PathBuf, Refusal> {
        if self.bundled(file).is_some() {
            return Err(Refusal::script(format!(
                "'{file}' is an example that is not on the disk: save it in the editor first"
            )));
        }
        self.place(file)
    }

    /// Where a name of the page is on disk, if it is inside the folder.
    pub(crate) fn place(&self, file: &str) -> Result<PathBuf, Refusal> {
        let path = Path::new(file);
        let plain = path.components().all(|c| matches!(c, Component::Normal(_)));
        if file.is_empty() || !plain || file.contains('\0') {
            return Err(Refusal::outside(file));
        }
        let whole = self.root.join(path);
        // The folder of the file counts for a file that is yet to be made.
        let existing = if whole.symlink_metadata().is_ok() {
            whole.clone()
        } else {
            whole.parent().unwrap_or(&self.root).to_owned()
        };
        let real = fs::canonicalize(&existing).map_err(|e| Refusal::unreadable(file, &e))?;
        if real.starts_with(&self.root) {
            Ok(whole)
        } else {
            Err(Refusal::outside(file))
        }
    }

    /// Reads a file of text.
    pub(crate) fn read(&self, file: &str) -> Result<FileText, Refusal> {
        if let Some(text) = self.bundled(file) {
            return Ok(FileText {
                file: file.to_owned(),
                text: text.to_owned(),
                stamp: stamp(text),
            });
        }
        let path = self.place(file)?;
        let size = fs::metadata(&path)
            .map_err(|e| Refusal::unreadable(file, &e))?
            .len();
        if size > MOST_TEXT {
            return Err(Refusal::too_long(file, size));
        }
        let bytes = fs::read(&path).map_err(|e| Refusal::unreadable(file, &e))?;
        let text = String::from_utf8(bytes).map_err(|_| Refusal::binary(file))?;
        let stamp = stamp(&text);
        Ok(FileText {
            file: file.to_owned(),
            text,
            stamp,
        })
    }

    /// Writes a script or a view whose contents on disk are still those of the stamp; without a stamp it
    /// is overwritten. The new contents appear at once or not at all.
    pub(crate) fn save(
        &self,
        file: &str,
        text: &str,
        known: Option<&str>,
    ) -> Result<FileText, Refusal> {
        if !(file.ends_with(".csp") || file.ends_with(".view.json")) {
            return Err(Refusal::not_a_script(file));
        }
        if text.len() as u64 > MOST_TEXT {
            return Err(Refusal::too_long(file, text.len() as u64));
        }
        if self.bundled(file).is_some()
            && let Some(parent) = self.root.join(file).parent()
        {
            // A bundled model that is saved becomes a file; the folder that it names may be missing.
            fs::create_dir_all(parent).map_err(|e| Refusal::unwritable(file, &e))?;
        }
        let path = self.place(file)?;
        if let Some(known) = known
            && path.exists()
            && self.read(file)?.stamp != known
        {
            return Err(Refusal::changed(file));
        }
        // A link is written through to the file it names, which `place` found to be inside.
        let path = fs::canonicalize(&path).unwrap_or(path);
        let beside = path.with_extension("csp-saving");
        let written = fs::File::create(&beside)
            .and_then(|mut new| new.write_all(text.as_bytes()).and_then(|()| new.sync_all()))
            .and_then(|()| fs::rename(&beside, &path));
        if let Err(error) = written {
            let _ = fs::remove_file(&beside);
            return Err(Refusal::unwritable(file, &error));
        }
        self.read(file)
    }
}

/// The game of a script that is not long, by the line above its assertion.
fn game(path: &Path, size: u64) -> Option<String> {
    if size > LONG_GAME {
        return None;
    }
    let text = fs::read_to_string(path).ok()?;
    let named = text.lines().find_map(|line| line.strip_prefix("--@ game:"));
    named.map(|name| name.trim().to_owned())
}

/// What identifies a text.
pub(crate) fn stamp(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:016x}-{}", hasher.finish(), text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> (PathBuf, Folder) {
        let root = std::env::temp_dir().join(format!("csp-web-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(root.join("inside/deep")).expect("made");
        fs::write(root.join("secret.csp"), "secret").expect("written");
        fs::write(root.join("inside/a.csp"), "STOP").expect("written");
        let folder = Folder::open(&root.join("inside")).expect("opened");
        (root, folder)
    }

    #[test]
    fn names_stay_inside() {
        let (root, folder) = folder("names");
        assert_eq!(folder.read("a.csp").expect("read").text, "STOP");
        for outside in [
            "../secret.csp",
            "/etc/passwd",
            "deep/../../secret.csp",
            "",
            ".",
            "deep/..",
            "a\0.csp",
        ] {
            assert!(folder.read(outside).is_err(), "{outside} was read");
            assert!(
                folder.save(outside, "x", None).is_err(),
                "{outside} was written"
            );
        }
        assert_eq!(
            fs::read_to_string(root.join("secret.csp")).expect("read"),
            "secret"
        );
        fs::remove_dir_all(root).expect("removed");
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_out_are_refused() {
        let (root, folder) = folder("links");
        std::os::unix::fs::symlink(root.join("secret.csp"), root.join("inside/link.csp"))
            .expect("linked");
        std::os::unix::fs::symlink(&root, root.join("inside/up")).expect("linked");
        for outside in ["link.csp", "up/secret.csp", "up/new.csp"] {
            assert!(folder.read(outside).is_err(), "{outside} was read");
            assert!(
                folder.save(outside, "x", None).is_err(),
                "{outside} was written"
            );
        }
        assert_eq!(
            fs::read_to_string(root.join("secret.csp")).expect("read"),
            "secret"
        );
        fs::remove_dir_all(root).expect("removed");
    }

    #[test]
    fn bundled_models_are_read_where_the_folder_has_none() {
        let (root, folder) = folder("bundled");
        let file = "models/philosophers.csp";
        let bundled = folder.read(file).expect("read");
        assert!(bundled.text.contains("Symmetric"));
        assert!(folder.allow(file).is_ok());
        assert!(folder.on_disk(file).is_err());
        assert!(folder.allow("../models/philosophers.csp").is_err());
        assert!(folder.list().0.iter().all(|listed| listed.file != file));
        // Saved only when asked, into the folder; from then on the file counts.
        let saved = folder.save(file, "P = STOP", Some(&bundled.stamp));
        assert_eq!(saved.expect("saved").text, "P = STOP");
        assert!(root.join("inside").join(file).exists());
        assert_eq!(folder.read(file).expect("read").text, "P = STOP");
        fs::remove_dir_all(root).expect("removed");
    }

    #[test]
    fn a_file_that_changed_is_not_overwritten() {
        let (root, folder) = folder("stamps");
        let read = folder.read("a.csp").expect("read");
        fs::write(root.join("inside/a.csp"), "SKIP").expect("written");
        assert!(folder.save("a.csp", "mine", Some(&read.stamp)).is_err());
        let theirs = folder.read("a.csp").expect("read");
        let saved = folder
            .save("a.csp", "mine", Some(&theirs.stamp))
            .expect("saved");
        assert_eq!(saved.text, "mine");
        assert!(folder.save("notes.txt", "x", None).is_err());
        fs::remove_dir_all(root).expect("removed");
    }
}
