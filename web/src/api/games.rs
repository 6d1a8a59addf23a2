//! The described games, searched by words with room for misspellings, by family, decks and hidden cards.

use axum::Json;
use csp_driver::described::bundle;
use csp_driver::games::{GameFilter, games as found};
use serde::{Deserialize, Serialize};

use super::Asked;
use crate::refusal::Refusal;

/// Words longer than this are cut: no game has such a name.
const LONGEST: usize = 60;

#[derive(Deserialize)]
pub(super) struct GamesRequest {
    words: String,
    family: Option<String>,
    decks: Option<u8>,
    /// With cards face down, without, or either.
    hidden: Option<bool>,
}

#[derive(Serialize)]
pub(super) struct GamesAnswer {
    games: Vec<Listed>,
    /// All families there are.
    families: Vec<String>,
}

/// A described game.
#[derive(Serialize)]
struct Listed {
    /// What names it in other requests, as a script would be.
    file: String,
    name: String,
    title: String,
    family: String,
    also: Vec<String>,
    decks: u8,
    hidden: bool,
    /// The published share of deals that can be won, in per cent.
    rate: Option<String>,
    numbering: String,
    /// The deal that is meant where none is named.
    deal: u64,
    rules: Vec<String>,
}

pub(super) async fn games(Asked(asked): Asked<GamesRequest>) -> Result<Json<GamesAnswer>, Refusal> {
    let words: String = asked.words.chars().take(LONGEST).collect();
    let filter = GameFilter {
        words: words.split_whitespace().map(str::to_owned).collect(),
        family: asked.family.filter(|family| !family.is_empty()),
        decks: asked.decks,
        hidden: asked.hidden == Some(true),
        open: asked.hidden == Some(false),
        rate: None,
    };
    let games = found(&filter).into_iter().map(|game| Listed {
        file: format!("models/games/{}.toml", game.name),
        name: game.name,
        title: game.title,
        family: game.family,
        also: game.also,
        decks: game.decks,
        hidden: game.hidden,
        rate: game.rate,
        numbering: game.numbering,
        deal: game.won.unwrap_or(1),
        rules: game.rules,
    });
    let mut families: Vec<String> = bundle::all().iter().map(|d| d.family.clone()).collect();
    families.sort();
    families.dedup();
    Ok(Json(GamesAnswer {
        games: games.collect(),
        families,
    }))
}
