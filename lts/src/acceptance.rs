//! Acceptance steps: τ transitions that only take choices away.
//!
//! A τ transition n → m is an *acceptance step* if m is stable and every transition of m, event and
//! target, is one of n too. So n offers all that a node of a normal form can do, and each m one of the
//! sets of events that it can be left with: its acceptances, which FDR keeps as marks of nodes
//! (generalised transition systems). What that is good for is said in the checker, in
//! `machine/acceptance.rs`.

use crate::event::EventId;
use crate::event_set::EventSet;
use crate::lts::{Lts, StateId};

/// The acceptance steps of a transition system, ascending.
#[must_use]
pub fn acceptance_steps(lts: &Lts) -> Vec<(StateId, StateId)> {
    let silent: Vec<bool> = lts
        .labels()
        .iter()
        .map(|label| label.contains(EventId::TAU))
        .collect();
    if !silent.contains(&true) {
        return Vec::new();
    }
    let stable: Vec<bool> = lts
        .states()
        .map(|state| !lts.edges(state).iter().any(|e| silent[e.label as usize]))
        .collect();
    let mut steps = Vec::new();
    let mut own: Vec<(StateId, u32)> = Vec::new();
    for state in lts.states().filter(|s| !stable[s.0 as usize]) {
        own.clear();
        let mut targets: Vec<StateId> = lts
            .edges(state)
            .iter()
            .filter(|e| silent[e.label as usize] && stable[e.target.0 as usize])
            .map(|e| e.target)
            .collect();
        if targets.is_empty() {
            continue;
        }
        targets.sort_unstable();
        targets.dedup();
        own.extend(lts.edges(state).iter().map(|e| (e.target, e.label)));
        own.sort_unstable();
        targets.retain(|target| covers(lts, &own, *target));
        steps.extend(targets.into_iter().map(|target| (state, target)));
    }
    steps
}

/// Whether every transition of a state is among the edges given, which are sorted by target.
fn covers(lts: &Lts, own: &[(StateId, u32)], state: StateId) -> bool {
    lts.edges(state).iter().all(|edge| {
        let from = own.partition_point(|(target, _)| *target < edge.target);
        let to = own.partition_point(|(target, _)| *target <= edge.target);
        let labels = &own[from..to];
        labels.iter().any(|(_, label)| *label == edge.label)
            || !labels.is_empty() && {
                let labels = labels
                    .iter()
                    .map(|(_, label)| &lts.labels()[*label as usize]);
                let ranges = labels.flat_map(|set| set.ranges().iter().copied());
                lts.label(edge)
                    .is_subset(&EventSet::from_ranges(ranges.collect()))
            }
    })
}

/// How many states there are besides those that are only there to carry acceptances.
#[must_use]
pub fn node_count(lts: &Lts, steps: &[(StateId, StateId)]) -> usize {
    let mut carries = vec![false; lts.state_count()];
    for (_, target) in steps {
        carries[target.0 as usize] = true;
    }
    carries[lts.initial().0 as usize] = false;
    let tau = EventSet::single(EventId::TAU);
    for state in lts.states() {
        for edge in lts.edges(state) {
            let step = (state, edge.target);
            let only = **lts.label(edge) == tau && steps.binary_search(&step).is_ok();
            carries[edge.target.0 as usize] &= only;
        }
    }
    carries.iter().filter(|carries| !**carries).count()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::lts::LtsBuilder;

    /// States given by their transitions.
    fn lts(rows: &[&[(u32, u32, u32)]]) -> Lts {
        let mut builder = LtsBuilder::new();
        for row in rows {
            let edges = row.iter();
            builder.state(
                edges.map(|&(from, to, target)| {
                    (Arc::new(EventSet::range(from, to)), StateId(target))
                }),
            );
        }
        builder.finish(StateId(0))
    }

    fn steps(rows: &[&[(u32, u32, u32)]]) -> Vec<(u32, u32)> {
        let steps = acceptance_steps(&lts(rows));
        steps.into_iter().map(|(from, to)| (from.0, to.0)).collect()
    }

    #[test]
    fn only_stable_states_that_do_no_more_count() {
        let tau = (0, 1);
        let step = |to| (tau.0, tau.1, to);
        // The second does less, the third something else, the fourth the same elsewhere.
        let rows: &[&[_]] = &[
            &[step(1), step(2), step(3), (3, 5, 0), (5, 6, 0)],
            &[(4, 6, 0)],
            &[(3, 7, 0)],
            &[(3, 4, 2)],
        ];
        assert_eq!(steps(rows), [(0, 1)]);
        assert_eq!(node_count(&lts(rows), &acceptance_steps(&lts(rows))), 3);
        // A loop is a divergence, and what is not stable is no acceptance.
        assert_eq!(steps(&[&[step(0), step(1)], &[step(2)], &[]]), [(1, 2)]);
        // The initial state and what events lead to are nodes.
        let rows: &[&[_]] = &[&[(3, 4, 0)], &[step(0), step(2), (3, 4, 0), (4, 5, 2)], &[]];
        let rows_steps = acceptance_steps(&lts(rows));
        assert_eq!(rows_steps.len(), 2);
        assert_eq!(node_count(&lts(rows), &rows_steps), 3);
    }
}
