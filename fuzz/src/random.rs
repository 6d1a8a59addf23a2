//! A small generator of random numbers (SplitMix64), the same on every machine.

/// The state.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers that belong to an input of a run.
    #[must_use]
    pub fn new(seed: u64, number: u64) -> Self {
        let mut random = Self(seed ^ 0x5bd1_e995);
        random.0 = random.any() ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        random.any();
        random
    }

    /// Any number.
    pub fn any(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below the bound, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.any() >> 33).expect("31 bits fit") % bound
    }

    /// True once in this many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of several.
    pub fn one<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        &items[self.below(items.len())]
    }
}
