//! A partition with the part of the frontier that belongs to it.
//!
//! A ply is listed, or its states are found again in the store by their tag: that takes no room,
//! and no more time where the ply is a good part of all states.

use super::account::{Account, Full};
use super::list::List;
use super::{Router, Store};

/// Runs of fewer entries are merged together.
const SHORT: usize = 64;

/// What one worker needs for a while to merge.
#[derive(Debug)]
pub(crate) struct Bench<E> {
    /// Entries of short runs.
    short: Vec<E>,
    /// Those that were new in a run.
    new: Vec<E>,
}

impl<E> Bench<E> {
    /// Nothing on it.
    pub(crate) fn new() -> Self {
        Self {
            short: Vec::new(),
            new: Vec::new(),
        }
    }

    /// Gives back what was taken for it.
    pub(crate) fn release(self, account: &Account) {
        account.release(self.new);
    }
}

/// One partition, worked on by one thread at a time.
#[derive(Debug)]
pub(crate) struct Shard<S: Store> {
    pub(crate) part: S::Part,
    /// The states of the ply to expand, until they are taken.
    current: List<S::Entry>,
    /// Those that were taken and put back, and how many of them have been expanded.
    begun: (Vec<S::Entry>, usize),
    /// The states of the next ply found so far.
    next: List<S::Entry>,
    /// Entries merged last, and how many of them were new.
    merged: (usize, usize),
    /// Plys whose tag the store does not remember.
    kept: Kept<S::Entry>,
}

/// Plys one after another.
#[derive(Debug)]
struct Kept<E> {
    entries: List<E>,
    /// Where each begins, unless it is empty.
    starts: Vec<(u64, usize)>,
}

impl<E: Copy> Kept<E> {
    /// Begins a ply, or goes on with it.
    fn begin(&mut self, ply: u64) {
        if self.starts.last().is_none_or(|last| last.0 != ply) {
            self.starts.push((ply, self.entries.len()));
        }
    }

    /// The entries of a ply, some at a time.
    fn runs(&self, ply: u64) -> impl Iterator<Item = &[E]> {
        let start = |at: usize| self.starts.get(at).map_or(self.entries.len(), |own| own.1);
        let from = self.starts.partition_point(|own| own.0 < ply);
        let to = self.starts.partition_point(|own| own.0 <= ply);
        self.entries.runs(start(from)..start(to))
    }
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
            current: List::default(),
            begun: (Vec::new(), 0),
            next: List::default(),
            merged: (0, 0),
            kept: Kept {
                entries: List::default(),
                starts: Vec::new(),
            },
        }
    }

    /// Adds a state to the ply to expand.
    pub(crate) fn add(&mut self, entry: S::Entry, account: &Account) -> Result<(), Full> {
        self.current.extend(&[entry], account)
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
            // a guess: if there is no room for this many, there may still be for those that come.
            let new = count.min(merged * 8) as f64 * new as f64 / merged as f64 * 1.125;
            store.expect(&mut self.part, new as usize, account);
        }
        let Bench { short, new } = bench;
        let mut found = 0;
        let mut result = Ok(());
        let mut merge = |run: &[S::Entry]| {
            if result.is_ok() {
                result = store.insert_run(&mut self.part, run, tag, new, account);
                if is_listed {
                    result = result.and(self.next.extend(new, account));
                }
                found += new.len();
                new.clear();
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
        self.merged = (count, found);
        (found, result)
    }

    /// Takes the states of the ply to expand, or those that were put back, and how many of them have
    /// been expanded. They are listed or have a tag; `room` is an empty vector to put them in.
    pub(crate) fn take(
        &mut self,
        store: &S,
        tag: Option<u32>,
        room: &mut Vec<S::Entry>,
        account: &Account,
    ) -> Result<(Vec<S::Entry>, usize), Full> {
        if !self.begun.0.is_empty() {
            return Ok(std::mem::take(&mut self.begun));
        }
        let mut result = Ok(());
        let mut add = |run: &[S::Entry]| {
            result = result.and_then(|()| account.room(room, run.len()));
            if result.is_ok() {
                room.extend_from_slice(run);
            }
        };
        match tag {
            Some(tag) => store.tagged(&self.part, tag, |entry| add(&[entry])),
            None => self.current.all().for_each(add),
        }
        result.map(|()| (std::mem::take(room), 0))
    }

    /// Puts back states of which this many have been expanded.
    pub(crate) fn put_back(&mut self, entries: Vec<S::Entry>, expanded: usize) {
        self.begun = (entries, expanded);
    }

    /// Gives back the list of the ply that was expanded, or keeps it as evidence of its ply.
    pub(crate) fn retire(&mut self, keep_as: Option<u64>, account: &Account) {
        if let Some(ply) = keep_as
            && self.current.len() > 0
        {
            self.kept.begin(ply);
            self.kept.entries.append(&mut self.current, account);
        }
        self.current.release(account);
    }

    /// Calls back with the entries kept for a ply.
    pub(crate) fn kept(&self, ply: u64, f: &mut dyn FnMut(S::Entry)) {
        self.kept.runs(ply).flatten().for_each(|entry| f(*entry));
    }

    /// Calls back with the states of the ply to expand, if they are listed.
    pub(crate) fn listed(&self, mut f: impl FnMut(S::Entry)) {
        self.current.all().flatten().for_each(|entry| f(*entry));
    }

    /// The next ply becomes the one to expand.
    pub(crate) fn advance(&mut self) {
        std::mem::swap(&mut self.current, &mut self.next);
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
        let place = |entry: &S::Entry| {
            let (partition, entry) = finer.split(store.join(number, *entry));
            (partition - first, entry)
        };
        for (at, entry) in self.current.all().flatten().map(place) {
            shards[at].current.extend(&[entry], account)?;
        }
        for (ply, _) in &self.kept.starts {
            for (at, entry) in self.kept.runs(*ply).flatten().map(place) {
                let kept = &mut shards[at].kept;
                kept.begin(*ply);
                kept.entries.extend(&[entry], account)?;
            }
        }
        for mut list in [self.current, self.next, self.kept.entries] {
            list.release(account);
        }
        Ok(shards)
    }

    /// Gives back the room of the frontier.
    pub(crate) fn release(&mut self, account: &Account) {
        self.current.release(account);
        self.next.release(account);
        account.release(std::mem::take(&mut self.begun.0));
    }
}
