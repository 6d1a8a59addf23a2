//! Diamond elimination (Roscoe and others, "Hierarchical compression", 1995).
//!
//! After τ loops are collapsed, a state takes over the visible transitions of all states that it
//! reaches by τ, and their minimal acceptances and divergence. Of the targets of one event those
//! that another target reaches by τ can do nothing more and are dropped. States that are then no
//! longer reached, typically the inner ones of diamonds of τ, disappear.
//!
//! Departs: the acceptances of a state are not marks but acceptance steps (`machine/acceptance.rs`), τ
//! transitions to stable states that offer exactly them and lead where the state itself leads. What an
//! acceptance leads to does not matter to any model that this preserves, since the state does the same
//! events before it: so targets that are dropped stay dropped. Where a stable state of the argument does no
//! more than that, it is used. A state that diverges keeps a τ to itself.

use ahash::AHashMap;
use csp_lts::Lts;

use super::acceptance::minimal;
use super::graph::{Graph, Step};
use super::rows::number;
use super::tau_loop_factor::factored;
use crate::budget::Budget;
use crate::outcome::Limit;

/// Removes inner states of diamonds of τ. Preserves traces, failures and failures-divergences, not
/// revivals, refusal testing or behaviour under priority. Never has more states than its argument.
pub fn diamond(lts: &Lts, budget: &Budget<'_>) -> Result<Lts, Limit> {
    let graph = factored(&Graph::of(lts));
    let made = eliminated(&graph, Acceptances::OfTheState, budget)?.to_lts();
    if made.state_count() <= graph.len() {
        return Ok(made);
    }
    Ok(eliminated(&graph, Acceptances::OfTheArgument, budget)?.to_lts())
}

/// Where the acceptances of a state lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Acceptances {
    /// Where the state leads. This may take states of their own.
    OfTheState,
    /// Where a stable state of the argument leads, and the state as well.
    OfTheArgument,
}

fn eliminated(
    graph: &Graph,
    acceptances: Acceptances,
    budget: &Budget<'_>,
) -> Result<Graph, Limit> {
    let mut elimination = Elimination {
        seen: vec![0; graph.len()],
        round: 0,
        walked: 0,
        graph,
        acceptances,
        made: Vec::new(),
        known: AHashMap::new(),
    };
    let mut rows = vec![(Vec::new(), Vec::new()); graph.len()];
    let mut met = vec![false; graph.len()];
    let mut waiting = vec![graph.initial];
    met[graph.initial as usize] = true;
    while let Some(state) = waiting.pop() {
        let row = elimination.row(state);
        budget.work(std::mem::take(&mut elimination.walked))?;
        for &target in row.0.iter().chain(row.1.iter().map(|s| &s.target)) {
            // What accepts leads where the state leads.
            if (target as usize) < graph.len()
                && !std::mem::replace(&mut met[target as usize], true)
            {
                waiting.push(target);
            }
        }
        rows[state as usize] = row;
    }
    let mut result = graph.empty_like();
    result.initial = graph.initial;
    for (mut taus, mut steps) in rows {
        result.end_state(&mut taus, &mut steps);
    }
    for mut steps in elimination.made {
        result.end_state(&mut Vec::new(), &mut steps);
    }
    Ok(result)
}

struct Elimination<'a> {
    graph: &'a Graph,
    /// The round in which a state was last met.
    seen: Vec<u32>,
    round: u32,
    /// How many states have been met.
    walked: usize,
    acceptances: Acceptances,
    /// The transitions of the stable states that were made for acceptances; they come after the others.
    made: Vec<Vec<Step>>,
    known: AHashMap<Vec<Step>, u32>,
}

impl Elimination<'_> {
    /// The τ and other transitions of a state in the result.
    fn row(&mut self, state: u32) -> (Vec<u32>, Vec<Step>) {
        let graph = self.graph;
        let mut steps = graph.visible.row(state).to_vec();
        if graph.is_stable(state) {
            self.prune(&mut steps);
            return (Vec::new(), steps);
        }
        let reached = self.reached(state);
        steps.clear();
        for &inner in &reached {
            steps.extend_from_slice(graph.visible.row(inner));
        }
        steps.sort_unstable();
        steps.dedup();
        self.prune(&mut steps);
        let mut stable: AHashMap<Vec<u32>, Vec<u32>> = AHashMap::new();
        for &inner in reached.iter().filter(|&&s| graph.is_stable(s)) {
            stable.entry(graph.offers(inner)).or_default().push(inner);
        }
        let acceptances = minimal(stable.keys().cloned().collect());
        let diverges = reached.iter().any(|&s| graph.has_tau_loop(s));
        if let ([acceptance], false) = (&acceptances[..], diverges) {
            let mut offered: Vec<u32> = steps.iter().map(|s| s.atom).collect();
            offered.dedup();
            if offered == *acceptance {
                return (Vec::new(), steps);
            }
        }
        let mut taus = Vec::with_capacity(acceptances.len() + 1);
        for acceptance in &acceptances {
            let mut candidates = stable.remove(acceptance).unwrap_or_default();
            candidates.sort_unstable();
            taus.push(self.accepting(&mut steps, acceptance, &candidates));
        }
        if diverges {
            taus.push(state);
        }
        (taus, steps)
    }

    /// A stable state that accepts just these events and leads nowhere else than a state with these
    /// transitions does. The candidates are states of the argument that accept them.
    fn accepting(&mut self, steps: &mut Vec<Step>, acceptance: &[u32], candidates: &[u32]) -> u32 {
        let graph = self.graph;
        for &candidate in candidates {
            let mut own = graph.visible.row(candidate).to_vec();
            self.prune(&mut own);
            if is_part(&own, steps) {
                return candidate;
            }
            if self.acceptances == Acceptances::OfTheArgument {
                // What it does is repeated before it, so that τ to it is an acceptance step.
                steps.append(&mut own);
                steps.sort_unstable();
                steps.dedup();
                return candidate;
            }
        }
        let accepted = steps.iter().copied();
        let accepted = accepted.filter(|step| acceptance.binary_search(&step.atom).is_ok());
        let accepted: Vec<Step> = accepted.collect();
        let made = &mut self.made;
        *self.known.entry(accepted).or_insert_with_key(|accepted| {
            made.push(accepted.clone());
            number(graph.len() + made.len() - 1)
        })
    }

    fn start(&mut self) {
        if self.round == u32::MAX {
            self.seen.fill(0);
            self.round = 0;
        }
        self.round += 1;
    }

    fn meet(&mut self, state: u32) -> bool {
        self.walked += 1;
        std::mem::replace(&mut self.seen[state as usize], self.round) != self.round
    }

    /// The states that τ leads to, the state itself included.
    fn reached(&mut self, state: u32) -> Vec<u32> {
        self.start();
        self.meet(state);
        let mut reached = vec![state];
        let mut done = 0;
        while done < reached.len() {
            for &target in self.graph.tau.row(reached[done]) {
                if self.meet(target) {
                    reached.push(target);
                }
            }
            done += 1;
        }
        reached
    }

    /// Drops the targets of each event that another target of the event reaches by τ.
    fn prune(&mut self, steps: &mut Vec<Step>) {
        let mut kept = Vec::with_capacity(steps.len());
        for targets in steps.chunk_by(|a, b| a.atom == b.atom) {
            if let [step] = targets {
                kept.push(*step);
                continue;
            }
            self.start();
            let mut waiting = Vec::new();
            for step in targets {
                waiting.push(step.target);
                while let Some(state) = waiting.pop() {
                    for &target in self.graph.tau.row(state) {
                        if target != state && self.meet(target) {
                            waiting.push(target);
                        }
                    }
                }
            }
            let below = |step: &&Step| self.seen[step.target as usize] == self.round;
            kept.extend(targets.iter().filter(|step| !below(step)));
        }
        *steps = kept;
    }
}

/// Whether all of some transitions are among others; both are sorted.
fn is_part(steps: &[Step], of: &[Step]) -> bool {
    let mut rest = of.iter();
    steps.iter().all(|step| rest.any(|other| other == step))
}
