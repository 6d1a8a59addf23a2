//! `has trace`: whether a process does given events in order, τ being skipped.
//!
//! In T the process *can* do them (and may be able to do more). In F it can, and it cannot refuse to:
//! after no proper prefix of the events is there a stable state that does not offer the next one. In
//! FD moreover it does not diverge after a proper prefix, so that an environment that offers the
//! events one after the other is certain to see them all; that it can do them then follows. What
//! happens after the last event is not looked at, so every process has the empty trace.

use std::sync::atomic::{AtomicU32, Ordering};

use csp_lts::{EventId, Network};

use crate::budget::Budget;
use crate::claim::TraceModel;
use crate::judge::{Judge, Judged, Node, Offers, Sight, Stepped};
use crate::options::Options;
use crate::outcome::{Counterexample, Evidence, Limit, Outcome, Step, Verdict};
use crate::replay::Replay;
use crate::search::{Fault, search};
use crate::termination::Termination;

/// Decides whether the process has the trace.
pub(crate) fn has_trace(
    process: &Network,
    model: TraceModel,
    trace: &[EventId],
    budget: &Budget<'_>,
) -> Result<Outcome, Limit> {
    if model == TraceModel::FailuresDivergences {
        return Ok(must_do(process, model, trace, budget));
    }
    let can = can_do(process, trace, budget)?;
    if model == TraceModel::Failures && matches!(can.verdict, Verdict::Holds) {
        return Ok(must_do(process, model, trace, budget));
    }
    Ok(can)
}

fn can_do(process: &Network, trace: &[EventId], budget: &Budget<'_>) -> Result<Outcome, Limit> {
    let judge = Follows::new(trace);
    let found = search(process, &judge, &budget.remaining(), budget.observer());
    let verdict = if trace.is_empty() || !found.violations.is_empty() {
        Verdict::Holds
    } else if let Some(limit) = found.limit {
        Verdict::Inconclusive(limit)
    } else {
        let done = judge.farthest.load(Ordering::Relaxed) as usize;
        let steps = way_along(process, &trace[..done], budget)?;
        assert_eq!(
            done_by(process, &steps),
            &trace[..done],
            "the part of the trace that can be done is done"
        );
        Verdict::Fails(vec![Counterexample {
            steps,
            evidence: Evidence::MissingTrace { done },
        }])
    };
    Ok(Outcome {
        verdict,
        statistics: found.statistics,
        limit: None,
    })
}

/// The events of a way that was found by [`way_along`].
fn done_by(process: &Network, steps: &[Step]) -> Vec<EventId> {
    let replay = Replay::new(process);
    match steps.iter().rposition(|s| s.event != EventId::TAU) {
        Some(last) => replay.path_to_event(&steps[..=last]).events(),
        None => Vec::new(),
    }
}

fn must_do(
    process: &Network,
    model: TraceModel,
    trace: &[EventId],
    budget: &Budget<'_>,
) -> Outcome {
    let judge = Refuses {
        trace,
        from: 0,
        forbids_divergence: model == TraceModel::FailuresDivergences,
        termination: Termination::of(budget.options()),
    };
    let found = search(process, &judge, &budget.remaining(), budget.observer());
    let replay = Replay::new(process);
    Outcome::of(found, |violation| {
        let replayed = replay.path(&violation.steps);
        let done = replayed.trace.len();
        assert!(
            done < trace.len() && replayed.events() == trace[..done],
            "a refusal of the trace comes after a proper prefix of it"
        );
        let evidence = match violation.fault {
            Fault::Divergence { cycle } => {
                replay.cycle(&replayed.state, &cycle);
                Evidence::Divergence { cycle }
            }
            _ => {
                let offering = replay.offering(&replayed.state);
                let offered = judge.termination.acceptance(offering.offers());
                let offered = offered.expect("a state that refuses is stable").to_vec();
                assert!(!offered.contains(&trace[done]), "the next event is refused");
                Evidence::Refusal {
                    offered,
                    acceptances: vec![vec![trace[done]]],
                }
            }
        };
        Counterexample {
            steps: violation.steps,
            evidence,
        }
    })
}

/// A shortest way to do a trace that the process is known to have, up to its last event.
pub(crate) fn way_along(
    process: &Network,
    trace: &[EventId],
    budget: &Budget<'_>,
) -> Result<Vec<Step>, Limit> {
    if trace.is_empty() {
        return Ok(Replay::new(process).first_steps());
    }
    first_way(process, &Follows::new(trace), budget)
}

/// A shortest way to do all but the last event of a trace and then refuse that one, which the
/// process is known to be able to do.
pub(crate) fn way_to_refuse(
    process: &Network,
    trace: &[EventId],
    termination: Termination,
    budget: &Budget<'_>,
) -> Result<Vec<Step>, Limit> {
    let judge = Refuses {
        trace,
        from: trace.len() - 1,
        forbids_divergence: false,
        termination,
    };
    first_way(process, &judge, budget)
}

/// The first way to something that is known to be possible. States are not limited, because what is
/// asked for was met within the limits already.
fn first_way<J: Judge>(
    process: &Network,
    judge: &J,
    budget: &Budget<'_>,
) -> Result<Vec<Step>, Limit> {
    let options = Options {
        max_states: None,
        counterexamples: 1,
        ..budget.remaining()
    };
    let found = search(process, judge, &options, budget.observer());
    match (found.violations.into_iter().next(), found.limit) {
        (Some(violation), _) => Ok(violation.steps),
        (None, Some(limit)) => Err(limit),
        (None, None) => unreachable!("the process is known to behave like this"),
    }
}

/// Node `n` is "the first n events are done"; doing the last is what is looked for.
struct Follows<'a> {
    trace: &'a [EventId],
    /// The largest node that was reached. Only ever raised, so the order of calls does not matter.
    farthest: AtomicU32,
}

impl<'a> Follows<'a> {
    fn new(trace: &'a [EventId]) -> Self {
        Self {
            trace,
            farthest: AtomicU32::new(0),
        }
    }
}

fn node_count(trace: &[EventId]) -> u32 {
    u32::try_from(trace.len() + 1).expect("a trace is shorter than the address space")
}

impl Judge for Follows<'_> {
    fn initial(&self) -> Node {
        0
    }

    fn nodes(&self) -> u32 {
        node_count(self.trace)
    }

    fn judges_states(&self) -> bool {
        self.trace.is_empty()
    }

    fn forbids_divergence(&self, _: Node) -> bool {
        false
    }

    fn state(&self, _: Node, _: Offers<'_>) -> Judged {
        Judged::Done
    }

    fn sees(&self) -> Sight {
        Sight::Refusals
    }

    fn step(&self, node: Node, event: EventId) -> Stepped {
        if self.trace.get(node as usize) != Some(&event) {
            return Stepped::Done;
        }
        if node as usize + 1 == self.trace.len() {
            return Stepped::Violation;
        }
        self.farthest.fetch_max(node + 1, Ordering::Relaxed);
        Stepped::To(node + 1)
    }
}

/// The same nodes; a state that refuses the next event of the trace is what is looked for.
struct Refuses<'a> {
    trace: &'a [EventId],
    /// Refusals count from this node on.
    from: usize,
    forbids_divergence: bool,
    termination: Termination,
}

impl Judge for Refuses<'_> {
    fn initial(&self) -> Node {
        0
    }

    fn nodes(&self) -> u32 {
        node_count(self.trace)
    }

    fn judges_states(&self) -> bool {
        true
    }

    fn forbids_divergence(&self, node: Node) -> bool {
        self.forbids_divergence && (node as usize) < self.trace.len()
    }

    fn state(&self, node: Node, offers: Offers<'_>) -> Judged {
        let Some(next) = self.trace.get(node as usize) else {
            return Judged::Done;
        };
        let refused = self
            .termination
            .acceptance(offers)
            .is_some_and(|a| a.binary_search(next).is_err());
        if refused && node as usize >= self.from {
            Judged::Violation
        } else {
            Judged::Fine
        }
    }

    fn sees(&self) -> Sight {
        Sight::Refusals
    }

    fn step(&self, node: Node, event: EventId) -> Stepped {
        match self.trace.get(node as usize) {
            Some(next) if *next == event && node as usize + 1 < self.trace.len() => {
                Stepped::To(node + 1)
            }
            _ => Stepped::Done,
        }
    }
}
