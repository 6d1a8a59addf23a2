//! The last card of a card's own pile, where a pile could otherwise be put on itself.
//!
//! A card does not know the column it is in. Where any cards may lie on a card that moves, or where runs
//! go round (ranks are cyclic, or equal ranks lie on each other), the last card of a pile may be one that
//! its lowest card could lie on. So every card knows the last card of the pile on it, and refuses to go
//! there; a card whose pile has changed tells the card below.

use std::fmt::Write;

use super::writer::{Part, Writer};
use crate::description::{Description, Group};
use crate::piece::Piece;
use crate::term::{Atom, Case, Term};

/// Whether some pile that moves as one could be put on its own last card.
pub(super) fn needed(d: &Description) -> bool {
    let build = d.build();
    match d.tableau.as_ref().map(|t| &t.group) {
        None | Some(Group::One) => false,
        Some(Group::All) => build != Term::False,
        Some(Group::Run(_) | Group::Whole(_)) => {
            d.group().iter().any(|run| comes_back(d, &build, run))
        }
    }
}

/// Whether a run can lead from a card to another one that the first may lie on.
fn comes_back(d: &Description, build: &Term, run: &Term) -> bool {
    let all = Piece::all(d.decks, d.ranks);
    let lies = |term: &Term, card: Piece, host: Piece| {
        card != host
            && term.holds(&Case {
                card: card.card,
                host: Some(host.card),
                single: false,
                ranks: d.ranks,
            })
    };
    let ends = |first: Piece| {
        let mut reached = vec![first];
        let mut at = 0;
        while let Some(&host) = reached.get(at) {
            at += 1;
            for &card in all.iter().filter(|c| lies(run, **c, host)) {
                if !reached.contains(&card) {
                    reached.push(card);
                }
            }
        }
        reached
    };
    // Suits and decks are alike here: cards of one suit stand for all.
    let firsts = all
        .iter()
        .filter(|p| p.deck == 0 && p.card.suit as usize == 0);
    firsts
        .copied()
        .any(|first| ends(first).iter().any(|&end| lies(build, first, end)))
}

/// What is known about the last card of a run from its first, as a condition of the model.
fn alike(run: &Term) -> &'static str {
    let parts = match run {
        Term::And(parts) => parts.as_slice(),
        other => std::slice::from_ref(other),
    };
    if parts.contains(&Term::Atom(Atom::SameSuit)) {
        "suit(x) == suit(c)"
    } else if parts.contains(&Term::Atom(Atom::SameRank)) {
        "rank(x) == rank(c)"
    } else {
        "true"
    }
}

impl Writer<'_> {
    /// Every card knows the last card of its pile.
    pub(super) fn tops(&mut self) {
        if !self.circles {
            return;
        }
        let any = matches!(self.d.tableau.as_ref().map(|t| &t.group), Some(Group::All));
        let (told, tops) = if any {
            ("{ x | On.x <- spots(c) }".to_owned(), "playing".to_owned())
        } else {
            // Cards of different runs that lie on each other pass on each other's last cards.
            let condition = match self.d.group().as_slice() {
                [run] if !self.complete => alike(run),
                _ => "true",
            };
            let tops = format!("{{ x | x <- playing, {condition} }}");
            ("linked(c)".to_owned(), tops)
        };
        let (dealt, reaching) = match (self.dealt, any) {
            (true, true) => ("dealtOnto(d)", "onto(d)"),
            (true, false) => (
                "dealtOnto(d)",
                "union(proper(d), { dealt.c.On.d | c <- stockCards, member(c, linkers(d)) })",
            ),
            (false, true) => ("{}", "onto(d)"),
            (false, false) => ("{}", "proper(d)"),
        };
        let (falls, falling) = if self.complete {
            (
                "\n  [] ([] e : union(completes(d), following(d)) @ e -> NoTop(d))",
                ", completes(d), following(d)",
            )
        } else {
            ("", "")
        };
        self.heading("The last card of a pile");
        let _ = writeln!(
            self.out,
            "-- A pile that moves cannot be put on itself: each card knows the last card of the pile on it.
channel topIs : Card.Card.Card
channel topKnown : Card
-- Whom c tells if it lies there, and which cards can be the last.
told(c) = {told}
topsOf(c) = {tops}
tellers = mapFromList(< (d, {{ c | c <- playing, member(d, told(c)) }}) | d <- seq(playing) >)
topFrom(c, b) =
  if not null(seq({{ x | On.x <- {{b}}, member(x, told(c)) }})) then {{ topIs.c.x.t | On.x <- {{b}}, t <- topsOf(c) }} else {{topKnown.c}}
topTold(c) = union({{ topIs.c.x.t | x <- told(c), t <- topsOf(c) }}, {{topKnown.c}})
topTells(d, t) = union({{ topIs.d.x.t | x <- told(d) }}, {{topKnown.d}})
topHeard(d) = {{ topIs.c.d.t | c <- mapLookup(tellers, d), t <- topsOf(c) }}
onto(d) = union(arrivals(d), {dealt})
reaching(d) = {reaching}
Top(d, t) =
     ([] e : diff(shifts(d), {{move.d.On.t}}) @ e -> TellTop(d, t))
  [] ([] e : reaching(d) @ e -> HearTop(d))
  [] ([] e : diff(onto(d), reaching(d)) @ e -> TellTop(d, d))
  [] ([] e : left(d) @ e -> TellTop(d, d))
  [] ([] e : topHeard(d) @ e -> ToldTop(d, e))
  [] ([] e : exits(d) @ e -> NoTop(d)){falls}
HearTop(d) = [] e : topHeard(d) @ e -> ToldTop(d, e)
ToldTop(d, topIs._._.t) = TellTop(d, t)
TellTop(d, t) = [] e : topTells(d, t) @ e -> Top(d, t)
NoTop(d) = [] e : entries(d) @ e -> TellTop(d, d)
topEvents(d) = Union({{shifts(d), onto(d), left(d), exits(d), entries(d), topHeard(d), topTold(d){falling}}})
startTop = mapFromList(concat(< < (c, last(column)) | c <- column > | column <- columns >))
datatype Topmost = NoCard | Last.Card
topOf(d) = if mapMember(startTop, d) then Last.mapLookup(startTop, d) else NoCard
StartTop(d, NoCard) = NoTop(d)
StartTop(d, Last.t) = Top(d, t)"
        );
        self.part(Part {
            generator: "c : playing",
            channel: Some(("ends", "Card.Topmost", "c")),
            values: "union({NoCard}, { Last.t | t <- union(topsOf(c), {c}) })".to_owned(),
            start: "topOf(c)",
            process: "StartTop(c, @)",
            events: "topEvents(c)",
        });
        self.bookkeeping
            .push("Union({ topTold(c) | c <- playing })".to_owned());
    }
}
