//! Watchdogs: machines that watch an implementation and show when it leaves its specification
//! (Goldsmith, Moffat, Roscoe, Whitworth and Zakiuddin, "Watchdog transformations for
//! property-oriented model-checking", 2003).
//!
//! A watchdog `W` of a specification `S` is put in parallel with the implementation `I` on the
//! alphabet `A`, which should have all visible events of `I`.
//!
//! *Traces.* `W` allows every event of `A` at every point of a trace of `S`, so it never gets in the
//! way. An event that `S` does not allow leads to a state that performs `bad` and stops. Hence
//! `S [T= I` exactly if `I [|A|] W` never performs `bad`.
//!
//! *Failures.* In addition `W` may decide, at any point, to test: it chooses a smallest set of events
//! that `S` cannot refuse there and offers only those. If the implementation accepts one the test
//! is passed and `W` does τ for ever. `W` is stable only in tests and before and after `bad`, so without
//! `bad` the composition is stable and offers nothing only if a test fails. Hence `S [F= I` exactly if
//! `DIV [F= (I [|A|] W) \ A`: it never performs `bad` and is never stable.
//!
//! ✓ cannot be watched, since nothing synchronises on it: where `S` can terminate so can the traces
//! watchdog; the failures watchdog never does, and takes ✓ for an event that is always refused.
//! Events of `S` outside `A` are left out.

use ahash::AHashMap;
use csp_lts::{EventId, EventSet, Lts};

use super::acceptance::minimal;
use super::graph::{Graph, Step};
use super::normal_form::{Mark, NormalForm, normal_form};
use super::rows::number;
use super::tau_loop_factor::factored;
use crate::budget::Budget;
use crate::claim::Model;
use crate::outcome::Limit;

/// How many tests one node may have.
const MOST_TESTS: usize = 1 << 16;

/// The watchdog for traces.
pub fn trace_watchdog(
    specification: &Lts,
    alphabet: &EventSet,
    bad: EventId,
    budget: &Budget<'_>,
) -> Result<Lts, Limit> {
    let visible = alphabet.difference(&EventSet::range(0, EventId::FIRST.0));
    let borders = [visible.clone(), EventSet::single(bad)];
    let kept = visible.union(&EventSet::range(EventId::TICK.0, EventId::FIRST.0));
    let graph = confined(Graph::telling_apart(specification, &borders), &kept, budget)?;
    let mut making = Making::new(&graph, &visible, bad, Model::Traces, budget)?;
    for node in 0..number(making.form.marks.len()) {
        making.watch(node);
        making.end_state();
    }
    making.finish(budget)
}

/// The watchdog for stable failures.
pub fn failure_watchdog(
    specification: &Lts,
    alphabet: &EventSet,
    bad: EventId,
    budget: &Budget<'_>,
) -> Result<Lts, Limit> {
    let visible = alphabet.difference(&EventSet::range(0, EventId::FIRST.0));
    // A test chooses single events, so they must be told apart even if the specification does not.
    let mut borders: Vec<EventSet> = visible.iter().map(EventSet::single).collect();
    borders.push(EventSet::single(bad));
    let graph = confined(
        Graph::telling_apart(specification, &borders),
        &visible,
        budget,
    )?;
    let mut making = Making::new(&graph, &visible, bad, Model::Failures, budget)?;
    let mut tests: IndexedSets = IndexedSets::default();
    // Nodes, then the two states at which things are bad, then the passed test, then tests.
    let passed = making.bad_state + 2;
    for node in 0..number(making.form.marks.len()) {
        making.watch(node);
        making.taus.push(node);
        if let Mark::Acceptances(acceptances) = &making.form.marks[node as usize] {
            for test in smallest_hitting(acceptances)? {
                making.taus.push(passed + 1 + tests.number(test));
            }
        }
        making.end_state();
    }
    making.end_bad_states();
    making.taus.push(passed);
    making.end_state();
    for test in &tests.sets {
        let pass = |&atom: &u32| Step {
            atom,
            target: passed,
        };
        making.steps.extend(test.iter().map(pass));
        making.end_state();
    }
    Ok(making.result.strong_quotient(budget)?.to_lts())
}

/// The graph without transitions on visible events, ✓ and Ω outside the set.
fn confined(graph: Graph, events: &EventSet, budget: &Budget<'_>) -> Result<Graph, Limit> {
    let mut result = graph.empty_like();
    let (mut taus, mut steps) = (Vec::new(), Vec::new());
    let kept: Vec<bool> = graph.atoms.iter().map(|a| a.is_subset(events)).collect();
    for state in graph.states() {
        taus.extend_from_slice(graph.tau.row(state));
        let row = graph.visible.row(state).iter().copied();
        steps.extend(row.filter(|s| kept[s.atom as usize]));
        result.end_state(&mut taus, &mut steps);
    }
    factored(&result).strong_quotient(budget)
}

/// A watchdog in the making: a state for each node of the normal form, then two bad ones.
struct Making {
    form: NormalForm,
    /// The atoms that the watchdog must never refuse.
    watched: Vec<u32>,
    bad: u32,
    /// The state that performs `bad`; it is followed by the state after it.
    bad_state: u32,
    result: Graph,
    taus: Vec<u32>,
    steps: Vec<Step>,
}

impl Making {
    fn new(
        graph: &Graph,
        watched: &EventSet,
        bad: EventId,
        model: Model,
        budget: &Budget<'_>,
    ) -> Result<Self, Limit> {
        let seed = std::iter::once(graph.initial);
        let form = normal_form(graph, model, seed, super::room(budget), budget)?;
        let form = form.ok_or_else(too_large)?;
        let within = |set: &EventSet| {
            let atoms = graph.atoms.iter().enumerate();
            let inside = atoms.filter(|(_, atom)| atom.is_subset(set));
            inside.map(|(atom, _)| number(atom)).collect::<Vec<u32>>()
        };
        let mut result = graph.empty_like();
        result.initial = form.seeds[0];
        Ok(Self {
            watched: within(watched),
            bad: within(&EventSet::single(bad))[0],
            bad_state: number(form.marks.len()),
            form,
            result,
            taus: Vec::new(),
            steps: Vec::new(),
        })
    }

    /// What the specification allows at a node, and for everything else that is watched, a way to
    /// the bad state.
    fn watch(&mut self, node: u32) {
        let row = self.form.steps.row(node);
        self.steps.extend_from_slice(row);
        for &atom in &self.watched {
            if row.binary_search_by_key(&atom, |s| s.atom).is_err() {
                let target = self.bad_state;
                self.steps.push(Step { atom, target });
            }
        }
    }

    fn end_state(&mut self) {
        self.result.end_state(&mut self.taus, &mut self.steps);
    }

    fn end_bad_states(&mut self) {
        self.steps.push(Step {
            atom: self.bad,
            target: self.bad_state + 1,
        });
        self.end_state();
        self.end_state();
    }

    fn finish(mut self, budget: &Budget<'_>) -> Result<Lts, Limit> {
        self.end_bad_states();
        Ok(self.result.strong_quotient(budget)?.to_lts())
    }
}

/// The specification has too many nodes, or a node too many sets of events that it cannot refuse.
fn too_large() -> Limit {
    Limit::Unsupported("the watchdog would be too large".to_owned())
}

/// The smallest sets that meet every acceptance: what cannot be refused as a whole. None if nothing
/// need be accepted.
fn smallest_hitting(acceptances: &[Vec<u32>]) -> Result<Vec<Vec<u32>>, Limit> {
    let mut hitting: Vec<Vec<u32>> = vec![Vec::new()];
    for acceptance in acceptances {
        let mut next = Vec::new();
        for set in hitting {
            if set.iter().any(|atom| acceptance.contains(atom)) {
                next.push(set);
                continue;
            }
            for &atom in acceptance {
                let mut larger = set.clone();
                larger.push(atom);
                larger.sort_unstable();
                next.push(larger);
            }
        }
        if next.len() > MOST_TESTS {
            return Err(too_large());
        }
        hitting = minimal(next);
    }
    Ok(hitting)
}

/// Sets numbered in the order in which they are first met.
#[derive(Default)]
struct IndexedSets {
    sets: Vec<Vec<u32>>,
    index: AHashMap<Vec<u32>, u32>,
}

impl IndexedSets {
    fn number(&mut self, set: Vec<u32>) -> u32 {
        let fresh = number(self.sets.len());
        *self.index.entry(set).or_insert_with_key(|set| {
            self.sets.push(set.clone());
            fresh
        })
    }
}
