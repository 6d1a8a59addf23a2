//! The shortest way through a machine whose every step rewrites a few words.
//!
//! Networks of small components, and nothing chased or blocked: what can fire is a set of at most
//! 128 rules (or cases of rules), each of which keeps some bits of a state and flips others.

use super::Machine;
use super::finder::{Chunks, Finder};

/// The most rules of a machine with a plain form.
pub(super) const MOST_PLAIN: usize = 128;

/// Every rule rewrites all words, so these should be few.
const MOST_WORDS: usize = 4;

/// For each rule what it keeps and flips of each word.
#[derive(Debug)]
pub(crate) struct Plain<const N: usize> {
    rules: Vec<[(u64, u64); N]>,
}

impl<const N: usize> Plain<N> {
    /// What each rule keeps and flips of the first word.
    pub(crate) fn first_words(&self) -> Vec<(u64, u64)> {
        self.rules.iter().map(|words| words[0]).collect()
    }
}

impl<const N: usize> Machine<N> {
    /// The plain form of the machine, if it has one.
    pub(super) fn plain(&self) -> Option<Plain<N>> {
        let Finder::Chunks(chunks) = &self.finder else {
            return None;
        };
        let narrow = chunks.width() <= 2 && N <= MOST_WORDS;
        if !narrow || self.has_blockers || self.chaser.is_some() {
            return None;
        }
        let rules = self.rules.iter().map(|rule| {
            let mut words = [(u64::MAX, 0); N];
            for flip in self.code.only_flips(rule)? {
                words[flip.word as usize] = (flip.keep, flip.flip);
            }
            Some(words)
        });
        rules.collect::<Option<_>>().map(|rules| Plain { rules })
    }

    /// Visits the rules that can fire: with the state that it leads to for rules in `usual`, else
    /// with the rule alone. Only for machines with a plain form.
    #[inline(always)]
    pub(crate) fn step_plain(
        &self,
        plain: &Plain<N>,
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
    plain: &Plain<N>,
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
            let words = &plain.rules[rule as usize];
            let target = std::array::from_fn(|at| (state[at] & words[at].0) ^ words[at].1);
            follow(rule, &target);
        }
        let mut rules = word & !usual[at];
        while rules != 0 {
            other(base + rules.trailing_zeros());
            rules &= rules - 1;
        }
    }
}
