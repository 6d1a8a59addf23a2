//! Which of the moves that are offered keep the win: one search for each, told as it ends.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use csp_driver::CancelToken;
use csp_driver::play::{Answered, Limits, Table};
use serde::{Deserialize, Serialize};

use super::{GameRequest, Placed, at, seat};
use crate::api::{Asked, Tab};
use crate::refusal::Refusal;
use crate::stream::{Teller, stream};
use crate::work::Bench;

/// What each search may take.
const SECONDS: f64 = 10.0;
const MEMORY: u64 = 1 << 30;

#[derive(Deserialize)]
pub(in crate::api) struct ProspectsRequest {
    #[serde(flatten)]
    game: GameRequest,
}

/// What is known of the position after a move.
#[derive(Serialize)]
struct Prospect {
    event: String,
    /// As a lamp says it.
    state: &'static str,
    /// Positions that were tried.
    states: u64,
}

pub(in crate::api) async fn prospects(
    State(bench): State<Arc<Bench>>,
    Tab(tab): Tab,
    Asked(asked): Asked<ProspectsRequest>,
) -> Result<Response, Refusal> {
    let seat = seat(&bench, &tab, &asked.game)?;
    let place = bench.queue()?;
    let inside = Arc::clone(&bench);
    Ok(stream(&bench, &tab, place, move |teller, cancel| {
        let limits = Limits {
            max_states: None,
            timeout: Some(SECONDS),
            memory: Some(inside.share(None).unwrap_or(MEMORY).min(MEMORY)),
        };
        let copy = |placed: &mut Placed| placed.table.copied();
        let table = at(&seat, &asked.game, cancel, copy)?;
        tell(table, &limits, teller, cancel)
    }))
}

fn tell(
    mut table: Table,
    limits: &Limits,
    teller: &Teller,
    cancel: &CancelToken,
) -> Result<(), Refusal> {
    for index in 0..table.offers().len() {
        let event = table.offers()[index].event.clone();
        table.choose(index).map_err(Refusal::script)?;
        let (state, states) = if table.is_won() {
            ("won", 0)
        } else {
            match table.question().answer(limits, cancel) {
                Answered::Won(_, states) => ("won", states),
                Answered::Lost(states) => ("lost", states),
                Answered::Undecided(_, states) => ("undecided", states),
            }
        };
        if cancel.is_cancelled() {
            return Ok(());
        }
        let prospect = Prospect {
            event,
            state,
            states,
        };
        teller.tell("prospect", &prospect);
        table.undo();
    }
    Ok(())
}
