//! Starts of any game as definitions of its bundled model: from a number of some numbering, or from a text.

use csp_games::deal::layout::Numbering;
use csp_games::referee::Game;
use csp_games::setup::Setup;

use crate::deal;

/// A constant of the model and its value.
type Definition = (String, String);

/// The definitions by which a model starts from a numbered deal; the error is a sentence.
pub fn numbered(game: Game, numbering: Numbering, number: u64) -> Result<Vec<Definition>, String> {
    deal::numbered(game, numbering, number).map(pairs)
}

/// The definitions by which a model starts from a board as text: what `csp deal` prints and boards of
/// other programs for cards, rows of `o` and `.` for pegs, rows of digits for Sudoku. The error is a
/// sentence.
pub fn pasted(game: Game, text: &str, ranks: u8) -> Result<Vec<Definition>, String> {
    match game {
        Game::Peg => pegs(text),
        Game::Sudoku => digits(text),
        _ => Ok(pairs(Setup::parse(game, text, ranks)?.definitions(game))),
    }
}

fn pairs(definitions: Vec<String>) -> Vec<Definition> {
    let pair = |text: String| {
        let (name, value) = text.split_once('=')?;
        Some((name.to_owned(), value.to_owned()))
    };
    definitions.into_iter().filter_map(pair).collect()
}

/// Rows as a sequence of strings of the model, all of one length.
fn rows(lines: &[&str]) -> String {
    let width = lines
        .iter()
        .map(|l| l.trim_end().len())
        .max()
        .unwrap_or_default();
    let row = |line: &&str| format!("\"{:<width$}\"", line.trim_end());
    let rows: Vec<String> = lines.iter().map(row).collect();
    format!("<{}>", rows.join(", "))
}

/// The start, and after an empty line the goal if it is another one than that of the model.
fn pegs(text: &str) -> Result<Vec<Definition>, String> {
    let lines: Vec<&str> = text.lines().collect();
    let boards: Vec<&[&str]> = lines
        .split(|line| line.trim().is_empty())
        .filter(|board| !board.is_empty())
        .collect();
    let known = |c: char| "o.? ".contains(c);
    if let Some(sign) = text.lines().flat_map(str::chars).find(|c| !known(*c)) {
        return Err(format!(
            "'{}' is no part of a board: o is a peg, . an empty hole",
            sign.escape_default()
        ));
    }
    match boards.as_slice() {
        [] => Err("the board is empty".to_owned()),
        [start] => Ok(vec![("START".to_owned(), rows(start))]),
        [start, goal] if start.len() == goal.len() => Ok(vec![
            ("START".to_owned(), rows(start)),
            ("GOAL".to_owned(), rows(goal)),
        ]),
        [_, _] => Err("the start and the goal have not the same number of rows".to_owned()),
        _ => Err("a board is a start, and a goal after an empty line".to_owned()),
    }
}

/// 16 or 81 cells, whatever stands between them.
fn digits(text: &str) -> Result<Vec<Definition>, String> {
    let between = |c: char| c.is_whitespace() || "|+-".contains(c);
    let mut cells = String::new();
    for sign in text.chars().filter(|c| !between(*c)) {
        match sign {
            '1'..='9' => cells.push(sign),
            '.' | '0' | '_' | '*' => cells.push('.'),
            other => {
                let other = other.escape_default();
                return Err(format!(
                    "'{other}' is neither a digit nor an empty cell (.)"
                ));
            }
        }
    }
    let side = match cells.len() {
        16 => 2,
        81 => 3,
        n => return Err(format!("a puzzle has 16 or 81 cells, not {n}")),
    };
    let size = side * side;
    if let Some(large) = cells
        .chars()
        .filter_map(|c| c.to_digit(10))
        .find(|d| *d > size)
    {
        return Err(format!(
            "{large} is not a digit of a puzzle with {size} rows"
        ));
    }
    let cells: Vec<char> = cells.chars().collect();
    let lines: Vec<String> = cells
        .chunks(size as usize)
        .map(|row| row.iter().collect())
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    Ok(vec![
        ("BOX".to_owned(), side.to_string()),
        ("PUZZLE".to_owned(), rows(&lines)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_of_every_game_become_definitions() {
        let sudoku = pasted(Game::Sudoku, "1.|..\n..|3.\n--+--\n.2|..\n..|.4", 13);
        let puzzle = (
            "PUZZLE".to_owned(),
            r#"<"1...", "..3.", ".2..", "...4">"#.to_owned(),
        );
        assert_eq!(sudoku.expect("a puzzle")[1], puzzle);
        let wrong = pasted(Game::Sudoku, "1...5...........", 13);
        assert_eq!(
            wrong.expect_err("5"),
            "5 is not a digit of a puzzle with 4 rows"
        );
        assert!(pasted(Game::Sudoku, "123", 13).is_err());
        let start = pasted(Game::Peg, " oo\no.\n", 13).expect("a board");
        assert_eq!(
            start,
            [("START".to_owned(), r#"<" oo", "o. ">"#.to_owned())]
        );
        assert!(pasted(Game::Peg, "oox", 13).is_err());
        let missing = pasted(Game::FreeCell, "AC\n", 13).expect_err("cards are missing");
        assert!(missing.starts_with("missing: "), "{missing}");
        let ours = numbered(Game::Klondike, Numbering::Ours, 1).expect("a deal");
        assert_eq!(
            ours.iter().map(|d| d.0.as_str()).collect::<Vec<_>>(),
            ["BOARD", "STOCK", "COLUMNS"]
        );
    }
}
