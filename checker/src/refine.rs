//! Refinement: every behaviour of the implementation is one of the specification.
//!
//! The specification is made explicit and normalised, beforehand or as the search goes; the product of
//! its nodes with the network of the implementation is searched. What each model compares is said in
//! [`crate::models`].

use csp_lts::{EventId, EventSet, Lts, Network};

use crate::budget::Budget;
use crate::claim::Model;
use crate::confirm::{After, confirm};
use crate::explicate::explicate_within;
use crate::models::{Refinement, refusal_testing};
use crate::normal::{Detail, Form, OnDemand, Specification, View, specify};
use crate::options::{Observer, Options, Phase, Progress};
use crate::outcome::{Counterexample, Evidence, Limit, Outcome};
use crate::replay::{Offering, Replay};
use crate::search::{Fault, Found, Violation, search};
use crate::termination::Termination;

/// Decides whether the implementation refines the specification in the model.
pub(crate) fn refine(
    specification: &Network,
    implementation: &Network,
    model: Model,
    budget: &Budget<'_>,
) -> Result<Outcome, Limit> {
    let termination = Termination::of(budget.options());
    let strict = model.is_divergence_strict();
    budget.observer().phase(Phase::Normalise, "");
    let explicit = explicate_within(specification, budget)?;
    budget.hold(explicit.state_count() as u64 * 4 + explicit.edge_count() as u64 * 8);
    let detail = match model {
        Model::Traces => Detail::Traces,
        Model::Failures | Model::FailuresDivergences => Detail::Failures,
        Model::Revivals | Model::RevivalsDivergences => Detail::Revivals,
        Model::RefusalTesting | Model::RefusalTestingDivergences => {
            return refusal_testing::refine(&explicit, implementation, strict, budget);
        }
    };
    let view = View {
        detail,
        strict,
        termination,
    };
    let explain = Explain {
        replay: Replay::new(implementation),
        specification: &explicit,
        view,
    };
    let specified = specify(&explicit, view, budget)?;
    budget.observer().phase(Phase::Search, "");
    match specified {
        Specification::Whole(form) => {
            budget.hold(form.bytes());
            let judge = Refinement::new(&form, view);
            let (options, observer) = (budget.remaining(), budget.observer());
            let found = search(implementation, &judge, &options, observer);
            Ok(explain.outcome(found, &form))
        }
        Specification::OnDemand(form) => {
            let (found, form) = reach(*form, budget, &|form, options, observer| {
                let judge = Refinement::new(form, view);
                search(implementation, &judge, options, observer)
            })?;
            Ok(explain.outcome(found, &form))
        }
    }
}

/// A search with a form that is made as it is reached.
type Searching<'a> = &'a dyn Fn(&OnDemand, &Options, &dyn Observer) -> Found;

/// Searches with a form that is made as it is reached.
pub(crate) fn reach(
    form: OnDemand,
    budget: &Budget<'_>,
    searching: Searching<'_>,
) -> Result<(Found, OnDemand), Limit> {
    let (found, form) = reach_once(form, budget, searching)?;
    if found.violations.is_empty() {
        return Ok((found, form));
    }
    // The same search again, with numbers that do not depend on who came first.
    reach_once(form.renumbered(), budget, searching)
}

fn reach_once(
    form: OnDemand,
    budget: &Budget<'_>,
    searching: Searching<'_>,
) -> Result<(Found, OnDemand), Limit> {
    let mut options = budget.remaining();
    options.memory = options.memory.map(|left| left / 2);
    let observer = Watch {
        observer: budget.observer(),
        form: &form,
    };
    let mut found = searching(&form, &options, &observer);
    if let Some(limit) = form.limit() {
        return Err(limit);
    }
    found.statistics.peak_memory += form.bytes();
    // If it was the normal form that grew, that is what to say.
    let grown = form.made();
    if matches!(found.limit, Some(Limit::States(_) | Limit::Memory(_)))
        && 2 * grown >= found.statistics.states
    {
        found.limit = Some(Limit::NormalForm(grown));
    }
    Ok((found, form))
}

/// Stops a search when there is no room for nodes.
struct Watch<'a> {
    observer: &'a dyn Observer,
    form: &'a OnDemand,
}

impl Observer for Watch<'_> {
    fn progress(&self, progress: &Progress) {
        self.observer.progress(&Progress {
            memory: progress.memory + self.form.bytes(),
            ..*progress
        });
    }

    fn interrupted(&self) -> bool {
        self.form.is_full() || self.observer.interrupted()
    }
}

struct Explain<'a> {
    replay: Replay<'a>,
    specification: &'a Lts,
    view: View,
}

impl Explain<'_> {
    fn outcome(&self, found: Found, form: &dyn Form) -> Outcome {
        Outcome::of(found, |violation| self.counterexample(violation, form))
    }

    /// Replays a violation, says what is wrong with it, and confirms that it is.
    fn counterexample(&self, violation: Violation, form: &dyn Form) -> Counterexample {
        let node = violation.node;
        let replayed = match violation.fault {
            Fault::Event => self.replay.path_to_event(&violation.steps),
            _ => self.replay.path(&violation.steps),
        };
        let evidence = match violation.fault {
            Fault::Event => Evidence::Trace {
                allowed: form.initials(node).iter().collect(),
            },
            Fault::State => self.refusal(
                &self.replay.offering(&replayed.state),
                form.acceptances(node),
            ),
            Fault::Divergence { cycle } => {
                self.replay.cycle(&replayed.state, &cycle);
                Evidence::Divergence { cycle }
            }
        };
        let start = After::start(self.specification, self.view.termination);
        confirm(start, &replayed, &[], self.view.strict, &evidence);
        Counterexample {
            steps: violation.steps,
            evidence,
        }
    }

    fn refusal(&self, offering: &Offering, known: &[EventSet]) -> Evidence {
        let offered = self
            .view
            .termination
            .acceptance(offering.offers())
            .expect("a state that is judged to refuse too much can refuse")
            .to_vec();
        let set: EventSet = offered.iter().copied().collect();
        let inside = || known.iter().filter(|a| a.is_subset(&set));
        let acceptances = |keep: &dyn Fn(&EventSet) -> bool| -> Vec<Vec<EventId>> {
            let kept = known.iter().filter(|a| keep(a));
            kept.map(|a| a.iter().collect()).collect()
        };
        if inside().next().is_none() {
            return Evidence::Refusal {
                offered,
                acceptances: acceptances(&|_| true),
            };
        }
        let event = offered
            .iter()
            .copied()
            .find(|event| !inside().any(|a| a.contains(*event)))
            .expect("some event that is offered is not among those allowed with so few others");
        Evidence::Revival {
            event,
            acceptances: acceptances(&|a| a.contains(event)),
            offered,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::atomic::{AtomicU64, Ordering};

    use csp_lts::{LtsBuilder, StateId};

    use super::*;
    use crate::normal::on_demand;
    use crate::options::NoObserver;
    use crate::outcome::Statistics;

    /// A user who may have had enough, and what she was last told about memory.
    struct User(bool, AtomicU64);

    impl Observer for User {
        fn progress(&self, progress: &Progress) {
            self.1.store(progress.memory, Ordering::Relaxed);
        }

        fn interrupted(&self) -> bool {
            self.0
        }
    }

    /// The form of STOP.
    fn nothing(budget: &Budget<'_>) -> OnDemand {
        let mut builder = LtsBuilder::new();
        builder.state([]);
        let view = View {
            detail: Detail::Traces,
            strict: false,
            termination: Termination::of(budget.options()),
        };
        on_demand(&builder.finish(StateId(0)), view, budget).expect("no limit")
    }

    #[test]
    fn a_form_that_is_made_leaves_the_user_in_charge() {
        let options = Options::default();
        let form = nothing(&Budget::new(&options, &NoObserver));
        for impatient in [false, true] {
            let user = User(impatient, AtomicU64::new(0));
            let watch = Watch {
                observer: &user,
                form: &form,
            };
            assert_eq!(watch.interrupted(), impatient);
            watch.progress(&Progress {
                memory: 1000,
                ..Progress::default()
            });
            let told = user.1.load(Ordering::Relaxed);
            assert_eq!(told, 1000 + form.bytes());
            assert!(form.bytes() > 100);
        }
    }

    #[test]
    fn only_a_search_that_finds_something_is_repeated() {
        let options = Options {
            memory: Some(1_000_000),
            ..Options::default()
        };
        let budget = Budget::new(&options, &NoObserver);
        for (violations, expected) in [(0, 1), (1, 2)] {
            let searches = Cell::new(0);
            let violation = Violation {
                steps: Vec::new(),
                node: 0,
                fault: Fault::State,
            };
            let searched = reach(nothing(&budget), &budget, &|_, options, _| {
                searches.set(searches.get() + 1);
                // The other half is for nodes.
                assert!(options.memory.is_some_and(|half| half <= 500_000));
                Found {
                    violations: vec![violation.clone(); violations],
                    limit: None,
                    statistics: Statistics::default(),
                }
            });
            let (found, form) = searched.expect("no limit");
            assert_eq!(searches.get(), expected);
            assert_eq!(found.statistics.peak_memory, form.bytes());
        }
    }
}
