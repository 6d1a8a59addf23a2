//! Random programs in which some events give way to others: `prioritise` and `prioritisepo` inside
//! terms and around parts of networks, and assertions with `tau priority over`. Compressions inside
//! may be of any kind: what they do must not be seen through a priority.

use super::{Case, networks, terms};
use crate::events::Events;
use crate::random::Random;

/// A case of this kind.
#[must_use]
pub fn case(seed: u64) -> Case {
    let mut random = Random::new(seed ^ 0x0DDE);
    let inside = *random.pick(&[0, 8, 15]);
    let mut case = if random.percent(50) {
        terms::case(seed, inside)
    } else {
        networks::case(seed, inside)
    };
    if inside == 0 || random.percent(30) {
        let bits = 1 + random.below((1 << case.definitions.events) - 1);
        case.silence_over = Some(Events(u8::try_from(bits).expect("few events")));
    }
    case
}
