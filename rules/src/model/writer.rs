//! What the parts of a model share: which features a game has, and the definitions of cards and events.

use std::fmt::Write;

use crate::description::{Description, Face, Group, Refill};
use crate::model::{Options, tops};
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

/// Processes that take part.
pub(super) struct Part<'a> {
    /// For which values there is one (`c : Card`); none if there is one in all.
    pub(super) generator: &'a str,
    /// The channel by which it is told how it starts where nothing is dealt yet: its name, its type, and the
    /// variable of the generator. None if it starts in the same way in every deal.
    pub(super) channel: Option<(&'a str, &'a str, &'a str)>,
    /// How it may start.
    pub(super) values: String,
    /// How it starts in this deal.
    pub(super) start: &'a str,
    /// The process; `@` stands for how it starts.
    pub(super) process: &'a str,
    /// Its events.
    pub(super) events: &'a str,
}

/// A part that was written.
pub(super) struct OwnedPart {
    pub(super) generator: String,
    pub(super) process: String,
    pub(super) events: String,
}

/// A model being written.
pub(super) struct Writer<'a> {
    pub(super) out: String,
    pub(super) p: &'a Position,
    pub(super) d: &'a Description,
    pub(super) options: Options,
    pub(super) groups: Groups,
    /// A pile could be put on its own last card.
    pub(super) circles: bool,
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
    /// Some foundations are built upwards, some downwards.
    pub(super) up: bool,
    pub(super) down: bool,
    pub(super) back: bool,
    pub(super) hole: bool,
    pub(super) refill: Refill,
    pub(super) reasons: Vec<&'static str>,
    pub(super) parts: Vec<OwnedPart>,
    /// Sets of events that happen by themselves.
    pub(super) bookkeeping: Vec<String>,
    /// Channels by which parts are told how they start, and the events of this deal.
    pub(super) opening: Vec<(String, String)>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(p: &'a Position, options: Options) -> Self {
        let d: &Description = &p.rules;
        let t = d.tableau.as_ref();
        let refill = t.map_or(Refill::Nobody, |t| t.refill);
        let complete = d.foundations.as_ref().is_some_and(|f| f.complete);
        let fills = d.spaces() != Term::False;
        let build = d.build();
        let circles = tops::needed(d);
        let groups = match t.map(|t| &t.group) {
            None | Some(Group::One) => Groups::None,
            Some(Group::All) => Groups::Always,
            // Only the last cards are face up, and all that comes to lie on a card is built on it by
            // the rule that lets it move.
            Some(Group::Run(terms)) if t.is_some_and(|t| t.face == Face::Last) => {
                if d.group() == [build.clone()]
                    && !terms.is_empty()
                    && !d.deals_to_columns()
                    && !circles
                {
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
            circles,
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
            up: d.foundations.is_some() && !complete && d.downward() < d.decks,
            down: d.downward() > 0,
            back: d.foundations.as_ref().is_some_and(|f| f.back),
            hole: d.hole.is_some(),
            refill,
            reasons: Vec::new(),
            parts: Vec::new(),
            bookkeeping: Vec::new(),
            opening: Vec::new(),
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

    /// A part that starts in the same way in every deal.
    pub(super) fn fixed(&mut self, generator: &str, process: &str, events: &str) {
        self.parts.push(OwnedPart {
            generator: generator.to_owned(),
            process: process.to_owned(),
            events: events.to_owned(),
        });
    }

    /// A part. Where nothing is dealt yet it waits to be told how it starts.
    pub(super) fn part(&mut self, part: Part<'_>) {
        let Some((name, carried, index)) = part.channel.filter(|_| self.options.undealt) else {
            let process = part.process.replace('@', part.start);
            self.fixed(part.generator, &process, part.events);
            return;
        };
        let (values, events) = (&part.values, part.events);
        let dot = if index.is_empty() { "" } else { "." };
        let process = part.process.replace('@', "begun");
        self.fixed(
            part.generator,
            &format!("([] begun : {values} @ {name}.{index}{dot}begun -> {process})"),
            &format!("union({events}, {{ {name}.{index}{dot}begun | begun <- {values} }})"),
        );
        let event = format!("{name}.{index}{dot}({})", part.start);
        let told = match part.generator.split_once(" : ") {
            None => format!("<{event}>"),
            Some((variable, set)) => format!("< {event} | {variable} <- seq({set}) >"),
        };
        self.opening
            .push((format!("channel {name} : {carried}"), told));
    }

    pub(super) fn write(&mut self) {
        self.cards();
        self.deal();
        self.rules();
        self.channels();
        self.events();
        self.card_process();
        self.cover();
        self.tops();
        self.columns();
        self.places();
        self.stock();
        self.foundations();
        self.game();
    }
}
