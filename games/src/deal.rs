//! Numbered deals: a number gives a pack in the order in which it is dealt.

pub mod layout;
pub mod mersenne;
pub mod microsoft;
pub mod park_miller;
pub mod pysol;
pub mod solvitaire;

use crate::card::Card;

/// Deals cards in rounds, one to each of `columns` columns in turn, deepest card first.
#[must_use]
pub fn rounds(pack: &[Card], columns: usize) -> Vec<Vec<Card>> {
    let mut dealt = vec![Vec::new(); columns];
    for (i, card) in pack.iter().enumerate() {
        dealt[i % columns].push(*card);
    }
    dealt
}
