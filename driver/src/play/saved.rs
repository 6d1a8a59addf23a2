//! Saved games: the deal and all moves that were tried, as a tree.

use serde::{Deserialize, Serialize};

use super::table::Table;

/// A game in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedGame {
    /// The version of this shape.
    pub schema: u32,
    /// The name of the game.
    pub game: String,
    /// How the model describes the deal: a game is only loaded onto the same one.
    pub deal: String,
    /// The moves; the position after move `i` has the number `i + 1`, the deal has 0.
    pub moves: Vec<SavedMove>,
    /// The position that was looked at.
    pub now: usize,
}

/// A move of a saved game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedMove {
    /// The position in which it was made.
    pub at: usize,
    /// The event.
    pub event: String,
}

/// The version of [`SavedGame`].
const VERSION: u32 = 1;

impl Table {
    /// The game with all that was tried.
    #[must_use]
    pub fn saved(&self) -> SavedGame {
        let moves = self.nodes[1..].iter().map(|node| SavedMove {
            at: node.parent.unwrap_or_default(),
            event: node
                .done
                .as_ref()
                .map_or_else(String::new, |done| done.event.clone()),
        });
        SavedGame {
            schema: VERSION,
            game: self.process.start.name().to_owned(),
            deal: self.process.start.facts(),
            moves: moves.collect(),
            now: self.now,
        }
    }

    /// Makes the moves of a saved game instead of those made so far. If it is of another deal, or a
    /// move is not offered, the table stays as it is.
    pub fn load(&mut self, saved: &SavedGame) -> Result<(), String> {
        if saved.schema != VERSION {
            let version = saved.schema;
            return Err(format!(
                "it was saved by another version of csp ({version})"
            ));
        }
        let name = self.process.start.name();
        if saved.game != name {
            return Err(format!("it is a game of {}, not of {name}", saved.game));
        }
        if saved.deal != self.process.start.facts() {
            return Err("it is a game of another deal".to_owned());
        }
        let mut table = Self::new(std::sync::Arc::clone(&self.process))?;
        for (i, step) in saved.moves.iter().enumerate() {
            if !table.go(step.at) {
                return Err(format!("move {} starts from no position", i + 1));
            }
            table
                .play(&step.event)
                .map_err(|refusal| format!("move {}, {}: {}", i + 1, step.event, refusal.reason))?;
            if table.now != i + 1 {
                return Err(format!("move {}, {}, is there twice", i + 1, step.event));
            }
        }
        if !table.go(saved.now) {
            return Err(format!("there is no position {}", saved.now));
        }
        *self = table;
        Ok(())
    }
}
