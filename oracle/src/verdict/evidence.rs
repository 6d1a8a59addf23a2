//! Counterexamples judged: possible for the process, and not allowed by the claim.

use super::allows;
use crate::claim::{Claim, Counterexample, Evidence, Model};
use crate::denote::{Meanings, Residual, TooLarge};
use crate::events::{Event, Events, Family};

/// What is wrong with a counterexample, or nothing.
pub(super) type Complaint = Option<String>;

fn set(events: &[Event]) -> Events {
    events.iter().copied().collect()
}

fn complain(wrong: bool, what: &str) -> Complaint {
    wrong.then(|| what.to_owned())
}

impl Meanings<'_> {
    /// What is wrong with a counterexample to a claim.
    pub fn examine(
        &mut self,
        claim: &Claim,
        counterexample: &Counterexample,
    ) -> Result<Complaint, TooLarge> {
        if counterexample.steps < counterexample.trace.len() {
            return Ok(Some("it has more events than steps".to_owned()));
        }
        let process = self.judged(claim.process())?;
        let Some(end) = self.after_all(process, &counterexample.trace)? else {
            return Ok(Some("the process does not have the trace".to_owned()));
        };
        match claim {
            Claim::Refines {
                specification,
                model,
                ..
            } => {
                let s = self.judged(specification)?;
                self.against_specification(s, process, end, *model, counterexample)
            }
            Claim::HasTrace { model, trace, .. } => {
                self.against_trace(end, *model, trace, counterexample)
            }
            _ => self.against_property(process, end, claim, counterexample),
        }
    }

    fn against_property(
        &mut self,
        process: Residual,
        end: Residual,
        claim: &Claim,
        counterexample: &Counterexample,
    ) -> Result<Complaint, TooLarge> {
        let strict = match claim {
            Claim::DeadlockFree { strict, .. } | Claim::Deterministic { strict, .. } => *strict,
            _ => true,
        };
        Ok(match (&counterexample.evidence, claim) {
            (Evidence::Divergence, _) => complain(
                !strict || !self.diverges(end)?,
                "there is no divergence, or none that matters",
            ),
            (Evidence::Deadlock, Claim::DeadlockFree { .. }) => {
                complain(!self.deadlocks(end)?, "the process is not deadlocked")
            }
            (
                Evidence::Nondeterminism {
                    event,
                    other,
                    offered,
                },
                Claim::Deterministic { .. },
            ) => {
                let Some((last, before)) = counterexample.trace.split_last() else {
                    return Ok(Some("the event is not done".to_owned()));
                };
                let same = self.after_all(process, other)?;
                let refused = match same {
                    Some(same) => self.offers(same)?.has(set(offered)) && !offered.contains(event),
                    None => false,
                };
                complain(
                    last != event || before != other || !refused,
                    "the event is not both done and refused",
                )
            }
            _ => Some("it is evidence of something else".to_owned()),
        })
    }

    fn against_trace(
        &mut self,
        end: Residual,
        model: Model,
        trace: &[Event],
        counterexample: &Counterexample,
    ) -> Result<Complaint, TooLarge> {
        let done = counterexample.trace.len();
        if done >= trace.len() || counterexample.trace != trace[..done] {
            return Ok(Some("it is not a proper part of the trace".to_owned()));
        }
        let next = trace[done];
        Ok(match &counterexample.evidence {
            Evidence::MissingTrace { done: claimed } => complain(
                *claimed != done || self.after(end, next)?.is_some(),
                "more of the trace can be done",
            ),
            Evidence::Divergence => complain(
                model != Model::FD || !self.diverges(end)?,
                "there is no divergence, or none that matters",
            ),
            Evidence::Refusal { offered, .. } => complain(
                model == Model::T
                    || offered.contains(&next)
                    || !self.offers(end)?.has(set(offered)),
                "the next event cannot be refused",
            ),
            _ => Some("it is evidence of something else".to_owned()),
        })
    }

    fn against_specification(
        &mut self,
        specification: Residual,
        implementation: Residual,
        end: Residual,
        model: Model,
        counterexample: &Counterexample,
    ) -> Result<Complaint, TooLarge> {
        let trace = &counterexample.trace;
        if let Evidence::RefusalTrace { observed, allowed } = &counterexample.evidence {
            return self.against_tests(
                specification,
                implementation,
                model,
                trace,
                observed,
                allowed,
            );
        }
        if matches!(model, Model::R | Model::RD) {
            // A divergence after tests: the offers on the way are not part of the evidence, so
            // only what can be said of the trace alone is examined.
            let diverges = counterexample.evidence == Evidence::Divergence && self.diverges(end)?;
            return Ok(complain(
                model == Model::R || !diverges,
                "there is no divergence, or none that matters",
            ));
        }
        let last = usize::from(matches!(counterexample.evidence, Evidence::Trace { .. }));
        let Some(prefix) = trace.len().checked_sub(last).map(|n| &trace[..n]) else {
            return Ok(Some("the event at fault is missing".to_owned()));
        };
        let Some(s) = self.unless_diverging(specification, prefix, model)? else {
            return Ok(Some("the specification has lost track before".to_owned()));
        };
        let required = self.offers(s)?;
        Ok(match &counterexample.evidence {
            Evidence::Trace { allowed } => {
                let initials = self.initials(s)?;
                complain(
                    initials.has(trace[prefix.len()]) || set(allowed) != initials,
                    "the specification allows the event, or other events than said",
                )
            }
            Evidence::Refusal {
                offered,
                acceptances,
            } => {
                // Revivals need further acceptances than the minimal ones.
                let said: Family = acceptances.iter().map(|a| set(a)).collect();
                complain(
                    model == Model::T
                        || !self.offers(end)?.has(set(offered))
                        || allows(Model::F, required, set(offered))
                        || said.minimal() != required.minimal()
                        || said.iter().any(|a| !required.has(a)),
                    "the refusal is not possible, or allowed, or not for the reason given",
                )
            }
            Evidence::Revival { event, offered } => {
                let allowed = required
                    .iter()
                    .any(|r| r.has(*event) && r.is_within(set(offered)));
                complain(
                    !matches!(model, Model::V | Model::VD)
                        || !offered.contains(event)
                        || !self.offers(end)?.has(set(offered))
                        || allowed,
                    "the revival is not possible or allowed",
                )
            }
            Evidence::Divergence => complain(
                !model.is_strict() || !self.diverges(end)?,
                "there is no divergence, or none that matters",
            ),
            _ => Some("it is evidence of something else".to_owned()),
        })
    }

    /// What the specification is after a trace, unless it cannot do it or has diverged before.
    fn unless_diverging(
        &mut self,
        specification: Residual,
        trace: &[Event],
        model: Model,
    ) -> Result<Option<Residual>, TooLarge> {
        let mut s = specification;
        for &event in trace {
            if model.is_strict() && self.diverges(s)? {
                return Ok(None);
            }
            match self.after(s, event)? {
                Some(next) => s = next,
                None => return Ok(None),
            }
        }
        let lost = model.is_strict() && self.diverges(s)?;
        Ok((!lost).then_some(s))
    }

    /// Walks both sides through a refusal trace; the last observation or event must be at fault.
    fn against_tests(
        &mut self,
        specification: Residual,
        implementation: Residual,
        model: Model,
        trace: &[Event],
        observed: &[Option<Vec<Event>>],
        allowed: &[Event],
    ) -> Result<Complaint, TooLarge> {
        let (mut s, mut i) = (specification, implementation);
        let steps = observed.len().max(trace.len());
        if observed.len() < trace.len() || observed.len() > trace.len() + 1 || steps == 0 {
            return Ok(Some(
                "there is not one observation for each event".to_owned(),
            ));
        }
        for (step, seen) in observed.iter().enumerate() {
            if model.is_strict() && self.diverges(s)? {
                return Ok(Some("the specification diverges before".to_owned()));
            }
            let mut following = Some(s);
            if let Some(offer) = seen {
                match self.observed(i, set(offer))? {
                    Some(seen) => i = seen,
                    None => return Ok(Some("an offer is not possible".to_owned())),
                }
                following = self.no_more_than(s, set(offer))?;
            }
            let last = step + 1 == steps;
            let Some(&event) = trace.get(step) else {
                return Ok(complain(following.is_some(), "the last offer is allowed"));
            };
            match self.after(i, event)? {
                Some(next) => i = next,
                None => return Ok(Some("an event is not possible after the offer".to_owned())),
            }
            let next = match following {
                Some(f) => self.after(f, event)?,
                None => None,
            };
            match next {
                Some(next) if !last => s = next,
                None if last => {
                    let initials = match following {
                        Some(f) => self.initials(f)?,
                        None => Events::NONE,
                    };
                    return Ok(complain(
                        initials != set(allowed),
                        "the specification allows other events than said",
                    ));
                }
                _ => return Ok(Some("the fault is not at the end".to_owned())),
            }
        }
        Ok(Some("nothing is at fault".to_owned()))
    }
}
