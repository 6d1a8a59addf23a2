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

use std::collections::{BTreeMap, HashMap, HashSet};

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
        // Each round changes at least one booking, and no rule comes back to a participant.
        loop {
            let mut potential = Self {
                earns: Vec::new(),
                later: Vec::new(),
            };
            let mut changed = false;
            for (index, component) in network.components.iter().enumerate() {
                let edges = booking.edges(index, &component.lts);
                let count = component.lts.state_count();
                match heaviest(count, &edges) {
                    Some(earns) => {
                        potential.later.push(spread(&earns, &edges));
                        potential.earns.push(earns);
                    }
                    None => changed |= booking.change(index, &component.lts),
                }
            }
            if potential.earns.len() == network.components.len() {
                potential.tighten(network, &mut booking);
                return Some(potential);
            }
            if !changed {
                return None;
            }
        }
    }

    /// Books single rules elsewhere where that lowers the bound of the start: any booking is right, and this
    /// one finds for itself that a card earns at home and not where it came from.
    fn tighten(&mut self, network: &Network, booking: &mut Booking<'_>) {
        let places = |rule: usize| network.rules[rule].participants.len();
        for rule in 0..network.rules.len() {
            for place in 0..places(rule) {
                let Some(booked) = &mut booking.rules[rule] else {
                    break;
                };
                let before = booked.place;
                if before == place {
                    continue;
                }
                booked.place = place;
                let both = [before, place].map(|p| network.rules[rule].participants[p].0);
                let now = both.map(|c| booking.earns(c.0 as usize));
                let start = |c: ComponentId| network.components[c.0 as usize].initial.0 as usize;
                let gain = both.iter().zip(&now).try_fold(0, |sum, (c, now)| {
                    let (now, _) = now.as_ref()?;
                    let was = &self.earns[c.0 as usize];
                    Some(sum + now[start(*c)] - was[start(*c)])
                });
                if gain.is_some_and(|gain| gain < 0) {
                    for (c, found) in both.into_iter().zip(now) {
                        let Some((earns, edges)) = found else {
                            continue;
                        };
                        self.later[c.0 as usize] = spread(&earns, &edges);
                        self.earns[c.0 as usize] = earns;
                    }
                } else if let Some(booked) = &mut booking.rules[rule] {
                    booked.place = before;
                }
            }
        }
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

/// A rule with points.
struct Booked {
    points: i64,
    /// The participant that has it, by its place among them.
    place: usize,
    /// Participants that it was not tried with yet, the last one first.
    others: Vec<usize>,
}

/// Which component each rule with points is booked on.
struct Booking<'a> {
    network: &'a Network,
    /// Nothing for rules without points.
    rules: Vec<Option<Booked>>,
    /// Components that have got what costs them points.
    charged: Vec<bool>,
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
            let mut others: Vec<usize> = (0..rule.participants.len()).collect();
            others.sort_by_key(|place| {
                std::cmp::Reverse(busy[rule.participants[*place].0.0 as usize])
            });
            let place = others.pop()?;
            Some(Booked {
                points,
                place,
                others,
            })
        });
        Self {
            network,
            rules: booked.collect(),
            charged: vec![false; network.components.len()],
        }
    }

    /// The heaviest paths of a component with what is booked on it, and its edges.
    fn earns(&self, index: usize) -> Option<(Vec<i64>, Vec<Weighted>)> {
        let lts = &self.network.components[index].lts;
        let edges = self.edges(index, lts);
        Some((heaviest(lts.state_count(), &edges)?, edges))
    }

    /// The edges of a component with what is booked on it. An event that may be another rule's, which is
    /// booked elsewhere, is worth nothing here at least.
    fn edges(&self, index: usize, lts: &Lts) -> Vec<Weighted> {
        let mut worth: BTreeMap<EventId, i64> = BTreeMap::new();
        let mut resets = Vec::new();
        for (rule, booked) in self.network.rules.iter().zip(&self.rules) {
            for (place, (component, event)) in rule.participants.iter().enumerate() {
                if component.0 as usize == index {
                    let here = booked.as_ref().filter(|b| b.place == place);
                    let here = here.map_or(0, |b| b.points);
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

    /// A component gains in a circle: first it gets what costs points there, then what brings points there is
    /// booked on others. False if nothing could be changed.
    fn change(&mut self, index: usize, lts: &Lts) -> bool {
        let edges = self.edges(index, lts);
        let circles = Circles::new(lts, &edges);
        let charge = !std::mem::replace(&mut self.charged[index], true);
        let mut changed = false;
        for (rule, booked) in self.network.rules.iter().zip(&mut self.rules) {
            let Some(booked) = booked else { continue };
            let own = |(c, _): &(ComponentId, EventId)| c.0 as usize == index;
            let Some(place) = rule.participants.iter().position(own) else {
                continue;
            };
            if !circles.have(rule.participants[place].1) {
                continue;
            }
            if charge && booked.points < 0 && booked.place != place {
                booked.place = place;
                changed = true;
            } else if !charge
                && booked.points > 0
                && booked.place == place
                && let Some(next) = booked.others.pop()
            {
                booked.place = next;
                changed = true;
            }
        }
        changed || charge
    }
}

/// The events of a component that lie on a circle of its transition system.
struct Circles(HashSet<EventId>);

impl Circles {
    fn new(lts: &Lts, edges: &[Weighted]) -> Self {
        let count = lts.state_count();
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (from, _, to) in edges {
            next[*from].push(*to);
        }
        let mut events = HashSet::new();
        for state in 0..count {
            // The states from which this one can be reached again.
            let mut reached = vec![false; count];
            let mut waiting = vec![state];
            while let Some(at) = waiting.pop() {
                for to in &next[at] {
                    if !std::mem::replace(&mut reached[*to], true) {
                        waiting.push(*to);
                    }
                }
            }
            if !reached[state] {
                continue;
            }
            // An edge to here from a state that this one reaches lies on a circle.
            for (from, reached) in reached.iter().enumerate() {
                let id = StateId(u32::try_from(from).unwrap_or(u32::MAX));
                let edges = lts.edges(id).iter().filter(|_| *reached);
                for edge in edges.filter(|edge| edge.target.0 as usize == state) {
                    events.extend(lts.label(edge).iter());
                }
            }
        }
        Self(events)
    }

    fn have(&self, event: EventId) -> bool {
        self.0.contains(&event)
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
