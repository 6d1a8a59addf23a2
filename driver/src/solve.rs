//! Plays: a way to a goal event, judged by the referee if the model is one of our games.
//!
//! The goal is what the specification of an assertion forbids, or an event that is named. A play of a
//! model with a `--@ game:` line is replayed by the referee of that game.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use csp_checker::directed::{Strategy, seek};
use csp_checker::{Claim, Limit, Model, Observer, Options, Statistics, Step, Verdict};
use csp_checker::{check, explicate};
use csp_compiler::hir::Assertion;
use csp_games::board::Board;
use csp_games::notation;
use csp_games::referee::freecell::Move;
use csp_games::referee::{Game, Referee};
use csp_games::runs::runs;
use csp_games::table::Position;
use csp_grammar::Diagnostic;
use csp_host::clock::Moment;
use csp_lts::StateId;
use csp_lts::{Component, Compression, EventId, EventSet, EventTable, LtsBuilder, Network, RuleId};
use serde::{Deserialize, Serialize};

use crate::claim;
use crate::compression::reason;
use crate::play::{RunReport, run};
use crate::pragma::Pragmas;
use crate::referee::{Start, rejected};
use crate::report::{DiagnosticReport, SCHEMA};
use crate::script::{CheckSettings, Obstacle, Script, stopped};

/// How a play is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Directed search; the play need not be shortest.
    Greedy,
    /// A* with a lower bound; shortest.
    AStar,
    /// Breadth first; shortest.
    BreadthFirst,
}

/// What to solve and how.
#[derive(Clone, Debug)]
pub struct SolveSettings {
    /// Limits, and which assertion the process comes from (the first selected one).
    pub check: CheckSettings,
    /// An event or a channel; without one, whatever the specification forbids.
    pub goal: Option<String>,
    /// How to look for a play.
    pub method: Method,
    /// For how long a play that was found is shortened.
    pub improve: Option<Duration>,
    /// Draw the position after every move.
    pub boards: bool,
}

/// What a search for a play came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// There is a play.
    Solved,
    /// There is none; everything was searched.
    Unsolvable,
    /// A limit was reached.
    Unknown,
    /// The script is wrong.
    Error,
}

impl Answer {
    /// The word that reports use.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Unsolvable => "unsolvable",
            Self::Unknown => "unknown",
            Self::Error => "error",
        }
    }

    /// The exit code of `csp solve`.
    #[must_use]
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Solved => 0,
            Self::Unsolvable => 1,
            Self::Error => 2,
            Self::Unknown => 3,
        }
    }
}

/// Everything `csp solve` has to say.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SolveReport {
    /// The version of the shapes of reports.
    pub schema: u32,
    /// Always `csp`.
    pub tool: Cow<'static, str>,
    /// The script.
    pub file: String,
    /// What the search came to.
    pub answer: Answer,
    /// How the script words it.
    pub meaning: Option<String>,
    /// Why it is unknown or in error.
    pub reason: Option<String>,
    /// The play is as short as any, counting chosen moves.
    pub shortest: bool,
    /// Judged by the referee of this game.
    pub referee: Option<Cow<'static, str>>,
    /// Moves that were chosen.
    pub chosen: usize,
    /// Moves that happened by themselves.
    pub forced: usize,
    /// The play.
    pub moves: Vec<MoveLine>,
    /// Which chosen moves are one, as players say it.
    #[serde(default)]
    pub runs: Vec<RunReport>,
    /// The play in standard FreeCell notation, if the game has it.
    pub notation: Option<String>,
    /// States visited.
    pub states: u64,
    /// Transitions seen.
    pub transitions: u64,
    /// Time for the search.
    pub seconds: f64,
    /// Time for evaluation and compilation.
    pub compile_seconds: f64,
    /// Memory of the search at its peak.
    pub peak_memory_bytes: u64,
    /// The values of a constant that were tried before, and the one that this is about.
    pub fewest: Option<FewestReport>,
    /// What is wrong with the script.
    pub diagnostics: Vec<DiagnosticReport>,
}

/// The search for the least value of a constant with which there is a play.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FewestReport {
    /// The constant.
    pub constant: String,
    /// What each value came to, upwards.
    pub tried: Vec<TriedReport>,
}

/// One value of a constant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TriedReport {
    /// The value.
    pub value: i64,
    /// What it came to.
    pub answer: Answer,
    /// States visited.
    pub states: u64,
}

/// One move of a play.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MoveLine {
    /// The event by its own name.
    pub event: String,
    /// The move in words, for games.
    pub text: Option<String>,
    /// It happened by itself.
    pub forced: bool,
    /// The position after it, if asked for.
    pub board: Option<String>,
}

impl Script {
    /// Looks for a play.
    pub fn solve(
        &mut self,
        settings: &SolveSettings,
        observer: &dyn Observer,
    ) -> (SolveReport, Vec<Diagnostic>) {
        let start = Moment::now();
        let mut report = self.blank_play();
        // Several deals may be under way in this process, so that what it has says nothing about one.
        self.watch.start(settings.check.timeout, None);
        let prepared = self.prepare_game(settings, observer);
        report.compile_seconds = start.elapsed().as_secs_f64();
        let problem = match prepared {
            Ok((prepared, start)) => {
                let left = settings.check.timeout.map(|t| t - report.compile_seconds);
                if left.is_some_and(|left| left <= 0.0) {
                    report.answer = Answer::Unknown;
                    report.reason = Some(reason(&Limit::Time));
                    return (report, Vec::new());
                }
                let begun = Moment::now();
                let sought = prepared.search(settings, left, observer);
                report.seconds = begun.elapsed().as_secs_f64();
                match prepared.tell(&mut report, settings, start.as_ref(), sought) {
                    Ok(()) => return (report, Vec::new()),
                    Err(rejected) => Trouble::Wrong(vec![*rejected]),
                }
            }
            Err(problem) => problem,
        };
        match problem {
            Trouble::Wrong(diagnostics) if diagnostics.iter().any(stopped) => {
                report.answer = Answer::Unknown;
                report.reason = diagnostics.first().map(|d| d.message.clone());
                (report, Vec::new())
            }
            Trouble::Wrong(diagnostics) => {
                report.reason = diagnostics.first().map(|d| d.message.clone());
                report.diagnostics = diagnostics.iter().map(|d| self.diagnostic(d)).collect();
                (report, diagnostics)
            }
            Trouble::Reason(reason) => {
                report.reason = Some(reason);
                (report, Vec::new())
            }
            Trouble::Limit(limit) => {
                report.answer = Answer::Unknown;
                report.reason = Some(reason(&limit));
                (report, Vec::new())
            }
        }
    }

    /// The start of the game, if it is one, and the network.
    fn prepare_game(
        &mut self,
        settings: &SolveSettings,
        observer: &dyn Observer,
    ) -> Result<(Prepared, Option<Start>), Trouble> {
        let assertion = self.to_solve(settings).map_err(Trouble::Reason)?;
        let start = self.start(&assertion, settings.check.timeout)?;
        Ok((self.prepare(settings, observer)?, start))
    }

    pub(crate) fn blank_play(&self) -> SolveReport {
        SolveReport {
            schema: SCHEMA,
            tool: "csp".into(),
            file: self.file.clone(),
            answer: Answer::Error,
            meaning: None,
            reason: None,
            shortest: false,
            referee: None,
            chosen: 0,
            forced: 0,
            moves: Vec::new(),
            runs: Vec::new(),
            notation: None,
            states: 0,
            transitions: 0,
            seconds: 0.0,
            compile_seconds: 0.0,
            peak_memory_bytes: 0,
            fewest: None,
            diagnostics: Vec::new(),
        }
    }

    /// Whether hidden events of a network may have lost their names: a component moves by itself, or a
    /// part was compressed or chased on its own.
    fn loses_names(&mut self, network: &Network) -> bool {
        let moves_by_itself = |c: &Component| c.lts.alphabet().contains(EventId::TAU);
        let (chases, others): (Vec<_>, Vec<_>) = self
            .evaluator()
            .compressions()
            .into_iter()
            .partition(|kind| *kind == Compression::Chase);
        network.components.iter().any(moves_by_itself)
            || !others.is_empty()
            || chases.len() > network.chases.len()
    }

    /// The assertion that is to be solved.
    pub(crate) fn to_solve(&self, settings: &SolveSettings) -> Result<Assertion, String> {
        let selected = self.select(&settings.check.select)?;
        let index = selected.first().ok_or("the script has no assertions")?;
        Ok(self.program.assertions[*index].clone())
    }

    /// Compiles the network and finds the goal.
    pub(crate) fn prepare(
        &mut self,
        settings: &SolveSettings,
        observer: &dyn Observer,
    ) -> Result<Prepared, Trouble> {
        let assertion = self.to_solve(settings).map_err(Trouble::Reason)?;
        let pragmas = Pragmas::of(&assertion);
        // Further expressions come before the claim: they make the evaluator anew.
        let goal = match &settings.goal {
            Some(goal) => {
                let expr = self.expression(&format!("{{| {goal} |}}"))?;
                let events = self.evaluator().event_set(&expr)?;
                if events.is_empty() {
                    return Err(Trouble::Reason(format!("--goal '{goal}' names no event")));
                }
                Some(events)
            }
            None => None,
        };
        // The limit on states is for the search alone.
        let options = Options {
            max_states: None,
            ..settings.check.options()
        };
        let claim = self.claim(&assertion, &settings.check, &options, observer)?;
        let mut network = claim::implementation(&claim).clone();
        let mut nameless = false;
        let goal = match goal {
            Some(goal) => {
                unhide(&mut network, &goal);
                nameless = self.evaluator().hides(&goal) && self.loses_names(&network);
                goal
            }
            None => forbidden(&claim, &options, observer)?,
        };
        Ok(Prepared {
            network,
            goal,
            nameless,
            assertion,
            events: self.events(),
            words: (pragmas.pass, pragmas.fail),
        })
    }
}

/// Why nothing was searched.
pub(crate) enum Trouble {
    Wrong(Vec<Diagnostic>),
    Reason(String),
    Limit(Limit),
}

impl Trouble {
    /// The first thing that is wrong, in a sentence.
    pub(crate) fn sentence(&self) -> String {
        match self {
            Self::Wrong(diagnostics) => diagnostics
                .first()
                .map_or_else(String::new, |d| d.message.clone()),
            Self::Reason(reason) => reason.clone(),
            Self::Limit(limit) => reason(limit),
        }
    }
}

impl From<Vec<Diagnostic>> for Trouble {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Self::Wrong(diagnostics)
    }
}

impl From<Obstacle> for Trouble {
    fn from(obstacle: Obstacle) -> Self {
        match obstacle {
            Obstacle::Mistake(diagnostic) => diagnostic.into(),
            Obstacle::Limit(limit) => Self::Limit(limit),
        }
    }
}

impl From<Box<Diagnostic>> for Trouble {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Self::Wrong(vec![*diagnostic])
    }
}

/// Makes events visible that are hidden. What can be seen is not chased: it is a choice.
fn unhide(network: &mut Network, events: &EventSet) {
    for rule in &mut network.rules {
        if events.contains(rule.revealed) {
            rule.result = rule.revealed;
        }
    }
    for chase in &mut network.chases {
        let is_hidden = |rule: &RuleId| network.rules[rule.0 as usize].result == EventId::TAU;
        chase.rules = chase.rules.iter().copied().filter(is_hidden).collect();
    }
}

/// The visible events that a specification never allows.
fn forbidden(
    claim: &Claim,
    options: &Options,
    observer: &dyn Observer,
) -> Result<EventSet, Trouble> {
    let unclear = |why: &str| Trouble::Reason(format!("{why}: say --goal EVENT"));
    let Claim::Refines {
        specification,
        implementation,
        ..
    } = claim
    else {
        return Err(unclear("the assertion is not a refinement"));
    };
    let lts = explicate(specification, options, observer).map_err(Trouble::Limit)?;
    let allowed: EventSet = lts
        .alphabet()
        .iter()
        .filter(|event| event.is_visible())
        .collect();
    if lts.state_count() > 1 && !allowed.is_empty() {
        return Err(unclear("what the specification forbids changes as it goes"));
    }
    let results = implementation.rules.iter().map(|rule| rule.result);
    let goal: EventSet = results
        .filter(|event| event.is_visible() && !allowed.contains(*event))
        .collect();
    Ok(goal)
}

/// What is searched, and what is known about it.
pub(crate) struct Prepared {
    pub(crate) network: Network,
    pub(crate) goal: EventSet,
    /// The goal may be hidden inside a component, where hidden events have lost their names: that it
    /// is not found proves nothing.
    nameless: bool,
    assertion: Assertion,
    pub(crate) events: EventTable,
    /// How the script words that there is no play, and that there is one.
    words: (Option<String>, Option<String>),
}

/// What a search came to.
pub(crate) struct Found {
    pub(crate) play: Option<Vec<Step>>,
    pub(crate) limit: Option<Limit>,
    pub(crate) statistics: Statistics,
}

impl Prepared {
    fn search(
        &self,
        settings: &SolveSettings,
        left: Option<f64>,
        observer: &dyn Observer,
    ) -> Found {
        let limits = CheckSettings {
            timeout: left.map(|seconds| seconds.max(0.0)),
            ..settings.check.clone()
        };
        let options = limits.options();
        let strategy = match settings.method {
            Method::Greedy => Strategy::Greedy,
            Method::AStar => Strategy::Shortest,
            Method::BreadthFirst => return self.search_breadth_first(&options, observer),
        };
        let is_goal = |rule: &csp_lts::Rule| self.goal.contains(rule.result);
        let improve = settings.improve;
        let sought = seek(
            &self.network,
            &is_goal,
            strategy,
            improve,
            &options,
            observer,
        );
        Found {
            play: sought.play,
            limit: sought.limit,
            statistics: sought.statistics,
        }
    }

    /// Checks that only other events than the goal can happen.
    fn search_breadth_first(&self, options: &Options, observer: &dyn Observer) -> Found {
        let results = self.network.rules.iter().map(|rule| rule.result);
        let others: EventSet = results
            .filter(|event| *event != EventId::TAU && !self.goal.contains(*event))
            .collect();
        let mut specification = LtsBuilder::new();
        specification.state([(Arc::new(others), StateId(0))]);
        let claim = Claim::Refines {
            specification: Network::of_lts("RUN", Arc::new(specification.finish(StateId(0)))),
            implementation: self.network.clone(),
            model: Model::Traces,
        };
        let outcome = check(&claim, options, observer);
        let (play, limit) = match outcome.verdict {
            Verdict::Holds => (None, None),
            Verdict::Inconclusive(limit) => (None, Some(limit)),
            Verdict::Fails(counterexamples) => {
                (counterexamples.into_iter().next().map(|c| c.steps), None)
            }
        };
        Found {
            play,
            limit,
            statistics: outcome.statistics,
        }
    }

    /// Writes down what a search came to, after the referee has judged it.
    pub(crate) fn tell(
        &self,
        report: &mut SolveReport,
        settings: &SolveSettings,
        start: Option<&Start>,
        sought: Found,
    ) -> Result<(), Box<Diagnostic>> {
        report.states = sought.statistics.states;
        report.transitions = sought.statistics.transitions;
        report.peak_memory_bytes = sought.statistics.peak_memory;
        let words = settings.goal.is_none().then(|| self.words.clone());
        let (no, yes) = words.unwrap_or_default();
        match (sought.play, sought.limit) {
            (Some(play), _) => {
                self.judge(report, &play, start, settings.boards)?;
                report.answer = Answer::Solved;
                report.meaning = yes;
                report.shortest = settings.method != Method::Greedy;
            }
            (None, Some(limit)) => {
                report.answer = Answer::Unknown;
                report.reason = Some(reason(&limit));
            }
            (None, None) if self.nameless => {
                let why = "the goal was not found, but it is hidden in a part of the process that was \
                           listed as one machine, where hidden events have no names";
                report.answer = Answer::Unknown;
                report.reason = Some(why.to_owned());
            }
            (None, None) => {
                report.answer = Answer::Unsolvable;
                report.meaning = no;
            }
        }
        Ok(())
    }

    /// Puts a play into a report. Every move of a game has passed its referee.
    fn judge(
        &self,
        report: &mut SolveReport,
        play: &[Step],
        start: Option<&Start>,
        boards: bool,
    ) -> Result<(), Box<Diagnostic>> {
        let mut referee = start.map(|s| s.referee(&self.assertion)).transpose()?;
        let mut moves = Vec::new();
        // The position before each chosen move, with what happened by itself after the one before.
        let mut positions: Vec<Position> = Vec::new();
        for step in play {
            if let (false, Some(referee)) = (step.chased, &referee) {
                positions.push(referee.position());
            }
            let event = self.events.name(step.revealed);
            let text = match (&mut referee, start) {
                (Some(referee), Some(start)) => {
                    let judged = referee.play_event(&event).map_err(|why| {
                        let why = format!("rejects {event}: {why}");
                        rejected(start.name(), &self.assertion, &why)
                    })?;
                    match judged {
                        Some(text) => Some(text),
                        None => continue,
                    }
                }
                _ if self.goal.contains(step.event) => continue,
                _ => None,
            };
            let board = referee.as_deref().filter(|_| boards).map(Referee::draw);
            moves.push(MoveLine {
                event,
                text,
                forced: step.chased,
                board,
            });
        }
        positions.extend(referee.iter().map(|referee| referee.position()));
        let found = runs(&positions);
        let told = found.iter().map(|r| run::told(&positions[r.first], r));
        report.runs = told.collect();
        report.referee = start.map(|s| s.name().to_owned().into());
        report.forced = moves.iter().filter(|m| m.forced).count();
        report.chosen = moves.len() - report.forced;
        report.moves = moves;
        report.notation = notation(report, start);
        Ok(())
    }
}

fn notation(report: &SolveReport, start: Option<&Start>) -> Option<String> {
    let Start::Modelled {
        game: Game::FreeCell,
        facts,
    } = start?
    else {
        return None;
    };
    let (board, cells, ranks) = Board::from_model(facts).ok()?;
    let moves = report.moves.iter().map(|m| Move::from_event(&m.event));
    let play: Option<Vec<Move>> = moves.collect();
    notation::standard(&board, cells, ranks, &play?).ok()
}
