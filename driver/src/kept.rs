//! What a session keeps from one version of a script to the next.
//!
//! *Compressions* are kept by what they were computed from: the machines and rules of the operand, the function and
//! what it had to preserve. That is compared as a whole, so a compression is used again exactly if it would come out
//! the same, whatever was edited. *Reports* are kept by the fingerprint of the assertion and of all that it refers to
//! (`csp_compiler::fingerprint`), and by the settings that matter. A failing one shows places of the text, so there
//! positions count, too.

use std::collections::HashMap;
use std::sync::Arc;

use csp_checker::Model;
use csp_checker::compress::Replaced;
use csp_compiler::compress::Request;
use csp_compiler::fingerprint::Fingerprint;
use csp_lts::{Lts, Probe, Rule, RuleId, StateId};

use crate::report::{AssertionReport, SizeReport, VerdictReport};
use crate::script::CheckSettings;

/// Compressions and reports of earlier versions.
#[derive(Default)]
pub(crate) struct Kept {
    compressions: HashMap<Operand, Result>,
    /// About as many edges and rules as all of them have.
    size: usize,
    reports: HashMap<(Fingerprint, String), AssertionReport>,
}

/// Everything that the result of a compression depends on.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Operand {
    function: &'static str,
    model: u8,
    stepwise: bool,
    most_states: Option<usize>,
    components: Vec<(Arc<Lts>, StateId)>,
    rules: Vec<Rule>,
    probes: Vec<Probe>,
    blockers: Vec<Box<[u32]>>,
    chases: Vec<Box<[RuleId]>>,
}

/// What a compression came to.
#[derive(Clone)]
pub(crate) struct Result {
    pub(crate) lts: Arc<Lts>,
    pub(crate) replaced: Option<Replaced>,
    pub(crate) before: SizeReport,
}

/// Machines with fewer edges are compressed sooner than they are looked up, unless the script asks for it.
const SMALL: usize = 1_000;

/// When there are more edges and rules, all compressions are forgotten: some hundred megabytes.
const MOST_EDGES: usize = 20_000_000;

/// When there are more reports, all are forgotten.
const MOST_REPORTS: usize = 10_000;

impl Operand {
    /// The operand of a request, seen in a model; `None` if it is not worth keeping.
    pub(crate) fn of(request: &Request<'_>, model: Model) -> Option<Self> {
        let network = request.network;
        let edges = network.components.iter().map(|c| c.lts.edge_count());
        if !request.asked_for && edges.sum::<usize>() < SMALL {
            return None;
        }
        let components = network.components.iter();
        let chases = network.chases.iter();
        Some(Self {
            function: request.kind.name(),
            model: model as u8,
            stepwise: request.context.stepwise.is_some(),
            most_states: request.most_states,
            components: components
                .map(|c| (Arc::clone(&c.lts), c.initial))
                .collect(),
            rules: network.rules.clone(),
            probes: network.probes.clone(),
            blockers: network.blockers.clone(),
            chases: chases.map(|chase| chase.rules.clone()).collect(),
        })
    }

    fn size(&self) -> usize {
        let edges = self.components.iter().map(|(lts, _)| lts.edge_count());
        edges.sum::<usize>() + self.rules.len()
    }
}

impl Kept {
    /// The result of a compression that has been done before.
    pub(crate) fn compression(&self, operand: &Operand) -> Option<Result> {
        self.compressions.get(operand).cloned()
    }

    /// Keeps the result of a compression.
    pub(crate) fn keep_compression(&mut self, operand: Operand, result: Result) {
        let size = operand.size() + result.lts.edge_count();
        if self.size + size > MOST_EDGES {
            self.compressions.clear();
            self.size = 0;
        }
        if size <= MOST_EDGES {
            self.size += size;
            self.compressions.insert(operand, result);
        }
    }

    /// The report of an assertion that has been decided before.
    pub(crate) fn report(&self, key: &(Fingerprint, String)) -> Option<&AssertionReport> {
        self.reports.get(key)
    }

    /// Keeps a report, if it is a verdict and nothing was remarked.
    pub(crate) fn keep_report(&mut self, key: (Fingerprint, String), report: &AssertionReport) {
        let decided = matches!(report.verdict, VerdictReport::Pass | VerdictReport::Fail);
        if decided && report.reason.is_none() && report.diagnostics.is_empty() {
            if self.reports.len() >= MOST_REPORTS {
                self.reports.clear();
            }
            self.reports.insert(key, report.clone());
        }
    }

    /// Forgets everything.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }
}

/// The settings that can show in a report; limits cannot, for only verdicts are kept.
pub(crate) fn settings_key(settings: &CheckSettings) -> String {
    let CheckSettings {
        counterexamples,
        store,
        textbook_termination,
        leaf_compression,
        max_leaf_states,
        open_compressed,
        ..
    } = settings;
    format!(
        "{counterexamples} {store:?} {textbook_termination} {leaf_compression:?} {max_leaf_states} {open_compressed}"
    )
}
