//! The seeds of Solvitaire (Blake and Gent): a Mersenne Twister and a shuffle by division.

use crate::card::{Card, Suit};
use crate::deal::mersenne::Mersenne;

/// The shuffled pack; cards are taken from its **end**.
#[must_use]
pub fn shuffled(seed: u32, ranks: u8) -> Vec<Card> {
    shuffled_pack(seed, ordered(ranks))
}

/// The pack before it is shuffled.
#[must_use]
pub fn ordered(ranks: u8) -> Vec<Card> {
    const SUITS: [Suit; 4] = [Suit::Clubs, Suit::Hearts, Suit::Spades, Suit::Diamonds];
    (1..=ranks)
        .flat_map(|rank| SUITS.map(|suit| Card::new(rank, suit)))
        .collect()
}

/// Any pack, shuffled; cards are taken from its **end**.
#[must_use]
pub fn shuffled_pack<T>(seed: u32, mut pack: Vec<T>) -> Vec<T> {
    let mut twister = Mersenne::new(seed);
    for i in (1..pack.len()).rev() {
        let j = below(&mut twister, u32::try_from(i).expect("packs are small"));
        pack.swap(i, j as usize);
    }
    pack
}

/// Uniform from 0 to `last`.
fn below(twister: &mut Mersenne, last: u32) -> u32 {
    let range = last + 1;
    let bucket = u32::MAX / range + u32::from(u32::MAX % range == last);
    loop {
        let value = twister.word() / bucket;
        if value <= last {
            return value;
        }
    }
}

/// A deal of Klondike: columns (deepest first) and the stock (bottom first, so the last is drawn first).
#[must_use]
pub fn klondike(seed: u32) -> (Vec<Vec<Card>>, Vec<Card>) {
    let mut pack = shuffled(seed, 13);
    let stock: Vec<Card> = (0..24).filter_map(|_| pack.pop()).collect();
    (triangle(&mut pack, 7), stock)
}

/// A deal of King Albert: nine columns and the reserve.
#[must_use]
pub fn king_albert(seed: u32) -> (Vec<Vec<Card>>, Vec<Card>) {
    let mut pack = shuffled(seed, 13);
    let reserve: Vec<Card> = (0..7).filter_map(|_| pack.pop()).collect();
    (triangle(&mut pack, 9), reserve)
}

/// Columns of 1, 2, … cards, dealt row by row from the last column to the first.
fn triangle(pack: &mut Vec<Card>, columns: usize) -> Vec<Vec<Card>> {
    let mut dealt = vec![Vec::new(); columns];
    for row in 0..columns {
        for column in (row..columns).rev() {
            dealt[column].extend(pack.pop());
        }
    }
    dealt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_klondike_layout_of_seed_1_is_reproduced() {
        let show = |cards: &[Card]| {
            cards
                .iter()
                .map(Card::to_string)
                .collect::<Vec<_>>()
                .join(" ")
        };
        let (columns, stock) = klondike(1);
        let columns: Vec<String> = columns.iter().map(|c| show(c)).collect();
        assert_eq!(
            columns.join(" / "),
            "9D / 4C AS / QD TD JC / 9S JS 8S 6D / 6S 8H 5H 8D JH / 3D 3C 8C 7H 9H AH / 2H 5D KD 7S 2C KH JD"
        );
        assert_eq!(
            show(&stock),
            "6H KS TC QH AC 2S 4H QC QS 3S AD 5C 2D 4D KC 7C 4S 9C 5S 7D TH 3H 6C TS"
        );
    }
}
