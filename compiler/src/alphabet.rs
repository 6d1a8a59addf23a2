//! Which events a process can do, from its terms: no state of a parallel composition is listed.
//!
//! For every term that is reached through heads the events are bounded from above; a bound is *exact* where nothing
//! stands in the way of any of them (no synchronisation, no priority, no chase inside). A process with too many terms
//! has no alphabet here: whoever asks says nothing then.

use std::collections::HashMap;
use std::rc::Rc;

use csp_grammar::Diagnostic;
use csp_lts::{Compression, EventId, EventSet};

use crate::process::{BufferKind, Process, ProcessId, Processes};

/// Ranges of events that are looked at before a process is given up: some tenths of a second.
const MOST_WORK: usize = 10_000_000;

/// What is known of one term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alphabet {
    /// No other event can happen.
    pub events: EventSet,
    /// It may terminate.
    pub terminates: bool,
    /// All of `events` can happen, and it can terminate if it may.
    pub exact: bool,
}

/// The terms of a process with their heads and alphabets, in the order in which they were met.
pub struct Alphabets {
    terms: Vec<(ProcessId, Rc<Process>)>,
    places: HashMap<ProcessId, usize>,
    known: Vec<Alphabet>,
}

impl Alphabets {
    /// Those of a process; `None` if it has more than `limit` terms, or they take too much work.
    pub fn of(
        processes: &mut dyn Processes,
        root: ProcessId,
        limit: usize,
    ) -> Result<Option<Self>, Box<Diagnostic>> {
        let mut terms: Vec<(ProcessId, Rc<Process>)> = Vec::new();
        let mut places = HashMap::from([(root, 0)]);
        let mut met = vec![root];
        while let Some(&process) = met.get(terms.len()) {
            if met.len() > limit {
                return Ok(None);
            }
            processes.poll(process)?;
            let head = processes.head(process)?;
            for (_, child) in head.operands() {
                if let std::collections::hash_map::Entry::Vacant(place) = places.entry(child) {
                    place.insert(met.len());
                    met.push(child);
                }
            }
            terms.push((process, head));
        }
        let least = Alphabet {
            events: EventSet::empty(),
            terminates: false,
            exact: true,
        };
        let known = vec![least; terms.len()];
        let mut alphabets = Self {
            terms,
            places,
            known,
        };
        let closed = alphabets.close(&mut || processes.poll(root))?;
        Ok(closed.then_some(alphabets))
    }

    /// The terms with their heads.
    pub fn terms(&self) -> impl Iterator<Item = (ProcessId, &Process)> {
        self.terms.iter().map(|(id, head)| (*id, &**head))
    }

    /// The head of a term that was reached.
    #[must_use]
    pub fn head(&self, process: ProcessId) -> &Process {
        &self.terms[self.places[&process]].1
    }

    /// What is known of a term that was reached.
    #[must_use]
    pub fn get(&self, process: ProcessId) -> &Alphabet {
        &self.known[self.places[&process]]
    }

    /// The least solution for the events together with what is not exact. What is exact can only be lost, events
    /// can only be won, so this ends; false if it takes more than [`MOST_WORK`].
    fn close(
        &mut self,
        poll: &mut dyn FnMut() -> Result<(), Box<Diagnostic>>,
    ) -> Result<bool, Box<Diagnostic>> {
        let mut work = 0;
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); self.terms.len()];
        for (place, (_, head)) in self.terms.iter().enumerate() {
            for (_, child) in head.operands() {
                users[self.places[&child]].push(place);
            }
        }
        // Operands come after their users, as a rule.
        let mut waiting: Vec<usize> = (0..self.terms.len()).collect();
        let mut is_waiting = vec![true; self.terms.len()];
        while let Some(place) = waiting.pop() {
            is_waiting[place] = false;
            poll()?;
            let operands = self.terms[place].1.operands();
            let parts = operands
                .iter()
                .map(|(_, p)| 1 + self.get(*p).events.ranges().len());
            work += 1 + operands.len() * parts.max().unwrap_or(1);
            if work > MOST_WORK {
                return Ok(false);
            }
            let head = Rc::clone(&self.terms[place].1);
            let mut now = self.step(&head);
            let before = &self.known[place];
            now.events = now.events.union(&before.events);
            now.terminates |= before.terminates;
            now.exact &= before.exact;
            if now == *before {
                continue;
            }
            self.known[place] = now;
            for &user in &users[place] {
                if !std::mem::replace(&mut is_waiting[user], true) {
                    waiting.push(user);
                }
            }
        }
        Ok(true)
    }

    /// The alphabet of an operator from those of its operands as far as they are known.
    fn step(&self, head: &Process) -> Alphabet {
        let exactly = |events: EventSet, terminates| Alphabet {
            events,
            terminates,
            exact: true,
        };
        let of = |process: &ProcessId| self.get(*process);
        match head {
            Process::Stop | Process::Omega | Process::Div => exactly(EventSet::empty(), false),
            Process::Skip => exactly(EventSet::empty(), true),
            Process::Run(events) | Process::Chaos(events) => exactly((**events).clone(), false),
            Process::Prefix(branches) => {
                let targets: Vec<_> = branches.iter().map(|(_, target)| *target).collect();
                let mut all = self.any(&targets);
                for (events, _) in branches {
                    all.events = all.events.union(events);
                }
                all
            }
            Process::External(operands) | Process::Internal(operands) => self.any(operands),
            Process::Sliding(left, right) | Process::Interrupt(left, right) => {
                self.any(&[*left, *right])
            }
            Process::Sequence(first, second) => {
                let (first, second) = (of(first), of(second));
                if !first.terminates {
                    return exactly_if(first.exact, first.events.clone(), false);
                }
                let events = first.events.union(&second.events);
                exactly_if(first.exact && second.exact, events, second.terminates)
            }
            Process::Exception(process, throws, handler) => {
                let process = of(process);
                if process.events.intersection(throws).is_empty() {
                    return process.clone();
                }
                let handler = of(handler);
                let events = process.events.union(&handler.events);
                let terminates = process.terminates || handler.terminates;
                // What comes after an event that throws is not done.
                exactly_if(false, events, terminates)
            }
            Process::Parallel(shared, operands) => self.parallel(shared, operands),
            Process::Hide(process, hidden) => {
                let inner = of(process);
                exactly_if(
                    inner.exact,
                    inner.events.difference(hidden),
                    inner.terminates,
                )
            }
            Process::Project(process, kept) => {
                let inner = of(process);
                exactly_if(
                    inner.exact,
                    inner.events.intersection(kept),
                    inner.terminates,
                )
            }
            Process::Rename(process, relation) => {
                let inner = of(process);
                let events = renamed(&inner.events, relation);
                exactly_if(inner.exact, events, inner.terminates)
            }
            Process::Loop(process) => {
                let inner = of(process);
                exactly_if(inner.exact, inner.events.clone(), false)
            }
            Process::Compress(Compression::Chase | Compression::Deter, process) => {
                inexact(of(process).clone())
            }
            Process::Compress(_, process) => of(process).clone(),
            Process::Prioritise(process, _) => inexact(of(process).clone()),
            Process::Node(process, ..) => of(process).clone(),
            Process::Linked(left, relation, right) => {
                let linked = |side: fn(&(EventId, EventId)) -> EventId| {
                    relation.iter().map(side).collect::<EventSet>()
                };
                let (a, b) = (of(left), of(right));
                let events = a.events.difference(&linked(|pair| pair.0));
                let events = events.union(&b.events.difference(&linked(|pair| pair.1)));
                inexact(exactly(events, a.terminates && b.terminates))
            }
            Process::Alphabetised(operands) => {
                let mut events = EventSet::empty();
                let mut terminates = true;
                for (alphabet, process) in operands {
                    let inner = of(process);
                    events = events.union(&inner.events.intersection(alphabet));
                    terminates &= inner.terminates;
                }
                // What is in the alphabet of an operand that never does it does not happen.
                for (alphabet, process) in operands {
                    let refused = alphabet.difference(&of(process).events);
                    events = events.difference(&refused);
                }
                inexact(exactly(events, terminates))
            }
            Process::SyncExternal(_, operands) => inexact(self.any(operands)),
            Process::SyncInterrupt(left, _, right) => inexact(self.any(&[*left, *right])),
            Process::Watchdog(_, process, events, bark) => {
                let inner = of(process);
                let events = inner.events.union(events).union(&EventSet::single(*bark));
                inexact(exactly(events, true))
            }
            Process::Buffer(kind, _, relation, _) => {
                let ends = relation
                    .iter()
                    .flat_map(|(input, output)| [*input, *output]);
                let signals = match kind {
                    BufferKind::Plain => Vec::new(),
                    BufferKind::Weak(event) => vec![*event],
                    BufferKind::Signal(full, empty) => vec![*full, *empty],
                };
                inexact(exactly(ends.chain(signals).collect(), false))
            }
        }
    }

    fn any(&self, operands: &[ProcessId]) -> Alphabet {
        let mut all = Alphabet {
            events: EventSet::empty(),
            terminates: false,
            exact: true,
        };
        for operand in operands {
            let operand = self.get(*operand);
            all.events = all.events.union(&operand.events);
            all.terminates |= operand.terminates;
            all.exact &= operand.exact;
        }
        all
    }

    fn parallel(&self, shared: &EventSet, operands: &[ProcessId]) -> Alphabet {
        let mut all = self.any(operands);
        for operand in operands {
            let refused = shared.difference(&self.get(*operand).events);
            all.events = all.events.difference(&refused);
        }
        all.terminates = operands.iter().all(|p| self.get(*p).terminates);
        all.exact &= shared.is_empty();
        all
    }
}

fn inexact(alphabet: Alphabet) -> Alphabet {
    Alphabet {
        exact: false,
        ..alphabet
    }
}

fn exactly_if(exact: bool, events: EventSet, terminates: bool) -> Alphabet {
    Alphabet {
        events,
        terminates,
        exact,
    }
}

fn renamed(events: &EventSet, relation: &[(EventId, EventId)]) -> EventSet {
    let sources: EventSet = relation.iter().map(|pair| pair.0).collect();
    let targets = relation.iter().filter(|pair| events.contains(pair.0));
    let targets: EventSet = targets.map(|pair| pair.1).collect();
    events.difference(&sources).union(&targets)
}
