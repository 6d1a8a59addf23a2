//! Which rules can take part in a cycle of τ, found without looking at any state of the network.
//!
//! Going round a cycle, every component comes back to where it was, so the moves that it makes form a
//! closed walk through its own transition system, by events of rules on the cycle. A rule that asks
//! one of its participants for an event whose transitions all lead out of a strong component of the
//! transitions that rules still in question ask for is on no cycle. Taking it away takes more such
//! transitions away, until nothing changes. What remains may be more than what is on cycles, never
//! less; in most models it is nothing, since hidden loops go through a visible event somewhere.
//!
//! Chased rules happen within a step, so they are in question, too. Priority takes steps away and
//! matters to no part of this. A reset is a move from anywhere to a fixed state.

use csp_lts::{ComponentId, EventId, EventSet, Lts, Network, StateId};

/// Rounds after which what remains is taken as it is.
const MOST_ROUNDS: usize = 64;

/// For each rule of a network whether it can be on a cycle of τ, or be chased on one.
pub(crate) fn rules_on_cycles(network: &Network) -> Vec<bool> {
    let mut open: Vec<bool> = network
        .rules
        .iter()
        .map(|rule| rule.result == EventId::TAU)
        .collect();
    for rule in network.chases.iter().flat_map(|chase| chase.rules.iter()) {
        open[rule.0 as usize] = true;
    }
    let mut asked: Vec<EventSet> = vec![EventSet::empty(); network.components.len()];
    // What each component can do again and again of what it is asked for.
    let mut round = asked.clone();
    for _ in 0..MOST_ROUNDS {
        let next = questions(network, &open);
        for (component, (events, resets)) in next.into_iter().enumerate() {
            if events != asked[component] {
                let lts = &network.components[component].lts;
                round[component] = inside_components(lts, &events, &resets);
                asked[component] = events;
            }
        }
        let mut changed = false;
        for (rule, open) in network.rules.iter().zip(&mut open) {
            let can_return = |(component, event): &(ComponentId, EventId)| {
                round[component.0 as usize].contains(*event)
            };
            if *open && !rule.participants.iter().all(can_return) {
                (*open, changed) = (false, true);
            }
        }
        if !changed {
            break;
        }
    }
    open
}

/// For each component the events that the rules in question ask it for, and where they put it.
fn questions(network: &Network, open: &[bool]) -> Vec<(EventSet, Vec<StateId>)> {
    let mut questions = vec![(Vec::new(), Vec::new()); network.components.len()];
    for (rule, _) in network.rules.iter().zip(open).filter(|(_, open)| **open) {
        for (component, event) in &rule.participants {
            questions[component.0 as usize]
                .0
                .push((event.0, event.0 + 1));
        }
        for (component, state) in &rule.resets {
            questions[component.0 as usize].1.push(*state);
        }
    }
    let finish = |(ranges, mut resets): (Vec<(u32, u32)>, Vec<StateId>)| {
        resets.sort_unstable();
        resets.dedup();
        (EventSet::from_ranges(ranges), resets)
    };
    questions.into_iter().map(finish).collect()
}

/// The events among those asked for that have a transition from which the component can come back.
fn inside_components(lts: &Lts, asked: &EventSet, resets: &[StateId]) -> EventSet {
    let live: Vec<bool> = lts
        .labels()
        .iter()
        .map(|label| !label.intersection(asked).is_empty())
        .collect();
    // Whatever is put into a fixed state can be so from anywhere.
    if !resets.is_empty() {
        let labels = lts.labels().iter().zip(live).filter(|(_, live)| *live);
        let ranges = labels.flat_map(|(label, _)| label.ranges().to_vec());
        return EventSet::from_ranges(ranges.collect());
    }
    let component = components(lts, &live);
    let mut inside = vec![false; live.len()];
    for state in lts.states() {
        for edge in lts.edges(state) {
            let label = edge.label as usize;
            inside[label] |=
                live[label] && component[state.0 as usize] == component[edge.target.0 as usize];
        }
    }
    let labels = lts
        .labels()
        .iter()
        .zip(inside)
        .filter(|(_, inside)| *inside);
    let ranges = labels.flat_map(|(label, _)| label.ranges().to_vec());
    EventSet::from_ranges(ranges.collect())
}

/// The number of the strong component of each state, over the edges whose label is live (Tarjan's
/// algorithm, without recursion).
fn components(lts: &Lts, live: &[bool]) -> Vec<u32> {
    const NEW: u32 = u32::MAX;
    let count = lts.state_count();
    let (mut low, mut component) = (vec![NEW; count], vec![NEW; count]);
    let (mut open, mut frames, mut numbered, mut found) = (Vec::new(), Vec::new(), 0u32, 0u32);
    for root in lts.states().map(|state| state.0) {
        if low[root as usize] != NEW {
            continue;
        }
        frames.push((root, 0, numbered));
        while let Some((state, next, number)) = frames.last_mut() {
            let at = *state as usize;
            if *next == 0 {
                low[at] = numbered;
                numbered += 1;
                open.push(*state);
            }
            let edges = lts.edges(StateId(*state));
            if let Some(edge) = edges.get(*next) {
                *next += 1;
                let target = edge.target.0;
                if !live[edge.label as usize] || component[target as usize] != NEW {
                    continue;
                }
                if low[target as usize] == NEW {
                    frames.push((target, 0, numbered));
                } else {
                    low[at] = low[at].min(low[target as usize]);
                }
                continue;
            }
            let (state, number) = (*state, *number);
            frames.pop();
            let reached = low[state as usize];
            if let Some((parent, ..)) = frames.last() {
                let parent = &mut low[*parent as usize];
                *parent = (*parent).min(reached);
            }
            if reached == number {
                while let Some(member) = open.pop() {
                    component[member as usize] = found;
                    if member == state {
                        break;
                    }
                }
                found += 1;
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use csp_lts::{Component, LtsBuilder, Rule};

    use super::*;

    fn lts(edges: &[&[(u32, u32)]]) -> Arc<Lts> {
        let mut builder = LtsBuilder::new();
        for state in edges {
            let edge = |(event, to): &(u32, u32)| {
                (Arc::new(EventSet::single(EventId(*event))), StateId(*to))
            };
            builder.state(state.iter().map(edge));
        }
        Arc::new(builder.finish(StateId(0)))
    }

    fn network(parts: Vec<Arc<Lts>>, rules: &[(EventId, &[(u32, u32)])]) -> Network {
        let components = parts.into_iter().map(|lts| Component {
            name: String::new(),
            initial: StateId(0),
            lts,
        });
        let rules = rules.iter().map(|(result, participants)| Rule {
            result: *result,
            revealed: *result,
            participants: participants
                .iter()
                .map(|(c, e)| (ComponentId(*c), EventId(*e)))
                .collect(),
            resets: Box::default(),
            blocked_by: None,
        });
        Network {
            components: components.collect(),
            rules: rules.collect(),
            ..Network::default()
        }
    }

    #[test]
    fn a_loop_through_a_visible_event_is_none() {
        // 0 -3-> 1 -4-> 0 with 3 hidden: the way back is visible.
        let part = lts(&[&[(3, 1)], &[(4, 0)]]);
        let rules = [(EventId::TAU, &[(0, 3)][..]), (EventId(4), &[(0, 4)])];
        assert_eq!(
            rules_on_cycles(&network(vec![part.clone()], &rules)),
            [false, false]
        );
        let rules = [(EventId::TAU, &[(0, 3)][..]), (EventId::TAU, &[(0, 4)])];
        assert_eq!(rules_on_cycles(&network(vec![part], &rules)), [true, true]);
    }

    #[test]
    fn what_one_component_cannot_repeat_is_taken_from_the_others() {
        // The first loops on 3 and 4; the second does 3 once only, so that 4 alone cannot go on.
        let looping = lts(&[&[(3, 1)], &[(4, 0)]]);
        let once = lts(&[&[(3, 1)], &[]]);
        let rules = [
            (EventId::TAU, &[(0, 3), (1, 3)][..]),
            (EventId::TAU, &[(0, 4)]),
        ];
        assert_eq!(
            rules_on_cycles(&network(vec![looping, once], &rules)),
            [false, false]
        );
    }
}
