//! Where the piles of a game lie on the table, from its description alone.
//!
//! Positions are in widths and heights of a card, from the upper left corner. A row above holds stock, waste
//! or reserve and cells on its left and foundations or the hole on its right; columns hang below. The names
//! of piles are those of [`csp_games::table`], so that whoever draws finds the cards of a pile by its name.

use csp_games::Suit;
use csp_games::table::PileKind;

use crate::description::{Description, To};

/// How the cards of a pile lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fan {
    /// On each other: only the last is seen.
    Stacked,
    /// Each a little below the one before.
    Down,
    /// Each a little to the right of the one before.
    Right,
    /// Side by side, a whole card apart.
    Apart,
}

impl Fan {
    /// The word that reports use.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Stacked => "stacked",
            Self::Down => "down",
            Self::Right => "right",
            Self::Apart => "apart",
        }
    }
}

/// The place of a pile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plot {
    /// The name of the pile.
    pub pile: String,
    /// What it is for.
    pub kind: PileKind,
    /// The suit of a foundation.
    pub suit: Option<Suit>,
    /// How many card widths from the left.
    pub column: usize,
    /// How many card heights from above.
    pub row: usize,
    /// How its cards lie.
    pub fan: Fan,
}

/// The places of all piles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The piles in the order in which they are named.
    pub plots: Vec<Plot>,
    /// How many card widths the table has.
    pub width: usize,
    /// The row in which columns begin; what hangs from them goes on below.
    pub below: usize,
}

/// The layout of a game.
#[must_use]
pub fn layout(d: &Description) -> Layout {
    let mut plots = Vec::new();
    let mut at = 0;
    let mut put = |pile: String, kind, suit, fan, room: usize| {
        plots.push(Plot {
            pile,
            kind,
            suit,
            column: at,
            row: 0,
            fan,
        });
        at += room;
    };
    for i in 0..d.cells.count {
        put(
            format!("FC{}", i + 1),
            PileKind::Cell,
            None,
            Fan::Stacked,
            1,
        );
    }
    if d.reserve.is_some_and(|r| r.by_rank) {
        for rank in 1..=d.ranks {
            put(
                format!("RP{rank}"),
                PileKind::Reserve,
                None,
                Fan::Stacked,
                1,
            );
        }
    } else if let Some(r) = d.reserve {
        let (fan, room) = if r.stacked {
            (Fan::Stacked, 1)
        } else {
            (Fan::Right, r.cards.div_ceil(3).max(1))
        };
        put("RP".to_owned(), PileKind::Reserve, None, fan, room);
    }
    if let Some(s) = &d.stock {
        put("DP".to_owned(), PileKind::Stock, None, Fan::Stacked, 1);
        if s.to == To::Waste {
            put("WP".to_owned(), PileKind::Waste, None, Fan::Right, 2);
        }
    }
    if d.hole.is_some() {
        put("HP".to_owned(), PileKind::Foundation, None, Fan::Stacked, 1);
    }
    if d.foundations.is_some() {
        for suit in Suit::ALL {
            let name = format!("FP{}", suit.letter());
            put(name, PileKind::Foundation, Some(suit), Fan::Stacked, 1);
        }
        for suit in Suit::ALL.into_iter().filter(|_| d.downward() > 0) {
            let name = format!("FD{}", suit.letter());
            put(name, PileKind::Foundation, Some(suit), Fan::Stacked, 1);
        }
    }
    let below = usize::from(!plots.is_empty());
    let mut width = at;
    let heaps = d.accordion.as_ref().map_or(0, |a| a.cards);
    let heaps = heaps.max(d.piles.as_ref().map_or(0, |p| p.count));
    let columns = d.tableau.as_ref().map_or(0, |t| t.columns).max(heaps);
    // Piles of which only the last card matters stand in lines of thirteen.
    let line = if heaps > 0 { 13 } else { columns.max(1) };
    for i in 0..columns {
        plots.push(Plot {
            pile: format!("TP{}", i + 1),
            kind: PileKind::Column,
            suit: None,
            column: i % line,
            row: below + i / line,
            fan: if heaps > 0 { Fan::Stacked } else { Fan::Down },
        });
    }
    width = width.max(columns.min(line));
    if d.gaps.is_some() {
        for i in 0..4 {
            plots.push(Plot {
                pile: format!("R{}", i + 1),
                kind: PileKind::Row,
                suit: None,
                column: 0,
                row: below + i,
                fan: Fan::Apart,
            });
        }
        width = width.max(d.ranks.into());
    }
    Layout {
        plots,
        width,
        below,
    }
}

#[cfg(test)]
mod tests {
    use csp_games::deal::layout::Numbering;

    use super::*;
    use crate::{bundle, deal, table};

    /// Every pile of every bundled game has one place, and no two share one.
    #[test]
    fn every_pile_has_a_place_of_its_own() {
        for game in bundle::all() {
            let layout = layout(game);
            let position = deal::deal(game, Numbering::Ours, 1).expect("dealt");
            let table = table::position(&position);
            let piles: Vec<(&str, PileKind)> = table
                .piles()
                .iter()
                .map(|p| (p.name.as_str(), p.kind))
                .collect();
            let plots: Vec<(&str, PileKind)> = layout
                .plots
                .iter()
                .map(|p| (p.pile.as_str(), p.kind))
                .collect();
            assert_eq!(piles, plots, "{}", game.name);
            let mut places: Vec<(usize, usize)> =
                layout.plots.iter().map(|p| (p.row, p.column)).collect();
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), plots.len(), "{}", game.name);
            assert!(layout.plots.iter().all(|p| p.column < layout.width));
        }
    }
}
