//! From a script to a table: the process of its game, with the moves visible.

use std::sync::Arc;

use csp_checker::reference::State;
use csp_checker::{Claim, Observer, Options, Step};
use csp_games::referee::Referee;
use csp_grammar::Diagnostic;
use csp_lts::{EventId, EventSet, EventTable, Network};

use super::table::Table;
use crate::claim;
use crate::compression::reason;
use crate::pragma::Pragmas;
use crate::referee::Start;
use crate::script::{CheckSettings, Obstacle, Script};

/// Why there is no table.
#[derive(Clone, Debug)]
pub enum PlayError {
    /// The script is wrong.
    Wrong(Vec<Diagnostic>),
    /// There is no game, or a limit was reached: a sentence.
    Reason(String),
}

impl From<Vec<Diagnostic>> for PlayError {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Self::Wrong(diagnostics)
    }
}

impl From<Obstacle> for PlayError {
    fn from(obstacle: Obstacle) -> Self {
        match obstacle {
            Obstacle::Mistake(diagnostic) => Self::Wrong(vec![*diagnostic]),
            Obstacle::Limit(limit) => Self::Reason(reason(&limit)),
        }
    }
}

/// What does not change while a game is played.
pub(crate) struct Process {
    /// The process with its moves visible; what is chased stays hidden.
    pub(crate) network: Network,
    pub(crate) events: EventTable,
    /// The events by which the process says that the game is won.
    pub(crate) goal: EventSet,
    pub(crate) start: Start,
    pub(crate) file: String,
}

impl Process {
    /// A referee at the start.
    pub(crate) fn referee(&self) -> Result<Box<dyn Referee + Send>, String> {
        let wrong = |why| {
            let name = self.start.name();
            format!("the referee of {name} cannot start: {why}")
        };
        self.start.seat().map_err(wrong)
    }

    /// The event that a step does, by its own name.
    pub(crate) fn name(&self, step: &Step) -> String {
        self.events.name(step.revealed)
    }

    /// The process, started in a state.
    pub(crate) fn network_from(&self, state: &State) -> Network {
        let mut network = self.network.clone();
        for (component, now) in network.components.iter_mut().zip(state) {
            component.initial = *now;
        }
        network
    }
}

impl Script {
    /// Sets the table for the game of the first selected assertion that is about one.
    pub fn table(
        &mut self,
        settings: &CheckSettings,
        observer: &dyn Observer,
    ) -> Result<Table, PlayError> {
        let process = self.process(settings, observer)?;
        Table::new(Arc::new(process)).map_err(PlayError::Reason)
    }

    /// The process of that game.
    pub(crate) fn process(
        &mut self,
        settings: &CheckSettings,
        observer: &dyn Observer,
    ) -> Result<Process, PlayError> {
        let selected = self.select(&settings.select).map_err(PlayError::Reason)?;
        let about_a_game = |index: &usize| {
            self.described.is_some() || Pragmas::of(&self.program.assertions[*index]).game.is_some()
        };
        let index = selected.into_iter().find(about_a_game).ok_or_else(|| {
            let file = &self.file;
            PlayError::Reason(format!(
                "{file} is not a game: no assertion has a `--@ game:` line"
            ))
        })?;
        let assertion = self.program.assertions[index].clone();
        self.watch.start(settings.timeout, settings.memory);
        let start = self.start(&assertion, settings.timeout)?;
        let start = start.expect("the assertion is about a game");
        let options = Options {
            max_states: None,
            ..settings.options()
        };
        let claim = self.claim(&assertion, settings, &options, observer)?;
        if !matches!(claim, Claim::Refines { .. }) {
            let why = "the assertion about the game is not a refinement";
            return Err(PlayError::Reason(why.to_owned()));
        }
        let mut network = claim::implementation(&claim).clone();
        let goal = visible(&network);
        show_moves(&mut network);
        Ok(Process {
            network,
            events: self.events(),
            goal,
            start,
            file: self.file.clone(),
        })
    }
}

/// The events that can be seen: those that the specification forbids, which are the wins.
fn visible(network: &Network) -> EventSet {
    let results = network.rules.iter().map(|rule| rule.result);
    results.filter(|event| event.is_visible()).collect()
}

/// Makes everything visible that is hidden but for what is chased.
fn show_moves(network: &mut Network) {
    let mut chased = vec![false; network.rules.len()];
    for rule in network.chases.iter().flat_map(|chase| chase.rules.iter()) {
        chased[rule.0 as usize] = true;
    }
    for (rule, chased) in network.rules.iter_mut().zip(chased) {
        if !chased && rule.result == EventId::TAU {
            rule.result = rule.revealed;
        }
    }
}
