//! A quick hash for small keys, the same every time: rotate, add, multiply (as in the Firefox hasher).

use std::hash::{BuildHasherDefault, Hasher};

/// A map with this hash.
pub(crate) type Map<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<Quick>>;

/// A set with this hash.
pub(crate) type Set<K> = std::collections::HashSet<K, BuildHasherDefault<Quick>>;

/// The state of the hash.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Quick(u64);

impl Quick {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517C_C1B7_2722_0A95);
    }
}

impl Hasher for Quick {
    fn finish(&self) -> u64 {
        // The table looks at the high bits too; the low ones of a product know little of the rest.
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.mix(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.mix(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.mix(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.mix(number as u64);
    }
}
