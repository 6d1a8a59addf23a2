//! The rules of a game in words, as a page that a player can read.

use std::fmt::Write;

use crate::description::{
    Base, Begun, Description, Face, Filler, Foundations, Group, HoleStart, Order, Piles, Refill,
    Shape, Stock, Tableau, To,
};
use crate::term::{Atom, Term, Who};

/// The whole page: names, rules, what is known about the game.
#[must_use]
pub fn page(d: &Description) -> String {
    let mut out = format!("{}\n", d.title);
    if !d.also.is_empty() {
        let _ = writeln!(out, "Also: {}.", d.also.join(", "));
    }
    if !d.family.is_empty() {
        let _ = writeln!(out, "Family: {}.", d.family);
    }
    out.push('\n');
    for sentence in rules(d) {
        let _ = writeln!(out, "{sentence}");
    }
    if !d.note.is_empty() {
        let _ = writeln!(out, "\nNote: {}", d.note.trim());
    }
    if let Some(p) = &d.published {
        let _ = writeln!(out, "\nPublished: {} % can be won ({}).", p.rate, p.by);
    }
    if d.won.is_some() || d.lost.is_some() {
        let number = |n: Option<u64>| n.map_or_else(|| "none known".to_owned(), |n| n.to_string());
        let (won, lost) = (number(d.won), number(d.lost));
        let _ = writeln!(out, "\nA deal that can be won: {won}; that cannot: {lost}.");
    }
    if !d.source.is_empty() {
        let _ = writeln!(out, "Rules: {}.", d.source);
    }
    out
}

/// The rules, one sentence each.
#[must_use]
pub fn rules(d: &Description) -> Vec<String> {
    let mut out = Vec::new();
    let pack = match d.decks {
        1 => "One deck".to_owned(),
        n => format!("{} decks", number(n.into())),
    };
    let ranks = match d.ranks {
        13 => String::new(),
        n => format!(" of {n} ranks"),
    };
    out.push(format!("{pack}{ranks}, {} cards.", d.cards()));
    if let Some(a) = &d.accordion {
        let steps: Vec<String> = a.steps.iter().map(ToString::to_string).collect();
        out.push(format!("{} cards are laid out in a row.", a.cards));
        out.push(format!(
            "A pile may be put on the pile {} places to its left, if {}; the row closes up.",
            steps.join(" or "),
            condition(&a.build)
        ));
        out.push("The game is won when one pile is left.".to_owned());
        return out;
    }
    if let Some(g) = d.gaps {
        out.push("All cards are dealt in four rows, and the aces taken out.".to_owned());
        out.push(
            "A gap takes the card that follows its left neighbour in suit; nothing follows a card of the \
             highest rank or a gap."
                .to_owned(),
        );
        out.push(if g.fixed {
            "The first place of a row takes the two of the row's suit: clubs, diamonds, hearts, spades.".to_owned()
        } else {
            "The first place of a row takes any two.".to_owned()
        });
        out.push("The game is won when each row holds one suit in order from the two.".to_owned());
        return out;
    }
    if let Some(p) = &d.piles {
        piles(d, p, &mut out);
        return out;
    }
    if let Some(t) = &d.tableau {
        deal(t, &mut out);
        building(d, t, &mut out);
    }
    cells_and_reserve(d, &mut out);
    if let Some(s) = &d.stock {
        stock(s, &mut out);
    }
    if let Some(f) = &d.foundations {
        foundations(d, f, &mut out);
    }
    if let Some(h) = d.hole {
        out.push(match h.start {
            HoleStart::Card(card) => format!("{card} lies in the hole at the start."),
            HoleStart::First => {
                "The first card of the pack lies in the hole at the start.".to_owned()
            }
            HoleStart::Empty => {
                "The hole is empty at the start and takes any first card.".to_owned()
            }
        });
        out.push(format!(
            "The hole takes a card one rank above or below its last, of any suit; king and ace are {}.",
            if h.wrap { "neighbours" } else { "not neighbours" }
        ));
        out.push("The game is won when all cards are in the hole.".to_owned());
    }
    out
}

fn piles(d: &Description, p: &Piles, out: &mut Vec<String>) {
    let count = number(p.count);
    out.push(format!(
        "{} piles in a row, empty at the start; the stock is dealt a card to each of them.",
        capital(&count)
    ));
    if p.build != Term::False {
        out.push(format!(
            "The last card of a pile may go onto the last card of a pile to its left, if {}.",
            condition(&p.build)
        ));
    }
    out.push(format!(
        "When the last cards of all {count} piles are of one rank, they may be discarded."
    ));
    let side = if p.right_first { "right" } else { "left" };
    let redeals = match d.stock.as_ref().and_then(|s| s.redeals) {
        None => "any number of times".to_owned(),
        Some(1) => "once".to_owned(),
        Some(n) => format!("{} times", number(n)),
    };
    if d.stock.as_ref().is_none_or(|s| s.redeals != Some(0)) {
        out.push(format!(
            "When the stock is empty, the piles may be picked up {redeals} to be the stock again: the pile at the {side} \
             is dealt first, each from its lowest card."
        ));
    }
    out.push("The game is won when all cards are discarded.".to_owned());
}

fn deal(t: &Tableau, out: &mut Vec<String>) {
    let columns = number(t.columns);
    out.push(match &t.shape {
        Shape::Rounds => format!("{} columns, dealt in rounds.", capital(&columns)),
        Shape::Triangle => format!(
            "{} columns of one, two, three … cards; what is left is dealt in rounds.",
            capital(&columns)
        ),
        Shape::Sizes(sizes) => {
            let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
            format!(
                "{} columns of {} cards.",
                capital(&columns),
                sizes.join(", ")
            )
        }
    });
    if t.kings_down {
        out.push("Kings go to the bottom of their columns before play.".to_owned());
    }
    match &t.face {
        Face::Up => {}
        Face::Last => out.push(
            "Only the last card of a column is face up; a card that becomes the last is turned up."
                .to_owned(),
        ),
        Face::Down(down) => {
            let down: Vec<String> = down.iter().map(ToString::to_string).collect();
            out.push(format!(
                "Face down at the bottom of the columns: {} cards; a card that becomes the last is turned up.",
                down.join(", ")
            ));
        }
    }
}

fn building(d: &Description, t: &Tableau, out: &mut Vec<String>) {
    let build = d.build();
    if build == Term::False {
        out.push("Nothing is built in columns.".to_owned());
    } else {
        out.push(format!(
            "A card may be put on the last card of a column if {}.",
            condition(&build)
        ));
    }
    if let Some(limit) = t.limit {
        out.push(format!(
            "A column that is built on has at most {} cards.",
            number(limit)
        ));
    }
    let conditions = || {
        let all: Vec<String> = d.group().iter().map(condition).collect();
        all.join(", or for all of them ")
    };
    match &t.group {
        Group::One => out.push("Cards move one at a time.".to_owned()),
        Group::Run(_) => out.push(format!(
            "Cards at the end of a column move as one if for each and the card below it {}.",
            conditions()
        )),
        Group::Whole(_) => out.push(format!(
            "Cards move one at a time, or a whole column if for each card and the one below it {}.",
            conditions()
        )),
        Group::All => out.push("A card that is face up moves with all that lies on it.".to_owned()),
    }
    out.push(match (&t.spaces, t.refill) {
        (_, Refill::Reserve) => format!(
            "An empty column is filled from the reserve at once; when that is empty, {}.",
            filling(&t.spaces)
        ),
        (_, Refill::ReserveThenWaste) => {
            "An empty column is filled at once from the reserve or, when that is empty, from the waste; by nothing else."
                .to_owned()
        }
        (_, Refill::WasteThenStock) => {
            "An empty column is filled at once from the waste or, when that is empty, from the stock; by nothing else."
                .to_owned()
        }
        (spaces, Refill::Nobody) => format!("{}.", capital(&filling(spaces))),
    });
    if let Some(fillers) = &t.fillers {
        let places: Vec<&str> = fillers.iter().map(|f| place(*f)).collect();
        out.push(format!(
            "Empty columns are filled from {} only.",
            places.join(" and ")
        ));
    }
}

fn place(filler: Filler) -> &'static str {
    match filler {
        Filler::Columns => "other columns",
        Filler::Cells => "cells",
        Filler::Reserve => "the reserve",
        Filler::Waste => "the waste",
        Filler::Foundations => "foundations",
    }
}

fn filling(spaces: &Term) -> String {
    match spaces {
        Term::True => "any card may go to an empty column".to_owned(),
        Term::False => "an empty column is not filled".to_owned(),
        term => format!("a card may go to an empty column if {}", condition(term)),
    }
}

fn cells_and_reserve(d: &Description, out: &mut Vec<String>) {
    if d.cells.count > 0 {
        let filled = match d.cells.filled {
            0 => String::new(),
            n => format!(", {} of them filled at the start", number(n)),
        };
        out.push(format!(
            "{} for one card each{filled}.",
            capital(&counted(d.cells.count, "cell", "cells"))
        ));
    }
    if let Some(r) = d.reserve {
        let which = if r.by_rank {
            "a pile for each rank, of each of which the top one can be played"
        } else if r.stacked {
            "of which the top one can be played"
        } else {
            "all of which can be played"
        };
        out.push(format!(
            "A reserve of {}, {which}; nothing goes back to it.",
            counted(r.cards, "card", "cards")
        ));
    }
}

fn stock(s: &Stock, out: &mut Vec<String>) {
    let cards = counted(s.cards, "card", "cards");
    match s.to {
        To::Waste => {
            let turn = match s.turn {
                1 => "one by one".to_owned(),
                n => format!("{} at a time", number(n)),
            };
            let redeals = match s.redeals {
                None => "the waste may be turned over any number of times".to_owned(),
                Some(0) => "the waste is not turned over".to_owned(),
                Some(1) => "the waste may be turned over once".to_owned(),
                Some(n) => format!("the waste may be turned over {} times", number(n)),
            };
            out.push(format!(
                "A stock of {cards} is turned to the waste {turn}; the last card of the waste can be played; {redeals}."
            ));
        }
        To::Columns => {
            let full = if s.full {
                ", while no column is empty"
            } else {
                ""
            };
            out.push(format!(
                "A stock of {cards} is dealt a card to each column in order, as long as there are cards{full}."
            ));
        }
        To::Piles => {}
        To::Hole => out.push(format!(
            "A stock of {cards}, of which the next may go to the hole at any time."
        )),
    }
}

fn foundations(d: &Description, f: &Foundations, out: &mut Vec<String>) {
    let piles = 4 * usize::from(d.decks);
    if f.complete {
        out.push(format!(
            "{} foundations: a whole suit, from the highest rank down to the ace at the end of a column, goes home at once.",
            capital(&number(piles))
        ));
    } else {
        let order = match f.order {
            Order::Suit => "up in suit",
            Order::Alternating => "up in alternating colours",
        };
        let base = match f.base {
            Base::Rank(1) => "the ace".to_owned(),
            Base::Rank(rank) => format!("rank {rank}, and on from the highest rank to the ace"),
            Base::First => {
                "the rank of the first card, and on from the highest rank to the ace".to_owned()
            }
        };
        let down = 4 * usize::from(f.down);
        if down < piles {
            out.push(format!(
                "{} foundations, built {order} from {base}.",
                capital(&number(piles - down))
            ));
        }
        if down > 0 {
            out.push(format!(
                "{} foundations, built down in suit from the highest rank.",
                capital(&number(down))
            ));
        }
        match f.start {
            Begun::None => {}
            Begun::One => out.push("The first card of the pack lies on its foundation.".to_owned()),
            Begun::All => out.push("Every foundation has its first card at the start.".to_owned()),
        }
        if f.back {
            out.push("The last card of a foundation may come back.".to_owned());
        }
    }
    out.push("The game is won when all cards are home.".to_owned());
}

/// A condition in words.
#[must_use]
pub fn condition(term: &Term) -> String {
    let join = |parts: &[Term], word: &str| {
        let parts: Vec<String> = parts
            .iter()
            .map(|p| match p {
                Term::Or(_) if word == " and " => format!("({})", condition(p)),
                _ => condition(p),
            })
            .collect();
        parts.join(word)
    };
    match term {
        Term::True => "always".to_owned(),
        Term::False => "never".to_owned(),
        Term::And(parts) => join(parts, " and "),
        Term::Or(parts) => join(parts, " or "),
        Term::Not(part) => match part.as_ref() {
            Term::Atom(Atom::SameSuit) => "the suits differ".to_owned(),
            part => format!("it is not so that {}", condition(part)),
        },
        Term::If(test, yes, no) => format!(
            "{}, when {}, and otherwise {}",
            condition(yes),
            condition(test),
            condition(no)
        ),
        Term::Atom(atom) => atom_in_words(*atom),
    }
}

fn atom_in_words(atom: Atom) -> String {
    let subject = |who| match who {
        Who::Card => "it",
        Who::Host => "the card below",
    };
    match atom {
        Atom::Next { higher, wrap, .. } => {
            let side = if higher == Who::Host {
                "below"
            } else {
                "above"
            };
            let wrap = if wrap {
                " (an ace follows the highest rank)"
            } else {
                ""
            };
            format!("it is one rank {side}{wrap}")
        }
        Atom::SameSuit => "of the same suit".to_owned(),
        Atom::SameColour => "of the same colour".to_owned(),
        Atom::OppositeColour => "of the other colour".to_owned(),
        Atom::SameRank => "of the same rank".to_owned(),
        Atom::Rank(who, 0) => format!("{} is of the highest rank", subject(who)),
        Atom::Rank(who, 1) => format!("{} is an ace", subject(who)),
        Atom::Rank(who, rank) => format!("{} is of rank {rank}", subject(who)),
        Atom::Suit(who, suit) => format!("{} is of {}", subject(who), suit.name().to_lowercase()),
        Atom::Empty => "the place is empty".to_owned(),
        Atom::Single => "it moves alone".to_owned(),
    }
}

fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", number(n), if n == 1 { one } else { many })
}

/// Small numbers in words.
fn number(n: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    WORDS
        .get(n)
        .map_or_else(|| n.to_string(), ToString::to_string)
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}
