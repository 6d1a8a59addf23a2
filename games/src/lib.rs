//! Deals, numbering, notation and rules of patience games.
//!
//! This crate knows no CSP: the [`referee`] replays plays by the rules of the game alone, so that
//! what the checker finds is judged by code that shares nothing with it.
//!
//! ```
//! use csp_games::deal::microsoft;
//!
//! // The one deal of the first 32,000 that cannot be won has all cards like any other.
//! let deal = microsoft::deal(11_982, 13).expect("there is such a deal");
//! assert_eq!(deal.len(), 52);
//! assert_eq!(microsoft::deal(11_982, 13), Some(deal));
//! ```
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

pub mod board;
pub mod card;
pub mod deal;
pub mod model;
pub mod notation;
pub mod petri;
pub mod referee;
pub mod runs;
pub mod setup;
pub mod table;

pub use card::{Card, Suit};
