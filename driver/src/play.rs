//! A game under way: the position on the table, the moves that the process offers, what was played.
//!
//! Legal moves are the events that the process of the model offers, and nothing else: the rules are
//! not written again here. The referee of the game follows the moves; it words them, draws the
//! position, and would reject a move that the model should not have offered. Whether a position can
//! still be won is a [`Question`], which may be answered on another thread.

mod background;
mod bot;
mod command;
mod lamp;
mod offer;
mod open;
mod refusal;
mod report;
pub(crate) mod run;
mod saved;
mod shorten;
mod table;

pub use bot::BotMoveReport;
pub use lamp::{Answered, Limits, Question};
pub(crate) use offer::position as told_position;
pub use open::PlayError;
pub use report::{
    BranchReport, CardReport, DigitsReport, ForcedReport, HolesReport, LampReport, LineReport,
    OfferReport, PileReport, PositionReport, RefusalReport, SpotReport, TableReport,
};
pub use run::RunReport;
pub use saved::{SavedGame, SavedMove};
pub use table::Table;
