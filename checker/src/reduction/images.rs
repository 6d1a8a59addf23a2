//! Representatives where a state is one word and every rule masks and flips it.
//!
//! A symmetry that maps a rule to another maps what the first leads to from a state to what the second leads
//! to from the image of the state. So the images of a state are looked up once, some bits at a time, and
//! those of its children follow by a mask and a flip each. Mostly there is nothing to mask.
//!
//! Of a handful of words the smallest is found several times faster among doubles, which the processor compares
//! two at a time: those from 1 to 2 are ordered as the last 52 of their bits. So short states are compared
//! as such (peg, `benches/reductions.rs`: 186 million children).

use super::automorphism::Automorphism;
use crate::machine::{Field, Layout};

/// Bits that are looked up together, unless one component has more.
const CHUNK: u32 = 9;
/// The most bits of one component.
const MOST_BITS: u32 = 16;
/// Images that are followed together.
const LANES: usize = 8;
/// The most times as many.
const MOST_ROWS: usize = 2;
/// The bits of a double from 1 to 2 that do not vary, and how many do.
const ONE: u64 = 0x3ff << 52;
const VARYING: u32 = 52;

/// Words, one for each of some symmetries.
type Row = [u64; LANES];

/// The images of states and rules under each symmetry, the first of which moves nothing.
#[derive(Debug)]
pub(crate) struct Images {
    rows: usize,
    /// The bits that all images have.
    common: u64,
    /// The chunks of a state: where they begin and their bits.
    chunks: Vec<(u32, u64)>,
    /// For each chunk and value, its images.
    tables: Vec<Vec<Row>>,
    /// For each rule, what its images flip and keep; nothing is said of what they keep if that is all.
    flips: Vec<Row>,
    keeps: Vec<Row>,
    /// The rules that lead on, a bit each.
    pub(crate) usual: [u64; 2],
}

/// The symmetry of each place in the rows; `None` moves nothing.
fn rows(
    symmetries: &[Automorphism],
    count: usize,
) -> impl Iterator<Item = [Option<&Automorphism>; LANES]> {
    let at = |place: usize| place.checked_sub(1).and_then(|at| symmetries.get(at));
    (0..count).map(move |row| std::array::from_fn(|lane| at(row * LANES + lane)))
}

impl Images {
    /// For a machine whose rules keep and flip these bits, of which some lead on; `None` if the symmetries
    /// or the components are too large.
    pub(super) fn new(
        symmetries: &[Automorphism],
        layout: &Layout,
        rules: &[(u64, u64)],
        usual: [u64; 2],
    ) -> Option<Self> {
        let fits = |field: &Field| field.bits() <= MOST_BITS;
        let count = (symmetries.len() + 1).div_ceil(LANES);
        if count > MOST_ROWS || !layout.components.iter().all(fits) {
            return None;
        }
        let end = |field: &Field| field.shift + field.bits();
        let bits = layout.components.iter().map(end).max().unwrap_or(0);
        let flips_only = rules.iter().all(|(keep, _)| *keep == u64::MAX);
        let mut images = Self {
            rows: count,
            common: if bits <= VARYING { ONE } else { 0 },
            chunks: Vec::new(),
            tables: Vec::new(),
            flips: Vec::new(),
            keeps: Vec::new(),
            usual,
        };
        let mut fields: Vec<(usize, Field)> =
            layout.components.iter().copied().enumerate().collect();
        fields.retain(|(_, field)| field.mask != 0);
        fields.sort_by_key(|(_, field)| field.shift);
        let mut rest = &fields[..];
        while let Some((_, first)) = rest.first() {
            let low = first.shift;
            let most = (low + CHUNK).max(end(first));
            let taken = rest.partition_point(|(_, field)| end(field) <= most);
            let (chunk, others) = rest.split_at(taken);
            let bits = end(&chunk[taken - 1].1) - low;
            images.add_chunk(symmetries, layout, chunk, (low, bits));
            rest = others;
        }
        for rule in 0..rules.len() {
            for row in rows(symmetries, count) {
                let others = row.map(|s| s.map_or(rule, |s| s.rules[rule] as usize));
                images.flips.push(others.map(|other| rules[other].1));
                if !flips_only {
                    // What all images have in common stays.
                    let keep = |other: usize| rules[other].0 | images.common;
                    images.keeps.push(others.map(keep));
                }
            }
        }
        Some(images)
    }

    fn add_chunk(
        &mut self,
        symmetries: &[Automorphism],
        layout: &Layout,
        chunk: &[(usize, Field)],
        (low, bits): (u32, u32),
    ) {
        let mut table = Vec::with_capacity(self.rows << bits);
        for value in 0u64..1 << bits {
            let state = [value << low];
            let image = |symmetry: &Automorphism| {
                chunk.iter().fold(0, |image, (component, field)| {
                    let to = layout.components[symmetry.components[*component] as usize];
                    let states = &symmetry.states[*component];
                    // Bits that are no state of the component do not occur.
                    let there = states.get(field.get(&state) as usize).copied().unwrap_or(0);
                    image | u64::from(there) << to.shift
                })
            };
            for row in rows(symmetries, self.rows) {
                table.push(row.map(|symmetry| symmetry.map_or(value << low, image)));
            }
        }
        self.chunks.push((low, (1 << bits) - 1));
        self.tables.push(table);
    }

    /// The images of a state.
    #[inline(always)]
    pub(crate) fn of(&self, state: u64) -> [Row; MOST_ROWS] {
        let mut images = [[self.common; LANES]; MOST_ROWS];
        for ((low, mask), table) in self.chunks.iter().zip(&self.tables) {
            let at = (state >> low & mask) as usize * self.rows;
            for (image, parts) in images.iter_mut().zip(&table[at..at + self.rows]) {
                for (image, part) in image.iter_mut().zip(parts) {
                    *image |= part;
                }
            }
        }
        images
    }

    /// The representative of what a rule leads to, given the images of where it leads from.
    #[inline(always)]
    pub(crate) fn least(&self, rule: u32, images: &[Row; MOST_ROWS]) -> u64 {
        let at = rule as usize * self.rows;
        let flips = &self.flips[at..at + self.rows];
        let mut least = u64::MAX;
        for (row, (images, flips)) in images.iter().zip(flips).enumerate() {
            let mut row_images = *images;
            if let Some(keeps) = self.keeps.get(at + row) {
                for (image, keep) in row_images.iter_mut().zip(keeps) {
                    *image &= keep;
                }
            }
            for (image, flip) in row_images.iter_mut().zip(flips) {
                *image ^= flip;
            }
            let found = if self.common == ONE {
                least_double(&row_images)
            } else {
                row_images.into_iter().fold(u64::MAX, u64::min)
            };
            least = least.min(found);
        }
        least ^ self.common
    }
}

/// The smallest of words that are doubles from 1 to 2.
#[inline(always)]
fn least_double(words: &Row) -> u64 {
    let less = |a: f64, b: f64| if a < b { a } else { b };
    let at = |lane: usize| f64::from_bits(words[lane]);
    let half: [f64; 4] = std::array::from_fn(|lane| less(at(lane), at(lane + 4)));
    less(less(half[0], half[2]), less(half[1], half[3])).to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_ordered_as_their_bits() {
        let words = |seed: u64| -> Row {
            std::array::from_fn(|lane| {
                let word = seed
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                    .rotate_left(7 * lane as u32);
                (word & ((1 << VARYING) - 1)) | ONE
            })
        };
        for words in (0..1000).map(words) {
            assert_eq!(Some(least_double(&words)), words.into_iter().min());
        }
    }
}
