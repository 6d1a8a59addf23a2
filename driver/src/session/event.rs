//! What a check tells while it runs.

use std::sync::mpsc::Sender;

use csp_checker::{Compressing, Observer, Phase, Ply, Progress};
use serde::{Deserialize, Serialize};

use crate::cancel::CancelToken;
use crate::report::{AssertionReport, VerdictReport};

/// One piece of news.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum SessionEvent {
    /// Something begins: `evaluate`, `compile`, `reduce`, `normalise`, `search` or `explain`.
    Phase {
        /// What.
        name: String,
        /// The process or assertion, if there is one to name.
        of: String,
    },
    /// A compression that the script asks for begins, or has ended if sizes are given.
    Compression {
        /// The function.
        function: String,
        /// The process it is applied to.
        process: String,
        /// States before.
        before: Option<u64>,
        /// States after.
        after: Option<u64>,
        /// It was done before, and that result is used.
        kept: bool,
    },
    /// Nothing that the assertion depends on has changed since it was last decided: its report is that one.
    Kept {
        /// The number of the assertion.
        number: usize,
    },
    /// A ply has been expanded. Number 0 begins another search.
    Ply {
        /// Its number.
        number: u64,
        /// States of the ply.
        size: u64,
        /// States stored so far.
        states: u64,
        /// Transitions seen so far.
        transitions: u64,
    },
    /// How far the search has come; about ten times a second.
    Progress {
        /// The ply being expanded.
        ply: u64,
        /// States stored.
        states: u64,
        /// Transitions seen.
        transitions: u64,
        /// States of the ply being expanded.
        frontier: u64,
        /// Bytes taken.
        memory: u64,
    },
    /// The last event: what the assertion came to.
    Verdict {
        /// The number of the assertion.
        number: usize,
        /// What it came to.
        verdict: VerdictReport,
    },
}

/// Passes on what a check tells, and whether it is to stop.
pub(super) struct Teller {
    events: Sender<SessionEvent>,
    cancel: CancelToken,
}

impl Teller {
    pub(super) fn new(events: Sender<SessionEvent>, cancel: CancelToken) -> Self {
        Self { events, cancel }
    }

    /// Tells the last event.
    pub(super) fn verdict(&self, report: &AssertionReport) {
        self.tell(SessionEvent::Verdict {
            number: report.number,
            verdict: report.verdict,
        });
    }

    /// Tells that the report is an earlier one.
    pub(super) fn kept(&self, report: &AssertionReport) {
        let number = report.number;
        self.tell(SessionEvent::Kept { number });
    }

    fn tell(&self, event: SessionEvent) {
        // Whoever listened may have gone; the token says whether to stop.
        let _ = self.events.send(event);
    }
}

impl Observer for Teller {
    fn progress(&self, progress: &Progress) {
        let &Progress {
            ply,
            states,
            transitions,
            frontier,
            memory,
        } = progress;
        self.tell(SessionEvent::Progress {
            ply,
            states,
            transitions,
            frontier,
            memory,
        });
    }

    fn phase(&self, phase: Phase, of: &str) {
        let name = match phase {
            Phase::Evaluate => "evaluate",
            Phase::Compile => "compile",
            Phase::Reduce => "reduce",
            Phase::Normalise => "normalise",
            Phase::Search => "search",
            Phase::Explain => "explain",
        };
        self.tell(SessionEvent::Phase {
            name: name.to_owned(),
            of: of.to_owned(),
        });
    }

    fn ply(&self, ply: &Ply) {
        let &Ply {
            number,
            size,
            states,
            transitions,
        } = ply;
        self.tell(SessionEvent::Ply {
            number,
            size,
            states,
            transitions,
        });
    }

    fn compression(&self, function: &str, process: &str, now: Compressing) {
        let (before, after) = match now {
            Compressing::Begins => (None, None),
            Compressing::Ends { before, after } | Compressing::Kept { before, after } => {
                (Some(before as u64), Some(after as u64))
            }
        };
        self.tell(SessionEvent::Compression {
            function: function.to_owned(),
            process: process.to_owned(),
            before,
            after,
            kept: matches!(now, Compressing::Kept { .. }),
        });
    }

    fn interrupted(&self) -> bool {
        self.cancel.is_cancelled()
    }
}
