//! Processes in which networks are live, and what can happen in them.
//!
//! A live network stays in the term as it was when it started, however far it has got: what it does
//! on its own changes nothing around it. So `N /\ r -> P` has one state in which N is live, whatever
//! N does, and one step, r, that ends N. What remains are the steps that matter to the operators around:
//! those of their other operands, and those of networks that resolve a choice, are handed over, are
//! shared, or end. They follow the firing rules of the operators (see `operators/`).
//!
//! Invariant: which networks are live in a process depends on the process alone, and those of an
//! operator are those of its operands that are live, in order.

use std::rc::Rc;
use std::sync::Arc;

use ahash::{AHashMap, AHashSet};
use csp_lts::{EventId, EventSet};
use smallvec::{SmallVec, smallvec};

use super::splice::Site;
use super::tree::{Builder, CONTROLLERS};
use super::{Outcome, messages};
use crate::process::{Process, ProcessId};

/// A step that matters to more than one network.
#[derive(Clone, Debug)]
pub(super) struct Change {
    /// What the whole does: τ, ✓, or visible events, as far as those who take part can do them.
    pub(super) label: Arc<EventSet>,
    /// The networks that take part, by their places.
    pub(super) by: SmallVec<[usize; 2]>,
    /// The network takes part with its ✓.
    pub(super) ends: bool,
    pub(super) target: ProcessId,
    /// The networks that go on: the place of each in the target and its place here.
    pub(super) kept: SmallVec<[(usize, usize); 2]>,
}

/// What the operator around live operands makes of their steps.
struct Around<'h> {
    process: ProcessId,
    head: &'h Process,
    operands: SmallVec<[ProcessId; 4]>,
    /// Events that all operands do together.
    shared: EventSet,
}

/// The live networks in processes, as far as they have been asked for.
pub(super) struct AtWork<'b, 'a> {
    pub(super) builder: &'b mut Builder<'a>,
    /// Choices, interrupts and exceptions are looked into; otherwise they are networks themselves.
    pub(super) apart: bool,
    /// Whether compressed processes are machines in lists.
    splices: bool,
    /// Where the process is listed.
    site: Site<'a>,
    known: AHashMap<ProcessId, Rc<[ProcessId]>>,
    under_way: AHashSet<ProcessId>,
    /// How many operators are around the process whose changes are asked for.
    depth: u32,
}

impl<'b, 'a> AtWork<'b, 'a> {
    /// In what the process becomes.
    pub(super) fn below(builder: &'b mut Builder<'a>, root: ProcessId, apart: bool) -> Self {
        let splices = builder.shape(root).splices();
        let site = builder.site_for(root);
        Self {
            builder,
            apart,
            splices,
            site,
            known: AHashMap::new(),
            under_way: AHashSet::new(),
            depth: 0,
        }
    }

    /// The representative of a process, with compressions that are transparent taken away.
    pub(super) fn through(&mut self, process: ProcessId) -> Outcome<ProcessId> {
        let mut process = self.builder.canonical(process);
        loop {
            match &*self.builder.processes.head(process)? {
                Process::Compress(kind, operand)
                    if self.splices && kind.shrinks() && !self.is_machine(process)? =>
                {
                    process = self.builder.canonical(*operand);
                }
                _ => return Ok(process),
            }
        }
    }

    fn is_machine(&mut self, process: ProcessId) -> Outcome<bool> {
        let site = self.site;
        let Builder {
            compiler,
            processes,
            ..
        } = &mut *self.builder;
        compiler.is_machine(*processes, process, site)
    }

    /// The live networks in a process, in the order of the text.
    pub(super) fn networks(&mut self, process: ProcessId) -> Outcome<Rc<[ProcessId]>> {
        let process = self.through(process)?;
        if let Some(known) = self.known.get(&process) {
            return Ok(Rc::clone(known));
        }
        // One that needs itself is listed, which says so.
        if !self.builder.shape(process).network || !self.under_way.insert(process) {
            return Ok(Rc::default());
        }
        let head = self.builder.processes.head(process)?;
        let mut networks = Vec::new();
        if let Some(around) = self.around(process, &head) {
            for operand in around.operands {
                networks.extend_from_slice(&self.networks(operand)?);
            }
        } else if self.is_network(process, &head)? {
            networks.push(process);
        }
        self.under_way.remove(&process);
        let networks: Rc<[ProcessId]> = networks.into();
        self.known.insert(process, Rc::clone(&networks));
        Ok(networks)
    }

    /// Whether a process that is not looked into is a network from the start.
    fn is_network(&mut self, process: ProcessId, head: &Process) -> Outcome<bool> {
        match head {
            Process::Compress(kind, _) if self.splices && kind.shrinks() => Ok(false),
            Process::Compress(..) => Ok(!self.builder.shape(process).recursive),
            _ => self.builder.active(process),
        }
    }

    /// The live operands of an operator that is looked into.
    fn around<'h>(&self, process: ProcessId, head: &'h Process) -> Option<Around<'h>> {
        let (operands, shared) = match head {
            Process::Sequence(left, _) | Process::Loop(left) => (smallvec![*left], None),
            _ if !self.apart => return None,
            Process::External(operands) => (operands.iter().copied().collect(), None),
            Process::SyncExternal(set, operands) => (operands.iter().copied().collect(), Some(set)),
            Process::Interrupt(left, right) => (smallvec![*left, *right], None),
            Process::SyncInterrupt(left, set, right) => (smallvec![*left, *right], Some(set)),
            Process::Sliding(left, _) | Process::Exception(left, _, _) => (smallvec![*left], None),
            _ => return None,
        };
        Some(Around {
            process,
            head,
            operands,
            shared: shared.map_or_else(EventSet::empty, |set| EventSet::clone(set)),
        })
    }

    /// What can happen in a process, but for the τ of networks.
    pub(super) fn changes(&mut self, process: ProcessId) -> Outcome<Vec<Change>> {
        let process = self.through(process)?;
        if self.networks(process)?.is_empty() {
            return self.listed(process);
        }
        let head = self.builder.processes.head(process)?;
        let Some(around) = self.around(process, &head) else {
            return Ok(self.network(process));
        };
        let mut changes = Vec::new();
        let mut of_operands = Vec::with_capacity(around.operands.len());
        if self.depth >= CONTROLLERS {
            return Err(messages::too_deep(self.builder.processes, process));
        }
        self.depth += 1;
        for operand in &around.operands {
            of_operands.push(self.changes(*operand)?);
        }
        self.depth -= 1;
        for (i, of_operand) in of_operands.iter().enumerate() {
            for change in of_operand {
                self.one(&around, i, change, &mut changes)?;
            }
        }
        if !around.shared.is_empty() {
            self.together(&around, &of_operands, &mut changes)?;
        }
        if let Process::Sliding(_, right) = &*head {
            changes.push(Change {
                label: silent(),
                by: SmallVec::new(),
                ends: false,
                target: *right,
                kept: SmallVec::new(),
            });
        }
        for change in &mut changes {
            change.target = self.through(change.target)?;
        }
        Ok(changes)
    }

    /// The steps of a process without networks.
    fn listed(&mut self, process: ProcessId) -> Outcome<Vec<Change>> {
        let site = self.site;
        let Builder {
            compiler,
            processes,
            ..
        } = &mut *self.builder;
        let steps = compiler.steps(*processes, process, site)?;
        let change = |(label, target): &(Arc<EventSet>, ProcessId)| {
            Ok(Change {
                label: Arc::clone(label),
                by: SmallVec::new(),
                ends: false,
                target: self.through(*target)?,
                kept: SmallVec::new(),
            })
        };
        steps.iter().map(change).collect()
    }

    /// A network does whatever it can, and ends.
    fn network(&mut self, process: ProcessId) -> Vec<Change> {
        let omega = self.builder.processes.intern(Process::Omega);
        let visible = Change {
            label: Arc::new(EventSet::range(EventId::FIRST.0, u32::MAX)),
            by: smallvec![0],
            ends: false,
            target: process,
            kept: smallvec![(0, 0)],
        };
        let end = Change {
            label: Arc::new(EventSet::single(EventId::TICK)),
            by: smallvec![0],
            ends: true,
            target: omega,
            kept: SmallVec::new(),
        };
        vec![visible, end]
    }

    /// A step of one operand.
    fn one(
        &mut self,
        around: &Around<'_>,
        place: usize,
        change: &Change,
        out: &mut Vec<Change>,
    ) -> Outcome<()> {
        let first = self.first_of(&around.operands, place)?;
        let by: SmallVec<_> = change.by.iter().map(|network| first + network).collect();
        let instead = |label: EventSet, target: ProcessId| Change {
            label: Arc::new(label),
            by: by.clone(),
            ends: change.ends,
            target,
            kept: SmallVec::new(),
        };
        if change.label.contains(EventId::TICK) {
            out.push(match around.head {
                Process::Sequence(_, right) => instead(EventSet::single(EventId::TAU), *right),
                Process::Loop(_) => instead(EventSet::single(EventId::TAU), around.process),
                _ => instead(EventSet::single(EventId::TICK), change.target),
            });
            return Ok(());
        }
        let is_silent = change.label.contains(EventId::TAU);
        let resolves = match around.head {
            Process::External(_) | Process::SyncExternal(..) | Process::Sliding(..) => !is_silent,
            Process::Interrupt(..) | Process::SyncInterrupt(..) => place == 1 && !is_silent,
            _ => false,
        };
        let mut label = change.label.difference(&around.shared);
        if let Process::Exception(_, set, right) = around.head {
            let handled = label.intersection(set);
            label = label.difference(set);
            if !handled.is_empty() {
                out.push(instead(handled, *right));
            }
        }
        if label.is_empty() {
            return Ok(());
        }
        if resolves {
            let kept = change
                .kept
                .iter()
                .map(|&(there, here)| (there, first + here));
            out.push(Change {
                kept: kept.collect(),
                ..instead(label, change.target)
            });
            return Ok(());
        }
        let mut moved: Vec<Option<&Change>> = vec![None; around.operands.len()];
        moved[place] = Some(change);
        out.push(self.inside(around, label, &moved)?);
        Ok(())
    }

    /// Steps that all operands do together.
    fn together(
        &mut self,
        around: &Around<'_>,
        of_operands: &[Vec<Change>],
        out: &mut Vec<Change>,
    ) -> Outcome<()> {
        let mut joint: Vec<(EventSet, Vec<Option<&Change>>)> =
            vec![(around.shared.clone(), Vec::new())];
        for changes in of_operands {
            let mut longer = Vec::new();
            for (label, moved) in &joint {
                for change in changes {
                    let label = label.intersection(&change.label);
                    if !label.is_empty() {
                        let moved = moved.iter().copied().chain([Some(change)]);
                        longer.push((label, moved.collect()));
                    }
                }
            }
            joint = longer;
        }
        for (label, moved) in joint {
            out.push(self.inside(around, label, &moved)?);
        }
        Ok(())
    }

    /// A step of some operands that leaves the operator around them.
    fn inside(
        &mut self,
        around: &Around<'_>,
        label: EventSet,
        moved: &[Option<&Change>],
    ) -> Outcome<Change> {
        let mut operands = around.operands.clone();
        let (mut by, mut kept) = (SmallVec::new(), SmallVec::new());
        let (mut here, mut there, mut ends) = (0, 0, false);
        for (operand, change) in operands.iter_mut().zip(moved) {
            let before = self.networks(*operand)?.len();
            if let Some(change) = change {
                by.extend(change.by.iter().map(|network| here + network));
                kept.extend(change.kept.iter().map(|(t, h)| (there + t, here + h)));
                ends |= change.ends;
                *operand = change.target;
            } else {
                kept.extend((0..before).map(|network| (there + network, here + network)));
            }
            here += before;
            there += self.networks(*operand)?.len();
        }
        let next = match around.head {
            Process::Sequence(_, right) => Process::Sequence(operands[0], *right),
            Process::Loop(_) => Process::Sequence(operands[0], around.process),
            Process::External(_) => Process::External(operands.as_slice().into()),
            Process::SyncExternal(set, _) => {
                Process::SyncExternal(Arc::clone(set), operands.as_slice().into())
            }
            Process::Interrupt(..) => Process::Interrupt(operands[0], operands[1]),
            Process::SyncInterrupt(_, set, _) => {
                Process::SyncInterrupt(operands[0], Arc::clone(set), operands[1])
            }
            Process::Sliding(_, right) => Process::Sliding(operands[0], *right),
            Process::Exception(_, set, right) => {
                Process::Exception(operands[0], Arc::clone(set), *right)
            }
            _ => unreachable!("only these are looked into"),
        };
        let target = self.builder.processes.intern(next);
        let target = self.through(target)?;
        Ok(Change {
            label: Arc::new(label),
            by,
            ends,
            target,
            kept,
        })
    }

    /// The place of the first network of an operand.
    fn first_of(&mut self, operands: &[ProcessId], place: usize) -> Outcome<usize> {
        let mut first = 0;
        for operand in &operands[..place] {
            first += self.networks(*operand)?.len();
        }
        Ok(first)
    }
}

fn silent() -> Arc<EventSet> {
    Arc::new(EventSet::single(EventId::TAU))
}

impl Builder<'_> {
    /// The representative of a process in lists.
    pub(super) fn canonical(&mut self, process: ProcessId) -> ProcessId {
        self.compiler.operational.canonical(self.processes, process)
    }

    /// Whether a choice, an interrupt or an exception in which a network can be live leads back to
    /// itself. If what is left of it were a network of its own, it would contain itself.
    pub(super) fn comes_round(&mut self, root: ProcessId) -> Outcome<bool> {
        let mut todo = vec![root];
        let mut seen = AHashSet::new();
        while let Some(process) = todo.pop() {
            let shape = self.shape(process);
            if !shape.network || !seen.insert(process) {
                continue;
            }
            if seen.len().is_multiple_of(POLL) {
                self.processes.poll(process)?;
            }
            let head = self.processes.head(process)?;
            if shape.recursive && self.holds_network(&head)? {
                return Ok(true);
            }
            match &*head {
                Process::External(operands)
                | Process::SyncExternal(_, operands)
                | Process::Internal(operands) => todo.extend(operands.iter()),
                Process::Interrupt(left, right)
                | Process::SyncInterrupt(left, _, right)
                | Process::Sliding(left, right)
                | Process::Exception(left, _, right)
                | Process::Sequence(left, right) => todo.extend([*left, *right]),
                Process::Prefix(branches) => todo.extend(branches.iter().map(|branch| branch.1)),
                Process::Loop(operand) | Process::Compress(_, operand) => todo.push(*operand),
                _ => {}
            }
        }
        Ok(false)
    }

    /// Whether the operator is a choice, an interrupt or an exception and can be around a network.
    fn holds_network(&mut self, head: &Process) -> Outcome<bool> {
        let (stays, lets_go): (&[ProcessId], &[ProcessId]) = match head {
            Process::External(operands) => (&[], operands),
            Process::SyncExternal(_, operands) => (operands, &[]),
            Process::Sliding(left, _) => (&[], &[*left]),
            Process::Interrupt(left, right) => (&[*left], &[*right]),
            Process::SyncInterrupt(left, _, right) => (&[*left, *right], &[]),
            Process::Exception(left, _, _) => (&[*left], &[]),
            _ => (&[], &[]),
        };
        for &operand in lets_go {
            let head = self.processes.head(operand)?;
            if !matches!(*head, Process::Prefix(_)) && self.shape(operand).network {
                return Ok(true);
            }
        }
        Ok(stays.iter().any(|&operand| self.shape(operand).network))
    }
}

/// How many processes are visited between two looks at whether to stop.
const POLL: usize = 1024;
