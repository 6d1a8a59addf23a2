//! One process for each behaviour that is plainly the same.
//!
//! The table gives different numbers to a name and to an expression that is only that name. Two
//! processes with equal heads behave the same, so every target of a step is exchanged for the first
//! process met with the same head, once the operands that are live have been exchanged in the
//! same way. Otherwise `P = a -> P` would have one state more inside `P ||| Q` than alone.
//!
//! `(P ; Q) ; R` is exchanged for `P ; (Q ; R)`: what comes later is then not looked at before it is at
//! work, so that a long chain costs no more for having its brackets on the left. Hiding and renaming
//! around one another become one operator (`collapse.rs`).

use std::rc::Rc;

use ahash::{AHashMap, AHashSet};

use super::NESTING;
use super::collapse::collapsed;
use super::splice::Splices;
use crate::process::{Compression, Process, ProcessId, Processes};

/// The representatives found so far.
#[derive(Debug, Default)]
pub(super) struct Canonical {
    known: AHashMap<ProcessId, ProcessId>,
    heads: AHashMap<Rc<Process>, ProcessId>,
    under_way: AHashSet<ProcessId>,
    /// How many processes are in the chains of `;` that have been regrouped.
    chains: AHashMap<ProcessId, usize>,
}

/// How deep operands are looked at; below that they stay as they are.
const DEPTH: usize = 1_000;

/// How long a chain of `;` may be.
const CHAIN: usize = NESTING as usize;

impl Canonical {
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(super) fn of(
        &mut self,
        processes: &mut dyn Processes,
        splices: &mut Splices,
        process: ProcessId,
    ) -> ProcessId {
        if let Some(known) = self.known.get(&process) {
            return *known;
        }
        // What is wrong with a head is reported when a step needs it.
        let Ok(head) = processes.head(process) else {
            return process;
        };
        if self.under_way.len() >= DEPTH || !self.under_way.insert(process) {
            return process;
        }
        if let Process::Compress(kind, operand) = &*head
            && !matches!(kind, Compression::Chase | Compression::Deter)
            && !(kind.shrinks() && splices.takes(processes, process))
        {
            // It changes nothing that a step could show.
            let canonical = self.of(processes, splices, *operand);
            self.under_way.remove(&process);
            self.known.insert(process, canonical);
            return canonical;
        }
        if let Some(regrouped) = self.regrouped(processes, &head) {
            let canonical = self.of(processes, splices, regrouped);
            self.under_way.remove(&process);
            self.known.insert(process, canonical);
            return canonical;
        }
        let rebuilt = with_working(&head, &mut |operand| self.of(processes, splices, operand));
        if let Some(Process::Sequence(left, right)) = &rebuilt
            && let Ok(next) = processes.head(*right)
            && let Process::Loop(body) = *next
            && self.of(processes, splices, body) == *left
        {
            // `P ; loop(P)`.
            let canonical = self.of(processes, splices, *right);
            self.under_way.remove(&process);
            self.known.insert(process, canonical);
            return canonical;
        }
        if let Some(rebuilt) = &rebuilt
            && let Some(collapsed) = collapsed(processes, rebuilt)
        {
            let collapsed = match collapsed {
                // A renaming that leaves everything as it was.
                Process::Rename(operand, pairs) if pairs.is_empty() => operand,
                collapsed => processes.intern(collapsed),
            };
            let canonical = self.of(processes, splices, collapsed);
            self.under_way.remove(&process);
            self.known.insert(process, canonical);
            return canonical;
        }
        self.under_way.remove(&process);
        let canonical = match rebuilt {
            Some(rebuilt) if rebuilt != *head => {
                let rebuilt = Rc::new(rebuilt);
                if let Some(known) = self.heads.get(&rebuilt) {
                    *known
                } else {
                    let new = processes.intern(Process::clone(&rebuilt));
                    self.heads.insert(rebuilt, new);
                    new
                }
            }
            _ => *self.heads.entry(head).or_insert(process),
        };
        self.known.insert(process, canonical);
        self.known.insert(canonical, canonical);
        canonical
    }

    /// Whether a process is a chain of `;` so long that it is taken to grow without end.
    pub(super) fn is_endless(&self, process: ProcessId) -> bool {
        let length = self.chains.get(&process);
        length.is_some_and(|&length| length > CHAIN)
    }

    /// `P ; (Q ; R)` if the process is `(P ; Q) ; R`, however many there are of them. What is repeated
    /// stays together, so that `P ; loop(P)` can be seen to be `loop(P)`.
    fn regrouped(&mut self, processes: &mut dyn Processes, head: &Process) -> Option<ProcessId> {
        let Process::Sequence(left, right) = head else {
            return None;
        };
        if matches!(*processes.head(*right).ok()?, Process::Loop(_)) {
            return None;
        }
        let length = self.chains.get(right).map_or(1, |&length| length);
        let (mut first, mut later) = (*left, vec![*right]);
        while let Process::Sequence(left, right) = *processes.head(first).ok()? {
            later.push(right);
            first = left;
            if later.len() > CHAIN {
                return None;
            }
        }
        if later.len() == 1 {
            return None;
        }
        let mut rest = later[0];
        for (i, &process) in later[1..].iter().enumerate() {
            rest = processes.intern(Process::Sequence(process, rest));
            self.chains.insert(rest, length + i + 1);
        }
        Some(processes.intern(Process::Sequence(first, rest)))
    }
}

/// The head with the operands that are live exchanged; none if it has no such operands.
fn with_working(
    head: &Process,
    exchange: &mut dyn FnMut(ProcessId) -> ProcessId,
) -> Option<Process> {
    let mut all = |operands: &[ProcessId]| operands.iter().map(|&p| exchange(p)).collect();
    Some(match head {
        Process::External(operands) => Process::External(all(operands)),
        Process::SyncExternal(set, operands) => Process::SyncExternal(set.clone(), all(operands)),
        Process::Parallel(set, members) => Process::Parallel(set.clone(), all(members)),
        Process::Alphabetised(members) => {
            let members = members.iter();
            Process::Alphabetised(
                members
                    .map(|(set, p)| (set.clone(), exchange(*p)))
                    .collect(),
            )
        }
        Process::Linked(left, links, right) => {
            Process::Linked(exchange(*left), links.clone(), exchange(*right))
        }
        Process::Interrupt(left, right) => Process::Interrupt(exchange(*left), exchange(*right)),
        Process::SyncInterrupt(left, set, right) => {
            Process::SyncInterrupt(exchange(*left), set.clone(), exchange(*right))
        }
        Process::Sliding(left, right) => Process::Sliding(exchange(*left), *right),
        Process::Sequence(left, right) => Process::Sequence(exchange(*left), *right),
        Process::Exception(left, set, right) => {
            Process::Exception(exchange(*left), set.clone(), *right)
        }
        Process::Hide(operand, set) => Process::Hide(exchange(*operand), set.clone()),
        Process::Project(operand, set) => Process::Project(exchange(*operand), set.clone()),
        Process::Rename(operand, pairs) => Process::Rename(exchange(*operand), pairs.clone()),
        // A compressed process is live as a machine, whatever its operand is.
        Process::Compress(kind, _) if kind.shrinks() => return None,
        Process::Compress(kind, operand) => Process::Compress(*kind, exchange(*operand)),
        Process::Prioritise(operand, priority) => {
            Process::Prioritise(exchange(*operand), priority.clone())
        }
        Process::Stop
        | Process::Skip
        | Process::Omega
        | Process::Div
        | Process::Run(_)
        | Process::Chaos(_)
        | Process::Prefix(_)
        | Process::Internal(_)
        | Process::Loop(_)
        | Process::Watchdog(..)
        | Process::Buffer(..)
        | Process::Node(..) => return None,
    })
}
