//! A shortest way to an event.

use std::collections::{HashSet, VecDeque};

use csp_checker::Step;
use csp_checker::reference::{Simulator, State};
use csp_lts::{EventTable, Network};

/// States that are looked at before giving up.
const MOST_STATES: usize = 200_000;

/// The steps of a way, with what is chased after each, and where each leads.
type Way = Vec<(Vec<Step>, State)>;

/// The node that one was reached from, and the steps from there.
type Origin = (usize, Vec<Step>);

/// Finds a shortest way to a step whose event has this name, before or after hiding, or begins with it:
/// `takes` stands for every event of that channel.
pub(super) fn way_to(
    network: &Network,
    events: &EventTable,
    start: &State,
    name: &str,
    is_enough: &dyn Fn() -> bool,
) -> Result<Way, String> {
    let channel = format!("{name}.");
    let is_wanted = |step: &Step| {
        [step.revealed, step.event].into_iter().any(|event| {
            let found = events.name(event);
            found == name || found.starts_with(&channel)
        })
    };
    let simulator = Simulator::new(network);
    let mut nodes: Vec<(State, Option<Origin>)> = vec![(start.clone(), None)];
    let mut seen: HashSet<State> = HashSet::from([start.clone()]);
    let mut waiting = VecDeque::from([0]);
    while let Some(at) = waiting.pop_front() {
        let state = nodes[at].0.clone();
        // A chase that does not end makes the state a dead end here; checks report it.
        for successor in simulator.successors(&state).unwrap_or_default() {
            if is_wanted(&successor.steps[0]) {
                let mut way = vec![(successor.steps, successor.state)];
                let mut back = at;
                while let Some((before, steps)) = nodes[back].1.take() {
                    way.push((steps, nodes[back].0.clone()));
                    back = before;
                }
                way.reverse();
                return Ok(way);
            }
            if seen.insert(successor.state.clone()) {
                nodes.push((successor.state, Some((at, successor.steps))));
                waiting.push_back(nodes.len() - 1);
            }
        }
        if is_enough() {
            return Err(format!(
                "{name} was not found before the search was stopped"
            ));
        }
        if nodes.len() > MOST_STATES {
            return Err(format!(
                "{name} was not found in the {MOST_STATES} nearest states"
            ));
        }
    }
    Err(format!("{name} is not possible any more, whatever is done"))
}
