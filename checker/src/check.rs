//! Deciding a claim.

use crate::budget::Budget;
use crate::claim::{Claim, FailuresModel};
use crate::deadlock::DeadlockFree;
use crate::divergence::DivergenceFree;
use crate::options::{Observer, Options, Phase};
use crate::outcome::{Counterexample, Evidence, Limit, Outcome, Statistics, Verdict};
use crate::reduction::refusal;
use crate::replay::Replay;
use crate::search::{Fault, Found, Violation, search};
use crate::termination::Termination;
use crate::{determinism, has_trace, refine};

/// Decides a claim within the limits of the options.
///
/// A failure comes with counterexamples, shortest first, which have been replayed on the network by a
/// stepper that shares nothing with the search. Panics if one cannot be replayed, because then the
/// checker itself is wrong.
pub fn check(claim: &Claim, options: &Options, observer: &dyn Observer) -> Outcome {
    check_within(claim, &Budget::new(options, observer))
}

/// The same on what is left of a budget.
pub fn check_within(claim: &Claim, budget: &Budget<'_>) -> Outcome {
    let (options, observer) = (budget.options(), budget.observer());
    if let Some(why) = refusal(claim, options) {
        return Outcome::inconclusive(Limit::Irreducible(why));
    }
    let before = budget.held();
    if !matches!(claim, Claim::Refines { .. }) {
        observer.phase(Phase::Search, "");
    }
    let outcome = match claim {
        Claim::Refines {
            specification,
            implementation,
            model,
        } => refine::refine(specification, implementation, *model, budget),
        Claim::DeadlockFree { process, model } => {
            let judge = DeadlockFree {
                forbids_divergence: *model == FailuresModel::FailuresDivergences,
                termination: Termination::of(options),
            };
            let found = search(process, &judge, &budget.remaining(), observer);
            let replay = Replay::new(process);
            Ok(Outcome::of(found, |violation| plain(&replay, violation)))
        }
        Claim::DivergenceFree { process } => {
            let found = search(process, &DivergenceFree, &budget.remaining(), observer);
            let replay = Replay::new(process);
            Ok(Outcome::of(found, |violation| plain(&replay, violation)))
        }
        Claim::Deterministic { process, model } => {
            determinism::deterministic(process, *model, budget)
        }
        Claim::HasTrace {
            process,
            model,
            trace,
        } => has_trace::has_trace(process, *model, trace, budget),
    };
    let mut outcome = outcome.unwrap_or_else(Outcome::inconclusive);
    outcome.statistics.peak_memory += budget.held().saturating_sub(before);
    outcome
}

impl Outcome {
    /// What a search comes to if its violations are violations of the claim.
    pub(crate) fn of(found: Found, mut explain: impl FnMut(Violation) -> Counterexample) -> Self {
        Self::try_of(found, |violation| Ok(explain(violation))).unwrap_or_else(Self::inconclusive)
    }

    /// The same if explaining a violation takes further searches, which may reach limits.
    pub(crate) fn try_of(
        found: Found,
        explain: impl FnMut(Violation) -> Result<Counterexample, Limit>,
    ) -> Result<Self, Limit> {
        let limit = found.limit.clone();
        let verdict = if !found.violations.is_empty() {
            let all = found.violations.into_iter().map(explain);
            Verdict::Fails(all.collect::<Result<_, _>>()?)
        } else if let Some(limit) = found.limit {
            Verdict::Inconclusive(limit)
        } else {
            Verdict::Holds
        };
        Ok(Self {
            verdict,
            statistics: found.statistics,
            limit,
        })
    }

    /// Nothing was decided before a search could begin.
    pub(crate) fn inconclusive(limit: Limit) -> Self {
        Self {
            verdict: Verdict::Inconclusive(limit.clone()),
            statistics: Statistics::default(),
            limit: Some(limit),
        }
    }
}

/// Replays a violation that needs no specification: a deadlock or a divergence.
pub(crate) fn plain(replay: &Replay<'_>, violation: Violation) -> Counterexample {
    let replayed = replay.path(&violation.steps);
    let evidence = match violation.fault {
        Fault::State => {
            let offering = replay.offering(&replayed.state);
            assert!(
                offering.events.is_empty() && !offering.tau,
                "a deadlocked state has no transitions"
            );
            Evidence::Deadlock
        }
        Fault::Divergence { cycle } => {
            replay.cycle(&replayed.state, &cycle);
            Evidence::Divergence { cycle }
        }
        Fault::Event => unreachable!("freedom from deadlock and divergence forbids no event"),
    };
    Counterexample {
        steps: violation.steps,
        evidence,
    }
}
