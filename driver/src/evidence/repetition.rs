//! A behaviour of a network that does some events and then others for ever.
//!
//! The states of the network are paired with how far the events have come; those that are repeated lead from the last
//! to the first. A behaviour that goes on for ever is a way to such a pair and a way from it back to itself, on which
//! an event is done, or on which something happens at all if nothing is to be repeated.

use std::collections::{HashMap, VecDeque};

use csp_checker::Step;
use csp_checker::reference::{Simulator, State};
use csp_lts::{EventId, Network};

use super::open::MOST_STATES;

/// Pairs that are looked at, over all attempts to come back.
const MOST_TRIED: usize = 20 * MOST_STATES;

/// What was found.
pub(super) struct Repetition {
    /// The way to where it begins.
    pub(super) steps: Vec<Step>,
    /// Where it leads.
    pub(super) end: State,
    /// What is repeated.
    pub(super) cycle: Vec<Step>,
    /// How many rounds of the events are in the way.
    pub(super) before: usize,
    /// How many are in what is repeated.
    pub(super) rounds: usize,
}

/// A way from one pair to another.
struct Way {
    target: usize,
    steps: Vec<Step>,
    /// An event of those wanted, not a τ.
    is_event: bool,
    /// The last of those that are repeated.
    ends_round: bool,
}

/// A state, and how many of the events have been done; the ways from it.
struct Pair {
    state: State,
    done: usize,
    ways: Vec<Way>,
    /// The pair it was first reached from, and by which of its ways.
    from: Option<(usize, usize)>,
}

/// Finds a behaviour that does these events and then the cycle for ever; silently, if the cycle is empty.
pub(super) fn repetition(
    network: &Network,
    events: &[EventId],
    cycle: &[EventId],
) -> Result<Repetition, String> {
    let simulator = Simulator::new(network);
    let endless = "chasing inside a compressed part does not end";
    let (start, opening) = simulator.initial().map_err(|_| endless.to_owned())?;
    let pairs = pairs(&simulator, start, events, cycle)?;
    let mut tried = 0;
    for first in 0..pairs.len() {
        if pairs[first].done != events.len() {
            continue;
        }
        let Some(back) = back(&pairs, first, !cycle.is_empty(), &mut tried) else {
            if tried > MOST_TRIED {
                break;
            }
            continue;
        };
        let way = way_to(&pairs, first);
        let rounds = |ways: &[&Way]| ways.iter().filter(|way| way.ends_round).count();
        let steps = |ways: &[&Way]| -> Vec<Step> {
            ways.iter()
                .flat_map(|way| way.steps.iter().cloned())
                .collect()
        };
        let before = rounds(&way);
        return Ok(Repetition {
            steps: opening.into_iter().chain(steps(&way)).collect(),
            end: pairs[first].state.clone(),
            before,
            cycle: steps(&back),
            rounds: rounds(&back).max(1),
        });
    }
    Err("what a compressed part repeats was not found in what it stands for".to_owned())
}

/// All pairs that can be reached, breadth-first.
fn pairs(
    simulator: &Simulator<'_>,
    start: State,
    events: &[EventId],
    cycle: &[EventId],
) -> Result<Vec<Pair>, String> {
    let total = events.len() + cycle.len();
    let mut pairs: Vec<Pair> = Vec::new();
    let mut known: HashMap<(usize, State), usize> = HashMap::new();
    let mut found = |pairs: &mut Vec<Pair>, state: State, done, from| {
        *known
            .entry((done, state))
            .or_insert_with_key(|(done, state)| {
                pairs.push(Pair {
                    state: state.clone(),
                    done: *done,
                    ways: Vec::new(),
                    from,
                });
                pairs.len() - 1
            })
    };
    found(&mut pairs, start, 0, None);
    let mut at = 0;
    while at < pairs.len() {
        if pairs.len() > MOST_STATES {
            return Err(format!(
                "a compressed part was searched for {MOST_STATES} states"
            ));
        }
        let (state, done) = (pairs[at].state.clone(), pairs[at].done);
        let wanted = events.iter().chain(cycle).nth(done).copied();
        for successor in simulator.successors(&state).unwrap_or_default() {
            let event = successor.steps[0].event;
            let is_event = event != EventId::TAU;
            if is_event && Some(event) != wanted {
                continue;
            }
            let next = done + usize::from(is_event);
            let ends_round = is_event && next == total;
            let next = if ends_round && !cycle.is_empty() {
                events.len()
            } else {
                next
            };
            let place = pairs[at].ways.len();
            let target = found(&mut pairs, successor.state, next, Some((at, place)));
            pairs[at].ways.push(Way {
                target,
                steps: successor.steps,
                is_event,
                ends_round: ends_round && done >= events.len(),
            });
        }
        at += 1;
    }
    Ok(pairs)
}

/// The ways from the start to a pair.
fn way_to(pairs: &[Pair], mut at: usize) -> Vec<&Way> {
    let mut ways = Vec::new();
    while let Some((before, way)) = pairs[at].from {
        ways.push(&pairs[before].ways[way]);
        at = before;
    }
    ways.reverse();
    ways
}

/// A pair, and whether an event was done on the way to it.
type Reached = (usize, bool);

/// A shortest way from a pair back to itself, on which an event is done if one is wanted.
fn back<'p>(
    pairs: &'p [Pair],
    first: usize,
    wants_event: bool,
    tried: &mut usize,
) -> Option<Vec<&'p Way>> {
    // From where and how each was reached.
    let mut reached: HashMap<Reached, (Reached, &Way)> = HashMap::new();
    let mut waiting = VecDeque::from([(first, false)]);
    let goal = (first, true);
    while let Some((at, had)) = waiting.pop_front() {
        *tried += 1;
        if *tried > MOST_TRIED {
            return None;
        }
        for way in &pairs[at].ways {
            let next = (way.target, had || way.is_event || !wants_event);
            if next == (first, false) || reached.contains_key(&next) {
                continue;
            }
            reached.insert(next, ((at, had), way));
            if next == goal {
                let mut ways = Vec::new();
                let mut now = goal;
                while let Some((before, way)) = reached.get(&now) {
                    ways.push(*way);
                    now = *before;
                    if now == (first, false) {
                        break;
                    }
                }
                ways.reverse();
                return Some(ways);
            }
            waiting.push_back(next);
        }
    }
    None
}
