//! All states of a network with the local states in them, the edges between them, and the way to
//! each: what questions about the parts of a process need and a search for a violation does not keep.
//!
//! Breadth first, so the ways are shortest. Written for models of up to some millions of states: it
//! keeps everything. Rules are found by what one participant offers.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};

use csp_checker::reference::{Simulator, State};
use csp_checker::{Limit, Observer, Options, Progress};
use csp_compiler::assemble::Provenance;
use csp_compiler::process::ProcessId;
use csp_compiler::reduce::{WayBack, reduce_with_way_back};
use csp_host::clock::Moment;
use csp_lts::{ComponentId, EventId, EventTable, Network, RuleId, StateId};

use crate::compression::reason;
use crate::evidence::{Kept, Rows, StandIns, Terms, no_terms, states_kept};
use crate::explore::Explored;
use crate::script::{CheckSettings, Problem, Script};

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

    /// About how many bytes this and the index of it take: each state is held twice.
    fn bytes(&self) -> u64 {
        let each = self.states.first().map_or(0, Vec::len) * size_of::<StateId>();
        let kept = 2 * (each + size_of::<State>()) + 4 * size_of::<usize>();
        (self.states.len() * kept + self.edges.len() * size_of::<(RuleId, u32)>()) as u64
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

/// A process with all its states, and what its events, parts and states are called.
pub(crate) struct AllStates {
    /// Without what never matters.
    pub(crate) network: Network,
    /// Events of rules and of parts that were left out of it, because somebody never takes part in them.
    pub(crate) left_out: BTreeSet<EventId>,
    pub(crate) scene: SceneParts,
    pub(crate) names: ReducedNames,
    pub(crate) events: EventTable,
    pub(crate) reached: Reached,
}

/// What a scene of all states borrows.
pub(crate) struct SceneParts {
    pub(crate) rows: Rows,
    pub(crate) kept: Kept,
    pub(crate) stand_ins: StandIns,
    pub(crate) terms: Vec<OnceCell<Terms>>,
}

/// The way from the states of the reduced network to processes.
pub(crate) struct ReducedNames {
    back: WayBack,
    provenance: Provenance,
}

impl ReducedNames {
    /// The process that a state of a component is, if that is known.
    pub(crate) fn process(&self, component: ComponentId, state: StateId) -> Option<ProcessId> {
        let place = component.0 as usize;
        let before = self.back.components[place].0 as usize;
        let state = self.back.states[place].get(state.0 as usize)?;
        let states = self.provenance.components[before].states.as_deref()?;
        states.get(state.0 as usize).copied()
    }
}

/// Events for which a rule was left out of the reduced network, and events that a part would do and for
/// which no rule has that part among its participants.
fn left_out(network: &Network, provenance: &Provenance) -> BTreeSet<EventId> {
    let mut events: BTreeSet<EventId> = network.rules.iter().map(|rule| rule.revealed).collect();
    let mut used: HashSet<(ComponentId, EventId)> = HashSet::new();
    for rule in &network.rules {
        used.extend(rule.participants.iter().copied());
    }
    let components = (0..).map(ComponentId).zip(&network.components);
    for ((id, body), origin) in components.zip(&provenance.components) {
        let alphabet = body.lts.alphabet();
        let alone = alphabet.iter();
        let alone = alone.filter(|e| e.is_visible() && !used.contains(&(id, *e)));
        events.extend(alone.map(|event| origin.own_event(event)));
    }
    events.remove(&EventId::TAU);
    events
}

impl Script {
    /// Reaches all states of a process given as an expression.
    pub(crate) fn reach_all(
        &mut self,
        process: &str,
        settings: &CheckSettings,
        observer: &dyn Observer,
    ) -> Result<AllStates, Problem> {
        let allowance = Allowance::new(settings.options());
        let (whole, provenance) = self.whole_network_of(process, settings, observer)?;
        let left_out = left_out(&whole, &provenance);
        let (network, back) = reduce_with_way_back(&whole);
        let explored = Explored {
            network,
            back,
            provenance: &provenance,
            processes: self.processes(),
            sources: self.sources(),
            events: self.events(),
        };
        let (rows, kept, stand_ins) = states_kept(&explored);
        let Explored {
            network,
            back,
            events,
            ..
        } = explored;
        let limit = |limit| Problem {
            diagnostics: Vec::new(),
            limit: Some(limit),
        };
        let reached = reach(&network, &allowance, observer).map_err(limit)?;
        let scene = SceneParts {
            rows,
            kept,
            stand_ins,
            terms: no_terms(&network),
        };
        Ok(AllStates {
            network,
            left_out,
            scene,
            names: ReducedNames { back, provenance },
            events,
            reached,
        })
    }
}

/// Rules by what their first participant does.
pub(crate) struct Rules {
    by_first: Vec<HashMap<EventId, Vec<RuleId>>>,
    chased: Vec<bool>,
}

impl Rules {
    pub(crate) fn new(network: &Network) -> Self {
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

    pub(crate) fn enabled(&self, simulator: &Simulator<'_>, state: &[StateId]) -> Vec<RuleId> {
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

/// What reaching states may use, counted from when it was made.
pub(crate) struct Allowance {
    options: Options,
    started: Moment,
}

impl Allowance {
    pub(crate) fn new(options: Options) -> Self {
        Self {
            options,
            started: Moment::now(),
        }
    }

    /// The limit that has been reached, if one has.
    fn exceeded(&self, reached: &Reached, observer: &dyn Observer) -> Option<Limit> {
        let late = |limit| self.started.elapsed() > limit;
        if observer.interrupted() {
            Some(Limit::Interrupted)
        } else if self.options.timeout.is_some_and(late) {
            Some(Limit::Time)
        } else {
            let memory = self.options.memory?;
            (reached.bytes() > memory).then_some(Limit::Memory(memory))
        }
    }
}

/// How many states are expanded between two looks at the limits.
const LOOK_EVERY: usize = 256;

/// Reaches all states, up to a limit.
pub(crate) fn reach(
    network: &Network,
    allowance: &Allowance,
    observer: &dyn Observer,
) -> Result<Reached, String> {
    let max_states = allowance.options.max_states.unwrap_or(u64::from(u32::MAX));
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
        if at.is_multiple_of(LOOK_EVERY) {
            observer.progress(&Progress {
                states: reached.states.len() as u64,
                transitions: reached.edges.len() as u64,
                frontier: (reached.states.len() - at) as u64,
                memory: reached.bytes(),
                ..Progress::default()
            });
            if let Some(limit) = allowance.exceeded(&reached, observer) {
                reached.limit = Some(reason(&limit));
                return Ok(reached);
            }
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
                    None if reached.states.len() as u64 >= max_states => {
                        reached.limit = Some(reason(&Limit::States(max_states)));
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
