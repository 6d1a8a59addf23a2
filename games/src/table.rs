//! A position as it lies on the table: piles of cards, a board with pegs, a grid of digits.
//!
//! This is what a drawing needs and no more: it knows no rules. Where a move goes is read off the
//! positions before and after it ([`route`]), so it is the same for every game.

use crate::card::{Card, Suit};

/// What a pile is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PileKind {
    /// A column of the tableau.
    Column,
    /// A cell for one card.
    Cell,
    /// A foundation.
    Foundation,
    /// The cards still to be turned.
    Stock,
    /// The cards that were turned.
    Waste,
    /// Cards that can be played but not put back.
    Reserve,
    /// A row of places, some of them gaps.
    Row,
}

impl PileKind {
    /// The word that reports use.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Column => "column",
            Self::Cell => "cell",
            Self::Foundation => "foundation",
            Self::Stock => "stock",
            Self::Waste => "waste",
            Self::Reserve => "reserve",
            Self::Row => "row",
        }
    }
}

/// A place of a pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The card there; none for a gap in a row.
    pub card: Option<Card>,
    /// It lies face up.
    pub up: bool,
}

impl Place {
    /// A card that can be seen.
    #[must_use]
    pub fn up(card: Card) -> Self {
        Self {
            card: Some(card),
            up: true,
        }
    }

    /// A card that cannot.
    #[must_use]
    pub fn down(card: Card) -> Self {
        Self {
            card: Some(card),
            up: false,
        }
    }
}

/// A pile, the card that was put down last at the end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pile {
    /// What it is for.
    pub kind: PileKind,
    /// Its name in commands: `TP1`, `FPC`, `DP`.
    pub name: String,
    /// Its name in short notation: `1`, `a`, `h`, `w`.
    pub symbol: String,
    /// The suit of a foundation.
    pub suit: Option<Suit>,
    /// From the table upwards; for a row, from the left.
    pub places: Vec<Place>,
}

impl Pile {
    /// A pile of cards that can all be seen.
    pub fn new(
        kind: PileKind,
        name: impl Into<String>,
        symbol: impl Into<String>,
        cards: impl IntoIterator<Item = Card>,
    ) -> Self {
        Self {
            kind,
            name: name.into(),
            symbol: symbol.into(),
            suit: None,
            places: cards.into_iter().map(Place::up).collect(),
        }
    }

    /// The card at the end.
    #[must_use]
    pub fn top(&self) -> Option<Card> {
        self.places.last().and_then(|place| place.card)
    }
}

/// The four foundations, each with the cards from the ace to its highest.
#[must_use]
pub fn foundations(home: [u8; 4]) -> Vec<Pile> {
    let suits = Suit::ALL.into_iter().zip(home);
    suits
        .map(|(suit, n)| {
            let cards = (1..=n).map(|rank| Card::new(rank, suit));
            let name = format!("FP{}", suit.letter());
            let mut pile = Pile::new(PileKind::Foundation, name, "h", cards);
            pile.suit = Some(suit);
            pile
        })
        .collect()
}

/// How the holes of a board lie, and what is in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holes {
    /// Rows of characters: `o` is a peg, `.` an empty hole, anything else is no hole.
    pub rows: Vec<Vec<char>>,
    /// Neighbours lie as in bricks.
    pub triangular: bool,
}

/// A grid of digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digits {
    /// How many rows and columns a box has.
    pub side: usize,
    /// Rows of digits; 0 where there is none yet.
    pub rows: Vec<Vec<u8>>,
    /// Whether each digit was given.
    pub given: Vec<Vec<bool>>,
}

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Position {
    /// Piles of cards, in the order in which they are named.
    Cards(Vec<Pile>),
    /// A board with pegs.
    Pegs(Holes),
    /// A grid of digits.
    Digits(Digits),
}

impl Position {
    /// The piles; none for boards and grids.
    #[must_use]
    pub fn piles(&self) -> &[Pile] {
        match self {
            Self::Cards(piles) => piles,
            _ => &[],
        }
    }
}

/// A place on the table: the name of a pile and the number of the place in it, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The name of the pile, or of the hole or cell (`d4`).
    pub pile: String,
    /// Its short name.
    pub symbol: String,
    /// Which place of the pile.
    pub index: usize,
}

/// What a move carries, from where, to where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The cards that change their pile, in the order in which they lay; empty for pegs and digits.
    pub cards: Vec<Card>,
    /// Where the lowest of them lay.
    pub from: Option<Spot>,
    /// Where it lies now.
    pub to: Spot,
}

/// What changed between two positions; nothing if they are alike.
#[must_use]
pub fn route(before: &Position, after: &Position) -> Option<Route> {
    match (before, after) {
        (Position::Cards(before), Position::Cards(after)) => cards_route(before, after),
        (Position::Pegs(before), Position::Pegs(after)) => pegs_route(before, after),
        (Position::Digits(before), Position::Digits(after)) => digits_route(before, after),
        _ => None,
    }
}

/// Cards may be there twice, in games with several packs: what a pile has less of left it, and what a pile
/// has more of came to it.
fn cards_route(before: &[Pile], after: &[Pile]) -> Option<Route> {
    let count = |pile: &Pile, card: Card| {
        let same = pile.places.iter().filter(|p| p.card == Some(card));
        same.count()
    };
    let mut moved: Vec<(Card, usize, usize)> = Vec::new();
    for (at, (was, is)) in before.iter().zip(after).enumerate() {
        for (index, place) in was.places.iter().enumerate() {
            let Some(card) = place.card else { continue };
            // In a row the place counts; in a pile, of cards that look the same, the last ones left.
            let left = if was.kind == PileKind::Row {
                is.places.get(index).is_none_or(|p| p.card != Some(card))
            } else {
                let same = |place: &&Place| place.card == Some(card);
                let later = was.places[index + 1..].iter().filter(same).count();
                later < count(was, card).saturating_sub(count(is, card))
            };
            if left {
                moved.push((card, at, index));
            }
        }
    }
    let &(card, source, index) = moved.first()?;
    let came = |(at, pile): &(usize, &Pile)| match pile.kind {
        PileKind::Row => (0..pile.places.len()).any(|i| {
            pile.places[i].card == Some(card) && before[*at].places.get(i) != pile.places.get(i)
        }),
        _ => count(pile, card) > before.get(*at).map_or(0, |was| count(was, card)),
    };
    let (_, to) = after.iter().enumerate().find(came)?;
    let landed = to.places.iter().rposition(|p| p.card == Some(card))?;
    let spot = |pile: &Pile, index| Spot {
        pile: pile.name.clone(),
        symbol: pile.symbol.clone(),
        index,
    };
    let of_the_pile = moved.iter().filter(|(_, at, _)| *at == source);
    Some(Route {
        cards: of_the_pile.map(|(card, ..)| *card).collect(),
        from: Some(spot(&before[source], index)),
        to: spot(to, landed),
    })
}

/// The name of a place of a grid: a letter for the column, a number for the row.
#[must_use]
pub fn square(x: usize, y: usize) -> String {
    let letter = u8::try_from(x).ok().filter(|x| *x < 26);
    match letter {
        Some(x) => format!("{}{}", char::from(b'a' + x), y + 1),
        None => format!("{}.{}", x + 1, y + 1),
    }
}

fn on_square(x: usize, y: usize) -> Spot {
    Spot {
        pile: square(x, y),
        symbol: square(x, y),
        index: 0,
    }
}

fn pegs_route(before: &Holes, after: &Holes) -> Option<Route> {
    let mut gone = Vec::new();
    let mut come = None;
    for (y, (was, is)) in before.rows.iter().zip(&after.rows).enumerate() {
        for (x, pair) in was.iter().zip(is).enumerate() {
            match pair {
                ('o', '.') => gone.push((x, y)),
                ('.', 'o') => come = Some((x, y)),
                _ => {}
            }
        }
    }
    let (x, y) = come?;
    // The peg that jumped is the one that is further away than the one that was taken.
    let far = |(a, b): &(usize, usize)| a.abs_diff(x) + b.abs_diff(y);
    let (a, b) = gone.into_iter().max_by_key(far)?;
    Some(Route {
        cards: Vec::new(),
        from: Some(on_square(a, b)),
        to: on_square(x, y),
    })
}

fn digits_route(before: &Digits, after: &Digits) -> Option<Route> {
    let rows = before.rows.iter().zip(&after.rows).enumerate();
    for (y, (was, is)) in rows {
        if let Some(x) = was.iter().zip(is).position(|(was, is)| was != is) {
            return Some(Route {
                cards: Vec::new(),
                from: None,
                to: on_square(x, y),
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cards(text: &str) -> Vec<Card> {
        let words = text.split_whitespace();
        words.map(|w| Card::parse(w).expect("a card")).collect()
    }

    #[test]
    fn the_route_of_a_run_starts_at_its_lowest_card() {
        let column = |n: usize, text: &str| {
            Pile::new(
                PileKind::Column,
                format!("TP{n}"),
                n.to_string(),
                cards(text),
            )
        };
        let before = Position::Cards(vec![column(1, "KC 5H 4S 3D"), column(2, "6S")]);
        let after = Position::Cards(vec![column(1, "KC"), column(2, "6S 5H 4S 3D")]);
        let route = route(&before, &after).expect("a move");
        assert_eq!(route.cards, cards("5H 4S 3D"));
        let from = route.from.expect("from a pile");
        assert_eq!((from.pile.as_str(), from.index), ("TP1", 1));
        assert_eq!((route.to.symbol.as_str(), route.to.index), ("2", 1));
        assert_eq!(super::route(&before, &before), None);
    }

    #[test]
    fn a_jump_goes_from_the_far_peg() {
        let board = |rows: &[&str]| {
            Position::Pegs(Holes {
                rows: rows.iter().map(|r| r.chars().collect()).collect(),
                triangular: false,
            })
        };
        let route = route(&board(&["oo.", "..."]), &board(&["..o", "..."])).expect("a jump");
        assert_eq!(route.from.expect("a peg").pile, "a1");
        assert_eq!(route.to.pile, "c1");
    }
}
