//! Who waits for whom in a state of a network, from its rules alone.
//!
//! A rule that cannot fire has participants that are ready for it and participants that are not. Those
//! that are ready *want* the event, and those that are not *refuse* it. Where an event has several
//! rules, the one with the fewest participants that refuse says why it is not possible.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use csp_checker::reference::{Simulator, State};
use csp_lts::{ComponentId, EventId, Rule};

use super::scene::Scene;
use crate::report::{EndPartReport, WaitReport, WantReport};

/// Events that are listed for one part.
const LISTED: usize = 100;

/// Parts up to which a shortest cycle is looked for; beyond that any cycle will do.
const SHORTEST: usize = 2_500;

/// Why one event cannot happen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The components that are ready for it.
    pub(crate) ready: Vec<ComponentId>,
    /// Those that would have to take part and do not.
    pub(crate) refusing: Vec<ComponentId>,
    /// All are ready, and something of higher priority is possible.
    pub(crate) is_held_back: bool,
}

/// What there is to say of a state.
pub(crate) struct Waits {
    pub(crate) parts: Vec<EndPartReport>,
    pub(crate) waits: Vec<WaitReport>,
    pub(crate) cycle: Vec<usize>,
}

/// A scene in one of its states.
pub(crate) struct Situation<'a> {
    pub(crate) scene: &'a Scene<'a>,
    pub(crate) state: &'a State,
}

impl Situation<'_> {
    fn offers(&self, component: ComponentId, event: EventId) -> bool {
        let lts = &self.scene.network.components[component.0 as usize].lts;
        let mut edges = lts.edges(self.state[component.0 as usize]).iter();
        edges.any(|edge| lts.label(edge).contains(event))
    }

    fn refusal(&self, rule: &Rule) -> Refusal {
        let mut refusal = Refusal::default();
        for &(component, event) in &rule.participants {
            if !self.offers(component, event) {
                refusal.refusing.push(component);
            } else if event != EventId::OMEGA {
                refusal.ready.push(component);
            }
        }
        refusal.is_held_back = refusal.refusing.is_empty();
        refusal
    }

    /// Why an event of the whole process cannot happen now: the easiest way in which it might. None if it
    /// can happen, or never happens at all.
    pub(crate) fn why_not(&self, event: EventId) -> Option<Refusal> {
        let simulator = Simulator::new(self.scene.network);
        let mut best: Option<Refusal> = None;
        for (id, rule) in (0..).map(csp_lts::RuleId).zip(&self.scene.network.rules) {
            if rule.result != event && rule.revealed != event {
                continue;
            }
            if simulator.can_fire(self.state, id) {
                return None;
            }
            let refusal = self.refusal(rule);
            let fewer = |best: &Refusal| refusal.refusing.len() < best.refusing.len();
            if best.as_ref().is_none_or(fewer) {
                best = Some(refusal);
            }
        }
        best
    }

    /// The events that a component is ready for, by its own names.
    pub(crate) fn own_offers(&self, component: ComponentId) -> Vec<String> {
        let lts = &self.scene.network.components[component.0 as usize].lts;
        let mut names = Vec::new();
        for edge in lts.edges(self.state[component.0 as usize]) {
            let events = lts.label(edge).iter();
            for event in events.filter(|e| *e != EventId::OMEGA).take(LISTED) {
                let name = self.scene.own_event(component, event);
                if !names.contains(&name) && names.len() < LISTED {
                    names.push(name);
                }
            }
        }
        names.sort();
        names
    }

    /// What each component wants, by event, and who refuses it.
    fn wants(&self) -> HashMap<ComponentId, BTreeMap<EventId, Vec<ComponentId>>> {
        let mut wants: HashMap<ComponentId, BTreeMap<EventId, Vec<ComponentId>>> = HashMap::new();
        for rule in &self.scene.network.rules {
            if rule.revealed == EventId::TAU {
                continue;
            }
            let refusal = self.refusal(rule);
            if refusal.refusing.is_empty() {
                continue;
            }
            for component in refusal.ready {
                let wanted = wants.entry(component).or_default();
                if wanted.len() >= LISTED && !wanted.contains_key(&rule.revealed) {
                    continue;
                }
                let by = wanted.entry(rule.revealed).or_default();
                if by.is_empty() || refusal.refusing.len() < by.len() {
                    by.clone_from(&refusal.refusing);
                }
            }
        }
        wants
    }

    /// What each part offers and wants, who waits for whom, and, if nothing is possible, a cycle of waiting.
    pub(crate) fn all(&self, is_stuck: bool) -> Waits {
        let scene = self.scene;
        let wants = self.wants();
        let mut parts = Vec::new();
        let mut waits: Vec<WaitReport> = Vec::new();
        let mut known: HashSet<(usize, usize)> = HashSet::new();
        let components = (0..).map(ComponentId).zip(self.state);
        for (component, &state) in components {
            if scene.is_controller(component) {
                continue;
            }
            let part = scene.row(component);
            let mut wanted = Vec::new();
            for (&event, by) in wants.get(&component).into_iter().flatten() {
                let mut refused_by: Vec<usize> = by.iter().map(|c| scene.row(*c)).collect();
                refused_by.sort_unstable();
                refused_by.dedup();
                let event = scene.event(event);
                for &to in &refused_by {
                    if to != part && known.insert((part, to)) {
                        let (from, event) = (part, event.clone());
                        waits.push(WaitReport { from, to, event });
                    }
                }
                wanted.push(WantReport { event, refused_by });
            }
            parts.push(EndPartReport {
                part,
                state: scene.term(component, state),
                offers: self.own_offers(component),
                wants: wanted,
                terminated: scene.has_ended(component, state),
            });
        }
        parts.sort_by_key(|part| part.part);
        let cycle = if is_stuck {
            cycle(scene.rows.rows.len(), &waits)
        } else {
            Vec::new()
        };
        Waits {
            parts,
            waits,
            cycle,
        }
    }
}

/// A cycle of waiting, a shortest one if there are not very many parts; empty if there is none. It begins
/// with its first part.
fn cycle(parts: usize, waits: &[WaitReport]) -> Vec<usize> {
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); parts];
    for wait in waits {
        next[wait.from].push(wait.to);
    }
    if parts > SHORTEST {
        return any_cycle(&next);
    }
    let mut best: Vec<usize> = Vec::new();
    for start in 0..parts {
        if next[start].is_empty() {
            continue;
        }
        if let Some(found) = cycle_through(start, &next, best.len())
            && (best.is_empty() || found.len() < best.len())
        {
            best = found;
        }
        if best.len() == 2 {
            break;
        }
    }
    let first = best.iter().enumerate().min_by_key(|(_, part)| **part);
    if let Some(first) = first.map(|(place, _)| place) {
        best.rotate_left(first);
    }
    best
}

/// Some cycle, in time that is linear in the waits.
fn any_cycle(next: &[Vec<usize>]) -> Vec<usize> {
    let mut done = vec![false; next.len()];
    let mut place: Vec<Option<usize>> = vec![None; next.len()];
    for start in 0..next.len() {
        // Parts on the way, each with how many of its waits have been followed.
        let mut way: Vec<(usize, usize)> = Vec::new();
        if !done[start] {
            place[start] = Some(0);
            way.push((start, 0));
        }
        while let Some((part, followed)) = way.last_mut() {
            let part = *part;
            let Some(&to) = next[part].get(*followed) else {
                done[part] = true;
                place[part] = None;
                way.pop();
                continue;
            };
            *followed += 1;
            if let Some(first) = place[to] {
                return way[first..].iter().map(|(part, _)| *part).collect();
            }
            if !done[to] {
                place[to] = Some(way.len());
                way.push((to, 0));
            }
        }
    }
    Vec::new()
}

/// A shortest cycle through a part, if it is shorter than that (0: any).
fn cycle_through(start: usize, next: &[Vec<usize>], below: usize) -> Option<Vec<usize>> {
    let mut before: HashMap<usize, (usize, usize)> = HashMap::new();
    let mut waiting = VecDeque::from([(start, 1)]);
    while let Some((part, length)) = waiting.pop_front() {
        if below > 0 && length >= below {
            return None;
        }
        for &to in &next[part] {
            if to == start {
                let mut cycle = vec![part];
                let mut at = part;
                while at != start {
                    at = before[&at].0;
                    cycle.push(at);
                }
                cycle.reverse();
                return Some(cycle);
            }
            if let std::collections::hash_map::Entry::Vacant(entry) = before.entry(to) {
                entry.insert((part, length));
                waiting.push_back((to, length + 1));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(pairs: &[(usize, usize)]) -> Vec<WaitReport> {
        let wait = |&(from, to): &(usize, usize)| WaitReport {
            from,
            to,
            event: "e".to_owned(),
        };
        pairs.iter().map(wait).collect()
    }

    #[test]
    fn a_shortest_cycle_is_found_and_begins_with_its_first_part() {
        let pairs = [
            (3, 1),
            (1, 2),
            (2, 3),
            (0, 1),
            (4, 2),
            (3, 5),
            (5, 6),
            (6, 3),
        ];
        assert_eq!(cycle(7, &waits(&pairs)), [1, 2, 3]);
        assert_eq!(cycle(7, &waits(&[(2, 3), (3, 2), (0, 2)])), [2, 3]);
        assert_eq!(cycle(3, &waits(&[(0, 1), (1, 2)])), Vec::<usize>::new());
        // Among very many parts any cycle will do.
        let found = cycle(SHORTEST + 1, &waits(&[(7, 8), (8, 9), (9, 8), (0, 7)]));
        assert_eq!(found, [8, 9]);
        assert_eq!(cycle(SHORTEST + 1, &waits(&[(0, 1)])), Vec::<usize>::new());
    }
}
