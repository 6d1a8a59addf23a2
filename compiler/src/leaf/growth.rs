//! Whether a process that is being listed can ever be listed to its end.
//!
//! In `P(n) = a -> (P(n+1) ||| b -> STOP)` every round has other parameters, so the recursion is not seen in the terms,
//! and the number of states doubles with every round. From one of its states the listing climbs: it follows the step
//! after which most members stand side by side and can each do something. With [`INDEPENDENT`] of them there are more
//! states than can be listed, whatever they do.

use crate::operators::{Halt, Operational};
use crate::process::{Process, ProcessId, Processes};

/// Members that can each move without the others: 2^64 states and more.
const INDEPENDENT: usize = 64;

/// With fewer members than this nobody climbs.
const WORTH: usize = 4;

/// How many steps are climbed, and how many are looked at each time.
const STEPS: usize = 1_000;
const LOOKED_AT: usize = 100;

/// A process with too many independent members that can be reached from this one, if there seems to be one.
pub(super) fn outgrown(
    operational: &mut Operational,
    processes: &mut dyn Processes,
    from: ProcessId,
) -> Result<Option<ProcessId>, Halt> {
    let mut at = from;
    let mut members = independent(operational, processes, at)?;
    if members < WORTH {
        return Ok(None);
    }
    for _ in 0..STEPS {
        if members >= INDEPENDENT {
            return Ok(Some(at));
        }
        processes.poll(at)?;
        let steps = operational.transitions(processes, at)?;
        let mut best = None;
        for (_, target) in steps.iter().take(LOOKED_AT) {
            let count = independent(operational, processes, *target)?;
            if best.is_none_or(|(most, _)| count > most) {
                best = Some((count, *target));
            }
        }
        let Some(next) = best else {
            return Ok(None);
        };
        (members, at) = next;
    }
    Ok(None)
}

/// How many members of nested interleavings, from the outside, can do something that changes them.
fn independent(
    operational: &mut Operational,
    processes: &mut dyn Processes,
    process: ProcessId,
) -> Result<usize, Halt> {
    let (mut stack, mut count) = (vec![process], 0);
    while let Some(process) = stack.pop() {
        match &*processes.head(process)? {
            Process::Parallel(set, members) if set.is_empty() => stack.extend(members.iter()),
            Process::Hide(operand, _) => stack.push(*operand),
            Process::Stop | Process::Skip | Process::Omega => {}
            _ => {
                let steps = operational.transitions(processes, process)?;
                count += usize::from(steps.iter().any(|(_, target)| *target != process));
            }
        }
    }
    Ok(count)
}
