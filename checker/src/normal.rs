//! Normal forms: at most one node for each trace, no τ (Roscoe 1998, appendix C; Roscoe 2010, ch. 8).
//!
//! A node stands for all states that a process can be in after a trace. It carries what a model can
//! see there: the possible events, the acceptances (complements of maximal refusals) of the stable
//! states, and whether one of the states can diverge. Nodes are numbered breadth-first from the
//! initial node 0 by ascending event, after equivalent ones have been merged, so that two processes
//! with the same meaning have equal normal forms.
//!
//! That takes all nodes, and there can be many more of them than states. A specification whose normal
//! form does not stay within a small multiple of its size is therefore not normalised beforehand:
//! `on_demand` makes the nodes that the search reaches.

mod acceptances;
mod construct;
mod minimise;
mod on_demand;
mod sets;

use csp_lts::{EventId, EventSet, Lts};

pub(crate) use minimise::minimise;

use crate::budget::Budget;
use crate::compress::sbisim;
use crate::judge::Node;
use crate::outcome::Limit;
use crate::termination::Termination;
use construct::{Bounds, Unfinished};
pub(crate) use on_demand::OnDemand;
use sets::Sets;

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
    /// The node of a strict view at which everything is allowed.
    fn divergent() -> Self {
        Self {
            steps: Box::default(),
            acceptances: Box::default(),
            divergent: true,
        }
    }

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

/// A normalised specification, as its judge sees it. Its initial node is 0.
pub trait Form: Sync {
    /// One more than the largest node that can occur.
    fn nodes(&self) -> u32;

    /// Whether all nodes are known beforehand.
    fn is_whole(&self) -> bool;

    /// The events that lead from some node to one that cannot diverge, as far as is known beforehand.
    fn followed(&self) -> EventSet;

    /// Whether some node can have something against the offer of a state.
    fn refuses(&self, detail: Detail) -> bool;

    /// The acceptances that are kept of a node.
    fn acceptances(&self, node: Node) -> &[EventSet];

    /// Whether a node can diverge, in a strict view.
    fn divergent(&self, node: Node) -> bool;

    /// The events that are possible at a node.
    fn initials(&self, node: Node) -> EventSet;

    /// Where an event leads from a node, if it is possible.
    fn step(&self, node: Node, event: EventId) -> Option<Node>;
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

impl Form for NormalForm {
    fn nodes(&self) -> u32 {
        u32::try_from(self.nodes.len()).expect("nodes are numbered by u32")
    }

    fn is_whole(&self) -> bool {
        true
    }

    fn followed(&self) -> EventSet {
        let steps = self.nodes.iter().flat_map(|node| &node.steps);
        let followed = steps.filter(|(_, _, next)| !self.divergent(*next));
        EventSet::from_ranges(followed.map(|&(from, to, _)| (from, to)).collect())
    }

    fn refuses(&self, detail: Detail) -> bool {
        // With deadlock among the minimal acceptances every refusal is allowed.
        let everything = [EventSet::empty()];
        match detail {
            Detail::Traces => self.nodes[0].divergent,
            Detail::Failures => self
                .nodes
                .iter()
                .any(|n| n.divergent || *n.acceptances != everything),
            Detail::Revivals => true,
        }
    }

    fn acceptances(&self, node: Node) -> &[EventSet] {
        &self.node(node).acceptances
    }

    fn divergent(&self, node: Node) -> bool {
        self.node(node).divergent
    }

    fn initials(&self, node: Node) -> EventSet {
        self.node(node).initials()
    }

    fn step(&self, node: Node, event: EventId) -> Option<Node> {
        self.node(node).step(event)
    }
}

/// More nodes than any system that is worth normalising has.
const MOST_NODES: usize = 1 << 26;

/// A specification is normalised beforehand while its form has no more nodes than this, or than four
/// for each of its states,
const FEW_NODES: usize = 1 << 14;
/// and while the sets they stand for take no more bytes than this, or than sixteen times its own.
const FEW_BYTES: u64 = 32 << 20;

/// Normalises an explicit system. Fails if a limit is reached, or if there are more nodes than are
/// reasonable.
pub fn normalise(lts: &Lts, view: View, budget: &Budget<'_>) -> Result<NormalForm, Limit> {
    let sets = Sets::new(sbisim(lts, budget)?, view);
    let bounds = Bounds {
        nodes: MOST_NODES,
        bytes: u64::MAX,
    };
    match construct::subsets(&sets, bounds, budget) {
        Ok(form) => minimise(&form, budget),
        Err(Unfinished::TooLarge(limit) | Unfinished::Stopped(limit)) => Err(limit),
    }
}

/// A specification in normal form: whole, or to be made as it is reached.
pub(crate) enum Specification {
    Whole(NormalForm),
    OnDemand(Box<OnDemand>),
}

/// Normalises a specification, as a whole if its normal form is not too large for that. Which it is
/// depends on nothing but the specification and the limits.
pub(crate) fn specify(lts: &Lts, view: View, budget: &Budget<'_>) -> Result<Specification, Limit> {
    let sets = Sets::new(sbisim(lts, budget)?, view);
    let bounds = Bounds {
        nodes: FEW_NODES.max(4 * sets.states()),
        bytes: FEW_BYTES.max(16 * sets.bytes()),
    };
    match construct::subsets(&sets, bounds, budget) {
        Ok(form) => minimise(&form, budget).map(Specification::Whole),
        Err(Unfinished::Stopped(limit)) => Err(limit),
        Err(Unfinished::TooLarge(_)) => {
            let form = Box::new(to_be_made(sets, budget));
            Ok(Specification::OnDemand(form))
        }
    }
}

/// A specification whose nodes are made as they are reached.
pub(crate) fn on_demand(lts: &Lts, view: View, budget: &Budget<'_>) -> Result<OnDemand, Limit> {
    let sets = Sets::new(sbisim(lts, budget)?, view);
    Ok(to_be_made(sets, budget))
}

fn to_be_made(sets: Sets, budget: &Budget<'_>) -> OnDemand {
    budget.hold(sets.bytes());
    // The nodes may take half of what is left; the other half is the search's.
    let half = budget.remaining().memory.map_or(u64::MAX, |left| left / 2);
    OnDemand::new(sets, half)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use csp_lts::{LtsBuilder, StateId};

    use super::*;
    use crate::options::{NoObserver, Options};

    const EVENTS: u32 = 50;

    /// Chooses again and again which one of many events to refuse. No two events are neighbours.
    fn choosy() -> Lts {
        let mut builder = LtsBuilder::new();
        let tau = Arc::new(EventSet::single(EventId::TAU));
        builder.state((1..=EVENTS).map(|to| (Arc::clone(&tau), StateId(to))));
        for state in 1..=EVENTS {
            let offered = (1..=EVENTS).filter(|event| *event != state);
            builder.state(offered.map(|event| {
                let event = EventSet::single(EventId(EventId::FIRST.0 + 2 * event));
                (Arc::new(event), StateId(0))
            }));
        }
        builder.finish(StateId(0))
    }

    /// Limits on memory are kept by estimates: they must not be less than what is held, nor much more.
    #[test]
    fn estimates_cover_what_is_held() {
        let about = |estimate: u64, held: usize| {
            let held = held as u64;
            assert!(
                held <= estimate && estimate <= 2 * held,
                "{estimate} for {held}"
            );
        };
        let options = Options::default();
        let budget = Budget::new(&options, &NoObserver);
        let events = EVENTS as usize;
        let view = |detail| View {
            detail,
            strict: false,
            termination: Termination::of(&options),
        };
        let lts = choosy();
        let sets = Sets::new(lts.clone(), view(Detail::Traces));
        about(sets.bytes(), 4 * lts.state_count() + 8 * lts.edge_count());
        // The only node has every state and every event, and a range for each.
        let place = size_of::<u32>() * (events + 1) + 12 * events + 64;
        about(to_be_made(sets, &budget).bytes(), place);

        let form = normalise(&lts, view(Detail::Failures), &budget).expect("no limit");
        let node = &form.nodes[0];
        assert_eq!((node.steps.len(), node.acceptances.len()), (events, events));
        let node = size_of::<NormalNode>() + 12 * events + events * (16 + 8 * (events - 1));
        assert_eq!(form.nodes.len(), 1);
        about(form.bytes(), node);
    }
}
