//! Divergence: whether a process can go on silently for ever before it does anything visible.
//!
//! D is false for every constant but DIV, and for prefixes. For the other operators it is true if
//! it is true of an argument that can move: of P or Q for ⊓, □, ▷, △, ∥ and their kin; of P alone for
//! `P [|A|> Q`, renaming and priority, which blocks no τ; of P, or of Q if ✓ ∈ I(P), for `P ; Q`. So
//! `loop(P)` diverges if P does, and also if ✓ ∈ I(P), since then it can begin again and again. A
//! watchdog diverges always if it watches failures, and never if it watches traces.
//!
//! `P \ A` diverges if D(P/s) for some s ∈ A*, or if P can do events of A for ever. Since processes
//! have finitely many residuals and are finitely branching, that is so exactly if the residuals
//! that A leads to have a cycle (König's lemma: arbitrarily long traces in A make an endless run,
//! which is endlessly visible or ends in a divergence of P). The same holds of linked events.

use super::{Meanings, Residual, Shape, TooLarge};
use crate::term::Watchdog;

impl Meanings<'_> {
    /// Whether the process can diverge at the start.
    pub fn diverges(&mut self, process: Residual) -> Result<bool, TooLarge> {
        if let Some(known) = self.known[process.0 as usize].diverges {
            return Ok(known);
        }
        let found = match self.shape(process) {
            Shape::Stop
            | Shape::Omega
            | Shape::Skip
            | Shape::Run(_)
            | Shape::Chaos(_)
            | Shape::Offer(..) => false,
            Shape::Div => true,
            Shape::Name(n) => {
                let body = self.body(n)?;
                self.diverges(body)?
            }
            Shape::Union(parts) => {
                let mut any = false;
                for &part in parts.iter() {
                    any |= self.diverges(part)?;
                }
                any
            }
            Shape::External(p, q)
            | Shape::Sliding(p, q)
            | Shape::Interrupt(p, q)
            | Shape::SyncExternal(_, p, q)
            | Shape::SyncInterrupt(_, p, q)
            | Shape::Parallel(_, p, q) => self.diverges(p)? || self.diverges(q)?,
            Shape::Exception(_, p, _) | Shape::Rename(_, p) | Shape::Prioritise(_, p) => {
                self.diverges(p)?
            }
            Shape::Loop(p) => self.diverges(p)? || self.initials(p)?.has_tick(),
            Shape::Watch(kind, ..) => kind == Watchdog::Failures,
            Shape::Sequence(p, q) => {
                self.diverges(p)? || (self.initials(p)?.has_tick() && self.diverges(q)?)
            }
            Shape::Hide(..) => {
                let silent = self.silent(process)?;
                let mut any = silent.endless;
                for &(p, _) in silent.reached.iter() {
                    any |= self.diverges(p)?;
                }
                any
            }
            Shape::Linked(..) => {
                let silent = self.silent(process)?;
                let mut any = silent.endless;
                for &(p, q) in silent.reached.iter() {
                    any |= self.diverges(p)? || self.diverges(q)?;
                }
                any
            }
        };
        self.known[process.0 as usize].diverges = Some(found);
        Ok(found)
    }
}
