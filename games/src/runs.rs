//! Runs: several moves of single cards that together carry cards from one column to another, as players say
//! it in one move.
//!
//! Whether some moves are one is read off the positions before and after: cards left the end of one column
//! and lie in the same order at the end of another, and everything else lies as before. Nothing here knows a
//! rule.

use crate::card::Card;
use crate::table::{Pile, PileKind, Position};

/// The most moves that are taken for one.
const LONGEST: usize = 64;

/// Moves that are one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The first of them, counted from 0.
    pub first: usize,
    /// How many they are.
    pub moves: usize,
    /// The cards, from the table upwards.
    pub cards: Vec<Card>,
    /// The column that they leave: its number among the piles.
    pub from: usize,
    /// The column that they come to.
    pub to: usize,
}

/// The runs of a play: `positions` has the position before each move and the one after the last.
#[must_use]
pub fn runs(positions: &[Position]) -> Vec<Run> {
    let mut found = Vec::new();
    let mut first = 0;
    while first + 2 < positions.len() {
        let last = positions.len().min(first + LONGEST + 1);
        let run = (first + 2..last).find_map(|end| {
            let (cards, from, to) = carried(&positions[first], &positions[end])?;
            Some(Run {
                first,
                moves: end - first,
                cards,
                from,
                to,
            })
        });
        // A card that lies between columns for a while belongs to the run; one that only changes its column
        // first is a move of its own.
        match run.filter(|_| carried_one(&positions[first], &positions[first + 1]).is_none()) {
            Some(run) => {
                first += run.moves;
                found.push(run);
            }
            None => first += 1,
        }
    }
    found
}

/// The cards that went from the end of one column to the end of another while all else stayed.
fn carried(before: &Position, after: &Position) -> Option<(Vec<Card>, usize, usize)> {
    let (cards, from, to) = moved(before.piles(), after.piles())?;
    (cards.len() > 1).then_some((cards, from, to))
}

/// A card that went from the end of one column to the end of another, and nothing else.
fn carried_one(before: &Position, after: &Position) -> Option<(Vec<Card>, usize, usize)> {
    let (cards, from, to) = moved(before.piles(), after.piles())?;
    (cards.len() == 1).then_some((cards, from, to))
}

fn moved(before: &[Pile], after: &[Pile]) -> Option<(Vec<Card>, usize, usize)> {
    let differ = |i: &usize| before[*i].places != after[*i].places;
    let changed: Vec<usize> = (0..before.len().min(after.len())).filter(differ).collect();
    let &[one, other] = changed.as_slice() else {
        return None;
    };
    let (from, to) = if after[one].places.len() < before[one].places.len() {
        (one, other)
    } else {
        (other, one)
    };
    let columns = [from, to]
        .iter()
        .all(|i| before[*i].kind == PileKind::Column);
    let left = after[from].places.len();
    let (stays, goes) = before[from].places.split_at_checked(left)?;
    let under = before[to].places.len();
    let (same, came) = after[to].places.split_at_checked(under)?;
    let fits = columns && stays == after[from].places && same == before[to].places && came == goes;
    let cards: Option<Vec<Card>> = goes.iter().map(|place| place.card).collect();
    cards.filter(|_| fits).map(|cards| (cards, from, to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Place;

    fn position(columns: &[&str], cell: &str) -> Position {
        let cards = |text: &str| -> Vec<Place> {
            let words = text.split_whitespace();
            words
                .map(|w| Place::up(Card::parse(w).expect("a card")))
                .collect()
        };
        let mut piles = vec![Pile::new(PileKind::Cell, "FC1", "a", [])];
        piles[0].places = cards(cell);
        for (i, column) in columns.iter().enumerate() {
            let name = format!("TP{}", i + 1);
            let mut pile = Pile::new(PileKind::Column, name, (i + 1).to_string(), []);
            pile.places = cards(column);
            piles.push(pile);
        }
        Position::Cards(piles)
    }

    #[test]
    fn a_card_by_way_of_a_cell_makes_a_run() {
        let play = [
            position(&["KC 5H 4S", "6S"], ""),
            position(&["KC 5H", "6S"], "4S"),
            position(&["KC", "6S 5H"], "4S"),
            position(&["KC", "6S 5H 4S"], ""),
            position(&["", "6S 5H 4S"], "KC"),
        ];
        let found = runs(&play);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].first, found[0].moves), (0, 3));
        assert_eq!((found[0].from, found[0].to), (1, 2));
        let cards: Vec<String> = found[0].cards.iter().map(ToString::to_string).collect();
        assert_eq!(cards, ["5H", "4S"]);
        // Two moves that each are whole stay two.
        assert_eq!(runs(&play[1..]), []);
    }
}
