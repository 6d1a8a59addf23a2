//! Refusal testing (Mukarram 1993; Roscoe 2010, ch. 12).
//!
//! A behaviour ⟨X₀, a₁, X₁, …, aₙ, Xₙ⟩ alternates observations with events. Each Xᵢ is either • (no
//! refusal was seen) or a set that was refused by the stable state in which the next event, which is
//! not in Xᵢ, was then done. From an unstable state only • can be observed. Behaviours are closed
//! under putting a subset, or •, for a refusal, so it is enough to compare those in which every
//! stable state on the way of the implementation is observed with its largest refusal, which is the
//! complement of the offer `A`. The specification allows them if it can follow: by an event from a
//! state that is stable, offers the event and nothing outside `A`; or, where the implementation was
//! unstable, by the event from any state. At the end, a stable implementation state that offers `A`
//! needs a specification state that is stable and offers nothing outside `A`.
//!
//! RD is divergence-strict: after a behaviour after which the specification can diverge, everything
//! is allowed; after any other the implementation must not diverge.
//!
//! What the specification can be in after a behaviour is a set of states which depends on the offers
//! seen, so it cannot be tabulated event by event beforehand. Both sides are made explicit, and one
//! thread searches the product, making specification nodes as they are met.

mod product;
mod specification;

use csp_lts::{EventId, Lts, Network, StateId};

use crate::budget::Budget;
use crate::confirm::{After, confirm};
use crate::explicate::{Explicit, tabulate};
use crate::outcome::{Counterexample, Evidence, Limit, Outcome, Verdict};
use crate::replay::Replay;
use crate::termination::Termination;
use product::{Offence, Product, Wrong};

/// Decides refinement by refusal testing against an explicit specification.
pub(crate) fn refine(
    specification: &Lts,
    implementation: &Network,
    strict: bool,
    budget: &Budget<'_>,
) -> Result<Outcome, Limit> {
    let termination = Termination::of(budget.options());
    let explicit = tabulate(implementation, budget)?;
    budget.hold(explicit.bytes());
    let mut product = Product::new(specification, &explicit.lts, strict, termination);
    let (offences, limit) = product.search(budget);
    let stopped = limit.clone();
    let verdict = if !offences.is_empty() {
        let explain = Explain {
            replay: Replay::new(implementation),
            explicit: &explicit,
            specification,
            strict,
            termination,
        };
        Verdict::Fails(
            offences
                .into_iter()
                .map(|o| explain.counterexample(o))
                .collect(),
        )
    } else if let Some(limit) = limit {
        Verdict::Inconclusive(limit)
    } else {
        Verdict::Holds
    };
    Ok(Outcome {
        verdict,
        statistics: product.statistics,
        limit: stopped,
    })
}

struct Explain<'a> {
    replay: Replay<'a>,
    explicit: &'a Explicit,
    specification: &'a Lts,
    strict: bool,
    termination: Termination,
}

impl Explain<'_> {
    fn counterexample(&self, offence: Offence) -> Counterexample {
        let path = self.named(&offence.path);
        let mut steps = self.replay.steps_through(&path);
        let replayed = if matches!(offence.wrong, Wrong::Event { .. }) {
            // What is chased after the event at fault is not part of the violation.
            while steps.last().is_some_and(|s| s.chased) {
                steps.pop();
            }
            self.replay.path_to_event(&steps)
        } else {
            self.replay.path(&steps)
        };
        let mut observed: Vec<Option<Vec<EventId>>> = replayed
            .trace
            .iter()
            .map(|(event, offering)| {
                let acceptance = self.termination.acceptance(offering.offers());
                acceptance.filter(|a| a.contains(event)).map(<[_]>::to_vec)
            })
            .collect();
        let evidence = match offence.wrong {
            Wrong::Event { allowed } => Evidence::RefusalTrace {
                observed: observed.clone(),
                allowed,
            },
            Wrong::Refusal { allowed } => {
                let offering = self.replay.offering(&replayed.state);
                let last = self.termination.acceptance(offering.offers());
                observed.push(last.map(<[_]>::to_vec));
                Evidence::RefusalTrace {
                    observed: observed.clone(),
                    allowed,
                }
            }
            Wrong::Divergence { cycle } => {
                let cycle = self.named(&cycle);
                let cycle = self.replay.steps_from(&replayed.state, &cycle);
                self.replay.cycle(&replayed.state, &cycle);
                Evidence::Divergence { cycle }
            }
        };
        let start = After::start(self.specification, self.termination);
        confirm(start, &replayed, &observed, self.strict, &evidence);
        Counterexample { steps, evidence }
    }

    fn named(&self, path: &[(EventId, StateId)]) -> Vec<(EventId, Vec<StateId>)> {
        path.iter()
            .map(|&(event, state)| (event, self.explicit.state(state)))
            .collect()
    }
}
