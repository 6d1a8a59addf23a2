//! States as terms: a state that is a named process is called by that name, any other by the nearest
//! name and the events that lead from it: `Philosopher(0) after takes.0.0`.
//!
//! Names are found breadth-first from all named states at once, so what a state is called depends on
//! its transition system alone, and is as short as it can be.

use std::collections::VecDeque;

use csp_lts::{EventId, Lts, StateId};

/// Events that are listed one by one after a name.
const LISTED: usize = 4;

/// How the states of one transition system can be reached from those that have names.
pub(crate) struct Terms {
    /// For each state the one before it and the event between them; a state that has a name, or cannot be
    /// reached, has none.
    before: Vec<Option<(StateId, EventId)>>,
}

impl Terms {
    /// Finds a shortest way to every state from those that have names.
    pub(crate) fn new(lts: &Lts, named: impl IntoIterator<Item = StateId>) -> Self {
        let mut before = vec![None; lts.state_count()];
        let mut seen = vec![false; lts.state_count()];
        let mut waiting = VecDeque::new();
        for state in named {
            if let Some(seen) = seen.get_mut(state.0 as usize)
                && !std::mem::replace(seen, true)
            {
                waiting.push_back(state);
            }
        }
        while let Some(state) = waiting.pop_front() {
            for edge in lts.edges(state) {
                let target = edge.target.0 as usize;
                if seen[target] {
                    continue;
                }
                let Some(event) = lts.label(edge).iter().next() else {
                    continue;
                };
                seen[target] = true;
                before[target] = Some((state, event));
                waiting.push_back(edge.target);
            }
        }
        Self { before }
    }

    /// The named state from which a state is reached, and the events in between.
    pub(crate) fn way(&self, mut state: StateId) -> (StateId, Vec<EventId>) {
        let mut events = Vec::new();
        while let Some((before, event)) = self.before.get(state.0 as usize).copied().flatten() {
            events.push(event);
            state = before;
        }
        events.reverse();
        (state, events)
    }
}

/// A name and the events after it, in words.
pub(crate) fn after(name: &str, events: &[String]) -> String {
    match events {
        [] => name.to_owned(),
        few if few.len() <= LISTED => format!("{name} after {}", few.join(", ")),
        [first, .., last] => format!("{name} after {first} … {last} ({} events)", events.len()),
        [_] => unreachable!("one event is few"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use csp_lts::{EventSet, LtsBuilder};

    use super::*;

    #[test]
    fn the_nearest_name_is_used() {
        let mut builder = LtsBuilder::new();
        let on = |event| Arc::new(EventSet::single(EventId(event)));
        for next in [1, 2, 3, 0] {
            builder.state([(on(10 + next), StateId(next))]);
        }
        let lts = builder.finish(StateId(0));
        let terms = Terms::new(&lts, [StateId(0), StateId(2)]);
        assert_eq!(terms.way(StateId(1)), (StateId(0), vec![EventId(11)]));
        assert_eq!(terms.way(StateId(2)), (StateId(2), vec![]));
        assert_eq!(terms.way(StateId(3)), (StateId(2), vec![EventId(13)]));
    }

    #[test]
    fn long_ways_are_abbreviated() {
        let events: Vec<String> = (0..6).map(|i| format!("e.{i}")).collect();
        assert_eq!(after("P", &[]), "P");
        assert_eq!(after("P", &events[..2]), "P after e.0, e.1");
        assert_eq!(after("P", &events), "P after e.0 … e.5 (6 events)");
    }
}
