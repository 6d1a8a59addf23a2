//! A card of one of several decks. Rules never ask for the deck: it only tells equal cards apart.

use std::fmt;

use csp_games::Card;

/// A card and the deck it is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece {
    /// The card.
    pub card: Card,
    /// The deck, from 0.
    pub deck: u8,
}

impl Piece {
    /// As the models write it: `card.Hearts.3`, or `card.Hearts.3.1` where there are several decks.
    #[must_use]
    pub fn in_model(self, decks: u8) -> String {
        if decks == 1 {
            self.card.in_model()
        } else {
            format!("{}.{}", self.card.in_model(), self.deck)
        }
    }

    /// All cards of some decks: by deck, then by rank.
    #[must_use]
    pub fn all(decks: u8, ranks: u8) -> Vec<Self> {
        let one = csp_games::card::new_pack(ranks);
        let deck = |deck| one.iter().map(move |&card| Self { card, deck });
        (0..decks).flat_map(deck).collect()
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.card.fmt(f)
    }
}
