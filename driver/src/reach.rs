//! All states of a network with the local states in them, the edges between them, and the way to
//! each: what questions about the parts of a process need and a search for a violation does not keep.
//!
//! Breadth first, so the ways are shortest. Written for models of up to some millions of states: it
//! keeps everything. Rules are found by what one participant offers.

use std::collections::HashMap;

use csp_checker::Observer;
use csp_checker::reference::{Simulator, State};
use csp_lts::{EventId, Network, RuleId, StateId};

/// What was reached.
pub(crate) struct Reached {
    /// The states, in the order in which they were found.
    pub(crate) states: Vec<State>,
    /// The state before each, and the event between; none for the first.
    parents: Vec<Option<(u32, EventId)>>,
    /// Where the edges of each state begin in `edges`; one more than there are expanded states.
    starts: Vec<usize>,
    /// Rule and target.
    edges: Vec<(RuleId, u32)>,
    /// Why not everything was reached.
    pub(crate) limit: Option<String>,
}

impl Reached {
    /// The edges of a state; none of one that was not expanded.
    pub(crate) fn edges(&self, state: usize) -> &[(RuleId, u32)] {
        match self.starts.get(state + 1) {
            Some(&end) => &self.edges[self.starts[state]..end],
            None => &[],
        }
    }

    /// How many edges there are.
    pub(crate) fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// A shortest way to a state.
    pub(crate) fn trace(&self, mut state: usize) -> Vec<EventId> {
        let mut trace = Vec::new();
        while let Some((before, event)) = self.parents[state] {
            trace.push(event);
            state = before as usize;
        }
        trace.reverse();
        trace
    }
}

/// Rules by what their first participant does.
struct Rules {
    by_first: Vec<HashMap<EventId, Vec<RuleId>>>,
    chased: Vec<bool>,
}

impl Rules {
    fn new(network: &Network) -> Self {
        let mut by_first = vec![HashMap::<EventId, Vec<RuleId>>::new(); network.components.len()];
        let mut chased = vec![false; network.rules.len()];
        for rule in network.chases.iter().flat_map(|chase| chase.rules.iter()) {
            chased[rule.0 as usize] = true;
        }
        for (rule, id) in network.rules.iter().zip(0..) {
            if let Some((component, event)) = rule.participants.first() {
                let rules = by_first[component.0 as usize].entry(*event).or_default();
                rules.push(RuleId(id));
            }
        }
        Self { by_first, chased }
    }

    fn enabled(&self, simulator: &Simulator<'_>, state: &[StateId]) -> Vec<RuleId> {
        let network = simulator.network();
        let mut enabled = Vec::new();
        for (component, now) in network.components.iter().zip(state).enumerate() {
            let (component, (body, now)) = (component, now);
            let rules = &self.by_first[component];
            for (event, _) in body.lts.transitions(*now) {
                let first = rules.get(&event).into_iter().flatten();
                enabled.extend(first.filter(|rule| {
                    !self.chased[rule.0 as usize] && simulator.can_fire(state, **rule)
                }));
            }
        }
        enabled.sort_unstable();
        enabled.dedup();
        enabled
    }
}

/// Reaches all states, up to a number of them.
pub(crate) fn reach(
    network: &Network,
    max_states: usize,
    observer: &dyn Observer,
) -> Result<Reached, String> {
    let simulator = Simulator::new(network);
    let rules = Rules::new(network);
    let endless = |e: csp_checker::reference::ChaseLoop| crate::explore::chase_loop(&e.0);
    let (initial, _) = simulator.initial().map_err(endless)?;
    let mut index = HashMap::from([(initial.clone(), 0_u32)]);
    let mut reached = Reached {
        states: vec![initial],
        parents: vec![None],
        starts: vec![0],
        edges: Vec::new(),
        limit: None,
    };
    let mut at = 0;
    while at < reached.states.len() {
        if at.is_multiple_of(1024) && observer.interrupted() {
            reached.limit = Some("interrupted".to_owned());
            return Ok(reached);
        }
        let state = reached.states[at].clone();
        let from = u32::try_from(at).expect("states are numbered by u32");
        for rule in rules.enabled(&simulator, &state) {
            let event = network.rules[rule.0 as usize].revealed;
            for (_, mut next) in simulator.fire(&state, rule) {
                simulator.chase(&mut next).map_err(endless)?;
                let fresh = u32::try_from(reached.states.len()).expect("as above");
                let known = index.get(&next).copied();
                let target = match known {
                    Some(target) => target,
                    None if reached.states.len() >= max_states => {
                        reached.limit =
                            Some(format!("the limit of {max_states} states was reached"));
                        continue;
                    }
                    None => {
                        index.insert(next.clone(), fresh);
                        reached.states.push(next);
                        reached.parents.push(Some((from, event)));
                        fresh
                    }
                };
                reached.edges.push((rule, target));
            }
        }
        reached.starts.push(reached.edges.len());
        at += 1;
    }
    Ok(reached)
}

/// Strongly connected components of a graph: for each node the number of its component, and how many
/// there are. A component comes after those that it leads to. Tarjan's algorithm without recursion.
pub(crate) fn components(nodes: usize, edges: impl Fn(usize) -> Vec<usize>) -> (Vec<usize>, usize) {
    const NONE: usize = usize::MAX;
    let mut order = vec![NONE; nodes];
    let mut low = vec![0; nodes];
    let mut component = vec![NONE; nodes];
    let (mut next, mut count) = (0, 0);
    let mut open = Vec::new();
    for root in 0..nodes {
        if order[root] != NONE {
            continue;
        }
        let mut path = vec![(root, edges(root), 0)];
        order[root] = next;
        low[root] = next;
        next += 1;
        open.push(root);
        while let Some((node, out, at)) = path.last_mut() {
            let node = *node;
            if let Some(&target) = out.get(*at) {
                *at += 1;
                if order[target] == NONE {
                    order[target] = next;
                    low[target] = next;
                    next += 1;
                    open.push(target);
                    path.push((target, edges(target), 0));
                } else if component[target] == NONE {
                    low[node] = low[node].min(order[target]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, ..)) = path.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
            if low[node] == order[node] {
                while let Some(member) = open.pop() {
                    component[member] = count;
                    if member == node {
                        break;
                    }
                }
                count += 1;
            }
        }
    }
    (component, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_components() {
        let graph = [vec![1], vec![2], vec![1, 3], vec![], vec![4, 0]];
        let (component, count) = components(5, |node| graph[node].clone());
        assert_eq!(count, 4);
        assert_eq!(component[1], component[2]);
        // What is led to has the smaller number.
        assert!(component[3] < component[1] && component[1] < component[0]);
        assert!(component[0] < component[4]);
    }
}
