//! Random numbers that are the same on every machine: SplitMix64 (Steele, Lea, Flood 2014).

/// A generator.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator for a seed and the numbers of what it is used for, all of which matter.
    #[must_use]
    pub fn new(seed: u64, purpose: &[u64]) -> Self {
        let mut random = Self(seed);
        for number in purpose {
            random.0 = random.draw() ^ number.wrapping_mul(0xd6e8_feb8_6659_fd93);
        }
        random
    }

    /// The next 64 bits.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below a bound, each as likely as any other (Lemire's method with rejection).
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = (bound as u64).max(1);
        loop {
            let product = u128::from(self.draw()) * u128::from(bound);
            if (product as u64) >= bound.wrapping_neg() % bound {
                return (product >> 64) as usize;
            }
        }
    }

    /// Puts items into any order, each as likely as any other.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_equally_likely() {
        let mut counts = std::collections::HashMap::new();
        let mut random = Random::new(1, &[2, 3]);
        for _ in 0..24_000 {
            let mut items = [0, 1, 2, 3];
            random.shuffle(&mut items);
            *counts.entry(items).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), 24);
        // 1000 expected, standard deviation 31.
        assert!(
            counts.values().all(|n| (840..1160).contains(n)),
            "{counts:?}"
        );
    }
}
