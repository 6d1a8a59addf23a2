//! Which input a number stands for.

use crate::generate;
use crate::mutate;
use crate::random::Random;

/// Where an input comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A script made to be well typed.
    Sound,
    /// The same with a few expressions of the wrong type.
    Unsound,
    /// A script of the corpus, or a piece of one, with a few changes.
    Mutated,
    /// Tokens in any order.
    Soup,
    /// Characters in any order.
    Noise,
}

/// All kinds, as counted in reports.
pub const KINDS: [Kind; 5] = [
    Kind::Sound,
    Kind::Unsound,
    Kind::Mutated,
    Kind::Soup,
    Kind::Noise,
];

/// The input of this number.
#[must_use]
pub fn input(seed: u64, number: u64, corpus: &[String]) -> (Kind, String) {
    let random = &mut Random::new(seed, number);
    match random.below(16) {
        0..2 => (Kind::Sound, generate::script(random, false)),
        2 => (Kind::Unsound, generate::script(random, true)),
        3..7 if !corpus.is_empty() => (Kind::Mutated, mutate::mutated(random, corpus)),
        3..13 => (Kind::Soup, mutate::soup(random)),
        _ => (Kind::Noise, mutate::noise(random)),
    }
}
