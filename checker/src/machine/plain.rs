//! The shortest way through a machine whose every step rewrites one word.
//!
//! Networks of small components, and nothing chased or blocked: what can fire is a set of at most
//! 128 rules, and each rule keeps some bits of one word and flips others.

use super::Machine;
use super::finder::{Chunks, Finder};
use super::rule::Flip;

/// Rules that rewrite one word each.
#[derive(Debug)]
pub(crate) struct Plain {
    flips: Vec<Flip>,
}

impl<const N: usize> Machine<N> {
    /// The plain form of the machine, if it has one.
    pub(super) fn plain(&self) -> Option<Plain> {
        let Finder::Chunks(chunks) = &self.finder else {
            return None;
        };
        if chunks.width() > 2 || self.has_blockers || self.chaser.is_some() {
            return None;
        }
        let unchanged = Flip {
            word: 0,
            keep: u64::MAX,
            flip: 0,
        };
        let flips = self
            .rules
            .iter()
            .map(|rule| match self.code.only_flips(rule)? {
                [] => Some(unchanged),
                [flip] => Some(*flip),
                _ => None,
            });
        flips.collect::<Option<_>>().map(|flips| Plain { flips })
    }

    /// Visits the rules that can fire: with the state that it leads to for rules in `usual`, else
    /// with the rule alone. Only for machines with a plain form.
    #[inline(always)]
    pub(crate) fn step_plain(
        &self,
        plain: &Plain,
        usual: &[u64; 2],
        state: &[u64; N],
        follow: impl FnMut(u32, &[u64; N]),
        other: impl FnMut(u32),
    ) {
        let Finder::Chunks(chunks) = &self.finder else {
            unreachable!("a plain machine finds its rules by chunks");
        };
        if chunks.width() == 1 {
            step::<N, 1>(chunks, plain, usual, state, follow, other);
        } else {
            step::<N, 2>(chunks, plain, usual, state, follow, other);
        }
    }
}

#[inline(always)]
fn step<const N: usize, const W: usize>(
    chunks: &Chunks,
    plain: &Plain,
    usual: &[u64; 2],
    state: &[u64; N],
    mut follow: impl FnMut(u32, &[u64; N]),
    mut other: impl FnMut(u32),
) {
    let set = chunks.set::<N, W>(state);
    for (at, word) in set.iter().enumerate() {
        let base = 64 * at as u32;
        let mut rules = word & usual[at];
        while rules != 0 {
            let rule = base + rules.trailing_zeros();
            rules &= rules - 1;
            let flip = &plain.flips[rule as usize];
            let mut target = *state;
            let word = &mut target[if N == 1 { 0 } else { flip.word as usize }];
            *word = (*word & flip.keep) ^ flip.flip;
            follow(rule, &target);
        }
        let mut rules = word & !usual[at];
        while rules != 0 {
            other(base + rules.trailing_zeros());
            rules &= rules - 1;
        }
    }
}
