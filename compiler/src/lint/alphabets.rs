//! Warnings that need the events of processes: synchronising, hiding, alphabets, assertions that say nothing.
//!
//! What a process never does is known from an upper bound of its events, what it can do from an exact one; where
//! neither is known nothing is said. Sets are looked at channel by channel: `[|{|c|}|]` names all values of `c`, of
//! which a process may well use a few.

use ahash::AHashSet;
use csp_grammar::syntax::Model;
use csp_grammar::{Diagnostic, Span};
use csp_lts::{EventSet, EventTable};

use super::messages;
use crate::alphabet::{Alphabet, Alphabets};
use crate::process::{Process, ProcessId, Processes};

/// How many terms a process may have before nothing is said about it.
pub const MOST_TERMS: usize = 5_000;

/// Looks at one process and what it is made of.
pub fn process(
    processes: &mut dyn Processes,
    events: &EventTable,
    root: ProcessId,
) -> Vec<Diagnostic> {
    let Ok(Some(alphabets)) = Alphabets::of(processes, root, MOST_TERMS) else {
        return Vec::new();
    };
    let mut look = Look {
        processes,
        events,
        alphabets: &alphabets,
        said: AHashSet::new(),
        diagnostics: Vec::new(),
    };
    for (id, head) in alphabets.terms() {
        look.term(id, head);
    }
    look.diagnostics
}

/// Looks at a refinement that holds whatever the processes are like.
pub fn refinement(
    processes: &mut dyn Processes,
    (specification, implementation): (ProcessId, ProcessId),
    model: Model,
    span: Span,
) -> Option<Diagnostic> {
    let implemented = Alphabets::of(processes, implementation, MOST_TERMS).ok()??;
    let alphabet = implemented.get(implementation);
    if model == Model::T && alphabet.events.is_empty() && !alphabet.terminates {
        return Some(messages::does_nothing(span));
    }
    let specified = Alphabets::of(processes, specification, MOST_TERMS).ok()??;
    let allows = allows_everything(&specified, specification, alphabet, model);
    allows.then(|| messages::allows_everything(span))
}

/// Whether every behaviour over an alphabet is one of the specification, from its terms: each of them offers all events
/// and goes on to such a term.
fn allows_everything(
    specified: &Alphabets,
    root: ProcessId,
    alphabet: &Alphabet,
    model: Model,
) -> bool {
    if alphabet.terminates {
        return false;
    }
    let mut seen = AHashSet::from([root]);
    let mut waiting = vec![root];
    while let Some(process) = waiting.pop() {
        match (specified.head(process), model) {
            (Process::Chaos(events), Model::T | Model::F) if alphabet.events.is_subset(events) => {}
            (Process::Run(events), Model::T) if alphabet.events.is_subset(events) => {}
            (Process::Prefix(branches), Model::T) => {
                let none = EventSet::empty();
                let offered = branches.iter().fold(none, |all, (set, _)| all.union(set));
                if !alphabet.events.is_subset(&offered) {
                    return false;
                }
                let targets = branches.iter().map(|(_, target)| *target);
                waiting.extend(targets.filter(|target| seen.insert(*target)));
            }
            _ => return false,
        }
    }
    true
}

struct Look<'a> {
    processes: &'a mut dyn Processes,
    events: &'a EventTable,
    alphabets: &'a Alphabets,
    said: AHashSet<(Span, String)>,
    diagnostics: Vec<Diagnostic>,
}

impl Look<'_> {
    fn term(&mut self, id: ProcessId, head: &Process) {
        match head {
            Process::Parallel(shared, operands) => self.synchronised(id, shared, operands),
            Process::Alphabetised(operands) => {
                let operands: Vec<_> = operands.iter().map(|(a, p)| (&**a, *p)).collect();
                self.left_out(id, &operands);
            }
            Process::Hide(process, hidden) => self.hidden(id, *process, hidden),
            _ => {}
        }
    }

    /// An operand that does nothing at all is there to block the others: that is meant. So is an alphabet with events
    /// that a process never does.
    fn synchronised(&mut self, id: ProcessId, shared: &EventSet, operands: &[ProcessId]) {
        let all = EventSet::range(csp_lts::EventId::FIRST.0, self.events.end());
        if shared.is_empty() || all.is_subset(shared) {
            return;
        }
        for process in operands {
            let own = &self.alphabets.get(*process).events;
            if own.is_empty() {
                continue;
            }
            for (channel, events) in self.channels(shared) {
                if !events.intersection(own).is_empty() {
                    continue;
                }
                let does = operands.iter().find(|other| {
                    let other = self.alphabets.get(**other);
                    other.exact && !other.events.intersection(&events).is_empty()
                });
                if let Some(other) = does {
                    let names = [*process, *other].map(|p| self.processes.describe(p));
                    let warning = |span| messages::never_synchronised(span, &channel, &names);
                    self.say(id, &channel, warning);
                }
            }
        }
    }

    fn left_out(&mut self, id: ProcessId, operands: &[(&EventSet, ProcessId)]) {
        for (alphabet, process) in operands {
            let own = self.alphabets.get(*process);
            let left_out = own.events.difference(alphabet);
            if !own.exact || left_out.is_empty() {
                continue;
            }
            let name = self.processes.describe(*process);
            let first = left_out.iter().next().map(|e| self.events.name(e));
            let first = first.unwrap_or_default();
            let warning = |span| messages::left_out(span, &name, &first, left_out.len());
            self.say(id, &name, warning);
        }
    }

    fn hidden(&mut self, id: ProcessId, process: ProcessId, hidden: &EventSet) {
        let own = &self.alphabets.get(process).events;
        if hidden.is_empty() || !hidden.intersection(own).is_empty() {
            return;
        }
        let name = self.processes.describe(process);
        let channels = self.channels(hidden);
        let channels: Vec<&str> = channels.iter().map(|(name, _)| name.as_str()).collect();
        let what = match channels.as_slice() {
            few if few.len() <= 3 => few.join("`, `"),
            [first, ..] => format!("{first}` and {} channels more", channels.len() - 1),
            [] => String::new(),
        };
        let warning = |span| messages::never_hidden(span, &name, &what);
        self.say(id, "", warning);
    }

    fn say(&mut self, id: ProcessId, about: &str, warning: impl FnOnce(Span) -> Diagnostic) {
        let span = self.processes.span(id);
        if span != Span::default() && self.said.insert((span, about.to_owned())) {
            self.diagnostics.push(warning(span));
        }
    }

    /// The channels of a set, each with its events there.
    fn channels(&self, set: &EventSet) -> Vec<(String, EventSet)> {
        let channels = self.events.channels().iter();
        let parts = channels.map(|channel| {
            let block = EventSet::range(channel.base, channel.base + channel.size);
            (channel.name.clone(), block.intersection(set))
        });
        parts.filter(|(_, events)| !events.is_empty()).collect()
    }
}
