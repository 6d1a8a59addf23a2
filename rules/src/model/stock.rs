//! The stock: turned to a waste, or dealt to the columns.

use std::fmt::Write;

use super::writer::{Part, Writer};
use crate::description::Refill;

impl Writer<'_> {
    pub(super) fn stock(&mut self) {
        if self.waste {
            self.waste_text();
        }
        if self.dealt {
            self.dealer();
        }
    }

    /// The stock keeps its order: a pointer goes over the cards that are left. What lies before it is
    /// the waste, what lies behind it is to come.
    fn waste_text(&mut self) {
        self.heading("Stock and waste");
        let Some(s) = &self.d.stock else {
            return;
        };
        let mut sets = vec![format!(
            "{{{}}}",
            self.away_moves("waste")
                .into_iter()
                .map(|m| m.0)
                .collect::<Vec<_>>()
                .join(", ")
        )];
        if self.builds {
            sets.push("wasteEntries(c)".to_owned());
        }
        if matches!(
            self.refill,
            Refill::ReserveThenWaste | Refill::WasteThenStock
        ) {
            sets.push("{refill.c}".to_owned());
        }
        let last = self.p.stock.len();
        let at = if self.options.undealt {
            "stockCards"
        } else {
            "{nth(stock, i - 1)}"
        };
        let _ = writeln!(
            self.out,
            "-- Rule [stock] to waste: {} at a time.
TURN = {}
LAST = {last}
channel turn
channel stops, goes
channel turns, stays : {{1..LAST}}.Card
channel skips : {{1..LAST}}
-- The cards that can be at a place of the stock.
at(i) = {at}
fromWaste(c) = Union({{{}}})
-- A place of the stock: its card is there or has been played.
Slot(i, c) =
     turns.i.c -> Slot(i, c)
  [] stays.i.c -> Slot(i, c)
  [] ([] e : fromWaste(c) @ e -> Played(i, c))
  [] ([] e : others(i, c) @ e -> Slot(i, c))
Played(i, c) = skips.i -> Played(i, c) [] ([] e : others(i, c) @ e -> Played(i, c))
others(i, c) = Union({{ fromWaste(d) | d <- diff(at(i), {{c}}) }})
slotEvents(i) = Union({{{{skips.i}}, {{ turns.i.c, stays.i.c | c <- at(i) }}, Union({{ fromWaste(c) | c <- at(i) }})}})
-- The pointer is at the last card that was turned and is left, or at 0.",
            s.turn,
            s.turn,
            sets.join(", ")
        );
        let again = if s.redeals == Some(0) {
            ""
        } else {
            "\n  [] again -> Empty"
        };
        if s.redeals != Some(0) {
            self.line("channel again");
        }
        let forced_turn = if self.refill == Refill::WasteThenStock {
            self.line(
                "-- An empty column takes the next card of the stock when the waste is empty.",
            );
            self.line("channel refillTurn");
            "\n  [] refillTurn -> Rises(1, 1)"
        } else {
            ""
        };
        let _ = writeln!(
            self.out,
            "Empty =
     turn -> Rises(1, TURN){again}{forced_turn}
Waste(p, c) =
     p < LAST & turn -> Rises(p + 1, TURN)
  [] ([] e : fromWaste(c) @ e -> Sinks(p - 1)){again}
Sinks(p) = if p == 0 then Empty else (stays.p?c:at(p) -> Waste(p, c) [] skips.p -> Sinks(p - 1))
Rises(p, k) = if p > LAST then STOP
              else (turns.p?c:at(p) -> (if k == 1 then Waste(p, c) else More(p, c, k - 1)) [] skips.p -> Rises(p + 1, k))
More(p, c, k) = stops -> Waste(p, c) [] goes -> Rises(p + 1, k)"
        );
        let turn_too = if forced_turn.is_empty() {
            ""
        } else {
            "\n  [] n > 0 & refillTurn -> Left(n)"
        };
        match s.redeals {
            Some(0) => {
                let _ = writeln!(
                    self.out,
                    "-- How many cards are still to be turned.
Left(n) =
     n > 0 & turn -> Left(n)
  [] n > 0 & goes -> Left(n)
  [] n == 0 & stops -> Left(n){turn_too}
  [] n > 0 & ([] i : {{1..LAST}} @ turns.i?c:at(i) -> Left(n - 1))"
                );
                self.fixed("", "Left(LAST)", "leftEvents");
                self.line(
                    "leftEvents = Union({{turn, goes, stops}, { turns.i.c | i <- {1..LAST}, c <- at(i) }})",
                );
            }
            redeals => {
                let limit = redeals.map_or(String::new(), |n| {
                    format!(
                        "\n-- Rule [stock] redeals: {n}.\nPasses(n) = n > 0 & again -> Passes(n - 1)"
                    )
                });
                let _ = writeln!(
                    self.out,
                    "-- How many cards are still to be turned, and how many are left in all.
Left(n, all) =
     n > 0 & turn -> Left(n, all)
  [] n > 0 & goes -> Left(n, all)
  [] n == 0 & stops -> Left(n, all){}
  [] n > 0 & ([] i : {{1..LAST}} @ turns.i?c:at(i) -> Left(n - 1, all))
  [] n < all & ([] c : stockCards @ [] e : fromWaste(c) @ e -> Left(n, all - 1))
  [] (n == 0 and all > 0) & again -> Left(all, all){limit}",
                    turn_too.replace("Left(n)", "Left(n, all)")
                );
                self.fixed("", "Left(LAST, LAST)", "leftEvents");
                self.line("leftEvents = Union({{turn, goes, stops, again}, { turns.i.c | i <- {1..LAST}, c <- at(i) }, Union({ fromWaste(c) | c <- stockCards })})");
                if let Some(n) = redeals {
                    self.fixed("", &format!("Passes({n})"), "{again}");
                }
            }
        }
        if !forced_turn.is_empty() {
            self.out = self
                .out
                .replace("{turn, goes, stops}", "{turn, goes, stops, refillTurn}");
            self.bookkeeping.push("{refillTurn}".to_owned());
        }
        let extra = if s.redeals == Some(0) { "" } else { ", again" };
        let turned = if forced_turn.is_empty() {
            ""
        } else {
            ", refillTurn"
        };
        let _ = writeln!(
            self.out,
            "wasteEvents = Union({{{{turn, stops, goes{extra}{turned}}}, Union({{ slotEvents(i) | i <- {{1..LAST}} }})}})"
        );
        self.part(Part {
            generator: "i : {1..LAST}",
            channel: Some(("waits", "{1..LAST}.Card", "i")),
            values: "at(i)".to_owned(),
            start: "nth(stock, i - 1)",
            process: "Slot(i, @)",
            events: "slotEvents(i)",
        });
        self.fixed("", "Empty", "wasteEvents");
        self.bookkeeping.push(
            "Union({{stops, goes}, { skips.i | i <- {1..LAST} }, { turns.i.c, stays.i.c | i <- {1..LAST}, c <- at(i) }})"
                .to_owned(),
        );
    }

    /// Deals a card to each column; each climbs to the top of its column.
    fn dealer(&mut self) {
        self.heading("The stock is dealt to the columns");
        let last = self.p.stock.len();
        let _ = writeln!(
            self.out,
            "channel deal
channel dealt : Card.Spot
LAST = {last}
Dealer(i) = i <= LAST & deal -> Dealing(i, 0)
Dealing(i, k) =
  if k == COLUMNS or i > LAST then Dealer(i)
  else stockHas.i?c:stockCards ->
         (   dealt.c.Table.k -> Dealing(i + 1, k + 1)
          [] ([] d : playing @ starts.k.d -> ([] e : ontoCards(c) @ e -> Dealing(i + 1, k + 1))))
ontoCards(c) = {{ dealt.c.On.x | x <- playing, x != c }}
dealerEvents = Union({{{{deal}}, shownOfStock, Union({{ deals(c) | c <- stockCards }}), {{ starts.k.d | k <- {{0..COLUMNS - 1}}, d <- playing }}}})"
        );
        self.ordered("stock", "stockHas", "OfStock", last);
        self.fixed("", "Dealer(1)", "dealerEvents");
        self.bookkeeping
            .push("diff(dealerEvents, {deal})".to_owned());
        self.bookkeeping
            .push("Union({ climbsFromCard(d) | d <- playing })".to_owned());
    }
}
