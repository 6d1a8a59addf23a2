//! Rule files of Solvitaire (Blake and Gent), read as they are: its sections and, beside them, the flat
//! keys that Harley's manual of 2019 lists. What is not said is as in its default, which describes
//! Streets and Alleys. Dominances that are not rules (`partial-if-card-above-buildable`) are read as
//! the rules they stand for.

use csp_games::Card;
use csp_games::deal::layout::Numbering;
use csp_grammar::{Diagnostic, Span};

use crate::description::{
    Accordion, Base, Begun, Cells, Description, Face, Foundations, Gaps, Group, Hole, HoleStart,
    Order, Refill, Reserve, Shape, Stock, Tableau, To,
};
use crate::fields::Fields;
use crate::house::Places;
use crate::phrase;
use crate::term::{Atom, Term};
use crate::tree::{Entry, Node, Value};

/// Flat keys of older rule files, and where they belong now.
const OLDER: [(&str, &str, &str); 31] = [
    ("tableau size", "tableau piles", "count"),
    ("build policy", "tableau piles", "build policy"),
    ("spaces policy", "tableau piles", "spaces policy"),
    ("diagonal deal", "tableau piles", "diagonal deal"),
    ("move built group", "tableau piles", "move built group"),
    (
        "group build policy",
        "tableau piles",
        "move built group policy",
    ),
    ("face up cards", "tableau piles", "face up cards"),
    ("foundations present", "foundations", "present"),
    ("foundations removable", "foundations", "removable"),
    ("foundations initialised", "foundations", "initial cards"),
    (
        "foundations accept only complete piles",
        "foundations",
        "only complete pile moves",
    ),
    (
        "foundations complete piles",
        "foundations",
        "only complete pile moves",
    ),
    ("hole present", "hole", "present"),
    ("hole build loops", "hole", "build loops"),
    ("number of cells", "cells", "count"),
    ("cells pre-filled", "cells", "pre-filled"),
    ("cards in stock", "stock", "size"),
    ("stock deal count", "stock", "deal count"),
    ("stock redeal", "stock", "redeal"),
    ("stock deal type", "stock", "deal type"),
    ("cards in reserve", "reserve", "size"),
    ("reserve stacked", "reserve", "stacked"),
    ("cards in sequence", "sequences", "count"),
    ("sequence fixed suit", "sequences", "fixed suit"),
    ("sequence direction", "sequences", "direction"),
    ("sequence build policy", "sequences", "build policy"),
    ("accordion size", "accordion", "size"),
    ("accordion moves", "accordion", "moves"),
    ("accordion policies", "accordion", "build policies"),
    ("deck count", "", "deck count"),
    ("tableau pile count", "tableau piles", "count"),
];

/// Whether a tree is one of Solvitaire's rather than a description of ours.
#[must_use]
pub(crate) fn recognised(tree: &Value) -> bool {
    let Node::Table(entries) = &tree.node else {
        return false;
    };
    let own = [
        "tableau piles",
        "sequences",
        "two decks",
        "max rank",
        "hole",
        "accordion",
    ];
    entries.is_empty()
        || entries.iter().any(|e| {
            own.contains(&e.key.as_str()) || OLDER.iter().any(|(flat, _, _)| *flat == e.key)
        })
}

/// The tree with older keys in the sections where they belong now.
fn gathered(tree: &Value) -> Value {
    let Node::Table(entries) = &tree.node else {
        return tree.clone();
    };
    let mut result: Vec<Entry> = Vec::new();
    for entry in entries {
        let older = OLDER.iter().find(|(flat, _, _)| *flat == entry.key);
        let (section, value) = match (older, &entry.value.node) {
            (Some((_, section, key)), _) if !section.is_empty() => {
                let inner = Entry {
                    key: (*key).to_owned(),
                    ..entry.clone()
                };
                ((*section).to_owned(), Node::Table(vec![inner]))
            }
            // `"hole": true` is how the first versions said it.
            (None, Node::Truth(_)) if entry.key == "hole" => {
                let inner = Entry {
                    key: "present".to_owned(),
                    ..entry.clone()
                };
                ("hole".to_owned(), Node::Table(vec![inner]))
            }
            _ => (entry.key.clone(), entry.value.node.clone()),
        };
        let value = Value {
            node: value,
            span: entry.value.span,
        };
        match result.iter_mut().find(|e| e.key == section) {
            Some(known) => known.value = known.value.clone().overridden(value),
            None => result.push(Entry {
                key: section,
                span: entry.span,
                value,
            }),
        }
    }
    Value {
        node: Node::Table(result),
        span: tree.span,
    }
}

const POLICIES: [&str; 4] = ["any-suit", "red-black", "same-suit", "no-build"];

fn policy(index: usize) -> Term {
    let phrase = [
        "down any suit",
        "down alternating",
        "down in suit",
        "nothing",
    ][index];
    phrase::condition(phrase).unwrap_or(Term::False)
}

/// The description that a rule file says, as far as it can be read.
pub(crate) fn describe(name: &str, tree: &Value) -> (Description, Places, Vec<Diagnostic>) {
    let tree = gathered(tree);
    let mut top = Fields::new("", &tree);
    let mut d = Description::new(name);
    d.numbering = Numbering::Solvitaire;
    d.source = "a rule file of Solvitaire".to_owned();
    d.ranks = top.number("max rank", 1..=13).unwrap_or(13);
    d.decks = 1 + u8::from(top.truth("two decks").unwrap_or(false));
    if let Some(decks) = top.number("deck count", 1..=4) {
        d.decks = decks;
    }
    let mut unsupported: Vec<(Span, &str)> = Vec::new();
    d.tableau = Some(default_tableau());
    top.section("tableau piles", |f| {
        d.tableau = Some(tableau(f, &mut unsupported));
    });
    d.foundations = Some(default_foundations());
    top.section("foundations", |f| d.foundations = foundations(f));
    top.section("hole", |f| {
        let present = f.truth("present").unwrap_or(false);
        let start = match f.text("base card") {
            None => HoleStart::Card(Card::new(1, csp_games::Suit::Spades)),
            Some(word) if word == "random" => HoleStart::First,
            Some(word) => Card::parse(&word).map_or(HoleStart::First, HoleStart::Card),
        };
        let wrap = f.truth("build loops").unwrap_or(true);
        d.hole = present.then_some(Hole { start, wrap });
    });
    top.section("cells", |f| {
        d.cells = Cells {
            count: f.number("count", 0..=20).unwrap_or(0),
            filled: f.number("pre-filled", 0..=20).unwrap_or(0),
        };
    });
    top.section("stock", |f| {
        let cards = f.number("size", 0..=208).unwrap_or(0);
        let to = f.word("deal type", &["waste", "tableau piles", "hole"]);
        let stock = Stock {
            cards,
            to: [To::Waste, To::Columns, To::Hole][to.unwrap_or(0)],
            turn: f.number("deal count", 1..=52).unwrap_or(1),
            redeals: if f.truth("redeal").unwrap_or(false) {
                None
            } else {
                Some(0)
            },
            full: false,
        };
        d.stock = (cards > 0).then_some(stock);
    });
    top.section("reserve", |f| {
        let cards = f.number("size", 0..=208).unwrap_or(0);
        let stacked = f.truth("stacked").unwrap_or(false);
        d.reserve = (cards > 0).then_some(Reserve {
            cards,
            stacked,
            by_rank: false,
        });
    });
    top.section("sequences", |f| {
        let count: usize = f.number("count", 0..=60).unwrap_or(0);
        let fixed = f.truth("fixed suit").unwrap_or(false);
        let direction = f.word("direction", &["L", "R", "LR"]).unwrap_or(0);
        let build = f.word("build policy", &["any-suit", "red-black", "same-suit"]);
        if count > 0 && (count != 4 || direction != 0 || build.is_some_and(|b| b != 2)) {
            let why = "only four rows, built to the left in suit, can be played";
            unsupported.push((Span::default(), why));
        }
        d.gaps = (count > 0).then_some(Gaps { fixed });
    });
    top.section("accordion", |f| {
        d.accordion = accordion(f, &mut unsupported)
    });
    // With a row or rows the tableau has no columns unless it says so.
    if d.tableau.as_ref().is_some_and(|t| t.columns == 0)
        || d.gaps.is_some()
        || d.accordion.is_some()
    {
        d.tableau = None;
    }
    if d.hole.is_some() || d.gaps.is_some() || d.accordion.is_some() {
        d.foundations = None;
    }
    let (places, mut diagnostics) = top.finish();
    let places = Places { known: places };
    for (span, why) in unsupported {
        let span = if span == Span::default() {
            tree.span
        } else {
            span
        };
        diagnostics.push(Diagnostic::error("E0712", span, why));
    }
    (d, places, diagnostics)
}

fn default_tableau() -> Tableau {
    Tableau {
        columns: 8,
        shape: Shape::Rounds,
        build: policy(0),
        group: Group::One,
        spaces: Term::True,
        fillers: None,
        refill: Refill::Nobody,
        face: Face::Up,
        limit: None,
        kings_down: false,
    }
}

fn default_foundations() -> Foundations {
    Foundations {
        order: Order::Suit,
        base: Base::Rank(1),
        start: Begun::None,
        back: false,
        complete: false,
        down: 0,
    }
}

fn tableau(f: &mut Fields<'_>, unsupported: &mut Vec<(Span, &'static str)>) -> Tableau {
    let mut t = default_tableau();
    t.columns = f.number("count", 0..=60).unwrap_or(8);
    t.build = policy(f.word("build policy", &POLICIES).unwrap_or(0));
    let spaces = [
        "any",
        "no-build",
        "kings",
        "auto-reserve-then-any",
        "auto-reserve-then-waste",
        "auto-waste-then-stock",
    ];
    (t.spaces, t.refill) = match f.word("spaces policy", &spaces).unwrap_or(0) {
        1 => (Term::False, Refill::Nobody),
        2 => (
            Term::Atom(Atom::Rank(crate::term::Who::Card, 0)),
            Refill::Nobody,
        ),
        3 => (Term::True, Refill::Reserve),
        4 => (Term::False, Refill::ReserveThenWaste),
        5 => (Term::False, Refill::WasteThenStock),
        _ => (Term::True, Refill::Nobody),
    };
    // Where nothing is built, nothing moves between columns, not even to an empty one.
    if t.build == Term::False {
        t.spaces = Term::False;
    }
    if f.truth("diagonal deal").unwrap_or(false) {
        t.shape = Shape::Triangle;
    }
    let kinds = [
        "no",
        "yes",
        "whole-pile",
        "maximal-group",
        "partial-if-card-above-buildable",
    ];
    let kind = f.word("move built group", &kinds).unwrap_or(0);
    let policies = [
        "same-as-build",
        "any-suit",
        "red-black",
        "same-suit",
        "no-build",
    ];
    let run = match f.word("move built group policy", &policies).unwrap_or(0) {
        0 => t.build.clone(),
        other => policy(other - 1),
    };
    t.group = match kind {
        1 | 4 => Group::Run(vec![run]),
        2 => Group::Whole(vec![run]),
        3 => {
            unsupported.push((Span::default(), "'maximal-group' cannot be played"));
            Group::One
        }
        _ => Group::One,
    };
    if f.word("face up cards", &["all", "top"]) == Some(1) {
        t.face = Face::Last;
    }
    t
}

fn foundations(f: &mut Fields<'_>) -> Option<Foundations> {
    let present = f.truth("present").unwrap_or(true);
    let mut foundations = default_foundations();
    if let Some(value) = f.take("initial cards") {
        foundations.start = match &value.node {
            Node::Text(word) if word == "none" => Begun::None,
            Node::Text(word) if word == "one" => Begun::One,
            Node::Text(word) if word == "all" => Begun::All,
            // Older files say whether they are initialised.
            Node::Truth(false) => Begun::None,
            Node::Truth(true) => Begun::All,
            _ => {
                let message = "'initial cards' is none, one or all";
                f.tell(Diagnostic::error("E0704", value.span, message));
                Begun::None
            }
        };
    }
    if let Some(value) = f.take("base card") {
        foundations.base = match &value.node {
            Node::Text(word) if word == "random" => Base::First,
            Node::Text(word) if rank(word).is_some() => Base::Rank(rank(word).unwrap_or(1)),
            _ => {
                let message = "'base card' is a rank such as \"A\" or \"10\", or \"random\"";
                f.tell(Diagnostic::error("E0704", value.span, message));
                Base::Rank(1)
            }
        };
    }
    foundations.back = f.truth("removable").unwrap_or(false);
    // The schema has the first key, Solvitaire's reader the second.
    let complete = f.truth("only complete pile moves");
    foundations.complete = complete.or(f.truth("complete piles")).unwrap_or(false);
    present.then_some(foundations)
}

/// A rank: `A`, `2` … `13`, `J`, `Q`, `K`.
fn rank(word: &str) -> Option<u8> {
    let number = word.parse().ok().filter(|r| (1..=13).contains(r));
    number.or_else(|| Card::parse(&format!("{word}C")).map(|c| c.rank))
}

fn accordion(f: &mut Fields<'_>, unsupported: &mut Vec<(Span, &'static str)>) -> Option<Accordion> {
    let cards = f.number("size", 0..=208).unwrap_or(0);
    let mut steps = Vec::new();
    for step in f.texts("moves").unwrap_or_default() {
        let places = step.strip_prefix('L').and_then(|n| n.parse().ok());
        match places {
            Some(places) if (1..=52).contains(&places) => steps.push(places),
            _ => unsupported.push((Span::default(), "an accordion closes up to the left only")),
        }
    }
    let mut terms = Vec::new();
    for word in f.texts("build policies").unwrap_or_default() {
        match word.as_str() {
            "same-suit" => terms.push(Term::Atom(Atom::SameSuit)),
            "same-rank" => terms.push(Term::Atom(Atom::SameRank)),
            "red-black" => terms.push(Term::Atom(Atom::OppositeColour)),
            "any-suit" => terms.push(Term::True),
            _ => unsupported.push((Span::default(), "this build policy is not known")),
        }
    }
    (cards > 0).then_some(Accordion {
        cards,
        steps,
        build: Term::Or(terms),
    })
}
