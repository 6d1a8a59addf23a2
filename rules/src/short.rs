//! A game with a short pack: the same rules, with everything that counts cards made smaller. Whole state
//! spaces of short games can be compared.

use crate::description::{Base, Description, Face, Shape, To};
use crate::house::Places;
use crate::validate::{elsewhere, validate};

/// The game with this many ranks, at most two decks, and fewer columns, cells and cards elsewhere. The error
/// says why the game has no such pack: cards do not add up.
pub fn short(d: &Description, ranks: u8) -> Result<Description, String> {
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
    if s.tableau.is_some() {
        columns(d, &mut s, &scaled);
    } else if s.accordion.is_none() && s.gaps.is_none() {
        // All cards are in the stock.
        let outside = elsewhere(&s);
        if let Some(stock) = &mut s.stock {
            stock.cards = (stock.cards + after).saturating_sub(outside);
        }
    }
    let wrong = validate(&s, &Places::default());
    match wrong.first() {
        None => Ok(s),
        Some(first) => Err(format!("with {ranks} ranks: {}", first.message)),
    }
}

/// Fewer columns, and a card at least for each of them.
fn columns(d: &Description, s: &mut Description, scaled: &dyn Fn(usize) -> usize) {
    let wanted = d.tableau.as_ref().map_or(0, |t| t.columns);
    let fewest = 2.min(wanted);
    let columns = scaled(wanted).clamp(fewest, 6);
    // What lies outside gives way to the columns.
    let after = s.cards();
    while elsewhere(s) + columns > after {
        let cards = |n: Option<usize>| n.unwrap_or(0);
        let stock = cards(s.stock.as_ref().map(|s| s.cards));
        let reserve = cards(s.reserve.map(|r| r.cards));
        if stock.max(reserve) <= 1 {
            break;
        }
        match (&mut s.stock, &mut s.reserve) {
            (Some(stock), _) if stock.cards >= reserve => stock.cards -= 1,
            (_, Some(reserve)) => reserve.cards -= 1,
            _ => break,
        }
    }
    if let (Some(stock), true) = (&mut s.stock, d.deals_to_columns())
        && stock.to == To::Columns
    {
        stock.cards = stock.cards.min(2 * columns);
    }
    if let Some(t) = &mut s.tableau {
        t.columns = columns;
        if matches!(t.shape, Shape::Sizes(_)) {
            t.shape = Shape::Rounds;
        }
        if let Face::Down(down) = &mut t.face {
            down.truncate(t.columns);
            down.iter_mut().for_each(|n| *n = (*n).min(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use csp_games::deal::layout::Numbering;

    use super::*;
    use crate::{bundle, deal};

    /// Canfield with two ranks has too few cards for its columns: that is said, and nothing overflows.
    #[test]
    fn short_packs_deal_or_say_why_not() {
        let mut said = 0;
        for game in bundle::all() {
            for ranks in 1..=13 {
                match short(game, ranks) {
                    Ok(s) => {
                        let dealt = deal::deal(&Arc::new(s), Numbering::Ours, 1);
                        let cards = dealt.map(|p| p.card_count());
                        assert!(cards.is_ok(), "{}: {cards:?}", game.name);
                    }
                    Err(why) => {
                        said += 1;
                        assert!(!why.is_empty());
                    }
                }
            }
        }
        assert!(said < 40, "{said} short packs are refused");
    }

    #[test]
    fn contradictory_descriptions_are_not_dealt() {
        let mut d = (**bundle::find("canfield").expect("bundled")).clone();
        d.ranks = 2;
        let why = deal::deal(&Arc::new(d), Numbering::Ours, 1).expect_err("48 of 8 cards");
        assert!(why.contains("8"), "{why}");
    }
}
