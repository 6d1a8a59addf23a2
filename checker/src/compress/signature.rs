//! Numbers signatures: equal lists get equal numbers, exactly, in the order they are first seen.

/// The distinct signatures since the last start.
pub(super) struct Signatures {
    /// The distinct signatures, end to end.
    words: Vec<u64>,
    /// Hash of each signature and where it starts.
    starts: Vec<(u64, usize)>,
    /// Open addressing: (round, number) at each slot; slots of earlier rounds are free.
    slots: Vec<(u32, u32)>,
    round: u32,
}

impl Signatures {
    /// None yet.
    pub(super) fn new() -> Self {
        Self {
            words: Vec::new(),
            starts: Vec::new(),
            slots: vec![(0, 0); 64],
            round: 0,
        }
    }

    /// Forgets all signatures.
    pub(super) fn start(&mut self) {
        self.words.clear();
        self.starts.clear();
        if self.round == u32::MAX {
            self.slots.fill((0, 0));
            self.round = 0;
        }
        self.round += 1;
    }

    /// How many are distinct.
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The number of a signature.
    pub(super) fn number(&mut self, signature: &[u64]) -> u32 {
        let hash = hash(signature);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let (round, index) = self.slots[slot];
            if round != self.round {
                break;
            }
            let (its_hash, start) = self.starts[index as usize];
            if its_hash == hash && self.at(index as usize, start) == signature {
                return index;
            }
            slot = (slot + 1) & mask;
        }
        let index = super::rows::number(self.starts.len());
        self.slots[slot] = (self.round, index);
        self.starts.push((hash, self.words.len()));
        self.words.extend_from_slice(signature);
        if self.starts.len() * 2 > self.slots.len() {
            self.grow();
        }
        index
    }

    fn at(&self, index: usize, start: usize) -> &[u64] {
        let end = self
            .starts
            .get(index + 1)
            .map_or(self.words.len(), |next| next.1);
        &self.words[start..end]
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        self.slots = vec![(0, 0); size];
        self.round = 1;
        for (index, &(hash, _)) in self.starts.iter().enumerate() {
            let mut slot = hash as usize & (size - 1);
            while self.slots[slot].0 == 1 {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = (1, super::rows::number(index));
        }
    }
}

/// Multiply-and-rotate over the words with a final mix; only speed depends on its quality.
fn hash(words: &[u64]) -> u64 {
    let mut hash = words.len() as u64;
    for &word in words {
        hash = (hash.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    hash ^= hash >> 32;
    hash = hash.wrapping_mul(0xD6E8_FEB8_6659_FD93);
    hash ^ hash >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list that has the hash of [a, b] and begins with c: what c makes different is put right by the
    /// word after it.
    fn collides(a: u64, b: u64, c: u64) -> [u64; 2] {
        let first = |word: u64| {
            let hash = 2u64.rotate_left(23) ^ word;
            hash.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23)
        };
        [c, b ^ first(a) ^ first(c)]
    }

    #[test]
    fn lists_of_one_hash_are_told_apart() {
        let mut signatures = Signatures::new();
        // The table grows on the way.
        let lists: Vec<[u64; 2]> = (1..100).map(|c| collides(1, 2, c)).collect();
        for _ in 0..3 {
            signatures.start();
            for (number, list) in (0..).zip(&lists).chain((0..).zip(&lists)) {
                assert_eq!(hash(list), hash(&lists[0]));
                assert_eq!(signatures.number(list), number);
            }
            assert_eq!(signatures.len(), lists.len());
        }
    }
}
