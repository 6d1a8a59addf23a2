//! Empty columns, cells, the reserve and the hole.

use std::fmt::Write;

use super::writer::Writer;
use crate::description::{Refill, To};

impl Writer<'_> {
    pub(super) fn columns(&mut self) {
        if !self.builds {
            return;
        }
        self.heading("Empty columns");
        let entries: Vec<String> = self
            .sources()
            .into_iter()
            .filter(|(_, _, present)| *present)
            .map(|(name, set, _)| {
                format!("{{ {name}Move.c.b | member(c, {set}), member(b, targets(c)) }}")
            })
            .collect();
        let dealt = if self.dealt {
            ", { dealt.c.b | member(c, set(stock)) }"
        } else {
            ""
        };
        let entries = if entries.is_empty() {
            String::new()
        } else {
            format!(", {}", entries.join(", "))
        };
        let bares = if self.dealt {
            "union(vacating(b), { bares.c.b | c <- set(stock) })"
        } else {
            "vacating(b)"
        };
        let _ = writeln!(
            self.out,
            "-- Moves that take the empty column b, and moves that leave it empty.
taking(b) = Union({{ Union({{ {{ move.c.a.b | a <- spots(c), a != b, member(b, targets(c)) }}{entries}{dealt} }}) | c <- playing }})
vacating(b) = Union({{ leaves(c, b) | c <- playing, member(b, spots(c)) }})
leaving(b) = {bares}"
        );
        if self.named {
            self.line(
                "-- Columns have names: each knows whether it is empty.
Space(k, empty) =
     empty & ([] e : taking(Table.k) @ e -> Space(k, false))
  [] not empty & ([] e : leaving(Table.k) @ e -> Space(k, true))",
            );
            let full = self.dealt && self.d.stock.as_ref().is_some_and(|s| s.full);
            if full {
                let text = "  -- Rule [stock] full: nothing is dealt while a column is empty.\n  [] not empty & deal -> Space(k, empty)";
                self.line(text);
            }
            let deal = if full { ", {deal}" } else { "" };
            let _ = writeln!(
                self.out,
                "spaceEvents(k) = Union({{taking(Table.k), leaving(Table.k){deal}}})"
            );
            self.part(
                "k : {0..COLUMNS - 1}",
                "Space(k, null(nth(columns, k)))",
                "spaceEvents(k)",
            );
        } else {
            let refill = if self.refill == Refill::Nobody {
                ""
            } else {
                "\n  -- Rule [tableau] refill: at once, by whoever has a card.\n  [] n > 0 & ([] c : supply @ refill.c -> Columns(n - 1))"
            };
            let turn = if self.refill == Refill::WasteThenStock {
                "\n  [] n > 0 & refillTurn -> Columns(n)"
            } else {
                ""
            };
            let _ = writeln!(
                self.out,
                "-- Columns have no names: only how many are empty matters.
Columns(n) =
     n > 0 & ([] e : taking(Table) @ e -> Columns(n - 1))
  [] n < COLUMNS & ([] e : vacating(Table) @ e -> Columns(n + 1)){refill}{turn}"
            );
            let mut sets = "taking(Table), vacating(Table)".to_owned();
            if self.refill != Refill::Nobody {
                sets.push_str(", { refill.c | c <- supply }");
                self.bookkeeping
                    .push("{ refill.c | c <- supply }".to_owned());
            }
            if self.refill == Refill::WasteThenStock {
                sets.push_str(", {refillTurn}");
            }
            let _ = writeln!(self.out, "columnEvents = Union({{{sets}}})");
            self.part(
                "",
                "Columns(#< c | c <- columns, null(c) >)",
                "columnEvents",
            );
        }
    }

    pub(super) fn places(&mut self) {
        if self.cells {
            self.heading("Cells, reserve and hole");
            let into: Vec<String> = self
                .sources()
                .into_iter()
                .filter(|(name, _, present)| *present && *name != "cell")
                .map(|(name, set, _)| format!("{{ {name}ToCell.c | c <- {set} }}"))
                .collect();
            let into = if into.is_empty() {
                String::new()
            } else {
                format!(", {}", into.join(", "))
            };
            let out: Vec<String> = self
                .away_moves("cell")
                .into_iter()
                .map(|m| format!("{{ {} | c <- playing }}", m.0))
                .collect();
            let mut out = out;
            if self.builds {
                out.push("Union({ cellEntries(c) | c <- playing })".to_owned());
            }
            let _ = writeln!(
                self.out,
                "-- Rule [cells] count: how many are free.
intoCell = Union({{ Union({{ {{ toCell.c.b | b <- spots(c) }} | c <- playing }}){into} }})
outOfCell = Union({{{}}})
Cells(n) =
     n > 0 & ([] e : intoCell @ e -> Cells(n - 1))
  [] n < CELLS & ([] e : outOfCell @ e -> Cells(n + 1))",
                out.join(", ")
            );
            self.part(
                "",
                "Cells(CELLS - #seq(held))",
                "union(intoCell, outOfCell)",
            );
        }
        if self.d.reserve.is_some_and(|r| r.stacked) {
            let events: Vec<String> = self
                .away_moves("reserve")
                .into_iter()
                .map(|m| m.0)
                .collect();
            let mut sets = vec![format!("{{{}}}", events.join(", "))];
            if self.builds {
                sets.push("reserveEntries(c)".to_owned());
            }
            if matches!(self.refill, Refill::Reserve | Refill::ReserveThenWaste) {
                sets.push("{refill.c}".to_owned());
            }
            let then_waste = self.refill == Refill::ReserveThenWaste;
            let waste = if then_waste {
                "\n  [] n == 0 & ([] c : set(stock) @ refill.c -> Reserve(n))"
            } else {
                ""
            };
            let more = if then_waste {
                ", { refill.c | c <- set(stock) }"
            } else {
                ""
            };
            let _ = writeln!(
                self.out,
                "-- Rule [reserve] stacked: only the last of n cards can be played.
fromReserve(c) = Union({{{}}})
Reserve(n) =
     n > 0 & ([] e : fromReserve(nth(reserve, n - 1)) @ e -> Reserve(n - 1)){waste}
reserveEvents = Union({{Union({{ fromReserve(c) | c <- set(reserve) }}){more}}})",
                sets.join(", ")
            );
            self.part("", "Reserve(#reserve)", "reserveEvents");
        }
        if self.hole {
            let wrap = self.d.hole.is_some_and(|h| h.wrap);
            let ends = if wrap {
                " or (a != b and member(a, {1, RANKS}) and member(b, {1, RANKS}))"
            } else {
                ""
            };
            let mut sets = vec!["{ toHole.c.b | b <- spots(c) }".to_owned()];
            for (name, set, present) in self.sources() {
                if present {
                    sets.push(format!("{{ {name}ToHole.c | member(c, {set}) }}"));
                }
            }
            let _ = writeln!(
                self.out,
                "-- Rule [hole]: one rank above or below the last card; suits do not matter.
neighbours(a, b) = b == 0 or a == b + 1 or b == a + 1{ends}
intoHole(c) = Union({{{}}})",
                sets.join(", ")
            );
            let stock = self.d.stock.as_ref().is_some_and(|s| s.to == To::Hole);
            let (extra, events) = if stock {
                (
                    "\n  [] ([] c : set(stock) @ stockToHole.c -> Hole(rank(c)))",
                    ", { stockToHole.c | c <- set(stock) }",
                )
            } else {
                ("", "")
            };
            if stock {
                self.line("channel stockToHole : Card");
            }
            let _ = writeln!(
                self.out,
                "Hole(r) =
     ([] c : playing @ neighbours(rank(c), r) & ([] e : intoHole(c) @ e -> Hole(rank(c)))){extra}
holeEvents = Union({{Union({{ intoHole(c) | c <- playing }}){events}}})"
            );
            self.part("", "Hole(inHole)", "holeEvents");
            if stock {
                self.line(
                    "-- The stock gives its cards to the hole in order, whether they fit or not.
Stock(<>) = done -> STOP
Stock(<c>^cards) = stockToHole.c -> Stock(cards)",
                );
                self.part(
                    "",
                    "Stock(stock)",
                    "union({ stockToHole.c | c <- set(stock) }, {done})",
                );
            }
        }
    }
}
