//! A game beside the process that plays it: its referee follows what the process does, hidden events and what is
//! chased by their names, so that positions can be drawn and moves told in the words of the game.
//!
//! The referee knows the rules and no CSP. Where it does not accept an event, because the process is only a part of
//! the game, there is no position from there on, and it is said why.

use std::cell::RefCell;
use std::collections::HashMap;

use csp_checker::Step;
use csp_games::referee::Referee;
use csp_lts::EventTable;

use super::Explorer;
use crate::play::{PositionReport, told_position};
use crate::referee::Start;

type Seated = Result<Box<dyn Referee + Send>, String>;

/// A game whose moves the process makes.
pub(super) struct Played {
    start: Start,
    /// By visit, the referee there.
    seats: RefCell<HashMap<usize, Seated>>,
}

/// A position of the game that the process plays.
#[derive(Clone, Debug)]
pub struct Board {
    /// What the game is called.
    pub game: String,
    /// What lies where.
    pub position: PositionReport,
    /// It is won.
    pub won: bool,
    /// The score, if the game has one.
    pub score: Option<i32>,
}

/// Has the referee follow steps.
fn followed(
    mut referee: Box<dyn Referee + Send>,
    steps: &[Step],
    events: &EventTable,
    game: &str,
) -> Seated {
    for step in steps {
        let event = events.name(step.revealed);
        let judged = referee.play_event(&event);
        judged.map_err(|why| format!("the rules of {game} do not have {event}: {why}"))?;
    }
    Ok(referee)
}

impl Explorer {
    /// The process plays a game from this start.
    pub(crate) fn plays(&mut self, start: Start) {
        let seat = start.seat();
        let seat = seat.and_then(|seat| followed(seat, &self.opening, &self.events, start.name()));
        self.game = Some(Played {
            start,
            seats: RefCell::new(HashMap::from([(0, seat)])),
        });
    }

    /// The referee where we are.
    fn seat(&self) -> Option<Seated> {
        let game = self.game.as_ref()?;
        let mut seats = game.seats.borrow_mut();
        let mut way = Vec::new();
        let mut at = self.now;
        while !seats.contains_key(&at) {
            let (before, _) = self.visits[at].from.as_ref()?;
            way.push(at);
            at = *before;
        }
        let copied = |seat: &Seated| match seat {
            Ok(referee) => Ok(referee.copied()),
            Err(why) => Err(why.clone()),
        };
        let mut seat = copied(&seats[&at]);
        for visit in way.into_iter().rev() {
            let steps = self.visits[visit].from.as_ref().map(|(_, steps)| steps);
            let steps = steps.map_or(&[][..], Vec::as_slice);
            seat = seat.and_then(|seat| followed(seat, steps, &self.events, game.start.name()));
            seats.insert(visit, copied(&seat));
        }
        Some(seat)
    }

    /// The position of the game that the process plays, if it plays one; or why there is none any more.
    #[must_use]
    pub fn board(&self) -> Option<Result<Board, String>> {
        let name = self.game.as_ref()?.start.name().to_owned();
        let seat = self.seat()?;
        Some(seat.map(|referee| Board {
            game: name,
            position: told_position(&referee.position()),
            won: referee.is_won(),
            score: referee.score(),
        }))
    }

    /// The options in the words of the game, where they are moves of it.
    pub(super) fn in_words(&self) -> Vec<Option<String>> {
        let Some(Ok(referee)) = self.seat() else {
            return vec![None; self.next.len()];
        };
        let next = self.next.iter().map(|successor| {
            let event = self.events.name(successor.steps[0].revealed);
            referee.copied().play_event(&event).ok().flatten()
        });
        next.collect()
    }
}
