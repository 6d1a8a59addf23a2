//! A game at the table. A request carries the whole game as the page has it, so that a server that was started again,
//! or has forgotten the tab, loses nothing; as long as both have the same game, nothing is played again.
//!
//! Legal moves are the events that the process offers; nothing here knows the rules of a game.

mod lamp;
mod prospects;
mod start;

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use csp_driver::CancelToken;
use csp_driver::bots::Bot;
use csp_driver::play::{BotMoveReport, RefusalReport, SavedGame, Table, TableReport};
use serde::{Deserialize, Serialize};

use super::{Asked, Tab};
use crate::refusal::Refusal;
use crate::seats::{Purpose, ScriptRequest, Seat, lock};
use crate::work::{Bench, broken};

pub(super) use lamp::lamp;
pub(super) use prospects::prospects;
pub(super) use start::start;

/// A game with more moves than this is refused, branches included.
const MOST_MOVES: usize = 20_000;

/// Settings of a bot that are longer than this are refused.
const MOST_SETTINGS: usize = 100_000;

/// The table of a tab. Its number changes when another game is put onto it.
pub(crate) struct Placed {
    table: Table,
    number: u64,
}

/// Which game, and how far it has come.
#[derive(Deserialize)]
pub(super) struct GameRequest {
    script: ScriptRequest,
    /// None is the deal.
    saved: Option<SavedGame>,
}

#[derive(Deserialize)]
pub(super) struct TableRequest {
    #[serde(flatten)]
    game: GameRequest,
    act: Option<Act>,
}

/// What a player does.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Act {
    /// Makes the move of an event.
    Play {
        event: String,
    },
    /// Makes the moves of several events, one after another, and stays at the last.
    Follow {
        events: Vec<String>,
    },
    /// Makes the moves of several events and comes back: they are what `Redo` does then.
    Show {
        events: Vec<String>,
    },
    /// Makes a move that is told as players do.
    Command {
        text: String,
    },
    /// Has a bot make a move.
    Bot {
        /// A name, or the text of a file with settings.
        bot: String,
        #[serde(default)]
        seed: u64,
    },
    Undo,
    Redo,
    Restart,
    Go {
        node: usize,
    },
}

#[derive(Serialize)]
pub(super) struct TableAnswer {
    report: TableReport,
    saved: SavedGame,
    refusal: Option<RefusalReport>,
    /// What came of a bot's turn.
    bot: Option<BotMoveReport>,
}

pub(super) async fn table(
    State(bench): State<Arc<Bench>>,
    Tab(tab): Tab,
    Asked(asked): Asked<TableRequest>,
) -> Result<Json<TableAnswer>, Refusal> {
    let seat = seat(&bench, &tab, &asked.game)?;
    let answer = bench.ask(&tab, move |cancel| {
        at(&seat, &asked.game, cancel, |placed| {
            let (mut refusal, mut bot) = (None, None);
            match asked.act {
                Some(Act::Bot { bot: name, seed }) => {
                    bot = Some(turn(&mut placed.table, &name, seed));
                }
                Some(act) => refusal = act.done(&mut placed.table).err(),
                None => {}
            }
            TableAnswer {
                report: placed.table.report(),
                saved: placed.table.saved(),
                refusal,
                bot,
            }
        })
    });
    answer.await.map(Json)
}

fn seat(bench: &Arc<Bench>, tab: &str, asked: &GameRequest) -> Result<Arc<Seat>, Refusal> {
    let moves = asked.saved.as_ref().map_or(0, |saved| saved.moves.len());
    if moves > MOST_MOVES {
        return Err(Refusal::script(format!(
            "a game may have up to {MOST_MOVES} moves"
        )));
    }
    bench
        .seats
        .seat(&bench.folder, tab, &asked.script, Purpose::Play)
}

/// Does something with the table as the page has it.
fn at<T>(
    seat: &Seat,
    asked: &GameRequest,
    cancel: &CancelToken,
    work: impl FnOnce(&mut Placed) -> T,
) -> Result<T, Refusal> {
    let mut kept = lock(&seat.game);
    if kept.is_none() {
        let table = seat.session.table(cancel)?;
        *kept = Some(Placed { table, number: 0 });
    }
    let placed = kept.as_mut().ok_or_else(broken)?;
    match &asked.saved {
        None => placed.table.restart(),
        Some(saved) => placed.bring(saved)?,
    }
    Ok(work(placed))
}

impl Placed {
    /// Has the table as a saved game says.
    fn bring(&mut self, saved: &SavedGame) -> Result<(), Refusal> {
        let own = self.table.saved();
        if own == *saved {
            return Ok(());
        }
        let same = own.schema == saved.schema
            && own.game == saved.game
            && own.deal == saved.deal
            && own.moves == saved.moves;
        if same && self.table.go(saved.now) {
            return Ok(());
        }
        self.table
            .load(saved)
            .map_err(|why| Refusal::script(format!("the saved game does not fit: {why}")))?;
        self.number += 1;
        Ok(())
    }
}

impl Act {
    fn done(self, table: &mut Table) -> Result<(), RefusalReport> {
        match self {
            Self::Play { event } => table.play(&event)?,
            Self::Follow { events } => follow(table, &events)?,
            Self::Show { events } => {
                let here = table.saved().now;
                let followed = follow(table, &events);
                table.go(here);
                followed?;
            }
            // A bot's turn has an answer of its own.
            Self::Bot { .. } => {}
            Self::Command { text } => {
                table.command(&text)?;
            }
            // There may be nothing to take back: then nothing changes.
            Self::Undo => {
                table.undo();
            }
            Self::Redo => {
                table.redo();
            }
            Self::Restart => table.restart(),
            Self::Go { node } => {
                table.go(node);
            }
        }
        Ok(())
    }
}

/// One move of a bot; what is wrong with its settings is why it makes none.
fn turn(table: &mut Table, name: &str, seed: u64) -> BotMoveReport {
    let bot = match name {
        "random" => Ok(Bot::random()),
        "greedy" => Ok(Bot::Greedy),
        text if text.len() > MOST_SETTINGS => {
            Err("the settings of the bot are too long".to_owned())
        }
        text => Bot::parse(text),
    };
    let done = bot.and_then(|bot| table.bot_move(&bot, seed));
    done.unwrap_or_else(|why| BotMoveReport {
        moved: false,
        commands: None,
        reason: Some(why),
    })
}

fn follow(table: &mut Table, events: &[String]) -> Result<(), RefusalReport> {
    events
        .iter()
        .take(MOST_MOVES)
        .try_for_each(|event| table.play(event))
}
