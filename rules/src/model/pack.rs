//! The cards, how they are dealt, and who may go where: what the processes look up.

use std::fmt::Write;

use super::writer::Writer;
use crate::description::{Refill, To};
use crate::piece::Piece;

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

    pub(super) fn list(&self, cards: &[Piece]) -> String {
        let cards: Vec<String> = cards.iter().map(|p| p.in_model(self.d.decks)).collect();
        cards.join(", ")
    }

    pub(super) fn deal(&mut self) {
        self.heading("The deal");
        let columns: Vec<String> = self
            .p
            .columns
            .iter()
            .map(|c| format!("  <{}>", self.list(&c.cards)))
            .collect();
        if self.d.tableau.is_some() {
            let _ = writeln!(self.out, "COLUMNS = {}", self.p.columns.len());
            self.line("-- Each column from the table upwards.");
            let _ = writeln!(self.out, "columns =\n  <\n{}\n  >", columns.join(",\n"));
            if self.d.hides_cards() {
                let down = self.p.columns.iter().map(|c| c.down.to_string());
                let down: Vec<String> = down.collect();
                self.line("-- How many cards of each are face down.");
                let _ = writeln!(self.out, "faceDown = <{}>", down.join(", "));
            }
        } else {
            self.line("columns = <>");
        }
        if self.cells {
            let held = self.list(&self.p.cells);
            let _ = writeln!(
                self.out,
                "CELLS = {}\nheld = {{{held}}}",
                self.d.cells.count
            );
        }
        if self.reserve {
            let reserve = self.list(&self.p.reserve);
            let _ = writeln!(self.out, "reserve = <{reserve}>");
        }
        if self.d.stock.is_some() {
            let next: Vec<Piece> = self.p.stock.iter().rev().copied().collect();
            let stock = self.list(&next);
            self.line("-- The stock, from the card that comes first.");
            let _ = writeln!(self.out, "stock = <{stock}>");
        }
        if self.hole {
            let rank = self.p.hole.last().map_or(0, |p| p.card.rank);
            let _ = writeln!(self.out, "inHole = {rank}");
        }
        let away: Vec<Piece> = self.p.home.iter().chain(&self.p.hole).copied().collect();
        let away = self.list(&away);
        let _ = writeln!(self.out, "playedAlready = {{{away}}}");
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
        let dealt = if self.dealt { " | Dealt" } else { "" };
        self.line("-- What a card lies on in a column.");
        let _ = writeln!(self.out, "datatype Spot = On.Card | {table}{dealt}");
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
        let mut extra = vec!["{ mapLookup(start, x) | x <- {c}, mapMember(start, x) }".to_owned()];
        if self.refill != Refill::Nobody {
            extra.push("tables".to_owned());
        }
        if self.dealt {
            extra.push("{ Dealt | member(c, set(stock)) }".to_owned());
        }
        let _ = writeln!(
            self.out,
            "spotsOf = mapFromList(< (c, Union({{targets(c), {}}})) | c <- seq(playing) >)\nspots(c) = mapLookup(spotsOf, c)",
            extra.join(", ")
        );
        self.line(
            "coverersOf = mapFromList(< (d, { c | c <- playing, member(On.d, spots(c)) }) | d <- seq(playing) >)
coverers(d) = mapLookup(coverersOf, d)
guests(d) = { c | c <- coverers(d), mayLie(c, d) }",
        );
        // Cards that never come to a column need no more than a counter.
        let counted = self.d.stock.as_ref().is_some_and(|s| s.to == To::Hole) && !self.builds;
        if counted {
            self.line("playing = diff(diff(Card, playedAlready), set(stock))");
        } else if self.back {
            self.line("playing = Card");
        } else {
            self.line("playing = diff(Card, playedAlready)");
        }
    }
}
