//! The numbering of our other games: Park and Miller's generator (multiply by 48271 modulo
//! 2^31 - 1), three numbers thrown away, then cards drawn as in Microsoft's numbering.
//! `models/lib/deals.csp` says the same in CSPm.

use crate::card::{Card, new_pack};

/// The pack of a deal, in the order in which it is dealt.
#[must_use]
pub fn deal(number: u64, ranks: u8) -> Vec<Card> {
    deal_pack(number, new_pack(ranks))
}

/// Any pack, in the order in which it is dealt.
#[must_use]
pub fn deal_pack<T>(number: u64, mut pack: Vec<T>) -> Vec<T> {
    const MODULUS: u64 = (1 << 31) - 1;
    let step = |state: u64| state * 48_271 % MODULUS;
    let mut state = step(step(step(number % (MODULUS - 1) + 1)));
    let mut dealt = Vec::with_capacity(pack.len());
    while !pack.is_empty() {
        state = step(state);
        let at = usize::try_from(state % pack.len() as u64).expect("below the size of the pack");
        dealt.push(pack.swap_remove(at));
    }
    dealt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deal_has_every_card_once_and_neighbours_differ() {
        let mut pack = deal(1, 13);
        assert_ne!(pack, deal(2, 13));
        pack.sort_unstable();
        assert_eq!(pack, new_pack(13));
    }
}
