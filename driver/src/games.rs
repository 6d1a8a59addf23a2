//! The bundled games as a list that can be searched.

use csp_rules::{Description, bundle, layout, words};
use serde::{Deserialize, Serialize};

/// Which games are wanted; what is not said does not matter.
#[derive(Clone, Debug, Default)]
pub struct GameFilter {
    /// Words of names, titles and families, with room for misspellings.
    pub words: Vec<String>,
    /// The family.
    pub family: Option<String>,
    /// How many decks.
    pub decks: Option<u8>,
    /// With cards face down.
    pub hidden: bool,
    /// With all cards face up.
    pub open: bool,
    /// The published share of winnable deals, in per cent.
    pub rate: Option<(f64, f64)>,
}

/// A game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GameReport {
    /// The name to call it by.
    pub name: String,
    /// The name as people write it.
    pub title: String,
    /// The family.
    pub family: String,
    /// Other names.
    pub also: Vec<String>,
    /// Where the rules are from.
    pub source: String,
    /// What is worth knowing.
    pub note: String,
    /// Decks.
    pub decks: u8,
    /// Cards.
    pub cards: usize,
    /// Some cards lie face down.
    pub hidden: bool,
    /// The published share of winnable deals, in per cent.
    pub rate: Option<String>,
    /// By whom.
    pub rate_by: Option<String>,
    /// How deals are counted.
    pub numbering: String,
    /// A deal that can be won.
    pub won: Option<u64>,
    /// A deal that cannot.
    pub lost: Option<u64>,
    /// The rules, a sentence each.
    pub rules: Vec<String>,
    /// Where the piles lie.
    pub layout: LayoutReport,
}

/// Where piles lie, in widths and heights of a card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayoutReport {
    /// Widths of the table.
    pub width: usize,
    /// The row in which columns begin.
    pub below: usize,
    /// The piles.
    pub piles: Vec<PlotReport>,
}

/// The place of a pile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlotReport {
    /// The name of the pile, as in positions.
    pub name: String,
    /// What it is for.
    pub kind: String,
    /// The suit of a foundation.
    pub suit: Option<String>,
    /// Widths from the left.
    pub column: usize,
    /// Heights from above.
    pub row: usize,
    /// How its cards lie: stacked, down, right or apart.
    pub fan: String,
}

/// The layout of a game.
#[must_use]
pub fn layout_of(d: &Description) -> LayoutReport {
    let layout = layout::layout(d);
    let piles = layout.plots.into_iter().map(|plot| PlotReport {
        name: plot.pile,
        kind: plot.kind.word().to_owned(),
        suit: plot.suit.map(|suit| suit.letter().to_string()),
        column: plot.column,
        row: plot.row,
        fan: plot.fan.word().to_owned(),
    });
    LayoutReport {
        width: layout.width,
        below: layout.below,
        piles: piles.collect(),
    }
}

/// What there is to say about a game.
#[must_use]
pub fn game(d: &Description) -> GameReport {
    let (rate, rate_by) = d.published.clone().map(|p| (p.rate, p.by)).unzip();
    GameReport {
        name: d.name.clone(),
        title: d.title.clone(),
        family: d.family.clone(),
        also: d.also.clone(),
        source: d.source.clone(),
        note: d.note.clone(),
        decks: d.decks,
        cards: d.cards(),
        hidden: d.hides_cards(),
        rate,
        rate_by,
        numbering: d.numbering.name().to_owned(),
        won: d.won,
        lost: d.lost,
        rules: words::rules(d),
        layout: layout_of(d),
    }
}

/// The games that a filter lets through: the nearest to its words first, then by family and name.
#[must_use]
pub fn games(filter: &GameFilter) -> Vec<GameReport> {
    let mut found: Vec<(usize, &Description)> = Vec::new();
    for d in bundle::all() {
        if let Some(distance) = wanted(filter, d) {
            found.push((distance, d));
        }
    }
    found.sort_by_key(|(distance, d)| (*distance, d.family.clone(), d.name.clone()));
    found.into_iter().map(|(_, d)| game(d)).collect()
}

/// How far a game is from what is wanted; nothing if it is not wanted.
fn wanted(filter: &GameFilter, d: &Description) -> Option<usize> {
    let small = |text: &str| text.to_lowercase();
    let family = filter.family.as_ref();
    let right = family.is_none_or(|f| small(&d.family).contains(&small(f)))
        && filter.decks.is_none_or(|n| n == d.decks)
        && (!filter.hidden || d.hides_cards())
        && !(filter.open && d.hides_cards());
    let rate = |(low, high): (f64, f64)| {
        let published = d
            .published
            .as_ref()
            .and_then(|p| p.rate.parse::<f64>().ok());
        published.is_some_and(|rate| (low..=high).contains(&rate))
    };
    if !right || !filter.rate.is_none_or(rate) {
        return None;
    }
    let names = [&d.name, &d.title, &d.family];
    let names: Vec<String> = names.into_iter().chain(&d.also).map(|n| small(n)).collect();
    let mut sum = 0;
    for word in &filter.words {
        sum += distance(&small(word), &names)?;
    }
    Some(sum)
}

/// 0 if a name has the word in it, else the distance to the nearest word of a name, if that is small.
fn distance(word: &str, names: &[String]) -> Option<usize> {
    if names.iter().any(|name| name.contains(word)) {
        return Some(0);
    }
    let letters: Vec<char> = word.chars().collect();
    let words = names
        .iter()
        .flat_map(|n| n.split(|c: char| !c.is_alphanumeric()));
    let near = words
        .map(|w| csp_rules::spelling::distance(&letters, w))
        .min()?;
    (near <= letters.len() / 3).then_some(near)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(filter: &GameFilter) -> Vec<String> {
        games(filter).into_iter().map(|g| g.name).collect()
    }

    #[test]
    fn words_are_found_with_room_for_misspellings() {
        let words = |w: &str| GameFilter {
            words: vec![w.to_owned()],
            ..GameFilter::default()
        };
        assert!(names(&words("spidr")).contains(&"spider".to_owned()));
        assert_eq!(names(&words("xyzzy")), Vec::<String>::new());
        assert!(names(&words("montana")).contains(&"gaps-one-deal".to_owned()));
    }

    #[test]
    fn filters_go_together() {
        let filter = GameFilter {
            family: Some("spider".to_owned()),
            decks: Some(1),
            hidden: true,
            ..GameFilter::default()
        };
        let found = games(&filter);
        assert!(found.iter().any(|g| g.name == "spiderette"));
        assert!(
            found
                .iter()
                .all(|g| g.decks == 1 && g.hidden && g.family == "Spider")
        );
        let rates = GameFilter {
            rate: Some((40.0, 50.0)),
            ..GameFilter::default()
        };
        assert_eq!(names(&rates), ["fan", "golf"]);
    }
}
