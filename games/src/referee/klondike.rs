//! Klondike with all cards known: columns built down in alternating colours, runs move as one, a
//! king with its run to an empty column, foundations up in suit, cards may come back from them.

use std::fmt::Write;

use crate::card::{Card, Suit};
use crate::model::{Field, event};
use crate::table::{Pile, PileKind, Place, Position, foundations};

/// What can differ between games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Cards in a suit.
    pub ranks: u8,
    /// How many cards are turned at a time.
    pub draw: usize,
    /// How often the stock may be gone through; 0 is without limit.
    pub passes: usize,
}

/// A column: cards from the table upwards, the first `down` of them face down.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Column {
    cards: Vec<Card>,
    down: usize,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Turns cards of the stock over to the waste.
    Draw,
    /// Turns the waste over to be the stock.
    TurnOver,
    /// Moves a card with all that lies on it onto another one, or to an empty column.
    Move(Card, Option<Card>),
    /// Moves a card to its foundation.
    Home(Card),
}

/// A game under way.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Referee {
    columns: Vec<Column>,
    /// The next card to be turned is the last.
    stock: Vec<Card>,
    waste: Vec<Card>,
    home: [u8; 4],
    passes_left: Option<usize>,
    ranks: u8,
    draw: usize,
    score: i32,
}

impl Referee {
    /// Starts from columns, of which only the last card is face up, and a stock, first card first.
    #[must_use]
    pub fn new(columns: Vec<Vec<Card>>, mut stock: Vec<Card>, rules: Rules) -> Self {
        stock.reverse();
        let column = |cards: Vec<Card>| Column {
            down: cards.len().saturating_sub(1),
            cards,
        };
        Self {
            columns: columns.into_iter().map(column).collect(),
            stock,
            waste: Vec::new(),
            home: [0; 4],
            passes_left: rules.passes.checked_sub(1),
            ranks: rules.ranks,
            draw: rules.draw,
            score: 0,
        }
    }

    /// The score by Windows' standard rules, never below 0; every turning over costs 100.
    #[must_use]
    pub fn score(&self) -> i32 {
        self.score
    }

    /// The highest rank at home, for each suit in the order of [`Suit::ALL`].
    #[must_use]
    pub fn home(&self) -> [u8; 4] {
        self.home
    }

    /// The card of the waste that can be played.
    #[must_use]
    pub fn waste(&self) -> Option<Card> {
        self.waste.last().copied()
    }

    /// The last card of each column.
    pub fn last_cards(&self) -> impl Iterator<Item = Card> + '_ {
        self.columns.iter().filter_map(|c| c.cards.last()).copied()
    }

    /// A score that a play announces is the one it has come to.
    fn announced(&self, fields: &[Field<'_>]) -> Result<Option<String>, String> {
        let score = self.score.to_string();
        if fields == [Field::Word(score.as_str())] {
            Ok(Some(format!("score {score}")))
        } else {
            Err(format!("the score is {score}"))
        }
    }

    fn earn(&mut self, points: i32) {
        self.score = (self.score + points).max(0);
    }

    /// Makes a move, or says why it is not allowed.
    pub fn play(&mut self, m: Move) -> Result<(), String> {
        match m {
            Move::Draw => {
                if self.stock.is_empty() {
                    return Err("the stock is empty".to_owned());
                }
                for _ in 0..self.draw {
                    self.waste.extend(self.stock.pop());
                }
                Ok(())
            }
            Move::TurnOver => {
                if !self.stock.is_empty() || self.waste.is_empty() {
                    return Err("the waste cannot be turned over now".to_owned());
                }
                if let Some(left) = &mut self.passes_left {
                    *left = left.checked_sub(1).ok_or("no pass is left")?;
                }
                self.stock = std::mem::take(&mut self.waste);
                self.stock.reverse();
                self.earn(-100);
                Ok(())
            }
            Move::Home(card) => {
                let next = self.home[card.suit as usize] + 1;
                if next != card.rank {
                    return Err(format!("{card} is not the next of its suit"));
                }
                let run = self.lift(card, true)?;
                self.home[card.suit as usize] += 1;
                debug_assert_eq!(run, [card], "only the last card of a column goes home");
                self.earn(10);
                Ok(())
            }
            Move::Move(card, onto) => self.shift(card, onto),
        }
    }

    fn shift(&mut self, card: Card, onto: Option<Card>) -> Result<(), String> {
        let target = match onto {
            Some(host) if !card.goes_on(host) => {
                return Err(format!("{card} does not go on {host}"));
            }
            Some(host) => {
                let column = self
                    .columns
                    .iter()
                    .position(|c| c.cards.last() == Some(&host));
                column.ok_or_else(|| format!("{host} is not the last card of a column"))?
            }
            None if card.rank != self.ranks => {
                return Err(format!("{card} is not of the highest rank"));
            }
            None => {
                let column = self.columns.iter().position(|c| c.cards.is_empty());
                column.ok_or("no column is empty")?
            }
        };
        let run = self.lift(card, false)?;
        self.columns[target].cards.extend(run);
        Ok(())
    }

    /// Takes a card, with what lies on it, from wherever it can be taken.
    fn lift(&mut self, card: Card, alone: bool) -> Result<Vec<Card>, String> {
        for index in 0..self.columns.len() {
            let column = &mut self.columns[index];
            let Some(at) = column.cards.iter().position(|c| *c == card) else {
                continue;
            };
            if at < column.down {
                return Err(format!("{card} is face down"));
            }
            if alone && at + 1 < column.cards.len() {
                return Err(format!("{card} is not the last card of its column"));
            }
            let run = column.cards.split_off(at);
            if at == column.down && at > 0 {
                column.down -= 1;
                self.earn(5);
            }
            return Ok(run);
        }
        if self.waste.last() == Some(&card) {
            self.waste.pop();
            if !alone {
                self.earn(5);
            }
            return Ok(vec![card]);
        }
        let home = &mut self.home[card.suit as usize];
        if !alone && *home == card.rank {
            *home -= 1;
            self.earn(-15);
            return Ok(vec![card]);
        }
        Err(format!("{card} is not free to move"))
    }

    /// Every legal move.
    #[must_use]
    pub fn moves(&self) -> Vec<Move> {
        let up = |c: &Column| c.cards[c.down.min(c.cards.len())..].to_vec();
        let mut cards: Vec<Card> = self.columns.iter().flat_map(up).collect();
        cards.extend(self.waste.last());
        let heads = Suit::ALL.into_iter().zip(self.home);
        cards.extend(heads.filter(|(_, n)| *n > 0).map(|(s, n)| Card::new(n, s)));
        let mut all = vec![Move::Draw, Move::TurnOver];
        for card in cards {
            all.push(Move::Home(card));
            all.push(Move::Move(card, None));
            let hosts = self.columns.iter().filter_map(|c| c.cards.last());
            all.extend(hosts.map(|host| Move::Move(card, Some(*host))));
        }
        all.retain(|m| self.clone().play(*m).is_ok());
        all
    }

    /// The position without the order of columns, and without the passes that are left where there is
    /// nothing left to pass through.
    #[must_use]
    pub fn canonical(&self) -> Self {
        let mut position = self.clone();
        position.columns.sort();
        if position.stock.is_empty() && position.waste.is_empty() {
            position.passes_left = None;
        }
        position
    }

    /// The position with nothing scored yet.
    #[must_use]
    pub fn unscored(&self) -> Self {
        let mut position = self.clone();
        position.score = 0;
        position
    }
}

impl super::Referee for Referee {
    fn play_event(&mut self, text: &str) -> Result<Option<String>, String> {
        let (channel, fields) = event(text);
        let cards: Vec<Card> = fields
            .iter()
            .filter_map(|field| match field {
                Field::Card(card) => Some(*card),
                Field::Word(_) => None,
            })
            .collect();
        let (m, words) = match (channel, cards.as_slice()) {
            ("turnOver", []) => (Move::TurnOver, "turn the waste over".to_owned()),
            ("draw", []) => {
                let turned = self.draw.min(self.stock.len());
                let top = self.stock.get(self.stock.len() - turned);
                let top = top.map_or_else(String::new, Card::to_string);
                (Move::Draw, format!("draw {top}"))
            }
            ("home" | "wasteHome", [card]) => (Move::Home(*card), format!("{card} home")),
            ("toColumn" | "wasteToColumn" | "backToColumn", [card, host]) => (
                Move::Move(*card, Some(*host)),
                format!("{card} onto {host}"),
            ),
            ("toTable" | "wasteToTable" | "backToTable", [card]) => (
                Move::Move(*card, None),
                format!("{card} to an empty column"),
            ),
            ("done", _) => return super::done(self),
            ("score", _) => return self.announced(&fields),
            _ => return Ok(None),
        };
        // The event says where the card comes from.
        if let [card, ..] = cards.as_slice()
            && matches!(m, Move::Home(_) | Move::Move(..))
        {
            let on_waste = self.waste.last() == Some(card);
            let at_home = self.home[card.suit as usize] == card.rank;
            let from = (channel.starts_with("waste"), channel.starts_with("back"));
            if from != (on_waste, at_home) {
                return Err(format!("{card} is not where {channel} takes it from"));
            }
        }
        self.play(m).map(|()| Some(words))
    }

    fn is_won(&self) -> bool {
        self.home == [self.ranks; 4]
    }

    fn draw(&self) -> String {
        let join = |cards: &mut dyn Iterator<Item = String>| cards.collect::<Vec<_>>().join(" ");
        let mut out = String::new();
        let tops = Suit::ALL.into_iter().zip(self.home).map(|(suit, n)| {
            let top = if n == 0 {
                "0".to_owned()
            } else {
                Card::new(n, suit).rank_text()
            };
            format!("{}-{top}", suit.letter())
        });
        let _ = writeln!(out, "Foundations: {}", join(&mut { tops }));
        let stock = self.stock.iter().rev().map(Card::to_string);
        let _ = writeln!(out, "Talon: {}", join(&mut { stock }));
        let waste = self.waste.iter().map(Card::to_string);
        let _ = writeln!(out, "Waste: {}", join(&mut { waste }));
        for column in &self.columns {
            let cards = column.cards.iter().enumerate();
            let mut cards = cards.map(|(i, card)| {
                if i < column.down {
                    format!("<{card}>")
                } else {
                    card.to_string()
                }
            });
            let _ = writeln!(out, ": {}", join(&mut cards));
        }
        out
    }

    fn position(&self) -> Position {
        let stock = self.stock.iter().map(|card| Place::down(*card));
        let stock = Pile {
            places: stock.collect(),
            ..Pile::new(PileKind::Stock, "DP", "s", [])
        };
        let waste = Pile::new(PileKind::Waste, "WP", "w", self.waste.iter().copied());
        let columns = self.columns.iter().enumerate().map(|(i, column)| {
            let place = |(at, card): (usize, &Card)| Place {
                card: Some(*card),
                up: at >= column.down,
            };
            Pile {
                places: column.cards.iter().enumerate().map(place).collect(),
                ..Pile::new(
                    PileKind::Column,
                    format!("TP{}", i + 1),
                    (i + 1).to_string(),
                    [],
                )
            }
        });
        let piles = [stock, waste].into_iter();
        let piles = piles.chain(foundations(self.home)).chain(columns);
        Position::Cards(piles.collect())
    }

    fn copied(&self) -> Box<dyn super::Referee + Send> {
        Box::new(self.clone())
    }

    fn score(&self) -> Option<i32> {
        Some(self.score)
    }

    fn carry(&self, from: &Pile, to: &Pile, amount: usize) -> Result<(), String> {
        let size = from.places.len();
        let card = size.checked_sub(amount).and_then(|at| from.places.get(at));
        let Some((card, up)) = card.and_then(|place| Some((place.card?, place.up))) else {
            return Err(match size {
                0 => format!("{} is empty", from.name),
                n => format!("{} has {n} cards, not {amount}", from.name),
            });
        };
        if from.kind == PileKind::Stock {
            return Err("the cards of the stock are turned first".to_owned());
        }
        if !up {
            return Err(format!("{card} is face down"));
        }
        if amount > 1 && from.kind != PileKind::Column {
            return Err(format!("{} gives one card at a time", from.name));
        }
        match (to.kind, to.top()) {
            (PileKind::Foundation, _) if amount > 1 => {
                Err("one card goes home at a time".to_owned())
            }
            (PileKind::Foundation, top) if to.suit != Some(card.suit) => Err(match top {
                None => format!("{} takes the ace of its suit first", to.name),
                Some(_) => format!("{card} is not of the suit of {}", to.name),
            }),
            (PileKind::Foundation, _) if from.kind == PileKind::Foundation => {
                Err(format!("{card} is home already"))
            }
            (PileKind::Foundation, _) => self.clone().play(Move::Home(card)),
            (PileKind::Column, host) => self.clone().play(Move::Move(card, host)),
            _ => Err(format!("{} takes no cards", to.name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Referee as _;
    use super::*;

    fn cards(text: &str) -> Vec<Card> {
        text.split_whitespace()
            .map(|word| Card::parse(word).expect("a card"))
            .collect()
    }

    fn game(passes: usize) -> Referee {
        let rules = Rules {
            ranks: 2,
            draw: 1,
            passes,
        };
        Referee::new(
            vec![cards("2S"), cards("AS AH")],
            cards("2H AC 2C AD 2D"),
            rules,
        )
    }

    #[test]
    fn a_play_is_followed_to_the_win_and_scored() {
        let mut game = game(1);
        let play = [
            "home.card.Hearts.1.Chosen",
            "draw",
            "wasteHome.card.Hearts.2.Chosen",
            "home.card.Spades.1.Forced",
            "home.card.Spades.2.Chosen",
            "draw",
            "wasteHome.card.Clubs.1.Chosen",
            "draw",
            "wasteHome.card.Clubs.2.Chosen",
            "draw",
            "wasteToColumn.card.Diamonds.1.card.Spades.2",
        ];
        for event in &play[..10] {
            assert!(game.play_event(event).expect("legal").is_some(), "{event}");
        }
        assert_eq!(
            game.play_event(play[10]),
            Err("2S is not the last card of a column".to_owned())
        );
        assert_eq!(game.play_event("turnUp.card.Spades.1"), Ok(None));
        game.play_event("wasteHome.card.Diamonds.1.Chosen")
            .expect("legal");
        game.play_event("draw").expect("legal");
        assert!(!game.is_won());
        game.play_event("wasteHome.card.Diamonds.2.Chosen")
            .expect("legal");
        assert!(game.is_won());
        // Eight cards home, one card turned.
        assert_eq!(game.score(), 85);
        assert_eq!(game.play_event("score.85"), Ok(Some("score 85".to_owned())));
        assert_eq!(
            game.play_event("score.90"),
            Err("the score is 85".to_owned())
        );
    }

    #[test]
    fn passes_run_out() {
        let mut game = game(1);
        for _ in 0..5 {
            game.play(Move::Draw).expect("legal");
        }
        assert_eq!(game.play(Move::Draw), Err("the stock is empty".to_owned()));
        assert_eq!(game.play(Move::TurnOver), Err("no pass is left".to_owned()));
    }

    #[test]
    fn cards_come_back_and_cost() {
        let mut game = game(0);
        game.play(Move::Home(cards("AH")[0])).expect("legal");
        assert_eq!(game.score(), 15);
        let back = Move::Move(cards("AH")[0], Some(cards("2S")[0]));
        game.play(back).expect("legal");
        assert_eq!(game.score(), 0);
        assert_eq!(
            game.play(Move::Home(cards("2S")[0])),
            Err("2S is not the next of its suit".to_owned())
        );
    }
}
