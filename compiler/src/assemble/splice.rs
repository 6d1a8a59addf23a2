//! Machines for compressed processes inside processes that are listed.
//!
//! Where listing meets a compressed process (`operators/splice.rs`), its operand becomes a network of
//! its own, is compressed for the purpose at hand, and its states go on in the list. One that cannot be
//! made is transparent: whatever stands in the way may never matter to the whole, and if it does,
//! it is met again. Then those around it that are under way are given up as well, so that the same
//! obstacle is not met once for each of them.

use std::sync::Arc;

use csp_lts::Lts;

use super::tree::Builder;
use super::{Compiler, LEAF_STATES, Outcome, PILED_STEPS, messages, shape};
use crate::compress::{Compressor, Context};
use crate::leaf::{Explored, Listing};
use crate::operators::{Halt, Purpose, Step};
use crate::process::{Process, ProcessId, Processes};

/// How many compressions may be under way inside one another; those further inside are looked
/// through, since every state is compressed once for each.
const NESTED: usize = 16;

/// How many times the states of a leaf the operands may have together.
const TOGETHER: usize = 4;

/// Where a process is listed: who compresses, and what is around.
#[derive(Clone, Copy)]
pub(super) struct Site<'a> {
    pub(super) compressor: &'a dyn Compressor,
    pub(super) context: Context,
}

impl Site<'_> {
    pub(super) fn purpose(self) -> Purpose {
        (self.context, self.compressor.model())
    }
}

impl Compiler {
    /// Where a process is listed, as far as its parts see it: a priority somewhere in it looks at single steps, which
    /// all machines in the list then preserve.
    pub(super) fn site_for<'a>(
        &mut self,
        processes: &mut dyn Processes,
        process: ProcessId,
        mut site: Site<'a>,
    ) -> Site<'a> {
        if self.shape(processes, process).prioritised {
            site.context.stepwise.get_or_insert("prioritise");
        }
        site
    }

    /// Lists a process.
    pub(super) fn list(
        &mut self,
        processes: &mut dyn Processes,
        process: ProcessId,
        limit: usize,
        site: Option<Site<'_>>,
    ) -> Outcome<Explored> {
        let site = site.map(|site| self.site_for(processes, process, site));
        self.serve(processes, process, site);
        let mut listing = Listing::new(&mut self.operational, processes, process);
        if self.shape(processes, process).piled && self.options.leaf_states == LEAF_STATES {
            listing.most_steps = PILED_STEPS;
        }
        loop {
            match listing.go_on(&mut self.operational, processes, limit) {
                Ok(explored) => {
                    let keeps = self.options.keep_states;
                    self.just_listed = keeps.then(|| listing.states());
                    return Ok(explored);
                }
                Err(halt) => self.overcome(processes, halt, site)?,
            }
        }
    }

    /// The steps of a process that is being listed at the site of [`Self::site_for`].
    pub(super) fn steps(
        &mut self,
        processes: &mut dyn Processes,
        process: ProcessId,
        site: Site<'_>,
    ) -> Outcome<std::rc::Rc<[Step]>> {
        loop {
            match self.operational.transitions(processes, process) {
                Ok(steps) => return Ok(steps),
                Err(halt) => self.overcome(processes, halt, Some(site))?,
            }
        }
    }

    /// Prepares for the steps of a process and of what it becomes, at the site of [`Self::site_for`].
    pub(super) fn serve(
        &mut self,
        processes: &mut dyn Processes,
        process: ProcessId,
        site: Option<Site<'_>>,
    ) {
        let shape = self.shape(processes, process);
        if shape.compressed || shape.prioritised || shape.chased {
            let site = site.filter(|_| shape.splices() && !self.options.transparent);
            self.operational.serve(site.map(Site::purpose));
        }
    }

    fn overcome(
        &mut self,
        processes: &mut dyn Processes,
        halt: Halt,
        site: Option<Site<'_>>,
    ) -> Outcome<()> {
        match (halt, site) {
            (Halt::Mistake(mistake), _) => Err(mistake),
            (Halt::Wants(compressed), Some(site)) => {
                self.is_machine(processes, compressed, site).map(|_| ())
            }
            (Halt::Wants(_), None) => unreachable!("without a purpose no machine is wanted"),
        }
    }

    /// Whether a compressed process is a machine at a site; otherwise it is transparent.
    pub(super) fn is_machine(
        &mut self,
        processes: &mut dyn Processes,
        compressed: ProcessId,
        site: Site<'_>,
    ) -> Outcome<bool> {
        let purpose = site.purpose();
        let splices = self.operational.splices();
        if let Some(decided) = splices.decided(compressed, purpose) {
            return Ok(decided);
        }
        if splices.shapes.of(processes, compressed).recursive {
            return Ok(false);
        }
        let made = self.machine_of(processes, compressed, site);
        let machine = made.as_ref().ok().and_then(Option::clone);
        let splices = self.operational.splices();
        splices.decide(compressed, purpose, machine);
        made.map(|machine| machine.is_some())
    }

    fn machine_of(
        &mut self,
        processes: &mut dyn Processes,
        compressed: ProcessId,
        site: Site<'_>,
    ) -> Outcome<Option<Arc<Lts>>> {
        let head = processes.head(compressed)?;
        let Process::Compress(kind, operand) = &*head else {
            unreachable!("only compressed processes are wanted as machines");
        };
        let left = (TOGETHER * self.options.leaf_states).saturating_sub(self.explicit);
        let most = left.min(self.options.leaf_states);
        if most == 0 || self.splicing == NESTED {
            return Ok(None);
        }
        let warned = self.warnings.len();
        let inner = self.operational.suspend();
        let outer = std::mem::replace(&mut self.operational, inner);
        self.splicing += 1;
        let mut builder = Builder::new(self, processes, site.compressor);
        builder.context = site.context;
        let made = builder.compressed_leaf(compressed, *kind, *operand, Some(most));
        self.splicing -= 1;
        let inner = std::mem::replace(&mut self.operational, outer);
        self.operational.resume(inner);
        match made {
            Ok(leaf) => Ok(Some(leaf.lts)),
            Err(mistake) => {
                self.warnings.truncate(warned);
                processes.poll(compressed)?;
                if self.splicing > 0 {
                    return Err(mistake);
                }
                Ok(None)
            }
        }
    }

    /// Warns of a compression inside a listed process that is transparent.
    pub(super) fn note_compression(
        &mut self,
        processes: &mut dyn Processes,
        process: ProcessId,
        site: Option<Site<'_>>,
    ) {
        let splices = self.shape(processes, process).splices();
        let site = site.map(|site| self.site_for(processes, process, site));
        let purpose = site.filter(|_| splices).map(Site::purpose);
        let below = shape::compressions(processes, process);
        let splices = self.operational.splices();
        let idle = below.into_iter().find(|&compressed| {
            purpose.is_none_or(|purpose| {
                splices.decided(compressed, purpose) == Some(false)
                    || splices.shapes.of(processes, compressed).recursive
            })
        });
        let Some(compressed) = idle else {
            return;
        };
        let warning = messages::without_effect(processes, compressed, process);
        let known = |w: &csp_grammar::Diagnostic| w.code == warning.code && w.span == warning.span;
        if !self.warnings.iter().any(known) {
            self.warnings.push(*warning);
        }
    }
}
