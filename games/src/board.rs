//! Boards as text, in the form that fc-solve and PySol write: one line for each column, deepest
//! card first, with optional lines for foundations and cells.

use std::fmt::Write;

use crate::card::{Card, Suit, new_pack};

/// A position of FreeCell or a game like it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Board {
    /// Columns, deepest card first.
    pub columns: Vec<Vec<Card>>,
    /// Cards in cells (for King Albert: the reserve).
    pub cells: Vec<Card>,
    /// The highest rank at home, for each suit in the order of [`Suit::ALL`].
    pub home: [u8; 4],
}

/// What is wrong with a board, with the line if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardError {
    /// Line, from 1; 0 for the board as a whole.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

impl Board {
    /// Reads a board and checks that it has every card of a pack exactly once.
    pub fn parse(text: &str, ranks: u8) -> Result<Self, BoardError> {
        let mut board = Self::default();
        for (i, line) in text.lines().enumerate() {
            let failed = |reason: String| BoardError {
                line: i + 1,
                reason,
            };
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match line.split_once(':') {
                Some(("", column)) => board.columns.push(cards(column).map_err(failed)?),
                Some((key, rest)) => match key.trim().to_ascii_lowercase().as_str() {
                    "foundations" | "founds" => board.home = foundations(rest).map_err(failed)?,
                    "freecells" | "fc" | "reserve" => board.cells = cards(rest).map_err(failed)?,
                    other => return Err(failed(format!("'{other}:' is not a part of a board"))),
                },
                None => board.columns.push(cards(line).map_err(failed)?),
            }
        }
        board
            .complete(ranks)
            .map_err(|reason| BoardError { line: 0, reason })?;
        Ok(board)
    }

    /// Reads the ranks at home, as in `H-5 C-A`.
    pub(crate) fn foundations(text: &str) -> Result<[u8; 4], String> {
        foundations(text)
    }

    /// Every card exactly once.
    fn complete(&self, ranks: u8) -> Result<(), String> {
        let home = Suit::ALL.into_iter().zip(self.home);
        let mut seen: Vec<Card> = home
            .flat_map(|(suit, n)| (1..=n).map(move |rank| Card::new(rank, suit)))
            .collect();
        seen.extend(self.columns.iter().flatten());
        seen.extend(&self.cells);
        seen.sort_unstable();
        if let Some(pair) = seen.windows(2).find(|w| w[0] == w[1]) {
            return Err(format!("{} is there twice", pair[0]));
        }
        let missing: Vec<String> = new_pack(ranks)
            .iter()
            .filter(|c| !seen.contains(c))
            .map(Card::to_string)
            .collect();
        if !missing.is_empty() {
            return Err(format!("missing: {}", missing.join(" ")));
        }
        if let Some(card) = seen.iter().find(|c| c.rank > ranks) {
            return Err(format!("{card} is not in a pack of {ranks} ranks"));
        }
        Ok(())
    }

    /// The board as text that [`Board::parse`] reads.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        if self.home != [0; 4] {
            let parts: Vec<String> = Suit::ALL
                .into_iter()
                .zip(self.home)
                .map(|(suit, n)| {
                    let top = if n == 0 {
                        "0".to_owned()
                    } else {
                        Card::new(n, suit).rank_text()
                    };
                    format!("{}-{top}", suit.letter())
                })
                .collect();
            let _ = writeln!(out, "Foundations: {}", parts.join(" "));
        }
        if !self.cells.is_empty() {
            let _ = writeln!(out, "Freecells: {}", join(&self.cells));
        }
        for column in &self.columns {
            let _ = writeln!(out, ": {}", join(column));
        }
        out
    }
}

fn join(cards: &[Card]) -> String {
    cards
        .iter()
        .map(Card::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}

fn cards(text: &str) -> Result<Vec<Card>, String> {
    text.split_whitespace()
        .filter(|word| *word != "-")
        .map(|word| Card::parse(word).ok_or_else(|| format!("'{word}' is not a card")))
        .collect()
}

fn foundations(text: &str) -> Result<[u8; 4], String> {
    let mut home = [0; 4];
    for word in text.split_whitespace() {
        let wrong = || format!("'{word}' is not a foundation such as H-5");
        let (suit, rank) = word.split_once('-').ok_or_else(wrong)?;
        let suit = suit
            .chars()
            .next()
            .and_then(Suit::from_char)
            .ok_or_else(wrong)?;
        let rank = if rank == "0" {
            0
        } else {
            Card::parse(&format!("{rank}C")).ok_or_else(wrong)?.rank
        };
        home[suit as usize] = rank;
    }
    Ok(home)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::{microsoft, rounds};

    fn dealt() -> Board {
        let pack = microsoft::deal(617, 13).expect("in range");
        Board {
            columns: rounds(&pack, 8),
            ..Board::default()
        }
    }

    #[test]
    fn writing_and_reading_agree() {
        let mut board = dealt();
        assert_eq!(Board::parse(&board.text(), 13).as_ref(), Ok(&board));
        let moved = board.columns[0].pop().expect("seven cards");
        board.cells.push(moved);
        assert_eq!(Board::parse(&board.text(), 13).as_ref(), Ok(&board));
    }

    #[test]
    fn doubled_and_missing_cards_are_named() {
        let text = dealt().text();
        let doubled = text.replace("7D", "TD");
        assert_eq!(
            Board::parse(&doubled, 13).expect_err("doubled").reason,
            "TD is there twice"
        );
        let missing = text.replace(" 7D", "");
        assert_eq!(
            Board::parse(&missing, 13).expect_err("missing").reason,
            "missing: 7D"
        );
        let wrong = text.replace("7D", "7Z");
        let error = Board::parse(&wrong, 13).expect_err("no card");
        assert_eq!(
            (error.line, error.reason.as_str()),
            (1, "'7Z' is not a card")
        );
    }
}
