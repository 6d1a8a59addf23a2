//! Numbered deals, and boards from files as definitions of a model.

use csp_games::deal::layout;
pub use csp_games::deal::layout::Numbering;
pub use csp_games::referee::Game;
use csp_games::setup::Setup;

use crate::play::{PositionReport, told_position};
use crate::pragma::Pragmas;
use crate::script::Script;

/// The start of a numbered deal as text that can be read again; the error is a sentence.
pub fn draw(game: Game, numbering: Numbering, number: u64) -> Result<String, String> {
    layout::start(game, numbering, number).map(|referee| referee.draw())
}

/// The start of a numbered deal as it lies on the table.
pub fn position(game: Game, numbering: Numbering, number: u64) -> Result<PositionReport, String> {
    let referee = layout::start(game, numbering, number)?;
    Ok(told_position(&referee.position()))
}

/// The definitions by which the model of a game starts from a board: what [`draw`] gives, boards of fc-solve
/// and `PySol`, Solvitaire's JSON, digits of Klondike-Solver. The error says what is wrong with the board.
pub fn definitions(game: Game, text: &str, ranks: u8) -> Result<Vec<String>, String> {
    if matches!(game, Game::Peg | Game::Sudoku) {
        return Err(format!("{} does not start from a deal", game.name()));
    }
    Ok(Setup::parse(game, text, ranks)?.definitions(game))
}

/// The definitions by which the model of a game starts from a deal of another numbering.
pub fn numbered(game: Game, numbering: Numbering, number: u64) -> Result<Vec<String>, String> {
    let referee = layout::start(game, numbering, number)?;
    Ok(Setup::of_position(&referee.position()).definitions(game))
}

impl Script {
    /// The game that the first assertion with a `--@ game:` line is about.
    #[must_use]
    pub fn game_played(&self) -> Option<Game> {
        let mut assertions = self.program.assertions.iter();
        assertions.find_map(|assertion| Pragmas::of(assertion).game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_become_definitions() {
        let text = "Foundations: H-0 C-1\nFreecells: AH\n: 2C 2H\n: AD 2D\n: 2S AS\n";
        let defines = definitions(Game::FreeCell, text, 2).expect("a board");
        assert_eq!(
            defines[0],
            "BOARD=<<card.Clubs.2, card.Hearts.2>, <card.Diamonds.1, card.Diamonds.2>, \
             <card.Spades.2, card.Spades.1>>"
        );
        assert_eq!(defines[1], "IN_CELLS={card.Hearts.1}");
        assert_eq!(defines[2], "AT_HOME=<1, 0, 0, 0>");
        assert_eq!(
            definitions(Game::FreeCell, "AC AD\n", 1).expect_err("too few"),
            "missing: AH AS"
        );
    }
}
