//! The compiler from descriptions to CSPm.
//!
//! A card is two small processes: where it lies (`Lies`) and what lies on it (`Clear`, `Covered`). A move
//! is the choice of a card and a place, `move.c.t`; that the card has left what it lay on, `leaves.c.b`,
//! follows by itself. So the events of a card do not multiply by all that it may lie on.
//! Columns have no names unless the stock is dealt to them: positions that differ in the order of
//! columns are then one state. Every definition of a model says which rule it comes from.
//!
//! The text is in the order of a reader: cards, the deal, who may go where, the processes, the game.

mod accordion;
mod columns;
mod cover;
mod events;
mod gaps;
mod home;
mod network;
mod pack;
mod piles;
mod stock;
mod together;
mod tops;
mod whereabouts;
mod writer;

use std::fmt::Write;

use crate::description::Style;
use crate::position::Position;
use crate::words;
use writer::Writer;

pub use together::together;

/// What a model is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Cards that can do no harm at home go there by themselves, where that is sound.
    pub forced: bool,
    /// Nothing is dealt yet: every part waits to be told how it starts, and `opening` says what this is
    /// once the constants of a deal are given.
    pub undealt: bool,
}

/// The model of a game from a position at its start.
#[must_use]
pub fn model(position: &Position, options: Options) -> String {
    let d = &position.rules;
    let mut out = format!("-- {}\n--\n", d.title);
    for sentence in words::rules(d) {
        let _ = writeln!(out, "-- {sentence}");
    }
    out.push('\n');
    if d.gaps.is_some() {
        out.push_str(&gaps::text(position, options));
    } else if d.accordion.is_some() {
        out.push_str(&accordion::text(position, options));
    } else if d.piles.is_some() {
        out.push_str(&piles::text(position, options));
    } else {
        let mut writer = Writer::new(position, options);
        writer.write();
        out.push_str(&writer.out);
    }
    let style = match (d.style, d.named_columns()) {
        (Style::Best, false) => "columns have no names: no rule tells one from another",
        (Style::Cards, _) => "columns have no names, as the description asks",
        (Style::Places, _) => "columns have names, as the description asks",
        (Style::Best, true) => "columns have names: the stock is dealt to them in order",
    };
    if d.tableau.is_some() {
        let _ = writeln!(out, "-- Style: {style}.\n");
    }
    if options.undealt {
        out.push_str("--@ opening: opening\n");
    }
    let hidden = match d.tableau {
        None if options.undealt
            && (d.gaps.is_some() || d.accordion.is_some() || d.piles.is_some()) =>
        {
            "union(choices, told)"
        }
        _ => "choices",
    };
    let _ = write!(
        out,
        "--@ pass: \"the deal cannot be won\"\n--@ fail: \"the deal can be won\"\n\
         assert STOP [T= Game \\ {hidden}\n",
    );
    out
}

/// The definitions of a model that differ between deals, by name.
#[must_use]
pub fn constants(position: &Position) -> Vec<(&'static str, String)> {
    if position.rules.gaps.is_some() {
        gaps::constants(position)
    } else if position.rules.accordion.is_some() {
        accordion::constants(position)
    } else if position.rules.piles.is_some() {
        piles::constants(position)
    } else {
        pack::constants(position)
    }
}

/// What all deals of one network have in common: how many cards lie where, and on which cards foundations begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    base: u8,
    sizes: Vec<usize>,
    down: Vec<usize>,
    heights: Vec<Vec<u8>>,
}

impl Outline {
    /// The outline of a start.
    #[must_use]
    pub fn of(p: &Position) -> Self {
        let single = [&p.cells, &p.reserve, &p.stock, &p.waste];
        let columns = p.columns.iter().map(|c| c.cards.len());
        let sizes = single.iter().map(|cards| cards.len()).chain(columns);
        Self {
            base: p.base,
            sizes: sizes.chain([p.piles.len(), p.rows.len()]).collect(),
            down: p.columns.iter().map(|c| c.down).collect(),
            heights: p.heights.clone(),
        }
    }
}
