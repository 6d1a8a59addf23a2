//! Standard FreeCell notation: two characters for a move, source and target; columns are 1 to 8,
//! cells a to d, the foundations h. Ten moves on a line.
//!
//! Moves home that the game makes by itself are not written: twos and aces, and cards whose rank the
//! other colour has all but reached. Our own rule forces some more, and those are written. A move
//! to an empty column says `v1` where a longer run could be meant. Cards that are carried together are one
//! move, which says how many only where they come to an empty column.

use std::fmt::Write;

use crate::board::Board;
use crate::card::{Card, Suit};
use crate::referee::Referee as _;
use crate::referee::freecell::{Move, Referee, Target};
use crate::runs::{Run, runs};
use crate::table::Position;

/// The notation of a play, or why it is none: an illegal move, or more columns or cells than there
/// are characters.
pub fn standard(board: &Board, cells: usize, ranks: u8, play: &[Move]) -> Result<String, String> {
    if board.columns.len() > 9 || cells > 7 {
        return Err("standard notation has nine columns and seven cells at most".to_owned());
    }
    let mut slots: Vec<Option<Card>> = board.cells.iter().map(|c| Some(*c)).collect();
    slots.resize(slots.len().max(cells), None);
    let mut referee = Referee::new(board.clone(), cells, ranks);
    let mut written = Vec::new();
    let together = together(referee.clone(), play)?;
    for (number, m) in play.iter().enumerate() {
        let before = referee.board().clone();
        referee.play(*m)?;
        let column_of = |card: Card| before.columns.iter().position(|c| c.last() == Some(&card));
        let slot_of = |slots: &[Option<Card>], card| slots.iter().position(|c| *c == card);
        let mut text = String::new();
        let from = column_of(m.card);
        match from {
            Some(column) => text.push(digit(column)),
            None => {
                let slot =
                    slot_of(&slots, Some(m.card)).expect("what is in no column is in a cell");
                slots[slot] = None;
                text.push(letter(slot));
            }
        }
        match m.target {
            Target::Home => {
                if goes_by_itself(&before, m.card) {
                    continue;
                }
                text.push('h');
            }
            Target::Cell => {
                let slot = slot_of(&slots, None).expect("the referee found a free cell");
                slots[slot] = Some(m.card);
                text.push(letter(slot));
            }
            Target::Card(host) => {
                text.push(digit(
                    column_of(host).expect("the referee found the column"),
                ));
            }
            Target::EmptyColumn => {
                let empty = before.columns.iter().position(Vec::is_empty);
                text.push(digit(empty.expect("the referee found an empty column")));
                if from.is_some_and(|column| ends_in_a_run(&before.columns[column])) {
                    text.push_str("v1");
                }
            }
        }
        match together
            .iter()
            .find(|(run, _)| (run.first..run.first + run.moves).contains(&number))
        {
            None => written.push(text),
            Some((run, text)) if run.first == number => written.push(text.clone()),
            Some(_) => {}
        }
    }
    let lines: Vec<String> = written.chunks(10).map(|line| line.join(" ")).collect();
    Ok(lines.join("\n") + "\n")
}

/// The runs of a play, each as it is written.
fn together(mut referee: Referee, play: &[Move]) -> Result<Vec<(Run, String)>, String> {
    let mut positions: Vec<Position> = vec![referee.position()];
    for m in play {
        referee.play(*m)?;
        positions.push(referee.position());
    }
    let written = |run: Run| {
        let piles = positions[run.first].piles();
        let mut text = format!("{}{}", piles[run.from].symbol, piles[run.to].symbol);
        if piles[run.to].places.is_empty() {
            let _ = write!(text, "v{:x}", run.cards.len());
        }
        (run, text)
    };
    Ok(runs(&positions).into_iter().map(written).collect())
}

fn digit(column: usize) -> char {
    char::from(b'1' + u8::try_from(column).expect("at most nine columns"))
}

/// `h` is taken, so seven cells go from a to g.
fn letter(slot: usize) -> char {
    char::from(b'a' + u8::try_from(slot).expect("at most seven cells"))
}

fn ends_in_a_run(column: &[Card]) -> bool {
    matches!(column, [.., under, card] if card.goes_on(*under))
}

fn goes_by_itself(board: &Board, card: Card) -> bool {
    let others = Suit::ALL
        .into_iter()
        .filter(|s| s.is_red() != card.suit.is_red());
    card.rank <= 2
        || others
            .into_iter()
            .all(|suit| board.home[suit as usize] + 1 >= card.rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_written_as_players_write_them() {
        let text = "3S 2D AC AD\n2C AH 2H\n3C AS 2S\n3H\n3D\n";
        let board = Board::parse(text, 3).expect("a board");
        let play: Vec<Move> = [
            ("2S", Some("3H")),
            ("2H", None),
            ("AD", Some("")),
            ("AC", Some("")),
            ("2D", Some("")),
            ("AH", Some("")),
            ("2H", Some("")),
        ]
        .into_iter()
        .map(|(card, target)| Move {
            card: Card::parse(card).expect("a card"),
            target: match target {
                None => Target::Cell,
                Some("") => Target::Home,
                Some(host) => Target::Card(Card::parse(host).expect("a card")),
            },
        })
        .collect();
        // Aces and twos go home by themselves.
        assert_eq!(standard(&board, 2, 3, &play).as_deref(), Ok("34 2a\n"));
        let wrong = [play[2], play[4]];
        assert!(standard(&board, 2, 3, &wrong).is_err());
    }
}
