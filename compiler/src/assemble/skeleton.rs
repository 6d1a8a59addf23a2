//! Sequential processes that start networks: prefixes, choices, `;`, loops and recursions.
//!
//! The sequential part is listed as one controller. A state in which a network is at work, perhaps
//! with something to do after it, is a *mount*: the controller waits there. An edge into a mount is
//! an event of its own, whose rule switches the network on; the network's ✓ is a rule in which the
//! controller goes on, to ✓ itself if nothing comes after. So `P = Q ; P` restarts the components
//! of Q, and several places that start the same network share one copy of it: at most one network
//! is on at a time.

use std::sync::Arc;

use ahash::AHashMap;
use csp_lts::{ComponentId, EventId, EventSet, Lts, LtsBuilder, StateId};

use super::node::{Fragment, Node, Put};
use super::tree::Builder;
use super::{Outcome, messages};
use crate::leaf::Leaf;
use crate::operators::Step;
use crate::process::{Process, ProcessId};

/// How many different networks one controller may start; beyond that the process is listed.
const MOUNTS: usize = 64;

enum State {
    Plain(Vec<(Arc<EventSet>, StateId)>),
    /// The index of the network and the state after it has terminated.
    Mount(usize, Option<StateId>),
    Omega,
}

/// The sequential part, listed.
#[derive(Default)]
struct Skeleton {
    states: Vec<State>,
    networks: Vec<ProcessId>,
}

/// What an edge of the controller means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Move {
    /// Performs the event and starts the network.
    Start(EventId, usize),
    /// The network has terminated, and so has the whole.
    Finish(usize),
    /// The network has terminated; the controller goes on, perhaps starting another.
    Continue(usize, Option<usize>),
}

impl Builder<'_> {
    pub(super) fn skeleton(&mut self, process: ProcessId) -> Outcome<Node> {
        let Some(skeleton) = self.list(process)? else {
            return self.leaf_node(process);
        };
        let mut nodes = Vec::with_capacity(skeleton.networks.len());
        let start = self.drafts.len();
        for network in &skeleton.networks {
            nodes.push(self.node(*network)?);
        }
        let moves = skeleton.moves(&nodes);
        let lts = self.compiler.share(skeleton.controller(&moves));
        let name = self.processes.describe(process);
        let controller = self.drafts.add(name, Leaf::new(lts));
        let mut whole = self.mounted(&skeleton, nodes, controller, &moves);
        for event in skeleton.plain_events().iter() {
            add(&mut whole, event, Fragment::single(controller, event));
        }
        let first = u32::try_from(start).expect("components are numbered by u32");
        whole.components = first..controller.0 + 1;
        whole.done = vec![controller];
        Ok(whole)
    }

    fn canonical(&mut self, process: ProcessId) -> ProcessId {
        self.compiler.operational.canonical(self.processes, process)
    }

    /// Lists the sequential part; none if it starts too many networks.
    fn list(&mut self, root: ProcessId) -> Outcome<Option<Skeleton>> {
        let site = self.site();
        self.compiler.serve(self.processes, root, Some(site));
        let root = self.canonical(root);
        let mut index: AHashMap<ProcessId, StateId> = AHashMap::new();
        let mut networks: AHashMap<ProcessId, usize> = AHashMap::new();
        let mut order = vec![root];
        index.insert(root, StateId(0));
        let mut skeleton = Skeleton::default();
        let limit = self.compiler.options.leaf_states;
        while skeleton.states.len() < order.len() {
            let process = order[skeleton.states.len()];
            if skeleton.states.len().is_multiple_of(1024) {
                self.processes.poll(process)?;
            }
            let mut state_of = |target: ProcessId| {
                let next = u32::try_from(order.len()).expect("the limit is below 2^32");
                *index.entry(target).or_insert_with(|| {
                    order.push(target);
                    StateId(next)
                })
            };
            let state = match self.mount(process)? {
                Some((network, after)) => {
                    let next = networks.len();
                    let place = *networks.entry(network).or_insert(next);
                    if place == skeleton.networks.len() {
                        skeleton.networks.push(network);
                    }
                    State::Mount(place, after.map(state_of))
                }
                None if matches!(*self.processes.head(process)?, Process::Omega) => State::Omega,
                None => {
                    let steps = self.compiler.steps(self.processes, process, site)?;
                    let edge = |(label, target): &Step| (Arc::clone(label), state_of(*target));
                    State::Plain(steps.iter().map(edge).collect())
                }
            };
            skeleton.states.push(state);
            if skeleton.networks.len() > MOUNTS {
                return Ok(None);
            }
            if let Some(last) = order.get(limit) {
                return Err(messages::too_many_states(
                    self.processes,
                    root,
                    *last,
                    limit,
                ));
            }
        }
        let ends = |state: &State| matches!(state, State::Omega);
        if !skeleton.states.iter().any(ends) {
            skeleton.states.push(State::Omega);
        }
        Ok(Some(skeleton))
    }

    /// The network at work in this state of the sequential part, and what comes after it.
    fn mount(&mut self, process: ProcessId) -> Outcome<Option<(ProcessId, Option<ProcessId>)>> {
        if !self.active(process)? {
            return Ok(None);
        }
        let process = self.through(process)?;
        let head = self.processes.head(process)?;
        Ok(Some(match &*head {
            Process::Sequence(left, right) => {
                let left = self.through(*left)?;
                (left, Some(self.canonical(*right)))
            }
            Process::Loop(body) => (self.through(*body)?, Some(process)),
            _ => (process, None),
        }))
    }

    /// What stands inside compressions that are looked through.
    fn through(&mut self, mut process: ProcessId) -> Outcome<ProcessId> {
        let site = self.site();
        loop {
            match &*self.processes.head(process)? {
                Process::Compress(kind, operand)
                    if kind.shrinks()
                        && self.shape(process).splices()
                        && !self.compiler.is_machine(self.processes, process, site)? =>
                {
                    process = self.canonical(*operand);
                }
                _ => return Ok(process),
            }
        }
    }

    /// The networks and the rules that start and end them.
    fn mounted(
        &mut self,
        skeleton: &Skeleton,
        nodes: Vec<Node>,
        controller: ComponentId,
        moves: &AHashMap<Move, EventId>,
    ) -> Node {
        let mut whole = Node::default();
        whole.on.push((controller, Put::State(StateId(0))));
        let initial = match skeleton.states[0] {
            State::Mount(network, _) => Some(network),
            _ => None,
        };
        for (i, node) in nodes.iter().enumerate() {
            let on = if initial == Some(i) {
                node.on.clone()
            } else {
                node.off()
            };
            whole.on.extend(on);
        }
        let mut sorted: Vec<(Move, EventId)> = moves.iter().map(|(m, e)| (*m, *e)).collect();
        sorted.sort_unstable();
        for (step, local) in sorted {
            match step {
                Move::Start(event, network) => {
                    let mut fragment = Fragment::single(controller, local);
                    self.drafts.put_all(&mut fragment, &nodes[network].on);
                    add(&mut whole, event, fragment);
                }
                Move::Finish(network) => {
                    for tick in &nodes[network].ticks {
                        let mut tick = tick.clone();
                        tick.participants.push((controller, local));
                        whole.ticks.push(tick);
                    }
                }
                Move::Continue(network, next) => {
                    for tick in &nodes[network].ticks {
                        let mut step = tick.clone().revealing(EventId::TAU);
                        step.participants.push((controller, local));
                        if let Some(next) = next {
                            self.drafts.put_all(&mut step, &nodes[next].on);
                        }
                        whole.silent.push(step);
                    }
                }
            }
        }
        for node in nodes {
            whole.visible.extend(node.visible);
            whole.silent.extend(node.silent);
        }
        whole
    }
}

fn add(node: &mut Node, event: EventId, fragment: Fragment) {
    match event {
        EventId::TAU => node.silent.push(fragment),
        EventId::TICK => node.ticks.push(fragment),
        _ => node.visible.push((event, fragment)),
    }
}

impl Skeleton {
    fn network_at(&self, state: StateId) -> Option<usize> {
        match self.states[state.0 as usize] {
            State::Mount(network, _) => Some(network),
            _ => None,
        }
    }

    fn omega(&self) -> StateId {
        let ends = |state: &State| matches!(state, State::Omega);
        let place = self.states.iter().position(ends);
        let place = place.expect("listing adds a terminated state");
        StateId(u32::try_from(place).expect("states are numbered by u32"))
    }

    /// The events that the controller performs on its own.
    fn plain_events(&self) -> EventSet {
        let mut ranges = Vec::new();
        for state in &self.states {
            let State::Plain(edges) = state else {
                continue;
            };
            let plain = edges.iter().filter(|e| self.network_at(e.1).is_none());
            ranges.extend(plain.flat_map(|e| e.0.ranges().iter().copied()));
        }
        EventSet::from_ranges(ranges)
    }

    /// Local events for the moves that are more than an event of the controller's own.
    fn moves(&self, nodes: &[Node]) -> AHashMap<Move, EventId> {
        let mut moves = Vec::new();
        let mut unused = EventId::FIRST.0;
        for state in &self.states {
            match state {
                State::Omega => {}
                State::Plain(edges) => {
                    for (label, target) in edges {
                        unused = unused.max(label.ranges().last().map_or(0, |r| r.1));
                        if let Some(network) = self.network_at(*target) {
                            moves.extend(label.iter().map(|e| Move::Start(e, network)));
                        }
                    }
                }
                State::Mount(network, after) if nodes[*network].can_tick() => {
                    moves.push(self.end(*network, *after));
                }
                State::Mount(..) => {}
            }
        }
        moves.sort_unstable();
        moves.dedup();
        moves.into_iter().zip((unused..).map(EventId)).collect()
    }

    fn end(&self, network: usize, after: Option<StateId>) -> Move {
        after.map_or(Move::Finish(network), |after| {
            Move::Continue(network, self.network_at(after))
        })
    }

    fn controller(&self, moves: &AHashMap<Move, EventId>) -> Lts {
        let omega = self.omega();
        let mut builder = LtsBuilder::new();
        for state in &self.states {
            let edges: Vec<(Arc<EventSet>, StateId)> = match state {
                State::Omega => vec![(Arc::new(EventSet::single(EventId::OMEGA)), omega)],
                State::Plain(edges) => edges
                    .iter()
                    .map(|(label, target)| match self.network_at(*target) {
                        None => (Arc::clone(label), *target),
                        Some(network) => {
                            let local = label.iter().map(|e| moves[&Move::Start(e, network)]);
                            (Arc::new(local.collect()), *target)
                        }
                    })
                    .collect(),
                State::Mount(network, after) => moves
                    .get(&self.end(*network, *after))
                    .map(|local| {
                        let target = after.unwrap_or(omega);
                        (Arc::new(EventSet::single(*local)), target)
                    })
                    .into_iter()
                    .collect(),
            };
            builder.state(edges);
        }
        builder.finish(StateId(0))
    }
}
