//! Progress as server-sent events, in the answer to the request itself: who closes the page closes the stream, and
//! with it goes the work.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use csp_driver::CancelToken;
use futures_core::Stream;
use serde::Serialize;
use serde_json::json;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::refusal::Refusal;
use crate::work::{Bench, CancelOnDrop, Place};

/// News that the page has not taken yet; older progress is dropped beyond this.
const UNREAD: usize = 64;

/// Sends events to the page.
#[derive(Clone)]
pub(crate) struct Teller(Sender<Event>);

impl Teller {
    /// Something that must arrive.
    pub(crate) fn tell(&self, name: &str, data: &impl Serialize) {
        if let Ok(event) = Event::default().event(name).json_data(data) {
            // Nobody listens any more: the token has been used.
            let _ = self.0.blocking_send(event);
        }
    }

    /// Something that the next of its kind replaces.
    pub(crate) fn mention(&self, name: &str, data: &impl Serialize) {
        if let Ok(event) = Event::default().event(name).json_data(data) {
            let _ = self.0.try_send(event);
        }
    }
}

/// The events of one request.
struct Told {
    events: Receiver<Event>,
    _ends: CancelOnDrop,
}

impl Stream for Told {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.events.poll_recv(context).map(|event| event.map(Ok))
    }
}

/// Runs something heavy when its turn comes and answers with what it tells.
pub(crate) fn stream(
    bench: &Arc<Bench>,
    tab: &str,
    place: Place,
    work: impl FnOnce(&Teller, &CancelToken) -> Result<(), Refusal> + Send + 'static,
) -> Response {
    let (sender, events) = channel(UNREAD);
    let teller = Teller(sender);
    let token = bench.token();
    let ends = CancelOnDrop(token.clone());
    let (of_all, of_tab) = (Arc::clone(&bench.checks), bench.turns(tab).check);
    tokio::spawn(async move {
        teller.mention("told", &json!({ "kind": "phase", "name": "waiting" }));
        let turn = async {
            // The tab's own turn first: a tab that waits for itself keeps nobody else waiting.
            let own = of_tab.acquire_owned().await;
            (own, of_all.acquire_owned().await)
        };
        let _turns = tokio::select! {
            turns = turn => turns,
            // Whoever waited has gone: the place is free for another.
            () = teller.0.closed() => return,
        };
        let done = tokio::task::spawn_blocking(move || {
            if !token.is_cancelled()
                && let Err(refusal) = work(&teller, &token)
            {
                teller.tell("refused", &refusal);
            }
        });
        let _ = done.await;
        drop(place);
    });
    let told = Told {
        events,
        _ends: ends,
    };
    Sse::new(told)
        .keep_alive(KeepAlive::default())
        .into_response()
}
