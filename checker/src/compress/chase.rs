//! Following τ: from every state the first τ is taken until there is none. The other τ and the visible
//! events of states passed through are forgotten, so a meaning is preserved only if it does not
//! matter which τ is taken.
//!
//! On networks the search does this as it goes; here it is for machines that are tabulated anyway.

use csp_lts::{Lts, StateId};

use super::graph::{Graph, Step, breadth_first};

/// The machine of the states that following τ ends in. A state from which it never ends does τ for
/// ever; [`endless`] finds it.
#[must_use]
pub fn chase(lts: &Lts) -> Lts {
    let graph = Graph::of(lts);
    let settled = settled(&graph);
    let mut result = graph.empty_like();
    // One state beyond those of the graph does τ for ever.
    let nowhere = super::rows::number(graph.len());
    let place = |state: u32| settled[state as usize].unwrap_or(nowhere);
    let (mut taus, mut steps) = (Vec::new(), Vec::new());
    result.initial = place(graph.initial);
    for state in graph.states() {
        if graph.is_stable(state) {
            steps.extend(graph.visible.row(state).iter().map(|s| Step {
                atom: s.atom,
                target: place(s.target),
            }));
        }
        result.end_state(&mut taus, &mut steps);
    }
    taus.push(nowhere);
    result.end_state(&mut taus, &mut steps);
    result.to_lts()
}

/// The first state, breadth-first, from which following τ never ends: the user's error.
#[must_use]
pub fn endless(lts: &Lts) -> Option<StateId> {
    let graph = Graph::of(lts);
    let at = settled(&graph).iter().position(Option::is_none)?;
    Some(StateId(breadth_first(lts).0[at]))
}

/// Where following the first τ ends, for each state, if it does.
fn settled(graph: &Graph) -> Vec<Option<u32>> {
    let mut settled: Vec<Option<u32>> = vec![None; graph.len()];
    let mut done = vec![false; graph.len()];
    let mut path = Vec::new();
    for start in graph.states() {
        let mut state = start;
        let end = loop {
            if std::mem::replace(&mut done[state as usize], true) {
                // Met before: settled already, or on the path of this very walk, where it stays
                // `None`.
                break settled[state as usize];
            }
            path.push(state);
            match graph.tau.row(state).first() {
                None => break Some(state),
                Some(&next) => state = next,
            }
        };
        path.drain(..).for_each(|s| settled[s as usize] = end);
    }
    settled
}
