//! The normal form of a process as a plain machine.

use ahash::AHashMap;
use csp_lts::Lts;

use super::graph::{Graph, Step};
use super::normal_form::{Mark, NormalForm, normal_form};
use super::tau_loop_factor::factored;
use crate::budget::Budget;
use crate::claim::Model;
use crate::outcome::Limit;

/// The normal form for one model, which is the only one it preserves. Can have exponentially many
/// states; none if the nodes need room for more states than given, or if the model is none of T, F
/// and FD.
///
/// A node has its steps, and if it has several minimal acceptances, an acceptance step to a stable
/// state for each (`machine/acceptance.rs`); a node that can diverge, or that has no stable state, has
/// a τ to itself.
pub fn normal(
    lts: &Lts,
    model: Model,
    room: usize,
    budget: &Budget<'_>,
) -> Result<Option<Lts>, Limit> {
    let graph = factored(&Graph::of(lts)).strong_quotient(budget)?;
    let seed = std::iter::once(graph.initial);
    let Some(form) = normal_form(&graph, model, seed, room, budget)? else {
        return Ok(None);
    };
    Ok(Some(plain(&form, &graph).strong_quotient(budget)?.to_lts()))
}

/// The normal form as a graph over the atoms of another.
fn plain(form: &NormalForm, over: &Graph) -> Graph {
    let mut result = over.empty_like();
    result.initial = form.seeds[0];
    let mut branches = Branches {
        first: super::rows::number(form.marks.len()),
        index: AHashMap::new(),
        rows: Vec::new(),
    };
    let (mut taus, mut steps) = (Vec::new(), Vec::new());
    for (node, row) in form.steps.iter() {
        steps.extend_from_slice(row);
        match &form.marks[node as usize] {
            Mark::Traces => {}
            Mark::Divergent => taus.push(node),
            Mark::Acceptances(acceptances) => match &acceptances[..] {
                [] => taus.push(node),
                [only] if only.len() == row.len() => {}
                several => {
                    for acceptance in several {
                        let offered = |s: &&Step| acceptance.binary_search(&s.atom).is_ok();
                        taus.push(branches.stable(row.iter().filter(offered).copied().collect()));
                    }
                }
            },
        }
        result.end_state(&mut taus, &mut steps);
    }
    for mut steps in branches.rows {
        result.end_state(&mut taus, &mut steps);
    }
    result
}

/// Stable states that carry acceptances, numbered after the nodes.
struct Branches {
    first: u32,
    index: AHashMap<Vec<Step>, u32>,
    rows: Vec<Vec<Step>>,
}

impl Branches {
    fn stable(&mut self, steps: Vec<Step>) -> u32 {
        let fresh = self.first + super::rows::number(self.rows.len());
        *self.index.entry(steps).or_insert_with_key(|steps| {
            self.rows.push(steps.clone());
            fresh
        })
    }
}
