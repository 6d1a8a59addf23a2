//! Conditions on a move: the card that moves, or the lowest card of a group that moves, and the host
//! it would lie on. The terms are those of Duff and Levy's models of solitaire games (WPI, 2020):
//! ranks, suits, colours, wrap-around, emptiness, and their combinations.

use csp_games::{Card, Suit};

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// Always.
    True,
    /// Never.
    False,
    /// All of them.
    And(Vec<Term>),
    /// One of them at least.
    Or(Vec<Term>),
    /// Not this.
    Not(Box<Term>),
    /// If the first then the second, otherwise the third.
    If(Box<Term>, Box<Term>, Box<Term>),
    /// A single condition.
    Atom(Atom),
}

/// Whom a condition is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Who {
    /// The card that moves.
    Card,
    /// The card it would lie on.
    Host,
}

/// A condition that has no parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Atom {
    /// The first is one rank above the second; with `wrap`, an ace is above the highest rank.
    Next {
        /// Who is higher.
        higher: Who,
        /// Who is lower.
        lower: Who,
        /// From the highest rank on to the ace.
        wrap: bool,
    },
    /// Card and host have the same suit.
    SameSuit,
    /// They have the same colour.
    SameColour,
    /// They have different colours.
    OppositeColour,
    /// They have the same rank.
    SameRank,
    /// Somebody has this rank; 0 is the highest of the pack.
    Rank(Who, u8),
    /// Somebody has this suit.
    Suit(Who, Suit),
    /// The place has no card.
    Empty,
    /// One card moves alone.
    Single,
}

/// What a condition is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// The card that moves; of a group, the lowest in the pile.
    pub card: Card,
    /// The card on which it would lie, if there is one.
    pub host: Option<Card>,
    /// It moves alone.
    pub single: bool,
    /// The highest rank of the pack.
    pub ranks: u8,
}

impl Atom {
    /// Whether it holds. What is said about a host is false where there is none.
    #[must_use]
    pub fn holds(self, case: &Case) -> bool {
        let who = |who| match who {
            Who::Card => Some(case.card),
            Who::Host => case.host,
        };
        let both = |test: fn(Card, Card) -> bool| case.host.is_some_and(|h| test(case.card, h));
        match self {
            Self::Next {
                higher,
                lower,
                wrap,
            } => match (who(higher), who(lower)) {
                (Some(high), Some(low)) => {
                    low.rank + 1 == high.rank || (wrap && low.rank == case.ranks && high.rank == 1)
                }
                _ => false,
            },
            Self::SameSuit => both(|a, b| a.suit == b.suit),
            Self::SameColour => both(|a, b| a.suit.is_red() == b.suit.is_red()),
            Self::OppositeColour => both(|a, b| a.suit.is_red() != b.suit.is_red()),
            Self::SameRank => both(|a, b| a.rank == b.rank),
            Self::Rank(w, rank) => {
                let rank = if rank == 0 { case.ranks } else { rank };
                who(w).is_some_and(|c| c.rank == rank)
            }
            Self::Suit(w, suit) => who(w).is_some_and(|c| c.suit == suit),
            Self::Empty => case.host.is_none(),
            Self::Single => case.single,
        }
    }

    /// As it is written in a description.
    #[must_use]
    pub fn text(self) -> String {
        let name = |who| match who {
            Who::Card => "card",
            Who::Host => "host",
        };
        match self {
            Self::Next {
                higher,
                lower,
                wrap,
            } => format!(
                "next({}, {}{})",
                name(higher),
                name(lower),
                if wrap { ", wrap" } else { "" }
            ),
            Self::SameSuit => "same suit".to_owned(),
            Self::SameColour => "same colour".to_owned(),
            Self::OppositeColour => "opposite colour".to_owned(),
            Self::SameRank => "same rank".to_owned(),
            Self::Rank(who, 0) => format!("king({})", name(who)),
            Self::Rank(who, 1) => format!("ace({})", name(who)),
            Self::Rank(who, rank) => format!("rank({}, {rank})", name(who)),
            Self::Suit(who, suit) => {
                format!("suit({}, {})", name(who), suit.name().to_lowercase())
            }
            Self::Empty => "empty".to_owned(),
            Self::Single => "single".to_owned(),
        }
    }

    /// Whether it asks something about the host.
    #[must_use]
    pub fn needs_host(self) -> bool {
        !matches!(
            self,
            Self::Rank(Who::Card, _) | Self::Suit(Who::Card, _) | Self::Empty | Self::Single
        )
    }

    /// As a condition of CSPm on cards named `c` and `d`.
    #[must_use]
    pub fn in_model(self) -> String {
        let name = |who| match who {
            Who::Card => "c",
            Who::Host => "d",
        };
        match self {
            Self::Next {
                higher,
                lower,
                wrap: false,
            } => format!("rank({}) == rank({}) + 1", name(higher), name(lower)),
            Self::Next {
                higher,
                lower,
                wrap: true,
            } => format!(
                "rank({}) == rank({}) % RANKS + 1",
                name(higher),
                name(lower)
            ),
            Self::SameSuit => "suit(c) == suit(d)".to_owned(),
            Self::SameColour => "red(suit(c)) == red(suit(d))".to_owned(),
            Self::OppositeColour => "red(suit(c)) != red(suit(d))".to_owned(),
            Self::SameRank => "rank(c) == rank(d)".to_owned(),
            Self::Rank(who, 0) => format!("rank({}) == RANKS", name(who)),
            Self::Rank(who, rank) => format!("rank({}) == {rank}", name(who)),
            Self::Suit(who, suit) => format!("suit({}) == {}", name(who), suit.name()),
            Self::Empty | Self::Single => "true".to_owned(),
        }
    }
}

impl Term {
    /// One atom.
    #[must_use]
    pub fn atom(atom: Atom) -> Self {
        Self::Atom(atom)
    }

    /// Host one rank above card.
    #[must_use]
    pub fn down(wrap: bool) -> Self {
        Self::Atom(Atom::Next {
            higher: Who::Host,
            lower: Who::Card,
            wrap,
        })
    }

    /// Card one rank above host.
    #[must_use]
    pub fn up(wrap: bool) -> Self {
        Self::Atom(Atom::Next {
            higher: Who::Card,
            lower: Who::Host,
            wrap,
        })
    }

    /// Whether the condition holds.
    #[must_use]
    pub fn holds(&self, case: &Case) -> bool {
        self.decide(&mut |atom| atom.holds(case))
    }

    /// The value of the condition, given those of its atoms.
    pub fn decide(&self, atom: &mut dyn FnMut(Atom) -> bool) -> bool {
        match self {
            Self::True => true,
            Self::False => false,
            Self::And(parts) => parts.iter().all(|p| p.decide(atom)),
            Self::Or(parts) => parts.iter().any(|p| p.decide(atom)),
            Self::Not(part) => !part.decide(atom),
            Self::If(test, yes, no) => {
                if test.decide(atom) {
                    yes.decide(atom)
                } else {
                    no.decide(atom)
                }
            }
            Self::Atom(a) => atom(*a),
        }
    }

    /// The atoms, each once, in the order in which they are written.
    #[must_use]
    pub fn atoms(&self) -> Vec<Atom> {
        let mut found = Vec::new();
        self.gather(&mut found);
        found
    }

    fn gather(&self, found: &mut Vec<Atom>) {
        match self {
            Self::True | Self::False => {}
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|p| p.gather(found)),
            Self::Not(part) => part.gather(found),
            Self::If(a, b, c) => [a, b, c].into_iter().for_each(|p| p.gather(found)),
            Self::Atom(atom) => {
                if !found.contains(atom) {
                    found.push(*atom);
                }
            }
        }
    }

    /// The condition with every `next` wrapping around, as it is where foundations do not begin with
    /// the ace.
    #[must_use]
    pub fn wrapping(&self) -> Self {
        let all = |parts: &[Self]| parts.iter().map(Self::wrapping).collect();
        let boxed = |part: &Self| Box::new(part.wrapping());
        match self {
            Self::And(parts) => Self::And(all(parts)),
            Self::Or(parts) => Self::Or(all(parts)),
            Self::Not(part) => Self::Not(boxed(part)),
            Self::If(a, b, c) => Self::If(boxed(a), boxed(b), boxed(c)),
            Self::Atom(Atom::Next { higher, lower, .. }) => Self::Atom(Atom::Next {
                higher: *higher,
                lower: *lower,
                wrap: true,
            }),
            other => other.clone(),
        }
    }

    /// The condition where the values of some atoms are known: those are gone.
    #[must_use]
    pub fn given(&self, known: &dyn Fn(Atom) -> Option<bool>) -> Self {
        let truth = |value| if value { Self::True } else { Self::False };
        let all = |parts: &[Self], unit: Self, zero: Self, join: fn(Vec<Self>) -> Self| {
            let parts: Vec<Self> = parts.iter().map(|p| p.given(known)).collect();
            if parts.contains(&zero) {
                return zero;
            }
            let mut parts: Vec<Self> = parts.into_iter().filter(|p| *p != unit).collect();
            match parts.len() {
                0 => unit,
                1 => parts.remove(0),
                _ => join(parts),
            }
        };
        match self {
            Self::True | Self::False => self.clone(),
            Self::And(parts) => all(parts, Self::True, Self::False, Self::And),
            Self::Or(parts) => all(parts, Self::False, Self::True, Self::Or),
            Self::Not(part) => match part.given(known) {
                Self::True => Self::False,
                Self::False => Self::True,
                other => Self::Not(Box::new(other)),
            },
            Self::If(test, yes, no) => match test.given(known) {
                Self::True => yes.given(known),
                Self::False => no.given(known),
                test => {
                    let (yes, no) = (yes.given(known), no.given(known));
                    Self::If(Box::new(test), Box::new(yes), Box::new(no))
                }
            },
            Self::Atom(atom) => known(*atom).map_or_else(|| self.clone(), truth),
        }
    }

    /// As it is written in a description.
    #[must_use]
    pub fn text(&self) -> String {
        self.written(&Atom::text, " and ", " or ", 0)
    }

    /// As a condition of CSPm on cards named `c` (which moves) and `d` (the host).
    #[must_use]
    pub fn in_model(&self) -> String {
        self.written(&|a| a.in_model(), " and ", " or ", 0)
    }

    fn written(&self, atom: &dyn Fn(Atom) -> String, and: &str, or: &str, level: u8) -> String {
        let join = |parts: &[Self], with: &str, inner: u8| {
            let parts: Vec<String> = parts
                .iter()
                .map(|p| p.written(atom, and, or, inner))
                .collect();
            parts.join(with)
        };
        let (text, own) = match self {
            Self::True => ("true".to_owned(), 3),
            Self::False => ("false".to_owned(), 3),
            Self::And(parts) => (join(parts, and, 2), 1),
            Self::Or(parts) => (join(parts, or, 1), 0),
            Self::Not(part) => (format!("not ({})", part.written(atom, and, or, 0)), 3),
            Self::If(a, b, c) => {
                let of = |p: &Self| p.written(atom, and, or, 0);
                (format!("if {} then {} else {}", of(a), of(b), of(c)), 0)
            }
            Self::Atom(a) => (atom(*a), 3),
        };
        if own < level {
            format!("({text})")
        } else {
            text
        }
    }
}
