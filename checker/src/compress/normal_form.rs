//! Normal forms: deterministic machines without τ whose nodes say what must be offered and whether
//! the process can diverge there (Roscoe, "The Theory and Practice of Concurrency", appendix C).
//!
//! A node is the set of all states that a trace can lead to, closed under τ. What a node is marked
//! with depends on the model, so a normal form belongs to one model and is never used for another.

use ahash::AHashMap;

use super::acceptance::minimal;
use super::graph::{Graph, Step};
use super::rows::{Rows, number};
use super::sbisim;
use super::tau_loop_factor::divergent;
use crate::budget::Budget;
use crate::claim::Model;
use crate::outcome::Limit;

/// What is observed of a node besides its events.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mark {
    /// Nothing: the traces model.
    Traces,
    /// The minimal acceptances of its stable states; none if it has no stable state.
    Acceptances(Vec<Vec<u32>>),
    /// It can diverge, and in a strict model nothing else matters: it has no transitions.
    Divergent,
}

/// A normal form.
pub(super) struct NormalForm {
    pub(super) marks: Vec<Mark>,
    /// At most one step for each atom.
    pub(super) steps: Rows<Step>,
    /// The node of each seed.
    pub(super) seeds: Vec<u32>,
}

/// A normal form with more nodes than this, and with many times more than there were states, compresses nothing.
const MANY_NODES: usize = 1 << 21;
const TIMES: usize = 16;

/// Normalises a graph without τ loops other than of a state to itself, starting from what each of
/// the seeds reaches by τ, and merges equivalent nodes. None if all nodes together have more states
/// than there is room for, if there are far more nodes than states, or if the model observes more than nodes can say (revivals, refusal
/// testing).
pub(super) fn normal_form(
    graph: &Graph,
    model: Model,
    seeds: impl Iterator<Item = u32>,
    room: usize,
    budget: &Budget<'_>,
) -> Result<Option<NormalForm>, Limit> {
    if !matches!(
        model,
        Model::Traces | Model::Failures | Model::FailuresDivergences
    ) {
        return Ok(None);
    }
    let mut construction = Construction {
        graph,
        model,
        divergent: divergent(graph),
        seen: vec![0; graph.len()],
        round: 0,
        index: AHashMap::new(),
        nodes: Vec::new(),
        states: 0,
        budget,
    };
    let mut seeds_nodes = Vec::new();
    for seed in seeds {
        seeds_nodes.push(construction.node(std::iter::once(seed))?);
        if construction.states > room {
            return Ok(None);
        }
    }
    let (mut marks, mut steps) = (Vec::new(), Rows::new());
    while let Some(node) = construction.nodes.get(marks.len()).cloned() {
        let mark = construction.mark(&node);
        if mark != Mark::Divergent {
            construction.steps(&node, &mut steps)?;
        }
        steps.end_row();
        marks.push(mark);
        let nodes = construction.nodes.len();
        if construction.states > room || nodes > MANY_NODES.max(TIMES * graph.len()) {
            return Ok(None);
        }
    }
    NormalForm {
        marks,
        steps,
        seeds: seeds_nodes,
    }
    .minimised(budget)
    .map(Some)
}

type Node = std::rc::Rc<[u32]>;

/// What a node takes besides its states: its place in the list and in the index, and its steps.
const NODE_BYTES: usize = 128;

struct Construction<'a> {
    graph: &'a Graph,
    model: Model,
    divergent: Vec<bool>,
    /// The round in which a state was last met.
    seen: Vec<u32>,
    round: u32,
    index: AHashMap<Node, u32>,
    nodes: Vec<Node>,
    /// States of all nodes together.
    states: usize,
    budget: &'a Budget<'a>,
}

impl Construction<'_> {
    /// The node of the states that τ leads to from the states given.
    fn node(&mut self, states: impl Iterator<Item = u32>) -> Result<u32, Limit> {
        if self.round == u32::MAX {
            self.seen.fill(0);
            self.round = 0;
        }
        self.round += 1;
        let mut reached: Vec<u32> = Vec::new();
        let mut done = 0;
        let (seen, round) = (&mut self.seen, self.round);
        let mut meet = |state: u32, reached: &mut Vec<u32>| {
            if std::mem::replace(&mut seen[state as usize], round) != round {
                reached.push(state);
            }
        };
        states.for_each(|state| meet(state, &mut reached));
        while done < reached.len() {
            for &target in self.graph.tau.row(reached[done]) {
                meet(target, &mut reached);
            }
            done += 1;
        }
        self.budget.work(reached.len())?;
        // In a strict model all divergent nodes are the same.
        if self.model == Model::FailuresDivergences
            && reached.iter().any(|&s| self.divergent[s as usize])
        {
            reached.clear();
        }
        reached.sort_unstable();
        if let Some(&node) = self.index.get(&reached[..]) {
            return Ok(node);
        }
        self.states += reached.len() + 1;
        let bytes = 4 * self.states + NODE_BYTES * self.nodes.len();
        let nodes = self.nodes.len() as u64;
        self.budget.spend(nodes, bytes as u64)?;
        let node = number(self.nodes.len());
        let states: Node = reached.into();
        self.nodes.push(Node::clone(&states));
        self.index.insert(states, node);
        Ok(node)
    }

    fn mark(&self, node: &[u32]) -> Mark {
        if node.is_empty() {
            return Mark::Divergent;
        }
        if self.model == Model::Traces {
            return Mark::Traces;
        }
        let stable = node.iter().filter(|&&s| self.graph.is_stable(s));
        Mark::Acceptances(minimal(stable.map(|&s| self.graph.offers(s)).collect()))
    }

    fn steps(&mut self, node: &[u32], steps: &mut Rows<Step>) -> Result<(), Limit> {
        let mut all: Vec<Step> = Vec::new();
        for &state in node {
            all.extend_from_slice(self.graph.visible.row(state));
        }
        all.sort_unstable();
        all.dedup();
        for targets in all.chunk_by(|a, b| a.atom == b.atom) {
            let target = self.node(targets.iter().map(|s| s.target))?;
            steps.push(Step {
                atom: targets[0].atom,
                target,
            });
        }
        Ok(())
    }
}

impl NormalForm {
    /// Merges nodes that agree on marks and, step by step, on all that follows.
    fn minimised(self, budget: &Budget<'_>) -> Result<Self, Limit> {
        let mut index: AHashMap<&Mark, u32> = AHashMap::new();
        let mut initial = Vec::with_capacity(self.marks.len());
        for mark in &self.marks {
            let fresh = number(index.len());
            initial.push(*index.entry(mark).or_insert(fresh));
        }
        let classes = sbisim::classes(&self.steps, initial, None, budget)?;
        let class = |node: u32| classes.class_of[node as usize];
        let mut steps = Rows::new();
        let mut marks = Vec::new();
        for &node in &classes.representative {
            for step in self.steps.row(node) {
                steps.push(Step {
                    atom: step.atom,
                    target: class(step.target),
                });
            }
            steps.end_row();
            marks.push(self.marks[node as usize].clone());
        }
        Ok(Self {
            marks,
            steps,
            seeds: self.seeds.into_iter().map(class).collect(),
        })
    }
}
