//! Where in the packed words each component's state lies.
//!
//! Fields are filled from the top bit of the first word, in the order of the components, the node of
//! the property last, and never straddle words. So comparing the words of two packed states compares
//! the local states in order, which is the order in which violations are chosen.

/// A run of bits of one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) word: u32,
    pub(crate) shift: u32,
    pub(crate) mask: u64,
}

impl Field {
    /// The field's value.
    #[inline(always)]
    pub(crate) fn get<const N: usize>(self, state: &[u64; N]) -> u32 {
        // The index is in range by construction; masking lets the compiler see it.
        ((state[self.word as usize & (N - 1)] >> self.shift) & self.mask) as u32
    }

    /// Replaces the field's value.
    #[inline(always)]
    pub(crate) fn set<const N: usize>(self, state: &mut [u64; N], value: u32) {
        let word = &mut state[self.word as usize & (N - 1)];
        *word = (*word & !(self.mask << self.shift)) | (u64::from(value) << self.shift);
    }

    /// How many bits it has.
    pub(crate) fn bits(self) -> u32 {
        self.mask.count_ones()
    }
}

/// The fields of a packed state.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) components: Vec<Field>,
    pub(crate) node: Field,
    /// Words of a state: a power of two.
    pub(crate) words: usize,
    /// Bits in use.
    pub(crate) bits: u32,
}

/// The most words a packed state may have.
pub(crate) const MOST_WORDS: usize = 1024;

fn width(count: u64) -> u32 {
    64 - count.saturating_sub(1).leading_zeros()
}

impl Layout {
    /// Packs components with these many states, and a property with these many nodes, into words;
    /// `None` if they do not fit into [`MOST_WORDS`].
    pub(crate) fn new(states: &[u64], nodes: u64, least_words: usize) -> Option<Self> {
        let sizes: Vec<u64> = states.iter().copied().chain([nodes]).collect();
        let bits: u64 = sizes.iter().map(|size| u64::from(width(*size))).sum();
        if bits > 64 * MOST_WORDS as u64 {
            return None;
        }
        let (mut components, used) = pack(&sizes, least_words);
        // The engine is built for these widths alone.
        let words = [1, 2, 4, 8, 16, 64, MOST_WORDS]
            .into_iter()
            .find(|w| *w >= used)?;
        let node = components.pop().expect("the node's field is the last");
        Some(Self {
            components,
            node,
            words,
            bits: u32::try_from(bits).expect("at most MOST_WORDS words"),
        })
    }
}

/// Places fields for these many values each in as few words as possible, but no fewer than asked
/// for; how many words there are.
fn pack(sizes: &[u64], least_words: usize) -> (Vec<Field>, usize) {
    let widths: Vec<u32> = sizes.iter().map(|size| width(*size)).collect();
    let bits: u64 = widths.iter().map(|w| u64::from(*w)).sum();
    let least = usize::try_from(bits.div_ceil(64)).expect("counted by usize");
    let mut words = least.max(least_words).max(1);
    loop {
        // Even filling makes the words share better in the tree store.
        let even = u32::try_from(bits.div_ceil(words as u64)).expect("at most 64");
        for goal in even..=64 {
            if let Some(fields) = place(&widths, words, goal) {
                return (fields, words);
            }
        }
        words += 1;
    }
}

/// Places fields one after another, going on to the next word when `goal` bits are filled.
fn place(widths: &[u32], words: usize, goal: u32) -> Option<Vec<Field>> {
    let (mut word, mut used) = (0usize, 0u32);
    let mut fields = Vec::with_capacity(widths.len());
    for &width in widths {
        if width == 0 {
            fields.push(Field::default());
            continue;
        }
        if used + width > 64 || used >= goal {
            word += 1;
            used = 0;
        }
        if word == words {
            return None;
        }
        used += width;
        fields.push(Field {
            word: u32::try_from(word).expect("at most MOST_WORDS"),
            shift: 64 - used,
            mask: (1 << width) - 1,
        });
    }
    // One word is kept at its low end, so that its value is the key.
    if words == 1 {
        for field in fields.iter_mut().filter(|f| f.mask != 0) {
            field.shift -= 64 - used;
        }
    }
    Some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_straddle_and_keep_the_order() {
        let layout = Layout::new(&[1000; 13], 3, 1).expect("fits");
        assert_eq!((layout.words, layout.bits), (4, 132));
        let mut low = [0u64; 4];
        let mut high = [0u64; 4];
        for (i, field) in layout.components.iter().enumerate() {
            assert!(field.shift + field.bits() <= 64);
            field.set(&mut low, 999);
            field.set(&mut high, if i == 0 { 1000 } else { 0 });
        }
        assert!(low < high);
        layout.node.set(&mut low, 2);
        assert_eq!(layout.node.get(&low), 2);
        assert_eq!(layout.components[7].get(&low), 999);
    }

    #[test]
    fn one_word_is_a_number_of_its_bits() {
        let layout = Layout::new(&[2; 33], 1, 1).expect("fits");
        let mut state = [0u64];
        for field in &layout.components {
            field.set(&mut state, 1);
        }
        assert_eq!(state[0], (1 << 33) - 1);
    }

    #[test]
    fn too_much_is_refused() {
        assert!(Layout::new(&[2; 64 * MOST_WORDS + 1], 1, 1).is_none());
        assert!(Layout::new(&[2; 64 * MOST_WORDS], 1, 1).is_some());
    }
}
