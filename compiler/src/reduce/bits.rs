//! Sets of small numbers as bits.

/// A set of numbers below a bound.
#[derive(Clone, Debug)]
pub(super) struct Bits {
    words: Box<[u64]>,
}

impl Bits {
    pub(super) fn new(bound: usize) -> Self {
        Self {
            words: vec![0; bound.div_ceil(64)].into(),
        }
    }

    pub(super) fn contains(&self, number: usize) -> bool {
        self.words[number / 64] >> (number % 64) & 1 == 1
    }

    /// Adds a number; whether it is new.
    pub(super) fn insert(&mut self, number: usize) -> bool {
        let new = !self.contains(number);
        self.words[number / 64] |= 1 << (number % 64);
        new
    }

    /// Adds a range and visits the numbers in it that are new.
    pub(super) fn insert_new(&mut self, from: usize, to: usize, mut visit: impl FnMut(usize)) {
        for_words(from, to, |word, mask| {
            let mut new = mask & !self.words[word];
            self.words[word] |= mask;
            while new != 0 {
                visit(word * 64 + new.trailing_zeros() as usize);
                new &= new - 1;
            }
        });
    }
}

/// Visits the words of a half-open range with the mask of its bits in each.
fn for_words(from: usize, to: usize, mut visit: impl FnMut(usize, u64)) {
    let mut at = from;
    while at < to {
        let (word, start) = (at / 64, at % 64);
        let end = (to - word * 64).min(64);
        let below = if end == 64 { u64::MAX } else { (1 << end) - 1 };
        visit(word, below & (u64::MAX << start));
        at = (word + 1) * 64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_agree_with_single_numbers() {
        for from in 0..130 {
            for to in from..130 {
                let mut bits = Bits::new(130);
                bits.insert_new(from, to, |number| assert!((from..to).contains(&number)));
                for number in 0..130 {
                    assert_eq!(bits.contains(number), (from..to).contains(&number));
                }
                let mut new = Vec::new();
                bits.insert_new(60, 70, |number| new.push(number));
                let expected: Vec<usize> = (60..70).filter(|n| !(from..to).contains(n)).collect();
                assert_eq!(new, expected);
            }
        }
    }
}
