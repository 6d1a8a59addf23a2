//! Stepping through a process: what is possible now, choose, undo, redo, branch, search, replay, and why
//! an event is not possible.
//!
//! What has been done is kept as a tree: choosing something else after an undo makes a branch, and nothing
//! is lost. *The line* is the path from the start through where we are to the end that was visited last.

mod find;
mod game;
mod replay;

use std::cell::OnceCell;
use std::collections::BTreeMap;

use csp_checker::Step;
use csp_checker::reference::{Simulator, State, Successor};
use csp_compiler::assemble::Provenance;
use csp_compiler::process::Processes;
use csp_compiler::reduce::WayBack;
use csp_grammar::source::Sources;
use csp_lts::{EventId, EventTable, Network};

use crate::evidence::{
    Kept, Rows, Scene, Situation, StandIns, Terms, Words, no_terms, states_kept, why_refused,
    why_stuck,
};
use crate::graph::StateTerms;
use crate::report::{StepReport, TermReport};

pub use game::Board;
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
    /// In the words of the game, if it is a move of one.
    pub words: std::option::Option<String>,
}

/// A state that has been visited.
struct Visit {
    state: State,
    /// Where it was reached from, and by which steps.
    from: std::option::Option<(usize, Vec<Step>)>,
    /// What has been visited from it, in the order of first visits.
    next: Vec<usize>,
    /// Which of these was visited last.
    latest: std::option::Option<usize>,
}

/// A process under way.
pub struct Explorer {
    network: Network,
    events: EventTable,
    rows: Rows,
    names: Kept,
    stand_ins: StandIns,
    terms: Vec<OnceCell<Terms>>,
    visits: Vec<Visit>,
    now: usize,
    next: Vec<Successor>,
    /// Why nothing can be said of what comes next: `chase` does not come to an end.
    endless: std::option::Option<String>,
    bookmarks: BTreeMap<String, usize>,
    /// What was chased before the first step.
    opening: Vec<Step>,
    game: std::option::Option<game::Played>,
    words: Words,
}

/// A part of the process and its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartState {
    /// What it is called.
    pub label: String,
    /// Its state.
    pub state: TermReport,
    /// It has moved in the last step.
    pub moved: bool,
}

impl PartState {
    /// The part and its state in one: the state, if its name begins with that of the part.
    #[must_use]
    pub fn text(&self) -> String {
        let (label, state) = (&self.label, &self.state.text);
        if state.starts_with(label.as_str()) {
            state.clone()
        } else {
            format!("{label}: {state}")
        }
    }
}

/// Where what can be explored comes from.
pub(crate) struct Explored<'a> {
    pub(crate) network: Network,
    pub(crate) back: WayBack,
    pub(crate) provenance: &'a Provenance,
    pub(crate) processes: &'a dyn Processes,
    pub(crate) sources: &'a Sources,
    pub(crate) events: EventTable,
}

impl Explorer {
    /// Starts at the initial state; an error if `chase` does not come to an end there.
    pub(crate) fn new(explored: Explored<'_>) -> Result<Self, String> {
        let (rows, names, stand_ins) = states_kept(&explored);
        let Explored {
            network, events, ..
        } = explored;
        let (state, opening) = Simulator::new(&network)
            .initial()
            .map_err(|e| chase_loop(&e.0))?;
        let start = Visit {
            state,
            from: None,
            next: Vec::new(),
            latest: None,
        };
        let mut explorer = Self {
            terms: no_terms(&network),
            network,
            events,
            rows,
            names,
            stand_ins,
            visits: vec![start],
            now: 0,
            next: Vec::new(),
            endless: None,
            bookmarks: BTreeMap::new(),
            opening,
            game: None,
            words: Words::default(),
        };
        explorer.look();
        Ok(explorer)
    }

    fn state(&self) -> &State {
        &self.visits[self.now].state
    }

    fn look(&mut self) {
        // A chase that does not end makes the state a dead end here; checks report it as an error.
        let next = Simulator::new(&self.network).successors(self.state());
        self.endless = next.as_ref().err().map(|e| chase_loop(&e.0));
        self.next = next.unwrap_or_default();
    }

    /// How the script words waiting.
    pub(crate) fn word(&mut self, words: Words) {
        self.words = words;
    }

    fn scene(&self) -> Scene<'_> {
        Scene {
            events: &self.events,
            network: &self.network,
            rows: &self.rows,
            stand_ins: &self.stand_ins,
            names: &self.names,
            terms: &self.terms,
        }
    }

    /// What can happen now, in a fixed order.
    #[must_use]
    pub fn options(&self) -> Vec<Option> {
        let scene = self.scene();
        self.next
            .iter()
            .zip(self.in_words())
            .map(|(successor, words)| {
                let step = &successor.steps[0];
                let movers = step.moves.iter().filter(|m| !scene.is_controller(m.0));
                let mut who: Vec<String> = movers.map(|m| scene.label(m.0).to_owned()).collect();
                who.dedup();
                Option {
                    event: self.events.name(step.event),
                    revealed: self.events.name(step.revealed),
                    who,
                    words,
                }
            })
            .collect()
    }

    /// Why nothing is possible here, in a sentence or two; none if something is.
    #[must_use]
    pub fn dead_end(&self) -> std::option::Option<String> {
        if let Some(endless) = &self.endless {
            return Some(format!("{endless}."));
        }
        let scene = self.scene();
        let situation = Situation {
            scene: &scene,
            state: self.state(),
        };
        if !self.next.is_empty() {
            return None;
        }
        let last = self.visits[self.now].from.as_ref();
        let last = last.and_then(|(_, steps)| steps.last());
        if last.is_some_and(|step| step.event == EventId::TICK) {
            return Some("It has terminated.".to_owned());
        }
        Some(why_stuck(&situation, &self.words))
    }

    /// Does one of the options, by its place in [`Explorer::options`]. Out of range it does nothing.
    pub fn choose(&mut self, index: usize) {
        if index < self.next.len() {
            let chosen = self.next.swap_remove(index);
            self.enter(chosen.steps, chosen.state);
            self.look();
        }
    }

    /// Goes on to a state; to the visit that has been made of it, if there is one.
    fn enter(&mut self, steps: Vec<Step>, state: State) {
        let here = self.now;
        let known = self.visits[here].next.iter().copied().find(|&visit| {
            let from = self.visits[visit].from.as_ref();
            from.is_some_and(|(_, taken)| *taken == steps)
        });
        self.now = known.unwrap_or_else(|| {
            self.visits.push(Visit {
                state,
                from: Some((here, steps)),
                next: Vec::new(),
                latest: None,
            });
            let new = self.visits.len() - 1;
            self.visits[here].next.push(new);
            new
        });
        self.visits[here].latest = Some(self.now);
    }

    /// Goes back one step; false at the start.
    pub fn undo(&mut self) -> bool {
        let Some((before, _)) = self.visits[self.now].from.as_ref() else {
            return false;
        };
        self.now = *before;
        self.look();
        true
    }

    /// Takes back the last undo; false if there is nothing to take back.
    pub fn redo(&mut self) -> bool {
        let Some(next) = self.visits[self.now].latest else {
            return false;
        };
        self.now = next;
        self.look();
        true
    }

    /// The visits from the start through this one to the end of the line.
    fn line(&self) -> Vec<usize> {
        let mut line = vec![self.now];
        while let Some((before, _)) = self.visits[line[line.len() - 1]].from.as_ref() {
            line.push(*before);
        }
        line.reverse();
        while let Some(next) = self.visits[line[line.len() - 1]].latest {
            line.push(next);
        }
        line
    }

    /// Goes to the state after this many steps of the line; false if it is not that long.
    pub fn jump(&mut self, step: usize) -> bool {
        let Some(&visit) = self.line().get(step) else {
            return false;
        };
        self.now = visit;
        self.look();
        true
    }

    /// How many steps were taken to come here.
    #[must_use]
    pub fn depth(&self) -> usize {
        let mut depth = 0;
        let mut at = self.now;
        while let Some((before, _)) = self.visits[at].from.as_ref() {
            depth += 1;
            at = *before;
        }
        depth
    }

    /// How many steps the line has, those that were undone included.
    #[must_use]
    pub fn length(&self) -> usize {
        self.line().len() - 1
    }

    /// The first events of the branches that have been tried from here, hidden ones by name.
    #[must_use]
    pub fn branches(&self) -> Vec<String> {
        let visits = self.visits[self.now].next.iter();
        let steps = visits.filter_map(|&visit| self.visits[visit].from.as_ref());
        let names = steps.map(|(_, steps)| self.events.name(steps[0].revealed));
        names.collect()
    }

    /// Goes into one of the branches, by its place; false if there is no such.
    pub fn branch(&mut self, index: usize) -> bool {
        let Some(&visit) = self.visits[self.now].next.get(index) else {
            return false;
        };
        self.visits[self.now].latest = Some(visit);
        self.now = visit;
        self.look();
        true
    }

    /// Gives this state a name to come back to.
    pub fn bookmark(&mut self, name: &str) {
        self.bookmarks.insert(name.to_owned(), self.now);
    }

    /// Goes to a state that was given a name; false if there is none.
    pub fn visit(&mut self, name: &str) -> bool {
        let Some(&visit) = self.bookmarks.get(name) else {
            return false;
        };
        // The line leads there from now on.
        let mut at = visit;
        while let Some((before, _)) = self.visits[at].from.as_ref() {
            let before = *before;
            self.visits[before].latest = Some(at);
            at = before;
        }
        self.now = visit;
        self.look();
        true
    }

    /// The names of states, and how many steps lead to each.
    #[must_use]
    pub fn bookmarks(&self) -> Vec<(String, usize)> {
        let depth = |mut at: usize| {
            let mut depth = 0;
            while let Some((before, _)) = self.visits[at].from.as_ref() {
                depth += 1;
                at = *before;
            }
            depth
        };
        let bookmarks = self.bookmarks.iter();
        bookmarks
            .map(|(name, visit)| (name.clone(), depth(*visit)))
            .collect()
    }

    /// The steps that lead here, each with what was chased after it.
    fn steps(&self) -> Vec<&Vec<Step>> {
        let mut steps = Vec::new();
        let mut at = self.now;
        while let Some((before, taken)) = self.visits[at].from.as_ref() {
            steps.push(taken);
            at = *before;
        }
        steps.reverse();
        steps
    }

    /// The events so far; with hidden ones by name if `reveal`.
    #[must_use]
    pub fn trace(&self, reveal: bool) -> Vec<String> {
        let first = |steps: &Vec<Step>| {
            let step = &steps[0];
            self.events
                .name(if reveal { step.revealed } else { step.event })
        };
        let names = self.steps().into_iter().map(first);
        names.filter(|name| reveal || name != "τ").collect()
    }

    /// The steps so far with who moved, those that were chased included.
    #[must_use]
    pub fn moves(&self) -> Vec<StepReport> {
        let steps: Vec<Step> = self.steps().into_iter().flatten().cloned().collect();
        self.scene().steps(&steps)
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

    /// The parts with their states.
    #[must_use]
    pub fn states(&self) -> Vec<PartState> {
        let scene = self.scene();
        let last = self.visits[self.now].from.as_ref();
        let moved: Vec<_> = last
            .into_iter()
            .flat_map(|(_, steps)| steps)
            .flat_map(|step| &step.moves)
            .filter(|m| m.2 != m.3)
            .map(|m| m.0)
            .collect();
        let components = (0..).map(csp_lts::ComponentId).zip(self.state());
        let shown = components.filter(|(component, _)| !scene.is_controller(*component));
        shown
            .map(|(component, state)| PartState {
                label: scene.label(component).to_owned(),
                state: scene.term(component, *state),
                moved: moved.contains(&component),
            })
            .collect()
    }

    /// What states of the process are called; none if they are too many to be named.
    pub(crate) fn terms_of(&self, states: &[State]) -> std::option::Option<StateTerms> {
        const MOST: usize = 2_000_000;
        let scene = self.scene();
        let components = (0..)
            .map(csp_lts::ComponentId)
            .zip(&self.network.components);
        let shown: Vec<csp_lts::ComponentId> = components
            .map(|(component, _)| component)
            .filter(|component| !scene.is_controller(*component))
            .collect();
        if states.len().saturating_mul(shown.len()) > MOST {
            return None;
        }
        let named = |component: csp_lts::ComponentId, state: &State| {
            let part = PartState {
                label: scene.label(component).to_owned(),
                state: scene.term(component, state[component.0 as usize]),
                moved: false,
            };
            part.text()
        };
        Some(StateTerms {
            parts: shown.iter().map(|c| scene.label(*c).to_owned()).collect(),
            states: states
                .iter()
                .map(|state| shown.iter().map(|c| named(*c, state)).collect())
                .collect(),
        })
    }

    /// The event of this name, if the process can ever do it.
    fn event(&self, name: &str) -> std::option::Option<EventId> {
        let rules = self.network.rules.iter();
        let mut events = rules.flat_map(|rule| [rule.result, rule.revealed]);
        events.find(|event| self.events.name(*event) == name)
    }

    /// The names of all events that the process might do at some time, hidden ones too.
    #[must_use]
    pub fn alphabet(&self) -> Vec<String> {
        let rules = self.network.rules.iter();
        let mut events: Vec<EventId> = rules.map(|rule| rule.revealed).collect();
        events.sort_unstable();
        events.dedup();
        events.retain(|event| *event != EventId::TAU);
        events.iter().map(|e| self.events.name(*e)).collect()
    }

    /// Why an event is not possible now, in a sentence: who refuses it.
    #[must_use]
    pub fn why_not(&self, name: &str) -> String {
        if self
            .options()
            .iter()
            .any(|o| o.event == name || o.revealed == name)
        {
            return format!("{name} is possible now.");
        }
        let Some(event) = self.event(name) else {
            return format!("{name} is never possible: no part of the process does it.");
        };
        let scene = self.scene();
        let situation = Situation {
            scene: &scene,
            state: self.state(),
        };
        format!("{}.", why_refused(&situation, event))
    }

    /// Goes on by a shortest way to a step whose event is this, or begins with it; how many steps that
    /// took. The search stops when `is_enough` says so.
    pub fn run_until(
        &mut self,
        event: &str,
        is_enough: &dyn Fn() -> bool,
    ) -> Result<usize, String> {
        let way = find::way_to(&self.network, &self.events, self.state(), event, is_enough)?;
        let count = way.len();
        for (steps, state) in way {
            self.enter(steps, state);
        }
        self.look();
        Ok(count)
    }

    /// Follows a saved trace: events by name, one on each line. Whether it ends as the file says, if
    /// it says anything of that.
    pub fn replay(&mut self, text: &str) -> Result<bool, String> {
        let way = replay::follow(&self.network, &self.events, self.state(), text)?;
        let mut states: Vec<State> = way.steps.iter().skip(1).map(|(s, _)| s.clone()).collect();
        states.push(way.end);
        for ((_, steps), state) in way.steps.into_iter().zip(states) {
            self.enter(steps, state);
        }
        self.look();
        Ok(way.ends_as_said)
    }
}

/// What to say of a chase that does not end.
pub(crate) fn chase_loop(name: &str) -> String {
    format!("chasing {name} never ends: it can do τ for ever")
}
