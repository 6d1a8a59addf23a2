//! Checks: progress while they run, the report at the end.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use csp_driver::CheckSettings;
use csp_driver::session::SessionEvent;
use serde::Deserialize;
use serde_json::json;

use super::{Asked, Tab};
use crate::refusal::Refusal;
use crate::seats::{Purpose, ScriptRequest};
use crate::stream::{Teller, stream};
use crate::work::{Bench, MOST_SECONDS};

#[derive(Deserialize)]
pub(super) struct CheckRequest {
    script: ScriptRequest,
    number: usize,
    #[serde(default)]
    settings: SettingsRequest,
}

/// Limits; what is not said is as wide as the server allows.
#[derive(Default, Deserialize)]
pub(super) struct SettingsRequest {
    max_states: Option<u64>,
    timeout: Option<f64>,
    memory: Option<u64>,
    threads: Option<usize>,
    /// Compressed parts of a counterexample are opened.
    #[serde(default)]
    open: bool,
}

impl SettingsRequest {
    pub(super) fn settings(&self, bench: &Bench) -> CheckSettings {
        let seconds = self.timeout.filter(|s| s.is_finite() && *s > 0.0);
        CheckSettings {
            threads: self
                .threads
                .unwrap_or(bench.threads)
                .clamp(1, bench.threads.max(1) * 2),
            max_states: self.max_states,
            timeout: Some(seconds.unwrap_or(MOST_SECONDS).min(MOST_SECONDS)),
            memory: bench.share(self.memory),
            open_compressed: self.open,
            ..CheckSettings::default()
        }
    }
}

pub(super) async fn check(
    State(bench): State<Arc<Bench>>,
    Tab(tab): Tab,
    Asked(asked): Asked<CheckRequest>,
) -> Result<Response, Refusal> {
    let place = bench.queue()?;
    let seat = bench
        .seats
        .seat(&bench.folder, &tab, &asked.script, Purpose::Check)?;
    let inside = Arc::clone(&bench);
    Ok(stream(&bench, &tab, place, move |teller, cancel| {
        let settings = asked.settings.settings(&inside);
        let tell = |event| follow(teller, &event);
        let report = seat.session.check(asked.number, &settings, cancel, tell)?;
        teller.tell("report", &report);
        Ok(())
    }))
}

/// What the page draws of an event.
pub(super) fn follow(teller: &Teller, event: &SessionEvent) {
    match event {
        SessionEvent::Phase { name, of } => {
            teller.mention("told", &json!({ "kind": "phase", "name": name, "of": of }));
        }
        SessionEvent::Compression { function, process, .. } => {
            teller.mention("told", &json!({ "kind": "phase", "name": function, "of": process }));
        }
        SessionEvent::Progress { ply, states, transitions, frontier, memory } => teller.mention(
            "told",
            &json!({ "kind": "progress", "ply": ply, "states": states, "transitions": transitions, "frontier": frontier, "memory": memory }),
        ),
        SessionEvent::Ply { number, size, states, transitions } => teller.mention(
            "told",
            &json!({ "kind": "ply", "ply": number, "size": size, "states": states, "transitions": transitions }),
        ),
        // The verdict comes with the report.
        _ => {}
    }
}
