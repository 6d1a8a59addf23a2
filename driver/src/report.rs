//! What a run found, as data to write out. The shapes are a contract: `schema` goes up when the
//! meaning of a field changes; fields may be added without that.

use std::borrow::Cow;

use csp_checker::{Asymmetry, Statistics};
use serde::{Deserialize, Serialize};

/// The version of the shapes in this file; `report.schema.json` describes them.
pub const SCHEMA: u32 = 2;

/// Everything `csp check` has to say about one script.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Always `csp`.
    pub tool: Cow<'static, str>,
    /// The tool's version.
    pub version: Cow<'static, str>,
    /// The script, as named on the command line.
    pub file: String,
    /// Results of `print` statements, in order.
    pub prints: Vec<PrintReport>,
    /// The selected assertions, in the order of the script.
    pub assertions: Vec<AssertionReport>,
    /// Problems of the script as a whole.
    pub diagnostics: Vec<DiagnosticReport>,
}

/// The value of one `print` statement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PrintReport {
    /// The expression as written.
    pub text: String,
    /// Its value in CSPm notation; absent if evaluating it failed.
    pub value: Option<String>,
}

/// What an assertion came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VerdictReport {
    /// It holds.
    Pass,
    /// It does not.
    Fail,
    /// A limit was reached.
    Inconclusive,
    /// It could not be checked.
    Error,
}

impl VerdictReport {
    /// The word that reports use.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Inconclusive => "inconclusive",
            Self::Error => "error",
        }
    }
}

/// One assertion.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AssertionReport {
    /// The number of the assertion in the script, from 1.
    pub number: usize,
    /// As written, without `assert`.
    pub text: String,
    /// Where it starts.
    pub line: usize,
    /// What it came to.
    pub verdict: VerdictReport,
    /// How the script words this outcome (`--@ pass: "…"`, `--@ fail: "…"`).
    pub meaning: Option<String>,
    /// The game whose referee has replayed the counterexamples (`--@ game: …`).
    pub referee: Option<Cow<'static, str>>,
    /// What the script expects (`--@ expect: …`).
    pub expected: Option<VerdictReport>,
    /// Why it is inconclusive or in error.
    pub reason: Option<String>,
    /// Pairs of specification node and implementation state; of a claim that fails, those up to and
    /// including the ply in which enough violations were found.
    pub states: u64,
    /// Transitions out of them.
    pub transitions: u64,
    /// Breadth-first plys.
    pub plys: u64,
    /// States of each ply.
    pub ply_sizes: Vec<u64>,
    /// Time for the search.
    pub seconds: f64,
    /// Time for evaluation and compilation.
    pub compile_seconds: f64,
    /// Memory of the search at its peak.
    pub peak_memory_bytes: u64,
    /// Bytes per state in the store.
    pub bytes_per_state: f64,
    /// The store used.
    pub store: Cow<'static, str>,
    /// What was left out of the search, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reduction: Option<ReductionReport>,
    /// The compressions that the script asked for.
    pub compressions: Vec<CompressionReport>,
    /// For a failing assertion, at least one.
    pub counterexamples: Vec<CounterexampleReport>,
    /// Problems met while checking this assertion.
    pub diagnostics: Vec<DiagnosticReport>,
}

/// What was left out of a search.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReductionReport {
    /// What partial-order reduction followed (`--por`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial_order: Option<PartialOrderReport>,
    /// The symmetries that were used (`--symmetry`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symmetry: Option<SymmetryReport>,
}

/// The symmetries of an assertion: permutations of components, their states and events.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SymmetryReport {
    /// How many there are, with the one that moves nothing, if they are few enough to be listed.
    pub group: Option<u64>,
    /// Those that were used, each checked on the rules of the network.
    pub used: u64,
    /// If there are none, what is in the way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
}

/// How much of what could be done was followed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PartialOrderReport {
    /// Rules that could fire, added up over the states of the search.
    pub enabled: u64,
    /// Those that were followed.
    pub followed: u64,
    /// So little was gained in the beginning that the search was then done without; the numbers are those
    /// of the beginning.
    pub given_up: bool,
}

impl ReductionReport {
    /// What a search left out; says in words what is not symmetric.
    pub(crate) fn of(
        statistics: &Statistics,
        in_words: impl Fn(&Asymmetry) -> String,
    ) -> Option<Self> {
        let partial_order = statistics.partial_order.map(|followed| PartialOrderReport {
            enabled: followed.enabled,
            followed: followed.followed,
            given_up: followed.given_up,
        });
        let symmetry = statistics.symmetry.as_ref();
        let symmetry = symmetry.map(|group| SymmetryReport {
            group: group.elements,
            used: group.exchanges,
            broken: group.broken.as_ref().map(in_words),
        });
        let any = partial_order.is_some() || symmetry.is_some();
        any.then_some(Self {
            partial_order,
            symmetry,
        })
    }

    /// A line for each reduction.
    #[must_use]
    pub fn lines(&self, fails: bool) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(order) = &self.partial_order {
            lines.push(order.line(fails));
        }
        lines.extend(self.symmetry.as_ref().map(SymmetryReport::line));
        lines
    }
}

impl PartialOrderReport {
    fn line(&self, fails: bool) -> String {
        if self.given_up {
            return "partial order: next to nothing to leave out, so all was followed".to_owned();
        }
        let share = 100.0 * self.followed as f64 / self.enabled.max(1) as f64;
        let shortest = if fails {
            "; there may be a shorter counterexample"
        } else {
            ""
        };
        format!("partial order: {share:.0} % of the rules that could fire were followed{shortest}")
    }
}

impl SymmetryReport {
    fn line(&self) -> String {
        match self.group {
            Some(1) => {
                let why = self.broken.as_ref().map(|why| format!(": {why}"));
                let why = why.unwrap_or_default();
                format!("symmetry: no components or states can be exchanged{why}")
            }
            Some(group) => format!("symmetry: a group of {group}"),
            None => format!("symmetry: a large group, by {} exchanges", self.used),
        }
    }
}

/// What a compression function did to one machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CompressionReport {
    /// The function, as scripts call it.
    pub function: Cow<'static, str>,
    /// The process it was applied to.
    pub process: String,
    /// Whether the function preserves the model of the assertion. If not, one that does was used
    /// in its place (except for functions that are meant to change the process).
    pub preserves_model: bool,
    /// The function that was used: `wbisim` where the one asked for would have done harm.
    pub used: Cow<'static, str>,
    /// Whether the script asks for it by name; otherwise it is the reduction of a component.
    pub asked_for: bool,
    /// Before.
    pub before: SizeReport,
    /// After.
    pub after: SizeReport,
    /// States after, without those that only carry acceptances of others.
    pub nodes: usize,
    /// Acceptance steps after: minimal acceptances of nodes that have several or do more.
    pub acceptances: usize,
    /// Time taken, tabulation included.
    pub seconds: f64,
}

/// How large a machine is.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct SizeReport {
    /// States.
    pub states: usize,
    /// Transitions, one for each event.
    pub transitions: usize,
}

/// A behaviour that the assertion forbids.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CounterexampleReport {
    /// `trace`, `refusal`, `divergence`, `deadlock`, `determinism`, `revival`, `refusal trace` or
    /// `missing trace`.
    pub kind: Cow<'static, str>,
    /// What the specification sees.
    pub trace: Vec<String>,
    /// The same with hidden events by name, and τ where there is no name.
    pub revealed: Vec<String>,
    /// What is wrong, in a sentence.
    pub explanation: String,
    /// What the implementation offers at the end (refusal, determinism).
    pub offered: Vec<String>,
    /// What the specification allows or requires there.
    pub specification: Vec<Vec<String>>,
    /// The cycle of a divergence, by revealed names.
    pub cycle: Vec<String>,
    /// The other behaviour of a nondeterministic process, by revealed names.
    pub other: Vec<String>,
    /// Refusal testing: what was offered where each event was done, if the state was stable.
    pub observed: Vec<Option<Vec<String>>>,
    /// What the process is composed of: a tree in preorder, root first. An `id` is a place here.
    pub parts: Vec<PartReport>,
    /// Every step, with who moved.
    pub steps: Vec<StepReport>,
    /// Divergence: the steps that are repeated for ever.
    pub cycle_steps: Vec<StepReport>,
    /// Determinism: the steps of the second behaviour.
    pub other_steps: Vec<StepReport>,
    /// Determinism: the number of steps that both behaviours have in common.
    pub parting: Option<usize>,
    /// Why nothing else can happen at the end.
    pub end: Option<EndReport>,
    /// What is missing of all this, and why.
    pub missing: Option<String>,
}

/// A place in a script; lines and columns (in characters) count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpanReport {
    /// The file.
    pub file: String,
    /// Where it starts.
    pub line: usize,
    /// Where it starts.
    pub column: usize,
    /// Where it ends.
    pub end_line: usize,
    /// Where it ends.
    pub end_column: usize,
}

/// A state of a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermReport {
    /// `Fork(1)`, or `Fork(1) after takes.0.1`.
    pub text: String,
    /// Where the process that it has become is written.
    pub span: Option<SpanReport>,
}

/// What a row of a counterexample is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PartKind {
    /// An operator over the parts below it.
    Operator,
    /// A sequential process.
    Component,
    /// A machine that a compression function has made of the parts below it.
    Compressed,
    /// A sequential process that makes no difference and was not part of the search.
    Removed,
}

/// An operator or a component of the process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartReport {
    /// Its place in the list.
    pub id: usize,
    /// The part that it is an operand of.
    pub parent: Option<usize>,
    /// What to call it: `Fork(1)`. No two components have the same.
    pub label: String,
    /// The operator, as scripts write it.
    pub operator: Option<String>,
    /// Where it is written.
    pub span: Option<SpanReport>,
    /// What it is.
    pub kind: PartKind,
    /// Its state at the start, if it has one.
    pub initial: Option<TermReport>,
}

/// One step of a counterexample.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepReport {
    /// As seen from outside: an event, `τ` or `✓`.
    pub event: String,
    /// By its name before hiding.
    pub revealed: String,
    /// Taken at once by `chase`, not counted.
    pub chased: bool,
    /// What the specification accepts before this step, if there is one.
    pub allowed: Option<Vec<String>>,
    /// The parts that took part, and what each did.
    pub moves: Vec<MoveReport>,
}

/// What one part did in a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveReport {
    /// Which part.
    pub part: usize,
    /// Its label.
    pub component: String,
    /// Its own event, before renaming and hiding.
    pub event: String,
    /// Its state before.
    pub before: TermReport,
    /// Its state after.
    pub after: TermReport,
}

/// Why nothing else can happen at the end of a counterexample.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndReport {
    /// The reason in a sentence or two.
    pub sentence: String,
    /// The components, in the order of the list of parts.
    pub parts: Vec<EndPartReport>,
    /// Who waits for whom.
    pub waits: Vec<WaitReport>,
    /// Parts of which each waits for the next, and the last for the first; empty if there is no cycle.
    pub cycle: Vec<usize>,
}

/// One component at the end of a counterexample.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndPartReport {
    /// Which part.
    pub part: usize,
    /// Its state.
    pub state: TermReport,
    /// The events that it is ready for, by its own names.
    pub offers: Vec<String>,
    /// Those of them that others refuse, by the names that the whole process gives them.
    pub wants: Vec<WantReport>,
    /// It has terminated or is switched off.
    pub terminated: bool,
}

/// An event that a component is ready for and others are not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WantReport {
    /// The event.
    pub event: String,
    /// The parts that would have to take part and do not.
    pub refused_by: Vec<usize>,
}

/// One part waits for another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitReport {
    /// Who waits.
    pub from: usize,
    /// For whom.
    pub to: usize,
    /// The event that both would have to do.
    pub event: String,
}

/// A problem in the script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiagnosticReport {
    /// Stable code.
    pub code: Cow<'static, str>,
    /// `error` or `warning`.
    pub severity: Cow<'static, str>,
    /// One sentence.
    pub message: String,
    /// The file concerned.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Where the place ends.
    pub end_line: usize,
    /// Where the place ends.
    pub end_column: usize,
    /// What is said at that place; may be empty.
    pub note: String,
    /// Further places, each with a few words.
    pub labels: Vec<LabelReport>,
    /// A way out.
    pub help: Option<String>,
    /// The calls under way, innermost first.
    pub stack: Vec<String>,
}

/// A further place that a diagnostic speaks of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelReport {
    /// What is said there.
    pub text: String,
    /// The file concerned.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Where the place ends.
    pub end_line: usize,
    /// Where the place ends.
    pub end_column: usize,
}

impl Report {
    /// The exit code of `csp check`: 2 before 1 before 3 before 0.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        let any = |verdict| self.assertions.iter().any(|a| a.verdict == verdict);
        if self.diagnostics.iter().any(|d| d.severity == "error") || any(VerdictReport::Error) {
            2
        } else if any(VerdictReport::Fail) {
            1
        } else if any(VerdictReport::Inconclusive) {
            3
        } else {
            0
        }
    }

    /// The exit code of `csp check --expect`: an assertion that does not come out as its pragma
    /// says (or, without one, does not pass) counts as a failure, one that does as a pass.
    #[must_use]
    pub fn exit_code_against_expectations(&self) -> u8 {
        if self.diagnostics.iter().any(|d| d.severity == "error") {
            return 2;
        }
        let wanted = |a: &AssertionReport| a.expected.unwrap_or(VerdictReport::Pass);
        let mut worst = 0;
        for assertion in &self.assertions {
            let code = match assertion.verdict {
                verdict if verdict == wanted(assertion) => 0,
                VerdictReport::Error => return 2,
                VerdictReport::Inconclusive => 3,
                VerdictReport::Pass | VerdictReport::Fail => 1,
            };
            worst = match (worst, code) {
                (1, _) | (_, 1) => 1,
                (3, _) | (_, 3) => 3,
                _ => 0,
            };
        }
        worst
    }
}
