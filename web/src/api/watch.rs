//! Expressions of the script after each step of a trace: `trace` is what has happened so far.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};

use super::{Asked, Tab};
use crate::refusal::Refusal;
use crate::seats::{Purpose, ScriptRequest};
use crate::work::Bench;

/// Longer traces are not watched: each step looks at all before it.
const MOST_STEPS: usize = 2_000;
const SECONDS: f64 = 10.0;

#[derive(Deserialize)]
pub(super) struct WatchRequest {
    script: ScriptRequest,
    expression: String,
    /// The events of the trace, by name.
    events: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct WatchAnswer {
    /// One for each event.
    values: Vec<String>,
}

pub(super) async fn watch(
    State(bench): State<Arc<Bench>>,
    Tab(tab): Tab,
    Asked(asked): Asked<WatchRequest>,
) -> Result<Json<WatchAnswer>, Refusal> {
    if asked.events.len() > MOST_STEPS {
        return Err(Refusal::script(format!(
            "a trace of more than {MOST_STEPS} steps cannot be watched"
        )));
    }
    let seat = bench
        .seats
        .seat(&bench.folder, &tab, &asked.script, Purpose::Look)?;
    let answer = bench.ask(&tab, move |cancel| {
        let expression = along(&asked.expression, &asked.events);
        let shown = seat.session.evaluate(&expression, Some(SECONDS), cancel)?;
        let values = items(&shown);
        Ok(WatchAnswer { values })
    });
    answer.await.map(Json)
}

/// The sequence of the expression's values after each event.
fn along(expression: &str, events: &[String]) -> String {
    let (all, last) = (events.join(", "), events.len());
    format!(
        "let first''(n, s) = if n == 0 then <> else <head(s)>^first''(n-1, tail(s))\n\
         all'' = <{all}>\n\
         within <let trace = first''(n'', all'') within (\n{expression}\n) | n'' <- <1..{last}>>"
    )
}

/// The items of a sequence as it is shown: commas inside brackets and quotes belong to an item.
fn items(shown: &str) -> Vec<String> {
    let inside = shown.strip_prefix('<').and_then(|s| s.strip_suffix('>'));
    let mut items = Vec::new();
    let (mut item, mut depth, mut quote) = (String::new(), 0_usize, None);
    let mut characters = inside.unwrap_or("").chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' if quote.is_some() => {
                item.push(c);
                item.extend(characters.next());
                continue;
            }
            '"' | '\'' if quote == Some(c) => quote = None,
            '"' | '\'' if quote.is_none() => quote = Some(c),
            '<' | '{' | '(' | '[' if quote.is_none() => depth += 1,
            '>' | '}' | ')' | ']' if quote.is_none() => depth = depth.saturating_sub(1),
            ',' if quote.is_none() && depth == 0 => {
                items.push(std::mem::take(&mut item).trim().to_owned());
                continue;
            }
            _ => {}
        }
        item.push(c);
    }
    if !item.trim().is_empty() {
        items.push(item.trim().to_owned());
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_keep_their_commas() {
        assert_eq!(items("<>"), Vec::<String>::new());
        assert_eq!(items("<1, -2>"), ["1", "-2"]);
        assert_eq!(
            items("<{1, 2}, (a.1, <b, c>), \"x, \\\"y\", ','>"),
            ["{1, 2}", "(a.1, <b, c>)", "\"x, \\\"y\"", "','"]
        );
    }
}
