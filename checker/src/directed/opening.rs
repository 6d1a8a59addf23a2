//! A network that is compiled once and searched from many starts.
//!
//! A game that is not dealt yet is a network whose first events say who starts where: its *opening*.
//! Firing one opening or another gives as many starts as one likes, each at the price of its events,
//! while compiling, measuring distances and finding the moves are done once for all of them. Nothing
//! is assumed of the network: a position is a state that firing rules has led to, and a play from it is
//! replayed on the plain simulator from the very beginning.

use std::time::Duration;

use ahash::AHashMap;
use csp_lts::{EventId, Network, Rule, RuleId, StateId};

use super::{Arena, Improve, Sought, Strategy, plan};
use crate::machine::{MOST_WORDS, Plan};
use crate::options::{Observer, Options};
use crate::search::control::Control;

/// A network compiled for searches from any position.
#[derive(Debug)]
pub struct Opened {
    network: Network,
    /// The rules that are not chased, by the event that they reveal.
    rules: AHashMap<EventId, Vec<RuleId>>,
    inner: Box<dyn Searched>,
}

/// A state in which nothing can be chased, and how it was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    words: Box<[u64]>,
    before: Vec<RuleId>,
}

impl Opened {
    /// Compiles a network for searches after rules that are a goal; the error is a sentence for the
    /// user.
    pub fn new(
        network: Network,
        goal: &dyn Fn(&Rule) -> bool,
        strategy: Strategy,
    ) -> Result<Self, String> {
        let (goals, plan) = plan(&network, goal)?;
        let inner = match plan.layout.words {
            1 => compiled::<1>(&network, plan, &goals, strategy)?,
            2 => compiled::<2>(&network, plan, &goals, strategy)?,
            4 => compiled::<4>(&network, plan, &goals, strategy)?,
            8 => compiled::<8>(&network, plan, &goals, strategy)?,
            16 => compiled::<16>(&network, plan, &goals, strategy)?,
            64 => compiled::<64>(&network, plan, &goals, strategy)?,
            _ => compiled::<MOST_WORDS>(&network, plan, &goals, strategy)?,
        };
        let mut chased = vec![false; network.rules.len()];
        for rule in network.chases.iter().flat_map(|c| c.rules.iter()) {
            chased[rule.0 as usize] = true;
        }
        let mut rules: AHashMap<EventId, Vec<RuleId>> = AHashMap::new();
        for (id, rule) in (0..).map(RuleId).zip(&network.rules) {
            if !chased[id.0 as usize] {
                rules.entry(rule.revealed).or_default().push(id);
            }
        }
        Ok(Self {
            network,
            rules,
            inner,
        })
    }

    /// The network.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The position before any event; the error is a sentence for the user.
    pub fn initial(&self) -> Result<Position, String> {
        let words = self.inner.start();
        let words = words.ok_or("the chase of the initial state never ends")?;
        Ok(Position {
            words,
            before: Vec::new(),
        })
    }

    /// The position after further events, each by its name before hiding. None if one of them is not
    /// possible, or possible in several ways.
    #[must_use]
    pub fn after(&self, position: &Position, events: &[EventId]) -> Option<Position> {
        let mut position = position.clone();
        for event in events {
            let mut next = None;
            for rule in self.rules.get(event)? {
                let Some(words) = self.inner.fire(&position.words, *rule) else {
                    continue;
                };
                match &next {
                    None => next = Some((words, *rule)),
                    Some((known, _)) if *known == words => {}
                    Some(_) => return None,
                }
            }
            let (words, rule) = next?;
            position.words = words;
            position.before.push(rule);
        }
        Some(position)
    }

    /// The local states of a position.
    #[must_use]
    pub fn state(&self, position: &Position) -> Vec<StateId> {
        self.inner.unpack(&position.words)
    }

    /// What can be done in a position, in the order of the rules: the event by its name before hiding,
    /// and the position after it. None if an event can lead to several positions, or chasing never ends.
    #[must_use]
    pub fn moves(&self, position: &Position) -> Option<Vec<(EventId, Position)>> {
        let mut moves: Vec<(EventId, Position)> = Vec::new();
        for rule in self.inner.enabled(&position.words) {
            let event = self.network.rules[rule.0 as usize].revealed;
            let mut before = position.before.clone();
            before.push(rule);
            let words = self.inner.fire(&position.words, rule)?;
            let next = Position { words, before };
            match moves.iter().find(|(known, _)| *known == event) {
                None => moves.push((event, next)),
                Some((_, known)) if known.words == next.words => {}
                Some(_) => return None,
            }
        }
        Some(moves)
    }

    /// Whether a goal can be fired at once.
    #[must_use]
    pub fn is_won(&self, position: &Position) -> bool {
        self.inner.is_won(&position.words)
    }

    /// Goes through positions of two networks side by side, breadth first, at most this many pairs: from
    /// each pair the same events must be possible, and lead to pairs again. How many pairs agree, or
    /// the first event on which they differ. `renamed` says what an event of this network is called in
    /// the other.
    pub fn agree(
        &self,
        here: &Position,
        other: &Self,
        there: &Position,
        renamed: &dyn Fn(EventId) -> Option<EventId>,
        most: usize,
    ) -> Result<usize, EventId> {
        let mut twins: AHashMap<Box<[u64]>, Box<[u64]>> = AHashMap::new();
        let mut backwards: AHashMap<Box<[u64]>, Box<[u64]>> = AHashMap::new();
        let mut pairs = std::collections::VecDeque::from([(here.clone(), there.clone())]);
        twins.insert(here.words.clone(), there.words.clone());
        backwards.insert(there.words.clone(), here.words.clone());
        while let Some((here, there)) = pairs.pop_front() {
            let mine = self.moves(&here).unwrap_or_default();
            let theirs = other.moves(&there).unwrap_or_default();
            if let Some((extra, _)) = theirs
                .iter()
                .find(|(event, _)| !mine.iter().any(|(own, _)| renamed(*own) == Some(*event)))
            {
                return Err(*extra);
            }
            for (event, next) in mine {
                let twin = theirs
                    .iter()
                    .find(|(other, _)| renamed(event) == Some(*other));
                let (_, twin) = twin.ok_or(event)?;
                let known = (twins.get(&next.words), backwards.get(&twin.words));
                match known {
                    (Some(there), Some(here)) if *there == twin.words && *here == next.words => {}
                    (None, None) if twins.len() < most => {
                        twins.insert(next.words.clone(), twin.words.clone());
                        backwards.insert(twin.words.clone(), next.words.clone());
                        pairs.push_back((next, twin.clone()));
                    }
                    (None, None) => {}
                    _ => return Err(event),
                }
            }
        }
        Ok(twins.len())
    }

    /// Searches from a position for a way to fire a rule that is a goal, as [`super::seek`] does. The
    /// play has the steps after the position.
    pub fn seek(
        &self,
        position: &Position,
        improve: Option<Duration>,
        options: &Options,
        observer: &dyn Observer,
    ) -> Sought {
        let control = Control::new(options, observer);
        let improve = Improve {
            time: improve,
            observer,
        };
        self.inner.seek(&self.network, position, &control, improve)
    }
}

/// What an [`Arena`] of any width can do.
trait Searched: std::fmt::Debug + Send + Sync {
    /// The initial state, chased; None if that never ends.
    fn start(&self) -> Option<Box<[u64]>>;
    /// The state after a rule, chased; None if it cannot fire, leads to several states, or chasing
    /// never ends.
    fn fire(&self, words: &[u64], rule: RuleId) -> Option<Box<[u64]>>;
    /// The rules that can fire, ascending.
    fn enabled(&self, words: &[u64]) -> Vec<RuleId>;
    fn is_won(&self, words: &[u64]) -> bool;
    fn unpack(&self, words: &[u64]) -> Vec<StateId>;
    fn seek(
        &self,
        network: &Network,
        position: &Position,
        control: &Control<'_>,
        improve: Improve<'_>,
    ) -> Sought;
}

fn compiled<const N: usize>(
    network: &Network,
    plan: Plan,
    goals: &[bool],
    strategy: Strategy,
) -> Result<Box<dyn Searched>, String> {
    let arena = Arena::<N>::new(network, plan, goals, strategy)?;
    Ok(Box::new(arena))
}

fn whole<const N: usize>(words: &[u64]) -> [u64; N] {
    words
        .try_into()
        .expect("positions are asked about where they were made")
}

impl<const N: usize> Searched for Arena<N> {
    fn start(&self) -> Option<Box<[u64]>> {
        let mut start = self.machine.start();
        self.machine.chase_all(&mut start).ok()?;
        Some(Box::new(start))
    }

    fn fire(&self, words: &[u64], rule: RuleId) -> Option<Box<[u64]>> {
        let state = whole::<N>(words);
        // A rule may have been cut into cases, which lie side by side.
        let rules = &self.machine.rules;
        let first = rules.partition_point(|code| code.id < rule);
        let cases = rules[first..].iter().take_while(|code| code.id == rule);
        let mut next = None;
        for (at, _) in (u32::try_from(first).ok()?..).zip(cases) {
            if !self.machine.can_fire(at, &state) {
                continue;
            }
            let mut children = Vec::new();
            self.machine.fire(&state, at, |child| children.push(*child));
            for mut child in children {
                let mut dirty = Vec::new();
                self.machine
                    .chase_after(at, &state, &mut child, &mut dirty)
                    .ok()?;
                if next.replace(child).is_some_and(|other| other != child) {
                    return None;
                }
            }
        }
        next.map(|next| Box::new(next) as Box<[u64]>)
    }

    fn enabled(&self, words: &[u64]) -> Vec<RuleId> {
        let mut enabled = Vec::new();
        self.machine.enabled(&whole::<N>(words), &mut enabled);
        let ids = enabled.iter().map(|at| self.machine.rules[*at as usize].id);
        let mut ids: Vec<RuleId> = ids.collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    fn is_won(&self, words: &[u64]) -> bool {
        let mut enabled = Vec::new();
        self.machine.enabled(&whole::<N>(words), &mut enabled);
        enabled.iter().any(|at| self.is_goal[*at as usize])
    }

    fn unpack(&self, words: &[u64]) -> Vec<StateId> {
        self.machine.unpack(&whole::<N>(words))
    }

    fn seek(
        &self,
        network: &Network,
        position: &Position,
        control: &Control<'_>,
        improve: Improve<'_>,
    ) -> Sought {
        let start = whole::<N>(&position.words);
        self.run(network, &start, &position.before, control, improve)
    }
}
