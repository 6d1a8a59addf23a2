//! The numbers among the arguments of a process: counters, and the sizes of what it holds.
//!
//! A process that is made by operators of others is what they are at present: the arguments of its
//! operands count; those of what a prefix leads to, or of what can be chosen, do not.

use ahash::{AHashMap, AHashSet};

use super::Evaluator;
use super::code::index;
use super::origin::Origin;
use super::value::{Callee, Value};
use crate::operators::Operational;
use crate::process::{Measure, Number, Process, ProcessId};

/// The names that the script has for processes: those that plainly behave the same have them in common.
#[derive(Debug, Default)]
pub struct Names {
    /// For each process that has been evaluated, the one that stands for all that are the same.
    itself: AHashMap<ProcessId, ProcessId>,
    /// For each of those, the calls that it is.
    calls: AHashMap<ProcessId, Vec<ProcessId>>,
}

impl Evaluator {
    /// The names of all processes that have been evaluated. Where states are listed, a process may stand for
    /// others that are the same, and not be the one with the name.
    pub fn names(&mut self) -> Names {
        let mut names = Names::default();
        let mut operational = Operational::default();
        for place in 0..self.processes.len() {
            let process = ProcessId(index(place));
            if self.head_at_hand(process).is_none() {
                continue;
            }
            let itself = operational.canonical(self, process);
            names.itself.insert(process, itself);
            if matches!(self.origin(process), Origin::Call(..) | Origin::Apply(..)) {
                names.calls.entry(itself).or_default().push(process);
            }
        }
        names
    }

    /// The numbers among the arguments of a process, by all its names.
    #[must_use]
    pub fn numbers(&self, process: ProcessId, names: &Names) -> Vec<Number> {
        let mut found = Vec::new();
        let mut waiting = vec![process];
        let mut seen = AHashSet::from([process]);
        while let Some(at) = waiting.pop() {
            match self.origin(at) {
                Origin::Call(id, arguments) => {
                    let name = &self.code.function(*id).name;
                    arguments_of(name, true, arguments, &mut found);
                }
                Origin::Apply(Value::Function(function), arguments) => {
                    if let Callee::Code(id) = function.code {
                        let name = &self.code.function(id).name;
                        arguments_of(name, false, arguments, &mut found);
                    }
                }
                _ => {}
            }
            let itself = names.itself.get(&at).copied().unwrap_or(at);
            let calls = names.calls.get(&itself).into_iter().flatten().copied();
            let head = self.head_at_hand(at);
            let operands = head.iter().flat_map(|head| present(head));
            waiting.extend(calls.chain(operands).filter(|p| seen.insert(*p)));
        }
        found
    }
}

fn arguments_of(name: &str, global: bool, arguments: &[Value], found: &mut Vec<Number>) {
    // A function without a name is no definition.
    if name == "\\" {
        return;
    }
    for (place, argument) in arguments.iter().enumerate() {
        let Some((measure, value)) = measured(&argument.clone().at_hand()) else {
            continue;
        };
        let number = Number {
            definition: name.to_owned(),
            global,
            place,
            measure,
            value,
        };
        if !found.contains(&number) {
            found.push(number);
        }
    }
}

/// What can be counted of a value.
fn measured(value: &Value) -> Option<(Measure, i64)> {
    let size = |n: u64| Some((Measure::Size, i64::try_from(n).ok()?));
    match value {
        Value::Int(i) => Some((Measure::Value, *i)),
        Value::Sequence(sequence) => size(sequence.as_slice()?.len() as u64),
        Value::Set(set) => size(set.len()?),
        Value::Map(map) => size(map.entries.len() as u64),
        _ => None,
    }
}

/// The operands that a process is at present: neither has what a choice is between.
fn present(head: &Process) -> Vec<ProcessId> {
    match head {
        Process::External(_)
        | Process::SyncExternal(..)
        | Process::Sliding(..)
        | Process::Node(..) => Vec::new(),
        _ => head
            .operands()
            .into_iter()
            .filter(|(role, _)| role.is_live())
            .map(|(_, p)| p)
            .collect(),
    }
}
