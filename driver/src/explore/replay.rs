//! Following a saved trace.
//!
//! A name does not say which of several τ was taken, nor which of two branches that begin with the
//! same event. So all ways to do what the lines say are searched, breadth-first: those with the
//! fewest τ that the lines do not mention come first, and of these one that ends as the file says.
//!
//! A file has one event on each line, hidden ones by their own name, in the order done. Lines that
//! start with `#` are remarks, except for the two that [`saved`] writes about the end.

use std::collections::{HashSet, VecDeque};

use csp_checker::Step;
use csp_checker::reference::{Simulator, State};
use csp_lts::{EventId, EventTable, Network};

use crate::escape;
use crate::report::CounterexampleReport;

const OFFERS: &str = "# it then offers:";
const FOR_EVER: &str = "# it then does for ever:";

/// Ways that are tried before giving up.
const MOST_TRIED: usize = 500_000;

/// The text to save for a counterexample. Steps that are chased happen by themselves.
#[must_use]
pub fn saved(counterexample: &CounterexampleReport) -> String {
    let steps = counterexample.steps.iter().filter(|step| !step.chased);
    let mut lines: Vec<String> = steps.map(|step| written(&step.revealed)).collect();
    match &*counterexample.kind {
        "deadlock" => lines.push(offers(Vec::new())),
        "refusal" | "revival" => lines.push(offers(counterexample.offered.clone())),
        "divergence" => {
            lines.push(FOR_EVER.to_owned());
            let cycle = counterexample.cycle.iter();
            lines.extend(cycle.map(|name| format!("# {}", written(name))));
        }
        _ => {}
    }
    lines.join("\n") + "\n"
}

/// The name of an event as it stands in a file, which people may look at in a terminal.
pub(super) fn written(name: &str) -> String {
    escape::line(name).into_owned()
}

pub(super) fn offers(mut names: Vec<String>) -> String {
    names.sort();
    names.dedup();
    format!("{OFFERS} {{{}}}", written(&names.join(", ")))
}

/// How a saved trace ends.
enum Ending {
    Unsaid,
    /// A state that offers these events, as the file words it.
    Offers(String),
    /// By these events again and again.
    ForEver(Vec<String>),
}

/// The steps of a behaviour, and whether it ends as the file says.
pub(super) struct Way {
    pub(super) steps: Vec<(State, Vec<Step>)>,
    pub(super) end: State,
    pub(super) ends_as_said: bool,
}

/// A state reached, with the line to do next.
struct Node {
    state: State,
    line: usize,
    /// The node before, and the steps from there.
    from: Option<(usize, Vec<Step>)>,
}

/// Finds a way to do what a saved trace says, from a state.
pub(super) fn follow(
    network: &Network,
    events: &EventTable,
    start: &State,
    text: &str,
) -> Result<Way, String> {
    let (lines, ending) = read(text);
    let search = Search {
        simulator: Simulator::new(network),
        events,
        lines,
    };
    search.run(start, &ending)
}

/// The events to do, each with its line number, and how they end.
fn read(text: &str) -> (Vec<(usize, &str)>, Ending) {
    let (mut events, mut ending) = (Vec::new(), Ending::Unsaid);
    for (i, line) in text.lines().map(str::trim).enumerate() {
        if line.starts_with(OFFERS) {
            ending = Ending::Offers(line.to_owned());
        } else if line == FOR_EVER {
            ending = Ending::ForEver(Vec::new());
        } else if let Some(remark) = line.strip_prefix('#') {
            if let Ending::ForEver(cycle) = &mut ending {
                cycle.push(remark.trim().to_owned());
            }
        } else if !line.is_empty() {
            events.push((i + 1, line));
        }
    }
    (events, ending)
}

struct Search<'a> {
    simulator: Simulator<'a>,
    events: &'a EventTable,
    lines: Vec<(usize, &'a str)>,
}

impl Search<'_> {
    fn run(&self, start: &State, ending: &Ending) -> Result<Way, String> {
        let mut nodes = vec![Node {
            state: start.clone(),
            line: 0,
            from: None,
        }];
        let mut seen: HashSet<(usize, State)> = HashSet::new();
        // Nodes with fewer unmentioned τ are in front.
        let mut waiting = VecDeque::from([0]);
        let (mut complete, mut furthest) = (None, 0);
        while let Some(at) = waiting.pop_front() {
            let (state, line) = (nodes[at].state.clone(), nodes[at].line);
            if !seen.insert((line, state.clone())) {
                continue;
            }
            if line == self.lines.len() {
                if self.ends(&state, ending) {
                    return Ok(way(&mut nodes, at, true));
                }
                complete.get_or_insert(at);
            }
            furthest = furthest.max(line);
            if nodes.len() > MOST_TRIED {
                break;
            }
            let wanted = self.lines.get(line).map(|(_, name)| *name);
            let mut said = Vec::new();
            // A chase that does not end makes the state a dead end here; checks report it.
            for successor in self.simulator.successors(&state).unwrap_or_default() {
                let step = &successor.steps[0];
                let done = wanted.is_some_and(|name| self.is(step, name));
                if !done && step.event != EventId::TAU {
                    continue;
                }
                nodes.push(Node {
                    state: successor.state,
                    line: line + usize::from(done),
                    from: Some((at, successor.steps)),
                });
                if done {
                    said.push(nodes.len() - 1);
                } else {
                    waiting.push_back(nodes.len() - 1);
                }
            }
            for node in said.into_iter().rev() {
                waiting.push_front(node);
            }
        }
        match complete {
            Some(at) => Ok(way(&mut nodes, at, false)),
            None => {
                let (number, name) = self.lines[furthest];
                Err(format!("line {number}: {name} is not possible here"))
            }
        }
    }

    fn is(&self, step: &Step, name: &str) -> bool {
        let is = |event| {
            let known = self.events.name(event);
            known == name || written(&known) == name
        };
        is(step.revealed) || is(step.event)
    }

    fn ends(&self, state: &State, ending: &Ending) -> bool {
        match ending {
            Ending::Unsaid => true,
            Ending::Offers(said) => {
                let successors = self.simulator.successors(state).unwrap_or_default();
                let names = successors
                    .iter()
                    .map(|s| self.events.name(s.steps[0].event));
                *said == offers(names.collect())
            }
            Ending::ForEver(cycle) => self.goes_round(state, cycle),
        }
    }

    /// Whether these events can be done again and again. Smaller components may have a shorter cycle
    /// than those explored here, so it need not lead back to the same state at once.
    fn goes_round(&self, state: &State, cycle: &[String]) -> bool {
        let mut now = HashSet::from([state.clone()]);
        let mut seen = now.clone();
        // After more rounds than there are states, one has come twice.
        let mut rounds = 0;
        while !now.is_empty() && !cycle.is_empty() && seen.len() < MOST_TRIED {
            rounds += 1;
            if rounds > seen.len() {
                return true;
            }
            now = self.round(now, cycle);
            seen.extend(now.iter().cloned());
        }
        false
    }

    /// The states after doing these events, silently, from some states.
    fn round(&self, mut now: HashSet<State>, cycle: &[String]) -> HashSet<State> {
        for name in cycle {
            let mut next = HashSet::new();
            for state in &now {
                let successors = self.simulator.successors(state).unwrap_or_default();
                let named = successors
                    .into_iter()
                    .filter(|s| s.steps[0].event == EventId::TAU && self.is(&s.steps[0], name));
                next.extend(named.map(|s| s.state));
            }
            now = next;
        }
        now
    }
}

fn way(nodes: &mut [Node], end: usize, ends_as_said: bool) -> Way {
    let mut steps = Vec::new();
    let mut at = end;
    while let Some((before, taken)) = nodes[at].from.take() {
        steps.push((nodes[before].state.clone(), taken));
        at = before;
    }
    steps.reverse();
    Way {
        steps,
        end: nodes[end].state.clone(),
        ends_as_said,
    }
}
