//! A plain table of processes, filled by hand.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use csp_compiler::process::{Process, ProcessId, Processes, Relation};
use csp_grammar::{Diagnostic, Span};
use csp_lts::{EventId, EventSet};

#[derive(Default)]
pub(crate) struct Table {
    heads: Vec<Option<Rc<Process>>>,
    names: Vec<Option<String>>,
    index: HashMap<Process, ProcessId>,
}

impl Processes for Table {
    fn head(&mut self, process: ProcessId) -> Result<Rc<Process>, Box<Diagnostic>> {
        Ok(Rc::clone(
            self.heads[process.0 as usize]
                .as_ref()
                .expect("every declared process is defined"),
        ))
    }

    fn intern(&mut self, head: Process) -> ProcessId {
        if let Some(&id) = self.index.get(&head) {
            return id;
        }
        let id = ProcessId(self.heads.len() as u32);
        self.index.insert(head.clone(), id);
        self.heads.push(Some(Rc::new(head)));
        self.names.push(None);
        id
    }

    fn describe(&self, process: ProcessId) -> String {
        let place = process.0 as usize;
        self.names[place]
            .clone()
            .unwrap_or_else(|| format!("#{place}"))
    }

    fn span(&self, process: ProcessId) -> Span {
        Span {
            start: process.0,
            end: process.0 + 1,
            ..Span::default()
        }
    }
}

/// The n-th visible event.
pub(crate) fn event(n: u32) -> EventId {
    EventId(EventId::FIRST.0 + n)
}

pub(crate) fn set(events: &[u32]) -> Arc<EventSet> {
    Arc::new(events.iter().map(|&n| event(n)).collect())
}

pub(crate) fn relation(pairs: &[(u32, u32)]) -> Relation {
    let mut pairs: Vec<_> = pairs.iter().map(|&(a, b)| (event(a), event(b))).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs.into()
}

impl Table {
    pub(crate) fn declare(&mut self, name: &str) -> ProcessId {
        let id = ProcessId(self.heads.len() as u32);
        self.heads.push(None);
        self.names.push(Some(name.to_owned()));
        id
    }

    pub(crate) fn define(&mut self, id: ProcessId, body: ProcessId) {
        let head = self.heads[body.0 as usize].clone();
        self.heads[id.0 as usize] = head;
    }

    pub(crate) fn stop(&mut self) -> ProcessId {
        self.intern(Process::Stop)
    }

    pub(crate) fn skip(&mut self) -> ProcessId {
        self.intern(Process::Skip)
    }

    pub(crate) fn prefix(&mut self, events: &[u32], then: ProcessId) -> ProcessId {
        self.intern(Process::Prefix(Box::new([(set(events), then)])))
    }

    /// The events one after the other, and then something.
    pub(crate) fn trace(&mut self, events: &[u32], then: ProcessId) -> ProcessId {
        events
            .iter()
            .rev()
            .fold(then, |then, &e| self.prefix(&[e], then))
    }

    /// `P = events -> P`.
    pub(crate) fn cycle(&mut self, name: &str, events: &[u32]) -> ProcessId {
        let id = self.declare(name);
        let body = self.trace(events, id);
        self.define(id, body);
        id
    }

    pub(crate) fn parallel(&mut self, events: &[u32], members: &[ProcessId]) -> ProcessId {
        self.intern(Process::Parallel(set(events), members.into()))
    }

    pub(crate) fn external(&mut self, operands: &[ProcessId]) -> ProcessId {
        self.intern(Process::External(operands.into()))
    }

    pub(crate) fn internal(&mut self, operands: &[ProcessId]) -> ProcessId {
        self.intern(Process::Internal(operands.into()))
    }

    pub(crate) fn sequence(&mut self, left: ProcessId, right: ProcessId) -> ProcessId {
        self.intern(Process::Sequence(left, right))
    }

    pub(crate) fn hide(&mut self, operand: ProcessId, events: &[u32]) -> ProcessId {
        self.intern(Process::Hide(operand, set(events)))
    }

    pub(crate) fn rename(&mut self, operand: ProcessId, pairs: &[(u32, u32)]) -> ProcessId {
        self.intern(Process::Rename(operand, relation(pairs)))
    }
}
