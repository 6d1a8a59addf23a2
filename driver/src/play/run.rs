//! Runs at the table: cards that a player moves at once and the process one by one.
//!
//! The moves between are found by trying: cards go aside to free cells, and where those do not suffice half of
//! them to an empty column first, as players count it. Each single move is an offer of the process.

use csp_games::runs::{Run, runs};
use csp_games::table::{Pile, PileKind, Position};
use serde::{Deserialize, Serialize};

use super::report::OfferReport;
use super::table::Table;

/// Moves of the play that are one, as players say it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunReport {
    /// The number of the first of them, from 1.
    pub number: usize,
    /// How many they are.
    pub moves: usize,
    /// In short notation, with the number of cards: a command that makes them all.
    pub notation: String,
    /// In words, with the columns.
    pub text: String,
}

/// How a run is told in a position.
pub(crate) fn told(position: &Position, run: &Run) -> RunReport {
    let piles = position.piles();
    let (from, to) = (&piles[run.from], &piles[run.to]);
    let cards: Vec<String> = run.cards.iter().map(ToString::to_string).collect();
    let onto = match to.top() {
        Some(host) => format!("onto {host}"),
        None => "to an empty column".to_owned(),
    };
    RunReport {
        number: run.first + 1,
        moves: run.moves,
        notation: format!("{}{}-{}", from.symbol, to.symbol, cards.len()),
        text: format!(
            "{} {onto}, column {} to {}",
            cards.join(" "),
            from.symbol,
            to.symbol
        ),
    }
}

impl Table {
    /// The runs of the play that is shown: what was played, and what would come next.
    pub(super) fn runs(&self) -> Vec<RunReport> {
        let mut nodes = self.path();
        let mut at = self.now;
        while let Some(next) = self.nodes[at].latest {
            nodes.push(next);
            at = next;
        }
        // What goes by itself ends a run, which the positions show.
        let positions: Vec<Position> = nodes
            .iter()
            .map(|node| self.nodes[*node].referee.position())
            .collect();
        let found = runs(&positions);
        found
            .iter()
            .map(|run| told(&positions[run.first], run))
            .collect()
    }

    /// Makes the moves that carry cards from the end of one column to another; nothing is moved if that is not
    /// possible. Without an amount as many cards go as can.
    pub(super) fn carry_run(
        &mut self,
        from: &Pile,
        to: &Pile,
        amount: Option<usize>,
    ) -> Option<Vec<OfferReport>> {
        if from.kind != PileKind::Column || to.kind != PileKind::Column {
            return None;
        }
        let up = from.places.iter().filter(|place| place.up).count();
        let mut amounts: Vec<usize> = amount.map_or_else(|| (2..=up).rev().collect(), |n| vec![n]);
        amounts.retain(|n| (2..=up).contains(n));
        let start = self.now;
        for amount in amounts {
            let mut copy = self.copied();
            let mut done = Vec::new();
            if copy.aside(&from.name, &to.name, amount, &mut done) {
                let moves = done.iter().map(|offer| self.play(&offer.event));
                if moves.collect::<Result<Vec<()>, _>>().is_ok() {
                    return Some(done);
                }
                self.go(start);
            }
        }
        None
    }

    /// Carries cards, with cells and then an empty column as places between.
    fn aside(&mut self, from: &str, to: &str, amount: usize, done: &mut Vec<OfferReport>) -> bool {
        if amount == 1 {
            return self.single(from, |pile| pile.name == to, done).is_some();
        }
        let position = self.node().referee.position();
        let is_free = |pile: &&Pile| pile.places.is_empty() && pile.name != to;
        let piles = || position.piles().iter().filter(is_free);
        let cells = piles().filter(|pile| pile.kind == PileKind::Cell).count();
        if amount <= cells + 1 {
            let mut held = Vec::new();
            for _ in 1..amount {
                match self.single(from, |pile| pile.kind == PileKind::Cell, done) {
                    Some(cell) => held.push(cell),
                    None => return false,
                }
            }
            let to_target = |pile: &Pile| pile.name == to;
            return self.single(from, to_target, done).is_some()
                && (held.iter().rev()).all(|cell| self.single(cell, to_target, done).is_some());
        }
        // The first of the empty columns is where the process puts a card that goes to one.
        let empty = piles().find(|pile| pile.kind == PileKind::Column);
        let Some(empty) = empty.map(|pile| pile.name.clone()) else {
            return false;
        };
        let half = amount / 2;
        self.aside(from, &empty, half, done)
            && self.aside(from, to, amount - half, done)
            && self.aside(&empty, to, half, done)
    }

    /// Moves one card to a pile; the name of the pile.
    fn single(
        &mut self,
        from: &str,
        fits: impl Fn(&Pile) -> bool,
        done: &mut Vec<OfferReport>,
    ) -> Option<String> {
        let position = self.node().referee.position();
        let index = self.offers().iter().position(|offer| {
            let target = offer.to.as_ref();
            let pile = position
                .piles()
                .iter()
                .find(|pile| target.is_some_and(|t| t.pile == pile.name));
            offer.cards.len() == 1
                && offer.forced.iter().all(|forced| forced.from.is_none())
                && offer.from.as_ref().is_some_and(|spot| spot.pile == from)
                && pile.is_some_and(&fits)
        })?;
        let offer = self.offers()[index].clone();
        let to = offer.to.as_ref()?.pile.clone();
        done.push(offer);
        self.choose(index).ok()?;
        Some(to)
    }
}
