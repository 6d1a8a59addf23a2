//! Replays plays by the rules alone: one file for each game.
//!
//! A referee is given a position and moves, says whether each is legal, and whether the game is won.

pub mod freecell;
