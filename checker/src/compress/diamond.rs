//! Diamond elimination (Roscoe and others, "Hierarchical compression", 1995).
//!
//! After τ loops are collapsed, a state takes over the visible transitions of all states that it
//! reaches by τ, and their minimal acceptances and divergence. Of the targets of one event those
//! that another target reaches by τ can do nothing more and are dropped. States that are then no
//! longer reached, typically the inner ones of diamonds of τ, disappear.
//!
//! Departs: the acceptances of a state are not marks but acceptance steps (`machine/acceptance.rs`), τ
//! transitions to stable states that offer exactly them. Those are states of the argument, so there
//! are never more states than before. A state that diverges keeps a τ to itself.

use ahash::AHashMap;
use csp_lts::Lts;

use super::acceptance::minimal;
use super::graph::{Graph, Step};
use super::tau_loop_factor::factored;
use crate::budget::Budget;
use crate::outcome::Limit;

/// Removes inner states of diamonds of τ. Preserves traces, failures and failures-divergences, not
/// revivals, refusal testing or behaviour under priority. Never has more states than its argument.
pub fn diamond(lts: &Lts, budget: &Budget<'_>) -> Result<Lts, Limit> {
    let graph = factored(&Graph::of(lts));
    let mut elimination = Elimination {
        seen: vec![0; graph.len()],
        round: 0,
        walked: 0,
        graph: &graph,
    };
    let mut rows = vec![(Vec::new(), Vec::new()); graph.len()];
    let mut met = vec![false; graph.len()];
    let mut waiting = vec![graph.initial];
    met[graph.initial as usize] = true;
    while let Some(state) = waiting.pop() {
        let row = elimination.row(state);
        budget.work(std::mem::take(&mut elimination.walked))?;
        for &target in row.0.iter().chain(row.1.iter().map(|s| &s.target)) {
            if !std::mem::replace(&mut met[target as usize], true) {
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
    Ok(result.to_lts())
}

struct Elimination<'a> {
    graph: &'a Graph,
    /// The round in which a state was last met.
    seen: Vec<u32>,
    round: u32,
    /// How many states have been met.
    walked: usize,
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
        let mut stable: AHashMap<Vec<u32>, u32> = AHashMap::new();
        for &inner in reached.iter().filter(|&&s| graph.is_stable(s)) {
            let first = stable.entry(graph.offers(inner)).or_insert(inner);
            *first = (*first).min(inner);
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
        let mut taus: Vec<u32> = acceptances.iter().map(|a| stable[a]).collect();
        // What the stable states do is repeated before them, so that τ to them are acceptance steps.
        for &stable in &taus {
            let mut accepted = graph.visible.row(stable).to_vec();
            self.prune(&mut accepted);
            steps.append(&mut accepted);
        }
        if diverges {
            taus.push(state);
        }
        (taus, steps)
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
