//! The requests of the page, one function each: JSON in, JSON or a stream of events out. `api.schema.json` describes
//! the answers.

mod check;
mod explore;
mod files;
mod games;
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
use axum::routing::{MethodRouter, post};
use serde::de::DeserializeOwned;

pub(crate) use explore::Walk;
pub(crate) use play::Placed;

use crate::refusal::Refusal;
use crate::work::Bench;

/// All requests: the name of each, and who answers it.
fn routes() -> Vec<(&'static str, MethodRouter<Arc<Bench>>)> {
    vec![
        ("folder", post(files::folder)),
        ("read", post(files::read)),
        ("save", post(files::save)),
        ("leave", post(files::leave)),
        ("outline", post(script::outline)),
        ("about", post(script::about)),
        ("brackets", post(script::brackets)),
        ("evaluate", post(script::evaluate)),
        ("watch", post(watch::watch)),
        ("explain", post(script::explain)),
        ("check", post(check::check)),
        ("explore", post(explore::explore)),
        ("events", post(explore::events)),
        ("until", post(explore::until)),
        ("why-not", post(explore::why_not)),
        ("graph", post(graph::graph)),
        ("scale", post(measure::scale)),
        ("survey", post(measure::survey)),
        ("games", post(games::games)),
        ("table", post(play::table)),
        ("lamp", post(play::lamp)),
        ("prospects", post(play::prospects)),
        ("start", post(play::start)),
        ("live", post(live::live)),
        ("bounds", post(live::bounds)),
    ]
}

/// All requests, below one another.
pub(crate) fn router() -> Router<Arc<Bench>> {
    let add = |router: Router<_>, (name, answer)| router.route(&format!("/{name}"), answer);
    routes().into_iter().fold(Router::new(), add)
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

#[cfg(test)]
mod tests {
    use serde_json::Value;

    /// Tests check every answer against the schema; this says that there is one for every route, and no other.
    #[test]
    fn every_route_has_a_schema() {
        let text = include_str!("../api.schema.json");
        let schema: Value = serde_json::from_str(text).expect("JSON");
        let described = schema["routes"].as_object().expect("routes");
        let mut named: Vec<_> = described.keys().map(String::as_str).collect();
        let mut served: Vec<_> = super::routes().into_iter().map(|(name, _)| name).collect();
        named.sort_unstable();
        served.sort_unstable();
        assert_eq!(served, named);
    }
}
