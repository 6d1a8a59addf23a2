//! Can this still be won? Searched for on a copy of the table, told while it goes on, and ended when the page closes
//! the answer, which it does when the position changes.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use csp_driver::play::{Answered, LampReport, Limits, Table};
use csp_driver::{CancelToken, Observer, Progress};
use serde::{Deserialize, Serialize};

use super::{GameRequest, Placed, at, seat};
use crate::api::{Asked, Tab};
use crate::refusal::Refusal;
use crate::seats::{Seat, lock};
use crate::stream::{Teller, stream};
use crate::work::Bench;

/// Seconds that the search for a win may take at most, and bytes.
const MOST_SECONDS: f64 = 600.0;
const MOST_MEMORY: u64 = 2 << 30;

/// How long shorter ways are searched for, one search after the other.
const IMPROVING: [Duration; 3] = [
    Duration::from_secs(1),
    Duration::from_secs(4),
    Duration::from_secs(15),
];

#[derive(Deserialize)]
pub(in crate::api) struct LampRequest {
    #[serde(flatten)]
    game: GameRequest,
    seconds: Option<f64>,
}

/// What is known now.
#[derive(Serialize)]
struct LampAnswer {
    lamp: LampReport,
    /// The search goes on.
    searching: bool,
}

/// How many positions have been tried.
#[derive(Serialize)]
struct Tried {
    states: u64,
}

pub(in crate::api) async fn lamp(
    State(bench): State<Arc<Bench>>,
    Tab(tab): Tab,
    Asked(asked): Asked<LampRequest>,
) -> Result<Response, Refusal> {
    let seat = seat(&bench, &tab, &asked.game)?;
    let place = bench.queue()?;
    let inside = Arc::clone(&bench);
    Ok(stream(&bench, &tab, place, move |teller, cancel| {
        let memory = inside.share(None).unwrap_or(MOST_MEMORY).min(MOST_MEMORY);
        let seconds = asked.seconds.filter(|s| s.is_finite() && *s > 0.0);
        let limits = Limits {
            max_states: None,
            timeout: Some(seconds.unwrap_or(30.0).min(MOST_SECONDS)),
            memory: Some(memory),
        };
        let copy = |placed: &mut Placed| (placed.table.copied(), placed.number);
        let (table, number) = at(&seat, &asked.game, cancel, copy)?;
        let search = Search {
            seat: &seat,
            number,
            teller,
            cancel,
        };
        search.judge(table, &limits);
        Ok(())
    }))
}

/// A search under way.
struct Search<'a> {
    seat: &'a Seat,
    /// The number of the table that was copied.
    number: u64,
    teller: &'a Teller,
    cancel: &'a CancelToken,
}

impl Observer for Search<'_> {
    fn progress(&self, progress: &Progress) {
        let states = progress.states;
        self.teller.mention("tried", &Tried { states });
    }

    fn interrupted(&self) -> bool {
        self.cancel.is_cancelled()
    }
}

impl Search<'_> {
    fn judge(&self, mut table: Table, limits: &Limits) {
        self.tell(&table, table.lamp().state == "undecided");
        let lamp = table.judge(limits, self);
        if self.cancel.is_cancelled() {
            return;
        }
        let won = lamp.state == "won" && !table.is_won();
        self.bring_back(&table);
        self.tell(&table, won);
        if !won {
            return;
        }
        let question = table.question();
        for time in [None].into_iter().chain(IMPROVING.map(Some)) {
            let line = table.lamp().line;
            let found = match time {
                None => Answered::Won(line.clone(), lamp.states),
                Some(time) => question.improved(time, limits, self),
            };
            if self.cancel.is_cancelled() {
                return;
            }
            if let Answered::Won(found, states) = found {
                let found = question.shortened(&found);
                if found.len() < line.len() {
                    table.learn(&question, Answered::Won(found, states));
                    self.bring_back(&table);
                }
            }
            self.tell(&table, time != IMPROVING.last().copied());
        }
    }

    fn tell(&self, table: &Table, searching: bool) {
        let lamp = table.lamp();
        self.teller.tell("lamp", &LampAnswer { lamp, searching });
    }

    /// What was found out belongs to the game, if it is still on the table.
    fn bring_back(&self, table: &Table) {
        if let Some(placed) = lock(&self.seat.game).as_mut()
            && placed.number == self.number
        {
            placed.table.learn_from(table);
        }
    }
}
