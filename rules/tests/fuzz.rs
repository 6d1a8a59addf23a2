//! Descriptions that nobody meant: whatever the text is, reading it ends, and what is accepted can be told, dealt
//! and turned into a model.

use std::sync::Arc;

use csp_games::deal::layout::Numbering;
use csp_rules::bundle::{self, FILES};
use csp_rules::model::{Options, model};
use csp_rules::{deal, layout, pairs, read, short, words};

/// A generator that is the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % n.max(1)
    }
}

const WORDS: [&str; 40] = [
    "0",
    "1",
    "2",
    "60",
    "1000",
    "-1",
    "99999999999999999999",
    "1.5",
    "true",
    "false",
    "\"\"",
    "\"any\"",
    "\"none\"",
    "\"first\"",
    "\"run\"",
    "\"whole\"",
    "\"all\"",
    "\"columns\"",
    "\"waste\"",
    "\"hole\"",
    "\"unlimited\"",
    "[",
    "]",
    "{",
    "}",
    "=",
    "\"",
    ",",
    ":",
    "\n",
    "[tableau]",
    "[stock]",
    "[hole]",
    "[gaps]",
    "[accordion]",
    "[foundations]",
    "extends",
    "\"down in suit wrapping\"",
    "\"not (empty or same rank) and if single then ace(card) else king(host)\"",
    "é",
];

fn loaded(name: &str) -> Result<String, String> {
    let found = FILES.iter().find(|(known, _)| *known == name);
    found
        .map(|(_, text)| (*text).to_owned())
        .ok_or_else(|| "unknown".to_owned())
}

/// Everything that is made from a description.
fn used(text: &str) -> bool {
    let reading = read("fuzz", "fuzz", text, &mut loaded);
    for wrong in &reading.diagnostics {
        assert!(wrong.code.starts_with("E07") || wrong.code.starts_with("W07"));
        let shown = reading.sources.text(wrong.span);
        assert!(shown.len() <= text.len() + 10_000);
    }
    let Some(description) = reading.description else {
        assert!(!reading.diagnostics.is_empty());
        return false;
    };
    let rules = Arc::new(description);
    assert!(!words::page(&rules).is_empty());
    assert!(!layout::layout(&rules).plots.is_empty());
    assert!(pairs::tests(&rules).len() < 1000);
    for game in [Ok((*rules).clone()), short::short(&rules, 3)]
        .into_iter()
        .flatten()
    {
        let game = Arc::new(game);
        for numbering in [Numbering::Ours, Numbering::Solvitaire] {
            let position = deal::deal(&game, numbering, 1);
            let position = position.unwrap_or_else(|why| panic!("{why}: {text}"));
            assert!(position.moves().len() < 100_000);
            let text = model(
                &position,
                Options {
                    forced: true,
                    undealt: false,
                },
            );
            assert!(text.contains("assert STOP [T= Game"));
        }
    }
    true
}

fn mutated(random: &mut Random, text: &str) -> String {
    let mut parts: Vec<String> = text
        .split_inclusive([' ', '\n', '=', ','])
        .map(str::to_owned)
        .collect();
    for _ in 0..=random.below(4) {
        let at = random.below(parts.len());
        match random.below(4) {
            0 if parts.len() > 1 => {
                parts.remove(at);
            }
            1 => parts.insert(at, parts[random.below(parts.len())].clone()),
            2 => parts.insert(at, WORDS[random.below(WORDS.len())].to_owned()),
            _ => parts[at] = format!("{} ", WORDS[random.below(WORDS.len())]),
        }
    }
    parts.concat()
}

#[test]
fn mutated_descriptions_end_in_a_game_or_in_diagnostics() {
    let mut random = Random(23);
    let mut accepted = 0;
    for _ in 0..1500 {
        let (_, text) = FILES[random.below(FILES.len())];
        accepted += usize::from(used(&mutated(&mut random, text)));
    }
    assert!(accepted > 50, "only {accepted} descriptions were accepted");
}

#[test]
fn mutated_rule_files_of_solvitaire_end_in_a_game_or_in_diagnostics() {
    const FILE: &str = r#"{ "tableau piles" : { "count" : 7 , "build policy" : "red-black" ,
        "spaces policy" : "kings" , "diagonal deal" : true , "move built group" : "yes" ,
        "face up cards" : "top" } , "foundations" : { "removable" : true , "base card" : "A" } ,
        "stock" : { "size" : 24 , "deal count" : 1 , "redeal" : true } , "cells" : { "count" : 2 } ,
        "reserve" : { "size" : 3 , "stacked" : true } , "max rank" : 13 , "two decks" : true }"#;
    let mut random = Random(1);
    for _ in 0..1500 {
        used(&mutated(&mut random, FILE));
    }
}

/// The numbers of an enormous description are out of range, each where it stands.
#[test]
fn enormous_descriptions_are_refused() {
    let text =
        "[pack]\ndecks = 10\n[tableau]\ncolumns = 1000\n[foundations]\n[cells]\ncount = 50\n";
    let reading = read("big", "big", text, &mut loaded);
    let told: Vec<(&str, &str)> = reading
        .diagnostics
        .iter()
        .map(|d| (d.code, reading.sources.text(d.span)))
        .collect();
    assert_eq!(told, [("E0709", "10"), ("E0709", "1000"), ("E0709", "50")]);
    for deep in [
        "[".repeat(100_000),
        format!("{{\"a\":{}", "[".repeat(100_000)),
        "a = ".to_owned() + &"{b = ".repeat(50_000),
    ] {
        let reading = read("deep", "deep", &deep, &mut loaded);
        assert!(reading.description.is_none() && !reading.diagnostics.is_empty());
    }
    let nested = format!("[tableau]\nbuild = \"{}\"\n", "not ".repeat(50_000));
    assert!(
        read("not", "not", &nested, &mut loaded)
            .description
            .is_none()
    );
    let empty = read("empty", "empty", "", &mut loaded);
    assert!(empty.diagnostics.iter().any(|d| d.code == "E0708"));
}

/// A chain of descriptions that never ends, each extending another.
#[test]
fn chains_without_end_are_refused() {
    let mut count = 0;
    let mut load = |_: &str| {
        count += 1;
        Ok(format!("extends = \"next-{count}\"\n"))
    };
    let reading = read("first", "first", "extends = \"next-0\"\n", &mut load);
    assert_eq!(
        reading
            .diagnostics
            .iter()
            .map(|d| d.code)
            .collect::<Vec<_>>(),
        ["E0705"]
    );
    assert!(!bundle::all().is_empty());
}
