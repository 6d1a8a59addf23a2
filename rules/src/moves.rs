//! Moves, and the events of the models that stand for them.
//!
//! An event is named after where the card comes from and where it goes: `move`, `toCell`, `home` and
//! `toHole` for cards of columns; `cellMove`, `reserveHome`, `wasteToCell`, `backMove`, `stockToHole` and
//! so on for others. Its fields are the card and, where it goes to a column, the place there: `On.` a
//! card, or `Table`, with the number of the column where columns have names.

use std::fmt;

use csp_games::Card;
use csp_games::table::PileKind;

use crate::piece::Piece;

/// A place in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Spot {
    /// On a card.
    On(Piece),
    /// On the table; the column's number where columns have names.
    Table(Option<usize>),
}

/// Where a card comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// From a column.
    Column,
    /// From a cell.
    Cell,
    /// From the reserve.
    Reserve,
    /// From the waste.
    Waste,
    /// Back from a foundation.
    Home,
    /// From the stock.
    Stock,
}

/// Where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// To a column.
    Column(Spot),
    /// To a cell.
    Cell,
    /// To a foundation.
    Home,
    /// To a foundation that is built downwards.
    HomeDown,
    /// To the hole.
    Hole,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// A card, with what lies on it, goes somewhere.
    Play(Piece, Origin, Target),
    /// Cards of the stock are turned to the waste.
    Turn,
    /// The waste is turned over to be the stock.
    Again,
    /// The stock is dealt to the columns.
    Deal,
    /// A whole suit, headed by this card, goes home.
    Complete(Piece),
    /// A card goes to a gap.
    Fill(Piece, usize),
    /// The pile under a card, at a place from 1, is put on the pile under another, some places to its
    /// left.
    Fold(Piece, Piece, usize, usize),
    /// The last card of a pile goes onto the last card of another, further left; piles are counted from 0.
    Slide(Piece, Piece, usize, usize),
    /// The last cards of all piles, of this rank, are discarded.
    Discard(u8),
}

/// To what kind of pile a card goes by each channel.
pub const TARGETS: &[(&str, PileKind)] = &[
    ("move", PileKind::Column),
    ("cellMove", PileKind::Column),
    ("reserveMove", PileKind::Column),
    ("wasteMove", PileKind::Column),
    ("backMove", PileKind::Column),
    ("toCell", PileKind::Cell),
    ("reserveToCell", PileKind::Cell),
    ("wasteToCell", PileKind::Cell),
    ("backToCell", PileKind::Cell),
    ("home", PileKind::Foundation),
    ("cellHome", PileKind::Foundation),
    ("reserveHome", PileKind::Foundation),
    ("wasteHome", PileKind::Foundation),
    ("homeDown", PileKind::Foundation),
    ("cellHomeDown", PileKind::Foundation),
    ("reserveHomeDown", PileKind::Foundation),
    ("wasteHomeDown", PileKind::Foundation),
    ("toHole", PileKind::Foundation),
    ("cellToHole", PileKind::Foundation),
    ("reserveToHole", PileKind::Foundation),
    ("wasteToHole", PileKind::Foundation),
    ("stockToHole", PileKind::Foundation),
    ("fill", PileKind::Row),
];

impl Spot {
    fn in_model(self, decks: u8) -> String {
        match self {
            Self::On(piece) => format!("On.{}", piece.in_model(decks)),
            Self::Table(None) => "Table".to_owned(),
            Self::Table(Some(column)) => format!("Table.{column}"),
        }
    }
}

impl Move {
    /// The event that stands for it.
    #[must_use]
    pub fn event(self, decks: u8) -> String {
        let (piece, from, to) = match self {
            Self::Play(piece, from, to) => (piece.in_model(decks), from, to),
            Self::Turn => return "turn".to_owned(),
            Self::Again => return "again".to_owned(),
            Self::Deal => return "deal".to_owned(),
            Self::Complete(piece) => return format!("complete.{}", piece.in_model(decks)),
            Self::Fill(piece, place) => return format!("fill.{}.{place}", piece.in_model(decks)),
            Self::Fold(piece, onto, place, step) => {
                let (piece, onto) = (piece.in_model(decks), onto.in_model(decks));
                return format!("fold.{piece}.{onto}.{place}.{step}");
            }
            Self::Slide(piece, onto, from, to) => {
                let (piece, onto) = (piece.in_model(decks), onto.in_model(decks));
                return format!("slide.{piece}.{onto}.{from}.{to}");
            }
            Self::Discard(rank) => return format!("discard.{rank}"),
        };
        let mut event = channel(from, to);
        event.push('.');
        event.push_str(&piece);
        if let Target::Column(spot) = to {
            event.push('.');
            event.push_str(&spot.in_model(decks));
        }
        event
    }

    /// The move that an event stands for; nothing for events that are no moves.
    #[must_use]
    pub fn from_event(event: &str, decks: u8) -> Option<Self> {
        let mut parts = event.split('.');
        let channel = parts.next()?;
        let mut parts = Parts {
            parts: parts.collect(),
            at: 0,
            decks,
        };
        match channel {
            "turn" => return Some(Self::Turn),
            "again" => return Some(Self::Again),
            "deal" => return Some(Self::Deal),
            "complete" => return Some(Self::Complete(parts.piece()?)),
            "fill" => return Some(Self::Fill(parts.piece()?, parts.number()?)),
            "fold" => {
                let (piece, onto) = (parts.piece()?, parts.piece()?);
                return Some(Self::Fold(piece, onto, parts.number()?, parts.number()?));
            }
            "slide" => {
                let (piece, onto) = (parts.piece()?, parts.piece()?);
                return Some(Self::Slide(piece, onto, parts.number()?, parts.number()?));
            }
            "discard" => {
                let rank = u8::try_from(parts.number()?).ok()?;
                return Some(Self::Discard(rank));
            }
            _ => {}
        }
        // Moves that are made for the player are told by their name.
        let channel = channel
            .replace("autoHome", "home")
            .replace("AutoHome", "Home");
        let sources = ["cell", "reserve", "waste", "back", "stock", ""];
        let source = sources.iter().position(|s| channel.starts_with(s))?;
        let target = channel[sources[source].len()..].to_lowercase();
        if !["move", "tocell", "home", "homedown", "tohole"].contains(&target.as_str()) {
            return None;
        }
        let piece = parts.piece()?;
        let from = match source {
            0 => Origin::Cell,
            1 => Origin::Reserve,
            2 => Origin::Waste,
            3 => Origin::Home,
            4 => Origin::Stock,
            _ => Origin::Column,
        };
        let to = match target.as_str() {
            "move" => Target::Column(parts.spot()?),
            "tocell" => Target::Cell,
            "home" => Target::Home,
            "homedown" => Target::HomeDown,
            _ => Target::Hole,
        };
        Some(Self::Play(piece, from, to))
    }
}

/// The channel of a move of a card.
fn channel(from: Origin, to: Target) -> String {
    let target = match to {
        Target::Column(_) => "Move",
        Target::Cell => "ToCell",
        Target::Home => "Home",
        Target::HomeDown => "HomeDown",
        Target::Hole => "ToHole",
    };
    let source = match from {
        Origin::Column => {
            let mut own = target.to_owned();
            own[..1].make_ascii_lowercase();
            return own;
        }
        Origin::Cell => "cell",
        Origin::Reserve => "reserve",
        Origin::Waste => "waste",
        Origin::Home => "back",
        Origin::Stock => "stock",
    };
    format!("{source}{target}")
}

struct Parts<'a> {
    parts: Vec<&'a str>,
    at: usize,
    decks: u8,
}

impl Parts<'_> {
    fn next(&mut self) -> Option<&str> {
        self.at += 1;
        self.parts.get(self.at - 1).copied()
    }

    fn number(&mut self) -> Option<usize> {
        self.next()?.parse().ok()
    }

    fn piece(&mut self) -> Option<Piece> {
        if self.next()? != "card" {
            return None;
        }
        let card = Card::from_model(self.parts.get(self.at)?, self.parts.get(self.at + 1)?)?;
        self.at += 2;
        let deck = if self.decks == 1 {
            0
        } else {
            self.next()?.parse().ok()?
        };
        Some(Piece { card, deck })
    }

    fn spot(&mut self) -> Option<Spot> {
        match self.next()? {
            "On" => self.piece().map(Spot::On),
            "Table" => {
                let column = self.parts.get(self.at).and_then(|p| p.parse().ok());
                self.at += usize::from(column.is_some());
                Some(Spot::Table(column))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Move {
    /// The move in words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Play(piece, Origin::Stock, _) => write!(f, "{piece} from the stock to the hole"),
            Self::Play(piece, _, Target::Column(Spot::On(host))) => {
                write!(f, "{piece} onto {host}")
            }
            Self::Play(piece, _, Target::Column(Spot::Table(None))) => {
                write!(f, "{piece} to an empty column")
            }
            Self::Play(piece, _, Target::Column(Spot::Table(Some(column)))) => {
                write!(f, "{piece} to column {}", column + 1)
            }
            Self::Play(piece, _, Target::Cell) => write!(f, "{piece} to a cell"),
            Self::Play(piece, _, Target::Home) => write!(f, "{piece} home"),
            Self::Play(piece, _, Target::HomeDown) => {
                write!(f, "{piece} home, downwards")
            }
            Self::Play(piece, _, Target::Hole) => write!(f, "{piece} to the hole"),
            Self::Turn => f.write_str("turn the stock"),
            Self::Again => f.write_str("turn the waste over"),
            Self::Deal => f.write_str("deal a card to each"),
            Self::Complete(piece) => write!(f, "the whole suit from {piece} home"),
            Self::Fill(piece, place) => write!(f, "{piece} to place {}", place + 1),
            Self::Fold(piece, onto, ..) | Self::Slide(piece, onto, ..) => {
                write!(f, "{piece} onto {onto}")
            }
            Self::Discard(rank) => {
                let rank = Card::new(*rank, csp_games::Suit::Clubs).rank_text();
                write!(f, "discard all {rank}")
            }
        }
    }
}
