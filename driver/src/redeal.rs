//! Compile once, deal many.
//!
//! An assertion with `--@ opening: SEQUENCE` is about a process that can also be had undealt: with the
//! constant `OPENING` true it first performs the events of the sequence, and is then as it would have
//! been at once. So the network is compiled one time, with `OPENING` true and a `DEAL` that nobody can
//! look at (evaluating it is an error: then the network does not depend on the deal), and another deal
//! costs what evaluating and performing its sequence costs. The model of a described game is written without a
//! deal in the same way: each part waits to be told how it starts, and the constants of a deal say what it is
//! told. Whatever does not work out this way is
//! compiled as any other script; and before the first use, the network that was dealt is gone through
//! side by side with one that was compiled for the same deal.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use csp_checker::directed::{Opened, Position, Strategy};
use csp_checker::{Observer, Options};
use csp_compiler::hir::Expr;
use csp_host::clock::Moment;
use csp_lts::{EventId, EventSet, EventTable};
use csp_rules::description::Refill;
use csp_rules::model::Outline;

use crate::cancel::CancelToken;
use crate::described::DescribedGame;
use crate::pragma::Pragmas;
use crate::referee::Start;
use crate::script::{CheckSettings, Script};
use crate::solve::{Answer, Found, Method, Prepared, SolveReport, SolveSettings};

/// The constant that says whether the process is undealt.
const OPENING: &str = "OPENING";
/// The constant that a deal is the value of.
const DEAL: &str = "DEAL";
/// How many positions are compared before a network is trusted.
const COMPARED: usize = 400;
/// Told a deal by events, such games have other positions than when they are dealt at once.
const FILLED_FROM_WASTE: &str = "columns that the waste fills are compiled for each deal";

/// What is dealt.
#[derive(Clone)]
enum Dealt {
    /// A script with a constant `DEAL`.
    Script { file: PathBuf, defines: Vec<String> },
    /// A described game.
    Game(DescribedGame),
}

impl Dealt {
    /// The script of a deal, or of none.
    fn script(&self, deal: Option<i64>, cancel: &CancelToken) -> Result<Script, String> {
        let mut script = match (self, deal) {
            (Self::Script { file, defines }, deal) => {
                let mut defines = defines.clone();
                match deal {
                    Some(deal) => defines.push(format!("{DEAL}={deal}")),
                    None => {
                        defines.push(format!("{OPENING}=true"));
                        defines.push(format!("{DEAL}=error(\"nothing is dealt yet\")"));
                    }
                }
                Script::load(file, &defines)
            }
            (Self::Game(game), None) => game.undealt(),
            (Self::Game(game), Some(deal)) => {
                let number = u64::try_from(deal).map_err(|_| "deals are counted from 0")?;
                game.script(number)
            }
        }
        .map_err(|error| error.reason)?;
        script.on_interrupt(cancel.clone());
        if script.has_errors() {
            let first = script.diagnostics().first();
            return Err(first.map_or_else(String::new, |d| d.message.clone()));
        }
        Ok(script)
    }
}

/// A script compiled once for all its deals. Threads share it.
pub struct Redeal {
    opened: Arc<Opened>,
    prepared: Prepared,
    dealt: Dealt,
    settings: SolveSettings,
    /// The events that can be performed, by name.
    names: HashMap<String, EventId>,
    /// How many positions were compared with those of a network compiled for a deal of its own.
    compared: usize,
}

impl Redeal {
    /// Compiles a script without a deal, and compares it with one that has this deal. The error says why
    /// the script has to be compiled for every deal.
    pub fn new(
        file: &Path,
        defines: &[String],
        deal: i64,
        settings: &SolveSettings,
        cancel: &CancelToken,
    ) -> Result<Self, String> {
        let dealt = Dealt::Script {
            file: file.to_owned(),
            defines: defines.to_vec(),
        };
        Self::of(dealt, deal, settings, cancel)
    }

    /// Compiles a described game without a deal, and compares it with this deal. The error says why it has to be
    /// compiled for every deal.
    pub fn described(
        game: &DescribedGame,
        deal: i64,
        settings: &SolveSettings,
        cancel: &CancelToken,
    ) -> Result<Self, String> {
        let tableau = game.rules.tableau.as_ref();
        if tableau.is_some_and(|tableau| tableau.refill == Refill::ReserveThenWaste) {
            return Err(FILLED_FROM_WASTE.to_owned());
        }
        Self::of(Dealt::Game(game.clone()), deal, settings, cancel)
    }

    fn of(
        dealt: Dealt,
        deal: i64,
        settings: &SolveSettings,
        cancel: &CancelToken,
    ) -> Result<Self, String> {
        let strategy = match settings.method {
            Method::Greedy => Strategy::Greedy,
            Method::AStar => Strategy::Shortest,
            Method::BreadthFirst => return Err("only directed searches start anywhere".to_owned()),
        };
        let prepared = prepare(dealt.script(None, cancel)?, settings, true, cancel)?;
        let opened = open(&prepared, strategy)?;
        let names = names(&opened, &prepared.events);
        let mut redeal = Self {
            opened: Arc::new(opened),
            prepared,
            dealt,
            settings: settings.clone(),
            names,
            compared: 0,
        };
        redeal.compared = redeal.compare(deal, COMPARED, cancel)?;
        Ok(redeal)
    }

    /// Compares positions of a deal, at most this many, with those of a network compiled for it.
    pub fn compare(&self, deal: i64, most: usize, cancel: &CancelToken) -> Result<usize, String> {
        let script = self.dealt.script(Some(deal), cancel)?;
        let opens = matches!(self.dealt, Dealt::Script { .. });
        let dealt = prepare(script, &self.settings, opens, cancel)?;
        let opened = open(&dealt, Strategy::Greedy)?;
        let mut dealer = Dealer::new(self, cancel)?;
        let position = dealer.deal(deal)?;
        let renamed = |event| self.names.get(&dealt.events.name(event)).copied();
        let there = opened.initial()?;
        let agree = opened.agree(&there, &self.opened, &position, &renamed, most);
        agree.map_err(|_| "what is dealt by events is not what is dealt at once".to_owned())
    }

    /// The network.
    #[must_use]
    pub fn opened(&self) -> &Opened {
        &self.opened
    }

    /// The events of the network.
    #[must_use]
    pub fn events(&self) -> &EventTable {
        &self.prepared.events
    }

    /// An event that can be performed, by its name.
    #[must_use]
    pub fn event(&self, name: &str) -> Option<EventId> {
        self.names.get(name).copied()
    }

    /// Whether an event is what is to be reached.
    #[must_use]
    pub fn is_goal(&self, event: EventId) -> bool {
        self.prepared.goal.contains(event)
    }

    /// What is to be reached.
    #[must_use]
    pub(crate) fn goal(&self) -> &EventSet {
        &self.prepared.goal
    }

    /// How many positions of the first deal were compared with those of a network of its own.
    #[must_use]
    pub fn compared(&self) -> usize {
        self.compared
    }

    /// Searches from a position, and has the referee judge what is found.
    pub(crate) fn solve(
        &self,
        dealer: &mut Dealer,
        deal: i64,
        observer: &dyn Observer,
    ) -> Result<SolveReport, String> {
        let begun = Moment::now();
        let mut report = dealer.script.blank_play();
        let position = dealer.deal(deal)?;
        report.compile_seconds = begun.elapsed().as_secs_f64();
        let left = self
            .settings
            .check
            .timeout
            .map(|t| t - report.compile_seconds);
        let limits = CheckSettings {
            timeout: left.map(|seconds| seconds.max(0.0)),
            ..self.settings.check.clone()
        };
        let begun = Moment::now();
        let improve = self.settings.improve;
        let sought = self
            .opened
            .seek(&position, improve, &limits.options(), observer);
        report.seconds = begun.elapsed().as_secs_f64();
        let start = match &sought.play {
            Some(_) => dealer.start()?,
            None => None,
        };
        let found = Found {
            play: sought.play,
            limit: sought.limit,
            statistics: sought.statistics,
        };
        let told = self
            .prepared
            .tell(&mut report, &self.settings, start.as_ref(), found);
        if let Err(rejected) = told {
            report.answer = Answer::Error;
            report.reason = Some(rejected.message.clone());
        }
        Ok(report)
    }
}

/// Evaluates what is dealt. Each thread has its own.
pub struct Dealer {
    script: Script,
    hand: Hand,
    opening: Expr,
    /// What `--@ hidden:` names.
    hidden: Option<String>,
    opened: Arc<Opened>,
    names: HashMap<String, EventId>,
}

/// What a deal is put into.
enum Hand {
    /// The constant of a script, and what the referee wants to know, if there is one.
    Script {
        constant: usize,
        facts: Option<(csp_games::referee::Game, Expr)>,
    },
    /// A described game, what its deals have in common, and the last of them.
    Game {
        game: DescribedGame,
        outline: Outline,
        last: Option<Arc<csp_rules::position::Position>>,
    },
}

impl Dealer {
    /// Prepares the script of a network to be dealt.
    pub fn new(redeal: &Redeal, cancel: &CancelToken) -> Result<Self, String> {
        let deal = match &redeal.dealt {
            Dealt::Script { .. } => Some(0),
            Dealt::Game(_) => None,
        };
        let mut script = redeal.dealt.script(deal, cancel)?;
        let assertion = script.to_solve(&redeal.settings)?;
        let pragmas = Pragmas::of(&assertion);
        let opening = pragmas.opening.ok_or("the assertion has no opening")?;
        let mut expression = |text: &str| {
            let wrong = |d: Vec<csp_grammar::Diagnostic>| d[0].message.clone();
            script.expression(text).map_err(wrong)
        };
        let opening = expression(&opening)?;
        let hand = match &redeal.dealt {
            Dealt::Script { .. } => {
                let facts = match pragmas.game {
                    Some(game) => Some((game, expression(game.expression())?)),
                    None => None,
                };
                Hand::Script {
                    constant: constant(&script, DEAL)?,
                    facts,
                }
            }
            Dealt::Game(game) => Hand::Game {
                game: game.clone(),
                outline: Outline::of(&game.deal(game.usual_deal())?),
                last: None,
            },
        };
        Ok(Self {
            script,
            hand,
            opening,
            hidden: pragmas.hidden,
            opened: Arc::clone(&redeal.opened),
            names: redeal.names.clone(),
        })
    }

    /// The events that a deal begins with, by the names that the script gives them.
    pub fn events(&mut self, deal: i64) -> Result<Vec<String>, String> {
        let wrong = |_| format!("{deal} is not a deal");
        let values = match &mut self.hand {
            Hand::Script { constant, .. } => vec![(*constant, deal.to_string())],
            Hand::Game {
                game,
                outline,
                last,
            } => {
                let position = game.deal(u64::try_from(deal).map_err(wrong)?)?;
                if Outline::of(&position) != *outline {
                    return Err(format!("deal {deal} has another outline"));
                }
                let constants = csp_rules::model::constants(&position);
                *last = Some(Arc::new(position));
                let named =
                    |(name, value): (&str, String)| Ok((constant(&self.script, name)?, value));
                constants
                    .into_iter()
                    .map(named)
                    .collect::<Result<_, String>>()?
            }
        };
        for (constant, value) in values {
            let value = self.script.expression(&value);
            let value = value.map_err(|_| format!("{deal} is not a deal"))?;
            self.script.replace_constant(constant, value);
        }
        let evaluator = self.script.evaluator();
        let trace = evaluator.trace(&self.opening).map_err(|d| d.message)?;
        let events = self.script.events();
        Ok(trace.iter().map(|event| events.name(*event)).collect())
    }

    /// The position that a deal begins in.
    pub fn deal(&mut self, deal: i64) -> Result<Position, String> {
        let names = self.events(deal)?;
        let wrong = || format!("deal {deal} cannot be dealt by events");
        let events = names.iter().map(|name| self.names.get(name).copied());
        let events: Option<Vec<EventId>> = events.collect();
        let initial = self.opened.initial()?;
        let position = self.opened.after(&initial, &events.ok_or_else(wrong)?);
        position.ok_or_else(wrong)
    }

    /// The printed value of what the assertion says is hidden.
    pub fn hidden(&mut self) -> Result<String, String> {
        let hidden = self.hidden.clone();
        let hidden = hidden.ok_or("the assertion has no `--@ hidden:` line")?;
        let value = self.script.evaluate(&hidden, None);
        value.map_err(|d| d.first().map_or_else(String::new, |d| d.message.clone()))
    }

    /// What the referee has to know of the last deal.
    pub(crate) fn start(&mut self) -> Result<Option<Start>, String> {
        let (game, facts) = match &self.hand {
            Hand::Game { last, .. } => return Ok(last.clone().map(Start::Described)),
            Hand::Script { facts: None, .. } => return Ok(None),
            Hand::Script {
                facts: Some((game, facts)),
                ..
            } => (game, facts),
        };
        let evaluator = self.script.evaluator();
        let value = evaluator.evaluate(facts).map_err(|d| d.message)?;
        Ok(Some(Start::Modelled {
            game: *game,
            facts: evaluator.show(&value),
        }))
    }
}

/// Where a constant is defined.
fn constant(script: &Script, name: &str) -> Result<usize, String> {
    let mut globals = script.program.globals.iter();
    let found = globals.position(|g| g.name == name);
    found.ok_or_else(|| format!("the script has no constant {name}"))
}

fn prepare(
    mut script: Script,
    settings: &SolveSettings,
    opens: bool,
    cancel: &CancelToken,
) -> Result<Prepared, String> {
    let assertion = script.to_solve(settings)?;
    if opens && Pragmas::of(&assertion).opening.is_none() {
        return Err("the assertion has no opening".to_owned());
    }
    script.watch.start(settings.check.timeout, None);
    let prepared = script.prepare(settings, cancel);
    prepared.map_err(|trouble| trouble.sentence())
}

fn open(prepared: &Prepared, strategy: Strategy) -> Result<Opened, String> {
    let is_goal = |rule: &csp_lts::Rule| prepared.goal.contains(rule.result);
    Opened::new(prepared.network.clone(), &is_goal, strategy)
}

/// The events that rules reveal, by name.
fn names(opened: &Opened, events: &EventTable) -> HashMap<String, EventId> {
    let rules = opened.network().rules.iter();
    rules
        .map(|rule| (events.name(rule.revealed), rule.revealed))
        .collect()
}

/// Limits for a search of this many states.
#[must_use]
pub fn within(states: u64) -> Options {
    Options {
        max_states: Some(states),
        memory: crate::memory::available(),
        ..Options::default()
    }
}
