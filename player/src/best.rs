//! Values: after each move, the share of guesses that can still be won.
//!
//! A guess is drawn, the move is made on it, and what it leads to is solved. Which move is tried next is
//! decided by upper confidence bounds, so that most runs go to the moves that matter. The best is played;
//! among equals one that reveals something, and never one that leads to where the game has been.

use std::collections::HashSet;

use crate::settings::Settings;
use crate::{Effort, End, Line, Played, Random, Table, View, each};

/// A move and what was found out about it.
#[derive(Clone, Debug)]
pub(crate) struct Arm<M> {
    pub(crate) chosen: M,
    pub(crate) tried: u64,
    won: u64,
    reveals: usize,
}

impl<M> Arm<M> {
    /// The share of guesses that were won.
    pub(crate) fn mean(&self) -> f64 {
        self.won as f64 / self.tried.max(1) as f64
    }

    fn bound(&self, all: u64) -> f64 {
        let explored = (all.max(2) as f64).ln() / self.tried.max(1) as f64;
        self.mean() + (0.5 * explored).sqrt()
    }
}

/// Runs that are made before bounds are compared again.
const BLOCK: u64 = 4;

pub(crate) fn play<T: Table>(
    table: &mut T,
    settings: &Settings,
    watched: &mut dyn FnMut(&<T::View as View>::Move) -> bool,
) -> Played<<T::View as View>::Move> {
    let mut played = Played {
        end: End::GaveUp,
        moves: Vec::new(),
        decisions: 0,
        runs: 0,
    };
    // Where the game has been since something was last revealed: guesses that differ in what is hidden
    // are told apart, so one guess stands for all.
    let mut been = HashSet::new();
    let mut witness = table
        .view()
        .guess(&mut Random::new(settings.solveseed, &[0]));
    loop {
        if table.is_won() {
            played.end = End::Won;
            return played;
        }
        if table.is_lost(settings.effort()) {
            played.end = End::Lost;
            return played;
        }
        played.decisions += 1;
        let view = table.view();
        if view.unknown() < 2 {
            let guess = view.guess(&mut Random::new(settings.solveseed, &[1]));
            let line = guess.map(|guess| {
                view.solve(&guess, Effort::nodes(settings.run_node_limit.max(1 << 20)))
            });
            played.runs += 1;
            let Some(Line::Won(line)) = line else {
                return played;
            };
            for chosen in line {
                if !watched(&chosen) || !table.play(&chosen) {
                    return played;
                }
                played.moves.push(chosen);
            }
            if !table.is_won() {
                return played;
            }
            continue;
        }
        been.extend(witness.clone());
        let is_old = |chosen: &<T::View as View>::Move| {
            let after = witness.as_ref().and_then(|w| view.after(w, chosen));
            after.is_none_or(|(guess, reveals)| reveals == 0 && been.contains(&guess))
        };
        let arms = values(view, settings, played.decisions as u64, &is_old);
        played.runs += arms.iter().map(|arm| arm.tried).sum::<u64>();
        let best = arms.iter().filter(|arm| arm.won > 0).reduce(|best, arm| {
            let key = |a: &Arm<_>| (a.mean(), a.reveals);
            if key(arm) > key(best) { arm } else { best }
        });
        let Some(chosen) = best.map(|arm| arm.chosen.clone()) else {
            return played;
        };
        let unknown = view.unknown();
        let next = witness.as_ref().and_then(|w| view.after(w, &chosen));
        if !watched(&chosen) || !table.play(&chosen) {
            return played;
        }
        played.moves.push(chosen);
        if table.view().unknown() == unknown {
            witness = next.map(|(guess, _)| guess);
        } else {
            been.clear();
            let mut random = Random::new(settings.solveseed, &[0, played.decisions as u64]);
            witness = table.view().guess(&mut random);
        }
    }
}

/// Tries the moves that are not old on guesses, as many as the settings allow.
pub(crate) fn values<V: View>(
    view: &V,
    settings: &Settings,
    decision: u64,
    is_old: &dyn Fn(&V::Move) -> bool,
) -> Vec<Arm<V::Move>> {
    let Some(any) = view.guess(&mut Random::new(settings.solveseed, &[decision, u64::MAX])) else {
        return Vec::new();
    };
    let moves = view.moves(&any).into_iter().filter(|m| !is_old(m));
    let mut arms: Vec<Arm<V::Move>> = moves
        .map(|chosen| Arm {
            reveals: view.after(&any, &chosen).map_or(0, |(_, reveals)| reveals),
            chosen,
            tried: 0,
            won: 0,
        })
        .collect();
    let mut runs = 0;
    while runs < settings.runs_per_decision && !arms.is_empty() {
        // What was never tried comes first; ties go to the first of the moves.
        let pick = arms.iter().enumerate().reduce(|best, arm| {
            let key = |a: &Arm<_>| {
                if a.tried == 0 {
                    f64::INFINITY
                } else {
                    a.bound(runs)
                }
            };
            if key(arm.1) > key(best.1) { arm } else { best }
        });
        let Some((at, _)) = pick else {
            break;
        };
        let (chosen, tried) = (arms[at].chosen.clone(), arms[at].tried);
        // The same guesses for every move, so that moves are compared and not guesses.
        let block = BLOCK.min(settings.runs_per_decision - runs);
        let range = tried..tried + block;
        let won = each(settings.max_concurrent_threads, range, &|number| {
            let mut random = Random::new(settings.solveseed, &[decision, number]);
            let guess = view.guess(&mut random)?;
            let (child, _) = view.after(&guess, &chosen)?;
            let is_won = view.is_won(&child)
                || matches!(view.solve(&child, settings.effort()), Line::Won(_));
            is_won.then_some(())
        });
        arms[at].won += won.iter().flatten().count() as u64;
        arms[at].tried += block;
        runs += block;
        if arms.len() == 1 && arms[0].won > 0 {
            break;
        }
    }
    arms
}
