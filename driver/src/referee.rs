//! Plays of games before their referee.
//!
//! An assertion with a `--@ game:` line is about a game that has a referee, which knows the rules and
//! no CSP. Whatever play is shown for it, found by `check` or by `solve`, has passed that referee; a
//! play that is rejected is never shown: the model does not follow the rules, and that is an error.

use csp_compiler::hir::Assertion;
use csp_games::referee::{Game, Referee};
use csp_grammar::Diagnostic;

use crate::pragma::Pragmas;
use crate::report::{AssertionReport, VerdictReport};
use crate::script::Script;

/// The names of the games that have a referee.
pub fn games() -> impl Iterator<Item = &'static str> {
    Game::ALL.into_iter().map(Game::name)
}

/// The start of a game, as its model describes it.
pub(crate) struct Start {
    pub(crate) game: Game,
    /// The value of [`Game::expression`], printed.
    pub(crate) facts: String,
}

impl Start {
    /// A referee of the game at its start.
    pub(crate) fn referee(
        &self,
        assertion: &Assertion,
    ) -> Result<Box<dyn Referee + Send>, Box<Diagnostic>> {
        let referee = self.game.referee(&self.facts);
        referee.map_err(|why| rejected(self.game, assertion, &format!("cannot start: {why}")))
    }
}

/// The diagnostic for a play, or a start, that the referee does not accept.
pub(crate) fn rejected(game: Game, assertion: &Assertion, why: &str) -> Box<Diagnostic> {
    let message = format!("the referee of {} {why}", game.name());
    let help = "the model does not follow the rules of the game that its `--@ game:` line names";
    Box::new(Diagnostic::error("E0603", assertion.span, message).help(help))
}

impl Script {
    /// The start of the game that an assertion is about, if it is about one.
    pub(crate) fn start(
        &mut self,
        assertion: &Assertion,
        timeout: Option<f64>,
    ) -> Result<Option<Start>, Vec<Diagnostic>> {
        let Some(game) = Pragmas::of(assertion).game else {
            return Ok(None);
        };
        let facts = self.evaluate(game.expression(), timeout)?;
        Ok(Some(Start { game, facts }))
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
) -> Result<Option<&'static str>, Box<Diagnostic>> {
    let Some(start) = start else {
        return Ok(None);
    };
    for counterexample in &report.counterexamples {
        let mut referee = start.referee(assertion)?;
        for event in counterexample.revealed.iter().chain(&counterexample.cycle) {
            referee.play_event(event).map_err(|why| {
                rejected(start.game, assertion, &format!("rejects {event}: {why}"))
            })?;
        }
    }
    Ok(Some(start.game.name()))
}
