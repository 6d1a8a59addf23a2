//! Which state of one system does the same as a state of another: the way back through a strong
//! bisimulation.

use std::sync::Arc;

use csp_lts::{EventId, EventSet, Lts, LtsBuilder, StateId};

use super::sbisim::refined;
use crate::budget::Budget;
use crate::outcome::Limit;

/// For each state of the first system a state of the second that is strongly bisimilar to it, if there is
/// one: the first such state.
pub fn correspondence(
    first: &Lts,
    second: &Lts,
    budget: &Budget<'_>,
) -> Result<Vec<Option<StateId>>, Limit> {
    let count = first.state_count();
    let place = |state: StateId, base: usize| {
        let place = state.0 as usize + base;
        StateId(u32::try_from(place).expect("states are numbered by u32"))
    };
    // One more state, which leads to all others, so that each of them can be reached.
    let everything = count + second.state_count();
    let root = StateId(u32::try_from(everything).expect("states are numbered by u32"));
    let mut builder = LtsBuilder::new();
    for (lts, base) in [(first, 0), (second, count)] {
        for state in lts.states() {
            let edges = lts.edges(state).iter();
            builder.state(edges.map(|e| (Arc::clone(lts.label(e)), place(e.target, base))));
        }
    }
    let tau = Arc::new(EventSet::single(EventId::TAU));
    builder.state((0..root.0).map(|state| (Arc::clone(&tau), StateId(state))));
    let both = builder.finish(root);
    let classes = refined(&both, &vec![0; everything + 1], budget)?;
    let mut member = vec![None; classes.len()];
    for state in second.states().collect::<Vec<_>>().into_iter().rev() {
        member[classes[place(state, count).0 as usize] as usize] = Some(state);
    }
    Ok(classes[..count]
        .iter()
        .map(|&c| member[c as usize])
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{NoObserver, Options};

    #[test]
    fn an_unrolled_loop_corresponds_to_the_loop() {
        let a = Arc::new(EventSet::single(EventId(3)));
        let looped = |count: u32, dead_end: bool| {
            let mut builder = LtsBuilder::new();
            for state in 0..count {
                builder.state([(Arc::clone(&a), StateId((state + 1) % count))]);
            }
            if dead_end {
                builder.state([]);
            }
            builder.finish(StateId(0))
        };
        let options = Options::default();
        let budget = Budget::new(&options, &NoObserver);
        let found = correspondence(&looped(3, true), &looped(1, false), &budget);
        let found = found.expect("there is no limit");
        let only = Some(StateId(0));
        assert_eq!(found, [only, only, only, None]);
    }
}
