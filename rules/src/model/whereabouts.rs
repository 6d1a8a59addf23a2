//! The process of a card that says where it is: in a column, in a cell, in the stock, at home.

use std::fmt::Write;

use super::writer::{Part, Writer};
use crate::description::{Filler, Refill};

impl Writer<'_> {
    /// The process of a card that says where it is.
    pub(super) fn card_process(&mut self) {
        self.heading("Where a card is");
        self.line("-- In a column, on b. A card that goes tells what it lay on.");
        let mut lines = Vec::new();
        if self.dealt {
            lines.push("([] e : diff(shifts(c), {move.c.b}) @ e -> leaves.c.b -> Lands(c))");
        } else if self.builds {
            lines.push(if self.d.fills_from(Filler::Columns) {
                "([] t : diff(targets(c), {b}) @ move.c.t -> leaves.c.b -> Lies(c, t))"
            } else {
                "([] d : hosts(c) @ b != (On.d) & move.c.On.d -> leaves.c.b -> Lies(c, On.d))"
            });
        }
        if self.cells {
            lines.push("toCell.c -> leaves.c.b -> InCell(c)");
        }
        if self.up {
            lines.push("home.c -> leaves.c.b -> Home(c)");
        }
        if self.down {
            lines.push("homeDown.c -> leaves.c.b -> Home(c)");
        }
        if !self.reasons.is_empty() {
            lines.push("autoHome.c?_ -> leaves.c.b -> Home(c)");
        }
        if self.hole {
            lines.push("toHole.c -> leaves.c.b -> Home(c)");
        }
        if self.complete {
            lines.push("([] e : completes(c) @ e -> leaves.c.b -> Home(c))");
            lines.push("([] e : followsFrom(c, b) @ e -> Home(c))");
        }
        if self.graded {
            lines.push("([] e : tellsFrom(c, b) @ e -> Lies(c, b))");
        }
        if self.circles {
            lines.push("([] e : topFrom(c, b) @ e -> Lies(c, b))");
        }
        if self.dealt {
            lines.push("([] e : climbsFrom(c, b) @ e -> Lies(c, b))");
            lines.push("([] e : { starts.k.c | Table.k <- {b} } @ e -> Lies(c, b))");
        }
        let limited = self.d.tableau.as_ref().is_some_and(|t| t.limit.is_some());
        if limited {
            lines.push("([] e : risesFrom(c, b) @ e -> Lies(c, b))");
        }
        let _ = writeln!(self.out, "Lies(c, b) =\n     {}\n", lines.join("\n  [] "));
        if self.dealt {
            self.line("Lands(c) = [] t : targets(c) @ lands.c.t -> Lies(c, t)");
        }
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
                let targets = self.targets_from(name);
                lines.push(format!("([] t : {targets} @ {name}Move.c.t -> Lies(c, t))"));
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
            self.line("-- In the stock, to be dealt.");
            self.line(
                "Waiting(c) = [] e : deals(c) @ e -> Dealt(c, e)\nDealt(c, dealt._.b) = Lies(c, b)",
            );
        }
        let mut sets = ["shifts(c)", "exits(c)", "leavesOf(c)", "entries(c)"]
            .map(str::to_owned)
            .to_vec();
        if self.dealt {
            sets.push("{ lands.c.t | t <- targets(c) }".to_owned());
        }
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
            sets.push("completes(c)".to_owned());
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
        let mut places = vec![(
            "InColumn.b",
            "Lies(c, b)",
            "InColumn.Spot",
            "InColumn.b | b <- spots(c)",
        )];
        let mut starts = vec!["if member(c, inColumns) then InColumn.mapLookup(start, c)"];
        if self.cells {
            places.push(("Held", "InCell(c)", "Held", "Held"));
            starts.push("else if member(c, held) then Held");
        }
        if self.reserve {
            places.push(("Reserved", "InReserve(c)", "Reserved", "Reserved"));
            starts.push("else if member(c, set(reserve)) then Reserved");
        }
        if self.waste {
            places.push(("ToCome", "InStock(c)", "ToCome", "ToCome"));
            starts.push("else if member(c, set(stock)) then ToCome");
        }
        if self.dealt {
            places.push(("ToCome", "Waiting(c)", "ToCome", "ToCome"));
            starts.push("else if member(c, set(stock)) then ToCome");
        }
        places.push(("Gone", "Home(c)", "Gone", "Gone"));
        starts.push("else Gone");
        let kinds: Vec<&str> = places.iter().map(|p| p.2).collect();
        let _ = writeln!(
            self.out,
            "-- Where a card is at the start.\ndatatype Whereabouts = {}\nisAt(c) =\n  {}",
            kinds.join(" | "),
            starts.join("\n  ")
        );
        for (value, process, ..) in &places {
            let _ = writeln!(self.out, "Start(c, {value}) = {process}");
        }
        let values: Vec<String> = places.iter().map(|p| format!("{{{}}}", p.3)).collect();
        self.part(Part {
            generator: "c : playing",
            channel: Some(("lies", "Card.Whereabouts", "c")),
            values: format!("Union({{{}}})", values.join(", ")),
            start: "isAt(c)",
            process: "Start(c, @)",
            events: "liesEvents(c)",
        });
    }
}
