//! From a game, a numbering and a number to the position at the start.

use super::{microsoft, park_miller, pysol, rounds, solvitaire};
use crate::board::Board;
use crate::card::Card;
use crate::referee::{Game, Referee, freecell, klondike, montana};

/// Where a number comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// Microsoft's FreeCell, up to 2^33 - 1.
    Microsoft,
    /// `PySolFC`; numbers up to 32000 are Microsoft's.
    Pysol,
    /// `PySol` up to version 4, by its own generator.
    OldPysol,
    /// Solvitaire's seeds.
    Solvitaire,
    /// Ours: see [`park_miller`].
    Ours,
}

impl Numbering {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Microsoft,
        Self::Pysol,
        Self::OldPysol,
        Self::Solvitaire,
        Self::Ours,
    ];

    /// The numbering that the bundled model of a game uses.
    #[must_use]
    pub fn of_model(game: Game) -> Self {
        match game {
            Game::FreeCell => Self::Microsoft,
            _ => Self::Ours,
        }
    }

    /// Whether a game is dealt by it.
    #[must_use]
    pub fn is_for(self, game: Game) -> bool {
        match self {
            Self::Microsoft | Self::Pysol | Self::OldPysol => game == Game::FreeCell,
            Self::Solvitaire => {
                matches!(game, Game::FreeCell | Game::KingAlbert | Game::Klondike)
            }
            Self::Ours => matches!(game, Game::KingAlbert | Game::Klondike | Game::Montana),
        }
    }

    /// The name, as the command line writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Microsoft => "microsoft",
            Self::Pysol => "pysol",
            Self::OldPysol => "old-pysol",
            Self::Solvitaire => "solvitaire",
            Self::Ours => "ours",
        }
    }
}

/// The largest number of our own numbering: larger ones would repeat deals.
pub const LAST_OF_OURS: u64 = (1 << 31) - 3;

/// The numbers of a numbering.
#[must_use]
pub fn numbers(numbering: Numbering) -> std::ops::RangeInclusive<u64> {
    match numbering {
        Numbering::Microsoft => 1..=microsoft::LAST,
        Numbering::Pysol | Numbering::OldPysol => 0..=u64::MAX,
        Numbering::Solvitaire => 0..=u64::from(u32::MAX),
        Numbering::Ours => 0..=LAST_OF_OURS,
    }
}

/// The position of a deal with a full pack, ready to be played; the error is a sentence.
pub fn start(
    game: Game,
    numbering: Numbering,
    number: u64,
) -> Result<Box<dyn Referee + Send>, String> {
    let range = numbers(numbering);
    if !range.contains(&number) {
        return Err(format!(
            "deal {number} is out of range: {} numbers run from {} to {}",
            numbering.name(),
            range.start(),
            range.end()
        ));
    }
    let seed = || u32::try_from(number).expect("seeds have 32 bits");
    let freecell = |pack: &[Card]| Board {
        columns: rounds(pack, 8),
        ..Board::default()
    };
    let held = |(columns, cells): (Vec<Vec<Card>>, Vec<Card>)| Board {
        columns,
        cells,
        home: [0; 4],
    };
    let board = match (game, numbering) {
        (Game::FreeCell, Numbering::Microsoft) => {
            freecell(&microsoft::deal(number, 13).expect("in range"))
        }
        (Game::FreeCell, Numbering::Pysol) => {
            let generator = if number <= 32_000 {
                pysol::Generator::Microsoft
            } else {
                pysol::Generator::Current
            };
            freecell(&pysol::deal(number, generator))
        }
        (Game::FreeCell, Numbering::OldPysol) => {
            freecell(&pysol::deal(number, pysol::Generator::Classic))
        }
        (Game::FreeCell, Numbering::Solvitaire) => {
            let mut pack = solvitaire::shuffled(seed(), 13);
            pack.reverse();
            freecell(&pack)
        }
        (Game::KingAlbert, Numbering::Ours) => held(triangle(&park_miller::deal(number, 13), 9)),
        (Game::KingAlbert, Numbering::Solvitaire) => held(solvitaire::king_albert(seed())),
        (Game::Klondike, Numbering::Ours) => {
            let (columns, stock) = triangle(&park_miller::deal(number, 13), 7);
            return Ok(klondike_game(columns, stock));
        }
        (Game::Klondike, Numbering::Solvitaire) => {
            let (columns, mut stock) = solvitaire::klondike(seed());
            stock.reverse();
            return Ok(klondike_game(columns, stock));
        }
        (Game::Montana, Numbering::Ours) => {
            let pack = park_miller::deal(number, 13);
            let places: Vec<_> = pack
                .into_iter()
                .map(|c| Some(c).filter(|c| c.rank > 1))
                .collect();
            return Ok(Box::new(montana::Referee::new(&places, 13, false)?));
        }
        (Game::Golf | Game::Peg | Game::Sudoku, _) => {
            return Err(format!("{} has no numbered deals", game.name()));
        }
        _ => {
            let all = Numbering::ALL.into_iter();
            let known = all.filter(|n| n.is_for(game));
            let known: Vec<&str> = known.map(Numbering::name).collect();
            return Err(format!(
                "there is no {} numbering for {}: it has {}",
                numbering.name(),
                game.name(),
                known.join(", ")
            ));
        }
    };
    let cells = if game == Game::FreeCell { 4 } else { 0 };
    Ok(Box::new(freecell::Referee::new(board, cells, 13)))
}

fn klondike_game(columns: Vec<Vec<Card>>, stock: Vec<Card>) -> Box<dyn Referee + Send> {
    let rules = klondike::Rules {
        ranks: 13,
        draw: 1,
        passes: 0,
    };
    Box::new(klondike::Referee::new(columns, stock, rules))
}

/// Columns of 1, 2, … cards, one after another, and what is left.
#[must_use]
pub fn triangle(pack: &[Card], columns: usize) -> (Vec<Vec<Card>>, Vec<Card>) {
    let mut rest = pack;
    let mut dealt = Vec::new();
    for length in 1..=columns {
        let (column, after) = rest.split_at(length.min(rest.len()));
        dealt.push(column.to_vec());
        rest = after;
    }
    (dealt, rest.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_dealt_by_its_own_numbering() {
        for game in [
            Game::FreeCell,
            Game::KingAlbert,
            Game::Klondike,
            Game::Montana,
        ] {
            let drawn = start(game, Numbering::of_model(game), 7)
                .expect("dealt")
                .draw();
            let cards = drawn.split_whitespace().map(|w| w.trim_matches(['<', '>']));
            let count = cards.filter(|w| Card::parse(w).is_some()).count();
            assert_eq!(
                count,
                if game == Game::Montana { 48 } else { 52 },
                "{drawn}"
            );
        }
        for game in Game::ALL {
            for numbering in Numbering::ALL {
                let dealt = start(game, numbering, 1);
                assert_eq!(dealt.is_ok(), numbering.is_for(game), "{}", game.name());
            }
        }
        assert!(start(Game::Peg, Numbering::Ours, 1).is_err());
        assert!(start(Game::FreeCell, Numbering::Microsoft, 0).is_err());
        assert!(start(Game::Montana, Numbering::Pysol, 1).is_err());
    }
}
