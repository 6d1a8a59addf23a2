//! What contradicts what in a description.

use csp_grammar::Diagnostic;

use crate::description::{
    Base, Begun, Description, Face, Filler, Group, HoleStart, Order, Refill, Shape, Style, To,
};
use crate::house::Places;
use crate::term::{Atom, Term};

/// Everything that is wrong.
#[must_use]
pub(crate) fn validate(d: &Description, places: &Places) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    cards(d, places, &mut found);
    let mut against = |key: &str, holds: bool, message: &str| {
        if holds {
            found.push(Diagnostic::error("E0708", places.of(key), message));
        }
    };
    let ways = [
        ("foundations", d.foundations.is_some()),
        ("hole", d.hole.is_some()),
        ("gaps", d.gaps.is_some()),
        ("accordion", d.accordion.is_some()),
        ("piles", d.piles.is_some()),
    ];
    let present: Vec<&str> = ways.iter().filter(|w| w.1).map(|w| w.0).collect();
    against(
        "title",
        present.is_empty(),
        "the game cannot be won: it has neither foundations nor a hole nor gaps nor an accordion nor piles",
    );
    if let [first, second, ..] = present.as_slice() {
        let message = format!("a game is won by its {first} or by its {second}, not both");
        against(second, true, &message);
    }
    let rows = d.gaps.is_some() || d.accordion.is_some();
    let others =
        d.tableau.is_some() || d.stock.is_some() || d.reserve.is_some() || d.cells.count > 0;
    against(
        present.last().copied().unwrap_or("title"),
        rows && others,
        "a game of rows has no columns, cells, stock or reserve",
    );
    piles(d, &mut against);
    against(
        "gaps",
        d.gaps.is_some() && d.decks > 1,
        "rows with gaps are of one deck",
    );
    against(
        "cells.filled",
        d.cells.filled > d.cells.count,
        "more cells have a card at the start than there are cells",
    );
    tableau(d, &mut against);
    stock(d, &mut against);
    foundations(d, &mut against);
    found
}

fn tableau(d: &Description, against: &mut impl FnMut(&str, bool, &str)) {
    let Some(t) = &d.tableau else {
        return;
    };
    against("tableau.columns", t.columns == 0, "a tableau has columns");
    let reserve = d.reserve.is_some();
    against(
        "tableau.refill",
        matches!(t.refill, Refill::Reserve | Refill::ReserveThenWaste) && !reserve,
        "empty columns are filled from the reserve, and there is none",
    );
    against(
        "tableau.refill",
        matches!(t.refill, Refill::Reserve | Refill::ReserveThenWaste)
            && d.reserve.is_some_and(|r| !r.stacked),
        "empty columns are filled from the reserve, which is not stacked: nobody says by which card",
    );
    against(
        "tableau.refill",
        t.refill == Refill::ReserveThenWaste && !d.has_waste(),
        "empty columns are filled from the waste, and there is none",
    );
    against(
        "tableau.refill",
        t.refill == Refill::WasteThenStock && !d.has_waste(),
        "empty columns are filled from the waste, and there is none",
    );
    against(
        "tableau.refill",
        t.refill != Refill::Nobody && d.named_columns(),
        "columns that are filled by themselves cannot have names, and these have: the stock is dealt to them, or \
         the style is \"places\"",
    );
    against(
        "tableau.fill_from",
        t.fillers.is_some() && (t.refill != Refill::Nobody || d.spaces() == Term::False),
        "who may fill empty columns is said, but no card may, or they are filled by themselves",
    );
    against(
        "tableau.fill_from",
        t.fillers
            .as_ref()
            .is_some_and(|f| f.contains(&Filler::Reserve))
            && d.reserve.is_none(),
        "empty columns are filled from the reserve, and there is none",
    );
    against(
        "reserve.by_rank",
        d.reserve.is_some_and(|r| r.by_rank && r.stacked),
        "a reserve is one pile or a pile for each rank, not both",
    );
    let unfilled = matches!(t.refill, Refill::ReserveThenWaste | Refill::WasteThenStock);
    against(
        "tableau.spaces",
        unfilled && d.spaces() != Term::False,
        "reserve, waste and stock alone fill empty columns: spaces is \"none\"",
    );
    against(
        "tableau.limit",
        t.limit.is_some() && t.group != Group::One,
        "a limit on the size of columns goes with single cards only",
    );
    against(
        "tableau.limit",
        t.limit.is_some() && d.deals_to_columns(),
        "a limit on the size of columns does not go with a stock that is dealt to them",
    );
    let asks_alone = |term: &Term| term.atoms().contains(&Atom::Single);
    against(
        "tableau.build",
        t.group != Group::One && (asks_alone(&t.build) || asks_alone(&t.spaces)),
        "whether a card moves alone can be asked only where all do",
    );
    if let Face::Down(down) = &t.face {
        against(
            "tableau.face",
            down.len() > t.columns,
            "more columns have cards face down than there are columns",
        );
    }
    if let Shape::Sizes(sizes) = &t.shape {
        against(
            "tableau.deal",
            sizes.len() != t.columns,
            &format!(
                "the deal is for {} columns, but there are {}",
                sizes.len(),
                t.columns
            ),
        );
    }
    against(
        "style",
        d.style == Style::Cards && d.deals_to_columns(),
        "columns have names where the stock is dealt to all of them: the style \"cards\" would merge \
         positions with different futures",
    );
}

fn piles(d: &Description, against: &mut impl FnMut(&str, bool, &str)) {
    let dealt = d.stock.as_ref().is_some_and(|s| s.to == To::Piles);
    against(
        "piles",
        d.piles.is_some() && !dealt,
        "piles get their cards from a stock: to is \"piles\"",
    );
    against(
        "stock.to",
        d.piles.is_none() && dealt,
        "the stock goes to the piles, and there are none",
    );
    let Some(p) = &d.piles else {
        return;
    };
    against(
        "piles",
        d.tableau.is_some() || d.reserve.is_some() || d.cells.count > 0,
        "a game of piles has no columns, cells or reserve",
    );
    let equal = 4 * usize::from(d.decks);
    against(
        "piles.count",
        !equal.is_multiple_of(p.count),
        &format!(
            "equal cards are discarded {} at a time, but there are {equal} of each rank",
            p.count
        ),
    );
}

fn stock(d: &Description, against: &mut impl FnMut(&str, bool, &str)) {
    let Some(s) = &d.stock else {
        return;
    };
    against("stock.cards", s.cards == 0, "the stock has no cards");
    against(
        "stock.redeals",
        !matches!(s.to, To::Waste | To::Piles) && s.redeals != Some(0),
        "only a waste can be turned over, and only piles can be picked up again",
    );
    against(
        "stock.to",
        s.to == To::Hole && d.hole.is_none(),
        "the stock goes to the hole, and there is none",
    );
    against(
        "stock.to",
        s.to == To::Columns && d.tableau.is_none(),
        "the stock goes to the columns, and there are none",
    );
    against(
        "stock.full",
        s.full && s.to != To::Columns,
        "only what is dealt to the columns waits until none of them is empty",
    );
}

fn foundations(d: &Description, against: &mut impl FnMut(&str, bool, &str)) {
    let Some(f) = &d.foundations else {
        return;
    };
    against(
        "foundations.complete",
        f.complete && (f.back || f.start != Begun::None || f.order != Order::Suit),
        "whole suits go home at once: nothing is there before, and nothing comes back",
    );
    against(
        "foundations.complete",
        f.complete && d.tableau.is_none(),
        "whole suits are built in columns, and there are none",
    );
    against(
        "foundations.complete",
        f.complete && f.base != Base::Rank(1),
        "whole suits run from the highest rank to the ace",
    );
    against(
        "foundations.base",
        f.base == Base::First && f.start == Begun::None,
        "the first card of the pack is the base: it lies on its foundation at the start",
    );
    if let Base::Rank(rank) = f.base {
        against(
            "foundations.base",
            rank > d.ranks,
            "the pack has no card of the base rank",
        );
        against(
            "foundations.start",
            f.start == Begun::One,
            "one foundation has its first card where that is the first of the pack: base is \"first\"",
        );
    }
    against(
        "foundations.down",
        f.down > d.decks,
        &format!(
            "{} foundations of each suit are built downwards, but there are {}",
            f.down, d.decks
        ),
    );
    against(
        "foundations.down",
        f.down > 0 && (f.back || f.complete || f.order != Order::Suit || f.base != Base::Rank(1)),
        "foundations that are built downwards begin with the highest rank, are built in suit card by card, and keep \
         what they have",
    );
    against(
        "foundations.order",
        f.order == Order::Alternating && (f.start != Begun::None || f.back || d.decks > 1),
        "foundations of alternating colours begin empty, keep what they have, and are of one deck",
    );
}

/// How many cards are dealt to places other than columns.
#[must_use]
pub(crate) fn elsewhere(d: &Description) -> usize {
    let home = match d.foundations.as_ref().map(|f| f.start) {
        Some(Begun::One) => 1,
        Some(Begun::All) => 4 * usize::from(d.decks),
        _ => 0,
    };
    let hole = match d.hole.map(|h| h.start) {
        Some(HoleStart::Card(_) | HoleStart::First) => 1,
        _ => 0,
    };
    home + hole
        + d.cells.filled
        + d.stock.as_ref().map_or(0, |s| s.cards)
        + d.reserve.map_or(0, |r| r.cards)
}

fn cards(d: &Description, places: &Places, found: &mut Vec<Diagnostic>) {
    let all = d.cards();
    let others = elsewhere(d);
    let pack = match d.decks {
        1 => format!("a deck of {} ranks has {all}", d.ranks),
        n => format!("{n} decks of {} ranks have {all}", d.ranks),
    };
    let mut wrong = |key: &str, message: String| {
        found.push(Diagnostic::error("E0707", places.of(key), message));
    };
    if let Some(a) = &d.accordion {
        if a.cards > all {
            wrong(
                "accordion.cards",
                format!("{} cards are laid out, but {pack}", a.cards),
            );
        }
        return;
    }
    if d.gaps.is_some() {
        return;
    }
    match &d.tableau {
        Some(t) => {
            if let Shape::Sizes(sizes) = &t.shape {
                let columns: usize = sizes.iter().sum();
                let needed = columns + others;
                if needed != all {
                    let message = format!(
                        "{columns} cards in columns and {others} elsewhere are {needed}, but {pack}"
                    );
                    wrong("tableau.deal", message);
                }
            } else if others > all {
                let key = if d.stock.is_some() {
                    "stock.cards"
                } else {
                    "reserve.cards"
                };
                wrong(
                    key,
                    format!("{others} cards lie outside the columns, but {pack}"),
                );
            }
        }
        None if others != all => {
            let key = if d.stock.is_some() {
                "stock.cards"
            } else {
                "title"
            };
            wrong(key, format!("{others} cards have a place, but {pack}"));
        }
        None => {}
    }
    if let Some(HoleStart::Card(card)) = d.hole.map(|h| h.start)
        && card.rank > d.ranks
    {
        wrong("hole.start", format!("{card} is not in the pack: {pack}"));
    }
}
