//! Which states lie on a τ cycle.
//!
//! Before a ply is expanded, each of its states whose node forbids divergence is classified by a
//! depth-first search over the τ rules that can be on a cycle at all ([`super::tau_cycles`]), for
//! strong components by Tarjan's algorithm. Whatever a search has left behind is settled for good and
//! shared by all workers, so the whole costs about two visits of each state with such a τ. A
//! divergence is thus reported at a state on a cycle, to which the way is shortest.
//!
//! A search ends as soon as it has come back to where it began: a cycle is a cycle, however large the
//! strong component is. The states on the way are then known to be on a cycle, but the component is
//! not settled, so other searches go through it as if nothing was known. What that costs is limited.
//! The search is within the limits of time and memory like any other part of a check.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use ahash::{AHashMap, RandomState};
use csp_lts::{EventId, Network};
use dashmap::DashSet;

use super::control::Control;
use super::tau_cycles::rules_on_cycles;
use super::visit::{Context, Worker};
use crate::machine::{Field, Machine};
use crate::store::Full;

/// What is known of τ cycles.
pub(crate) struct Silence<const N: usize> {
    /// States that lie on no cycle, by implementation state.
    acyclic: DashSet<[u64; N], RandomState>,
    /// States on a cycle.
    cyclic: DashSet<[u64; N], RandomState>,
    any: AtomicBool,
    /// Those of them whose strong component is not settled.
    unsettled: DashSet<[u64; N], RandomState>,
    /// States that were visited by searches which ended early, and that may be visited again.
    given_up: AtomicUsize,
    /// The rules to follow, by their numbers in the machine, ascending.
    rules: Box<[u32]>,
}

/// How many states are visited in vain before searches have to settle what they visit.
const MOST_GIVEN_UP: usize = 1 << 20;

/// States that are entered between two looks at the clock.
const POLL_EVERY: usize = 1 << 10;

/// A state of the current depth-first search.
struct Visited {
    /// The smallest number that can be reached; `usize::MAX` once the component is complete.
    low: usize,
}

/// A state whose successors are being looked at.
struct Frame<const N: usize> {
    state: [u64; N],
    number: usize,
    successors: Vec<[u64; N]>,
    loops: bool,
}

/// One depth-first search.
struct Search<const N: usize> {
    visited: AHashMap<[u64; N], Visited>,
    /// Visited, and of a strong component that is not complete.
    open: Vec<[u64; N]>,
    frames: Vec<Frame<N>>,
    /// Bytes that have been accounted for, and that have yet to be.
    accounted: usize,
    pending: usize,
}

impl<const N: usize> Search<N> {
    /// Accounts for what a visited state takes here, with the spare room of tables.
    fn account(&mut self, control: &Control<'_>, successors: usize) -> Result<(), Full> {
        let state = size_of::<[u64; N]>();
        let visited = 2 * (state + size_of::<Visited>() + 1);
        self.pending += visited + 2 * state + size_of::<Frame<N>>() + successors * state;
        if self.pending >= 1 << 16 {
            control.account.take(self.pending)?;
            self.accounted += std::mem::take(&mut self.pending);
        }
        Ok(())
    }
}

impl<const N: usize> Silence<N> {
    /// Nothing known; `None` if no rule can be on a cycle.
    pub(crate) fn new(network: &Network, machine: &Machine<N>) -> Option<Self> {
        let on_cycles = rules_on_cycles(network);
        let rules: Box<[u32]> = (0..)
            .zip(&machine.rules)
            .filter(|(_, rule)| rule.result == EventId::TAU && on_cycles[rule.id.0 as usize])
            .map(|(number, _)| number)
            .collect();
        let set = |seed| DashSet::with_hasher(RandomState::with_seeds(seed, 2, 3, 4));
        (!rules.is_empty()).then(|| Self {
            acyclic: set(1),
            cyclic: set(5),
            any: AtomicBool::new(false),
            unsettled: set(9),
            given_up: AtomicUsize::new(0),
            rules,
        })
    }

    /// The rules that can be on a τ cycle.
    pub(crate) fn rules(&self) -> &[u32] {
        &self.rules
    }

    /// Whether a state that has been classified lies on a τ cycle.
    #[inline(always)]
    pub(crate) fn is_cyclic(&self, node: Field, state: &[u64; N]) -> bool {
        self.any.load(Relaxed) && self.cyclic.contains(&without_node(node, state))
    }

    /// Finds out whether a state lies on a τ cycle.
    pub(crate) fn classify(
        &self,
        context: &Context<'_, N>,
        state: &[u64; N],
        worker: &mut Worker<N>,
    ) {
        let state = without_node(context.machine.layout.node, state);
        if self.acyclic.contains(&state) || self.cyclic.contains(&state) {
            return;
        }
        let mut search = Search {
            visited: AHashMap::new(),
            open: Vec::new(),
            frames: Vec::new(),
            accounted: 0,
            pending: 0,
        };
        let control = &context.control;
        if let Err(full) = self.search(context, state, worker, &mut search) {
            control.out_of_memory(full);
            control.stop_when_full();
        }
        control.account.give(search.accounted);
    }

    fn search(
        &self,
        context: &Context<'_, N>,
        root: [u64; N],
        worker: &mut Worker<N>,
        search: &mut Search<N>,
    ) -> Result<(), Full> {
        self.enter(context, root, worker, search)?;
        while let Some(frame) = search.frames.last_mut() {
            if context.control.is_stopped() {
                return Ok(());
            }
            if let Some(next) = frame.successors.pop() {
                if next == frame.state {
                    frame.loops = true;
                    if frame.number == 0 && self.give_up(context, search)? {
                        return Ok(());
                    }
                } else if let Some(known) = search.visited.get(&next) {
                    let low = known.low;
                    lower(&mut search.visited, &frame.state, low);
                    // The first state can be reached again.
                    if low == 0 && self.give_up(context, search)? {
                        return Ok(());
                    }
                } else if !self.is_settled(&next) {
                    self.enter(context, next, worker, search)?;
                }
                continue;
            }
            let frame = search.frames.pop().expect("it was there");
            let low = search.visited[&frame.state].low;
            if let Some(parent) = search.frames.last() {
                lower(&mut search.visited, &parent.state, low);
            }
            if low == frame.number {
                let closed = self.close(&frame, &mut search.visited, &mut search.open);
                context.control.account.take(Self::settled_bytes(closed))?;
            }
        }
        Ok(())
    }

    /// What hash sets take for this many states, with their spare room.
    fn settled_bytes(states: usize) -> usize {
        states * (size_of::<[u64; N]>() * 2 + 2)
    }

    /// Ends a search that has come back to its first state, unless too much has been visited in vain:
    /// whatever is on the way is on a cycle.
    fn give_up(&self, context: &Context<'_, N>, search: &Search<N>) -> Result<bool, Full> {
        let visited = search.visited.len();
        if self.given_up.fetch_add(visited, Relaxed) + visited > MOST_GIVEN_UP {
            self.given_up.fetch_sub(visited, Relaxed);
            return Ok(false);
        }
        let frames = search.frames.len();
        context
            .control
            .account
            .take(2 * Self::settled_bytes(frames))?;
        for frame in &search.frames {
            // In this order: nobody may take the state for settled. Should another search settle it
            // meanwhile, it is only visited again.
            if !self.cyclic.contains(&frame.state) {
                self.unsettled.insert(frame.state);
                self.cyclic.insert(frame.state);
            }
        }
        self.any.store(true, Relaxed);
        Ok(true)
    }

    /// Whether all is known of a state's strong component.
    fn is_settled(&self, state: &[u64; N]) -> bool {
        self.acyclic.contains(state)
            || (self.cyclic.contains(state) && !self.unsettled.contains(state))
    }

    fn enter(
        &self,
        context: &Context<'_, N>,
        state: [u64; N],
        worker: &mut Worker<N>,
        search: &mut Search<N>,
    ) -> Result<(), Full> {
        let number = search.visited.len();
        if number % POLL_EVERY == POLL_EVERY - 1 {
            context.control.poll();
        }
        search.visited.insert(state, Visited { low: number });
        search.open.push(state);
        let mut successors = Vec::new();
        context.silent(&state, worker, &self.rules, |next| successors.push(next));
        search.account(&context.control, successors.capacity())?;
        search.frames.push(Frame {
            state,
            number,
            successors,
            loops: false,
        });
        Ok(())
    }

    /// Settles a strong component, which is everything opened since its root; its size.
    fn close(
        &self,
        root: &Frame<N>,
        visited: &mut AHashMap<[u64; N], Visited>,
        open: &mut Vec<[u64; N]>,
    ) -> usize {
        let before = open.len();
        let alone = open.last() == Some(&root.state) && !root.loops;
        while let Some(state) = open.pop() {
            let known = visited.get_mut(&state).expect("what is open was visited");
            known.low = usize::MAX;
            if alone {
                self.acyclic.insert(state);
            } else {
                self.cyclic.insert(state);
                self.unsettled.remove(&state);
                self.any.store(true, Relaxed);
            }
            if state == root.state {
                break;
            }
        }
        before - open.len()
    }
}

fn lower<const N: usize>(visited: &mut AHashMap<[u64; N], Visited>, state: &[u64; N], low: usize) {
    let known = visited.get_mut(state).expect("frames are visited");
    known.low = known.low.min(low);
}

fn without_node<const N: usize>(node: Field, state: &[u64; N]) -> [u64; N] {
    let mut state = *state;
    node.set(&mut state, 0);
    state
}
