//! Numbered deals, and boards from files as definitions of a model.

use csp_games::board::Board;
use csp_games::deal::layout;
pub use csp_games::deal::layout::Numbering;
pub use csp_games::referee::Game;

/// Draws the start of a numbered deal; the error is a sentence.
pub fn draw(game: Game, numbering: Numbering, number: u64) -> Result<String, String> {
    layout::start(game, numbering, number).map(|referee| referee.draw())
}

/// The definitions by which a model starts from a board (see `models/freecell.csp`); the error says
/// what is wrong with the board.
pub fn definitions(text: &str, ranks: u8) -> Result<Vec<String>, String> {
    let board = Board::parse(text, ranks).map_err(|error| match error.line {
        0 => error.reason,
        line => format!("line {line}: {}", error.reason),
    })?;
    let list = |cards: &[csp_games::Card]| {
        let cards: Vec<String> = cards.iter().map(|c| c.in_model()).collect();
        cards.join(", ")
    };
    let columns = board.columns.iter().map(|c| format!("<{}>", list(c)));
    let columns: Vec<String> = columns.collect();
    let home = board.home.map(|n| n.to_string());
    let mut defines = vec![
        format!("BOARD=<{}>", columns.join(", ")),
        format!("IN_CELLS={{{}}}", list(&board.cells)),
        format!("AT_HOME=<{}>", home.join(", ")),
    ];
    // Columns that are not written are empty, up to the usual eight.
    if board.columns.len() > 8 {
        defines.push(format!("COLUMNS={}", board.columns.len()));
    }
    Ok(defines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_become_definitions() {
        let text = "Foundations: H-0 C-1\nFreecells: AH\n: 2C 2H\n: AD 2D\n: 2S AS\n";
        let defines = definitions(text, 2).expect("a board");
        assert_eq!(
            defines[0],
            "BOARD=<<card.Clubs.2, card.Hearts.2>, <card.Diamonds.1, card.Diamonds.2>, \
             <card.Spades.2, card.Spades.1>>"
        );
        assert_eq!(defines[1], "IN_CELLS={card.Hearts.1}");
        assert_eq!(defines[2], "AT_HOME=<1, 0, 0, 0>");
        assert_eq!(
            definitions("AC AD\n", 1).expect_err("too few"),
            "missing: AH AS"
        );
    }
}
