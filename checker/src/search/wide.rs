//! The rest of a large search: keys in partitions, many workers.
//!
//! A wide ply goes in rounds of two phases. *Expand*: workers claim partitions of the frontier and
//! route the children to their partitions. *Merge*: workers claim partitions, each of which takes in
//! what was routed to it. So no two workers ever touch the same table, and nothing depends on who
//! was first. Narrow plys are expanded by one worker that inserts directly, without any barrier.

mod claims;
mod divide;
mod tabulated;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use self::claims::{Claims, Queue};
use self::tabulated::Batch;
use super::Found;
use super::evidence::{Archive, rebuild};
use super::finds::Finds;
use super::narrow::{POLL_EVERY, classify};
use super::tally::Tally;
use super::team::Team;
use super::tuning::Tuning;
use super::visit::{Context, Worker};
use crate::outcome::Limit;
use crate::store::{Account, Bench, Codec, Entry, Full, Router, Seed, Shard, Store};

/// A large search.
struct Wide<'a, const N: usize, C: Codec<N>, S: Store> {
    context: &'a Context<'a, N>,
    team: &'a Team,
    tuning: &'a Tuning,
    codec: C,
    store: S,
    shards: Vec<Mutex<Shard<S>>>,
    seed: Seed<N>,
    /// The last ply of the seed.
    seed_ply: u64,
    /// The keys of the ply to expand next while it is narrow; otherwise it is in the shards.
    narrow: Option<Vec<u64>>,
    /// Whether it is listed there, or found again in the store by its tag.
    is_listed: bool,
    /// Narrow plys: those whose tag the store does not remember, and others while they are few,
    /// because a list is read faster than a store is searched for a tag.
    kept: Vec<(u64, Vec<u64>)>,
    kept_states: usize,
}

/// The most states of narrow plys that are kept although the store remembers their tag.
const MOST_KEPT: usize = 1 << 20;
/// States that are decoded together.
const PARENTS: usize = 32;
/// Children that are encoded together, or more if one state has more.
pub(crate) const CHILDREN: usize = 128;

/// What one worker brings along.
struct Hand<const N: usize, C: Codec<N>, S: Store> {
    worker: Worker<N>,
    memory: C::Memory,
    router: Router<S::Entry>,
    /// Room for the states of a partition.
    gathered: Vec<S::Entry>,
    /// States expanded together, where moves are tabulated.
    batch: Option<Batch<N>>,
    /// Which of the workers it belongs to.
    number: usize,
}

impl<const N: usize, C: Codec<N>, S: Store> Hand<N, C, S> {
    /// Whether it belongs to the worker that looks at the clock.
    fn leads(&self) -> bool {
        self.number == 0
    }
}

/// What is merged into the partitions.
struct Merging<'a, E: Entry> {
    /// The ply of the new states, and whether it is listed.
    ply: u64,
    is_listed: bool,
    claims: Claims,
    routers: Vec<&'a Router<E>>,
    /// New states of the ply so far, and how many there may be.
    children: &'a AtomicU64,
    most: u64,
}

/// Searches on from where the seed is full.
pub(crate) fn search<const N: usize, C: Codec<N>, S: Store>(
    context: &Context<'_, N>,
    team: &Team,
    tuning: &Tuning,
    (seed, tally, finds): (Seed<N>, Tally, Finds<N>),
    codec: C,
    store: S,
) -> Found {
    let name = store.name();
    let begun = Wide::new(context, team, tuning, seed, codec, store).and_then(|wide| {
        let hands = wide.hands()?;
        Ok((wide, hands))
    });
    match begun {
        Ok((mut wide, mut hands)) => {
            hands[0].worker.finds = finds;
            wide.run(tally, hands)
        }
        Err(full) => {
            context.control.out_of_memory(full);
            Found {
                violations: Vec::new(),
                limit: context.control.limit(),
                statistics: tally.statistics(&context.control, name),
            }
        }
    }
}

/// Whether no partition gets too large a share of the states of the seed.
pub(crate) fn is_even<const N: usize, C: Codec<N>, S: Store>(
    codec: &mut C,
    store: &S,
    seed: &Seed<N>,
    account: &Account,
) -> bool {
    let mut shares = vec![0usize; store.partitions()];
    let mut count = || {
        let mut memory = codec.memory(account)?;
        for state in seed.states() {
            if codec.wants_room() {
                codec.make_room(account)?;
            }
            shares[store
                .split(codec.encode_any(state, &mut memory, account)?)
                .0] += 1;
        }
        Ok::<(), Full>(())
    };
    let largest_fits = |shares: &[usize]| {
        let largest = shares.iter().max().copied().unwrap_or(0);
        largest * 64 <= seed.len()
    };
    count().is_ok() && largest_fits(&shares)
}

impl<'a, const N: usize, C: Codec<N>, S: Store> Wide<'a, N, C, S> {
    /// Takes over the states of the seed.
    fn new(
        context: &'a Context<'a, N>,
        team: &'a Team,
        tuning: &'a Tuning,
        mut seed: Seed<N>,
        mut codec: C,
        store: S,
    ) -> Result<Self, Full> {
        let account = &context.control.account;
        let mut shards = (0..store.partitions())
            .map(|_| Shard::new(&store, account))
            .collect::<Result<Vec<_>, _>>()?;
        let mut memory = codec.memory(account)?;
        let last = seed.ply(seed.plys() - 1);
        let mut frontier = Vec::new();
        for (at, state) in seed.states().iter().enumerate() {
            if codec.wants_room() {
                codec.make_room(account)?;
            }
            let key = codec.encode_any(state, &mut memory, account)?;
            let (partition, entry) = store.split(key);
            let tag = store.tags().max(1);
            store.insert(&mut shards[partition].part, entry, tag, account)?;
            if last.contains(&at) {
                account.room(&mut frontier, 1)?;
                frontier.push(key);
            }
        }
        seed.freeze(account);
        let seed_ply = seed.plys() as u64 - 1;
        let mut wide = Self {
            context,
            team,
            tuning,
            codec,
            store,
            shards: shards.into_iter().map(Mutex::new).collect(),
            seed,
            seed_ply,
            narrow: None,
            is_listed: true,
            kept: Vec::new(),
            kept_states: 0,
        };
        wide.settle(frontier)?;
        Ok(wide)
    }

    fn hands(&self) -> Result<Vec<Hand<N, C, S>>, Full> {
        let account = &self.context.control.account;
        (0..self.team.size())
            .map(|number| {
                Ok(Hand {
                    worker: self.context.worker(),
                    memory: self.codec.memory(account)?,
                    router: Router::new(self.store.partitions(), account)?,
                    gathered: Vec::new(),
                    batch: self.batch()?,
                    number,
                })
            })
            .collect()
    }

    fn shard(&self, number: usize) -> MutexGuard<'_, Shard<S>> {
        self.shards[number]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a ply has to be kept as a list.
    fn is_kept(&self, ply: u64) -> bool {
        ply - self.seed_ply >= u64::from(self.store.tags())
    }

    /// The list of a narrow ply, if it was kept.
    fn narrow_list(&self, ply: u64) -> Option<&[u64]> {
        let at = self
            .kept
            .binary_search_by_key(&ply, |(kept, _)| *kept)
            .ok()?;
        Some(&self.kept[at].1)
    }

    fn tag(&self, ply: u64) -> u32 {
        let tag = (ply - self.seed_ply).min(u64::from(self.store.tags().max(1)));
        u32::try_from(tag).expect("tags are small")
    }

    fn run(&mut self, mut tally: Tally, mut hands: Vec<Hand<N, C, S>>) -> Found {
        let control = &self.context.control;
        let before = tally.transitions;
        let mut ply = self.seed_ply;
        loop {
            let size = tally.last_ply();
            control.ply.store(ply, Relaxed);
            for hand in &mut hands {
                hand.worker.finds.ply = ply;
            }
            control.frontier.store(size, Relaxed);
            control.states.store(tally.states(), Relaxed);
            if self.is_coarse(tally.states(), size)
                && let Err(full) = self.divide(&mut hands)
            {
                control.out_of_memory(full);
                return Found {
                    violations: Vec::new(),
                    limit: control.limit(),
                    statistics: tally.statistics(control, self.store.name()),
                };
            }
            let children = match self.narrow.take() {
                Some(frontier) => self.narrow_ply(ply, frontier, &mut hands[0]),
                None => self.wide_ply(ply, size, &mut hands),
            };
            let (first, others) = hands.split_first_mut().expect("at least one worker");
            for other in others.iter_mut() {
                first.worker.finds.absorb(&mut other.worker.finds);
            }
            let rest: u64 = others.iter().map(|hand| hand.worker.transitions).sum();
            let transitions = before + first.worker.transitions + rest;
            control.transitions.store(transitions, Relaxed);
            if let Some(followed) = &mut tally.followed {
                for hand in &mut hands {
                    followed.add(std::mem::take(&mut hand.worker.followed));
                }
            }
            let first = &mut hands[0];
            if !tally.end_ply(control, children, transitions, &mut first.worker.finds) {
                let found = first.worker.finds.clone();
                let finds = match Tally::reports(control, &found) {
                    true => found.finds(),
                    false => &[],
                };
                for hand in hands {
                    hand.router.release(&control.account);
                    control.account.release(hand.gathered);
                    if let Some(batch) = hand.batch {
                        batch.release(&control.account);
                    }
                }
                let stored = self.release_frontier();
                let (violations, limit) = match rebuild(self.context, self.team, self, finds) {
                    Ok(violations) => (violations, Tally::limit(control, found.are_enough())),
                    Err(limit) => (Vec::new(), Some(limit)),
                };
                let mut statistics = tally.statistics(control, self.store.name());
                statistics.bytes_per_state = stored as f64 / statistics.states.max(1) as f64;
                return Found {
                    violations,
                    limit,
                    statistics,
                };
            }
            ply += 1;
        }
    }

    /// Puts a narrow frontier where its size says it belongs.
    fn settle(&mut self, frontier: Vec<u64>) -> Result<(), Full> {
        let account = &self.context.control.account;
        self.is_listed = true;
        if (frontier.len() as u64) < self.tuning.narrow {
            self.narrow = Some(frontier);
            return Ok(());
        }
        for key in &frontier {
            let (partition, entry) = self.store.split(*key);
            let shard = self.shards[partition]
                .get_mut()
                .unwrap_or_else(PoisonError::into_inner);
            shard.add(entry, account)?;
        }
        account.release(frontier);
        Ok(())
    }

    /// Expands a ply without threads; how many children were new.
    fn narrow_ply(&mut self, ply: u64, frontier: Vec<u64>, hand: &mut Hand<N, C, S>) -> u64 {
        let (context, control) = (self.context, &self.context.control);
        let account = &control.account;
        let tag = self.tag(ply + 1);
        let mut next: Vec<u64> = Vec::new();
        let mut children = 0u64;
        let known = control.states.load(Relaxed);
        for (at, key) in frontier.iter().enumerate() {
            if at % POLL_EVERY == 0 {
                control.poll();
            }
            if control.is_stopped() {
                break;
            }
            self.make_room();
            let state = self.codec.decode(*key, &mut hand.memory);
            classify(context, &state, &mut hand.worker);
            let (codec, store, shards, memory) =
                (&self.codec, &self.store, &mut self.shards, &mut hand.memory);
            context.visit(&state, &mut hand.worker, |rule, child| {
                if control.is_closed() {
                    return;
                }
                let mut add = || {
                    let key = codec.encode(rule, child, memory, account)?;
                    let (partition, entry) = store.split(key);
                    let shard = shards[partition]
                        .get_mut()
                        .unwrap_or_else(PoisonError::into_inner);
                    account.room(&mut next, 1)?;
                    if store.insert(&mut shard.part, entry, tag, account)? {
                        next.push(key);
                        children += 1;
                    }
                    Ok(())
                };
                match add() {
                    Ok(()) if known + children > control.most_states => {
                        control.fill(Limit::States(control.most_states));
                    }
                    Ok(()) => {}
                    Err(full) => control.out_of_memory(full),
                }
            });
        }
        let few = self.kept_states + frontier.len() <= MOST_KEPT;
        if (few || self.is_kept(ply)) && ply > self.seed_ply {
            self.kept_states += frontier.len();
            self.kept.push((ply, frontier));
        } else {
            account.release(frontier);
        }
        if let Err(full) = self.settle(next) {
            control.out_of_memory(full);
        }
        children
    }

    /// Expands a ply of this many states with all workers; how many children were new.
    fn wide_ply(&mut self, ply: u64, size: u64, hands: &mut [Hand<N, C, S>]) -> u64 {
        let control = &self.context.control;
        if self.context.silence.is_some() {
            let claims = Claims::new(self.shards.len(), hands.len());
            self.team
                .run(hands, |hand| self.classify_shards(&claims, hand));
        }
        let quota = self.routed_bytes() / hands.len();
        let known = control.states.load(Relaxed);
        let children = AtomicU64::new(0);
        let is_listed = self.wants_list(ply + 1, size, known);
        let queue = Queue::new(Claims::new(self.shards.len(), hands.len()));
        while !queue.is_done() && !control.is_stopped() {
            self.team
                .run(hands, |hand| self.expand_shards(ply, &queue, quota, hand));
            let routers: Vec<_> = hands.iter().map(|hand| &hand.router).collect();
            let mut crew: Vec<usize> = (0..routers.len()).collect();
            let merging = Merging {
                ply: ply + 1,
                is_listed,
                claims: Claims::new(self.shards.len(), routers.len()),
                routers,
                children: &children,
                most: control.most_states.saturating_sub(known),
            };
            self.team
                .run(&mut crew, |worker| self.merge_shards(&merging, *worker));
            for hand in hands.iter_mut() {
                hand.router.clear();
            }
            self.make_room();
            control
                .states
                .store(known + children.load(Relaxed), Relaxed);
        }
        let children = children.into_inner();
        self.is_listed = is_listed;
        let narrow = children < self.tuning.narrow;
        let mut frontier = Vec::new();
        let tag = self.tag(ply + 1);
        for (number, shard) in self.shards.iter_mut().enumerate() {
            let shard = shard.get_mut().unwrap_or_else(PoisonError::into_inner);
            shard.advance();
            let mut keep = |e| frontier.push(self.store.join(number, e));
            if narrow && is_listed {
                shard.listed(&mut keep);
                shard.retire(None, &control.account);
            } else if narrow {
                self.store.tagged(&shard.part, tag, &mut keep);
            }
        }
        if narrow {
            if control.account.take(frontier.capacity() * 8).is_err() {
                control.out_of_memory(Full);
            }
            self.narrow = Some(frontier);
        }
        children
    }

    /// How many bytes may be routed between two merges: more than the least only while there is plenty
    /// of memory.
    fn routed_bytes(&mut self) -> usize {
        let account = &self.context.control.account;
        let most = |bytes: u64| usize::try_from(bytes / 4).unwrap_or(usize::MAX);
        let left = account.limit().saturating_sub(account.taken());
        let (least, share) = self.tuning.routed_bytes;
        let shards = self.shards.iter_mut();
        let stored = shards.map(|shard| {
            let shard = shard.get_mut().unwrap_or_else(PoisonError::into_inner);
            self.store.bytes(&shard.part)
        });
        let wanted = stored.sum::<usize>() / share;
        wanted.min(most(left)).max(least).min(most(account.limit()))
    }

    /// Whether the states of a ply to come have to be listed, given how many the ply before it has and
    /// how many there are.
    fn wants_list(&self, ply: u64, before: u64, states: u64) -> bool {
        let few = before.saturating_mul(self.tuning.unlisted) < states;
        few || self.is_kept(ply) || self.context.silence.is_some()
    }

    fn classify_shards(&self, claims: &Claims, hand: &mut Hand<N, C, S>) {
        let leads = hand.leads();
        while let Some(number) = claims.claim(hand.number) {
            let mut at = 0;
            self.shard(number).listed(|entry| {
                if leads && at % POLL_EVERY == 0 {
                    self.context.control.poll();
                }
                at += 1;
                let key = self.store.join(number, entry);
                let state = self.codec.decode(key, &mut hand.memory);
                classify(self.context, &state, &mut hand.worker);
            });
        }
    }

    /// Lets the codec grow while nobody else uses it.
    fn make_room(&mut self) {
        let control = &self.context.control;
        if self.codec.wants_room()
            && !control.is_closed()
            && let Err(full) = self.codec.make_room(&control.account)
        {
            control.out_of_memory(full);
        }
    }

    /// Expands partitions until there are no more, enough has been routed, or the codec has to
    /// grow first.
    fn expand_shards(&self, ply: u64, queue: &Queue, quota: usize, hand: &mut Hand<N, C, S>) {
        let control = &self.context.control;
        let before = hand.worker.transitions;
        let tag = (!self.is_listed).then(|| self.tag(ply));
        let keep = (self.is_kept(ply) && ply > self.seed_ply).then_some(ply);
        while hand.router.bytes() <= quota && !control.is_stopped() {
            let Some(number) = queue.claim(hand.number) else {
                break;
            };
            let room = &mut hand.gathered;
            let taken = (self.shard(number)).take(&self.store, tag, room, &control.account);
            let Ok((mut entries, from)) = taken else {
                control.out_of_memory(Full);
                // Nor could the others of this ply be expanded.
                control.stop_when_full();
                break;
            };
            let expanded = if C::BATCHES {
                // Neighbours share much of what is looked up.
                if from == 0 {
                    entries.sort_unstable();
                }
                self.expand_many(number, &entries, from, hand)
            } else if let Some(joints) = &self.context.machine.joints {
                self.expand_tabulated(joints, number, &entries, from, hand)
            } else {
                self.expand(number, &entries, from, hand)
            };
            let mut shard = self.shard(number);
            if expanded < entries.len() {
                shard.put_back(entries, expanded);
                queue.put_back(number);
                break;
            }
            shard.retire(keep, &control.account);
            entries.clear();
            // They may be in a vector that somebody else has left.
            let spare = std::mem::replace(&mut hand.gathered, entries);
            control.account.release(spare);
        }
        control
            .transitions
            .fetch_add(hand.worker.transitions - before, Relaxed);
    }

    /// Expands entries until all are done or the codec has to grow; up to where it came.
    fn expand(
        &self,
        number: usize,
        entries: &[S::Entry],
        from: usize,
        hand: &mut Hand<N, C, S>,
    ) -> usize {
        let control = &self.context.control;
        let leads = hand.leads();
        let Hand {
            worker,
            memory,
            router,
            ..
        } = hand;
        let mut closed = control.is_closed();
        for (at, entry) in entries.iter().enumerate().skip(from) {
            if at % 256 == 0 {
                if leads {
                    control.poll();
                }
                closed = control.is_closed();
            }
            if self.codec.wants_room() && !closed || control.is_stopped() {
                return at;
            }
            let state = self.codec.decode(self.store.join(number, *entry), memory);
            self.context.visit(&state, worker, |rule, child| {
                if closed {
                    return;
                }
                let routed = self
                    .codec
                    .encode(rule, child, memory, &control.account)
                    .and_then(|key| self.route(key, router));
                if let Err(out) = routed {
                    control.out_of_memory(out);
                    closed = true;
                }
            });
        }
        entries.len()
    }

    /// Sends a key to its partition.
    #[inline(always)]
    fn route(&self, key: u64, router: &mut Router<S::Entry>) -> Result<(), Full> {
        let (partition, entry) = self.store.split(key);
        router.push(partition, entry, &self.context.control.account)
    }

    /// As [`Wide::expand`], for codecs that batch.
    fn expand_many(
        &self,
        number: usize,
        entries: &[S::Entry],
        from: usize,
        hand: &mut Hand<N, C, S>,
    ) -> usize {
        let control = &self.context.control;
        let leads = hand.leads();
        let Hand {
            worker,
            memory,
            router,
            ..
        } = hand;
        let mut keys = [0u64; PARENTS];
        let mut at = from;
        while at < entries.len() {
            if leads {
                control.poll();
            }
            let closed = control.is_closed();
            if control.is_stopped() || self.codec.wants_room() && !closed {
                return at;
            }
            let run = &entries[at..entries.len().min(at + PARENTS)];
            for (key, entry) in keys.iter_mut().zip(run) {
                *key = self.store.join(number, *entry);
            }
            self.codec.decode_many(&keys[..run.len()], memory);
            let mut waiting = 0;
            for parent in 0..run.len() {
                let state = C::decoded(memory, parent);
                self.context.visit(&state, worker, |_, child| {
                    if !closed {
                        waiting = self.codec.add_child(memory, parent, child);
                    }
                });
                at += 1;
                if waiting < CHILDREN && parent + 1 < run.len() {
                    continue;
                }
                let account = &control.account;
                let routed =
                    (self.codec).encode_many(memory, account, |key| self.route(key, router));
                if let Err(out) = routed {
                    control.out_of_memory(out);
                }
                waiting = 0;
                if self.codec.wants_room() {
                    break;
                }
            }
        }
        entries.len()
    }

    /// Takes in what was routed, partition by partition.
    fn merge_shards(&self, merging: &Merging<'_, S::Entry>, worker: usize) {
        let control = &self.context.control;
        let tag = self.tag(merging.ply);
        let mut bench = Bench::new();
        while !control.is_closed()
            && let Some(number) = merging.claims.claim(worker)
        {
            let (new, merged) = self.shard(number).merge_all(
                &self.store,
                (number, tag, merging.is_listed),
                merging.routers.iter().copied(),
                &mut bench,
                &control.account,
            );
            let children = merging.children.fetch_add(new as u64, Relaxed) + new as u64;
            if let Err(full) = merged {
                control.out_of_memory(full);
            }
            if children > merging.most {
                control.fill(Limit::States(control.most_states));
            }
        }
        bench.release(&control.account);
    }

    /// Calls back with the states of some keys.
    fn decode_all(&self, keys: &[u64], memory: &mut C::Memory, f: &mut dyn FnMut(&[u64; N])) {
        if !C::BATCHES {
            keys.iter()
                .for_each(|key| f(&self.codec.decode(*key, memory)));
            return;
        }
        for keys in keys.chunks(PARENTS) {
            self.codec.decode_many(keys, memory);
            (0..keys.len()).for_each(|at| f(&C::decoded(memory, at)));
        }
    }

    /// Gives back what only a search that goes on needs; the bytes that the store then takes.
    fn release_frontier(&mut self) -> u64 {
        let account = &self.context.control.account;
        for shard in &mut self.shards {
            let shard = shard.get_mut().unwrap_or_else(PoisonError::into_inner);
            shard.release(account);
        }
        if let Some(frontier) = self.narrow.take() {
            account.release(frontier);
        }
        account.taken()
    }
}

impl<const N: usize, C: Codec<N>, S: Store> Archive<N> for Wide<'_, N, C, S> {
    type Reader = Option<C::Memory>;

    fn reader(&self) -> Option<C::Memory> {
        // Evidence is not refused for want of a little memory.
        self.codec.memory(&Account::new(None)).ok()
    }

    fn pieces(&self, ply: u64) -> usize {
        if ply <= self.seed_ply || self.narrow_list(ply).is_some() {
            1
        } else {
            self.shards.len()
        }
    }

    fn read(
        &self,
        ply: u64,
        piece: usize,
        reader: &mut Option<C::Memory>,
        f: &mut dyn FnMut(&[u64; N]),
    ) {
        let memory = reader.as_mut().expect("memory without a limit");
        if ply <= self.seed_ply {
            return self.seed.read(ply, piece, &mut (), f);
        }
        if let Some(keys) = self.narrow_list(ply) {
            return self.decode_all(keys, memory, f);
        }
        let shard = self.shard(piece);
        let mut keys = Vec::new();
        let mut found = |entry| keys.push(self.store.join(piece, entry));
        if self.is_kept(ply) {
            shard.kept(ply, &mut found);
        } else {
            self.store.tagged(&shard.part, self.tag(ply), &mut found);
        }
        drop(shard);
        if C::BATCHES {
            keys.sort_unstable();
        }
        self.decode_all(&keys, memory, f);
    }
}
