//! Choices of the engine that no user makes; tests force each of them.

use crate::options::Store;

/// How the engine goes about a search. None of it changes what is found, but overlooking acceptance
/// steps changes how many states are met on the way.
#[derive(Clone, Debug)]
pub(crate) struct Tuning {
    /// Leave the seed at the end of a ply when it holds this many states.
    pub(crate) seed_states: usize,
    /// Plys of fewer states than this are expanded by one worker that inserts directly.
    pub(crate) narrow: u64,
    /// The number of partitions is two to one of these powers: the least to begin with, the most when
    /// they are large.
    pub(crate) partition_bits: (u32, u32),
    /// A partition is large when it has this many states, and when a ply brings it this many.
    pub(crate) large: (u64, u64),
    /// A ply is not listed, but found again in the store by its tag, if the ply before is at least one state in this many.
    pub(crate) unlisted: u64,
    /// Bytes that all routers together gather before they are emptied: at least this many, or one for this
    /// many of the store. The more there are, the more find their place in a line that is in the cache.
    pub(crate) routed_bytes: (usize, usize),
    /// The largest bitmap to use, as a power of two of bits.
    pub(crate) bitmap_bits: u32,
    /// The least bits of a compact entry that hold the tag of its ply.
    pub(crate) tag_bits: u32,
    /// Never use entries of 32 bits.
    pub(crate) long_entries: bool,
    /// Spread states over at least this many words.
    pub(crate) least_words: usize,
    /// Number states of two words where one word is enough for the numbers.
    pub(crate) rank: bool,
    /// The least slots of a tree's tables.
    pub(crate) tree_slots: usize,
    /// All ones; fewer bits make hashes collide.
    pub(crate) hash_mask: u64,
    /// Overlook acceptance steps where the property allows it.
    pub(crate) overlook: bool,
    /// Use the short form of a machine where it has one.
    pub(crate) plain: bool,
}

impl Tuning {
    /// The choices by which a store is used where states fit it.
    pub(crate) fn for_store(store: Option<Store>) -> Self {
        let usual = Self::default();
        let Some(store) = store else { return usual };
        Self {
            seed_states: 1,
            bitmap_bits: if store == Store::Bitmap {
                usual.bitmap_bits
            } else {
                0
            },
            long_entries: store == Store::Words,
            least_words: if store == Store::Tree { 2 } else { 1 },
            rank: store != Store::Tree,
            ..usual
        }
    }
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            seed_states: 1 << 16,
            narrow: 4096,
            partition_bits: (8, 12),
            large: (1 << 14, 1 << 8),
            unlisted: 8,
            routed_bytes: (64 << 20, 4),
            bitmap_bits: 32,
            tag_bits: 6,
            long_entries: false,
            least_words: 1,
            rank: true,
            tree_slots: 1 << 12,
            hash_mask: u64::MAX,
            overlook: true,
            plain: true,
        }
    }
}
