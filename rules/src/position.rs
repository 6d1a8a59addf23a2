//! A game under way, by its description alone: positions, what may be done in them, and what follows.
//!
//! Equal cards of several decks are interchangeable on foundations: which of them lies on which pile is
//! not kept.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::description::{Description, Filler, Group, Order, Refill, To};
use crate::moves::{Move, Origin, Spot, Target};
use crate::piece::Piece;
use crate::term::{Case, Term};

/// A column: cards from the table upwards, the first `down` of them face down.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Column {
    /// The cards.
    pub cards: Vec<Piece>,
    /// How many are face down.
    pub down: usize,
}

/// A position.
#[derive(Clone, Debug)]
pub struct Position {
    pub(crate) rules: Arc<Description>,
    /// The rank that foundations begin with.
    pub base: u8,
    /// Columns.
    pub columns: Vec<Column>,
    /// Cards in cells.
    pub cells: Vec<Piece>,
    /// The reserve; of a stacked one the last can be played.
    pub reserve: Vec<Piece>,
    /// The stock; the last is next.
    pub stock: Vec<Piece>,
    /// The waste; the last can be played.
    pub waste: Vec<Piece>,
    /// How often the waste was turned over.
    pub redealt: usize,
    /// Cards at home.
    pub home: BTreeSet<Piece>,
    /// How many cards the piles of each line of foundations have, most first. Lines that are built downwards
    /// come after the others.
    pub heights: Vec<Vec<u8>>,
    /// The hole; the last counts.
    pub hole: Vec<Piece>,
    /// Rows with gaps, one after another.
    pub rows: Vec<Option<Piece>>,
    /// Piles of an accordion.
    pub piles: Vec<Vec<Piece>>,
}

/// What tells positions apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    columns: Vec<Column>,
    cells: Vec<Piece>,
    reserve: Vec<Piece>,
    stock: Vec<Piece>,
    waste: Vec<Piece>,
    redealt: usize,
    heights: Vec<Vec<u8>>,
    hole: Option<u8>,
    rows: Vec<Option<Piece>>,
    piles: Vec<Piece>,
    heaps: Vec<Vec<Piece>>,
}

impl Position {
    /// Without any card.
    #[must_use]
    pub fn empty(rules: Arc<Description>) -> Self {
        let decks = usize::from(rules.decks);
        let down = usize::from(rules.downward()).min(decks);
        let heights = match rules.foundations.as_ref().map(|f| f.order) {
            Some(Order::Suit) if down > 0 => {
                let mut heights = vec![vec![0; decks - down]; 4];
                heights.extend(vec![vec![0; down]; 4]);
                heights
            }
            Some(Order::Suit) => vec![vec![0; decks]; 4],
            Some(Order::Alternating) => vec![vec![0; 2 * decks]; 2],
            None => Vec::new(),
        };
        Self {
            rules,
            base: 1,
            columns: Vec::new(),
            cells: Vec::new(),
            reserve: Vec::new(),
            stock: Vec::new(),
            waste: Vec::new(),
            redealt: 0,
            home: BTreeSet::new(),
            heights,
            hole: Vec::new(),
            rows: Vec::new(),
            piles: Vec::new(),
        }
    }

    /// How many cards are on the table.
    #[must_use]
    pub fn card_count(&self) -> usize {
        let columns: usize = self.columns.iter().map(|c| c.cards.len()).sum();
        let piles: usize = self.piles.iter().map(Vec::len).sum();
        let single = [
            &self.cells,
            &self.reserve,
            &self.stock,
            &self.waste,
            &self.hole,
        ];
        let single: usize = single.iter().map(|cards| cards.len()).sum();
        columns + piles + single + self.home.len() + self.rows.iter().flatten().count()
    }

    /// The rules it is played by.
    #[must_use]
    pub fn rules(&self) -> &Arc<Description> {
        &self.rules
    }

    /// What tells it from other positions: the order of cells, and of columns without names, does not.
    #[must_use]
    pub fn key(&self) -> Key {
        let mut columns = self.columns.clone();
        if !self.rules.named_columns() {
            columns.sort();
        }
        let sorted = |cards: &[Piece], sort: bool| {
            let mut cards = cards.to_vec();
            if sort {
                cards.sort_unstable();
            }
            cards
        };
        Key {
            columns,
            cells: sorted(&self.cells, true),
            reserve: sorted(
                &self.reserve,
                self.rules.reserve.is_some_and(|r| !r.stacked && !r.by_rank),
            ),
            stock: self.stock.clone(),
            waste: self.waste.clone(),
            redealt: match self.rules.stock.as_ref().and_then(|s| s.redeals) {
                None => 0,
                Some(_) => self.redealt,
            },
            heights: self.heights.clone(),
            hole: self.hole.last().map(|p| p.card.rank),
            rows: self.rows.clone(),
            piles: self
                .piles
                .iter()
                .filter_map(|p| p.last().copied())
                .collect(),
            heaps: match self.rules.piles {
                Some(_) => self.piles.clone(),
                None => Vec::new(),
            },
        }
    }

    /// The line of foundations that a card belongs to, and its place in it, from 1.
    #[must_use]
    pub fn line(&self, piece: Piece) -> (usize, u8) {
        let ranks = self.rules.ranks;
        let place = (piece.card.rank + ranks - self.base) % ranks + 1;
        let line = match self.rules.foundations.as_ref().map(|f| f.order) {
            Some(Order::Alternating) => usize::from(piece.card.suit.is_red() != (place % 2 == 1)),
            _ => piece.card.suit as usize,
        };
        (line, place)
    }

    /// The line that is built downwards, and the place of a card in it.
    pub(crate) fn line_down(&self, piece: Piece) -> (usize, u8) {
        (
            4 + piece.card.suit as usize,
            self.rules.ranks + 1 - piece.card.rank,
        )
    }

    /// Puts a card on its foundation, which is waiting for it.
    pub(crate) fn put_home(&mut self, piece: Piece) {
        self.put_on_line(piece, self.line(piece));
    }

    /// Puts a card on its foundation that is built downwards.
    pub(crate) fn put_home_down(&mut self, piece: Piece) {
        self.put_on_line(piece, self.line_down(piece));
    }

    fn put_on_line(&mut self, piece: Piece, (line, place): (usize, u8)) {
        if let Some(height) = self.heights[line].iter_mut().find(|h| **h + 1 == place) {
            *height = place;
        }
        self.heights[line].sort_unstable_by(|a, b| b.cmp(a));
        self.home.insert(piece);
    }

    pub(crate) fn is_next_home(&self, (line, place): (usize, u8)) -> bool {
        let Some(f) = &self.rules.foundations else {
            return false;
        };
        !f.complete && self.heights[line].iter().any(|h| h + 1 == place)
    }

    /// The cards of the reserve that can be played.
    fn reserve_tops(&self) -> Vec<Piece> {
        match self.rules.reserve {
            Some(r) if r.stacked => self.reserve.last().copied().into_iter().collect(),
            Some(r) if r.by_rank => {
                let last = |i: usize| {
                    let rank = self.reserve[i].card.rank;
                    self.reserve[i + 1..].iter().all(|p| p.card.rank != rank)
                };
                let places = (0..self.reserve.len()).filter(|i| last(*i));
                places.map(|i| self.reserve[i]).collect()
            }
            _ => self.reserve.clone(),
        }
    }

    /// The game is won.
    #[must_use]
    pub fn is_won(&self) -> bool {
        if self.rules.gaps.is_some() {
            return self.rows_are_done();
        }
        if self.rules.accordion.is_some() {
            return self.piles.len() == 1;
        }
        if self.rules.hole.is_some() {
            return self.hole.len() == self.rules.cards();
        }
        self.home.len() == self.rules.cards()
    }

    fn rows_are_done(&self) -> bool {
        let ranks = usize::from(self.rules.ranks);
        let fixed = self.rules.gaps.is_some_and(|g| g.fixed);
        self.rows.chunks(ranks).enumerate().all(|(r, row)| {
            let Some(first) = row.first().copied().flatten() else {
                return ranks == 1;
            };
            (!fixed || first.card.suit as usize == r)
                && row.iter().enumerate().all(|(i, place)| match place {
                    None => i + 1 == ranks,
                    Some(p) => {
                        i + 1 < ranks
                            && usize::from(p.card.rank) == i + 2
                            && p.card.suit == first.card.suit
                    }
                })
        })
    }

    /// Every legal move, each once.
    #[must_use]
    pub fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.row_moves(&mut moves);
        self.stock_moves(&mut moves);
        for (column, cards) in self.columns.iter().enumerate() {
            self.column_moves(column, cards, &mut moves);
        }
        for &piece in &self.cells {
            self.single_moves(piece, Origin::Cell, &mut moves);
        }
        for piece in self.reserve_tops() {
            self.single_moves(piece, Origin::Reserve, &mut moves);
        }
        if let Some(&piece) = self.waste.last() {
            self.single_moves(piece, Origin::Waste, &mut moves);
        }
        if self.rules.foundations.as_ref().is_some_and(|f| f.back) {
            for &piece in &self.home {
                let (line, place) = self.line(piece);
                if self.heights[line].contains(&place) {
                    self.single_moves(piece, Origin::Home, &mut moves);
                }
            }
        }
        moves.sort_unstable();
        moves.dedup();
        moves
    }

    fn column_moves(&self, column: usize, cards: &Column, moves: &mut Vec<Move>) {
        let Some(top) = cards.cards.len().checked_sub(1) else {
            return;
        };
        for at in cards.down..=top {
            let piece = cards.cards[at];
            if self.is_complete(cards, at) {
                moves.push(Move::Complete(piece));
            }
            if !self.moves_as_one(cards, at) {
                continue;
            }
            let single = at == top;
            for to in self.places_for(piece, single, Filler::Columns, Some((column, at))) {
                moves.push(Move::Play(piece, Origin::Column, Target::Column(to)));
            }
            if single {
                self.leave(piece, Origin::Column, moves);
            }
        }
    }

    /// Whether the cards of a column from a place on move together.
    pub(crate) fn moves_as_one(&self, column: &Column, at: usize) -> bool {
        let group = &column.cards[at..];
        let Some(t) = &self.rules.tableau else {
            return false;
        };
        let run = || {
            self.rules.group().iter().any(|term| {
                group
                    .windows(2)
                    .all(|pair| self.lies(term, pair[1], pair[0]))
            })
        };
        match t.group {
            _ if group.len() == 1 => true,
            Group::One => false,
            Group::All => true,
            Group::Run(_) => run(),
            Group::Whole(_) => at == 0 && run(),
        }
    }

    fn lies(&self, term: &Term, piece: Piece, host: Piece) -> bool {
        term.holds(&Case {
            card: piece.card,
            host: Some(host.card),
            single: true,
            ranks: self.rules.ranks,
        })
    }

    /// Whether the cards of a column from a place on are a whole suit that may go home.
    fn is_complete(&self, column: &Column, at: usize) -> bool {
        let group = &column.cards[at..];
        self.rules.foundations.as_ref().is_some_and(|f| f.complete)
            && group.len() == usize::from(self.rules.ranks)
            && group.iter().enumerate().all(|(i, p)| {
                usize::from(p.card.rank) + i == usize::from(self.rules.ranks)
                    && p.card.suit == group[0].card.suit
            })
    }

    /// The places in columns where a card, or a group of which it is the lowest, may go.
    fn places_for(
        &self,
        piece: Piece,
        single: bool,
        filler: Filler,
        from: Option<(usize, usize)>,
    ) -> Vec<Spot> {
        let Some(t) = &self.rules.tableau else {
            return Vec::new();
        };
        let (build, spaces) = (self.rules.build(), self.rules.spaces());
        let case = |host: Option<Piece>| Case {
            card: piece.card,
            host: host.map(|p| p.card),
            single,
            ranks: self.rules.ranks,
        };
        let named = self.rules.named_columns();
        let mut spots = Vec::new();
        for (i, column) in self.columns.iter().enumerate() {
            if from.is_some_and(|(own, _)| own == i) {
                continue;
            }
            match column.cards.last() {
                Some(&host) => {
                    let room = t.limit.is_none_or(|limit| column.cards.len() < limit);
                    if room && build.holds(&case(Some(host))) {
                        spots.push(Spot::On(host));
                    }
                }
                // A whole column that goes to an empty one changes nothing where columns have no names.
                None if !named && from.is_some_and(|(_, at)| at == 0) => {}
                None if spaces.holds(&case(None)) && self.rules.fills_from(filler) => {
                    spots.push(Spot::Table(named.then_some(i)));
                }
                None => {}
            }
        }
        spots
    }

    /// Moves of a card that lies alone.
    fn single_moves(&self, piece: Piece, from: Origin, moves: &mut Vec<Move>) {
        let filler = match from {
            Origin::Cell => Filler::Cells,
            Origin::Reserve => Filler::Reserve,
            Origin::Home => Filler::Foundations,
            _ => Filler::Waste,
        };
        for to in self.places_for(piece, true, filler, None) {
            moves.push(Move::Play(piece, from, Target::Column(to)));
        }
        self.leave(piece, from, moves);
    }

    /// Moves of a single card to places outside the columns.
    fn leave(&self, piece: Piece, from: Origin, moves: &mut Vec<Move>) {
        let away = from != Origin::Home && self.rules.foundations.is_some();
        let (decks, down) = (self.rules.decks, self.rules.downward());
        if away && down < decks && self.is_next_home(self.line(piece)) {
            moves.push(Move::Play(piece, from, Target::Home));
        }
        if away && down > 0 && self.is_next_home(self.line_down(piece)) {
            moves.push(Move::Play(piece, from, Target::HomeDown));
        }
        if from != Origin::Cell && self.cells.len() < self.rules.cells.count {
            moves.push(Move::Play(piece, from, Target::Cell));
        }
        if self.hole_takes(piece) {
            moves.push(Move::Play(piece, from, Target::Hole));
        }
    }

    pub(crate) fn hole_takes(&self, piece: Piece) -> bool {
        let Some(hole) = self.rules.hole else {
            return false;
        };
        let Some(last) = self.hole.last() else {
            return true;
        };
        let (a, b) = (piece.card.rank, last.card.rank);
        let ends = [1, self.rules.ranks];
        a.abs_diff(b) == 1 || (hole.wrap && a != b && ends.contains(&a) && ends.contains(&b))
    }

    fn stock_moves(&self, moves: &mut Vec<Move>) {
        let Some(s) = &self.rules.stock else {
            return;
        };
        let Some(&next) = self.stock.last() else {
            let left = s.redeals.is_none_or(|n| self.redealt < n);
            let turned = match s.to {
                To::Waste => !self.waste.is_empty(),
                To::Piles => self.piles.iter().any(|p| !p.is_empty()),
                _ => false,
            };
            if turned && left {
                moves.push(Move::Again);
            }
            return;
        };
        match s.to {
            To::Waste => moves.push(Move::Turn),
            To::Piles => moves.push(Move::Deal),
            To::Columns => {
                if !s.full || self.columns.iter().all(|c| !c.cards.is_empty()) {
                    moves.push(Move::Deal);
                }
            }
            // What the stock gives to the hole need not fit.
            To::Hole => moves.push(Move::Play(next, Origin::Stock, Target::Hole)),
        }
    }

    fn row_moves(&self, moves: &mut Vec<Move>) {
        let ranks = usize::from(self.rules.ranks);
        if let Some(gaps) = self.rules.gaps {
            for (place, held) in self.rows.iter().enumerate() {
                if held.is_some() {
                    continue;
                }
                let (row, column) = (place / ranks, place % ranks);
                for &piece in self.rows.iter().flatten() {
                    let fits = if column == 0 {
                        piece.card.rank == 2 && (!gaps.fixed || piece.card.suit as usize == row)
                    } else {
                        self.rows[place - 1].is_some_and(|left| {
                            left.card.suit == piece.card.suit
                                && left.card.rank + 1 == piece.card.rank
                        })
                    };
                    if fits {
                        moves.push(Move::Fill(piece, place));
                    }
                }
            }
        }
        self.pile_moves(moves);
        if let Some(a) = &self.rules.accordion {
            let tops: Vec<Piece> = self
                .piles
                .iter()
                .filter_map(|p| p.last().copied())
                .collect();
            for (i, &piece) in tops.iter().enumerate() {
                for step in a.steps.iter().filter(|s| **s <= i) {
                    let onto = tops[i - step];
                    if self.lies(&a.build, piece, onto) {
                        moves.push(Move::Fold(piece, onto, i + 1, *step));
                    }
                }
            }
        }
    }

    fn pile_moves(&self, moves: &mut Vec<Move>) {
        let Some(rules) = &self.rules.piles else {
            return;
        };
        let top = |k: usize| self.piles.get(k).and_then(|p| p.last().copied());
        for from in 1..self.piles.len() {
            for to in 0..from {
                if let (Some(piece), Some(onto)) = (top(from), top(to))
                    && self.lies(&rules.build, piece, onto)
                {
                    moves.push(Move::Slide(piece, onto, from, to));
                }
            }
        }
        if let Some(first) = top(0) {
            let rank = first.card.rank;
            let equal = |k| top(k).is_some_and(|p| p.card.rank == rank);
            if (0..self.piles.len()).all(equal) {
                moves.push(Move::Discard(rank));
            }
        }
    }

    /// Picks the piles up: what was dealt first of the first pile is next.
    fn gather(&mut self) {
        let mut piles = std::mem::take(&mut self.piles);
        self.piles = vec![Vec::new(); piles.len()];
        if self.rules.piles.as_ref().is_some_and(|p| p.right_first) {
            piles.reverse();
        }
        self.stock = piles.concat();
        self.stock.reverse();
    }

    /// Makes a move, or says why it is not allowed.
    pub fn play(&mut self, m: Move) -> Result<(), String> {
        if !self.moves().contains(&m) {
            return Err(format!("{m} is not allowed now"));
        }
        self.make(m);
        Ok(())
    }

    /// Makes a move that is legal.
    pub fn make(&mut self, m: Move) {
        match m {
            Move::Play(piece, from, to) => {
                let group = self.lift(piece, from);
                self.put(group, to);
            }
            Move::Turn => {
                let turn = self.rules.stock.as_ref().map_or(1, |s| s.turn);
                for _ in 0..turn {
                    self.waste.extend(self.stock.pop());
                }
            }
            Move::Again if self.rules.piles.is_some() => {
                self.gather();
                self.redealt += 1;
            }
            Move::Again => {
                self.stock = std::mem::take(&mut self.waste);
                self.stock.reverse();
                self.redealt += 1;
            }
            Move::Slide(_, _, from, to) => {
                let piece = self.piles[from].pop();
                self.piles[to].extend(piece);
            }
            Move::Discard(_) => {
                let gone: Vec<Piece> = self.piles.iter_mut().filter_map(Vec::pop).collect();
                self.home.extend(gone);
            }
            Move::Deal if self.rules.piles.is_some() => {
                for pile in &mut self.piles {
                    pile.extend(self.stock.pop());
                }
            }
            Move::Deal => {
                for column in &mut self.columns {
                    if let Some(piece) = self.stock.pop() {
                        column.cards.push(piece);
                    }
                }
            }
            Move::Complete(piece) => {
                let group = self.lift(piece, Origin::Column);
                let line = piece.card.suit as usize;
                if let Some(height) = self.heights[line].iter_mut().find(|h| **h == 0) {
                    *height = self.rules.ranks;
                }
                self.heights[line].sort_unstable_by(|a, b| b.cmp(a));
                self.home.extend(group);
            }
            Move::Fill(piece, place) => {
                if let Some(old) = self.rows.iter_mut().find(|p| **p == Some(piece)) {
                    *old = None;
                }
                self.rows[place] = Some(piece);
            }
            Move::Fold(piece, onto, ..) => {
                let at = |top| self.piles.iter().position(|p| p.last() == Some(&top));
                if let (Some(from), Some(to)) = (at(piece), at(onto)) {
                    let moved = std::mem::take(&mut self.piles[from]);
                    self.piles[to].extend(moved);
                    self.piles.remove(from);
                }
            }
        }
        self.settle();
    }

    fn lift(&mut self, piece: Piece, from: Origin) -> Vec<Piece> {
        fn take(cards: &mut Vec<Piece>, piece: Piece) -> Vec<Piece> {
            let at = cards.iter().position(|p| *p == piece);
            at.map(|at| cards.remove(at)).into_iter().collect()
        }
        match from {
            Origin::Column => {
                for column in &mut self.columns {
                    if let Some(at) = column.cards.iter().position(|p| *p == piece) {
                        return column.cards.split_off(at);
                    }
                }
                Vec::new()
            }
            Origin::Cell => take(&mut self.cells, piece),
            Origin::Reserve => take(&mut self.reserve, piece),
            Origin::Waste => self.waste.pop().into_iter().collect(),
            Origin::Stock => self.stock.pop().into_iter().collect(),
            Origin::Home => {
                let (line, place) = self.line(piece);
                if let Some(height) = self.heights[line].iter_mut().find(|h| **h == place) {
                    *height -= 1;
                }
                self.heights[line].sort_unstable_by(|a, b| b.cmp(a));
                self.home.remove(&piece);
                vec![piece]
            }
        }
    }

    fn put(&mut self, group: Vec<Piece>, to: Target) {
        match to {
            Target::Cell => self.cells.extend(group),
            Target::Hole => self.hole.extend(group),
            Target::Home => group.into_iter().for_each(|p| self.put_home(p)),
            Target::HomeDown => group.into_iter().for_each(|p| self.put_home_down(p)),
            Target::Column(Spot::On(host)) => {
                let at = |c: &&mut Column| c.cards.last() == Some(&host);
                if let Some(column) = self.columns.iter_mut().find(at) {
                    column.cards.extend(group);
                }
            }
            Target::Column(Spot::Table(named)) => {
                let column = match named {
                    Some(at) => self.columns.get_mut(at),
                    None => self.columns.iter_mut().find(|c| c.cards.is_empty()),
                };
                if let Some(column) = column {
                    column.cards.extend(group);
                }
            }
        }
    }

    /// What happens by itself: cards are turned up, empty columns filled.
    pub(crate) fn settle(&mut self) {
        let refill = self
            .rules
            .tableau
            .as_ref()
            .map_or(Refill::Nobody, |t| t.refill);
        for column in &mut self.columns {
            if column.cards.is_empty() {
                let filler = match refill {
                    Refill::Nobody => None,
                    Refill::Reserve => self.reserve.pop(),
                    Refill::ReserveThenWaste => self.reserve.pop().or_else(|| self.waste.pop()),
                    Refill::WasteThenStock => self.waste.pop().or_else(|| self.stock.pop()),
                };
                column.cards.extend(filler);
            }
            column.down = column.down.min(column.cards.len().saturating_sub(1));
        }
    }
}
