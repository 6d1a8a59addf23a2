//! Compact words: open addressing on the part of a mixed key that the partition does not imply.
//!
//! Keys are permuted by a bijection; the top bits choose the partition and only the rest is stored,
//! with a tag, which is never 0, in the bits that are free. Slots come in buckets of eight, which are
//! compared side by side; a partition grows by itself, by a part of its size or as much as is expected
//! to come, so that growing never doubles the whole. A table begins with few partitions, which take less
//! time to go round, and is divided once when it is large, so that each fits a cache again.

use std::ops::{Index, IndexMut, RangeInclusive};

use super::account::{Account, Full};
use super::bucket::{BUCKET, Bucket};
use super::{Entry, Store};

/// Buckets of a block.
const BLOCK: usize = 32;
/// A table of fewer buckets, in all partitions, is small.
const SMALL: usize = 1 << 22;
/// Entries whose buckets are fetched at the same time, and for which there is room before.
const TOGETHER: usize = 16;

/// Keys of up to 64 bits in partitions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table<E> {
    mixer: Mixer,
    /// Bits that choose the partition, now and at most.
    partition_bits: u32,
    most_partition_bits: u32,
    /// Bits that are stored.
    rest_bits: u32,
    rest_mask: E,
    most_tag: u32,
    hash_mask: u64,
    name: &'static str,
}

/// One partition: buckets of tagged entries, filled from the front.
#[derive(Debug)]
pub(crate) struct Part<E: Entry> {
    buckets: Buckets<E::Bucket>,
    /// Slots in use altogether.
    count: usize,
    /// Grow beyond this many.
    most: usize,
    /// The tag of the entry 0, which has no slot; 0 if it is not there.
    zero: u32,
}

impl<E: Entry> Table<E> {
    /// A table for keys of this many bits, or `None` if entries cannot hold what must be stored. The
    /// low `fixed_bits` have no say in the choice of the partition, so that keys which differ in
    /// them alone stay together. It begins with the fewest partitions that leave enough bits to tags.
    pub(crate) fn new(
        key_bits: u32,
        fixed_bits: u32,
        partition_bits: RangeInclusive<u32>,
        least_tag_bits: u32,
        hash_mask: u64,
        name: &'static str,
    ) -> Option<Self> {
        let (first, last) = partition_bits.into_inner();
        // At least one bit on either side keeps the shifts below the word size.
        let key_bits = key_bits.max(last + 1);
        let tag_bits = |partition_bits: u32| E::BITS.checked_sub(key_bits - partition_bits);
        let most_tag_bits = tag_bits(last).filter(|bits| *bits >= least_tag_bits.max(1))?;
        let enough = E::TAG_BITS.clamp(least_tag_bits.max(1), most_tag_bits);
        let partition_bits = (first..last).find(|bits| tag_bits(*bits) >= Some(enough));
        let partition_bits = partition_bits.unwrap_or(last);
        let tag_bits = tag_bits(partition_bits).expect("at least as many as are enough");
        let rest_bits = key_bits - partition_bits;
        Some(Self {
            mixer: Mixer::new(key_bits, fixed_bits),
            partition_bits,
            most_partition_bits: last,
            rest_bits,
            rest_mask: ones(rest_bits),
            most_tag: u32::try_from((1u64 << tag_bits.min(16)) - 1).expect("16 bits"),
            hash_mask,
            name,
        })
    }

    #[inline(always)]
    fn bucket(&self, entry: E, buckets: usize) -> usize {
        let hash = entry.value().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 & self.hash_mask;
        ((hash * buckets as u64) >> 32) as usize
    }

    /// Whether a bucket has an entry. An empty slot looks like the entry 0.
    #[inline(always)]
    fn holds(&self, bucket: &E::Bucket, entry: E) -> bool {
        bucket.matches(self.rest_mask.value(), entry.value()) != 0
    }

    /// Whether an entry, which is not 0, is there.
    #[inline(always)]
    fn has(&self, part: &Part<E>, entry: E) -> bool {
        let mut at = self.bucket(entry, part.buckets.len());
        loop {
            if self.holds(&part.buckets[at], entry) {
                return true;
            }
            if part.buckets[at].taken() < BUCKET {
                return false;
            }
            at = part.after(at);
        }
    }

    /// Grows by a part of its size, and so that it has room for this many entries.
    #[cold]
    fn grow(&self, part: &mut Part<E>, wanted: usize, account: &Account) -> Result<(), Full> {
        let old = part.buckets.len();
        // Where little memory is at stake parts grow faster: moving their entries is what costs.
        let is_small = old << self.partition_bits < SMALL;
        let new = old + if is_small { old / 2 } else { old / 4 };
        let new = new.max(wanted.div_ceil(most(1))).next_multiple_of(BLOCK);
        let mut grown = Filling::new(new, account)?;
        grown.part.zero = part.zero;
        part.each(|slot| {
            let entry = E::cut(slot & self.rest_mask.value());
            grown.add(self.bucket(entry, new), slot);
        });
        std::mem::replace(part, grown.finish(account)).release(account);
        Ok(())
    }
}

/// Buckets in blocks, which are all of the same size: what one partition gives back when it grows is
/// what another takes.
#[derive(Debug)]
struct Buckets<B>(Vec<Box<[B; BLOCK]>>);

impl<B: Bucket> Buckets<B> {
    fn new(count: usize) -> Self {
        let blocks = (0..count / BLOCK).map(|_| Box::new([B::default(); BLOCK]));
        Self(blocks.collect())
    }

    #[inline(always)]
    fn len(&self) -> usize {
        self.0.len() * BLOCK
    }

    fn iter(&self) -> impl Iterator<Item = &B> {
        self.0.iter().flat_map(|block| block.iter())
    }
}

impl<B> Index<usize> for Buckets<B> {
    type Output = B;

    #[inline(always)]
    fn index(&self, at: usize) -> &B {
        &self.0[at / BLOCK][at % BLOCK]
    }
}

impl<B> IndexMut<usize> for Buckets<B> {
    #[inline(always)]
    fn index_mut(&mut self, at: usize) -> &mut B {
        &mut self.0[at / BLOCK][at % BLOCK]
    }
}

/// How many entries may lie in this many buckets.
fn most(buckets: usize) -> usize {
    buckets * BUCKET * 27 / 32
}

/// A number of this many ones.
fn ones<E: Entry>(bits: u32) -> E {
    E::cut(u64::MAX >> (64 - bits))
}

impl<E: Entry> Part<E> {
    /// The bytes of a bucket.
    const BYTES: usize = size_of::<E::Bucket>();

    /// This many empty buckets, a whole number of blocks.
    fn new(buckets: usize, account: &Account) -> Result<Self, Full> {
        account.take(buckets * Self::BYTES)?;
        Ok(Self {
            buckets: Buckets::new(buckets),
            count: 0,
            most: most(buckets),
            zero: 0,
        })
    }

    fn release(self, account: &Account) {
        account.give(self.buckets.len() * Self::BYTES);
    }

    /// The bucket where to look when one is full.
    #[inline(always)]
    fn after(&self, at: usize) -> usize {
        if at + 1 == self.buckets.len() {
            0
        } else {
            at + 1
        }
    }

    /// Puts a tagged entry that is not there into a bucket or, if that is full, the next one that is
    /// not.
    #[inline(always)]
    fn add(&mut self, mut at: usize, slot: u64) {
        while self.buckets[at].taken() == BUCKET {
            at = self.after(at);
        }
        let bucket = &mut self.buckets[at];
        bucket.put(bucket.taken(), slot);
        self.count += 1;
    }

    /// Calls back with all tagged entries that have slots.
    #[inline(always)]
    fn each(&self, mut f: impl FnMut(u64)) {
        for bucket in self.buckets.iter() {
            let slots = (0..BUCKET).map(|at| bucket.get(at));
            slots.filter(|slot| *slot != 0).for_each(&mut f);
        }
    }
}

/// A partition that is being filled with entries of which none comes twice. Slots in use are counted:
/// neighbours stay neighbours, and a bucket that was just written to is slow to read.
struct Filling<E: Entry> {
    part: Part<E>,
    taken: Vec<u8>,
}

impl<E: Entry> Filling<E> {
    /// This many empty buckets.
    fn new(buckets: usize, account: &Account) -> Result<Self, Full> {
        account.take(buckets)?;
        let part = Part::new(buckets, account).inspect_err(|_| account.give(buckets))?;
        let taken = vec![0; buckets];
        Ok(Self { part, taken })
    }

    /// Puts a tagged entry into a bucket or the next one that is not full.
    #[inline(always)]
    fn add(&mut self, mut at: usize, slot: u64) {
        while self.taken[at] as usize == BUCKET {
            at = self.part.after(at);
        }
        self.part.buckets[at].put(self.taken[at] as usize, slot);
        self.taken[at] += 1;
        self.part.count += 1;
    }

    /// The partition.
    fn finish(self, account: &Account) -> Part<E> {
        account.release(self.taken);
        self.part
    }
}

impl<E: Entry> Store for Table<E> {
    type Entry = E;
    type Part = Part<E>;

    fn name(&self) -> &'static str {
        self.name
    }

    fn partitions(&self) -> usize {
        1 << self.partition_bits
    }

    fn part(&self, account: &Account) -> Result<Part<E>, Full> {
        Part::new(BLOCK, account)
    }

    fn bytes(&self, part: &Part<E>) -> usize {
        part.buckets.len() * Part::<E>::BYTES
    }

    fn finer(&self) -> Option<Self> {
        let more = self.most_partition_bits - self.partition_bits;
        let rest_bits = self.rest_bits - more;
        (more > 0).then_some(Self {
            partition_bits: self.most_partition_bits,
            rest_bits,
            rest_mask: ones(rest_bits),
            ..*self
        })
    }

    fn divide(&self, finer: &Self, part: Part<E>, account: &Account) -> Result<Vec<Part<E>>, Full> {
        let count = 1 << (finer.partition_bits - self.partition_bits);
        let place = |slot: u64| {
            let rest = slot & self.rest_mask.value();
            let entry = E::cut(rest & finer.rest_mask.value());
            ((rest >> finer.rest_bits) as usize, entry)
        };
        let mut sizes = vec![0; count];
        part.each(|slot| sizes[place(slot).0] += 1);
        // Room for a third more.
        let room = |size: usize| (size * 4 / 3 / most(1) + 1).next_multiple_of(BLOCK);
        let parts = sizes.iter().map(|size| Filling::new(room(*size), account));
        let mut parts = parts.collect::<Result<Vec<Filling<E>>, Full>>()?;
        parts[0].part.zero = part.zero;
        part.each(|slot| {
            let (at, entry) = place(slot);
            let (own, tag) = (&mut parts[at], slot >> self.rest_bits);
            if entry == E::default() {
                own.part.zero = u32::try_from(tag).expect("tags are small");
                return;
            }
            let bucket = finer.bucket(entry, own.part.buckets.len());
            own.add(bucket, entry.value() | tag << finer.rest_bits);
        });
        part.release(account);
        Ok(parts.into_iter().map(|own| own.finish(account)).collect())
    }

    #[inline(always)]
    fn split(&self, key: u64) -> (usize, E) {
        let mixed = self.mixer.mix(key);
        (
            (mixed >> self.rest_bits) as usize,
            E::cut(mixed & self.rest_mask.value()),
        )
    }

    #[inline(always)]
    fn join(&self, partition: usize, entry: E) -> u64 {
        self.mixer
            .unmix((partition as u64) << self.rest_bits | entry.value())
    }

    #[inline(always)]
    fn insert(
        &self,
        part: &mut Part<E>,
        entry: E,
        tag: u32,
        account: &Account,
    ) -> Result<bool, Full> {
        if entry == E::default() {
            let new = part.zero == 0;
            if new {
                part.zero = tag;
            }
            return Ok(new);
        }
        if self.has(part, entry) {
            return Ok(false);
        }
        if part.count >= part.most {
            self.grow(part, part.count + 1, account)?;
        }
        let at = self.bucket(entry, part.buckets.len());
        part.add(at, entry.value() | u64::from(tag) << self.rest_bits);
        Ok(true)
    }

    fn expect(&self, part: &mut Part<E>, more: usize, account: &Account) {
        let wanted = part.count + more;
        if wanted > part.most {
            // It is only a guess, and can wait if there is no room.
            let _ = self.grow(part, wanted, account);
        }
    }

    fn insert_run(
        &self,
        part: &mut Part<E>,
        run: &[E],
        tag: u32,
        next: &mut Vec<E>,
        account: &Account,
    ) -> Result<(), Full> {
        for run in run.chunks(TOGETHER) {
            account.room(next, run.len())?;
            if part.count + run.len() > part.most {
                self.grow(part, part.count + run.len(), account)?;
            }
            let buckets = part.buckets.len();
            // Most entries are known and lie where they are looked for first. Nothing in this loop
            // waits for what is loaded, nor is anything guessed.
            let mut others = [E::default(); TOGETHER];
            let mut left = 0;
            for entry in run {
                let bucket = &part.buckets[self.bucket(*entry, buckets)];
                let known = self.holds(bucket, *entry) & (*entry != E::default());
                others[left % TOGETHER] = *entry;
                left += usize::from(!known);
            }
            // Nor could anybody foresee whether the others are new or came twice.
            let mut new = [E::default(); TOGETHER];
            let mut count = 0;
            for entry in &others[..left] {
                let at = self.bucket(*entry, buckets);
                let bucket = &mut part.buckets[at];
                let taken = bucket.taken();
                let known = self.holds(bucket, *entry);
                new[count % TOGETHER] = *entry;
                if taken == BUCKET || *entry == E::default() {
                    count += usize::from(self.insert(part, *entry, tag, account)?);
                    continue;
                }
                let adds = u64::from(!known);
                let slot = entry.value() | u64::from(tag) << self.rest_bits;
                bucket.put(taken % BUCKET, slot * adds);
                part.count += adds as usize;
                count += adds as usize;
            }
            next.extend_from_slice(&new[..count]);
        }
        Ok(())
    }

    fn tags(&self) -> u32 {
        self.most_tag
    }

    fn tagged(&self, part: &Part<E>, tag: u32, mut f: impl FnMut(E)) {
        if part.zero == tag {
            f(E::default());
        }
        let mask = E::cut(!self.rest_mask.value()).value();
        let wanted = u64::from(tag) << self.rest_bits;
        for bucket in part.buckets.iter() {
            let mut slots = bucket.matches(mask, wanted);
            while slots != 0 {
                let slot = bucket.get(slots.trailing_zeros() as usize);
                f(E::cut(slot & self.rest_mask.value()));
                slots &= slots - 1;
            }
        }
    }
}

/// A permutation of the numbers of this many bits.
#[derive(Clone, Copy, Debug)]
struct Mixer {
    /// The bits that are left as they are, which lie below, and those that are permuted.
    fixed: u64,
    mixed: u64,
    shift: u32,
    first_inverse: u64,
    second_inverse: u64,
}

const FIRST: u64 = 0xd6e8_feb8_6659_fd93;
const SECOND: u64 = 0x9e37_79b9_7f4a_7c15;

/// The inverse of an odd number modulo 2^64, by Newton's iteration.
fn inverse(odd: u64) -> u64 {
    (0..6).fold(odd, |x, _| {
        x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)))
    })
}

impl Mixer {
    fn new(bits: u32, fixed: u32) -> Self {
        let all = u64::MAX >> (64 - bits);
        let fixed_bits = !(u64::MAX << fixed);
        Self {
            fixed: fixed_bits,
            mixed: all & !fixed_bits,
            // At least half the bits, so that the shift is its own inverse.
            shift: (bits - fixed).div_ceil(2),
            first_inverse: inverse(FIRST),
            second_inverse: inverse(SECOND),
        }
    }

    #[inline(always)]
    fn mix(self, key: u64) -> u64 {
        self.permute(key, FIRST, SECOND)
    }

    #[inline(always)]
    fn unmix(self, mixed: u64) -> u64 {
        self.permute(mixed, self.second_inverse, self.first_inverse)
    }

    /// Where the lowest bits are 0, they stay so in products.
    #[inline(always)]
    fn permute(self, key: u64, first: u64, second: u64) -> u64 {
        let x = (key & self.mixed).wrapping_mul(first) & self.mixed;
        let x = x ^ (x >> self.shift & self.mixed);
        x.wrapping_mul(second) & self.mixed | key & self.fixed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mixer_is_a_permutation() {
        for (bits, fixed) in [(2, 0), (7, 0), (33, 0), (63, 0), (64, 0), (64, 32), (9, 3)] {
            let mixer = Mixer::new(bits, fixed);
            for key in 0..1000u64 {
                let key = key.wrapping_mul(0x1234_5678_9abc_def1) >> (64 - bits);
                assert_eq!(mixer.unmix(mixer.mix(key)), key);
            }
        }
    }

    fn fill<E: Entry>(table: &Table<E>, keys: u64) {
        let account = Account::new(None);
        let mut parts: Vec<_> = (0..table.partitions())
            .map(|_| table.part(&account).expect("no limit"))
            .collect();
        for round in [true, false] {
            for key in 0..keys {
                let (at, entry) = table.split(key * 3);
                assert_eq!(table.join(at, entry), key * 3);
                let tag = u32::try_from(key % 3 + 1).expect("small");
                let new = table.insert(&mut parts[at], entry, tag, &account);
                assert_eq!(new, Ok(round));
            }
        }
        let mut tagged = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            table.tagged(part, 2, |e| tagged.push(table.join(at, e)));
        }
        tagged.sort_unstable();
        let expected: Vec<u64> = (0..keys).filter(|k| k % 3 == 1).map(|k| k * 3).collect();
        assert_eq!(tagged, expected);
    }

    #[test]
    fn a_run_adds_what_is_new_once() {
        for hash_mask in [u64::MAX, 0] {
            let table = Table::<u32>::new(20, 0, 0..=0, 2, hash_mask, "").expect("fits");
            let account = Account::new(None);
            let mut part = table.part(&account).expect("no limit");
            // 0 included; every entry twice, side by side and far apart.
            let run: Vec<u32> = (0..200).flat_map(|i| [i / 2, 199 - i]).collect();
            let mut next = Vec::new();
            for _ in 0..2 {
                let added = table.insert_run(&mut part, &run, 1, &mut next, &account);
                assert_eq!(added, Ok(()));
            }
            next.sort_unstable();
            assert!(next.iter().copied().eq(0..200));
        }
    }

    #[test]
    fn keys_survive_growing_and_collisions() {
        for hash_mask in [u64::MAX, 0xc000_0000, 0] {
            fill(
                &Table::<u32>::new(20, 0, 3..=3, 2, hash_mask, "").expect("fits"),
                3000,
            );
            fill(
                &Table::<u64>::new(64, 32, 3..=3, 2, hash_mask, "").expect("fits"),
                3000,
            );
        }
        assert!(Table::<u32>::new(40, 0, 3..=3, 2, u64::MAX, "").is_none());
    }

    #[test]
    fn a_divided_table_has_the_same_entries_and_tags() {
        for hash_mask in [u64::MAX, 0] {
            let table = Table::<u32>::new(20, 0, 1..=6, 2, hash_mask, "").expect("fits");
            let finer = table.finer().expect("it began with few partitions");
            assert_eq!((table.partitions(), finer.partitions()), (2, 64));
            assert!(finer.finer().is_none() && finer.tags() == table.tags());
            let account = Account::new(None);
            let mut parts: Vec<_> = (0..table.partitions())
                .map(|_| table.part(&account).expect("no limit"))
                .collect();
            for key in 0..3000 {
                let (at, entry) = table.split(key);
                let tag = u32::try_from(key % 3 + 1).expect("small");
                let new = table.insert(&mut parts[at], entry, tag, &account);
                assert_eq!(new, Ok(true));
            }
            let divided = parts.into_iter().flat_map(|part| {
                let divided = table.divide(&finer, part, &account);
                divided.expect("no limit")
            });
            let mut divided: Vec<_> = divided.collect();
            for tag in 1..=3 {
                let mut keys = Vec::new();
                for (at, part) in divided.iter().enumerate() {
                    finer.tagged(part, tag, |e| keys.push(finer.join(at, e)));
                }
                keys.sort_unstable();
                assert!(keys.into_iter().eq((u64::from(tag) - 1..3000).step_by(3)));
            }
            for key in 0..3001 {
                let (at, entry) = finer.split(key);
                let new = finer.insert(&mut divided[at], entry, 1, &account);
                assert_eq!(new, Ok(key == 3000));
            }
            let buckets = divided.iter().map(|part| part.buckets.len());
            let bytes = buckets.sum::<usize>() * Part::<u32>::BYTES;
            assert_eq!(account.taken(), bytes as u64);
        }
    }

    #[test]
    fn what_is_expected_finds_room() {
        let table = Table::<u64>::new(40, 0, 0..=0, 2, u64::MAX, "").expect("fits");
        let account = Account::new(Some(40_000));
        let mut part = table.part(&account).expect("little");
        let run = |from: u64| (from..from + 1000).collect::<Vec<u64>>();
        let mut next = Vec::new();
        table
            .insert_run(&mut part, &run(1)[..20], 1, &mut next, &account)
            .expect("little");
        table.expect(&mut part, 1000, &account);
        let buckets = part.buckets.len();
        assert!((1020..1400).contains(&most(buckets)));
        let added = table.insert_run(&mut part, &run(1), 1, &mut next, &account);
        assert_eq!((added, part.buckets.len()), (Ok(()), buckets));
        assert!(next.into_iter().eq(1..=1000));
        // More than there is memory for is not taken, and nothing is lost.
        table.expect(&mut part, 100_000, &account);
        assert_eq!((part.buckets.len(), part.count), (buckets, 1000));
    }

    #[test]
    fn a_limit_stops_growth_and_loses_nothing() {
        let table = Table::<u32>::new(20, 0, 0..=0, 2, u64::MAX, "").expect("fits");
        let account = Account::new(Some(2000));
        let mut part = table.part(&account).expect("little");
        let stored = (0..).take_while(|k| {
            let (_, entry) = table.split(*k);
            table.insert(&mut part, entry, 1, &account).is_ok()
        });
        let stored = stored.count() as u64;
        let (mut count, mut all) = (0, true);
        table.tagged(&part, 1, |e| {
            count += 1;
            all &= table.join(0, e) < stored;
        });
        assert!(all && count == stored && stored > 100);
        assert!(account.peak() <= 2000);
    }
}
