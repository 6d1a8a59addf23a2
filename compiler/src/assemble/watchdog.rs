//! Watchdogs: monitors made of specifications. The compiler asks for them, as for compressions.

use csp_lts::{EventId, EventSet};

use super::node::Node;
use super::tree::Builder;
use super::{Outcome, messages};
use crate::compress::Context;
use crate::process::{ProcessId, Watchdog};

impl Builder<'_> {
    pub(super) fn watchdog(
        &mut self,
        process: ProcessId,
        kind: Watchdog,
        specification: ProcessId,
        set: &EventSet,
        bad: EventId,
    ) -> Outcome<Node> {
        if let Some(leaf) = self.compiler.machines.get(&self.use_of(process)) {
            let leaf = leaf.clone();
            return Ok(self.node_of_leaf(process, leaf));
        }
        let context = Context {
            stepwise: None,
            watchdog: Some(kind),
        };
        let network = self.apart(specification, context)?;
        let monitor = self
            .compressor
            .watchdog(kind, &network, set, bad)
            .map_err(|e| messages::compression_failed(self.processes, process, &e))?;
        let leaf = self.machine(process, &monitor);
        Ok(self.node_of_leaf(process, leaf))
    }
}
