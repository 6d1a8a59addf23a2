//! Whole transition systems, if they are small.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::Value;

use super::{Asked, Tab};
use crate::refusal::Refusal;
use crate::seats::{Purpose, ScriptRequest};
use crate::work::Bench;

/// The most states that are sent.
const MOST_STATES: u64 = 5_000;

#[derive(Deserialize)]
pub(super) struct GraphRequest {
    script: ScriptRequest,
    process: String,
    most: u64,
}

pub(super) async fn graph(
    State(bench): State<Arc<Bench>>,
    Tab(tab): Tab,
    Asked(asked): Asked<GraphRequest>,
) -> Result<Json<Value>, Refusal> {
    let seat = bench
        .seats
        .seat(&bench.folder, &tab, &asked.script, Purpose::Look)?;
    let graph = bench.ask(&tab, move |cancel| {
        let most = asked.most.clamp(1, MOST_STATES);
        let graph = seat.session.graph(&asked.process, most, cancel)?;
        let json = csp_driver::graph::json(&graph);
        serde_json::from_str(&json).map_err(|_| crate::work::broken())
    });
    graph.await.map(Json)
}
