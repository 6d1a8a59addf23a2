//! Two games in one script, so that one can be asked whether it refines the other.
//!
//! Both are dealt alike and share cards, places and the events of moves; everything else of the second game has
//! names of its own. What follows from moves by itself is hidden in each.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::{Options, model};
use crate::position::Position;
use crate::referee::BOOKKEEPING;

/// Types that each game has for itself.
const OWN: [&str; 4] = ["Kind", "Whereabouts", "Cover", "Topmost"];

/// What the names of the second game end with.
const SECOND: &str = "_2";

/// The script with the assertion that `looser` is refined by `stricter` in traces. The error says why the
/// two cannot be compared.
pub fn together(looser: &Position, stricter: &Position) -> Result<String, String> {
    if looser.columns != stricter.columns
        || looser.stock != stricter.stock
        || looser.reserve != stricter.reserve
        || looser.cells != stricter.cells
        || looser.hole != stricter.hole
        || looser.rows != stricter.rows
        || looser.piles != stricter.piles
    {
        return Err("the two games are dealt differently".to_owned());
    }
    let options = Options {
        forced: false,
        undealt: false,
    };
    let first = definitions(&model(looser, options));
    let second = definitions(&model(stricter, options));
    let own = own_names(&second);
    let shared: BTreeSet<&str> = first.lines().filter(|l| declares(l).is_some()).collect();
    let taken: BTreeSet<&str> = first.lines().filter_map(declares).collect();
    let mut out = first.clone();
    let _ = writeln!(out, "\n{}\n-- The second game.\n", "-".repeat(98));
    for line in second.lines() {
        let renamed = renamed(line, &own);
        if let Some(name) = declares(line)
            && !own.contains(name)
        {
            if shared.contains(line) {
                continue;
            }
            if taken.contains(name) {
                return Err(format!("'{name}' is not the same in the two games"));
            }
        }
        if line == "transparent chase" && first.contains("\ntransparent chase\n") {
            continue;
        }
        out.push_str(&renamed);
        out.push('\n');
    }
    let (a, b) = (&looser.rules.title, &stricter.rules.title);
    let _ = write!(
        out,
        "\n--@ pass: \"every play of {b} is one of {a}\"\n--@ fail: \"{b} has a play that {a} has not\"\n\
         assert Game [T= Game{SECOND}\n"
    );
    Ok(out)
}

/// A model without its assertion.
fn definitions(text: &str) -> String {
    let lines = text.lines();
    let lines: Vec<&str> = lines
        .filter(|l| !l.starts_with("--@") && !l.starts_with("assert "))
        .collect();
    lines.join("\n") + "\n"
}

/// The name that a line declares as a type or a channel.
fn declares(line: &str) -> Option<&str> {
    let rest = ["datatype ", "channel ", "nametype "]
        .iter()
        .find_map(|word| line.strip_prefix(word))?;
    rest.split(|c: char| !is_letter(c)).next()
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The names that a text defines and that the first game must not share: its functions and processes, what
/// happens by itself, and the grades of runs.
fn own_names(text: &str) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = BOOKKEEPING.iter().map(|n| (*n).to_owned()).collect();
    for line in text.lines() {
        let own = OWN.iter().find_map(|name| {
            let rest = line.strip_prefix("datatype ")?.strip_prefix(name)?;
            rest.strip_prefix(" = ").map(|values| (name, values))
        });
        if let Some((name, values)) = own {
            names.insert((*name).to_owned());
            let constructor = |value: &str| value.split('.').next().map(str::to_owned);
            names.extend(values.split(" | ").filter_map(constructor));
        }
        let name: String = line.chars().take_while(|c| is_letter(*c)).collect();
        let rest = line[name.len()..].trim_start();
        let defines = rest.starts_with('(') || rest.starts_with('=');
        if !name.is_empty() && defines && line.contains('=') {
            names.insert(name);
        }
    }
    names
}

fn renamed(line: &str, own: &BTreeSet<String>) -> String {
    if line.trim_start().starts_with("--") {
        return line.to_owned();
    }
    let mut out = String::new();
    let mut word = String::new();
    for c in line.chars().chain(['\n']) {
        if is_letter(c) {
            word.push(c);
            continue;
        }
        if own.contains(&word) {
            word.push_str(SECOND);
        }
        out.push_str(&word);
        word.clear();
        if c != '\n' {
            out.push(c);
        }
    }
    out
}
