//! What a table says of itself, as values that can be sent and kept.

use serde::{Deserialize, Serialize};

use super::run::RunReport;
use crate::games::LayoutReport;

/// Everything that a drawing of the table needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableReport {
    /// The version of the shapes of reports.
    pub schema: u32,
    /// The name of the game.
    pub game: String,
    /// The script.
    pub file: String,
    /// How many moves were chosen to come here.
    pub number: usize,
    /// What lies where.
    pub position: PositionReport,
    /// Where the piles lie, if the rules of the game say so.
    pub layout: Option<LayoutReport>,
    /// The bots that can play on from here, by name.
    pub bots: Vec<String>,
    /// What the process offers now.
    pub offers: Vec<OfferReport>,
    /// What happened by itself before the first move.
    pub opening: Vec<ForcedReport>,
    /// The moves from the start to here.
    pub line: Vec<LineReport>,
    /// The moves that `redo` would make, one after another.
    pub ahead: Vec<LineReport>,
    /// Which of those moves are one, as players say it.
    pub runs: Vec<RunReport>,
    /// Where the game was played on in more than one way.
    pub branches: Vec<BranchReport>,
    /// The game is won.
    pub won: bool,
    /// It is not won and nothing is offered.
    pub stuck: bool,
    /// The score, if the game has one.
    pub score: Option<i32>,
    /// What is known of winning from here.
    pub lamp: LampReport,
}

/// A position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionReport {
    /// Piles of cards; empty for other games.
    pub piles: Vec<PileReport>,
    /// A board with pegs.
    pub holes: Option<HolesReport>,
    /// A grid of digits.
    pub digits: Option<DigitsReport>,
}

/// A pile of cards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PileReport {
    /// `column`, `cell`, `foundation`, `stock`, `waste`, `reserve` or `row`.
    pub kind: String,
    /// The name in commands.
    pub name: String,
    /// The name in short notation.
    pub symbol: String,
    /// The suit of a foundation: `C`, `D`, `H` or `S`.
    pub suit: Option<String>,
    /// The cards, the one that was put down last at the end.
    pub cards: Vec<CardReport>,
}

/// A place of a pile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardReport {
    /// Rank and suit, as in `5D`; none for a gap.
    pub card: Option<String>,
    /// It lies face up.
    pub up: bool,
}

/// A board with pegs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HolesReport {
    /// `o` is a peg, `.` an empty hole, anything else is no hole.
    pub rows: Vec<String>,
    /// Neighbours lie as in bricks.
    pub triangular: bool,
}

/// A grid of digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DigitsReport {
    /// Rows and columns of a box.
    pub side: usize,
    /// The digits; 0 where there is none yet.
    pub rows: Vec<Vec<u8>>,
    /// Whether each was given.
    pub given: Vec<Vec<bool>>,
}

/// A place on the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpotReport {
    /// The name of the pile, hole or cell.
    pub pile: String,
    /// Its short name.
    pub symbol: String,
    /// Which place of the pile, from 0.
    pub index: usize,
}

/// A move that the process offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferReport {
    /// The event.
    pub event: String,
    /// The move in words.
    pub text: String,
    /// The move in short notation: from and to.
    pub notation: String,
    /// The cards that it carries.
    pub cards: Vec<String>,
    /// Where the lowest of them lies.
    pub from: Option<SpotReport>,
    /// Where it goes.
    pub to: Option<SpotReport>,
    /// The processes that take part.
    pub who: Vec<String>,
    /// What then happens by itself.
    pub forced: Vec<ForcedReport>,
    /// The score after it.
    pub score: Option<i32>,
}

/// A move that happens by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForcedReport {
    /// The event.
    pub event: String,
    /// In words; none for what no player would call a move.
    pub text: Option<String>,
    /// Where it goes, if a card moves.
    pub to: Option<SpotReport>,
    /// From where.
    pub from: Option<SpotReport>,
}

/// A move that was made, or that would be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineReport {
    /// The position after it, for [`super::Table::go`]; none on a line that was not played.
    pub node: Option<usize>,
    /// Its number, from 1.
    pub number: usize,
    /// What was done.
    #[serde(flatten)]
    pub done: OfferReport,
}

/// A position from which more than one move was tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchReport {
    /// The position.
    pub node: usize,
    /// After how many moves.
    pub number: usize,
    /// The positions that were tried from there, each with its move in words.
    pub ways: Vec<(usize, String)>,
}

/// Whether the game can still be won.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LampReport {
    /// `won`, `lost` or `undecided`.
    pub state: String,
    /// A sentence.
    pub sentence: String,
    /// The moves of a way to win.
    pub line: Vec<String>,
    /// For a lost game, the move after which it was lost; 0 for the deal itself.
    pub since: Option<usize>,
    /// Before that move it could be won, and that is proved too.
    pub exact: bool,
    /// Positions that were tried for this.
    pub states: u64,
}

/// Why a move cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusalReport {
    /// What was asked for.
    pub asked: String,
    /// Why not, in the words of the game.
    pub reason: String,
    /// The event that it would be.
    pub event: Option<String>,
    /// The processes that refuse it.
    pub refused_by: Vec<String>,
}

impl RefusalReport {
    /// A refusal before any event comes into it.
    pub(crate) fn plain(asked: &str, reason: impl Into<String>) -> Self {
        Self {
            asked: asked.to_owned(),
            reason: reason.into(),
            event: None,
            refused_by: Vec::new(),
        }
    }
}
