//! What is seen of sets of states of an explicit system: their closure under τ, where their events
//! lead, what their stable members accept.
//!
//! Edges carry ranges of events, so a set is read by a sweep over the ends of its ranges
//! rather than event by event.

use csp_lts::{EventId, EventSet, Lts, StateId};

use super::{Detail, View, acceptances};
use crate::tau::TauGraph;
use crate::termination::Termination;

/// An explicit system, ready to be asked about sets of its states.
pub(super) struct Sets {
    lts: Lts,
    view: View,
    pub(super) tau: TauGraph,
    diverging: Vec<bool>,
    /// For each label of the system, what of it is seen: without τ and Ω.
    seen: Vec<EventSet>,
}

impl Sets {
    pub(super) fn new(lts: Lts, view: View) -> Self {
        let tau = TauGraph::of(&lts);
        let hidden: EventSet = [EventId::TAU, EventId::OMEGA].into_iter().collect();
        Self {
            view,
            diverging: if view.strict {
                tau.diverging()
            } else {
                Vec::new()
            },
            tau,
            seen: lts.labels().iter().map(|l| l.difference(&hidden)).collect(),
            lts,
        }
    }

    pub(super) fn states(&self) -> usize {
        self.lts.state_count()
    }

    pub(super) fn initial(&self) -> u32 {
        self.lts.initial().0
    }

    /// About how many bytes the system takes.
    pub(super) fn bytes(&self) -> u64 {
        self.lts.state_count() as u64 * 4 + self.lts.edge_count() as u64 * 8
    }

    /// Whether a member can diverge, if that is of interest.
    pub(super) fn diverges(&self, set: &[u32]) -> bool {
        self.view.strict && set.iter().any(|&s| self.diverging[s as usize])
    }

    /// What of the acceptances of the stable members is kept.
    pub(super) fn acceptances(&self, set: &[u32]) -> Box<[EventSet]> {
        if self.view.detail == Detail::Traces {
            return Box::default();
        }
        let all = set.iter().filter_map(|&state| self.acceptance(state));
        acceptances::keep(all.collect(), self.view.detail)
    }

    /// What a state accepts, unless it cannot be seen to refuse anything.
    fn acceptance(&self, state: u32) -> Option<EventSet> {
        let edges = self.lts.edges(StateId(state)).iter();
        let ranges = edges.flat_map(|e| self.seen[e.label as usize].ranges());
        let events = EventSet::from_ranges(ranges.copied().collect());
        let tau = self.tau.is_unstable(state);
        self.view.termination.acceptance_set(&events, tau)
    }

    /// The members in which the system can be when it was seen to accept no more than this, closed
    /// under τ; none if it could not be seen.
    pub(super) fn observed(&self, set: &[u32], accepted: &EventSet) -> Vec<u32> {
        let accepting = |state: &u32| {
            let acceptance = self.acceptance(*state);
            acceptance.is_some_and(|a| a.is_subset(accepted))
        };
        let signal = self.view.termination == Termination::Signal;
        if signal && accepted.contains(EventId::TICK) && set.iter().any(accepting) {
            // Other events are done before ✓ is decided on, and no member does ✓ but these.
            return set.to_vec();
        }
        set.iter().copied().filter(accepting).collect()
    }

    /// The states that an event leads to, ascending, τ not followed.
    pub(super) fn after(&self, set: &[u32], event: EventId) -> Vec<u32> {
        let mut entry: Vec<u32> = Vec::new();
        for &state in set {
            let edges = self.lts.edges(StateId(state)).iter();
            let on_event = edges.filter(|e| self.seen[e.label as usize].contains(event));
            entry.extend(on_event.map(|e| e.target.0));
        }
        entry.sort_unstable();
        entry.dedup();
        entry
    }

    /// Half-open ranges of events, ascending and disjoint, with the states they lead to, ascending,
    /// τ not followed.
    pub(super) fn ranges(&self, set: &[u32], mut range: impl FnMut(u32, u32, &[u32])) {
        let mut arrows: Vec<(u32, u32, u32)> = Vec::new();
        for &state in set {
            for edge in self.lts.edges(StateId(state)) {
                let ranges = self.seen[edge.label as usize].ranges().iter();
                arrows.extend(ranges.map(|&(from, to)| (from, to, edge.target.0)));
            }
        }
        arrows.sort_unstable();
        arrows.dedup();
        let mut cuts: Vec<u32> = arrows.iter().flat_map(|a| [a.0, a.1]).collect();
        cuts.sort_unstable();
        cuts.dedup();
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
            range(from, to, &entry);
        }
    }
}
