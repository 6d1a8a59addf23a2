//! Stepping through a process. A request says by which events the page has come, so that any position can be asked
//! for in any order; what two positions have in common is not walked twice.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use csp_driver::CancelToken;
use csp_driver::explore::{Explorer, PartState};
use csp_driver::report::TermReport;
use serde::{Deserialize, Serialize};

use super::{Asked, Tab};
use crate::refusal::Refusal;
use crate::seats::{Purpose, ScriptRequest, Seat, lock};
use crate::work::{Bench, broken};

/// A walk longer than this is refused.
const MOST_STEPS: usize = 20_000;

#[derive(Deserialize)]
pub(super) struct ExploreRequest {
    script: ScriptRequest,
    process: String,
    /// Events by their names before hiding; `2:a` is the second of several ways to do `a`.
    path: Vec<String>,
}

/// Where a walk has come to.
#[derive(Serialize)]
pub(super) struct Position {
    options: Vec<OptionAnswer>,
    parts: Vec<PartAnswer>,
    steps: Vec<StepAnswer>,
}

#[derive(Serialize)]
struct OptionAnswer {
    event: String,
    revealed: String,
    /// How a path names it.
    step: String,
    who: Vec<String>,
}

#[derive(Clone, Serialize)]
struct StepAnswer {
    event: String,
    revealed: String,
    step: String,
}

#[derive(Serialize)]
struct PartAnswer {
    label: String,
    term: TermReport,
    moved: bool,
}

pub(super) async fn explore(
    State(bench): State<Arc<Bench>>,
    Tab(tab): Tab,
    Asked(asked): Asked<ExploreRequest>,
) -> Result<Json<Position>, Refusal> {
    if asked.path.len() > MOST_STEPS {
        return Err(Refusal::script(format!(
            "a walk may have up to {MOST_STEPS} steps"
        )));
    }
    let seat = bench
        .seats
        .seat(&bench.folder, &tab, &asked.script, Purpose::Look)?;
    let position = bench.ask(&tab, move |cancel| at(&seat, &asked, cancel, position));
    position.await.map(Json)
}

#[derive(Deserialize)]
pub(super) struct WhyNotRequest {
    #[serde(flatten)]
    place: ExploreRequest,
    event: String,
}

/// Who refuses, in a sentence.
#[derive(Serialize)]
pub(super) struct WhyNotAnswer {
    sentence: String,
}

pub(super) async fn why_not(
    State(bench): State<Arc<Bench>>,
    Tab(tab): Tab,
    Asked(asked): Asked<WhyNotRequest>,
) -> Result<Json<WhyNotAnswer>, Refusal> {
    let seat = bench
        .seats
        .seat(&bench.folder, &tab, &asked.place.script, Purpose::Look)?;
    let answer = bench.ask(&tab, move |cancel| {
        let why = |walk: &Walk| walk.explorer.why_not(&asked.event);
        let sentence = at(&seat, &asked.place, cancel, why)?;
        Ok(WhyNotAnswer { sentence })
    });
    answer.await.map(Json)
}

#[derive(Deserialize)]
pub(super) struct EventsRequest {
    script: ScriptRequest,
    process: String,
}

/// The events that a process might do at some time, for completion.
#[derive(Serialize)]
pub(super) struct EventsAnswer {
    events: Vec<String>,
}

/// More names than this are not sent.
const MOST_EVENTS: usize = 5_000;

pub(super) async fn events(
    State(bench): State<Arc<Bench>>,
    Tab(tab): Tab,
    Asked(asked): Asked<EventsRequest>,
) -> Result<Json<EventsAnswer>, Refusal> {
    let seat = bench
        .seats
        .seat(&bench.folder, &tab, &asked.script, Purpose::Look)?;
    let answer = bench.ask(&tab, move |cancel| {
        let mut kept = lock(&seat.walk);
        let walk = walk_of(&seat, &mut kept, &asked.process, cancel)?;
        let mut events = walk.explorer.alphabet();
        events.truncate(MOST_EVENTS);
        Ok(EventsAnswer { events })
    });
    answer.await.map(Json)
}

/// A shortest way on to an event or a channel: where it leads.
pub(super) async fn until(
    State(bench): State<Arc<Bench>>,
    Tab(tab): Tab,
    Asked(asked): Asked<WhyNotRequest>,
) -> Result<Json<Position>, Refusal> {
    let seat = bench
        .seats
        .seat(&bench.folder, &tab, &asked.place.script, Purpose::Look)?;
    let answer = bench.ask(&tab, move |cancel| {
        let mut kept = lock(&seat.walk);
        let walk = walk_of(&seat, &mut kept, &asked.place.process, cancel)?;
        walk.follow(&asked.place.path, cancel)?;
        walk.run_until(&asked.event)?;
        Ok(position(walk))
    });
    answer.await.map(Json)
}

/// A process and where it is.
pub(crate) struct Walk {
    process: String,
    explorer: Explorer,
    steps: Vec<StepAnswer>,
}

/// Does something with the explorer where the page is.
fn at<T>(
    seat: &Seat,
    asked: &ExploreRequest,
    cancel: &CancelToken,
    look: impl FnOnce(&Walk) -> T,
) -> Result<T, Refusal> {
    let mut kept = lock(&seat.walk);
    let walk = walk_of(seat, &mut kept, &asked.process, cancel)?;
    walk.follow(&asked.path, cancel)?;
    Ok(look(walk))
}

/// The walk of a process: the one that is kept, or a new one.
fn walk_of<'a>(
    seat: &Seat,
    kept: &'a mut Option<Walk>,
    process: &str,
    cancel: &CancelToken,
) -> Result<&'a mut Walk, Refusal> {
    if kept.as_ref().is_none_or(|walk| walk.process != process) {
        *kept = Some(Walk {
            process: process.to_owned(),
            explorer: seat.session.explore(process, cancel)?,
            steps: Vec::new(),
        });
    }
    kept.as_mut().ok_or_else(broken)
}

impl Walk {
    /// Goes on to an event by a shortest way, and finds the names of its steps.
    fn run_until(&mut self, event: &str) -> Result<(), Refusal> {
        let count = self
            .explorer
            .run_until(event, &|| false)
            .map_err(Refusal::script)?;
        let mut states = Vec::with_capacity(count);
        for _ in 0..count {
            states.push(terms(&self.explorer));
            self.explorer.undo();
        }
        while let Some(wanted) = states.pop() {
            let options = numbered(&self.explorer);
            let mut chosen = None;
            for (place, option) in options.into_iter().enumerate() {
                self.explorer.choose(place);
                // Only the last step does the event; one before that leads to the same state is not it.
                let last = !states.is_empty() || does(&option, event);
                if last && terms(&self.explorer) == wanted {
                    chosen = Some(option);
                    break;
                }
                self.explorer.undo();
            }
            let OptionAnswer {
                event,
                revealed,
                step,
                ..
            } = chosen.ok_or_else(|| Refusal::script("the way there cannot be told by name"))?;
            self.steps.push(StepAnswer {
                event,
                revealed,
                step,
            });
        }
        Ok(())
    }

    /// Goes where the path leads; what it has in common with the walk so far stays.
    fn follow(&mut self, path: &[String], cancel: &CancelToken) -> Result<(), Refusal> {
        let same = |(step, wanted): &(&StepAnswer, &String)| step.step == **wanted;
        let common = self.steps.iter().zip(path).take_while(same).count();
        while self.steps.len() > common {
            self.explorer.undo();
            self.steps.pop();
        }
        for wanted in &path[common..] {
            if cancel.is_cancelled() {
                return Err(Refusal::script("stopped"));
            }
            let options = numbered(&self.explorer);
            let named = |o: &OptionAnswer| o.step == *wanted;
            let called = |o: &OptionAnswer| o.revealed == *wanted || o.event == *wanted;
            let found = options.iter().position(named);
            let Some(place) = found.or_else(|| options.iter().position(called)) else {
                let done = self.steps.len();
                return Err(Refusal::script(format!(
                    "after {done} steps, '{wanted}' is not possible"
                )));
            };
            self.explorer.choose(place);
            let chosen = options.into_iter().nth(place).ok_or_else(broken)?;
            self.steps.push(StepAnswer {
                event: chosen.event,
                revealed: chosen.revealed,
                step: chosen.step,
            });
        }
        Ok(())
    }
}

/// The options, each with a name that no other has.
fn numbered(explorer: &Explorer) -> Vec<OptionAnswer> {
    let options = explorer.options();
    let mut answers: Vec<OptionAnswer> = Vec::with_capacity(options.len());
    for option in options {
        let same = answers
            .iter()
            .filter(|o| o.revealed == option.revealed)
            .count();
        let step = match same {
            0 => option.revealed.clone(),
            n => format!("{}:{}", n + 1, option.revealed),
        };
        answers.push(OptionAnswer {
            event: option.event,
            revealed: option.revealed,
            step,
            who: option.who,
        });
    }
    answers
}

/// Whether an option does an event, or one of a channel.
fn does(option: &OptionAnswer, name: &str) -> bool {
    [&option.event, &option.revealed]
        .into_iter()
        .any(|found| found == name || found.strip_prefix(name).is_some_and(|r| r.starts_with('.')))
}

/// What tells one state of a process from another.
fn terms(explorer: &Explorer) -> Vec<String> {
    let states = explorer.states().into_iter();
    states.map(|part| part.state.text).collect()
}

fn position(walk: &Walk) -> Position {
    let part = |part: PartState| PartAnswer {
        label: part.label,
        term: part.state,
        moved: part.moved,
    };
    Position {
        options: numbered(&walk.explorer),
        parts: walk.explorer.states().into_iter().map(part).collect(),
        steps: walk.steps.clone(),
    }
}
