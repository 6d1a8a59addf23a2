//! Bounded buffers.
//!
//! - A buffer that is not full: in→ the buffer with out appended, for every pair (in, out).
//! - One that is not empty: its oldest output, which then leaves it.
//! - Full: a weak buffer e→ STOP; a signal buffer performs its first event and stays.
//! - Empty: a signal buffer performs its second event and stays.

use csp_lts::{EventId, EventSet};

use super::{Firing, Outcome};
use crate::process::{BufferKind, Process, Relation};

impl Firing<'_> {
    pub(super) fn buffer(
        &mut self,
        kind: BufferKind,
        capacity: u32,
        pairs: &Relation,
        content: &[EventId],
    ) -> Outcome<()> {
        let full = content.len() >= capacity as usize;
        if let [oldest, rest @ ..] = content {
            let next = Process::Buffer(kind, capacity, Relation::clone(pairs), rest.into());
            let next = self.processes.intern(next);
            self.restricted(EventSet::single(*oldest), next);
        }
        if !full {
            for (input, output) in pairs.iter() {
                let content: Box<[EventId]> = content.iter().chain([output]).copied().collect();
                let next = Process::Buffer(kind, capacity, Relation::clone(pairs), content);
                let next = self.processes.intern(next);
                self.restricted(EventSet::single(*input), next);
            }
        }
        match kind {
            BufferKind::Weak(event) if full => {
                let stop = self.processes.intern(Process::Stop);
                self.restricted(EventSet::single(event), stop);
            }
            BufferKind::Signal(event, _) if full => {
                self.restricted(EventSet::single(event), self.process);
            }
            BufferKind::Signal(_, event) if content.is_empty() => {
                self.restricted(EventSet::single(event), self.process);
            }
            _ => {}
        }
        Ok(())
    }
}
