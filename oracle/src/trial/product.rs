//! The product, as a script sees it: parsed, resolved, typed, evaluated, compiled, reduced, checked.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use csp_checker::budget::Budget;
use csp_checker::compress::{self, Purpose};
use csp_checker::options::NoObserver;
use csp_checker::{
    Claim, Evidence, FailuresModel, Limit, Model, Options, Outcome, Reductions, Statistics,
    TraceModel, Verdict, check, explicate,
};
use csp_compiler::assemble::{CompileOptions, Compiler, LeafCompression};
use csp_compiler::compress::{Compressed, Compressor, Request};
use csp_compiler::evaluate::{Evaluator, Limits};
use csp_compiler::hir::{self, Program};
use csp_compiler::operators::Termination;
use csp_compiler::process::{Priority, Process, ProcessId, Processes, Watchdog};
use csp_compiler::reduce::reduce;
use csp_compiler::{infer, resolve};
use csp_grammar::source::Sources;
use csp_grammar::{Diagnostic, Severity};
use csp_lts::{EventId, EventSet, EventTable, Lts, Network};

use crate::claim::{Counterexample, Evidence as Shown};
use crate::events::Event;
use crate::generate::dress::undressed;

/// How the product is set up. None of it may change a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Worker threads of the search.
    pub threads: usize,
    /// What is done to leaves.
    pub leaves: LeafCompression,
    /// The most states a process may have to become a leaf though it could be a network.
    pub small_leaf: Option<usize>,
    /// Whether the network is simplified before the search.
    pub reduced: bool,
    /// How many counterexamples are asked for.
    pub counterexamples: usize,
    /// The books' reading of termination; this alone may change verdicts, and the judge reads as it says.
    pub textbook: bool,
    /// What may be left out of searches.
    pub reductions: Reductions,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            threads: 1,
            leaves: LeafCompression::None,
            small_leaf: None,
            reduced: true,
            counterexamples: 1,
            textbook: false,
            reductions: Reductions::default(),
        }
    }
}

/// What the product says about one assertion.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It is true.
    Holds(Counts),
    /// It is not, and why.
    Fails(Vec<Counterexample>, Counts),
    /// A limit was reached.
    Inconclusive(String),
    /// Its time was up.
    GivenUp,
    /// The assertion denies what this is said about.
    Denied(Box<Answer>),
    /// The script is refused.
    Error(String),
    /// The product broke down.
    Panic(String),
}

/// What a search covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Pairs of specification node and implementation state.
    pub states: u64,
    /// Transitions out of them.
    pub transitions: u64,
    /// Plys.
    pub plys: u64,
    /// A reduction left something out.
    pub reduced: bool,
}

/// States after which a check is given up; no case of the oracle needs nearly as many.
const MOST_STATES: u64 = 5_000;

/// Bytes after which a check is given up; normal forms can be exponential.
const MOST_MEMORY: u64 = 16 << 20;

/// How long the product may work on a script. Nearly all take some milliseconds; what is not done by
/// then is given up.
const MOST_TIME: Duration = Duration::from_secs(10);

/// The answers to the assertions of a script, in order.
#[must_use]
pub fn answers(script: &str, setup: Setup) -> Vec<Answer> {
    match guarded(|| Loaded::new(script, setup)) {
        Ok(Ok(mut loaded)) => (0..loaded.program.assertions.len())
            .map(|i| guarded(|| loaded.answer(i)).unwrap_or_else(Answer::Panic))
            .collect(),
        Ok(Err(diagnostics)) => vec![Answer::Error(in_words(&diagnostics))],
        Err(panic) => vec![Answer::Panic(panic)],
    }
}

/// Whether the assertions of a script come out as they say, in order; the script may have any events. What
/// is neither true nor false is the answer instead.
#[must_use]
pub fn verdicts(script: &str, setup: Setup) -> Vec<Result<bool, Answer>> {
    match Loaded::new(script, setup) {
        Ok(mut loaded) => (0..loaded.program.assertions.len())
            .map(|i| {
                let denied = loaded.program.assertions[i].negated;
                match loaded.outcome(i)?.verdict {
                    Verdict::Holds => Ok(!denied),
                    Verdict::Fails(_) => Ok(denied),
                    Verdict::Inconclusive(limit) => Err(Answer::limit(limit)),
                }
            })
            .collect(),
        Err(diagnostics) => vec![Err(Answer::Error(in_words(&diagnostics)))],
    }
}

fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()))
            .unwrap_or_else(|| "a panic without words".to_owned())
    })
}

fn in_words(diagnostics: &[Diagnostic]) -> String {
    let each = diagnostics
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .map(|d| format!("{}: {}", d.code, d.message));
    each.collect::<Vec<_>>().join("; ")
}

impl Answer {
    fn limit(limit: Limit) -> Self {
        match limit {
            Limit::Unsupported(why) => Self::Error(why),
            Limit::Time => Self::GivenUp,
            limit => Self::Inconclusive(format!("{limit:?}")),
        }
    }
}

struct Loaded {
    program: Program,
    evaluator: Evaluator,
    /// Leaves are shared between the assertions of one model.
    compilers: HashMap<Model, Compiler>,
    setup: Setup,
    /// When its time is up.
    until: Instant,
}

struct Compressions {
    model: Model,
    until: Instant,
}

impl Compressor for Compressions {
    fn model(&self) -> u8 {
        self.model as u8
    }

    fn compress(&self, request: &Request<'_>) -> Result<Compressed, String> {
        let options = limits(Setup::default(), self.until);
        // A watchdog sees what it watches, whatever model the whole is checked in.
        let model = match request.context.watchdog {
            None => self.model,
            Some(Watchdog::Traces) => Model::Traces,
            Some(Watchdog::Failures) => Model::Failures,
        };
        let purpose = Purpose {
            model,
            stepwise: request.context.stepwise.is_some(),
        };
        explicate(request.network, &options, &NoObserver)
            .and_then(|explicit| {
                let budget = Budget::new(&options, &NoObserver);
                let states_before = explicit.state_count();
                compress::compress(request.kind, purpose, &explicit, &budget).map(|made| {
                    Compressed {
                        lts: made.lts,
                        states_before,
                    }
                })
            })
            .map_err(|limit| format!("{limit:?}"))
    }

    fn watchdog(
        &self,
        kind: Watchdog,
        specification: &Network,
        alphabet: &EventSet,
        bad: EventId,
    ) -> Result<Lts, String> {
        let options = limits(Setup::default(), self.until);
        let make = match kind {
            Watchdog::Traces => compress::trace_watchdog,
            Watchdog::Failures => compress::failure_watchdog,
        };
        explicate(specification, &options, &NoObserver)
            .and_then(|explicit| {
                let budget = Budget::new(&options, &NoObserver);
                make(&explicit, alphabet, bad, &budget)
            })
            .map_err(|limit| format!("{limit:?}"))
    }
}

fn limits(setup: Setup, until: Instant) -> Options {
    Options {
        timeout: Some(until.saturating_duration_since(Instant::now())),
        threads: setup.threads,
        counterexamples: setup.counterexamples,
        textbook_termination: setup.textbook,
        reductions: setup.reductions,
        max_states: Some(MOST_STATES),
        memory: Some(MOST_MEMORY),
        ..Options::default()
    }
}

impl Loaded {
    fn new(script: &str, setup: Setup) -> Result<Self, Vec<Diagnostic>> {
        let mut sources = Sources::default();
        let root = sources.add("case.csp", script);
        let mut loader = |_: &str| Err("a case includes nothing".to_owned());
        let (tree, mut diagnostics) = csp_grammar::parse(&mut sources, root, &mut loader);
        let (program, wrong) = resolve::resolve(&tree, &sources, &[]);
        diagnostics.extend(wrong);
        let (_, wrong) = infer::infer(&program);
        diagnostics.extend(wrong);
        if diagnostics.iter().any(|d| d.severity == Severity::Error) {
            return Err(diagnostics);
        }
        let until = Instant::now() + MOST_TIME;
        let limits = Limits {
            interrupt: Box::new(move || Instant::now() > until),
            ..Limits::default()
        };
        let evaluator = Evaluator::new(&program, limits);
        Ok(Self {
            program,
            evaluator,
            compilers: HashMap::new(),
            setup,
            until,
        })
    }

    /// What the check of an assertion comes to, or why there is none.
    fn outcome(&mut self, index: usize) -> Result<Outcome, Answer> {
        let assertion = self.program.assertions[index].clone();
        let claim = self
            .claim(&assertion)
            .map_err(|diagnostic| match diagnostic.code {
                "E0499" => Answer::GivenUp,
                // A compression or a leaf that went over a limit, as a check may.
                "E0525" if Instant::now() > self.until => Answer::GivenUp,
                "E0523" | "E0525" => Answer::Inconclusive(diagnostic.message.clone()),
                // A network with too many rules, where users have a leaf.
                "E0527" if self.setup.small_leaf == Some(0) => {
                    Answer::Inconclusive(diagnostic.message.clone())
                }
                _ => Answer::Error(in_words(&[*diagnostic])),
            })?;
        Ok(check(&claim, &limits(self.setup, self.until), &NoObserver))
    }

    fn answer(&mut self, index: usize) -> Answer {
        let denied = self.program.assertions[index].negated;
        let outcome = match self.outcome(index) {
            Ok(outcome) => outcome,
            Err(answer) => return answer,
        };
        let counts = Counts {
            states: outcome.statistics.states,
            transitions: outcome.statistics.transitions,
            plys: outcome.statistics.plys,
            reduced: is_reduced(&outcome.statistics),
        };
        let answer = match outcome.verdict {
            Verdict::Holds => Answer::Holds(counts),
            Verdict::Fails(counterexamples) => {
                let naming = Naming(self.evaluator.events());
                let shown = counterexamples.iter().map(|c| naming.counterexample(c));
                Answer::Fails(shown.collect(), counts)
            }
            Verdict::Inconclusive(limit) => return Answer::limit(limit),
        };
        if denied {
            Answer::Denied(Box::new(answer))
        } else {
            answer
        }
    }

    /// The process of an expression; τ goes before some of its events if the assertion says so.
    fn process(
        &mut self,
        expression: &hir::Expr,
        assertion: &hir::Assertion,
    ) -> Result<ProcessId, Box<Diagnostic>> {
        let process = self.evaluator.process(expression)?;
        let Some(over) = &assertion.tau_priority else {
            return Ok(process);
        };
        let over = self.evaluator.event_set(over)?;
        let priority = Priority {
            classes: vec![(over.clone(), Vec::new())],
            below_tau: over,
        };
        let prioritised = Process::Prioritise(process, Arc::new(priority));
        Ok(self.evaluator.intern(prioritised))
    }

    fn claim(&mut self, assertion: &hir::Assertion) -> Result<Claim, Box<Diagnostic>> {
        Ok(match &assertion.claim {
            hir::Claim::Refines {
                specification,
                model,
                implementation,
            } => {
                let model = model_of(*model);
                let s = self.process(specification, assertion)?;
                let i = self.process(implementation, assertion)?;
                Claim::Refines {
                    specification: self.network(s, model)?,
                    implementation: self.network(i, model)?,
                    model,
                }
            }
            hir::Claim::Property {
                process,
                property,
                model,
            } => {
                let strict = *model != Some(hir::Model::F);
                let (model, compiled) = if strict {
                    (
                        FailuresModel::FailuresDivergences,
                        Model::FailuresDivergences,
                    )
                } else {
                    (FailuresModel::Failures, Model::Failures)
                };
                let process = self.process(process, assertion)?;
                let process = self.network(process, compiled)?;
                match property {
                    hir::Property::DeadlockFree => Claim::DeadlockFree { process, model },
                    hir::Property::DivergenceFree => Claim::DivergenceFree { process },
                    hir::Property::Deterministic => Claim::Deterministic { process, model },
                }
            }
            hir::Claim::HasTrace {
                process,
                model,
                trace,
            } => {
                let (model, compiled) = match model {
                    Some(hir::Model::F) => (TraceModel::Failures, Model::Failures),
                    Some(hir::Model::FD) => {
                        (TraceModel::FailuresDivergences, Model::FailuresDivergences)
                    }
                    _ => (TraceModel::Traces, Model::Traces),
                };
                let process = self.process(process, assertion)?;
                Claim::HasTrace {
                    process: self.network(process, compiled)?,
                    model,
                    trace: self.evaluator.trace(trace)?,
                }
            }
        })
    }

    fn network(&mut self, process: ProcessId, model: Model) -> Result<Network, Box<Diagnostic>> {
        let setup = self.setup;
        let compressions = Compressions {
            model,
            until: self.until,
        };
        let compiler = self.compilers.entry(model).or_insert_with(|| {
            let usual = CompileOptions::default();
            Compiler::new(CompileOptions {
                leaf_compression: setup.leaves,
                small_leaf: setup.small_leaf.unwrap_or(usual.small_leaf),
                termination: if setup.textbook {
                    Termination::Apart
                } else {
                    Termination::Together
                },
                ..usual
            })
        });
        let network = compiler.compile(&mut self.evaluator, process, &compressions)?;
        Ok(if setup.reduced {
            reduce(&network)
        } else {
            network
        })
    }
}

/// Whether symmetries were used, or rules put off that could fire.
fn is_reduced(statistics: &Statistics) -> bool {
    let symmetry = statistics.symmetry.as_ref();
    let order = statistics.partial_order.as_ref();
    symmetry.is_some_and(|group| group.exchanges > 0)
        || order.is_some_and(|order| !order.given_up && order.followed < order.enabled)
}

fn model_of(model: hir::Model) -> Model {
    match model {
        hir::Model::T => Model::Traces,
        hir::Model::F => Model::Failures,
        hir::Model::FD => Model::FailuresDivergences,
        hir::Model::V => Model::Revivals,
        hir::Model::VD => Model::RevivalsDivergences,
        hir::Model::R => Model::RefusalTesting,
        hir::Model::RD => Model::RefusalTestingDivergences,
    }
}

/// Counterexamples in the oracle's words.
struct Naming<'a>(&'a EventTable);

impl Naming<'_> {
    fn event(&self, event: EventId) -> Event {
        if event == EventId::TICK {
            return Event::TICK;
        }
        undressed(&self.0.name(event)).expect("the events of a case have known names")
    }

    fn events(&self, events: &[EventId]) -> Vec<Event> {
        events.iter().map(|e| self.event(*e)).collect()
    }

    fn trace(&self, steps: &[csp_checker::Step]) -> Vec<Event> {
        steps
            .iter()
            .filter(|s| s.event != EventId::TAU)
            .map(|s| self.event(s.event))
            .collect()
    }

    fn counterexample(&self, counterexample: &csp_checker::Counterexample) -> Counterexample {
        let evidence = match &counterexample.evidence {
            Evidence::Trace { allowed } => Shown::Trace {
                allowed: self.events(allowed),
            },
            Evidence::Refusal {
                offered,
                acceptances,
            } => Shown::Refusal {
                offered: self.events(offered),
                acceptances: acceptances.iter().map(|a| self.events(a)).collect(),
            },
            Evidence::Divergence { .. } => Shown::Divergence,
            Evidence::Deadlock => Shown::Deadlock,
            Evidence::Nondeterminism {
                event,
                other,
                offered,
            } => Shown::Nondeterminism {
                event: self.event(*event),
                other: self.trace(other),
                offered: self.events(offered),
            },
            Evidence::Revival { event, offered, .. } => Shown::Revival {
                event: self.event(*event),
                offered: self.events(offered),
            },
            Evidence::RefusalTrace { observed, allowed } => Shown::RefusalTrace {
                observed: observed
                    .iter()
                    .map(|o| o.as_ref().map(|o| self.events(o)))
                    .collect(),
                allowed: self.events(allowed),
            },
            Evidence::MissingTrace { done } => Shown::MissingTrace { done: *done },
        };
        Counterexample {
            trace: self.trace(&counterexample.steps),
            steps: counterexample.steps.iter().filter(|s| !s.chased).count(),
            evidence,
        }
    }
}
