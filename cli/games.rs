//! Described games: `games` lists them, `rules` tells one in words; and the games that the other verbs take by
//! name.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use csp_driver::Script;
use csp_driver::described::{self, DescribedGame, Named, bundle};
use csp_driver::games::{GameFilter, GameReport, game, games};
use csp_driver::suite::{BoardReport, TestReport, suite, suite_script};

use crate::args::{DealNumbering, GamesArguments, RulesArguments, ScriptArguments};
use crate::output::{self, Failure, Terminal};

/// The game that a word names; nothing if it is a script. What is wrong with a description is shown.
pub(crate) fn named(
    word: &Path,
    numbering: Option<DealNumbering>,
    terminal: &Terminal,
) -> Result<Option<DescribedGame>, Failure> {
    let rules = match described::named(word).map_err(Failure::Message)? {
        Named::Script => return Ok(None),
        Named::Game(rules) => rules,
        Named::Description(reading) => {
            terminal.show(&reading.diagnostics, &reading.sources);
            Arc::new(reading.description.ok_or(Failure::Told)?)
        }
    };
    let numbering = numbering.map(Into::into);
    Ok(Some(DescribedGame::new(rules, numbering)))
}

/// The script of a described game; nothing if the file is a script.
pub(crate) fn script(
    arguments: &ScriptArguments,
    terminal: &Terminal,
) -> Result<Option<Script>, Failure> {
    let Some(game) = named(&arguments.file, arguments.numbering, terminal)? else {
        return Ok(None);
    };
    if !arguments.defines.is_empty() || arguments.board.is_some() {
        let message = format!(
            "{} is a description: it has no constants to replace and no board to start from; another \
             description can extend it",
            game.rules.name
        );
        return Err(Failure::Message(message));
    }
    let number = match &arguments.deal {
        None => game.usual_deal(),
        Some(deal) => number(deal)?,
    };
    game.script(number)
        .map(Some)
        .map_err(|error| Failure::Message(format!("{}: {}", error.path, error.reason)))
}

/// The number of a deal.
pub(crate) fn number(deal: &str) -> Result<u64, Failure> {
    deal.parse()
        .map_err(|_| Failure::Message(format!("'{deal}' is not the number of a deal")))
}

pub(crate) fn list(options: &GamesArguments, terminal: &Terminal) -> Result<u8, Failure> {
    let filter = GameFilter {
        words: options.words.clone(),
        family: options.family.clone(),
        decks: options.decks,
        hidden: options.hidden,
        open: options.open,
        rate: options.rate.as_deref().map(rate).transpose()?,
    };
    let found = games(&filter);
    if options.json {
        let text = serde_json::to_string_pretty(&found).expect("reports have only string keys");
        return output::print(&format!("{text}\n")).map(|()| 0);
    }
    if found.is_empty() {
        let words = options.words.join(" ");
        let near = bundle::nearest(&words);
        let help = if near.is_empty() {
            "'csp games' lists all".to_owned()
        } else {
            format!("near are {}", near.join(", "))
        };
        terminal.error(&format!("no game is like that; {help}"));
        return Ok(1);
    }
    terminal.print(&table(&found)).map(|()| 0)
}

/// A range of rates in per cent, `70..90`.
fn rate(text: &str) -> Result<(f64, f64), Failure> {
    let wrong = || {
        Failure::Message(format!(
            "--rate takes a range in per cent, as 70..90, not '{text}'"
        ))
    };
    let (low, high) = text.split_once("..").ok_or_else(wrong)?;
    let end = |text: &str, or: f64| match text.trim() {
        "" => Ok(or),
        number => number.parse::<f64>().map_err(|_| wrong()),
    };
    Ok((end(low, 0.0)?, end(high, 100.0)?))
}

fn table(found: &[GameReport]) -> String {
    let name = found.iter().map(|g| g.name.len()).max().unwrap_or(0);
    let family = found.iter().map(|g| g.family.len()).max().unwrap_or(0);
    let mut out = String::new();
    for g in found {
        let hidden = if g.hidden { "hidden" } else { "open" };
        let decks = match g.decks {
            1 => "1 deck ".to_owned(),
            n => format!("{n} decks"),
        };
        let rate = g
            .rate
            .as_ref()
            .map_or(String::new(), |rate| format!("  {rate} %"));
        let _ = writeln!(
            out,
            "{:name$}  {:family$}  {decks}  {hidden:6}{rate}",
            g.name, g.family
        );
    }
    let _ = writeln!(out, "{} of {} games", found.len(), bundle::all().len());
    out
}

pub(crate) fn rules(options: &RulesArguments, terminal: &Terminal) -> Result<u8, Failure> {
    let path = Path::new(&options.game);
    let Some(described) = named(path, options.numbering, terminal)? else {
        let message = format!("{} is a script, not a description of a game", options.game);
        return Err(Failure::Message(message));
    };
    if options.tests {
        return tests(&described, options, terminal);
    }
    if let Some(other) = &options.within {
        return within(&described, other, options, terminal);
    }
    if options.model {
        let deal = match &options.deal {
            None => described.usual_deal(),
            Some(deal) => number(deal)?,
        };
        let text = described
            .model(deal, !options.unforced)
            .map_err(Failure::Message)?;
        return output::print(&text).map(|()| 0);
    }
    if options.json {
        let report = game(&described.rules);
        let text = serde_json::to_string_pretty(&report).expect("reports have only string keys");
        return output::print(&format!("{text}\n")).map(|()| 0);
    }
    terminal
        .print(&described::words::page(&described.rules))
        .map(|()| 0)
}

/// The tests of a game; a condition that decides nothing is a remark and exit code 1.
fn tests(
    game: &DescribedGame,
    options: &RulesArguments,
    terminal: &Terminal,
) -> Result<u8, Failure> {
    if options.model {
        return output::print(&suite_script(&game.rules)).map(|()| 0);
    }
    let report = suite(&game.rules);
    let code = u8::from(report.tests.iter().any(|t| t.redundant));
    if options.json {
        let text = serde_json::to_string_pretty(&report).expect("reports have only string keys");
        return output::print(&format!("{text}\n")).map(|()| code);
    }
    let mut out = String::new();
    for test in &report.tests {
        line(&mut out, test);
    }
    let pairs = report.tests.iter().filter(|t| !t.redundant).count();
    let _ = writeln!(out, "{pairs} of {} atoms decide", report.tests.len());
    terminal.print(&out).map(|()| code)
}

fn line(out: &mut String, test: &TestReport) {
    let cards = |board: &BoardReport| match &board.host {
        Some(host) => format!("{} on {host}", board.card),
        None => board.card.clone(),
    };
    let _ = match (&test.legal, &test.illegal) {
        (Some(legal), Some(illegal)) => {
            let tied = if test.tied.is_empty() {
                String::new()
            } else {
                format!(" (with {})", test.tied.join(", "))
            };
            let (yes, no) = (cards(legal), cards(illegal));
            writeln!(
                out,
                "{}: {}: yes {yes}, no {no}{tied}",
                test.kind, test.atom
            )
        }
        _ => writeln!(
            out,
            "{}: {}: W0713, it decides nothing in '{}'",
            test.kind, test.atom, test.condition
        ),
    };
}

/// The script that asks whether a game is within another.
fn within(
    stricter: &DescribedGame,
    other: &str,
    options: &RulesArguments,
    terminal: &Terminal,
) -> Result<u8, Failure> {
    let looser = named(Path::new(other), options.numbering, terminal)?.ok_or_else(|| {
        Failure::Message(format!("{other} is a script, not a description of a game"))
    })?;
    let deal = options.deal.as_deref().map_or(Ok(1), number)?;
    let text = described::within(&looser, stricter, options.ranks, deal);
    output::print(&text.map_err(Failure::Message)?).map(|()| 0)
}
