//! Representatives where a state is one word and every rule masks and flips it.
//!
//! A symmetry that maps a rule to another maps what the first leads to from a state to what the second leads
//! to from the image of the state. So the images of a state are looked up once, some bits at a time, and
//! those of its children follow by a mask and a flip each.

use super::automorphism::Automorphism;
use crate::machine::{Field, Layout};

/// Bits that are looked up together, unless one component has more.
const CHUNK: u32 = 9;
/// The most bits of one component.
const MOST_BITS: u32 = 16;
/// The most images that are followed.
pub(super) const MOST_IMAGES: usize = 16;

/// The images of states and rules under each symmetry.
#[derive(Debug)]
pub(crate) struct Images {
    symmetries: usize,
    /// The chunks of a state: where they begin and their bits.
    chunks: Vec<(u32, u64)>,
    /// For each chunk and value, its image under each symmetry.
    tables: Vec<Vec<u64>>,
    /// For each rule, what its image under each symmetry does.
    rules: Vec<(u64, u64)>,
    /// The rules that lead on, a bit each.
    pub(crate) usual: [u64; 2],
}

impl Images {
    /// For a machine whose rules keep and flip these bits, of which some lead on; `None` if the symmetries or the components are too large.
    pub(super) fn new(
        symmetries: &[Automorphism],
        layout: &Layout,
        rules: &[(u64, u64)],
        usual: [u64; 2],
    ) -> Option<Self> {
        let fits = |field: &Field| field.bits() <= MOST_BITS;
        if symmetries.len() > MOST_IMAGES || !layout.components.iter().all(fits) {
            return None;
        }
        let mut images = Self {
            symmetries: symmetries.len(),
            chunks: Vec::new(),
            tables: Vec::new(),
            rules: Vec::new(),
            usual,
        };
        let mut fields: Vec<(usize, Field)> =
            layout.components.iter().copied().enumerate().collect();
        fields.retain(|(_, field)| field.mask != 0);
        fields.sort_by_key(|(_, field)| field.shift);
        let mut rest = &fields[..];
        while let Some((_, first)) = rest.first() {
            let low = first.shift;
            let end = |field: &Field| field.shift + field.bits();
            let most = (low + CHUNK).max(end(first));
            let taken = rest.partition_point(|(_, field)| end(field) <= most);
            let (chunk, others) = rest.split_at(taken);
            let bits = end(&chunk[taken - 1].1) - low;
            images.add_chunk(symmetries, layout, chunk, (low, bits));
            rest = others;
        }
        for rule in 0..rules.len() {
            let others = symmetries.iter().map(|s| s.rules[rule] as usize);
            images.rules.extend(others.map(|other| rules[other]));
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
        let mut table = Vec::with_capacity(symmetries.len() << bits);
        for value in 0u64..1 << bits {
            let state = [value << low];
            for symmetry in symmetries {
                let image = chunk.iter().fold(0, |image, (component, field)| {
                    let to = layout.components[symmetry.components[*component] as usize];
                    let states = &symmetry.states[*component];
                    // Bits that are no state of the component do not occur.
                    let there = states.get(field.get(&state) as usize).copied().unwrap_or(0);
                    image | u64::from(there) << to.shift
                });
                table.push(image);
            }
        }
        self.chunks.push((low, (1 << bits) - 1));
        self.tables.push(table);
    }

    /// The images of a state.
    #[inline(always)]
    pub(crate) fn of(&self, state: u64) -> [u64; MOST_IMAGES] {
        let mut images = [0; MOST_IMAGES];
        for ((low, mask), table) in self.chunks.iter().zip(&self.tables) {
            let at = (state >> low & mask) as usize * self.symmetries;
            for (image, part) in images.iter_mut().zip(&table[at..at + self.symmetries]) {
                *image |= part;
            }
        }
        images
    }

    /// The representative of what a rule leads to, given that and the images of where it leads from.
    #[inline(always)]
    pub(crate) fn least(&self, rule: u32, child: u64, images: &[u64; MOST_IMAGES]) -> u64 {
        let at = rule as usize * self.symmetries;
        let rules = &self.rules[at..at + self.symmetries];
        let children = rules
            .iter()
            .zip(images)
            .map(|((keep, flip), image)| (image & keep) ^ flip);
        children.fold(child, u64::min)
    }
}
