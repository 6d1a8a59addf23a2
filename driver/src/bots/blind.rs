//! The blind bot of the Petri-net model: on numbered deals of Klondike, or on the one sorted deck of the
//! listing.

use csp_games::deal::layout::{Numbering, start};
use csp_games::petri::{Blind, Dice, Klondike, sorted_deck};
use csp_games::referee::Game;
use csp_games::setup::Setup;

use super::{End, GameReport, INTERRUPTED, Shown, Watch};
use crate::play::told_position;

/// What the blind bot is dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlindDeck {
    /// The numbered deal of `models/klondike.csp`.
    Shuffled,
    /// The deck of the report's listing, whatever the number: it only tells the games apart.
    Sorted,
}

/// One game.
pub(super) fn play(
    blind: &Blind,
    deck: BlindDeck,
    deal: i64,
    seed: u64,
    mut shown: Option<&mut Watch<'_>>,
) -> Result<GameReport, String> {
    let number = u64::try_from(deal).map_err(|_| format!("{deal} is not the number of a deal"))?;
    let game = match deck {
        BlindDeck::Sorted => Klondike::deal(sorted_deck(), 7),
        BlindDeck::Shuffled => {
            let referee = start(Game::Klondike, Numbering::Ours, number)?;
            let setup = Setup::of_position(&referee.position());
            Klondike::start(&setup.columns, &setup.stock)
        }
    };
    let told = |number: u64, game: &Klondike| Shown {
        number,
        text: if number == 0 {
            String::new()
        } else {
            format!("command {number}")
        },
        position: told_position(&game.position()),
        score: Some(game.score()),
    };
    let mut tell = |number: u64, game: &Klondike| match &mut shown {
        Some(shown) => shown(&told(number, game)),
        None => true,
    };
    let mut goes_on = tell(0, &game);
    let mut dice = Dice::new(seed, number);
    let played = blind.play_shown(game, &mut dice, &mut |number, game| {
        goes_on = goes_on && tell(number, game);
        goes_on
    });
    if !goes_on {
        return Err(INTERRUPTED.to_owned());
    }
    Ok(GameReport {
        deal,
        end: if played.won { End::Won } else { End::Limit },
        moves: played.accepted,
        commands: Some(played.commands),
        score: Some(played.score),
    })
}
