//! The numbering of Microsoft's FreeCell, as FreeCell Pro extended it to 2^33 - 1.

use crate::card::{Card, new_pack};

/// The largest number.
pub const LAST: u64 = (1 << 33) - 1;

/// The pack of a deal, in the order in which it is dealt; `None` for a number out of range.
#[must_use]
pub fn deal(number: u64, ranks: u8) -> Option<Vec<Card>> {
    deal_pack(number, new_pack(ranks))
}

/// Any pack, in the order in which it is dealt; `None` for a number out of range.
#[must_use]
pub fn deal_pack<T>(number: u64, mut pack: Vec<T>) -> Option<Vec<T>> {
    if !(1..=LAST).contains(&number) {
        return None;
    }
    let mut state = number & 0xffff_ffff;
    let mut dealt = Vec::with_capacity(pack.len());
    while !pack.is_empty() {
        state = (state * 214_013 + 2_531_011) & 0xffff_ffff;
        let upper = state >> 16;
        let random = match number {
            n if n < 1 << 31 => upper & 0x7fff,
            n if n < 1 << 32 => upper | 0x8000,
            _ => upper + 1,
        };
        let size = pack.len() as u64;
        dealt.push(
            pack.swap_remove(usize::try_from(random % size).expect("below the size of the pack")),
        );
    }
    Some(dealt)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::rounds;

    fn first_rows(number: u64) -> Vec<String> {
        let show = |column: Vec<Card>| {
            column
                .iter()
                .map(Card::to_string)
                .collect::<Vec<_>>()
                .join(" ")
        };
        rounds(&deal(number, 13).expect("in range"), 8)
            .into_iter()
            .map(show)
            .collect()
    }

    #[test]
    fn published_layouts_are_reproduced() {
        let one = first_rows(1);
        assert_eq!(one[0], "JD KD 2S 4C 3S 6D 6S");
        assert_eq!(one[7], "5H 3H 3C 7S 7D TC");
        let hard = first_rows(617);
        assert_eq!(hard[0], "7D TD TH KD 4C 4S JD");
        assert_eq!(hard[7], "AH KH TC JS 2S QH");
        let impossible = first_rows(11982);
        assert_eq!(impossible[3], "AC QC 4D 8C QH 9C 3S");
        assert_eq!(impossible[6], "TS AD 9S KH 4S 4C");
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        assert_eq!(deal(0, 13), None);
        assert_eq!(deal(LAST + 1, 13), None);
        assert_eq!(deal(LAST, 13).map(|p| p.len()), Some(52));
    }
}
