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

    /// Every number (and some beyond the bound, which nobody asks for).
    pub(super) fn full(bound: usize) -> Self {
        Self {
            words: vec![u64::MAX; bound.div_ceil(64)].into(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.words.fill(0);
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

    pub(super) fn insert_range(&mut self, from: usize, to: usize) {
        for_words(from, to, |word, mask| {
            self.words[word] |= mask;
            false
        });
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
            false
        });
    }

    pub(super) fn any_in_range(&self, from: usize, to: usize) -> bool {
        for_words(from, to, |word, mask| self.words[word] & mask != 0)
    }

    pub(super) fn intersect(&mut self, other: &Self) {
        for (word, with) in self.words.iter_mut().zip(&other.words) {
            *word &= with;
        }
    }

    pub(super) fn unite(&mut self, other: &Self) {
        for (word, with) in self.words.iter_mut().zip(&other.words) {
            *word |= with;
        }
    }
}

/// Visits the words of a half-open range with the mask of its bits in each, until told to stop.
fn for_words(from: usize, to: usize, mut visit: impl FnMut(usize, u64) -> bool) -> bool {
    let mut at = from;
    while at < to {
        let (word, start) = (at / 64, at % 64);
        let end = (to - word * 64).min(64);
        let below = if end == 64 { u64::MAX } else { (1 << end) - 1 };
        if visit(word, below & (u64::MAX << start)) {
            return true;
        }
        at = (word + 1) * 64;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_agree_with_single_numbers() {
        for from in 0..130 {
            for to in from..130 {
                let mut bits = Bits::new(130);
                bits.insert_range(from, to);
                for number in 0..130 {
                    assert_eq!(bits.contains(number), (from..to).contains(&number));
                }
                let mut new = Vec::new();
                bits.insert_new(60, 70, |number| new.push(number));
                let expected: Vec<usize> = (60..70).filter(|n| !(from..to).contains(n)).collect();
                assert_eq!(new, expected);
                let mut bits = Bits::new(130);
                bits.insert_range(from, to);
                assert_eq!(bits.any_in_range(64, 66), from < 66 && to > 64 && from < to);
            }
        }
    }
}
