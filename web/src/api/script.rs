//! Questions about the text of a script.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use csp_driver::report::SpanReport;
use csp_driver::session::{DefinitionKind, Outline, Place, Session};
use csp_driver::{Brackets, CancelToken};
use serde::{Deserialize, Serialize};

use super::{Asked, Tab};
use crate::folder::MOST_TEXT;
use crate::refusal::Refusal;
use crate::seats::{Purpose, ScriptRequest};
use crate::work::Bench;

#[derive(Deserialize)]
pub(super) struct OutlineRequest {
    script: ScriptRequest,
}

pub(super) async fn outline(
    State(bench): State<Arc<Bench>>,
    Tab(tab): Tab,
    Asked(asked): Asked<OutlineRequest>,
) -> Result<Json<Outline>, Refusal> {
    let seat = bench
        .seats
        .seat(&bench.folder, &tab, &asked.script, Purpose::Look)?;
    let outline = bench.ask(&tab, move |_| Ok(seat.session.outline()?));
    outline.await.map(Json)
}

#[derive(Deserialize)]
pub(super) struct AboutRequest {
    script: ScriptRequest,
    line: usize,
    column: usize,
}

/// What is known of a name.
#[derive(Serialize)]
pub(super) struct AboutAnswer {
    name: String,
    #[serde(rename = "type")]
    scheme: String,
    span: Option<SpanReport>,
    comment: Option<String>,
    kind: Option<DefinitionKind>,
    /// What a constant or a set of values is, if that is soon known; long ones are cut.
    value: Option<String>,
}

/// How long a value may take to find, and how much of it is sent.
const HOVER_SECONDS: f64 = 1.0;
const HOVER_LENGTH: usize = 400;

/// The value of a constant, if the script can be evaluated.
fn value_of(session: &Session, name: &str, cancel: &CancelToken) -> Option<String> {
    let value = session.evaluate(name, Some(HOVER_SECONDS), cancel).ok()?;
    let shown: String = value.chars().take(HOVER_LENGTH).collect();
    let cut = if shown.len() < value.len() {
        " …"
    } else {
        ""
    };
    Some(shown + cut)
}

pub(super) async fn about(
    State(bench): State<Arc<Bench>>,
    Tab(tab): Tab,
    Asked(asked): Asked<AboutRequest>,
) -> Result<Json<Option<AboutAnswer>>, Refusal> {
    let seat = bench
        .seats
        .seat(&bench.folder, &tab, &asked.script, Purpose::Look)?;
    let place = Place {
        file: asked.script.file.clone(),
        line: asked.line,
        column: asked.column,
    };
    let about = bench.ask(&tab, move |cancel| {
        let Some(typed) = seat.session.type_at(&place)? else {
            return Ok(None);
        };
        let (name, scheme) = typed.split_once(" :: ").unwrap_or((&typed, ""));
        let span = seat.session.definition_at(&place)?;
        let outline = seat.session.outline()?;
        let found = outline
            .definitions
            .iter()
            .find(|d| Some(&d.span) == span.as_ref());
        let constant =
            found.filter(|d| matches!(d.kind, DefinitionKind::Value | DefinitionKind::Nametype));
        let value = constant.and_then(|d| value_of(&seat.session, &d.name, cancel));
        Ok(Some(AboutAnswer {
            name: name.to_owned(),
            scheme: scheme.to_owned(),
            span,
            comment: found.and_then(|d| d.comment.clone()),
            kind: found.map(|d| d.kind),
            value,
        }))
    });
    about.await.map(Json)
}

#[derive(Deserialize)]
pub(super) struct BracketsRequest {
    text: String,
}

#[derive(Serialize)]
pub(super) struct BracketsAnswer {
    pairs: Vec<Brackets>,
}

pub(super) async fn brackets(
    State(bench): State<Arc<Bench>>,
    Tab(tab): Tab,
    Asked(asked): Asked<BracketsRequest>,
) -> Result<Json<BracketsAnswer>, Refusal> {
    if asked.text.len() as u64 > MOST_TEXT {
        return Err(Refusal::too_long("the text", asked.text.len() as u64));
    }
    let found = bench.ask(&tab, move |_| {
        // A text may nest deeper than a small stack allows.
        let pairs = csp_driver::try_on_deep_stack(move || csp_driver::brackets(&asked.text));
        let pairs = pairs.map_err(|none| Refusal::script(none.to_string()))?;
        Ok(BracketsAnswer { pairs })
    });
    found.await.map(Json)
}

#[derive(Deserialize)]
pub(super) struct EvaluateRequest {
    script: ScriptRequest,
    expression: String,
}

#[derive(Serialize)]
pub(super) struct Value {
    value: String,
}

pub(super) async fn evaluate(
    State(bench): State<Arc<Bench>>,
    Tab(tab): Tab,
    Asked(asked): Asked<EvaluateRequest>,
) -> Result<Json<Value>, Refusal> {
    let seat = bench
        .seats
        .seat(&bench.folder, &tab, &asked.script, Purpose::Look)?;
    let value = bench.ask(&tab, move |cancel| {
        let value = seat
            .session
            .evaluate(&asked.expression, Some(20.0), cancel)?;
        Ok(Value { value })
    });
    value.await.map(Json)
}

#[derive(Deserialize)]
pub(super) struct ExplainRequest {
    code: String,
}

#[derive(Serialize)]
pub(super) struct Text {
    text: String,
}

pub(super) async fn explain(Asked(asked): Asked<ExplainRequest>) -> Result<Json<Text>, Refusal> {
    let found = csp_driver::codes()
        .into_iter()
        .find(|code| code.code.eq_ignore_ascii_case(&asked.code));
    let code = found.ok_or_else(|| Refusal::script(format!("there is no code {}", asked.code)))?;
    Ok(Json(Text {
        text: code.explanation.to_owned(),
    }))
}
