//! What ✓ means for refusals.
//!
//! By default ✓ is an event that can be refused like any other: a stable state that offers ✓ and `a`
//! accepts exactly {✓, a}, an unstable one accepts nothing, and a terminated process is a stable
//! state that offers nothing, hence deadlocked.
//!
//! The books (Roscoe 1998 and 2010) read ✓ as a *signal* which the environment cannot stop: a state
//! that can do ✓, stable or not, may at any moment decide to do nothing else. It therefore has the
//! single acceptance {✓}, so it refuses every other event, and its other events count as done from
//! an unstable state. This is what `P ; SKIP` does to `P` operationally. Termination is then not a
//! deadlock. Traces and divergences are the same under both readings.

use csp_lts::{EventId, EventSet};

use crate::judge::Offers;
use crate::options::Options;

/// Which of the two readings is in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Termination {
    /// ✓ can be refused, termination is deadlock.
    Event,
    /// ✓ is a signal, termination is not deadlock.
    Signal,
}

const ONLY_TICK: [EventId; 1] = [EventId::TICK];

impl Termination {
    /// The reading that the options ask for.
    #[must_use]
    pub fn of(options: &Options) -> Self {
        if options.textbook_termination {
            Self::Signal
        } else {
            Self::Event
        }
    }

    /// The acceptance of an implementation state: what it offers when nothing more can happen by
    /// itself, or `None` if it cannot be observed to refuse anything.
    #[must_use]
    pub fn acceptance<'a>(self, offers: Offers<'a>) -> Option<&'a [EventId]> {
        // ✓ is the smallest of the events that can be offered.
        if self == Self::Signal && offers.events.first() == Some(&EventId::TICK) {
            return Some(&ONLY_TICK);
        }
        (!offers.tau).then_some(offers.events)
    }

    /// The same for a state of an explicit system, given its visible events and ✓.
    #[must_use]
    pub fn acceptance_set(self, events: &EventSet, tau: bool) -> Option<EventSet> {
        if self == Self::Signal && events.contains(EventId::TICK) {
            return Some(EventSet::single(EventId::TICK));
        }
        (!tau).then(|| events.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_leaves_nothing_else_accepted() {
        let events = [EventId::TICK, EventId(3)];
        let (stable, unstable) = (
            Offers {
                events: &events,
                tau: false,
            },
            Offers {
                events: &events,
                tau: true,
            },
        );
        assert_eq!(Termination::Event.acceptance(stable), Some(&events[..]));
        assert_eq!(Termination::Event.acceptance(unstable), None);
        assert_eq!(Termination::Signal.acceptance(stable), Some(&ONLY_TICK[..]));
        assert_eq!(
            Termination::Signal.acceptance(unstable),
            Some(&ONLY_TICK[..])
        );
    }
}
