//! How new a state is among those of the same distance.
//!
//! A state is of novelty 1 if some component is in a local state that was not seen before at that
//! distance, of novelty 2 if some pair of components is in a pair of local states that was not seen,
//! and else of novelty 3. Preferring new states makes a search try out everything once before it
//! tries combinations. What was seen is kept as bits at hashed places: a collision can only make a
//! state look less new than it is, which changes the order of the search and nothing else.

use crate::machine::Layout;

/// The least new.
pub(crate) const OLD: u8 = 3;

/// The tables have between 2^16 and this many bits.
const MOST_BITS: u32 = 30;

/// What was seen so far.
#[derive(Debug)]
pub(crate) struct Novelty {
    /// The components that have more than one state, with the number of their first fact.
    components: Vec<(usize, u64)>,
    single: Bits,
    pairs: Bits,
    /// The facts of the state at hand, and which of them its parent does not share.
    facts: Vec<u64>,
    changed: Vec<usize>,
}

#[derive(Debug)]
struct Bits {
    words: Vec<u64>,
    shift: u32,
}

impl Bits {
    /// Room for about so many bits, within the limits.
    fn new(wanted: u64, most: u32) -> Self {
        let bits = (64 - wanted.leading_zeros()).clamp(16, most.max(16));
        Self {
            words: vec![0; 1 << (bits - 6)],
            shift: 64 - bits,
        }
    }

    /// Sets the bit of a key; whether it was not set.
    #[inline(always)]
    fn set(&mut self, key: u64) -> bool {
        let mixed = (key ^ key >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let at = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> self.shift;
        let word = &mut self.words[(at >> 6) as usize];
        let new = *word >> (at & 63) & 1 == 0;
        *word |= 1 << (at & 63);
        new
    }
}

impl Novelty {
    /// Nothing seen. `counts` are the numbers of local states of the components, `distances` how
    /// many different distances there are, and `memory` the bytes that may be taken.
    pub(crate) fn new(counts: &[usize], distances: u64, memory: u64) -> Self {
        let mut components = Vec::new();
        let mut facts = 0u64;
        for (component, count) in counts.iter().enumerate() {
            if *count > 1 {
                components.push((component, facts));
                facts += *count as u64;
            }
        }
        let affordable = (memory.saturating_mul(8) / 16).max(1).ilog2();
        let most = MOST_BITS.min(affordable);
        let singles = facts.saturating_mul(distances);
        Self {
            facts: vec![0; components.len()],
            changed: Vec::with_capacity(components.len()),
            components,
            single: Bits::new(singles.saturating_mul(4), most),
            pairs: Bits::new(singles.saturating_mul(facts), most),
        }
    }

    /// Bytes taken.
    pub(crate) fn bytes(&self) -> usize {
        (self.single.words.len() + self.pairs.words.len()) * 8
    }

    /// The novelty of a state: 1, 2 or [`OLD`]. With a parent of the same distance, only what has
    /// changed can be new.
    pub(crate) fn of<const N: usize>(
        &mut self,
        layout: &Layout,
        state: &[u64; N],
        parent: Option<&[u64; N]>,
        distance: u32,
    ) -> u8 {
        self.changed.clear();
        for (at, (component, first)) in self.components.iter().enumerate() {
            let field = layout.components[*component];
            let value = field.get(state);
            self.facts[at] = first + u64::from(value);
            if parent.is_none_or(|parent| field.get(parent) != value) {
                self.changed.push(at);
            }
        }
        let part = u64::from(distance).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let mut novelty = OLD;
        for at in &self.changed {
            if self.single.set(part ^ self.facts[*at]) {
                novelty = 1;
            }
        }
        for at in &self.changed {
            let one = self.facts[*at];
            for other in &self.facts {
                // Facts are numbered by component, so a pair has one order.
                let pair = one.min(*other) << 32 | one.max(*other);
                if one != *other && self.pairs.set(part ^ pair) {
                    novelty = novelty.min(2);
                }
            }
        }
        novelty
    }
}
