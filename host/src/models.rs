//! The bundled models, in the program itself: a path below `models` that is not on the disk is read from
//! here, so that games can be played by their names in any folder. Files on the disk come first.

use std::path::Path;

/// Path and text, in order.
const MODELS: &[(&str, &str)] = &[
    (
        "models/election.csp",
        include_str!("../../models/election.csp"),
    ),
    (
        "models/freecell-columns.csp",
        include_str!("../../models/freecell-columns.csp"),
    ),
    (
        "models/freecell-named.csp",
        include_str!("../../models/freecell-named.csp"),
    ),
    (
        "models/freecell-optimistic.csp",
        include_str!("../../models/freecell-optimistic.csp"),
    ),
    (
        "models/freecell-suits.csp",
        include_str!("../../models/freecell-suits.csp"),
    ),
    (
        "models/freecell.csp",
        include_str!("../../models/freecell.csp"),
    ),
    ("models/golf.csp", include_str!("../../models/golf.csp")),
    (
        "models/king-albert.csp",
        include_str!("../../models/king-albert.csp"),
    ),
    (
        "models/klondike-best.csp",
        include_str!("../../models/klondike-best.csp"),
    ),
    (
        "models/klondike-modules.csp",
        include_str!("../../models/klondike-modules.csp"),
    ),
    (
        "models/klondike-score.csp",
        include_str!("../../models/klondike-score.csp"),
    ),
    (
        "models/klondike.csp",
        include_str!("../../models/klondike.csp"),
    ),
    (
        "models/lib/cards.csp",
        include_str!("../../models/lib/cards.csp"),
    ),
    (
        "models/lib/columns.csp",
        include_str!("../../models/lib/columns.csp"),
    ),
    (
        "models/lib/deals.csp",
        include_str!("../../models/lib/deals.csp"),
    ),
    (
        "models/lib/klondike-linked.csp",
        include_str!("../../models/lib/klondike-linked.csp"),
    ),
    (
        "models/lib/klondike.csp",
        include_str!("../../models/lib/klondike.csp"),
    ),
    (
        "models/lib/pegs.csp",
        include_str!("../../models/lib/pegs.csp"),
    ),
    (
        "models/linked-stack.csp",
        include_str!("../../models/linked-stack.csp"),
    ),
    ("models/lock.csp", include_str!("../../models/lock.csp")),
    (
        "models/mobility.csp",
        include_str!("../../models/mobility.csp"),
    ),
    (
        "models/montana-mobile.csp",
        include_str!("../../models/montana-mobile.csp"),
    ),
    (
        "models/montana.csp",
        include_str!("../../models/montana.csp"),
    ),
    (
        "models/no-peek.csp",
        include_str!("../../models/no-peek.csp"),
    ),
    (
        "models/peg-triangle.csp",
        include_str!("../../models/peg-triangle.csp"),
    ),
    ("models/peg.csp", include_str!("../../models/peg.csp")),
    (
        "models/peg.view.json",
        include_str!("../../models/peg.view.json"),
    ),
    (
        "models/philosophers-by-parts.csp",
        include_str!("../../models/philosophers-by-parts.csp"),
    ),
    (
        "models/philosophers.csp",
        include_str!("../../models/philosophers.csp"),
    ),
    (
        "models/philosophers.view.json",
        include_str!("../../models/philosophers.view.json"),
    ),
    ("models/sudoku.csp", include_str!("../../models/sudoku.csp")),
    (
        "models/token-ring.csp",
        include_str!("../../models/token-ring.csp"),
    ),
];

/// The text of a bundled model or of the view beside it, by its path from the root of the workspace.
#[must_use]
pub fn text(path: &Path) -> Option<&'static str> {
    let mut models = MODELS.iter();
    let (_, text) = models.find(|(name, _)| Path::new(name) == path)?;
    Some(text)
}

/// The paths of all that is bundled, in order.
pub fn names() -> impl Iterator<Item = &'static str> {
    MODELS.iter().map(|(name, _)| *name)
}

/// Whether there is a bundled model of this path.
#[must_use]
pub fn is_bundled(path: &str) -> bool {
    text(Path::new(path)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every script and every view of the folder is in the table, and no other file.
    #[test]
    fn the_table_is_the_folder() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut found = Vec::new();
        for folder in ["models", "models/lib"] {
            for entry in std::fs::read_dir(root.join(folder)).expect("a folder") {
                let name = entry.expect("an entry").file_name();
                let name = name.to_string_lossy().into_owned();
                if name.ends_with(".csp") || name.ends_with(".view.json") {
                    found.push(format!("{folder}/{name}"));
                }
            }
        }
        found.sort();
        assert_eq!(names().collect::<Vec<_>>(), found);
    }
}
