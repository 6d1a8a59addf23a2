//! Questions about the text of a script.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use csp_driver::report::SpanReport;
use csp_driver::session::{DefinitionKind, Outline, Place};
use serde::{Deserialize, Serialize};

use super::{Asked, Tab};
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
    let outline = bench.ask(move |_| Ok(seat.session.outline()?));
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
    let about = bench.ask(move |_| {
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
        Ok(Some(AboutAnswer {
            name: name.to_owned(),
            scheme: scheme.to_owned(),
            span,
            comment: found.and_then(|d| d.comment.clone()),
            kind: found.map(|d| d.kind),
        }))
    });
    about.await.map(Json)
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
    let value = bench.ask(move |cancel| {
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
