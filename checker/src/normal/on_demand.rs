//! A normal form whose nodes are made when the search reaches them, by any thread.
//!
//! A specification can have more nodes than can be made and yet be followed to few of them. Here a
//! node is the τ-closed set of states it stands for; where a range of its events leads is found out
//! when one of them is first done. Nodes are kept for good, so that they can be read without a lock;
//! making one takes the lock of the index.
//!
//! For refusal testing a node can also be *observed*: the specification is then in those of its states
//! that accept no more than was offered, which are stable, so they are a node, too.
//!
//! Numbers depend on who came first. Counts and verdicts do not depend on numbers, but which of
//! several counterexamples is shown may: [`OnDemand::renumbered`] numbers the nodes that were reached
//! breadth-first by ascending event, which depends on nothing but what was reached.
//! Departs: equivalent nodes are not merged, for that needs all of them.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ahash::{AHashMap, AHashSet};
use csp_lts::{EventId, EventSet};
use dashmap::DashMap;

use super::sets::Sets;
use super::{Detail, Form};
use crate::judge::Node;
use crate::outcome::Limit;

/// Nodes are numbered below this.
const MOST_NODES: u32 = 1 << 24;
const CHUNK: usize = 1 << 12;

/// Stands for all that follows when there is no room for a node: nothing is judged there.
const NO_ROOM: Node = 1;

/// Where a range of events leads is not known yet.
const UNKNOWN: Node = Node::MAX;

/// One node.
struct Place {
    set: Arc<[u32]>,
    steps: Box<[(u32, u32, AtomicU32)]>,
    acceptances: Box<[EventSet]>,
    divergent: bool,
}

type Chunk = Box<[OnceLock<Place>]>;

/// Where a node is after each acceptance that was observed there, if that is possible at all.
type Observations = AHashMap<Box<[EventId]>, Option<Node>>;

/// A normal form in the making.
pub(crate) struct OnDemand {
    sets: Sets,
    places: Box<[OnceLock<Chunk>]>,
    index: Mutex<AHashMap<Arc<[u32]>, Node>>,
    observed: DashMap<Node, Observations, ahash::RandomState>,
    bytes: AtomicU64,
    most_bytes: u64,
    full: AtomicBool,
}

impl OnDemand {
    /// Makes the initial node; nodes may take this many bytes.
    pub(super) fn new(sets: Sets, most_bytes: u64) -> Self {
        let chunks = MOST_NODES as usize / CHUNK;
        let form = Self {
            sets,
            places: (0..chunks).map(|_| OnceLock::new()).collect(),
            index: Mutex::default(),
            observed: DashMap::default(),
            bytes: AtomicU64::new(0),
            most_bytes,
            full: AtomicBool::new(false),
        };
        let start = form.enter(vec![form.sets.initial()]);
        assert_eq!(start, 0, "the initial node comes first");
        form
    }

    /// The same form with the nodes that were reached numbered in a way that depends on nothing else.
    pub(crate) fn renumbered(self) -> Self {
        let mut order: Vec<Arc<[u32]>> = Vec::new();
        let mut seen = AHashSet::from([0]);
        let mut waiting = VecDeque::from([0]);
        while let Some(node) = waiting.pop_front() {
            let place = self.place(node);
            order.push(Arc::clone(&place.set));
            let observed = self.observed.get(&node);
            let mut observed: Vec<_> = observed.iter().flat_map(|o| o.iter()).collect();
            observed.sort_unstable();
            let stepped = place.steps.iter().map(|s| s.2.load(Ordering::Acquire));
            for target in observed.into_iter().filter_map(|o| *o.1).chain(stepped) {
                if target != UNKNOWN && target != NO_ROOM && seen.insert(target) {
                    waiting.push_back(target);
                }
            }
        }
        let (sets, most_bytes) = (self.sets, self.most_bytes);
        let form = Self::new(sets, most_bytes);
        for set in order {
            form.intern(set);
        }
        form
    }

    /// How many nodes there are.
    pub(crate) fn made(&self) -> u64 {
        let index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        index.len() as u64
    }

    /// Bytes that the nodes take.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Whether a node could not be made; what was found since then means nothing.
    pub(crate) fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }

    /// That nodes could not be made, as a limit.
    pub(crate) fn limit(&self) -> Option<Limit> {
        self.is_full().then(|| Limit::NormalForm(self.made()))
    }

    fn place(&self, node: Node) -> &Place {
        let chunk = self.places[node as usize / CHUNK].get();
        let place = chunk.and_then(|chunk| chunk[node as usize % CHUNK].get());
        place.expect("a node is made before its number is told")
    }

    /// The node that is entered at these states.
    fn enter(&self, mut stack: Vec<u32>) -> Node {
        let mut set: AHashSet<u32> = AHashSet::new();
        while let Some(state) = stack.pop() {
            if set.insert(state) {
                stack.extend_from_slice(self.sets.tau.successors(state));
            }
        }
        let mut set: Vec<u32> = set.into_iter().collect();
        set.sort_unstable();
        self.intern(set.into())
    }

    fn intern(&self, set: Arc<[u32]>) -> Node {
        let known = |index: &AHashMap<Arc<[u32]>, Node>| index.get(&set).copied();
        let lock = || self.index.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(node) = known(&lock()) {
            return node;
        }
        // Another thread may make the same; one of the two is thrown away.
        let place = self.look(Arc::clone(&set));
        let bytes = place.bytes();
        let mut index = lock();
        if let Some(node) = known(&index) {
            return node;
        }
        let number = match u32::try_from(index.len()).unwrap_or(MOST_NODES) {
            0 => 0,
            // One number is taken by what has no room.
            count => count + 1,
        };
        let taken = self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
        // There is always room for the first.
        if number >= MOST_NODES || (number > 0 && taken > self.most_bytes) {
            self.full.store(true, Ordering::Relaxed);
            return NO_ROOM;
        }
        let chunk = self.places[number as usize / CHUNK]
            .get_or_init(|| (0..CHUNK).map(|_| OnceLock::new()).collect());
        let fresh = chunk[number as usize % CHUNK].set(place).is_ok();
        assert!(fresh, "every number is given once");
        index.insert(set, number);
        number
    }

    /// The node after it was seen to accept these events, which ascend, and no others; `None` if it
    /// cannot be.
    pub(crate) fn observe(&self, node: Node, accepted: &[EventId]) -> Option<Node> {
        let known = self.observed.get(&node);
        if let Some(next) = known.and_then(|o| o.get(accepted).copied()) {
            return next;
        }
        let events = accepted.iter().copied().collect();
        let set = self.sets.observed(&self.place(node).set, &events);
        let next = (!set.is_empty()).then(|| self.intern(set.into()));
        let bytes = size_of_val(accepted) as u64 + 64;
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        let mut observations = self.observed.entry(node).or_default();
        observations.insert(accepted.into(), next);
        next
    }

    fn look(&self, set: Arc<[u32]>) -> Place {
        if self.sets.diverges(&set) {
            return Place {
                set,
                steps: Box::default(),
                acceptances: Box::default(),
                divergent: true,
            };
        }
        let mut steps: Vec<(u32, u32, AtomicU32)> = Vec::new();
        self.sets.ranges(&set, |from, to, _| {
            steps.push((from, to, AtomicU32::new(UNKNOWN)));
        });
        Place {
            steps: steps.into(),
            acceptances: self.sets.acceptances(&set),
            divergent: false,
            set,
        }
    }
}

impl Place {
    fn bytes(&self) -> u64 {
        let acceptances = self.acceptances.iter().map(|a| 16 + a.ranges().len() * 8);
        let parts = self.set.len() * 4 + self.steps.len() * 12 + acceptances.sum::<usize>();
        (size_of::<Self>() + parts + 64) as u64
    }
}

impl Form for OnDemand {
    fn nodes(&self) -> u32 {
        MOST_NODES
    }

    fn is_whole(&self) -> bool {
        false
    }

    fn followed(&self) -> EventSet {
        EventSet::empty()
    }

    fn refuses(&self, detail: Detail) -> bool {
        detail != Detail::Traces || self.divergent(0)
    }

    fn acceptances(&self, node: Node) -> &[EventSet] {
        &self.place(node).acceptances
    }

    fn divergent(&self, node: Node) -> bool {
        node == NO_ROOM || self.place(node).divergent
    }

    fn initials(&self, node: Node) -> EventSet {
        let steps = self.place(node).steps.iter();
        EventSet::from_ranges(steps.map(|(from, to, _)| (*from, *to)).collect())
    }

    fn step(&self, node: Node, event: EventId) -> Option<Node> {
        let place = self.place(node);
        let after = place.steps.partition_point(|(from, _, _)| *from <= event.0);
        let (_, to, target) = place.steps.get(after.checked_sub(1)?)?;
        if event.0 >= *to {
            return None;
        }
        let known = target.load(Ordering::Acquire);
        if known != UNKNOWN {
            return Some(known);
        }
        let next = self.enter(self.sets.after(&place.set, event));
        target.store(next, Ordering::Release);
        Some(next)
    }
}
