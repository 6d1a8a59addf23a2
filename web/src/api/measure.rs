//! Measurements: `scale` over numbers of threads, `survey` over deals.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use csp_driver::CheckSettings;
use csp_driver::report::{Report, VerdictReport};
use csp_driver::scale::{Measurement, summarise};
use csp_driver::solve::{Method, SolveSettings};
use csp_driver::survey::{Source, SurveyError, SurveySettings, survey as run_survey};
use serde::Deserialize;
use serde_json::json;

use super::check::follow;
use super::{Asked, Tab};
use crate::refusal::Refusal;
use crate::seats::{Purpose, ScriptRequest};
use crate::stream::stream;
use crate::work::{Bench, MOST_SECONDS};

/// The most runs of one measurement, and the most deals of one survey.
const MOST_RUNS: usize = 64;
const MOST_DEALS: i64 = 10_000;

#[derive(Deserialize)]
pub(super) struct ScaleRequest {
    script: ScriptRequest,
    /// The assertions, by number.
    numbers: Vec<usize>,
    threads: Vec<usize>,
    runs: usize,
    max_states: Option<u64>,
}

pub(super) async fn scale(
    State(bench): State<Arc<Bench>>,
    Tab(tab): Tab,
    Asked(asked): Asked<ScaleRequest>,
) -> Result<Response, Refusal> {
    let runs = asked.runs.clamp(1, 9);
    let most = bench.threads.max(1) * 4;
    if asked.threads.is_empty() || asked.threads.iter().any(|t| *t == 0 || *t > most) {
        return Err(Refusal::script(format!(
            "numbers of threads are from 1 to {most}"
        )));
    }
    if asked.numbers.is_empty() || runs * asked.threads.len() * asked.numbers.len() > MOST_RUNS {
        return Err(Refusal::script(format!(
            "a measurement has from 1 to {MOST_RUNS} runs"
        )));
    }
    let place = bench.queue()?;
    let seat = bench
        .seats
        .seat(&bench.folder, &tab, &asked.script, Purpose::Check)?;
    let inside = Arc::clone(&bench);
    Ok(stream(&bench, &tab, place, move |teller, cancel| {
        let mut measured = Vec::new();
        for &threads in &asked.threads {
            for _ in 0..runs {
                // Every run loads the script anew, so that none profits from what another compiled.
                seat.session.refresh();
                let mut report = blank(&asked.script.file);
                for &number in &asked.numbers {
                    let settings = CheckSettings {
                        threads,
                        max_states: asked.max_states,
                        timeout: Some(MOST_SECONDS),
                        memory: inside.share(None),
                        ..CheckSettings::default()
                    };
                    let tell = |event| follow(teller, &event);
                    let found = seat.session.check(number, &settings, cancel, tell)?;
                    if cancel.is_cancelled() {
                        return Ok(());
                    }
                    if found.verdict == VerdictReport::Error {
                        let why = found.reason.unwrap_or_default();
                        return Err(Refusal::script(format!(
                            "assertion {number} cannot be checked: {why}"
                        )));
                    }
                    report.assertions.push(found);
                }
                measured.push(Measurement::new(threads, &report));
                let rows = summarise(&measured).map_err(Refusal::script)?;
                teller.tell("rows", &rows);
            }
        }
        Ok(())
    }))
}

fn blank(file: &str) -> Report {
    Report {
        schema: csp_driver::report::SCHEMA,
        tool: "csp".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        file: file.to_owned(),
        prints: Vec::new(),
        assertions: Vec::new(),
        diagnostics: Vec::new(),
    }
}

#[derive(Deserialize)]
pub(super) struct SurveyRequest {
    script: ScriptRequest,
    from: i64,
    to: i64,
    timeout: Option<f64>,
    max_states: Option<u64>,
}

pub(super) async fn survey(
    State(bench): State<Arc<Bench>>,
    Tab(tab): Tab,
    Asked(asked): Asked<SurveyRequest>,
) -> Result<Response, Refusal> {
    if asked.script.text.is_some() {
        return Err(Refusal::script("a survey is of a script that is saved"));
    }
    let deals = asked.to.checked_sub(asked.from);
    if deals.is_none_or(|n| !(0..MOST_DEALS).contains(&n)) {
        return Err(Refusal::script(format!(
            "a survey has from 1 to {MOST_DEALS} deals"
        )));
    }
    let path = bench.folder.on_disk(&asked.script.file)?;
    let place = bench.queue()?;
    let inside = Arc::clone(&bench);
    Ok(stream(&bench, &tab, place, move |teller, cancel| {
        let timeout = asked.timeout.filter(|s| s.is_finite() && *s > 0.0);
        let settings = SurveySettings {
            source: Source::Script(path.clone()),
            defines: asked
                .script
                .defines
                .iter()
                .map(|(n, e)| format!("{n}={e}"))
                .collect(),
            deals: asked.from..=asked.to,
            threads: inside.threads,
            solve: SolveSettings {
                check: CheckSettings {
                    timeout: Some(timeout.unwrap_or(60.0).min(MOST_SECONDS)),
                    max_states: asked.max_states,
                    memory: inside
                        .share(None)
                        .map(|bytes| bytes / inside.threads.max(1) as u64),
                    ..CheckSettings::default()
                },
                goal: None,
                improve: None,
                method: Method::Greedy,
                boards: false,
            },
            interrupted: cancel.clone(),
        };
        let done = run_survey(&settings, &|_| false, &|row| teller.tell("row", row));
        match done {
            Ok(()) => {
                teller.tell("done", &json!({}));
                Ok(())
            }
            Err(SurveyError::File(error)) => Err(Refusal::script(error.reason)),
            Err(SurveyError::Threads(none)) => Err(Refusal::script(none.to_string())),
            Err(SurveyError::Deal { deal, reason }) => {
                Err(Refusal::script(format!("deal {deal}: {reason}")))
            }
        }
    }))
}
