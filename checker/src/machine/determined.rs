//! Components whose states follow from those of the others.
//!
//! Rules move their participants together, so some components only mirror others: a fork lies in the
//! hand that has taken it. Write a state as a vector with a bit for every local state; steps add
//! differences over GF(2), so reachable states differ by sums of those. If no sum except zero leaves
//! some components as they are, those components determine all others, which need not be stored.
//! Source: place invariants of Petri nets, here modulo two.

use std::cmp::Reverse;
use std::ops::BitXorAssign;

use csp_lts::Network;

use super::layout::Layout;
use super::linear::spanning;
use super::local::Locals;

/// Words of a vector.
const WORDS: usize = 8;
/// The most rules for which it is tried.
const MOST_RULES: usize = 4096;
/// The most bits by which a table is indexed; several should stay in the first-level cache.
const TABLE_BITS: u32 = 10;

/// A vector with a bit for every local state.
#[derive(Clone, Copy, Default)]
struct Vector([u64; WORDS]);

impl BitXorAssign for Vector {
    fn bitxor_assign(&mut self, other: Self) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word ^= other;
        }
    }
}

impl Vector {
    fn has(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    fn flip(&mut self, at: usize) {
        self.0[at / 64] ^= 1 << (at % 64);
    }

    fn without(mut self, other: &Self) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word &= !other;
        }
        self
    }

    fn first(&self) -> Option<usize> {
        let word = self.0.iter().position(|word| *word != 0)?;
        Some(64 * word + self.0[word].trailing_zeros() as usize)
    }
}

/// Vectors that are independent, each with a bit that those after it do not have.
#[derive(Default)]
struct Basis(Vec<(usize, Vector)>);

impl Basis {
    fn add(&mut self, mut vector: Vector) {
        for (bit, known) in &self.0 {
            if vector.has(*bit) {
                vector ^= *known;
            }
        }
        if let Some(bit) = vector.first() {
            self.0.push((bit, vector));
        }
    }

    /// Whether it stays independent without some bits.
    fn survives(&self, dropped: &Vector) -> bool {
        let mut rest = Self::default();
        for (_, vector) in &self.0 {
            rest.add(vector.without(dropped));
        }
        rest.0.len() == self.0.len()
    }
}

/// How to find the states of some components from those of the others, in a state of one word.
#[derive(Clone, Debug)]
pub(crate) struct Determined {
    /// The bits of the components that determine the others, and of the node.
    pub(crate) kept: u64,
    constant: u64,
    /// The lowest bit and the mask of a run of fields, and what its values add.
    runs: Vec<(u32, u64, Vec<u64>)>,
}

impl Determined {
    /// `None` if every component is needed, or if it would take too long to find out.
    pub(super) fn new(
        network: &Network,
        locals: &Locals,
        ending: &[bool],
        layout: &Layout,
    ) -> Option<Self> {
        let mut starts = vec![0];
        for local in &locals.components {
            starts.push(starts[starts.len() - 1] + local.states.len());
        }
        let count = locals.components.len();
        if starts[count] > 64 * WORDS || network.rules.len() > MOST_RULES {
            return None;
        }
        let mut basis = Basis::default();
        let step = |component: usize, source: u32, target: u32| {
            let mut vector = Vector::default();
            vector.flip(starts[component] + source as usize);
            vector.flip(starts[component] + target as usize);
            vector
        };
        spanning(network, locals, ending, step, |vector| basis.add(vector));
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|c| Reverse(layout.components[*c].bits()));
        let mut dropped = Vector::default();
        let mut kept = u64::MAX;
        for component in order {
            let field = layout.components[component];
            let mut more = dropped;
            (starts[component]..starts[component + 1]).for_each(|at| more.flip(at));
            if field.mask != 0 && basis.survives(&more) {
                dropped = more;
                kept &= !(field.mask << field.shift);
            }
        }
        if kept == u64::MAX {
            return None;
        }
        // The bits that a local state has in the packed word, if its component is dropped.
        let packed = |vector: &Vector| {
            let mut word = 0;
            for (component, field) in layout.components.iter().enumerate() {
                if field.mask << field.shift & !kept != 0 {
                    let states = starts[component]..starts[component + 1];
                    for (state, _) in (0u64..).zip(states).filter(|(_, at)| vector.has(*at)) {
                        word ^= state << field.shift;
                    }
                }
            }
            word
        };
        let initial = (network.components.iter().zip(&locals.components))
            .map(|(component, local)| local.dense(component.initial));
        let mut origin = Vector::default();
        for (start, state) in starts.iter().zip(initial) {
            origin.flip(start + state as usize);
        }
        let mut constant = packed(&origin);
        let mut adds = vec![0; starts[count]];
        for (bit, vector) in reduced(&basis, &dropped) {
            adds[bit] = packed(&vector);
            if origin.has(bit) {
                constant ^= adds[bit];
            }
        }
        Some(Self {
            kept,
            constant,
            runs: runs(layout, &starts, &adds),
        })
    }

    /// A whole state from its kept bits.
    #[inline(always)]
    pub(crate) fn restore(&self, state: u64) -> u64 {
        let mut whole = state ^ self.constant;
        for (shift, mask, adds) in &self.runs {
            whole ^= adds[(state >> shift & mask) as usize];
        }
        whole
    }
}

/// The same span, each vector with a bit that no other has, none of them dropped.
fn reduced(basis: &Basis, dropped: &Vector) -> Vec<(usize, Vector)> {
    let mut rows: Vec<Vector> = basis.0.iter().map(|(_, vector)| *vector).collect();
    let mut bits = Vec::new();
    for at in 0..rows.len() {
        let row = rows[at];
        let bit = row.without(dropped).first();
        let bit = bit.expect("it is independent without what is dropped");
        for (_, other) in rows.iter_mut().enumerate().filter(|(i, _)| *i != at) {
            if other.has(bit) {
                *other ^= row;
            }
        }
        bits.push(bit);
    }
    bits.into_iter().zip(rows).collect()
}

/// Tables for runs of neighbouring fields, of what their local states add.
fn runs(layout: &Layout, starts: &[usize], adds: &[u64]) -> Vec<(u32, u64, Vec<u64>)> {
    let mut fields: Vec<_> = (layout.components.iter().zip(starts.windows(2)))
        .map(|(field, states)| (*field, &adds[states[0]..states[1]]))
        .filter(|(_, adds)| adds.iter().any(|add| *add != 0))
        .collect();
    fields.sort_by_key(|(field, _)| field.shift);
    let mut runs = Vec::new();
    let mut rest = &fields[..];
    while let [(first, _), ..] = rest {
        let end = |field: &super::Field| field.shift + field.bits() - first.shift;
        let near = rest.iter().take_while(|(f, _)| end(f) <= TABLE_BITS);
        let (members, others) = rest.split_at(near.count().max(1));
        let bits = end(&members[members.len() - 1].0);
        let table = (0..1u64 << bits).map(|value| {
            members.iter().fold(0, |sum, (field, adds)| {
                let state = value >> (field.shift - first.shift) & field.mask;
                sum ^ adds.get(state as usize).copied().unwrap_or(0)
            })
        });
        runs.push((first.shift, (1 << bits) - 1, table.collect()));
        rest = others;
    }
    runs
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use csp_lts::{Component, ComponentId, EventId, EventSet, LtsBuilder, Rule, StateId};

    use super::super::{Linear, Plan};
    use super::*;

    fn cycle(name: &str, events: &[u32]) -> Component {
        let mut builder = LtsBuilder::new();
        for (state, event) in (1..).zip(events) {
            let target = StateId(state % events.len() as u32);
            builder.state([(Arc::new(EventSet::single(EventId(*event))), target)]);
        }
        Component {
            name: name.to_owned(),
            lts: Arc::new(builder.finish(StateId(0))),
            initial: StateId(0),
        }
    }

    /// Hands that take something up after the first of seven steps and put it down after the fourth.
    fn hands(count: u32) -> Network {
        let mut network = Network::default();
        let rule = |participants: &[(u32, u32)]| Rule {
            result: EventId(3),
            revealed: EventId(3),
            participants: (participants.iter())
                .map(|(component, event)| (ComponentId(*component), EventId(*event)))
                .collect(),
            resets: Box::default(),
            blocked_by: None,
        };
        for hand in (0..2 * count).step_by(2) {
            network
                .components
                .push(cycle("hand", &[3, 4, 3, 3, 5, 3, 3]));
            network.components.push(cycle("thing", &[4, 5]));
            let (thing, free) = (hand + 1, [(hand, 3)]);
            network.rules.push(rule(&free));
            network.rules.push(rule(&[(hand, 4), (thing, 4)]));
            network.rules.push(rule(&[(hand, 5), (thing, 5)]));
        }
        network
    }

    #[test]
    fn what_a_hand_holds_need_not_be_named() {
        let network = hands(3);
        let plan = Plan::new(&network, 1, |_| false, 1).expect("it is small");
        let determined = plan.determined.as_ref().expect("things mirror hands");
        assert_eq!(Linear::new(&plan.span, 0).rank(), 12);
        let linear = Linear::shortest(&plan.span, 0, Some(determined));
        assert_eq!(linear.rank(), 9);
        let fields = &plan.layout.components;
        for state in 0..343u32 {
            let mut whole = [0];
            for (pair, hand) in [state % 7, state / 7 % 7, state / 49]
                .into_iter()
                .enumerate()
            {
                fields[2 * pair].set(&mut whole, hand);
                fields[2 * pair + 1].set(&mut whole, u32::from((2..5).contains(&hand)));
            }
            assert_eq!(linear.state(linear.name(whole[0])), whole[0]);
        }
    }

    #[test]
    fn what_moves_by_itself_is_kept() {
        let mut network = hands(1);
        let lone = ComponentId(1);
        let mut drop = network.rules[2].clone();
        drop.participants = Box::new([(lone, EventId(5))]);
        network.rules.push(drop);
        let plan = Plan::new(&network, 1, |_| false, 1).expect("it is small");
        assert!(plan.determined.is_none());
    }
}
