//! The compiler from descriptions to CSPm.
//!
//! A card is two small processes: where it lies (`Lies`) and what lies on it (`Clear`, `Covered`). An
//! event says all that its participants have to know: `move.c.b.d` takes card c, which lies on b, to d.
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
        out.push_str(&gaps::text(position));
    } else if d.accordion.is_some() {
        out.push_str(&accordion::text(position));
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
    out.push_str(
        "--@ pass: \"the deal cannot be won\"\n--@ fail: \"the deal can be won\"\n\
         assert STOP [T= Game \\ choices\n",
    );
    out
}
