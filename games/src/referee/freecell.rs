//! FreeCell and King Albert: single cards, columns built down in alternating colours, any card to
//! an empty column, foundations up in suit, nothing back from them.

use std::fmt;

use crate::board::Board;
use crate::card::Card;
use crate::table::{Pile, PileKind, Place, Position, foundations};

/// Where a card goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Onto this card, the last of a column.
    Card(Card),
    /// Into an empty column.
    EmptyColumn,
    /// Into a free cell.
    Cell,
    /// To its foundation.
    Home,
}

/// A move of one card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The card.
    pub card: Card,
    /// Where it goes.
    pub target: Target,
}

impl Move {
    /// Reads an event of the bundled models, such as `stackToCell.card.Hearts.3`; `None` if it is
    /// not a move of a card.
    #[must_use]
    pub fn from_event(event: &str) -> Option<Self> {
        let mut parts = event.split('.');
        let channel = parts.next()?;
        let mut next_card = || {
            (parts.next()? == "card").then_some(())?;
            Card::from_model(parts.next()?, parts.next()?)
        };
        let card = next_card()?;
        let target = match channel {
            "stackToStack" | "cellToStack" => Target::Card(next_card()?),
            "stackToTable" | "cellToTable" => Target::EmptyColumn,
            "stackToCell" => Target::Cell,
            "stackHome" | "cellHome" => Target::Home,
            _ => return None,
        };
        Some(Self { card, target })
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.target {
            Target::Card(host) => write!(f, "{} onto {host}", self.card),
            Target::EmptyColumn => write!(f, "{} to an empty column", self.card),
            Target::Cell => write!(f, "{} to a cell", self.card),
            Target::Home => write!(f, "{} home", self.card),
        }
    }
}

/// A game under way.
#[derive(Clone, Debug)]
pub struct Referee {
    board: Board,
    /// The cells, or the places of the reserve, as they lie on the table.
    slots: Vec<Option<Card>>,
    cells: usize,
    ranks: u8,
}

impl Referee {
    /// Starts from a board with `cells` cells in all (0 for King Albert, whose reserve is never refilled).
    #[must_use]
    pub fn new(board: Board, cells: usize, ranks: u8) -> Self {
        let mut slots: Vec<Option<Card>> = board.cells.iter().map(|c| Some(*c)).collect();
        slots.resize(slots.len().max(cells), None);
        Self {
            board,
            slots,
            cells,
            ranks,
        }
    }

    /// The position now.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// All cards are home.
    #[must_use]
    pub fn is_won(&self) -> bool {
        self.board.home == [self.ranks; 4]
    }

    /// Makes a move, or says why it is not allowed.
    pub fn play(&mut self, m: Move) -> Result<(), String> {
        let Move { card, target } = m;
        let from_column = self
            .board
            .columns
            .iter()
            .position(|c| c.last() == Some(&card));
        let from_cell = self.board.cells.iter().position(|c| *c == card);
        if from_column.is_none() && from_cell.is_none() {
            return Err(format!("{card} is not free to move"));
        }
        let to_column = match target {
            Target::Card(host) => {
                if !card.goes_on(host) {
                    return Err(format!("{card} does not go on {host}"));
                }
                let column = self
                    .board
                    .columns
                    .iter()
                    .position(|c| c.last() == Some(&host));
                Some(column.ok_or_else(|| format!("{host} is not the last card of a column"))?)
            }
            Target::EmptyColumn => {
                let column = self.board.columns.iter().position(Vec::is_empty);
                Some(column.ok_or("no column is empty")?)
            }
            Target::Cell if from_cell.is_some() => {
                return Err(format!("{card} is in a cell already"));
            }
            Target::Cell if self.board.cells.len() >= self.cells => {
                return Err("no cell is free".to_owned());
            }
            Target::Home if self.board.home[card.suit as usize] + 1 != card.rank => {
                return Err(format!("{card} is not the next of its suit"));
            }
            Target::Cell | Target::Home => None,
        };
        match (from_column, from_cell) {
            (Some(column), _) => drop(self.board.columns[column].pop()),
            (None, Some(cell)) => {
                self.board.cells.remove(cell);
                let slot = self.slots.iter_mut().find(|slot| **slot == Some(card));
                *slot.expect("what is in a cell lies in one") = None;
            }
            (None, None) => unreachable!("checked above"),
        }
        match (target, to_column) {
            (_, Some(column)) => self.board.columns[column].push(card),
            (Target::Cell, None) => {
                self.board.cells.push(card);
                let slot = self.slots.iter_mut().find(|slot| slot.is_none());
                *slot.expect("a cell is free") = Some(card);
            }
            (_, None) => self.board.home[card.suit as usize] += 1,
        }
        Ok(())
    }
}

impl super::Referee for Referee {
    fn play_event(&mut self, event: &str) -> Result<Option<String>, String> {
        if event == "done" {
            return super::done(self);
        }
        let Some(m) = Move::from_event(event) else {
            return Ok(None);
        };
        let in_cell = self.board.cells.contains(&m.card);
        if event.starts_with("cell") != in_cell {
            return Err(format!("{} is not where {event} takes it from", m.card));
        }
        self.play(m)?;
        Ok(Some(m.to_string()))
    }

    fn is_won(&self) -> bool {
        Self::is_won(self)
    }

    fn draw(&self) -> String {
        self.board.text()
    }

    fn position(&self) -> Position {
        let columns = self.board.columns.iter().enumerate();
        let columns = columns.map(|(i, cards)| {
            let (name, symbol) = (format!("TP{}", i + 1), (i + 1).to_string());
            Pile::new(PileKind::Column, name, symbol, cards.iter().copied())
        });
        let (kind, letters) = if self.cells == 0 {
            (PileKind::Reserve, "R")
        } else {
            (PileKind::Cell, "FC")
        };
        // `h` is the foundations, so the eighth place is i.
        let symbols = ('a'..='z').filter(|c| *c != 'h');
        let slots = self.slots.iter().zip(symbols).enumerate();
        let slots = slots.map(|(i, (slot, symbol))| Pile {
            kind,
            name: format!("{letters}{}", i + 1),
            symbol: symbol.to_string(),
            suit: None,
            places: slot.iter().map(|card| Place::up(*card)).collect(),
        });
        let piles = slots.chain(foundations(self.board.home)).chain(columns);
        Position::Cards(piles.collect())
    }

    fn copied(&self) -> Box<dyn super::Referee + Send> {
        Box::new(self.clone())
    }

    fn carry(&self, from: &Pile, to: &Pile, amount: usize) -> Result<(), String> {
        let card = from
            .top()
            .ok_or_else(|| format!("{} is empty", from.name))?;
        if from.kind == PileKind::Foundation {
            return Err(format!("{card} is home and stays there"));
        }
        if amount != 1 {
            return Err("cards move one at a time".to_owned());
        }
        let target = match (to.kind, to.top()) {
            (PileKind::Foundation, _) if to.suit != Some(card.suit) => {
                return Err(format!("{card} does not go to {}", to.name));
            }
            (PileKind::Foundation, _) => Target::Home,
            (PileKind::Cell, None) => Target::Cell,
            (PileKind::Cell, Some(other)) => return Err(format!("{other} is there")),
            (PileKind::Column, Some(host)) => Target::Card(host),
            (PileKind::Column, None) => Target::EmptyColumn,
            _ => return Err(format!("{} takes no cards", to.name)),
        };
        self.clone().play(Move { card, target })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(text: &str) -> Card {
        Card::parse(text).expect("a card")
    }

    fn referee(text: &str, cells: usize) -> Referee {
        Referee::new(Board::parse(text, 2).expect("a board"), cells, 2)
    }

    #[test]
    fn a_play_is_followed_to_the_win() {
        let mut game = referee("2C AC AD\n2D\nAH 2H\nAS 2S\n", 1);
        let to = |text: &str, target| Move {
            card: card(text),
            target,
        };
        assert_eq!(
            game.play(to("AC", Target::Home)),
            Err("AC is not free to move".to_owned())
        );
        assert_eq!(
            game.play(to("2D", Target::Home)),
            Err("2D is not the next of its suit".to_owned())
        );
        for text in ["AD", "AC", "2C", "2D"] {
            game.play(to(text, Target::Home)).expect("legal");
        }
        assert_eq!(
            game.play(to("2H", Target::Card(card("2S")))),
            Err("2H does not go on 2S".to_owned())
        );
        game.play(to("2H", Target::Cell)).expect("legal");
        assert_eq!(
            game.play(to("2S", Target::Cell)),
            Err("no cell is free".to_owned())
        );
        game.play(to("2S", Target::EmptyColumn)).expect("legal");
        for text in ["AH", "2H", "AS"] {
            game.play(to(text, Target::Home)).expect("legal");
        }
        assert!(!game.is_won());
        game.play(to("2S", Target::Home)).expect("legal");
        assert!(game.is_won());
    }

    #[test]
    fn events_of_the_model_are_read() {
        let three = card("3H");
        let on = Move {
            card: three,
            target: Target::Card(card("4S")),
        };
        assert_eq!(
            Move::from_event("stackToStack.card.Hearts.3.card.Spades.4"),
            Some(on)
        );
        let home = Move {
            card: three,
            target: Target::Home,
        };
        assert_eq!(
            Move::from_event("cellHome.card.Hearts.3.OneBelow"),
            Some(home)
        );
        assert_eq!(Move::from_event("freed.card.Hearts.3"), None);
        assert_eq!(Move::from_event("done"), None);
    }
}
