//! A machine whose labels are atoms, with τ apart from the rest: what most compressions work on.
//!
//! ✓ and Ω are kept like visible events. Every model of CSP is determined by the denotation in which
//! they are visible, so whatever preserves that one preserves both readings of termination.

use std::sync::Arc;

use ahash::AHashMap;
use csp_lts::{EventId, EventSet, Lts, StateId};

use super::atoms::{OMEGA, TAU, atoms};
use super::machine::machine;
use super::rows::{Rows, number};
use super::sbisim;
use crate::budget::Budget;
use crate::outcome::Limit;

/// A transition on every event of an atom other than τ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Step {
    pub(super) atom: u32,
    pub(super) target: u32,
}

/// A machine over atoms. Rows are sorted and without duplicates.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub(super) initial: u32,
    pub(super) tau: Rows<u32>,
    pub(super) visible: Rows<Step>,
    /// The events of each atom.
    pub(super) atoms: Arc<[EventSet]>,
}

impl Graph {
    /// The part of a machine that can be reached, numbered breadth-first.
    pub(super) fn of(lts: &Lts) -> Self {
        Self::telling_apart(lts, &[])
    }

    /// As [`Graph::of`], with atoms that do not lie across the border of any of the sets.
    pub(super) fn telling_apart(lts: &Lts, sets: &[EventSet]) -> Self {
        let atoms = atoms(lts.labels().iter().map(|l| &**l).chain(sets));
        let (order, place) = breadth_first(lts);
        let mut graph = Self {
            initial: 0,
            tau: Rows::with_capacity(order.len(), 0),
            visible: Rows::with_capacity(order.len(), lts.edge_count()),
            atoms: atoms.sets.into(),
        };
        let (mut taus, mut steps) = (Vec::new(), Vec::new());
        for state in order {
            for edge in lts.edges(StateId(state)) {
                let target = place[edge.target.0 as usize];
                for &atom in atoms.of_label.row(edge.label) {
                    if atom == TAU {
                        taus.push(target);
                    } else {
                        steps.push(Step { atom, target });
                    }
                }
            }
            graph.end_state(&mut taus, &mut steps);
        }
        graph
    }

    /// A graph over the same atoms, without states yet.
    pub(super) fn empty_like(&self) -> Self {
        Self {
            initial: 0,
            tau: Rows::new(),
            visible: Rows::new(),
            atoms: Arc::clone(&self.atoms),
        }
    }

    /// Adds the next state, emptying the lists of its edges.
    pub(super) fn end_state(&mut self, taus: &mut Vec<u32>, steps: &mut Vec<Step>) {
        taus.sort_unstable();
        taus.dedup();
        steps.sort_unstable();
        steps.dedup();
        taus.drain(..).for_each(|t| self.tau.push(t));
        self.tau.end_row();
        steps.drain(..).for_each(|s| self.visible.push(s));
        self.visible.end_row();
    }

    /// How many states.
    pub(super) fn len(&self) -> usize {
        self.tau.len()
    }

    /// All states.
    pub(super) fn states(&self) -> std::ops::Range<u32> {
        0..number(self.len())
    }

    /// Without τ transitions.
    pub(super) fn is_stable(&self, state: u32) -> bool {
        self.tau.row(state).is_empty()
    }

    /// With a τ transition to itself.
    pub(super) fn has_tau_loop(&self, state: u32) -> bool {
        self.tau.row(state).contains(&state)
    }

    /// The atoms that a state offers, ascending.
    pub(super) fn offers(&self, state: u32) -> Vec<u32> {
        let mut offers: Vec<u32> = self.visible.row(state).iter().map(|s| s.atom).collect();
        offers.dedup();
        offers
    }

    /// The graph whose states are classes and whose edges are those of each class's representative.
    /// τ within a class is dropped unless it leads from the representative to itself.
    pub(super) fn represented(&self, class_of: &[u32], representative: &[u32]) -> Self {
        let mut quotient = self.empty_like();
        quotient.initial = class_of[self.initial as usize];
        let (mut taus, mut steps) = (Vec::new(), Vec::new());
        for (class, &state) in representative.iter().enumerate() {
            taus.extend(
                (self.tau.row(state).iter())
                    .filter(|&&t| t == state || class_of[t as usize] as usize != class)
                    .map(|&t| class_of[t as usize]),
            );
            steps.extend(self.visible.row(state).iter().map(|s| Step {
                atom: s.atom,
                target: class_of[s.target as usize],
            }));
            quotient.end_state(&mut taus, &mut steps);
        }
        quotient
    }

    /// The quotient by strong bisimulation.
    pub(super) fn strong_quotient(&self, budget: &Budget<'_>) -> Result<Self, Limit> {
        let mut rows = Rows::with_capacity(self.len(), self.visible.items().len());
        for state in self.states() {
            for &target in self.tau.row(state) {
                rows.push(Step { atom: TAU, target });
            }
            self.visible.row(state).iter().for_each(|&s| rows.push(s));
            rows.end_row();
        }
        let classes = sbisim::classes(&rows, vec![0; self.len()], None, budget)?;
        let mut quotient = self.empty_like();
        quotient.initial = classes.class_of[self.initial as usize];
        let (mut taus, mut steps) = (Vec::new(), Vec::new());
        for &state in &classes.representative {
            let class = |target: u32| classes.class_of[target as usize];
            taus.extend(self.tau.row(state).iter().map(|&t| class(t)));
            steps.extend(self.visible.row(state).iter().map(|s| Step {
                atom: s.atom,
                target: class(s.target),
            }));
            quotient.end_state(&mut taus, &mut steps);
        }
        Ok(quotient)
    }

    /// As an explicit machine: one edge with the union of the atoms for each pair of states, τ, ✓ and
    /// Ω on edges of their own.
    pub(super) fn to_lts(&self) -> Lts {
        let mut labels = Labels::new(&self.atoms);
        let mut rows: Rows<Step> = Rows::new();
        let mut by_target: Vec<(u32, u32)> = Vec::new();
        for state in self.states() {
            for &target in self.tau.row(state) {
                rows.push(Step { atom: TAU, target });
            }
            by_target.clear();
            for step in self.visible.row(state) {
                if step.atom <= OMEGA {
                    rows.push(*step);
                } else {
                    by_target.push((step.target, step.atom));
                }
            }
            by_target.sort_unstable();
            for group in by_target.chunk_by(|a, b| a.0 == b.0) {
                rows.push(Step {
                    atom: labels.union(group.iter().map(|&(_, atom)| atom)),
                    target: group[0].0,
                });
            }
            rows.end_row();
        }
        machine(self.initial, self.len(), &labels.sets, |state, edges| {
            edges.extend(rows.row(state).iter().map(|s| (s.atom, s.target)));
        })
    }
}

/// Unions of atoms, numbered; the first numbers are the atoms themselves.
struct Labels {
    sets: Vec<Arc<EventSet>>,
    index: AHashMap<Box<[u32]>, u32>,
}

impl Labels {
    fn new(atoms: &[EventSet]) -> Self {
        Self {
            sets: atoms.iter().cloned().map(Arc::new).collect(),
            index: AHashMap::new(),
        }
    }

    fn union(&mut self, atoms: impl Iterator<Item = u32>) -> u32 {
        let atoms: Box<[u32]> = atoms.collect();
        if let [atom] = *atoms {
            return atom;
        }
        if let Some(&label) = self.index.get(&atoms) {
            return label;
        }
        let label = number(self.sets.len());
        let ranges = atoms.iter().flat_map(|&a| self.sets[a as usize].ranges());
        let union = EventSet::from_ranges(ranges.copied().collect());
        self.sets.push(Arc::new(union));
        self.index.insert(atoms, label);
        label
    }
}

/// The reachable states in breadth-first order, and the place of each in it.
pub(super) fn breadth_first(lts: &Lts) -> (Vec<u32>, Vec<u32>) {
    let mut place = vec![u32::MAX; lts.state_count()];
    let mut order = vec![lts.initial().0];
    place[lts.initial().0 as usize] = 0;
    let mut done = 0;
    while done < order.len() {
        for edge in lts.edges(StateId(order[done])) {
            let at = &mut place[edge.target.0 as usize];
            if *at == u32::MAX {
                *at = number(order.len());
                order.push(edge.target.0);
            }
        }
        done += 1;
    }
    (order, place)
}

const _: () = assert!(EventId::TAU.0 == TAU && EventId::OMEGA.0 == OMEGA);
