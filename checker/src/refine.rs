//! Refinement: every behaviour of the implementation is one of the specification.
//!
//! The specification is made explicit and, except for refusal testing, normalised; the product of
//! its nodes with the network of the implementation is then searched. What each model compares is
//! said in [`crate::models`].

use csp_lts::{EventId, EventSet, Lts, Network};

use crate::budget::Budget;
use crate::claim::Model;
use crate::confirm::{After, confirm};
use crate::explicate::explicate_within;
use crate::models::{Refinement, refusal_testing};
use crate::normal::{Detail, NormalNode, View, normalise};
use crate::outcome::{Counterexample, Evidence, Limit, Outcome};
use crate::replay::{Offering, Replay};
use crate::search::{Fault, Violation, search};
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
    let form = normalise(&explicit, view, budget)?;
    budget.hold(form.bytes());
    let judge = Refinement::new(&form, view);
    let found = search(
        implementation,
        &judge,
        &budget.remaining(),
        budget.observer(),
    );
    let explain = Explain {
        replay: Replay::new(implementation),
        specification: &explicit,
        view,
    };
    Ok(Outcome::of(found, |violation| {
        let node = form.node(violation.node);
        explain.counterexample(violation, node)
    }))
}

struct Explain<'a> {
    replay: Replay<'a>,
    specification: &'a Lts,
    view: View,
}

impl Explain<'_> {
    /// Replays a violation, says what is wrong with it, and confirms that it is.
    fn counterexample(&self, violation: Violation, node: &NormalNode) -> Counterexample {
        let replayed = match violation.fault {
            Fault::Event => self.replay.path_to_event(&violation.steps),
            _ => self.replay.path(&violation.steps),
        };
        let evidence = match violation.fault {
            Fault::Event => Evidence::Trace {
                allowed: node.initials().iter().collect(),
            },
            Fault::State => self.refusal(&self.replay.offering(&replayed.state), node),
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

    fn refusal(&self, offering: &Offering, node: &NormalNode) -> Evidence {
        let offered = self
            .view
            .termination
            .acceptance(offering.offers())
            .expect("a state that is judged to refuse too much can refuse")
            .to_vec();
        let set: EventSet = offered.iter().copied().collect();
        let inside = || node.acceptances.iter().filter(|a| a.is_subset(&set));
        let acceptances = |keep: &dyn Fn(&EventSet) -> bool| -> Vec<Vec<EventId>> {
            let kept = node.acceptances.iter().filter(|a| keep(a));
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
