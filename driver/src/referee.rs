//! Plays of games before their referee.
//!
//! An assertion with a `--@ game:` line is about a game that has a referee, which knows the rules and
//! no CSP. Whatever play is shown for it, found by `check` or by `solve`, has passed that referee; a
//! play that is rejected is never shown: the model does not follow the rules, and that is an error.

use std::sync::Arc;

use csp_compiler::hir::Assertion;
use csp_games::referee::{Game, Referee};
use csp_games::table::PileKind;
use csp_grammar::Diagnostic;
use csp_rules::position::Position;

use crate::games::{LayoutReport, layout_of};
use crate::pragma::Pragmas;
use crate::report::{AssertionReport, VerdictReport};
use crate::script::Script;

/// The names of the games that have a referee.
pub fn games() -> impl Iterator<Item = &'static str> {
    Game::ALL.into_iter().map(Game::name)
}

/// The start of a game.
#[derive(Clone)]
pub(crate) enum Start {
    /// As its model describes it.
    Modelled {
        game: Game,
        /// The value of [`Game::expression`], printed.
        facts: String,
    },
    /// As its description deals it.
    Described(Arc<Position>),
}

impl Start {
    /// What the game is called.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Modelled { game, .. } => game.name(),
            Self::Described(position) => &position.rules().name,
        }
    }

    /// What tells this start from others of the game.
    pub(crate) fn facts(&self) -> String {
        match self {
            Self::Modelled { facts, .. } => facts.clone(),
            Self::Described(position) => position.draw(),
        }
    }

    /// To what kind of pile a card goes by each channel of the model.
    pub(crate) fn targets(&self) -> &'static [(&'static str, PileKind)] {
        match self {
            Self::Modelled { game, .. } => game.targets(),
            Self::Described(_) => csp_rules::moves::TARGETS,
        }
    }

    /// Where the piles lie, if the rules say so.
    pub(crate) fn layout(&self) -> Option<LayoutReport> {
        match self {
            Self::Modelled { .. } => None,
            Self::Described(position) => Some(layout_of(position.rules())),
        }
    }

    /// A referee at the start; the error says why there is none.
    pub(crate) fn seat(&self) -> Result<Box<dyn Referee + Send>, String> {
        match self {
            Self::Modelled { game, facts } => game.referee(facts),
            Self::Described(position) => Ok(position.copied()),
        }
    }

    /// A referee of the game at its start.
    pub(crate) fn referee(
        &self,
        assertion: &Assertion,
    ) -> Result<Box<dyn Referee + Send>, Box<Diagnostic>> {
        let seat = self.seat();
        seat.map_err(|why| rejected(self.name(), assertion, &format!("cannot start: {why}")))
    }
}

/// The diagnostic for a play, or a start, that the referee does not accept.
pub(crate) fn rejected(game: &str, assertion: &Assertion, why: &str) -> Box<Diagnostic> {
    let message = format!("the referee of {game} {why}");
    let help = "the model does not follow the rules of the game";
    Box::new(Diagnostic::error("E0603", assertion.span, message).help(help))
}

impl Script {
    /// The start of the game that an assertion is about, if it is about one.
    pub(crate) fn start(
        &mut self,
        assertion: &Assertion,
        timeout: Option<f64>,
    ) -> Result<Option<Start>, Vec<Diagnostic>> {
        if let Some(position) = &self.described {
            return Ok(Some(Start::Described(Arc::clone(position))));
        }
        let Some(game) = Pragmas::of(assertion).game else {
            return Ok(None);
        };
        let facts = self.evaluate(game.expression(), timeout)?;
        Ok(Some(Start::Modelled { game, facts }))
    }

    /// Has the referee replay the counterexamples of a report. What it rejects is taken out again.
    pub(crate) fn judge(
        &mut self,
        report: &mut AssertionReport,
        assertion: &Assertion,
    ) -> Vec<Diagnostic> {
        if report.counterexamples.is_empty() {
            return Vec::new();
        }
        let judged = self
            .start(assertion, None)
            .and_then(|start| replay(report, assertion, start).map_err(|d| vec![*d]));
        match judged {
            Ok(referee) => {
                report.referee = referee.map(Into::into);
                Vec::new()
            }
            Err(diagnostics) => {
                report.verdict = VerdictReport::Error;
                report.meaning = None;
                report.reason = diagnostics.first().map(|d| d.message.clone());
                report.counterexamples.clear();
                report
                    .diagnostics
                    .extend(diagnostics.iter().map(|d| self.diagnostic(d)));
                diagnostics
            }
        }
    }
}

/// Replays all counterexamples; the name of the game if there is one.
fn replay(
    report: &AssertionReport,
    assertion: &Assertion,
    start: Option<Start>,
) -> Result<Option<String>, Box<Diagnostic>> {
    let Some(start) = start else {
        return Ok(None);
    };
    for counterexample in &report.counterexamples {
        let mut referee = start.referee(assertion)?;
        for event in counterexample.revealed.iter().chain(&counterexample.cycle) {
            referee.play_event(event).map_err(|why| {
                rejected(start.name(), assertion, &format!("rejects {event}: {why}"))
            })?;
        }
    }
    Ok(Some(start.name().to_owned()))
}
