//! Observations: what a process means once it has been seen to be stable with a certain offer.
//!
//! `P↾R` is the union of the stable states of P, before anything visible, that offer exactly R. It
//! exists if R ∈ O(P), and then I = R, O = {R}, and it does not diverge. Refusal tests need it,
//! because they see refusals on the way and not only at the end.
//!
//! Where O (see [`super::failures`]) is made of R in O(P) and S in O(Q), the observation is made of
//! `P↾R` and `Q↾S` by the same operator. In particular:
//!
//! * (P □ Q)↾T = ∪ P↾R □ Q↾S over R ∪ S = T, and likewise for △, \[+A+\], /+A+\ and ∥, where a side
//!   that has terminated is Ω in the books' reading;
//! * (P ▷ Q)↾R = Q↾R;
//! * (P ; Q)↾R = (P↾R ; Q) if ✓ ∉ R, and Q↾R if ✓ ∈ I(P);
//! * (P \ A)↾R = ∪ ((P/s)↾R) \ A over s ∈ A*, for R that misses A;
//! * (P\[\[S\]\])↾T = ∪ (P↾R)\[\[S\]\] over R whose image is T;
//! * prioritise(P)↾T = ∪ prioritise(P↾R) over R of which T is what is kept;
//! * loop(P)↾R = P↾R ; loop(P);
//! * trace_watchdog(P)↾R is itself, and failure_watchdog(P)↾T = x:T → DIV;
//! * CHAOS(A)↾∅ = STOP and CHAOS(A)↾A = x:A → CHAOS(A).

use super::failures::{End, Rest, linked, whole};
use super::traces::on_both_or_either;
use super::{Meanings, Residual, Shape, TooLarge};
use crate::events::Events;
use crate::term::Watchdog;

/// An operator waiting for its arguments.
type Operator = fn(Residual, Residual) -> Shape;

impl Meanings<'_> {
    /// The process once it has been seen to be stable and to offer exactly these events.
    pub fn observed(
        &mut self,
        process: Residual,
        offer: Events,
    ) -> Result<Option<Residual>, TooLarge> {
        if !self.offers(process)?.has(offer) {
            return Ok(None);
        }
        if let Some(&known) = self.observed.get(&(process, offer)) {
            return Ok(Some(known));
        }
        let ways = self.ways_to_offer(process, offer)?;
        let observed = self.union(ways)?.expect("a stable offer can be observed");
        self.observed.insert((process, offer), observed);
        Ok(Some(observed))
    }

    fn ways_to_offer(
        &mut self,
        process: Residual,
        offer: Events,
    ) -> Result<Vec<Residual>, TooLarge> {
        let mut ways = Vec::new();
        match self.shape(process) {
            Shape::Stop | Shape::Omega | Shape::Skip | Shape::Run(_) | Shape::Offer(..) => {
                ways.push(process);
            }
            Shape::Div => {}
            Shape::Chaos(_) => ways.push(if offer.is_empty() {
                self.make(Shape::Stop)?
            } else {
                self.make(Shape::Offer(offer, process))?
            }),
            Shape::Name(n) => {
                let body = self.body(n)?;
                ways.extend(self.observed(body, offer)?);
            }
            Shape::Union(parts) => {
                for &part in parts.iter() {
                    ways.extend(self.observed(part, offer)?);
                }
            }
            Shape::External(p, q) => {
                self.both(p, q, &|r, s| r.or(s) == offer, Shape::External, &mut ways)?;
            }
            Shape::Interrupt(p, q) => {
                self.both(p, q, &|r, s| r.or(s) == offer, Shape::Interrupt, &mut ways)?;
            }
            Shape::SyncExternal(a, p, q) => {
                let fits = |r, s| on_both_or_either(a, r, s) == offer;
                let mut pairs = Vec::new();
                self.both_pairs(p, q, &fits, &mut pairs)?;
                for (p, q) in pairs {
                    ways.push(self.make(Shape::SyncExternal(a, p, q))?);
                }
            }
            Shape::SyncInterrupt(a, p, q) => {
                let fits = |r, s| on_both_or_either(a, r, s) == offer;
                let mut pairs = Vec::new();
                self.both_pairs(p, q, &fits, &mut pairs)?;
                for (p, q) in pairs {
                    ways.push(self.make(Shape::SyncInterrupt(a, p, q))?);
                }
            }
            Shape::Sliding(_, q) => ways.extend(self.observed(q, offer)?),
            Shape::Exception(a, p, q) => {
                if let Some(p) = self.observed(p, offer)? {
                    ways.push(self.make(Shape::Exception(a, p, q))?);
                }
            }
            Shape::Sequence(p, q) => {
                if self.initials(p)?.has_tick() {
                    ways.extend(self.observed(q, offer)?);
                }
                if let (false, Some(p)) = (offer.has_tick(), self.observed(p, offer)?) {
                    ways.push(self.make(Shape::Sequence(p, q))?);
                }
            }
            Shape::Loop(p) => {
                if let Some(p) = self.observed(p, offer)? {
                    ways.push(self.make(Shape::Sequence(p, process))?);
                }
            }
            Shape::Watch(Watchdog::Traces, ..) => ways.push(process),
            Shape::Watch(Watchdog::Failures, ..) => {
                let passed = self.make(Shape::Div)?;
                ways.push(self.make(Shape::Offer(offer, passed))?);
            }
            Shape::Parallel(sharing, p, q) => {
                let fits = |l: Rest, r: Rest| whole(l, r, sharing.offer(l.offer, r.offer)) == offer;
                for (p, q) in self.at_rest(p, q, &fits)? {
                    ways.push(self.make(Shape::Parallel(sharing, p, q))?);
                }
            }
            Shape::Hide(a, _) => {
                for &(p, _) in self.silent(process)?.reached.iter() {
                    if let Some(p) = self.observed(p, offer)? {
                        ways.push(self.make(Shape::Hide(a, p))?);
                    }
                }
            }
            Shape::Rename(r, p) => {
                for own in self
                    .offers(p)?
                    .iter()
                    .filter(|own| r.image_of(*own) == offer)
                {
                    let p = self.observed(p, own)?.expect("it is among the offers");
                    ways.push(self.make(Shape::Rename(r, p))?);
                }
            }
            Shape::Prioritise(order, p) => {
                for own in self.offers(p)?.iter().filter(|r| order.kept(*r) == offer) {
                    let p = self.observed(p, own)?.expect("it is among the offers");
                    ways.push(self.make(Shape::Prioritise(order, p))?);
                }
            }
            Shape::Linked(links, ..) => {
                let fits = |l: Rest, r: Rest| linked(&links, l, r) == Some(offer);
                for &(p, q) in self.silent(process)?.reached.iter() {
                    for (p, q) in self.at_rest(p, q, &fits)? {
                        ways.push(self.make(Shape::Linked(links, p, q))?);
                    }
                }
            }
        }
        Ok(ways)
    }

    fn both(
        &mut self,
        p: Residual,
        q: Residual,
        fits: &dyn Fn(Events, Events) -> bool,
        operator: Operator,
        ways: &mut Vec<Residual>,
    ) -> Result<(), TooLarge> {
        let mut pairs = Vec::new();
        self.both_pairs(p, q, fits, &mut pairs)?;
        for (p, q) in pairs {
            ways.push(self.make(operator(p, q))?);
        }
        Ok(())
    }

    /// Both sides observed with offers that fit together.
    fn both_pairs(
        &mut self,
        p: Residual,
        q: Residual,
        fits: &dyn Fn(Events, Events) -> bool,
        pairs: &mut Vec<(Residual, Residual)>,
    ) -> Result<(), TooLarge> {
        for r in self.offers(p)?.iter() {
            for s in self.offers(q)?.iter() {
                if !fits(r, s) {
                    continue;
                }
                if let (Some(p), Some(q)) = (self.observed(p, r)?, self.observed(q, s)?) {
                    pairs.push((p, q));
                }
            }
        }
        Ok(())
    }

    /// Both sides of a parallel composition at rest, terminated or not, in ways that fit together.
    fn at_rest(
        &mut self,
        p: Residual,
        q: Residual,
        fits: &dyn Fn(Rest, Rest) -> bool,
    ) -> Result<Vec<(Residual, Residual)>, TooLarge> {
        let mut pairs = Vec::new();
        for left in self.rests(p)? {
            for right in self.rests(q)? {
                if fits(left, right) {
                    pairs.push((self.resting(p, left)?, self.resting(q, right)?));
                }
            }
        }
        Ok(pairs)
    }

    fn resting(&mut self, process: Residual, rest: Rest) -> Result<Residual, TooLarge> {
        let offer = match rest.end {
            End::Reached => return self.make(Shape::Omega),
            End::Offered => rest.offer.or(Events::TICK),
            End::Far => rest.offer,
        };
        let observed = self.observed(process, offer)?;
        Ok(observed.expect("what is at rest can be observed"))
    }
}
