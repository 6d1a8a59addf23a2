//! Leaves listed by several threads.
//!
//! Evaluation shares nothing between threads, so each member of an *evaluator pool* evaluates the same script
//! again, with a table and a thread of its own. All tables walk from the root through the operators that
//! compose machines, and so come to the same list of processes below them. This thread lists them
//! from the front, the pool from the back, until everything is taken. What cannot be listed here,
//! for whatever reason, is left to the ordinary way, which finds the same reason and reports it.
//!
//! Invariant: what the pool lists is used only if its list of processes has the same names and
//! places as ours, and all its events are numbered by declaration. A listed process depends on the
//! process alone, so it does not matter who listed it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use csp_grammar::Span;
use csp_host::clock::Moment;
use csp_host::thread;
use csp_lts::Lts;

use super::Compiler;
use super::shape::Shape;
use crate::leaf::{Explored, explore};
use crate::operators::Operational;
use crate::process::{Process, ProcessId, Processes};

/// Other threads that can evaluate the process that is compiled.
pub trait EvaluatorPool: Sync {
    /// How many to start.
    fn count(&self) -> usize;

    /// How much stack each needs.
    fn stack_bytes(&self) -> usize;

    /// Makes a table on the present thread and gives it, with the process, to the work; the table's
    /// evaluation has to end soon after `stop` is set. Does nothing if the process cannot be evaluated.
    fn with_table(
        &self,
        stop: &Arc<AtomicBool>,
        work: &mut dyn FnMut(&mut dyn Processes, ProcessId),
    );
}

/// How many operators are walked through.
const WALKED: usize = 100_000;

/// How often this thread looks whether to stop while it waits for the pool.
const PAUSE: Duration = Duration::from_millis(1);

/// A process that waits to be listed.
#[derive(Default)]
struct Task {
    taken: AtomicBool,
    listed: OnceLock<(Shape, Lts)>,
}

impl Task {
    fn take(&self) -> bool {
        !self.taken.swap(true, Ordering::Relaxed)
    }
}

impl Compiler {
    /// Lists leaves below a process with the help of the pool, which is started once this thread has
    /// been at it for some time.
    pub fn list_together(
        &mut self,
        processes: &mut dyn Processes,
        root: ProcessId,
        pool: &dyn EvaluatorPool,
        patience: Duration,
    ) {
        let leaves = below(processes, root);
        if pool.count() == 0 || leaves.len() < 2 {
            return;
        }
        let names = names(processes, &leaves);
        let tasks: Vec<Task> = leaves.iter().map(|_| Task::default()).collect();
        for (leaf, task) in leaves.iter().zip(&tasks) {
            // With a purpose it would have compressions inside, and not be listed here.
            let known = self.leaves.contains_key(&(*leaf, None)) || self.listed.contains_key(leaf);
            task.taken.store(known, Ordering::Relaxed);
        }
        let limit = self.options.leaf_states;
        let (nesting, termination) = (self.options.nesting, self.options.termination);
        let stop = Arc::new(AtomicBool::new(false));
        let under_way = AtomicUsize::new(0);
        let help = || {
            pool.with_table(&stop, &mut |processes, root| {
                let leaves = below(processes, root);
                if self::names(processes, &leaves) == names {
                    let mut operational = Operational::new(nesting, termination);
                    operational.splices().shapes.limit(limit);
                    for (&leaf, task) in leaves.iter().zip(&tasks).rev() {
                        if stop.load(Ordering::Relaxed) {
                            break;
                        }
                        if task.take()
                            && let Some(listed) = list(&mut operational, processes, leaf, limit)
                            && !processes.numbers_events_as_met()
                        {
                            let _ = task.listed.set(listed);
                        }
                    }
                }
            });
            under_way.fetch_sub(1, Ordering::Release);
        };
        thread::scope(|scope| {
            let start = Moment::now();
            let mut alone = true;
            for (&leaf, task) in leaves.iter().zip(&tasks) {
                if alone && start.elapsed() >= patience {
                    alone = false;
                    for _ in 0..pool.count() {
                        under_way.fetch_add(1, Ordering::Relaxed);
                        if !thread::spawn_scoped(scope, pool.stack_bytes(), help) {
                            under_way.fetch_sub(1, Ordering::Relaxed);
                        }
                    }
                }
                if task.take() {
                    match list(&mut self.operational, processes, leaf, limit) {
                        Some(listed) => drop(task.listed.set(listed)),
                        None if processes.poll(root).is_err() => break,
                        None => {}
                    }
                    self.operational.forget_beyond(super::REMEMBERED);
                }
            }
            while under_way.load(Ordering::Acquire) > 0 {
                if processes.poll(root).is_err() {
                    stop.store(true, Ordering::Relaxed);
                }
                thread::sleep(PAUSE);
            }
        });
        for (leaf, task) in leaves.into_iter().zip(tasks) {
            if let Some((shape, lts)) = task.listed.into_inner() {
                self.operational.splices().shapes.learn(leaf, shape);
                let lts = self.share(lts);
                self.listed.insert(leaf, lts);
            }
        }
    }
}

/// The processes below the operators that compose machines, in the order of the text.
fn below(processes: &mut dyn Processes, root: ProcessId) -> Vec<ProcessId> {
    let (mut stack, mut leaves) = (vec![root], Vec::new());
    let mut walked = 0;
    while let Some(process) = stack.pop() {
        walked += 1;
        let Ok(head) = processes.head(process) else {
            continue;
        };
        match &*head {
            _ if walked > WALKED => return leaves,
            Process::Parallel(_, members) => stack.extend(members.iter().rev()),
            Process::Alphabetised(members) => stack.extend(members.iter().rev().map(|m| m.1)),
            Process::Linked(left, _, right) => stack.extend([*right, *left]),
            Process::Hide(operand, _)
            | Process::Project(operand, _)
            | Process::Rename(operand, _)
            | Process::Compress(_, operand)
            | Process::Prioritise(operand, _) => stack.push(*operand),
            _ => leaves.push(process),
        }
    }
    leaves
}

/// What the processes are called and where they stand.
fn names(processes: &dyn Processes, list: &[ProcessId]) -> Vec<(String, Span)> {
    let name = |&process: &ProcessId| (processes.describe(process), processes.span(process));
    list.iter().map(name).collect()
}

/// The states of a process that composes nothing; none if it does, or if they cannot be listed.
fn list(
    operational: &mut Operational,
    processes: &mut dyn Processes,
    process: ProcessId,
    limit: usize,
) -> Option<(Shape, Lts)> {
    let shape = operational.splices().shapes.of(processes, process);
    if shape.network || shape.compressed || shape.nested || shape.piled {
        return None;
    }
    match explore(operational, processes, process, limit) {
        Ok(Explored::Complete(lts)) => Some((shape, lts)),
        _ => None,
    }
}
