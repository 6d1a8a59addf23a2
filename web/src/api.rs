//! The requests of the page, one function each: JSON in, JSON or a stream of events out. `api.schema.json` describes
//! the answers.

mod check;
mod explore;
mod files;
mod graph;
mod live;
mod measure;
mod play;
mod script;
mod watch;

use std::sync::Arc;

use axum::Router;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::routing::post;
use serde::de::DeserializeOwned;

pub(crate) use explore::Walk;
pub(crate) use play::Placed;

use crate::refusal::Refusal;
use crate::work::Bench;

/// All requests.
pub(crate) fn router() -> Router<Arc<Bench>> {
    Router::new()
        .route("/folder", post(files::folder))
        .route("/read", post(files::read))
        .route("/save", post(files::save))
        .route("/leave", post(files::leave))
        .route("/outline", post(script::outline))
        .route("/about", post(script::about))
        .route("/brackets", post(script::brackets))
        .route("/evaluate", post(script::evaluate))
        .route("/watch", post(watch::watch))
        .route("/explain", post(script::explain))
        .route("/check", post(check::check))
        .route("/explore", post(explore::explore))
        .route("/events", post(explore::events))
        .route("/until", post(explore::until))
        .route("/why-not", post(explore::why_not))
        .route("/graph", post(graph::graph))
        .route("/scale", post(measure::scale))
        .route("/survey", post(measure::survey))
        .route("/table", post(play::table))
        .route("/lamp", post(play::lamp))
        .route("/live", post(live::live))
}

/// Which tab asks.
pub(crate) struct Tab(String);

impl<S: Sync> FromRequestParts<S> for Tab {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let sent = parts
            .headers
            .get("x-csp-tab")
            .and_then(|tab| tab.to_str().ok());
        Ok(Self(sent.unwrap_or("").chars().take(40).collect()))
    }
}

/// The body of a request, with a sentence if it is not what is wanted.
pub(crate) struct Asked<T>(T);

impl<S: Sync + Send, T: DeserializeOwned> axum::extract::FromRequest<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request(request: axum::extract::Request, state: &S) -> Result<Self, Refusal> {
        match axum::Json::<T>::from_request(request, state).await {
            Ok(axum::Json(body)) => Ok(Self(body)),
            Err(wrong) => Err(Refusal::new(wrong.status(), wrong.body_text())),
        }
    }
}
