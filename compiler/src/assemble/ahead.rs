//! Machines are made before they are composed, many at a time.
//!
//! The operators that will become rules are walked, and what stands below them, leaves to be listed
//! and operands to be compressed, is collected in the order of the text. What other threads have not
//! listed before (see `together.rs`) is listed here one after the other; whoever computes compressions
//! may do several at once.
//! The order in which they are asked for depends on the process alone, so does all that comes out.

use ahash::AHashSet;
use csp_lts::Network;

use super::splice::Site;
use super::tree::Builder;
use super::{Outcome, messages};
use crate::compress::{Context, Request};
use crate::leaf::{Leaf, marked};
use crate::operators::Purpose;
use crate::process::{Compression, Process, ProcessId};

/// How many machines are held before they are compressed.
const BATCH: usize = 64;

/// A machine that waits to be compressed.
struct Waiting {
    process: ProcessId,
    kind: Compression,
    network: Network,
    name: String,
    result: MadeOf,
}

/// What the machine stands for once it is compressed.
enum MadeOf {
    /// A leaf, listed for this purpose.
    Leaf(Option<Purpose>),
    /// A compression that the script asks for, in this context.
    Compression(Context),
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
                _ if shape.recursive => waiting.extend(self.listed(process, context)?),
                Process::Parallel(_, members) if shape.has_machines() => {
                    stack.extend(members.iter().rev().map(|&member| (member, context)));
                }
                Process::Alphabetised(members) if shape.has_machines() => {
                    stack.extend(members.iter().rev().map(|member| (member.1, context)));
                }
                Process::Linked(left, _, right) => {
                    stack.extend([(*right, context), (*left, context)]);
                }
                Process::Hide(operand, _)
                | Process::Project(operand, _)
                | Process::Rename(operand, _) => stack.push((*operand, context)),
                Process::Compress(kind, _) if stands_for_steps(*kind) => {}
                Process::Compress(_, operand) if self.compiler.options.transparent => {
                    stack.push((*operand, context));
                }
                Process::Compress(kind, operand) => {
                    waiting.extend(self.uncompressed(process, *kind, *operand, context)?);
                }
                Process::Prioritise(..) if shape.has_machines() => {}
                _ if shape.network => {}
                _ => waiting.extend(self.listed(process, context)?),
            }
            if waiting.len() >= BATCH {
                self.compress_all(&mut waiting)?;
            }
        }
        self.compress_all(&mut waiting)
    }

    /// A leaf, listed, if it is not known and is to be reduced.
    fn listed(&mut self, process: ProcessId, context: Context) -> Outcome<Option<Waiting>> {
        let compiler = &mut *self.compiler;
        let site = Site {
            compressor: self.compressor,
            context,
        };
        let key = compiler.leaf_key(self.processes, process, site);
        let Some(kind) = compiler.options.leaf_compression.kind() else {
            return Ok(None);
        };
        if compiler.leaves.contains_key(&key) {
            return Ok(None);
        }
        let lts = compiler.tabulate_at(self.processes, process, Some(site))?;
        compiler.operational.forget_beyond(super::REMEMBERED);
        let leaf = Leaf::new(lts);
        if leaf.has_ended() {
            compiler.leaves.insert(key, leaf);
            return Ok(None);
        }
        let name = self.processes.describe(process);
        Ok(Some(Waiting {
            process,
            kind,
            network: Network::of_lts(name.as_str(), leaf.lts),
            name,
            result: MadeOf::Leaf(key.1),
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
            result: MadeOf::Compression(context),
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
                asked_for: matches!(w.result, MadeOf::Compression(_)),
                span: self.processes.span(w.process),
                context: match w.result {
                    MadeOf::Leaf(_) => Context::default(),
                    MadeOf::Compression(context) => context,
                },
                most_states: None,
            });
        }
        let results = self.compressor.compress_all(&requests);
        for (w, result) in waiting.drain(..).zip(results) {
            let made =
                result.map_err(|e| messages::compression_failed(self.processes, w.process, &e))?;
            let leaf = Leaf::new(self.compiler.share(marked(&made.lts)));
            match w.result {
                MadeOf::Compression(context) => {
                    let key = (w.process, context, self.compressor.model());
                    self.compiler.machines.insert(key, leaf);
                }
                MadeOf::Leaf(purpose) => {
                    self.compiler.leaves.insert((w.process, purpose), leaf);
                }
            }
        }
        Ok(())
    }
}

/// Functions that the walk over the operators deals with itself.
fn stands_for_steps(kind: Compression) -> bool {
    matches!(kind, Compression::Chase | Compression::Deter)
}
