//! Repetition in a long behaviour, told once.
//!
//! From each step on, the shortest stretch is taken whose repetition right after it saves most; what follows is
//! looked at in the same way. A reader sees every step that differs from what came before, and how often the
//! rest was repeated.

use std::collections::HashMap;
use std::hash::Hash;

/// Stretches longer than this are not looked for.
const LONGEST: usize = 32;

/// A stretch is folded if it is there at least this many times.
const TIMES: usize = 3;

/// A line of a folded behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// A step, by its place.
    Step(usize),
    /// The steps before this line are repeated.
    Again {
        /// How many of the steps before.
        length: usize,
        /// How often they are repeated.
        times: usize,
        /// The place after the last repetition.
        to: usize,
    },
}

/// Steps with their repetitions folded; steps are the same if their keys are.
pub fn folded<K: Eq + Hash>(keys: &[K]) -> Vec<Line> {
    let mut numbers: HashMap<&K, usize> = HashMap::new();
    let mut ids = Vec::with_capacity(keys.len());
    for key in keys {
        let next = numbers.len();
        ids.push(*numbers.entry(key).or_insert(next));
    }
    let mut lines = Vec::new();
    let mut at = 0;
    while at < ids.len() {
        let Some((length, times)) = repetition(&ids[at..]) else {
            lines.push(Line::Step(at));
            at += 1;
            continue;
        };
        lines.extend((at..at + length).map(Line::Step));
        at += length * times;
        lines.push(Line::Again {
            length,
            times: times - 1,
            to: at,
        });
    }
    lines
}

/// The stretch at the beginning whose repetition saves most, and how often it is there.
fn repetition(ids: &[usize]) -> Option<(usize, usize)> {
    let mut best = None;
    let mut saved = 0;
    for length in 1..=LONGEST.min(ids.len() / TIMES) {
        let first = &ids[..length];
        let times = ids
            .chunks(length)
            .take_while(|chunk| *chunk == first)
            .count();
        if times >= TIMES && length * (times - 1) > saved {
            saved = length * (times - 1);
            best = Some((length, times));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_repeated_is_told_once() {
        let keys: Vec<char> = "xababababyzz".chars().collect();
        let again = |length, times, to| Line::Again { length, times, to };
        let expected = [
            Line::Step(0),
            Line::Step(1),
            Line::Step(2),
            again(2, 3, 9),
            Line::Step(9),
            Line::Step(10),
            Line::Step(11),
        ];
        assert_eq!(folded(&keys), expected);
        assert_eq!(folded(&[7; 1_000]), [Line::Step(0), again(1, 999, 1_000)]);
    }

    #[test]
    fn no_step_is_lost() {
        // A sequence in which everything occurs, from a small generator.
        let mut seed = 1u32;
        let keys: Vec<u32> = (0..500)
            .map(|_| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                seed >> 31
            })
            .collect();
        let mut unfolded = Vec::new();
        for line in folded(&keys) {
            match line {
                Line::Step(at) => unfolded.push(keys[at]),
                Line::Again { length, times, to } => {
                    for _ in 0..times * length {
                        unfolded.push(unfolded[unfolded.len() - length]);
                    }
                    assert_eq!(unfolded.len(), to);
                }
            }
        }
        assert_eq!(unfolded, keys);
    }
}
