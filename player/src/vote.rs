//! Votes: the first moves of solved guesses, as in the paper.
//!
//! A voter is a guess with a line that wins it. While the moves that are played are those of its line
//! it keeps its vote without a run of the solver (the *buffer*), until something is revealed. If enough
//! voters agree their move is played; otherwise voters are added, and when there are as many as allowed
//! the move with most votes is played.

use std::collections::BTreeMap;

use crate::settings::Settings;
use crate::{End, Line, Played, Random, Table, View, each};

/// A guess that was solved: the moves that are left of its line, the next one last.
struct Voter<M> {
    rest: Vec<M>,
}

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
    let mut voters: Vec<Voter<<T::View as View>::Move>> = Vec::new();
    let mut asked = 0;
    loop {
        if table.is_won() {
            played.end = End::Won;
            return played;
        }
        voters.retain(|voter| !voter.rest.is_empty());
        let chosen = match leader(&voters, settings.agree_ratio) {
            // Most voters agree without having been asked again.
            Some((chosen, true)) => chosen,
            _ => {
                played.decisions += 1;
                if table.is_lost(settings.effort()) {
                    played.end = End::Lost;
                    return played;
                }
                let decision = played.decisions as u64;
                let view = table.view();
                let Some(chosen) = decide(view, settings, decision, &mut voters, &mut asked) else {
                    played.runs += std::mem::take(&mut asked);
                    return played;
                };
                played.runs += std::mem::take(&mut asked);
                chosen
            }
        };
        if !watched(&chosen) {
            return played;
        }
        let unknown = table.view().unknown();
        if !table.play(&chosen) {
            return played;
        }
        played.moves.push(chosen.clone());
        if table.view().unknown() != unknown {
            voters.clear();
        }
        // Those that wanted another move are not asked about this one.
        voters.retain_mut(|voter| voter.rest.pop().as_ref() == Some(&chosen));
    }
}

/// The move with most votes, the first of them if there are several, and whether enough agree.
fn leader<M: Clone + Ord>(voters: &[Voter<M>], agree_ratio: u64) -> Option<(M, bool)> {
    let mut votes: BTreeMap<&M, u64> = BTreeMap::new();
    for vote in voters.iter().filter_map(|voter| voter.rest.last()) {
        *votes.entry(vote).or_default() += 1;
    }
    let all: u64 = votes.values().sum();
    let most = votes.values().copied().max()?;
    let (chosen, _) = votes.into_iter().find(|(_, count)| *count == most)?;
    Some((chosen.clone(), most * 100 >= all * agree_ratio))
}

/// Asks until enough agree. None if nobody has an idea.
fn decide<V: View>(
    view: &V,
    settings: &Settings,
    decision: u64,
    voters: &mut Vec<Voter<V::Move>>,
    asked: &mut u64,
) -> Option<V::Move> {
    // What is known needs one voter, who is right.
    let is_known = view.unknown() < 2;
    let most = if is_known { 1 } else { settings.max_vote_count };
    let mut wanted = settings.initial_vote_count.min(most);
    loop {
        let first = *asked;
        let solved = each(settings.max_concurrent_threads, first..wanted, &|number| {
            let mut random = Random::new(settings.solveseed, &[decision, number]);
            let guess = view.guess(&mut random)?;
            match view.solve(&guess, settings.effort()) {
                Line::Won(mut rest) => {
                    rest.reverse();
                    Some(Voter { rest })
                }
                Line::Lost | Line::Unknown => None,
            }
        });
        *asked = wanted;
        voters.extend(solved.into_iter().flatten());
        match leader(voters, settings.agree_ratio) {
            Some((chosen, true)) => return Some(chosen),
            leader if wanted >= most || settings.vote_increase_step == 0 => {
                return leader.map(|(chosen, _)| chosen);
            }
            _ => wanted = (wanted + settings.vote_increase_step).min(most),
        }
    }
}
