//! Replays plays by the rules alone: one file for each game.
//!
//! A referee is given a position and moves, says whether each is legal, and whether the game is won.
//! The moves come as the events of the bundled models, so that a play that the checker finds can be
//! judged word by word.

pub mod freecell;
pub mod golf;
pub mod klondike;
pub mod montana;
pub mod peg;
pub mod sudoku;

use crate::board::Board;
use crate::model::Shown;
use crate::table::{Pile, PileKind, Position};

/// A game under way.
pub trait Referee {
    /// Makes the move that an event of the model stands for and says it in words; nothing for events
    /// that are no moves. The error says why the move is not allowed, or that the game is not won when
    /// the model says that it is done.
    fn play_event(&mut self, event: &str) -> Result<Option<String>, String>;

    /// The game is won.
    fn is_won(&self) -> bool;

    /// The position, drawn.
    fn draw(&self) -> String;

    /// The position as it lies on the table.
    fn position(&self) -> Position;

    /// The game as it stands, to be played on apart.
    fn copied(&self) -> Box<dyn Referee + Send>;

    /// The score, if the game has one.
    fn score(&self) -> Option<i32> {
        None
    }

    /// Whether the last `amount` cards of a pile may go to another one; the error says why not.
    fn carry(&self, from: &Pile, to: &Pile, _amount: usize) -> Result<(), String> {
        Err(format!("nothing goes from {} to {}", from.name, to.name))
    }
}

/// What `done` says must be true.
fn done(referee: &dyn Referee) -> Result<Option<String>, String> {
    if referee.is_won() {
        Ok(None)
    } else {
        Err("the game is not won".to_owned())
    }
}

/// A game that has a referee and a bundled model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Game {
    /// FreeCell.
    FreeCell,
    /// Golf.
    Golf,
    /// King Albert.
    KingAlbert,
    /// Klondike.
    Klondike,
    /// Montana, or Gaps.
    Montana,
    /// Peg solitaire.
    Peg,
    /// Sudoku.
    Sudoku,
}

impl Game {
    /// All games.
    pub const ALL: [Self; 7] = [
        Self::FreeCell,
        Self::Golf,
        Self::KingAlbert,
        Self::Klondike,
        Self::Montana,
        Self::Peg,
        Self::Sudoku,
    ];

    /// The name that models and the command line use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::FreeCell => "freecell",
            Self::Golf => "golf",
            Self::KingAlbert => "king-albert",
            Self::Klondike => "klondike",
            Self::Montana => "montana",
            Self::Peg => "peg",
            Self::Sudoku => "sudoku",
        }
    }

    /// The game of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|game| game.name() == name)
    }

    /// What a referee has to know of a model, as an expression in its scope.
    #[must_use]
    pub fn expression(self) -> &'static str {
        match self {
            Self::FreeCell => "(RANKS, columns, seq(held), AT_HOME, CELLS)",
            Self::Golf => "(RANKS, columns, start, stock, WRAP)",
            Self::KingAlbert => "(RANKS, columns, seq(held))",
            Self::Klondike => "(RANKS, columns, stock, DRAW, PASSES)",
            Self::Montana => "(RANKS, dealt, FIXED_SUITS)",
            Self::Peg => "(START, GOAL, LATTICE)",
            Self::Sudoku => "(BOX, PUZZLE)",
        }
    }

    /// To what kind of pile a card goes by each channel of the model.
    #[must_use]
    pub fn targets(self) -> &'static [(&'static str, PileKind)] {
        use PileKind::{Cell, Column, Foundation, Row};
        match self {
            Self::FreeCell | Self::KingAlbert => &[
                ("stackToStack", Column),
                ("cellToStack", Column),
                ("stackToTable", Column),
                ("cellToTable", Column),
                ("stackToCell", Cell),
                ("stackHome", Foundation),
                ("cellHome", Foundation),
            ],
            Self::Golf => &[("play", Foundation)],
            Self::Klondike => &[
                ("toColumn", Column),
                ("wasteToColumn", Column),
                ("backToColumn", Column),
                ("toTable", Column),
                ("wasteToTable", Column),
                ("backToTable", Column),
                ("home", Foundation),
                ("wasteHome", Foundation),
            ],
            Self::Montana => &[("move", Row)],
            Self::Peg | Self::Sudoku => &[],
        }
    }

    /// A referee for the position that the printed value of [`Game::expression`] describes.
    pub fn referee(self, shown: &str) -> Result<Box<dyn Referee + Send>, String> {
        let value = Shown::parse(shown)?;
        let facts = value.items()?;
        Ok(match (self, facts) {
            (Self::FreeCell, _) => {
                let (board, cells, ranks) = Board::from_model(shown)?;
                Box::new(freecell::Referee::new(board, cells, ranks))
            }
            (Self::Golf, [ranks, columns, start, stock, wrap]) => {
                let columns = columns.items()?.iter().map(Shown::cards);
                let (columns, stock) = (columns.collect::<Result<_, _>>()?, stock.cards()?);
                let (ranks, wrap) = (ranks.number()?, wrap.truth()?);
                Box::new(golf::Referee::new(
                    columns,
                    start.card()?,
                    stock,
                    ranks,
                    wrap,
                ))
            }
            (Self::KingAlbert, [ranks, columns, held]) => {
                let board = board(columns, held)?;
                Box::new(freecell::Referee::new(board, 0, ranks.number()?))
            }
            (Self::Klondike, [ranks, columns, stock, draw, passes]) => {
                let columns = columns.items()?.iter().map(Shown::cards);
                let rules = klondike::Rules {
                    ranks: ranks.number()?,
                    draw: draw.number()?,
                    passes: passes.number()?,
                };
                let columns = columns.collect::<Result<_, _>>()?;
                Box::new(klondike::Referee::new(columns, stock.cards()?, rules))
            }
            (Self::Montana, [ranks, places, fixed]) => {
                let places = places.items()?.iter();
                let places = places.map(|p| match p {
                    Shown::Atom(gap) if gap == "Gap" => Ok(None),
                    card => card.card().map(Some),
                });
                let places: Vec<_> = places.collect::<Result<_, _>>()?;
                let ranks: u8 = ranks.number()?;
                Box::new(montana::Referee::new(&places, ranks, fixed.truth()?)?)
            }
            (Self::Peg, [start, goal, lattice]) => {
                let rows = |shown: &Shown| -> Result<Vec<String>, String> {
                    shown.items()?.iter().map(Shown::text).collect()
                };
                let lattice = match lattice {
                    Shown::Atom(name) => peg::Lattice::from_name(name),
                    _ => None,
                };
                let lattice = lattice.ok_or("the lattice is neither Square nor Triangular")?;
                Box::new(peg::Referee::new(&rows(start)?, &rows(goal)?, lattice)?)
            }
            (Self::Sudoku, [side, puzzle]) => {
                let rows: Result<Vec<String>, String> =
                    puzzle.items()?.iter().map(Shown::text).collect();
                Box::new(sudoku::Referee::new(side.number()?, &rows?)?)
            }
            _ => {
                return Err(format!(
                    "{shown} does not describe a game of {}",
                    self.name()
                ));
            }
        })
    }
}

/// Columns and held cards.
pub(crate) fn board(columns: &Shown, held: &Shown) -> Result<Board, String> {
    let columns = columns.items()?.iter().map(Shown::cards);
    Ok(Board {
        columns: columns.collect::<Result<_, _>>()?,
        cells: held.cards()?,
        home: [0; 4],
    })
}

impl Board {
    /// The board, cells and ranks of the FreeCell model, from the value of [`Game::expression`].
    pub fn from_model(shown: &str) -> Result<(Self, usize, u8), String> {
        let value = Shown::parse(shown)?;
        let [ranks, columns, held, home, cells] = value.items()? else {
            return Err(format!("{shown} does not describe a game of freecell"));
        };
        let mut board = board(columns, held)?;
        for (n, shown) in board.home.iter_mut().zip(home.items()?) {
            *n = shown.number()?;
        }
        Ok((board, cells.number()?, ranks.number()?))
    }
}
