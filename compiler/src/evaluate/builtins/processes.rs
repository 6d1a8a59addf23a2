//! Functions that give processes: compressions, priority, buffers, watchdogs.

use std::sync::Arc;

use ahash::{AHashMap, AHashSet};
use csp_lts::{EventId, EventSet};

use super::super::Evaluator;
use super::super::code::CodeId;
use super::super::messages::{self, Failure};
use super::super::value::Value;
use crate::hir::Builtin;
use crate::process::{BufferKind, Compression, Priority, Process, Watchdog};

impl Evaluator {
    pub(super) fn call_process_builtin(
        &mut self,
        builtin: Builtin,
        arguments: &[Value],
        code: CodeId,
    ) -> Result<Value, Failure> {
        let head = match (builtin, arguments) {
            (Builtin::Run, [set]) => Process::Run(self.listed_events_of(set, code)?),
            (Builtin::Chaos, [set]) => Process::Chaos(self.listed_events_of(set, code)?),
            (Builtin::Loop, [process]) => Process::Loop(self.as_process(process, code)?),
            (Builtin::Buffer | Builtin::WeakBuffer | Builtin::SignalBuffer, _) => {
                self.buffer(arguments, code)?
            }
            (Builtin::Prioritise | Builtin::PrioritiseNoCache, [process, classes]) => {
                let process = self.as_process(process, code)?;
                Process::Prioritise(process, self.priority_classes(classes, code)?)
            }
            (Builtin::PrioritisePo, [process, events, order, maximal]) => {
                let process = self.as_process(process, code)?;
                let priority = self.priority_order(events, order, maximal, code)?;
                Process::Prioritise(process, priority)
            }
            (Builtin::TimedPriority, [process]) => {
                let process = self.as_process(process, code)?;
                let Some(tock) = self.facts.tock else {
                    return Err(messages::bad_priority(
                        self.code.span(code),
                        "timed_priority needs a channel named tock",
                    ));
                };
                let tock = self.single_event(tock)?;
                Process::Prioritise(process, timed_priority(&tock))
            }
            (Builtin::TraceWatchdog | Builtin::FailureWatchdog, [process, set, event]) => {
                let kind = match builtin {
                    Builtin::TraceWatchdog => Watchdog::Traces,
                    _ => Watchdog::Failures,
                };
                Process::Watchdog(
                    kind,
                    self.as_process(process, code)?,
                    self.events_of(set, code)?,
                    self.as_event(event, code)?,
                )
            }
            (_, [process]) if compression(builtin).is_some() => {
                let process = self.as_process(process, code)?;
                match compression(builtin) {
                    Some(compression) => Process::Compress(compression, process),
                    None => unreachable!("just looked"),
                }
            }
            _ => {
                return Err(messages::unexpected(
                    self.code.span(code),
                    "a function of that many arguments",
                    builtin.name(),
                ));
            }
        };
        let is_machine = matches!(head, Process::Watchdog(..) | Process::Compress(..));
        let process = self.intern_head(head);
        if is_machine {
            let span = self.code.span(code);
            self.machines.insert(process, span);
        }
        Ok(Value::Process(process))
    }

    pub(in super::super) fn as_event(
        &self,
        value: &Value,
        code: CodeId,
    ) -> Result<EventId, Failure> {
        match value {
            Value::Event(event) => Ok(*event),
            other => Err(messages::incomplete_event(
                self.code.span(code),
                &self.abbreviate(other),
            )),
        }
    }

    fn buffer(&mut self, arguments: &[Value], code: CodeId) -> Result<Process, Failure> {
        let span = self.code.span(code);
        let (capacity, pairs, kind) = match arguments {
            [capacity, pairs] => (capacity, pairs, BufferKind::Plain),
            [capacity, full, pairs] => {
                let full = self.as_event(full, code)?;
                (capacity, pairs, BufferKind::Weak(full))
            }
            [capacity, full, empty, pairs] => {
                let (full, empty) = (self.as_event(full, code)?, self.as_event(empty, code)?);
                (capacity, pairs, BufferKind::Signal(full, empty))
            }
            _ => {
                return Err(messages::bad_buffer(
                    span,
                    "a buffer takes two to four arguments",
                ));
            }
        };
        let capacity = u32::try_from(self.as_int(capacity, code)?)
            .ok()
            .filter(|&n| n > 0)
            .ok_or_else(|| {
                messages::bad_buffer(span, "the capacity of a buffer must be at least 1")
            })?;
        let mut relation = Vec::new();
        for (input, output) in self.relation(pairs, code)? {
            relation.push((self.as_event(&input, code)?, self.as_event(&output, code)?));
        }
        let mut used = AHashSet::new();
        let signals = match kind {
            BufferKind::Plain => vec![],
            BufferKind::Weak(full) => vec![full],
            BufferKind::Signal(full, empty) => vec![full, empty],
        };
        let all = relation.iter().flat_map(|(a, b)| [*a, *b]).chain(signals);
        for event in all {
            if !used.insert(event) {
                let what = format!("{} is used twice in a buffer", self.events.name(event));
                return Err(messages::bad_buffer(span, &what));
            }
        }
        relation.sort_unstable();
        Ok(Process::Buffer(
            kind,
            capacity,
            relation.into(),
            Box::default(),
        ))
    }

    fn priority_classes(
        &mut self,
        classes: &Value,
        code: CodeId,
    ) -> Result<Arc<Priority>, Failure> {
        let span = self.code.span(code);
        let sequence = self.as_sequence(classes, code)?;
        let mut cursor = self.cursor(&sequence);
        let mut sets: Vec<EventSet> = Vec::new();
        let mut all = EventSet::empty();
        while let Some(item) = cursor.next(self)? {
            let item = self.force(item)?;
            let set = self.events_of(&item, code)?;
            if let Some(twice) = set.intersection(&all).iter().next() {
                let what = format!("{} is in two classes", self.events.name(twice));
                return Err(messages::bad_priority(span, &what));
            }
            all = all.union(&set);
            sets.push((*set).clone());
        }
        let Some(first) = sets.first() else {
            return Err(messages::bad_priority(span, "priority over no classes"));
        };
        let below_tau = all.difference(first);
        let classes = sets
            .into_iter()
            .zip(0u32..)
            .map(|(set, i)| (set, (0..i).collect()))
            .collect();
        Ok(Arc::new(Priority { classes, below_tau }))
    }

    /// One class for each event of the order, blocked by all classes above it.
    fn priority_order(
        &mut self,
        events: &Value,
        order: &Value,
        maximal: &Value,
        code: CodeId,
    ) -> Result<Arc<Priority>, Failure> {
        let span = self.code.span(code);
        let (events, maximal) = (
            self.events_of(events, code)?,
            self.events_of(maximal, code)?,
        );
        let wrong = |what: String| messages::bad_priority(span, &what);
        let mut above: AHashMap<EventId, Vec<EventId>> = AHashMap::new();
        for (high, low) in self.relation(order, code)? {
            let (high, low) = (self.as_event(&high, code)?, self.as_event(&low, code)?);
            above.entry(low).or_default().push(high);
            above.entry(high).or_default();
        }
        for event in maximal.iter().chain(above.keys().copied()) {
            if !events.contains(event) {
                let name = self.events.name(event);
                return Err(wrong(format!("{name} is not among the prioritised events")));
            }
        }
        if let Some(event) = maximal
            .iter()
            .find(|e| above.get(e).is_some_and(|a| !a.is_empty()))
        {
            let name = self.events.name(event);
            return Err(wrong(format!(
                "{name} is maximal, but something is above it"
            )));
        }
        let mut ordered: Vec<EventId> = above.keys().copied().collect();
        ordered.sort_unstable();
        let places: AHashMap<EventId, u32> = ordered.iter().copied().zip(0..).collect();
        let mut classes = Vec::new();
        for &event in &ordered {
            let (mut seen, mut queue) = (AHashSet::new(), vec![event]);
            while let Some(next) = queue.pop() {
                for &higher in &above[&next] {
                    if higher == event {
                        let name = self.events.name(event);
                        return Err(wrong(format!("{name} is above itself")));
                    }
                    if seen.insert(higher) {
                        queue.push(higher);
                    }
                }
            }
            let mut blockers: Vec<u32> = seen.iter().map(|e| places[e]).collect();
            blockers.sort_unstable();
            classes.push((EventSet::single(event), blockers));
        }
        Ok(Arc::new(Priority {
            classes,
            below_tau: events.difference(&maximal),
        }))
    }
}

fn compression(builtin: Builtin) -> Option<Compression> {
    Some(match builtin {
        Builtin::Explicate => Compression::Explicate,
        Builtin::LazyEnumerate => Compression::LazyEnumerate,
        Builtin::Sbisim => Compression::Sbisim,
        Builtin::Dbisim => Compression::Dbisim,
        Builtin::Wbisim => Compression::Wbisim,
        Builtin::TauLoopFactor => Compression::TauLoopFactor,
        Builtin::Diamond => Compression::Diamond,
        Builtin::Normal => Compression::Normal,
        Builtin::LazyNorm => Compression::LazyNorm,
        Builtin::ModelCompress => Compression::ModelCompress,
        Builtin::Deter => Compression::Deter,
        Builtin::Chase | Builtin::ChaseNoCache => Compression::Chase,
        _ => return None,
    })
}

/// `<{}, {tock}>`.
fn timed_priority(tock: &EventSet) -> Arc<Priority> {
    Arc::new(Priority {
        classes: vec![(EventSet::empty(), vec![]), (tock.clone(), vec![0])],
        below_tau: tock.clone(),
    })
}
