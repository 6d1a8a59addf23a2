//! What the parts of a model share: which features a game has, and the definitions of cards and events.

use std::fmt::Write;

use crate::description::{Description, Face, Group, Refill, To};
use crate::model::Options;
use crate::piece::Piece;
use crate::position::Position;
use crate::term::{Atom, Term};

/// How groups of cards move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Groups {
    /// Single cards only.
    None,
    /// Whatever lies on a card that is face up moves with it: it is always a run, or any cards may.
    Always,
    /// A card knows whether what lies on it is a run.
    Graded,
}

/// A model being written.
pub(super) struct Writer<'a> {
    pub(super) out: String,
    pub(super) p: &'a Position,
    pub(super) d: &'a Description,
    pub(super) options: Options,
    pub(super) groups: Groups,
    /// Cards carry grades: what lies on them is a run, or a whole suit.
    pub(super) graded: bool,
    pub(super) complete: bool,
    /// Cards may come to columns.
    pub(super) builds: bool,
    /// Empty columns may be chosen.
    pub(super) fills: bool,
    pub(super) named: bool,
    pub(super) dealt: bool,
    pub(super) waste: bool,
    pub(super) cells: bool,
    pub(super) reserve: bool,
    pub(super) home: bool,
    pub(super) back: bool,
    pub(super) hole: bool,
    pub(super) refill: Refill,
    pub(super) reasons: Vec<&'static str>,
    /// Processes that take part: expression of the process, expression of its events, each with a
    /// generator (`c : Card`) or none.
    pub(super) parts: Vec<(String, String, String)>,
    /// Sets of events that happen by themselves.
    pub(super) bookkeeping: Vec<String>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(p: &'a Position, options: Options) -> Self {
        let d: &Description = &p.rules;
        let t = d.tableau.as_ref();
        let refill = t.map_or(Refill::Nobody, |t| t.refill);
        let complete = d.foundations.as_ref().is_some_and(|f| f.complete);
        let fills = t.is_some_and(|t| t.spaces != Term::False);
        let build = d.build();
        let groups = match t.map(|t| &t.group) {
            None | Some(Group::One) => Groups::None,
            Some(Group::All) => Groups::Always,
            // Only the last cards are face up, and all that comes to lie on a card is built on it by
            // the rule that lets it move.
            Some(Group::Run(terms)) if t.is_some_and(|t| t.face == Face::Last) => {
                if d.group() == [build.clone()] && !terms.is_empty() && !d.deals_to_columns() {
                    Groups::Always
                } else {
                    Groups::Graded
                }
            }
            Some(_) => Groups::Graded,
        };
        let mut writer = Self {
            out: String::new(),
            p,
            d,
            options,
            groups,
            graded: groups == Groups::Graded || complete,
            complete,
            builds: build != Term::False || fills || refill != Refill::Nobody,
            fills,
            named: d.named_columns(),
            dealt: d.deals_to_columns(),
            waste: d.has_waste(),
            cells: d.cells.count > 0,
            reserve: d.reserve.is_some(),
            home: d.foundations.is_some() && !complete,
            back: d.foundations.as_ref().is_some_and(|f| f.back),
            hole: d.hole.is_some(),
            refill,
            reasons: Vec::new(),
            parts: Vec::new(),
            bookkeeping: Vec::new(),
        };
        writer.reasons = writer.safe_reasons(&build);
        writer
    }

    /// Why a card may be sent home without being asked; nothing where that is not known to be sound.
    fn safe_reasons(&self, build: &Term) -> Vec<&'static str> {
        let d = self.d;
        let suit_building = |suits: Option<Atom>| {
            let down = Term::down(false);
            *build == suits.map_or(down.clone(), |a| Term::And(vec![down, Term::Atom(a)]))
        };
        let plain = d.tableau.as_ref().is_some_and(|t| {
            t.refill == Refill::Nobody
                && t.limit.is_none()
                && matches!(t.group, Group::One | Group::Run(_))
        });
        if !self.options.forced
            || !self.home
            || d.decks > 1
            || d.cyclic()
            || self.dealt
            || !plain
            || d.foundations
                .as_ref()
                .is_some_and(|f| f.order != crate::description::Order::Suit)
        {
            return Vec::new();
        }
        if *build == Term::False || suit_building(Some(Atom::SameSuit)) {
            vec!["Always"]
        } else if suit_building(None) {
            vec!["AllTwoBelow"]
        } else if suit_building(Some(Atom::OppositeColour)) {
            if self.back {
                vec!["TwoBelow"]
            } else {
                vec!["OneBelow", "TwoBelow"]
            }
        } else {
            Vec::new()
        }
    }

    pub(super) fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// A heading between parts.
    pub(super) fn heading(&mut self, text: &str) {
        let _ = write!(self.out, "\n{}\n-- {text}\n\n", "-".repeat(98));
    }

    pub(super) fn part(&mut self, generator: &str, process: &str, events: &str) {
        self.parts
            .push((generator.to_owned(), process.to_owned(), events.to_owned()));
    }

    pub(super) fn write(&mut self) {
        self.cards();
        self.deal();
        self.rules();
        self.channels();
        self.events();
        self.card_process();
        self.cover();
        self.columns();
        self.places();
        self.stock();
        self.foundations();
        self.game();
    }

    fn cards(&mut self) {
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

    fn deal(&mut self) {
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
            self.line("columns = < <> | _ <- {} >");
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

    fn rules(&mut self) {
        self.heading("Who may go where");
        let build = self.d.build();
        let _ = writeln!(
            self.out,
            "-- Rule [tableau] build: {}.\nmayLie(c, d) = {}",
            build.text(),
            build.in_model()
        );
        let spaces = self
            .d
            .tableau
            .as_ref()
            .map_or(Term::False, |t| t.spaces.clone());
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
        self.line("hostsOf = mapFromList(< (c, { d | d <- playing, mayLie(c, d) }) | c <- seq(playing) >)");
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

    /// The channels of moves that the game has.
    fn channels(&mut self) {
        self.heading("Events: a card, where it lies in a column, where it goes");
        let mut of = |condition: bool, text: &str| {
            if condition {
                self.out.push_str(text);
                self.out.push('\n');
            }
        };
        let reasons = !self.reasons.is_empty();
        of(self.builds, "channel move : Card.Spot.Spot");
        of(self.cells, "channel toCell : Card.Spot");
        of(self.home, "channel home : Card.Spot");
        of(self.hole, "channel toHole : Card.Spot");
        if reasons {
            let _ = writeln!(
                self.out,
                "-- Reasons to go home unasked.\ndatatype Reason = {}\nchannel autoHome : Card.Spot.Reason",
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
            if self.home && name != "back" {
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
    fn events(&mut self) {
        let mut exits = Vec::new();
        if self.cells {
            exits.push("{toCell.c.b}".to_owned());
        }
        if self.home {
            exits.push("{home.c.b}".to_owned());
        }
        if !self.reasons.is_empty() {
            exits.push("{ autoHome.c.b.why | why <- Reason }".to_owned());
        }
        if self.hole {
            exits.push("{toHole.c.b}".to_owned());
        }
        self.line(
            "\n-- Moves of c from b in a column: to another place there, and out of the columns.",
        );
        if self.builds {
            self.line("shiftsFrom(c, b) = { move.c.b.t | t <- targets(c), t != b }");
        } else {
            self.line("shiftsFrom(c, b) = {}");
        }
        let _ = writeln!(
            self.out,
            "exitsFrom(c, b) = Union({{{}}})",
            if exits.is_empty() {
                "{}".to_owned()
            } else {
                exits.join(", ")
            }
        );
        if self.complete {
            self.line("completesFrom(c, b) = { complete.c.b | rank(c) == RANKS }");
            self.line(
                "leaves(c, b) = Union({shiftsFrom(c, b), exitsFrom(c, b), completesFrom(c, b)})",
            );
            self.line("completes(c) = Union({ completesFrom(c, b) | b <- spots(c) })");
        } else {
            self.line("leaves(c, b) = union(shiftsFrom(c, b), exitsFrom(c, b))");
        }
        self.line("shifts(c) = Union({ shiftsFrom(c, b) | b <- spots(c) })");
        self.line("exits(c) = Union({ exitsFrom(c, b) | b <- spots(c) })");
        // Entries to columns from elsewhere, by where the card comes from.
        let mut entries = Vec::new();
        for (name, set, present) in self.sources() {
            if present && self.builds {
                let _ = writeln!(
                    self.out,
                    "{name}Entries(c) = {{ {name}Move.c.t | t <- targets(c), member(c, {set}) }}"
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
            self.line("deals(c) = { dealt.c.b | member(c, set(stock)), b <- union(tables, { On.x | x <- playing, x != c }) }");
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
            onto.insert(
                0,
                "{ move.c.b.On.d | c <- guests(d), b <- spots(c), b != (On.d) }".to_owned(),
            );
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
        self.line("departures(d) = Union({ leaves(c, On.d) | c <- coverers(d) })");
    }

    fn supply(&mut self) {
        let sets = match self.refill {
            Refill::Nobody => "{}",
            Refill::Reserve => "set(reserve)",
            Refill::ReserveThenWaste => "union(set(reserve), set(stock))",
            Refill::WasteThenStock => "set(stock)",
        };
        let _ = writeln!(self.out, "supply = {sets}");
    }

    /// Where cards outside the columns come from: name, the cards that can be there, whether there is
    /// such a place.
    pub(super) fn sources(&self) -> [(&'static str, &'static str, bool); 4] {
        [
            ("cell", "playing", self.cells),
            ("reserve", "set(reserve)", self.reserve),
            ("waste", "set(stock)", self.waste),
            ("back", "playing", self.back),
        ]
    }

    /// The moves by which card `c` comes to lie on card `d`, for texts with these names.
    pub(super) fn onto(&self, c: &str, d: &str) -> String {
        let mut sets = vec![format!(
            "{{ move.{c}.b.On.{d} | b <- spots({c}), b != (On.{d}) }}"
        )];
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
        if self.home && name != "back" {
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

    /// The process of a card that says where it is.
    fn card_process(&mut self) {
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

    /// The network and what of it is seen.
    fn game(&mut self) {
        self.heading("The game");
        let mut names = Vec::new();
        let parts = std::mem::take(&mut self.parts);
        for (i, (generator, process, events)) in parts.iter().enumerate() {
            let name = format!("Part{}", i + 1);
            if generator.is_empty() {
                let _ = writeln!(
                    self.out,
                    "{name} = {process}\npart{}Events = {events}",
                    i + 1
                );
            } else {
                let (variable, set) = generator.split_once(" : ").unwrap_or(("c", "Card"));
                let _ = writeln!(
                    self.out,
                    "{name} = || {generator} @ [{events}] {process}\npart{}Events = Union({{ {events} | {variable} <- {set} }})",
                    i + 1
                );
            }
            names.push(i + 1);
        }
        let mut system = String::from("Part1");
        let mut events = String::from("part1Events");
        for i in names.iter().skip(1) {
            system = format!("({system})\n  [ {events} || part{i}Events ] Part{i}");
            events = format!("union({events}, part{i}Events)");
        }
        let _ = writeln!(self.out, "System =\n  {system}\n\nallEvents = {events}");
        let mut hidden = std::mem::take(&mut self.bookkeeping);
        if !self.reasons.is_empty() {
            hidden.push("Union({ sentHome(c, why) | c <- playing, why <- Reason })".to_owned());
        }
        if hidden.is_empty() {
            self.line("Game = System");
            self.line("choices = diff(allEvents, {done})");
        } else {
            self.line("-- What happens by itself, at once and before the next choice.");
            let _ = writeln!(self.out, "byItself = Union({{{}}})", hidden.join(", "));
            self.line("transparent chase");
            self.line("Game = chase(System \\ byItself)");
            self.line("choices = diff(diff(allEvents, byItself), {done})");
        }
        self.line("");
    }
}
