//! Golf: the last card of a column goes to the hole if its rank is next to that of the card there; the
//! next card of the stock goes there whatever its rank. Won when the columns are empty.

use std::fmt::Write;

use crate::card::Card;
use crate::model::{Field, event};
use crate::table::{Pile, PileKind, Place, Position};

/// A game under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Referee {
    columns: Vec<Vec<Card>>,
    /// The card that is turned next at the front.
    stock: Vec<Card>,
    /// The last card counts.
    hole: Vec<Card>,
    ranks: u8,
    wrap: bool,
}

impl Referee {
    /// Starts from columns, the card in the hole and the stock. With `wrap` an ace is next to a king.
    #[must_use]
    pub fn new(
        columns: Vec<Vec<Card>>,
        start: Card,
        stock: Vec<Card>,
        ranks: u8,
        wrap: bool,
    ) -> Self {
        Self {
            columns,
            stock,
            hole: vec![start],
            ranks,
            wrap,
        }
    }

    fn is_beside(&self, card: Card, last: Card) -> bool {
        let ends = [1, self.ranks];
        card.rank.abs_diff(last.rank) == 1
            || (self.wrap
                && card.rank != last.rank
                && ends.contains(&card.rank)
                && ends.contains(&last.rank))
    }

    /// Puts the last card of a column into the hole, or says why that is not allowed.
    pub fn play(&mut self, card: Card) -> Result<(), String> {
        let column = self.columns.iter().position(|c| c.last() == Some(&card));
        let column = column.ok_or_else(|| format!("{card} is not the last card of a column"))?;
        if let Some(last) = self.hole.last()
            && !self.is_beside(card, *last)
        {
            return Err(format!("{card} is not next in rank to {last}"));
        }
        self.hole.extend(self.columns[column].pop());
        Ok(())
    }

    /// Turns the next card of the stock onto the hole, which is this one.
    fn turn(&mut self, card: Option<Card>) -> Result<(), String> {
        match (self.stock.first(), card) {
            (None, _) => Err("the stock is empty".to_owned()),
            (Some(next), Some(card)) if *next != card => {
                Err(format!("{next} is next in the stock, not {card}"))
            }
            (Some(_), None) => Ok(()),
            (Some(_), Some(card)) => {
                self.stock.remove(0);
                self.hole.push(card);
                Ok(())
            }
        }
    }
}

impl super::Referee for Referee {
    fn play_event(&mut self, text: &str) -> Result<Option<String>, String> {
        let (channel, fields) = event(text);
        let card = fields.first().and_then(Field::card);
        match (channel, card) {
            ("done", _) => super::done(self),
            ("play", Some(card)) => {
                self.play(card)?;
                Ok(Some(format!("{card} to the hole")))
            }
            // Drawing is what the player does; which card it turns is seen after.
            ("draw", _) => {
                self.turn(None)?;
                let next = self.stock[0];
                self.turn(Some(next))?;
                Ok(Some(format!("turn {next}")))
            }
            ("turns", Some(card)) if self.hole.last() != Some(&card) => {
                Err(format!("{card} was not turned"))
            }
            _ => Ok(None),
        }
    }

    fn is_won(&self) -> bool {
        self.columns.iter().all(Vec::is_empty)
    }

    fn draw(&self) -> String {
        let join = |cards: &[Card]| {
            let cards: Vec<String> = cards.iter().map(ToString::to_string).collect();
            cards.join(" ")
        };
        let hole = self.hole.last().map(ToString::to_string);
        let mut out = format!(
            "Hole: {}\nTalon: {}\n",
            hole.unwrap_or_default(),
            join(&self.stock)
        );
        for column in &self.columns {
            let _ = writeln!(out, ": {}", join(column));
        }
        out
    }

    fn position(&self) -> Position {
        let mut stock = Pile::new(PileKind::Stock, "DP", "s", []);
        stock.places = self.stock.iter().rev().map(|c| Place::down(*c)).collect();
        let hole = Pile::new(PileKind::Foundation, "HP", "h", self.hole.iter().copied());
        let columns = self.columns.iter().enumerate().map(|(i, cards)| {
            let (name, symbol) = (format!("TP{}", i + 1), (i + 1).to_string());
            Pile::new(PileKind::Column, name, symbol, cards.iter().copied())
        });
        Position::Cards([stock, hole].into_iter().chain(columns).collect())
    }

    fn copied(&self) -> Box<dyn super::Referee + Send> {
        Box::new(self.clone())
    }

    fn carry(&self, from: &Pile, to: &Pile, amount: usize) -> Result<(), String> {
        let card = from
            .top()
            .ok_or_else(|| format!("{} is empty", from.name))?;
        match (from.kind, to.kind) {
            (PileKind::Stock, PileKind::Foundation) => Ok(()),
            (PileKind::Column, PileKind::Foundation) if amount == 1 => self.clone().play(card),
            (PileKind::Foundation, _) => Err("what is in the hole stays there".to_owned()),
            (_, PileKind::Foundation) => Err("one card goes to the hole at a time".to_owned()),
            _ => Err("cards go to the hole only".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Referee as _;
    use super::*;

    fn cards(text: &str) -> Vec<Card> {
        let words = text.split_whitespace();
        words.map(|w| Card::parse(w).expect("a card")).collect()
    }

    #[test]
    fn a_play_is_followed_to_the_win() {
        let columns = vec![cards("KC 2D"), cards("3H")];
        let mut game = Referee::new(columns, cards("AS")[0], cards("QS"), 13, true);
        assert_eq!(
            game.play(cards("3H")[0]),
            Err("3H is not next in rank to AS".to_owned())
        );
        for event in [
            "play.card.Diamonds.2",
            "play.card.Hearts.3",
            "draw",
            "turns.card.Spades.12.1",
        ] {
            game.play_event(event).expect("legal");
        }
        assert_eq!(
            game.play_event("draw"),
            Err("the stock is empty".to_owned())
        );
        assert!(game.play_event("done").is_err());
        game.play_event("play.card.Clubs.13").expect("legal");
        assert_eq!(game.play_event("done"), Ok(None));
    }
}
