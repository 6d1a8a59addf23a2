//! The checker's compressions, as the compiler asks for them.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use csp_checker::budget::Budget;
use csp_checker::compress::{self, Purpose, Replaced};
use csp_checker::{Compressing, Limit, Model, explicate_within};
use csp_compiler::compress::{Compressed, Compressor, Context, Request};
use csp_compiler::process::{Compression, Watchdog};
use csp_grammar::Diagnostic;
use csp_host::clock::Moment;
use csp_lts::{EventId, EventSet, Lts, Network, acceptance_steps, node_count};
use rayon::prelude::*;

use crate::count::counted;
use crate::kept::{self, Kept, Operand};
use crate::report::{CompressionReport, SizeReport};

/// Compresses for one assertion: results depend on its model.
pub(crate) struct Compressions<'a> {
    pub(crate) model: Model,
    pub(crate) budget: &'a Budget<'a>,
    pub(crate) done: RefCell<Vec<CompressionReport>>,
    pub(crate) warnings: RefCell<Vec<Diagnostic>>,
    /// The limit that was reached, if one was.
    pub(crate) limit: Cell<Option<Limit>>,
    /// What has been compressed before, if that is kept.
    kept: Option<&'a RefCell<Kept>>,
}

impl<'a> Compressions<'a> {
    pub(crate) fn new(
        model: Model,
        budget: &'a Budget<'a>,
        kept: Option<&'a RefCell<Kept>>,
    ) -> Self {
        Self {
            model,
            budget,
            kept,
            done: RefCell::default(),
            warnings: RefCell::default(),
            limit: Cell::new(None),
        }
    }

    /// Notes that a limit was reached, and says so.
    fn stopped(&self, limit: Limit) -> String {
        let words = reason(&limit);
        self.limit.set(Some(limit));
        words
    }

    /// The operand of a request, if results are kept, and the result if there is one.
    fn known(&self, request: &Request<'_>) -> (Option<Operand>, Option<Computed>) {
        let Some(kept) = self.kept else {
            return (None, None);
        };
        let model = model_at(self.model, request.context);
        let operand = Operand::of(request, model);
        let known = operand.as_ref().and_then(|o| kept.borrow().compression(o));
        let Some(known) = known else {
            return (operand, None);
        };
        if request.asked_for {
            let (function, observer) = (request.kind.name(), self.budget.observer());
            let (before, after) = (known.before.states, known.lts.state_count());
            observer.compression(function, request.name, Compressing::Kept { before, after });
        }
        let computed = Computed {
            lts: Lts::clone(&known.lts),
            replaced: known.replaced,
            before: known.before,
            seconds: 0.0,
        };
        (None, Some(computed))
    }

    /// Keeps a result, if it is one and results are kept.
    fn keep(&self, operand: Option<Operand>, computed: &Result<Computed, Limit>) {
        if let (Some(kept), Some(operand), Ok(computed)) = (self.kept, operand, computed) {
            let result = kept::Result {
                lts: Arc::new(computed.lts.clone()),
                replaced: computed.replaced,
                before: computed.before,
            };
            kept.borrow_mut().keep_compression(operand, result);
        }
    }

    /// Notes what a compression did.
    fn note(
        &self,
        request: &Request<'_>,
        computed: Result<Computed, Limit>,
    ) -> Result<Compressed, String> {
        let computed = computed.map_err(|limit| match limit {
            Limit::Time | Limit::Interrupted => self.stopped(limit),
            _ if request.most_states.is_some() => reason(&limit),
            _ => self.stopped(limit),
        })?;
        let used = match computed.replaced {
            None => request.kind,
            Some(why) => {
                self.warnings.borrow_mut().push(warning(request, why));
                Compression::Wbisim
            }
        };
        let model = model_at(self.model, request.context);
        let acceptances = acceptance_steps(&computed.lts);
        self.done.borrow_mut().push(CompressionReport {
            function: request.kind.name().into(),
            process: request.name.to_owned(),
            preserves_model: compress::preserves(request.kind, model),
            used: used.name().into(),
            asked_for: request.asked_for,
            before: computed.before,
            after: size(&computed.lts),
            nodes: node_count(&computed.lts, &acceptances),
            acceptances: acceptances.len(),
            seconds: computed.seconds,
        });
        Ok(Compressed {
            lts: computed.lts,
            states_before: computed.before.states,
        })
    }

    fn tabulated(&self, network: &Network) -> Result<Lts, String> {
        explicate_within(network, self.budget).map_err(|limit| self.stopped(limit))
    }
}

/// From how many states on it pays to start threads.
const WORTH_THREADS: u64 = 20_000;

/// How many states a machine can have: no more than all combinations of those of its components.
fn states_at_most(request: &Request<'_>) -> u64 {
    let components = request.network.components.iter();
    let counts = components.map(|c| c.lts.state_count() as u64);
    let all = counts.fold(1, u64::saturating_mul);
    request.most_states.map_or(all, |most| all.min(most as u64))
}

/// A compressed machine, and what it took.
struct Computed {
    lts: Lts,
    replaced: Option<Replaced>,
    before: SizeReport,
    seconds: f64,
}

fn computed(request: &Request<'_>, model: Model, budget: &Budget<'_>) -> Result<Computed, Limit> {
    let start = Moment::now();
    let tell = |now| {
        if request.asked_for {
            let (function, observer) = (request.kind.name(), budget.observer());
            observer.compression(function, request.name, now);
        }
    };
    tell(Compressing::Begins);
    let explicit = match request.most_states {
        Some(most) => explicate_within(request.network, &budget.with_states(most as u64))?,
        None => explicate_within(request.network, budget)?,
    };
    let purpose = Purpose {
        model: model_at(model, request.context),
        stepwise: request.context.stepwise.is_some(),
    };
    let compressed = compress::compress(request.kind, purpose, &explicit, budget)?;
    tell(Compressing::Ends {
        before: explicit.state_count(),
        after: compressed.lts.state_count(),
    });
    Ok(Computed {
        lts: compressed.lts,
        replaced: compressed.replaced,
        before: size(&explicit),
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// The model that is seen from a place inside a process that is checked in a model.
fn model_at(model: Model, context: Context) -> Model {
    match context.watchdog {
        None => model,
        Some(Watchdog::Traces) => Model::Traces,
        Some(Watchdog::Failures) => Model::Failures,
    }
}

fn size(lts: &Lts) -> SizeReport {
    SizeReport {
        states: lts.state_count(),
        transitions: lts.transition_count(),
    }
}

impl Compressor for Compressions<'_> {
    fn model(&self) -> u8 {
        self.model as u8
    }

    fn compress(&self, request: &Request<'_>) -> Result<Compressed, String> {
        let (operand, known) = self.known(request);
        let result = match known {
            Some(known) => Ok(known),
            None => computed(request, self.model, self.budget),
        };
        self.keep(operand, &result);
        self.note(request, result)
    }

    fn compress_all(&self, requests: &[Request<'_>]) -> Vec<Result<Compressed, String>> {
        let threads = self.budget.options().threads.min(requests.len());
        let counts = requests.iter().map(states_at_most);
        let together = counts.fold(0, u64::saturating_add);
        if threads < 2 || together < WORTH_THREADS {
            return requests.iter().map(|r| self.compress(r)).collect();
        }
        let (operands, known): (Vec<_>, Vec<_>) = requests.iter().map(|r| self.known(r)).unzip();
        let (share, model) = (self.budget.share(), self.model);
        let all = || {
            let one = |(request, known): (_, Option<Computed>)| match known {
                Some(known) => Ok(known),
                None => computed(request, model, &share.budget()),
            };
            let work = requests.par_iter().zip(known);
            work.map(one).collect::<Vec<_>>()
        };
        // A machine without threads is as good as one that has them, only slower.
        let results = match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) => pool.install(all),
            Err(_) => all(),
        };
        let noted = requests.iter().zip(operands.into_iter().zip(results));
        noted
            .map(|(request, (operand, result))| {
                self.keep(operand, &result);
                self.note(request, result)
            })
            .collect()
    }

    fn watchdog(
        &self,
        kind: Watchdog,
        specification: &Network,
        alphabet: &EventSet,
        bad: EventId,
    ) -> Result<Lts, String> {
        let explicit = self.tabulated(specification)?;
        let make = match kind {
            Watchdog::Traces => compress::trace_watchdog,
            Watchdog::Failures => compress::failure_watchdog,
        };
        make(&explicit, alphabet, bad, self.budget).map_err(|limit| match limit {
            Limit::Unsupported(why) => why,
            limit => self.stopped(limit),
        })
    }
}

/// That another compression than the one asked for was done.
fn warning(request: &Request<'_>, why: Replaced) -> Diagnostic {
    let (function, name) = (request.kind.name(), request.name);
    let instead = "`wbisim` was used in its place";
    match why {
        Replaced::Model => {
            let message = format!("`{function}` does not preserve the model of this assertion");
            Diagnostic::warning("W0602", request.span, message)
                .help(format!("{instead}; write that, or `sbisim`"))
        }
        Replaced::Stepwise => {
            let around = match request.context.stepwise {
                // Also that of the whole assertion, with `tau priority over`.
                None | Some("prioritise") => "priority".to_owned(),
                Some(function) => format!("`{function}`"),
            };
            let message = format!("`{function}` may change what {around} around it does");
            Diagnostic::warning("W0605", request.span, message)
                .help(format!("{instead}; write that, or `sbisim`"))
        }
        Replaced::Size => {
            let message = format!("`{function}` of `{name}` would be too large");
            Diagnostic::warning("W0606", request.span, message)
                .help(format!("{instead}; compress smaller parts"))
        }
    }
}

/// A limit in words.
pub(crate) fn reason(limit: &Limit) -> String {
    match limit {
        Limit::States(n) => format!("stopped at the limit of {}", counted(*n, "state")),
        Limit::Time => "stopped at the time limit".to_owned(),
        Limit::Memory(bytes) => format!("stopped at the memory limit of {} MiB", bytes >> 20),
        Limit::Interrupted => "interrupted".to_owned(),
        Limit::NormalForm(n) => {
            let nodes = counted(*n, "node");
            format!("the normal form of the specification has more than {nodes}")
        }
        Limit::Unsupported(why) | Limit::Irreducible(why) => why.clone(),
        Limit::Asymmetric(what, _) => format!("exchanging {what} changes the process"),
    }
}
