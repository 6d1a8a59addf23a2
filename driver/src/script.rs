//! A script under way: loaded, checked for names and types, and asked about its assertions.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use csp_checker::budget::Budget;
use csp_checker::{Limit, Model, Observer, Options, Outcome, Store, Verdict, check, explicate};
use csp_compiler::assemble::{CompileOptions, Compiler, LEAF_STATES, LeafCompression};
use csp_compiler::evaluate::{Evaluator, Limits};
use csp_compiler::hir::{self, Program};
use csp_compiler::infer::{self, Types};
use csp_compiler::process::ProcessId;
use csp_compiler::reduce::reduce;
use csp_compiler::resolve::{self, Define};
use csp_grammar::source::Sources;
use csp_grammar::{Diagnostic, Severity, Span};
use csp_lts::describe::{Abbreviation, describe_network};
use csp_lts::{EventTable, Network};

use crate::claim;
use crate::compression::{Compressions, reason};
use crate::doubles::Again;
use crate::evidence::Naming;
use crate::explore::Explorer;
use crate::files::{self, FileError};
use crate::graph::Graph;
use crate::pragma::{self, Pragmas};
use crate::report::{
    AssertionReport, CompressionReport, DiagnosticReport, PrintReport, Report, SCHEMA,
    VerdictReport,
};
use crate::{memory, stack};

/// What a check may use and which assertions it is about.
#[derive(Clone, Debug)]
pub struct CheckSettings {
    /// Worker threads.
    pub threads: usize,
    /// States after which to give up.
    pub max_states: Option<u64>,
    /// Seconds after which to give up.
    pub timeout: Option<f64>,
    /// Bytes that may be taken; what the machine has free if nothing is said.
    pub memory: Option<u64>,
    /// How many distinct counterexamples to look for.
    pub counterexamples: usize,
    /// The store to use where states fit it; by size if nothing is said.
    pub store: Option<Store>,
    /// The books' reading of termination.
    pub textbook_termination: bool,
    /// How components are reduced.
    pub leaf_compression: LeafCompression,
    /// How many states a sequential process may have.
    pub max_leaf_states: usize,
    /// Numbers or parts of the text of assertions; all if empty.
    pub select: Vec<String>,
}

impl Default for CheckSettings {
    /// Every assertion on one thread, without limits but what the machine has free.
    fn default() -> Self {
        Self {
            threads: 1,
            max_states: None,
            timeout: None,
            memory: None,
            counterexamples: 1,
            store: None,
            textbook_termination: false,
            leaf_compression: LeafCompression::Sbisim,
            max_leaf_states: LEAF_STATES,
            select: Vec::new(),
        }
    }
}

impl CheckSettings {
    fn leaves(&self) -> Leaves {
        (self.leaf_compression, self.max_leaf_states)
    }

    pub(crate) fn options(&self) -> Options {
        Options {
            threads: self.threads,
            max_states: self.max_states,
            timeout: self
                .timeout
                .map(|s| Duration::try_from_secs_f64(s).unwrap_or_default()),
            memory: self.memory.or_else(memory::available),
            counterexamples: self.counterexamples,
            store: self.store,
            textbook_termination: self.textbook_termination,
        }
    }
}

/// Why there is no result.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// What is wrong with the script.
    pub diagnostics: Vec<Diagnostic>,
    /// Or the limit that was reached.
    pub limit: Option<String>,
}

impl From<Box<Diagnostic>> for Problem {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Self {
            diagnostics: vec![*diagnostic],
            limit: None,
        }
    }
}

/// Why there is nothing to check.
#[derive(Clone, Debug)]
pub(crate) enum Obstacle {
    /// Something is wrong with the script.
    Mistake(Box<Diagnostic>),
    /// A limit was reached on the way.
    Limit(Limit),
}

impl From<Obstacle> for Problem {
    fn from(obstacle: Obstacle) -> Self {
        match obstacle {
            Obstacle::Mistake(diagnostic) => diagnostic.into(),
            Obstacle::Limit(limit) => Self {
                diagnostics: Vec::new(),
                limit: Some(reason(&limit)),
            },
        }
    }
}

/// How long one thread lists processes before others help it: a script that is small is done by then.
const PATIENCE: Duration = Duration::from_millis(50);

/// How processes are listed: how they are reduced, and how many states they may have.
type Leaves = (LeafCompression, usize);

/// When evaluation has to stop.
#[derive(Default)]
pub(crate) struct Watch {
    deadline: Cell<Option<Instant>>,
    interrupted: Cell<Option<fn() -> bool>>,
    memory: Cell<Option<MemoryWatch>>,
}

/// How much memory evaluation may take, and how much it is.
#[derive(Clone, Copy)]
struct MemoryWatch {
    /// What it may take besides what there was at the start.
    limit: u64,
    /// The most that the process may have.
    most: u64,
    /// When to look again.
    next: Instant,
    exceeded: bool,
}

/// How long memory is not looked at after it was.
const MEMORY_PAUSE: Duration = Duration::from_millis(50);

impl Watch {
    /// Starts the clock, and looks how much memory there is if the user does not say.
    pub(crate) fn start(&self, seconds: Option<f64>, memory: Option<u64>) {
        let limit = memory.or_else(memory::available);
        self.memory.set(
            limit
                .zip(memory::resident())
                .map(|(limit, taken)| MemoryWatch {
                    limit,
                    most: limit.saturating_add(taken),
                    next: Instant::now(),
                    exceeded: false,
                }),
        );
        let limit = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
        self.deadline
            .set(limit.and_then(|limit| Instant::now().checked_add(limit)));
    }

    fn says_stop(&self) -> bool {
        let late = |deadline| Instant::now() > deadline;
        self.deadline.get().is_some_and(late) || self.is_interrupted() || self.is_out_of_memory()
    }

    fn is_out_of_memory(&self) -> bool {
        let Some(mut watch) = self.memory.get() else {
            return false;
        };
        if !watch.exceeded && Instant::now() >= watch.next {
            watch.exceeded = memory::resident().is_some_and(|taken| taken > watch.most);
            watch.next = Instant::now() + MEMORY_PAUSE;
            self.memory.set(Some(watch));
        }
        watch.exceeded
    }

    fn is_interrupted(&self) -> bool {
        let interrupted = self.interrupted.get();
        interrupted.is_some_and(|interrupted| interrupted())
    }

    /// Why it says stop.
    fn limit(&self) -> Limit {
        if self.is_interrupted() {
            return Limit::Interrupted;
        }
        match self.memory.get() {
            Some(watch) if watch.exceeded => Limit::Memory(watch.limit),
            _ => Limit::Time,
        }
    }
}

/// A script with everything found out about it so far.
pub struct Script {
    pub(crate) file: String,
    sources: Sources,
    pub(crate) program: Program,
    types: Types,
    diagnostics: Vec<Diagnostic>,
    evaluator: Option<Evaluator>,
    pub(crate) watch: Rc<Watch>,
    /// What has been compressed for the assertion under way.
    compressions: Vec<CompressionReport>,
    /// What was worth saying while compiling for the assertion under way.
    warnings: Vec<Diagnostic>,
    /// Components are shared between assertions.
    compilers: HashMap<Leaves, Compiler>,
}

impl Script {
    /// Reads a script, resolves its names and infers its types. `defines` are `NAME=EXPR`.
    pub fn load(file: &str, defines: &[String]) -> Result<Self, FileError> {
        let text = files::read(file)?;
        let mut sources = Sources::default();
        let root = sources.add(
            if file == "-" {
                "<standard input>"
            } else {
                file
            },
            text,
        );
        let (tree, mut diagnostics) =
            csp_grammar::parse(&mut sources, root, &mut files::loader(file));
        let mut parsed = Vec::new();
        for define in defines {
            let Some((name, value)) = define.split_once('=') else {
                let reason = "it should be NAME=EXPR".to_owned();
                return Err(FileError {
                    path: format!("--define {define}"),
                    reason,
                });
            };
            let id = sources.add(format!("--define {}", name.trim()), value);
            let (expr, wrong) = csp_grammar::parse_expression(&sources, id);
            diagnostics.extend(wrong);
            parsed.push(Define {
                name: name.trim().to_owned(),
                expr,
            });
        }
        let (program, wrong) = resolve::resolve(&tree, &sources, &parsed);
        diagnostics.extend(wrong);
        let (types, wrong) = infer::infer(&program);
        diagnostics.extend(wrong);
        diagnostics.extend(pragma::warnings(&program.assertions));
        Ok(Self {
            file: file.to_owned(),
            sources,
            program,
            types,
            diagnostics,
            evaluator: None,
            watch: Rc::default(),
            compressions: Vec::new(),
            warnings: Vec::new(),
            compilers: HashMap::new(),
        })
    }

    /// Evaluation asks this now and then and stops if it says so.
    pub fn on_interrupt(&mut self, interrupted: fn() -> bool) {
        self.watch.interrupted.set(Some(interrupted));
    }

    /// What is wrong with the script as a whole.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The files it was read from.
    #[must_use]
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Whether anything is so wrong that nothing can be evaluated.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|d| d.severity == Severity::Error)
    }

    /// Whether the script defines something by this name at its top level.
    #[must_use]
    pub fn defines(&self, name: &str) -> bool {
        self.program.globals.iter().any(|g| g.name == name)
    }

    /// Every definition with its inferred type, in the order of the script.
    pub fn types(&self) -> impl Iterator<Item = (&str, String)> + '_ {
        self.program.globals.iter().enumerate().map(|(i, global)| {
            let id = hir::GlobalId(u32::try_from(i).expect("globals are numbered by u32"));
            (global.name.as_str(), self.types.scheme(id))
        })
    }

    /// The text of an assertion.
    #[must_use]
    pub fn assertion_text(&self, index: usize) -> &str {
        &self.program.assertions[index].text
    }

    /// The indexes of the assertions that the patterns select: numbers from 1, or parts of the text.
    pub fn select(&self, patterns: &[String]) -> Result<Vec<usize>, String> {
        let count = self.program.assertions.len();
        let mut selected = vec![patterns.is_empty(); count];
        for pattern in patterns {
            let mut found = false;
            for (i, wanted) in selected.iter_mut().enumerate() {
                let text = &self.program.assertions[i].text;
                if pattern.parse() == Ok(i + 1)
                    || (pattern.parse::<usize>().is_err() && text.contains(pattern))
                {
                    (*wanted, found) = (true, true);
                }
            }
            if !found {
                return Err(format!(
                    "no assertion matches '{pattern}'; the script has {count}"
                ));
            }
        }
        Ok((0..count).filter(|i| selected[*i]).collect())
    }

    /// A report of the script without its assertions: `print` results and diagnostics, and what went
    /// wrong in printing. Each `print` may take so many seconds.
    pub fn report(&mut self, timeout: Option<f64>) -> (Report, Vec<Diagnostic>) {
        let (prints, wrong) = if self.has_errors() {
            Default::default()
        } else {
            self.prints(timeout)
        };
        let diagnostics = self
            .diagnostics
            .iter()
            .chain(&wrong)
            .map(|d| self.diagnostic(d))
            .collect();
        let report = Report {
            schema: SCHEMA,
            tool: "csp",
            version: env!("CARGO_PKG_VERSION"),
            file: self.file.clone(),
            prints,
            assertions: Vec::new(),
            diagnostics,
        };
        (report, wrong)
    }

    fn prints(&mut self, timeout: Option<f64>) -> (Vec<PrintReport>, Vec<Diagnostic>) {
        let (mut results, mut wrong) = (Vec::new(), Vec::new());
        for print in self.program.prints.clone() {
            self.watch.start(timeout, None);
            let evaluator = self.evaluator();
            let shown = evaluator
                .evaluate(&print.expr)
                .map(|value| evaluator.show(&value));
            let failed = |diagnostic: Box<Diagnostic>| wrong.push(self.stopped_by(*diagnostic));
            let value = shown.map_err(failed).ok();
            results.push(PrintReport {
                text: print.text,
                value,
            });
        }
        (results, wrong)
    }

    /// The evaluator, made when first needed. It is made anew when an expression has been added to
    /// the program since.
    pub(crate) fn evaluator(&mut self) -> &mut Evaluator {
        let watch = Rc::clone(&self.watch);
        let program = &self.program;
        self.evaluator.get_or_insert_with(|| {
            let interrupt = Box::new(move || watch.says_stop());
            let mut evaluator = Evaluator::new(
                program,
                Limits {
                    stack_bytes: stack::usable(),
                    interrupt,
                },
            );
            // Channels that cannot be evaluated are reported by the expressions that use them.
            let _ = evaluator.declare();
            evaluator
        })
    }

    /// The value of an expression at the top level of the script, as text.
    pub fn evaluate(
        &mut self,
        expression: &str,
        timeout: Option<f64>,
    ) -> Result<String, Vec<Diagnostic>> {
        let expr = self.expression(expression)?;
        self.watch.start(timeout, None);
        let value = self.evaluator().evaluate(&expr);
        let value = value.map_err(|d| vec![self.stopped_by(*d)])?;
        Ok(self.evaluator().show(&value))
    }

    /// A diagnostic with the limit that stopped evaluation, if one did.
    fn stopped_by(&self, diagnostic: Diagnostic) -> Diagnostic {
        if stopped(&diagnostic) {
            diagnostic.help(reason(&self.watch.limit()))
        } else {
            diagnostic
        }
    }

    /// Reads, resolves and types one further expression.
    pub(crate) fn expression(&mut self, text: &str) -> Result<hir::Expr, Vec<Diagnostic>> {
        let file = self.sources.add("<expression>", text);
        let (tree, mut wrong) = csp_grammar::parse_expression(&self.sources, file);
        let (expr, more) = resolve::resolve_expression(&mut self.program, &self.sources, &tree);
        self.evaluator = None;
        self.compilers.clear();
        wrong.extend(more);
        if wrong.is_empty() {
            wrong.extend(infer::infer_expression(&self.program, &self.types, &expr).1);
        }
        if wrong.iter().any(|d| d.severity == Severity::Error) {
            Err(wrong)
        } else {
            Ok(expr)
        }
    }

    /// Decides one assertion.
    pub fn check(
        &mut self,
        index: usize,
        settings: &CheckSettings,
        observer: &dyn Observer,
    ) -> (AssertionReport, Vec<Diagnostic>) {
        let start = Instant::now();
        let assertion = self.program.assertions[index].clone();
        let options = settings.options();
        self.watch.start(settings.timeout, settings.memory);
        let mut report = self.blank(index, &assertion);
        let claim = self.claim(&assertion, settings, &options, observer);
        report.compile_seconds = start.elapsed().as_secs_f64();
        report.compressions = std::mem::take(&mut self.compressions);
        let mut warnings = std::mem::take(&mut self.warnings);
        for warning in &mut warnings {
            if warning.span == Span::default() {
                warning.span = assertion.span;
            }
        }
        warnings.dedup();
        let claim = match claim {
            Ok(claim) => claim,
            Err(Obstacle::Limit(limit)) => {
                report.verdict = VerdictReport::Inconclusive;
                report.reason = Some(reason(&limit));
                return (report, warnings);
            }
            Err(Obstacle::Mistake(diagnostic)) => {
                report.reason = Some(diagnostic.message.clone());
                warnings.push(*diagnostic);
                report.diagnostics = warnings.iter().map(|w| self.diagnostic(w)).collect();
                return (report, warnings);
            }
        };
        report.diagnostics = warnings.iter().map(|w| self.diagnostic(w)).collect();
        let start = Instant::now();
        let outcome = check(&claim, &options, observer);
        report.seconds = start.elapsed().as_secs_f64();
        self.fill(
            &mut report,
            &assertion,
            &outcome,
            claim::implementation(&claim),
        );
        if let Verdict::Inconclusive(Limit::Unsupported(why)) = &outcome.verdict {
            let diagnostic = Diagnostic::error("E0607", assertion.span, why.clone());
            report.verdict = VerdictReport::Error;
            report.diagnostics.push(self.diagnostic(&diagnostic));
            warnings.push(diagnostic);
        }
        if let Some(limit) = &outcome.limit
            && (1..settings.counterexamples).contains(&report.counterexamples.len())
        {
            let found = report.counterexamples.len();
            let only = format!("{}; there may be more than these {found}", reason(limit));
            report.reason.get_or_insert(only);
        }
        warnings.extend(self.judge(&mut report, &assertion));
        (report, warnings)
    }

    fn blank(&self, index: usize, assertion: &hir::Assertion) -> AssertionReport {
        AssertionReport {
            number: index + 1,
            text: assertion.text.clone(),
            line: self
                .sources
                .position(assertion.span.file, assertion.span.start)
                .0,
            verdict: VerdictReport::Error,
            meaning: None,
            referee: None,
            expected: Pragmas::of(assertion).expected,
            reason: None,
            states: 0,
            transitions: 0,
            plys: 0,
            ply_sizes: Vec::new(),
            seconds: 0.0,
            compile_seconds: 0.0,
            peak_memory_bytes: 0,
            bytes_per_state: 0.0,
            store: "",
            compressions: Vec::new(),
            counterexamples: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    fn fill(
        &self,
        report: &mut AssertionReport,
        assertion: &hir::Assertion,
        outcome: &Outcome,
        network: &Network,
    ) {
        let statistics = &outcome.statistics;
        report.states = statistics.states;
        report.transitions = statistics.transitions;
        report.plys = statistics.plys;
        report.ply_sizes.clone_from(&statistics.ply_sizes);
        report.peak_memory_bytes = statistics.peak_memory;
        report.bytes_per_state = statistics.bytes_per_state;
        report.store = statistics.store;
        let events = self
            .evaluator
            .as_ref()
            .expect("the assertion was evaluated")
            .events();
        let holds = match &outcome.verdict {
            Verdict::Inconclusive(limit) => {
                report.verdict = VerdictReport::Inconclusive;
                report.reason = Some(reason(limit));
                return;
            }
            Verdict::Holds => true,
            Verdict::Fails(counterexamples) => {
                let naming = Naming { events, network };
                report.counterexamples = counterexamples.iter().map(|c| naming.report(c)).collect();
                false
            }
        };
        let pragmas = Pragmas::of(assertion);
        if holds == assertion.negated {
            report.verdict = VerdictReport::Fail;
            report.meaning = pragmas.fail;
            if assertion.negated {
                report.reason = Some("what it denies is true".to_owned());
            }
        } else {
            report.verdict = VerdictReport::Pass;
            report.meaning = pragmas.pass;
        }
    }

    pub(crate) fn claim(
        &mut self,
        assertion: &hir::Assertion,
        settings: &CheckSettings,
        options: &Options,
        observer: &dyn Observer,
    ) -> Result<csp_checker::Claim, Obstacle> {
        let budget = Budget::new(options, observer);
        let evaluated = claim::evaluate(assertion, self.evaluator())
            .map_err(|diagnostic| self.obstacle(diagnostic, None))?;
        let model = evaluated.compression_model();
        evaluated.compile(|place, process| {
            self.list_together(assertion, place, process, settings);
            self.network(process, model, settings.leaves(), &budget)
        })
    }

    /// What a diagnostic amounts to: evaluation that was stopped is no mistake of the script.
    fn obstacle(&self, diagnostic: Box<Diagnostic>, limit: Option<Limit>) -> Obstacle {
        match limit {
            Some(limit) => Obstacle::Limit(limit),
            None if stopped(&diagnostic) => Obstacle::Limit(self.watch.limit()),
            None => Obstacle::Mistake(diagnostic),
        }
    }

    /// Lists what a process of an assertion is composed of, on all threads.
    fn list_together(
        &mut self,
        assertion: &hir::Assertion,
        place: usize,
        process: ProcessId,
        settings: &CheckSettings,
    ) {
        let again = Again {
            program: &self.program,
            assertion,
            place,
            threads: settings.threads.saturating_sub(1),
        };
        let evaluator = self.evaluator.as_mut().expect("the process was evaluated");
        let compiler = compiler(&mut self.compilers, settings.leaves());
        compiler.list_together(evaluator, process, &again, PATIENCE);
    }

    fn network(
        &mut self,
        process: ProcessId,
        model: Model,
        leaves: Leaves,
        budget: &Budget<'_>,
    ) -> Result<Network, Obstacle> {
        let compressions = Compressions::new(model, budget);
        let compiler = compiler(&mut self.compilers, leaves);
        let evaluator = self.evaluator.as_mut().expect("the process was evaluated");
        let network = compiler.compile(evaluator, process, &compressions);
        self.warnings.append(&mut compiler.take_warnings());
        self.compressions
            .append(&mut compressions.done.into_inner());
        self.warnings
            .append(&mut compressions.warnings.into_inner());
        let told = |limit: &Limit| !matches!(limit, Limit::Unsupported(_));
        let limit = compressions.limit.take().filter(told);
        match network {
            Ok(network) => Ok(reduce(&network)),
            Err(diagnostic) => Err(self.obstacle(diagnostic, limit)),
        }
    }

    /// The network of a process given as an expression, for the traces model.
    fn network_of(
        &mut self,
        expression: &str,
        observer: &dyn Observer,
    ) -> Result<Network, Problem> {
        let expr = self.expression(expression).map_err(|diagnostics| Problem {
            diagnostics,
            limit: None,
        })?;
        let process = self.evaluator().process(&expr)?;
        let options = Options {
            memory: memory::available(),
            ..Options::default()
        };
        let budget = Budget::new(&options, observer);
        let model = Model::FailuresDivergences;
        let leaves = (LeafCompression::None, LEAF_STATES);
        Ok(self.network(process, model, leaves, &budget)?)
    }

    pub(crate) fn events(&self) -> EventTable {
        self.evaluator
            .as_ref()
            .expect("a process was evaluated")
            .events()
            .clone()
    }

    /// The components and rules of a process, as text.
    pub fn describe_network(
        &mut self,
        expression: &str,
        observer: &dyn Observer,
    ) -> Result<String, Problem> {
        let network = self.network_of(expression, observer)?;
        let events = self.events();
        Ok(describe_network(
            &network,
            Abbreviation::default(),
            |event| events.name(event),
        ))
    }

    /// The explicit transition system of a process.
    pub fn explicit(
        &mut self,
        expression: &str,
        max_states: u64,
        observer: &dyn Observer,
    ) -> Result<Graph, Problem> {
        let network = self.network_of(expression, observer)?;
        let options = Options {
            max_states: Some(max_states),
            memory: memory::available(),
            ..Options::default()
        };
        let lts = explicate(&network, &options, observer).map_err(|limit| Problem {
            diagnostics: Vec::new(),
            limit: Some(reason(&limit)),
        })?;
        Ok(Graph {
            lts,
            events: self.events(),
        })
    }

    /// A process to step through.
    pub fn explorer(
        &mut self,
        expression: &str,
        observer: &dyn Observer,
    ) -> Result<Explorer, Problem> {
        let network = self.network_of(expression, observer)?;
        let events = self.events();
        Explorer::new(network, events).map_err(|limit| Problem {
            diagnostics: Vec::new(),
            limit: Some(limit),
        })
    }

    pub(crate) fn diagnostic(&self, d: &Diagnostic) -> DiagnosticReport {
        let (line, column) = self.sources.position(d.span.file, d.span.start);
        let (end_line, end_column) = self.sources.position(d.span.file, d.span.end);
        DiagnosticReport {
            code: d.code,
            severity: match d.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            message: d.message.clone(),
            file: self
                .sources
                .files
                .get(d.span.file.0 as usize)
                .map_or_else(String::new, |f| f.name.clone()),
            line,
            column,
            end_line,
            end_column,
            help: d.help.clone(),
            stack: d.stack.clone(),
        }
    }
}

/// The compiler for this way of listing processes.
fn compiler(compilers: &mut HashMap<Leaves, Compiler>, leaves: Leaves) -> &mut Compiler {
    compilers.entry(leaves).or_insert_with(|| {
        Compiler::new(CompileOptions {
            leaf_compression: leaves.0,
            leaf_states: leaves.1,
            ..CompileOptions::default()
        })
    })
}

/// Whether a diagnostic says no more than that time ran out, or the user's patience.
pub(crate) fn stopped(diagnostic: &Diagnostic) -> bool {
    diagnostic.code == "E0499"
}
