//! Empty columns, cells, the reserve and the hole.

use std::fmt::Write;

use super::writer::{Part, Writer};
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
                let targets = self.targets_from(name);
                format!("{{ {name}Move.c.b | member(c, {set}), member(b, {targets}) }}")
            })
            .collect();
        let own = self.targets_from("");
        let dealt = if self.dealt {
            ", { dealt.c.b | member(c, stockCards) }"
        } else {
            ""
        };
        let entries = if entries.is_empty() {
            String::new()
        } else {
            format!(", {}", entries.join(", "))
        };
        let _ = writeln!(
            self.out,
            "-- Moves that take the empty column b, and what leaves it empty.
taking(b) = Union({{ Union({{ {{ move.c.b | member(b, {own}) }}{entries}{dealt} }}) | c <- playing }})
leaving(b) = {{ leaves.c.b | c <- playing, member(b, spots(c)) }}"
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
            let empty = self.empty_columns();
            self.fixed(
                "k : {0..COLUMNS - 1}",
                &format!("Space(k, member(k, {{{}}}))", empty.join(", ")),
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
  [] n < COLUMNS & ([] e : leaving(Table) @ e -> Columns(n + 1)){refill}{turn}"
            );
            let mut sets = "taking(Table), leaving(Table)".to_owned();
            if self.refill != Refill::Nobody {
                sets.push_str(", { refill.c | c <- supply }");
                self.bookkeeping
                    .push("{ refill.c | c <- supply }".to_owned());
            }
            if self.refill == Refill::WasteThenStock {
                sets.push_str(", {refillTurn}");
            }
            let _ = writeln!(self.out, "columnEvents = Union({{{sets}}})");
            let empty = self.empty_columns().len();
            self.fixed("", &format!("Columns({empty})"), "columnEvents");
        }
    }

    /// Cards that lie in an order: a process for each place tells whoever asks which card is there.
    pub(super) fn ordered(
        &mut self,
        list: &'static str,
        channel: &'static str,
        name: &str,
        size: usize,
    ) {
        let cards = format!("{list}Cards");
        let (at, choice) = if self.options.undealt {
            (format!("{{ {channel}.i.c | c <- {cards} }}"), cards)
        } else {
            (
                format!("{{{channel}.i.nth({list}, i - 1)}}"),
                format!("{{nth({list}, i - 1)}}"),
            )
        };
        let _ = writeln!(
            self.out,
            "channel {channel} : {{1..{size}}}.Card
Place{name}(i, c) = {channel}.i.c -> Place{name}(i, c)
shown{name} = Union({{ shownAt{name}(i) | i <- {{1..{size}}} }})
shownAt{name}(i) = {at}"
        );
        let generator = format!("i : {{1..{size}}}");
        self.part(Part {
            generator: &generator,
            channel: Some((
                &format!("{channel}Now"),
                &format!("{{1..{size}}}.Card"),
                "i",
            )),
            values: choice,
            start: &format!("nth({list}, i - 1)"),
            process: &format!("Place{name}(i, @)"),
            events: &format!("shownAt{name}(i)"),
        });
        self.bookkeeping.push(format!("shown{name}"));
    }

    /// A pile of the reserve for each rank: the card that lies on a card of its rank waits for it.
    fn reserve_by_rank(&mut self) {
        let events: Vec<String> = self
            .away_moves("reserve")
            .into_iter()
            .map(|m| m.0)
            .collect();
        let mut sets = vec![format!("{{{}}}", events.join(", "))];
        if self.builds {
            sets.push("reserveEntries(c)".to_owned());
        }
        let _ = writeln!(
            self.out,
            "-- Rule [reserve] by_rank: of each pile only the last of n cards can be played.
fromReserve(c) = Union({{{}}})
pileOf(r) = < c | c <- reserve, rank(c) == r >
ReservePile(r, n) =
  n > 0 & ([] e : fromReserve(nth(pileOf(r), n - 1)) @ e -> ReservePile(r, n - 1))
pileEvents(r) = Union({{ fromReserve(c) | c <- set(pileOf(r)) }})",
            sets.join(", ")
        );
        self.fixed(
            "r : {1..RANKS}",
            "ReservePile(r, #pileOf(r))",
            "pileEvents(r)",
        );
    }

    /// The columns without cards at the start, by number: the same in every deal.
    fn empty_columns(&self) -> Vec<String> {
        let columns = self.p.columns.iter().enumerate();
        let empty = columns.filter(|(_, c)| c.cards.is_empty());
        empty.map(|(k, _)| k.to_string()).collect()
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
intoCell = Union({{ {{ toCell.c | c <- playing }}{into} }})
outOfCell = Union({{{}}})
Cells(n) =
     n > 0 & ([] e : intoCell @ e -> Cells(n - 1))
  [] n < CELLS & ([] e : outOfCell @ e -> Cells(n + 1))",
                out.join(", ")
            );
            let free = self.d.cells.count.saturating_sub(self.p.cells.len());
            self.fixed("", &format!("Cells({free})"), "union(intoCell, outOfCell)");
        }
        if self.d.reserve.is_some_and(|r| r.by_rank) {
            self.reserve_by_rank();
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
                "\n  [] n == 0 & ([] c : stockCards @ refill.c -> Reserve(n))"
            } else {
                ""
            };
            let more = if then_waste {
                ", { refill.c | c <- stockCards }"
            } else {
                ""
            };
            let _ = writeln!(
                self.out,
                "-- Rule [reserve] stacked: only the last of n cards can be played.
fromReserve(c) = Union({{{}}})
Reserve(n) =
     n > 0 & reserveHas.n?c:reserveCards -> ([] e : fromReserve(c) @ e -> Reserve(n - 1)){waste}
reserveEvents = Union({{shownOfReserve, Union({{ fromReserve(c) | c <- reserveCards }}){more}}})",
                sets.join(", ")
            );
            let size = self.p.reserve.len();
            self.ordered("reserve", "reserveHas", "OfReserve", size);
            self.fixed("", &format!("Reserve({size})"), "reserveEvents");
        }
        if self.hole {
            let wrap = self.d.hole.is_some_and(|h| h.wrap);
            let ends = if wrap {
                " or (a != b and member(a, {1, RANKS}) and member(b, {1, RANKS}))"
            } else {
                ""
            };
            let mut sets = vec!["{toHole.c}".to_owned()];
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
                    "\n  [] ([] c : stockCards @ stockToHole.c -> Hole(rank(c)))",
                    ", { stockToHole.c | c <- stockCards }",
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
            self.part(Part {
                generator: "",
                channel: Some(("holds", "{0..RANKS}", "")),
                values: "{0..RANKS}".to_owned(),
                start: "inHole",
                process: "Hole(@)",
                events: "holeEvents",
            });
            if stock {
                let size = self.p.stock.len();
                self.line(
                    "-- The stock gives its cards to the hole in order, whether they fit or not.
Stock(i) =
  if i > LAST then done -> STOP else stockHas.i?c:stockCards -> stockToHole.c -> Stock(i + 1)",
                );
                let _ = writeln!(self.out, "LAST = {size}");
                self.ordered("stock", "stockHas", "OfStock", size);
                self.fixed(
                    "",
                    "Stock(1)",
                    "Union({shownOfStock, { stockToHole.c | c <- stockCards }, {done}})",
                );
            }
        }
    }
}
