//! An upper bound of the points that are still to be earned from a position.
//!
//! Each rule that is worth something is booked on one component that takes part in it. What a component can
//! earn from a local state is at most the heaviest path of its own transition system, others let it do as it
//! likes: a relaxation. The sum over the components bounds what the network can earn. A score never goes below
//! 0: after it was 0 for the last time, what is earned is bounded by the heaviest paths from whatever local
//! states were reached then, which are reachable from those of the position. So from a position with score `x`
//! no play ends with more than `max(x + earns, after_zero)`.
//!
//! Where a component could go round in circles and gain (its heaviest path has no end), the rules of the
//! circle are booked elsewhere; if that does not help there is no bound.

use std::collections::{BTreeMap, HashMap};

use csp_checker::reference::State;
use csp_lts::{ComponentId, EventId, Lts, Network, StateId};

/// The heaviest paths of each component, by local state.
pub(super) struct Potential {
    /// From this state.
    earns: Vec<Vec<i64>>,
    /// From any state that can be reached from this one.
    later: Vec<Vec<i64>>,
}

/// An edge of a component that counts: from, points, to.
type Weighted = (usize, i64, usize);

impl Potential {
    /// The bound of a network whose events have these points; nothing if there is none.
    pub(super) fn new(network: &Network, points: &HashMap<EventId, i64>) -> Option<Self> {
        let mut booking = Booking::new(network, points);
        // Each round moves at least one rule to the next of its participants.
        for _ in 0..64 {
            let mut potential = Self {
                earns: Vec::new(),
                later: Vec::new(),
            };
            let mut unbounded = Vec::new();
            for (index, component) in network.components.iter().enumerate() {
                let edges = booking.edges(index, &component.lts);
                let count = component.lts.state_count();
                match heaviest(count, &edges) {
                    Some(earns) => {
                        potential.later.push(spread(&earns, &edges));
                        potential.earns.push(earns);
                    }
                    None => unbounded.push(index),
                }
            }
            if unbounded.is_empty() {
                return Some(potential);
            }
            if !booking.move_on(&unbounded) {
                return None;
            }
        }
        None
    }

    /// No play that goes on from a position with this score ends with more.
    pub(super) fn most(&self, state: &State, score: i64) -> i64 {
        let sum = |table: &[Vec<i64>]| -> i64 {
            let local = table.iter().zip(state);
            local.map(|(values, at)| values[at.0 as usize]).sum()
        };
        (score + sum(&self.earns)).max(sum(&self.later))
    }
}

/// Which component each rule with points is booked on.
struct Booking<'a> {
    network: &'a Network,
    /// Of each rule: its points, and which of its participants has it; nothing for rules without points.
    rules: Vec<Option<(i64, usize)>>,
}

impl<'a> Booking<'a> {
    /// The participant that takes part in the fewest rules knows most of what the event is about.
    fn new(network: &'a Network, points: &HashMap<EventId, i64>) -> Self {
        let mut busy = vec![0_usize; network.components.len()];
        for rule in &network.rules {
            for (component, _) in &rule.participants {
                busy[component.0 as usize] += 1;
            }
        }
        let booked = network.rules.iter().map(|rule| {
            let points = *points.get(&rule.revealed)?;
            let least =
                |(_, (component, _)): &(usize, &(ComponentId, EventId))| busy[component.0 as usize];
            let (place, _) = rule.participants.iter().enumerate().min_by_key(least)?;
            Some((points, place))
        });
        Self {
            network,
            rules: booked.collect(),
        }
    }

    /// The edges of a component with what is booked on it. An event that may be another rule's, which is
    /// booked elsewhere, is worth nothing here at least.
    fn edges(&self, index: usize, lts: &Lts) -> Vec<Weighted> {
        let mut worth: BTreeMap<EventId, i64> = BTreeMap::new();
        let mut resets = Vec::new();
        for (rule, booked) in self.network.rules.iter().zip(&self.rules) {
            for (place, (component, event)) in rule.participants.iter().enumerate() {
                if component.0 as usize == index {
                    let here = booked.filter(|(_, at)| *at == place).map_or(0, |b| b.0);
                    let most = worth.entry(*event).or_insert(here);
                    *most = here.max(*most);
                }
            }
            let own = rule.resets.iter().filter(|(c, _)| c.0 as usize == index);
            resets.extend(own.map(|(_, state)| state.0 as usize));
        }
        let of_label: Vec<Option<i64>> = lts
            .labels()
            .iter()
            .map(|label| label.iter().filter_map(|e| worth.get(&e).copied()).max())
            .collect();
        let mut edges = Vec::new();
        for state in 0..lts.state_count() {
            let id = StateId(u32::try_from(state).unwrap_or(u32::MAX));
            for edge in lts.edges(id) {
                if let Some(points) = of_label[edge.label as usize] {
                    edges.push((state, points, edge.target.0 as usize));
                }
            }
            edges.extend(resets.iter().map(|target| (state, 0, *target)));
        }
        edges
    }

    /// Books what brings points to these components on the next participants; false if there is none.
    fn move_on(&mut self, unbounded: &[usize]) -> bool {
        let mut moved = false;
        for (rule, booked) in self.network.rules.iter().zip(&mut self.rules) {
            let Some((points, place)) = booked else {
                continue;
            };
            let at = rule.participants[*place].0.0 as usize;
            if *points > 0 && unbounded.contains(&at) && *place + 1 < rule.participants.len() {
                *place += 1;
                moved = true;
            }
        }
        moved
    }
}

/// The weight of the heaviest path from each state, the empty one included; nothing if one has no end.
fn heaviest(count: usize, edges: &[Weighted]) -> Option<Vec<i64>> {
    let mut best = vec![0_i64; count];
    for _ in 0..=count {
        let mut changed = false;
        for (from, points, to) in edges {
            let through = points + best[*to];
            if through > best[*from] {
                best[*from] = through;
                changed = true;
            }
        }
        if !changed {
            return Some(best);
        }
    }
    None
}

/// The greatest value of the states that can be reached from each.
fn spread(values: &[i64], edges: &[Weighted]) -> Vec<i64> {
    let mut most = values.to_vec();
    loop {
        let mut changed = false;
        for (from, _, to) in edges {
            if most[*to] > most[*from] {
                most[*from] = most[*to];
                changed = true;
            }
        }
        if !changed {
            return most;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_gain_for_ever_have_no_bound() {
        // Home for 10, back for -15: worth one way home; at 0 the way back is free.
        let edges = [(0, 10, 1), (1, -15, 0)];
        let earns = heaviest(2, &edges).expect("bounded");
        assert_eq!(earns, [10, 0]);
        assert_eq!(spread(&earns, &edges), [10, 10]);
        assert_eq!(heaviest(2, &[(0, 10, 1), (1, -5, 0)]), None);
    }
}
