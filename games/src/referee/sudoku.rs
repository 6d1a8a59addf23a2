//! Sudoku: a digit goes into an empty cell if its row, its column and its box do not have it.

use crate::table::{Digits, Position};

/// A puzzle under way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Referee {
    side: usize,
    /// 0 where there is no digit yet.
    rows: Vec<Vec<u8>>,
    given: Vec<Vec<bool>>,
}

impl Referee {
    /// Starts from rows of characters, in which anything but a digit is an empty cell.
    pub fn new(side: usize, puzzle: &[String]) -> Result<Self, String> {
        let size = side * side;
        let digit = |c: char| c.to_digit(10).and_then(|d| u8::try_from(d).ok());
        let rows: Vec<Vec<u8>> = puzzle
            .iter()
            .map(|row| row.chars().map(|c| digit(c).unwrap_or(0)).collect())
            .collect();
        if rows.len() != size || rows.iter().any(|row| row.len() != size) {
            return Err(format!("the puzzle has not {size} rows of {size} cells"));
        }
        if rows.iter().flatten().any(|d| usize::from(*d) > size) {
            return Err(format!("the digits run from 1 to {size}"));
        }
        let given = rows
            .iter()
            .map(|row| row.iter().map(|d| *d != 0).collect())
            .collect();
        Ok(Self { side, rows, given })
    }

    /// Writes a digit, or says why that is not allowed.
    pub fn fill(&mut self, row: usize, column: usize, digit: u8) -> Result<(), String> {
        let size = self.side * self.side;
        let cell = self.rows.get(row).and_then(|r| r.get(column));
        match cell {
            None => return Err(format!("there is no cell {row}, {column}")),
            Some(0) if (1..=size).contains(&usize::from(digit)) => {}
            Some(0) => return Err(format!("the digits run from 1 to {size}")),
            Some(held) => return Err(format!("the cell holds {held}")),
        }
        let (top, left) = (row / self.side, column / self.side);
        for (r, cells) in self.rows.iter().enumerate() {
            for (c, held) in cells.iter().enumerate() {
                let place = match (r == row, c == column) {
                    (true, _) => "row",
                    (_, true) => "column",
                    _ if (r / self.side, c / self.side) == (top, left) => "box",
                    _ => continue,
                };
                if *held == digit {
                    return Err(format!("the {place} has a {digit} already"));
                }
            }
        }
        self.rows[row][column] = digit;
        Ok(())
    }
}

/// Reads `guess.(0, 1).8`: row, column, digit.
fn cell(event: &str) -> Option<(usize, usize, u8)> {
    let rest = event
        .strip_prefix("guess.")
        .or_else(|| event.strip_prefix("forced."))?;
    let (cell, digit) = rest.strip_prefix('(')?.split_once(").")?;
    let (row, column) = cell.split_once(',')?;
    Some((
        row.trim().parse().ok()?,
        column.trim().parse().ok()?,
        digit.parse().ok()?,
    ))
}

impl super::Referee for Referee {
    fn play_event(&mut self, text: &str) -> Result<Option<String>, String> {
        if text == "done" {
            return super::done(self);
        }
        let Some((row, column, digit)) = cell(text) else {
            return Ok(None);
        };
        self.fill(row, column, digit)?;
        let (row, column) = (row + 1, column + 1);
        Ok(Some(format!("{digit} in row {row}, column {column}")))
    }

    fn is_won(&self) -> bool {
        // Every digit was allowed when it was written; of those given, two may be alike.
        let size = self.side * self.side;
        let cells = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
        cells.into_iter().all(|(row, column)| {
            let mut rest = self.clone();
            let digit = std::mem::take(&mut rest.rows[row][column]);
            digit != 0 && rest.fill(row, column, digit).is_ok()
        })
    }

    fn draw(&self) -> String {
        let sign = |d: &u8| match d {
            0 => '.',
            d => char::from(b'0' + d),
        };
        let line = |row: &Vec<u8>| row.iter().map(sign).collect::<String>() + "\n";
        self.rows.iter().map(line).collect()
    }

    fn position(&self) -> Position {
        Position::Digits(Digits {
            side: self.side,
            rows: self.rows.clone(),
            given: self.given.clone(),
        })
    }

    fn copied(&self) -> Box<dyn super::Referee + Send> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Referee as _;
    use super::*;

    #[test]
    fn digits_are_refused_where_they_are_seen() {
        let rows = ["1...", "..3.", ".2..", "...4"].map(str::to_owned);
        let mut game = Referee::new(2, &rows).expect("a puzzle");
        assert_eq!(
            game.play_event("guess.(0, 1).1"),
            Err("the row has a 1 already".to_owned())
        );
        assert_eq!(
            game.play_event("guess.(0, 1).2"),
            Err("the column has a 2 already".to_owned())
        );
        assert_eq!(
            game.play_event("guess.(1, 1).1"),
            Err("the box has a 1 already".to_owned())
        );
        assert_eq!(
            game.play_event("guess.(0, 1).3"),
            Ok(Some("3 in row 1, column 2".to_owned()))
        );
        assert!(!game.is_won());
        assert!(Referee::new(2, &rows[..3]).is_err());
    }
}
