//! The fields of a state in another order, for a store of trees.
//!
//! A tree of two halves takes the least room if both halves are equally varied and seldom change
//! together. Which components change often is learnt from a sample: the fields are sorted by it,
//! and cut where both sides take about as many values. States themselves keep their order, which
//! decides between violations.

use ahash::AHashSet;

use super::Machine;
use super::layout::{Field, Layout};

/// Where the fields of a state lie in its arranged form.
#[derive(Debug)]
pub(crate) struct Arranged {
    /// Words of an arranged form.
    pub(crate) words: usize,
    /// Words of a leaf of its tree.
    pub(crate) leaf: usize,
    /// Where the bits of a state come from, and where they go.
    fields: Vec<(Field, Field)>,
    /// For each bit of a state the field that it belongs to.
    owners: Vec<u16>,
    /// For each bit of an arranged form the field that it belongs to.
    places: Vec<u16>,
}

/// Most states of the sample that are expanded, or looked at.
const SAMPLE: usize = 1 << 12;

impl Arranged {
    /// Arranges the fields of a machine's states as suits a sample of them.
    pub(crate) fn new<const N: usize>(machine: &Machine<N>, sample: &[[u64; N]]) -> Self {
        let layout = &machine.layout;
        let step = (sample.len() / SAMPLE).max(1);
        let sample: Vec<&[u64; N]> = sample.iter().step_by(step).collect();
        let all = layout.components.iter().chain([&layout.node]);
        let mut fields: Vec<Field> = all.copied().filter(|f| f.mask != 0).collect();
        let mut changes = vec![0u32; fields.len()];
        let mut enabled = Vec::new();
        for state in &sample {
            machine.enabled(state, &mut enabled);
            for rule in &enabled {
                machine.fire(state, *rule, |child| {
                    for (field, changes) in fields.iter().zip(&mut changes) {
                        *changes += u32::from(field.get(state) != field.get(&child));
                    }
                });
            }
        }
        let mut order: Vec<usize> = (0..fields.len()).collect();
        order.sort_by_key(|at| changes[*at]);
        fields = order.into_iter().map(|at| fields[at]).collect();
        let leaf = if layout.used > 2 { 2 } else { 1 };
        let (arranged, words) =
            halves(&fields, leaf, &sample).unwrap_or_else(|| in_order(&fields, layout.used, leaf));
        Self::assemble(layout, &fields, &arranged, words, leaf)
    }

    /// Bytes in so many words of a state, for tests of stores.
    #[cfg(test)]
    pub(crate) fn evenly<const N: usize>(used: usize) -> Self {
        let sizes = vec![256; 8 * used];
        let layout = Layout::new(&sizes, 1, used).expect("fits");
        let leaf = if used > 2 { 2 } else { 1 };
        let (arranged, words) = in_order(&layout.components, used, leaf);
        Self::assemble(&layout, &layout.components, &arranged, words, leaf)
    }

    fn assemble(
        layout: &Layout,
        fields: &[Field],
        arranged: &[Field],
        words: usize,
        leaf: usize,
    ) -> Self {
        let mut owners = vec![0; 64 * layout.words];
        let mut places = vec![0; 64 * words];
        for (at, (from, to)) in (0u16..).zip(fields.iter().zip(arranged)) {
            for (field, bits) in [(from, &mut owners), (to, &mut places)] {
                let first = 64 * field.word as usize + field.shift as usize;
                bits[first..first + field.bits() as usize].fill(at);
            }
        }
        Self {
            words,
            leaf,
            fields: fields
                .iter()
                .copied()
                .zip(arranged.iter().copied())
                .collect(),
            owners,
            places,
        }
    }

    /// Turns the arranged form of a state into that of another.
    #[inline(always)]
    pub(crate) fn amend<const N: usize>(
        &self,
        from: &[u64; N],
        to: &[u64; N],
        arranged: &mut [u64],
    ) {
        for (word, (old, new)) in from.iter().zip(to).enumerate() {
            let mut changed = old ^ new;
            while changed != 0 {
                let bit = changed.trailing_zeros() as usize;
                let (field, place) = &self.fields[self.owners[64 * word + bit] as usize];
                let mask = field.mask << field.shift;
                let difference = (changed & mask) >> field.shift;
                arranged[place.word as usize] ^= difference << place.shift;
                changed &= !mask;
            }
        }
    }

    /// Turns a state into another, given the arranged forms of both.
    #[inline(always)]
    pub(crate) fn restore<const N: usize>(&self, from: &[u64], to: &[u64], state: &mut [u64; N]) {
        for (word, (old, new)) in from.iter().zip(to).enumerate() {
            let mut changed = old ^ new;
            while changed != 0 {
                let bit = changed.trailing_zeros() as usize;
                let (field, place) = &self.fields[self.places[64 * word + bit] as usize];
                let mask = place.mask << place.shift;
                let difference = (changed & mask) >> place.shift;
                state[field.word as usize & (N - 1)] ^= difference << field.shift;
                changed &= !mask;
            }
        }
    }
}

/// Fills leaves one after another, as evenly as may be.
fn in_order(fields: &[Field], used: usize, leaf: usize) -> (Vec<Field>, usize) {
    let bits: u32 = fields.iter().map(|f| f.bits()).sum();
    let mut words = used.next_multiple_of(leaf);
    loop {
        let even = bits.div_ceil(u32::try_from(words).expect("few words"));
        for goal in even..=64 {
            if let Some(placed) = fill(fields, words, goal) {
                return (placed, words);
            }
        }
        words += leaf;
    }
}

/// Two leaves that take about as many values in a sample, if two can hold the fields.
fn halves<const N: usize>(
    fields: &[Field],
    leaf: usize,
    sample: &[&[u64; N]],
) -> Option<(Vec<Field>, usize)> {
    let variety = |fields: &[Field]| {
        let values = sample.iter().map(|state| {
            let spread = |hash: u64, field: &Field| {
                let hash = hash ^ u64::from(field.get(state));
                let hash = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                hash ^ hash >> 29
            };
            fields.iter().fold(1, spread)
        });
        values.collect::<AHashSet<u64>>().len()
    };
    let split = |cut: usize| {
        let (left, right) = fields.split_at(cut);
        let mut placed = fill(left, leaf, 64)?;
        let mut rest = fill(right, leaf, 64)?;
        for field in &mut rest {
            field.word += u32::try_from(leaf).expect("few words");
        }
        placed.append(&mut rest);
        Some(placed)
    };
    let cuts: Vec<usize> = (0..=fields.len())
        .filter(|cut| split(*cut).is_some())
        .collect();
    // The left side takes more and more values, the right side fewer and fewer.
    let balance = cuts.partition_point(|cut| {
        let (left, right) = fields.split_at(*cut);
        variety(left) < variety(right)
    });
    let cut = *cuts.get(balance).or(cuts.last())?;
    Some((split(cut)?, 2 * leaf))
}

/// Places fields one after another, going on to the next word when `goal` bits are filled.
fn fill(fields: &[Field], words: usize, goal: u32) -> Option<Vec<Field>> {
    let (mut word, mut used) = (0u32, 0u32);
    let mut placed = Vec::with_capacity(fields.len());
    for field in fields {
        let bits = field.bits();
        if used + bits > 64 || used >= goal {
            word += 1;
            used = 0;
        }
        if word as usize >= words {
            return None;
        }
        placed.push(Field {
            word,
            shift: used,
            mask: field.mask,
        });
        used += bits;
    }
    Some(placed)
}
