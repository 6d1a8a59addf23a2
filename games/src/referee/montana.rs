//! Montana (Gaps) without redeals: a gap takes the card that follows its left neighbour in suit; the
//! leftmost place of a row takes a two.

use crate::card::{Card, Suit};
use crate::model::{Field, event};
use crate::table::{Pile, PileKind, Place, Position};

/// A game under way.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Referee {
    /// Four rows.
    rows: Vec<Vec<Option<Card>>>,
    ranks: u8,
    fixed_suits: bool,
}

impl Referee {
    /// Starts from the places, row by row; there are four gaps. With `fixed_suits` each row is to
    /// hold the suit of its number.
    pub fn new(places: &[Option<Card>], ranks: u8, fixed_suits: bool) -> Result<Self, String> {
        if places.len() != 4 * usize::from(ranks) {
            return Err(format!(
                "{} places are not four rows of {ranks}",
                places.len()
            ));
        }
        Ok(Self {
            rows: places
                .chunks(usize::from(ranks))
                .map(<[_]>::to_vec)
                .collect(),
            ranks,
            fixed_suits,
        })
    }

    /// Moves a card to a gap, or says why that is not allowed.
    pub fn play(&mut self, card: Card, row: usize, column: usize) -> Result<(), String> {
        let Some(place) = self.rows.get(row).and_then(|r| r.get(column)) else {
            return Err(format!("row {row} has no place {column}"));
        };
        if let Some(occupant) = place {
            return Err(format!("{occupant} is there"));
        }
        if column == 0 {
            if card.rank != 2 {
                return Err(format!("{card} does not start a row"));
            }
            if self.fixed_suits && Suit::ALL[row] != card.suit {
                return Err(format!("{card} does not start row {}", row + 1));
            }
        } else {
            let neighbour = self.rows[row][column - 1];
            let follows = |n: Card| n.suit == card.suit && n.rank + 1 == card.rank;
            if !neighbour.is_some_and(follows) {
                return Err(format!("{card} does not follow its left neighbour"));
            }
        }
        let from = self.rows.iter_mut().flatten().find(|c| **c == Some(card));
        *from.ok_or_else(|| format!("{card} is not in play"))? = None;
        self.rows[row][column] = Some(card);
        Ok(())
    }

    /// Every legal move: card, row, column.
    #[must_use]
    pub fn moves(&self) -> Vec<(Card, usize, usize)> {
        let cards: Vec<Card> = self.rows.iter().flatten().flatten().copied().collect();
        let mut all = Vec::new();
        for row in 0..self.rows.len() {
            for column in 0..usize::from(self.ranks) {
                let here = cards.iter().map(|card| (*card, row, column));
                all.extend(here.filter(|(c, r, k)| self.clone().play(*c, *r, *k).is_ok()));
            }
        }
        all
    }
}

impl super::Referee for Referee {
    fn play_event(&mut self, text: &str) -> Result<Option<String>, String> {
        let (channel, fields) = event(text);
        if channel == "done" {
            return super::done(self);
        }
        let ("move", [Field::Card(card), Field::Word(place)]) = (channel, fields.as_slice()) else {
            return Ok(None);
        };
        let place: usize = place
            .parse()
            .map_err(|_| format!("'{place}' is no place"))?;
        let (row, column) = (
            place / usize::from(self.ranks),
            place % usize::from(self.ranks),
        );
        self.play(*card, row, column)?;
        Ok(Some(format!(
            "{card} to row {}, place {}",
            row + 1,
            column + 1
        )))
    }

    fn is_won(&self) -> bool {
        self.rows.iter().enumerate().all(|(index, row)| {
            let Some(first) = row[0] else { return false };
            let cards = row[..row.len() - 1].iter().zip(2..);
            let in_order = cards.into_iter().all(|(card, rank)| {
                *card
                    == Some(Card {
                        rank,
                        suit: first.suit,
                    })
            });
            in_order
                && row[row.len() - 1].is_none()
                && (!self.fixed_suits || Suit::ALL[index] == first.suit)
        })
    }

    fn draw(&self) -> String {
        let show = |card: &Option<Card>| card.map_or("--".to_owned(), |c| c.to_string());
        let line =
            |row: &Vec<Option<Card>>| row.iter().map(show).collect::<Vec<_>>().join(" ") + "\n";
        self.rows.iter().map(line).collect()
    }

    fn position(&self) -> Position {
        let rows = self.rows.iter().enumerate().map(|(i, row)| {
            let place = |card: &Option<Card>| Place {
                card: *card,
                up: true,
            };
            Pile {
                places: row.iter().map(place).collect(),
                ..Pile::new(
                    PileKind::Row,
                    format!("R{}", i + 1),
                    (i + 1).to_string(),
                    [],
                )
            }
        });
        Position::Cards(rows.collect())
    }

    fn copied(&self) -> Box<dyn super::Referee + Send> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Referee as _;
    use super::*;

    fn game(text: &str, fixed_suits: bool) -> Referee {
        let places: Vec<Option<Card>> = text.split_whitespace().map(Card::parse).collect();
        Referee::new(&places, 3, fixed_suits).expect("four rows of three")
    }

    #[test]
    fn a_play_is_followed_to_the_win() {
        let mut game = game("2C -- 3C  2D 3D --  -- 2H 3H  2S 3S --", false);
        assert!(!game.is_won());
        let play = |game: &mut Referee, event: &str| game.play_event(event);
        assert_eq!(
            play(&mut game, "move.card.Hearts.3.1"),
            Err("3H does not follow its left neighbour".to_owned())
        );
        assert_eq!(
            play(&mut game, "move.card.Hearts.3.6"),
            Err("3H does not start a row".to_owned())
        );
        assert_eq!(
            play(&mut game, "move.card.Clubs.3.1"),
            Ok(Some("3C to row 1, place 2".to_owned()))
        );
        play(&mut game, "move.card.Hearts.2.6").expect("legal");
        play(&mut game, "move.card.Hearts.3.7").expect("legal");
        assert!(game.is_won());
    }

    #[test]
    fn fixed_suits_bind_rows() {
        let start = "-- 2D --  2C 3C 3D  2H 3H --  2S 3S --";
        let diamonds = Card::new(2, Suit::Diamonds);
        assert!(game(start, false).play(diamonds, 0, 0).is_ok());
        assert!(game(start, true).play(diamonds, 0, 0).is_err());
    }
}
