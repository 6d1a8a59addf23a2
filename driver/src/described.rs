//! Games that are described: a description and a deal become a script in memory.
//!
//! The text is that of [`csp_rules::model`]; the referee of the same description judges every play that is
//! found for it, as the hand-written referees do for the bundled models.

mod compare;

use std::path::Path;
use std::sync::Arc;

use csp_games::deal::layout::Numbering;
use csp_games::referee::Referee;
use csp_rules::model::{self, Options};
use csp_rules::position::Position;
pub use csp_rules::{Description, Reading, bundle, deal, layout, words};

use crate::files::{self, FileError};
use crate::play::{PositionReport, told_position};
use crate::script::Script;

pub use compare::{Compared, compare, smallest};

/// A described game and the numbers that its deals are counted by.
#[derive(Clone, Debug)]
pub struct DescribedGame {
    /// The rules.
    pub rules: Arc<Description>,
    /// How deals are numbered.
    pub numbering: Numbering,
}

/// What a word on the command line names.
pub enum Named {
    /// A script, or something that is taken for one.
    Script,
    /// A bundled game.
    Game(Arc<Description>),
    /// A description in a file, with what is wrong with it.
    Description(Box<Reading>),
}

/// What a word names: a file that is there before a bundled game. The error is a sentence: a description
/// cannot be read, or the word is neither a file nor a game.
pub fn named(word: &Path) -> Result<Named, String> {
    if word.exists() {
        return if bundle::is_description(word) {
            read_file(word).map(|reading| Named::Description(Box::new(reading)))
        } else {
            Ok(Named::Script)
        };
    }
    let name = word.to_string_lossy();
    let is_name = !name.contains(['/', '\\']) && word.extension().is_none() && name != "-";
    if !is_name {
        return Ok(Named::Script);
    }
    match bundle::find(&name) {
        Some(game) => Ok(Named::Game(Arc::clone(game))),
        None => Err(unknown(&name)),
    }
}

/// The largest description that is read from a file, in bytes.
const LARGEST: usize = 1 << 20;

/// Reads a description from a file. What it extends is a file beside it or a bundled game.
fn read_file(path: &Path) -> Result<Reading, String> {
    let text = file_text(path)?;
    let name = path
        .file_stem()
        .map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let mut load = |name: &str| {
        let beside = ["toml", "json"].map(|ending| folder.join(format!("{name}.{ending}")));
        match beside.iter().find(|file| file.is_file()) {
            Some(file) => file_text(file),
            None => bundle::text_of(name),
        }
    };
    Ok(csp_rules::read(
        &name,
        &path.to_string_lossy(),
        &text,
        &mut load,
    ))
}

fn file_text(path: &Path) -> Result<String, String> {
    let told = |reason: &str| format!("cannot read {}: {reason}", path.display());
    if path.is_dir() {
        return Err(told("it is not a file"));
    }
    let text = files::read(path).map_err(|error| told(&error.reason))?;
    if text.len() > LARGEST {
        return Err(told("a description has at most 1 MiB"));
    }
    Ok(text)
}

/// The sentence for a word that is neither a file nor a game.
#[must_use]
pub fn unknown(name: &str) -> String {
    let near = bundle::nearest(name);
    if near.is_empty() {
        format!("'{name}' is neither a file nor a game; 'csp games' lists the games")
    } else {
        let near: Vec<String> = near.iter().map(|n| format!("'{n}'")).collect();
        format!(
            "'{name}' is neither a file nor a game; did you mean {}?",
            near.join(" or ")
        )
    }
}

impl DescribedGame {
    /// A game with its own numbering, or another.
    #[must_use]
    pub fn new(rules: Arc<Description>, numbering: Option<Numbering>) -> Self {
        let numbering = numbering.unwrap_or(rules.numbering);
        Self { rules, numbering }
    }

    /// The deal that is meant where none is named.
    #[must_use]
    pub fn usual_deal(&self) -> u64 {
        self.rules
            .won
            .filter(|_| self.numbering == self.rules.numbering)
            .unwrap_or(1)
    }

    /// The position that a deal begins with; the error is a sentence.
    pub fn deal(&self, number: u64) -> Result<Position, String> {
        deal::deal(&self.rules, self.numbering, number)
    }

    /// A deal as it lies on the table.
    pub fn position(&self, number: u64) -> Result<PositionReport, String> {
        let position = self.deal(number)?;
        Ok(told_position(&Referee::position(&position)))
    }

    /// A deal, drawn.
    pub fn drawn(&self, number: u64) -> Result<String, String> {
        self.deal(number).map(|position| position.draw())
    }

    /// The model of a deal. With `forced`, cards that do no harm at home go there by themselves.
    pub fn model(&self, number: u64, forced: bool) -> Result<String, String> {
        let position = self.deal(number)?;
        Ok(model::model(
            &position,
            Options {
                forced,
                undealt: false,
            },
        ))
    }

    /// The script of a deal.
    pub fn script(&self, number: u64) -> Result<Script, FileError> {
        let named = |reason: String| FileError {
            path: self.rules.name.clone(),
            reason,
        };
        let position = self.deal(number).map_err(named)?;
        let text = model::model(
            &position,
            Options {
                forced: true,
                undealt: false,
            },
        );
        script_of(&position, text)
    }
}

impl DescribedGame {
    /// The script of no deal yet: every part waits to be told how it starts.
    pub(crate) fn undealt(&self) -> Result<Script, FileError> {
        let named = |reason: String| FileError {
            path: self.rules.name.clone(),
            reason,
        };
        let position = self.deal(self.usual_deal()).map_err(named)?;
        let options = Options {
            forced: true,
            undealt: true,
        };
        let mut script = script_of(&position, model::model(&position, options))?;
        script.described = None;
        Ok(script)
    }
}

/// The script with a text that is about a position.
fn script_of(position: &Position, text: String) -> Result<Script, FileError> {
    let includes_nothing = &mut |path: &str| Err(format!("{path} is not there"));
    let name = &position.rules().name;
    let mut script = Script::from_text(name, text, includes_nothing, &[])?;
    script.described = Some(Arc::new(position.clone()));
    Ok(script)
}

/// The script that asks whether every play of the stricter game is one of the looser, with packs of this
/// many ranks. The error says why the two cannot be compared.
pub fn within(
    looser: &DescribedGame,
    stricter: &DescribedGame,
    ranks: u8,
    deal: u64,
) -> Result<String, String> {
    let dealt = |game: &DescribedGame| {
        let short = csp_rules::short::short(&game.rules, ranks)
            .map_err(|why| format!("{}: {why}", game.rules.name))?;
        DescribedGame::new(Arc::new(short), Some(looser.numbering)).deal(deal)
    };
    model::together(&dealt(looser)?, &dealt(stricter)?)
}
