//! Can this still be won? A search from the position, with limits, that may be asked to stop.
//!
//! What is known of a position says something of others: the positions on a winning line can be won,
//! and so can all before them; the positions after a lost one are lost.

use std::sync::Arc;
use std::time::Duration;

use csp_checker::directed::{Sought, Strategy, seek};
use csp_checker::reference::State;
use csp_checker::{Observer, Options};

use super::open::Process;
use super::report::LampReport;
use super::shorten;
use super::table::Table;
use crate::compression::reason;
use crate::memory;

/// What a search for a win may use.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Positions after which to give up.
    pub max_states: Option<u64>,
    /// Seconds after which to give up.
    pub timeout: Option<f64>,
    /// Bytes that may be taken; what the machine has free if nothing is said.
    pub memory: Option<u64>,
}

/// Whether a position can be won. It stands for itself, so that it can be answered elsewhere while
/// the game goes on.
#[derive(Clone)]
pub struct Question {
    pub(super) process: Arc<Process>,
    pub(super) node: usize,
    pub(super) state: State,
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answered {
    /// By these moves it is won; the number of positions that were tried.
    Won(Vec<String>, u64),
    /// Everything was tried: this number of positions.
    Lost(u64),
    /// A limit was reached: which, and after how many positions.
    Undecided(String, u64),
}

impl Question {
    /// Searches from the position.
    #[must_use]
    pub fn answer(&self, limits: &Limits, observer: &dyn Observer) -> Answered {
        self.search(None, limits, observer)
    }

    /// Searches from the position, and shortens the way to win for as long as `improve` says.
    pub(super) fn search(
        &self,
        improve: Option<Duration>,
        limits: &Limits,
        observer: &dyn Observer,
    ) -> Answered {
        let options = Options {
            max_states: limits.max_states,
            timeout: limits
                .timeout
                .map(|s| Duration::try_from_secs_f64(s).unwrap_or_default()),
            memory: limits.memory.or_else(memory::available),
            ..Options::default()
        };
        let network = self.process.network_from(&self.state);
        let is_goal = |rule: &csp_lts::Rule| self.process.goal.contains(rule.result);
        let greedy = Strategy::Greedy;
        let sought = seek(&network, &is_goal, greedy, improve, &options, observer);
        self.answered(sought)
    }

    /// What a search says of the position.
    fn answered(&self, sought: Sought) -> Answered {
        let states = sought.statistics.states;
        match (sought.play, sought.limit) {
            (Some(play), _) => {
                let chosen = play
                    .iter()
                    .filter(|step| !step.chased && !self.process.goal.contains(step.event));
                let line = chosen.map(|step| self.process.name(step)).collect();
                Answered::Won(line, states)
            }
            (None, Some(limit)) => Answered::Undecided(reason(&limit), states),
            (None, None) => Answered::Lost(states),
        }
    }

    /// A winning line with the detours left out: wherever one move leads to a position further on.
    #[must_use]
    pub fn shortened(&self, line: &[String]) -> Vec<String> {
        shorten::shortened(&self.process, &self.state, line)
    }
}

/// What is known of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Nothing,
    /// A way to win.
    Won(Vec<String>, u64),
    Lost(u64),
    /// Tried in vain: why.
    Undecided(String, u64),
}

impl Known {
    /// What it says of the position after a move.
    pub(super) fn after(&self, event: &str) -> Self {
        match self {
            Self::Won(line, states) if line.first().is_some_and(|first| first == event) => {
                Self::Won(line[1..].to_vec(), *states)
            }
            Self::Lost(states) => Self::Lost(*states),
            _ => Self::Nothing,
        }
    }
}

impl Table {
    /// Takes note of an answer. It may come late: the game may have gone on since it was asked for.
    pub fn learn(&mut self, question: &Question, answer: Answered) {
        let known = match answer {
            Answered::Won(line, states) => {
                let better = match &self.nodes[question.node].known {
                    Known::Won(old, _) => line.len() < old.len(),
                    _ => true,
                };
                if !better {
                    return;
                }
                Known::Won(line, states)
            }
            Answered::Lost(states) => Known::Lost(states),
            Answered::Undecided(why, states) => {
                let node = &mut self.nodes[question.node];
                if node.known == Known::Nothing {
                    node.known = Known::Undecided(why, states);
                }
                return;
            }
        };
        self.nodes[question.node].known = known;
        let mut waiting = vec![question.node];
        while let Some(node) = waiting.pop() {
            for child in self.nodes[node].children.clone() {
                let done = self.nodes[child].done.as_ref();
                let event = done.map_or_else(String::new, |done| done.event.clone());
                let known = self.nodes[node].known.after(&event);
                if known != Known::Nothing {
                    self.nodes[child].known = known;
                    waiting.push(child);
                }
            }
        }
    }

    /// What is known of the position, without searching.
    #[must_use]
    pub fn lamp(&self) -> LampReport {
        let mut lamp = LampReport {
            state: "undecided".to_owned(),
            sentence: "not decided yet".to_owned(),
            line: Vec::new(),
            since: None,
            exact: false,
            states: 0,
        };
        if self.is_won() {
            lamp.state = "won".to_owned();
            lamp.sentence = "the game is won".to_owned();
            return lamp;
        }
        match &self.node().known {
            Known::Nothing => {}
            Known::Undecided(why, states) => {
                lamp.sentence = format!("not decided: {why}");
                lamp.states = *states;
            }
            Known::Won(line, states) => {
                lamp.state = "won".to_owned();
                let more = if line.len() == 1 { "move" } else { "moves" };
                lamp.sentence = format!("can still be won: {} more {more} known", line.len());
                lamp.line.clone_from(line);
                lamp.states = *states;
            }
            Known::Lost(states) => {
                let (since, exact) = self.lost_since();
                lamp.state = "lost".to_owned();
                lamp.sentence = match (since, exact) {
                    (0, _) => "lost from the deal on: every play was tried".to_owned(),
                    (k, true) => format!("lost since move {k}: every play was tried"),
                    (k, false) => format!("lost since move {k} at the latest"),
                };
                lamp.since = Some(since);
                lamp.exact = exact;
                lamp.states = *states;
            }
        }
        lamp
    }

    /// The first position on the way here that is known to be lost, and whether the one before it
    /// is known to be winnable.
    fn lost_since(&self) -> (usize, bool) {
        let path = self.path();
        let is_lost = |node: &usize| matches!(self.nodes[*node].known, Known::Lost(_));
        let first = path.iter().position(is_lost).unwrap_or(path.len() - 1);
        let before = first.checked_sub(1).map(|k| &self.nodes[path[k]].known);
        (
            first,
            before.is_none_or(|known| matches!(known, Known::Won(..))),
        )
    }

    /// Searches until the lamp can say something of the position, and for a lost one since when it
    /// is lost. Each search has these limits.
    pub fn judge(&mut self, limits: &Limits, observer: &dyn Observer) -> LampReport {
        if !self.is_won() && matches!(self.node().known, Known::Nothing | Known::Undecided(..)) {
            let question = self.question();
            let answer = question.answer(limits, observer);
            self.nodes[self.now].known = Known::Nothing;
            self.learn(&question, answer);
        }
        if matches!(self.node().known, Known::Lost(_)) {
            self.find_the_mistake(limits, observer);
        }
        self.lamp()
    }

    /// Halves the way back until the first lost position is found or a search gives up.
    fn find_the_mistake(&mut self, limits: &Limits, observer: &dyn Observer) {
        let path = self.path();
        let (mut won, mut lost) = (None, path.len() - 1);
        loop {
            let low = won.map_or(0, |k: usize| k + 1);
            if low >= lost {
                return;
            }
            let middle = usize::midpoint(low, lost);
            let node = path[middle.min(lost - 1)];
            if matches!(self.nodes[node].known, Known::Nothing) {
                let question = self.question_of(node);
                let answer = question.answer(limits, observer);
                self.learn(&question, answer);
            }
            match self.nodes[node].known {
                Known::Won(..) => won = Some(middle.min(lost - 1)),
                Known::Lost(_) => lost = middle.min(lost - 1),
                _ => return,
            }
        }
    }
}
