//! Winning lines without detours.

use std::collections::HashMap;

use csp_checker::reference::{Simulator, State};

use super::open::Process;

/// Follows a line from a state, and wherever one move leads to a position that comes later on the
/// line takes it. The result is a line of the same process, no longer than the one given; a line that
/// cannot be followed is given back as it is.
pub(super) fn shortened(process: &Process, start: &State, line: &[String]) -> Vec<String> {
    let simulator = Simulator::new(&process.network);
    let mut states = vec![start.clone()];
    for event in line {
        let at = &states[states.len() - 1];
        let next = simulator.successors(at).unwrap_or_default();
        let next = next
            .into_iter()
            .find(|s| process.name(&s.steps[0]) == *event);
        match next {
            Some(successor) => states.push(successor.state),
            None => return line.to_vec(),
        }
    }
    // A position that comes twice counts where it comes last.
    let last: HashMap<&State, usize> = states.iter().enumerate().map(|(i, s)| (s, i)).collect();
    let mut short = Vec::new();
    let mut at = last[start];
    while at + 1 < states.len() {
        let furthest = simulator
            .successors(&states[at])
            .unwrap_or_default()
            .into_iter()
            .filter_map(|s| Some((*last.get(&s.state)?, process.name(&s.steps[0]))))
            .max_by_key(|(index, _)| *index);
        let Some((index, event)) = furthest.filter(|(index, _)| *index > at) else {
            return line.to_vec();
        };
        short.push(event);
        at = index;
    }
    short
}
