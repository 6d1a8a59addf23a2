//! A game with a short pack: the same rules, with everything that counts cards made smaller. Whole state
//! spaces of short games can be compared.

use crate::description::{Base, Description, Face, Shape, To};
use crate::validate::elsewhere;

/// The game with this many ranks, at most two decks, and fewer columns, cells and cards elsewhere.
#[must_use]
pub fn short(d: &Description, ranks: u8) -> Description {
    let mut s = d.clone();
    let before = d.cards();
    s.ranks = ranks.clamp(2, 13);
    s.decks = d.decks.min(2);
    let after = s.cards();
    let scaled = |n: usize| (n * after).div_ceil(before).max(usize::from(n > 0));
    s.cells.count = d.cells.count.min(2);
    s.cells.filled = d.cells.filled.min(1);
    if let Some(stock) = &mut s.stock {
        stock.cards = scaled(stock.cards);
        stock.turn = stock.turn.min(2);
        stock.redeals = stock.redeals.map(|n| n.min(1));
    }
    if let Some(reserve) = &mut s.reserve {
        reserve.cards = scaled(reserve.cards).min(3);
    }
    if let Some(a) = &mut s.accordion {
        a.cards = a.cards.min(after).min(8);
    }
    if let Some(f) = &mut s.foundations
        && let Base::Rank(rank) = &mut f.base
    {
        *rank = (*rank).min(s.ranks);
    }
    let outside = elsewhere(&s);
    if s.tableau.is_none() {
        // All cards are in the stock.
        let surplus = after.saturating_sub(outside);
        if let Some(stock) = &mut s.stock {
            stock.cards += surplus;
        }
        return s;
    }
    let left = after.saturating_sub(outside);
    if let Some(t) = &mut s.tableau {
        t.columns = scaled(t.columns).clamp(2, 6).min(left.max(1));
        if matches!(t.shape, Shape::Sizes(_)) {
            t.shape = Shape::Rounds;
        }
        if let Face::Down(down) = &mut t.face {
            down.truncate(t.columns);
            down.iter_mut().for_each(|n| *n = (*n).min(1));
        }
    }
    if let (Some(stock), Some(t)) = (&mut s.stock, &s.tableau)
        && stock.to == To::Columns
    {
        stock.cards = stock.cards.min(2 * t.columns);
    }
    s
}
