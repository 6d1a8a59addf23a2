//! Verdicts by definition: inclusion of behaviours, decided on residuals.
//!
//! With `S/s` and `I/s` the residuals after a trace, I refines S
//!
//! * in T if every initial of `I/s` is one of `S/s`, for all traces s of I;
//! * in F if moreover every set in O(I/s) contains a set of O(S/s): what I can refuse, so can S;
//! * in V if moreover, for every R in O(I/s) and a ∈ R, some set of O(S/s) inside R has `a`, and if R is
//!   empty then O(S/s) has ∅: the revivals (s, X, a) and deadlocks of I are among those of S;
//! * in R by refusal tests: see `Pairs::successors`. Seeing the largest refusal of a stable state on
//!   the way (the complement of its offer R) leaves of S what is stable and offers no more than R.
//!
//! FD, VD and RD are strict: nothing is asked where S diverges, and where it does not, I must not.
//!
//! Every pair of residuals is met first by a shortest trace, so a failure comes with the number of
//! visible events that are needed to see it.

mod evidence;

use std::collections::VecDeque;

use crate::claim::{Claim, Model};
use crate::denote::{Meanings, Residual, TooLarge};
use crate::events::{Event, Events, Family};
use crate::hash::Set;

/// What the definitions say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The claim is true.
    Holds,
    /// It is not, and this many visible events are needed to see it.
    Fails(usize),
}

impl Verdict {
    /// Whether the claim is true.
    #[must_use]
    pub fn holds(self) -> bool {
        self == Self::Holds
    }
}

impl Meanings<'_> {
    /// Decides a claim.
    pub fn judge(&mut self, claim: &Claim) -> Result<Verdict, TooLarge> {
        match claim {
            Claim::Refines {
                specification,
                implementation,
                model,
            } => {
                let (s, i) = (self.judged(specification)?, self.judged(implementation)?);
                self.refines(s, i, *model)
            }
            Claim::DeadlockFree { process, strict } => {
                let p = self.judged(process)?;
                self.everywhere(p, |m, p| {
                    let dead = m.deadlocks(p)?;
                    Ok(!dead && (!*strict || !m.diverges(p)?))
                })
            }
            Claim::DivergenceFree { process } => {
                let p = self.judged(process)?;
                self.everywhere(p, |m, p| Ok(!m.diverges(p)?))
            }
            Claim::Deterministic { process, strict } => {
                let p = self.judged(process)?;
                self.deterministic(p, *strict)
            }
            Claim::HasTrace {
                process,
                model,
                trace,
            } => {
                let p = self.judged(process)?;
                self.has_trace(p, *model, trace)
            }
        }
    }

    /// Whether the implementation refines the specification.
    pub fn refines(
        &mut self,
        specification: Residual,
        implementation: Residual,
        model: Model,
    ) -> Result<Verdict, TooLarge> {
        let mut pairs = Pairs::new((specification, implementation));
        while let Some((s, i, length)) = pairs.queue.pop_front() {
            if model.is_strict() {
                if self.diverges(s)? {
                    continue;
                }
                if self.diverges(i)? {
                    return Ok(Verdict::Fails(length));
                }
            }
            let (required, offers) = (self.offers(s)?, self.offers(i)?);
            if model != Model::T && offers.iter().any(|r| !allows(model, required, r)) {
                return Ok(Verdict::Fails(length));
            }
            if pairs.longest.is_some_and(|longest| length >= longest) {
                continue;
            }
            if !pairs.successors(self, s, i, model, length)? {
                // A violation at the end of an event is one longer than those still in the queue.
                pairs.longest = Some(length + 1);
            }
        }
        Ok(pairs.longest.map_or(Verdict::Holds, Verdict::Fails))
    }

    /// Whether something is true after some trace.
    pub fn somewhere(
        &mut self,
        process: Residual,
        mut holds: impl FnMut(&mut Self, Residual) -> Result<bool, TooLarge>,
    ) -> Result<bool, TooLarge> {
        let verdict = self.everywhere(process, |m, p| Ok(!holds(m, p)?))?;
        Ok(!verdict.holds())
    }

    /// Whether something is true after every trace.
    fn everywhere(
        &mut self,
        process: Residual,
        mut holds: impl FnMut(&mut Self, Residual) -> Result<bool, TooLarge>,
    ) -> Result<Verdict, TooLarge> {
        let mut seen = Set::from_iter([process]);
        let mut queue = VecDeque::from([(process, 0)]);
        while let Some((p, length)) = queue.pop_front() {
            if !holds(self, p)? {
                return Ok(Verdict::Fails(length));
            }
            for event in self.initials(p)?.iter() {
                let next = self.after(p, event)?.expect("the event is initial");
                if seen.insert(next) {
                    queue.push_back((next, length + 1));
                }
            }
        }
        Ok(Verdict::Holds)
    }

    /// After no trace can an event be both done and refused; strict: nor does the process diverge.
    fn deterministic(&mut self, process: Residual, strict: bool) -> Result<Verdict, TooLarge> {
        self.everywhere(process, |m, p| {
            let initials = m.initials(p)?;
            let refuses = m.offers(p)?.iter().any(|r| !initials.is_within(r));
            Ok(!refuses && (!strict || !m.diverges(p)?))
        })
    }

    /// In T the trace can be done. In F, moreover, no event of it can be refused when its turn comes;
    /// in FD, moreover, the process does not diverge before the last event.
    fn has_trace(
        &mut self,
        process: Residual,
        model: Model,
        trace: &[Event],
    ) -> Result<Verdict, TooLarge> {
        let mut now = process;
        for (done, &event) in trace.iter().enumerate() {
            let refused = self.offers(now)?.iter().any(|r| !r.has(event));
            if (model != Model::T && refused) || (model == Model::FD && self.diverges(now)?) {
                return Ok(Verdict::Fails(done));
            }
            match self.after(now, event)? {
                Some(next) => now = next,
                None => return Ok(Verdict::Fails(done)),
            }
        }
        Ok(Verdict::Holds)
    }
}

/// Whether a specification with these stable offers allows a stable state with that offer.
fn allows(model: Model, required: Family, offer: Events) -> bool {
    let inside = |r: &Events| r.is_within(offer);
    match model {
        Model::T => true,
        Model::F | Model::FD | Model::R | Model::RD => required.iter().any(|r| inside(&r)),
        Model::V | Model::VD => {
            let covered = required
                .iter()
                .filter(inside)
                .fold(Events::NONE, Events::or);
            required.iter().any(|r| inside(&r)) && covered == offer
        }
    }
}

/// Pairs of residuals that behaviours lead to, shortest first.
struct Pairs {
    seen: Set<(Residual, Residual)>,
    queue: VecDeque<(Residual, Residual, usize)>,
    /// The length of a violation by an event that has been found.
    longest: Option<usize>,
}

impl Pairs {
    fn new((s, i): (Residual, Residual)) -> Self {
        Self {
            seen: Set::from_iter([(s, i)]),
            queue: VecDeque::from([(s, i, 0)]),
            longest: None,
        }
    }

    fn push(&mut self, s: Residual, i: Residual, length: usize) {
        if self.seen.insert((s, i)) {
            self.queue.push_back((s, i, length));
        }
    }

    /// Adds what one more event leads to; false if the specification cannot follow.
    ///
    /// In R the implementation may do the event after having been seen stable with an offer R ∋ a. The
    /// specification must then do it from a stable state that offers nothing outside R.
    fn successors(
        &mut self,
        meanings: &mut Meanings<'_>,
        s: Residual,
        i: Residual,
        model: Model,
        length: usize,
    ) -> Result<bool, TooLarge> {
        for event in meanings.initials(i)?.iter() {
            let next = meanings.after(i, event)?.expect("the event is initial");
            match meanings.after(s, event)? {
                Some(allowed) => self.push(allowed, next, length + 1),
                None => return Ok(false),
            }
        }
        if !matches!(model, Model::R | Model::RD) {
            return Ok(true);
        }
        for offer in meanings.offers(i)?.iter() {
            let seen = meanings
                .observed(i, offer)?
                .expect("it is among the offers");
            let allowed = meanings.no_more_than(s, offer)?;
            for event in offer.iter() {
                let next = meanings.after(seen, event)?.expect("the event is offered");
                let followed = match allowed {
                    Some(allowed) => meanings.after(allowed, event)?,
                    None => None,
                };
                match followed {
                    Some(followed) => self.push(followed, next, length + 1),
                    None => return Ok(false),
                }
            }
        }
        Ok(true)
    }
}

impl Meanings<'_> {
    /// What is stable of a process and offers nothing outside a set.
    fn no_more_than(
        &mut self,
        process: Residual,
        offer: Events,
    ) -> Result<Option<Residual>, TooLarge> {
        let mut ways = Vec::new();
        for r in self.offers(process)?.iter().filter(|r| r.is_within(offer)) {
            ways.extend(self.observed(process, r)?);
        }
        self.union(ways)
    }
}
