//! Stepping through a process: what is possible now, choose, undo, replay.

mod replay;

use csp_checker::Step;
use csp_checker::reference::{Simulator, State, Successor};
use csp_lts::{EventTable, Network};

pub use replay::saved;

/// One thing that can happen now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Option {
    /// As seen from outside.
    pub event: String,
    /// By its name before hiding.
    pub revealed: String,
    /// The components that take part.
    pub who: Vec<String>,
}

/// A process under way.
pub struct Explorer {
    network: Network,
    events: EventTable,
    /// The states passed, and the steps by which each was left.
    past: Vec<(State, Vec<Step>)>,
    now: State,
    next: Vec<Successor>,
}

impl Explorer {
    /// Starts at the initial state; an error if `chase` does not come to an end there.
    pub fn new(network: Network, events: EventTable) -> Result<Self, String> {
        let (now, _) = Simulator::new(&network)
            .initial()
            .map_err(|e| chase_loop(&e.0))?;
        let mut explorer = Self {
            network,
            events,
            past: Vec::new(),
            now,
            next: Vec::new(),
        };
        explorer.look();
        Ok(explorer)
    }

    fn look(&mut self) {
        // A chase that does not end makes the state a dead end here; checks report it as an error.
        self.next = Simulator::new(&self.network)
            .successors(&self.now)
            .unwrap_or_default();
    }

    /// What can happen now, in a fixed order.
    #[must_use]
    pub fn options(&self) -> Vec<Option> {
        self.next
            .iter()
            .map(|successor| {
                let step = &successor.steps[0];
                Option {
                    event: self.events.name(step.event),
                    revealed: self.events.name(step.revealed),
                    who: step
                        .moves
                        .iter()
                        .map(|m| self.network.components[m.0.0 as usize].name.clone())
                        .collect(),
                }
            })
            .collect()
    }

    /// Does one of the options, by its place in [`Explorer::options`].
    pub fn choose(&mut self, index: usize) {
        let chosen = self.next.swap_remove(index);
        let before = std::mem::replace(&mut self.now, chosen.state);
        self.past.push((before, chosen.steps));
        self.look();
    }

    /// Goes back one step; false at the start.
    pub fn undo(&mut self) -> bool {
        let Some((state, _)) = self.past.pop() else {
            return false;
        };
        self.now = state;
        self.look();
        true
    }

    /// How many steps were taken.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.past.len()
    }

    /// The events so far; with hidden ones by name if `reveal`.
    #[must_use]
    pub fn trace(&self, reveal: bool) -> Vec<String> {
        self.past
            .iter()
            .map(|(_, steps)| {
                self.events.name(if reveal {
                    steps[0].revealed
                } else {
                    steps[0].event
                })
            })
            .filter(|name| reveal || name != "τ")
            .collect()
    }

    /// The trace as a file that [`Explorer::replay`] follows to a state like this one.
    #[must_use]
    pub fn saved(&self) -> String {
        let names = self.trace(true);
        let mut lines: Vec<String> = names.iter().map(|name| replay::written(name)).collect();
        let offered = self.options().into_iter().map(|option| option.event);
        lines.push(replay::offers(offered.collect()));
        lines.join("\n") + "\n"
    }

    /// The components with their local states.
    #[must_use]
    pub fn states(&self) -> Vec<(String, u32)> {
        self.network
            .components
            .iter()
            .map(|c| c.name.clone())
            .zip(self.now.iter().map(|s| s.0))
            .collect()
    }

    /// Follows a saved trace: events by name, one on each line. Whether it ends as the file says, if
    /// it says anything of that.
    pub fn replay(&mut self, text: &str) -> Result<bool, String> {
        let way = replay::follow(&self.network, &self.events, &self.now, text)?;
        self.past.extend(way.steps);
        self.now = way.end;
        self.look();
        Ok(way.ends_as_said)
    }
}

/// What to say of a chase that does not end.
pub(crate) fn chase_loop(name: &str) -> String {
    format!("chasing {name} never ends: it can do τ for ever")
}
