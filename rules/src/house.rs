//! The house format: a page of TOML, with `extends` and overriding of single members.

use csp_games::Card;
use csp_games::deal::layout::Numbering;
use csp_grammar::source::FileId;
use csp_grammar::{Diagnostic, Span};

use crate::description::{
    Accordion, Base, Begun, Cells, Description, Face, Filler, Foundations, Gaps, Group, Hole,
    HoleStart, Order, Piles, Published, Refill, Reserve, Shape, Stock, Style, Tableau, To,
};
use crate::fields::Fields;
use crate::phrase::{self, BUILDING, FILLING};
use crate::spelling;
use crate::term::Term;
use crate::tree::{Node, Value};

/// The places of what validation may complain about.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// Where each `section.key` stands.
    pub(crate) known: Vec<(String, Span)>,
}

impl Places {
    /// The place of a key, or else of its section, or else of the whole.
    #[must_use]
    pub(crate) fn of(&self, key: &str) -> Span {
        let exact = |key: &str| self.known.iter().find(|(k, _)| k == key).map(|(_, s)| *s);
        exact(key)
            .or_else(|| exact(key.split('.').next().unwrap_or_default()))
            .unwrap_or(Span {
                file: FileId(0),
                start: 0,
                end: 0,
            })
    }
}

/// The description that a tree says, as far as it can be read.
pub(crate) fn describe(name: &str, tree: &Value) -> (Description, Places, Vec<Diagnostic>) {
    let mut top = Fields::new("", tree);
    let mut d = Description::new(name);
    top.text("extends");
    if let Some(title) = top.text("title") {
        d.title = title;
    }
    d.family = top.text("family").unwrap_or_default();
    d.also = top.texts("also").unwrap_or_default();
    d.source = top.text("source").unwrap_or_default();
    d.note = top.text("note").unwrap_or_default();
    if let Some(numbering) = top.word("numbering", &["ours", "microsoft", "pysol", "solvitaire"]) {
        d.numbering = match numbering {
            1 => Numbering::Microsoft,
            2 => Numbering::Pysol,
            3 => Numbering::Solvitaire,
            _ => Numbering::Ours,
        };
    }
    d.won = top.number("won", 0..=u64::MAX);
    d.lost = top.number("lost", 0..=u64::MAX);
    if let Some(style) = top.word("style", &["best", "cards", "places"]) {
        d.style = [Style::Best, Style::Cards, Style::Places][style];
    }
    top.section("published", |f| {
        let rate = f.text("rate").unwrap_or_default();
        d.published = Some(Published {
            rate,
            by: f.text("by").unwrap_or_default(),
        });
    });
    top.section("pack", |f| {
        d.decks = f.number("decks", 1..=4).unwrap_or(1);
        d.ranks = f.number("ranks", 1..=13).unwrap_or(13);
    });
    top.section("tableau", |f| d.tableau = Some(tableau(f)));
    top.section("foundations", |f| d.foundations = Some(foundations(f)));
    top.section("cells", |f| {
        d.cells = Cells {
            count: f.number("count", 0..=20).unwrap_or(0),
            filled: f.number("filled", 0..=20).unwrap_or(0),
        };
    });
    top.section("stock", |f| d.stock = Some(stock(f)));
    top.section("reserve", |f| {
        d.reserve = Some(Reserve {
            cards: f.number("cards", 0..=208).unwrap_or(0),
            stacked: f.truth("stacked").unwrap_or(false),
            by_rank: f.truth("by_rank").unwrap_or(false),
        });
    });
    top.section("hole", |f| {
        d.hole = Some(Hole {
            start: hole_start(f),
            wrap: f.truth("wrap").unwrap_or(true),
        });
    });
    top.section("gaps", |f| {
        d.gaps = Some(Gaps {
            fixed: f.truth("fixed").unwrap_or(false),
        });
    });
    top.section("accordion", |f| {
        d.accordion = Some(Accordion {
            cards: f.number("cards", 1..=208).unwrap_or(52),
            steps: f.numbers("steps", 1..=52).unwrap_or_else(|| vec![1, 3]),
            build: condition(f, "build", &BUILDING).unwrap_or(Term::True),
        });
    });
    top.section("piles", |f| {
        d.piles = Some(Piles {
            count: f.number("count", 2..=13).unwrap_or(4),
            build: condition(f, "build", &BUILDING).unwrap_or(Term::False),
            right_first: f.word("gather", &["left first", "right first"]) == Some(1),
        });
    });
    let (places, diagnostics) = top.finish();
    (d, Places { known: places }, diagnostics)
}

fn tableau(f: &mut Fields<'_>) -> Tableau {
    let columns = f.number("columns", 0..=60).unwrap_or(0);
    let shape = match f.take("deal") {
        None => Shape::Rounds,
        Some(value) => shape(f, value),
    };
    let build = condition(f, "build", &BUILDING).unwrap_or(Term::False);
    let group = group(f, &build);
    Tableau {
        columns,
        shape,
        group,
        spaces: condition(f, "spaces", &FILLING).unwrap_or(Term::True),
        fillers: fillers(f),
        refill: [
            Refill::Nobody,
            Refill::Reserve,
            Refill::ReserveThenWaste,
            Refill::WasteThenStock,
        ][f
            .word(
                "refill",
                &[
                    "nobody",
                    "reserve",
                    "reserve then waste",
                    "waste then stock",
                ],
            )
            .unwrap_or(0)],
        face: face(f),
        limit: f.number("limit", 1..=208),
        kings_down: f.truth("kings_down").unwrap_or(false),
        build,
    }
}

fn shape(f: &mut Fields<'_>, value: &Value) -> Shape {
    match &value.node {
        Node::Text(word) if word == "rounds" => Shape::Rounds,
        Node::Text(word) if word == "triangle" => Shape::Triangle,
        Node::List(items) => {
            let sizes = items.iter().map(|v| f.as_number(v, "deal", 0..=208));
            Shape::Sizes(sizes.map(Option::unwrap_or_default).collect())
        }
        _ => {
            let message =
                "'deal' is \"rounds\", \"triangle\" or a list of how many cards each column has";
            f.tell(Diagnostic::error("E0704", value.span, message));
            Shape::Rounds
        }
    }
}

fn group(f: &mut Fields<'_>, build: &Term) -> Group {
    const MOVES: [&str; 4] = ["one", "run", "whole", "all"];
    let kind = f.word("moves", &MOVES).unwrap_or(0);
    let conditions = match f.take("run") {
        None => vec![build.clone()],
        Some(value) => {
            let items = match &value.node {
                Node::List(items) => items.iter().collect(),
                _ => vec![value],
            };
            let read = items.into_iter().map(|v| read_condition(f, v, &BUILDING));
            read.map(|t| t.unwrap_or(Term::False)).collect()
        }
    };
    match kind {
        0 => Group::One,
        1 => Group::Run(conditions),
        2 => Group::Whole(conditions),
        _ => Group::All,
    }
}

fn fillers(f: &mut Fields<'_>) -> Option<Vec<Filler>> {
    const PLACES: [(&str, Filler); 5] = [
        ("columns", Filler::Columns),
        ("cells", Filler::Cells),
        ("reserve", Filler::Reserve),
        ("waste", Filler::Waste),
        ("foundations", Filler::Foundations),
    ];
    let value = f.take("fill_from")?;
    let Node::List(items) = &value.node else {
        f.wrong_kind(value, "'fill_from' is", "a list of places");
        return None;
    };
    let mut fillers = Vec::new();
    for item in items {
        let place = match &item.node {
            Node::Text(word) => PLACES.iter().find(|(name, _)| name == word),
            _ => None,
        };
        match place {
            Some((_, place)) => fillers.push(*place),
            None => {
                let names: Vec<&str> = PLACES.iter().map(|(name, _)| *name).collect();
                let message = format!("'fill_from' has the places \"{}\"", names.join("\", \""));
                f.tell(Diagnostic::error("E0704", item.span, message));
            }
        }
    }
    Some(fillers)
}

fn face(f: &mut Fields<'_>) -> Face {
    match f.take("face") {
        None => Face::Up,
        Some(value) => match &value.node {
            Node::Text(word) if word == "up" => Face::Up,
            Node::Text(word) if word == "last" => Face::Last,
            Node::List(items) => {
                let down = items.iter().map(|v| f.as_number(v, "face", 0..=208));
                Face::Down(down.map(Option::unwrap_or_default).collect())
            }
            _ => {
                let message = "'face' is \"up\", \"last\" or a list of how many cards of each column are face down";
                f.tell(Diagnostic::error("E0704", value.span, message));
                Face::Up
            }
        },
    }
}

fn foundations(f: &mut Fields<'_>) -> Foundations {
    let order = f.word("order", &["suit", "alternating"]).unwrap_or(0);
    let base = match f.take("base") {
        None => Base::Rank(1),
        Some(value) => match &value.node {
            Node::Text(word) if word == "first" => Base::First,
            Node::Text(word) if Card::parse(&format!("{word}C")).is_some() => {
                Base::Rank(Card::parse(&format!("{word}C")).map_or(1, |c| c.rank))
            }
            _ => {
                let message = "'base' is a rank such as \"A\" or \"7\", or \"first\"";
                f.tell(Diagnostic::error("E0704", value.span, message));
                Base::Rank(1)
            }
        },
    };
    let start = f.word("start", &["none", "one", "all"]).unwrap_or(0);
    Foundations {
        order: [Order::Suit, Order::Alternating][order],
        base,
        start: [Begun::None, Begun::One, Begun::All][start],
        back: f.truth("back").unwrap_or(false),
        complete: f.truth("complete").unwrap_or(false),
        down: f.number("down", 0..=4).unwrap_or(0),
    }
}

fn stock(f: &mut Fields<'_>) -> Stock {
    let redeals = match f.take("redeals") {
        None => Some(0),
        Some(value) => match &value.node {
            Node::Text(word) if word == "unlimited" => None,
            _ => f.as_number(value, "redeals", 0..=100).or(Some(0)),
        },
    };
    Stock {
        cards: f.number("cards", 0..=208).unwrap_or(0),
        to: [To::Waste, To::Columns, To::Hole, To::Piles][f
            .word("to", &["waste", "columns", "hole", "piles"])
            .unwrap_or(0)],
        turn: f.number("turn", 1..=52).unwrap_or(1),
        redeals,
        full: f.truth("full").unwrap_or(false),
    }
}

fn hole_start(f: &mut Fields<'_>) -> HoleStart {
    match f.take("start") {
        None => HoleStart::First,
        Some(value) => match &value.node {
            Node::Text(word) if word == "first" => HoleStart::First,
            Node::Text(word) if word == "empty" => HoleStart::Empty,
            Node::Text(word) if Card::parse(word).is_some() => {
                Card::parse(word).map_or(HoleStart::Empty, HoleStart::Card)
            }
            _ => {
                let message = "'start' is a card such as \"AS\", \"first\" or \"empty\"";
                f.tell(Diagnostic::error("E0704", value.span, message));
                HoleStart::First
            }
        },
    }
}

fn condition(f: &mut Fields<'_>, key: &str, phrases: &[&str]) -> Option<Term> {
    let value = f.take(key)?;
    read_condition(f, value, phrases)
}

fn read_condition(f: &mut Fields<'_>, value: &Value, phrases: &[&str]) -> Option<Term> {
    let Node::Text(text) = &value.node else {
        f.wrong_kind(value, "a condition is", "a text");
        return None;
    };
    match phrase::condition(text) {
        Ok(term) => Some(term),
        Err(why) => {
            let near = spelling::nearest(text, phrases.iter().copied());
            let help = match near.first() {
                Some(phrase) => format!("did you mean \"{phrase}\"?"),
                None => format!("usual phrases are \"{}\"", phrases.join("\", \"")),
            };
            f.tell(Diagnostic::error("E0710", value.span, why).help(help));
            None
        }
    }
}
