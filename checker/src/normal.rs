//! Normal forms: at most one node for each trace, no τ (Roscoe 1998, appendix C; Roscoe 2010, ch. 8).
//!
//! A node stands for all states that a process can be in after a trace. It carries what a model can
//! see there: the possible events, the acceptances (complements of maximal refusals) of the stable
//! states, and whether one of the states can diverge. Nodes are numbered breadth-first from the
//! initial node 0 by ascending event, after equivalent ones have been merged, so that two processes
//! with the same meaning have equal normal forms.

mod acceptances;
mod construct;
mod minimise;

use csp_lts::{EventId, EventSet, Lts};

pub(crate) use minimise::minimise;

use crate::budget::Budget;
use crate::compress::sbisim;
use crate::judge::Node;
use crate::outcome::Limit;
use crate::termination::Termination;

/// What of the stable states is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Nothing: traces alone.
    Traces,
    /// The minimal acceptances, which decide every refusal.
    Failures,
    /// Every acceptance that is not the union of smaller ones, which decides every revival.
    Revivals,
}

/// What a normal form is to preserve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// What of the stable states is kept.
    pub detail: Detail,
    /// Divergences are kept, and nothing below them.
    pub strict: bool,
    /// How ✓ is read.
    pub termination: Termination,
}

/// All states that a process can be in after one trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalNode {
    /// Half-open ranges of event numbers, ascending and disjoint, with where they lead.
    pub steps: Box<[(u32, u32, Node)]>,
    /// The acceptances that are kept, ascending; none if no state is stable.
    pub acceptances: Box<[EventSet]>,
    /// One of the states can diverge (kept in a strict view only).
    pub divergent: bool,
}

impl NormalNode {
    /// Where an event leads, if it is possible.
    #[must_use]
    pub fn step(&self, event: EventId) -> Option<Node> {
        let after = self.steps.partition_point(|(from, _, _)| *from <= event.0);
        let (_, to, node) = *self.steps.get(after.checked_sub(1)?)?;
        (event.0 < to).then_some(node)
    }

    /// The events that are possible.
    #[must_use]
    pub fn initials(&self) -> EventSet {
        EventSet::from_ranges(self.steps.iter().map(|&(from, to, _)| (from, to)).collect())
    }
}

/// A normal form; its initial node is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalForm {
    /// The nodes, in breadth-first order.
    pub nodes: Vec<NormalNode>,
}

impl NormalForm {
    /// The node of a number.
    #[must_use]
    pub fn node(&self, node: Node) -> &NormalNode {
        &self.nodes[node as usize]
    }

    /// About how many bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let node = |n: &NormalNode| {
            let acceptances = n.acceptances.iter().map(|a| 16 + a.ranges().len() * 8);
            size_of::<NormalNode>() + n.steps.len() * 12 + acceptances.sum::<usize>()
        };
        self.nodes.iter().map(node).sum::<usize>() as u64
    }
}

/// Normalises an explicit system. Fails if a limit is reached, or if there are more nodes than are
/// reasonable for a specification.
pub fn normalise(lts: &Lts, view: View, budget: &Budget<'_>) -> Result<NormalForm, Limit> {
    let reduced = sbisim(lts, budget)?;
    let sets = construct::subsets(&reduced, view, budget)?;
    minimise(&sets, budget)
}
