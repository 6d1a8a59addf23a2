//! Peg solitaire on any board drawn in characters: a peg jumps over a neighbour into an empty hole
//! and the neighbour is taken away.
//!
//! On a square lattice neighbours are next to each other in a row or a column; on a triangular one
//! two characters apart in a row, or one aside in the next row.

use crate::model::{Field, event};
use crate::table::{Holes, Position};

/// How the holes of a board lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lattice {
    /// Four neighbours.
    Square,
    /// Six neighbours.
    Triangular,
}

impl Lattice {
    /// The lattice that the models call by this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "Square" => Some(Self::Square),
            "Triangular" => Some(Self::Triangular),
            _ => None,
        }
    }

    /// The way to the neighbour in a direction, across and down.
    fn step(self, direction: &str) -> Option<(i32, i32)> {
        Some(match (self, direction) {
            (Self::Square, "Left") => (-1, 0),
            (Self::Square, "Right") => (1, 0),
            (Self::Square, "Up") => (0, -1),
            (Self::Square, "Down") => (0, 1),
            (Self::Triangular, "Left") => (-2, 0),
            (Self::Triangular, "Right") => (2, 0),
            (Self::Triangular, "UpLeft") => (-1, -1),
            (Self::Triangular, "UpRight") => (1, -1),
            (Self::Triangular, "DownLeft") => (-1, 1),
            (Self::Triangular, "DownRight") => (1, 1),
            _ => return None,
        })
    }
}

/// A game under way: `o` is a peg, `.` an empty hole, anything else is no hole; in the goal, `?` is
/// for either.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Referee {
    rows: Vec<Vec<char>>,
    goal: Vec<Vec<char>>,
    lattice: Lattice,
}

impl Referee {
    /// Starts from a board and a goal of the same shape.
    pub fn new(start: &[String], goal: &[String], lattice: Lattice) -> Result<Self, String> {
        let cells = |rows: &[String]| -> Vec<Vec<char>> {
            rows.iter().map(|row| row.chars().collect()).collect()
        };
        let (rows, goal) = (cells(start), cells(goal));
        let holes = |rows: &[Vec<char>], signs: &[char]| -> Vec<Vec<bool>> {
            let row = |row: &Vec<char>| row.iter().map(|c| signs.contains(c)).collect();
            rows.iter().map(row).collect()
        };
        if holes(&rows, &['o', '.']) != holes(&goal, &['o', '.', '?']) {
            return Err("the goal has not the shape of the board".to_owned());
        }
        Ok(Self {
            rows,
            goal,
            lattice,
        })
    }

    fn at(&self, x: i32, y: i32) -> Option<char> {
        let row = self.rows.get(usize::try_from(y).ok()?)?;
        row.get(usize::try_from(x).ok()?).copied()
    }

    fn put(&mut self, x: i32, y: i32, c: char) {
        if let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) {
            self.rows[y][x] = c;
        }
    }

    /// Jumps from (x, y) two steps in a direction, or says why that is not allowed.
    pub fn jump(&mut self, x: i32, y: i32, (dx, dy): (i32, i32)) -> Result<(), String> {
        let over = (x + dx, y + dy);
        let to = (x + 2 * dx, y + 2 * dy);
        if self.at(x, y) != Some('o') {
            return Err(format!("there is no peg at {}", place(x, y)));
        }
        if self.at(over.0, over.1) != Some('o') {
            return Err(format!(
                "there is no peg to jump at {}",
                place(over.0, over.1)
            ));
        }
        if self.at(to.0, to.1) != Some('.') {
            return Err(format!("{} is not an empty hole", place(to.0, to.1)));
        }
        self.put(x, y, '.');
        self.put(over.0, over.1, '.');
        self.put(to.0, to.1, 'o');
        Ok(())
    }
}

/// A hole as players write it: a letter for the column, a number for the row.
fn place(x: i32, y: i32) -> String {
    let letter = u8::try_from(x)
        .ok()
        .filter(|x| *x < 26)
        .map(|x| char::from(b'a' + x));
    format!(
        "{}{}",
        letter.map_or_else(|| x.to_string(), String::from),
        y + 1
    )
}

impl super::Referee for Referee {
    fn play_event(&mut self, text: &str) -> Result<Option<String>, String> {
        let (channel, fields) = event(text);
        if channel == "done" {
            return super::done(self);
        }
        let words: Vec<&str> = fields
            .iter()
            .filter_map(|field| match field {
                Field::Word(word) => Some(*word),
                Field::Card(_) => None,
            })
            .collect();
        let ("jump", [x, y, direction]) = (channel, words.as_slice()) else {
            return Ok(None);
        };
        let number = |text: &str| {
            text.parse::<i32>()
                .map_err(|_| format!("'{text}' is no place"))
        };
        let (x, y) = (number(x)?, number(y)?);
        let by = self.lattice.step(direction);
        let by = by.ok_or_else(|| format!("'{direction}' is no direction"))?;
        self.jump(x, y, by)?;
        Ok(Some(format!(
            "{}-{}",
            place(x, y),
            place(x + 2 * by.0, y + 2 * by.1)
        )))
    }

    fn is_won(&self) -> bool {
        let mut holes = self.rows.iter().flatten().zip(self.goal.iter().flatten());
        holes.all(|(now, wanted)| *now != 'o' && *now != '.' || *wanted == '?' || now == wanted)
    }

    fn draw(&self) -> String {
        let line = |row: &Vec<char>| row.iter().collect::<String>() + "\n";
        self.rows.iter().map(line).collect()
    }

    fn position(&self) -> Position {
        Position::Pegs(Holes {
            rows: self.rows.clone(),
            triangular: self.lattice == Lattice::Triangular,
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
    fn jumps_are_judged() {
        let rows = |text: &[&str]| text.iter().map(|r| (*r).to_owned()).collect::<Vec<_>>();
        let new = |start: &[&str], goal: &[&str], lattice| {
            Referee::new(&rows(start), &rows(goal), lattice)
        };
        let mut game = new(&["oo.o"], &["...."], Lattice::Square).expect("same shape");
        assert_eq!(
            game.play_event("jump.3.0.Left"),
            Err("there is no peg to jump at c1".to_owned())
        );
        assert_eq!(
            game.play_event("jump.1.0.Left"),
            Err("-11 is not an empty hole".to_owned())
        );
        assert_eq!(
            game.play_event("jump.0.0.Right"),
            Ok(Some("a1-c1".to_owned()))
        );
        assert_eq!(
            game.play_event("jump.0.0.Right"),
            Err("there is no peg at a1".to_owned())
        );
        assert_eq!(
            game.play_event("done"),
            Err("the game is not won".to_owned())
        );
        assert!(new(&["oo"], &["o"], Lattice::Square).is_err());
        let bricks = ["  .  ", " o . ", "o o ."];
        let goal = ["  .  ", " o . ", ". ? o"];
        let mut game = new(&bricks, &goal, Lattice::Triangular).expect("same shape");
        assert_eq!(
            game.play_event("jump.1.1.Down"),
            Err("'Down' is no direction".to_owned())
        );
        assert_eq!(
            game.play_event("jump.1.1.DownRight"),
            Err("d4 is not an empty hole".to_owned())
        );
        assert!(!game.is_won());
        assert_eq!(
            game.play_event("jump.0.2.Right"),
            Ok(Some("a3-e3".to_owned()))
        );
        assert!(game.is_won());
    }
}
