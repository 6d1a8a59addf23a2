//! Refusal testing (Mukarram 1993; Roscoe 2010, ch. 12).
//!
//! A behaviour ⟨X₀, a₁, X₁, …, aₙ, Xₙ⟩ alternates observations with events. Each Xᵢ is either • (no
//! refusal was seen) or a set that was refused by the stable state in which the next event, which is
//! not in Xᵢ, was then done. From an unstable state only • can be observed. Behaviours are closed
//! under putting a subset, or •, for a refusal, so it is enough to compare those in which every
//! stable state on the way of the implementation is observed with its largest refusal, which is the
//! complement of its acceptance `A`. The specification allows them if it can follow: by an event from
//! a state that is stable, offers the event and nothing outside `A`; or, where the implementation was
//! unstable, by the event from any state. At the end, a stable implementation state that accepts `A`
//! needs a specification state that is stable and offers nothing outside `A`.
//!
//! RD is divergence-strict: after a behaviour after which the specification can diverge, everything
//! is allowed; after any other the implementation must not diverge.
//!
//! So a node of the specification is a set of states as for the other models, with one more way to go
//! from node to node: being observed with an acceptance. Which acceptances the implementation has is
//! not known beforehand, so nodes are made as the search reaches them.

use csp_lts::{EventId, Lts, Network};

use super::stepped;
use crate::budget::Budget;
use crate::confirm::{After, confirm};
use crate::judge::{Judge, Judged, Node, Offers, Stepped};
use crate::normal::{Detail, Form, OnDemand, View, on_demand};
use crate::outcome::{Counterexample, Evidence, Limit, Outcome};
use crate::refine::reach;
use crate::replay::Replay;
use crate::search::{Fault, Violation, search};
use crate::termination::Termination;

/// Decides refinement by refusal testing against an explicit specification.
pub(crate) fn refine(
    specification: &Lts,
    implementation: &Network,
    strict: bool,
    budget: &Budget<'_>,
) -> Result<Outcome, Limit> {
    let termination = Termination::of(budget.options());
    let view = View {
        detail: Detail::Traces,
        strict,
        termination,
    };
    let form = on_demand(specification, view, budget)?;
    let (found, form) = reach(form, budget, &|form, options, observer| {
        search(
            implementation,
            &RefusalTesting { form, view },
            options,
            observer,
        )
    })?;
    let explain = Explain {
        replay: Replay::new(implementation),
        specification,
        judge: RefusalTesting { form: &form, view },
    };
    Ok(Outcome::of(found, |violation| {
        explain.counterexample(violation)
    }))
}

/// Judges an implementation, whose stable states are observed, against a specification.
struct RefusalTesting<'a> {
    form: &'a OnDemand,
    view: View,
}

impl Judge for RefusalTesting<'_> {
    fn initial(&self) -> Node {
        0
    }

    fn nodes(&self) -> u32 {
        self.form.nodes()
    }

    fn judges_states(&self) -> bool {
        true
    }

    fn forbids_divergence(&self, node: Node) -> bool {
        self.view.strict && !self.form.divergent(node)
    }

    fn state(&self, node: Node, offers: Offers<'_>) -> Judged {
        if self.form.divergent(node) {
            return Judged::Done;
        }
        let Some(acceptance) = self.view.termination.acceptance(offers) else {
            return Judged::Fine;
        };
        match self.form.observe(node, acceptance) {
            None => Judged::Violation,
            Some(seen) if self.form.divergent(seen) => Judged::Done,
            Some(seen) => Judged::Seen(seen),
        }
    }

    fn step(&self, node: Node, event: EventId) -> Stepped {
        stepped(self.form, node, event)
    }

    fn ends(&self, _: EventId) -> bool {
        false
    }
}

struct Explain<'a> {
    replay: Replay<'a>,
    specification: &'a Lts,
    judge: RefusalTesting<'a>,
}

impl Explain<'_> {
    /// Replays a violation, says what is wrong with it, and confirms that it is.
    fn counterexample(&self, violation: Violation) -> Counterexample {
        let View {
            strict,
            termination,
            ..
        } = self.judge.view;
        let replayed = match violation.fault {
            Fault::Event => self.replay.path_to_event(&violation.steps),
            _ => self.replay.path(&violation.steps),
        };
        let mut observed: Vec<Option<Vec<EventId>>> = replayed
            .trace
            .iter()
            .map(|(event, offering)| {
                // An event outside the acceptance is done before ✓ is decided on, hence unstably.
                let acceptance = termination.acceptance(offering.offers());
                acceptance.filter(|a| a.contains(event)).map(<[_]>::to_vec)
            })
            .collect();
        let evidence = match violation.fault {
            Fault::Event => {
                let last = observed.last().and_then(Option::as_deref);
                let form = self.judge.form;
                let node = last.and_then(|accepted| form.observe(violation.node, accepted));
                // Seen to accept ✓ alone, where ✓ is a signal, the specification can do nothing else; and ✓
                // is the event at fault.
                let signal = termination == Termination::Signal && last == Some(&[EventId::TICK]);
                let allowed = if signal {
                    Vec::new()
                } else {
                    let allowed = form.initials(node.unwrap_or(violation.node));
                    allowed.iter().collect()
                };
                Evidence::RefusalTrace {
                    observed: observed.clone(),
                    allowed,
                }
            }
            Fault::State => {
                let offering = self.replay.offering(&replayed.state);
                let last = termination.acceptance(offering.offers());
                observed.push(last.map(<[_]>::to_vec));
                Evidence::RefusalTrace {
                    observed: observed.clone(),
                    allowed: Vec::new(),
                }
            }
            Fault::Divergence { cycle } => {
                self.replay.cycle(&replayed.state, &cycle);
                Evidence::Divergence { cycle }
            }
        };
        let start = After::start(self.specification, termination);
        confirm(start, &replayed, &observed, strict, &evidence);
        Counterexample {
            steps: violation.steps,
            evidence,
        }
    }
}
