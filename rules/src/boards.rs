//! The boards of generated tests: as few cards on the table as a condition is about, and the move that it
//! allows or forbids there. The referee can be asked; so can any other implementation of the game.

use std::sync::Arc;

use csp_games::Card;

use crate::description::{Description, Group, Order};
use crate::moves::{Move, Origin, Spot, Target};
use crate::pairs::Kind;
use crate::piece::Piece;
use crate::position::{Column, Position};
use crate::term::Case;

/// A board and the move in question.
#[derive(Clone, Debug)]
pub struct Board {
    /// The position.
    pub position: Position,
    /// The move.
    pub asked: Move,
}

impl Board {
    /// Whether the referee allows the move.
    #[must_use]
    pub fn allowed(&self) -> bool {
        self.position.moves().contains(&self.asked)
    }
}

/// The board for a case of a condition; nothing if no board can show it, because the cards that would
/// have to lie there are not in the pack.
#[must_use]
pub fn board(d: &Arc<Description>, kind: Kind, case: &Case) -> Option<Board> {
    let maker = Maker { d, case };
    match kind {
        Kind::Build => maker.build(),
        Kind::Space => maker.space(),
        Kind::Run => maker.run(),
        Kind::Home => maker.home(),
        Kind::Hole => maker.hole(),
        Kind::Gap => maker.gap(),
        Kind::Fold => maker.fold(),
        Kind::Slide => maker.slide(),
    }
}

struct Maker<'a> {
    d: &'a Arc<Description>,
    case: &'a Case,
}

fn piece(card: Card, deck: u8) -> Piece {
    Piece { card, deck }
}

impl Maker<'_> {
    fn card(&self) -> Piece {
        piece(self.case.card, 0)
    }

    fn host(&self) -> Option<Piece> {
        let host = self.case.host?;
        Some(piece(host, u8::from(host == self.case.card)))
    }

    /// A position with some columns, the others empty.
    fn columns(&self, columns: &[&[Piece]]) -> Option<Position> {
        let count = self.d.tableau.as_ref()?.columns;
        if columns.len() > count {
            return None;
        }
        let mut position = Position::empty(Arc::clone(self.d));
        position.columns = vec![Column::default(); count];
        for (column, cards) in position.columns.iter_mut().zip(columns) {
            column.cards = cards.to_vec();
        }
        Some(position)
    }

    fn table(&self, column: usize) -> Spot {
        Spot::Table(self.d.named_columns().then_some(column))
    }

    /// A card that is not one of these and of which something is true.
    fn other(&self, not: &[Piece], is: impl Fn(Piece) -> bool) -> Option<Piece> {
        let all = Piece::all(self.d.decks, self.d.ranks);
        all.into_iter().find(|p| !not.contains(p) && is(*p))
    }

    fn lies(&self, terms: &[crate::term::Term], card: Piece, host: Piece) -> bool {
        terms.iter().any(|term| {
            term.holds(&Case {
                card: card.card,
                host: Some(host.card),
                single: true,
                ranks: self.d.ranks,
            })
        })
    }

    /// The moving card with one that moves along, if it does not move alone.
    fn moving(&self, not: &[Piece]) -> Option<Vec<Piece>> {
        let card = self.card();
        if self.case.single {
            return Some(vec![card]);
        }
        let any = self.d.tableau.as_ref()?.group == Group::All;
        let follows = |p| any || self.lies(&self.d.group(), p, card);
        let not: Vec<Piece> = not.iter().copied().chain([card]).collect();
        Some(vec![card, self.other(&not, follows)?])
    }

    fn build(&self) -> Option<Board> {
        let host = self.host()?;
        let moving = self.moving(&[host])?;
        Some(Board {
            position: self.columns(&[&[host], &moving])?,
            asked: Move::Play(self.card(), Origin::Column, Target::Column(Spot::On(host))),
        })
    }

    fn space(&self) -> Option<Board> {
        let moving = self.moving(&[])?;
        let below = self.other(&moving, |_| true)?;
        let column: Vec<Piece> = [below].into_iter().chain(moving).collect();
        let whole = matches!(self.d.tableau.as_ref()?.group, Group::Whole(_));
        if whole && !self.case.single {
            return None;
        }
        Some(Board {
            position: self.columns(&[&[], &column])?,
            asked: Move::Play(self.card(), Origin::Column, Target::Column(self.table(0))),
        })
    }

    /// The host moves with the card on it, to a card that takes it.
    fn run(&self) -> Option<Board> {
        let (card, host) = (self.card(), self.host()?);
        let build = [self.d.build()];
        let target = self.other(&[card, host], |p| self.lies(&build, host, p))?;
        Some(Board {
            position: self.columns(&[&[target], &[host, card]])?,
            asked: Move::Play(host, Origin::Column, Target::Column(Spot::On(target))),
        })
    }

    fn home(&self) -> Option<Board> {
        let (card, host) = (self.card(), self.host()?);
        let mut position = self.columns(&[&[card]])?;
        let alternating = self.d.foundations.as_ref()?.order == Order::Alternating;
        for rank in 1..=host.card.rank {
            let same = alternating == ((host.card.rank - rank) % 2 == 1);
            let suits = |p: Piece| {
                if alternating {
                    (p.card.suit.is_red() == host.card.suit.is_red()) != same
                } else {
                    p.card.suit == host.card.suit
                }
            };
            let below = |p: Piece| p.card.rank == rank && suits(p);
            let placed = if rank == host.card.rank {
                host
            } else {
                self.other(&[card, host], below)?
            };
            position.put_home(placed);
        }
        Some(Board {
            position,
            asked: Move::Play(card, Origin::Column, Target::Home),
        })
    }

    fn hole(&self) -> Option<Board> {
        let (card, host) = (self.card(), self.host()?);
        let (mut position, from) = match self.columns(&[&[card]]) {
            Some(position) => (position, Origin::Column),
            None => {
                let mut position = Position::empty(Arc::clone(self.d));
                position.waste = vec![card];
                (position, Origin::Waste)
            }
        };
        position.hole = vec![host];
        Some(Board {
            position,
            asked: Move::Play(card, from, Target::Hole),
        })
    }

    fn gap(&self) -> Option<Board> {
        let (card, host) = (self.card(), self.host()?);
        let ranks = usize::from(self.d.ranks);
        let mut position = Position::empty(Arc::clone(self.d));
        position.rows = vec![None; 4 * ranks];
        position.rows[0] = Some(host);
        *position.rows.get_mut(2 * ranks + 1)? = Some(card);
        Some(Board {
            position,
            asked: Move::Fill(card, 1),
        })
    }

    fn slide(&self) -> Option<Board> {
        let (card, host) = (self.card(), self.host()?);
        let mut position = Position::empty(Arc::clone(self.d));
        position.piles = vec![Vec::new(); self.d.piles.as_ref()?.count];
        position.piles[0] = vec![host];
        position.piles.get_mut(1)?.push(card);
        Some(Board {
            position,
            asked: Move::Slide(card, host, 1, 0),
        })
    }

    fn fold(&self) -> Option<Board> {
        let (card, host) = (self.card(), self.host()?);
        let step = *self.d.accordion.as_ref()?.steps.iter().min()?;
        let mut row = vec![host];
        while row.len() < step {
            let not: Vec<Piece> = row.iter().copied().chain([card]).collect();
            row.push(self.other(&not, |_| true)?);
        }
        row.push(card);
        let mut position = Position::empty(Arc::clone(self.d));
        position.piles = row.iter().map(|p| vec![*p]).collect();
        Some(Board {
            position,
            asked: Move::Fold(card, host, step + 1, step),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle;
    use crate::pairs::tests as pairs;

    /// The referee agrees with every pair of every bundled game for which there is a board.
    #[test]
    fn the_referee_passes_every_suite() {
        let (mut judged, mut shown) = (0, 0);
        for game in bundle::all() {
            for t in pairs(game) {
                let pair = t.pair.expect("no atom is redundant");
                for (case, allowed) in [(pair.legal, true), (pair.illegal, false)] {
                    judged += 1;
                    let Some(board) = board(game, t.rule.kind, &case) else {
                        continue;
                    };
                    shown += 1;
                    let (name, atom) = (&game.name, t.atom.text());
                    assert_eq!(board.allowed(), allowed, "{name}, {atom}: {case:?}");
                }
            }
        }
        assert!(shown * 10 >= judged * 9, "{shown} of {judged} boards");
    }
}
