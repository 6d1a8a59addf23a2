//! From the violations that a search has found to reports that say who did what, and why.

use std::time::Duration;

use csp_checker::budget::Budget;
use csp_checker::{Claim, Counterexample, Limit, Model, Observer, Options, explicate};
use csp_compiler::assemble::Provenance;
use csp_compiler::hir;
use csp_compiler::process::{ProcessId, Processes};
use csp_compiler::reduce::{WayBack, reduce_with_way_back};
use csp_grammar::Diagnostic;
use csp_lts::{ComponentId, Lts, Network};

use super::lift::{self, Behaviour, Unfollowed};
use super::open::{Opener, anew};
use super::parts::Rows;
use super::scene::{
    FromProcesses, Scene, StateNames, Unnamed, no_terms, span_report, stand_ins, written,
};
use super::sentence::Words;
use super::story::Story;
use crate::claim;
use crate::compression::{Compressions, reason};
use crate::pragma::Pragmas;
use crate::report::CounterexampleReport;
use crate::script::{CheckSettings, Script, stopped};

/// States of a specification that are walked beside the implementation.
const SPECIFICATION_STATES: u64 = 200_000;

/// A process compiled once more for its evidence.
struct Compiled {
    network: Network,
    provenance: Provenance,
}

/// What has been found out for the explanation.
struct Ground {
    compiled: Compiled,
    back: WayBack,
    /// With leaves as they are listed; or why not.
    listed: Result<Compiled, String>,
    process: ProcessId,
    model: Model,
}

/// What the reports of an assertion's counterexamples are made from.
pub(crate) struct Case<'a> {
    pub(crate) assertion: &'a hir::Assertion,
    pub(crate) settings: &'a CheckSettings,
    pub(crate) claim: &'a Claim,
    pub(crate) observer: &'a dyn Observer,
    /// What is left of the time.
    pub(crate) timeout: Option<Duration>,
}

impl Script {
    /// The reports of counterexamples; a message if one of them cannot be replayed on the network as
    /// compiled, which is a fault of this program.
    pub(crate) fn explained(
        &mut self,
        case: &Case<'_>,
        counterexamples: &[Counterexample],
    ) -> Result<Vec<CounterexampleReport>, String> {
        let options = Options {
            timeout: case.timeout,
            ..case.settings.options()
        };
        let budget = Budget::new(&options, case.observer);
        let specification = specification(case.claim, &budget);
        let ground = self.ground(case, &budget);
        let mut reports = Vec::with_capacity(counterexamples.len());
        for counterexample in counterexamples {
            reports.push(match &ground {
                Err(why) => self.unexplained(case, counterexample, specification.as_ref(), why),
                Ok(ground) => {
                    let lts = specification.as_ref();
                    self.follow(case, ground, counterexample, lts, &budget)?
                }
            });
        }
        Ok(reports)
    }

    /// Compiles the implementation once more.
    fn ground(&mut self, case: &Case<'_>, budget: &Budget<'_>) -> Result<Ground, String> {
        self.watch.resume_compiling();
        if case.observer.interrupted() {
            return Err(reason(&Limit::Interrupted));
        }
        let watch = std::rc::Rc::clone(&self.watch);
        let in_words = |diagnostic: Box<Diagnostic>| {
            if stopped(&diagnostic) {
                reason(&watch.limit())
            } else {
                diagnostic.message.clone()
            }
        };
        let evaluated = claim::evaluate(case.assertion, self.evaluator()).map_err(in_words)?;
        let processes = evaluated.processes();
        let process = *processes.last().ok_or("nothing was compiled")?;
        let model = evaluated.compression_model();
        let compressions = Compressions::new(model, budget, None);
        let searched = claim::implementation(case.claim);
        let leaves = case.settings.leaves();
        let evaluator = self.evaluator.as_mut().ok_or("nothing was evaluated")?;
        let compiler = self.compilers.get_mut(&leaves);
        let compiler = compiler.ok_or("nothing was compiled")?;
        let compiled = compiler.compile_with_provenance(evaluator, process, &compressions);
        let limit = |diagnostic| match compressions.limit.take() {
            Some(limit) => reason(&limit),
            None => in_words(diagnostic),
        };
        let (network, provenance) = compiled.map_err(limit)?;
        let (reduced, back) = reduce_with_way_back(&network);
        if reduced.rules != searched.rules {
            return Err("compiling it once more gave another network".to_owned());
        }
        let mut keeping = compiler.with_states_kept();
        let listed = keeping.compile_with_provenance(evaluator, process, &compressions);
        let listed = listed.map_err(limit).map(|(network, provenance)| Compiled {
            network,
            provenance,
        });
        Ok(Ground {
            compiled: Compiled {
                network,
                provenance,
            },
            back,
            listed,
            process,
            model,
        })
    }

    /// The story with compressed parts opened, or why they are not.
    fn opened(
        &mut self,
        case: &Case<'_>,
        ground: &Ground,
        listed: &Compiled,
        behaviour: &Behaviour,
        specification: Option<&Lts>,
        budget: &Budget<'_>,
    ) -> CounterexampleReport {
        let model = ground.model;
        let compressions = Compressions::new(model, budget, None);
        let compiler = self.compilers.get(&case.settings.leaves());
        let opened = match (compiler, self.evaluator.as_mut()) {
            (Some(compiler), Some(evaluator)) => {
                let mut keeping = compiler.with_states_kept();
                let mut opener = Opener::new(evaluator, &mut keeping, &compressions);
                opener.open(
                    ground.process,
                    &listed.network,
                    &listed.provenance,
                    behaviour,
                )
            }
            _ => Err("nothing was compiled".to_owned()),
        };
        match opened {
            Err(why) => {
                let mut report = self.story(case, listed, &ground.back, behaviour, specification);
                report.missing = Some(format!("compressed parts are not opened: {why}"));
                report
            }
            Ok(opened) => {
                let everything = WayBack {
                    components: (0..opened.network.components.len())
                        .filter_map(|place| u32::try_from(place).ok())
                        .map(ComponentId)
                        .collect(),
                    ..WayBack::default()
                };
                let compiled = Compiled {
                    network: opened.network,
                    provenance: opened.provenance,
                };
                self.story(
                    case,
                    &compiled,
                    &everything,
                    &opened.behaviour,
                    specification,
                )
            }
        }
    }

    fn follow(
        &mut self,
        case: &Case<'_>,
        ground: &Ground,
        counterexample: &Counterexample,
        specification: Option<&Lts>,
        budget: &Budget<'_>,
    ) -> Result<CounterexampleReport, String> {
        let compiled = &ground.compiled;
        let first = match lift::unreduced(&compiled.network, &ground.back, counterexample) {
            Ok(behaviour) => behaviour,
            Err(Unfollowed::Fault(why)) => return Err(why),
            Err(Unfollowed::Unknown(why)) => {
                return Ok(self.unexplained(case, counterexample, specification, &why));
            }
        };
        let second = match &ground.listed {
            Err(why) => Err(why.clone()),
            Ok(listed) => {
                let found = lift::listed(
                    &compiled.network,
                    &listed.network,
                    &first.counterexample,
                    budget,
                );
                match found {
                    Ok(behaviour) => Ok((listed, behaviour)),
                    Err(Unfollowed::Fault(why)) if has_exact_leaves(case) => return Err(why),
                    // Where the networks differ by more than bisimilar leaves, the behaviour is searched for.
                    Err(Unfollowed::Fault(why) | Unfollowed::Unknown(why)) => {
                        anew(&listed.network, &first.counterexample)
                            .map(|behaviour| (listed, behaviour))
                            .map_err(|_| why)
                    }
                }
            }
        };
        Ok(match second {
            Ok((listed, behaviour)) if case.settings.open_compressed => {
                self.opened(case, ground, listed, &behaviour, specification, budget)
            }
            Ok((listed, behaviour)) => {
                self.story(case, listed, &ground.back, &behaviour, specification)
            }
            Err(why) => {
                let mut report = self.story(case, compiled, &ground.back, &first, specification);
                report.missing = Some(format!("states are not shown as terms: {why}"));
                report
            }
        })
    }

    fn story(
        &self,
        case: &Case<'_>,
        compiled: &Compiled,
        back: &WayBack,
        behaviour: &Behaviour,
        specification: Option<&Lts>,
    ) -> CounterexampleReport {
        let Some(evaluator) = self.evaluator.as_ref() else {
            return CounterexampleReport::default();
        };
        let written = |process| written(self.sources(), evaluator.span(process));
        let rows = Rows::new(&compiled.provenance, evaluator, &written);
        let names = FromProcesses {
            processes: evaluator,
            provenance: &compiled.provenance,
            sources: self.sources(),
        };
        let terms = no_terms(&compiled.network);
        let stand_ins = stand_ins(&compiled.provenance);
        let scene = Scene {
            events: evaluator.events(),
            network: &compiled.network,
            rows: &rows,
            stand_ins: &stand_ins,
            names: &names,
            terms: &terms,
        };
        let mut kept = vec![false; compiled.network.components.len()];
        for component in &back.components {
            kept[component.0 as usize] = true;
        }
        let parts = scene.parts(
            |component| kept[component.0 as usize],
            |process| span_report(self.sources(), evaluator.span(process)),
        );
        let story = Story {
            scene: &scene,
            parts,
            specification,
            asked: asked(case.claim),
            words: words(case.assertion),
        };
        let end = behaviour.other_end.as_ref().unwrap_or(&behaviour.end);
        story.report(&behaviour.counterexample, Some(end))
    }

    /// A report of what the search has seen, and why there is no more.
    fn unexplained(
        &self,
        case: &Case<'_>,
        counterexample: &Counterexample,
        specification: Option<&Lts>,
        why: &str,
    ) -> CounterexampleReport {
        let network = claim::implementation(case.claim);
        let Some(evaluator) = self.evaluator.as_ref() else {
            return CounterexampleReport::default();
        };
        let rows = Rows::flat(network);
        let names: &dyn StateNames = &Unnamed;
        let terms = no_terms(network);
        let stand_ins = vec![Default::default(); network.components.len()];
        let scene = Scene {
            events: evaluator.events(),
            network,
            rows: &rows,
            stand_ins: &stand_ins,
            names,
            terms: &terms,
        };
        let story = Story {
            scene: &scene,
            parts: scene.parts(|_: ComponentId| true, |_| None),
            specification,
            asked: asked(case.claim),
            words: words(case.assertion),
        };
        let mut report = story.report(counterexample, None);
        report.missing = Some(format!("the parts are those of the search: {why}"));
        report
    }
}

/// Whether leaves, if they are reduced at all, are bisimilar to what they were.
fn has_exact_leaves(case: &Case<'_>) -> bool {
    use csp_compiler::assemble::LeafCompression;
    case.settings.leaf_compression != LeafCompression::Wbisim
}

/// How the script words waiting, or we do.
pub(crate) fn words(assertion: &hir::Assertion) -> Words {
    let pragmas = Pragmas::of(assertion);
    let usual = Words::default();
    Words {
        waits: pragmas.waits.unwrap_or(usual.waits),
        holds: pragmas.holds.unwrap_or(usual.holds),
    }
}

fn asked(claim: &Claim) -> Vec<csp_lts::EventId> {
    match claim {
        Claim::HasTrace { trace, .. } => trace.clone(),
        _ => Vec::new(),
    }
}

/// The specification as one system, if it is small.
fn specification(claim: &Claim, budget: &Budget<'_>) -> Option<Lts> {
    let Claim::Refines { specification, .. } = claim else {
        return None;
    };
    let options = Options {
        max_states: Some(SPECIFICATION_STATES),
        ..budget.remaining()
    };
    explicate(specification, &options, budget.observer()).ok()
}
