//! The normal form of a process as a plain machine.

use ahash::AHashMap;
use csp_lts::Lts;

use super::graph::{Graph, Step};
use super::normal_form::{LIMIT, Mark, NormalForm, normal_form};
use super::tau_loop_factor::factored;
use super::wbisim::wbisim;
use crate::claim::Model;

/// The normal form for one model, which is the only one it preserves. Can have exponentially many
/// states; if they are too many, or the model is none of T, F and FD, the answer is [`wbisim`], which
/// preserves all models.
///
/// A node with several minimal acceptances has a τ to a stable state for each; a node that can
/// diverge, or that has no stable state, has a τ to itself.
#[must_use]
pub fn normal(lts: &Lts, model: Model) -> Lts {
    bounded(lts, model, LIMIT).unwrap_or_else(|| wbisim(lts))
}

/// As [`normal`], unless the nodes need room for more states than the limit.
pub(super) fn bounded(lts: &Lts, model: Model, limit: usize) -> Option<Lts> {
    let graph = factored(&Graph::of(lts)).strong_quotient();
    let form = normal_form(&graph, model, std::iter::once(graph.initial), limit)?;
    Some(plain(&form, &graph).strong_quotient().to_lts())
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
                        steps.retain(|step| !offered(&step));
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use csp_lts::{EventId, EventSet, LtsBuilder, StateId};

    use super::*;

    #[test]
    fn what_grows_too_large_is_given_up_soundly() {
        // Which of the last twenty events was an `a` is all that a normal form has to remember.
        let (a, b) = (
            Arc::new(EventSet::single(EventId(3))),
            Arc::new(EventSet::single(EventId(4))),
        );
        let both = Arc::new(a.union(&b));
        let mut builder = LtsBuilder::new();
        builder.state([
            (Arc::clone(&both), StateId(0)),
            (Arc::clone(&a), StateId(1)),
        ]);
        for state in 1..20 {
            builder.state([(Arc::clone(&both), StateId(state + 1))]);
        }
        builder.state([]);
        let lts = builder.finish(StateId(0));
        assert_eq!(bounded(&lts, Model::Failures, 1000), None);
        assert_eq!(bounded(&lts, Model::Revivals, 1000), None);
        assert_eq!(normal(&lts, Model::Revivals), wbisim(&lts));
        let traces = bounded(&lts, Model::Traces, 1000);
        assert_eq!(traces, None);
    }
}
