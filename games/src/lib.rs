//! Deals, numbering, notation and rules of patience games.
//!
//! This crate knows no CSP: the [`referee`] replays plays by the rules of the game alone, so that
//! what the checker finds is judged by code that shares nothing with it.

pub mod board;
pub mod card;
pub mod deal;
pub mod model;
pub mod notation;
pub mod petri;
pub mod referee;
pub mod setup;
pub mod table;

pub use card::{Card, Suit};
