//! The referee of any game that is described: it judges the events of a model by the rules alone, and
//! draws positions.

use std::fmt::Write;

use csp_games::{Card, Suit};

use crate::moves::Move;
use crate::piece::Piece;
use crate::position::Position;

/// Events of the models that are no moves: what follows from a move by itself.
pub(crate) const BOOKKEEPING: [&str; 27] = [
    "tells",
    "settled",
    "topIs",
    "topKnown",
    "closes",
    "follows",
    "leaves",
    "lands",
    "dealt",
    "starts",
    "climbs",
    "rises",
    "refill",
    "refillTurn",
    "turns",
    "stays",
    "skips",
    "stops",
    "goes",
    "takes",
    "puts",
    "picks",
    "shows",
    "bare",
    "none",
    "stockHas",
    "reserveHas",
];

impl csp_games::referee::Referee for Position {
    fn play_event(&mut self, event: &str) -> Result<Option<String>, String> {
        let channel = event.split('.').next().unwrap_or_default();
        if channel == "done" {
            return if self.is_won() {
                Ok(None)
            } else {
                Err("the game is not won".to_owned())
            };
        }
        if BOOKKEEPING.contains(&channel) {
            return Ok(None);
        }
        let m = Move::from_event(event, self.rules.decks)
            .ok_or_else(|| format!("{event} is no move of {}", self.rules.title))?;
        self.play(m)?;
        Ok(Some(m.to_string()))
    }

    fn is_won(&self) -> bool {
        Self::is_won(self)
    }

    fn draw(&self) -> String {
        draw(self)
    }

    fn position(&self) -> csp_games::table::Position {
        crate::table::position(self)
    }

    fn copied(&self) -> Box<dyn csp_games::referee::Referee + Send> {
        Box::new(self.clone())
    }

    fn carry(
        &self,
        from: &csp_games::table::Pile,
        to: &csp_games::table::Pile,
        amount: usize,
    ) -> Result<(), String> {
        self.reason(from, to, amount)
    }
}

/// The position in the form that fc-solve and PySol write: face-down cards in angle brackets.
fn draw(p: &Position) -> String {
    let join = |cards: &[Piece]| {
        let cards: Vec<String> = cards.iter().map(Piece::to_string).collect();
        cards.join(" ")
    };
    let mut out = String::new();
    if p.rules.foundations.is_some() {
        let _ = writeln!(out, "Foundations: {}", foundations(p));
    }
    if p.rules.hole.is_some() {
        let last = p
            .hole
            .last()
            .map_or_else(|| "-".to_owned(), Piece::to_string);
        let _ = writeln!(out, "Hole: {last} ({} cards)", p.hole.len());
    }
    if p.rules.cells.count > 0 {
        let mut cells: Vec<String> = p.cells.iter().map(Piece::to_string).collect();
        cells.resize(p.rules.cells.count.max(cells.len()), "-".to_owned());
        let _ = writeln!(out, "Freecells: {}", cells.join(" "));
    }
    if p.rules.reserve.is_some() {
        let _ = writeln!(out, "Reserve: {}", join(&p.reserve));
    }
    if p.rules.stock.is_some() {
        let next: Vec<Piece> = p.stock.iter().rev().copied().collect();
        let _ = writeln!(out, "Talon: {}", join(&next));
    }
    if p.rules.has_waste() {
        let _ = writeln!(out, "Waste: {}", join(&p.waste));
    }
    for column in &p.columns {
        let cards: Vec<String> = column
            .cards
            .iter()
            .enumerate()
            .map(|(i, card)| {
                if i < column.down {
                    format!("<{card}>")
                } else {
                    card.to_string()
                }
            })
            .collect();
        let _ = writeln!(out, ": {}", cards.join(" "));
    }
    for row in p.rows.chunks(usize::from(p.rules.ranks)) {
        let places = row.iter().map(|place| match place {
            Some(piece) => piece.to_string(),
            None => "--".to_owned(),
        });
        let places: Vec<String> = places.collect();
        let _ = writeln!(out, "{}", places.join(" "));
    }
    if p.rules.piles.is_some() {
        for pile in &p.piles {
            let _ = writeln!(out, ": {}", join(pile));
        }
    } else if !p.piles.is_empty() {
        let tops: Vec<Piece> = p.piles.iter().filter_map(|p| p.last().copied()).collect();
        let _ = writeln!(out, "{}", join(&tops));
    }
    out
}

fn foundations(p: &Position) -> String {
    let rank = |height: u8| match height {
        0 => "0".to_owned(),
        h => Card::new((h + p.base - 2) % p.rules.ranks + 1, Suit::Clubs).rank_text(),
    };
    if p.heights.len() == 8 {
        return up_and_down(p);
    }
    let names: Vec<String> = match p.heights.len() {
        4 => Suit::ALL.iter().map(|s| s.letter().to_string()).collect(),
        _ => vec!["red".to_owned(), "black".to_owned()],
    };
    let lines = names.iter().zip(&p.heights);
    let piles = lines
        .flat_map(|(name, heights)| heights.iter().map(move |h| format!("{name}-{}", rank(*h))));
    piles.collect::<Vec<_>>().join(" ")
}

/// Foundations of both kinds: those that are built downwards follow a stroke.
fn up_and_down(p: &Position) -> String {
    let card = |rank: u8| Card::new(rank, Suit::Clubs).rank_text();
    let show = |line: usize, top: &dyn Fn(u8) -> u8| {
        let suit = Suit::ALL[line % 4].letter();
        let piles = p.heights[line].iter().map(move |h| match h {
            0 => format!("{suit}-0"),
            h => format!("{suit}-{}", card(top(*h))),
        });
        piles.collect::<Vec<_>>()
    };
    let ranks = p.rules.ranks;
    let up: Vec<String> = (0..4).flat_map(|line| show(line, &|h| h)).collect();
    let down: Vec<String> = (4..8)
        .flat_map(|line| show(line, &|h| ranks + 1 - h))
        .collect();
    format!("{} / {}", up.join(" "), down.join(" "))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use csp_games::deal::layout::{Numbering, start};
    use csp_games::referee::{Game, Referee};

    use crate::deal::deal;
    use crate::description::Description;
    use crate::moves::Move;
    use crate::reading::read;

    fn game(text: &str) -> Arc<Description> {
        let reading = read("game", "game", text, &mut |_| Err(String::new()));
        Arc::new(
            reading
                .description
                .unwrap_or_else(|| panic!("{:?}", reading.diagnostics)),
        )
    }

    const FREECELL: &str =
        "[tableau]\ncolumns = 8\nbuild = \"down alternating\"\n[cells]\ncount = 4\n[foundations]\n";
    const KLONDIKE: &str = r#"{ "tableau piles": { "count": 7, "build policy": "red-black",
        "spaces policy": "kings", "diagonal deal": true, "move built group": "yes",
        "face up cards": "top" }, "foundations": { "removable": true },
        "stock": { "size": 24, "deal count": 1, "redeal": true } }"#;

    /// Deals of the hand-written referees come out the same.
    #[test]
    fn deals_agree_with_those_of_the_bundled_games() {
        let cards = |text: &str| -> Vec<String> {
            let columns = text.lines().filter(|l| l.starts_with(':'));
            columns.map(str::to_owned).collect()
        };
        for (rules, other, numbering) in [
            (FREECELL, Game::FreeCell, Numbering::Microsoft),
            (FREECELL, Game::FreeCell, Numbering::Solvitaire),
            (FREECELL, Game::FreeCell, Numbering::Pysol),
            (KLONDIKE, Game::Klondike, Numbering::Ours),
            (KLONDIKE, Game::Klondike, Numbering::Solvitaire),
        ] {
            for number in [1, 617, 100_000] {
                let ours = deal(&game(rules), numbering, number).expect("dealt");
                let theirs = start(other, numbering, number).expect("dealt");
                assert_eq!(cards(&ours.draw()), cards(&theirs.draw()), "{numbering:?}");
            }
        }
    }

    /// Random plays are accepted by the hand-written referee of the same game.
    #[test]
    fn plays_of_klondike_are_klondike() {
        let rules = game(KLONDIKE);
        for seed in 1..6u64 {
            let mut position = deal(&rules, Numbering::Ours, seed).expect("dealt");
            let mut other = csp_games::referee::klondike::Referee::new(
                position
                    .columns
                    .iter()
                    .map(|c| c.cards.iter().map(|p| p.card).collect())
                    .collect(),
                position.stock.iter().rev().map(|p| p.card).collect(),
                csp_games::referee::klondike::Rules {
                    ranks: 13,
                    draw: 1,
                    passes: 0,
                },
            );
            let mut random = seed;
            for _ in 0..300 {
                let moves = position.moves();
                // A king that heads its column and goes to an empty one changes nothing.
                let changes = |m: &csp_games::referee::klondike::Move| {
                    let mut after = other.clone();
                    after.play(*m).is_ok()
                        && after.unscored().canonical() != other.unscored().canonical()
                };
                let theirs = other.moves().iter().filter(|m| changes(m)).count();
                assert_eq!(moves.len(), theirs, "{}", position.draw());
                if moves.is_empty() {
                    break;
                }
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let m = moves[(random >> 33) as usize % moves.len()];
                use crate::moves::{Spot, Target};
                use csp_games::referee::klondike::Move as Other;
                let same = match m {
                    Move::Turn => Other::Draw,
                    Move::Again => Other::TurnOver,
                    Move::Play(p, _, Target::Home) => Other::Home(p.card),
                    Move::Play(p, _, Target::Column(Spot::On(host))) => {
                        Other::Move(p.card, Some(host.card))
                    }
                    Move::Play(p, _, _) => Other::Move(p.card, None),
                    other => panic!("{other} in Klondike"),
                };
                let event = m.event(1);
                assert_eq!(Move::from_event(&event, 1), Some(m), "{event}");
                position.play_event(&event).expect("legal");
                other.play(same).expect("legal there too");
            }
        }
    }

    #[test]
    fn cards_of_two_decks_are_told_apart_in_events() {
        let two =
            "[pack]\ndecks = 2\n[tableau]\ncolumns = 10\nbuild = \"down in suit\"\n[foundations]\n";
        let position = deal(&game(two), Numbering::Ours, 3).expect("dealt");
        for m in position.moves() {
            assert_eq!(Move::from_event(&m.event(2), 2), Some(m));
        }
        assert_eq!(
            position
                .columns
                .iter()
                .map(|c| c.cards.len())
                .sum::<usize>(),
            104
        );
    }
}
