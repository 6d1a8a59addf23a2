//! The events of a model, and the sets of them that several processes share.

use std::fmt::Write;

use super::writer::Writer;
use crate::description::{Filler, Refill};

impl Writer<'_> {
    /// The channels of moves that the game has.
    pub(super) fn channels(&mut self) {
        self.heading("Events: a card and where it goes");
        let mut of = |condition: bool, text: &str| {
            if condition {
                self.out.push_str(text);
                self.out.push('\n');
            }
        };
        let reasons = !self.reasons.is_empty();
        of(self.builds, "channel move : Card.Spot");
        of(self.cells, "channel toCell : Card");
        of(self.up, "channel home : Card");
        of(self.down, "channel homeDown : Card");
        of(self.hole, "channel toHole : Card");
        if reasons {
            let _ = writeln!(
                self.out,
                "-- Reasons to go home unasked.\ndatatype Reason = {}\nchannel autoHome : Card.Reason",
                self.reasons.join(" | ")
            );
        }
        for (present, name) in [
            (self.cells, "cell"),
            (self.reserve, "reserve"),
            (self.waste, "waste"),
            (self.back, "back"),
        ] {
            if !present {
                continue;
            }
            if self.builds {
                let _ = writeln!(self.out, "channel {name}Move : Card.Spot");
            }
            if self.down && name != "back" {
                let _ = writeln!(self.out, "channel {name}HomeDown : Card");
            }
            if self.up && name != "back" {
                let _ = writeln!(self.out, "channel {name}Home : Card");
                if reasons && self.auto_from(name) {
                    let _ = writeln!(self.out, "channel {name}AutoHome : Card.Reason");
                }
            }
            if self.hole {
                let _ = writeln!(self.out, "channel {name}ToHole : Card");
            }
            if self.cells && name != "cell" {
                let _ = writeln!(self.out, "channel {name}ToCell : Card");
            }
        }
        if self.refill != Refill::Nobody {
            self.line("channel refill : Card");
        }
        self.line("-- A card that has gone tells what it lay on.\nchannel leaves : Card.Spot");
        self.bookkeeping
            .push("Union({ leavesOf(c) | c <- playing })".to_owned());
        if self.dealt {
            self.line("-- Where a card that was moved comes to lie.\nchannel lands : Card.Spot");
            self.bookkeeping
                .push("{ lands.c.t | c <- playing, t <- targets(c) }".to_owned());
        }
        self.line("channel done");
    }

    /// Whether cards from here may be sent home: from the waste only if every card of it can be had
    /// at any time.
    pub(super) fn auto_from(&self, name: &str) -> bool {
        name != "waste"
            || self
                .d
                .stock
                .as_ref()
                .is_some_and(|s| s.turn == 1 && s.redeals.is_none())
    }

    /// Sets of events that several processes share.
    pub(super) fn events(&mut self) {
        let mut exits = Vec::new();
        if self.cells {
            exits.push("{toCell.c}");
        }
        if self.up {
            exits.push("{home.c}");
        }
        if self.down {
            exits.push("{homeDown.c}");
        }
        if !self.reasons.is_empty() {
            exits.push("{ autoHome.c.why | why <- Reason }");
        }
        if self.hole {
            exits.push("{toHole.c}");
        }
        self.line("\n-- Moves of c in a column: to another place there, and out of the columns.");
        if self.builds {
            let targets = self.targets_from("");
            let _ = writeln!(self.out, "shifts(c) = {{ move.c.t | t <- {targets} }}");
        } else {
            self.line("shifts(c) = {}");
        }
        let _ = writeln!(
            self.out,
            "exits(c) = Union({{{}}})",
            if exits.is_empty() {
                "{}".to_owned()
            } else {
                exits.join(", ")
            }
        );
        if self.complete {
            self.line("completes(c) = { complete.c | rank(c) == RANKS }");
        }
        self.line("leavesOf(c) = { leaves.c.b | b <- spots(c) }");
        // Entries to columns from elsewhere, by where the card comes from.
        let mut entries = Vec::new();
        for (name, set, present) in self.sources() {
            if present && self.builds {
                let _ = writeln!(
                    self.out,
                    "{name}Entries(c) = {{ {name}Move.c.t | t <- {}, member(c, {set}) }}",
                    self.targets_from(name)
                );
                entries.push(format!("{name}Entries(c)"));
            }
        }
        if self.refill != Refill::Nobody {
            self.line("refills(c) = { refill.c | member(c, supply) }");
            self.supply();
            entries.push("refills(c)".to_owned());
        }
        if self.dealt {
            self.line("deals(c) = { dealt.c.b | member(c, stockCards), b <- union(tables, { On.x | x <- playing, x != c }) }");
            entries.push("deals(c)".to_owned());
        }
        self.line("-- Moves by which c comes to a column.");
        let _ = writeln!(
            self.out,
            "entries(c) = Union({{{}}})",
            if entries.is_empty() {
                "{}".to_owned()
            } else {
                entries.join(", ")
            }
        );
        // Events onto a card: dealt cards come by their own way.
        let onto: Vec<String> = self
            .sources()
            .into_iter()
            .filter(|(_, _, present)| *present && self.builds)
            .map(|(name, set, _)| {
                format!("{{ {name}Move.c.On.d | c <- guests(d), member(c, {set}) }}")
            })
            .collect();
        let mut onto = onto;
        if self.builds {
            onto.insert(0, "{ move.c.On.d | c <- guests(d) }".to_owned());
        }
        self.line("-- What comes to lie on d, and what leaves it.");
        let _ = writeln!(
            self.out,
            "arrivals(d) = Union({{{}}})",
            if onto.is_empty() {
                "{}".to_owned()
            } else {
                onto.join(", ")
            }
        );
        self.line("left(d) = { leaves.c.On.d | c <- coverers(d) }");
    }

    pub(super) fn supply(&mut self) {
        let sets = match self.refill {
            Refill::Nobody => "{}",
            Refill::Reserve => "reserveCards",
            Refill::ReserveThenWaste => "union(reserveCards, stockCards)",
            Refill::WasteThenStock => "stockCards",
        };
        let _ = writeln!(self.out, "supply = {sets}");
    }

    /// Where cards outside the columns come from: name, the cards that can be there, whether there is
    /// such a place.
    pub(super) fn sources(&self) -> [(&'static str, &'static str, bool); 4] {
        [
            ("cell", "playing", self.cells),
            ("reserve", "reserveCards", self.reserve),
            ("waste", "stockCards", self.waste),
            ("back", "playing", self.back),
        ]
    }

    /// The places in columns where a card from a place may go: empty columns are not filled from everywhere.
    pub(super) fn targets_from(&self, name: &str) -> &'static str {
        let filler = match name {
            "cell" => Filler::Cells,
            "reserve" => Filler::Reserve,
            "waste" => Filler::Waste,
            "back" => Filler::Foundations,
            _ => Filler::Columns,
        };
        if self.d.fills_from(filler) {
            "targets(c)"
        } else {
            "{ On.d | d <- hosts(c) }"
        }
    }

    /// The moves by which card `c` comes to lie on card `d`, for texts with these names.
    pub(super) fn onto(&self, c: &str, d: &str) -> String {
        if !self.builds {
            return "{}".to_owned();
        }
        let mut sets = vec![format!("{{move.{c}.On.{d}}}")];
        for (name, set, present) in self.sources() {
            if present && self.builds {
                sets.push(format!("{{ {name}Move.{c}.On.{d} | member({c}, {set}) }}"));
            }
        }
        format!("Union({{{}}})", sets.join(", "))
    }

    /// Moves of a card from a place outside the columns to elsewhere than a column, with the state after.
    pub(super) fn away_moves(&self, name: &str) -> Vec<(String, &'static str)> {
        let mut moves = Vec::new();
        if self.down && name != "back" {
            moves.push((format!("{name}HomeDown.c"), "Home"));
        }
        if self.up && name != "back" {
            moves.push((format!("{name}Home.c"), "Home"));
            if !self.reasons.is_empty() && self.auto_from(name) {
                for why in &self.reasons {
                    moves.push((format!("{name}AutoHome.c.{why}"), "Home"));
                }
            }
        }
        if self.hole {
            moves.push((format!("{name}ToHole.c"), "Home"));
        }
        if self.cells && name != "cell" {
            moves.push((format!("{name}ToCell.c"), "InCell"));
        }
        moves
    }
}
