//! Deciding one assertion: evaluate, compile, reduce, search, explain.

use std::collections::HashMap;
use std::time::Duration;

use csp_checker::budget::Budget;
use csp_checker::{
    Limit, Model, Observer, Options, Outcome, Phase, Progress, Verdict, check_within,
};
use csp_compiler::assemble::{CompileOptions, Compiler};
use csp_compiler::evaluate::Evaluator;
use csp_compiler::hir;
use csp_compiler::process::{ProcessId, Processes};
use csp_compiler::reduce::reduce_until;
use csp_grammar::{Diagnostic, Span};
use csp_host::clock::Moment;
use csp_lts::Network;

use super::settings::Leaves;
use super::watch::Running;
use super::{CheckSettings, Obstacle, Script, stopped};
use crate::claim;
use crate::compression::{Compressions, reason};
use crate::evaluator_pool::Again;
use crate::evidence::Case;
use crate::kept::settings_key;
use crate::pragma::Pragmas;
use crate::report::{AssertionReport, CounterexampleReport, ReductionReport, VerdictReport};

/// How long one thread lists processes before others help it: a script that is small is done by then.
const PATIENCE: Duration = Duration::from_millis(50);

impl Script {
    /// Decides one assertion.
    pub fn check(
        &mut self,
        index: usize,
        settings: &CheckSettings,
        observer: &dyn Observer,
    ) -> (AssertionReport, Vec<Diagnostic>) {
        let began = Moment::now();
        let start = began;
        let assertion = self.program.assertions[index].clone();
        let options = settings.options();
        let _running = Running::begin();
        self.watch.start(settings.timeout, options.memory);
        let observer = self.watch.observer(observer);
        let observer: &dyn Observer = &observer;
        // All phases spend from this one.
        let budget = Budget::new(&options, observer);
        let mut report = self.blank(index, &assertion);
        let claim = self.claim_within(&assertion, settings, &budget);
        report.compile_seconds = start.elapsed().as_secs_f64();
        report.compressions = std::mem::take(&mut self.compressions);
        let mut warnings = std::mem::take(&mut self.warnings);
        if !std::mem::replace(&mut self.warned, options.memory.is_none()) {
            warnings.extend(unlimited(&options, assertion.span));
        }
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
                report.reason = Some(self.stopped_while(&as_set(limit, &options)));
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
        let start = Moment::now();
        budget.hold(self.watch.end_compiling());
        let exchanges = match self.exchanges(&assertion, &claim) {
            Ok(exchanges) => exchanges,
            Err(diagnostic) => {
                report.reason = Some(diagnostic.message.clone());
                report.diagnostics.push(self.diagnostic(&diagnostic));
                warnings.push(*diagnostic);
                return (report, warnings);
            }
        };
        let options = Options {
            exchanges,
            ..options
        };
        let mut outcome = check_within(&claim, &budget.under(&options));
        if let Verdict::Inconclusive(limit) = &mut outcome.verdict {
            *limit = as_set(limit.clone(), &options);
        }
        report.seconds = start.elapsed().as_secs_f64();
        observer.phase(Phase::Explain, &assertion.text);
        let case = Case {
            assertion: &assertion,
            settings,
            claim: &claim,
            observer,
            timeout: options.timeout.map(|t| t.saturating_sub(began.elapsed())),
        };
        let explained = match &outcome.verdict {
            Verdict::Fails(found) => self.explained(&case, found),
            _ => Ok(Vec::new()),
        };
        match explained {
            Ok(explained) => self.fill(&mut report, &assertion, &outcome, explained),
            Err(why) => {
                let diagnostic = unconfirmed(assertion.span, &why);
                report.reason = Some(diagnostic.message.clone());
                report.diagnostics.push(self.diagnostic(&diagnostic));
                warnings.push(diagnostic);
                return (report, warnings);
            }
        }
        let error = |code, why: &str| Diagnostic::error(code, assertion.span, why);
        let refused = match &outcome.verdict {
            Verdict::Inconclusive(Limit::Unsupported(why)) => Some(error("E0607", why)),
            Verdict::Inconclusive(Limit::Irreducible(why)) => Some(error("E0610", why)),
            Verdict::Inconclusive(Limit::Asymmetric(what, why)) => {
                Some(self.asymmetric(&assertion, what, why))
            }
            _ => None,
        };
        if let Some(diagnostic) = refused {
            report.reason = Some(diagnostic.message.clone());
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

    /// Decides one assertion, unless nothing that it depends on has changed since it was last decided; whether that is
    /// so.
    pub(crate) fn check_if_changed(
        &mut self,
        index: usize,
        settings: &CheckSettings,
        observer: &dyn Observer,
    ) -> (AssertionReport, bool) {
        let Some(kept) = self.kept.clone() else {
            return (self.check(index, settings, observer).0, false);
        };
        let matters = settings_key(settings);
        let [meaning, placed] = self.fingerprints(index);
        for fingerprint in [meaning, placed] {
            let kept = kept.borrow();
            if let Some(report) = kept.report(&(fingerprint, matters.clone())) {
                let mut report = report.clone();
                let assertion = &self.program.assertions[index];
                report.number = index + 1;
                report.line = self.span(assertion.span).line;
                return (report, true);
            }
        }
        let (report, _) = self.check(index, settings, observer);
        let fingerprint = match report.verdict {
            VerdictReport::Pass => meaning,
            _ => placed,
        };
        let key = (fingerprint, matters);
        kept.borrow_mut().keep_report(key, &report);
        (report, false)
    }

    /// Why evaluation or compilation was stopped, what it was about and how large that had become.
    fn stopped_while(&self, limit: &Limit) -> String {
        let stage = self.watch.stage();
        let terms = self.evaluator.as_ref().map_or(0, Evaluator::process_count);
        match (limit, stage.is_empty()) {
            (Limit::Time | Limit::Memory(_), false) => {
                let ending = if terms == 1 { "" } else { "s" };
                let reason = reason(limit);
                format!("{reason} while {stage}, with {terms} process term{ending} so far")
            }
            _ => reason(limit),
        }
    }

    /// The report of an assertion that was not reached because the run was interrupted before.
    pub(crate) fn not_reached(&self, index: usize) -> AssertionReport {
        let mut report = self.blank(index, &self.program.assertions[index]);
        report.verdict = VerdictReport::Inconclusive;
        report.reason = Some("interrupted before it was reached".to_owned());
        report
    }

    /// The report of an assertion whose check panicked: a fault of this program. What the check
    /// left half-done is given up, so that others can go on.
    pub(crate) fn broken_off(
        &mut self,
        index: usize,
        panic: &str,
    ) -> (AssertionReport, Diagnostic) {
        self.evaluator = None;
        self.compilers.clear();
        self.compressions.clear();
        self.warnings.clear();
        let assertion = &self.program.assertions[index];
        let mut report = self.blank(index, assertion);
        let diagnostic = Diagnostic::error("E0608", assertion.span, "checking this broke off")
            .note(panic)
            .help("this is a fault of csp, not of the script; other assertions are not concerned");
        report.reason = Some(format!("a fault of csp: {panic}"));
        report.diagnostics.push(self.diagnostic(&diagnostic));
        (report, diagnostic)
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
            store: "".into(),
            reduction: None,
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
        counterexamples: Vec<CounterexampleReport>,
    ) {
        let statistics = &outcome.statistics;
        report.states = statistics.states;
        report.transitions = statistics.transitions;
        report.plys = statistics.plys;
        report.ply_sizes.clone_from(&statistics.ply_sizes);
        report.peak_memory_bytes = statistics.peak_memory;
        report.bytes_per_state = statistics.bytes_per_state;
        report.store = statistics.store.into();
        report.reduction = ReductionReport::of(statistics, |why| self.asymmetry(assertion, why));
        let holds = match &outcome.verdict {
            Verdict::Inconclusive(limit) => {
                report.verdict = VerdictReport::Inconclusive;
                report.reason = Some(reason(limit));
                return;
            }
            Verdict::Holds => true,
            Verdict::Fails(_) => {
                report.counterexamples = counterexamples;
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
        self.claim_within(assertion, settings, &Budget::new(options, observer))
    }

    /// The same on what is left of a budget.
    fn claim_within(
        &mut self,
        assertion: &hir::Assertion,
        settings: &CheckSettings,
        budget: &Budget<'_>,
    ) -> Result<csp_checker::Claim, Obstacle> {
        let observer = budget.observer();
        observer.phase(Phase::Evaluate, &assertion.text);
        let evaluated = claim::evaluate(assertion, self.evaluator())
            .map_err(|diagnostic| self.obstacle(diagnostic, None))?;
        let model = evaluated.compression_model();
        evaluated.compile(|place, process| {
            let evaluator = self.evaluator();
            observer.phase(Phase::Compile, &evaluator.describe(process));
            self.list_together(assertion, place, process, settings);
            self.network(process, model, settings.leaves(), budget)
        })
    }

    /// What a diagnostic amounts to: evaluation that was stopped is no mistake of the script.
    pub(super) fn obstacle(&self, diagnostic: Box<Diagnostic>, limit: Option<Limit>) -> Obstacle {
        match limit {
            // Compressions stop when memory is used as they do when the user wants no more.
            Some(Limit::Interrupted) => {
                Obstacle::Limit(self.watch.memory_limit().unwrap_or(Limit::Interrupted))
            }
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

    pub(super) fn network(
        &mut self,
        process: ProcessId,
        model: Model,
        leaves: Leaves,
        budget: &Budget<'_>,
    ) -> Result<Network, Obstacle> {
        let kept = self.kept.clone();
        let compressions = Compressions::new(model, budget, kept.as_deref());
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
            Ok(network) => {
                budget.observer().phase(Phase::Reduce, "");
                let mut stopped = None;
                let reduced = reduce_until(&network, &mut || {
                    stopped = budget.breathe(&Progress::default()).err();
                    stopped.is_some()
                });
                let because = |limit| self.watch.memory_limit().unwrap_or(limit);
                reduced
                    .ok_or_else(|| Obstacle::Limit(because(stopped.unwrap_or(Limit::Interrupted))))
            }
            Err(diagnostic) => Err(self.obstacle(diagnostic, limit)),
        }
    }
}

/// A limit by what the user set, not by what was left of it for the phase that reached it.
fn as_set(limit: Limit, options: &Options) -> Limit {
    match limit {
        Limit::Memory(left) => Limit::Memory(options.memory.unwrap_or(left)),
        other => other,
    }
}

/// Says that there is no memory limit, where the system does not tell what is free and the user did not set one.
fn unlimited(options: &Options, span: Span) -> Option<Diagnostic> {
    let message = "this check has no memory limit: the system does not say how much memory is free";
    let warning = Diagnostic::warning("W0608", span, message);
    let help = "set a limit, with `--memory 4G` for example";
    options.memory.is_none().then(|| warning.help(help))
}

/// A counterexample that the network as compiled does not have.
fn unconfirmed(span: Span, why: &str) -> Diagnostic {
    let message = format!("a counterexample was found that the process does not have: {why}");
    Diagnostic::error("E0609", span, message)
        .help("this is a fault of the checker; please report the script that shows it")
}

/// The compiler for this way of listing processes.
fn compiler(compilers: &mut HashMap<Leaves, Compiler>, leaves: Leaves) -> &mut Compiler {
    compilers.entry(leaves).or_insert_with(|| {
        Compiler::new(CompileOptions {
            leaf_compression: leaves.0,
            leaf_states: leaves.1,
            termination: leaves.2,
            ..CompileOptions::default()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_without_a_memory_limit_says_so() {
        let mut options = Options::default();
        let warning = unlimited(&options, Span::default());
        assert_eq!(warning.map(|w| w.code), Some("W0608"));
        options.memory = Some(1 << 30);
        assert_eq!(unlimited(&options, Span::default()), None);
    }

    #[test]
    fn limits_are_named_as_they_were_set() {
        let options = Options {
            memory: Some(20 << 20),
            ..Options::default()
        };
        let limit = as_set(Limit::Memory(3 << 20), &options);
        assert_eq!(limit, Limit::Memory(20 << 20));
    }
}
