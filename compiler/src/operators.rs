//! Operational semantics: what a process can do next.
//!
//! A step is a *set* of events and the process after any of them; τ is the set {τ}, ✓ the set {✓},
//! and neither is mixed with visible events. Each file in `operators/` states the firing rules of
//! one family of operators and computes them. Every ✓ leads to [`Process::Omega`].
//! Source: Roscoe, *Understanding Concurrent Systems*, ch. 9; termination as [`Termination`] says.
//!
//! Steps are remembered for each process that has operands. Asking for the steps of a process while they are being
//! computed is unguarded recursion; so is, in effect, a chain of new processes that never ends,
//! which is why the nesting of operators is bounded.

mod buffer;
mod canonical;
mod chase;
mod choice;
mod collapse;
mod exception;
mod hiding;
mod interrupt;
mod parallel;
mod prefix;
mod priority;
mod renaming;
mod sequence;
mod splice;

use std::rc::Rc;
use std::sync::Arc;

use ahash::AHashMap;
use csp_grammar::Diagnostic;
use csp_lts::{EventId, EventSet};
use indexmap::IndexSet;

use crate::assemble::messages;
use crate::process::{Process, ProcessId, Processes, Relation};
use canonical::Canonical;
pub(crate) use splice::{Purpose, Splices};

/// A label set and the process after any of its events.
pub type Step = (Arc<EventSet>, ProcessId);

/// Why there are no steps.
#[derive(Debug)]
pub enum Halt {
    /// Something is wrong with the process.
    Mistake(Box<Diagnostic>),
    /// This compressed process has to be made a machine, or transparent, before.
    Wants(ProcessId),
}

impl From<Box<Diagnostic>> for Halt {
    fn from(mistake: Box<Diagnostic>) -> Self {
        Self::Mistake(mistake)
    }
}

type Outcome<T> = Result<T, Halt>;

/// How deep operators may be nested by default, both in the text and by growing during a run. On the stack of an engine
/// of WebAssembly, about 1 MiB, the first operators fail at 830 (`|||`).
pub const NESTING: u32 = if csp_host::stack::MEASURED {
    10_000
} else {
    300
};

/// How deep they may be nested if they have more than [`STEPS`] steps together, from the outermost to the
/// innermost. In `P = a -> (P /\\ b -> STOP)` every operator has one step more than the one inside it.
const NESTING_OF_MANY: u32 = 1_000;
const STEPS: u32 = 500_000;

/// How many steps are made between two looks at whether to stop.
const POLL: usize = 1 << 16;

/// How the members of a parallel composition terminate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Termination {
    /// In one step, ✓, once all of them can; until then those that can wait, as in FDR.
    #[default]
    Together,
    /// Each on its own by a τ, and the whole by ✓ after the last, as in the books.
    Apart,
}

/// The steps of processes, as far as they have been asked for.
#[derive(Debug)]
pub struct Operational {
    memo: AHashMap<ProcessId, (Rc<[Step]>, Nest)>,
    canonical: Canonical,
    splices: Splices,
    /// Innermost last.
    under_way: IndexSet<ProcessId, ahash::RandomState>,
    domains: AHashMap<*const (EventId, EventId), (Relation, Arc<EventSet>)>,
    silent: Arc<EventSet>,
    tick: Arc<EventSet>,
    nesting: u32,
    termination: Termination,
    /// Steps made since it was last asked whether to stop.
    made: usize,
}

/// Operators inside one another: how deep at most, and how many steps they have at most on a way inside.
#[derive(Clone, Copy, Debug, Default)]
struct Nest {
    depth: u32,
    steps: u32,
}

impl Nest {
    fn with(self, other: Self) -> Self {
        Self {
            depth: self.depth.max(other.depth),
            steps: self.steps.max(other.steps),
        }
    }

    /// With an operator around it.
    fn inside(self, steps: usize) -> Self {
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        Self {
            depth: self.depth + 1,
            steps: self.steps.saturating_add(steps),
        }
    }
}

impl Default for Operational {
    fn default() -> Self {
        Self::new(NESTING, Termination::default())
    }
}

impl Operational {
    /// No steps known yet; operators may be nested as deep as given.
    #[must_use]
    pub fn new(nesting: u32, termination: Termination) -> Self {
        Self {
            memo: AHashMap::new(),
            canonical: Canonical::default(),
            splices: Splices::default(),
            under_way: IndexSet::default(),
            domains: AHashMap::new(),
            silent: Arc::new(EventSet::single(EventId::TAU)),
            tick: Arc::new(EventSet::single(EventId::TICK)),
            nesting,
            termination,
            made: 0,
        }
    }

    /// Everything the process can do next, in a fixed order; steps to the same process are one step.
    pub fn transitions(
        &mut self,
        processes: &mut dyn Processes,
        process: ProcessId,
    ) -> Outcome<Rc<[Step]>> {
        let known = Firing::new(self, processes, process).steps(process);
        if known.is_err() {
            self.under_way.clear();
        }
        known
    }

    /// The first process met that plainly behaves the same. Targets of steps are such processes.
    pub fn canonical(&mut self, processes: &mut dyn Processes, process: ProcessId) -> ProcessId {
        self.canonical.of(processes, &mut self.splices, process)
    }

    /// Steps are asked for where compressed processes are machines made for a purpose, or, without
    /// one, where they are transparent. What is known for anything else is forgotten.
    pub(crate) fn serve(&mut self, purpose: Option<Purpose>) {
        if self.splices.serve(purpose) {
            self.memo.clear();
            self.canonical.clear();
        }
    }

    /// The compressed processes that are machines.
    pub(crate) fn splices(&mut self) -> &mut Splices {
        &mut self.splices
    }

    /// Nothing known but the machines, which this one knows no longer: see [`Self::resume`].
    pub(crate) fn suspend(&mut self) -> Self {
        let mut other = Self::new(self.nesting, self.termination);
        other.splices.serve(self.splices.purpose());
        std::mem::swap(&mut other.splices, &mut self.splices);
        other
    }

    /// Takes the machines back.
    pub(crate) fn resume(&mut self, mut other: Self) {
        std::mem::swap(&mut other.splices, &mut self.splices);
        // What this one knows is for the purpose that it served.
        self.splices.serve(other.splices.purpose());
    }

    /// Forgets what is known if it is more than this many processes.
    pub fn forget_beyond(&mut self, processes: usize) {
        if self.memo.len() > processes {
            self.memo = AHashMap::new();
            self.canonical.clear();
            self.domains = AHashMap::new();
        }
    }

    fn compute(
        &mut self,
        processes: &mut dyn Processes,
        process: ProcessId,
        head: &Process,
    ) -> Outcome<(Rc<[Step]>, Nest)> {
        let mut firing = Firing::new(self, processes, process);
        let steps = firing.finish(head)?;
        let nest = firing.nest.inside(steps.len());
        self.made += steps.len();
        if self.made >= POLL {
            self.made = 0;
            processes.poll(process)?;
        }
        Ok((steps, nest))
    }
}

/// The computation of the steps of one process.
struct Firing<'a> {
    known: &'a mut Operational,
    processes: &'a mut dyn Processes,
    process: ProcessId,
    out: Vec<Step>,
    /// Of the operands.
    nest: Nest,
}

impl<'a> Firing<'a> {
    fn new(
        known: &'a mut Operational,
        processes: &'a mut dyn Processes,
        process: ProcessId,
    ) -> Self {
        Self {
            known,
            processes,
            process,
            out: Vec::new(),
            nest: Nest::default(),
        }
    }

    fn fire(&mut self, head: &Process) -> Outcome<()> {
        match head {
            Process::Stop | Process::Omega => Ok(()),
            Process::Skip => self.skip(),
            Process::Div => self.div(),
            Process::Run(set) => self.run(set),
            Process::Chaos(set) => self.chaos(set),
            Process::Prefix(branches) => self.prefix(branches),
            Process::External(operands) => self.external(operands),
            Process::Internal(operands) => self.internal(operands),
            Process::Sliding(left, right) => self.sliding(*left, *right),
            Process::SyncExternal(set, operands) => self.sync_external(set, operands),
            Process::Sequence(left, right) => self.sequence(*left, *right),
            Process::Loop(body) => self.repeat(*body),
            Process::Interrupt(left, right) => self.interrupt(*left, *right),
            Process::Exception(left, set, right) => self.exception(*left, set, *right),
            Process::SyncInterrupt(left, set, right) => self.sync_interrupt(*left, set, *right),
            Process::Parallel(set, members) => self.parallel(set, members),
            Process::Alphabetised(members) => self.alphabetised(members),
            Process::Linked(left, links, right) => self.linked(*left, links, *right),
            Process::Hide(operand, set) => self.hide(*operand, set),
            Process::Project(operand, set) => self.project(*operand, set),
            Process::Rename(operand, relation) => self.rename(*operand, relation),
            Process::Compress(function, operand) => self.compress(*function, *operand),
            Process::Prioritise(operand, priority) => self.prioritise(*operand, priority),
            Process::Watchdog(..) => {
                Err(messages::watchdog_in_recursion(self.processes, self.process).into())
            }
            Process::Buffer(kind, capacity, pairs, content) => {
                self.buffer(*kind, *capacity, pairs, content)
            }
            Process::Node(_, machine, state) => {
                self.node(*machine, *state);
                Ok(())
            }
        }
    }

    fn finish(&mut self, head: &Process) -> Outcome<Rc<[Step]>> {
        self.fire(head)?;
        let mut steps = std::mem::take(&mut self.out);
        for (_, target) in &mut steps {
            let Operational {
                canonical, splices, ..
            } = &mut *self.known;
            *target = canonical.of(self.processes, splices, *target);
        }
        Ok(merge(steps).into())
    }

    /// The steps of an operand.
    fn steps(&mut self, operand: ProcessId) -> Outcome<Rc<[Step]>> {
        if let Some((steps, nest)) = self.known.memo.get(&operand) {
            self.nest = self.nest.with(*nest);
            return self.check_depth(operand).map(|()| Rc::clone(steps));
        }
        let head = self.processes.head(operand)?;
        if is_primitive(&head) {
            let mut firing = Firing::new(self.known, self.processes, operand);
            return firing.finish(&head);
        }
        let nested = u32::try_from(self.known.under_way.len()).unwrap_or(u32::MAX);
        if nested >= self.known.nesting {
            return Err(messages::too_deep(self.processes, operand).into());
        }
        if let Some(from) = self.known.under_way.get_index_of(&operand) {
            let mut cycle: Vec<ProcessId> = self.known.under_way.iter().copied().collect();
            cycle.drain(..from);
            cycle.push(operand);
            return Err(messages::unguarded(self.processes, &cycle).into());
        }
        self.known.under_way.insert(operand);
        let (steps, nest) = self.known.compute(self.processes, operand, &head)?;
        self.known.under_way.pop();
        self.known.memo.insert(operand, (Rc::clone(&steps), nest));
        self.nest = self.nest.with(nest);
        self.check_depth(operand)?;
        Ok(steps)
    }

    fn check_depth(&self, operand: ProcessId) -> Outcome<()> {
        let Nest { depth, steps } = self.nest;
        if depth > self.known.nesting || (depth > NESTING_OF_MANY && steps > STEPS) {
            return Err(messages::too_deep(&*self.processes, operand).into());
        }
        Ok(())
    }

    fn silent(&mut self, target: ProcessId) {
        let label = Arc::clone(&self.known.silent);
        self.out.push((label, target));
    }

    /// ✓, after which nothing happens.
    fn terminate(&mut self) {
        let target = self.processes.intern(Process::Omega);
        let label = Arc::clone(&self.known.tick);
        self.out.push((label, target));
    }

    fn visible(&mut self, label: &Arc<EventSet>, target: ProcessId) {
        self.out.push((Arc::clone(label), target));
    }

    /// A visible step on a set made here, which may turn out empty.
    fn restricted(&mut self, label: EventSet, target: ProcessId) {
        if !label.is_empty() {
            self.out.push((Arc::new(label), target));
        }
    }
}

/// Needs no operand's steps: computed again rather than remembered.
fn is_primitive(head: &Process) -> bool {
    matches!(
        head,
        Process::Stop
            | Process::Skip
            | Process::Omega
            | Process::Div
            | Process::Run(_)
            | Process::Chaos(_)
            | Process::Prefix(_)
            | Process::Internal(_)
            | Process::Buffer(..)
    )
}

/// What kind of step a label stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Silent,
    Tick,
    Visible,
}

fn kind(label: &EventSet) -> Kind {
    match label.ranges().first() {
        Some(&(first, _)) if first == EventId::TAU.0 => Kind::Silent,
        Some(&(first, _)) if first == EventId::TICK.0 => Kind::Tick,
        _ => Kind::Visible,
    }
}

/// Joins the visible steps to each process into one and drops duplicates, in order of first mention.
fn merge(steps: Vec<Step>) -> Vec<Step> {
    let distinct = |(i, a): (usize, &Step)| steps[..i].iter().all(|b| a.1 != b.1);
    if steps.len() < 8 && steps.iter().enumerate().all(distinct) {
        return steps;
    }
    let mut places: AHashMap<(Kind, ProcessId), usize> = AHashMap::with_capacity(steps.len());
    let mut merged: Vec<(Vec<Arc<EventSet>>, ProcessId)> = Vec::with_capacity(steps.len());
    for (label, target) in steps {
        let place = *places.entry((kind(&label), target)).or_insert_with(|| {
            merged.push((Vec::new(), target));
            merged.len() - 1
        });
        merged[place].0.push(label);
    }
    merged
        .into_iter()
        .map(|(labels, target)| (union(labels), target))
        .collect()
}

fn union(mut labels: Vec<Arc<EventSet>>) -> Arc<EventSet> {
    labels.dedup();
    if labels.len() == 1 {
        return labels.swap_remove(0);
    }
    let ranges = labels.iter().flat_map(|l| l.ranges().iter().copied());
    Arc::new(EventSet::from_ranges(ranges.collect()))
}
