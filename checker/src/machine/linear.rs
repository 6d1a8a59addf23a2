//! A shorter exact name for states: what is left of a packed word when linear invariants are removed.
//!
//! Every step changes a packed state by an exclusive-or with one of a fixed set of patterns. All
//! reachable states lie in the initial state plus the span of those patterns over GF(2), so as many
//! bits as the rank of the span name them exactly. The coordinates are taken in a pseudo-random
//! basis, which spreads the names evenly; steps stay exclusive-ors in any basis.

use std::ops::BitXorAssign;

use ahash::AHashMap;
use csp_lts::Network;

use super::determined::Determined;
use super::layout::Layout;
use super::local::Locals;

/// Vectors of 64 bits over GF(2) with distinct leading bits.
#[derive(Clone, Debug, Default)]
struct Basis {
    vectors: Vec<u64>,
}

impl Basis {
    /// Adds a vector unless it is in the span already.
    fn add(&mut self, mut vector: u64) {
        for known in &self.vectors {
            vector = vector.min(vector ^ known);
        }
        if vector != 0 {
            for known in &mut self.vectors {
                *known = (*known).min(*known ^ vector);
            }
            self.vectors.push(vector);
            self.vectors.sort_unstable_by(|a, b| b.cmp(a));
        }
    }
}

/// Exact names of the states of a one-word network.
#[derive(Clone, Debug)]
pub(crate) struct Linear {
    rank: u32,
    origin: u64,
    /// For each byte of a state, the name of its bits.
    encode: Vec<[u64; 256]>,
    /// For each byte of a name, the state bits.
    decode: Vec<[u64; 256]>,
    /// Where the other bits come from, if only those of some components are named.
    determined: Option<Determined>,
}

impl Linear {
    /// The shortest names for states that all lie in `origin` plus the span.
    pub(crate) fn shortest(span: &[u64], origin: u64, determined: Option<&Determined>) -> Self {
        let all = Self::new(span, origin);
        let Some(determined) = determined else {
            return all;
        };
        let span: Vec<u64> = span.iter().map(|v| v & determined.kept).collect();
        let some = Self::new(&span, origin & determined.kept);
        if some.rank >= all.rank {
            return all;
        }
        Self {
            determined: Some(determined.clone()),
            ..some
        }
    }

    /// The names for states that all lie in `origin` plus the span.
    pub(crate) fn new(span: &[u64], origin: u64) -> Self {
        let mut basis = Basis::default();
        for vector in span {
            basis.add(*vector);
        }
        let rank = basis.vectors.len();
        // In a reduced basis the leading bits of a vector are its coordinates.
        let mixed = scramble(rank);
        let mut unit = [0u64; 64];
        for (vector, image) in basis.vectors.iter().zip(&mixed) {
            unit[63 - vector.leading_zeros() as usize] = *image;
        }
        let inverse = invert(&mixed);
        let back: Vec<u64> = inverse
            .iter()
            .map(|coordinates| {
                let chosen = (0..rank).filter(|i| coordinates >> i & 1 == 1);
                chosen.fold(0, |sum, i| sum ^ basis.vectors[i])
            })
            .collect();
        let bytes = |width: usize| width.div_ceil(8).max(1);
        let highest = span.iter().fold(0, |all, v| all | v);
        let width = 64 - highest.leading_zeros() as usize;
        let table = |images: &dyn Fn(usize) -> u64, byte: usize| {
            std::array::from_fn(|value: usize| {
                let bits = (0..8).filter(|bit| value >> bit & 1 == 1);
                bits.fold(0, |sum, bit| sum ^ images(byte * 8 + bit))
            })
        };
        Self {
            rank: u32::try_from(rank).expect("at most 64"),
            origin,
            encode: (0..bytes(width))
                .map(|byte| table(&|bit| unit[bit], byte))
                .collect(),
            decode: (0..bytes(rank))
                .map(|byte| table(&|bit| back.get(bit).copied().unwrap_or(0), byte))
                .collect(),
            determined: None,
        }
    }

    /// How many bits a name has.
    pub(crate) fn rank(&self) -> u32 {
        self.rank
    }

    /// The name of a difference of states.
    #[inline(always)]
    pub(crate) fn difference(&self, pattern: u64) -> u64 {
        let mut name = 0;
        for (byte, table) in self.encode.iter().enumerate() {
            name ^= table[(pattern >> (8 * byte)) as usize & 255];
        }
        name
    }

    /// The name of a state.
    #[inline(always)]
    pub(crate) fn name(&self, state: u64) -> u64 {
        self.difference(state ^ self.origin)
    }

    /// The state of a name.
    #[inline(always)]
    pub(crate) fn state(&self, name: u64) -> u64 {
        let mut state = self.origin;
        for (byte, table) in self.decode.iter().enumerate() {
            state ^= table[(name >> (8 * byte)) as usize & 255];
        }
        match &self.determined {
            Some(determined) => determined.restore(state),
            None => state,
        }
    }
}

/// The columns of a pseudo-random invertible matrix.
fn scramble(rank: usize) -> Vec<u64> {
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    let mask = if rank == 64 {
        u64::MAX
    } else {
        (1 << rank) - 1
    };
    loop {
        let columns: Vec<u64> = (0..rank).map(|_| random() & mask).collect();
        let mut basis = Basis::default();
        for column in &columns {
            basis.add(*column);
        }
        if basis.vectors.len() == rank {
            return columns;
        }
    }
}

/// The columns of the inverse of an invertible matrix.
fn invert(columns: &[u64]) -> Vec<u64> {
    let mut left = columns.to_vec();
    let mut right: Vec<u64> = (0..columns.len()).map(|i| 1 << i).collect();
    for bit in 0..columns.len() {
        let pivot = (bit..columns.len())
            .find(|i| left[*i] >> bit & 1 == 1)
            .expect("the matrix is invertible");
        left.swap(bit, pivot);
        right.swap(bit, pivot);
        for i in 0..columns.len() {
            if i != bit && left[i] >> bit & 1 == 1 {
                left[i] ^= left[bit];
                right[i] ^= right[bit];
            }
        }
    }
    right
}

/// Vectors that span all differences between a state and its successors; for one-word layouts.
pub(super) fn span(
    network: &Network,
    locals: &Locals,
    ending: &[bool],
    layout: &Layout,
) -> Vec<u64> {
    let mut basis = Basis::default();
    let step = |component: usize, source: u32, target: u32| {
        u64::from(source ^ target) << layout.components[component].shift
    };
    spanning(network, locals, ending, step, |vector| basis.add(vector));
    for bit in 0..layout.node.bits() {
        basis.add(1 << (layout.node.shift + bit));
    }
    basis.vectors
}

/// Calls back with vectors that span all differences made by rules that are followed, given the one
/// that a component makes when it goes from a state to another; those of two moves one after the other
/// add up to that of both.
pub(super) fn spanning<V: Copy + Default + BitXorAssign>(
    network: &Network,
    locals: &Locals,
    ending: &[bool],
    step: impl Fn(usize, u32, u32) -> V,
    mut add: impl FnMut(V),
) {
    // One choice for each class of each component; how other choices differ from it is the same for
    // all rules that ask for the class. What resets differ by is the same wherever they lead.
    let mut chosen: AHashMap<(usize, u32), V> = AHashMap::new();
    let mut reset = vec![false; locals.components.len()];
    let followed = locals.live.iter().zip(ending).map(|(live, e)| *live && !e);
    for (rule, _) in network.rules.iter().zip(followed).filter(|(_, f)| *f) {
        let mut together = V::default();
        for (component, event) in &rule.participants {
            let component = component.0 as usize;
            let local = &locals.components[component];
            let class = local.class(*event);
            together ^= *chosen.entry((component, class)).or_insert_with(|| {
                let mut first = None;
                if !local.classes[class as usize].loops {
                    local.each_move(class, |source, target| {
                        let mut choice = step(component, source, target);
                        choice ^= *first.get_or_insert(choice);
                        add(choice);
                    });
                }
                first.unwrap_or_default()
            });
        }
        for (component, state) in &rule.resets {
            let component = component.0 as usize;
            let local = &locals.components[component];
            together ^= step(component, 0, local.dense(*state));
            if !std::mem::replace(&mut reset[component], true) {
                for source in 1..u32::try_from(local.states.len()).expect("numbered by u32") {
                    add(step(component, source, 0));
                }
            }
        }
        add(together);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Plan;
    use super::super::samples::random;
    use super::*;

    #[test]
    fn names_are_exact_and_steps_stay_flips() {
        let span = [0b0111, 0b1110_0000, 0b0111 << 10, 0b1110_0111, 1 << 33];
        let origin = 0x1_2345_6789;
        let linear = Linear::new(&span, origin);
        assert_eq!(linear.rank(), 4);
        let mut names = std::collections::HashSet::new();
        for bits in 0..16u64 {
            let basis = [0b0111, 0b1110_0000, 0b0111 << 10, 1 << 33];
            let state = (0..4)
                .filter(|i| bits >> i & 1 == 1)
                .fold(origin, |s, i| s ^ basis[i as usize]);
            let name = linear.name(state);
            assert!(name < 16);
            assert_eq!(linear.state(name), state);
            assert_eq!(
                linear.name(state ^ span[3]),
                name ^ linear.difference(span[3])
            );
            names.insert(name);
        }
        assert_eq!(names.len(), 16);
    }

    /// Every difference that some rule makes between two packed states.
    fn differences(network: &Network, plan: &Plan) -> Vec<u64> {
        let mut all = Vec::new();
        let rules = network.rules.iter().zip(&plan.locals.live);
        for (rule, _) in rules.filter(|(_, live)| **live) {
            let mut sums = vec![0];
            let mut extend = |component: usize, moves: Vec<(u32, u32)>| {
                let shift = plan.layout.components[component].shift;
                let flips = moves.iter().map(|(from, to)| u64::from(from ^ to) << shift);
                let flips: Vec<u64> = flips.collect();
                let wider = sums
                    .iter()
                    .flat_map(|sum| flips.iter().map(move |f| sum ^ f));
                sums = wider.collect();
                sums.sort_unstable();
                sums.dedup();
            };
            for (component, event) in &rule.participants {
                let component = component.0 as usize;
                let (local, lts) = (
                    &plan.locals.components[component],
                    &network.components[component].lts,
                );
                let mut moves = Vec::new();
                for state in &local.states {
                    let own = lts.transitions(*state).filter(|t| t.0 == *event);
                    moves.extend(own.map(|t| (local.dense(*state), local.dense(t.1))));
                }
                extend(component, moves);
            }
            for (component, state) in &rule.resets {
                let component = component.0 as usize;
                let local = &plan.locals.components[component];
                let to = local.dense(*state);
                let all = local.states.iter().map(|from| (local.dense(*from), to));
                extend(component, all.collect());
            }
            all.append(&mut sums);
        }
        all
    }

    #[test]
    fn the_span_is_that_of_all_differences() {
        for seed in 0..100 {
            let network = random(seed);
            let plan = Plan::new(&network, 1, |_| false, 1).expect("it is small");
            let mut basis = Basis::default();
            for difference in differences(&network, &plan) {
                basis.add(difference);
            }
            assert_eq!(plan.span, basis.vectors);
        }
    }
}
