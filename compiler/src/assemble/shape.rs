//! Which processes are networks: the shape of the operator graph.
//!
//! The graph has the processes as nodes and leads from each to the arguments of its operator,
//! continuations of prefixes included. A process is *recursive* if it lies on a cycle, and *has a
//! network* if a parallel composition that is not recursive can be reached from it. Computed with
//! Tarjan's algorithm, without recursion, and remembered. Processes that cannot be evaluated count
//! as having no arguments: if they are ever needed, the error comes up there.

use ahash::AHashMap;
use smallvec::SmallVec;

use crate::process::{Compression, Process, ProcessId, Processes};

/// What the operator graph says about a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// It can reach itself.
    pub(crate) recursive: bool,
    /// It can reach a parallel composition or a watchdog that cannot reach itself.
    pub(crate) network: bool,
    /// It can reach a compression.
    pub(crate) compressed: bool,
    /// It can reach a priority, which looks at single steps.
    pub(crate) prioritised: bool,
    /// It can reach a chase, which takes one of several steps.
    pub(crate) chased: bool,
    /// It can reach a parallel composition that can reach itself.
    pub(crate) nested: bool,
    /// It can reach an operator that stays around an operand that leads back to it.
    pub(crate) piled: bool,
}

impl Shape {
    /// Whether it has machines as parts: members of networks, or compressed ones.
    pub(crate) fn has_machines(self) -> bool {
        self.network || self.compressed
    }

    /// Whether compressed processes that are not recursive are machines where it is listed. Beside
    /// a chase, and where nobody knows, they are transparent.
    pub(crate) fn splices(self) -> bool {
        self.compressed && !self.chased
    }
}

/// What is listed without looking any further.
const LEAF: Shape = Shape {
    recursive: true,
    network: false,
    compressed: false,
    prioritised: true,
    chased: true,
    nested: false,
    piled: false,
};

/// How many processes are visited between two looks at whether to stop.
const POLL: usize = 1024;

/// How many processes are visited below one member of a parallel composition (or below the root)
/// before the search gives up there and calls it a leaf: as many as a leaf may have states, but for
/// these bounds, since one state can have many operands.
const LEAST: usize = 100_000;
const MOST: usize = 1_000_000;

/// How many parallel compositions may stand inside one another; beyond that all of it is a leaf.
const NESTED: usize = 100_000;

/// The shapes found so far.
#[derive(Debug)]
pub(crate) struct Shapes {
    known: AHashMap<ProcessId, Shape>,
    limit: usize,
}

impl Default for Shapes {
    fn default() -> Self {
        Self {
            known: AHashMap::new(),
            limit: MOST,
        }
    }
}

type Operands = SmallVec<[ProcessId; 4]>;

struct Visit {
    process: ProcessId,
    operands: Operands,
    next: usize,
    index: u32,
    low: u32,
    parallel: bool,
    itself: bool,
    network: bool,
    compressed: bool,
    prioritised: bool,
    chased: bool,
    nested: bool,
    piled: bool,
    /// How many of the operands, from the first, the operator stays around.
    stays_around: usize,
    /// Of a member of a parallel composition: what remains for the others.
    budget_after: Option<usize>,
}

impl Shapes {
    /// Searches no further than it is of use for leaves with this many states.
    pub(crate) fn limit(&mut self, leaf_states: usize) {
        self.limit = leaf_states.clamp(LEAST, MOST);
    }

    /// The shape of a process; a leaf if the search is stopped, which listing the leaf will be too.
    pub(crate) fn of(&mut self, processes: &mut dyn Processes, root: ProcessId) -> Shape {
        if let Some(shape) = self.known.get(&root) {
            return *shape;
        }
        Search {
            known: &mut self.known,
            indexes: AHashMap::new(),
            limit: self.limit,
            budget: self.limit,
            nested: 0,
            component: Vec::new(),
            visits: Vec::new(),
        }
        .run(processes, root);
        self.known.get(&root).copied().unwrap_or(LEAF)
    }

    /// Takes over what somebody else has found.
    pub(crate) fn learn(&mut self, process: ProcessId, shape: Shape) {
        self.known.insert(process, shape);
    }
}

struct Search<'a> {
    known: &'a mut AHashMap<ProcessId, Shape>,
    indexes: AHashMap<ProcessId, u32>,
    /// How many processes may be visited before the search gives up, and how many more.
    limit: usize,
    budget: usize,
    /// How many of the visits under way are parallel compositions.
    nested: usize,
    /// Finished nodes whose strongly connected component is still open.
    component: Vec<Visit>,
    visits: Vec<Visit>,
}

impl Search<'_> {
    fn run(mut self, processes: &mut dyn Processes, root: ProcessId) {
        self.enter(processes, root);
        while let Some(visit) = self.visits.last_mut() {
            if self.indexes.len().is_multiple_of(POLL) && processes.poll(root).is_err() {
                return;
            }
            let Some(&operand) = visit.operands.get(visit.next) else {
                self.leave();
                continue;
            };
            visit.next += 1;
            let exhausted = self.budget == 0 && !visit.parallel;
            if operand == visit.process {
                visit.itself = true;
            }
            if let Some(shape) = self.known.get(&operand) {
                visit.network |= shape.network;
                visit.nested |= shape.nested;
                visit.piled |= shape.piled;
                visit.compressed |= shape.compressed;
                visit.prioritised |= shape.prioritised;
                visit.chased |= shape.chased;
            } else if let Some(&index) = self.indexes.get(&operand) {
                visit.low = visit.low.min(index);
            } else if exhausted || self.nested > NESTED {
                self.give_up();
            } else {
                self.enter(processes, operand);
            }
        }
    }

    fn enter(&mut self, processes: &mut dyn Processes, process: ProcessId) {
        let index = u32::try_from(self.indexes.len()).expect("processes are numbered by u32");
        let budget_after = self.budget.saturating_sub(1);
        let is_member = self.visits.last().is_some_and(|parent| parent.parallel);
        self.budget = if is_member { self.limit } else { budget_after };
        self.indexes.insert(process, index);
        let head = processes.head(process).ok();
        let head = head.as_deref();
        let parallel = head.is_some_and(is_parallel);
        let compressed = head.is_some_and(is_compression);
        self.nested += usize::from(parallel);
        let operands = head.map(operands).unwrap_or_default();
        self.visits.push(Visit {
            process,
            stays_around: head.map_or(0, stays_around).min(operands.len()),
            operands,
            next: 0,
            index,
            low: index,
            parallel,
            itself: false,
            network: matches!(head, Some(Process::Watchdog(..))),
            compressed,
            prioritised: matches!(head, Some(Process::Prioritise(..))),
            chased: head.is_some_and(is_chase),
            nested: false,
            piled: false,
            budget_after: is_member.then_some(budget_after),
        });
    }

    /// The last visit has seen all its operands.
    fn leave(&mut self) {
        let Some(visit) = self.visits.pop() else {
            return;
        };
        let (index, low) = (visit.index, visit.low);
        self.nested -= usize::from(visit.parallel);
        self.budget = visit.budget_after.unwrap_or(self.budget);
        self.component.push(visit);
        let closed = (low == index).then(|| self.close(index));
        if let Some(parent) = self.visits.last_mut() {
            parent.low = parent.low.min(low);
            parent.network |= closed.is_some_and(|shape| shape.network);
            parent.nested |= closed.is_some_and(|shape| shape.nested);
            parent.piled |= closed.is_some_and(|shape| shape.piled);
            parent.compressed |= closed.is_some_and(|shape| shape.compressed);
            parent.prioritised |= closed.is_some_and(|shape| shape.prioritised);
            parent.chased |= closed.is_some_and(|shape| shape.chased);
        }
    }

    /// Settles the strongly connected component whose first member has this index: everything
    /// that was entered since and is still open.
    fn close(&mut self, index: u32) -> Shape {
        let before = self.component.iter().rposition(|m| m.index < index);
        let members = self.component.split_off(before.map_or(0, |i| i + 1));
        let recursive = members.len() > 1 || members.iter().any(|m| m.itself);
        let network = members
            .iter()
            .any(|m| m.network || (m.parallel && !recursive));
        let nested = members
            .iter()
            .any(|m| m.nested || (m.parallel && recursive));
        let leads_back = |operand: &ProcessId| {
            let entered = self.indexes.get(operand);
            entered.is_some_and(|&at| at >= index) && !self.known.contains_key(operand)
        };
        let piled = members
            .iter()
            .any(|m| m.piled || m.operands[..m.stays_around].iter().any(leads_back));
        let shape = Shape {
            recursive,
            network,
            compressed: members.iter().any(|m| m.compressed),
            prioritised: members.iter().any(|m| m.prioritised),
            chased: members.iter().any(|m| m.chased),
            nested,
            piled,
        };
        for member in members {
            self.known.insert(member.process, shape);
        }
        shape
    }

    /// Calls the innermost member of a parallel composition that is under way a leaf.
    fn give_up(&mut self) {
        let parallel = self.visits.iter().rposition(|visit| visit.parallel);
        let parallel = parallel.filter(|_| self.nested <= NESTED);
        let member = parallel.map_or(0, |place| place + 1);
        let first = self.visits[member].index;
        let open = self.component.iter().rposition(|m| m.index < first);
        let open = self.component.split_off(open.map_or(0, |i| i + 1));
        let cut = self.visits.split_off(member);
        self.budget = cut[0].budget_after.unwrap_or(self.limit);
        self.nested -= cut.iter().filter(|visit| visit.parallel).count();
        for visit in cut.into_iter().chain(open) {
            self.known.insert(visit.process, LEAF);
        }
    }
}

/// How many processes are looked at to name a cycle.
const SEARCHED: usize = 10_000;

/// A way from an operator of some kind below a process back to itself; empty if none is found.
pub(crate) fn cycle(
    processes: &mut dyn Processes,
    root: ProcessId,
    kind: fn(&Process) -> bool,
) -> Vec<ProcessId> {
    let (below, _) = reached(processes, root, None);
    for process in below {
        if !processes.head(process).is_ok_and(|head| kind(&head)) {
            continue;
        }
        let (found, from) = reached(processes, process, Some(process));
        if let Some(&last) = from.get(&process) {
            let mut way = vec![process, last];
            while *way.last().expect("it is not empty") != process {
                let at = way[way.len() - 1];
                way.push(from[&at]);
            }
            way.reverse();
            return way;
        }
        if found.len() >= SEARCHED {
            break;
        }
    }
    Vec::new()
}

/// The first operator of a kind on a cycle, or, if there is none, below a process; and its sign.
pub(crate) fn operator(
    processes: &mut dyn Processes,
    root: ProcessId,
    cycle: &[ProcessId],
    kind: fn(&Process) -> bool,
) -> Option<(ProcessId, &'static str)> {
    let below = if cycle.is_empty() {
        reached(processes, root, None).0
    } else {
        cycle.to_vec()
    };
    below.into_iter().find_map(|process| {
        let head = processes.head(process).ok().filter(|head| kind(head))?;
        Some((process, head.symbol().trim_end_matches(" …")))
    })
}

/// The processes that operands lead to, nearest first, and where each was met from; up to the one
/// that is looked for.
fn reached(
    processes: &mut dyn Processes,
    root: ProcessId,
    goal: Option<ProcessId>,
) -> (Vec<ProcessId>, AHashMap<ProcessId, ProcessId>) {
    let mut from: AHashMap<ProcessId, ProcessId> = AHashMap::new();
    let (mut order, mut done) = (vec![root], 0);
    while done < order.len() && order.len() < SEARCHED {
        let process = order[done];
        done += 1;
        let Ok(head) = processes.head(process) else {
            continue;
        };
        for operand in operands(&head) {
            if !from.contains_key(&operand) && (operand != root || goal.is_some()) {
                from.insert(operand, process);
                if Some(operand) == goal {
                    return (order, from);
                }
                order.push(operand);
            }
        }
    }
    (order, from)
}

/// The compressions below a process, as far as it is searched.
pub(crate) fn compressions(processes: &mut dyn Processes, root: ProcessId) -> Vec<ProcessId> {
    let (mut below, _) = reached(processes, root, None);
    below.retain(|&process| {
        let head = processes.head(process);
        head.is_ok_and(|head| is_compression(&head))
    });
    below
}

/// Stays around its operand while that goes on.
pub(crate) fn wraps(head: &Process) -> bool {
    match head {
        Process::Hide(..)
        | Process::Project(..)
        | Process::Rename(..)
        | Process::Sequence(..)
        | Process::Interrupt(..)
        | Process::SyncInterrupt(..)
        | Process::Exception(..)
        | Process::Prioritise(..)
        | Process::Compress(Compression::Chase | Compression::Deter, _) => true,
        _ => is_parallel(head),
    }
}

/// How many of its operands, from the first, it stays around while they go on.
fn stays_around(head: &Process) -> usize {
    match head {
        Process::SyncInterrupt(..) | Process::SyncExternal(..) => usize::MAX,
        Process::Loop(_) => 1,
        // That is another matter: see `nested`.
        _ if is_parallel(head) => 0,
        _ => usize::from(wraps(head)),
    }
}

/// Asks for a machine to be made smaller.
fn is_compression(head: &Process) -> bool {
    matches!(head, Process::Compress(kind, _) if kind.shrinks())
}

/// Takes one of several steps of its operand.
fn is_chase(head: &Process) -> bool {
    matches!(
        head,
        Process::Compress(Compression::Chase | Compression::Deter, _)
    )
}

/// Composes at least two machines side by side.
pub(crate) fn is_parallel(head: &Process) -> bool {
    match head {
        Process::Parallel(_, members) => members.len() > 1,
        Process::Alphabetised(members) => members.len() > 1,
        Process::Linked(..) => true,
        _ => false,
    }
}

/// The operands that can be networks: the other operators' are machines.
fn operands(head: &Process) -> Operands {
    match head {
        Process::Watchdog(..) | Process::Node(..) => Operands::new(),
        _ => head.operands().into_iter().map(|(_, p)| p).collect(),
    }
}
