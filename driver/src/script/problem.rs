//! Why there is no result: a mistake in the script, or a limit.

use csp_checker::Limit;
use csp_grammar::Diagnostic;

use crate::compression::reason;

/// Why there is no result.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// What is wrong with the script.
    pub diagnostics: Vec<Diagnostic>,
    /// Or the limit that was reached.
    pub limit: Option<String>,
}

impl From<Box<Diagnostic>> for Problem {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Self {
            diagnostics: vec![*diagnostic],
            limit: None,
        }
    }
}

/// Why there is nothing to check.
#[derive(Clone, Debug)]
pub(crate) enum Obstacle {
    /// Something is wrong with the script.
    Mistake(Box<Diagnostic>),
    /// A limit was reached on the way.
    Limit(Limit),
}

impl From<Obstacle> for Problem {
    fn from(obstacle: Obstacle) -> Self {
        match obstacle {
            Obstacle::Mistake(diagnostic) => diagnostic.into(),
            Obstacle::Limit(limit) => Self {
                diagnostics: Vec::new(),
                limit: Some(reason(&limit)),
            },
        }
    }
}

/// Whether a diagnostic says no more than that time ran out, or the user's patience.
pub(crate) fn stopped(diagnostic: &Diagnostic) -> bool {
    diagnostic.code == "E0499"
}
