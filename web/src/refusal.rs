//! Why a request has no result: a status, a sentence, and diagnostics if the script is to blame.

use std::fmt::Display;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use csp_driver::report::DiagnosticReport;
use serde::Serialize;

use crate::folder::MOST_TEXT;

/// What the page is told in place of a result.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Refusal {
    #[serde(skip)]
    pub(crate) status: StatusCode,
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) diagnostics: Vec<DiagnosticReport>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            diagnostics: Vec::new(),
        }
    }

    /// The script is wrong, or what was asked of it.
    pub(crate) fn script(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    pub(crate) fn outside(file: &str) -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            format!("'{file}' is not inside the folder that was opened"),
        )
    }

    pub(crate) fn unreadable(file: &str, error: &dyn Display) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            format!("cannot read '{file}': {error}"),
        )
    }

    pub(crate) fn unwritable(file: &str, error: &dyn Display) -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            format!("cannot write '{file}': {error}"),
        )
    }

    pub(crate) fn binary(file: &str) -> Self {
        Self::script(format!("'{file}' is not text (UTF-8)"))
    }

    pub(crate) fn too_long(file: &str, size: u64) -> Self {
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("'{file}' has {size} bytes; the page takes texts of up to {MOST_TEXT}"),
        )
    }

    pub(crate) fn not_a_script(file: &str) -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            format!(
                "'{file}' is neither a script (.csp) nor a view (.view.json): it is not written"
            ),
        )
    }

    pub(crate) fn changed(file: &str) -> Self {
        Self::new(
            StatusCode::CONFLICT,
            format!("'{file}' has changed on disk since it was read"),
        )
    }

    pub(crate) fn busy(what: &str) -> Self {
        Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            format!("too many {what}; try again when one is done"),
        )
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(self)).into_response()
    }
}
