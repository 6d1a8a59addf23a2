//! A patience game as data: its piles, how it is dealt, who may go where, and how it is won.
//!
//! Nothing here is checked: `validate` says what contradicts what, and the referee, the model
//! and the words are made from descriptions that passed it.

use csp_games::Card;
use csp_games::deal::layout::Numbering;

use crate::term::{Atom, Term};

/// A game.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// The name to call it by on the command line.
    pub name: String,
    /// The name as people write it.
    pub title: String,
    /// The family it belongs to.
    pub family: String,
    /// Other names of the same game.
    pub also: Vec<String>,
    /// Where these rules are from.
    pub source: String,
    /// What is worth knowing: where other rules differ, for example.
    pub note: String,
    /// What others found out about it.
    pub published: Option<Published>,
    /// The numbering that its deals are counted by.
    pub numbering: Numbering,
    /// A deal that can be won, and one that cannot.
    pub won: Option<u64>,
    /// A deal that cannot be won.
    pub lost: Option<u64>,
    /// Packs that are shuffled together.
    pub decks: u8,
    /// Cards in a suit.
    pub ranks: u8,
    /// Columns.
    pub tableau: Option<Tableau>,
    /// Where the cards go home.
    pub foundations: Option<Foundations>,
    /// Places for one card each.
    pub cells: Cells,
    /// Cards that come later.
    pub stock: Option<Stock>,
    /// Cards that are there to be played and never put back.
    pub reserve: Option<Reserve>,
    /// One pile that takes all cards.
    pub hole: Option<Hole>,
    /// Rows with gaps, as in Montana.
    pub gaps: Option<Gaps>,
    /// A row of piles that closes up.
    pub accordion: Option<Accordion>,
    /// Piles that stay where they are, of which only the last cards count, and that are picked up again.
    pub piles: Option<Piles>,
    /// How the model is made.
    pub style: Style,
}

/// A published share of deals that can be won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// In per cent, as it was written.
    pub rate: String,
    /// By whom.
    pub by: String,
}

/// Columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Tableau {
    /// How many.
    pub columns: usize,
    /// How many cards each is dealt.
    pub shape: Shape,
    /// What may lie on what.
    pub build: Term,
    /// What moves as one.
    pub group: Group,
    /// What may fill an empty column.
    pub spaces: Term,
    /// From where empty columns may be filled; from everywhere if nothing is said.
    pub fillers: Option<Vec<Filler>>,
    /// Who fills an empty column at once.
    pub refill: Refill,
    /// Which cards are dealt face up.
    pub face: Face,
    /// The most cards of a column that is built on.
    pub limit: Option<usize>,
    /// Kings go to the bottom of their columns before play.
    pub kings_down: bool,
}

/// How columns are dealt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// In rounds, a card to each column, until no card is left.
    Rounds,
    /// One card, two cards, …; what is left, in rounds.
    Triangle,
    /// So many to each column.
    Sizes(Vec<usize>),
}

/// What moves as one.
#[derive(Clone, Debug, PartialEq)]
pub enum Group {
    /// One card.
    One,
    /// The cards from any card on, if each of them lies on the one before as the same one of these
    /// conditions says.
    Run(Vec<Term>),
    /// One card, or a whole column of which that is true.
    Whole(Vec<Term>),
    /// Any card with all that lies on it.
    All,
}

/// A place from which an empty column may be filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filler {
    /// Other columns.
    Columns,
    /// Cells.
    Cells,
    /// The reserve.
    Reserve,
    /// The waste.
    Waste,
    /// Foundations.
    Foundations,
}

/// Who fills an empty column without being asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refill {
    /// Nobody.
    Nobody,
    /// The reserve, while it has cards.
    Reserve,
    /// The reserve, then the waste; only they fill columns.
    ReserveThenWaste,
    /// The waste, or the stock if that is empty; only they fill columns.
    WasteThenStock,
}

/// Which cards of a column are dealt face up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Face {
    /// All.
    Up,
    /// The last of each column.
    Last,
    /// So many at the bottom of each column are face down.
    Down(Vec<usize>),
}

/// Foundations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foundations {
    /// What follows what.
    pub order: Order,
    /// The rank they begin with.
    pub base: Base,
    /// How many have their first card at the start.
    pub start: Begun,
    /// Cards may come back to the columns.
    pub back: bool,
    /// Only a whole suit, built in a column, goes home.
    pub complete: bool,
    /// How many foundations of each suit are built downwards, from the rank before the base.
    pub down: u8,
}

/// What follows what on a foundation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The next rank of the same suit.
    Suit,
    /// The next rank of the other colour.
    Alternating,
}

/// The rank that foundations begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// This one.
    Rank(u8),
    /// That of the first card of the pack.
    First,
}

/// How many foundations have their first card at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begun {
    /// None.
    None,
    /// One.
    One,
    /// All.
    All,
}

/// Cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Cells {
    /// How many.
    pub count: usize,
    /// How many have a card at the start.
    pub filled: usize,
}

/// The stock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stock {
    /// How many cards it has.
    pub cards: usize,
    /// Where they go.
    pub to: To,
    /// How many at a time, if they go to the waste.
    pub turn: usize,
    /// How often the waste may be turned over; without limit if there is none.
    pub redeals: Option<usize>,
    /// Dealt to the columns only while none of them is empty.
    pub full: bool,
}

/// Where the stock goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// To the waste.
    Waste,
    /// A card to each column.
    Columns,
    /// To the hole.
    Hole,
    /// A card to each pile.
    Piles,
}

/// A reserve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reserve {
    /// How many cards.
    pub cards: usize,
    /// Only the top card can be played.
    pub stacked: bool,
    /// A pile for each rank, of each of which the top card can be played.
    pub by_rank: bool,
}

/// The hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hole {
    /// What lies in it at the start.
    pub start: HoleStart,
    /// King and ace are neighbours.
    pub wrap: bool,
}

/// What lies in the hole at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoleStart {
    /// This card.
    Card(Card),
    /// The first card of the pack.
    First,
    /// Nothing: the first card may be any.
    Empty,
}

/// Rows with gaps: a gap takes the card that follows its left neighbour in suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gaps {
    /// Each row has a suit of its own from the start.
    pub fixed: bool,
}

/// A row of piles: a pile may be put on one some places to the left of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Accordion {
    /// How many cards are laid out.
    pub cards: usize,
    /// How many places to the left.
    pub steps: Vec<usize>,
    /// What may lie on what.
    pub build: Term,
}

/// Piles in a row. A last card may go onto a last card to its left; last cards of equal rank on all piles are
/// discarded together; when the stock is empty, the piles are picked up to be the stock again.
#[derive(Clone, Debug, PartialEq)]
pub struct Piles {
    /// How many.
    pub count: usize,
    /// What may lie on what.
    pub build: Term,
    /// The cards of the rightmost pile come first in the new stock, and not those of the leftmost.
    pub right_first: bool,
}

/// How the model is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Columns without names, where the rules do not name them; else with names.
    Best,
    /// Cards that know what they lie on; columns have no names.
    Cards,
    /// The same with names for the columns.
    Places,
}

impl Description {
    /// A game of which nothing is said yet: one full pack.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            title: name.to_owned(),
            family: String::new(),
            also: Vec::new(),
            source: String::new(),
            note: String::new(),
            published: None,
            numbering: Numbering::Ours,
            won: None,
            lost: None,
            decks: 1,
            ranks: 13,
            tableau: None,
            foundations: None,
            cells: Cells::default(),
            stock: None,
            reserve: None,
            hole: None,
            gaps: None,
            accordion: None,
            piles: None,
            style: Style::Best,
        }
    }

    /// Cards of the whole pack.
    #[must_use]
    pub fn cards(&self) -> usize {
        4 * usize::from(self.decks) * usize::from(self.ranks)
    }

    /// Whether columns have names: the stock is dealt to all of them, so that they are not
    /// interchangeable, or the description asks for names.
    #[must_use]
    pub fn named_columns(&self) -> bool {
        self.style == Style::Places || self.deals_to_columns()
    }

    /// Whether the stock is dealt to all columns.
    #[must_use]
    pub fn deals_to_columns(&self) -> bool {
        self.stock.as_ref().is_some_and(|s| s.to == To::Columns)
    }

    /// Whether the stock is turned over to a waste.
    #[must_use]
    pub fn has_waste(&self) -> bool {
        self.stock.as_ref().is_some_and(|s| s.to == To::Waste)
    }

    /// Whether some cards are dealt face down.
    #[must_use]
    pub fn hides_cards(&self) -> bool {
        self.tableau.as_ref().is_some_and(|t| t.face != Face::Up)
    }

    /// Whether ranks go on from the highest to the ace, because foundations begin elsewhere.
    #[must_use]
    pub fn cyclic(&self) -> bool {
        self.foundations
            .as_ref()
            .is_some_and(|f| f.base != Base::Rank(1))
    }

    /// What may lie on what in columns.
    #[must_use]
    pub fn build(&self) -> Term {
        let term = self
            .tableau
            .as_ref()
            .map_or(Term::False, |t| t.build.clone());
        let term = if self.cyclic() { term.wrapping() } else { term };
        on_a_card(&term)
    }

    /// What may fill an empty column: a condition on the card alone.
    #[must_use]
    pub fn spaces(&self) -> Term {
        let spaces = self
            .tableau
            .as_ref()
            .map_or(Term::False, |t| t.spaces.clone());
        spaces.given(&|atom| match atom {
            Atom::Empty | Atom::Single => Some(true),
            atom => atom.needs_host().then_some(false),
        })
    }

    /// Whether an empty column may be filled from a place.
    #[must_use]
    pub fn fills_from(&self, place: Filler) -> bool {
        let fillers = self.tableau.as_ref().and_then(|t| t.fillers.as_ref());
        fillers.is_none_or(|fillers| fillers.contains(&place))
    }

    /// How many foundations of each suit are built downwards.
    #[must_use]
    pub fn downward(&self) -> u8 {
        self.foundations.as_ref().map_or(0, |f| f.down)
    }

    /// The conditions under which cards move as one; none where only single cards do.
    #[must_use]
    pub fn group(&self) -> Vec<Term> {
        match self.tableau.as_ref().map(|t| &t.group) {
            Some(Group::Run(terms) | Group::Whole(terms)) => {
                let cyclic = self.cyclic();
                let wrapped = terms.iter();
                wrapped
                    .map(|t| on_a_card(&if cyclic { t.wrapping() } else { t.clone() }))
                    .collect()
            }
            _ => Vec::new(),
        }
    }
}

/// A condition where there is a host: the place is not empty. That a card moves alone is true where it is
/// asked ([`crate::validate`] refuses it elsewhere).
pub(crate) fn on_a_card(term: &Term) -> Term {
    term.given(&|atom| match atom {
        Atom::Empty => Some(false),
        Atom::Single => Some(true),
        _ => None,
    })
}
