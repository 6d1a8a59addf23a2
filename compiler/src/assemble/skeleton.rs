//! Sequential processes that start networks: prefixes, choices, `;`, loops and recursions.
//!
//! The sequential part is listed as one controller, which stays where it is while the networks of a
//! state are live (see `at_work.rs`). What they do on their own are rules of their own. Whatever
//! else happens is a rule in which the controller moves, perhaps with a network, and which switches
//! networks off and on. So `P = Q ; P` and `P = Q /\ r -> P` restart the components of Q, and several
//! states in which the same network is live share one copy of it.

use std::sync::Arc;

use ahash::AHashMap;
use csp_lts::{ComponentId, EventId, EventSet, Lts, LtsBuilder, StateId};
use smallvec::SmallVec;

use super::at_work::{AtWork, Change};
use super::node::{Fragment, Node, Put};
use super::parallel::MANY_RULES;
use super::tree::Builder;
use super::{Outcome, messages};
use crate::leaf::Leaf;
use crate::process::{Process, ProcessId};

/// How many different networks one controller may start; beyond that the process is listed.
const MOUNTS: usize = 64;

/// How many states a controller may have in which operators pile up.
const PILED_STATES: usize = 10_000;

/// How many states are listed between two looks at whether to stop.
const POLL: usize = 64;

/// Networks by their numbers.
type Networks = SmallVec<[usize; 2]>;

/// A state of the controller.
#[derive(Default)]
struct State {
    /// The live networks, in the order of the text.
    at_work: Networks,
    edges: Vec<Edge>,
    is_omega: bool,
}

struct Edge {
    label: Arc<EventSet>,
    switch: Switch,
    target: StateId,
}

/// Who moves with the controller, and what is switched off and on by it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Switch {
    by: Networks,
    /// The network that moves does so by its ✓.
    ends: bool,
    stopped: Networks,
    started: Networks,
}

impl Switch {
    /// The controller moves alone and nothing else happens.
    fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}

/// What an edge of the controller means if it is more than an event of its own.
type Move = (EventId, Switch);

/// The sequential part, listed.
#[derive(Default)]
struct Skeleton {
    states: Vec<State>,
    networks: Vec<ProcessId>,
    /// The process that each state is.
    processes: Vec<ProcessId>,
}

impl Builder<'_> {
    /// The node of a process; choices, interrupts and exceptions are part of the controller if they are
    /// taken apart.
    pub(super) fn skeleton(&mut self, process: ProcessId, apart: bool) -> Outcome<Node> {
        let site = self.site_for(process);
        self.compiler.serve(self.processes, process, Some(site));
        let listing = Listing {
            at_work: AtWork::below(self, process, apart),
            index: AHashMap::new(),
            order: Vec::new(),
            skeleton: Skeleton::default(),
        };
        let skeleton = match listing.run(process) {
            Ok(Some(skeleton)) => skeleton,
            Ok(None) => return self.leaf_node(process),
            Err(mistake) if mistake.code == messages::TOO_DEEP => return self.leaf_node(process),
            Err(mistake) => return Err(mistake),
        };
        if self.shape(process).compressed {
            self.compiler
                .note_compression(self.processes, process, Some(site));
        }
        let mut nodes = Vec::with_capacity(skeleton.networks.len());
        let start = self.drafts.len();
        for network in &skeleton.networks {
            self.processes.poll(*network)?;
            let mut node = self.node(*network)?;
            node.visible.sort_by_key(|(event, _)| *event);
            nodes.push(node);
        }
        let duties = skeleton.duties(&nodes);
        let moves = duties.moves();
        let lts = self.compiler.share(duties.controller(&moves));
        let leaf = Leaf::new(lts).with_states(Some(skeleton.processes.as_slice().into()));
        let controller = self.add_component(process, leaf);
        let stand_ins = moves.iter().map(|((event, _), local)| (*local, *event));
        self.drafts.stand_for(controller, stand_ins);
        let mut whole = self.mounted(process, controller, &nodes, &moves)?;
        for (i, node) in nodes.iter().enumerate() {
            let is_on = skeleton.states[0].at_work.contains(&i);
            let on = if is_on { node.on.clone() } else { node.off() };
            whole.on.extend(on);
        }
        for event in duties.plain_events().iter() {
            add(&mut whole, event, Fragment::single(controller, event));
        }
        for (node, alone) in nodes.into_iter().zip(&duties.alone) {
            let visible = node.visible.into_iter();
            let visible = visible.filter(|(event, _)| alone.contains(*event));
            whole.visible.extend(visible);
            whole.silent.extend(node.silent);
        }
        let first = u32::try_from(start).expect("components are numbered by u32");
        whole.components = first..controller.0 + 1;
        whole.done = vec![controller];
        Ok(whole)
    }

    /// The controller and its moves.
    fn mounted(
        &mut self,
        process: ProcessId,
        controller: ComponentId,
        nodes: &[Node],
        moves: &AHashMap<Move, EventId>,
    ) -> Outcome<Node> {
        let mut whole = Node::default();
        whole.on.push((controller, Put::State(StateId(0))));
        let mut sorted: Vec<(&Move, EventId)> = moves.iter().map(|(m, e)| (m, *e)).collect();
        sorted.sort_unstable();
        for ((event, switch), local) in sorted {
            let off = switch.stopped.iter().flat_map(|&n| nodes[n].off());
            let on = switch.started.iter().flat_map(|&n| nodes[n].on.clone());
            let places: Vec<_> = off.chain(on).collect();
            for mut fragment in self.movers(process, nodes, *event, switch)? {
                fragment.participants.push((controller, local));
                self.drafts.put_all(&mut fragment, &places);
                add(&mut whole, *event, fragment);
            }
        }
        Ok(whole)
    }

    /// What networks do in a move: every combination of their fragments.
    fn movers(
        &mut self,
        process: ProcessId,
        nodes: &[Node],
        event: EventId,
        switch: &Switch,
    ) -> Outcome<Vec<Fragment>> {
        let mut joint = vec![Fragment::none()];
        for &network in &switch.by {
            let node = &nodes[network];
            let parts: Vec<&Fragment> = if switch.ends {
                node.ticks.iter().collect()
            } else {
                let first = node.visible.partition_point(|v| v.0 < event);
                let visible = node.visible[first..].iter();
                let same = visible.take_while(|v| v.0 == event);
                same.map(|v| &v.1).collect()
            };
            if joint.len() * parts.len() > MANY_RULES {
                return Err(messages::too_large(self.processes, process, "rules"));
            }
            let mut longer = Vec::with_capacity(joint.len() * parts.len());
            for fragment in &joint {
                for part in &parts {
                    let mut both = fragment.clone();
                    self.extend(&mut both, part);
                    longer.push(both);
                }
            }
            joint = longer;
        }
        Ok(joint)
    }
}

/// The sequential part on the way to be listed.
struct Listing<'b, 'a> {
    at_work: AtWork<'b, 'a>,
    /// A state is a process and who its networks are.
    index: AHashMap<(ProcessId, Networks), StateId>,
    order: Vec<(ProcessId, Networks)>,
    skeleton: Skeleton,
}

impl Listing<'_, '_> {
    /// None if it starts too many networks, or if operators pile up in too many states: perhaps they only
    /// would if some network ended that never does, and the whole can be listed.
    fn run(mut self, root: ProcessId) -> Outcome<Option<Skeleton>> {
        let mut limit = self.at_work.builder.compiler.options.leaf_states;
        let piled = self.at_work.builder.shape(root).piled;
        if piled && self.at_work.apart {
            limit = limit.min(PILED_STATES);
        }
        let root = self.at_work.through(root)?;
        self.enter(root, &[], &[])?;
        while let Some((process, at_work)) = self.order.get(self.skeleton.states.len()).cloned() {
            if self.skeleton.states.len().is_multiple_of(POLL) {
                self.at_work.builder.processes.poll(process)?;
            }
            let state = self.state(process, at_work)?;
            self.skeleton.states.push(state);
            if self.skeleton.networks.len() > MOUNTS {
                return Ok(None);
            }
            if let Some((last, _)) = self.order.get(limit) {
                if piled {
                    return Ok(None);
                }
                let processes = &*self.at_work.builder.processes;
                return Err(messages::too_many_states(processes, root, *last, limit));
            }
        }
        self.skeleton.processes = self.order.iter().map(|(process, _)| *process).collect();
        Ok(Some(self.skeleton))
    }

    fn state(&mut self, process: ProcessId, at_work: Networks) -> Outcome<State> {
        let head = self.at_work.builder.processes.head(process)?;
        if matches!(*head, Process::Omega) {
            return Ok(State {
                is_omega: true,
                ..State::default()
            });
        }
        let mut edges = Vec::new();
        for change in self.at_work.changes(process)? {
            edges.push(self.edge(&at_work, change)?);
        }
        Ok(State {
            at_work,
            edges,
            is_omega: false,
        })
    }

    fn edge(&mut self, at_work: &[usize], change: Change) -> Outcome<Edge> {
        let (target, started) = self.enter(change.target, at_work, &change.kept)?;
        let by: Networks = change.by.iter().map(|&place| at_work[place]).collect();
        let goes_on = &self.order[target.0 as usize].1;
        // Who has ended is off.
        let is_settled = |n: &usize| goes_on.contains(n) || (change.ends && by.contains(n));
        let stopped = at_work.iter().copied().filter(|n| !is_settled(n)).collect();
        Ok(Edge {
            label: change.label,
            switch: Switch {
                by,
                ends: change.ends,
                stopped,
                started,
            },
            target,
        })
    }

    /// The state of a process in which some networks go on; those that do not are started.
    fn enter(
        &mut self,
        process: ProcessId,
        at_work: &[usize],
        kept: &[(usize, usize)],
    ) -> Outcome<(StateId, Networks)> {
        let networks = self.at_work.networks(process)?;
        let mut numbers: SmallVec<[Option<usize>; 2]> = networks.iter().map(|_| None).collect();
        for &(there, here) in kept {
            numbers[there] = Some(at_work[here]);
        }
        let mut started = Networks::new();
        for (place, network) in networks.iter().enumerate() {
            if numbers[place].is_none() {
                let number = self.unused(*network, &numbers);
                numbers[place] = Some(number);
                started.push(number);
            }
        }
        let next = u32::try_from(self.order.len()).expect("the limit is below 2^32");
        let key = (process, numbers.into_iter().flatten().collect());
        let order = &mut self.order;
        let state = self.index.entry(key).or_insert_with_key(|key| {
            order.push(key.clone());
            StateId(next)
        });
        Ok((*state, started))
    }

    /// A copy of a network that is not in use.
    fn unused(&mut self, network: ProcessId, used: &[Option<usize>]) -> usize {
        let networks = &mut self.skeleton.networks;
        let is_free = |&i: &usize| networks[i] == network && !used.contains(&Some(i));
        (0..networks.len()).find(is_free).unwrap_or_else(|| {
            networks.push(network);
            networks.len() - 1
        })
    }
}

fn add(node: &mut Node, event: EventId, fragment: Fragment) {
    match event {
        EventId::TAU => node.silent.push(fragment),
        EventId::TICK => node.ticks.push(fragment),
        _ => node.visible.push((event, fragment)),
    }
}

/// Who does what: what networks do alone, and what the controller takes part in.
struct Duties<'s> {
    states: &'s [State],
    /// The visible events of each network.
    alphabets: Vec<EventSet>,
    /// Those of them that change nothing in any state in which the network is live.
    alone: Vec<EventSet>,
    can_tick: Vec<bool>,
}

impl Skeleton {
    fn duties(&self, nodes: &[Node]) -> Duties<'_> {
        let visible = |node: &Node| node.visible.iter().map(|v| v.0).collect();
        let alphabets: Vec<EventSet> = nodes.iter().map(visible).collect();
        let mut alone = alphabets.clone();
        for (i, state) in (0..).map(StateId).zip(&self.states) {
            for &network in &state.at_work {
                let changes_nothing = |edge: &&Edge| edge.is_left_to(network, i);
                let edges = state.edges.iter().filter(changes_nothing);
                let free = edges.flat_map(|e| e.label.ranges().iter().copied());
                let free = EventSet::from_ranges(free.collect());
                alone[network] = alone[network].intersection(&free);
            }
        }
        Duties {
            states: &self.states,
            alphabets,
            alone,
            can_tick: nodes.iter().map(Node::can_tick).collect(),
        }
    }
}

impl Edge {
    /// Whether nothing changes by it but the state of this network.
    fn is_left_to(&self, network: usize, source: StateId) -> bool {
        let Switch {
            by,
            ends,
            stopped,
            started,
        } = &self.switch;
        self.target == source
            && by[..] == [network]
            && !ends
            && stopped.is_empty()
            && started.is_empty()
    }
}

impl Duties<'_> {
    /// The events for which the controller takes part in an edge.
    fn label(&self, edge: &Edge) -> EventSet {
        let mut label = EventSet::clone(&edge.label);
        for &network in &edge.switch.by {
            if edge.switch.ends {
                if !self.can_tick[network] {
                    return EventSet::empty();
                }
            } else {
                label = label.intersection(&self.alphabets[network]);
                label = label.difference(&self.alone[network]);
            }
        }
        label
    }

    /// The events that the controller performs on its own.
    fn plain_events(&self) -> EventSet {
        let edges = self.states.iter().flat_map(|state| &state.edges);
        let plain = edges.filter(|edge| edge.switch.is_plain());
        let ranges = plain.flat_map(|edge| edge.label.ranges().iter().copied());
        EventSet::from_ranges(ranges.collect())
    }

    /// Local events for the moves that are more than an event of the controller's own.
    fn moves(&self) -> AHashMap<Move, EventId> {
        let mut moves: Vec<Move> = Vec::new();
        for edge in self.states.iter().flat_map(|state| &state.edges) {
            if !edge.switch.is_plain() {
                let label = self.label(edge);
                moves.extend(label.iter().map(|event| (event, edge.switch.clone())));
            }
        }
        moves.sort_unstable();
        moves.dedup();
        let plain = self.plain_events();
        let unused = plain.ranges().last().map_or(0, |range| range.1);
        let unused = unused.max(EventId::FIRST.0);
        moves.into_iter().zip((unused..).map(EventId)).collect()
    }

    fn controller(&self, moves: &AHashMap<Move, EventId>) -> Lts {
        let omega = self.states.iter().position(|state| state.is_omega);
        let mut builder = LtsBuilder::new();
        for (i, state) in self.states.iter().enumerate() {
            let mut edges = Vec::with_capacity(state.edges.len());
            for edge in &state.edges {
                if edge.switch.is_plain() {
                    edges.push((Arc::clone(&edge.label), edge.target));
                    continue;
                }
                let label = self.label(edge);
                let local = label.iter().map(|e| moves[&(e, edge.switch.clone())]);
                let local: EventSet = local.collect();
                if !local.is_empty() {
                    edges.push((Arc::new(local), edge.target));
                }
            }
            if Some(i) == omega {
                edges.push(ended(i));
            }
            builder.state(edges);
        }
        if omega.is_none() {
            builder.state([ended(self.states.len())]);
        }
        builder.finish(StateId(0))
    }
}

/// The edge of the terminated state.
fn ended(place: usize) -> (Arc<EventSet>, StateId) {
    let place = u32::try_from(place).expect("states are numbered by u32");
    (Arc::new(EventSet::single(EventId::OMEGA)), StateId(place))
}
