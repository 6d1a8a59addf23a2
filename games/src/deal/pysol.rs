//! The numbers of PySol (64-bit congruential generator) and PySolFC (Python's Mersenne Twister).

use crate::card::{Card, Suit, new_pack};
use crate::deal::mersenne::Mersenne;

/// Which generator a number is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generator {
    /// Numbers up to 32000, or written `ms…`: Microsoft's.
    Microsoft,
    /// PySol up to version 4.
    Classic,
    /// PySolFC.
    Current,
}

/// The pack of a deal, in the order in which it is dealt.
#[must_use]
pub fn deal(number: u64, generator: Generator) -> Vec<Card> {
    const SUITS: [Suit; 4] = [Suit::Clubs, Suit::Spades, Suit::Hearts, Suit::Diamonds];
    let pack: Vec<Card> = match generator {
        Generator::Microsoft => new_pack(13),
        _ => SUITS
            .into_iter()
            .flat_map(|suit| (1..=13).map(move |rank| Card::new(rank, suit)))
            .collect(),
    };
    deal_pack(number, generator, pack)
}

/// Any pack, in the order in which it is dealt.
#[must_use]
pub fn deal_pack<T>(number: u64, generator: Generator, mut pack: Vec<T>) -> Vec<T> {
    let mut random = Random::new(number, generator);
    for i in (1..pack.len()).rev() {
        pack.swap(i, random.below(i + 1));
    }
    pack.reverse();
    pack
}

enum Random {
    Microsoft(u64),
    Classic(u64),
    Current(Box<Mersenne>),
}

impl Random {
    fn new(number: u64, generator: Generator) -> Self {
        match generator {
            Generator::Microsoft => Self::Microsoft(number & 0xffff_ffff),
            Generator::Classic => Self::Classic(number),
            Generator::Current => {
                let (low, high) = ((number & 0xffff_ffff) as u32, (number >> 32) as u32);
                let key = if high == 0 {
                    vec![low]
                } else {
                    vec![low, high]
                };
                Self::Current(Box::new(Mersenne::from_words(&key)))
            }
        }
    }

    fn below(&mut self, range: usize) -> usize {
        let scaled = |fraction: f64| (fraction * range as f64) as usize;
        match self {
            Self::Microsoft(state) => {
                *state = (*state * 214_013 + 2_531_011) & 0xffff_ffff;
                ((*state >> 16) & 0x7fff) as usize % range
            }
            Self::Classic(state) => {
                *state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                scaled(((*state >> 21) & 0x7fff_ffff) as f64 / 2_147_483_648.0)
            }
            Self::Current(twister) => scaled(twister.fraction()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::microsoft;

    #[test]
    fn microsoft_numbers_agree_with_microsofts_deal() {
        for number in [1, 617, 11982, 32000] {
            assert_eq!(
                deal(number, Generator::Microsoft),
                microsoft::deal(number, 13).expect("in range")
            );
        }
    }
}
