//! Compressed processes inside processes that are listed.
//!
//! `normal(P) ; Q` is listed state by state, but P has been made a machine and compressed before: the
//! steps of `normal(P)` are those of that machine, from node to node, and the operators around it
//! work on its nodes as on any process. Which machine it is depends on the purpose: the model, and what is
//! around. Where none is made, a compressed process does what its operand does, which means the same: in
//! a recursion through itself, where the operand is too large, and where nobody serves a purpose.

use std::sync::Arc;

use ahash::AHashMap;
use csp_lts::{EventId, EventSet, Lts, StateId};

use super::{Firing, Halt, Outcome};
use crate::assemble::shape::Shapes;
use crate::compress::Context;
use crate::process::{Process, ProcessId, Processes};

/// What a compressed machine has to preserve: what is around it, and the model.
pub(crate) type Purpose = (Context, u8);

/// A compressed process as a machine.
#[derive(Debug)]
struct Machine {
    lts: Arc<Lts>,
    /// Stands for its initial state.
    process: ProcessId,
}

/// The compressed processes that have been met, and the shapes that say which can be machines.
#[derive(Debug, Default)]
pub(crate) struct Splices {
    pub(crate) shapes: Shapes,
    machines: Vec<Machine>,
    /// Its machine for a purpose; none if it is transparent.
    decided: AHashMap<(ProcessId, Purpose), Option<u32>>,
    purpose: Option<Purpose>,
}

impl Splices {
    /// Says whether that is a change.
    pub(super) fn serve(&mut self, purpose: Option<Purpose>) -> bool {
        let before = std::mem::replace(&mut self.purpose, purpose);
        before != purpose
    }

    /// For which purpose machines are asked for.
    pub(super) fn purpose(&self) -> Option<Purpose> {
        self.purpose
    }

    /// Whether a compressed process is a machine, or may become one.
    pub(super) fn takes(&mut self, processes: &mut dyn Processes, compressed: ProcessId) -> bool {
        self.purpose.is_some_and(|purpose| {
            self.decided.get(&(compressed, purpose)) != Some(&None)
                && !self.shapes.of(processes, compressed).recursive
        })
    }

    /// Whether a compressed process is a machine for a purpose, if that has been decided.
    pub(crate) fn decided(&self, compressed: ProcessId, purpose: Purpose) -> Option<bool> {
        let decided = self.decided.get(&(compressed, purpose));
        decided.map(Option::is_some)
    }

    /// From now on the compressed process is this machine, or is transparent.
    pub(crate) fn decide(
        &mut self,
        compressed: ProcessId,
        purpose: Purpose,
        machine: Option<Arc<Lts>>,
    ) {
        let number = machine.map(|lts| {
            let number = u32::try_from(self.machines.len()).expect("machines are numbered by u32");
            self.machines.push(Machine {
                lts,
                process: compressed,
            });
            number
        });
        self.decided.insert((compressed, purpose), number);
    }
}

impl Firing<'_> {
    /// The steps of the machine that this process has become; says whether there is one.
    pub(super) fn splice(&mut self) -> Outcome<bool> {
        let process = self.process;
        let splices = &mut self.known.splices;
        let Some(purpose) = splices.purpose else {
            return Ok(false);
        };
        let decided = splices.decided.get(&(process, purpose)).copied();
        match decided {
            Some(None) => Ok(false),
            None if splices.shapes.of(self.processes, process).recursive => Ok(false),
            None => Err(Halt::Wants(process)),
            Some(Some(machine)) => {
                let initial = splices.machines[machine as usize].lts.initial();
                self.node(machine, initial);
                Ok(true)
            }
        }
    }

    /// The steps of a node of a machine.
    pub(super) fn node(&mut self, machine: u32, state: StateId) {
        let Machine { lts, process } = &self.known.splices.machines[machine as usize];
        let (lts, process) = (Arc::clone(lts), *process);
        let special = EventSet::range(EventId::TAU.0, EventId::FIRST.0);
        for edge in lts.edges(state) {
            let label = lts.label(edge);
            if label.contains(EventId::TICK) {
                self.terminate();
            }
            let target = if edge.target == lts.initial() {
                process
            } else {
                let node = Process::Node(process, machine, edge.target);
                self.processes.intern(node)
            };
            if label.contains(EventId::TAU) {
                self.silent(target);
            }
            if label.intersection(&special).is_empty() {
                self.visible(label, target);
            } else {
                self.restricted(label.difference(&special), target);
            }
        }
    }
}
