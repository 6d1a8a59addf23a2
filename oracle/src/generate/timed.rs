//! Random programs in Timed sections: what is in [`super::terms`] where time passes, and `WAIT`, with
//! `tock` itself among the events now and then, with τ before `tock` in the assertions or in some
//! places, and with events that take no time, or more than one `tock`.

use super::{Case, terms};
use crate::events::{Events, MOST_EVENTS};
use crate::random::Random;
use crate::term::{Definitions, TOCK};

/// A case of this kind.
#[must_use]
pub fn case(seed: u64) -> Case {
    let mut random = Random::new(seed ^ 0x70CC);
    let mentioned = if random.percent(20) {
        MOST_EVENTS
    } else {
        1 + u8::try_from(random.below(2)).expect("few events")
    };
    let scope = terms::Scope {
        compressions: if random.percent(15) { 8 } else { 0 },
        divergence: 2,
        priority: if random.percent(30) { 6 } else { 0 },
        timed: true,
        ..terms::Scope::plain(mentioned)
    };
    let case = terms::case_in(&mut random, scope);
    let mut durations = [1; MOST_EVENTS as usize];
    if random.percent(35) {
        durations = durations.map(|_| u8::try_from(random.weighted(&[3, 3, 2])).expect("short"));
    }
    Case {
        definitions: Definitions {
            events: MOST_EVENTS,
            ..case.definitions
        },
        silence_over: random.percent(40).then_some(Events::one(TOCK)),
        timed: Some(durations),
        ..case
    }
}
