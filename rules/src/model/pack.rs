//! The cards, how they are dealt, and who may go where: what the processes look up.

use std::fmt::Write;

use super::writer::Writer;
use crate::description::{Refill, To};
use crate::piece::Piece;
use crate::position::Position;

/// The value of what is not dealt yet: looking at it is an error.
pub(super) const NOTHING: &str = "error(\"nothing is dealt yet\")";

/// The definitions of a model that say how the cards lie: the only ones that differ between deals.
pub(super) fn constants(p: &Position) -> Vec<(&'static str, String)> {
    let d = &p.rules;
    let list = |cards: &[Piece]| {
        let cards: Vec<String> = cards.iter().map(|p| p.in_model(d.decks)).collect();
        cards.join(", ")
    };
    let mut constants = Vec::new();
    if d.tableau.is_some() {
        let columns = p.columns.iter().map(|c| format!("<{}>", list(&c.cards)));
        let columns: Vec<String> = columns.collect();
        constants.push(("columns", format!("<\n  {}\n  >", columns.join(",\n  "))));
        if d.hides_cards() {
            let down: Vec<String> = p.columns.iter().map(|c| c.down.to_string()).collect();
            constants.push(("faceDown", format!("<{}>", down.join(", "))));
        }
    } else {
        constants.push(("columns", "<>".to_owned()));
    }
    if d.cells.count > 0 {
        constants.push(("held", format!("{{{}}}", list(&p.cells))));
    }
    if d.reserve.is_some() {
        constants.push(("reserve", format!("<{}>", list(&p.reserve))));
    }
    if d.stock.is_some() {
        let next: Vec<Piece> = p.stock.iter().rev().copied().collect();
        constants.push(("stock", format!("<{}>", list(&next))));
    }
    if d.hole.is_some() {
        let rank = p.hole.last().map_or(0, |p| p.card.rank);
        constants.push(("inHole", rank.to_string()));
    }
    let away: Vec<Piece> = p.home.iter().chain(&p.hole).copied().collect();
    constants.push(("playedAlready", format!("{{{}}}", list(&away))));
    constants
}

impl Writer<'_> {
    pub(super) fn cards(&mut self) {
        let d = self.d;
        let _ = writeln!(self.out, "RANKS = {}", d.ranks);
        self.line("datatype Suit = Clubs | Diamonds | Hearts | Spades");
        if d.decks == 1 {
            self.line("datatype Card = card.Suit.{1..RANKS}");
            self.line("suit(card.s.r) = s");
            self.line("rank(card.s.r) = r");
        } else {
            let _ = writeln!(self.out, "DECKS = {}", d.decks);
            self.line("datatype Card = card.Suit.{1..RANKS}.{0..DECKS - 1}");
            self.line("suit(card.s.r.k) = s");
            self.line("rank(card.s.r.k) = r");
        }
        self.line("red(s) = s == Diamonds or s == Hearts");
    }

    pub(super) fn deal(&mut self) {
        self.heading("The deal");
        let constants = constants(self.p);
        let comments = [
            ("columns", "Each column from the table upwards."),
            ("faceDown", "How many cards of each are face down."),
            ("stock", "The stock, from the card that comes first."),
        ];
        if self.d.tableau.is_some() {
            let _ = writeln!(self.out, "COLUMNS = {}", self.p.columns.len());
        }
        if self.cells {
            let _ = writeln!(self.out, "CELLS = {}", self.d.cells.count);
        }
        for (name, value) in constants {
            if let Some((_, comment)) = comments.iter().find(|(of, _)| *of == name) {
                let _ = writeln!(self.out, "-- {comment}");
            }
            let value = if self.options.undealt {
                NOTHING.to_owned()
            } else {
                value
            };
            let _ = writeln!(self.out, "{name} = {value}");
        }
        for (present, cards, of) in [
            (self.reserve, "reserveCards", "reserve"),
            (self.d.stock.is_some(), "stockCards", "stock"),
        ] {
            if present && self.options.undealt {
                let _ = writeln!(self.out, "{cards} = Card");
            } else if present {
                let _ = writeln!(self.out, "{cards} = set({of})");
            }
        }
    }

    pub(super) fn rules(&mut self) {
        self.heading("Who may go where");
        let build = self.d.build();
        let _ = writeln!(
            self.out,
            "-- Rule [tableau] build: {}.\nmayLie(c, d) = {}",
            build.text(),
            build.in_model()
        );
        let spaces = self.d.spaces();
        let _ = writeln!(
            self.out,
            "-- Rule [tableau] spaces: {}.\nmayFill(c) = {}",
            spaces.text(),
            spaces.in_model()
        );
        self.line("");
        let table = if self.named {
            "Table.{0..COLUMNS - 1}"
        } else {
            "Table"
        };
        self.line("-- What a card lies on in a column.");
        let _ = writeln!(self.out, "datatype Spot = On.Card | {table}");
        if self.named {
            self.line("tables = { Table.k | k <- {0..COLUMNS - 1} }");
        } else {
            self.line("tables = {Table}");
        }
        self.line(
            "
dealtLinks(<>, _) = <>
dealtLinks(<c>^cards, below) = <(c, below)>^dealtLinks(cards, On.c)",
        );
        let first = if self.named { "Table.k" } else { "Table" };
        let _ = writeln!(
            self.out,
            "start = mapFromList(concat(< dealtLinks(nth(columns, k), {first}) | k <- <0..#columns - 1> >))"
        );
        self.line(
            "inColumns = Union({ set(column) | column <- set(columns) })
nth(s, n) = if n == 0 then head(s) else nth(tail(s), n - 1)
last(<c>) = c
last(<_>^s) = last(s)
tops = { last(column) | column <- set(columns), not null(column) }
",
        );
        self.line("hostsOf = mapFromList(< (c, { d | d <- playing, d != c, mayLie(c, d) }) | c <- seq(playing) >)");
        self.line("hosts(c) = mapLookup(hostsOf, c)");
        self.line("-- Where a card may be put, and where it may ever lie.");
        let spaces = if self.fills {
            "if mayFill(c) then tables else {}"
        } else {
            "{}"
        };
        let _ = writeln!(
            self.out,
            "targets(c) = union({{ On.d | d <- hosts(c) }}, {spaces})"
        );
        if self.options.undealt {
            self.line("spots(c) = union(tables, { On.d | d <- playing, d != c })");
            self.line("coverers(d) = diff(playing, {d})");
        } else {
            let mut extra =
                vec!["{ mapLookup(start, x) | x <- {c}, mapMember(start, x) }".to_owned()];
            if self.refill != Refill::Nobody {
                extra.push("tables".to_owned());
            }
            if self.dealt {
                extra.push("(if member(c, stockCards) then union(tables, { On.x | x <- playing, x != c }) else {})".to_owned());
            }
            let _ = writeln!(
                self.out,
                "spotsOf = mapFromList(< (c, Union({{targets(c), {}}})) | c <- seq(playing) >)\nspots(c) = mapLookup(spotsOf, c)",
                extra.join(", ")
            );
            self.line(
                "coverersOf = mapFromList(< (d, { c | c <- playing, member(On.d, spots(c)) }) | d <- seq(playing) >)
coverers(d) = mapLookup(coverersOf, d)",
            );
        }
        self.line(
            "guestsOf = mapFromList(< (d, { c | c <- playing, c != d, mayLie(c, d) }) | d <- seq(playing) >)
guests(d) = mapLookup(guestsOf, d)",
        );
        // Cards that never come to a column need no more than a counter.
        let counted = self.d.stock.as_ref().is_some_and(|s| s.to == To::Hole) && !self.builds;
        if self.options.undealt {
            self.line("playing = Card");
        } else if counted {
            self.line("playing = diff(diff(Card, playedAlready), set(stock))");
        } else if self.back {
            self.line("playing = Card");
        } else {
            self.line("playing = diff(Card, playedAlready)");
        }
    }
}
