//! Positions of described games as they lie on the table.

use csp_games::table::{Pile, PileKind, Place, Position as Table};
use csp_games::{Card, Suit};

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
    match p.rules.reserve {
        Some(r) if r.by_rank => piles.extend((1..=p.rules.ranks).map(|rank| {
            let own = p.reserve.iter().filter(|piece| piece.card.rank == rank);
            let own: Vec<_> = own.map(|piece| piece.card).collect();
            Pile::new(PileKind::Reserve, format!("RP{rank}"), "r", own)
        })),
        Some(_) => piles.push(Pile::new(PileKind::Reserve, "RP", "r", cards(&p.reserve))),
        None => {}
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
    if p.rules.downward() > 0 {
        piles.extend(up_and_down(p));
    } else if p.rules.foundations.is_some() {
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

/// Foundations of both kinds: which card of two equal ones lies where is not kept, so that cards are told by the
/// heights of the piles.
fn up_and_down(p: &Position) -> Vec<Pile> {
    let mut piles = Vec::new();
    for (line, heights) in p.heights.iter().enumerate() {
        let suit = Suit::ALL[line % 4];
        let (letter, down) = if line < 4 { ("P", false) } else { ("D", true) };
        let height = heights.first().copied().unwrap_or(0);
        let rank = |place: u8| {
            if down {
                p.rules.ranks + 1 - place
            } else {
                place
            }
        };
        let home: Vec<Card> = (1..=height).map(|h| Card::new(rank(h), suit)).collect();
        let name = format!("F{letter}{}", suit.letter());
        let mut pile = Pile::new(PileKind::Foundation, name, "h", home);
        pile.suit = Some(suit);
        piles.push(pile);
    }
    piles
}
