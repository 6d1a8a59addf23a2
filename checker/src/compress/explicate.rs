//! Tabulation: what is reachable of a machine, numbered breadth-first. On demand or not is the same.

use csp_lts::Lts;

use super::graph::breadth_first;
use super::machine::machine;

/// The same machine without states that cannot be reached. Preserves everything.
#[must_use]
pub fn explicate(lts: &Lts) -> Lts {
    let (order, place) = breadth_first(lts);
    machine(0, order.len(), lts.labels(), |state, edges| {
        let state = csp_lts::StateId(order[state as usize]);
        let renumbered = |e: &csp_lts::Edge| (e.label, place[e.target.0 as usize]);
        edges.extend(lts.edges(state).iter().map(renumbered));
    })
}
