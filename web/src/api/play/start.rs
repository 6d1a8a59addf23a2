//! From a numbered deal or a pasted board to the constants by which a game starts there.

use std::collections::BTreeMap;

use axum::Json;
use csp_driver::deal::{Game, Numbering};
use csp_driver::start::{numbered, pasted};
use serde::{Deserialize, Serialize};

use crate::api::Asked;
use crate::refusal::Refusal;

/// A board longer than this is refused.
const MOST_BOARD: usize = 20_000;

#[derive(Deserialize)]
pub(in crate::api) struct StartRequest {
    game: String,
    /// The board as text; else the numbering and the number count.
    board: Option<String>,
    numbering: Option<String>,
    number: Option<u64>,
    /// Ranks of a short pack.
    ranks: Option<u8>,
}

#[derive(Serialize)]
pub(in crate::api) struct StartAnswer {
    defines: BTreeMap<String, String>,
}

pub(in crate::api) async fn start(
    Asked(asked): Asked<StartRequest>,
) -> Result<Json<StartAnswer>, Refusal> {
    let game = Game::from_name(&asked.game).ok_or_else(|| {
        let game = &asked.game;
        Refusal::script(format!("boards and numbers of {game} are not known"))
    })?;
    let defines = match (&asked.board, &asked.numbering) {
        (Some(board), _) if board.len() > MOST_BOARD => {
            Err(format!("a board has up to {MOST_BOARD} characters"))
        }
        (Some(board), _) => pasted(game, board, asked.ranks.unwrap_or(13).clamp(1, 13)),
        (None, Some(name)) => {
            let known = [
                Numbering::Microsoft,
                Numbering::Pysol,
                Numbering::Solvitaire,
                Numbering::Ours,
            ];
            let numbering = known.into_iter().find(|n| n.name() == name);
            let unknown = || format!("there is no numbering '{name}'");
            numbering
                .ok_or_else(unknown)
                .and_then(|numbering| numbered(game, numbering, asked.number.unwrap_or(1)))
        }
        (None, None) => Err("a start is a board, or a numbering with a number".to_owned()),
    };
    let defines = defines.map_err(Refusal::script)?.into_iter().collect();
    Ok(Json(StartAnswer { defines }))
}
