//! How alive the events of a process are, and how large its numbers become.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use csp_driver::CheckSettings;
use serde::Deserialize;

use super::{Asked, Tab};
use crate::refusal::Refusal;
use crate::seats::{Purpose, ScriptRequest};
use crate::stream::stream;
use crate::work::Bench;

/// States that are looked at, at most and unless something else is said.
const MOST_STATES: u64 = 2_000_000;
const STATES: u64 = 200_000;

#[derive(Deserialize)]
pub(super) struct LiveRequest {
    script: ScriptRequest,
    process: String,
    max_states: Option<u64>,
}

impl LiveRequest {
    fn settings(&self) -> CheckSettings {
        let most = self.max_states.unwrap_or(STATES).min(MOST_STATES);
        CheckSettings {
            max_states: Some(most),
            ..CheckSettings::default()
        }
    }
}

pub(super) async fn live(
    State(bench): State<Arc<Bench>>,
    Tab(tab): Tab,
    Asked(asked): Asked<LiveRequest>,
) -> Result<Response, Refusal> {
    let place = bench.queue()?;
    let seat = bench
        .seats
        .seat(&bench.folder, &tab, &asked.script, Purpose::Check)?;
    Ok(stream(&bench, &tab, place, move |teller, cancel| {
        let report = seat
            .session
            .live(&asked.process, &asked.settings(), cancel)?;
        teller.tell("report", &report);
        Ok(())
    }))
}

pub(super) async fn bounds(
    State(bench): State<Arc<Bench>>,
    Tab(tab): Tab,
    Asked(asked): Asked<LiveRequest>,
) -> Result<Response, Refusal> {
    let place = bench.queue()?;
    let seat = bench
        .seats
        .seat(&bench.folder, &tab, &asked.script, Purpose::Check)?;
    Ok(stream(&bench, &tab, place, move |teller, cancel| {
        let report = seat
            .session
            .bounds(&asked.process, &asked.settings(), cancel)?;
        teller.tell("report", &report);
        Ok(())
    }))
}
