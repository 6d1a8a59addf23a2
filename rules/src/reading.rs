//! From text to a description: the format is recognised, what it extends is read too, and the whole
//! is validated.

use csp_grammar::source::{FileId, Sources};
use csp_grammar::{Diagnostic, Severity};

use crate::description::Description;
use crate::tree::{Node, Value};
use crate::{house, json, solvitaire, toml, validate};

/// The longest chain of descriptions that extend each other.
const LONGEST: usize = 20;

/// What came of reading a description.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The texts that were read, for diagnostics.
    pub sources: Sources,
    /// The description, if nothing is wrong with it.
    pub description: Option<Description>,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a description. `file` is what diagnostics call it, `name` what the game is called by, and
/// `load` gives the text of a description that is extended, or says why it cannot.
pub fn read(
    name: &str,
    file: &str,
    text: &str,
    load: &mut dyn FnMut(&str) -> Result<String, String>,
) -> Reading {
    let mut sources = Sources::default();
    let root = sources.add(file, text);
    let mut seen = vec![name.to_owned()];
    let tree = match tree(text, root) {
        Ok(tree) => extended(tree, &mut sources, &mut seen, load),
        Err(wrong) => Err(wrong),
    };
    let tree = match tree {
        Ok(tree) => tree,
        Err(wrong) => {
            return Reading {
                sources,
                description: None,
                diagnostics: vec![*wrong],
            };
        }
    };
    let ours = !text.trim_start().starts_with(['{', '/']) || !solvitaire::recognised(&tree);
    let (description, places, mut diagnostics) = if ours {
        house::describe(name, &tree)
    } else {
        solvitaire::describe(name, &tree)
    };
    if !diagnostics.iter().any(|d| d.severity == Severity::Error) {
        diagnostics.extend(validate::validate(&description, &places));
    }
    let right = !diagnostics.iter().any(|d| d.severity == Severity::Error);
    Reading {
        sources,
        description: right.then_some(description),
        diagnostics,
    }
}

fn tree(text: &str, file: FileId) -> Result<Value, Box<Diagnostic>> {
    if text.trim_start().starts_with(['{', '/']) {
        json::read(text, file)
    } else {
        toml::read(text, file)
    }
}

/// The tree laid over the one it extends.
fn extended(
    over: Value,
    sources: &mut Sources,
    seen: &mut Vec<String>,
    load: &mut dyn FnMut(&str) -> Result<String, String>,
) -> Result<Value, Box<Diagnostic>> {
    let Node::Table(entries) = &over.node else {
        return Ok(over);
    };
    let Some(entry) = entries.iter().find(|e| e.key == "extends") else {
        return Ok(over);
    };
    let Node::Text(name) = &entry.value.node else {
        return Ok(over);
    };
    let span = entry.value.span;
    if seen.contains(name) {
        let message = format!(
            "{} extends itself: {} -> {name}",
            seen[0],
            seen.join(" -> ")
        );
        return Err(Box::new(Diagnostic::error("E0705", span, message)));
    }
    if seen.len() > LONGEST {
        let message = format!(
            "{} extends more than {LONGEST} descriptions, one after another",
            seen[0]
        );
        return Err(Box::new(Diagnostic::error("E0705", span, message)));
    }
    let text = load(name).map_err(|why| {
        let message = format!("'{name}' cannot be extended: {why}");
        Box::new(Diagnostic::error("E0706", span, message))
    })?;
    let file = sources.add(name.clone(), text.clone());
    seen.push(name.clone());
    let mut base = extended(tree(&text, file)?, sources, seen, load)?;
    // What tells one game from another is not taken over.
    if let Node::Table(entries) = &mut base.node {
        let own = [
            "title",
            "also",
            "note",
            "published",
            "won",
            "lost",
            "source",
        ];
        entries.retain(|e| !own.contains(&e.key.as_str()));
    }
    Ok(base.overridden(over))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alone(text: &str) -> Reading {
        read("game", "game.toml", text, &mut |name| {
            Err(format!("no {name}"))
        })
    }

    fn codes(text: &str) -> Vec<(&'static str, String)> {
        let reading = alone(text);
        let place = |d: &Diagnostic| reading.sources.text(d.span).to_owned();
        reading
            .diagnostics
            .iter()
            .map(|d| (d.code, place(d)))
            .collect()
    }

    const FREECELL: &str = "title = \"FreeCell\"\n[tableau]\ncolumns = 8\nbuild = \"down alternating\"\n[cells]\ncount = 4\n[foundations]\n";

    #[test]
    fn a_description_is_read() {
        let game = alone(FREECELL).description.expect("right");
        assert_eq!(game.title, "FreeCell");
        assert_eq!(game.cells.count, 4);
        assert_eq!(game.build().text(), "next(host, card) and opposite colour");
    }

    #[test]
    fn members_are_overridden_one_by_one() {
        let over = "extends = \"freecell\"\n[cells]\ncount = 3\n";
        let reading = read(
            "three",
            "three.toml",
            over,
            &mut |_| Ok(FREECELL.to_owned()),
        );
        let game = reading.description.expect("right");
        assert_eq!(
            (game.cells.count, game.tableau.map(|t| t.columns)),
            (3, Some(8))
        );
        assert_eq!(game.title, "three");
    }

    #[test]
    fn circles_are_refused() {
        let reading = read("a", "a.toml", "extends = \"b\"\n", &mut |_| {
            Ok("extends = \"a\"\n".to_owned())
        });
        let message = &reading.diagnostics[0];
        assert_eq!(message.code, "E0705");
        assert_eq!(message.message, "a extends itself: a -> b -> a");
    }

    #[test]
    fn what_is_wrong_is_said_where_it_stands() {
        let wrong = |find: &str, put: &str| codes(&FREECELL.replace(find, put));
        assert_eq!(
            wrong("columns", "colums")[0],
            ("E0702", "colums".to_owned())
        );
        assert_eq!(wrong("= 8", "= \"8\"")[0], ("E0703", "\"8\"".to_owned()));
        assert_eq!(wrong("= 8", "= 1000")[0], ("E0709", "1000".to_owned()));
        assert_eq!(
            wrong(
                "columns = 8",
                "columns = 12\ndeal = [5,5,5,5,5,5,5,5,5,5,5,5]"
            )[0],
            ("E0707", "deal = [5,5,5,5,5,5,5,5,5,5,5,5]".to_owned())
        );
        assert_eq!(wrong("[foundations]", "")[0].0, "E0708");
        assert_eq!(wrong("down alt", "down ult")[0].0, "E0710");
        assert_eq!(codes("extends = \"x\"\n")[0].0, "E0706");
        assert!(codes("").iter().any(|(code, _)| *code == "E0708"));
    }

    #[test]
    fn sixty_cards_are_too_many() {
        let text = FREECELL.replace(
            "columns = 8",
            "columns = 12\ndeal = [5,5,5,5,5,5,5,5,5,5,5,5]",
        );
        let reading = alone(&text);
        assert_eq!(
            reading.diagnostics[0].message,
            "60 cards in columns and 0 elsewhere are 60, but a deck of 13 ranks has 52"
        );
    }

    #[test]
    fn rule_files_of_solvitaire_are_read() {
        let klondike = r#"{ "tableau piles": { "count": 7, "build policy": "red-black",
            "spaces policy": "kings", "diagonal deal": true, "move built group": "yes",
            "face up cards": "top" }, "foundations": { "removable": true },
            "stock": { "size": 24, "deal count": 3, "redeal": true } }"#;
        let game = alone(klondike).description.expect("right");
        assert!(game.has_waste() && game.hides_cards());
        let older = r#"{ "tableau size": 17, "build policy": "no-build", "hole present": true,
            "foundations present": false, "deck count": 1 }"#;
        let game = alone(older).description.expect("right");
        assert!(game.hole.is_some() && game.foundations.is_none());
        let wrong = alone(r#"{ "tableau piles": { "cuont": 7 } }"#);
        assert_eq!(wrong.diagnostics[0].code, "E0702");
        assert_eq!(
            wrong.diagnostics[0].help.as_deref(),
            Some("did you mean `count`?")
        );
        let streets = alone("{}").description.expect("the default");
        assert_eq!(streets.tableau.map(|t| t.columns), Some(8));
    }
}
