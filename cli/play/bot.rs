//! `play --bot`: a bot plays one deal with pictures, or many without.

use std::fmt::Write;
use std::time::Duration;

use csp_driver::CheckSettings;
use csp_driver::bots::{self, BlindDeck, Bot, BotReport, BotSettings, End, Shown};
use csp_driver::solve::{Method, SolveSettings};

use super::file;
use crate::args::{BotDeck, PlayArguments};
use crate::cards::CardStyle;
use crate::check;
use crate::interrupt;
use crate::output::{self, Failure, Terminal};
use crate::text::counted;

pub(super) fn run(options: &PlayArguments, name: &str, terminal: &Terminal) -> Result<u8, Failure> {
    let settings = settings(options, name)?;
    let pause = Duration::try_from_secs_f64(options.bots.delay)
        .map_err(|_| Failure::Message("--delay takes a number of seconds".to_owned()))?;
    let style = CardStyle {
        colour: terminal.colour,
        ascii: terminal.ascii,
        open: false,
    };
    let pictures = options.bots.deals.is_none() && !options.bots.json;
    let mut failure = None;
    let mut shown = |now: &Shown| {
        if let Err(wrong) = terminal.print_painted(&picture(style, now)) {
            failure = Some(wrong);
            return false;
        }
        std::thread::sleep(pause);
        !interrupt::requested()
    };
    let report = csp_driver::on_deep_stack(|| {
        bots::play(&settings, if pictures { Some(&mut shown) } else { None })
    });
    if let Some(failure) = failure {
        return Err(failure);
    }
    if interrupt::requested() {
        return Ok(130);
    }
    let report = report.map_err(Failure::Message)?;
    if options.bots.json {
        let text = serde_json::to_string_pretty(&report);
        output::print(&(text.map_err(|e| Failure::Message(e.to_string()))? + "\n"))?;
    } else {
        terminal.print(&text(&report, pictures))?;
    }
    if report.never_moved() {
        let why = format!(
            "the bot '{}' never moves: it wants none of the moves",
            report.bot
        );
        return Err(Failure::Message(why));
    }
    Ok(0)
}

fn settings(options: &PlayArguments, name: &str) -> Result<BotSettings, Failure> {
    let bot = match name {
        "blind" => Bot::Blind(csp_driver::bots::Blind::default()),
        "random" => Bot::random(),
        "greedy" => Bot::Greedy,
        path => {
            let text = std::fs::read_to_string(path).map_err(|e| {
                let names = "blind, random and greedy";
                Failure::Message(format!(
                    "the bots are {names}, and '{path}' cannot be read: {e}"
                ))
            })?;
            Bot::parse(&text).map_err(|why| Failure::Message(format!("{path}: {why}")))?
        }
    };
    let is_blind = matches!(bot, Bot::Blind(_));
    if is_blind && options.game != "klondike" {
        let why = "the blind bot sends the commands of Klondike and plays nothing else";
        return Err(Failure::Message(why.to_owned()));
    }
    if is_blind && (options.board.is_some() || !options.defines.is_empty()) {
        let why = "the blind bot plays whole packs, one card at a time: it takes no board and no definitions";
        return Err(Failure::Message(why.to_owned()));
    }
    let one = |text: &String| {
        let number: Result<i64, _> = text.parse();
        let wrong = |_| Failure::Message(format!("'{text}' is not the number of a deal"));
        number.map(|n| n..=n).map_err(wrong)
    };
    let deals = match (&options.bots.deals, &options.deal) {
        (Some(range), _) => Some(check::range(range)?),
        (None, deal) => deal.as_ref().map(one).transpose()?,
    };
    let file = file(&options.game);
    let mut defines = options.defines.clone();
    if let Some(board) = &options.board {
        let game = csp_driver::Script::load(&file, &defines)?.game_played();
        let game = game.ok_or_else(|| Failure::Message(format!("{file} is not a game")))?;
        defines.extend(crate::deal::board(game, board, &defines)?);
    }
    let many = options.bots.deals.is_some();
    Ok(BotSettings {
        file: file.into(),
        defines,
        bot,
        deals,
        deck: match options.bots.deck {
            BotDeck::Shuffled => BlindDeck::Shuffled,
            BotDeck::Sorted => BlindDeck::Sorted,
        },
        seed: options.bots.seed,
        limit: options.bots.limit,
        solve: SolveSettings {
            check: CheckSettings {
                max_states: options.max_states,
                timeout: Some(options.timeout),
                select: options.select.clone(),
                ..CheckSettings::default()
            },
            goal: None,
            method: Method::Greedy,
            improve: None,
            boards: false,
        },
        winnable: many && !options.bots.no_solve,
        threads: check::threads(None)?,
        interrupted: interrupt::token(),
    })
}

fn picture(style: CardStyle, now: &Shown) -> String {
    let mut out = String::new();
    if now.number > 0 {
        let _ = write!(out, "{:>4}  {}", now.number, style.words(&now.text));
    }
    if let Some(score) = now.score {
        let gap = if out.is_empty() { "" } else { "    " };
        let _ = write!(out, "{gap}score {score}");
    }
    let _ = writeln!(out, "\n{}", style.position(&now.position));
    out
}

fn text(report: &BotReport, one: bool) -> String {
    let mut out = String::new();
    if let (true, [game]) = (one, report.games.as_slice()) {
        let end = match game.end {
            End::Won => "won",
            End::Stuck => "stuck: no move is left",
            End::Passed => "given up: the bot wants none of the moves",
            End::Limit => "not won within the limit",
        };
        let moves = counted(game.moves, "move");
        let _ = write!(out, "{}: {end}, {moves}", report.bot);
        if let Some(commands) = game.commands {
            let _ = write!(out, " of {}", counted(commands, "command"));
        }
        if let Some(score) = game.score {
            let _ = write!(out, ", {score} points");
        }
        out.push('\n');
        return out;
    }
    let games = report.games.len();
    let _ = writeln!(
        out,
        "{}: {} of {games} won, {:.1} % ({:.1} to {:.1}); {} stuck, {} given up, {} at the limit",
        report.bot,
        report.won,
        report.rate,
        report.lower,
        report.upper,
        report.stuck,
        report.passed,
        report.limit
    );
    let _ = write!(out, "{:.1} moves on average", report.mean_moves);
    if let (Some(mean), Some(best)) = (report.mean_score, report.best_score) {
        let _ = write!(out, ", {mean:.1} points, {best} at best");
    }
    out.push('\n');
    if let Some(winnable) = &report.winnable {
        let _ = writeln!(
            out,
            "of these deals {} can be won, {} cannot, {} were not decided ({:.1} to {:.1} %)",
            winnable.solved, winnable.unsolvable, winnable.unknown, winnable.lower, winnable.upper
        );
    }
    out
}
