//! Which states lie on a τ cycle.
//!
//! Before a ply is expanded, each of its states whose node forbids divergence is classified by a
//! depth-first search over τ steps alone (Tarjan's strong components). Whatever a search has left
//! behind is settled for good and shared by all workers, so the whole costs about two visits of each
//! state with a τ. A divergence is thus reported at a state on a cycle, to which the way is shortest.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use ahash::{AHashMap, RandomState};
use dashmap::DashSet;

use super::visit::{Context, Worker};
use crate::machine::Field;

/// What is known of τ cycles.
pub(crate) struct Silence<const N: usize> {
    /// States that lie on no cycle, by implementation state.
    acyclic: DashSet<[u64; N], RandomState>,
    cyclic: DashSet<[u64; N], RandomState>,
    any: AtomicBool,
}

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

impl<const N: usize> Silence<N> {
    /// Nothing known.
    pub(crate) fn new() -> Self {
        Self {
            acyclic: DashSet::with_hasher(RandomState::with_seeds(1, 2, 3, 4)),
            cyclic: DashSet::with_hasher(RandomState::with_seeds(5, 6, 7, 8)),
            any: AtomicBool::new(false),
        }
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
        if self.is_settled(&state) {
            return;
        }
        let mut visited: AHashMap<[u64; N], Visited> = AHashMap::new();
        let mut open: Vec<[u64; N]> = Vec::new();
        let mut frames = vec![self.enter(context, state, worker, &mut visited, &mut open)];
        while let Some(frame) = frames.last_mut() {
            if context.control.is_stopped() {
                return;
            }
            if let Some(next) = frame.successors.pop() {
                if next == frame.state {
                    frame.loops = true;
                } else if let Some(known) = visited.get(&next) {
                    let low = known.low;
                    lower(&mut visited, &frame.state, low);
                } else if !self.is_settled(&next) {
                    let entered = self.enter(context, next, worker, &mut visited, &mut open);
                    frames.push(entered);
                }
                continue;
            }
            let frame = frames.pop().expect("it was there");
            let low = visited[&frame.state].low;
            if let Some(parent) = frames.last() {
                lower(&mut visited, &parent.state, low);
            }
            if low == frame.number {
                let closed = self.close(&frame, &mut visited, &mut open);
                // What a hash set takes for an element, with its spare room.
                let bytes = closed * (size_of::<[u64; N]>() * 2 + 2);
                if let Err(full) = context.control.account.take(bytes) {
                    context.control.out_of_memory(full);
                    context.control.stop_when_full();
                }
            }
        }
    }

    fn is_settled(&self, state: &[u64; N]) -> bool {
        self.acyclic.contains(state) || self.cyclic.contains(state)
    }

    fn enter(
        &self,
        context: &Context<'_, N>,
        state: [u64; N],
        worker: &mut Worker<N>,
        visited: &mut AHashMap<[u64; N], Visited>,
        open: &mut Vec<[u64; N]>,
    ) -> Frame<N> {
        let number = visited.len();
        visited.insert(state, Visited { low: number });
        open.push(state);
        let mut successors = Vec::new();
        context.silent(&state, worker, |next| successors.push(next));
        Frame {
            state,
            number,
            successors,
            loops: false,
        }
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
