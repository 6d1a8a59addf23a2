//! Bisimulations for which τ is transparent, by splitters: a block together with an atom splits every other
//! block into the states that can get there and those that cannot (Kanellakis and Smolka). What can
//! get there is found by walking backwards through τ from the splitter, so the τ closure is never
//! stored; memory is linear, time O(blocks × edges) at worst.
//!
//! *Delay*: s ⇒ a → t, with τ before the event only. *Weak*: s ⇒ a ⇒ t, with τ on both sides. Both here
//! respect divergence: a state that can do τ for ever is never merged with one that cannot. That
//! is what makes them preserve every model of CSP.

use std::collections::VecDeque;

use super::graph::{Graph, Step};
use super::partition::Partition;
use super::rows::{Rows, number};
use super::tau_loop_factor::divergent;
use crate::budget::Budget;
use crate::outcome::Limit;

/// Where τ may be taken around a visible event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Through {
    /// Before it.
    Delay,
    /// Before and after it.
    Weak,
}

/// The quotient of a graph without τ loops other than of a state to itself.
pub(super) fn quotient(
    graph: &Graph,
    through: Through,
    budget: &Budget<'_>,
) -> Result<Graph, Limit> {
    let class_of = classes(graph, through, budget)?;
    let representative = bottoms(graph, &class_of);
    Ok(graph.represented(&class_of, &representative))
}

/// For each class its first state without τ to another state of the class. One exists, as τ has no
/// cycles but self-loops; its own edges do all that any state of the class can.
fn bottoms(graph: &Graph, class_of: &[u32]) -> Vec<u32> {
    let count = class_of.iter().max().map_or(0, |&c| c as usize + 1);
    let mut bottom = vec![u32::MAX; count];
    for state in graph.states() {
        let class = class_of[state as usize];
        let inner = |&&t: &&u32| t != state && class_of[t as usize] == class;
        let place = &mut bottom[class as usize];
        if *place == u32::MAX && !graph.tau.row(state).iter().any(|t| inner(&t)) {
            *place = state;
        }
    }
    bottom
}

fn classes(graph: &Graph, through: Through, budget: &Budget<'_>) -> Result<Vec<u32>, Limit> {
    let initial: Vec<u32> = divergent(graph).into_iter().map(u32::from).collect();
    let partition = Partition::new(&initial);
    let queue: Vec<u32> = (0..number(partition.len())).collect();
    let mut refinement = Refinement {
        tau_sources: (graph.tau).reversed(graph.len(), |source, target| (target, source)),
        sources: graph.visible.reversed(graph.len(), |source, step| {
            (
                step.target,
                Step {
                    atom: step.atom,
                    target: source,
                },
            )
        }),
        waiting: vec![true; queue.len()],
        postponed: VecDeque::new(),
        covered: vec![0; queue.len()],
        queue,
        seen: vec![0; graph.len()],
        walk: 0,
        partition,
    };
    refinement.run(through, budget)?;
    Ok(refinement.partition.block_of_each())
}

struct Refinement {
    tau_sources: Rows<u32>,
    /// For each state, (atom, source) of the edges that lead to it.
    sources: Rows<Step>,
    partition: Partition,
    /// Blocks still to be used as splitters, the last first: the smaller part of what was split.
    queue: Vec<u32>,
    /// Blocks to be used when there are no others. The larger part of a split goes here, as it is
    /// likely to be split further by the smaller ones before it is walked through.
    postponed: VecDeque<u32>,
    /// Whether a block is in one of these.
    waiting: Vec<bool>,
    /// For each block, how many of its states are among those that split now; 0 in between.
    covered: Vec<u32>,
    /// The walk in which a state was last met.
    seen: Vec<u32>,
    walk: u32,
}

impl Refinement {
    fn run(&mut self, through: Through, budget: &Budget<'_>) -> Result<(), Limit> {
        let (mut arrivals, mut before) = (Vec::new(), Vec::new());
        while let Some(block) = self.queue.pop().or_else(|| self.postponed.pop_front()) {
            self.waiting[block as usize] = false;
            let splitter = self.partition.block(block).to_vec();
            before.clear();
            self.backwards(splitter.iter().copied(), &mut before);
            budget.work(before.len())?;
            let base = match through {
                Through::Delay => &splitter,
                Through::Weak => &before,
            };
            arrivals.clear();
            for &state in base {
                arrivals.extend_from_slice(self.sources.row(state));
            }
            arrivals.sort_unstable();
            arrivals.dedup();
            self.split(&before);
            for arrival in arrivals.chunk_by(|a, b| a.atom == b.atom) {
                before.clear();
                self.backwards(arrival.iter().map(|s| s.target), &mut before);
                budget.work(before.len())?;
                self.split(&before);
            }
        }
        Ok(())
    }

    /// Every state that can reach one of those given by τ, including themselves.
    fn backwards(&mut self, from: impl Iterator<Item = u32>, found: &mut Vec<u32>) {
        if self.walk == u32::MAX {
            self.seen.fill(0);
            self.walk = 0;
        }
        self.walk += 1;
        for state in from {
            if self.seen[state as usize] != self.walk {
                self.seen[state as usize] = self.walk;
                found.push(state);
            }
        }
        let mut done = 0;
        while done < found.len() {
            for &source in self.tau_sources.row(found[done]) {
                if self.seen[source as usize] != self.walk {
                    self.seen[source as usize] = self.walk;
                    found.push(source);
                }
            }
            done += 1;
        }
    }

    /// Splits every block into the states given and the others.
    fn split(&mut self, states: &[u32]) {
        // Most blocks are covered as a whole, and counting is cheaper than marking.
        let mut touched = Vec::new();
        for &state in states {
            let block = self.partition.block_of(state);
            let covered = &mut self.covered[block as usize];
            if *covered == 0 {
                touched.push(block);
            }
            *covered += 1;
        }
        let size = |block: u32| self.partition.size(block);
        touched.retain(|&block| {
            let partly = self.covered[block as usize] < size(block);
            if !partly {
                self.covered[block as usize] = 0;
            }
            partly
        });
        if touched.is_empty() {
            return;
        }
        for &state in states {
            if self.covered[self.partition.block_of(state) as usize] > 0 {
                self.partition.mark(state);
            }
        }
        for block in touched {
            self.covered[block as usize] = 0;
            let marked = self.partition.marked(block).len();
            let fresh = self.partition.split(block, &vec![0; marked], 1);
            self.waiting.push(false);
            self.covered.push(0);
            // The largest part keeps its number.
            if !std::mem::replace(&mut self.waiting[block as usize], true) {
                self.postponed.push_back(block);
            }
            self.waiting[fresh as usize] = true;
            self.queue.push(fresh);
        }
    }
}
