//! Merges states that mean the same in the model at hand.
//!
//! Two states mean the same if the normal forms of what they reach by τ are the same node: the
//! normal form is seeded with every state. Each class is then represented by one of its states, a
//! stable one if it has any, because what that state does alone is all that the class means.
//! Otherwise one that has no τ within the class: where its τ lead means strictly less, so that τ
//! still has no cycles.

use csp_lts::Lts;

use super::graph::Graph;
use super::normal_form::{Mark, NormalForm, normal_form};
use super::tau_loop_factor::factored;
use crate::budget::Budget;
use crate::claim::Model;
use crate::outcome::Limit;

/// The quotient by equivalence in one model, which is the only one it preserves. Never has more
/// states than its argument. None if the nodes need room for more states than given, or if the model
/// is none of T, F and FD.
pub fn model_compress(
    lts: &Lts,
    model: Model,
    room: usize,
    budget: &Budget<'_>,
) -> Result<Option<Lts>, Limit> {
    let graph = factored(&Graph::of(lts)).strong_quotient(budget)?;
    let Some(form) = normal_form(&graph, model, graph.states(), room, budget)? else {
        return Ok(None);
    };
    let representative = representatives(&graph, &form);
    Ok(Some(quotient(&graph, &form, &representative).to_lts()))
}

/// The state that stands for each class, `u32::MAX` for nodes that no state means.
fn representatives(graph: &Graph, form: &NormalForm) -> Vec<u32> {
    let mut representative = vec![u32::MAX; form.marks.len()];
    for state in graph.states() {
        let class = form.seeds[state as usize];
        let inner = |&t: &u32| t != state && form.seeds[t as usize] == class;
        let place = &mut representative[class as usize];
        let eligible = !graph.tau.row(state).iter().any(inner);
        let better = *place == u32::MAX || (graph.is_stable(state) && !graph.is_stable(*place));
        if eligible && better {
            *place = state;
        }
    }
    representative
}

fn quotient(graph: &Graph, form: &NormalForm, representative: &[u32]) -> Graph {
    let mut result = graph.empty_like();
    result.initial = form.seeds[graph.initial as usize];
    let class = |state: u32| form.seeds[state as usize];
    let (mut taus, mut steps) = (Vec::new(), Vec::new());
    for (node, &state) in representative.iter().enumerate() {
        let node = super::rows::number(node);
        if state == u32::MAX {
            result.end_state(&mut taus, &mut steps);
            continue;
        }
        match form.marks[node as usize] {
            // Divergence is all that a strict model sees.
            Mark::Divergent => taus.push(node),
            Mark::Traces | Mark::Acceptances(_) => {
                let targets = graph.tau.row(state).iter();
                taus.extend(targets.filter(|&&t| t != state).map(|&t| class(t)));
                steps.extend(graph.visible.row(state).iter().map(|s| super::graph::Step {
                    atom: s.atom,
                    target: class(s.target),
                }));
                // No stable state: it must not be mistaken for one.
                if form.marks[node as usize] == Mark::Acceptances(Vec::new()) {
                    taus.push(node);
                }
            }
        }
        result.end_state(&mut taus, &mut steps);
    }
    result
}
