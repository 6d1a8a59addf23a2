//! Leaves: processes whose states are listed one by one.
//!
//! Exploration is breadth-first, so numbering depends on the process alone. A terminated state
//! carries Ω as a loop: rules that wait for the termination of a component ask for that offer.
//! Invariant of a [`Leaf`]: every ✓ leads to one state, and that state does nothing but Ω.

mod growth;

use std::sync::Arc;

use ahash::AHashMap;
use csp_grammar::Diagnostic;
use csp_lts::{EventId, EventSet, Lts, LtsBuilder, StateId};

use crate::operators::{Halt, Operational};
use crate::process::{Process, ProcessId, Processes};

/// A listed process, with what composing it needs to know.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The states.
    pub lts: Arc<Lts>,
    /// The terminated state, if there is one.
    pub omega: Option<StateId>,
    /// Every event on some edge, without Ω.
    pub alphabet: Arc<EventSet>,
    /// The process that each state is, if that was to be kept.
    pub states: Option<Arc<[ProcessId]>>,
}

impl Leaf {
    /// A transition system that keeps the invariant of leaves.
    #[must_use]
    pub fn new(lts: Arc<Lts>) -> Self {
        let alphabet = lts.alphabet().difference(&EventSet::single(EventId::OMEGA));
        let omega = lts.states().find(|&s| is_omega(&lts, s));
        Self {
            lts,
            omega,
            alphabet: Arc::new(alphabet),
            states: None,
        }
    }

    /// The same with the process that each state is.
    #[must_use]
    pub fn with_states(self, states: Option<Arc<[ProcessId]>>) -> Self {
        Self { states, ..self }
    }

    /// Whether it has terminated before it begins.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.omega == Some(self.lts.initial())
    }

    /// Whether ✓ is among its events.
    #[must_use]
    pub fn can_tick(&self) -> bool {
        self.alphabet.contains(EventId::TICK)
    }
}

fn is_omega(lts: &Lts, state: StateId) -> bool {
    lts.edges(state)
        .iter()
        .any(|edge| lts.label(edge).contains(EventId::OMEGA))
}

/// How an exploration ended.
#[derive(Debug)]
pub enum Explored {
    /// All states were listed.
    Complete(Lts),
    /// There are more states or steps than allowed; the process is one of the first beyond.
    Unfinished(ProcessId),
    /// After this many states it is clear that there are too many to be listed: the process is one that it grows to.
    Grows(ProcessId, usize),
}

/// How many states are listed between two looks at whether to stop.
const POLL: usize = 1024;

/// After how many states it is asked whether they can be listed at all.
const ASK_AT: usize = 1 << 14;

/// Lists the states of a process, up to a number of them; compressed processes are transparent.
pub fn explore(
    operational: &mut Operational,
    processes: &mut dyn Processes,
    root: ProcessId,
    limit: usize,
) -> Result<Explored, Box<Diagnostic>> {
    operational.serve(None);
    Listing::new(operational, processes, root)
        .go_on(operational, processes, limit)
        .map_err(|halt| match halt {
            Halt::Mistake(mistake) => mistake,
            Halt::Wants(_) => unreachable!("what is looked through is not made a machine"),
        })
}

/// States under way to be listed. It halts where a compressed process is met that nobody has
/// decided about, and goes on from there.
pub(crate) struct Listing {
    index: AHashMap<ProcessId, StateId>,
    states: Vec<ProcessId>,
    builder: LtsBuilder,
    done: usize,
    /// How many steps have been listed, and may be.
    steps: usize,
    pub(crate) most_steps: usize,
}

impl Listing {
    /// The process that each state is.
    pub(crate) fn states(&self) -> Arc<[ProcessId]> {
        self.states.as_slice().into()
    }

    pub(crate) fn new(
        operational: &mut Operational,
        processes: &mut dyn Processes,
        root: ProcessId,
    ) -> Self {
        let root = operational.canonical(processes, root);
        Self {
            index: std::iter::once((root, StateId(0))).collect(),
            states: vec![root],
            builder: LtsBuilder::new(),
            done: 0,
            steps: 0,
            most_steps: usize::MAX,
        }
    }

    pub(crate) fn go_on(
        &mut self,
        operational: &mut Operational,
        processes: &mut dyn Processes,
        limit: usize,
    ) -> Result<Explored, Halt> {
        let omega = Arc::new(EventSet::single(EventId::OMEGA));
        while let Some(&process) = self.states.get(self.done) {
            if self.done % POLL == POLL - 1 {
                processes.poll(process)?;
            }
            if self.done == ASK_AT
                && let Some(last) = self.states.last()
                && let Some(grown) = growth::outgrown(operational, processes, *last)?
            {
                return Ok(Explored::Grows(grown, ASK_AT));
            }
            if matches!(*processes.head(process)?, Process::Omega) {
                let here = StateId(u32::try_from(self.done).expect("states are numbered by u32"));
                self.builder.state([(Arc::clone(&omega), here)]);
                self.done += 1;
                continue;
            }
            let steps = operational.transitions(processes, process)?;
            self.steps += steps.len();
            if self.steps > self.most_steps {
                return Ok(Explored::Unfinished(process));
            }
            let mut edges = Vec::with_capacity(steps.len());
            for (label, target) in steps.iter() {
                let next = u32::try_from(self.states.len()).expect("the limit is below 2^32");
                let states = &mut self.states;
                let state = *self.index.entry(*target).or_insert_with(|| {
                    states.push(*target);
                    StateId(next)
                });
                if self.states.len() > limit {
                    return Ok(Explored::Unfinished(*target));
                }
                edges.push((Arc::clone(label), state));
            }
            self.builder.state(edges);
            self.done += 1;
        }
        let builder = std::mem::take(&mut self.builder);
        Ok(Explored::Complete(builder.finish(StateId(0))))
    }
}

/// The same system with all ✓ leading to one marked state of their own, as leaves want it.
/// A system that has been through a compression may have merged that state with a deadlock.
#[must_use]
pub fn marked(lts: &Lts) -> Lts {
    let omega_label = Arc::new(EventSet::single(EventId::OMEGA));
    let omega = StateId(u32::try_from(lts.state_count()).expect("states are numbered by u32"));
    let special = EventSet::range(EventId::TICK.0, EventId::FIRST.0);
    let mut builder = LtsBuilder::new();
    for state in lts.states() {
        let mut edges = Vec::new();
        for edge in lts.edges(state) {
            let label = lts.label(edge);
            if label.contains(EventId::TICK) {
                edges.push((Arc::new(EventSet::single(EventId::TICK)), omega));
            }
            if label.intersection(&special).is_empty() {
                edges.push((Arc::clone(label), edge.target));
            } else {
                edges.push((Arc::new(label.difference(&special)), edge.target));
            }
        }
        builder.state(edges);
    }
    builder.state([(omega_label, omega)]);
    reachable(&builder.finish(lts.initial()))
}

/// The part that can be reached from the initial state, renumbered breadth-first.
#[must_use]
pub fn reachable(lts: &Lts) -> Lts {
    let mut number: Vec<Option<StateId>> = vec![None; lts.state_count()];
    let mut order = vec![lts.initial()];
    number[lts.initial().0 as usize] = Some(StateId(0));
    let mut builder = LtsBuilder::new();
    let mut done = 0;
    while done < order.len() {
        let mut edges = Vec::new();
        for edge in lts.edges(order[done]) {
            let next = u32::try_from(order.len()).expect("states are numbered by u32");
            let state = *number[edge.target.0 as usize].get_or_insert_with(|| {
                order.push(edge.target);
                StateId(next)
            });
            edges.push((Arc::clone(lts.label(edge)), state));
        }
        builder.state(edges);
        done += 1;
    }
    builder.finish(StateId(0))
}
