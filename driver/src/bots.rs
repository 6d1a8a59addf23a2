//! Bots: games played by rule of thumb, over one deal or many.
//!
//! A bot sees what is offered and chooses by weights; it does not look ahead further than the position
//! after a move. What is offered is what the process of the model offers, so a bot plays any game. The
//! blind bot is the exception: it is that of the Petri-net model of Klondike, sends commands without
//! looking, and plays on that model's own table (`csp_games::petri`).

mod blind;
pub(crate) mod choice;
mod game;
mod play;
mod strategy;

use serde::{Deserialize, Serialize};

use crate::survey::wilson;

pub use blind::BlindDeck;
pub use csp_games::petri::Blind;
pub use game::Shown;
pub use play::{BotSettings, play};
pub use strategy::{Bot, Guard, Rule, Strategy};

/// Is told of every position of a game, and says whether to go on.
pub type Watch<'w> = dyn FnMut(&Shown) -> bool + 'w;

/// What is said of a game that was not played to its end.
const INTERRUPTED: &str = "interrupted";

/// How a game of a bot ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// It was won.
    Won,
    /// No move was left.
    Stuck,
    /// There were moves, and the bot wanted none of them.
    Passed,
    /// As many moves or commands were made as it may make.
    Limit,
}

/// One game of a bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameReport {
    /// The deal.
    pub deal: i64,
    /// How it ended.
    pub end: End,
    /// Moves that were made; for the blind bot, commands that were carried out.
    pub moves: u64,
    /// Commands that were sent, if the bot sends them blindly.
    pub commands: Option<u64>,
    /// The score at the end, if the game has one.
    pub score: Option<i32>,
}

/// What share of the same deals can be won by a player who knows all cards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WinnableReport {
    /// Deals with a play.
    pub solved: u64,
    /// Deals without.
    pub unsolvable: u64,
    /// Deals that were not decided within the limits.
    pub unknown: u64,
    /// The lower end of Wilson's interval with the undecided deals lost, in per cent.
    pub lower: f64,
    /// The upper end with the undecided deals won, in per cent.
    pub upper: f64,
}

/// What a bot came to over some deals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BotReport {
    /// The version of the shapes of reports.
    pub schema: u32,
    /// The script.
    pub file: String,
    /// The bot's name.
    pub bot: String,
    /// What the bot's chances were drawn with.
    pub seed: u64,
    /// Games that were won.
    pub won: u64,
    /// Games that came to a position without moves.
    pub stuck: u64,
    /// Games that the bot gave up.
    pub passed: u64,
    /// Games that came to the limit of moves or commands.
    pub limit: u64,
    /// The share of games won, in per cent.
    pub rate: f64,
    /// The lower end of Wilson's interval (z = 1.96), in per cent.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
    /// Moves over all games, on average.
    pub mean_moves: f64,
    /// The score at the end on average, if the game has one.
    pub mean_score: Option<f64>,
    /// The best score, if the game has one.
    pub best_score: Option<i32>,
    /// What share could be won, if that was asked for.
    pub winnable: Option<WinnableReport>,
    /// The games, by deal.
    pub games: Vec<GameReport>,
}

impl BotReport {
    /// Sums games up.
    #[must_use]
    pub fn new(file: &str, bot: &str, seed: u64, games: Vec<GameReport>) -> Self {
        let count = |end| games.iter().filter(|g| g.end == end).count() as u64;
        let (won, all) = (count(End::Won), games.len() as u64);
        let interval = wilson(won, all - won);
        let mean = |sum: f64, n: usize| if n == 0 { 0.0 } else { sum / n as f64 };
        let scores: Vec<i32> = games.iter().filter_map(|g| g.score).collect();
        let total: f64 = scores.iter().copied().map(f64::from).sum();
        Self {
            schema: crate::report::SCHEMA,
            file: file.to_owned(),
            bot: bot.to_owned(),
            seed,
            won,
            stuck: count(End::Stuck),
            passed: count(End::Passed),
            limit: count(End::Limit),
            rate: 100.0 * mean(won as f64, games.len()),
            lower: 100.0 * interval.0,
            upper: 100.0 * interval.1,
            mean_moves: mean(games.iter().map(|g| g.moves as f64).sum(), games.len()),
            mean_score: (!scores.is_empty()).then(|| mean(total, scores.len())),
            best_score: scores.iter().copied().max(),
            winnable: None,
            games,
        }
    }

    /// The bot has not made a single move though there were some.
    #[must_use]
    pub fn never_moved(&self) -> bool {
        !self.games.is_empty()
            && self
                .games
                .iter()
                .all(|g| g.moves == 0 && matches!(g.end, End::Passed | End::Limit))
    }
}
