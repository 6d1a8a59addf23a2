//! Why cards do not go from one pile to another, by the description alone.

use csp_games::Card;
use csp_games::table::{Pile, PileKind};

use crate::description::Filler;
use crate::piece::Piece;
use crate::position::Position;
use crate::term::Case;

impl Position {
    /// Whether the last `amount` cards of a pile may go to another one; the error says why not.
    pub(crate) fn reason(&self, from: &Pile, to: &Pile, amount: usize) -> Result<(), String> {
        let size = from.places.len();
        let at = size.checked_sub(amount).filter(|_| amount > 0);
        let Some((at, place)) = at.and_then(|at| Some((at, from.places.get(at)?))) else {
            return Err(match size {
                0 => format!("{} is empty", from.name),
                n => format!("{} has {n} cards, not {amount}", from.name),
            });
        };
        let card = place.card.ok_or("there is a gap")?;
        if from.kind == PileKind::Stock {
            return Err("the cards of the stock are turned first".to_owned());
        }
        if !place.up {
            return Err(format!("{card} is face down"));
        }
        if from.kind == PileKind::Foundation
            && !self.rules.foundations.as_ref().is_some_and(|f| f.back)
        {
            return Err(format!("{card} stays where it is"));
        }
        if amount > 1 && from.kind != PileKind::Column {
            return Err(format!("{} gives one card at a time", from.name));
        }
        if amount > 1 && !self.group_moves(from, at) {
            return Err(format!("{card} and the cards on it do not move as one"));
        }
        match to.kind {
            PileKind::Foundation if amount > 1 => Err("one card goes there at a time".to_owned()),
            PileKind::Foundation if to.suit.is_none() => self.hole_allows(card, to),
            PileKind::Foundation if to.suit != Some(card.suit) => {
                Err(format!("{card} is not of the suit of {}", to.name))
            }
            PileKind::Foundation => self.home_takes(card, to.name.starts_with("FD")),
            PileKind::Cell => match to.top() {
                _ if amount > 1 => Err("a cell holds one card".to_owned()),
                Some(other) => Err(format!("{other} is there")),
                None => Ok(()),
            },
            PileKind::Column => self.column_takes(card, amount, from, to),
            PileKind::Row => Err(format!("{card} does not follow its left neighbour there")),
            PileKind::Stock | PileKind::Waste | PileKind::Reserve => {
                Err(format!("{} takes no cards", to.name))
            }
        }
    }

    fn group_moves(&self, from: &Pile, at: usize) -> bool {
        let number = from.symbol.parse::<usize>().ok();
        let column = number.and_then(|n| self.columns.get(n.checked_sub(1)?));
        column.is_some_and(|column| self.moves_as_one(column, at))
    }

    fn hole_allows(&self, card: Card, to: &Pile) -> Result<(), String> {
        match to.top() {
            Some(last) if !self.hole_takes(Piece { card, deck: 0 }) => {
                Err(format!("{card} is not next in rank to {last}"))
            }
            _ => Ok(()),
        }
    }

    /// Whether a card is the next of its foundation, of that which is built downwards if so asked.
    fn home_takes(&self, card: Card, down: bool) -> Result<(), String> {
        let piece = Piece { card, deck: 0 };
        let line = if down {
            self.line_down(piece)
        } else {
            self.line(piece)
        };
        if self.rules.foundations.as_ref().is_some_and(|f| f.complete) {
            Err("only a whole suit goes home".to_owned())
        } else if self.is_next_home(line) {
            Ok(())
        } else {
            Err(format!("{card} is not the next card home"))
        }
    }

    fn column_takes(
        &self,
        card: Card,
        amount: usize,
        from: &Pile,
        to: &Pile,
    ) -> Result<(), String> {
        if self.rules.accordion.is_some() || self.rules.piles.is_some() {
            let onto = to
                .top()
                .map_or_else(|| to.name.clone(), |host| host.to_string());
            return Err(format!("{card} does not go on {onto}"));
        }
        let Some(tableau) = &self.rules.tableau else {
            return Err(format!("{} takes no cards", to.name));
        };
        let case = Case {
            card,
            host: to.top(),
            single: amount == 1,
            ranks: self.rules.ranks,
        };
        match to.top() {
            Some(_) if tableau.limit.is_some_and(|most| to.places.len() >= most) => {
                Err(format!("{} is full", to.name))
            }
            Some(host) if !self.rules.build().holds(&case) => {
                Err(format!("{card} does not go on {host}"))
            }
            None if !self.rules.fills_from(filler(from.kind)) => {
                Err(format!("empty columns are not filled from {}", from.name))
            }
            None if !self.rules.spaces().holds(&case) => {
                Err(format!("{card} does not go to an empty column"))
            }
            _ => Ok(()),
        }
    }
}

fn filler(kind: PileKind) -> Filler {
    match kind {
        PileKind::Cell => Filler::Cells,
        PileKind::Reserve => Filler::Reserve,
        PileKind::Waste => Filler::Waste,
        PileKind::Foundation => Filler::Foundations,
        _ => Filler::Columns,
    }
}

#[cfg(test)]
mod tests {
    use csp_games::deal::layout::Numbering;
    use csp_games::referee::Referee;
    use csp_games::table::{Pile, PileKind};

    use crate::{bundle, deal};

    /// Whatever goes nowhere has a reason, and whatever is offered has none.
    #[test]
    fn offers_have_no_reason_against_them() {
        for game in bundle::all() {
            let position = deal::deal(game, Numbering::Ours, 2).expect("dealt");
            let before = Referee::position(&position);
            for m in position.moves() {
                let mut after = position.clone();
                after.make(m);
                let route = csp_games::table::route(&before, &Referee::position(&after));
                let Some(route) = route else { continue };
                let pile = |name: &str| before.piles().iter().find(|p| p.name == name);
                let (from, to) = (
                    route.from.and_then(|s| pile(&s.pile).cloned()),
                    pile(&route.to.pile),
                );
                let (Some(from), Some(to)) = (from, to) else {
                    continue;
                };
                let counted =
                    |p: &Pile| matches!(p.kind, PileKind::Stock | PileKind::Waste | PileKind::Row);
                if counted(&from)
                    || counted(to)
                    || game.accordion.is_some()
                    || game.piles.is_some()
                    || from.kind == PileKind::Reserve
                {
                    continue;
                }
                let amount = route.cards.len();
                let said = position.carry(&from, to, amount);
                assert_eq!(said, Ok(()), "{}: {m}", game.name);
            }
        }
    }
}
