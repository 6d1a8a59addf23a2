//! Foundations, and which cards are sent there unasked.

use std::fmt::Write;

use super::writer::Writer;
use crate::description::Order;

/// A pile among others of the same line gets another height.
const CHANGED: &str = "changed(hs, old, new) = inserted(new, without(hs, old))
without(<h>^hs, old) = if h == old then hs else <h>^without(hs, old)
inserted(n, <>) = <n>
inserted(n, <h>^hs) = if n >= h then <n, h>^hs else <h>^inserted(n, hs)";

impl Writer<'_> {
    pub(super) fn foundations(&mut self) {
        let Some(f) = &self.d.foundations else {
            return;
        };
        self.heading("Foundations");
        if self.complete {
            self.line(
                "-- Rule [foundations] complete: n whole suits are still to come.
Suits(n) =
     n > 0 & ([] e : wholeSuits @ e -> Suits(n - 1))
  [] n == 0 & done -> STOP
wholeSuits = Union({ completes(c) | c <- playing, rank(c) == RANKS })",
            );
            let count = 4 * usize::from(self.d.decks);
            self.fixed("", &format!("Suits({count})"), "union(wholeSuits, {done})");
            return;
        }
        let base = self.p.base;
        let place = if base == 1 {
            "rank(c)".to_owned()
        } else {
            format!("(rank(c) - {base} + RANKS) % RANKS + 1")
        };
        let _ = writeln!(
            self.out,
            "-- The place of a card on its foundation.\nplace(c) = {place}"
        );
        match f.order {
            Order::Suit => {
                self.line("-- Rule [foundations] order: in suit.\nlineOf(c) = suit(c)\nlines = <Clubs, Diamonds, Hearts, Spades>");
            }
            Order::Alternating => {
                self.line(
                    "-- Rule [foundations] order: colours alternate. A foundation is of the colour of its ace.
lineOf(c) = if red(suit(c)) == (place(c) % 2 == 1) then 0 else 1
lines = <0, 1>",
                );
            }
        }
        if self.down {
            self.downward();
        }
        if !self.up {
            return;
        }
        let mut sets = vec!["{home.c}".to_owned()];
        for (name, set, present) in self.sources() {
            if present && name != "back" {
                sets.push(format!("{{ {name}Home.c | member(c, {set}) }}"));
            }
        }
        let _ = writeln!(self.out, "sent(c) = Union({{{}}})", sets.join(", "));
        let comes = if self.reasons.is_empty() {
            "sent(c)".to_owned()
        } else {
            let mut sets = vec!["{autoHome.c.why}".to_owned()];
            for (name, set, present) in self.sources() {
                if present && name != "back" && self.auto_from(name) {
                    sets.push(format!("{{ {name}AutoHome.c.why | member(c, {set}) }}"));
                }
            }
            let _ = writeln!(
                self.out,
                "sentHome(c, why) = Union({{{}}})",
                sets.join(", ")
            );
            "union(sent(c), Union({ sentHome(c, why) | why <- Reason }))".to_owned()
        };
        let _ = writeln!(self.out, "comes(c) = {comes}");
        if self.back {
            let mut sets = vec!["{}"];
            if self.builds {
                sets.push("backEntries(c)");
            }
            if self.cells {
                sets.push("{backToCell.c}");
            }
            let _ = writeln!(
                self.out,
                "-- Rule [foundations] back: the last card may return.\nreturns(c) = Union({{{}}})",
                sets.join(", ")
            );
        }
        if self.p.heights.iter().take(4).all(|h| h.len() == 1) {
            self.single();
        } else {
            self.several();
        }
    }

    /// Foundations that are built downwards from the highest rank, of which only the heights matter.
    fn downward(&mut self) {
        let mut sets = vec!["{homeDown.c}".to_owned()];
        for (name, set, present) in self.sources() {
            if present && name != "back" {
                sets.push(format!("{{ {name}HomeDown.c | member(c, {set}) }}"));
            }
        }
        let show = |h: &Vec<u8>| {
            let h: Vec<String> = h.iter().map(ToString::to_string).collect();
            format!("<{}>", h.join(", "))
        };
        let heights: Vec<String> = self.p.heights[4..].iter().map(show).collect();
        let size = self.p.heights[4].len();
        let _ = writeln!(
            self.out,
            "-- Rule [foundations] down: how many cards the piles of s have that are built downwards, most first.
sentDown(c) = Union({{{}}})
placeDown(c) = RANKS + 1 - rank(c)
suitOf(s) = {{ c | c <- playing, suit(c) == s }}
Downward(s, hs) =
     ([] c : suitOf(s) @ elem(placeDown(c) - 1, hs) & ([] e : sentDown(c) @ e -> Downward(s, changed(hs, placeDown(c) - 1, placeDown(c)))))
  [] hs == < RANKS | _ <- <1..{size}> > & done -> STOP
downwardEvents(s) = union(Union({{ sentDown(c) | c <- suitOf(s) }}), {{done}})
startDown = mapFromList(< (nth(<Clubs, Diamonds, Hearts, Spades>, i), nth(<{}>, i)) | i <- <0..3> >)",
            sets.join(", "),
            heights.join(", ")
        );
        if !self.up || self.p.heights[0].len() == 1 {
            self.line(CHANGED);
        }
        self.begin(
            "s : Suit",
            "Downward(s, mapLookup(startDown, s))",
            "downwardEvents(s)",
        );
    }

    /// One foundation for each suit.
    fn single(&mut self) {
        let heights: Vec<String> = self.p.heights.iter().map(|h| h[0].to_string()).collect();
        let back = if self.back {
            "\n  [] ([] c : cardsOf(s) @ n == place(c) & ([] e : returns(c) @ e -> Foundation(s, n - 1)))"
        } else {
            ""
        };
        let mut reasons = String::new();
        let mut sets = String::new();
        for why in self.reasons.clone() {
            let (comment, rules): (&str, &[(&str, u8)]) = match why {
                "Always" => (
                    "A card can always go home: only the next lower card of its suit could need it, and that is home.",
                    &[],
                ),
                "OneBelow" => (
                    "Both suits of the other colour are at most one rank behind: no card is left that could lie on it.",
                    &[("red(suit(c)) != red(s)", 1)],
                ),
                "TwoBelow" => (
                    "Every card that could lie on it can go home itself.",
                    &[
                        ("red(suit(c)) != red(s)", 2),
                        ("red(suit(c)) == red(s) and suit(c) != s", 3),
                    ],
                ),
                _ => (
                    "All other suits are at most two ranks behind: what could lie on it can go home itself.",
                    &[("suit(c) != s", 2)],
                ),
            };
            let _ = write!(reasons, "\n  -- {why}: {comment}");
            for (of, behind) in rules {
                let _ = write!(
                    reasons,
                    "\n  [] ([] c : {{ c | c <- playing, {of} }} @ n >= rank(c) - {behind} & ([] e : sentHome(c, {why}) @ e -> Foundation(s, n)))"
                );
                let _ = write!(
                    sets,
                    ", Union({{ sentHome(c, {why}) | c <- playing, {of} }})"
                );
            }
        }
        let _ = writeln!(
            self.out,
            "cardsOf(s) = {{ c | c <- playing, lineOf(c) == s }}
-- The first n cards of s are home.
Foundation(s, n) =
     ([] c : cardsOf(s) @ place(c) == n + 1 & ([] e : comes(c) @ e -> Foundation(s, n + 1))){back}{reasons}
  [] n == RANKS & done -> STOP
foundationEvents(s) = Union({{Union({{ comes(c) | c <- cardsOf(s) }}), {{done}}{}{sets}}})
startHome = mapFromList(<(Clubs, {}), (Diamonds, {}), (Hearts, {}), (Spades, {})>)",
            if self.back { ", Union({ returns(c) | c <- cardsOf(s) })" } else { "" },
            heights[0],
            heights[1],
            heights[2],
            heights[3]
        );
        self.begin(
            "s : Suit",
            "Foundation(s, mapLookup(startHome, s))",
            "foundationEvents(s)",
        );
    }

    /// Several foundations in a line, of which only the heights matter.
    fn several(&mut self) {
        let show = |h: &Vec<u8>| {
            let h: Vec<String> = h.iter().map(ToString::to_string).collect();
            format!("<{}>", h.join(", "))
        };
        let heights: Vec<String> = self.p.heights.iter().take(4).map(show).collect();
        let back = if self.back {
            "\n  [] ([] c : cardsOf(s) @ elem(place(c), hs) & ([] e : returns(c) @ e -> Foundations(s, changed(hs, place(c), place(c) - 1))))"
        } else {
            ""
        };
        let size = self.p.heights.first().map_or(1, Vec::len);
        let _ = writeln!(
            self.out,
            "cardsOf(s) = {{ c | c <- playing, lineOf(c) == s }}
-- How many cards the piles of s have, most first: equal cards go to either.
Foundations(s, hs) =
     ([] c : cardsOf(s) @ elem(place(c) - 1, hs) & ([] e : comes(c) @ e -> Foundations(s, changed(hs, place(c) - 1, place(c))))){back}
  [] hs == < RANKS | _ <- <1..{size}> > & done -> STOP
{CHANGED}
foundationEvents(s) = Union({{Union({{ comes(c) | c <- cardsOf(s) }}), {{done}}{}}})
startHome = mapFromList(< (nth(lines, i), nth(<{}>, i)) | i <- <0..#lines - 1> >)",
            if self.back { ", Union({ returns(c) | c <- cardsOf(s) })" } else { "" },
            heights.join(", ")
        );
        self.begin(
            "s : set(lines)",
            "Foundations(s, mapLookup(startHome, s))",
            "foundationEvents(s)",
        );
    }

    /// Foundations take no card before all are dealt.
    fn begin(&mut self, generator: &str, process: &str, events: &str) {
        if !self.options.undealt {
            self.fixed(generator, process, events);
            return;
        }
        let ready = ("channel ready".to_owned(), "<ready>".to_owned());
        if !self.opening.contains(&ready) {
            self.opening.push(ready);
        }
        let (process, events) = (
            format!("ready -> {process}"),
            format!("union({events}, {{ready}})"),
        );
        self.fixed(generator, &process, &events);
    }
}
