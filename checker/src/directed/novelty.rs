//! How new a state is among those of the same distance.
//!
//! A state is of novelty 1 if some component is in a local state that was not seen before at that
//! distance, of novelty 2 if some pair of components is in a pair of local states that was not seen,
//! and else of novelty 3. Preferring new states makes a search try out everything once before it
//! tries combinations. What was seen is kept as bits at hashed places: a collision can only make a
//! state look less new than it is, which changes the order of the search and nothing else.

use crate::store::Account;

/// The least new.
pub(crate) const OLD: u8 = 3;

/// Distances share tables if there are more of them.
const MOST_TABLES: u64 = 256;

/// The tables have between 2^12 and this many bits, so that one stays near the processor.
const MOST_BITS: u32 = 22;

/// What was seen so far.
#[derive(Debug)]
pub(crate) struct Novelty {
    /// The number of the first fact of each component.
    first: Vec<u64>,
    /// For each distance, once it occurs.
    tables: Vec<Option<Table>>,
    /// Bits of a table of single facts and of a table of pairs.
    bits: (u32, u32),
    facts: Vec<u64>,
}

#[derive(Debug)]
struct Table {
    single: Bits,
    pairs: Bits,
}

#[derive(Debug)]
struct Bits {
    words: Vec<u64>,
    shift: u32,
}

impl Bits {
    fn new(bits: u32) -> Self {
        Self {
            words: vec![0; 1 << (bits - 6)],
            shift: 64 - bits,
        }
    }

    /// Sets the bit of a key; whether it was not set.
    #[inline(always)]
    fn set(&mut self, key: u64) -> bool {
        let at = (key ^ key >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift;
        let word = &mut self.words[(at >> 6) as usize];
        let new = *word >> (at & 63) & 1 == 0;
        *word |= 1 << (at & 63);
        new
    }
}

impl Novelty {
    /// Nothing seen. `counts` are the numbers of local states of the components.
    pub(crate) fn new(counts: &[usize], farthest: u64) -> Self {
        let mut first = Vec::with_capacity(counts.len());
        let mut facts = 0u64;
        for count in counts {
            first.push(facts);
            facts += *count as u64;
        }
        let bits = |wanted: u64| (64 - wanted.leading_zeros()).clamp(12, MOST_BITS);
        let tables = farthest.saturating_add(1).min(MOST_TABLES);
        Self {
            facts: vec![0; first.len()],
            first,
            tables: (0..tables).map(|_| None).collect(),
            bits: (
                bits(facts.saturating_mul(4)),
                bits(facts.saturating_mul(facts)),
            ),
        }
    }

    /// The novelty of a state in which the components have these values: 1, 2 or [`OLD`]. Of the
    /// components only those listed, in ascending order, can be anything new.
    pub(crate) fn of(
        &mut self,
        values: &[u32],
        changed: &[usize],
        distance: u32,
        account: &Account,
    ) -> u8 {
        let at = distance as usize % self.tables.len();
        if self.tables[at].is_none() {
            let (single, pairs) = self.bits;
            if account
                .take((1 << (single - 3)) + (1 << (pairs - 3)))
                .is_err()
            {
                return OLD;
            }
            self.tables[at] = Some(Table {
                single: Bits::new(single),
                pairs: Bits::new(pairs),
            });
        }
        for (fact, (first, value)) in self.facts.iter_mut().zip(self.first.iter().zip(values)) {
            *fact = first + u64::from(*value);
        }
        let table = self.tables[at].as_mut().expect("made above");
        let mut novelty = OLD;
        for component in changed {
            if table.single.set(self.facts[*component]) {
                novelty = 1;
            }
        }
        let mut later = changed;
        for component in changed {
            later = &later[1..];
            let one = self.facts[*component];
            let mut skip = changed.len() - later.len();
            let mut next_changed = 0;
            // A pair of changed components is looked at once, from the earlier of the two.
            for (other, fact) in self.facts.iter().enumerate() {
                if next_changed < changed.len() && changed[next_changed] == other {
                    next_changed += 1;
                    if skip > 0 {
                        skip -= 1;
                        continue;
                    }
                }
                let (low, high) = if one < *fact {
                    (one, *fact)
                } else {
                    (*fact, one)
                };
                if table.pairs.set(low << 32 | high) {
                    novelty = novelty.min(2);
                }
            }
        }
        novelty
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_and_pairs_are_new_once_at_each_distance() {
        let account = Account::new(None);
        let mut novelty = Novelty::new(&[3, 3, 3], 9);
        let all = [0, 1, 2];
        let mut of = |values: &[u32], changed: &[usize], distance| {
            novelty.of(values, changed, distance, &account)
        };
        assert_eq!(of(&[0, 0, 0], &all, 5), 1);
        assert_eq!(of(&[0, 0, 0], &all, 5), OLD);
        assert_eq!(of(&[1, 0, 0], &[0], 5), 1);
        assert_eq!(of(&[0, 1, 1], &[1, 2], 5), 1);
        assert_eq!(of(&[1, 1, 0], &[0, 1], 5), 2);
        assert_eq!(of(&[1, 1, 0], &all, 5), OLD);
        assert_eq!(of(&[0, 0, 0], &all, 4), 1);
    }
}
