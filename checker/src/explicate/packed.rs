//! Bit-packed states, each stored once and numbered in the order of their coming.

use csp_lts::Network;

/// A set of network states.
pub(crate) struct PackedStates {
    /// For each component, the word and the bit at which it starts, and how many bits it has.
    fields: Vec<(usize, u32, u32)>,
    /// Words for each state.
    width: usize,
    words: Vec<u64>,
    /// Open addressing: one more than a state's number, 0 for empty; a power of two long.
    table: Vec<u32>,
    scratch: Vec<u64>,
}

impl PackedStates {
    /// An empty set of states of the network.
    pub(crate) fn new(network: &Network) -> Self {
        let (mut word, mut bit) = (0, 0);
        let mut fields = Vec::with_capacity(network.components.len());
        for component in &network.components {
            let states = component.lts.state_count() as u64;
            let bits = 64 - states.saturating_sub(1).leading_zeros();
            if bit + bits > 64 {
                (word, bit) = (word + 1, 0);
            }
            fields.push((word, bit, bits));
            bit += bits;
        }
        Self {
            fields,
            width: word + 1,
            words: Vec::new(),
            table: vec![0; 1024],
            scratch: vec![0; word + 1],
        }
    }

    /// How many states.
    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.words.len() / self.width).expect("states are numbered by u32")
    }

    /// Bytes taken.
    pub(crate) fn bytes(&self) -> u64 {
        (self.words.capacity() * 8 + self.table.len() * 4) as u64
    }

    /// The number of a state, which is added if it is new.
    pub(crate) fn intern(&mut self, state: &[u32]) -> u32 {
        self.scratch.fill(0);
        for (&(word, bit, bits), &local) in self.fields.iter().zip(state) {
            if bits > 0 {
                self.scratch[word] |= u64::from(local) << bit;
            }
        }
        let mask = self.table.len() - 1;
        let mut slot = hash(&self.scratch) & mask;
        loop {
            match self.table[slot] {
                0 => break,
                entry if self.packed(entry - 1) == self.scratch => return entry - 1,
                _ => slot = (slot + 1) & mask,
            }
        }
        let number = self.len();
        self.words.extend_from_slice(&self.scratch);
        self.table[slot] = number + 1;
        if (number as usize + 1) * 4 > self.table.len() * 3 {
            self.grow();
        }
        number
    }

    fn packed(&self, state: u32) -> &[u64] {
        &self.words[state as usize * self.width..(state as usize + 1) * self.width]
    }

    fn grow(&mut self) {
        let mask = self.table.len() * 2 - 1;
        let mut table = vec![0; mask + 1];
        for state in 0..self.len() {
            let mut slot = hash(self.packed(state)) & mask;
            while table[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            table[slot] = state + 1;
        }
        self.table = table;
    }

    /// The local states of a state, into a vector that is at hand.
    pub(crate) fn unpack_into(&self, state: u32, local: &mut Vec<u32>) {
        let packed = self.packed(state);
        local.clear();
        local.extend(self.fields.iter().map(|&(word, bit, bits)| {
            let value = packed[word].checked_shr(bit).unwrap_or(0) & ((1u64 << bits) - 1);
            u32::try_from(value).expect("local states are numbered by u32")
        }));
    }
}

/// A multiplicative mix of the words; the upper half is folded in because slots use the lower bits.
#[allow(
    clippy::cast_possible_truncation,
    reason = "a hash may lose bits on narrow machines"
)]
fn hash(words: &[u64]) -> usize {
    let mut hash = 0x9e37_79b9_7f4a_7c15_u64;
    for &word in words {
        let product = u128::from(hash ^ word) * 0xd6e8_feb8_6659_fd93_u128;
        hash = (product as u64) ^ ((product >> 64) as u64);
    }
    (hash ^ (hash >> 32)) as usize
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use csp_lts::{Component, LtsBuilder, StateId};

    use super::*;

    #[test]
    fn states_survive_packing_and_growth() {
        let component = |states: u32| {
            let mut builder = LtsBuilder::new();
            for _ in 0..states {
                builder.state([]);
            }
            Component {
                name: String::new(),
                lts: Arc::new(builder.finish(StateId(0))),
                initial: StateId(0),
            }
        };
        let network = Network {
            components: vec![
                component(1),
                component(70_000),
                component(2),
                component(70_000),
            ],
            ..Network::default()
        };
        let mut states = PackedStates::new(&network);
        let state = |i: u32| vec![0, i * 13 % 70_000, i % 2, 69_999 - i];
        for i in 0..5000 {
            assert_eq!(states.intern(&state(i)), i);
        }
        let mut local = Vec::new();
        for i in 0..5000 {
            assert_eq!(states.intern(&state(i)), i);
            states.unpack_into(i, &mut local);
            assert_eq!(local, state(i));
        }
        assert_eq!(states.len(), 5000);
    }
}
