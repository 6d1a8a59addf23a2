//! Exact sets of visited states.
//!
//! A search begins in a [`Seed`], a small table of whole states. When that is full, a [`Codec`] gives
//! every state a 64-bit key and a [`Store`] keeps the keys in partitions, each of which is worked on
//! by one thread at a time. Nothing is approximated: keys name states exactly, and stores keep whole
//! keys. Every byte is taken from an [`Account`] before it is allocated.

mod account;
mod bitmap;
mod bucket;
mod codec;
mod interner;
mod leaf;
mod list;
mod repeats;
mod router;
mod seed;
mod shard;
mod shared;
mod table;
mod tree;

use bucket::{Bucket, Halves, Singles};

pub(crate) use account::{Account, Full};
pub(crate) use bitmap::Bitmap;
pub(crate) use codec::{Codec, Named, Packed, Ranked};
pub(crate) use repeats::Repeats;
pub(crate) use router::Router;
pub(crate) use seed::Seed;
pub(crate) use shard::{Bench, Shard};
pub(crate) use table::Table;
pub(crate) use tree::Tree;

/// A part of a key: what is left when the partition is known.
pub(crate) trait Entry: Copy + Default + Send + Sync + Ord + std::fmt::Debug {
    /// How many bits one has.
    const BITS: u32;

    /// How many of them are to tell plys apart, if they can be spared.
    const TAG_BITS: u32;

    /// How many fill a cache line.
    const LINE: usize = 64 / size_of::<Self>();

    /// A cache line of them.
    type Line: Copy + Default + Send + Sync + AsRef<[Self]> + AsMut<[Self]> + std::fmt::Debug;

    /// Some of them in a table.
    type Bucket: Bucket;

    /// Cuts a number to its size.
    fn cut(value: u64) -> Self;

    /// Its value.
    fn value(self) -> u64;

    /// The entries of some lines.
    fn entries(lines: &[Self::Line]) -> &[Self];
}

impl Entry for u32 {
    const BITS: u32 = Self::BITS;
    const TAG_BITS: u32 = 6;

    type Line = [Self; 16];
    type Bucket = Singles;

    #[inline(always)]
    fn cut(value: u64) -> Self {
        value as Self
    }

    #[inline(always)]
    fn value(self) -> u64 {
        u64::from(self)
    }

    #[inline(always)]
    fn entries(lines: &[Self::Line]) -> &[Self] {
        lines.as_flattened()
    }
}

impl Entry for u64 {
    const BITS: u32 = Self::BITS;
    const TAG_BITS: u32 = 12;

    type Line = [Self; 8];
    type Bucket = Halves;

    #[inline(always)]
    fn cut(value: u64) -> Self {
        value
    }

    #[inline(always)]
    fn value(self) -> u64 {
        self
    }

    #[inline(always)]
    fn entries(lines: &[Self::Line]) -> &[Self] {
        lines.as_flattened()
    }
}

/// A set of keys in partitions.
pub(crate) trait Store: Send + Sync {
    /// What is routed and kept in frontiers.
    type Entry: Entry;
    /// One partition.
    type Part: Send;

    /// What to call it in reports.
    fn name(&self) -> &'static str;

    /// How many partitions there are.
    fn partitions(&self) -> usize;

    /// An empty partition.
    fn part(&self, account: &Account) -> Result<Self::Part, Full>;

    /// The bytes that a partition takes.
    fn bytes(&self, part: &Self::Part) -> usize;

    /// The partition of a key, and the rest of it.
    fn split(&self, key: u64) -> (usize, Self::Entry);

    /// The key again.
    fn join(&self, partition: usize, entry: Self::Entry) -> u64;

    /// The same store with more partitions, if that can be of use once they are large.
    fn finer(&self) -> Option<Self>
    where
        Self: Sized;

    /// Divides a partition into those of the finer store.
    fn divide(
        &self,
        finer: &Self,
        part: Self::Part,
        account: &Account,
    ) -> Result<Vec<Self::Part>, Full>;

    /// Adds an entry with a tag unless it is known; whether it was new.
    fn insert(
        &self,
        part: &mut Self::Part,
        entry: Self::Entry,
        tag: u32,
        account: &Account,
    ) -> Result<bool, Full>;

    /// Gets ready for about this many new entries.
    fn expect(&self, _: &mut Self::Part, _more: usize, _: &Account) {}

    /// Adds a run of entries with a tag, and to `next` those that were not known.
    fn insert_run(
        &self,
        part: &mut Self::Part,
        run: &[Self::Entry],
        tag: u32,
        next: &mut Vec<Self::Entry>,
        account: &Account,
    ) -> Result<(), Full>;

    /// Tags from 1 up to but not including this are remembered.
    fn tags(&self) -> u32;

    /// Calls back with the entries that were added with a remembered tag.
    fn tagged(&self, part: &Self::Part, tag: u32, f: impl FnMut(Self::Entry));
}
