//! The fields of a state in another order, for a store of trees.
//!
//! A tree takes the least room if its two halves are equally varied and seldom change together. Which
//! components change often is learnt from a sample: the fields are sorted by it, and cut where both
//! sides take about as many values, again and again until the parts are short enough for leaves.
//! States themselves keep their order, which decides between violations.

use ahash::AHashSet;

use super::Machine;
use super::layout::{Field, Layout};

/// Where the fields of a state lie in its arranged form.
#[derive(Debug)]
pub(crate) struct Arranged {
    /// Words of an arranged form.
    pub(crate) words: usize,
    /// How many of them each leaf of the tree has: at least two leaves of 1 to 4 words.
    pub(crate) leaves: Vec<usize>,
    /// Where the bits of a state come from, and where they go.
    fields: Vec<(Field, Field)>,
    /// For each bit of a state the field that it belongs to.
    owners: Vec<u16>,
    /// For each bit of an arranged form the field that it belongs to.
    places: Vec<u16>,
}

/// The most words of a leaf.
const MOST_LEAF: usize = 4;
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
                        *changes += u32::from(field.get(state) != field.get(child));
                    }
                });
            }
        }
        let mut order: Vec<usize> = (0..fields.len()).collect();
        order.sort_by_key(|at| changes[*at]);
        fields = order.into_iter().map(|at| fields[at]).collect();
        let mut leaves = Vec::new();
        cut(&fields, &sample, &mut leaves);
        Self::assemble(layout, &fields, &leaves)
    }

    /// Bytes in this many words of a state, for tests of stores.
    #[cfg(test)]
    pub(crate) fn evenly<const N: usize>(used: usize) -> Self {
        let sizes = vec![256; 8 * used];
        let layout = Layout::new(&sizes, 1, used).expect("fits");
        let mut leaves = Vec::new();
        cut::<N>(&layout.components, &[], &mut leaves);
        Self::assemble(&layout, &layout.components, &leaves)
    }

    /// Puts the fields into leaves, each of which has this many of them.
    fn assemble(layout: &Layout, fields: &[Field], leaves: &[usize]) -> Self {
        let mut arranged: Vec<Field> = Vec::with_capacity(fields.len());
        let mut widths = Vec::new();
        let (mut words, mut rest) = (0, fields);
        for count in leaves {
            let (leaf, others) = rest.split_at(*count);
            let (placed, width) = fill(leaf);
            arranged.extend(placed.into_iter().map(|field| Field {
                word: field.word + u32::try_from(words).expect("few words"),
                ..field
            }));
            widths.push(width);
            words += width;
            rest = others;
        }
        let mut owners = vec![0; 64 * layout.words];
        let mut places = vec![0; 64 * words];
        for (at, (from, to)) in (0u16..).zip(fields.iter().zip(&arranged)) {
            for (field, bits) in [(from, &mut owners), (to, &mut places)] {
                let first = 64 * field.word as usize + field.shift as usize;
                bits[first..first + field.bits() as usize].fill(at);
            }
        }
        Self {
            words,
            leaves: widths,
            fields: fields.iter().copied().zip(arranged).collect(),
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

/// Cuts a run of fields in two, and the parts again while they are too long for leaves; lists how
/// many fields each leaf has.
fn cut<const N: usize>(fields: &[Field], sample: &[&[u64; N]], leaves: &mut Vec<usize>) {
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
    // The left side takes more and more values, the right side fewer and fewer. Neither may have
    // more than three quarters of the fields, so that the tree stays low.
    let least = fields.len() / 4;
    let cuts: Vec<usize> = (least..fields.len() - least).collect();
    let balance = cuts.partition_point(|cut| {
        let (left, right) = fields.split_at(*cut);
        variety(left) < variety(right)
    });
    let at = cuts.get(balance).or(cuts.last()).copied().unwrap_or(0);
    let (left, right) = fields.split_at(at);
    for part in [left, right] {
        if fill(part).1 > MOST_LEAF {
            cut(part, sample, leaves);
        } else {
            leaves.push(part.len());
        }
    }
}

/// Places fields one after another from the first word on; how many words that takes.
fn fill(fields: &[Field]) -> (Vec<Field>, usize) {
    let (mut word, mut used) = (0u32, 0u32);
    let mut placed = Vec::with_capacity(fields.len());
    for field in fields {
        if used + field.bits() > 64 {
            word += 1;
            used = 0;
        }
        placed.push(Field {
            word,
            shift: used,
            mask: field.mask,
        });
        used += field.bits();
    }
    (placed, word as usize + 1)
}
