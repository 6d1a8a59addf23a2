//! A bot at the table: it makes one move after another, which can be taken back like any other.
//!
//! What it chooses from are the offers of the process. The blind bot sends its commands without looking; the
//! process says which are moves.

use std::collections::HashSet;

use csp_checker::reference::{Simulator, State, Successor};
use csp_games::petri::{Blind, Dice, Klondike};
use serde::{Deserialize, Serialize};

use super::offer;
use super::table::Table;
use crate::bots::Bot;
use crate::bots::choice::{self, Outlook};

/// What came of a bot's turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotMoveReport {
    /// It made a move.
    pub moved: bool,
    /// Commands that it sent, if it sends them blindly.
    pub commands: Option<u64>,
    /// Why it made none, in a sentence.
    pub reason: Option<String>,
}

/// The moves of a position as a bot sees them.
struct Outlooks<'a> {
    table: &'a Table,
    next: &'a [Successor],
    met: HashSet<&'a State>,
}

impl Outlooks<'_> {
    fn after(&self, index: usize) -> Vec<Successor> {
        let simulator = Simulator::new(&self.table.process.network);
        let next = simulator.successors(&self.next[index].state);
        next.unwrap_or_default()
    }

    fn is_goal(&self, successor: &Successor) -> bool {
        self.table.process.goal.contains(successor.steps[0].event)
    }
}

impl Outlook for Outlooks<'_> {
    fn events(&self) -> Vec<String> {
        let offers = self.table.offers().iter();
        offers.map(|offer| offer.event.clone()).collect()
    }

    fn is_new(&self, index: usize) -> bool {
        !self.met.contains(&self.next[index].state)
    }

    fn wins(&self, index: usize) -> bool {
        self.after(index).iter().any(|s| self.is_goal(s))
    }

    fn choices(&self, index: usize) -> usize {
        let after = self.after(index);
        after.iter().filter(|s| !self.is_goal(s)).count()
    }

    fn done(&self, index: usize) -> Result<i64, String> {
        let mut referee = self.table.node().referee.copied();
        let steps = &self.next[index].steps;
        offer::follow(&self.table.process, referee.as_mut(), steps)?;
        Ok(choice::done(&referee.position()))
    }
}

impl Table {
    /// The bots that can play on from here, by name.
    pub(super) fn bots(&self) -> Vec<String> {
        let mut bots = vec!["random".to_owned(), "greedy".to_owned()];
        if Klondike::of_position(&self.node().referee.position()).is_some() {
            bots.push("blind".to_owned());
        }
        bots
    }

    /// Has a bot make a move. The same seed in the same position makes the same move.
    ///
    /// # Errors
    ///
    /// The model and its referee do not agree: the model is wrong.
    pub fn bot_move(&mut self, bot: &Bot, seed: u64) -> Result<BotMoveReport, String> {
        let number = u64::try_from(self.number()).unwrap_or(u64::MAX);
        let mut dice = Dice::new(seed, number);
        if self.is_won() {
            return Ok(none("the game is won"));
        }
        if self.offers().is_empty() {
            return Ok(none("no move is left"));
        }
        if let Bot::Blind(blind) = bot {
            return self.blind_move(blind, &mut dice);
        }
        let path = self.path();
        let last = self.node().done.as_ref();
        let last = last.map_or_else(String::new, |done| done.event.clone());
        let outlooks = Outlooks {
            table: self,
            next: self.next(),
            met: path.iter().map(|node| &self.nodes[*node].state).collect(),
        };
        match choice::choose(bot, &outlooks, &last, &mut dice)? {
            None => Ok(none("the bot wants none of the moves")),
            Some(index) => {
                self.choose(index)?;
                Ok(BotMoveReport {
                    moved: true,
                    commands: None,
                    reason: None,
                })
            }
        }
    }

    /// Sends commands until the process takes one.
    fn blind_move(&mut self, blind: &Blind, dice: &mut Dice) -> Result<BotMoveReport, String> {
        let position = self.node().referee.position();
        let Some(start) = Klondike::of_position(&position) else {
            return Ok(none(
                "the blind bot sends the commands of Klondike and plays nothing else",
            ));
        };
        for sent in 1..=blind.commands {
            let mut game = start.clone();
            let Some(command) = blind.command(&mut game, dice, &mut None) else {
                continue;
            };
            // What its own rules allow, the process may refuse: then it was a command like the others.
            if self.command(&command.to_string()).is_ok() {
                return Ok(BotMoveReport {
                    moved: true,
                    commands: Some(sent),
                    reason: None,
                });
            }
        }
        let commands = blind.commands;
        let reason = format!("none of {commands} commands was a move");
        Ok(BotMoveReport {
            moved: false,
            commands: Some(commands),
            reason: Some(reason),
        })
    }
}

fn none(why: &str) -> BotMoveReport {
    BotMoveReport {
        moved: false,
        commands: None,
        reason: Some(why.to_owned()),
    }
}
