//! Positions of described games as they lie on the table.

use csp_games::Suit;
use csp_games::table::{Pile, PileKind, Place, Position as Table};

use crate::piece::Piece;
use crate::position::Position;

/// The piles of a position: cells, reserve, stock, waste, hole, foundations, columns, rows.
pub(crate) fn position(p: &Position) -> Table {
    let mut piles = Vec::new();
    let letters = ('a'..='z').filter(|c| *c != 'h');
    for (i, symbol) in (0..p.rules.cells.count).zip(letters) {
        let card = p.cells.get(i);
        let name = format!("FC{}", i + 1);
        let pile = Pile::new(PileKind::Cell, name, symbol, card.map(|piece| piece.card));
        piles.push(pile);
    }
    let cards = |pieces: &[Piece]| pieces.iter().map(|p| p.card).collect::<Vec<_>>();
    if p.rules.reserve.is_some() {
        piles.push(Pile::new(PileKind::Reserve, "RP", "r", cards(&p.reserve)));
    }
    if p.rules.stock.is_some() {
        let mut stock = Pile::new(PileKind::Stock, "DP", "s", cards(&p.stock));
        stock.places.iter_mut().for_each(|place| place.up = false);
        piles.push(stock);
    }
    if p.rules.has_waste() {
        piles.push(Pile::new(PileKind::Waste, "WP", "w", cards(&p.waste)));
    }
    if p.rules.hole.is_some() {
        piles.push(Pile::new(PileKind::Foundation, "HP", "h", cards(&p.hole)));
    }
    if p.rules.foundations.is_some() {
        piles.extend(Suit::ALL.into_iter().map(|suit| {
            let home = p.home.iter().filter(|piece| piece.card.suit == suit);
            let mut home: Vec<_> = home.map(|piece| piece.card).collect();
            let ranks = p.rules.ranks;
            home.sort_by_key(|card| (card.rank + ranks - p.base) % ranks);
            let name = format!("FP{}", suit.letter());
            let mut pile = Pile::new(PileKind::Foundation, name, "h", home);
            pile.suit = Some(suit);
            pile
        }));
    }
    let column = |i: usize, cards: Vec<_>, down: usize| {
        let (name, symbol) = (format!("TP{}", i + 1), (i + 1).to_string());
        let mut pile = Pile::new(PileKind::Column, name, symbol, cards);
        let hidden = pile.places.iter_mut().take(down);
        hidden.for_each(|place| place.up = false);
        pile
    };
    let columns = p.columns.iter().enumerate();
    piles.extend(columns.map(|(i, c)| column(i, cards(&c.cards), c.down)));
    let heaps = p.piles.iter().enumerate();
    piles.extend(heaps.map(|(i, heap)| column(i, cards(heap), 0)));
    let rows = p.rows.chunks(usize::from(p.rules.ranks.max(1))).enumerate();
    piles.extend(rows.map(|(i, row)| {
        let (name, symbol) = (format!("R{}", i + 1), (i + 1).to_string());
        let mut pile = Pile::new(PileKind::Row, name, symbol, []);
        let place = |piece: &Option<Piece>| Place {
            card: piece.map(|p| p.card),
            up: true,
        };
        pile.places = row.iter().map(place).collect();
        pile
    }));
    Table::Cards(piles)
}
