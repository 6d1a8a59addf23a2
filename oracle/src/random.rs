//! Numbers that look random and are the same every time: splitmix64 (Steele, Lea, Flood 2014).

/// A generator with its whole state in one number.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator of a seed. Neighbouring seeds give unrelated numbers.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0xA076_1D64_78BD_642F) ^ 0xE703_7ED1_A0B4_28DB);
        random.bits();
        random
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below the bound, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).expect("a length fits 64 bits");
        usize::try_from(self.bits() % bound).expect("it is less than a length")
    }

    /// True this many times in a hundred.
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// One of the things.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len())]
    }

    /// An index, each as likely as its weight says.
    pub fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut left = self.below(weights.iter().sum());
        for (i, &weight) in weights.iter().enumerate() {
            if left < weight {
                return i;
            }
            left -= weight;
        }
        unreachable!("the number is below the sum of the weights")
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn the_numbers_never_change() {
        let mut random = Random::new(1);
        let first: Vec<u64> = (0..2).map(|_| random.bits()).collect();
        let mut again = Random::new(1);
        assert_eq!(first, [again.bits(), again.bits()]);
        assert_ne!(first[0], Random::new(2).bits());
    }
}
