//! `play`: a game in the terminal, or by commands from a file.

mod bot;
mod commands;
mod thinking;

use std::io::{BufRead, IsTerminal};
use std::path::Path;

use csp_driver::CheckSettings;
use csp_driver::models::is_bundled;
use csp_driver::play::{Limits, PlayError, SavedGame, Table};

use crate::args::{PlayArguments, ScriptArguments};
use crate::cards::CardStyle;
use crate::language;
use crate::output::{self, Failure, Terminal};
use crate::progress::ProgressLine;
use commands::{Reply, Seat};
use thinking::{Next, Thinking};

pub(crate) fn run(options: &PlayArguments, terminal: &Terminal) -> Result<u8, Failure> {
    if let Some(name) = &options.bot {
        return bot::run(options, name, terminal);
    }
    let table = table(options, terminal)?;
    let interactive = std::io::stdin().is_terminal();
    let mut seat = Seat {
        table,
        style: CardStyle {
            colour: terminal.colour,
            ascii: terminal.ascii,
            open: false,
        },
        limits: Limits {
            max_states: options.max_states,
            timeout: Some(options.timeout),
            memory: None,
        },
    };
    if let Some(path) = &options.load {
        load(&mut seat.table, path)?;
    }
    terminal.print_painted(&seat.board())?;
    if interactive {
        return at_the_table(seat, options, terminal);
    }
    let mut refused = false;
    for line in std::io::stdin().lock().lines() {
        let line =
            line.map_err(|e| Failure::Message(format!("cannot read standard input: {e}")))?;
        match said(&mut seat, &line, options, terminal) {
            None => {}
            Some(Reply::Quit) => break,
            Some(Reply::Say(text)) => terminal.print_painted(&text)?,
            Some(Reply::Refused(text)) => {
                refused = true;
                terminal.print_painted(&text)?;
            }
            Some(Reply::Moved(text)) => {
                terminal.print_painted(&text)?;
                if seat.table.is_won() {
                    terminal.print_painted(&seat.ending())?;
                }
            }
        }
    }
    Ok(u8::from(refused))
}

/// What comes of a line; nothing of an empty one or a comment.
fn said(
    seat: &mut Seat,
    line: &str,
    options: &PlayArguments,
    terminal: &Terminal,
) -> Option<Reply> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let progress = ProgressLine::new("searching", options.quiet, terminal);
    Some(seat.command(line, &progress))
}

/// A player at a terminal: the lamp is lit in the background.
fn at_the_table(
    mut seat: Seat,
    options: &PlayArguments,
    terminal: &Terminal,
) -> Result<u8, Failure> {
    let mut thinking = Thinking::new();
    thinking.about(&seat.table, seat.limits);
    terminal.print_painted(PROMPT)?;
    loop {
        match thinking.next() {
            Next::End(None) => return Ok(0),
            Next::End(Some(why)) => return Err(Failure::Message(why)),
            Next::Thought(_, copy) => {
                seat.table.learn_from(&copy);
                // Over the prompt, which comes again below.
                output::print("\r")?;
                terminal.print_painted(&format!("  {}\n{PROMPT}", seat.light()))?;
                continue;
            }
            Next::Line(line) => match said(&mut seat, &line, options, terminal) {
                None => {}
                Some(Reply::Quit) => return Ok(0),
                Some(Reply::Say(text) | Reply::Refused(text)) => terminal.print_painted(&text)?,
                Some(Reply::Moved(text)) => {
                    terminal.print_painted(&format!("{text}\n{}", seat.board()))?;
                    thinking.about(&seat.table, seat.limits);
                }
            },
        }
        terminal.print_painted(PROMPT)?;
    }
}

/// Where the player types.
const PROMPT: &str = "> ";

/// Sets the table for a game by its name, or for that of a script.
fn table(options: &PlayArguments, terminal: &Terminal) -> Result<Table, Failure> {
    let arguments = ScriptArguments {
        file: file(&options.game).into(),
        defines: options.defines.clone(),
        deal: options.deal.clone(),
        board: options.board.clone(),
        numbering: options.numbering,
    };
    let mut script = language::load(&arguments, terminal)?;
    if script.has_errors() {
        return Err(Failure::Told);
    }
    let settings = CheckSettings {
        select: options.select.clone(),
        ..CheckSettings::default()
    };
    let line = ProgressLine::new("compiling", options.quiet, terminal);
    let table = script.table(&settings, &line);
    line.finish();
    table.map_err(|error| match error {
        PlayError::Reason(reason) => Failure::Message(reason),
        PlayError::Wrong(diagnostics) => {
            terminal.show(&diagnostics, script.sources());
            Failure::Told
        }
    })
}

/// The script of a game: a file, or a name for which the folder `models` has one, or else a described game.
fn file(game: &str) -> String {
    let model = format!("models/{game}.csp");
    let names = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let hand_written =
        game.chars().all(names) && (Path::new(&model).exists() || is_bundled(&model));
    if !Path::new(game).exists() && hand_written {
        model
    } else {
        game.to_owned()
    }
}

/// Reads a saved game and puts it on the table.
fn load(table: &mut Table, path: &Path) -> Result<(), Failure> {
    let wrong = |why: String| Failure::Message(format!("{}: {why}", path.display()));
    let text = std::fs::read_to_string(path)
        .map_err(|e| Failure::Message(format!("cannot read {}: {e}", path.display())))?;
    let saved: SavedGame =
        serde_json::from_str(&text).map_err(|e| wrong(format!("it is not a saved game: {e}")))?;
    table.load(&saved).map_err(wrong)
}
