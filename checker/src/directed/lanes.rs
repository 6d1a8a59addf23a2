//! Several orders of expansion side by side: a state waits in each of them and is expanded when the
//! first has its turn.
//!
//! One order is always misled somewhere. *New* prefers what is new and then what is near
//! ([`super::novelty`]); *near* prefers what is near and then what came last; *kinds* takes any
//! distance and depth as likely as any other, and any state of that kind. They take turns, so none
//! costs more than its share, and since every state waits in all of them nothing is ever lost. Source:
//! Röger and Helmert, "The more, the merrier" (2010), for taking turns; Xie, Müller, Holte and Imai,
//! "Type-based exploration with multiple search queues" (2014), for kinds.

use ahash::AHashMap;

use super::queue::{Promise, Queue};
use crate::store::{Account, Full};

/// What is known of a state that waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    pub(crate) number: u32,
    pub(crate) promise: Promise,
    pub(crate) distance: u32,
    pub(crate) depth: u32,
}

/// States that wait to be expanded.
#[derive(Debug)]
pub(crate) struct Lanes {
    new: Queue,
    /// The other orders, unless one is enough.
    others: Option<Others>,
}

#[derive(Debug)]
struct Others {
    near: Queue,
    kinds: Kinds,
    turn: u64,
    /// Whether each state was expanded.
    expanded: Vec<bool>,
}

/// In this number of turns each order has one, but for the first, which has the others.
const TURNS: u64 = 4;
/// Before this many states are expanded the first order has all turns: it decides most games alone.
const ALONE: u64 = 1 << 15;

impl Lanes {
    /// No states. One order is enough if a shortest way is looked for.
    pub(crate) fn new(one_is_enough: bool) -> Self {
        Self {
            new: Queue::default(),
            others: (!one_is_enough).then(|| Others {
                near: Queue::default(),
                kinds: Kinds::default(),
                turn: 0,
                expanded: Vec::new(),
            }),
        }
    }

    /// Adds a state.
    pub(crate) fn push(&mut self, waiting: Waiting, account: &Account) -> Result<(), Full> {
        let Waiting {
            number,
            promise,
            distance,
            depth,
        } = waiting;
        self.new.push(promise, number, account)?;
        if let Some(others) = &mut self.others {
            let near = (distance, u32::MAX - depth);
            others.near.push(near, number, account)?;
            others.kinds.push((distance, depth), number, account)?;
        }
        Ok(())
    }

    /// Takes the state that is to be expanded next, with its promise.
    pub(crate) fn pop(&mut self) -> Option<(Promise, u32)> {
        let Some(others) = &mut self.others else {
            return self.new.pop();
        };
        others.turn += 1;
        let turn = match others.turn < ALONE {
            true => 0,
            false => others.turn % TURNS,
        };
        loop {
            let number = match turn {
                1 => others.near.pop().map(|(_, number)| number),
                3 => others.kinds.pop(),
                _ => self.new.pop().map(|(_, number)| number),
            };
            // Whatever waits in one order waits in all of them.
            let number = number?;
            let at = number as usize;
            if others.expanded.len() <= at {
                others.expanded.resize(at + 1, false);
            }
            if !std::mem::replace(&mut others.expanded[at], true) {
                return Some(((0, 0), number));
            }
        }
    }

    /// How many states wait, at most.
    pub(crate) fn len(&self) -> u64 {
        self.new.len()
    }
}

/// States by kind; any kind is taken as likely as any other.
#[derive(Debug)]
struct Kinds {
    kinds: Vec<((u32, u32), Vec<u32>)>,
    places: AHashMap<(u32, u32), usize>,
    random: u64,
    length: usize,
    taken: usize,
}

impl Default for Kinds {
    fn default() -> Self {
        Self {
            kinds: Vec::new(),
            places: AHashMap::new(),
            random: 0x9e37_79b9_7f4a_7c15,
            length: 0,
            taken: 0,
        }
    }
}

/// What a state is reckoned at, and for how many memory is taken at a time.
const ENTRY_BYTES: usize = 8;
const PORTION: usize = 4096;

impl Kinds {
    fn push(&mut self, kind: (u32, u32), number: u32, account: &Account) -> Result<(), Full> {
        if self.length >= self.taken {
            account.take(PORTION * ENTRY_BYTES)?;
            self.taken += PORTION;
        }
        self.length += 1;
        let kinds = &mut self.kinds;
        let place = *self.places.entry(kind).or_insert_with(|| {
            kinds.push((kind, Vec::new()));
            kinds.len() - 1
        });
        self.kinds[place].1.push(number);
        Ok(())
    }

    fn pop(&mut self) -> Option<u32> {
        if self.kinds.is_empty() {
            return None;
        }
        let place = self.below(self.kinds.len());
        let at = self.below(self.kinds[place].1.len());
        let number = self.kinds[place].1.swap_remove(at);
        self.length -= 1;
        if self.kinds[place].1.is_empty() {
            let (kind, _) = self.kinds.swap_remove(place);
            self.places.remove(&kind);
            if let Some((moved, _)) = self.kinds.get(place) {
                self.places.insert(*moved, place);
            }
        }
        Some(number)
    }

    /// A number below a bound. The same numbers on every run (xorshift).
    fn below(&mut self, bound: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        ((u128::from(self.random) * bound as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_is_taken_once() {
        for one in [true, false] {
            let account = Account::new(None);
            let mut lanes = Lanes::new(one);
            for number in 0..1000 {
                let waiting = Waiting {
                    number,
                    promise: (number % 3, number % 7),
                    distance: number % 11,
                    depth: number / 13,
                };
                lanes.push(waiting, &account).expect("no limit");
            }
            let mut taken: Vec<u32> = std::iter::from_fn(|| lanes.pop()).map(|t| t.1).collect();
            taken.sort_unstable();
            assert_eq!(taken, (0..1000).collect::<Vec<u32>>());
        }
    }
}
