//! The stock: turned to a waste, or dealt to the columns.

use std::fmt::Write;

use super::writer::Writer;
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
        let _ = writeln!(
            self.out,
            "-- Rule [stock] to waste: {} at a time.
TURN = {}
LAST = #stock
channel turn
channel stops, goes
channel turns, stays, skips : {{1..LAST}}
at(i) = nth(stock, i - 1)
fromWaste(c) = Union({{{}}})
-- A place of the stock: its card is there or has been played.
Slot(i) = turns.i -> Slot(i) [] stays.i -> Slot(i) [] ([] e : fromWaste(at(i)) @ e -> Played(i))
Played(i) = skips.i -> Played(i)
slotEvents(i) = union({{turns.i, stays.i, skips.i}}, fromWaste(at(i)))
-- The pointer is at the last card that was turned and is left, or at 0.",
            s.turn,
            s.turn,
            sets.join(", ")
        );
        let again = if s.redeals == Some(0) {
            ""
        } else {
            "\n  [] again -> Waste(0)"
        };
        if s.redeals != Some(0) {
            self.line("channel again");
        }
        let forced_turn = if self.refill == Refill::WasteThenStock {
            self.line(
                "-- An empty column takes the next card of the stock when the waste is empty.",
            );
            self.line("channel refillTurn");
            "\n  [] p == 0 & refillTurn -> Rises(1, 1)"
        } else {
            ""
        };
        let _ = writeln!(
            self.out,
            "Waste(p) =
     p < LAST & turn -> Rises(p + 1, TURN)
  [] p > 0 & ([] e : fromWaste(at(p)) @ e -> Sinks(p - 1)){again}{forced_turn}
Sinks(p) = if p == 0 then Waste(0) else (stays.p -> Waste(p) [] skips.p -> Sinks(p - 1))
Rises(p, k) = if p > LAST then STOP
              else (turns.p -> (if k == 1 then Waste(p) else More(p, k - 1)) [] skips.p -> Rises(p + 1, k))
More(p, k) = stops -> Waste(p) [] goes -> Rises(p + 1, k)"
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
  [] n > 0 & ([] i : {{1..LAST}} @ turns.i -> Left(n - 1))"
                );
                self.part("", "Left(LAST)", "leftEvents");
                self.line(
                    "leftEvents = Union({{turn, goes, stops}, { turns.i | i <- {1..LAST} }})",
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
  [] n > 0 & ([] i : {{1..LAST}} @ turns.i -> Left(n - 1, all))
  [] n < all & ([] c : set(stock) @ [] e : fromWaste(c) @ e -> Left(n, all - 1))
  [] (n == 0 and all > 0) & again -> Left(all, all){limit}",
                    turn_too.replace("Left(n)", "Left(n, all)")
                );
                self.part("", "Left(LAST, LAST)", "leftEvents");
                self.line("leftEvents = Union({{turn, goes, stops, again}, { turns.i | i <- {1..LAST} }, Union({ fromWaste(c) | c <- set(stock) })})");
                if let Some(n) = redeals {
                    self.part("", &format!("Passes({n})"), "{again}");
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
        self.part("i : {1..LAST}", "Slot(i)", "slotEvents(i)");
        self.part("", "Waste(0)", "wasteEvents");
        self.bookkeeping.push(
            "Union({{stops, goes}, { e | i <- {1..LAST}, e <- {turns.i, stays.i, skips.i} }})"
                .to_owned(),
        );
    }

    /// Deals a card to each column; each climbs to the top of its column.
    fn dealer(&mut self) {
        self.heading("The stock is dealt to the columns");
        self.line(
            "channel deal
channel dealt : Card.Spot
channel bares : Card.Spot
Dealer(cards) = not null(cards) & deal -> Dealing(cards, 0)
Dealing(cards, k) =
  if k == COLUMNS or null(cards) then Dealer(cards)
  else    dealt.head(cards).Table.k -> Dealing(tail(cards), k + 1)
       [] ([] d : playing @ starts.k.d -> ([] e : ontoCards(head(cards)) @ e -> Dealing(tail(cards), k + 1)))
ontoCards(c) = { dealt.c.On.x | x <- playing, x != c }
dealerEvents = Union({{deal}, Union({ deals(c) | c <- set(stock) }), { starts.k.d | k <- {0..COLUMNS - 1}, d <- playing }})

-- What a card lies on that was dealt from the stock: it may be any card.
places = union(tables, { On.x | x <- playing })
Unknown(c) =
     ([] e : deals(c) @ e -> Landed(c, e))
  [] ([] e : underOther(c) @ e -> Unknown(c))
Landed(c, dealt._.b) = OnDealt(c, b)
OnDealt(c, b) =
     ([] e : leaves(c, Dealt) @ e -> bares.c.b -> Unknown(c))
  [] ([] e : underHere(c, b) @ e -> OnDealt(c, b))
  [] ([] e : fallsHere(c, b) @ e -> Unknown(c))
underEvents(c) = Union({deals(c), leaves(c, Dealt), { bares.c.b | b <- places }, underOther(c)})",
        );
        let (tells, tells_here) = if self.graded {
            ("tellsOf(c)", "tellsOn(c, b)")
        } else {
            ("{}", "{}")
        };
        let (tops, tops_here) = if self.circles {
            ("topTold(c)", "topOn(c, b)")
        } else {
            ("{}", "{}")
        };
        let (falls, falls_here) = if self.complete {
            (
                "following(c)",
                "{ follows.c.d | On.d <- {b}, member(c, nextOf(d)) }",
            )
        } else {
            ("{}", "{}")
        };
        let _ = writeln!(
            self.out,
            "underOther(c) = Union({{{tells}, {tops}, {{ climbs.x.c | x <- playing, x != c }}, {{ starts.k.c | k <- {{0..COLUMNS - 1}} }}, {falls}}})
underHere(c, b) = Union({{{tells_here}, {tops_here}, {{ climbs.x.c | On.x <- {{b}} }}, {{ starts.k.c | Table.k <- {{b}} }}}})
fallsHere(c, b) = {falls_here}"
        );
        self.part("", "Dealer(stock)", "dealerEvents");
        self.part("c : set(stock)", "Unknown(c)", "underEvents(c)");
        self.bookkeeping
            .push("diff(dealerEvents, {deal})".to_owned());
        self.bookkeeping
            .push("{ bares.c.b | c <- set(stock), b <- places }".to_owned());
        self.bookkeeping
            .push("Union({ climbsFromCard(d) | d <- playing })".to_owned());
    }
}
