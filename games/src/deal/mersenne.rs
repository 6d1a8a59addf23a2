//! The Mersenne Twister MT19937 (Matsumoto and Nishimura 1998), as two numberings use it.

/// The generator.
#[derive(Clone, Debug)]
pub struct Mersenne {
    words: [u32; 624],
    next: usize,
}

impl Mersenne {
    /// Seeded with one word.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        let mut words = [seed; 624];
        for i in 1..624u32 {
            let before = words[i as usize - 1];
            words[i as usize] = 1_812_433_253u32
                .wrapping_mul(before ^ (before >> 30))
                .wrapping_add(i);
        }
        Self { words, next: 624 }
    }

    /// Seeded with several words, as Python does for integers (least significant word first).
    #[must_use]
    pub fn from_words(key: &[u32]) -> Self {
        let mut twister = Self::new(19_650_218);
        let words = &mut twister.words;
        let (mut i, mut j) = (1, 0);
        let mixed = |words: &[u32; 624], i: usize, factor: u32| {
            words[i] ^ (words[i - 1] ^ (words[i - 1] >> 30)).wrapping_mul(factor)
        };
        for _ in 0..key.len().max(624) {
            let extra = u32::try_from(j).expect("keys are short");
            words[i] = mixed(words, i, 1_664_525)
                .wrapping_add(key[j])
                .wrapping_add(extra);
            i += 1;
            j = (j + 1) % key.len();
            if i == 624 {
                words[0] = words[623];
                i = 1;
            }
        }
        for _ in 0..623 {
            let index = u32::try_from(i).expect("below 624");
            words[i] = mixed(words, i, 1_566_083_941).wrapping_sub(index);
            i += 1;
            if i == 624 {
                words[0] = words[623];
                i = 1;
            }
        }
        words[0] = 0x8000_0000;
        twister
    }

    /// The next 32 bits.
    pub fn word(&mut self) -> u32 {
        if self.next == 624 {
            self.twist();
        }
        let mut y = self.words[self.next];
        self.next += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }

    /// The next number of 53 bits below 1.
    pub fn fraction(&mut self) -> f64 {
        let (high, low) = (self.word() >> 5, self.word() >> 6);
        (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0
    }

    fn twist(&mut self) {
        for i in 0..624 {
            let y = (self.words[i] & 0x8000_0000) | (self.words[(i + 1) % 624] & 0x7fff_ffff);
            let odd = if y & 1 == 1 { 0x9908_b0df } else { 0 };
            self.words[i] = self.words[(i + 397) % 624] ^ (y >> 1) ^ odd;
        }
        self.next = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_first_words_are_reproduced() {
        let mut twister = Mersenne::new(5489);
        assert_eq!(twister.word(), 3_499_211_612);
        for _ in 1..9_999 {
            twister.word();
        }
        assert_eq!(twister.word(), 4_123_659_995);
        let mut keyed = Mersenne::from_words(&[0x123, 0x234, 0x345, 0x456]);
        assert_eq!(keyed.word(), 1_067_595_299);
    }
}
