//! Tests from rules: for each atom of the condition of a move, a board on which the move is allowed and one
//! on which it is not, where that atom alone tells them apart (MC/DC pairs).
//!
//! Duff and Levy (2020) negate one atom of a board on which a move is legal and expect it to be refused; where
//! the atom stands below an "or" the move can stay legal. Here the condition itself says whether the flipped
//! atom decides, and both boards are looked for among all cards, the smallest first. An atom for which there is no such
//! pair decides nothing: it is redundant.

use csp_games::{Card, Suit};

use crate::description::{Description, Group, Order};
use crate::term::{Atom, Case, Term};

/// What a condition is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A card goes onto a card in a column.
    Build,
    /// A card goes to an empty column.
    Space,
    /// A card moves together with the card on it.
    Run,
    /// A card goes onto a card on a foundation.
    Home,
    /// A card goes onto the last card of the hole.
    Hole,
    /// A card goes to the right of a card in a row.
    Gap,
    /// A pile goes onto a pile of an accordion.
    Fold,
    /// A last card goes onto a last card of piles.
    Slide,
}

impl Kind {
    /// The name of the move in suites.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Space => "space",
            Self::Run => "run",
            Self::Home => "home",
            Self::Hole => "hole",
            Self::Gap => "gap",
            Self::Fold => "fold",
            Self::Slide => "slide",
        }
    }

    /// The key of the description that says it.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Build => "tableau.build",
            Self::Space => "tableau.spaces",
            Self::Run => "tableau.run",
            Self::Home => "foundations.order",
            Self::Hole => "hole",
            Self::Gap => "gaps",
            Self::Fold => "accordion.build",
            Self::Slide => "piles.build",
        }
    }
}

/// The condition of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// What it is about.
    pub kind: Kind,
    /// The condition.
    pub term: Term,
}

/// Two boards that one atom tells apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The move is allowed here.
    pub legal: Case,
    /// And not here.
    pub illegal: Case,
    /// Atoms other than the one tested that differ too, because they cannot be told apart from it: a card is of the
    /// same colour or of the other.
    pub tied: Vec<Atom>,
}

/// What was found for an atom.
#[derive(Clone, Debug, PartialEq)]
pub struct Tested {
    /// The condition it is part of.
    pub rule: Rule,
    /// The atom.
    pub atom: Atom,
    /// The pair; none if the atom decides nothing.
    pub pair: Option<Pair>,
}

/// The conditions of a game's moves that have atoms.
#[must_use]
pub fn rules(d: &Description) -> Vec<Rule> {
    let mut rules = Vec::new();
    let mut add = |kind, term: Term| {
        if !term.atoms().is_empty() {
            rules.push(Rule { kind, term });
        }
    };
    if let Some(t) = &d.tableau {
        add(Kind::Build, d.build());
        add(Kind::Space, d.spaces());
        if matches!(t.group, Group::Run(_) | Group::Whole(_)) {
            let mut terms = d.group();
            let term = if terms.len() == 1 {
                terms.remove(0)
            } else {
                Term::Or(terms)
            };
            add(Kind::Run, term);
        }
    }
    if let Some(f) = d.foundations.as_ref().filter(|f| !f.complete) {
        let suits = match f.order {
            Order::Suit => Atom::SameSuit,
            Order::Alternating => Atom::OppositeColour,
        };
        add(
            Kind::Home,
            Term::And(vec![Term::up(false), Term::Atom(suits)]),
        );
    }
    if let Some(h) = d.hole {
        add(
            Kind::Hole,
            Term::Or(vec![Term::up(h.wrap), Term::down(h.wrap)]),
        );
    }
    if d.gaps.is_some() {
        add(
            Kind::Gap,
            Term::And(vec![Term::up(false), Term::Atom(Atom::SameSuit)]),
        );
    }
    if let Some(a) = &d.accordion {
        add(Kind::Fold, a.build.clone());
    }
    if let Some(p) = &d.piles {
        add(Kind::Slide, p.build.clone());
    }
    rules
}

/// A pair for every atom of every condition.
#[must_use]
pub fn tests(d: &Description) -> Vec<Tested> {
    let mut tested = Vec::new();
    for rule in rules(d) {
        let cases = cases(d, rule.kind);
        for atom in rule.term.atoms() {
            let pair = pair(&rule.term, atom, &cases);
            let rule = rule.clone();
            tested.push(Tested { rule, atom, pair });
        }
    }
    tested
}

/// All boards that a condition can be asked about, small ranks first.
fn cases(d: &Description, kind: Kind) -> Vec<Case> {
    let cards = || {
        let ranks = 1..=d.ranks;
        ranks.flat_map(|rank| Suit::ALL.into_iter().map(move |suit| Card::new(rank, suit)))
    };
    let groups = d.tableau.as_ref().is_some_and(|t| t.group != Group::One);
    let singles: &[bool] = match kind {
        Kind::Build | Kind::Space if groups => &[true, false],
        _ => &[true],
    };
    let mut cases = Vec::new();
    for card in cards() {
        for &single in singles {
            let mut add = |host| {
                cases.push(Case {
                    card,
                    host,
                    single,
                    ranks: d.ranks,
                });
            };
            if kind == Kind::Space {
                add(None);
                continue;
            }
            // Rows with gaps have no aces, and an empty foundation takes an ace by another rule.
            let first = match kind {
                Kind::Gap => 2,
                _ => 1,
            };
            let equal = d.decks > 1;
            cards()
                .filter(|host| equal || *host != card)
                .filter(|host| host.rank >= first && card.rank >= first)
                .filter(|_| kind != Kind::Home || card.rank > 1)
                .for_each(|host| add(Some(host)));
        }
    }
    cases.sort_by_key(|c| {
        let host = c.host.map_or(0, |h| h.rank);
        (
            !c.single,
            c.card.rank.max(host),
            c.card.rank.min(host),
            c.card.suit as u8,
        )
    });
    cases
}

/// The smallest pair of boards that an atom decides between: first with all other atoms alike, then with as
/// few different as there can be, if the flipped atom alone would decide.
fn pair(term: &Term, atom: Atom, cases: &[Case]) -> Option<Pair> {
    let atoms = term.atoms();
    let flipped = |case: &Case| {
        term.decide(&mut |a| {
            if a == atom {
                !a.holds(case)
            } else {
                a.holds(case)
            }
        })
    };
    let deciding: Vec<&Case> = cases
        .iter()
        .filter(|c| term.holds(c) && !flipped(c))
        .collect();
    let mut best: Option<Pair> = None;
    for legal in deciding {
        for illegal in cases {
            if atom.holds(illegal) == atom.holds(legal) || term.holds(illegal) {
                continue;
            }
            let differs = |a: &&Atom| **a != atom && a.holds(illegal) != a.holds(legal);
            let tied: Vec<Atom> = atoms.iter().filter(differs).copied().collect();
            if best.as_ref().is_none_or(|b| tied.len() < b.tied.len()) {
                best = Some(Pair {
                    legal: *legal,
                    illegal: *illegal,
                    tied,
                });
            }
            if best.as_ref().is_some_and(|b| b.tied.is_empty()) {
                return best;
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle;
    use crate::phrase::condition;

    fn described(build: &str) -> Description {
        let mut d = (**bundle::find("free-cell").expect("bundled")).clone();
        if let Some(t) = &mut d.tableau {
            t.build = condition(build).expect("a condition");
        }
        d
    }

    /// The scheme of the paper: negate an atom of a legal board, keep the others, expect a refusal.
    #[test]
    fn negating_a_disjunct_need_not_refuse() {
        let d = described("same rank or same suit");
        let term = d.build();
        let both = Case {
            card: Card::new(1, Suit::Clubs),
            host: Some(Card::new(1, Suit::Clubs)),
            single: true,
            ranks: 13,
        };
        // Both disjuncts hold: with either negated the move stays legal, so the paper's test is wrong.
        assert!(term.holds(&both));
        for atom in term.atoms() {
            let negated = term.decide(&mut |a| {
                if a == atom {
                    !a.holds(&both)
                } else {
                    a.holds(&both)
                }
            });
            assert!(negated, "{}", atom.text());
        }
        // Ours starts where the other disjunct is false.
        let build = tests(&d).into_iter().filter(|t| t.rule.kind == Kind::Build);
        for t in build {
            let pair = t.pair.expect("both atoms decide somewhere");
            assert!(pair.tied.is_empty());
            assert!(term.holds(&pair.legal) && !term.holds(&pair.illegal));
            let others = term.atoms().into_iter().filter(|a| *a != t.atom);
            for other in others {
                assert!(!other.holds(&pair.legal) && !other.holds(&pair.illegal));
            }
        }
    }

    #[test]
    fn atoms_that_decide_nothing_are_found() {
        let d = described("next(host, card) and (same colour or not same suit or same suit)");
        let redundant: Vec<String> = tests(&d)
            .into_iter()
            .filter(|t| t.rule.kind == Kind::Build && t.pair.is_none())
            .map(|t| t.atom.text())
            .collect();
        assert_eq!(redundant, ["same colour", "same suit"]);
    }

    /// Every atom of every bundled game decides something.
    #[test]
    fn bundled_games_have_no_redundant_atoms() {
        for game in bundle::all() {
            for t in tests(game) {
                let pair = t.pair.as_ref();
                assert!(pair.is_some(), "{}: {}", game.name, t.atom.text());
            }
        }
    }
}
