//! How alive the events of a process are.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;

use super::{Asked, Tab};
use crate::refusal::Refusal;
use crate::seats::{Purpose, ScriptRequest};
use crate::stream::stream;
use crate::work::Bench;

/// States that are looked at, at most and unless something else is said.
const MOST_STATES: usize = 2_000_000;
const STATES: usize = 200_000;

#[derive(Deserialize)]
pub(super) struct LiveRequest {
    script: ScriptRequest,
    process: String,
    max_states: Option<usize>,
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
        let most = asked.max_states.unwrap_or(STATES).min(MOST_STATES);
        let report = seat.session.live(&asked.process, most, cancel)?;
        teller.tell("report", &report);
        Ok(())
    }))
}
