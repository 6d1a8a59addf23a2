//! The folder and its files.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};

use super::{Asked, Tab};
use crate::folder::{FileText, Listed, MOST_TEXT};
use crate::refusal::Refusal;
use crate::work::{Bench, MOST_SECONDS};

#[derive(Serialize)]
pub(super) struct FolderAnswer {
    name: String,
    files: Vec<Listed>,
    views: Vec<String>,
    /// Bundled scripts, which can be opened as if they were in the folder.
    examples: Vec<&'static str>,
    first: Option<String>,
    threads: usize,
    memory: Option<u64>,
    version: &'static str,
    limits: Limits,
    /// One can ask why an event is not possible.
    asks: bool,
}

#[derive(Serialize)]
struct Limits {
    text: u64,
    seconds: f64,
}

pub(super) async fn folder(
    State(bench): State<Arc<Bench>>,
    Tab(tab): Tab,
) -> Result<Json<FolderAnswer>, Refusal> {
    let folder = Arc::clone(&bench.folder);
    let (files, views) = bench.ask(&tab, move |_| Ok(folder.list())).await?;
    Ok(Json(FolderAnswer {
        name: bench.folder.name.clone(),
        files,
        views,
        examples: csp_driver::models::names()
            .filter(|name| name.ends_with(".csp"))
            .collect(),
        first: bench.folder.first.clone(),
        threads: bench.threads,
        memory: csp_driver::available_memory(),
        version: env!("CARGO_PKG_VERSION"),
        limits: Limits {
            text: MOST_TEXT,
            seconds: MOST_SECONDS,
        },
        asks: true,
    }))
}

#[derive(Deserialize)]
pub(super) struct ReadRequest {
    file: String,
}

pub(super) async fn read(
    State(bench): State<Arc<Bench>>,
    Tab(tab): Tab,
    Asked(asked): Asked<ReadRequest>,
) -> Result<Json<FileText>, Refusal> {
    let folder = Arc::clone(&bench.folder);
    bench
        .ask(&tab, move |_| folder.read(&asked.file))
        .await
        .map(Json)
}

#[derive(Deserialize)]
pub(super) struct SaveRequest {
    file: String,
    text: String,
    stamp: Option<String>,
}

pub(super) async fn save(
    State(bench): State<Arc<Bench>>,
    Tab(tab): Tab,
    Asked(asked): Asked<SaveRequest>,
) -> Result<Json<FileText>, Refusal> {
    let folder = Arc::clone(&bench.folder);
    let saved = bench.ask(&tab, move |_| {
        folder.save(&asked.file, &asked.text, asked.stamp.as_deref())
    });
    saved.await.map(Json)
}

/// A page that is closed says so, and its sessions are forgotten.
pub(super) async fn leave(State(bench): State<Arc<Bench>>, Tab(tab): Tab) -> Json<Left> {
    bench.seats.leave(&tab);
    Json(Left {})
}

#[derive(Serialize)]
pub(super) struct Left {}
