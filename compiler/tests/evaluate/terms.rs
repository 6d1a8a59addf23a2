//! The terms reachable from a process, numbered in the order of breadth-first search, on one line.

use std::collections::HashMap;

use csp_compiler::evaluate::Evaluator;
use csp_compiler::process::{BufferKind, Process, ProcessId, Processes, Relation};
use csp_grammar::Diagnostic;
use csp_lts::{EventId, EventSet};

struct Numbers {
    order: Vec<ProcessId>,
    places: HashMap<ProcessId, usize>,
}

impl Numbers {
    fn of(&mut self, process: ProcessId) -> usize {
        *self.places.entry(process).or_insert_with(|| {
            self.order.push(process);
            self.order.len() - 1
        })
    }

    fn all(&mut self, processes: &[ProcessId]) -> String {
        let numbers: Vec<String> = processes.iter().map(|p| self.of(*p).to_string()).collect();
        numbers.join(" ")
    }
}

fn event(evaluator: &Evaluator, event: EventId) -> String {
    evaluator.events().name(event)
}

fn set(evaluator: &Evaluator, set: &EventSet) -> String {
    let names: Vec<String> = set.iter().take(20).map(|e| event(evaluator, e)).collect();
    format!("{{{}}}", names.join(","))
}

fn relation(evaluator: &Evaluator, relation: &Relation) -> String {
    let pairs: Vec<String> = relation
        .iter()
        .map(|(a, b)| format!("{}~{}", event(evaluator, *a), event(evaluator, *b)))
        .collect();
    format!("{{{}}}", pairs.join(","))
}

pub(crate) fn terms(evaluator: &mut Evaluator, root: ProcessId) -> Result<String, Box<Diagnostic>> {
    let mut numbers = Numbers {
        order: Vec::new(),
        places: HashMap::new(),
    };
    numbers.of(root);
    let (mut out, mut next) = (Vec::new(), 0);
    while let Some(&process) = numbers.order.get(next) {
        let head = evaluator.head(process)?;
        out.push(format!(
            "{next} = {}",
            shown(evaluator, &head, &mut numbers)
        ));
        next += 1;
        assert!(next < 200, "too many terms: {}", out.join("; "));
    }
    Ok(out.join("; "))
}

fn shown(evaluator: &Evaluator, head: &Process, numbers: &mut Numbers) -> String {
    match head {
        Process::Stop => "STOP".to_owned(),
        Process::Skip => "SKIP".to_owned(),
        Process::Omega => "OMEGA".to_owned(),
        Process::Div => "DIV".to_owned(),
        Process::Run(events) => format!("RUN{}", set(evaluator, events)),
        Process::Chaos(events) => format!("CHAOS{}", set(evaluator, events)),
        Process::Prefix(branches) => {
            let shown: Vec<String> = branches
                .iter()
                .map(|(events, p)| format!("{}->{}", set(evaluator, events), numbers.of(*p)))
                .collect();
            shown.join(" ")
        }
        Process::External(ps) => format!("[] {}", numbers.all(ps)),
        Process::Internal(ps) => format!("|~| {}", numbers.all(ps)),
        Process::Sliding(p, q) => format!("[> {}", numbers.all(&[*p, *q])),
        Process::Sequence(p, q) => format!("seq {}", numbers.all(&[*p, *q])),
        Process::Interrupt(p, q) => format!("/\\ {}", numbers.all(&[*p, *q])),
        Process::Exception(p, events, q) => {
            format!("[|{}|> {}", set(evaluator, events), numbers.all(&[*p, *q]))
        }
        Process::SyncExternal(events, ps) => {
            format!("[+{}+] {}", set(evaluator, events), numbers.all(ps))
        }
        Process::SyncInterrupt(p, events, q) => {
            format!("/+{}+\\ {}", set(evaluator, events), numbers.all(&[*p, *q]))
        }
        Process::Parallel(events, ps) => {
            format!("[|{}|] {}", set(evaluator, events), numbers.all(ps))
        }
        Process::Alphabetised(parts) => {
            let shown: Vec<String> = parts
                .iter()
                .map(|(events, p)| format!("{}:{}", set(evaluator, events), numbers.of(*p)))
                .collect();
            format!("|| {}", shown.join(" "))
        }
        Process::Linked(p, links, q) => {
            format!(
                "link{} {}",
                relation(evaluator, links),
                numbers.all(&[*p, *q])
            )
        }
        Process::Hide(p, events) => format!("hide{} {}", set(evaluator, events), numbers.of(*p)),
        Process::Project(p, events) => {
            format!("project{} {}", set(evaluator, events), numbers.of(*p))
        }
        Process::Rename(p, pairs) => {
            format!("rename{} {}", relation(evaluator, pairs), numbers.of(*p))
        }
        Process::Loop(p) => format!("loop {}", numbers.of(*p)),
        Process::Compress(compression, p) => format!("{compression:?} {}", numbers.of(*p)),
        Process::Prioritise(p, priority) => {
            let classes: Vec<String> = priority
                .classes
                .iter()
                .map(|(events, above)| format!("{}<{above:?}", set(evaluator, events)))
                .collect();
            let below = set(evaluator, &priority.below_tau);
            format!(
                "prioritise {} tau>{below} {}",
                classes.join(" "),
                numbers.of(*p)
            )
        }
        Process::Watchdog(kind, p, events, bad) => format!(
            "{kind:?}-watchdog {} {} {}",
            numbers.of(*p),
            set(evaluator, events),
            event(evaluator, *bad)
        ),
        Process::Buffer(kind, capacity, pairs, content) => {
            let kind = match kind {
                BufferKind::Plain => "plain".to_owned(),
                BufferKind::Weak(full) => format!("weak({})", event(evaluator, *full)),
                BufferKind::Signal(full, empty) => format!(
                    "signal({},{})",
                    event(evaluator, *full),
                    event(evaluator, *empty)
                ),
            };
            let content = content.len();
            format!(
                "buffer {kind} {capacity} {} {content}",
                relation(evaluator, pairs)
            )
        }
        Process::Node(..) => unreachable!("evaluation makes no machines"),
    }
}
