//! The loop: take the most promising state, look for the goal, promise something for its children.

use std::sync::atomic::Ordering::Relaxed;

use csp_host::clock::Moment;
use csp_lts::{Network, RuleId};

use super::improve::improve;
use super::lanes::{Lanes, Waiting};
use super::novelty::Novelty;
use super::projection::LOST;
use super::queue::Promise;
use super::replay::replay;
use super::sight::Sight;
use super::{Arena, Improve, Sought, Strategy};
use crate::machine::{Endless, NONE};
use crate::outcome::{Limit, Statistics};
use crate::search::control::Control;
use crate::store::{Full, Seed};

/// States between two looks at the clock.
const POLL_EVERY: u64 = 256;

/// What is known of a state besides itself.
#[derive(Clone, Copy, Debug)]
struct Node {
    parent: u32,
    /// Ordinary steps from the start.
    depth: u32,
    distance: u32,
}

/// A directed search under way. States, nodes and their numbers go together.
pub(super) struct Exploration<'a, const N: usize> {
    network: &'a Network,
    arena: &'a Arena<N>,
    control: &'a Control<'a>,
    states: Seed<N>,
    nodes: Vec<Node>,
    queue: Lanes,
    novelty: Option<Novelty>,
    sight: Sight,
    transitions: u64,
}

impl<'a, const N: usize> Exploration<'a, N> {
    pub(super) fn new(
        network: &'a Network,
        arena: &'a Arena<N>,
        control: &'a Control<'a>,
    ) -> Result<Self, Full> {
        let counts = arena.machine.state_counts();
        let novelty = (arena.strategy == Strategy::Greedy)
            .then(|| Novelty::new(&counts, arena.projection.farthest()));
        Ok(Self {
            network,
            arena,
            control,
            states: Seed::new(u64::MAX, &control.account)?,
            nodes: Vec::new(),
            queue: Lanes::new(arena.strategy == Strategy::Shortest),
            novelty,
            sight: Sight::default(),
            transitions: 0,
        })
    }

    /// Searches from a state, to which these rules have led, until the goal is found, nothing is left,
    /// or a limit is reached.
    pub(super) fn run(
        mut self,
        start: &[u64; N],
        before: &[RuleId],
        shorter: Improve<'_>,
    ) -> Sought {
        let play = match self.begin(start) {
            Ok(()) => self.find(),
            Err(limit) => {
                self.control.stop(limit);
                None
            }
        };
        let play = play.map(|(node, goal)| {
            let (path, goal) = self.shortened(self.path(node), goal, shorter);
            replay(self.network, &self.arena.machine, before, &path, goal)
        });
        let ordinary = |play: &Vec<_>| {
            let chosen = play.iter().filter(|s: &&crate::outcome::Step| !s.chased);
            chosen.count() as u64
        };
        let account = &self.control.account;
        Sought {
            statistics: Statistics {
                states: self.nodes.len() as u64,
                transitions: self.transitions,
                plys: play.as_ref().map_or(0, ordinary),
                ply_sizes: Vec::new(),
                peak_memory: account.peak(),
                bytes_per_state: account.taken() as f64 / self.nodes.len().max(1) as f64,
                store: "directed",
                partial_order: None,
                symmetry: None,
            },
            limit: self.control.limit().filter(|_| play.is_none()),
            play,
        }
    }

    /// A shorter way in the time there is, and a goal at its end.
    fn shortened(
        &self,
        path: Vec<[u64; N]>,
        goal: RuleId,
        shorter: Improve<'_>,
    ) -> (Vec<[u64; N]>, RuleId) {
        let deadline = shorter.time.and_then(|t| Moment::now().checked_add(t));
        let Some(deadline) = deadline else {
            return (path, goal);
        };
        let interrupted = || shorter.observer.interrupted();
        let path = improve(self.arena, path, deadline, &interrupted);
        let machine = &self.arena.machine;
        let mut enabled = Vec::new();
        if let Some(last) = path.last() {
            machine.enabled(last, &mut enabled);
        }
        enabled.sort_unstable();
        let goals = enabled.iter().filter(|r| self.arena.is_goal[**r as usize]);
        let goal = goals.map(|r| machine.rules[*r as usize].id).next();
        (
            path,
            goal.expect("a shorter way ends where a goal can be fired"),
        )
    }

    fn memory(&self, _: Full) -> Limit {
        Limit::Memory(self.control.account.limit())
    }

    fn endless(&self, endless: Endless) -> Limit {
        Limit::Unsupported(self.arena.endless(self.network, endless))
    }

    fn begin(&mut self, start: &[u64; N]) -> Result<(), Limit> {
        let arena = self.arena;
        self.sight
            .expand(&arena.machine.layout, &arena.projection, start);
        self.reach(start, NONE)?;
        if !arena.relaxed.may_reach(&self.sight.values) {
            self.queue = Lanes::new(true);
        }
        Ok(())
    }

    /// Expands until the goal is found: the node before it, and its rule.
    fn find(&mut self) -> Option<(u32, RuleId)> {
        let mut enabled = Vec::new();
        let mut dirty = Vec::new();
        let mut expanded = 0u64;
        while let Some((promise, number)) = self.queue.pop() {
            if self.arena.strategy == Strategy::Shortest && self.promise(number, None) != promise {
                // A shorter way here was found meanwhile.
                continue;
            }
            if expanded.is_multiple_of(POLL_EVERY) {
                self.report();
            }
            expanded += 1;
            if self.control.is_stopped() {
                return None;
            }
            let machine = &self.arena.machine;
            let state = self.states.states()[number as usize];
            machine.enabled(&state, &mut enabled);
            // Which of several ways is found must not depend on the order of the index.
            enabled.sort_unstable();
            let goal = enabled
                .iter()
                .find(|rule| self.arena.is_goal[**rule as usize]);
            if let Some(rule) = goal {
                return Some((number, machine.rules[*rule as usize].id));
            }
            self.sight
                .expand(&machine.layout, &self.arena.projection, &state);
            for rule in &enabled {
                let mut reached = Ok(());
                machine.fire(&state, *rule, |child| {
                    self.transitions += 1;
                    reached = reached.clone().and_then(|()| {
                        let chased = machine.chase_after(*rule, &state, child, &mut dirty);
                        chased.map_err(|endless| self.endless(endless))?;
                        self.reach(child, number)
                    });
                });
                if let Err(limit) = reached {
                    self.control.stop(limit);
                    return None;
                }
            }
        }
        None
    }

    fn report(&self) {
        let control = self.control;
        control.states.store(self.nodes.len() as u64, Relaxed);
        control.transitions.store(self.transitions, Relaxed);
        control.frontier.store(self.queue.len(), Relaxed);
        control.poll();
    }

    /// Takes note of a child of the state in sight, and of a shorter way to a known one if that
    /// matters.
    fn reach(&mut self, state: &[u64; N], parent: u32) -> Result<(), Limit> {
        let control = self.control;
        let account = &control.account;
        let depth = self.nodes.get(parent as usize).map_or(0, |p| p.depth + 1);
        let entry = self.states.number(state, account);
        let (number, new) = entry.map_err(|full| self.memory(full))?;
        if !new {
            let node = &mut self.nodes[number as usize];
            if self.arena.strategy == Strategy::Greedy || node.depth <= depth {
                return Ok(());
            }
            (node.parent, node.depth) = (parent, depth);
        } else {
            let room = account.room(&mut self.nodes, 1);
            room.map_err(|full| self.memory(full))?;
            let arena = self.arena;
            let distance = self
                .sight
                .child(&arena.machine.layout, &arena.projection, state);
            self.nodes.push(Node {
                parent,
                depth,
                distance,
            });
        }
        let distance = self.nodes[number as usize].distance;
        if distance != LOST {
            let novelty = self.novelty_in_sight(parent, distance);
            let promise = self.promise(number, novelty);
            let waiting = Waiting {
                number,
                promise,
                distance,
                depth,
            };
            let pushed = self.queue.push(waiting, account);
            pushed.map_err(|full| self.memory(full))?;
        }
        if self.nodes.len() as u64 > control.most_states {
            return Err(Limit::States(control.most_states));
        }
        Ok(())
    }

    /// The novelty of the child in sight, if it is used at all.
    fn novelty_in_sight(&mut self, parent: u32, distance: u32) -> Option<u8> {
        let novelty = self.novelty.as_mut()?;
        let like = self.nodes.get(parent as usize);
        if like.is_none_or(|p| p.distance != distance) {
            // What was seen at another distance does not count.
            self.sight.changed.clear();
            self.sight.changed.extend(0..self.sight.values.len());
        }
        let (values, changed) = (&self.sight.values, &self.sight.changed);
        Some(novelty.of(values, changed, distance, &self.control.account))
    }

    /// When a node is to be expanded.
    fn promise(&self, number: u32, novelty: Option<u8>) -> Promise {
        let node = &self.nodes[number as usize];
        match novelty {
            // At distance 0 the goal may be possible at once.
            Some(_) if node.distance == 0 => (0, 0),
            Some(novelty) => (u32::from(novelty), node.distance),
            None => {
                let bound = self.arena.projection.bound(node.distance);
                // Among equals the one that claims to be nearer.
                (node.depth.saturating_add(bound), bound)
            }
        }
    }

    /// The states from the start to a node.
    fn path(&self, node: u32) -> Vec<[u64; N]> {
        let mut path = Vec::new();
        let mut at = node;
        while at != NONE {
            path.push(self.states.states()[at as usize]);
            at = self.nodes[at as usize].parent;
        }
        path.reverse();
        path
    }
}
