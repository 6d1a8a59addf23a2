//! A script held open: texts in, answers, events and reports out.
//!
//! Every front end that lives longer than one run (a page, a language server, a module of another language) holds a
//! [`Session`]. It is a handle: clones are the same session, and any thread may use them. Behind it are two threads
//! with deep stacks (`owner`): one answers questions about the text, which are quick, the other evaluates and checks,
//! so that questions are answered while a check runs. Sessions share nothing, so each is cancelled alone. Where there
//! are no threads, or none are wanted, whoever asks does the work.
//!
//! The text of a file is what an editor has of it (`set_text`), else what the host reads (`host`).

mod event;
mod host;
mod outline;
mod owner;
mod place;
mod texts;

use std::sync::mpsc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use crate::bounds::BoundsReport;
use crate::cancel::CancelToken;
use crate::explore::Explorer;
use crate::files::FileError;
use crate::graph::Graph;
use crate::live::LiveReport;
use crate::play::{PlayError, Table};
use crate::report::{AssertionReport, DiagnosticReport, PrintReport, SpanReport};
use crate::script::{CheckSettings, Inspection, Problem, Script};

pub use event::SessionEvent;
pub use host::{Files, Host};
pub use outline::{
    AssertionOutline, DefinitionKind, DefinitionOutline, Outline, ParameterOutline, ProcessOutline,
};
use owner::Owner;
pub use place::Place;
use texts::Texts;

/// Why a session has no answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum SessionError {
    /// A file could not be read.
    File {
        /// Which.
        path: String,
        /// The reason in a sentence.
        reason: String,
    },
    /// Something is wrong with the script or with the expression.
    Script {
        /// What.
        diagnostics: Vec<DiagnosticReport>,
    },
    /// A limit was reached, or the work was cancelled.
    Limit {
        /// Which, in words.
        reason: String,
    },
    /// What was asked for does not exist.
    Missing {
        /// What, in a sentence.
        what: String,
    },
    /// A mistake of ours; the session goes on with the next question.
    Broken,
}

impl From<FileError> for SessionError {
    fn from(error: FileError) -> Self {
        Self::File {
            path: error.path,
            reason: error.reason,
        }
    }
}

/// A script held open. Clones are the same session.
#[derive(Clone)]
pub struct Session {
    texts: Arc<Mutex<Texts>>,
    questions: Owner,
    work: Owner,
}

impl Session {
    /// A session without any text.
    #[must_use]
    pub fn new(host: Host) -> Self {
        let one_thread = host.one_thread;
        let texts = Arc::new(Mutex::new(Texts::new(host)));
        let questions = Owner::start(Arc::clone(&texts), one_thread);
        let work = if one_thread {
            questions.clone()
        } else {
            Owner::start(Arc::clone(&texts), false)
        };
        Self {
            questions,
            work,
            texts,
        }
    }

    /// The script that questions are about from now on; an editor's text goes before the file.
    pub fn open(&self, path: &str) {
        self.texts().open(path);
    }

    /// The text of a file is this, whatever the disk says. The first text of a session that has no script is its
    /// script.
    pub fn set_text(&self, name: &str, text: &str) {
        self.texts().set(name, text);
    }

    /// The text of a file is again what the host reads.
    pub fn remove_text(&self, name: &str) {
        self.texts().remove(name);
    }

    /// Files may have changed: everything that was read is read again.
    pub fn refresh(&self) {
        self.texts().touch();
    }

    /// Constants that have another value than the script says: name and expression.
    pub fn set_parameters(&self, parameters: Vec<(String, String)>) {
        self.texts().define(parameters);
    }

    /// Forgets the reports and compressions of earlier checks: what is checked next is done from the beginning.
    pub fn forget(&self) {
        self.work.forget();
    }

    /// What there is in the script, and what is wrong with it.
    pub fn outline(&self) -> Result<Outline, SessionError> {
        self.questions.ask(|script| Ok(outline::outline(script)))
    }

    /// Where the name at a place is defined.
    pub fn definition_at(&self, place: &Place) -> Result<Option<SpanReport>, SessionError> {
        let place = place.clone();
        self.questions
            .ask(move |script| Ok(place::definition(script, &place)))
    }

    /// Everywhere that the name at a place is used, and first where it is defined.
    pub fn references_at(&self, place: &Place) -> Result<Vec<SpanReport>, SessionError> {
        let place = place.clone();
        self.questions
            .ask(move |script| Ok(place::references(script, &place)))
    }

    /// The name at a place with its type: `Fork :: (Int) -> Proc`.
    pub fn type_at(&self, place: &Place) -> Result<Option<String>, SessionError> {
        let place = place.clone();
        self.questions
            .ask(move |script| Ok(place::type_of(script, &place)))
    }

    /// The values of the script's `print` lines.
    pub fn prints(
        &self,
        timeout: Option<f64>,
        cancel: &CancelToken,
    ) -> Result<Vec<PrintReport>, SessionError> {
        self.runnable(cancel, move |script| Ok(script.report(timeout).0.prints))
    }

    /// Decides an assertion, by its number from 1, and tells of events as they happen, on the thread that calls. If
    /// nothing that it depends on has changed since it was last decided, the report is that one.
    pub fn check(
        &self,
        assertion: usize,
        settings: &CheckSettings,
        cancel: &CancelToken,
        mut tell: impl FnMut(SessionEvent),
    ) -> Result<AssertionReport, SessionError> {
        let (sender, events) = mpsc::channel();
        let (settings, token) = (settings.clone(), cancel.clone());
        let answer = self.work.begin(move |script| {
            let observer = event::Teller::new(sender, token.clone());
            let script = ready(script, &token)?;
            let index = assertion.wrapping_sub(1);
            if index >= script.assertion_count() {
                return Err(missing_assertion(assertion, script.assertion_count()));
            }
            let (report, kept) = script.check_if_changed(index, &settings, &observer);
            if kept {
                observer.kept(&report);
            }
            observer.verdict(&report);
            Ok(report)
        });
        for event in events {
            tell(event);
        }
        answer.wait()
    }

    /// The value of an expression, printed.
    pub fn evaluate(
        &self,
        expression: &str,
        timeout: Option<f64>,
        cancel: &CancelToken,
    ) -> Result<String, SessionError> {
        let expression = expression.to_owned();
        self.runnable(cancel, move |script| {
            let value = script.evaluate(&expression, timeout);
            value.map_err(|diagnostics| problem(script, &diagnostics))
        })
    }

    /// A process to step through.
    pub fn explore(&self, process: &str, cancel: &CancelToken) -> Result<Explorer, SessionError> {
        let (process, token) = (process.to_owned(), cancel.clone());
        self.runnable(cancel, move |script| {
            let explorer = script.explorer(&process, &Inspection::default(), &token);
            explorer.map_err(|found| no_result(script, &found))
        })
    }

    /// The whole transition system of a process, if it has no more states than this.
    pub fn graph(
        &self,
        process: &str,
        max_states: u64,
        cancel: &CancelToken,
    ) -> Result<Graph, SessionError> {
        let (process, token) = (process.to_owned(), cancel.clone());
        self.runnable(cancel, move |script| {
            let graph = script.explicit(&process, max_states, &Inspection::default(), &token);
            graph.map_err(|found| no_result(script, &found))
        })
    }

    /// The table of the script's game.
    pub fn table(&self, cancel: &CancelToken) -> Result<Table, SessionError> {
        let token = cancel.clone();
        self.runnable(cancel, move |script| {
            let table = script.table(&CheckSettings::default(), &token);
            table.map_err(|error| match error {
                PlayError::Wrong(diagnostics) => problem(script, &diagnostics),
                PlayError::Reason(what) => SessionError::Missing { what },
            })
        })
    }

    /// How alive the events of a process are, and which of its parts enter a trap.
    pub fn live(
        &self,
        process: &str,
        settings: &CheckSettings,
        cancel: &CancelToken,
    ) -> Result<LiveReport, SessionError> {
        let (process, token, settings) = (process.to_owned(), cancel.clone(), settings.clone());
        self.runnable(cancel, move |script| {
            let report = script.live(&process, &settings, &token);
            report.map_err(|found| no_result(script, &found))
        })
    }

    /// How large the numbers of a process become.
    pub fn bounds(
        &self,
        process: &str,
        settings: &CheckSettings,
        cancel: &CancelToken,
    ) -> Result<BoundsReport, SessionError> {
        let (process, token, settings) = (process.to_owned(), cancel.clone(), settings.clone());
        self.runnable(cancel, move |script| {
            let report = script.bounds(&process, &settings, &token);
            report.map_err(|found| no_result(script, &found))
        })
    }

    fn texts(&self) -> MutexGuard<'_, Texts> {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works with a script that has no errors.
    fn runnable<T: Send + 'static>(
        &self,
        cancel: &CancelToken,
        work: impl FnOnce(&mut Script) -> Result<T, SessionError> + Send + 'static,
    ) -> Result<T, SessionError> {
        let cancel = cancel.clone();
        self.work.ask(move |script| work(ready(script, &cancel)?))
    }
}

/// The script, if it can be evaluated; from now on the token stops it.
fn ready<'s>(script: &'s mut Script, cancel: &CancelToken) -> Result<&'s mut Script, SessionError> {
    if script.has_errors() {
        return Err(problem(script, script.diagnostics()));
    }
    script.on_interrupt(cancel.clone());
    Ok(script)
}

fn problem(script: &Script, diagnostics: &[crate::Diagnostic]) -> SessionError {
    SessionError::Script {
        diagnostics: diagnostics.iter().map(|d| script.diagnostic(d)).collect(),
    }
}

fn no_result(script: &Script, found: &Problem) -> SessionError {
    match &found.limit {
        Some(reason) => SessionError::Limit {
            reason: reason.clone(),
        },
        None => problem(script, &found.diagnostics),
    }
}

fn missing_assertion(number: usize, count: usize) -> SessionError {
    SessionError::Missing {
        what: format!("there is no assertion {number}; the script has {count}"),
    }
}
