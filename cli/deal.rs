//! `deal`: a numbered deal, drawn; and boards from files for the verbs that take one.

use std::io::IsTerminal;
use std::path::Path;

use csp_driver::deal::{self, Game, Numbering};
use csp_driver::described::bundle;

use crate::args::{DealArguments, DealNumbering};
use crate::cards::CardStyle;
use crate::games;
use crate::output::{Failure, Terminal};

pub(crate) fn run(options: &DealArguments, terminal: &Terminal) -> Result<u8, Failure> {
    let number = games::number(&options.number)?;
    // A game without numbers of its own may be described under the same name.
    let dealt = |game: &Game| Numbering::ALL.iter().any(|n| n.is_for(*game));
    let game = Game::from_name(&options.game);
    let is_described = bundle::find(&options.game).is_some();
    let (position, drawn) = match game.filter(|game| dealt(game) || !is_described) {
        Some(game) => {
            let asked = options.numbering.map(Into::into);
            let numbering = asked.unwrap_or_else(|| Numbering::of_model(game));
            let position = deal::position(game, numbering, number);
            (position, deal::draw(game, numbering, number))
        }
        None => {
            let path = Path::new(&options.game);
            let game = games::named(path, options.numbering, terminal)?.ok_or_else(|| {
                Failure::Message(format!("{} is a script, not a game", options.game))
            })?;
            (game.position(number), game.drawn(number))
        }
    };
    // People read columns downwards; programs, and --board, read lines.
    if options.drawn || (std::io::stdout().is_terminal() && !options.lines) {
        let style = CardStyle {
            colour: terminal.colour,
            ascii: terminal.ascii,
            open: true,
        };
        let position = position.map_err(Failure::Message)?;
        return terminal
            .print_painted(&style.position(&position))
            .map(|()| 0);
    }
    terminal
        .print(&drawn.map_err(Failure::Message)?)
        .map(|()| 0)
}

impl From<DealNumbering> for Numbering {
    fn from(numbering: DealNumbering) -> Self {
        match numbering {
            DealNumbering::Microsoft => Self::Microsoft,
            DealNumbering::Pysol => Self::Pysol,
            DealNumbering::OldPysol => Self::OldPysol,
            DealNumbering::Solvitaire => Self::Solvitaire,
            DealNumbering::Ours => Self::Ours,
        }
    }
}

/// The ranks of a suit: a short pack is told by the definition of RANKS.
fn ranks(defines: &[String]) -> Result<u8, String> {
    let ranks = defines.iter().find_map(|define| {
        let (name, value) = define.split_once('=')?;
        (name.trim() == "RANKS").then(|| value.trim().parse::<u8>().ok())
    });
    match ranks {
        None => Ok(13),
        Some(Some(ranks)) if (1..=13).contains(&ranks) => Ok(ranks),
        Some(_) => Err("a board needs RANKS from 1 to 13".to_owned()),
    }
}

/// The definitions by which the model of a game starts from the board in a file.
pub(crate) fn board(game: Game, path: &Path, defines: &[String]) -> Result<Vec<String>, Failure> {
    let wrong = |reason: String| Failure::Message(format!("{}: {reason}", path.display()));
    let text = std::fs::read_to_string(path)
        .map_err(|e| Failure::Message(format!("cannot read {}: {e}", path.display())))?;
    let ranks = ranks(defines).map_err(wrong)?;
    deal::definitions(game, &text, ranks).map_err(wrong)
}

/// The definitions by which the model of a game starts from a deal of another numbering.
pub(crate) fn numbered(
    game: Game,
    numbering: DealNumbering,
    deal: &str,
    defines: &[String],
) -> Result<Vec<String>, Failure> {
    let number = deal
        .parse::<u64>()
        .map_err(|_| Failure::Message(format!("'{deal}' is not the number of a deal")))?;
    match ranks(defines) {
        Ok(13) => {}
        _ => {
            let why = "other numberings deal whole packs: leave RANKS out";
            return Err(Failure::Message(why.to_owned()));
        }
    }
    deal::numbered(game, numbering.into(), number).map_err(Failure::Message)
}
