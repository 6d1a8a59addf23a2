//! The tests that follow from the rules of a game, as a report.

use std::sync::Arc;

use csp_rules::boards::board;
use csp_rules::pairs::{self, Kind};
use csp_rules::term::Case;
use csp_rules::{Description, suite};
use serde::{Deserialize, Serialize};

use crate::report::SCHEMA;

/// All tests of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SuiteReport {
    /// The version of the shapes of reports.
    pub schema: u32,
    /// The game.
    pub game: String,
    /// One for each atom of each condition.
    pub tests: Vec<TestReport>,
}

/// The test of one atom.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TestReport {
    /// The kind of move: build, space, run, home, hole, gap or fold.
    #[serde(rename = "move")]
    pub kind: String,
    /// The key of the description that has the condition.
    pub key: String,
    /// The whole condition.
    pub condition: String,
    /// The atom.
    pub atom: String,
    /// No board shows that the atom matters: it can be left out (W0713).
    pub redundant: bool,
    /// A board on which the move is allowed.
    pub legal: Option<BoardReport>,
    /// One on which it is not, because of the atom alone.
    pub illegal: Option<BoardReport>,
    /// Atoms that differ between the two as well: they cannot but do so.
    pub tied: Vec<String>,
}

/// A board with the move in question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BoardReport {
    /// The card that moves; of a run, the card on the one that moves.
    pub card: String,
    /// The card it would lie on, or lies on.
    pub host: Option<String>,
    /// The position, drawn; none if the pack has no cards to show it with.
    pub board: Option<String>,
    /// The event of the move.
    pub event: Option<String>,
    /// What the rules say.
    pub allowed: bool,
}

/// The tests of a game.
#[must_use]
pub fn suite(rules: &Arc<Description>) -> SuiteReport {
    let tests = pairs::tests(rules).into_iter().map(|t| {
        let kind = t.rule.kind;
        let side = |case: &Case, allowed| shown(rules, kind, case, allowed);
        TestReport {
            kind: kind.word().to_owned(),
            key: kind.key().to_owned(),
            condition: t.rule.term.text(),
            atom: t.atom.text(),
            redundant: t.pair.is_none(),
            legal: t.pair.as_ref().map(|p| side(&p.legal, true)),
            illegal: t.pair.as_ref().map(|p| side(&p.illegal, false)),
            tied: t
                .pair
                .iter()
                .flat_map(|p| &p.tied)
                .map(|a| a.text())
                .collect(),
        }
    });
    SuiteReport {
        schema: SCHEMA,
        game: rules.name.clone(),
        tests: tests.collect(),
    }
}

/// The tests of a game as a script with assertions.
#[must_use]
pub fn suite_script(rules: &Description) -> String {
    suite::script(rules)
}

fn shown(rules: &Arc<Description>, kind: Kind, case: &Case, allowed: bool) -> BoardReport {
    use csp_games::referee::Referee;

    let board = board(rules, kind, case);
    BoardReport {
        card: case.card.to_string(),
        host: case.host.map(|h| h.to_string()),
        board: board.as_ref().map(|b| b.position.draw()),
        event: board.as_ref().map(|b| b.asked.event(rules.decks)),
        allowed,
    }
}
