//! From a description, a numbering and a number to the position at the start.
//!
//! Packs of the numberings Microsoft, PySol and ours are dealt from the front: what lies on foundations
//! or in the hole, then the columns (in rounds, or one column after another where they have sizes),
//! cells, reserve, and the rest is the stock. Solvitaire's seeds are dealt from the end, in its order:
//! hole or base, cells, stock (from the bottom), reserve, rows, and the columns row by row.

use std::sync::Arc;

use csp_games::Card;
use csp_games::deal::layout::{Numbering, numbers};
use csp_games::deal::{microsoft, park_miller, pysol, solvitaire};

use crate::description::{Base, Begun, Description, Face, HoleStart, Shape};
use crate::piece::Piece;
use crate::position::{Column, Position};
use crate::validate::elsewhere;

/// Deals a game; the error is a sentence.
pub fn deal(
    rules: &Arc<Description>,
    numbering: Numbering,
    number: u64,
) -> Result<Position, String> {
    let range = numbers(numbering);
    if !range.contains(&number) {
        return Err(format!(
            "deal {number} is out of range: {} numbers run from {} to {}",
            numbering.name(),
            range.start(),
            range.end()
        ));
    }
    let (needed, cards) = (elsewhere(rules), rules.cards());
    if needed > cards {
        return Err(format!(
            "{needed} cards lie outside the columns, but the pack has {cards}"
        ));
    }
    let pack = pack(rules, numbering, number);
    Ok(Dealer::new(rules, pack, numbering == Numbering::Solvitaire).position())
}

/// The shuffled pack.
fn pack(d: &Description, numbering: Numbering, number: u64) -> Vec<Piece> {
    let new = Piece::all(d.decks, d.ranks);
    match numbering {
        Numbering::Microsoft => microsoft::deal_pack(number, new).unwrap_or_default(),
        Numbering::Ours => park_miller::deal_pack(number, new),
        Numbering::Pysol if number <= 32_000 => {
            pysol::deal_pack(number, pysol::Generator::Microsoft, new)
        }
        Numbering::Pysol | Numbering::OldPysol => {
            let mut by_suit = new;
            let order = |c: Card| [0, 3, 2, 1][c.suit as usize];
            by_suit.sort_by_key(|p| (p.deck, order(p.card), p.card.rank));
            let generator = match numbering {
                Numbering::Pysol => pysol::Generator::Current,
                _ => pysol::Generator::Classic,
            };
            pysol::deal_pack(number, generator, by_suit)
        }
        Numbering::Solvitaire => {
            let one = solvitaire::ordered(d.ranks);
            let deck = |deck| one.iter().map(move |&card| Piece { card, deck });
            let all = (0..d.decks).flat_map(deck).collect();
            solvitaire::shuffled_pack(u32::try_from(number).unwrap_or(u32::MAX), all)
        }
    }
}

/// Deals a pack that is given, in the order of our own numbering.
#[must_use]
pub fn deal_pack(rules: &Arc<Description>, pack: Vec<Piece>) -> Position {
    Dealer::new(rules, pack, false).position()
}

struct Dealer<'a> {
    rules: &'a Arc<Description>,
    /// What is left; the next card is the last.
    rest: Vec<Piece>,
    /// The first card of the pack, for what begins with it: Solvitaire's is at the other end.
    first: Option<Piece>,
    solvitaire: bool,
}

impl<'a> Dealer<'a> {
    fn new(rules: &'a Arc<Description>, mut pack: Vec<Piece>, solvitaire: bool) -> Self {
        if !solvitaire {
            pack.reverse();
        }
        let first = if solvitaire {
            pack.first().copied()
        } else {
            pack.last().copied()
        };
        Self {
            rules,
            rest: pack,
            first,
            solvitaire,
        }
    }

    fn take(&mut self, count: usize) -> Vec<Piece> {
        (0..count).filter_map(|_| self.rest.pop()).collect()
    }

    fn remove(&mut self, wanted: impl Fn(Piece) -> bool) -> Option<Piece> {
        let at = self.rest.iter().position(|p| wanted(*p))?;
        Some(self.rest.remove(at))
    }

    fn position(mut self) -> Position {
        let d = Arc::clone(self.rules);
        let mut position = Position::empty(Arc::clone(self.rules));
        if let Some(first) = self.first {
            position.base = match d.foundations.as_ref().map(|f| f.base) {
                Some(Base::Rank(rank)) => rank,
                Some(Base::First) => first.card.rank,
                None => 1,
            };
        }
        self.hole_and_home(&d, &mut position);
        if d.gaps.is_some() {
            self.rows(&d, &mut position);
        } else if let Some(a) = &d.accordion {
            position.piles = self.take(a.cards).into_iter().map(|p| vec![p]).collect();
        } else if let Some(p) = &d.piles {
            position.piles = vec![Vec::new(); p.count];
            position.stock = self.take(d.stock.as_ref().map_or(0, |s| s.cards));
            if !self.solvitaire {
                position.stock.reverse();
            }
        } else if self.solvitaire {
            position.cells = self.take(d.cells.filled);
            position.stock = self.take(d.stock.as_ref().map_or(0, |s| s.cards));
            position.reserve = self.take(d.reserve.map_or(0, |r| r.cards));
            position.columns = self.columns_by_rows(&d);
        } else {
            position.columns = self.columns(&d);
            position.cells = self.take(d.cells.filled);
            position.reserve = self.take(d.reserve.map_or(0, |r| r.cards));
            position.stock = self.take(d.stock.as_ref().map_or(0, |s| s.cards));
            position.stock.reverse();
        }
        self.turn_down(&d, &mut position);
        position.settle();
        position
    }

    fn hole_and_home(&mut self, d: &Description, position: &mut Position) {
        let first = self.first;
        match d.hole.map(|h| h.start) {
            Some(HoleStart::Card(card)) => {
                position.hole.extend(self.remove(|p| p.card == card));
            }
            Some(HoleStart::First) => position.hole.extend(self.remove(|p| Some(p) == first)),
            Some(HoleStart::Empty) | None => {}
        }
        let home: Vec<Piece> = match d.foundations.as_ref().map(|f| f.start) {
            Some(Begun::One) => self.remove(|p| Some(p) == first).into_iter().collect(),
            Some(Begun::All) => {
                let base = position.base;
                let down = usize::from(d.downward());
                // One of each suit where some foundations are built downwards: the others stay in the pack.
                for suit in csp_games::Suit::ALL.into_iter().filter(|_| down > 0) {
                    for _ in 0..down {
                        let top = self.remove(|p| p.card.rank == d.ranks && p.card.suit == suit);
                        top.into_iter().for_each(|p| position.put_home_down(p));
                    }
                    for _ in down..usize::from(d.decks) {
                        let first = self.remove(|p| p.card.rank == base && p.card.suit == suit);
                        first.into_iter().for_each(|p| position.put_home(p));
                    }
                }
                let count = if down > 0 {
                    0
                } else {
                    4 * usize::from(d.decks)
                };
                (0..count)
                    .filter_map(|_| self.remove(|p| p.card.rank == base))
                    .collect()
            }
            _ => Vec::new(),
        };
        for piece in home {
            position.put_home(piece);
        }
    }

    fn rows(&mut self, d: &Description, position: &mut Position) {
        let places = 4 * usize::from(d.ranks);
        let ranks = usize::from(d.ranks);
        let mut rows = vec![None; places];
        for t in 0..places {
            // Solvitaire deals a card to each row in turn, the others row after row.
            let place = if self.solvitaire {
                (t % 4) * ranks + t / 4
            } else {
                t
            };
            rows[place] = self.rest.pop().filter(|p| p.card.rank > 1);
        }
        position.rows = rows;
    }

    /// How many cards each column is dealt.
    fn sizes(d: &Description, cards: usize) -> Vec<usize> {
        let Some(t) = &d.tableau else {
            return Vec::new();
        };
        let mut sizes = vec![0; t.columns];
        match &t.shape {
            Shape::Sizes(given) => return given.clone(),
            Shape::Rounds => (0..cards).for_each(|i| sizes[i % t.columns] += 1),
            Shape::Triangle => {
                let mut left = cards;
                for row in 0..cards {
                    let from = if row < t.columns { row } else { 0 };
                    // The first rows end at shorter columns; a row that is not whole lacks those first.
                    let columns: Vec<usize> = if row < t.columns {
                        (from..t.columns).rev().collect()
                    } else {
                        (0..t.columns).collect()
                    };
                    for column in columns {
                        if left == 0 {
                            return sizes;
                        }
                        sizes[column] += 1;
                        left -= 1;
                    }
                }
            }
        }
        sizes
    }

    fn columns(&mut self, d: &Description) -> Vec<Column> {
        let outside = elsewhere(d);
        let dealt_before = d.cards() - self.rest.len();
        let cards = self.rest.len() + dealt_before - outside;
        let sizes = Self::sizes(d, cards);
        let mut columns = vec![Column::default(); sizes.len()];
        if matches!(d.tableau.as_ref().map(|t| &t.shape), Some(Shape::Rounds)) {
            for i in 0..cards {
                columns[i % sizes.len()].cards.extend(self.rest.pop());
            }
        } else {
            for (column, size) in columns.iter_mut().zip(sizes) {
                column.cards = self.take(size);
            }
        }
        columns
    }

    fn columns_by_rows(&mut self, d: &Description) -> Vec<Column> {
        let sizes = Self::sizes(d, self.rest.len());
        let triangle = matches!(d.tableau.as_ref().map(|t| &t.shape), Some(Shape::Triangle));
        let mut columns = vec![Column::default(); sizes.len()];
        let rows = sizes.iter().copied().max().unwrap_or(0);
        for row in 0..rows {
            let mut order: Vec<usize> = (0..sizes.len()).collect();
            if triangle && row < sizes.len() {
                order.reverse();
            }
            for at in order {
                if columns[at].cards.len() == row && row < sizes[at] {
                    columns[at].cards.extend(self.rest.pop());
                }
            }
        }
        columns
    }

    fn turn_down(&self, d: &Description, position: &mut Position) {
        let Some(t) = &d.tableau else {
            return;
        };
        for (i, column) in position.columns.iter_mut().enumerate() {
            if t.kings_down {
                column.cards.sort_by_key(|p| p.card.rank != d.ranks);
            }
            let most = column.cards.len().saturating_sub(1);
            column.down = match &t.face {
                Face::Up => 0,
                Face::Last => most,
                Face::Down(down) => down.get(i).copied().unwrap_or(0).min(most),
            };
        }
    }
}
