//! `deal`: a numbered deal, drawn; and boards from files for the verbs that take one.

use std::path::Path;

use csp_driver::deal::{self, Game, Numbering};

use crate::args::{DealArguments, DealNumbering};
use crate::output::{Failure, Terminal};

pub(crate) fn run(options: &DealArguments, terminal: &Terminal) -> Result<u8, Failure> {
    let game = Game::from_name(&options.game).ok_or_else(|| {
        let names: Vec<&str> = Game::ALL.iter().map(|g| g.name()).collect();
        Failure::Message(format!(
            "'{}' is not one of {}",
            options.game,
            names.join(", ")
        ))
    })?;
    let number = options.number.parse::<u64>().map_err(|_| {
        Failure::Message(format!("'{}' is not the number of a deal", options.number))
    })?;
    let numbering = match options.numbering {
        None => Numbering::of_model(game),
        Some(DealNumbering::Microsoft) => Numbering::Microsoft,
        Some(DealNumbering::Pysol) => Numbering::Pysol,
        Some(DealNumbering::Solvitaire) => Numbering::Solvitaire,
        Some(DealNumbering::Ours) => Numbering::Ours,
    };
    let drawn = deal::draw(game, numbering, number).map_err(Failure::Message)?;
    terminal.print(&drawn).map(|()| 0)
}

/// The definitions by which a model starts from the board in a file. A short pack is told by the
/// definition of RANKS.
pub(crate) fn board(path: &Path, defines: &[String]) -> Result<Vec<String>, Failure> {
    let wrong = |reason: String| Failure::Message(format!("{}: {reason}", path.display()));
    let text = std::fs::read_to_string(path)
        .map_err(|e| Failure::Message(format!("cannot read {}: {e}", path.display())))?;
    let ranks = defines.iter().find_map(|define| {
        let (name, value) = define.split_once('=')?;
        (name.trim() == "RANKS").then(|| value.trim().parse::<u8>().ok())
    });
    let ranks = match ranks {
        None => 13,
        Some(Some(ranks)) if (1..=13).contains(&ranks) => ranks,
        Some(_) => return Err(wrong("a board needs RANKS from 1 to 13".to_owned())),
    };
    deal::definitions(&text, ranks).map_err(wrong)
}
