//! The descriptions that come with the program, and how they are found by name.
//!
//! Files of `models/games` are part of the binary, so that names work in any folder.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::description::Description;
use crate::reading::read;
use crate::spelling;

mod files;

pub use files::FILES;

/// All bundled games, by name.
pub fn all() -> &'static [Arc<Description>] {
    static GAMES: OnceLock<Vec<Arc<Description>>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let readings = FILES
            .iter()
            .map(|(name, text)| read(name, name, text, &mut text_of));
        readings
            .filter_map(|r| r.description.map(Arc::new))
            .collect()
    })
}

/// The text of a bundled description.
#[must_use]
pub fn text(name: &str) -> Option<&'static str> {
    let found = FILES.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| *text)
}

/// The text of a bundled description; the error names the nearest.
pub fn text_of(name: &str) -> Result<String, String> {
    text(name).map(str::to_owned).ok_or_else(|| {
        let near = spelling::nearest(name, FILES.iter().map(|(known, _)| *known));
        match near.first() {
            Some(near) => format!("there is no such game; did you mean '{near}'?"),
            None => "there is no such game".to_owned(),
        }
    })
}

/// A name as it is compared: small letters and digits, words joined by hyphens.
fn normal(name: &str) -> String {
    let spoken = name.to_lowercase().replace(['\'', '’'], "");
    let words = spoken.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|w| !w.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}

/// A bundled game by its name, another name of it, or its title.
#[must_use]
pub fn find(name: &str) -> Option<&'static Arc<Description>> {
    let wanted = normal(name);
    let named = |d: &&Arc<Description>| d.name == wanted;
    let other = |d: &&Arc<Description>| d.also.iter().any(|n| normal(n) == wanted);
    let titled = |d: &&Arc<Description>| normal(&d.title) == wanted;
    let games = all();
    let exact = games.iter().find(named);
    exact
        .or_else(|| games.iter().find(other))
        .or_else(|| games.iter().find(titled))
}

/// The names nearest to one that is unknown.
#[must_use]
pub fn nearest(name: &str) -> Vec<&'static str> {
    let wanted = normal(name);
    let names = all().iter().flat_map(|d| {
        let others = d.also.iter().map(String::as_str);
        std::iter::once(d.name.as_str()).chain(others)
    });
    let names: Vec<&'static str> = names.collect();
    let mut near: Vec<&'static str> = spelling::nearest(&wanted, names.iter().copied());
    for name in names {
        if near.len() < 5 && name.contains(&wanted) && !near.contains(&name) {
            near.push(name);
        }
    }
    near
}

/// Whether a path names a description rather than a script.
#[must_use]
pub fn is_description(path: &Path) -> bool {
    let ending = path.extension().and_then(|e| e.to_str());
    ending.is_some_and(|e| e.eq_ignore_ascii_case("toml") || e.eq_ignore_ascii_case("json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_bundled_and_right() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/games");
        let mut there: Vec<String> = std::fs::read_dir(folder)
            .expect("the folder is there")
            .filter_map(|e| {
                e.ok()?
                    .file_name()
                    .to_str()?
                    .strip_suffix(".toml")
                    .map(str::to_owned)
            })
            .collect();
        there.sort();
        let bundled: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        assert_eq!(there, bundled);
        for (name, text) in FILES {
            let reading = read(name, name, text, &mut text_of);
            assert!(
                reading.description.is_some(),
                "{name}: {:?}",
                reading.diagnostics
            );
        }
    }

    /// The header of a file is its rules in words.
    #[test]
    fn headers_say_the_rules() {
        for ((name, text), game) in FILES.iter().zip(all()) {
            let header: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("# ")).collect();
            let rules = crate::words::rules(game);
            assert!(header.len() >= rules.len(), "{name} has no header");
            assert_eq!(header[..rules.len()], rules, "{name}");
        }
    }

    #[test]
    fn no_name_means_two_games() {
        let mut names: Vec<String> = all()
            .iter()
            .flat_map(|d| d.also.iter().map(|n| normal(n)).chain([d.name.clone()]))
            .collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(
            all()
                .iter()
                .all(|d| normal(&d.name) == d.name && !d.family.is_empty())
        );
    }

    #[test]
    fn games_are_found_by_any_of_their_names() {
        for name in ["free-cell", "freecell", "FreeCell", "Free Cell"] {
            assert_eq!(
                find(name).map(|d| d.name.as_str()),
                Some("free-cell"),
                "{name}"
            );
        }
        let name = |n| find(n).map(|d| d.name.as_str());
        assert_eq!(name("Baker\'s Dozen"), Some("bakers-dozen"));
        assert_eq!(name("accordion-knuth"), Some("late-binding-solitaire"));
        assert_eq!(name("klondyke"), None);
        assert!(nearest("klondyke").contains(&"klondike"));
    }
}
