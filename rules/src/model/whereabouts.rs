//! The process of a card that says where it is: in a column, in a cell, in the stock, at home.

use std::fmt::Write;

use super::writer::Writer;
use crate::description::Refill;

impl Writer<'_> {
    /// The process of a card that says where it is.
    pub(super) fn card_process(&mut self) {
        self.heading("Where a card is");
        self.line("-- In a column, on b.");
        let mut lines = Vec::new();
        if self.builds {
            lines.push("([] t : diff(targets(c), {b}) @ move.c.b.t -> Lies(c, t))".to_owned());
        }
        if self.cells {
            lines.push("toCell.c.b -> InCell(c)".to_owned());
        }
        if self.home {
            lines.push("home.c.b -> Home(c)".to_owned());
        }
        if !self.reasons.is_empty() {
            lines.push("autoHome.c.b?_ -> Home(c)".to_owned());
        }
        if self.hole {
            lines.push("toHole.c.b -> Home(c)".to_owned());
        }
        if self.complete {
            lines.push("([] e : completesFrom(c, b) @ e -> Home(c))".to_owned());
            lines.push("([] e : followsFrom(c, b) @ e -> Home(c))".to_owned());
        }
        if self.graded {
            lines.push("([] e : tellsFrom(c, b) @ e -> Lies(c, b))".to_owned());
        }
        if self.circles {
            lines.push("([] e : topFrom(c, b) @ e -> Lies(c, b))".to_owned());
        }
        if self.dealt {
            lines.push("([] e : climbsFrom(c, b) @ e -> Lies(c, b))".to_owned());
            lines.push("([] k : {0..COLUMNS - 1} @ (b == (Table.k) or b == Dealt) & starts.k.c -> Lies(c, b))".to_owned());
        }
        let limited = self.d.tableau.as_ref().is_some_and(|t| t.limit.is_some());
        if limited {
            lines.push("([] e : risesFrom(c, b) @ e -> Lies(c, b))".to_owned());
        }
        let _ = writeln!(self.out, "Lies(c, b) =\n     {}\n", lines.join("\n  [] "));
        let states = [
            ("cell", "InCell", self.cells, "In a cell."),
            ("reserve", "InReserve", self.reserve, "In the reserve."),
            (
                "waste",
                "InStock",
                self.waste,
                "In the stock or on the waste.",
            ),
            ("back", "Home", true, "Gone from the table."),
        ];
        for (name, state, present, comment) in states {
            if !present {
                continue;
            }
            let mut lines = Vec::new();
            let real = name != "back" || self.back;
            if real && self.builds {
                lines.push(format!(
                    "([] t : targets(c) @ {name}Move.c.t -> Lies(c, t))"
                ));
            }
            if real {
                for (event, after) in self.away_moves(name) {
                    lines.push(format!("{event} -> {after}(c)"));
                }
            }
            let refills = match name {
                "reserve" => matches!(self.refill, Refill::Reserve | Refill::ReserveThenWaste),
                "waste" => matches!(
                    self.refill,
                    Refill::ReserveThenWaste | Refill::WasteThenStock
                ),
                _ => false,
            };
            if refills {
                lines.push("refill.c -> Lies(c, Table)".to_owned());
            }
            if name == "back" && self.hole {
                lines.push("done -> STOP".to_owned());
            }
            if lines.is_empty() {
                lines.push("STOP".to_owned());
            }
            let _ = writeln!(
                self.out,
                "-- {comment}\n{state}(c) =\n     {}",
                lines.join("\n  [] ")
            );
        }
        if self.dealt {
            self.line("-- In the stock, to be dealt; it then lies where it was dealt.");
            self.line("Waiting(c) = [] e : deals(c) @ e -> Lies(c, Dealt)");
        }
        let mut sets = vec![
            "Union({ leaves(c, b) | b <- spots(c) })".to_owned(),
            "entries(c)".to_owned(),
        ];
        let mut aways = Vec::new();
        for (name, set, present) in self.sources() {
            if present {
                let events: Vec<String> = self.away_moves(name).into_iter().map(|m| m.0).collect();
                if !events.is_empty() {
                    aways.push(format!(
                        "{{ e | member(c, {set}), e <- {{{}}} }}",
                        events.join(", ")
                    ));
                }
            }
        }
        self.line("-- Moves of c between places outside the columns.");
        let _ = writeln!(
            self.out,
            "awayMoves(c) = Union({{{}}})",
            if aways.is_empty() {
                "{}".to_owned()
            } else {
                aways.join(", ")
            }
        );
        sets.push("awayMoves(c)".to_owned());
        if self.complete {
            sets.push("Union({ followsFrom(c, b) | b <- spots(c) })".to_owned());
        }
        if self.graded {
            sets.push("tellsOf(c)".to_owned());
        }
        if self.circles {
            sets.push("topTold(c)".to_owned());
        }
        if limited {
            sets.push("risen(c)".to_owned());
        }
        if self.dealt {
            sets.push("climbsTo(c)".to_owned());
            sets.push("{ starts.k.c | k <- {0..COLUMNS - 1} }".to_owned());
        }
        if self.hole {
            sets.push("{done}".to_owned());
        }
        let _ = writeln!(self.out, "liesEvents(c) = Union({{{}}})", sets.join(", "));
        let mut starts =
            vec!["if member(c, inColumns) then Lies(c, mapLookup(start, c))".to_owned()];
        if self.cells {
            starts.push("else if member(c, held) then InCell(c)".to_owned());
        }
        if self.reserve {
            starts.push("else if member(c, set(reserve)) then InReserve(c)".to_owned());
        }
        if self.waste {
            starts.push("else if member(c, set(stock)) then InStock(c)".to_owned());
        }
        if self.dealt {
            starts.push("else if member(c, set(stock)) then Waiting(c)".to_owned());
        }
        starts.push("else Home(c)".to_owned());
        let _ = writeln!(self.out, "Start(c) =\n  {}", starts.join("\n  "));
        self.part("c : playing", "Start(c)", "liesEvents(c)");
    }
}
