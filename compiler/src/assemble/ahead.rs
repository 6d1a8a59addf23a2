//! Machines are made before they are composed, many at a time.
//!
//! The operators that will become rules are walked, and what stands below them, leaves to be listed
//! and operands to be compressed, is collected in the order of the text. What other threads have not
//! listed before (see `together.rs`) is listed here one after the other; whoever computes compressions
//! may do several at once.
//! The order in which they are asked for depends on the process alone, so does all that comes out.

use ahash::AHashSet;
use csp_lts::Network;

use super::tree::Builder;
use super::{Outcome, messages};
use crate::compress::{Context, Request};
use crate::leaf::{Leaf, marked};
use crate::process::{Compression, Process, ProcessId};

/// How many machines are held before they are compressed.
const BATCH: usize = 64;

/// A machine that waits to be compressed.
struct Waiting {
    process: ProcessId,
    kind: Compression,
    network: Network,
    name: String,
    /// The context of a compression that the script asks for.
    asked: Option<Context>,
}

impl Builder<'_> {
    /// Makes the machines below the operators of a process.
    pub(super) fn make_ahead(&mut self, root: ProcessId) -> Outcome<()> {
        let mut stack = vec![(root, self.context)];
        let mut seen = AHashSet::new();
        let mut waiting = Vec::new();
        while let Some((process, context)) = stack.pop() {
            if !seen.insert((process, context)) {
                continue;
            }
            let head = self.processes.head(process)?;
            let shape = self.shape(process);
            match &*head {
                _ if shape.recursive && shape.network => {}
                _ if shape.recursive => waiting.extend(self.listed(process)?),
                Process::Parallel(_, members) if shape.network => {
                    stack.extend(members.iter().rev().map(|&member| (member, context)));
                }
                Process::Alphabetised(members) if shape.network => {
                    stack.extend(members.iter().rev().map(|member| (member.1, context)));
                }
                Process::Linked(left, _, right) => {
                    stack.extend([(*right, context), (*left, context)]);
                }
                Process::Hide(operand, _)
                | Process::Project(operand, _)
                | Process::Rename(operand, _) => stack.push((*operand, context)),
                Process::Compress(kind, _) if stands_for_steps(*kind) => {}
                Process::Compress(kind, operand) => {
                    waiting.extend(self.uncompressed(process, *kind, *operand, context)?);
                }
                _ if shape.network => {}
                _ => waiting.extend(self.listed(process)?),
            }
            if waiting.len() >= BATCH {
                self.compress_all(&mut waiting)?;
            }
        }
        self.compress_all(&mut waiting)
    }

    /// A leaf, listed, if it is not known and is to be reduced.
    fn listed(&mut self, process: ProcessId) -> Outcome<Option<Waiting>> {
        let compiler = &mut *self.compiler;
        let Some(kind) = compiler.options.leaf_compression.kind() else {
            return Ok(None);
        };
        if compiler.leaves.contains_key(&process) {
            return Ok(None);
        }
        let lts = compiler.tabulate(self.processes, process)?;
        compiler.operational.forget_beyond(super::REMEMBERED);
        let leaf = Leaf::new(lts);
        if leaf.has_ended() {
            compiler.leaves.insert(process, leaf);
            return Ok(None);
        }
        let name = self.processes.describe(process);
        Ok(Some(Waiting {
            process,
            kind,
            network: Network::of_lts(name.as_str(), leaf.lts),
            name,
            asked: None,
        }))
    }

    /// The operand of a compression, as a network of its own, if the result is not known.
    fn uncompressed(
        &mut self,
        process: ProcessId,
        kind: Compression,
        operand: ProcessId,
        context: Context,
    ) -> Outcome<Option<Waiting>> {
        let key = (process, context, self.compressor.model());
        if self.compiler.machines.contains_key(&key) {
            return Ok(None);
        }
        Ok(Some(Waiting {
            process,
            kind,
            network: self.apart(operand, context)?,
            name: self.processes.describe(operand),
            asked: Some(context),
        }))
    }

    /// Compresses all that waits.
    fn compress_all(&mut self, waiting: &mut Vec<Waiting>) -> Outcome<()> {
        let mut requests = Vec::with_capacity(waiting.len());
        for w in waiting.iter() {
            requests.push(Request {
                kind: w.kind,
                network: &w.network,
                name: &w.name,
                asked_for: w.asked.is_some(),
                span: self.processes.span(w.process),
                context: w.asked.unwrap_or_default(),
            });
        }
        let results = self.compressor.compress_all(&requests);
        for (w, result) in waiting.drain(..).zip(results) {
            let lts =
                result.map_err(|e| messages::compression_failed(self.processes, w.process, &e))?;
            let leaf = Leaf::new(self.compiler.share(marked(&lts)));
            if let Some(context) = w.asked {
                let key = (w.process, context, self.compressor.model());
                self.compiler.machines.insert(key, leaf);
            } else {
                self.compiler.leaves.insert(w.process, leaf);
            }
        }
        Ok(())
    }
}

/// Functions that the walk over the operators deals with itself.
fn stands_for_steps(kind: Compression) -> bool {
    matches!(kind, Compression::Chase | Compression::Deter)
}
