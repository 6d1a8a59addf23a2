//! The optimum: how many of the states that look alike are won by the best strategy that sees no more
//! than a player does. For short packs only: everything is listed.
//!
//! States that look alike are kept together. Moves that show nothing new lead all of them on together;
//! a move that shows different things divides them. The best strategy walks, by moves that show nothing
//! new, to the division that leaves most states winnable.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::{Effort, View};

/// What the best strategy comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Optimum {
    /// How many of the states are won by the best strategy that does not see what is hidden.
    pub hidden: usize,
    /// How many of them can be won if everything is seen.
    pub thoughtful: usize,
}

/// The optimum for states that look alike. `seen` says what a player sees of a state after a move.
pub fn optimum<V: View>(
    view: &V,
    states: &[V::Guess],
    seen: &dyn Fn(&V::Guess) -> String,
    effort: Effort,
) -> Optimum {
    let mut search = Search {
        view,
        seen,
        effort,
        winnable: HashMap::new(),
        known: HashMap::new(),
    };
    let thoughtful = states.iter().filter(|s| search.winnable(s)).count();
    Optimum {
        hidden: search.value(states),
        thoughtful,
    }
}

struct Search<'a, V: View> {
    view: &'a V,
    seen: &'a dyn Fn(&V::Guess) -> String,
    effort: Effort,
    winnable: HashMap<V::Guess, bool>,
    known: HashMap<Vec<V::Guess>, usize>,
}

impl<V: View> Search<'_, V> {
    fn winnable(&mut self, state: &V::Guess) -> bool {
        if let Some(known) = self.winnable.get(state) {
            return *known;
        }
        let line = self.view.solve(state, self.effort);
        let winnable = self.view.is_won(state) || matches!(line, crate::Line::Won(_));
        self.winnable.insert(state.clone(), winnable);
        winnable
    }

    fn value(&mut self, states: &[V::Guess]) -> usize {
        let alive = states.iter().filter(|s| self.winnable(s)).count();
        if alive == 0 || states.len() == 1 {
            return alive;
        }
        if let Some(known) = self.known.get(states) {
            return *known;
        }
        // Everywhere all of them can go together.
        let mut places: Vec<Vec<V::Guess>> = vec![states.to_vec()];
        let mut been = HashSet::from([states.to_vec()]);
        let mut best = 0;
        let mut at = 0;
        while at < places.len() && best < alive {
            let place = places[at].clone();
            at += 1;
            if place.iter().all(|state| self.view.is_won(state)) {
                best = place.len();
                continue;
            }
            for chosen in self.view.moves(&place[0]) {
                let mut parts: BTreeMap<(bool, String), Vec<V::Guess>> = BTreeMap::new();
                for state in &place {
                    let Some((next, _)) = self.view.after(state, &chosen) else {
                        continue;
                    };
                    // Whoever has won sees that, too.
                    let seen = (self.view.is_won(&next), (self.seen)(&next));
                    parts.entry(seen).or_default().push(next);
                }
                if parts.len() == 1 {
                    for (_, part) in parts {
                        if part.len() == place.len() && been.insert(part.clone()) {
                            places.push(part);
                        }
                    }
                } else {
                    let total = parts.values().map(|part| self.value(part)).sum();
                    best = best.max(total);
                }
            }
        }
        self.known.insert(states.to_vec(), best);
        best
    }
}
