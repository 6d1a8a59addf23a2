//! The subset construction: nodes are τ-closed sets of states.
//!
//! Edges carry ranges of events, so a node is expanded by a sweep over the ends of its ranges rather
//! than event by event. Everything is done in canonical order by one thread.

use ahash::AHashMap;
use csp_lts::{EventId, EventSet, Lts};

use super::{Detail, NormalForm, NormalNode, View, acceptances};
use crate::budget::Budget;
use crate::judge::Node;
use crate::options::Progress;
use crate::outcome::Limit;
use crate::tau::TauGraph;

/// More nodes than any specification that is worth normalising has.
const MOST_NODES: usize = 1 << 26;

/// Builds the nodes that can be reached, breadth-first by ascending event; equivalent ones are not
/// merged yet.
pub(super) fn subsets(lts: &Lts, view: View, budget: &Budget<'_>) -> Result<NormalForm, Limit> {
    let mut subsets = Subsets::new(lts, view);
    let mut nodes = Vec::new();
    subsets.node(&[lts.initial().0]);
    while nodes.len() < subsets.sets.len() {
        let node = subsets.expand(nodes.len());
        nodes.push(node);
        let found = subsets.sets.len();
        if found > MOST_NODES {
            return Err(Limit::NormalForm(MOST_NODES as u64));
        }
        // A state limit that is reached here is a statement about the normal form's size.
        budget
            .spend(found as u64, subsets.bytes)
            .map_err(|limit| match limit {
                Limit::States(most) => Limit::NormalForm(most),
                other => other,
            })?;
        if nodes.len().is_multiple_of(1024) {
            budget.breathe(&Progress {
                states: found as u64,
                frontier: (found - nodes.len()) as u64,
                memory: subsets.bytes,
                ..Progress::default()
            })?;
        }
    }
    Ok(NormalForm { nodes })
}

struct Subsets<'a> {
    lts: &'a Lts,
    view: View,
    tau: TauGraph,
    diverging: Vec<bool>,
    /// For each label of the system, what of it is seen: without τ and Ω.
    seen: Vec<EventSet>,
    sets: Vec<Box<[u32]>>,
    index: AHashMap<Box<[u32]>, Node>,
    /// Nodes by the states they were entered at, before closing under τ.
    entered: AHashMap<Box<[u32]>, Node>,
    /// For each state, the last closure it was met in.
    mark: Vec<u32>,
    closures: u32,
    bytes: u64,
}

impl<'a> Subsets<'a> {
    fn new(lts: &'a Lts, view: View) -> Self {
        let tau = TauGraph::of(lts);
        let hidden: EventSet = [EventId::TAU, EventId::OMEGA].into_iter().collect();
        Self {
            lts,
            view,
            diverging: if view.strict {
                tau.diverging()
            } else {
                Vec::new()
            },
            tau,
            seen: lts.labels().iter().map(|l| l.difference(&hidden)).collect(),
            sets: Vec::new(),
            index: AHashMap::new(),
            entered: AHashMap::new(),
            mark: vec![0; lts.state_count()],
            closures: 0,
            bytes: 0,
        }
    }

    /// The node that is entered at these states, ascending.
    fn node(&mut self, entry: &[u32]) -> Node {
        if let Some(&node) = self.entered.get(entry) {
            return node;
        }
        let set = self.close(entry);
        let node = *self.index.entry(set).or_insert_with_key(|set| {
            self.bytes += 2 * (set.len() as u64 * 4 + 32);
            self.sets.push(set.clone());
            Node::try_from(self.sets.len() - 1).expect("nodes are bounded well below")
        });
        self.bytes += entry.len() as u64 * 4 + 32;
        self.entered.insert(entry.into(), node);
        node
    }

    fn close(&mut self, entry: &[u32]) -> Box<[u32]> {
        self.closures += 1;
        let stamp = self.closures;
        let mut set = Vec::new();
        let mut stack = entry.to_vec();
        while let Some(state) = stack.pop() {
            if std::mem::replace(&mut self.mark[state as usize], stamp) != stamp {
                set.push(state);
                stack.extend_from_slice(self.tau.successors(state));
            }
        }
        set.sort_unstable();
        set.into()
    }

    fn expand(&mut self, node: usize) -> NormalNode {
        let set = self.sets[node].clone();
        if self.view.strict && set.iter().any(|&s| self.diverging[s as usize]) {
            return NormalNode {
                steps: Box::default(),
                acceptances: Box::default(),
                divergent: true,
            };
        }
        NormalNode {
            steps: self.steps(&set),
            acceptances: self.acceptances(&set),
            divergent: false,
        }
    }

    fn acceptances(&self, set: &[u32]) -> Box<[EventSet]> {
        if self.view.detail == Detail::Traces {
            return Box::default();
        }
        let all = set
            .iter()
            .filter_map(|&state| {
                let edges = self.lts.edges(csp_lts::StateId(state)).iter();
                let ranges = edges.flat_map(|e| self.seen[e.label as usize].ranges());
                let events = EventSet::from_ranges(ranges.copied().collect());
                self.view
                    .termination
                    .acceptance_set(&events, self.tau.is_unstable(state))
            })
            .collect();
        acceptances::keep(all, self.view.detail)
    }

    fn steps(&mut self, set: &[u32]) -> Box<[(u32, u32, Node)]> {
        let mut arrows: Vec<(u32, u32, u32)> = Vec::new();
        for &state in set {
            for edge in self.lts.edges(csp_lts::StateId(state)) {
                let ranges = self.seen[edge.label as usize].ranges().iter();
                arrows.extend(ranges.map(|&(from, to)| (from, to, edge.target.0)));
            }
        }
        arrows.sort_unstable();
        arrows.dedup();
        let mut cuts: Vec<u32> = arrows.iter().flat_map(|a| [a.0, a.1]).collect();
        cuts.sort_unstable();
        cuts.dedup();
        let mut steps: Vec<(u32, u32, Node)> = Vec::new();
        let mut active: Vec<(u32, u32)> = Vec::new();
        let mut next = 0;
        for pair in cuts.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            active.retain(|(end, _)| *end > from);
            while next < arrows.len() && arrows[next].0 == from {
                active.push((arrows[next].1, arrows[next].2));
                next += 1;
            }
            if active.is_empty() {
                continue;
            }
            let mut entry: Vec<u32> = active.iter().map(|(_, target)| *target).collect();
            entry.sort_unstable();
            entry.dedup();
            let node = self.node(&entry);
            match steps.last_mut() {
                Some(last) if last.1 == from && last.2 == node => last.1 = to,
                _ => steps.push((from, to, node)),
            }
        }
        steps.into()
    }
}
