//! A partition with the part of the frontier that belongs to it.
//!
//! A ply is listed, or left to the store, which finds its states again by their tag: that takes no room,
//! and no more time where the ply is a good part of all states.

use super::account::{Account, Full};
use super::{Router, Store};

/// Runs of fewer entries are merged together.
const SHORT: usize = 64;

/// What one worker needs for a while to merge.
#[derive(Debug)]
pub(crate) struct Bench<E> {
    /// Entries of short runs.
    short: Vec<E>,
    /// New entries of a ply that is not listed.
    unlisted: Vec<E>,
}

impl<E> Bench<E> {
    /// Nothing on it.
    pub(crate) fn new() -> Self {
        Self {
            short: Vec::new(),
            unlisted: Vec::new(),
        }
    }

    /// Gives back what was taken for it.
    pub(crate) fn release(self, account: &Account) {
        account.release(self.unlisted);
    }
}

/// One partition, worked on by one thread at a time.
#[derive(Debug)]
pub(crate) struct Shard<S: Store> {
    pub(crate) part: S::Part,
    /// The states of the ply that is being expanded, until they are taken.
    pub(crate) current: Vec<S::Entry>,
    /// How many of them have been expanded.
    pub(crate) expanded: usize,
    /// The states of the next ply found so far.
    pub(crate) next: Vec<S::Entry>,
    /// Entries merged last, and how many of them were new.
    merged: (usize, usize),
    /// Plys whose tag the store does not remember.
    kept: Vec<(u64, Vec<S::Entry>)>,
}

impl<S: Store> Shard<S> {
    /// An empty partition.
    pub(crate) fn new(store: &S, account: &Account) -> Result<Self, Full> {
        Ok(Self::holding(store.part(account)?))
    }

    /// A partition without a frontier.
    fn holding(part: S::Part) -> Self {
        Self {
            part,
            current: Vec::new(),
            expanded: 0,
            next: Vec::new(),
            merged: (0, 0),
            kept: Vec::new(),
        }
    }

    /// Adds everything routed to this partition by all workers; new states belong to the next ply, in
    /// whose list they are put if there is one. How many they are, even if there is no room for more.
    pub(crate) fn merge_all<'a>(
        &mut self,
        store: &S,
        (number, tag, is_listed): (usize, u32, bool),
        routers: impl Iterator<Item = &'a Router<S::Entry>> + Clone,
        bench: &mut Bench<S::Entry>,
        account: &Account,
    ) -> (usize, Result<(), Full>)
    where
        S: 'a,
    {
        let count: usize = routers.clone().map(|router| router.count(number)).sum();
        if let (merged @ 1.., new) = self.merged {
            // A little more than the same share as last time, unless that was of far fewer. It is only
            // a guess: if there is no room for so many, there may still be for those that come.
            let new = count.min(merged * 8) as f64 * new as f64 / merged as f64 * 1.125;
            let new = new as usize;
            store.expect(&mut self.part, new, account);
            // A list that grows by itself grows by half.
            if is_listed && self.next.len() + new > self.next.capacity() / 2 * 3 {
                let _ = account.room(&mut self.next, new);
            }
        }
        let Bench { short, unlisted } = bench;
        let next = if is_listed { &mut self.next } else { unlisted };
        let mut new = 0;
        let mut result = Ok(());
        let mut merge = |run: &[S::Entry]| {
            if result.is_ok() {
                let before = next.len();
                result = store.insert_run(&mut self.part, run, tag, next, account);
                new += next.len() - before;
                if !is_listed {
                    next.clear();
                }
            }
        };
        for router in routers {
            router.runs(number, |run| {
                if run.len() < SHORT {
                    short.extend_from_slice(run);
                } else {
                    merge(run);
                }
            });
        }
        merge(short);
        short.clear();
        self.merged = (count, new);
        (new, result)
    }

    /// Adds the states of a ply that was left to the store to a list.
    pub(crate) fn gather(
        &self,
        store: &S,
        tag: u32,
        list: &mut Vec<S::Entry>,
        account: &Account,
    ) -> Result<(), Full> {
        let mut result = Ok(());
        store.tagged(&self.part, tag, |entry| {
            if result.is_ok() {
                result = account.room(list, 1);
            }
            if result.is_ok() {
                list.push(entry);
            }
        });
        result
    }

    /// Puts back what was taken from `current`: kept as evidence of its ply, or as room.
    pub(crate) fn retire(
        &mut self,
        mut entries: Vec<S::Entry>,
        keep_as: Option<u64>,
        account: &Account,
    ) {
        let size = size_of::<S::Entry>();
        self.expanded = 0;
        if let Some(ply) = keep_as {
            let before = entries.capacity();
            entries.shrink_to_fit();
            account.give((before - entries.capacity()) * size);
            if !entries.is_empty() {
                self.kept.push((ply, entries));
            }
        } else {
            entries.clear();
            self.current = entries;
        }
    }

    /// The next ply becomes the one to expand.
    pub(crate) fn advance(&mut self) {
        std::mem::swap(&mut self.current, &mut self.next);
        self.next.clear();
    }

    /// Divides a partition between plys into those of a finer store.
    pub(crate) fn divide(
        self,
        number: usize,
        store: &S,
        finer: &S,
        account: &Account,
    ) -> Result<Vec<Self>, Full> {
        let parts = store.divide(finer, self.part, account)?;
        let first = number * parts.len();
        let mut shards: Vec<Self> = parts.into_iter().map(Self::holding).collect();
        shards.iter_mut().for_each(|s| s.merged = self.merged);
        let size = size_of::<S::Entry>();
        // Calls back with the entries of a list by partition.
        let scatter = |list: Vec<S::Entry>, f: &mut dyn FnMut(usize, Vec<S::Entry>)| {
            let divided = list.iter().map(|e| finer.split(store.join(number, *e)));
            let mut divided: Vec<_> = divided.collect();
            divided.sort_unstable();
            for entries in divided.chunk_by(|a, b| a.0 == b.0) {
                account.take(entries.len() * size)?;
                let own = entries.iter().map(|(_, entry)| *entry).collect();
                f(entries[0].0 - first, own);
            }
            account.release(list);
            Ok(())
        };
        account.release(self.next);
        scatter(self.current, &mut |at, own| shards[at].current = own)?;
        for (ply, list) in self.kept {
            scatter(list, &mut |at, own| shards[at].kept.push((ply, own)))?;
        }
        Ok(shards)
    }

    /// Gives back the room of the frontier.
    pub(crate) fn release(&mut self, account: &Account) {
        account.release(std::mem::take(&mut self.current));
        account.release(std::mem::take(&mut self.next));
    }

    /// Calls back with the entries kept for a ply.
    pub(crate) fn kept(&self, ply: u64, f: &mut dyn FnMut(S::Entry)) {
        let at = self.kept.partition_point(|(kept, _)| *kept < ply);
        for (_, entries) in self.kept[at..].iter().take_while(|(kept, _)| *kept == ply) {
            entries.iter().for_each(|e| f(*e));
        }
    }
}
